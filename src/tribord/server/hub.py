"""The hub: the tables that are live in this process, between the sockets and the store.

Where several workers share a store, one of them is a table's home: it folds the table and serves its sockets. The
others carry sockets there (`relay`), and read the table afresh for what is asked over HTTP.

A command goes through one table at a time: decide, try it on the table, commit, broadcast. Nothing is acknowledged or
sent before it is committed. When another worker was first, its rows are followed and the decision is taken again; when
a commit fails, the store is asked what became of it.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from functools import reduce
from itertools import zip_longest
from pathlib import Path
from typing import Any

import msgspec

from tribord.core.archive import Archive, OtherRules
from tribord.core.chance import Dice
from tribord.core.game import load
from tribord.core.journal import audit_content, to_dict
from tribord.core.refusal import BadOption, IllegalAction, Refusal
from tribord.core.signature import Signer, carried
from tribord.core.words import _
from tribord.server import gesture, log, messages, metrics, outgoing, ruling
from tribord.server.archive import check_rules, resolution
from tribord.server.fair_queue import FairQueue
from tribord.server.guests import Guests, check, credentials, recognise
from tribord.server.house_bots import HouseBots
from tribord.server.lease import Lease
from tribord.server.live_table import GOING, LiveTable, Socket
from tribord.server.messages import encode
from tribord.server.name import LONGEST, distinct
from tribord.server.phrase import legible
from tribord.server.preparing import Preparer
from tribord.server.pulse import Pulse
from tribord.server.quota import check_rows, check_store, is_full
from tribord.server.ruling import NOT_OVER
from tribord.server.scheduler import Scheduler
from tribord.server.secret import digest, is_code, may_be_table, new_code, new_secret, new_table
from tribord.server.store import CodeTaken, Conflict, Damaged, Home, IndexEntry, Row, Store, Unavailable, chained
from tribord.server.table import HOST, OPEN, OVER, Table

NO_SUCH_TABLE = _("There is no such table.")
WRONG_SEATS = _("A table for {players} needs {players} seats, not {seats}.")
BAD_SEAT = _("A seat is “me”, “open” or the rank of a bot, not “{seat}”.")

PRESENCE_SECONDS = 0.1  # comings and goings within share a message
FAREWELL_SECONDS = 3.0
TRIES = 16
CODE_SECONDS = 86_400.0  # that a code is good for after the last thing that happened at a table whose match is over
LONG_BYTES = 4_096  # of rows: what takes more than a few milliseconds to fold doesn't hold up the others
# Whoever loses a race reads before trying again, so the other may be quicker many times in a row; but limits bound what
# it has to write.
RACE_SECONDS = 10.0
REFUSED = 4001  # close code

Decide = Callable[[Table], ruling.NewRow | None]  # None: there is nothing left to do


class Elsewhere(Exception):
    """Another worker is home to the table."""

    def __init__(self, home: Home):
        super().__init__(home.address)
        self.home = home


class Hub:
    """All tables: created, found, changed, broadcast."""

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
        self.quota = quota  # bytes of the store from which on there are no new tables; 0: as many as like
        self.worker = worker  # this one, where others share the store
        self.bots = bots or HouseBots()
        self.live_tables: dict[str, LiveTable] = {}
        self.loading: dict[str, asyncio.Task[LiveTable]] = {}
        self.quarantined: dict[str, Damaged] = {}  # tables whose rows are damaged
        self.tasks: set[asyncio.Task[Any]] = set()
        self.connections: set[Socket] = set()  # open, also where their table has let them go
        self.pulse = Pulse()
        self.scheduler = Scheduler(self, pace, preparer, self.bots)
        self.guests = Guests(self)
        self.signer: Signer
        self.reading = FairQueue(1)  # of long tables and match files
        self.closing = False

    async def open(self) -> None:
        """Connect to the store, listen to the other workers, and look after tables that nobody is connected to."""
        await self.store.open()
        self.signer = Signer(await self.store.keep_key(secrets.token_bytes(32)))
        await self.store.listen(self._heard)
        if self.worker is not None:
            lease = Lease(self, self.worker)
            await lease.open()
            self.spawn(lease.run())
        self.spawn(self.scheduler.sweep())
        self.spawn(self.scheduler.beat())

    async def farewell(self) -> None:
        """Say good-bye to every socket, after what it asked for is committed and answered."""
        self.closing = True
        for socket in self.connections:
            socket.end(GOING)
        patience = time.monotonic() + FAREWELL_SECONDS
        while self.connections and time.monotonic() < patience:
            await asyncio.sleep(0.02)

    async def close(self) -> None:
        """Let go of everything; what was accepted is committed."""
        await self.farewell()
        for live in self.live_tables.values():
            for timer in (live.alarm, live.presence):
                if timer:
                    timer.cancel()
        for task in list(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        self.scheduler.close()
        with suppress(Unavailable):
            await self.store.release()
        await self.store.close()

    def spawn(self, work: Any) -> asyncio.Task[Any]:
        """Let something go on by itself; if it fails, the log says so."""
        task = asyncio.ensure_future(work)
        self.tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self.tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.failure("task failed", error)

    # -- creating and finding ---------------------------------------------------------------------------------------

    async def create(self, new: messages.NewTable, who: str = "") -> messages.Credentials:
        """A new table, created from an address; whoever creates it is its host."""
        game = load(new.game)
        settings = game.settings(new.players, new.options)
        seats = new.seats or ["me"] + ["open"] * (new.players - 1)
        if len(seats) != new.players:
            raise BadOption("wrong-seats", WRONG_SEATS, players=new.players, seats=len(seats))
        if new.clock is not None and new.clock.rank not in self.bots.names:
            raise BadOption("no-such-rank", ruling.NO_RANK, rank=new.clock.rank)
        secret, nickname = new_secret(), ruling.nickname(new.nickname)
        host = {"number": HOST, "nickname": nickname, "digest": digest(secret)}
        body = {
            "game": game.id,
            "game_version": game.version,
            "players": new.players,
            "options": game.options_of(settings),
            "public": new.public,
            "clock": msgspec.to_builtins(new.clock) if new.clock else None,
            "guests": [host],
            "seats": _seats(seats, new.names, nickname, self.bots.names),
            **_fresh(),
        }
        live = await self._found(new_table(), "create", body, who)
        return credentials(live.table, HOST, secret)

    async def take_in(self, content: dict[str, Any], who: str = "") -> dict[str, str]:
        """A match file becomes a table that is over; one that does not verify is refused."""
        try:
            match, problems = await self.read_long(who, audit_content, content, Path("match file"))
        except OtherRules as refused:
            return await self._keep_archive(refused.archive)
        if problems:
            raise problems[0]
        if not match.over:
            raise IllegalAction("not-over", NOT_OVER)
        match.names = [legible(name, LONGEST) for name in match.names[: match.players]]
        file = await self.read_long(who, lambda: carried(content, to_dict(match)))
        live = await self._found(new_table(), "import", {"file": file}, who)
        return {"table": live.table.id, "code": live.table.settings["code"]}

    async def _keep_archive(self, archive: Archive) -> dict[str, str]:
        """A match of other rules becomes a table that can be read; it can't be tried on these rules, so nothing is."""
        content = archive.content
        if any(name != legible(name, LONGEST) for name in content["names"]):
            content = carried(content, content | {"names": [legible(name, LONGEST) for name in archive.names]})
        if content["outcome"] is None:
            raise IllegalAction("not-over", NOT_OVER)
        await check_store(self.store, self.quota)
        table, now = new_table(), time.time()
        for _attempt in range(TRIES):
            code = new_code()
            row = chained(Row(table, 0, "import", encode({"file": content, "code": code}), now), b"")
            with suppress(CodeTaken):
                await self.store.append(row, IndexEntry(table, code, content["game"], False, OVER, None, now, b"{}"))
                return {"table": table, "code": code}
        raise Unavailable("there is no free code")

    async def read_long(self, who: str, work: Callable[..., Any], *args: Any) -> Any:
        """Do what takes long with a long match off the event loop: one at a time, for each address in turn."""
        async with self.reading.turn(who):
            return await asyncio.to_thread(work, *args)

    async def _found(self, name: str, kind: str, body: dict[str, Any], who: str) -> LiveTable:
        """Write the first row of a table, with a code that no other table has."""
        await check_store(self.store, self.quota)
        for _attempt in range(TRIES):
            live = LiveTable(Table(name), who)
            try:
                await self._commit(live, kind, {**body, "code": new_code()})
            except CodeTaken:
                continue
            self.live_tables[name] = live
            metrics.count("tables_created")
            return live
        raise Unavailable("there is no free code")

    async def find(self, name: str, who: str = "") -> LiveTable:
        """The table with this id or short code, for somebody at an address."""
        table = await self._coded(name.upper()) if is_code(name) else name
        if table is None or not may_be_table(name):
            raise IllegalAction("no-such-table", NO_SUCH_TABLE)
        return await self.live(table, who)

    async def _coded(self, code: str) -> str | None:
        """The table with a code. Once a match is over, its code is good for a day more; the id stays."""
        table = await self.store.find(code)
        entry = await self.store.index_entry(table) if table is not None else None
        expired = entry is not None and entry.status == OVER and entry.touched < time.time() - CODE_SECONDS
        return None if expired else table

    async def live(self, table: str, who: str = "") -> LiveTable:
        """A table in memory, read from the store if it is not there yet."""
        live = self.live_tables.get(table)
        if live is not None and live.elsewhere:
            async with live.lock:
                await self._visit(live)
        elif live is None:
            self._check_whole(table)
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
        folded = await self.read_long(who, _fold, table, rows) if long else _fold(table, rows)
        await _settled(folded)
        self.live_tables[table] = live = LiveTable(folded, hash=rows[-1].hash, elsewhere=home)
        if long and self.store.shared:  # another worker may have written meanwhile
            async with live.lock:
                await self._catch_up(live)
        self.scheduler.tend(live)
        return live

    async def _visit(self, live: LiveTable) -> None:
        """Look again at a table whose home is another worker; where that is no more, it's here from now on."""
        live.elsewhere = await self.store.home(live.table.id)
        await self._catch_up(live)
        if not live.elsewhere:
            live.begin_noticing()
        self.scheduler.tend(live)

    def _loaded(self, table: str, task: asyncio.Task[LiveTable]) -> None:
        del self.loading[table]
        if not task.cancelled():
            task.exception()  # whoever waits for it gets it

    async def match_file(self, name: str, who: str = "") -> dict[str, Any]:
        """The match file of a match that is over, signed where it was played here."""
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
        return self.signer.sign(outgoing.match_file(table))

    # -- commands ---------------------------------------------------------------------------------------------------

    async def command(self, socket: Socket, command: messages.Command) -> messages.Ack | None:
        """Carry out a guest's command, once, however often it is sent.

        After the commit the update goes out with the command's id; when it had happened before, the answer says so.
        """
        live, guest = socket.live, socket.guest
        before: int | None = None
        assert live is not None and guest is not None
        live.touch(guest)
        if isinstance(command, messages.Rematch):
            async with live.lock:  # so that nobody's secret changes between this table and that one
                await self._found_rematch(live, socket, command)

        def decide(table: Table) -> ruling.NewRow | None:
            nonlocal before
            check(table, socket)
            before = table.guests[guest].done(command.id)
            return ruling.decide(table, guest, command, live.away, self.bots.names) if before is None else None

        await self.do(live, decide)
        return None if before is None else messages.Ack(command.id, before)

    async def _found_rematch(self, live: LiveTable, socket: Socket, command: messages.Rematch) -> None:
        """Before a table points to its rematch, that one is there. Its id was drawn long ago: there can be only one."""
        if self.store.shared or live.doubtful:
            await self._catch_up(live)
        table, guest = live.table, socket.guest
        assert guest is not None
        check(table, socket)
        if table.guests[guest].done(command.id) is not None:
            return
        ruling.decide(table, guest, command, live.away)
        rotated = [table.seats[seat - 1] for seat in range(len(table.seats))]
        body = {
            **{name: table.settings[name] for name in ("game", "game_version", "players", "options", "public")},
            "clock": table.clock.to_dict() if table.clock else None,
            "guests": [
                {
                    "number": g.number,
                    "nickname": g.nickname,
                    "digest": g.digest,
                    "pending": g.pending,
                    "contribution": g.contribution,
                }
                for g in table.guests.values()
            ],
            # Who had a bot play for them is asked again.
            "seats": [
                {
                    "guest": seat.guest,
                    "rank": seat.rank if seat.guest is None else None,
                    "ready": True,
                    "name": seat.name,
                }
                for seat in rotated
            ],
            **_fresh(table.rematch_seed),
        }
        with suppress(Conflict):  # it was founded before, by another worker or before a crash
            await self._found(table.next, "create", body, socket.address)
        if command.start and {seat.guest for seat in rotated} <= {None, *live.present()[0]}:
            await self.do(await self.live(table.next), _start_untouched, afresh=True)

    async def do(self, live: LiveTable, decide: Decide, afresh: bool = False) -> Table:
        """Decide, try, commit, broadcast; returns the table afterwards. `afresh` asks the store first for news."""
        patience = time.monotonic() + RACE_SECONDS
        while time.monotonic() < patience:
            async with live.lock:
                if (afresh and self.store.shared) or live.doubtful:
                    await self._catch_up(live)
                try:
                    await self._resume(live)
                    row = decide(live.table)
                    if row is not None:
                        await self._commit(live, *row)
                except Conflict:
                    metrics.count("races_lost")
                    if not await self._catch_up(live):
                        await self._check_there(live)
                    continue
                if row is not None:
                    self._broadcast(live)
                    self.scheduler.tend(live)
                return live.table
        raise Conflict(live.table.id, live.table.seq + 1)

    async def _resume(self, live: LiveTable) -> None:
        """If time has jumped, those who must decide begin again, before anything else happens at the table."""
        if live.since >= self.pulse.last_jump():
            return
        if not is_full(live.table) and (row := ruling.decide_resume(live.table)):
            await self._commit(live, *row)
            self._broadcast(live)
        live.resume()
        self.scheduler.tend(live)

    async def _commit(self, live: LiveTable, kind: str, body: dict[str, Any]) -> None:
        """Try a row on the table and commit it; then the table after it is the table."""
        check_rows(live.table, kind)
        table, now = live.table, time.time()
        row = Row(table.id, table.seq + 1, kind, encode(body), now)
        if len(row.body) > LONG_BYTES and kind == "import":
            after = await self.read_long(live.founder, _follow, table, row)
        else:
            after = _follow(table, row)
        if resolved := resolution(after):
            row = Row(table.id, row.seq, kind, encode({**body, **resolved}), now)
        row = chained(row, live.hash)
        try:
            await self.store.append(row, _index_entry(after, now))
        except (Conflict, CodeTaken):
            raise
        except BaseException:
            live.doubtful = True
            raise
        await _settled(after)
        live.table, live.hash = after, row.hash
        metrics.count("rows")

    async def _catch_up(self, live: LiveTable) -> bool:
        """Follow the rows that are in the store and not yet in memory, and broadcast them; whether there were any."""
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
        """A table that was deleted for its age is let go, and so are those who still sit there."""
        if await self.store.index_entry(live.table.id) is None:
            refusal = IllegalAction("no-such-table", NO_SUCH_TABLE)
            self._drop(live, refusal)
            raise refusal

    async def _read(self, live: LiveTable) -> list[Row]:
        """The rows of a table that are not yet in memory. A damaged one is quarantined; the others go on."""
        try:
            return await self.store.read(live.table.id, live.table.seq, live.hash)
        except Damaged as damaged:
            self.quarantined[live.table.id] = damaged
            metrics.count("tables_damaged")
            log.failure("table damaged", damaged, row=damaged.seq)
            self._drop(live, damaged)
            raise

    def _check_whole(self, table: str) -> None:
        """Refuse a table that is quarantined, until the server starts again."""
        if damaged := self.quarantined.get(table):
            raise Damaged(table, damaged.seq)

    def _drop(self, live: LiveTable, refusal: Refusal) -> None:
        """Let a table go, and those who still sit there."""
        self.live_tables.pop(live.table.id, None)
        if live.alarm:
            live.alarm.cancel()
        for socket in live.sockets:
            socket.send(outgoing.refused(refusal))
            socket.end(REFUSED)

    # -- connections ------------------------------------------------------------------------------------------------

    async def attach(self, socket: Socket, name: str, secret: str | None, seen: int | None) -> None:
        """Connect somebody, who leaves the table they were at: they get what they have missed, then what happens."""
        live = await self.find(name, socket.address)
        if secret is not None and not live.elsewhere:
            await self.guests.use(live, secret)
        async with live.lock:  # so that nothing falls between catching up and listening
            if live.elsewhere:
                raise Elsewhere(live.elsewhere)
            if self.store.shared or live.doubtful:
                await self._catch_up(live)  # another worker may have taken the guest in a moment ago
            table = live.table
            guest = recognise(table, secret) if secret is not None else None
            self.detach(socket)
            socket.live, socket.guest = live, guest
            socket.digest = digest(secret) if secret is not None else ""
            socket.send(outgoing.welcome(table, guest, socket.home))
            for message in outgoing.catch_up(table, guest, seen):
                socket.send(message)
            live.sockets.add(socket)
            if self.closing:
                socket.end(GOING)
            self.scheduler.tend(live)
        self._came_or_went(live, guest)

    def detach(self, socket: Socket) -> None:
        """A socket has gone from where it was."""
        if socket.live is not None:
            socket.live.sockets.discard(socket)
            socket.live.audience.changed()
            socket.shown = None
            self._came_or_went(socket.live, socket.guest)

    def _broadcast(self, live: LiveTable) -> None:
        """Send the last update to those whom it concerns."""
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
        """Where a client that reached us at a host finds a table's home; None: where it is."""
        live = self.live_tables.get(table)
        home = (live.elsewhere if live else None) or self.worker
        return home.reached_from(host) if home else None

    def presence_changed(self, live: LiveTable) -> None:
        """Say in a moment who is here."""
        if live.presence is None and not self.closing:
            live.presence = asyncio.get_running_loop().call_later(PRESENCE_SECONDS, self._broadcast_presence, live)

    def bots_changed(self) -> None:
        """Bots have become stronger: the tables that said they weren't say so."""
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
        """Look whether the store knows more than we do (up to a row that was heard of), and go on from there."""
        async with live.lock:
            follows = row is not None and row.seq == live.table.seq + 1 and row == chained(row, live.hash)
            if row is not None and follows and not live.doubtful:
                await self._follow(live, [row])
            elif seq is None or seq > live.table.seq:
                await self._catch_up(live)
            self.scheduler.tend(live)


def _seats(wanted: list[str], names: list[str], host: str, bots: tuple[str, ...]) -> list[dict[str, Any]]:
    """The seats of a new table. Whoever shares the host's device may have a name of their own."""
    if len(names) > len(wanted):
        raise BadOption("wrong-seats", WRONG_SEATS, players=len(wanted), seats=len(names))
    seats: list[dict[str, Any]] = []
    taken = [host]
    for want, given in zip_longest(wanted, names, fillvalue=""):
        if want not in ("me", "open", *bots):
            raise BadOption("bad-seat", BAD_SEAT, seat=want)
        seats.append({"guest": HOST if want == "me" else None, "rank": want if want in bots else None})
        if want == "me" and given:
            taken.append(distinct(ruling.nickname(given), taken))
            seats[-1]["name"] = taken[-1]
    return seats


def _follow(table: Table, row: Row) -> Table:
    """The table after a row."""
    return table.follow(row.seq, row.kind, msgspec.json.decode(row.body), row.at)


def _fold(name: str, rows: list[Row]) -> Table:
    """A table from all its rows, if it was played by rules that are here."""
    check_rules(rows)
    return reduce(_follow, rows, Table(name))


def _start_untouched(table: Table) -> ruling.NewRow | None:
    """The start of a rematch at which nobody has changed anything yet."""
    return ("start", {"by": HOST}) if table.seq == 0 else None


def _fresh(seed: str = "") -> dict[str, Any]:
    """What every new table has of its own: dice nobody can guess, and the id and the dice of the table after it."""
    dice = Dice(seed) if seed else Dice.secret()
    after = {"next": new_table(), "rematch_seed": Dice.secret().seed}
    return {"seed": dice.seed, "commitment": dice.commitment, **after}


async def _settled(table: Table) -> None:
    """When a match is over, look what became of its offers: that takes a while, so not on the event loop."""
    if table.status == OVER and table.offers and "offers" not in table.cache:
        await asyncio.to_thread(table.kept_offers)


def _index_entry(table: Table, now: float) -> IndexEntry:
    """The table's line in the index."""
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
    due = None if is_full(table) else table.due(now)
    return IndexEntry(table.id, table.settings["code"], table.game.id, public, table.status, due, now, summary)
