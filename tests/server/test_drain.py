"""Draining: a worker that has to stop takes nothing new, hands its tables over, and sends everyone on."""

from __future__ import annotations

import asyncio
import os
import signal

import psycopg
from tests.server.aboard import Mate, Ship, afloat
from tests.server.harness import soon
from tests.server.launcher import ServerProcess, serving
from tests.server.postgres import database_of_its_own, server_of_its_own  # noqa: F401
from websockets.asyncio.client import connect

from tribord.client import Client
from tribord.server import live_table


def test_a_server_told_to_stop_is_not_ready_and_takes_no_new_tables_while_the_others_go_on(tmp_path):
    server = ServerProcess(tmp_path, "--limits", 0, "--drain", 600)

    async def play() -> None:
        async with serving(server):
            ship = Ship(server.port, None)
            host = await ship.create()
            assert (await ship.ask("GET", "/readyz")).status_code == 200
            async with ship.mate(host) as anne:
                server.process.send_signal(signal.SIGTERM)
                ready = await ship.ask("GET", "/readyz")
                while ready.status_code == 200:  # the signal is still on its way
                    ready = await ship.ask("GET", "/readyz")
                assert (ready.status_code, ready.json()["code"]) == (503, "restarting")
                assert (await ship.ask("GET", "/healthz")).status_code == 200
                new = {"game": "ile-aux-pirates", "nickname": "Anne", "players": 2}
                for path, body in (("/api/tables", new), ("/api/matches", {})):
                    refused = await ship.ask("POST", path, json=body)
                    assert (refused.status_code, refused.json()["code"]) == (503, "restarting")
                    assert (refused.headers["retry-after"], refused.headers["connection"]) == ("1", "close")
                    assert refused.json()["fr"] != refused.json()["en"]
                await ship.join(host["table"])
                await anne.must("chat", line="Still here")
                server.process.send_signal(signal.SIGTERM)  # at once
                await anne.closed()
            assert server.process.wait(30) is not None

    asyncio.run(play())


def test_a_refused_table_is_asked_for_again_and_another_worker_takes_it(tmp_path, monkeypatch):
    async def story() -> None:
        async with asyncio.timeout(60), afloat(tmp_path / "tables.sqlite3") as ship:
            asked: list[int] = []
            check = ship.hub.check_taking

            def busy() -> None:  # as if the third time another worker answered
                asked.append(1)
                ship.hub.draining = len(asked) < 3
                check()

            monkeypatch.setattr(ship.hub, "check_taking", busy)
            client = await Client.create(ship.url, "ile-aux-pirates", "Anne", 2)
            assert (len(asked), len(client.id)) == (3, 16)

    asyncio.run(story())


def test_ctrl_c_lets_workers_drain_too(tmp_path, postgres_url):
    """Each gets the signal directly, and again from its parent: that isn't a second signal."""
    server = ServerProcess(tmp_path, "--limits", 0, "--workers", 2, "--drain", 3, store=postgres_url)

    async def play() -> None:
        async with serving(server):
            ship = Ship(server.port, None)
            host = await ship.create()
            async with ship.mate(host) as anne:
                os.killpg(server.pid, signal.SIGINT)
                assert await anne.closed() == live_table.GOING
            server.process.wait(30)

    asyncio.run(play())


def test_a_worker_that_drains_is_home_to_nothing_before_its_sockets_are_closed(postgres_url):
    """Nobody waits until its lease has run out."""

    def leases() -> list[str]:
        with psycopg.connect(postgres_url) as database:
            return [line[0] for line in database.execute("SELECT id FROM worker").fetchall()]

    async def story() -> None:
        async with asyncio.timeout(60), afloat(postgres_url) as one, afloat(postgres_url) as two:
            host = await one.create(seats="me open")
            guest = await two.join(host["table"])
            async with one.mate(host) as anne, two.mate(guest) as mary:  # she is relayed to the first
                assert len(one.hub.live_tables[host["table"]].sockets) == 2
                said = await anne.must("chat", line="Ahoy")
                leaving = asyncio.ensure_future(one.hub.farewell())
                await asyncio.wait({socket.ending for socket in one.hub.live_tables[host["table"]].sockets})
                assert leases() == [two.hub.store.worker]
                await leaving
                assert await anne.closed() == await mary.closed() == live_table.GOING
            async with two.mate(host, seen=said["v"]) as anne, two.mate(guest) as mary:
                assert anne.heard[0]["home"] == f"//127.0.0.1:{two.port}/"
                await anne.must("chat", line="Here we are")
                await mary.until(lambda message: message.get("said") == {"line": "Here we are"})
                assert two.hub.live_tables[host["table"]].elsewhere is None

    asyncio.run(story())


def test_a_worker_that_drains_ends_also_the_sockets_that_it_carries(postgres_url):
    async def story() -> None:
        async with asyncio.timeout(60), afloat(postgres_url) as one, afloat(postgres_url) as two:
            host = await one.create()
            async with two.mate(host) as anne, one.mate(host) as again:
                await two.hub.farewell()
                assert await anne.closed() == live_table.GOING
                await again.must("chat", line="I’m still here")
            async with connect(f"ws://127.0.0.1:{two.port}/socket", compression=None) as late:
                await Mate(late).say({"t": "hello", "protocol": 2, "table": host["table"], "secret": host["secret"]})
                assert await Mate(late).closed() == live_table.GOING

    asyncio.run(story())


def test_bots_stop_at_a_worker_that_drains_and_play_on_at_another(postgres_url, monkeypatch):
    monkeypatch.setenv("TRIBORD_INTERPRETED", "1")

    async def story() -> None:
        async with asyncio.timeout(60), afloat(postgres_url, pace=0.05) as one, afloat(postgres_url) as two:
            host = await one.create("walk-the-plank", "mousse mousse mousse")
            async with one.mate(host) as anne:
                await anne.must("start")
                await anne.until(lambda message: message.get("kind") == "act")
                live = one.hub.live_tables[host["table"]]
                await one.hub.farewell()
                await soon(lambda: live.bots is None)
                assert live.table.status == "playing"
            async with two.mate(host) as anne:
                await anne.until(lambda message: bool((anne.match or {}).get("outcome")))

    asyncio.run(story())
