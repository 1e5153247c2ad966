"""Guests: join a table, prove who you are, change your secret, and go on at another device.

The secret is a guest's only credential. The server keeps its digest, and shows the secret itself once, to its owner.
A new secret takes the place of the old one when it is first used: if the response with it is lost, nothing has changed.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from tribord.core.refusal import BadOption, IllegalAction
from tribord.core.words import _
from tribord.server import log, messages, ruling
from tribord.server.live_table import LiveTable, Socket
from tribord.server.secret import digest, matches, new_secret, repeated_secret
from tribord.server.store import Conflict, Unavailable
from tribord.server.table import Table

if TYPE_CHECKING:
    from tribord.server.hub import Hub

WRONG_SECRET = _("Your seat at this table is on another device now, or gone.")
REMOVED = _("The host has removed you from this table.")
WRONG_TRANSFER = _("This code is invalid or has expired.")
NEEDS_NAME = _("Enter a nickname.")

TRANSFER_SECONDS = 600


class Guests:
    """Manage the guests of a hub's tables: joining, transfers to another device, new secrets."""

    def __init__(self, hub: Hub):
        self.hub = hub
        # Digest of a transfer code that was given out here: when it expires, by the monotonic clock. Setting the wall
        # clock neither extends a code nor expires it.
        self.expiry: dict[str, float] = {}

    async def join(self, name: str, join: messages.Join, who: str = "") -> messages.Credentials:
        """Add a guest, once for each id; with a transfer code, give the same guest a new secret."""
        live = await self.hub.find(name, who)
        if isinstance(join.transfer, str):
            code = join.transfer
            return await self._hand_out(live, lambda table: self._transferred(table, code))
        if not isinstance(join.nickname, str):
            raise BadOption("needs-name", NEEDS_NAME)
        nickname = ruling.nickname(join.nickname)
        secret = repeated_secret(self.hub.key, live.table.id, join.id) if join.id else new_secret()

        def decide(table: Table) -> ruling.NewRow | None:
            with suppress(IllegalAction):
                recognise(table, secret)
                return None  # they have come before, and the response was lost on the way
            return ruling.decide_join(table, nickname, digest(secret), join.watch)

        table = await self.hub.do(live, decide, afresh=True)
        guest = recognise(table, secret)
        live.addresses.setdefault(guest, who)  # a report names it, even if they never connect
        return credentials(table, guest, secret)

    async def transfer(self, name: str, secret: str, who: str = "") -> dict[str, Any]:
        """Return a code that transfers this guest to another device, once, within ten minutes."""
        live = await self.hub.find(name, who)
        await self.use(live, secret)
        code = new_secret()[:12]

        def decide(table: Table) -> ruling.NewRow:
            guest = recognise(table, secret)
            return "transfer", {"by": guest, "digest": digest(code), "seconds": TRANSFER_SECONDS, "to": [guest]}

        await self.hub.do(live, decide, afresh=True)
        now = time.monotonic()
        self.expiry = {kept: until for kept, until in self.expiry.items() if until > now}
        self.expiry[digest(code)] = now + TRANSFER_SECONDS
        return {"transfer": code, "seconds": TRANSFER_SECONDS}

    def _transferred(self, table: Table, code: str) -> int:
        """Return the guest who asked for this transfer code."""
        for guest, (kept, until) in table.transfers.items():
            if matches(code, kept) and 0 < self._left(kept, until) <= TRANSFER_SECONDS:
                return guest
        raise IllegalAction("wrong-transfer", WRONG_TRANSFER)

    def _left(self, kept: str, until: float) -> float:
        """Return how many seconds a code stays valid; by the wall clock if another or an earlier worker gave it out."""
        expiry = self.expiry.get(kept)
        return until - time.time() if expiry is None else expiry - time.monotonic()

    async def revoke(self, name: str, secret: str, who: str = "") -> messages.Credentials:
        """Return a new secret for this guest, in case someone else has the old one."""
        live = await self.hub.find(name, who)
        await self.use(live, secret)
        return await self._hand_out(live, lambda table: recognise(table, secret))

    async def use(self, live: LiveTable, secret: str) -> None:
        """The first use of a new secret: the old one stops working, and its sockets are closed."""

        def whose(table: Table) -> int | None:
            pending = (guest.number for guest in table.guests.values() if matches(secret, guest.pending))
            return next(pending, None)

        if not any(matches(secret, guest.digest) for guest in live.table.guests.values()):
            await self._change("secret", live, whose, digest(secret))

    async def _hand_out(self, live: LiveTable, whose: Callable[[Table], int]) -> messages.Credentials:
        """Return another secret for a guest; the old one works until it is used."""
        secret = new_secret()
        table, guest = await self._change("new-secret", live, whose, digest(secret))
        assert guest is not None
        return credentials(table, guest, secret)

    async def _change(
        self, kind: str, live: LiveTable, whose: Callable[[Table], int | None], new: str
    ) -> tuple[Table, int | None]:
        """Change a guest's secret here and at the rematches that know the same old one."""
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
        except IllegalAction:  # no further rematch
            pass
        except (Conflict, Unavailable) as error:  # it's written here, so the caller must get it
            log.failure("secret not changed at the rematch", error)
        return here, guest


def credentials(table: Table, guest: int, secret: str) -> messages.Credentials:
    """Return what a guest needs to come back."""
    seat = next(iter(table.seats_of(guest)), None)
    return messages.Credentials(table.id, table.settings["code"], guest, secret, seat)


def recognise(table: Table, secret: str) -> int:
    """Return the guest with this secret. Every digest is compared, so timing reveals nothing."""
    found = None
    for guest in table.guests.values():
        if matches(secret, guest.digest) or matches(secret, guest.pending):
            found = guest.number
    if found is None:
        raise IllegalAction("wrong-secret", WRONG_SECRET)
    return found


def check(table: Table, socket: Socket) -> None:
    """Refuse a connection whose secret was changed or whose guest was removed."""
    if socket.guest is None:
        return
    guest = table.guests.get(socket.guest)
    if guest is None:
        raise IllegalAction("removed", REMOVED)
    if guest.digest != socket.digest:
        raise IllegalAction("wrong-secret", WRONG_SECRET)
