"""Frozen ranks decide as in their release."""

import hashlib

import pytest

from tribord import BadOption, load
from tribord.bots import is_rank, ranks, seat_bot
from tribord.bots.frozen import FROZEN
from tribord.bots.search import PARAMS, Search, iterations_of
from tribord.bots.solver import SolvedBot
from tribord.bots.uniform import Uniform
from tribord.lab.arena import arena

NAME = "capitaine-0.1"
STRATEGIC = {"game": "strategic", "turns": 200}  # the base game is solved
# By game and number of players: of eight decisions at fixed positions, with a fiftieth of the iterations.
DECISIONS = {
    ("faut-pas-pousser", 2): "5e0e392bca9a",
    ("faut-pas-pousser", 3): "062c693c1f65",
    ("faut-pas-pousser", 4): "9a060bf62341",
    ("ile-aux-pirates", 1): "939c15a895dc",
    ("ile-aux-pirates", 2): "d6f41f115d3a",
    ("ile-aux-pirates", 3): "5945a297531d",
    ("ile-aux-pirates", 4): "0d25904fd1f8",
    ("sauve-qui-peut", 3): "1e4ee8eef9c8",
    ("sauve-qui-peut", 4): "0338a6614901",
    ("sauve-qui-peut", 5): "0570f04ed535",
    ("sauve-qui-peut", 6): "bde39fb19cb3",
    ("walk-the-plank", 3): "ede8f87ed5cf",
    ("walk-the-plank", 4): "eb9d72aafca0",
    ("walk-the-plank", 5): "7928afc5051e",
}


def decided(game, players):
    """Eight decisions in a match of random actions, two actions apart."""
    match = game.match(players, 5, STRATEGIC if game.id == "ile-aux-pirates" else None)
    bot, others, actions, done = seat_bot(f"{NAME}@0.02", game, 3), Uniform(7), [], 0
    while len(actions) < 8:
        for seat in match.to_act:
            view, legal = match.view_state(seat), match.legal(seat)
            done += 1
            if done % 2 and len(legal) > 1:
                actions.append(bot.decide(view, legal))
            match.play(seat, others.decide(view, legal))
            if match.over:
                match = game.match(players, 6, match.options)
                break
    return hashlib.blake2b(str(actions[:8]).encode(), digest_size=6).hexdigest()


@pytest.mark.parametrize(("name", "players"), list(DECISIONS))
def test_a_frozen_captain_decides_as_in_its_release(name, players):
    assert decided(load(name), players) == DECISIONS[name, players]


def test_every_iteration_and_parameter_is_the_releases_whatever_games_say_later(monkeypatch):
    settings = {"faut-pas-pousser": 3000, "walk-the-plank": 5000, "sauve-qui-peut": 1500, "ile-aux-pirates": 6000}
    assert settings == {name: frozen.iterations for name, frozen in FROZEN[NAME].items()}
    for name, iterations in settings.items():
        game = load(name)
        before = seat_bot(NAME, game)
        for what, later in (("SEARCH", {"c_puct": 9.0, "epsilon": 0.9}), ("ITERATIONS", {"bosco": 1, "capitaine": 1})):
            monkeypatch.setattr(game._module("bot"), what, later)
        assert iterations_of(game, "capitaine") == 1
        after = seat_bot(f"{NAME}@2", game)
        searches = [bot.otherwise if isinstance(bot, SolvedBot) else bot for bot in (before, after)]
        assert all(isinstance(bot, Search) for bot in searches)
        assert [bot.iterations for bot in searches] == [iterations, 2 * iterations]
        assert (searches[0].workers[0].params == searches[1].workers[0].params).all()
        assert set(FROZEN[NAME][name].params) == set(PARAMS)


def test_a_frozen_rank_is_for_the_arena_alone():
    assert NAME not in ranks() and is_rank(f"{NAME}@0.1") and not is_rank("capitaine-0.2")
    with pytest.raises(BadOption, match=r"no bot of rank “capitaine-0\.2”"):
        seat_bot("capitaine-0.2", load("walk-the-plank"))
    bots = [f"{NAME}@0.01", "capitaine@0.01", "mousse"]
    result = arena(load("faut-pas-pousser"), bots, players=3, matches=6, seed=1, jobs=1)
    assert result["bots"] == bots and not any(any(bot["faults"].values()) for bot in result["standings"])
