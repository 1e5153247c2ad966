"""Homes: one worker folds a table and serves its sockets; any other relays them there, and takes over when it dies."""

from __future__ import annotations

import asyncio
import json
import signal
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from typing import Any
from urllib.parse import urljoin, urlsplit

import httpx
import psycopg
import pytest
from tests.server.aboard import Mate, Ship, afloat
from tests.server.launcher import ServerProcess
from tests.server.postgres import database_of_its_own, server_of_its_own  # noqa: F401
from tests.server.store.test_store import fill
from websockets.asyncio.client import connect

from tribord.client import Client
from tribord.server import lease, own_port, relay
from tribord.server.live_table import LiveTable
from tribord.server.store import Home
from tribord.server.store import connect as store_at
from tribord.server.table import Table


def sail(story: Callable[..., Awaitable[None]], store: object, ships: int = 2, **settings: Any) -> None:
    """Run a story on several servers with the same store."""

    async def voyage() -> None:
        async with asyncio.timeout(60), AsyncExitStack() as stack:
            await story(*[await stack.enter_async_context(afloat(store, **settings)) for _k in range(ships)])

    asyncio.run(voyage())


def homes(url: str) -> dict[str, str]:
    """The home of every table, as the store has it."""
    with psycopg.connect(url) as database:
        return dict(database.execute("SELECT table_id, home FROM entry").fetchall())


# -- one home -------------------------------------------------------------------------------------------------------


def test_a_table_is_folded_by_its_home_alone_wherever_its_people_connect(postgres_url):
    async def story(one: Ship, two: Ship) -> None:
        host = await one.create(seats="me open")
        guest = await two.join(host["table"])
        async with two.mate(guest) as mary, one.mate(host) as anne:
            await mary.must("sit", seat=1)
            await mary.must("ready")
            await anne.must("start")
            assert homes(postgres_url) == {host["table"]: one.hub.store.worker}
            assert len(one.hub.live_tables[host["table"]].sockets) == 2
            copy = two.hub.live_tables.get(host["table"])
            assert copy is None or (copy.elsewhere is not None and not copy.sockets)

    sail(story, postgres_url)


def test_credentials_description_and_welcome_have_the_way_to_the_home(postgres_url):
    async def story(one: Ship, two: Ship) -> None:
        host = await one.create()
        there = f"//127.0.0.1:{one.port}/"
        assert host["home"] == there
        assert (await two.join(host["table"]))["home"] == there
        assert (await two.ask("GET", f"/api/tables/{host['table']}")).json()["home"] == there
        async with two.mate(host) as anne:
            assert anne.heard[0]["home"] == there

    sail(story, postgres_url)


@pytest.mark.skipif(not own_port.SPREADS, reason="this system doesn't spread connections")
def test_tables_are_spread_over_all_workers_of_a_machine(tmp_path, postgres_url):
    new = {"game": "faut-pas-pousser", "nickname": "Anne", "players": 2}
    with ServerProcess(tmp_path, "--workers", 3, "--limits", 0, store=postgres_url) as server:
        until = time.monotonic() + 60
        while len(set(homes(postgres_url).values())) < 3:  # they don't all start at once
            assert time.monotonic() < until, homes(postgres_url)
            httpx.post(f"{server.url}/api/tables", json=new, trust_env=False).raise_for_status()
        known = set(homes(postgres_url))
        for _table in range(90):
            httpx.post(f"{server.url}/api/tables", json=new, trust_env=False).raise_for_status()
        shares = Counter(home for table, home in homes(postgres_url).items() if table not in known)
    assert len(shares) == 3 and min(shares.values()) >= 6, shares  # one in fifteen: less happens once in a million


def test_a_proxys_path_leads_to_the_home(postgres_url):
    async def story(one: Ship) -> None:
        host = await one.create()
        assert host["home"] == f"/home/{one.port}/"
        assert urljoin("https://play.example/", host["home"]) == f"https://play.example/home/{one.port}/"

    sail(story, postgres_url, 1, homes="/home/{port}/")


def test_with_sqlite_the_home_is_where_one_is(tmp_path):
    async def story(one: Ship) -> None:
        host = await one.create()
        assert host["home"] is None
        async with one.mate(host) as anne:
            assert anne.heard[0]["home"] is None

    sail(story, tmp_path / "tables.sqlite3", 1)


def test_rows_of_other_tables_reach_nobody(postgres_url):
    async def story(one: Ship, two: Ship) -> None:
        heard: list[str] = []
        for ship in (one, two):
            ship.hub._heard = lambda table, *_row: heard.append(table)  # too late for the listener, which has its own
        with psycopg.connect(postgres_url, autocommit=True) as database:
            for ship in (one, two):
                database.execute(f"LISTEN tribord_{ship.hub.store.worker}")
            host = await one.create(seats="me mousse")
            async with one.mate(host) as anne:
                await anne.must("start")
                await anne.play()
            assert list(database.notifies(timeout=0.5)) == []
            await two.join(host["table"])
            assert [n.payload.split("\n")[1] for n in database.notifies(timeout=5, stop_after=1)] == [host["table"]]

    sail(story, postgres_url)


def test_a_stranger_who_claims_to_be_a_worker_is_not_believed(postgres_url):
    async def story(one: Ship) -> None:
        host = await one.create()
        forged = {"x-tribord-relayed": "0123456789abcdef 203.0.113.9 elsewhere.example:80"}
        url = f"ws://127.0.0.1:{one.port}/socket"
        async with connect(url, additional_headers=forged, compression=None, proxy=None) as socket:
            hello = {"t": "hello", "protocol": 2, "table": host["table"], "secret": host["secret"]}
            await socket.send(json.dumps(hello))
            assert json.loads(await socket.recv())["home"] == f"//127.0.0.1:{one.port}/"

    sail(story, postgres_url, 1)


# -- a home that goes -----------------------------------------------------------------------------------------------


def test_a_home_that_stops_leaves_its_tables_to_the_others_at_once(postgres_url):
    async def story(one: Ship) -> None:
        async with afloat(postgres_url) as two:
            host = await two.create(seats="me mousse")
            async with two.mate(host) as anne:
                await anne.must("start")
        began = time.monotonic()
        async with one.mate(host) as anne:
            assert anne.match
        assert time.monotonic() - began < lease.LEASE_SECONDS
        assert homes(postgres_url) == {host["table"]: one.hub.store.worker}

    sail(story, postgres_url, 1)


def test_a_worker_that_stood_still_loses_its_tables_and_lets_their_sockets_go(postgres_url, monkeypatch):
    monkeypatch.setattr(lease, "LEASE_SECONDS", 0.5)
    monkeypatch.setattr(lease, "RENEWAL_SECONDS", 0.1)

    async def story(one: Ship, two: Ship) -> None:
        renew, asleep = one.hub.store.renew, True

        async def sleepily(worker: Home, seconds: float) -> bool:
            return True if asleep else await renew(worker, seconds)

        host = await one.create(seats="me mousse")
        async with one.mate(host) as anne:
            await anne.must("start")
            one.hub.store.renew = sleepily  # type: ignore[method-assign]
            await asyncio.sleep(0.8)
            async with two.mate(host) as again:
                assert again.match
                assert homes(postgres_url) == {host["table"]: two.hub.store.worker}
                asleep = False
                assert await anne.closed() == 1001
            async with one.mate(host) as back:  # clients that come back to it are relayed to the new home
                assert back.match
            assert homes(postgres_url) == {host["table"]: two.hub.store.worker}

    sail(story, postgres_url)


def awaken(ship: Ship, monkeypatch: pytest.MonkeyPatch) -> tuple[asyncio.Event, list[bool]]:
    """Keep a worker from renewing its lease until the event is set; and what the renewals find from then on."""
    awake, found, renew = asyncio.Event(), [], ship.hub.store.renew

    async def renewed(worker: Home, seconds: float) -> bool:
        await awake.wait()
        found.append(await renew(worker, seconds))
        return found[-1]

    monkeypatch.setattr(ship.hub.store, "renew", renewed)
    return awake, found


def run_out(url: str, ship: Ship) -> None:
    """End the lease of a worker that doesn't renew it."""
    with psycopg.connect(url, autocommit=True) as database:
        past = "UPDATE worker SET until = clock_timestamp() - interval '1 second' WHERE id = %s"
        database.execute(past, (ship.hub.store.worker,))


def test_a_worker_that_stood_still_notices_a_takeover_that_is_through_only_after_its_renewal(postgres_url, monkeypatch):
    monkeypatch.setattr(lease, "RENEWAL_SECONDS", 0.1)

    async def story(one: Ship, two: Ship) -> None:
        host = await one.create(seats="me open")
        awake, found = awaken(one, monkeypatch)
        async with one.mate(host) as anne, await psycopg.AsyncConnection.connect(postgres_url) as writing:
            await asyncio.sleep(0.2)  # what was under way is over
            await asyncio.to_thread(run_out, postgres_url, one)
            await writing.execute("SELECT FROM entry FOR UPDATE")  # as the worker itself does in a commit
            claim = asyncio.create_task(two.hub.store.home(host["table"]))
            while not (await (await writing.execute("SELECT 1 FROM pg_locks WHERE NOT granted")).fetchall()):
                await asyncio.sleep(0.01)
            awake.set()
            while len(found) < 4:
                await asyncio.sleep(0.01)
            await writing.commit()
            assert await claim is None and not found[0]
            assert await anne.closed() == 1001
            live = one.hub.live_tables[host["table"]]
            assert live.elsewhere is not None and live.elsewhere.id == two.hub.store.worker
        async with one.mate(host), two.mate(await two.join(host["table"])) as mary:
            await mary.until(lambda message: message["t"] == "presence" and message["guests"] == [0, 1])

    sail(story, postgres_url)


def test_a_worker_of_thousands_of_tables_that_stood_still_keeps_its_lease_from_then_on(postgres_url, monkeypatch):
    monkeypatch.setattr(lease, "LEASE_SECONDS", 1.0)
    monkeypatch.setattr(lease, "RENEWAL_SECONDS", 0.1)

    async def story(one: Ship, two: Ship) -> None:
        names, live_tables = [f"t{number}" for number in range(5_000)], one.hub.live_tables
        await asyncio.gather(*(fill(one.hub.store, name, public=False) for name in names))
        live_tables |= {name: LiveTable(Table(name)) for name in names}
        awake, found = awaken(one, monkeypatch)
        await asyncio.sleep(0.2)
        await asyncio.to_thread(run_out, postgres_url, one)
        assert await two.hub.store.home("t7") is await two.hub.store.home("t4000") is None
        awake.set()
        while len(found) < 12 or not live_tables["t4000"].elsewhere:
            await asyncio.sleep(0.02)
        assert found == [False] + [True] * (len(found) - 1)
        assert {name for name, live in live_tables.items() if live.elsewhere} == {"t7", "t4000"}

    sail(story, postgres_url)


def test_kill_9_of_a_home_its_tables_answer_elsewhere_within_five_seconds(tmp_path, postgres_url):
    async def story(first: ServerProcess, second: ServerProcess) -> None:
        async with asyncio.timeout(60):
            one, two = (Ship(serving.port, None) for serving in (first, second))  # type: ignore[arg-type]
            tables = [await one.create(seats="me mousse") for _k in range(5)]
            for host in tables:
                async with one.mate(host) as anne:
                    await anne.must("start")
            first.stop(signal.SIGKILL)
            began = time.monotonic()

            async def answered(host: dict[str, Any]) -> float:
                async with two.mate(host) as anne:
                    legal = await _my_turn(anne)
                    await anne.must("act", seat=0, action=legal[0])
                return time.monotonic() - began

            waits = await asyncio.gather(*map(answered, tables))
            assert max(waits) < 5, waits

    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    with (
        ServerProcess(tmp_path / "one", store=postgres_url) as one,
        ServerProcess(tmp_path / "two", store=postgres_url) as two,
    ):
        asyncio.run(story(one, two))


def test_clients_relayed_to_a_home_that_hangs_are_sent_on_to_another(tmp_path, postgres_url, monkeypatch):
    monkeypatch.setattr(relay, "PING_SECONDS", 0.5)

    async def story(home: ServerProcess) -> None:
        async with asyncio.timeout(60), afloat(postgres_url) as two:
            host = await Ship(home.port, None).create(seats="me mousse")  # type: ignore[arg-type]
            async with two.mate(host) as anne:
                await anne.must("start")
                home.process.send_signal(signal.SIGSTOP)
                assert await anne.closed() == 1001
            async with two.mate(host) as anne:
                await anne.must("act", seat=0, action=(await _my_turn(anne))[0])
            assert homes(postgres_url) == {host["table"]: two.hub.store.worker}

    with ServerProcess(tmp_path, store=postgres_url) as home:
        asyncio.run(story(home))


async def _my_turn(mate: Mate) -> list[int]:
    while not (mate.match and mate.match["legal"].get("0")):
        await mate.hear()
    return list(mate.match["legal"]["0"])


def test_a_database_clock_set_back_keeps_no_table_with_a_dead_home(postgres_url):
    async def story(one: Ship) -> None:
        async with afloat(postgres_url) as gone:
            host = await gone.create(seats="me mousse")
        with psycopg.connect(postgres_url, autocommit=True) as database:  # as if it had died before the clock was set
            database.execute(
                "INSERT INTO worker VALUES (%s, '127.0.0.1:9', '/', now() + interval '1 hour')",
                (gone.hub.store.worker,),
            )
        assert homes(postgres_url) == {host["table"]: gone.hub.store.worker}
        async with one.mate(host) as anne:
            await anne.must("start")
        assert homes(postgres_url) == {host["table"]: one.hub.store.worker}

    sail(story, postgres_url, 1)


# -- several workers on one machine ---------------------------------------------------------------------------------


def test_each_worker_has_a_port_of_its_own_and_is_reached_there(tmp_path, postgres_url):
    async def story(serving: ServerProcess) -> None:
        found: dict[int, dict[str, Any]] = {}
        async with asyncio.timeout(60):
            while len(found) < 2:  # they don't start at once
                for port in range(serving.port + 1, serving.port + 5):  # two of these are the workers' own
                    with suppress(httpx.ConnectError):
                        host = await Ship(port, None).create(seats="me mousse")  # type: ignore[arg-type]
                        assert urlsplit(host["home"]).port == port
                        found[port] = host
            assert len(found) == 2
            for port, host in found.items():
                async with Ship(port, None).mate(host) as anne:  # type: ignore[arg-type]
                    await anne.must("start")
                    await _my_turn(anne)
                async with Client(serving.url, host["table"], host["secret"]) as client:  # learns the address
                    assert client.home == host["home"]

    with ServerProcess(tmp_path, "--workers", "2", "--limits", "0", store=postgres_url) as serving:
        asyncio.run(story(serving))


def test_a_client_without_its_home_asks_any_worker(postgres_url):
    async def story(one: Ship) -> None:
        host = await one.create(seats="me mousse")
        async with Client(one.url, host["table"], host["secret"], home="//127.0.0.1:9/") as client:
            assert client.home == f"//127.0.0.1:{one.port}/"

    sail(story, postgres_url, 1)


# -- the store ------------------------------------------------------------------------------------------------------


def test_of_many_workers_that_claim_a_table_at_once_one_is_its_home(postgres_url):
    async def story() -> None:
        async with afloat(postgres_url) as gone:
            host = await gone.create()
        stores = [store_at(postgres_url) for _k in range(6)]
        try:
            for number, store in enumerate(stores):
                await store.open()
                await store.renew(Home(store.worker, f"127.0.0.1:{number + 1}", "/"), 10)
            found = await asyncio.gather(*(store.home(host["table"]) for store in stores))
            (winner,) = [store for store, home in zip(stores, found) if home is None]
            assert all(home is None or home.id == winner.worker for home in found)
        finally:
            for store in stores:
                await store.close()

    asyncio.run(story())
