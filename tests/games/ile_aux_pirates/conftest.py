"""Set-up for the tests of L'Île aux Pirates: a match at a chosen point, with chosen dice."""

from collections.abc import Callable

import pytest

from tribord import CHANCE, Match, load
from tribord.core.match import Entry
from tribord.games.ile_aux_pirates.actions import PAWN_IDS, parse_chance
from tribord.games.ile_aux_pirates.state import DRAWING_FIRST


def give(match: Match, outcome: str) -> None:
    """Let chance decide this, if it may."""
    number = parse_chance(outcome)
    assert match.weights()[number] > 0, f"{outcome} can't happen here"
    match.follow(Entry(CHANCE, number))


@pytest.fixture
def island() -> Callable[..., Match]:
    """Build a match: pawns placed by id, whose turn, and the dice that were thrown. Figure k carries force k + 1."""

    def build(
        throw: str = "1 2 3", at: dict[str, int] | None = None, players: int = 1, turn: int = 0, **options
    ) -> Match:
        match = load("ile-aux-pirates").match(players, seed=1, options=options)
        match.restart()
        if options.get("game") == "strategic":
            give(match, "forces 2 3 4")
            if match.state.phase == DRAWING_FIRST:
                give(match, "first 0")
        match.state.turn = turn
        for pawn, place in (at or {}).items():
            match.state.at[PAWN_IDS.index(pawn)] = place
        give(match, f"throw {throw}")
        return match

    return build


@pytest.fixture
def strategic(island) -> Callable[..., Match]:
    """The same for the strategic game."""

    def build(*args, **kwargs) -> Match:
        return island(*args, game="strategic", **kwargs)

    return build
