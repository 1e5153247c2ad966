"""Previews: the events an action leads to, and whether it certainly loses."""

from __future__ import annotations

from typing import Any

import pytest

from tribord import Match, load
from tribord.core.journal import follow
from tribord.server.preview import fate, preview

ISLAND = load("ile-aux-pirates")
# Four turns take the pirate to square 13, with two children on the way.
CHASE = [
    "chance throw 1 1 4", "0 1 brown-1", "0 1 brown-2", "0 4 pirate-1",
    "chance throw 1 2 4", "1 1 brown-1", "1 2 brown-2", "1 4 pirate-1",
    "chance throw 1 2 5", "0 1 brown-1", "0 2 brown-2", "0 5 pirate-1",
]  # fmt: skip


def at(*lines: str, **options: Any) -> Match:
    """A match that went like this."""
    match = Match(ISLAND, 2 if not options else 4, seed=0, options=options)
    match.restart()
    for line in lines:
        follow(match, line)
    return match


def kinds(told: list[dict[str, Any]]) -> list[str]:
    return [event["kind"] for event in told]


def test_a_move_that_ends_the_match_loses_for_certain() -> None:
    match = at(*CHASE, "chance throw 1 3 4")
    boards = match.check(1, "4 pirate-1")
    assert kinds(preview(match, 1, boards)) == ["boards", "pirate-first"]
    assert [(event["kind"], event["rule"]) for event in fate(match.fork(), 1, boards)] == [("pirate-first", "I8")]


def test_a_move_after_which_every_other_one_loses_does_so_too() -> None:
    match = at(*CHASE, "chance throw 1 4 5")
    # The pirate must take the 4 or the 5.
    assert kinds(fate(match.fork(), 1, match.check(1, "1 brown-1"))) == ["pirate-first"]
    assert not fate(match.fork(), 1, match.check(1, "4 brown-1"))  # the 1 is left for him
    assert not fate(match.fork(), 1, match.check(1, "1 pirate-1"))


def test_a_move_that_wins_is_not_lost() -> None:
    lines = []
    for seat in (0, 1, 0):
        lines += ["chance throw 1 6 6", f"{seat} 1 pirate-1", f"{seat} 6 brown-1", f"{seat} 6 brown-2"]
    for seat in (1, 0):
        lines += ["chance throw 5 6", f"{seat} 6 brown-3", f"{seat} 5 pirate-1"]
    match = at(*lines, "chance throw 5 6")
    assert kinds(preview(match, 1, match.check(1, "5 brown-3"))) == ["boards", "escaped"]
    assert not fate(match.fork(), 1, match.check(1, "5 brown-3"))
    assert kinds(fate(match.fork(), 1, match.check(1, "5 pirate-1"))) == ["pirate-first"]


def test_a_pirate_aboard_an_empty_ship_loses_the_strategic_game() -> None:
    lines = ["chance forces 2 3 4", "chance first 0"]
    for seat, (one, two) in enumerate((("brown-1", "blue-1"), ("brown-2", "green-1"))):
        lines += ["chance throw 1 1 6", f"{seat} 1 {one}", f"{seat} 1 {two}", f"{seat} 6 pirate-1"]
    match = at(*lines, "chance throw 1 2 6", game="strategic")
    [end] = fate(match.fork(), 2, match.check(2, "6 pirate-1"))
    assert (end["kind"], end["rule"], end["fields"]) == ("ship-taken", "I15", {"force": 2, "children": 0})
    assert not fate(match.fork(), 2, match.check(2, "1 red-1"))


@pytest.mark.parametrize("game", ["faut-pas-pousser", "walk-the-plank", "sauve-qui-peut"])
def test_competitive_games_show_no_fate(game: str) -> None:
    match = Match(load(game), 3, seed=1)
    seat = match.to_act[0]
    assert fate(match, seat, match.legal(seat)[0]) == []


def test_looking_ahead_changes_nothing() -> None:
    match = at(*CHASE, "chance throw 1 4 5")
    before = match.state.tobytes(), match.version
    for action in match.legal(1):
        fate(match.fork(), 1, action)
    assert (match.state.tobytes(), match.version) == before
