"""A fair queue: a few places for slow work, given to addresses in turn.

However much one address asks for, another only waits for the next free place.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class FairQueue:
    """A number of places, given to waiting addresses in turn, and within an address in order of arrival."""

    def __init__(self, places: int):
        self.free = places
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @asynccontextmanager
    async def turn(self, who: str) -> AsyncIterator[None]:
        """Wait for a place and hold it for the length of the block."""
        if self.free:
            self.free -= 1
        else:
            turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.setdefault(who, deque()).append(turn)
            try:
                await turn
            except asyncio.CancelledError:
                if not turn.cancelled():  # it had just been given
                    self._pass_on()
                raise
        try:
            yield
        finally:
            self._pass_on()

    def _pass_on(self) -> None:
        """Give a place to the next in line: the first of the address whose last turn was longest ago."""
        while self._waiting:
            who, line = self._waiting.popitem(last=False)
            turn = line.popleft()
            if line:
                self._waiting[who] = line
            if not turn.done():
                turn.set_result(None)
                return
        self.free += 1
