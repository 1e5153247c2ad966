"""The audit log: who used which power over others, from where, and what people report to the operator.

It's in the store, not in a file: all workers and machines write one log, backups include it, and the operator's
commands use the same one. It holds addresses, so entries are deleted after `--audit-days`.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from tribord.server import limit, log, messages
from tribord.server.limit import Limits, RateLimit, TooOften
from tribord.server.live_table import LiveTable, Socket
from tribord.server.store import AuditEntry, Unavailable
from tribord.server.table import Table

if TYPE_CHECKING:
    from tribord.server.hub import Hub

POWERS = frozenset({messages.Remove, messages.Mute, messages.Replace, messages.Rename})
GETTING_IN = (limit.JOIN, limit.CONNECT, limit.GUESS)
QUOTED = 64  # lines of someone who is reported, at most: all that the table remembers
# One entry per persistent address is enough for a while, and this many for all together.
AGAIN = RateLimit("again", 1, 1 / 600)
ALTOGETHER = RateLimit("altogether", 60, 0.1)


class Audit:
    """Writes the audit log of a hub."""

    def __init__(self, hub: Hub):
        self.hub = hub
        self._noted = Limits()

    async def note(self, what: str, actor: str, table: str = "", address: str = "", **details: Any) -> None:
        """Write an entry; if that fails, log it."""
        try:
            await self.hub.store.note(AuditEntry(time.time(), what, actor, table, address, details))
        except Unavailable as error:
            log.failure("audit entry not written", error, what=what)

    async def use(self, socket: Socket, before: Table, command: messages.Command) -> None:
        """Note that a guest used a power over another; `before` is the table before that."""
        guest = _concerned(before, command)
        if guest is not None and guest != socket.guest:
            details = {"guest": guest, "nickname": before.guests[guest].nickname, **_more(command)}
            what = str(command.__struct_config__.tag)
            await self.note(what, f"guest {socket.guest}", before.id, socket.address, **details)

    async def report(self, live: LiveTable, socket: Socket, report: messages.Report) -> None:
        """Keep what a guest reports, once for each guest they report; durable when it returns."""
        table, guest = live.table, report.guest
        heard = [past for past in table.recent if past.by == guest and past.concerns(socket.guest)]
        details = {
            "reason": report.reason,
            "guest": guest,
            "nickname": table.guests[guest].nickname,
            "seats": table.seats_of(guest),
            "address": live.addresses.get(guest, ""),
            "said": [past.said.line for past in heard if past.said is not None and past.said.line][-QUOTED:],
        }
        await self.hub.store.note(
            AuditEntry(
                time.time(), "report", f"guest {socket.guest}", table.id, socket.address, details,
                f"report {table.id} {socket.guest} {guest}",
            )
        )  # fmt: skip

    def limited(self, reached: RateLimit, who: str) -> None:
        """Note that an address tries to get in too often; only now and then, so that strangers can't fill the log."""
        if reached not in GETTING_IN:
            return
        try:
            self._noted.take(AGAIN, f"{reached.name} {who}")
            self._noted.take(ALTOGETHER, "")
        except TooOften:
            return
        self.hub.spawn(self.note("limit", "visitor", address=who, limit=reached.name))


def _concerned(table: Table, command: messages.Command) -> int | None:
    """The guest a command concerns."""
    if isinstance(command, messages.Replace):
        return table.seats[command.seat].guest if command.seat < len(table.seats) else None
    guest: int | None = getattr(command, "guest", None)
    return guest if guest in table.guests else None


def _more(command: messages.Command) -> dict[str, Any]:
    if isinstance(command, messages.Replace):
        return {"seat": command.seat, "rank": command.rank}
    if isinstance(command, messages.Mute):
        return {"muted": command.muted}
    return {"named": command.nickname} if isinstance(command, messages.Rename) else {}
