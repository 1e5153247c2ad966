"""Limits: how often someone may do something. A refusal names the limit, and how long to wait.

Each worker counts for itself.
"""

from __future__ import annotations

import ipaddress
import math
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from tribord.core.refusal import Refusal
from tribord.core.words import _
from tribord.server.secret import is_code

TOO_OFTEN = _("Slow down! Try again in a moment.")
MOST_REMEMBERED = 50_000
CONNECTIONS = 256  # of one address, to the server itself
SOCKETS = 128  # of one address, also behind a proxy
WIDER = 2  # times as many for a /56 network of IPv6: a household that has one could use 256 addresses
FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip", "via")  # what proxies add


@dataclass(frozen=True)
class RateLimit:
    """A burst, and a rate per second in the long run."""

    name: str
    burst: float
    per_second: float


# Per address.
CREATE = RateLimit("create", 10, 10 / 60)
JOIN = RateLimit("join", 30, 30 / 60)
ANALYSE = RateLimit("analyse", 10, 3 / 60)
READ = RateLimit("read", 120, 20)
REPORT = RateLimit("report", 5, 1 / 60)
QR = RateLimit("qr", 30, 1)
CONNECT = RateLimit("connect", 60, 2)
GUESS = RateLimit("guess", 20, 0.2)  # tables that don't exist, invalid secrets
COMMANDS = RateLimit("commands", 300, 80)  # of all its guests together: a household of six taps four times a second
# Per guest of a table.
ACT = RateLimit("act", 40, 20)
CHAT = RateLimit("chat", 8, 0.5)
HINT = RateLimit("hint", 10, 0.2)
SHOWN = RateLimit("shown", 60, 30)  # a guest may have several screens
GESTURE = RateLimit("gesture", 30, 10)
# Per guest, or per address for those who watch.
RUBBISH = RateLimit("rubbish", 50, 2)


class TooOften(Refusal):
    """A limit was reached."""

    def __init__(self, limit: RateLimit, seconds: float):
        super().__init__("too-often", TOO_OFTEN)
        self.limit = limit.name
        self.seconds = max(0.1, round(seconds, 1))


def address(connection: HTTPConnection) -> str:
    """Return the client's address; behind a trusted proxy, the one that the proxy reports."""
    return network(connection.client.host if connection.client else "?")


def network(host: str) -> str:
    """Return what counts as one address: for IPv6 the /64 network, because a household has billions of addresses."""
    try:
        known = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(known, ipaddress.IPv4Address):
        return str(known)
    return str(known.ipv4_mapped or ipaddress.ip_network((int(known), 64), strict=False))


def wider_network(who: str) -> str | None:
    """Return the /56 network around what counts as one address; None for all but IPv6."""
    return str(ipaddress.ip_network(who).supernet(new_prefix=56)) if who.endswith("::/64") else None


def is_local(connection: HTTPConnection) -> bool:
    """Whether this machine itself is asking, for this machine: not someone behind a proxy on it, nor a page.

    A proxy that adds no header passes the site's name on, and so does a page whose name was rebound to this machine.
    """
    if any(name in connection.headers for name in FORWARDED) or connection.client is None:
        return False
    return _is_loopback(connection.client.host) and _is_loopback(_host(connection))


def _host(connection: HTTPConnection) -> str:
    """Return the name or address that was asked for, without the port."""
    try:
        return urlsplit(f"//{connection.headers.get('host', '')}").hostname or ""
    except ValueError:
        return ""


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class ConnectionLimit:
    """How many connections may be open, per address and in total. "" stands for a proxy and isn't limited."""

    def __init__(self, most: int, factor: float = 1.0, together: float = math.inf):
        self.most = max(1.0, most * factor) if factor else math.inf
        self.together = together
        self._all = 0
        self._open: Counter[str] = Counter()

    def enter(self, who: str) -> bool:
        """Count one more, if the limit allows it."""
        if self._all >= self.together or (who and self._open[who] >= self.most):
            return False
        wider = wider_network(who)
        if wider is not None and self._open[wider] >= WIDER * self.most:
            return False
        self._all += 1
        self._open[who] += 1
        if wider is not None:
            self._open[wider] += 1
        return True

    def leave(self, who: str) -> None:
        """Count one less."""
        self._all -= 1
        for counted in (who, wider_network(who)):
            if counted is not None:
                self._open[counted] -= 1
                if not self._open[counted]:
                    del self._open[counted]


class Limits:
    """Token buckets, one for each limit and guest or address; the longest unused are forgotten first."""

    def __init__(self, factor: float = 1.0):
        self.factor = factor  # how much more generous than usual; 0: no limits at all
        self.reached: Callable[[RateLimit, str], None] | None = None  # called for every refusal
        self._buckets: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()

    def take(self, limit: RateLimit, who: str, count: int = 1) -> None:
        """Take one token (none if `count` is 0, to check); refuse if none is left."""
        if not self.factor:
            return
        key, now = (limit.name, who), time.monotonic()
        burst, rate = max(1.0, limit.burst * self.factor), limit.per_second * self.factor
        left, since = self._buckets.pop(key, (burst, now))
        left = min(burst, left + (now - since) * rate)
        self._buckets[key] = (left - count if left >= 1 else left, now)
        if len(self._buckets) > MOST_REMEMBERED:
            self._buckets.popitem(last=False)
        if left < 1:
            if self.reached is not None:
                self.reached(limit, who)
            raise TooOften(limit, (1 - left) / rate)

    def give_back(self, limit: RateLimit, who: str) -> None:
        """Return the token of something that didn't happen."""
        if (known := self._buckets.get((limit.name, who))) is not None:
            left, since = known
            self._buckets[limit.name, who] = min(max(1.0, limit.burst * self.factor), left + 1), since

    @contextmanager
    def guessing(self, who: str, name: str) -> Iterator[None]:
        """Wrap a search for a table or a guest. After many misses the next search must wait, even for what exists.

        A code is short enough to guess. It counts before the lookup, and is given back if it was right, so simultaneous
        guesses are limited like sequential ones.
        """
        ahead, wrong = is_code(name), False
        self.take(GUESS, who, 1 if ahead else 0)
        try:
            yield
        except Refusal as refusal:
            wrong = refusal.code in ("no-such-table", "wrong-secret", "wrong-transfer")
            if ahead and not wrong:
                self.give_back(GUESS, who)
            elif wrong and not ahead:
                self.take(GUESS, who)
            raise
        except Exception:  # the store is away
            if ahead:
                self.give_back(GUESS, who)
            raise
        else:
            if ahead:
                self.give_back(GUESS, who)
