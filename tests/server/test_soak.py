"""Soak: many tables for a while, with people who don't read, come and go, or sit down twice. Nobody gets stuck."""

from __future__ import annotations

import asyncio
import json
import random
import socket
import statistics
import time
from contextlib import suppress
from itertools import pairwise

import pytest
from tests.server.harness import PATIENCE, Sailor, ask, audit, crew
from tests.server.launcher import ServerProcess, serving
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

TABLES = (
    ("faut-pas-pousser", ["me", "mousse", "open"]),
    ("sauve-qui-peut", ["me", "mousse", "mousse"]),
    ("walk-the-plank", ["me", "open", "mousse"]),
    ("ile-aux-pirates", ["me", "mousse"]),
)
OPTIONS = ("--pace", 0.7, "--limits", 0)


class Soak:
    """A house full of tables."""

    def __init__(self, server: ServerProcess, seed: int):
        self.server = server
        self.rng = random.Random(seed)
        self.sailors: list[Sailor] = []
        self.nuisances: list[asyncio.Task[None]] = []
        self.memory: list[tuple[float, float]] = []  # when, MB

    async def warm_up(self) -> None:
        """A match of every game: then the bots are compiled, if they are to be."""
        people = [
            sailor
            for number, (game, seats) in enumerate(TABLES)
            for sailor in await crew(f"w{number}-", [self.server.port], game, seats)
        ]
        await asyncio.gather(*(sailor.run() for sailor in people))

    async def fill(self, tables: int) -> None:
        """Open the tables; at three of five someone is difficult."""
        for start in range(0, tables, 10):
            await asyncio.gather(*(self._open(number) for number in range(start, min(start + 10, tables))))

    async def _open(self, number: int) -> None:
        game, seats = TABLES[number % len(TABLES)]
        people = await crew(f"t{number}-", [self.server.port], game, seats, number)
        host = people[0]
        host.resting = False
        if number % 5 == 0:
            self._annoy(self._never_reads(host.table))
        elif number % 5 == 1:
            self._annoy(self._flaps(people[-1]))
        elif number % 5 == 2:
            people.append(_twin(host))
        self.sailors += people

    def _annoy(self, work) -> None:
        self.nuisances.append(asyncio.ensure_future(work))

    async def _never_reads(self, table: str) -> None:
        """Watches a table and reads nothing; comes back when cut off."""
        while True:
            with suppress(OSError, ConnectionClosed, InvalidHandshake, TimeoutError):
                async with unread(self.server.port) as idle:
                    await idle.send(json.dumps({"t": "hello", "protocol": 2, "table": table}))
                    await idle.wait_closed()
            await asyncio.sleep(1)

    async def _flaps(self, sailor: Sailor) -> None:
        """A player's connection keeps breaking, also in the middle of a command."""
        while True:
            await asyncio.sleep(self.rng.uniform(0.1, 2.0))
            if sailor.socket is not None:
                sailor.socket.transport.abort()

    async def play(self, seconds: float) -> None:
        """Let everyone play for this long."""
        for sailor in self.sailors:
            sailor.thinks = 1.0
        running = [asyncio.ensure_future(sailor.run()) for sailor in self.sailors]
        until = time.monotonic() + seconds
        try:
            while time.monotonic() < until:
                await asyncio.sleep(1)
                self.memory.append((time.monotonic(), self.server.memory()))
        finally:
            for task in (*running, *self.nuisances):
                task.cancel()
            await asyncio.gather(*running, *self.nuisances, return_exceptions=True)

    def latencies(self, begin: float, end: float) -> list[float]:
        """The seconds from command to acknowledgement, for those acknowledged between two moments, sorted."""
        return sorted(seconds for s in self.sailors for when, seconds in s.latencies if begin <= when < end)

    def longest_silence(self, begin: float, end: float) -> float:
        """The longest time without an event at any table: players may wait long, tables never do."""
        since = time.time() - time.monotonic()  # updates have the time of day
        silences = []
        for sailor in self.sailors:
            told = sorted(at - since for _kind, _by, at in sailor.told.values())
            moments = [begin, *(at for at in told if begin <= at < end), end]
            silences.append(max(later - earlier for earlier, later in pairwise(moments)))
        return max(silences)


def _twin(host: Sailor) -> Sailor:
    """The same guest a second time, on another device; both play, and one of them is always too late."""
    twin = Sailor(f"{host.name}twin", host.ports, {"table": host.table, "guest": host.guest, "secret": host.secret})
    twin.host, twin.sent = host, host.sent
    host.alone = twin.alone = False
    return twin


def unread(port: int):
    """A connection with almost no room for unread bytes."""
    narrow = socket.socket()
    narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    narrow.connect(("127.0.0.1", port))
    narrow.setblocking(False)
    return connect(
        f"ws://127.0.0.1:{port}/socket", sock=narrow, proxy=None, max_queue=1, ping_interval=None, close_timeout=0.1
    )


@pytest.mark.parametrize(("tables", "seconds"), [(40, 15), pytest.param(300, 600, marks=pytest.mark.long)])
def test_a_full_house_stays_quick_and_small(tmp_path, tables, seconds):
    many = tables > 100  # then bots are compiled, as they usually are
    server = ServerProcess(tmp_path, *OPTIONS, compiled=many)
    soak = Soak(server, seed=tables)

    async def prove():
        async with serving(server):
            if many:
                await soak.warm_up()
            await soak.fill(tables)
            await soak.play(seconds)
            rows = await audit(server.store, [server.port], soak.sailors)
            assert rows > tables * seconds / 10

    asyncio.run(prove())
    begin, end = soak.memory[0][0], soak.memory[-1][0]
    third = (end - begin) / 3
    early, late = soak.latencies(begin, begin + third), soak.latencies(end - third, end)
    figures = {
        "acknowledged": sum(len(sailor.latencies) for sailor in soak.sailors),
        "ms, first third and last": [round(1000 * statistics.median(part), 1) for part in (early, late)],
        "ms, 99 of 100": [round(1000 * part[int(0.99 * len(part))], 1) for part in (early, late)],
        "MB": [round(soak.memory[int(k * (len(soak.memory) - 1))][1], 1) for k in (0, 1 / 3, 2 / 3, 1)],
        "seconds of silence": round(soak.longest_silence(begin, end), 1),
        "connections": sum(sailor.connections for sailor in soak.sailors),
        "sent again": sum(sailor.resent for sailor in soak.sailors),
    }
    print(figures)
    assert not server.failures()
    assert statistics.median(late) < 3 * statistics.median(early) + 0.1, figures
    assert late[int(0.99 * len(late))] < 2, figures
    assert soak.longest_silence(begin, end) < PATIENCE / 2, figures
    # An abandoned table leaves memory after a minute: by then there are as many new ones as old ones.
    settled = soak.memory[min(len(soak.memory) // 2, 90)][1]
    assert soak.memory[-1][1] < 1.1 * settled + 10, figures


def test_a_client_that_does_not_read_is_cut_off(tmp_path):
    server = ServerProcess(tmp_path, *OPTIONS)

    async def happen(busy: ClientConnection, count: int) -> None:
        """This many updates of some kilobytes each, for everyone at the table."""
        for start in range(0, count, 50):
            for number in range(start, start + 50):
                await busy.send(json.dumps({"t": "rename", "id": f"{number}", "nickname": f"Anne {number}"}))
            acks = 0
            while acks < 50:
                acks += "id" in json.loads(await busy.recv())

    async def sockets() -> int:
        metrics = (await ask([server.port], "GET", "/metrics")).text
        return int(metrics.split("\ntribord_sockets ")[1].split()[0])

    async def prove():
        async with serving(server):
            new = {"game": "faut-pas-pousser", "nickname": "Anne", "players": 2}
            host = (await ask([server.port], "POST", "/api/tables", new)).json()
            for number in range(50):
                await ask([server.port], "POST", f"/api/tables/{host['table']}/guests", {"nickname": f"Bart {number}"})
            hello = {"t": "hello", "protocol": 2, "table": host["table"]}
            url = f"ws://127.0.0.1:{server.port}/socket"
            async with (
                unread(server.port) as one, unread(server.port) as two, connect(url, proxy=None) as busy
            ):  # fmt: skip
                for who, key in ((one, None), (two, host["secret"]), (busy, host["secret"])):
                    await who.send(json.dumps(hello | {"secret": key}))
                await happen(busy, 100)
                assert await sockets() == 3
                before = server.memory()
                await happen(busy, 2_000)
                assert await sockets() == 1  # readers stay
                assert server.memory() < before + 10

    asyncio.run(prove())
    assert not server.failures()
