"""OpenSpiel's players as bots: they keep to their clock, play whole matches, and refuse what they can't play."""

from __future__ import annotations

import time

import pytest

from tribord import BadOption, load
from tribord.bots.python import find_bot, make_bot
from tribord.lab.arena import arena

BOT = "py:examples.openspiel_bot:"


@pytest.mark.parametrize(
    ("name", "players", "sort"),
    [
        ("faut-pas-pousser", 4, "MCTS"),
        ("faut-pas-pousser", 4, "PlainMCTS"),
        ("walk-the-plank", 3, "ISMCTS"),
        ("sauve-qui-peut", 4, "PlainISMCTS"),
        ("ile-aux-pirates", 2, "MCTS"),
    ],
)
def test_it_thinks_for_as_long_as_the_clock_says(name: str, players: int, sort: str) -> None:
    clock = 0.15
    game = load(name)
    match = game.match(players, 1)
    player = make_bot(find_bot(BOT + sort), game, 3)
    player.decide(match.view_state(match.to_act[0]), match.legal(match.to_act[0]), clock)  # compiling is not thinking
    took: list[float] = []
    while len(took) < 5:
        seat = match.to_act[0]
        legal = match.legal(seat)
        begun = time.monotonic()
        action = player.decide(match.view_state(seat), legal, clock)
        if len(legal) > 1:  # otherwise there's nothing to think about
            took.append(time.monotonic() - begun)
        assert action in legal
        match.play(seat, action)
    assert min(took) > clock - 0.02
    assert min(took) < clock + 0.05  # the quickest: the machine may be busy


def test_it_plays_whole_matches_in_the_arena() -> None:
    result = arena(load("faut-pas-pousser"), ["mousse", f"{BOT}MCTS"], 2, 2, 1, clock=0.1, jobs=1)
    standing = result["standings"][1]
    assert standing["decisions"] >= 10
    assert standing["faults"]["crash"] == standing["faults"]["rubbish"] == 0, standing["fault"]


def test_information_sets_are_for_games_that_hide_something() -> None:
    game = load("ile-aux-pirates")
    with pytest.raises(BadOption, match="hides nothing"):
        arena(game, [f"{BOT}ISMCTS"], 2, 1)
