"""Bans: addresses and tables that the operator has closed, as every worker enforces them.

The operator bans on the command line, in another process. So each worker reads the bans from the store every two
seconds, and closes open sockets too.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from tribord.core.refusal import Refusal
from tribord.core.words import _
from tribord.server import log, outgoing
from tribord.server.recurring import recur
from tribord.server.store import Ban

if TYPE_CHECKING:
    from tribord.server.hub import Hub

LOOK_SECONDS = 2.0
REFUSED = 4001  # close code
ADDRESS_BANNED = _(
    "This server is closed to your network for now. If you think that’s a mistake, tell the person who runs it."
)
TABLE_CLOSED = _("The person who runs this server has closed this table. You can open another one.")


class Banned(Refusal):
    """The operator has closed the server to an address, or a table to everyone."""


class Bans:
    """A hub's copy of the bans in the store, refreshed every two seconds."""

    def __init__(self, hub: Hub):
        self.hub = hub
        self.known: dict[str, Ban] = {}

    def holds(self, target: str) -> bool:
        """Whether an address or a table is banned."""
        ban = self.known.get(target)
        return ban is not None and ban.holds(time.time())

    def check_address(self, address: str) -> None:
        """Refuse an address that is banned."""
        if self.holds(address):
            raise Banned("banned", ADDRESS_BANNED)

    def check_table(self, table: str) -> None:
        """Refuse a table that is closed."""
        if self.holds(table):
            raise Banned("closed", TABLE_CLOSED)

    def check(self, address: str, table: str) -> None:
        """Refuse an address or a table that is closed."""
        self.check_address(address)
        self.check_table(table)

    async def look(self) -> None:
        """Read the bans, and cut off everyone a new one concerns."""
        before, self.known = self.known, {ban.target: ban for ban in await self.hub.store.bans()}
        if new := self.known.keys() - before.keys():
            log.info("banned", targets=len(new))
            self._enforce()

    def _enforce(self) -> None:
        for socket in self.hub.connections:
            if socket.live is None:  # relayed to another worker, which closes it
                continue
            try:
                self.check(socket.address, socket.live.table.id)
            except Banned as refusal:
                socket.send(outgoing.refused(refusal))
                socket.end(REFUSED)

    async def watch(self) -> None:
        """Read the bans every two seconds."""
        await recur(self.look, lambda: LOOK_SECONDS)
