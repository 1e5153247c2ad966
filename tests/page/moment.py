"""Moments worth looking at: a table for every kind of decision, for pictures and for examining the page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.page.player import ISLAND, PLANK, PUSH, SAVE
from tests.page.sailor import elsewhere, play

from tribord import load
from tribord.client import Client, Turn


@dataclass(frozen=True)
class Moment:
    """A decision worth looking at: the first of this kind after this many of ours."""

    name: str
    game: str
    players: int
    options: dict[str, Any]
    after: int
    verb: str = ""

    def reached(self) -> Callable[[Turn], bool]:
        """Whether it has come, asked at every turn."""
        game, turns = load(self.game), 0

        def stop(turn: Turn) -> bool:
            nonlocal turns
            turns += 1
            return turns > self.after and any(game.notation(a).startswith(self.verb) for a in turn.legal)

        return stop


MOMENTS = [
    Moment("picking", PUSH, 4, {}, 0),
    Moment("playing", PUSH, 4, {}, 3),
    Moment("laying", PLANK, 5, {}, 6, "program"),
    Moment("pulling", PLANK, 4, {}, 6, "pull"),
    Moment("shoving", PLANK, 3, {}, 3, "shove"),
    Moment("placing", SAVE, 6, {}, 2, "place"),
    Moment("voting", SAVE, 6, {}, 8, "vote"),
    Moment("deciding", SAVE, 4, {}, 8, "decide"),
    Moment("leaving", SAVE, 3, {}, 16, "leave"),
    Moment("boarding", SAVE, 4, {}, 8, "board"),
    Moment("base", ISLAND, 3, {}, 5),
    Moment("strategic", ISLAND, 4, {"game": "strategic"}, 6),
    Moment("hard", ISLAND, 1, {"game": "strategic", "hard": True, "memory": False}, 20),
]


def find(url: str, moment: Moment) -> Client:
    """A table where the moment has come: not every match has it."""
    seats = ["me", *["mousse"] * (moment.players - 1)]
    for _table in range(20):
        table = elsewhere(play(url, moment.game, seats, until=moment.reached(), options=moment.options))
        if table.match and not table.match["outcome"]:
            return table
    raise AssertionError(f"{moment.name} never comes")
