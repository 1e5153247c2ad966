"""Presence across workers: announced soon, forgotten soon, and the host isn't away."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack

import pytest
from tests.server.aboard import Mate, Ship, afloat
from tests.server.postgres import database_of_its_own, server_of_its_own  # noqa: F401

from tribord.server import live_table


def sail(story: Callable[..., Awaitable[None]], store: object, ships: int = 2) -> None:
    """Run a story on several servers with the same store."""

    async def voyage() -> None:
        async with asyncio.timeout(60), AsyncExitStack() as stack:
            await story(*[await stack.enter_async_context(afloat(store)) for _k in range(ships)])

    asyncio.run(voyage())


async def sees(mate: Mate, guests: list[int], watching: int = 0, within: float = 1.0) -> None:
    """Within this time a client learns that these are here."""
    async with asyncio.timeout(within):
        await mate.until(lambda m: m["t"] == "presence" and (m["guests"], m["watching"]) == (guests, watching))


async def keeps_seeing(mate: Mate, guests: list[int], seconds: float) -> None:
    """During this time a client learns of nobody else's presence."""
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


def test_three_workers_know_of_each_other_in_any_order(postgres_url):
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
    """However fast they come and go at both workers, at the end everyone gets the same."""

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
                await comes_true(lambda: present(one, host["table"]) == ([1, 2], 0))
            await mary.socket.wait_closed()
            await jack.socket.wait_closed()

    sail(story, postgres_url)


# -- workers that go -------------------------------------------------------------------------------------------------


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


async def sockets(ship: Ship) -> int:
    """The open connections of the worker that answers."""
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
