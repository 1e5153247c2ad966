"""Bans: the operator closes the server to an address, or a table to everyone, and every worker follows in seconds."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from tests.server.aboard import Mate, Ship, afloat
from tests.server.harness import soon
from tests.server.launcher import ServerProcess, serving
from tests.server.postgres import database_of_its_own, server_of_its_own  # noqa: F401
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from tribord.cli import main
from tribord.server import ban, scheduler
from tribord.server.limit import network
from tribord.server.store import Ban

TROUBLE, NEIGHBOUR = "203.0.113.5", "203.0.113.6"


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers in the test's own loop look often."""
    monkeypatch.setattr(ban, "LOOK_SECONDS", 0.05)
    monkeypatch.setenv("TRIBORD_INTERPRETED", "1")


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty store of each kind."""
    return str(tmp_path / "t.sqlite3") if request.param == "sqlite" else request.getfixturevalue("postgres_url")


def sail(story: Callable[..., Awaitable[None]], store: object, ships: int = 1, **settings: Any) -> None:
    """Run a story on several servers with the same store."""

    async def voyage() -> None:
        async with asyncio.timeout(60), AsyncExitStack() as stack:
            await story(*[await stack.enter_async_context(afloat(store, **settings)) for _k in range(ships)])

    asyncio.run(voyage())


async def command(*words: str) -> int:
    """A command of the operator."""
    return await asyncio.to_thread(main, list(words))


@asynccontextmanager
async def coming(ship: Ship, credentials: dict[str, Any], address: str) -> AsyncIterator[Mate]:
    """A client behind a proxy that forwards its address."""
    headers = {"x-forwarded-for": address}
    async with connect(
        f"ws://127.0.0.1:{ship.port}/socket", compression=None, additional_headers=headers, proxy=None
    ) as socket:
        mate = Mate(socket)
        hello = {"t": "hello", "protocol": 2, "table": credentials["table"], "secret": credentials["secret"]}
        with suppress(ConnectionClosed):  # it was refused before a word was said
            await mate.say(hello)
        yield mate


def told(mate: Mate) -> list[str]:
    """The codes of the refusals that a client got."""
    return [message["code"] for message in mate.heard if message["t"] == "refused"]


def test_a_banned_address_is_cut_off_at_every_worker_also_after_a_restart(tmp_path, postgres_url):
    """Real processes: the ban comes from a third."""
    servers = [ServerProcess(tmp_path, "--proxy", "127.0.0.1", store=postgres_url) for _worker in range(2)]

    async def story() -> None:
        async with asyncio.timeout(150), serving(*servers):
            ships = [Ship(server.port, None) for server in servers]
            host = await ships[0].create()
            guest = await ships[1].join(host["table"])
            async with (
                coming(ships[0], host, NEIGHBOUR) as anne,
                coming(ships[0], guest, TROUBLE) as mary,
                coming(ships[1], guest, TROUBLE) as carried,
            ):
                for mate in (anne, mary, carried):
                    await mate.until(lambda message: message["t"] == "sync")
                assert await command("ban", TROUBLE, "--store", postgres_url) == 0
                assert await mary.closed() == await carried.closed() == 4001
                assert told(mary) == told(carried) == ["banned"]
                await anne.must("chat", line="Still here")
            for server in servers:
                await asyncio.to_thread(server.stop)
                await asyncio.to_thread(server.start)
            for ship in ships:
                async with coming(ship, guest, TROUBLE) as mary:
                    assert await mary.closed() == 4001
                    assert told(mary) == ["banned"]
                refused = await ship.ask("GET", "/api/games", headers={"x-forwarded-for": TROUBLE})
                assert (refused.status_code, refused.json()["code"]) == (403, "banned")
                assert refused.json()["fr"].startswith("Ce serveur est fermé")
                # The page still loads, to show the reason.
                assert (await ship.ask("GET", "/", headers={"x-forwarded-for": TROUBLE})).status_code == 200
                neighbour = await ship.ask("GET", "/api/games", headers={"x-forwarded-for": NEIGHBOUR})
                assert neighbour.status_code == 200
            assert await command("unban", TROUBLE, "--store", postgres_url) == 0
            for ship in ships:
                while (await ship.ask("GET", "/api/games", headers={"x-forwarded-for": TROUBLE})).status_code != 200:
                    await asyncio.sleep(0.1)  # until that worker has looked
                async with coming(ship, guest, TROUBLE) as mary:
                    await mary.until(lambda message: message["t"] == "sync")

    asyncio.run(story())
    assert not [failure for server in servers for failure in server.failures()]


@pytest.mark.parametrize("target", [TROUBLE, "the table"])
def test_a_ban_that_comes_while_someone_connects_holds_for_them_too(tmp_path, target):
    """They were let in when the ban wasn't there, and had no table yet when it was enforced."""

    async def story(ship: Ship) -> None:
        host = await ship.create()
        banned = host["table"] if target == "the table" else target
        live = await ship.hub.live(host["table"])
        async with live.lock, coming(ship, host, TROUBLE) as anne:
            await soon(lambda: len(live.lock._waiters or ()) == 1)
            assert await command("ban", banned, "--store", str(tmp_path / "t.sqlite3")) == 0
            await soon(lambda: ship.hub.bans.holds(banned))
            live.lock.release()
            try:
                assert await anne.closed() == 4001
            finally:
                await live.lock.acquire()
        assert told(anne) == ["closed" if target == "the table" else "banned"] and not live.sockets

    sail(story, tmp_path / "t.sqlite3")


def test_a_page_of_a_named_origin_can_read_that_its_address_is_banned(store):
    async def story(ship: Ship) -> None:
        await ship.hub.store.ban(Ban("127.0.0.1", time.time()))
        await ship.hub.bans.look()
        for method, path in (("GET", "/api/games"), ("POST", "/api/tables")):
            refused = await ship.ask(method, path, headers={"origin": "https://friend.example"})
            assert (refused.status_code, refused.json()["code"]) == (403, "banned")
            assert refused.headers["access-control-allow-origin"] == "https://friend.example"
            assert "content-security-policy" in refused.headers
            foreign = await ship.ask(method, path, headers={"origin": "https://evil.example"})
            assert "access-control-allow-origin" not in foreign.headers and foreign.status_code == 403

    sail(story, store, origins=("https://friend.example",))


def test_of_an_ipv6_address_the_network_is_banned(store):
    async def story(ship: Ship) -> None:
        host = await ship.create()
        async with coming(ship, host, "2001:db8:1:2::5") as anne, coming(ship, host, "2001:db8:1:3::5") as neighbour:
            for mate in (anne, neighbour):
                await mate.until(lambda message: message["t"] == "sync")
            assert await command("ban", "2001:db8:1:2:ffff::9", "--store", store) == 0
            assert await anne.closed() == 4001
            await neighbour.must("chat", line="Still here")
        answer = await ship.ask("GET", "/api/tables", headers={"x-forwarded-for": "2001:db8:1:2:aaaa::1"})
        assert answer.json()["code"] == "banned"

    sail(story, store)


def test_an_ipv4_address_in_ipv6s_clothes_is_the_same_address():
    assert network("::ffff:203.0.113.5") == network("203.0.113.5") == "203.0.113.5"
    assert network("2001:DB8:1:2::5") == "2001:db8:1:2::/64"


def test_a_closed_table_is_closed_to_everyone_and_its_bots_rest(store):
    async def story(ship: Ship) -> None:
        host = await ship.create("walk-the-plank", "mousse mousse mousse")
        other = await ship.create(public=True)
        public = await ship.create(public=True)
        async with ship.mate(host) as anne, ship.mate(other) as mary:
            await anne.must("start")
            live = ship.hub.live_tables[host["table"]]
            assert await command("ban", host["code"], "--store", store) == 0
            assert await command("ban", public["table"], "--for", "1h", "--store", store) == 0
            assert await anne.closed() == 4001
            assert told(anne) == ["closed"]
            await soon(lambda: live.bots is None)
            assert live.table.status == "playing"
            await mary.must("chat", line="Still here")
        for name in (host["table"], host["code"]):
            refused = await ship.ask("GET", f"/api/tables/{name}")
            assert (refused.status_code, refused.json()["code"]) == (403, "closed")
            assert "a fermé cette table" in refused.json()["fr"]
        listed = (await ship.ask("GET", "/api/tables")).json()["tables"]
        assert [table["id"] for table in listed] == [other["table"]]
        assert await command("unban", host["table"], "--store", store) == 0
        await soon(lambda: not ship.hub.bans.holds(host["table"]))
        ship.hub.scheduler.pace = 0
        async with ship.mate(host) as anne:  # and the bots play on
            await anne.until(lambda message: bool((anne.match or {}).get("outcome")))

    sail(story, store, pace=5)  # so that the match isn't over before the ban is there


def test_a_closed_table_is_not_woken_by_its_bots(tmp_path, monkeypatch):
    async def story(ship: Ship) -> None:
        host = await ship.create("walk-the-plank", "mousse mousse mousse")
        async with ship.mate(host) as anne:
            await anne.must("start")
            assert await command("ban", host["table"], "--store", str(tmp_path / "t.sqlite3")) == 0
            assert await anne.closed() == 4001
        del ship.hub.live_tables[host["table"]]
        with monkeypatch.context() as patch:
            patch.setattr(scheduler, "SWEEP_SECONDS", -60.0)  # everything due has been due for long
            await ship.hub.scheduler._wake()
            assert host["table"] not in ship.hub.live_tables
            assert await command("unban", host["table"], "--store", str(tmp_path / "t.sqlite3")) == 0
            await soon(lambda: not ship.hub.bans.known)
            await ship.hub.scheduler._wake()
            assert host["table"] in ship.hub.live_tables

    sail(story, tmp_path / "t.sqlite3", pace=5)


def test_a_ban_runs_out():
    assert Ban("203.0.113.5", 0.0).holds(1e12)
    assert Ban("203.0.113.5", 0.0, until=100.0).holds(99.0)
    assert not Ban("203.0.113.5", 0.0, until=100.0).holds(100.0)


def test_a_ban_that_has_run_out_lets_people_in_before_anybody_looks_again(tmp_path, monkeypatch):
    async def story(ship: Ship) -> None:
        assert await command("ban", TROUBLE, "--for", "1h", "--store", str(tmp_path / "t.sqlite3")) == 0
        await soon(lambda: ship.hub.bans.holds(TROUBLE))
        monkeypatch.setattr(ship.hub.bans, "known", {TROUBLE: Ban(TROUBLE, 0.0, until=1.0)})
        ship.hub.bans.check_address(TROUBLE)

    sail(story, tmp_path / "t.sqlite3")
