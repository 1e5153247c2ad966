"""Who is here, when people are connected to different workers: told soon, forgotten soon, and the host is not away."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack

import psycopg
import pytest
from tests.server.aboard import Mate, Ship, afloat
from tests.server.launcher import ServerProcess
from tests.server.postgres import database_of_its_own, server_of_its_own  # noqa: F401

from tribord.server import live_table, presence
from tribord.server.presence import LARGEST, PresenceExchange
from tribord.server.store.postgresql import PostgresqlStore


def sail(story: Callable[..., Awaitable[None]], store: object, ships: int = 2) -> None:
    """Tell a story aboard several servers with the same store."""

    async def voyage() -> None:
        async with asyncio.timeout(60), AsyncExitStack() as stack:
            await story(*[await stack.enter_async_context(afloat(store)) for _k in range(ships)])

    asyncio.run(voyage())


async def sees(mate: Mate, guests: list[int], watching: int = 0, within: float = 1.0) -> None:
    """Within this time somebody is told that these are here."""
    async with asyncio.timeout(within):
        await mate.until(lambda m: m["t"] == "presence" and (m["guests"], m["watching"]) == (guests, watching))


async def keeps_seeing(mate: Mate, guests: list[int], seconds: float) -> None:
    """For this time somebody is told of nobody else's presence."""
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(seconds):
            while True:
                message = await mate.hear()
                assert message["t"] != "presence" or message["guests"] == guests, message


async def comes_true(condition: Callable[[], bool]) -> None:
    """Wait until something holds, and a little longer: then it should still hold."""
    async with asyncio.timeout(10):
        while not condition():
            await asyncio.sleep(0.02)
    await asyncio.sleep(0.3)
    assert condition()


def present(ship: Ship, table: str) -> tuple[list[int], int]:
    """Who is at a table, as a worker knows it."""
    return ship.hub.live_tables[table].present()


def spoken(ship: Ship) -> list[str]:
    """From now on, what a worker says."""
    said: list[str] = []
    say = ship.hub.store.say

    async def noting(words: list[str]) -> None:
        said.extend(words)
        await say(words)

    ship.hub.store.say = noting  # type: ignore[method-assign]
    return said


# -- who is here ----------------------------------------------------------------------------------------------------


def test_people_at_two_workers_see_each_other_come_and_go(postgres_url):
    async def story(one: Ship, two: Ship) -> None:
        host = await one.create()
        guest = await two.join(host["table"])
        async with one.mate(host) as anne:
            await sees(anne, [0])
            async with two.mate(guest) as mary:
                await sees(mary, [0, 1])
                await sees(anne, [0, 1])
                async with two.mate({"table": host["table"]}):
                    await sees(anne, [0, 1], watching=1)
                await sees(anne, [0, 1])
                async with one.mate(guest):  # her phone, at the other worker
                    await sees(mary, [0, 1])
                await keeps_seeing(anne, [0, 1], 0.5)
            await sees(anne, [0])
        async with two.mate(guest) as mary:
            await sees(mary, [1])

    sail(story, postgres_url)


def test_three_workers_know_of_each_other_whoever_comes_last(postgres_url):
    async def story(*ships: Ship) -> None:
        host = await ships[0].create()
        guests = [host, await ships[1].join(host["table"]), await ships[2].join(host["table"])]
        async with AsyncExitStack() as stack:
            mates = [await stack.enter_async_context(ship.mate(who)) for ship, who in zip(ships, guests)]
            for mate in mates:
                await sees(mate, [0, 1, 2])
            await mates[2].socket.close()
            for mate in mates[:2]:
                await sees(mate, [0, 1])

    sail(story, postgres_url, 3)


def test_comings_and_goings_at_two_workers_end_in_the_truth(postgres_url):
    """Answers cross with changes: whatever the order, at the end everybody is told the same."""

    async def story(one: Ship, two: Ship) -> None:
        host = await one.create()
        guests = [host] + [await one.join(host["table"]) for _k in range(3)]

        async def flap(number: int, ship: Ship) -> None:
            for k in range(12):
                async with ship.mate(guests[number]):
                    await asyncio.sleep(0.01 * ((number + k) % 5))

        for _round in range(3):
            await asyncio.gather(*[flap(number, ship) for number in range(4) for ship in (one, two)])
            async with one.mate(guests[1]) as mary, two.mate(guests[2]) as jack:
                await comes_true(lambda: all(present(ship, host["table"]) == ([1, 2], 0) for ship in (one, two)))
            await mary.socket.wait_closed()
            await jack.socket.wait_closed()

    sail(story, postgres_url)


def test_a_table_at_one_worker_alone_is_spoken_of_once_and_many_share_a_notification(postgres_url):
    async def story(one: Ship, two: Ship) -> None:
        host = await one.create()
        said = spoken(one)
        guest = await one.join(host["table"])
        async with one.mate(host) as anne:
            for _k in range(5):
                async with one.mate(guest):
                    await sees(anne, [0, 1])
                await sees(anne, [0])
        # Once when the first came, and once when the last had gone.
        await comes_true(lambda: sum(host["table"] in words for words in said) == 2)
        said.clear()
        async with AsyncExitStack() as stack:
            for table in [await one.create() for _k in range(40)]:
                await stack.enter_async_context(one.mate(table))
            one.hub.presence._ask_all()
            await comes_true(lambda: max(words.count('":[[0]') for words in said) == 40)

    sail(story, postgres_url)


def test_no_notification_is_larger_than_the_store_takes():
    lobby = presence.PresenceReport("w", {f"table{k:011}": (list(range(64)), 7, 40, True) for k in range(500)})

    class Full(PresenceExchange):
        def __init__(self) -> None:
            self.worker = "w"
            self.hub = type("Port", (), {"live_tables": {t: _Crowd(e) for t, e in lobby.tables.items()}})()

    notices = list(Full()._notices(dict.fromkeys(lobby.tables, True)))
    assert all(len(words.encode()) < LARGEST + 100 for words in notices) and len(notices) > 10
    told = {table: entry for words in notices for table, entry in presence._decode(words).tables.items()}
    assert told == lobby.tables


class _Crowd:
    def __init__(self, entry: tuple[list[int], int, int, bool]):
        self.here = lambda: entry[:2]
        self.audience = type("Audience", (), {"done": lambda _self: entry[2]})()


def test_with_sqlite_nothing_is_said(tmp_path):
    async def story(ship: Ship) -> None:
        said = spoken(ship)
        host = await ship.create()
        async with ship.mate(host) as anne:
            await sees(anne, [0])
        assert said == [] and ship.hub.presence._waiting == {}

    sail(story, tmp_path / "tables.sqlite3", 1)


# -- workers that fall silent ---------------------------------------------------------------------------------------


def test_a_worker_that_stops_takes_its_guests_along_at_once(postgres_url):
    async def story(one: Ship) -> None:
        host = await one.create()
        guest = await one.join(host["table"])
        async with one.mate(host) as anne:
            async with afloat(postgres_url) as two, two.mate(guest) as mary:
                await sees(mary, [0, 1])
                await sees(anne, [0, 1])
            await sees(anne, [0])

    sail(story, postgres_url, 1)


def test_after_a_lost_connection_workers_ask_again(postgres_url):
    async def story(one: Ship, two: Ship) -> None:
        host = await one.create()
        guest = await two.join(host["table"])
        async with one.mate(host) as anne, two.mate(guest) as mary:
            await sees(mary, [0, 1])
            await sees(anne, [0, 1])
            one.hub.presence.changed = lambda _live: None  # type: ignore[method-assign]
            async with one.mate({"table": host["table"]}):  # this the other worker does not hear
                await sees(anne, [0, 1], watching=1)
                async with await psycopg.AsyncConnection.connect(postgres_url, autocommit=True) as database:
                    await database.execute(
                        b"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                    )
                await sees(mary, [0, 1], watching=1, within=10)
                await comes_true(lambda: all(present(ship, host["table"]) == ([0, 1], 1) for ship in (one, two)))

    sail(story, postgres_url)


def test_a_worker_that_was_silent_for_long_is_forgotten_and_says_everything_again(postgres_url, monkeypatch):
    monkeypatch.setattr(presence, "BEAT_SECONDS", 0.1)
    monkeypatch.setattr(presence, "SILENCE_SECONDS", 0.6)

    async def story(one: Ship, two: Ship) -> None:
        host = await one.create()
        guest = await two.join(host["table"])
        async with one.mate(host) as anne, two.mate(guest) as mary:
            await sees(anne, [0, 1])
            say = two.hub.store.say
            awake = asyncio.Event()

            async def late(words: list[str]) -> None:
                await awake.wait()
                await say(words)

            two.hub.store.say = late  # type: ignore[method-assign]
            await sees(anne, [0], within=3)
            awake.set()
            await sees(anne, [0, 1], within=3)
            await keeps_seeing(mary, [0, 1], 0.5)

    sail(story, postgres_url)


def test_kill_9_of_a_worker_its_guests_are_absent_soon_and_come_back_elsewhere(tmp_path, postgres_url):
    async def story(first: ServerProcess, second: ServerProcess) -> None:
        async with asyncio.timeout(60):
            one, two = (Ship(serving.port, None) for serving in (first, second))  # type: ignore[arg-type]
            host = await one.create()
            guest = await one.join(host["table"])
            async with one.mate(host) as anne:
                async with AsyncExitStack() as stack:
                    mary = await stack.enter_async_context(two.mate(guest))
                    started = time.monotonic()
                    await sees(mary, [0, 1])
                    await sees(anne, [0, 1])
                    assert time.monotonic() - started < 1
                    second.stop(signal.SIGKILL)
                    await sees(anne, [0], within=presence.SILENCE_SECONDS + 2 * presence.BEAT_SECONDS + 1)
                async with one.mate(guest) as mary:
                    await sees(mary, [0, 1])
        assert '"level": "error"' not in first.log.read_text()

    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    with (
        ServerProcess(tmp_path / "one", store=postgres_url) as one,
        ServerProcess(tmp_path / "two", store=postgres_url) as two,
    ):
        asyncio.run(story(one, two))


def test_everybody_at_the_workers_of_one_machine_is_counted(tmp_path, postgres_url):
    async def story(serving: ServerProcess) -> None:
        ship = Ship(serving.port, None)  # type: ignore[arg-type]
        host = await ship.create()
        async with asyncio.timeout(60), AsyncExitStack() as stack:
            watchers = []
            for _k in range(60):  # sockets choose their worker by chance: until each has some
                watchers.append(await stack.enter_async_context(ship.mate({"table": host["table"]})))
                counts = {await sockets(ship) for _ask in range(6)}
                if 0 < min(counts) < len(watchers):
                    break
            assert 0 < min(counts) < len(watchers)
            for mate in watchers:
                await sees(mate, [], watching=len(watchers), within=3)

    with ServerProcess(tmp_path, "--workers", "2", "--limits", "0", store=postgres_url) as serving:
        asyncio.run(story(serving))


async def sockets(ship: Ship) -> int:
    """The open connections of whichever worker answers."""
    lines = (await ship.ask("GET", "/metrics")).text.splitlines()
    return int(float(next(line.split()[1] for line in lines if line.startswith("tribord_sockets "))))


# -- the host -------------------------------------------------------------------------------------------------------


def test_a_host_at_another_worker_is_not_away(postgres_url, monkeypatch):
    async def story(one: Ship, two: Ship) -> None:
        host = await one.create(seats="me open")
        guest = await two.join(host["table"])
        async with two.mate(guest) as mary:
            async with one.mate(host) as anne:
                await mary.must("sit", seat=1)
                await sees(anne, [0, 1])
                monkeypatch.setattr(live_table, "AWAY_SECONDS", 0.0)  # silent for longer than that, and not away
                assert (await mary.do("arrange", seat=0, to="mousse"))["code"] == "not-host"
                monkeypatch.setattr(live_table, "AWAY_SECONDS", 60.0)
            await sees(mary, [1])
            assert (await mary.do("arrange", seat=0, to="mousse"))["code"] == "not-host"  # just gone
            monkeypatch.setattr(live_table, "AWAY_SECONDS", 0.0)
            await mary.must("arrange", seat=0, to="mousse")

    sail(story, postgres_url)


def test_a_player_at_another_worker_is_not_away(postgres_url, monkeypatch):
    async def story(one: Ship, two: Ship) -> None:
        host = await one.create(seats="me open")
        guest = await two.join(host["table"])
        async with one.mate(host) as anne:
            async with two.mate(guest):
                await sees(anne, [0, 1])
                await anne.must("start")
                monkeypatch.setattr(live_table, "AWAY_SECONDS", 0.0)
                assert (await anne.do("replace", seat=1))["code"] == "not-away"
                monkeypatch.setattr(live_table, "AWAY_SECONDS", 60.0)
                one.hub.live_tables[host["table"]].attentive -= 100
                one.hub.live_tables[host["table"]].seen.clear()
            await sees(anne, [0])
            assert (await anne.do("replace", seat=1))["code"] == "not-away"  # just gone, from there
            monkeypatch.setattr(live_table, "AWAY_SECONDS", 0.0)
            await anne.must("replace", seat=1)

    sail(story, postgres_url)


def test_a_worker_that_begins_to_notice_a_table_takes_nobody_for_away(postgres_url):
    async def story(one: Ship, two: Ship) -> None:
        host = await one.create(seats="me open")
        guest = await two.join(host["table"])
        async with one.mate(host):
            live = await two.hub.live(host["table"])
            live.attentive -= 100  # long in memory, and never a word of the host
            live.seen.clear()
            assert live.away(0)
            two.hub.presence.hear, hear = lambda _words: None, two.hub.presence.hear  # type: ignore[method-assign]
            async with two.mate(guest) as mary:
                assert (await mary.do("arrange", seat=0, to="mousse"))["code"] == "not-host"
                two.hub.presence.hear = hear  # type: ignore[method-assign]

    sail(story, postgres_url)


def test_saying_something_leaves_the_connection_as_it_was(postgres_url):
    async def story() -> None:
        store = PostgresqlStore(postgres_url)
        await store.open()
        try:
            async with store._reading.connection() as connection:
                before = await (await connection.execute(b"SHOW synchronous_commit")).fetchone()
            await store.say(["{}"] * 3)
            async with store._reading.connection() as connection:  # the disk is not waited for in that statement alone
                assert await (await connection.execute(b"SHOW synchronous_commit")).fetchone() == before
        finally:
            await store.close()

    asyncio.run(story())
