"""Haste: a rank that now and then decides as the one below would.

Where thinking for a moment is as good as thinking for long, ranks that differ in nothing else would be the same player.
"""

from __future__ import annotations

from typing import Protocol

from tribord.core.chance import bits, stream
from tribord.core.game import Game
from tribord.core.record import State


class _Decides(Protocol):
    def decide(self, view: State, seat: int, clock: float | None = None) -> int: ...


class Hasty:
    """A bot that decides as `below` does with probability `haste`, and else as `otherwise`."""

    def __init__(self, otherwise: _Decides, below: _Decides, haste: float, seed: int):
        self.otherwise = otherwise
        self.below = below
        self.haste = haste
        self.seed = seed
        self.decisions = 0

    def decide(self, view: State, seat: int, clock: float | None = None) -> int:
        """The action of whichever of the two it is this time."""
        self.decisions += 1
        in_haste = bits(stream(self.seed, self.decisions)) < self.haste * 2**32
        return (self.below if in_haste else self.otherwise).decide(view, seat, clock)


def haste_of(game: Game, rank: str) -> float:
    """How often a rank decides in haste: never, unless the game says so (`HASTE` in its `bot.py`)."""
    return float(getattr(game._module("bot"), "HASTE", {}).get(rank, 0.0))
