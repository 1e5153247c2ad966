"""The harbour: the tables that are live in this process, between the sockets and the store.

A command goes through one table at a time: decide, follow, commit, then tell. Nothing is acknowledged or told before
it is committed; when the commit fails, the table is read anew from the store, as if nothing had been tried.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from tribord.bots import seat_bot
from tribord.core.chance import Dice
from tribord.core.game import load
from tribord.core.journal import audit_content, to_dict
from tribord.core.refusal import BadOption, IllegalAction, Refusal
from tribord.core.words import _
from tribord.server import log, messages, metrics, secret
from tribord.server.messages import encode
from tribord.server.store import CodeTaken, Conflict, Entry, Row, Store
from tribord.server.table import NOT_OVER, OPEN, Happening, Table, legible

NO_SUCH_TABLE = _("There is no such table.")
WRONG_SECRET = _("This secret opens no seat at this table.")
WRONG_MOVE = _("This code is not valid, or no longer.")
WRONG_SEATS = _("A table for {players} needs {players} seats, not {seats}.")
BAD_SEAT = _("A seat is “me”, “open” or the rank of a bot, not “{seat}”.")
FULL_TABLE = _("This table has {most} guests already.")
NEEDS_NAME = _("A guest needs a nickname.")

MOST_GUESTS = 64
MOVE_SECONDS = 600
IDLE_SECONDS = 60.0
SWEEP_SECONDS = 5.0
TRIES = 8


class Socket:
    """One open connection as the harbour sees it: a guest (or nobody) and a bounded queue of what to send."""

    def __init__(self, guest: int | None, depth: int = 256):
        self.guest = guest
        self.queue: asyncio.Queue[bytes | None] = asyncio.Queue(depth)
        self.slow = False

    def send(self, message: bytes) -> None:
        """Queue a message. Whoever cannot keep up is cut off, and catches up when they come back."""
        try:
            self.queue.put_nowait(message)
        except asyncio.QueueFull:
            self.slow = True
            with suppress(asyncio.QueueEmpty):
                self.queue.get_nowait()
            self.queue.put_nowait(None)


@dataclass
class Live:
    """A table in memory with those who are connected to it."""

    table: Table
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    sockets: set[Socket] = field(default_factory=set)
    used: float = 0.0
    bots: asyncio.Task[None] | None = None
    alarm: asyncio.TimerHandle | None = None


class Harbour:
    """All tables: created, found, commanded, tended."""

    def __init__(self, store: Store, pace: float = 0.7, ready: Callable[[str], Awaitable[None]] | None = None):
        self.store = store
        self.pace = pace  # seconds a bot takes at least, so that people can follow
        self.ready = ready  # waits until a game's bots are compiled
        self.lives: dict[str, Live] = {}
        self.loading: dict[str, asyncio.Task[Live]] = {}
        self.tasks: set[asyncio.Task[Any]] = set()
        self.threads = ThreadPoolExecutor(2, "bot")
        self.closing = False

    async def open(self) -> None:
        """Connect to the store, listen to the other workers, and look after tables that nobody is connected to."""
        await self.store.open()
        await self.store.listen(self._heard)
        self._spawn(self._sweep())

    async def close(self) -> None:
        """Let go of everything; what was accepted is committed."""
        self.closing = True
        for live in self.lives.values():
            if live.alarm:
                live.alarm.cancel()
            for socket in live.sockets:
                socket.send(b"")
        for task in list(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        self.threads.shutdown(wait=False, cancel_futures=True)
        await self.store.close()

    def _spawn(self, work: Any) -> asyncio.Task[Any]:
        task = asyncio.ensure_future(work)
        self.tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self.tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.failure("task failed", task.exception())

    # -- creating and finding ---------------------------------------------------------------------------------------

    async def create(self, new: messages.NewTable) -> messages.Credentials:
        """A new table; whoever creates it is its host, guest 0."""
        game = load(new.game)
        settings = game.settings(new.players, new.options)
        seats = new.seats or ["me"] + ["open"] * (new.players - 1)
        if len(seats) != new.players:
            raise BadOption("wrong-seats", WRONG_SEATS, players=new.players, seats=len(seats))
        chairs = [_chair(seat) for seat in seats]
        if new.clock is not None:
            seat_bot(new.clock.rank, game)  # refuses a rank that does not exist
        key = secret.new_secret()
        body = {
            "game": game.id,
            "players": new.players,
            "options": game.options_of(settings),
            "public": new.public,
            "clock": msgspec.to_builtins(new.clock) if new.clock else None,
            "guests": [{"number": 0, "nickname": legible(new.nickname), "digest": secret.digest(key)}],
            "chairs": chairs,
            **_new_seed(),
        }
        table, code = await self._found(body)
        return messages.Credentials(table, code, 0, key)

    async def _found(self, body: dict[str, Any], kind: str = "create") -> tuple[str, str]:
        """Write the first row of a table under a code that no other has."""
        for _attempt in range(TRIES):
            table, code = Table(secret.new_table()), secret.new_code()
            live = Live(table)
            try:
                await self._commit(live, kind, {**body, "code": code})
            except CodeTaken:
                continue
            self.lives[table.id] = live
            metrics.count("tables_created")
            return table.id, code
        raise Conflict(code, 0)

    async def take_in(self, content: dict[str, Any]) -> dict[str, str]:
        """A match file becomes a table that is over; one that does not verify is refused."""
        name = Path("match file")
        match, problems = audit_content(content, name)
        if problems:
            raise problems[0]
        if not match.over:
            raise IllegalAction("not-over", NOT_OVER)
        table, code = await self._found({"file": to_dict(match)}, "import")
        return {"table": table, "code": code}

    async def find(self, name: str) -> Live:
        """The table with this id or short code."""
        try:
            return await self.live(name)
        except Refusal:
            table = await self.store.find(name.upper())
            if table is None:
                raise
            return await self.live(table)

    async def live(self, table: str) -> Live:
        """A table in memory, read from the store if it is not there yet."""
        live = self.lives.get(table)
        if live is None:
            if table not in self.loading:
                self.loading[table] = asyncio.ensure_future(self._load(table))
            try:
                live = await asyncio.shield(self.loading[table])
            finally:
                self.loading.pop(table, None)
        live.used = time.monotonic()
        return live

    async def _load(self, table: str) -> Live:
        live = Live(Table(table), used=time.monotonic())
        await self._read(live)
        if live.table.seq < 0:
            raise IllegalAction("no-such-table", NO_SUCH_TABLE)
        self.lives[table] = live
        self._tend(live)
        return live

    async def _read(self, live: Live) -> list[Happening]:
        """Follow the rows that are in the store and not yet in memory."""
        rows = await self.store.read(live.table.id, live.table.seq)
        return [live.table.follow(row.seq, row.kind, msgspec.json.decode(row.body), row.at) for row in rows]

    # -- guests -----------------------------------------------------------------------------------------------------

    async def join(self, name: str, join: messages.Join) -> messages.Credentials:
        """A new guest, or with a move code the same guest with a new secret (the old one opens nothing any more)."""
        live = await self.find(name)
        key = secret.new_secret()
        if isinstance(join.move, str):
            move = join.move

            def decide() -> tuple[str, dict[str, Any]]:
                pending = live.table.move
                if pending is None or pending[2] < time.time() or not secret.matches(move, pending[1]):
                    raise IllegalAction("wrong-move", WRONG_MOVE)
                return "moved", {"guest": pending[0], "digest": secret.digest(key)}

        else:
            if not isinstance(join.nickname, str):
                raise IllegalAction("needs-name", NEEDS_NAME)
            nickname = legible(join.nickname)

            def decide() -> tuple[str, dict[str, Any]]:
                if len(live.table.guests) >= MOST_GUESTS:
                    raise IllegalAction("full", FULL_TABLE, most=MOST_GUESTS)
                number = max(live.table.guests) + 1
                return "join", {"guest": number, "nickname": nickname, "digest": secret.digest(key)}

        happening = await self._do(live, decide)
        assert happening.by is not None
        if happening.kind == "moved":
            self._cut(live, happening.by)
        return messages.Credentials(live.table.id, live.table.settings["code"], happening.by, key)

    def _cut(self, live: Live, guest: int) -> None:
        """Close the sockets of a guest whose secret has changed."""
        for socket in live.sockets:
            if socket.guest == guest:
                socket.send(b"")

    async def move(self, name: str, key: str) -> dict[str, Any]:
        """A code with which this guest can come in from another device, once, for ten minutes."""
        live = await self.find(name)
        guest = self.recognise(live, key)
        code = secret.new_secret()[:12]
        body = {"by": guest, "digest": secret.digest(code), "seconds": MOVE_SECONDS, "to": [guest]}
        await self._do(live, lambda: ("moving", body))
        return {"move": code, "seconds": MOVE_SECONDS}

    def recognise(self, live: Live, key: str | None) -> int:
        """The guest whose secret this is. Every hash is compared, so that the time tells nothing."""
        found = None
        for guest in live.table.guests.values():
            if key is not None and secret.matches(key, guest.digest):
                found = guest.number
        if found is None:
            raise IllegalAction("wrong-secret", WRONG_SECRET)
        return found

    # -- commands ---------------------------------------------------------------------------------------------------

    async def command(self, live: Live, guest: int, command: Any) -> messages.Ack:
        """Carry out a guest's command, once, however often it is sent; the answer comes after the commit."""
        done = live.table.already(guest, command)
        if done is not None:
            return messages.Ack(command.id, done, again=True)
        if isinstance(command, messages.Rematch):
            return await self._rematch(live, guest, command)
        happening = await self._do(live, lambda: live.table.decide(guest, command), guest, command)
        return messages.Ack(command.id, live.table.version(guest), again=happening is None)

    async def _do(
        self,
        live: Live,
        decide: Callable[[], tuple[str, dict[str, Any]]],
        guest: int | None = None,
        command: Any = None,
    ) -> Any:
        """Decide, follow, commit, tell. After a lost race the table is read again and the decision taken anew."""
        for _attempt in range(TRIES):
            async with live.lock:
                if guest is not None and live.table.already(guest, command) is not None:
                    return None  # it came in twice, and the other one was first
                kind, body = decide()
                try:
                    happening = await self._commit(live, kind, body)
                except Conflict:
                    metrics.count("races_lost")
                    for missed in await self._read(live):
                        self._tell(live, missed)
                    continue
                self._tell(live, happening)
                self._tend(live)
                return happening
        raise Conflict(live.table.id, live.table.seq + 1)

    async def _commit(self, live: Live, kind: str, body: dict[str, Any]) -> Happening:
        """Follow a row and commit it. If that fails, the table is what the store says it is."""
        table, now = live.table, time.time()
        row = Row(table.id, table.seq + 1, kind, encode(body), now)
        happening = table.follow(row.seq, kind, msgspec.json.decode(row.body), now)
        try:
            await self.store.append(row, _entry(table, now))
        except BaseException:
            live.table = Table(table.id)
            await asyncio.shield(self._read(live))
            raise
        metrics.count("rows", kind=kind)
        return happening

    async def _rematch(self, live: Live, guest: int, command: messages.Rematch) -> messages.Ack:
        """Found the next table first, then point to it: a crash in between leaves an empty table and no broken link."""
        live.table.decide(guest, command)
        old = live.table
        body = {
            **{name: old.settings[name] for name in ("game", "players", "options", "public")},
            "clock": old.clock,
            "guests": [{"number": g.number, "nickname": g.nickname, "digest": g.digest} for g in old.guests.values()],
            "chairs": [_carried(old.chairs[(seat - 1) % len(old.chairs)]) for seat in range(len(old.chairs))],
            **_new_seed(),
        }
        table, _code = await self._found(body)

        def decide() -> tuple[str, dict[str, Any]]:
            kind, asked = live.table.decide(guest, command)
            return kind, {**asked, "table": table}

        await self._do(live, decide, guest, command)
        return messages.Ack(command.id, live.table.version(guest))

    # -- telling ----------------------------------------------------------------------------------------------------

    def attach(self, live: Live, socket: Socket, seen: int | None) -> None:
        """Connect a socket: it gets what it has missed, then everything as it happens."""
        socket.send(live.table.catch_up(socket.guest, seen))
        live.sockets.add(socket)
        self._tell_presence(live)

    def detach(self, live: Live, socket: Socket) -> None:
        """A socket has gone."""
        live.sockets.discard(socket)
        live.used = time.monotonic()
        self._tell_presence(live)

    def _tell(self, live: Live, happening: Happening) -> None:
        made: dict[int | None, bytes] = {}
        for socket in live.sockets:
            if live.table.told_to(socket.guest, happening):
                if socket.guest not in made:
                    made[socket.guest] = live.table.message(socket.guest, happening)
                socket.send(made[socket.guest])

    def _tell_presence(self, live: Live) -> None:
        guests = sorted({socket.guest for socket in live.sockets if socket.guest is not None})
        watching = sum(1 for socket in live.sockets if socket.guest is None)
        message = encode(messages.Presence(guests, watching))
        for socket in live.sockets:
            socket.send(message)

    def _heard(self, table: str, seq: int) -> None:
        """Another worker has appended a row."""
        live = self.lives.get(table)
        if live is not None and seq > live.table.seq:
            self._spawn(self._follow_others(live))

    async def _follow_others(self, live: Live) -> None:
        async with live.lock:
            for happening in await self._read(live):
                self._tell(live, happening)
            self._tend(live)

    # -- tending: bots and clocks -----------------------------------------------------------------------------------

    def _tend(self, live: Live) -> None:
        """Set the bots thinking and the alarm for the next clock."""
        if self.closing:
            return
        if live.bots is None and live.table.bots_to_act():
            live.bots = self._spawn(self._play_bots(live))
        if live.alarm:
            live.alarm.cancel()
            live.alarm = None
        due = live.table.due(time.time())
        if due is not None and not live.table.bots_to_act():
            delay = max(0.0, due - time.time()) + 0.05
            live.alarm = asyncio.get_running_loop().call_later(delay, lambda: self._spawn(self._ring(live)))

    async def _play_bots(self, live: Live) -> None:
        """Play for the bots as long as it is theirs to act: off the event loop, at a human pace, once each."""
        try:
            if self.ready is not None:
                await self.ready(live.table.game.id)
            while seats := live.table.bots_to_act():
                await self._play_bot(live, seats[0])
        finally:
            live.bots = None
        if live.table.bots_to_act():  # a bot came to act between the last look and now
            self._tend(live)

    async def _play_bot(self, live: Live, seat: int) -> None:
        match, started = live.table.playing, time.monotonic()
        rank, version = live.table.chairs[seat].rank or "mousse", match.version
        view = match.view_state(seat)
        # The same seed in every worker: whoever is first, the bot decides the same.
        bot = seat_bot(rank, match.game, int(match.dice.commitment[:8], 16) + version)
        action = await asyncio.get_running_loop().run_in_executor(self.threads, bot.decide, view, seat)
        metrics.observe("bot_seconds", time.monotonic() - started)
        wait = self.pace * (0.7 + 0.6 * random.random()) - (time.monotonic() - started)
        if wait > 0:
            await asyncio.sleep(wait)

        def decide() -> tuple[str, dict[str, Any]]:
            if live.table.playing.version != version and not live.table.playing.legal(seat):
                raise IllegalAction("moved-on", NO_SUCH_TABLE)
            return live.table.decide_bot(seat, action)

        with suppress(IllegalAction):  # the table has moved on meanwhile; the loop looks again
            await self._do(live, decide)

    async def _ring(self, live: Live) -> None:
        """Somebody's time is up: a bot takes over, and the person can come back at any moment."""
        for seat in live.table.late(time.time()):

            def decide(seat: int = seat) -> tuple[str, dict[str, Any]]:
                if seat not in live.table.late(time.time()):
                    raise IllegalAction("in-time", NO_SUCH_TABLE)
                return live.table.decide_late(seat)

            with suppress(IllegalAction):
                await self._do(live, decide)
        self._tend(live)

    async def _sweep(self) -> None:
        """Every few seconds: wake tables that are due and nobody’s; let idle ones go from memory, not from store."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS * (0.8 + 0.4 * random.random()))
            for table in await self.store.due(time.time() - SWEEP_SECONDS):
                with suppress(Refusal):
                    await self.live(table)
            now = time.monotonic()
            for table, live in list(self.lives.items()):
                idle = not live.sockets and live.bots is None and live.alarm is None and not live.lock.locked()
                if idle and now - live.used > IDLE_SECONDS:
                    del self.lives[table]


def _chair(seat: str) -> dict[str, Any]:
    from tribord.bots import ranks

    if seat not in ("me", "open", *ranks()):
        raise BadOption("bad-seat", BAD_SEAT, seat=seat)
    return {"guest": 0 if seat == "me" else None, "rank": seat if seat in ranks() else None}


def _carried(chair: Any) -> dict[str, Any]:
    """A seat in a rematch: its guest, or its bot; a bot that played for somebody gives way."""
    return {"guest": chair.guest, "rank": chair.rank if chair.guest is None else None}


def _new_seed() -> dict[str, Any]:
    dice = Dice.secret()
    return {"seed": dice.seed, "commitment": dice.commitment}


def _entry(table: Table, now: float) -> Entry:
    free = sum(1 for chair in table.chairs if chair.guest is None and chair.rank is None)
    summary = {
        "id": table.id,
        "code": table.settings["code"],
        "game": table.game.id,
        "players": table.settings["players"],
        "host": table.guests[0].nickname if table.guests else "",
        "free": free,
    }
    public = bool(table.settings["public"])
    shown = encode(summary) if public and table.status == OPEN else b"{}"
    return Entry(
        table.id, table.settings["code"], table.game.id, public, table.status, table.due(now), now, shown
    )  # fmt: skip
