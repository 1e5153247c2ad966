"""The lease: while it runs, this worker is home to its tables, and no other takes them over. One lease covers all
tables of a worker, and it's renewed continuously. A worker that dies, or hangs for longer than its lease, loses its
tables to the next worker asked for them. If two workers both think they're home for a moment, that does no harm: a row
must follow the last one, so one of the two is refused and reads on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tribord.server import metrics
from tribord.server.live_table import GOING
from tribord.server.recurring import recur
from tribord.server.store import Home

if TYPE_CHECKING:
    from tribord.server.hub import Hub

LEASE_SECONDS = 3.0
RENEWAL_SECONDS = 0.75


class Lease:
    """The lease of a hub's worker."""

    def __init__(self, hub: Hub, worker: Home):
        self.hub = hub
        self.worker = worker
        self.lost = False  # it had run out, and some of our tables may have another home

    async def open(self) -> None:
        """Take the lease, before the first table is requested."""
        await self.hub.store.renew(self.worker, LEASE_SECONDS)

    async def run(self) -> None:
        """Keep renewing it."""
        await recur(self._renew, lambda: RENEWAL_SECONDS)

    async def _renew(self) -> None:
        """Renew it. If it had run out, check which of our tables other workers have now."""
        if not await self.hub.store.renew(self.worker, LEASE_SECONDS):
            self.lost = True
        if self.lost:
            await self._let_go()
            self.lost = False

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
