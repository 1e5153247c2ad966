"""People who do not give up: what the tests that prove the table server share.

A `Sailor` plays at a table over a socket: it comes back by itself, sends again under the same id what was not
acknowledged, and notes whatever contradicts the protocol. `audit` compares what sailors were told with what the store
has kept.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tribord.core.journal import audit_content
from tribord.core.record import CHANCE
from tribord.server import store as stores
from tribord.server.store import Row

PATIENCE = 30.0  # seconds after which a player counts as stuck
SILENCE = 4.0  # seconds of silence after which a sailor looks whether the line is dead


async def ask(ports: list[int], method: str, path: str, body: Any = None, **headers: str) -> httpx.Response:
    """Ask any of the servers over HTTP, until one answers."""
    until = time.monotonic() + PATIENCE
    async with httpx.AsyncClient(trust_env=False, verify=False, timeout=10) as client:
        for attempt in range(10_000):
            url = f"http://127.0.0.1:{ports[attempt % len(ports)]}{path}"
            with suppress(httpx.TransportError):
                response = await client.request(method, url, json=body, headers=headers)
                if response.status_code != 503:
                    return response
            assert time.monotonic() < until, f"nobody answers {method} {path}"
            await asyncio.sleep(0.05)
    raise AssertionError


class Sailor:
    """A player who keeps playing, whatever happens to the server. Violations of the protocol go into `faults`."""

    def __init__(self, name: str, ports: list[int], credentials: dict[str, Any], seed: int = 0):
        self.name = name
        self.ports = ports
        self.table: str = credentials["table"]
        self.guest: int = credentials["guest"]
        self.secret: str = credentials["secret"]
        self.rng = random.Random(f"{name} {seed}")
        self.host = self  # the player to follow from table to table
        self.resting = True  # a host's: no rematch after this match
        self.talks = True
        self.most = 1_000_000  # commands, then only listen
        self.thinks = 0.0  # seconds before a command, on average
        self.alone = True  # the only one with this secret: then no legal action is ever refused
        self.faults: list[str] = []
        self.acks: dict[tuple[str, str], int] = {}  # table and id of what was acknowledged → version
        self.told: dict[tuple[str, int], tuple[str, int | None, float]] = {}  # table and version → kind, by, at
        self.sent: set[tuple[str, str]] = set()
        self.resent = self.connections = 0
        self.latencies: list[tuple[float, float]] = []  # when, seconds
        self.socket: ClientConnection | None = None
        self._numbers = 0
        self._arrive()

    def _arrive(self) -> None:
        """At a table of which nothing is known yet."""
        self.version: int | None = None
        self.info: dict[str, Any] = {}
        self.match: dict[str, Any] | None = None
        self.pending: dict[str, Any] | None = None
        self._since = 0.0
        self._silence = 0.0  # when nothing had been heard for long

    @property
    def over(self) -> bool:
        """Whether the match is over, and no other follows."""
        if self.pending or self.info.get("status") != "over" or self.info["rematch"]:
            return False
        return self.resting if self.host is self else self.host.over and self.host.table == self.table

    async def run(self) -> Sailor:
        """Play until the last match is over."""
        attempt = self.rng.randrange(len(self.ports))
        while not self.over:
            with suppress(OSError, ConnectionClosed, InvalidHandshake, EOFError, TimeoutError):
                url = f"ws://127.0.0.1:{self.ports[attempt % len(self.ports)]}/socket"
                async with connect(url, proxy=None, open_timeout=5, close_timeout=1, compression=None) as self.socket:
                    await self._converse(self.socket)
            attempt += 1
            await asyncio.sleep(self.rng.uniform(0.02, 0.15))
        return self

    async def _converse(self, socket: ClientConnection) -> None:
        self.connections += 1
        table = self.table
        hello = {"t": "hello", "protocol": 2, "table": table, "secret": self.secret, "seen": self.version}
        await socket.send(json.dumps(hello))
        if self.pending:
            self.resent += 1
            await socket.send(json.dumps(self.pending))
        while not self.over and self.table == table:
            try:
                async with asyncio.timeout(SILENCE):
                    message = json.loads(await socket.recv())
            except TimeoutError:  # coming back tells whether something was kept back
                self._silence = time.time()
                return
            if message.get("code") == "store-gone":  # perhaps it was done: the same once more
                return
            self.hear(message)
            self._silence = 0.0
            if not self.pending and self.table == table and message["t"] != "welcome" and (command := self.next()):
                self._numbers += 1
                self.pending = {"id": f"{self.name}-{self._numbers}", **command}
                self.sent.add((table, self.pending["id"]))
                await asyncio.sleep(self.rng.uniform(0, 2 * self.thinks))
                self._since = time.monotonic()
                await socket.send(json.dumps(self.pending))

    # -- hearing ----------------------------------------------------------------------------------------------------

    def hear(self, message: dict[str, Any]) -> None:
        """Take in a message."""
        getattr(self, "_hear_" + message["t"], lambda _message: None)(message)

    def _hear_welcome(self, message: dict[str, Any]) -> None:
        if message["guest"] != self.guest:
            self.fault(f"taken for guest {message['guest']}")

    def _hear_update(self, message: dict[str, Any]) -> None:
        if message["v"] != (self.version or 0) + 1:
            self.fault(f"version {message['v']} after {self.version}")
        self._note(message["v"], message)
        self.info = message.get("table") or self.info
        self.match = message.get("match") or self.match
        if (self.table, message.get("id")) in self.sent:  # else it was sent from another device
            self._hear_ack(message)

    def _hear_sync(self, message: dict[str, Any]) -> None:
        self._caught_up(message, message["log"])

    def _hear_gap(self, message: dict[str, Any]) -> None:
        if self.version is None or len(message["missed"]) != message["v"] - self.version:
            self.fault(f"{len(message['missed'])} missed between {self.version} and {message['v']}")
        self._caught_up(message, message["missed"])

    def _caught_up(self, message: dict[str, Any], told: list[dict[str, Any]]) -> None:
        if message["v"] < (self.version or 0):
            self.fault(f"version {message['v']} after {self.version}: something told was lost")
        if self._silence and self.version is not None:
            for happened in told[len(told) - (message["v"] - self.version) :]:
                if happened["at"] < self._silence - SILENCE / 2:
                    self.fault(f"nobody told of {happened['kind']} at {happened['at']}, noticed at {self._silence}")
        for back, happened in enumerate(reversed(told)):
            self._note(message["v"] - back, happened)
        self.info, self.match = message.get("table", {}), message.get("match")  # only the last portion has them

    def _note(self, version: int, message: dict[str, Any]) -> None:
        self.version = max(version, self.version or 0)
        told = (message["kind"], message.get("by"), message["at"])
        if self.told.setdefault((self.table, version), told) != told:
            self.fault(f"version {version} was {self.told[self.table, version]}, now {told}")

    def _hear_ack(self, message: dict[str, Any]) -> None:
        if (self.table, message["id"]) not in self.sent:
            self.fault(f"an acknowledgement of nothing: {message}")
        known = self.acks.setdefault((self.table, message["id"]), message["v"])
        if known != message["v"]:
            self.fault(f"{message['id']} led to version {known}, now to {message['v']}")
        if self.pending and message["id"] == self.pending["id"]:
            self.latencies.append((time.monotonic(), time.monotonic() - self._since))
            self.pending = None

    def _hear_refused(self, message: dict[str, Any]) -> None:
        if self.pending and message.get("id") == self.pending["id"]:
            if self.alone:
                self.fault(f"{self.pending} was refused: {message['en']}")
            self.pending = None

    def fault(self, what: str) -> None:
        """Note what must not be."""
        self.faults.append(f"{self.name} at {self.table}: {what}")

    # -- deciding ---------------------------------------------------------------------------------------------------

    def next(self) -> dict[str, Any] | None:
        """What to do now, if anything."""
        if not self.info or len(self.sent) >= self.most:
            return None
        status, seats = self.info["status"], self.info["seats"]
        own = [s for s in seats if s["guest"] == self.guest]
        if status == "open":
            if self.guest != 0:
                return None if all(s["ready"] for s in own) else {"t": "ready"}
            ready = all(s["guest"] in (None, 0) or s["ready"] for s in seats)
            return {"t": "start"} if ready and all(s["guest"] is not None or s["rank"] for s in seats) else None
        if status == "over":
            if self.info["rematch"]:
                self.table = self.info["rematch"]
                self._arrive()
            elif self.guest == 0 and not self.resting:
                return {"t": "rematch"}
            return None
        return self._act() if self.match else None

    def _act(self) -> dict[str, Any] | None:
        assert self.match is not None
        if not self.match["legal"]:
            return None
        if self.talks and self.rng.random() < 0.05:
            to = self.rng.choice([None, [0], [self.guest]])
            return {"t": "chat", "line": f"says {self.name}", **({"to": to} if to else {})}
        seat = self.rng.choice(sorted(self.match["legal"]))
        action = self.rng.choice(self.match["legal"][seat])
        return {"t": "act", "seat": int(seat), "action": action, "version": self.match["version"]}


async def crew(name: str, ports: list[int], game: str, seats: list[str], seed: int = 0) -> list[Sailor]:
    """A new table with its host and a guest on every open seat, all ready to run."""
    new = {"game": game, "nickname": name, "players": len(seats), "seats": seats}
    response = await ask(ports, "POST", "/api/tables", new)
    assert response.status_code == 201, response.text
    host = response.json()
    sailors = [Sailor(f"{name}0", ports, host, seed)]
    for seat, kind in enumerate(seats):
        if kind == "open":
            path = f"/api/tables/{host['table']}/guests"
            guest = (await ask(ports, "POST", path, {"nickname": f"{name}{seat}"})).json()
            sailors.append(Sailor(f"{name}{seat}", ports, guest, seed))
            sailors[-1].host = sailors[0]
            await once(sailors[-1], {"t": "sit", "seat": seat})
    return sailors


async def once(sailor: Sailor, command: dict[str, Any]) -> None:
    """Let a sailor do one thing, and wait until it is acknowledged."""
    sailor.pending = {"id": f"{sailor.name}-{command['t']}", **command}
    sailor.sent.add((sailor.table, sailor.pending["id"]))
    decide, sailor.next = sailor.next, lambda: None  # type: ignore[method-assign]
    running = asyncio.ensure_future(sailor.run())
    try:
        await soon(lambda: sailor.pending is None)
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        sailor.next = decide  # type: ignore[method-assign]


async def soon(condition: Callable[[], Any], seconds: float = PATIENCE) -> None:
    """Wait until something holds; fails when it does not in time."""
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "waited in vain"
        await asyncio.sleep(0.01)


async def audit(address: str, ports: list[int], sailors: Iterable[Sailor]) -> int:
    """Hold what sailors were told against the store and the match files; returns how many rows there were.

    Rows are without a gap, what was acknowledged is there once and at the version that was said, nothing is there
    twice, everything that was told stands in the journal, and the file of a finished match verifies and has its acts.
    """
    sailors = list(sailors)
    faults = [fault for sailor in sailors for fault in sailor.faults]
    assert not faults, "\n".join(faults[:20])
    store = stores.connect(address)
    await store.open()
    count = 0
    try:
        crews: dict[str, set[Sailor]] = {}
        for sailor in sailors:
            for table, _version in sailor.told:
                crews.setdefault(table, set()).add(sailor)
        for table, people in crews.items():
            rows = await store.read(table)
            count += len(rows)
            assert [row.seq for row in rows] == list(range(len(rows)))
            ids = [(body["by"], body["id"]) for row in rows if "id" in (body := json.loads(row.body))]
            assert len(set(ids)) == len(ids), "something was done twice"
            for sailor in people:
                _hold_against(rows, sailor, table)
            entry = await store.index_entry(table)
            assert entry is not None
            if entry.status == "over":
                _hold_match_against(rows, (await ask(ports, "GET", f"/api/tables/{table}/match")).json())
    finally:
        await store.close()
    return count


def _hold_against(rows: list[Row], sailor: Sailor, table: str) -> None:
    """What a sailor was told and had acknowledged at a table stands in its rows, at the same versions."""
    told = {version: what for (where, version), what in sailor.told.items() if where == table}
    acks = {command: version for (where, command), version in sailor.acks.items() if where == table}
    kept: dict[int, tuple[str, int | None, float]] = {}
    done: dict[str, int] = {}
    for row in rows:
        body = json.loads(row.body)
        if sailor.guest in body.get("to", [sailor.guest]):
            version = len(kept) + 1
            kept[version] = (row.kind, body.get("by"), row.at)
            if body.get("by") == sailor.guest and "id" in body:
                done[body["id"]] = version
    assert {version: kept.get(version) for version in told} == told, "something told was lost"
    assert {command: done.get(command) for command in acks} == acks, "something acknowledged was lost"
    assert all((table, command) in sailor.sent for command in done), "something was done that nobody asked"


def _hold_match_against(rows: list[Row], file: dict[str, Any]) -> None:
    """The match file verifies, and is what the rows say; a branch begins with what the original's rows say."""
    match, problems = audit_content(file, Path("match file"))
    assert not problems and match.over
    acts = [(body["seat"], body["action"]) for row in rows if row.kind == "act" and (body := json.loads(row.body))]
    own = match.journal[match.branched :]
    assert acts == [(entry.seat, match.game.notation(entry.action)) for entry in own if entry.seat != CHANCE]
