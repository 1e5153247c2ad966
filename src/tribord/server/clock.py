"""The clock of a table: time to think for each decision, or for the whole match. It runs for people, never for bots."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

EVENT_SECONDS = 1.5  # about how long it takes to show an event
GRACE = 15.0  # seconds a player has at least after taking the seat back, or after the server was away or asleep
# No one gains time by letting a bot play and taking the seat back: a decision continues with the time it had left, and
# is extended once.


@dataclass(frozen=True, slots=True)
class Clock:
    """How much time there is, and for which seats it runs. A clock never changes: each step returns a new one."""

    per: str  # "decision" or "match"
    seconds: float
    rank: str  # of the bot that plays on when the time is up
    since: Mapping[int, float] = field(default_factory=dict)  # seat: when its present decision began
    # Seat: seconds left in the match, or in a decision that was interrupted; if not all of them.
    left: Mapping[int, float] = field(default_factory=dict)
    extended: frozenset[int] = frozenset()  # seats that have got more time for their present decision

    def to_dict(self) -> dict[str, Any]:
        """The setting, as everyone may know it."""
        return {"per": self.per, "seconds": self.seconds, "rank": self.rank}

    def deadline(self, seat: int) -> float:
        """Return when a seat's time is up; its clock must be running."""
        return self.since[seat] + self.left.get(seat, self.seconds)

    def deadlines(self) -> dict[int, float]:
        """When each seat's time is up, for the seats whose clock runs."""
        return {seat: self.deadline(seat) for seat in self.since}

    def stopped(self, seats: Collection[int], at: float) -> Clock:
        """Return the clock stopped for these seats; the time they used is spent."""
        stopping = {seat: self.since[seat] for seat in seats if seat in self.since}
        if not stopping:
            return self
        since = {seat: began for seat, began in self.since.items() if seat not in stopping}
        left = dict(self.left)
        for seat, began in stopping.items():
            left[seat] = max(0.0, left.get(seat, self.seconds) - max(0.0, at - began))
        return replace(self, since=since, left=left)

    def ended(self, seats: Collection[int]) -> Clock:
        """Return the clock after these seats have decided; unused and extra time is dropped."""
        if self.left.keys().isdisjoint(seats):
            return self
        left = {seat: time for seat, time in self.left.items() if self.per == "match" or seat not in seats}
        return replace(self, left=left, extended=self.extended.difference(seats))

    def running(self, seats: Collection[int], at: float, events: int = 0) -> Clock:
        """Return the clock running for exactly these seats; seats that it already ran for keep their start.

        It starts once the events that led to the decision have been shown: no one loses time by watching.
        """
        now = self.stopped([seat for seat in self.since if seat not in seats], at)
        return replace(now, since={seat: now.since.get(seat, at + EVENT_SECONDS * events) for seat in seats})

    def restarted(self, at: float) -> Clock:
        """Return the clock after a jump in time: open decisions start again, and everyone has at least a moment."""
        clock = self.ended(self.since)
        for seat in self.since:
            clock = clock.graced(seat)
        return replace(clock, since=dict.fromkeys(self.since, at), extended=self.extended.difference(self.since))

    def graced(self, seat: int) -> Clock:
        """Return the clock with at least a little time for a seat whose clock isn't running yet."""
        left = self.left.get(seat, self.seconds)
        extended = self.extended | {seat} if left < GRACE else self.extended
        return replace(self, left={**self.left, seat: max(GRACE, left)}, extended=extended)
