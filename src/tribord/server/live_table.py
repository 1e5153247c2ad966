"""A live table: a table in memory with its connections."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from dataclasses import dataclass, field
from typing import Protocol

from tribord.server.audience import Audience
from tribord.server.store import Home
from tribord.server.table import REVEAL_SECONDS, Table

DEPTH = 128  # messages that may wait for a slow reader
TOO_SLOW, GOING = 4008, 1001  # close codes
AWAY_SECONDS = 60.0  # without a connection, after which a guest counts as away


class Transport(Protocol):
    """The connection to a client."""

    @property
    def ready(self) -> bool:
        """Whether the client keeps up."""

    def say(self, text: bytes) -> None:
        """Send text."""


class Socket:
    """One open connection as a table sees it: a guest (or no one) and a bounded queue of messages to send."""

    def __init__(self, transport: Transport) -> None:
        self.transport = transport
        self.live: LiveTable | None = None  # the table it is at
        self.guest: int | None = None
        self.address = ""  # where it comes from
        self.digest = ""  # of the guest's secret
        self.home: str | None = None  # where the client reaches this worker; None: at its current address
        self.waiting: deque[bytes] = deque()  # until the client has caught up
        self.ending: asyncio.Future[int] = asyncio.get_running_loop().create_future()  # the close code
        self.slow = False
        self.shown: int | None = None  # a screen has shown everything up to this version; None: it doesn't report
        self.reported = 0.0  # when it last did
        self.sent_at = 0.0  # when it got something to show, after it had shown everything
        self.owed = 0  # messages and events it still has to show, at most
        self.frozen = False  # it makes no progress, and isn't waited for until it has caught up

    def send(self, message: bytes) -> None:
        """Send a message, or queue it. A client that can't keep up is cut off, and catches up when it comes back."""
        if self.transport.ready and not self.waiting:
            self.transport.say(message)
        elif len(self.waiting) < DEPTH:
            self.waiting.append(message)
        else:
            self.slow = True
            self.end(TOO_SLOW)

    def show(self, message: bytes) -> None:
        """Send a message that may be missed: a slow client gets the important ones first."""
        if len(self.waiting) < DEPTH // 2:
            self.send(message)

    def flush(self) -> None:
        """Send queued messages as long as the client keeps up."""
        while self.waiting and self.transport.ready:
            self.transport.say(self.waiting.popleft())

    def end(self, code: int) -> None:
        """Ask to close the connection after the queue is sent."""
        if not self.ending.done():
            self.ending.set_result(code)


@dataclass(eq=False)
class LiveTable:
    """A table in memory. `table` is what is committed; hold the lock to change it."""

    table: Table
    founder: str = ""  # the address that created it, where this process knows
    hash: bytes = b""  # of the last row that the table has followed
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    sockets: set[Socket] = field(default_factory=set)
    elsewhere: Home | None = None  # the home, where that's another worker: this is a copy, read again when needed
    doubtful: bool = False  # a commit failed, and the store may have more rows than we do
    since: float = field(default_factory=time.monotonic)  # since when it's been in memory without a jump in time
    used: float = field(default_factory=time.monotonic)
    attentive: float = field(default_factory=time.monotonic)  # since when we'd have noticed a guest
    seen: dict[int, float] = field(default_factory=dict)  # guest: when they were last here
    addresses: dict[int, str] = field(default_factory=dict)  # guest: where they last came from
    asked: tuple[float, float] = (
        0.0,
        0.0,
    )  # by when devices are to reveal: by the wall clock, and by the monotonic one
    prepared: object = None  # the seats whose bots are prepared
    preparing: bool = False  # bots play lighter here: what they need is still being prepared
    bots: asyncio.Task[None] | None = None
    alarm: asyncio.TimerHandle | None = None
    presence: asyncio.TimerHandle | None = None

    def __post_init__(self) -> None:
        self.audience = Audience(self)

    def touch(self, guest: int | None = None) -> None:
        """Note that the table is in use."""
        self.used = time.monotonic()
        if guest is not None:
            self.seen[guest] = self.used

    def present(self) -> tuple[list[int], int]:
        """The guests who are connected, and how many watch."""
        guests = sorted({socket.guest for socket in self.sockets if socket.guest is not None})
        return guests, sum(1 for socket in self.sockets if socket.guest is None)

    def address(self) -> str:
        """The address that bots think for here: a connected player, or else the creator of the table."""
        playing = self.table.owners()
        return min((socket.address for socket in self.sockets if socket.guest in playing), default=self.founder)

    def resume(self) -> None:
        """After a jump in time, give everyone a moment to come back."""
        self.since = time.monotonic()
        self.begin_noticing()

    def left_to_reveal(self) -> float:
        """Return the seconds that devices still have to reveal what they add to the dice, however the clock is set."""
        until = self.table.reveal_by
        if self.asked[0] != until:
            left = min(max(until - time.time(), 0.0), REVEAL_SECONDS)
            self.asked = until, time.monotonic() + left
        return self.asked[1] - time.monotonic()

    def begin_noticing(self) -> None:
        """We may have missed earlier connections, so nobody counts as away yet."""
        self.attentive = time.monotonic()

    def away(self, guest: int) -> bool:
        """Whether a guest hasn't been connected anywhere for a while."""
        last = max(self.attentive, self.seen.get(guest, 0.0))
        return time.monotonic() - last > AWAY_SECONDS and guest not in self.present()[0]

    def quiet(self) -> bool:
        """Whether the table has no connections and no work in progress."""
        return not self.sockets and self.bots is None and self.presence is None and not self.lock.locked()
