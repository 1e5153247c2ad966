"""The table server under load: acknowledged durable actions per second, how long they take, and what a table costs.

    python benchmarks/server_load.py [--tables 100 500 2000] [--store sqlite postgresql] [--workers 1 2] [--seconds 10]
                                     [--only yardstick load memory age idle]

The server is a real process, and this one plays against it as all its people: every seat has a socket of its own and
plays at random what the server says it may, in a mix of the four games, match after match. The yardstick is what
uvicorn can do at all on this machine: a WebSocket that echoes, asked in the same run by the same client.

Every load is measured twice. At full speed a seat acts as soon as its turn and the answer to its last action are there,
with a bounded number of actions under way in all: that gives actions per second. Then actions fall due by themselves,
at random moments, at a rate the server can bear, and wait from the moment they were due: that gives honest waits.

Prints one JSON, and tables for people to stderr.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import uvicorn
import uvloop

HOST = "127.0.0.1"
UPGRADE = (
    f"GET /socket HTTP/1.1\r\nHost: {HOST}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dHJpYm9yZCB0cmlib3JkIQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
).encode()
MIX = (
    ("faut-pas-pousser", 2), ("walk-the-plank", 3), ("sauve-qui-peut", 4), ("ile-aux-pirates", 2),
    ("faut-pas-pousser", 4), ("walk-the-plank", 4), ("sauve-qui-peut", 3), ("ile-aux-pirates", 3),
)  # fmt: skip
LONGEST = (("sauve-qui-peut", 3),)  # some 190 decisions at random
AT_A_TIME = 64  # tables being set up, or sockets being opened
KEPT_SECONDS = 2.0  # an idle HTTP connection is used again; uvicorn closes it after 5
PATIENCE = 60.0  # seconds to wait for anything that must come


# -- the socket -----------------------------------------------------------------------------------------------------


class Wire(asyncio.Protocol):
    """A WebSocket from the client's side: just enough of it to put load on a server and little on this process."""

    def __init__(self, heard: Callable[[memoryview], None]):
        self.heard = heard
        self.open = asyncio.get_running_loop().create_future()
        self.closed = asyncio.get_running_loop().create_future()
        self._rest = b""

    def connection_made(self, transport: Any) -> None:
        """Ask for a WebSocket."""
        self.transport = transport
        transport.write(UPGRADE)

    def connection_lost(self, error: Exception | None) -> None:
        """The other side has gone."""
        self.closed.set_result(None)
        if not self.open.done():
            self.open.set_exception(ConnectionResetError("no WebSocket"))

    def data_received(self, data: bytes) -> None:
        """Cut what has come into frames."""
        data = self._rest + data if self._rest else data
        start = 0
        if not self.open.done():
            start = data.find(b"\r\n\r\n") + 4
            if start < 4:
                self._rest = data
                return
            if not data.startswith(b"HTTP/1.1 101"):
                self.transport.close()
                return
            self.open.set_result(None)
        view = memoryview(data)
        while len(data) - start >= 2:
            length, body = data[start + 1], start + 2
            if length >= 126:
                body += 2 if length == 126 else 8
                length = int.from_bytes(data[start + 2 : body])
            if len(data) < body + length:
                break
            self._frame(data[start] & 15, view[body : body + length])
            start = body + length
        self._rest = data[start:]

    def _frame(self, kind: int, content: memoryview) -> None:
        if kind == 9:  # a ping
            self._write(0x8A, bytes(content))
        elif kind != 8:
            self.heard(content)

    def send(self, message: bytes) -> None:
        """Send a text."""
        self._write(0x81, message)

    def _write(self, head: int, content: bytes) -> None:
        length = len(content)
        size = bytes([head, 0x80 | length]) if length < 126 else bytes([head, 0xFE]) + length.to_bytes(2)
        self.transport.write(size + b"\0\0\0\0" + content)  # masked with nothing, which is a mask too

    async def close(self) -> None:
        """Say good-bye."""
        if not self.closed.done():
            self._write(0x88, b"\x03\xe8")
            self.transport.close()
        await self.closed


async def wire(port: int, heard: Callable[[memoryview], None]) -> Wire:
    """An open socket."""
    _transport, made = await asyncio.get_running_loop().create_connection(lambda: Wire(heard), HOST, port)
    await asyncio.wait_for(made.open, PATIENCE)
    return made


class Web:
    """HTTP requests over connections that stay open."""

    def __init__(self, port: int):
        self.port = port
        self._idle: list[tuple[float, asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def ask(self, method: str, path: str, content: Any = None) -> bytes:
        """The body of the answer."""
        reader, writer = self._used() or await asyncio.open_connection(HOST, self.port)
        body = msgspec.json.encode(content) if content is not None else b""
        writer.write(f"{method} {path} HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        answer = await reader.readexactly(int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0]))
        self._idle.append((time.monotonic(), reader, writer))
        if not head.startswith(b"http/1.1 2"):
            raise ConnectionError(answer.decode())
        return answer

    def _used(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        """The connection used last, unless that is so long ago that the server may be closing it."""
        if not self._idle:
            return None
        since, reader, writer = self._idle.pop()
        if time.monotonic() - since < KEPT_SECONDS:
            return reader, writer
        writer.close()
        self.close()
        return None

    def close(self) -> None:
        """Let the connections go."""
        while self._idle:
            self._idle.pop()[-1].close()


# -- what the server says, as far as a player at random must know it ------------------------------------------------


class Chair(msgspec.Struct):
    """A seat."""

    seat: int
    guest: int | None
    ready: bool


class TableInfo(msgspec.Struct):
    """The table."""

    status: str
    seats: list[Chair]
    rematch: str | None


class MatchInfo(msgspec.Struct):
    """The match."""

    version: int
    legal: dict[str, list[int]]


class Happened(msgspec.Struct, tag_field="t", tag="happened"):
    """Something happened; with an id it was this player's doing, and is for ever."""

    table: TableInfo | None = None
    match: MatchInfo | None = None
    id: str | None = None


class Sync(Happened, tag="sync"):
    """Everything, or its first portion."""


class Gap(Happened, tag="gap"):
    """Another portion."""


class Refused(msgspec.Struct, tag_field="t", tag="refused"):
    """Not done."""

    code: str
    id: str | None = None


class Welcome(msgspec.Struct, tag_field="t", tag="welcome"):
    """The socket is open."""


class Presence(msgspec.Struct, tag_field="t", tag="presence"):
    """Somebody came or went."""


understand = msgspec.json.Decoder(Happened | Sync | Gap | Refused | Welcome | Presence).decode


# -- the people -----------------------------------------------------------------------------------------------------


class Player:
    """Somebody with one seat, one socket and no plan."""

    def __init__(self, load: Load, party: Party, guest: int, secret: str):
        self.load = load
        self.party = party
        self.guest = guest
        self.secret = secret
        self.table: TableInfo | None = None
        self.match: MatchInfo | None = None
        self.waiting: tuple[str, float] | None = None  # the kind of the command under way, and when it was due
        self.queued = False

    async def connect(self) -> None:
        """Come to the table."""
        self.wire = await wire(self.load.port, self.heard)
        self._greet()

    def _greet(self) -> None:
        self.table = self.match = None
        hello = {"t": "hello", "protocol": 1, "table": self.party.table, "secret": self.secret}
        self.wire.send(msgspec.json.encode(hello))

    def _follow(self, table: str) -> None:
        """Go to the table of the next match, on the same connection."""
        self.party.table, self.party.decisions = table, 0
        self._greet()

    def heard(self, message: memoryview) -> None:
        """Take in what the server says, and see what there is to do."""
        said = understand(message)
        load = self.load
        load.tally.messages += 1
        if isinstance(said, Happened):
            self.table = said.table or self.table
            self.match = said.match or self.match
        if isinstance(said, Happened | Refused) and said.id is not None and self.waiting is not None:
            if isinstance(said, Refused):
                load.tally.refused[said.code] += 1
            else:
                self.party.decisions += self.waiting[0] == "act"
                load.tally.done(*self.waiting)
            load.under_way -= 1
            self.waiting = None
        if self.waiting is None:
            if self.table is not None and self.table.rematch is not None:
                self._follow(self.table.rematch)
            elif not self.queued and self.intent() is not None:
                self.queued = True
                load.ready.append(self)
        load.pump()

    def intent(self) -> dict[str, Any] | None:
        """What this player would do now."""
        table, match, acting = self.table, self.match, self.load.acting and self.party.awake
        if table is None:
            return None
        mine = next((chair for chair in table.seats if chair.guest == self.guest), None)
        if mine is None:
            return {"t": "sit", "seat": self.guest}
        if table.status == "open":
            if self.guest:
                return None if mine.ready else {"t": "ready"}
            return {"t": "start"} if all(chair.ready or chair.guest == 0 for chair in table.seats) else None
        if table.status == "over" and not self.guest and acting:
            return {"t": "rematch"}
        choices = match.legal.get(str(mine.seat)) if match is not None else None
        if not acting or not choices or match is None:
            return None
        return {"t": "act", "seat": mine.seat, "action": random.choice(choices), "version": match.version}

    def act(self, due: float) -> str | None:
        """Do it, if there is still something to do, and say what."""
        self.queued = False
        command = self.intent() if self.waiting is None else None
        if command is None:
            return None
        self.load.commands += 1
        self.waiting = (command["t"], due)
        self.wire.send(msgspec.json.encode({**command, "id": str(self.load.commands)}))
        return self.waiting[0]


@dataclass
class Party:
    """The people at one table."""

    game: str
    size: int
    table: str = ""
    players: list[Player] = field(default_factory=list)
    decisions: int = 0  # acknowledged in this match
    most: int = sys.maxsize  # decisions after which it pauses

    @property
    def awake(self) -> bool:
        """Whether it plays on."""
        return self.decisions < self.most


@dataclass
class Tally:
    """What was counted since it began."""

    server: Process
    began: float = field(default_factory=time.perf_counter)
    own: float = field(default_factory=time.process_time)
    waits: list[float] = field(default_factory=list)  # of actions, in seconds
    others: int = 0  # commands that are no action: sit, ready, start, rematch
    matches: int = 0
    messages: int = 0
    refused: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.used = self.server.seconds()

    def done(self, kind: str, due: float) -> None:
        """A command was acknowledged."""
        if kind == "act":
            self.waits.append(time.perf_counter() - due)
        else:
            self.others += 1
            self.matches += kind == "rematch"

    def report(self) -> dict[str, Any]:
        """In figures."""
        seconds = time.perf_counter() - self.began
        return {
            "actions_per_s": round(len(self.waits) / seconds),
            "other_commands_per_s": round(self.others / seconds),
            "messages_per_s": round(self.messages / seconds),
            **percentiles(self.waits),
            "server_us_per_action": self.cost(self.server.seconds() - self.used),
            "client_us_per_action": self.cost(time.process_time() - self.own),
            "matches": self.matches,
            **({"refused": dict(self.refused)} if self.refused else {}),
        }

    def cost(self, seconds: float) -> int:
        """Microseconds of processor time for each action, with all that belongs to it."""
        return round(seconds / max(1, len(self.waits)) * 1e6)


class Load:
    """All the people of all the tables."""

    def __init__(self, server: Process, most: int):
        self.server = server
        self.port = server.port
        self.most = most  # commands under way at once
        self.web = Web(self.port)
        self.parties: list[Party] = []
        self.ready: deque[Player] = deque()
        self.tally = Tally(self.server)
        self.under_way = 0
        self.commands = 0
        self.acting = False
        self.rate: float | None = None
        self._due = 0.0
        self._tasks: set[asyncio.Task[None]] = set()

    # -- setting up -------------------------------------------------------------------------------------------------

    async def seat(self, tables: int, mix: tuple[tuple[str, int], ...] = MIX) -> list[Party]:
        """More tables, each with its match begun."""
        parties = [Party(*mix[number % len(mix)]) for number in range(tables)]
        self.parties += parties
        await some_at_a_time(self._found, parties)
        await self._until(lambda: all(p.match is not None for party in parties for p in party.players))
        return parties

    async def _found(self, party: Party) -> None:
        seats = ["me"] + ["open"] * (party.size - 1)
        new = {"game": party.game, "nickname": "Anne", "players": party.size, "seats": seats}
        host = json.loads(await self.web.ask("POST", "/api/tables", new))
        party.table = host["table"]
        guests = [host]
        for _guest in range(party.size - 1):
            path = f"/api/tables/{party.table}/guests"
            guests.append(json.loads(await self.web.ask("POST", path, {"nickname": "Mary"})))
        party.players = [Player(self, party, guest["guest"], guest["secret"]) for guest in guests]
        for player in party.players:
            await player.connect()

    async def _until(self, reached: Callable[[], bool], patience: float = PATIENCE) -> None:
        end = time.perf_counter() + patience
        while not reached():
            if time.perf_counter() > end:
                raise TimeoutError("the server does not get there")
            await asyncio.sleep(0.02)

    def spawn(self, work: Any) -> None:
        """Let something go on beside."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            self.tally.refused[repr(task.exception())] += 1

    # -- playing ----------------------------------------------------------------------------------------------------

    def pump(self) -> None:
        """Let those act who are ready, as far as they may."""
        while self.ready:
            now = time.perf_counter()
            if self.rate is None:
                if self.under_way >= self.most:
                    return
                due = now
            elif self._due > now:
                return
            else:
                due = self._due
            if kind := self.ready.popleft().act(due):
                self.under_way += 1
                if self.rate is not None and kind == "act":
                    self._due += random.expovariate(self.rate)

    async def play(self, seconds: float, rate: float | None = None) -> dict[str, Any]:
        """Play for so long, at full speed or at a rate; a part of it to get going is not counted."""
        self.go(rate)
        await self._tick(min(2.0, seconds / 3))
        self.tally = Tally(self.server)
        await self._tick(seconds)
        report = self.tally.report()
        await self.pause()
        return report

    async def decide(self, parties: list[Party], more: int) -> dict[str, Any]:
        """Play so many more decisions at each of these tables, the others rest."""
        for party in self.parties:
            party.most = 0
        for party in parties:
            party.most = party.decisions + more
        self.tally = Tally(self.server)
        self.go()
        await self._until(lambda: not any(party.awake for party in parties))
        await self.pause()
        return self.tally.report()

    def go(self, rate: float | None = None) -> None:
        """Let them play."""
        self.acting, self.rate, self._due = True, rate, time.perf_counter()
        self.ready = deque(p for party in self.parties if party.awake for p in party.players if p.intent() is not None)
        random.shuffle(self.ready)
        for player in self.ready:
            player.queued = True
        self.pump()

    async def pause(self) -> None:
        """Let what is under way come to its end."""
        self.acting, self.rate = False, None
        await self._until(lambda: not self.under_way and not self._tasks)

    async def _tick(self, seconds: float) -> None:
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            await asyncio.sleep(0.002)
            self.pump()

    async def leave(self, parties: list[Party]) -> None:
        """Go away from these tables."""
        await some_at_a_time(lambda player: player.wire.close(), [p for party in parties for p in party.players])

    async def close(self) -> None:
        """Go away from all."""
        await self.leave(self.parties)
        self.web.close()


async def some_at_a_time(do: Callable[[Any], Any], things: list[Any]) -> None:
    """Do something with each, but not with all at once."""
    waiting = iter(things)

    async def one_after_the_other() -> None:
        for thing in waiting:
            await do(thing)

    await asyncio.gather(*(one_after_the_other() for _ in range(AT_A_TIME)))


# -- the servers ----------------------------------------------------------------------------------------------------


class Process:
    """A server as the machine sees it, with the processes it has started."""

    def __init__(self, command: list[str], port: int, log: Path):
        self.port = port
        self.log = log
        with log.open("wb") as output:
            self._process = subprocess.Popen(command, stdout=output, stderr=output)

    @property
    def pid(self) -> int:
        """The first process."""
        return self._process.pid

    def family(self) -> list[int]:
        """All its processes."""
        found, new = [], [self.pid]
        while new:
            pid = new.pop()
            found.append(pid)
            for children in Path(f"/proc/{pid}/task").glob("*/children"):
                new += [int(child) for child in children.read_text().split()]
        return found

    def seconds(self) -> float:
        """Seconds of processor time it has used."""
        used = 0.0
        for pid in self.family():
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            used += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        return used

    def kilobytes(self) -> int:
        """Memory that is resident."""
        pages = sum(int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in self.family())
        return pages * os.sysconf("SC_PAGE_SIZE") // 1024

    async def answers(self) -> None:
        """Wait until it answers and has compiled what it compiles in the background."""
        end = time.monotonic() + 5 * PATIENCE
        while time.monotonic() < end:
            if self._process.poll() is not None:
                break
            try:
                _reader, writer = await asyncio.open_connection(HOST, self.port)
                writer.close()
                if not any(b"tribord.server.warm" in _command(pid) for pid in self.family()):
                    await asyncio.sleep(0.5)
                    return
            except OSError:
                pass
            await asyncio.sleep(0.1)
        raise TimeoutError(f"no server at port {self.port}: {self.log.read_text()[-2000:]}")

    def stop(self) -> None:
        """Ask it to end."""
        self._process.terminate()
        try:
            self._process.wait(15)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as free:
        free.bind((HOST, 0))
        return int(free.getsockname()[1])


@contextmanager
def table_server(store: str, workers: int, folder: Path) -> Iterator[Process]:
    """The table server, without limits."""
    port = free_port()
    command = [sys.executable, "-m", "tribord.cli", "serve", "--port", str(port), "--store", store]
    command += ["--workers", str(workers), "--pace", "0", "--limits", "0"]
    process = Process(command, port, folder / "server.log")
    try:
        yield process
    finally:
        process.stop()


@contextmanager
def echo_server(folder: Path) -> Iterator[Process]:
    """The yardstick."""
    port = free_port()
    process = Process([sys.executable, __file__, "--echo", str(port)], port, folder / "echo.log")
    try:
        yield process
    finally:
        process.stop()


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """A WebSocket that says what it hears, and nothing else."""
    if scope["type"] != "websocket":
        return
    while (message := await receive())["type"] != "websocket.disconnect":
        if message["type"] == "websocket.connect":
            await send({"type": "websocket.accept"})
        else:
            await send({"type": "websocket.send", "text": message["text"]})


@contextmanager
def store(kind: str, folder: Path) -> Iterator[str]:
    """The address of an empty store that is durable."""
    if kind != "postgresql":
        with tempfile.TemporaryDirectory(dir=folder) as place:
            yield str(Path(place) / "tables.sqlite3")
        return
    sys.path.insert(0, str(Path(__file__).parent.parent))
    from tests.postgres import Postgres

    class Durable(Postgres):
        """One that syncs, as it does in earnest."""

        def start(self) -> None:
            options = f"-p {self.port} -k {self.folder} -c listen_addresses={HOST} -c max_connections=60"
            self._call("pg_ctl", "-D", self.data, "-l", self.folder / "log", "-o", options, "-w", "-t", "60", "start")

    server = Durable()
    try:
        yield server.url()
    finally:
        server.remove()


# -- measuring ------------------------------------------------------------------------------------------------------


def percentiles(waits: list[float]) -> dict[str, float]:
    """The middle one and the one that only a hundredth exceeds, in milliseconds."""
    ordered = sorted(waits) or [0.0]
    return {f"p{n}_ms": round(ordered[(len(ordered) - 1) * n // 100] * 1000, 2) for n in (50, 99)}


async def measure_yardstick(seconds: float, sockets: int, most: int, folder: Path) -> dict[str, Any]:
    """Echoes per second, with many sockets and as many messages under way as in the loads."""
    message = b'{"t":"act","seat":2,"action":117,"version":64,"id":"1234567"}'
    waits: list[float] = []
    idle: deque[Wire] = deque()
    sent: dict[Wire, float] = {}

    def say() -> None:
        speaker = idle.popleft()
        sent[speaker] = time.perf_counter()
        speaker.send(message)

    async def add(_number: int) -> None:
        speaker = await wire(server.port, lambda _echo: heard(speaker))
        idle.append(speaker)

    def heard(speaker: Wire) -> None:
        waits.append(time.perf_counter() - sent.pop(speaker))
        idle.append(speaker)
        say()

    with echo_server(folder) as server:
        await server.answers()
        await some_at_a_time(add, list(range(sockets)))
        for _ in range(min(most, sockets - 1)):
            say()
        await asyncio.sleep(seconds / 3)
        waits.clear()
        began, used, own = time.perf_counter(), server.seconds(), time.process_time()
        await asyncio.sleep(seconds)
        spent = time.perf_counter() - began
        return {
            "echoes_per_s": round(len(waits) / spent), **percentiles(waits), "sockets": sockets, "under_way": most,
            "server_us_per_echo": round((server.seconds() - used) / len(waits) * 1e6),
            "client_us_per_echo": round((time.process_time() - own) / len(waits) * 1e6),
        }  # fmt: skip


async def measure_load(kind: str, workers: int, tables: int, given: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """One load on one kind of store: at full speed, then at a rate the server can bear."""
    with store(kind, folder) as address, table_server(address, workers, folder) as server:
        await server.answers()
        load = Load(server, given.under_way)
        await load.seat(tables)
        full = await load.play(given.seconds)
        rate = given.rate or 0.7 * full["actions_per_s"]
        paced = await load.play(given.seconds, rate)
        await load.close()
        return {
            "store": kind, "workers": workers, "tables": tables, "sockets": sum(party.size for party in load.parties),
            **full, "paced": {"due_per_s": round(rate), **paced}, "server_mb": server.kilobytes() // 1024,
        }  # fmt: skip


async def measure_memory(tables: int, given: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """What a table in the middle of a match holds in memory: alone, and with its sockets open."""
    with store("sqlite", folder) as address, table_server(address, 1, folder) as server:
        await server.answers()
        load = Load(server, given.under_way)

        async def some(count: int) -> None:
            for begin in range(0, count, 50):  # never many sockets at once, so that only tables remain
                parties = await load.seat(min(50, count - begin))
                await load.decide(parties, 8)
                await load.leave(parties)

        await some(min(100, tables))
        before = server.kilobytes()
        await some(tables)
        between = server.kilobytes()
        kept = load.parties[-tables:]
        await some_at_a_time(Player.connect, [player for party in kept for player in party.players])
        await asyncio.sleep(1)
        sockets = sum(party.size for party in kept)
        result = {
            "tables": tables, "sockets": sockets,
            "kb_per_idle_table": round((between - before) / tables, 1),
            "kb_per_socket": round((server.kilobytes() - between) / sockets, 1),
        }  # fmt: skip
        await load.leave(kept)
        load.web.close()
    return result


async def measure_age(given: argparse.Namespace, folder: Path) -> list[dict[str, Any]]:
    """What an action costs as a match grows older."""
    with store("sqlite", folder) as address, table_server(address, 1, folder) as server:
        await server.answers()
        load = Load(server, given.under_way)
        parties = await load.seat(min(60, given.idle), LONGEST)
        await load.decide(parties, 5)
        bands = []
        for band in range(5):
            report = await load.decide(parties, 30)
            bands.append({"decisions": f"{5 + 30 * band} to {35 + 30 * band}", **_cost(report)})
        await load.close()
    return bands


async def measure_idle(idle: int, given: argparse.Namespace, folder: Path) -> list[dict[str, Any]]:
    """What an action costs at busy tables when there are idle ones beside them, their sockets open."""
    with store("sqlite", folder) as address, table_server(address, 1, folder) as server:
        await server.answers()
        load = Load(server, given.under_way)
        busy = await load.seat(min(60, given.idle), LONGEST)
        await load.decide(busy, 5)
        results = []
        for beside in (0, idle):
            await load.seat(beside)
            results.append({"idle_tables": beside, **_cost(await load.decide(busy, 60))})
        await load.close()
    return results


def _cost(report: dict[str, Any]) -> dict[str, Any]:
    return {name: report[name] for name in ("actions_per_s", "p50_ms", "p99_ms", "server_us_per_action")}


# -- telling --------------------------------------------------------------------------------------------------------


def tell(title: str, lines: list[dict[str, Any]]) -> None:
    """A table for people."""
    heads = [name for name in lines[0] if not isinstance(lines[0][name], dict)]
    cells = [heads, *([str(line[name]) for name in heads] for line in lines)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(heads))]
    print(f"\n{title}", file=sys.stderr)
    for row in cells:
        print("  ".join(cell.rjust(width) for cell, width in zip(row, widths)), file=sys.stderr, flush=True)


async def measure(given: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Everything that was asked for."""
    result: dict[str, Any] = {
        "machine": {
            "processors": os.cpu_count(), "python": platform.python_version(), "uvicorn": uvicorn.__version__,
            "load_average": [round(load, 2) for load in os.getloadavg()],
        }
    }  # fmt: skip
    if "yardstick" in given.only:
        sockets = round(3.1 * max(given.tables))
        result["yardstick"] = await measure_yardstick(given.seconds, sockets, given.under_way, folder)
        tell("Yardstick: uvicorn echoes", [result["yardstick"]])
    if "load" in given.only:
        result["loads"] = []
        for kind in given.store:
            for workers in given.workers if kind == "postgresql" else [1]:
                for tables in given.tables:
                    line = await measure_load(kind, workers, tables, given, folder)
                    if "yardstick" in result:
                        line["of_yardstick"] = round(line["actions_per_s"] / result["yardstick"]["echoes_per_s"], 3)
                    result["loads"].append(line)
                    tell("Full speed", [line])
                    tell("Paced", [line["paced"]])
    if "memory" in given.only:
        result["memory"] = await measure_memory(given.idle, given, folder)
        tell("Memory", [result["memory"]])
    if "age" in given.only:
        result["age"] = await measure_age(given, folder)
        tell("Cost by the age of the match", result["age"])
    if "idle" in given.only:
        result["idle"] = await measure_idle(given.idle, given, folder)
        tell("Cost beside idle tables", result["idle"])
    return result


PARTS = ("yardstick", "load", "memory", "age", "idle")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, nargs="+", default=[100, 500, 2000])
    parser.add_argument("--store", nargs="+", choices=("sqlite", "postgresql"), default=["sqlite", "postgresql"])
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2], help="with PostgreSQL")
    parser.add_argument("--seconds", type=float, default=10.0, help="of each measurement")
    parser.add_argument("--under-way", type=int, default=64, help="actions under way at once at full speed")
    parser.add_argument("--rate", type=float, help="actions due per second when paced, instead of 0.7 of full speed")
    parser.add_argument("--idle", type=int, default=1000, help="idle tables, in the parts memory and idle")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--echo", type=int, metavar="PORT", help="be the yardstick")
    given = parser.parse_args()
    if given.echo:
        uvicorn.run(echo, host=HOST, port=given.echo, log_level="warning", ws_per_message_deflate=False)
        return
    folder = Path(tempfile.mkdtemp(prefix=".load-", dir=Path.cwd()))  # /tmp may be memory
    try:
        print(json.dumps(uvloop.run(measure(given, folder)), indent=1))
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
