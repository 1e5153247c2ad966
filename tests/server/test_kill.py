"""kill -9 under play: nothing acknowledged is lost or done twice, and everyone plays on by themselves."""

import asyncio
import os
import random
import signal
from contextlib import suppress
from pathlib import Path

import pytest
from tests.server.aboard import Ship
from tests.server.harness import PATIENCE, Sailor, audit, crew, soon
from tests.server.launcher import ServerProcess, serving
from tests.server.postgres import database_of_its_own, server_of_its_own  # noqa: F401
from websockets.exceptions import ConnectionClosed

TABLES = {  # at each table two or three people and a bot, or bots for some
    "faut-pas-pousser": ["me", "open", "mousse"],
    "sauve-qui-peut": ["me", "open", "open", "mousse"],
    "walk-the-plank": ["me", "mousse", "open"],
    "ile-aux-pirates": ["open", "me", "mousse"],
}
OPTIONS = ("--pace", 0, "--limits", 0)
MARGIN = 5  # seconds more that a busy machine may take


async def play_under_kills(servers, kills, kill, seed):
    """Play at all tables and kill a process again and again. At the end all finish their matches."""
    rng, ports = random.Random(seed), [server.port for server in servers]
    sailors: list[Sailor] = []
    for number, (game, seats) in enumerate(TABLES.items()):
        sailors += await crew(f"c{number}", ports, game, seats, seed)
    for sailor in sailors:
        sailor.resting = False
    running = [asyncio.ensure_future(sailor.run()) for sailor in sailors]

    def acknowledged():
        """The progress of each sailor; a sailor that failed fails the test at once."""
        return [len(sailor.acks) for sailor, task in zip(sailors, running) if not task.done() or task.result()]

    try:
        for _kill in range(kills):
            before = sum(acknowledged())
            await soon(lambda before=before: sum(acknowledged()) > before + 20)
            await asyncio.sleep(rng.uniform(0, 0.2))
            await soon(lambda: any(sailor.pending for sailor in sailors))  # so that someone has to send again
            await kill(rng)
        before = acknowledged()
        await soon(lambda: all(now > then + 2 for now, then in zip(acknowledged(), before)))
        for sailor in sailors:
            sailor.resting = True
        await asyncio.wait_for(asyncio.gather(*running), 2 * PATIENCE)
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
    return sailors


async def prove(servers, store, kills, kill):
    """Play under kills, then compare everything with the store."""
    sailors = await play_under_kills(servers, kills, kill, kills)
    rows = await audit(store, [server.port for server in servers], sailors)
    assert rows > 20 * kills
    assert all(sailor.connections > 1 for sailor in sailors)
    assert sum(sailor.resent for sailor in sailors) > 0


@pytest.mark.parametrize("kills", [6, pytest.param(120, marks=pytest.mark.long)])
def test_kill_9_of_the_server_on_sqlite(tmp_path, kills):
    store = str(tmp_path / "tables.sqlite3")
    server = ServerProcess(tmp_path, *OPTIONS, store=store)

    async def kill(rng):
        server.kill()
        await asyncio.to_thread(server.start)

    async def play():
        async with serving(server):
            await prove([server], store, kills, kill)

    asyncio.run(play())
    assert not server.failures()


def writer_of(server):
    """The process that writes the store of a server."""
    children = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
    (found,) = [pid for pid in children if b"sqlite_writer_process" in Path(f"/proc/{pid}/cmdline").read_bytes()]
    return int(found)


def test_kill_9_of_an_idle_writer_process_costs_one_try_at_most(tmp_path):
    server = ServerProcess(tmp_path, *OPTIONS)

    async def play():
        async with serving(server):
            ship = Ship(server.port, None)
            host = await ship.create("walk-the-plank", "me mousse mousse")
            async with ship.mate(host) as anne:
                await anne.must("chat", line="one")
                writer = writer_of(server)
                os.kill(writer, signal.SIGKILL)
                await soon(lambda: not Path(f"/proc/{writer}").exists())  # the server has noticed
                await anne.must("chat", line="two")
                os.kill(writer_of(server), signal.SIGKILL)  # now it may not have
                answer = await anne.do("chat", line="three")
                assert answer["t"] == "update" or answer["code"] == "store-gone"
                await anne.must("chat", line="four")
                assert (await ship.ask("GET", "/readyz")).status_code == 200

    asyncio.run(play())


def test_a_writer_process_that_hangs_makes_the_server_unready_and_not_dead(tmp_path):
    server = ServerProcess(tmp_path, *OPTIONS)

    async def play():
        async with serving(server):
            ship = Ship(server.port, None)
            await ship.create()
            writer = writer_of(server)
            os.kill(writer, signal.SIGSTOP)
            assert (await ship.ask("GET", "/readyz")).status_code == 503
            assert (await ship.ask("GET", "/healthz")).status_code == 200
            os.kill(writer, signal.SIGCONT)
            assert (await ship.ask("GET", "/readyz")).status_code == 200

    asyncio.run(play())


@pytest.mark.parametrize("kills", [4, pytest.param(100, marks=pytest.mark.long)])
def test_kill_9_of_one_machine_of_two_on_postgresql(tmp_path, postgres_url, kills):
    servers = [ServerProcess(tmp_path, *OPTIONS, store=postgres_url) for _machine in range(2)]

    async def kill(rng):
        victim = rng.choice(servers)
        victim.kill()
        await asyncio.sleep(rng.uniform(0, 0.5))
        await asyncio.to_thread(victim.start)

    async def play():
        async with serving(*servers):
            await prove(servers, postgres_url, kills, kill)

    asyncio.run(play())
    assert not [failure for server in servers for failure in server.failures()]


@pytest.mark.parametrize("kills", [3, pytest.param(100, marks=pytest.mark.long)])
def test_kill_9_of_one_worker_of_two_on_postgresql(tmp_path, postgres_url, kills):
    server = ServerProcess(tmp_path, *OPTIONS, "--workers", 2, store=postgres_url)

    async def kill(rng):
        os.kill(rng.choice(server.workers()), signal.SIGKILL)
        await soon(lambda: len(server.workers()) == 2)

    async def play():
        async with serving(server):
            await prove([server], postgres_url, kills, kill)

    asyncio.run(play())
    assert not server.failures()


@pytest.mark.parametrize("stops", [1, pytest.param(20, marks=pytest.mark.long)])
def test_a_machine_that_hangs_under_load_leaves_its_tables_to_the_other_on_postgresql(tmp_path, postgres_url, stops):
    """A hung process keeps its connections to the database, with whatever they hold."""
    servers = [ServerProcess(tmp_path, *OPTIONS, store=postgres_url) for _machine in range(2)]

    async def stop(rng):
        hung, other = rng.sample(servers, 2)
        tables = [await Ship(hung.port, None).create(seats="me open") for _table in range(8)]
        talking = [asyncio.ensure_future(talk(Ship(hung.port, None), host)) for host in tables]
        await asyncio.sleep(rng.uniform(0.2, 0.4))
        os.kill(hung.pid, signal.SIGSTOP)
        began = asyncio.get_running_loop().time()
        waits = await asyncio.gather(*(taken_over(Ship(other.port, None), host, began) for host in tables))
        os.kill(hung.pid, signal.SIGCONT)
        for said in talking:
            said.cancel()
        await asyncio.gather(*talking, return_exceptions=True)
        assert max(waits) < 5 + MARGIN, waits

    async def talk(ship, host):
        async with ship.mate(host) as anne:
            while True:
                await anne.must("chat", line="Ohé")

    async def taken_over(ship, host, began):
        """Seconds until a command at this table is carried out."""
        while True:
            with suppress(ConnectionClosed):
                async with ship.mate(host) as anne:
                    if (await anne.do("chat", line="Where were we?"))["t"] == "update":
                        return asyncio.get_running_loop().time() - began

    async def play():
        async with serving(*servers):
            await prove(servers, postgres_url, stops, stop)

    asyncio.run(play())
    assert not [failure for server in servers for failure in server.failures()]


@pytest.mark.parametrize("restarts", [1, pytest.param(10, marks=pytest.mark.long)])
def test_a_rolling_restart_of_all_workers_on_postgresql(tmp_path, postgres_url, restarts):
    server = ServerProcess(tmp_path, *OPTIONS, "--workers", 3, store=postgres_url)

    async def restart(_rng):
        before = set(server.workers())
        os.kill(server.pid, signal.SIGHUP)
        await soon(lambda: len(now := set(server.workers())) == 3 and not now & before, 120)

    async def play():
        async with serving(server):
            await prove([server], postgres_url, restarts, restart)

    asyncio.run(play())
    assert not server.failures()
