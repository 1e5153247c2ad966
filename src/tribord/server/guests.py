"""Guests: how people come to a table, prove who they are, change their secret and go on at another device.

The secret is a guest's only credential. The server keeps its digest, and shows the secret itself once, to its owner.
A new secret takes the place of the old one when it is first used: if the response with it is lost, nothing has changed.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tribord.core.refusal import BadOption, IllegalAction
from tribord.core.words import _
from tribord.server import log, messages, ruling
from tribord.server.live_table import LiveTable, Socket
from tribord.server.secret import digest, matches, new_secret
from tribord.server.store import Conflict, Unavailable
from tribord.server.table import Table

if TYPE_CHECKING:
    from tribord.server.hub import Hub

WRONG_SECRET = _("This secret opens no seat at this table.")
REMOVED = _("You are no longer at this table: the host has removed you.")
WRONG_TRANSFER = _("This code is invalid or has expired.")
NEEDS_NAME = _("A guest needs a nickname.")

TRANSFER_SECONDS = 600


class Guests:
    """The guests of a hub's tables: they join, transfer their seat to another device, and change their secret."""

    def __init__(self, hub: Hub):
        self.hub = hub

    async def join(self, name: str, join: messages.Join, who: str = "") -> messages.Credentials:
        """A new guest, or with a transfer code the same guest with a new secret."""
        live = await self.hub.find(name, who)
        if isinstance(join.transfer, str):
            code = join.transfer
            return await self._hand_out(live, lambda table: _transferred(table, code))
        if not isinstance(join.nickname, str):
            raise BadOption("needs-name", NEEDS_NAME)
        nickname, secret = ruling.nickname(join.nickname), new_secret()

        def decide(table: Table) -> ruling.NewRow:
            return ruling.decide_join(table, nickname, digest(secret), join.watch)

        table = await self.hub.do(live, decide, afresh=True)
        assert table.last.by is not None
        return credentials(table, table.last.by, secret)

    async def transfer(self, name: str, secret: str, who: str = "") -> dict[str, Any]:
        """A code with which this guest can come in from another device, once, for ten minutes."""
        live = await self.hub.find(name, who)
        await self.use(live, secret)
        code = new_secret()[:12]

        def decide(table: Table) -> ruling.NewRow:
            guest = recognise(table, secret)
            return "transfer", {"by": guest, "digest": digest(code), "seconds": TRANSFER_SECONDS, "to": [guest]}

        await self.hub.do(live, decide, afresh=True)
        return {"transfer": code, "seconds": TRANSFER_SECONDS}

    async def revoke(self, name: str, secret: str, who: str = "") -> messages.Credentials:
        """A new secret for this guest, who may fear that somebody else has the old one."""
        live = await self.hub.find(name, who)
        await self.use(live, secret)
        return await self._hand_out(live, lambda table: recognise(table, secret))

    async def use(self, live: LiveTable, secret: str) -> None:
        """Whoever uses a new secret has got it: the old one opens nothing any more, and what it opened is closed."""

        def whose(table: Table) -> int | None:
            pending = (guest.number for guest in table.guests.values() if matches(secret, guest.pending))
            return next(pending, None)

        if not any(matches(secret, guest.digest) for guest in live.table.guests.values()):
            await self._change("secret", live, whose, digest(secret))

    async def _hand_out(self, live: LiveTable, whose: Callable[[Table], int]) -> messages.Credentials:
        """Another secret for a guest, beside the old one until it is used."""
        secret = new_secret()
        table, guest = await self._change("new-secret", live, whose, digest(secret))
        assert guest is not None
        return credentials(table, guest, secret)

    async def _change(
        self, kind: str, live: LiveTable, whose: Callable[[Table], int | None], new: str
    ) -> tuple[Table, int | None]:
        """Write what becomes of a guest's secret, here and at the rematches that know the same old one."""
        guest: int | None = None
        old = ""

        def decide(table: Table) -> ruling.NewRow | None:
            nonlocal guest, old
            guest = whose(table)
            if guest is None:
                return None
            old = table.guests[guest].digest
            return kind, {"by": guest, "digest": new, "to": [guest]}

        def follow(table: Table) -> ruling.NewRow | None:
            known = guest is not None and guest in table.guests and table.guests[guest].digest == old
            return (kind, {"by": guest, "digest": new, "to": [guest]}) if known else None

        def followed(table: Table) -> bool:
            held = table.guests.get(guest) if guest is not None else None
            return held is not None and new in (held.digest, held.pending)

        here = table = await self.hub.do(live, decide, afresh=True)
        try:
            while followed(table):
                table = await self.hub.do(await self.hub.live(table.next), follow, afresh=True)
        except IllegalAction:  # there is no further rematch
            pass
        except (Conflict, Unavailable) as error:  # here it is written, and that must be answered
            log.failure("secret not changed at the rematch", error)
        return here, guest


def credentials(table: Table, guest: int, secret: str) -> messages.Credentials:
    """What a guest needs to come back."""
    seat = next(iter(table.seats_of(guest)), None)
    return messages.Credentials(table.id, table.settings["code"], guest, secret, seat)


def recognise(table: Table, secret: str) -> int:
    """The guest whose secret this is, or new secret. Every digest is compared, so that the time tells nothing."""
    found = None
    for guest in table.guests.values():
        if matches(secret, guest.digest) or matches(secret, guest.pending):
            found = guest.number
    if found is None:
        raise IllegalAction("wrong-secret", WRONG_SECRET)
    return found


def check(table: Table, socket: Socket) -> None:
    """Whether what opened a connection still does: refuses when the secret was changed, or the guest removed."""
    if socket.guest is None:
        return
    guest = table.guests.get(socket.guest)
    if guest is None:
        raise IllegalAction("removed", REMOVED)
    if guest.digest != socket.digest:
        raise IllegalAction("wrong-secret", WRONG_SECRET)


def _transferred(table: Table, code: str) -> int:
    """The guest who asked for a transfer with this code."""
    for guest, (kept, until) in table.transfers.items():
        if matches(code, kept) and time.time() < until:
            return guest
    raise IllegalAction("wrong-transfer", WRONG_TRANSFER)
