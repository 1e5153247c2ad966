"""The lease: while it runs, this worker is home to its tables, and no other takes them over. One lease covers all
tables of a worker, and it's renewed continuously. A worker that dies, or hangs for longer than its lease, loses its
tables to the next worker asked for them. If two workers both think they're home for a moment, that does no harm: a row
must follow the last one, so one of the two is refused and reads on.
"""

from __future__ import annotations

import asyncio
import math
import time
from typing import TYPE_CHECKING

from tribord.server import metrics
from tribord.server.live_table import GOING
from tribord.server.recurring import recur
from tribord.server.store import Home

if TYPE_CHECKING:
    from tribord.server.hub import Hub

LEASE_SECONDS = 3.0
RENEWAL_SECONDS = 0.75
# By then after a renewal, a takeover that began before it is through: it waits for a lock for a second at most.
SETTLED_SECONDS = 3.0


class Lease:
    """The lease of a hub's worker."""

    def __init__(self, hub: Hub, worker: Home):
        self.hub = hub
        self.worker = worker
        self.lapsed = -math.inf  # when we last noticed that it had run out
        self.checked = 0.0  # when we last began to look which of our tables have another home

    async def open(self) -> None:
        """Take the lease, before the first table is requested."""
        await self.hub.store.renew(self.worker, LEASE_SECONDS)

    async def run(self) -> None:
        """Keep renewing it. Beside that, so that it doesn't run out again meanwhile, let go of what others have."""
        await asyncio.gather(recur(self._renew, lambda: RENEWAL_SECONDS), recur(self._check, lambda: RENEWAL_SECONDS))

    async def _renew(self) -> None:
        if not await self.hub.store.renew(self.worker, LEASE_SECONDS):
            self.lapsed = time.monotonic()

    async def _check(self) -> None:
        """After it had run out, look which of our tables other workers have, until no takeover is under way."""
        if self.checked < self.lapsed + SETTLED_SECONDS:
            began = time.monotonic()
            await self._let_go()
            self.checked = began

    async def _let_go(self) -> None:
        """Drop the tables that others have taken over, and send their guests there."""
        ours = {live.table.id: live for live in self.hub.live_tables.values() if live.elsewhere is None}
        for table, home in (await self.hub.store.taken(list(ours))).items():
            live = ours[table]
            live.elsewhere = home
            metrics.count("homes_lost")
            self.hub.scheduler.tend(live)
            for socket in live.sockets:
                socket.end(GOING)
