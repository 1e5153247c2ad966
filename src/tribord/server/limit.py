"""Limits: how often somebody may do something. A limit that is reached says which one, and how long to wait."""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass

from tribord.core.refusal import Refusal
from tribord.core.words import _

TOO_OFTEN = _("Too often ({limit}): please wait {seconds} seconds.")
MOST_REMEMBERED = 50_000


@dataclass(frozen=True)
class Limit:
    """So many at once, and so many per second in the long run."""

    name: str
    burst: float
    per_second: float


CREATE = Limit("create", 10, 10 / 60)
JOIN = Limit("join", 30, 30 / 60)
READ = Limit("read", 120, 20)
CONNECT = Limit("connect", 60, 2)
ACT = Limit("act", 40, 20)
CHAT = Limit("chat", 8, 0.5)
RUBBISH = Limit("rubbish", 50, 2)


class TooOften(Refusal):
    """A limit was reached."""

    def __init__(self, limit: Limit, seconds: float):
        super().__init__("too-often", TOO_OFTEN, limit=limit.name, seconds=f"{seconds:.1f}")
        self.limit = limit.name
        self.seconds = round(seconds, 1)


class Limits:
    """Token buckets, one for each limit and whoever it is about; the longest unused are forgotten first."""

    def __init__(self, factor: float = 1.0):
        self.factor = factor  # how much more generous than usual; 0: no limits at all
        self._buckets: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()

    def take(self, limit: Limit, who: str) -> None:
        """Count one; refuses when there is none left."""
        if not self.factor:
            return
        key, now = (limit.name, who), time.monotonic()
        burst, rate = limit.burst * self.factor, limit.per_second * self.factor
        left, since = self._buckets.pop(key, (burst, now))
        left = min(burst, left + (now - since) * rate)
        self._buckets[key] = (left - 1, now) if left >= 1 else (left, now)
        if len(self._buckets) > MOST_REMEMBERED:
            self._buckets.popitem(last=False)
        if left < 1:
            raise TooOften(limit, (1 - left) / rate)
