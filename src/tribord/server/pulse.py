"""The pulse of a server: notices when time has jumped, because the machine slept or its clock was set."""

from __future__ import annotations

import math
import time

BEAT_SECONDS = 1.0  # seconds between two looks, at most
JUMP_SECONDS = 3.0  # between two looks: more than that is a jump


class Pulse:
    """Compares the wall clock and the monotonic clock with what they were a moment ago.

    A process that was stopped finds both ahead. A machine that was suspended finds the wall clock ahead, because the
    monotonic clock stands still meanwhile. A wall clock that was set is ahead or behind.
    """

    def __init__(self) -> None:
        self.wall, self.steady = time.time(), time.monotonic()
        self.jumped = self.steady
        self.before = -math.inf  # the wall clock as it would be if it hadn't jumped

    def last_jump(self) -> float:
        """When time last jumped, or the server started, by the monotonic clock."""
        wall, steady = time.time(), time.monotonic()
        if max(abs(wall - self.wall), steady - self.steady) > JUMP_SECONDS:
            self.jumped, self.before = steady, self.wall + steady - self.steady
        self.wall, self.steady = wall, steady
        return self.jumped

    def skipped(self, at: float) -> bool:
        """Whether time has jumped since something happened, by the wall clock, while this server ran or before."""
        return at <= self.before
