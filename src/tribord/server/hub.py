"""The hub: the tables that are live in this process, between the sockets and the store.

If several workers share a store, one of them is a table's home: it folds the table and serves its sockets. The others
relay sockets there (`relay`), and read the table again for each HTTP request.

A command goes through one table at a time: decide, try it on the table, commit, broadcast. Nothing is acknowledged or
sent before it is committed. If another worker was first, its rows are followed and the decision is made again; if a
commit fails, the store is asked what became of it.
"""

from __future__ import annotations

import asyncio
import math
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import Context
from typing import Any

import msgspec

from tribord.core.archive import OtherRules
from tribord.core.refusal import IllegalAction, Refusal
from tribord.core.signature import Signer
from tribord.core.words import _
from tribord.server import gesture, log, messages, metrics, outgoing, ruling
from tribord.server.archive import check_rules, resolution
from tribord.server.audit import POWERS, Audit
from tribord.server.ban import Bans
from tribord.server.fair_queue import FairQueue
from tribord.server.founding import Founding
from tribord.server.guests import Guests, check, recognise
from tribord.server.house_bots import HouseBots
from tribord.server.lease import Lease
from tribord.server.live_table import GOING, LiveTable, Socket
from tribord.server.messages import encode
from tribord.server.preparing import Preparer
from tribord.server.pulse import Pulse
from tribord.server.quarantine import Quarantine
from tribord.server.quota import check_rows, is_full
from tribord.server.scheduler import Scheduler
from tribord.server.secret import digest, is_code, may_be_table
from tribord.server.store import CodeTaken, Conflict, Damaged, Home, IndexEntry, Row, Store, Unavailable, chained
from tribord.server.table import HOST, OPEN, OVER, Table
from tribord.server.timing import measured

NO_SUCH_TABLE = _("This table doesn’t exist. Check its code.")
RESTARTING = _("The server is restarting. Try again in a moment; open tables are safe.")

PRESENCE_SECONDS = 0.1  # joins and leaves within this time share a message
FAREWELL_SECONDS = 3.0
HAND_OVER_SECONDS = 1.0
CODE_SECONDS = 86_400.0  # that a code is valid after the last event at a table whose match is over
LONG_BYTES = 4_096  # of rows: a table that takes more than a few milliseconds to fold mustn't hold up the others
# The loser of a race reads before trying again, so the other may be quicker many times in a row; but limits bound what
# it has to write.
RACE_SECONDS = 10.0
REFUSED = 4001  # close code

Decide = Callable[[Table], ruling.NewRow | None]  # None: there is nothing left to do


class Elsewhere(Exception):
    """The table's home is another worker."""

    def __init__(self, home: Home):
        super().__init__(home.address)
        self.home = home


class Restarting(Refusal):
    """This worker is stopping."""


class Hub:
    """Find, change and broadcast tables."""

    def __init__(
        self,
        store: Store,
        pace: float = 0.7,
        preparer: Preparer | None = None,
        bots: HouseBots | None = None,
        quota: int = 0,
        worker: Home | None = None,
    ):
        self.store = store
        self.quota = quota  # bytes of the store beyond which there are no new tables; 0: no limit
        self.worker = worker  # this one, if others share the store
        self.bots = bots or HouseBots()
        self.live_tables: dict[str, LiveTable] = {}
        self.loading: dict[str, asyncio.Task[LiveTable]] = {}
        self.quarantine = Quarantine()
        self.tasks: set[asyncio.Task[Any]] = set()
        self.connections: set[Socket] = set()  # open, also if their table has dropped them
        self.pulse = Pulse()
        self.scheduler = Scheduler(self, pace, preparer, self.bots)
        self.guests = Guests(self)
        self.founding = Founding(self)
        self.bans = Bans(self)
        self.audit = Audit(self)
        self.key: bytes  # of this server, the same for all its workers and after every start
        self.signer: Signer
        self.reading = FairQueue(1)  # of long tables and match files
        self.lease: asyncio.Task[Any] | None = None
        self.draining = False  # stopping: no new tables here
        self.closing = False  # the same for all other workers

    async def open(self) -> None:
        """Connect to the store, listen to the other workers, and look after tables that no one is connected to."""
        await self.store.open()
        self.key = await self.store.keep_key(secrets.token_bytes(32))
        self.signer = Signer(self.key)
        await self.bans.look()
        await self.store.listen(self._heard)
        if self.worker is not None:
            lease = Lease(self, self.worker)
            await lease.open()
            self.lease = self.spawn(lease.run())
        self.spawn(self.bans.watch())
        self.spawn(self.scheduler.sweep())
        self.spawn(self.scheduler.beat())

    def check_taking(self) -> None:
        """Refuse new tables after this worker was told to stop."""
        if self.draining:
            raise Restarting("restarting", RESTARTING)

    async def farewell(self) -> None:
        """Close every socket after its commands are committed and answered. The tables are freed before that: a guest
        who reconnects finds them at another worker at once.
        """
        self.draining = self.closing = True
        await self._hand_over()
        for socket in self.connections:
            socket.end(GOING)
        patience = time.monotonic() + FAREWELL_SECONDS
        while self.connections and time.monotonic() < patience:
            await asyncio.sleep(0.02)

    async def _hand_over(self) -> None:
        """Hand the tables to other workers. Rows still being written here are numbered too, so nothing is lost."""
        lease, self.lease = self.lease, None
        if lease is not None:
            lease.cancel()
            await asyncio.gather(lease, return_exceptions=True)
            with suppress(Unavailable, TimeoutError):  # then the lease runs out by itself
                async with asyncio.timeout(HAND_OVER_SECONDS):
                    await self.store.release()

    async def close(self) -> None:
        """Close everything after committing what was accepted."""
        await self.farewell()
        for live in self.live_tables.values():
            for timer in (live.alarm, live.presence):
                if timer:
                    timer.cancel()
        for task in list(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        self.scheduler.close()
        await self.store.close()

    def spawn(self, work: Any) -> asyncio.Task[Any]:
        """Run a coroutine in the background; if it fails, log it."""
        task = asyncio.get_running_loop().create_task(work, context=Context())
        self.tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self.tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.failure("task failed", error)

    # -- finding ----------------------------------------------------------------------------------------------------

    async def read_long(self, who: str, work: Callable[..., Any], *args: Any) -> Any:
        """Do slow work on a long match off the event loop: one at a time, for each address in turn."""
        async with self.reading.turn(who):
            return await asyncio.to_thread(work, *args)

    async def find(self, name: str, who: str = "") -> LiveTable:
        """Find the table with this id or short code, for an address."""
        table = await self._coded(name.upper()) if is_code(name) else name
        if table is None or not may_be_table(name):
            raise IllegalAction("no-such-table", NO_SUCH_TABLE)
        self.bans.check_table(table)
        return await self.live(table, who)

    async def _coded(self, code: str) -> str | None:
        """Find the table with a code. A code works for a day after the match is over; the id always works."""
        table = await self.store.find(code)
        entry = await self.store.index_entry(table) if table is not None else None
        expired = entry is not None and entry.status == OVER and entry.touched < time.time() - CODE_SECONDS
        return None if expired else table

    async def live(self, table: str, who: str = "") -> LiveTable:
        """Return a table in memory, and read it from the store if needed."""
        live = self.live_tables.get(table)
        if live is not None and live.elsewhere:
            async with live.lock:
                await self._visit(live)
        elif live is None:
            self.quarantine.check(table)
            if table not in self.loading:
                self.loading[table] = task = asyncio.ensure_future(self._load(table, who))
                task.add_done_callback(lambda done: self._loaded(table, done))
            live = await asyncio.shield(self.loading[table])
        live.touch()
        return live

    async def _load(self, table: str, who: str) -> LiveTable:
        home = await self.store.home(table)
        rows = await self._read(LiveTable(Table(table)))
        if not rows:
            raise IllegalAction("no-such-table", NO_SUCH_TABLE)
        long = sum(len(row.body) for row in rows) > LONG_BYTES
        try:
            folded = await self.read_long(who, _fold, table, rows) if long else _fold(table, rows)
        except Damaged as damaged:
            self.quarantine.add(damaged)
            raise
        await _settled(folded)
        self.quarantine.release(table)
        self.scheduler.hopeless.discard(table)
        self.live_tables[table] = live = LiveTable(folded, hash=rows[-1].hash, elsewhere=home)
        if self.pulse.skipped(folded.last.at):  # while nobody was there: decisions in progress restart here too
            live.since = -math.inf
        if long and self.store.shared:  # another worker may have written meanwhile
            async with live.lock:
                await self.catch_up(live)
        self.scheduler.tend(live)
        return live

    async def _visit(self, live: LiveTable) -> None:
        """Check a table with another worker as its home; if that worker is gone, make this one its home."""
        live.elsewhere = await self.store.home(live.table.id)
        await self.catch_up(live)
        if not live.elsewhere:
            live.begin_noticing()
        self.scheduler.tend(live)

    def _loaded(self, table: str, task: asyncio.Task[LiveTable]) -> None:
        del self.loading[table]
        if not task.cancelled():
            task.exception()  # the caller that waits for it gets it

    async def match_file(self, name: str, who: str = "") -> dict[str, Any]:
        """Return the match file of a finished match, signed if all of it was played here."""
        try:
            table = (await self.find(name, who)).table
        except OtherRules as refused:
            archive = refused.archive
            return await self.read_long(who, self.signer.sign, archive.content) if archive.hosted else archive.content
        if table.imported is not None:
            return table.imported
        if "file" not in table.cache:
            table.cache["file"] = await self.read_long(who, self._sign, table)
        return table.cache["file"]

    def _sign(self, table: Table) -> dict[str, Any]:
        file = outgoing.match_file(table)
        return self.signer.sign(file) if table.hosted else file

    # -- commands ---------------------------------------------------------------------------------------------------

    async def command(self, socket: Socket, command: messages.Command) -> messages.Ack | None:
        """Carry out a guest's command once, even if it's sent several times.

        After the commit the update goes out with the command's id; when it had happened before, the answer says so.
        """
        live, guest = socket.live, socket.guest
        before: int | None = None
        assert live is not None and guest is not None
        live.touch(guest)
        if isinstance(command, messages.Rematch):
            async with live.lock:  # so that no secret changes between this table and that one
                await self.founding.prepare_rematch(live, socket, command)
        elif isinstance(command, messages.Report):
            await self._keep_report(live, socket, command)
        earlier = live.table

        def decide(table: Table) -> ruling.NewRow | None:
            nonlocal before
            check(table, socket)
            before = table.guests[guest].done(command.id)
            if before is not None:
                return None
            return ruling.decide(table, guest, command, live.away, self.bots.names, lambda: live.present()[0])

        await self.do(live, decide)
        if before is not None:
            return messages.Ack(command.id, before)
        if type(command) in POWERS:
            await self.audit.use(socket, earlier, command)
        return None

    async def _keep_report(self, live: LiveTable, socket: Socket, report: messages.Report) -> None:
        """Store a report for the operator before its sender gets the answer."""
        table, guest = live.table, socket.guest
        assert guest is not None
        check(table, socket)
        if table.guests[guest].done(report.id) is None:
            ruling.decide(table, guest, report)
            await self.audit.report(live, socket, report)

    async def do(self, live: LiveTable, decide: Decide, afresh: bool = False) -> Table:
        """Decide, try, commit, broadcast; return the table afterwards. With `afresh`, read new rows first."""
        patience = time.monotonic() + RACE_SECONDS
        while time.monotonic() < patience:
            async with live.lock:
                if (afresh and self.store.shared) or live.doubtful:
                    await self.catch_up(live)
                try:
                    await self._resume(live)
                    row = decide(live.table)
                    if row is not None:
                        await self.commit(live, *row)
                except Conflict:
                    metrics.count("races_lost")
                    if not await self.catch_up(live):
                        await self._check_there(live)
                    continue
                if row is not None:
                    with measured("broadcast_seconds"):
                        self._broadcast(live)
                    self.scheduler.tend(live)
                return live.table
        raise Conflict(live.table.id, live.table.seq + 1)

    async def _resume(self, live: LiveTable) -> None:
        """If time has jumped, restart the running clocks before anything else happens."""
        if live.since >= self.pulse.last_jump():
            return
        if not is_full(live.table) and (row := ruling.decide_resume(live.table)):
            await self.commit(live, *row)
            self._broadcast(live)
        live.resume()
        self.scheduler.tend(live)

    async def commit(self, live: LiveTable, kind: str, body: dict[str, Any]) -> None:
        """Try a row on the table and commit it; then the table after it is the table."""
        check_rows(live.table, kind)
        table, now = live.table, time.time()
        row = Row(table.id, table.seq + 1, kind, encode(body), now)
        if len(row.body) > LONG_BYTES and kind in ("import", "branch"):
            after = await self.read_long(live.founder, _follow, table, row)
        else:
            after = _follow(table, row)
        if resolved := resolution(after):
            row = Row(table.id, row.seq, kind, encode({**body, **resolved}), now)
        row = chained(row, live.hash)
        try:
            with measured("commit_seconds"):
                await self.store.append(row, _index_entry(after, now))
        except (Conflict, CodeTaken):
            raise
        except BaseException:
            live.doubtful = True
            raise
        await _settled(after)
        live.table, live.hash = after, row.hash
        metrics.count("rows")

    async def catch_up(self, live: LiveTable) -> bool:
        """Follow and broadcast rows that are in the store but not yet in memory; return whether there were any."""
        rows = await self._read(live)
        await self._follow(live, rows)
        live.doubtful = False
        return bool(rows)

    async def _follow(self, live: LiveTable, rows: list[Row]) -> None:
        """Follow rows that are committed, and broadcast them."""
        for row in rows:
            live.table, live.hash = _follow(live.table, row), row.hash
            if live.sockets:
                await _settled(live.table)
                self._broadcast(live)
            else:
                live.touch(live.table.last.by)
        if not live.sockets:
            await _settled(live.table)

    async def _check_there(self, live: LiveTable) -> None:
        """Drop a table that was deleted for its age, and disconnect its guests."""
        if await self.store.index_entry(live.table.id) is None:
            refusal = IllegalAction("no-such-table", NO_SUCH_TABLE)
            self._drop(live, refusal)
            raise refusal

    async def _read(self, live: LiveTable) -> list[Row]:
        """Read a table's rows that aren't in memory yet. A damaged table is quarantined; the others go on."""
        try:
            return await self.store.read(live.table.id, live.table.seq, live.hash)
        except Damaged as damaged:
            self.quarantine.add(damaged)
            self._drop(live, damaged)
            raise

    def _drop(self, live: LiveTable, refusal: Refusal) -> None:
        """Drop a table and disconnect its guests."""
        self.live_tables.pop(live.table.id, None)
        if live.alarm:
            live.alarm.cancel()
        for socket in live.sockets:
            socket.send(outgoing.refused(refusal))
            socket.end(REFUSED)

    # -- connections ------------------------------------------------------------------------------------------------

    async def attach(self, socket: Socket, name: str, secret: str | None, seen: int | None) -> None:
        """Connect a client, which leaves its previous table: it gets what it missed, then every update."""
        live = await self.find(name, socket.address)
        if secret is not None and not live.elsewhere:
            await self.guests.use(live, secret)
        async with live.lock:  # so that nothing is lost between catching up and listening
            if live.elsewhere:
                raise Elsewhere(live.elsewhere)
            if self.store.shared or live.doubtful:
                await self.catch_up(live)  # another worker may have taken the guest in a moment ago
            table = live.table
            guest = recognise(table, secret) if secret is not None else None
            self.bans.check(socket.address, table.id)  # a ban that came since the first look found no socket to close
            self.detach(socket)
            socket.live, socket.guest = live, guest
            socket.digest = digest(secret) if secret is not None else ""
            socket.send(outgoing.welcome(table, guest, socket.home))
            for message in outgoing.catch_up(table, guest, seen):
                socket.send(message)
            live.sockets.add(socket)
            if guest is not None:
                live.addresses[guest] = socket.address
            if self.closing:
                socket.end(GOING)
            self.scheduler.tend(live)
        self._came_or_went(live, guest)

    def detach(self, socket: Socket) -> None:
        """A socket has left its table."""
        if socket.live is not None:
            socket.live.sockets.discard(socket)
            socket.live.audience.changed()
            socket.shown = None
            self._came_or_went(socket.live, socket.guest)

    def _broadcast(self, live: LiveTable) -> None:
        """Send the last update to the guests it concerns."""
        table, last = live.table, live.table.last
        live.touch(last.by)
        rendered: dict[int | None, bytes] = {}
        for socket in live.sockets:
            if last.concerns(socket.guest):
                if socket.guest not in rendered:
                    rendered[socket.guest] = outgoing.update(table, socket.guest)
                socket.send(rendered[socket.guest])
                live.audience.sent(socket)
            if last.kind in ("secret", "remove"):
                try:
                    check(table, socket)
                except IllegalAction as refusal:
                    socket.send(outgoing.refused(refusal))
                    socket.end(REFUSED)

    def gesture(self, socket: Socket, made: messages.Gestures) -> None:
        """Show everyone else at the table what a guest considers or points at. Nothing is kept."""
        live, guest = socket.live, socket.guest
        assert live is not None and guest is not None
        check(live.table, socket)
        message = encode(gesture.describe(live.table, guest, made))
        for other in live.sockets:
            if other is not socket:
                other.show(message)

    def _came_or_went(self, live: LiveTable, guest: int | None) -> None:
        live.touch(guest)
        self.presence_changed(live)

    def home_of(self, table: str, host: str) -> str | None:
        """Return where a client finds a table's home; None: at the address it already uses."""
        live = self.live_tables.get(table)
        home = (live.elsewhere if live else None) or self.worker
        return home.reached_from(host) if home else None

    def presence_changed(self, live: LiveTable) -> None:
        """Broadcast soon who is here."""
        if live.presence is None and not self.closing:
            live.presence = asyncio.get_running_loop().call_later(PRESENCE_SECONDS, self._broadcast_presence, live)

    def bots_changed(self) -> None:
        """The bots are ready: tell the tables that were waiting for them."""
        for live in self.live_tables.values():
            self.scheduler.look_prepared(live)

    def _broadcast_presence(self, live: LiveTable) -> None:
        live.presence = None
        if not live.sockets:
            return
        message = encode(messages.Presence(*live.present(), live.preparing))
        for socket in live.sockets:
            socket.send(message)

    def _heard(self, table: str, seq: int, row: Row | None) -> None:
        """Another worker has appended a row."""
        live = self.live_tables.get(table)
        if live is not None and seq > live.table.seq:
            self.spawn(self.refresh(live, seq, row))

    async def refresh(self, live: LiveTable, seq: int | None = None, row: Row | None = None) -> None:
        """Check whether the store has more rows than we do (up to an announced row), and continue from there."""
        async with live.lock:
            follows = row is not None and row.seq == live.table.seq + 1 and row == chained(row, live.hash)
            if row is not None and follows and not live.doubtful:
                await self._follow(live, [row])
            elif seq is None or seq > live.table.seq:
                await self.catch_up(live)
            self.scheduler.tend(live)


def _follow(table: Table, row: Row) -> Table:
    """Return the table after a row."""
    return table.follow(row.seq, row.kind, msgspec.json.decode(row.body), row.at)


def _fold(name: str, rows: list[Row]) -> Table:
    """Fold a table from all its rows, if its rules are installed here.

    A row of release 0.1.0 that no hash covers is damaged if it can't be followed.
    """
    with _readable(rows[0], Refusal):
        check_rules(rows)
    table = Table(name)
    for row in rows:
        with _readable(row):
            table = _follow(table, row)
    return table


@contextmanager
def _readable(row: Row, *but: type[Exception]) -> Iterator[None]:
    """Take what goes wrong with a row for damage, unless a hash says that it's as it was written."""
    try:
        yield
    except but:
        raise
    except Exception as error:
        if row.covered:
            raise
        raise Damaged(row.table, row.seq) from error


async def _settled(table: Table) -> None:
    """When a match is over, work out what became of its offers, off the event loop because it's slow."""
    if table.status == OVER and table.offers and "offers" not in table.cache:
        await asyncio.to_thread(table.kept_offers)


def _index_entry(table: Table, now: float) -> IndexEntry:
    """Return the table's line in the index."""
    public = bool(table.settings["public"])
    summary = b"{}"
    if public and table.status == OPEN:
        summary = encode(
            {
                "id": table.id,
                "code": table.settings["code"],
                "game": table.game.id,
                "players": table.settings["players"],
                "host": table.guests[HOST].nickname,
                "free": sum(1 for seat in table.seats if seat.open),
            }
        )
    elif table.settings["branch"]:
        summary = encode(outgoing.branch_summary(table))
    due = None if is_full(table) else table.due(now)
    return IndexEntry(table.id, table.settings["code"], table.game.id, public, table.status, due, now, summary)
