"""Rubbish: whatever arrives, the server answers or hangs up, nothing at the table changes, and play goes on."""

from __future__ import annotations

import asyncio
import base64
import json
import random
import struct
from contextlib import suppress

import httpx
import pytest
from tests.server.harness import Sailor, ask, audit, crew, soon
from tests.server.launcher import ServerProcess, serving
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from tribord.server.store import connect as connect_store

WRONG = (
    None, True, -1, 16, 2**31, 2**63, 10**400, -(10**30), 0.5, 1e308, "", "0", "x" * 300, "\u0000", "\u202e", "é" * 80,
    [], [[]], {}, {"t": "act"}, [None] * 50, {"": ""}, {"kind": {"kind": []}}, "__class__", "../../etc/passwd",
)  # fmt: skip

# How many commands each player sends before the rubbish comes: the middle of a match, never a whole one.
COMMANDS = {"sauve-qui-peut": 8, "faut-pas-pousser": 6}


class Rubbish:
    """Messages that mustn't change a table: for a guest with a seat, when only acts are possible."""

    def __init__(self, rng: random.Random, guest: int | None, match: dict, done: list[dict]):
        self.rng = rng
        self.guest = guest
        self.seat = guest  # guests sit in order; one without a seat tries another's
        self.match = match
        self.done = done  # this guest's own commands, acknowledged already
        legal = match["legal"].get(str(guest), [])
        self.illegal = [a for a in range(-3, 300) if a not in legal]
        self.kinds = [
            self.noise, self.bits, self.cut, self.flipped, self.wrong_type, self.unknown, self.deep, self.long,
            self.foreign, self.untimely, self.illegal_act, self.said_badly, self.not_an_object, self.surrogate,
            *([self.replayed] if done else []),
        ]  # fmt: skip

    def message(self) -> str | bytes:
        """The next one."""
        return self.rng.choice(self.kinds)()

    def _number(self) -> str:
        return f"rubbish-{self.rng.randrange(10**9)}"

    def noise(self) -> str:
        """Any characters."""
        return "".join(
            chr(self.rng.choice((self.rng.randrange(1, 0xD800), self.rng.randrange(32, 127)))) for _k in range(20)
        )

    def bits(self) -> bytes:
        """A binary message, seldom UTF-8."""
        return self.rng.randbytes(self.rng.randrange(200))

    def foreign_act(self) -> dict:
        """An act that is never allowed: for someone else's seat, with an invalid action."""
        others = [seat for seat in range(16) if seat != self.seat]
        return {"t": "act", "id": self._number(), "seat": self.rng.choice(others), "action": "no such action"}

    def foreign(self) -> str:
        """An action of another seat, perhaps a legal one there."""
        return json.dumps(self.foreign_act() | {"action": self.rng.choice((0, 1, 2, 3, 40, "pick 3"))})

    def cut(self) -> str:
        """JSON that ends too soon."""
        text = json.dumps(self.foreign_act())
        return text[: self.rng.randrange(len(text))]

    def flipped(self) -> str:
        """JSON with some characters exchanged."""
        text = list(json.dumps(self.foreign_act()))
        for _change in range(self.rng.randrange(1, 6)):
            text[self.rng.randrange(len(text))] = chr(self.rng.randrange(1, 256))
        return "".join(text)

    def wrong_type(self) -> str:
        """A command with one wrong field."""
        command = self.rng.choice((
            self.foreign_act(), {"t": "sit", "seat": 0}, {"t": "arrange", "seat": 0, "to": "open"}, {"t": "start"},
            {"t": "swap", "seat": 0, "other": 1}, {"t": "rematch"}, {"t": "reclaim", "seat": 0},
            {"t": "offer", "seat": 15, "offer": {"kind": "promise"}},
        ))  # fmt: skip
        command = {"id": self._number(), **command}
        command[self.rng.choice(sorted(command))] = self.rng.choice(WRONG)
        return json.dumps(command)

    def unknown(self) -> str:
        """A message or a field that doesn't exist."""
        kind = self.rng.choice(("act", "hello", "ack", "update", "sync", "welcome", "ping", "ACT", "", "__init__"))
        return json.dumps(self.foreign_act() | {"t": kind, self.rng.choice(("guest", "by", "secret", "x")): 0})

    def deep(self) -> str:
        """Endless nesting."""
        depth, (opening, closing) = self.rng.randrange(1, 2_000), self.rng.choice((("[", "]"), ('{"a":', "}")))
        inner = opening * depth + "1" + (closing * depth if self.rng.random() < 0.7 else "")
        return self.rng.choice((inner, '{"t":"act","id":"deep","seat":0,"action":{"kind":' + inner + "}}"))[:60_000]

    def long(self) -> str:
        """More than the server accepts."""
        size = self.rng.randrange(8_000, 60_000)
        return self.rng.choice(("x" * size, " " * size, json.dumps(self.foreign_act() | {"action": "x" * size})))

    def not_an_object(self) -> str:
        """JSON, but not a message."""
        return json.dumps(self.rng.choice((*WRONG, [self.foreign_act()])))

    def surrogate(self) -> str:
        """Halves of characters, escaped."""
        half = f"\\ud{self.rng.randrange(0x800, 0x1000):03x}"
        return json.dumps(self.foreign_act() | {"id": "HALF", "action": "HALF"}).replace("HALF", half)

    def untimely(self) -> str:
        """A command that is valid at another time, or for someone else."""
        command = self.rng.choice((
            {"t": "sit", "seat": 1}, {"t": "stand", "seat": 0}, {"t": "ready"}, {"t": "start"}, {"t": "rematch"},
            {"t": "arrange", "seat": 0, "to": "mousse"}, {"t": "swap", "seat": 0, "other": 1},
            {"t": "reclaim", "seat": self.rng.randrange(16)}, {"t": "replace", "seat": self.rng.randrange(3, 16)},
            {"t": "replace", "seat": 1, "rank": "admiral"}, {"t": "undo", "agree": False},
            {"t": "hello", "protocol": 2, "table": "x"}, {"t": "remove", "guest": 0},
            {"t": "sit", "seat": 0, "name": "Anne"}, {"t": "start", "rank": "mousse"}, {"t": "rematch", "start": True},
            {"t": "rename", "seat": 15, "nickname": "me"}, {"t": "consider", "seat": 0, "parts": {"kind": "vote"}},
            {"t": "point", "sort": "pawn", "value": 1},
        ))  # fmt: skip
        return json.dumps({"id": self._number(), **command})

    def illegal_act(self) -> str:
        """An act for one's own seat with an invalid or illegal action, or one for an earlier decision."""
        action = self.rng.choice((
            self.rng.choice(self.illegal), self.rng.choice(WRONG[1:]), {"kind": self.rng.choice(WRONG)},
            {"kind": "vote", "lane": self.rng.choice(WRONG)}, {"crew": self.rng.choice(WRONG), "pirate": []},
        ))  # fmt: skip
        if isinstance(action, str | dict) or action in self.illegal:
            return json.dumps({"t": "act", "id": self._number(), "seat": self.seat or 0, "action": action})
        return json.dumps({"t": "act", "id": self._number(), "seat": self.seat or 0, "action": -1, "version": 0})

    def said_badly(self) -> str:
        """Invalid chat."""
        command = self.rng.choice((
            {"t": "chat"}, {"t": "chat", "line": "x" * 281}, {"t": "chat", "line": "a", "phrase": "hello"},
            {"t": "chat", "phrase": "no such phrase"}, {"t": "chat", "line": "a", "to": [99]},
            {"t": "chat", "line": "\u202e\u0000\u200b"}, {"t": "chat", "line": "a", "to": [0] * 17},
            {"t": "rename", "nickname": "\n\t"}, {"t": "rename", "nickname": "x" * 25},
            {"t": "rename", "nickname": "me", "guest": 98}, {"t": "offer", "seat": self.seat or 0, "offer": {}},
            {"t": "offer", "seat": self.seat or 0, "offer": {"kind": [], "vote": {}, "lane": "1"}},
            {"t": "offer", "seat": self.seat or 0, "offer": {"kind": "promise", "vote": "leak", "lane": True}},
        ))  # fmt: skip
        return json.dumps({"id": self._number(), **command})

    def replayed(self) -> str:
        """A command that was carried out already."""
        return json.dumps(self.rng.choice(self.done))


class Scene:
    """A table in the middle of a match: two guests who play, one who doesn't, and a spectator."""

    def __init__(self, server: ServerProcess):
        self.server = server
        self.sailors: list[Sailor] = []
        self.done: dict[int, list[dict]] = {}

    async def set(self, game: str, seats: list[str]) -> None:
        """Play some moves, then stop."""
        self.sailors = await crew("Anne", [self.server.port], game, seats)
        response = await ask([self.server.port], "POST", f"/api/tables/{self.table}/guests", {"nickname": "Idle"})
        self.secrets = {sailor.guest: sailor.secret for sailor in self.sailors}
        self.secrets |= {response.json()["guest"]: response.json()["secret"], None: None}
        for sailor in self.sailors:
            sailor.most = COMMANDS[game]
        running = [asyncio.ensure_future(sailor.run()) for sailor in self.sailors]
        await soon(lambda: any(len(sailor.acks) == sailor.most for sailor in self.sailors))
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        rows = []
        while rows != (rows := await self.rows()):
            await asyncio.sleep(0.3)
        assert (await ask([self.server.port], "GET", f"/api/tables/{self.table}")).json()["status"] == "playing"
        for row in rows:
            body = json.loads(row.body)
            if row.kind in ("act", "chat") and "id" in body:
                by = body.pop("by")
                self.done.setdefault(by, []).append({"t": row.kind, **body})

    @property
    def table(self) -> str:
        """Its id."""
        return self.sailors[0].table

    async def rows(self) -> list:
        """What the store has of it."""
        store = connect_store(self.server.store)
        await store.open()
        try:
            return await store.read(self.table)
        finally:
            await store.close()

    def connect(self):
        """A new connection."""
        url = f"ws://127.0.0.1:{self.server.port}/socket"
        return connect(url, proxy=None, compression=None, max_queue=None, ping_interval=None)

    async def greet(self, socket, guest: int | None) -> list[dict]:
        """Say hello; returns the sync, in its portions."""
        hello = {"t": "hello", "protocol": 2, "table": self.table, "secret": self.secrets[guest]}
        await socket.send(json.dumps(hello))
        assert json.loads(await socket.recv())["t"] == "welcome"
        portions = [json.loads(await socket.recv())]
        assert portions[0]["t"] == "sync"
        while "table" not in portions[-1]:
            portions.append(json.loads(await socket.recv()))
        return portions

    async def seen(self) -> list[list[dict]]:
        """What every newcomer sees now."""
        found = []
        for guest in self.secrets:
            async with self.connect() as socket:
                found.append(await self.greet(socket, guest))
        return found


async def throw(scene: Scene, guest: int | None, count: int, seed: int) -> None:
    """Send rubbish as a guest; each message is answered once, with a refusal or as done already."""
    async with scene.connect() as socket:
        *_log, sync = await scene.greet(socket, guest)
        rubbish = Rubbish(random.Random(seed), guest, sync["match"], scene.done.get(guest, []))
        for start in range(0, count, 50):
            batch = [rubbish.message() for _message in range(min(50, count - start))]
            for message in batch:
                await socket.send(message)
            for _answer in batch:
                answer = {"t": "presence"}
                while answer["t"] == "presence":
                    answer = json.loads(await asyncio.wait_for(socket.recv(), 20))
                if answer["t"] == "ack":
                    assert answer["id"] in {command["id"] for command in scene.done[guest]}
                else:
                    assert answer["t"] == "refused" and answer["fr"] and answer["en"], answer


async def throw_first(scene: Scene, count: int, seed: int) -> None:
    """Rubbish instead of a hello: refused, and the connection closed."""
    rubbish = Rubbish(random.Random(seed), 0, {"legal": {}}, [])
    hellos = [
        {"t": "hello", "protocol": 1, "table": scene.table}, {"t": "hello", "protocol": 2, "table": "\u0000"},
        {"t": "hello", "protocol": 2, "table": scene.table, "secret": "x"}, {"t": "hello", "protocol": 2, "table": ""},
        {"t": "hello", "protocol": 2, "table": scene.table, "seen": -1}, {"t": "hello", "protocol": 2},
        {"t": "hello", "protocol": 2, "table": scene.table, "secret": "\u0000é"},
    ]  # fmt: skip
    for number in range(count):
        message = json.dumps(rubbish.rng.choice(hellos)) if number % 2 else rubbish.message()
        async with scene.connect() as socket:
            await socket.send(message)
            answer = json.loads(await asyncio.wait_for(socket.recv(), 20))
            assert answer["t"] == "refused", (message, answer)
            with pytest.raises(ConnectionClosed):
                await asyncio.wait_for(socket.recv(), 20)
            assert socket.close_code == 4001


async def throw_frames(scene: Scene, count: int, seed: int) -> None:
    """Not even a WebSocket: raw bytes instead of a request, and broken frames after a good one."""
    rng = random.Random(seed)
    upgrade = (
        f"GET /socket HTTP/1.1\r\nHost: 127.0.0.1:{scene.server.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {base64.b64encode(bytes(16)).decode()}\r\nSec-WebSocket-Version: 13\r\n\r\n"
    ).encode()
    hello = json.dumps({"t": "hello", "protocol": 2, "table": scene.table, "secret": scene.secrets[0]}).encode()
    good = bytes((0x81, 0xFE)) + struct.pack(">H", len(hello)) + bytes(4) + hello
    frames = (
        bytes((0x81, 0x82, 0, 0, 0, 0)) + b"\xff\xfe",  # text that isn't UTF-8
        bytes((0x81, 0x02)) + b"{}",  # not masked
        bytes((0x8B, 0x80, 0, 0, 0, 0)),  # an unknown opcode
        bytes((0xF1, 0x80, 0, 0, 0, 0)),  # reserved bits
        bytes((0x80, 0x80, 0, 0, 0, 0)),  # a continuation of nothing
        bytes((0x81, 0xFF)) + struct.pack(">Q", 2**40) + bytes(4),  # a terabyte is announced
        bytes((0x81, 0xFF)) + struct.pack(">Q", 2**63) + bytes(4),
        bytes((0x88, 0x82, 0, 0, 0, 0)) + struct.pack(">H", 5),  # an unknown close code
        bytes((0x89, 0xFE, 0, 200, 0, 0, 0, 0)) + bytes(200),  # a ping that is too long
        bytes((0x81, 0xFF)) + struct.pack(">Q", 70_000) + bytes(4) + b" " * 70_000,  # beyond the limit
    )
    for _number in range(count):
        reader, writer = await asyncio.open_connection("127.0.0.1", scene.server.port)
        kind = rng.randrange(4)
        writer.write(rng.randbytes(rng.randrange(1, 2_000)) + b"\r\n\r\n" if kind == 0 else upgrade)
        if kind > 1:
            writer.write(good)
        if kind:
            writer.write(rng.choice(frames) if rng.random() < 0.8 else rng.randbytes(rng.randrange(1, 300)))
        if rng.random() < 0.5:
            with suppress(TimeoutError, OSError):
                await asyncio.wait_for(reader.read(), 0.05)
        writer.transport.abort()


@pytest.mark.parametrize("count", [4_000, pytest.param(200_000, marks=pytest.mark.long)])
@pytest.mark.parametrize(
    ("game", "seats"),
    [("sauve-qui-peut", ["me", "open", "open"]), ("faut-pas-pousser", ["me", "open"])],
)
def test_rubbish_changes_nothing(tmp_path, game, seats, count):
    server = ServerProcess(tmp_path, "--limits", 0)
    scene = Scene(server)

    async def prove():
        async with serving(server):
            await scene.set(game, seats)
            rows, seen, pid = await scene.rows(), await scene.seen(), server.pid
            used = []
            for part in range(4):
                for number, guest in enumerate(scene.secrets):
                    await throw(scene, guest, count // 4 // len(scene.secrets), 10 * part + number)
                await throw_first(scene, count // 100, part)
                await throw_frames(scene, count // 400, part)
                used.append(server.memory())
            assert await scene.rows() == rows
            assert await scene.seen() == seen
            assert server.pid == pid and await asyncio.to_thread(server.answers)
            assert max(used[1:]) - used[0] < 8, used
            metrics = (await ask([server.port], "GET", "/metrics")).text
            assert 'tribord_requests_total{status="2' in metrics and 'status="5' not in metrics
            # And everyone plays on: those at the table to the end, and others at a new one.
            for sailor in scene.sailors:
                sailor.most = 1_000_000
            others = await crew("Bart", [server.port], game, seats)
            await asyncio.wait_for(asyncio.gather(*(s.run() for s in (*scene.sailors, *others))), 60)
            assert await audit(server.store, [server.port], (*scene.sailors, *others)) > len(rows)

    asyncio.run(prove())
    assert not server.failures()


def test_nesting_of_any_depth_is_refused(tmp_path):
    server = ServerProcess(tmp_path, "--pace", 0.7, "--limits", 0)
    scene = Scene(server)

    async def prove():
        async with serving(server), httpx.AsyncClient(trust_env=False, verify=False) as client:
            await scene.set("sauve-qui-peut", ["me", "open", "open"])
            rows = await scene.rows()
            async with scene.connect() as socket:
                await scene.greet(socket, 0)
                act = json.dumps({"t": "act", "id": "deep", "seat": 0, "action": {"kind": "DEEP"}})
                new = json.dumps(
                    {"game": "sauve-qui-peut", "nickname": "A", "players": 3, "options": {"first": "DEEP"}}
                )
                for depth in (*range(10, 900, 100), *range(900, 1_030)):
                    nested = "[" * depth + "]" * depth
                    await socket.send(act.replace('"DEEP"', nested))
                    answer = {"t": "presence"}
                    while answer["t"] == "presence":
                        answer = json.loads(await asyncio.wait_for(socket.recv(), 20))
                    assert answer["t"] == "refused", answer
                    url = f"http://127.0.0.1:{server.port}/api/tables"
                    response = await client.post(url, content=new.replace('"DEEP"', nested))
                    assert response.status_code == 422, (depth, response.text)
            assert await scene.rows() == rows

    asyncio.run(prove())
    assert not server.failures()


@pytest.mark.parametrize("message", ["rubbish", "x" * 20_000, b"\xff\x00"], ids=["short", "long", "binary"])
def test_a_client_that_only_sends_rubbish_is_cut_off(tmp_path, message):
    server = ServerProcess(tmp_path, "--pace", 0.7)
    scene = Scene(server)

    async def prove():
        async with serving(server):
            response = await ask([server.port], "POST", "/api/tables", {
                "game": "faut-pas-pousser", "nickname": "Anne", "players": 2,
            })  # fmt: skip
            scene.sailors, scene.secrets = [Sailor("Anne", [server.port], response.json())], {None: None}
            answers = []
            async with scene.connect() as socket:
                await scene.greet(socket, None)
                with pytest.raises(ConnectionClosed):
                    for _message in range(1_000):
                        await socket.send(message)
                        answers.append(json.loads(await asyncio.wait_for(socket.recv(), 10)))
                with pytest.raises(ConnectionClosed):
                    while True:
                        answers.append(json.loads(await asyncio.wait_for(socket.recv(), 10)))
            assert socket.close_code == 4002
            assert (
                answers[-1]["code"] == "too-often" and answers[-1]["limit"] == "rubbish" and answers[-1]["seconds"] > 0
            )
            assert 40 < len(answers) < 100

    asyncio.run(prove())
    assert not server.failures()
