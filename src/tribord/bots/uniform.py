"""Uniform play: the baseline of all bots."""

from __future__ import annotations

from tribord.core.chance import below, stream
from tribord.core.engine import Legal
from tribord.core.record import State

UNIFORM = "uniform"  # its name, beside those of the ranks


class Uniform:
    """Picks legal actions uniformly at random."""

    def __init__(self, seed: int):
        self._rng = stream(seed)

    def decide(self, view: State, legal: Legal, clock: float | None = None) -> int:
        """A uniformly random legal action."""
        return legal[below(self._rng, len(legal))]
