"""The clock of a table: time to think for each decision, or for the whole match. It runs for people, never for bots."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

EVENT_SECONDS = 1.5  # that it takes to show an event, about
GRACE = 15.0  # seconds a player has at least after taking the seat back, or after the server was away or asleep


@dataclass(frozen=True, slots=True)
class Clock:
    """How much time there is, and for whom it runs. It never changes: each step gives another clock."""

    per: str  # "decision" or "match"
    seconds: float
    rank: str  # of the bot that plays on when the time is up
    since: Mapping[int, float] = field(default_factory=dict)  # seat: when its present decision began
    left: Mapping[int, float] = field(default_factory=dict)  # seat: seconds left in the match, if not all of them

    def to_dict(self) -> dict[str, Any]:
        """The setting, as everybody may know it."""
        return {"per": self.per, "seconds": self.seconds, "rank": self.rank}

    def deadline(self, seat: int) -> float:
        """When the time of a seat for which the clock runs is up."""
        return self.since[seat] + (self.seconds if self.per == "decision" else self.left.get(seat, self.seconds))

    def deadlines(self) -> dict[int, float]:
        """When the time is up of everybody for whom the clock runs."""
        return {seat: self.deadline(seat) for seat in self.since}

    def stopped(self, seats: Collection[int], at: float) -> Clock:
        """The clock, no longer running for these seats; what they used is gone."""
        stopping = {seat: self.since[seat] for seat in seats if seat in self.since}
        if not stopping:
            return self
        since = {seat: began for seat, began in self.since.items() if seat not in stopping}
        left = dict(self.left)
        if self.per == "match":
            for seat, began in stopping.items():
                left[seat] = max(0.0, left.get(seat, self.seconds) - max(0.0, at - began))
        return replace(self, since=since, left=left)

    def running(self, seats: Collection[int], at: float, events: int = 0) -> Clock:
        """The clock running for exactly these seats: for those it ran for already since then, for others from now.

        It starts once the events that led to the decision have been shown: nobody loses time by watching.
        """
        now = self.stopped([seat for seat in self.since if seat not in seats], at)
        return replace(now, since={seat: now.since.get(seat, at + EVENT_SECONDS * events) for seat in seats})

    def restarted(self, at: float) -> Clock:
        """The clock after time has jumped: decisions in progress begin again, and everybody has at least a moment."""
        clock = self
        for seat in self.since:
            clock = clock.graced(seat)
        late = max(0.0, GRACE - self.seconds) if self.per == "decision" else 0.0
        return replace(clock, since=dict.fromkeys(self.since, at + late))

    def graced(self, seat: int) -> Clock:
        """The clock with at least a little time for a seat."""
        if self.per == "decision":
            return self
        return replace(self, left={**self.left, seat: max(GRACE, self.left.get(seat, self.seconds))})
