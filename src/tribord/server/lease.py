"""The lease: while it runs, this worker is home to its tables, and no other takes them over. One lease covers all
tables of a worker, and it's renewed continuously. A worker that dies, or hangs for longer than its lease, loses its
tables to the next worker asked for them. If two workers both think they're home for a moment, that does no harm: a row
must follow the last one, so one of the two is refused and reads on.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tribord.server import log, metrics
from tribord.server.live_table import GOING
from tribord.server.store import Home, Unavailable

if TYPE_CHECKING:
    from tribord.server.hub import Hub

LEASE_SECONDS = 3.0
RENEWAL_SECONDS = 0.75


class Lease:
    """The lease of a hub's worker."""

    def __init__(self, hub: Hub, worker: Home):
        self.hub = hub
        self.worker = worker

    async def open(self) -> None:
        """Take the lease, before the first table is requested."""
        await self.hub.store.renew(self.worker, LEASE_SECONDS)

    async def run(self) -> None:
        """Keep renewing it. If it had run out, check which of our tables other workers have now."""
        while True:
            await asyncio.sleep(RENEWAL_SECONDS)
            try:
                if not await self.hub.store.renew(self.worker, LEASE_SECONDS):
                    await self._let_go()
            except Unavailable as error:
                log.failure("store unavailable", error)

    async def _let_go(self) -> None:
        """Drop the tables that others have taken over, and send their guests there."""
        for live in list(self.hub.live_tables.values()):
            if live.elsewhere is None:
                live.elsewhere = await self.hub.store.home(live.table.id)
                if live.elsewhere:
                    metrics.count("homes_lost")
                    self.hub.scheduler.tend(live)
                    for socket in live.sockets:
                        socket.end(GOING)
