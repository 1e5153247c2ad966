"""What the tests of the adapters share: compiled rules, only here."""

from collections.abc import Iterator

import pytest

from tribord import game_ids, load


@pytest.fixture(scope="module", autouse=True)
def compiled() -> Iterator[None]:
    games = [load(name) for name in game_ids()]
    before = [game.engine for game in games]
    for game in games:
        game.speed_up()
    yield
    for game, engine in zip(games, before, strict=True):
        game.__dict__["engine"] = engine
