"""The audience: the screens that show a table, and how far each has got. Bots wait for it; people never do.

A screen is a socket that reports its progress. Bots wait while it makes progress, and only a few seconds without: a
frozen phone can't hold up the table, and isn't waited for again until it has caught up.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tribord.server.live_table import LiveTable, Socket

PATIENCE_SECONDS = 4.0  # without progress
EVENT_SECONDS = 8.0  # for each event to be shown, however slowly: a screen can't report progress forever


class Audience:
    """The screens that show one table."""

    def __init__(self, live: LiveTable):
        self.live = live
        self._waiting: set[asyncio.Future[None]] = set()

    def sent(self, socket: Socket) -> None:
        """Note that a screen was sent something to show."""
        if not socket.owed:
            socket.sent_at = time.monotonic()
        socket.owed += 1 + len(self.live.table.last.events)

    def report(self, socket: Socket, version: int) -> None:
        """A screen has shown everything up to a version, or is busy showing what comes after."""
        socket.shown = version
        socket.reported = time.monotonic()
        if version >= self.live.table.version(socket.guest):
            socket.owed, socket.frozen = 0, False
            self.changed()

    def changed(self) -> None:
        """Someone has seen more or has left: check again."""
        for waiting in self._waiting:
            if not waiting.done():
                waiting.set_result(None)

    def behind(self) -> list[Socket]:
        """The screens that still show what has happened, and aren't frozen."""
        table = self.live.table
        return [
            socket
            for socket in self.live.sockets
            if socket.shown is not None and not socket.frozen and socket.shown < table.version(socket.guest)
        ]

    async def seen(self) -> None:
        """Wait until every screen has shown what has happened."""
        while behind := self.behind():
            now = time.monotonic()
            for socket in behind:
                socket.frozen = now > _patience(socket)
            if not any(socket.frozen for socket in behind):
                await self._wait(min(map(_patience, behind)) - now)

    async def _wait(self, seconds: float) -> None:
        """Wait until something changes, or until the timeout."""
        waiting = asyncio.get_running_loop().create_future()
        self._waiting.add(waiting)
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(max(0.01, seconds)):
                    await waiting
        finally:
            self._waiting.discard(waiting)


def _patience(socket: Socket) -> float:
    """Return until when to wait for a screen."""
    lately = max(socket.reported, socket.sent_at) + PATIENCE_SECONDS
    return min(lately, socket.sent_at + PATIENCE_SECONDS + EVENT_SECONDS * socket.owed)
