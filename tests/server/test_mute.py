"""Muting: the host mutes and unmutes a guest, who plays on and is told."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from tests.server.aboard import Ship, afloat


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is compiled for these."""
    monkeypatch.setenv("TRIBORD_INTERPRETED", "1")


def sail(story: Callable[[Ship], Awaitable[None]], store: object, **settings: Any) -> None:
    """Run a story on a server of its own."""

    async def voyage() -> None:
        async with asyncio.timeout(60), afloat(store, **settings) as ship:
            await story(ship)

    asyncio.run(voyage())


async def leaves(ship: Ship, host: dict[str, Any]) -> None:
    """The host goes away, long enough for others to have the host's powers."""
    live = ship.hub.live_tables[host["table"]]
    while 0 in live.present()[0]:  # their connection may still be closing
        await asyncio.sleep(0.01)
    live.attentive -= 1000
    live.seen.pop(0, None)


def muted(table: dict[str, Any]) -> list[int]:
    """The guests who may not speak."""
    return [guest["guest"] for guest in table["guests"] if guest["muted"]]


def test_a_muted_guest_plays_on_and_says_nothing(tmp_path):
    async def story(ship: Ship) -> None:
        host = await ship.create("ile-aux-pirates", "me open")
        guest = await ship.join(host["table"])
        async with ship.mate(host) as anne, ship.mate(guest) as mary:
            await anne.must("mute", guest=1)
            heard = await mary.until(lambda message: message.get("kind") == "mute")
            assert muted(heard["table"]) == [1]
            assert heard["said"]["en"] == "The host has muted Mary."
            for what, fields in (
                ("chat", {"line": "Hear me"}), ("chat", {"phrase": "boo"}), ("rename", {"nickname": "HEAR ME"}),
                ("sit", {"seat": 1, "name": "HEAR ME"}),
            ):  # fmt: skip
                refused = await mary.do(what, **fields)
                assert refused["code"] == "muted", what
                assert refused["fr"].startswith("L’hôte vous a coupé la parole")
            await anne.must("start")
            await mary.say({"t": "point", "id": "g1", "sort": "square", "value": 7})
            assert (await mary.until(lambda message: message.get("id") == "g1"))["code"] == "muted"
            await asyncio.gather(anne.play(), mary.play())
            await anne.must("mute", guest=1, muted=False)
            await mary.must("chat", line="Thank you")
            assert muted(anne.table) == []

    sail(story, tmp_path / "t.sqlite3")


def test_who_stands_in_for_the_host_names_nobody_while_muted(tmp_path):
    async def story(ship: Ship) -> None:
        host = await ship.create(seats="me open open")
        guest = await ship.join(host["table"])
        async with ship.mate(host) as anne:
            await anne.must("mute", guest=1)
        async with ship.mate(guest) as mary:
            await leaves(ship, host)
            for to in ("me", "mousse"):
                assert (await mary.do("arrange", seat=2, to=to, name="HEAR ME"))["code"] == "muted"
            await mary.must("arrange", seat=2, to="me")

    sail(story, tmp_path / "t.sqlite3")


def test_only_the_host_mutes_and_nobody_mutes_the_host(tmp_path, monkeypatch):
    async def story(ship: Ship) -> None:
        host = await ship.create(seats="me open open")
        guests = [await ship.join(host["table"]) for _k in range(2)]
        async with ship.mate(guests[0]) as mary:
            await leaves(ship, host)
            await mary.must("arrange", seat=2, to="mousse")
            assert (await mary.do("mute", guest=2))["code"] == "not-host"
        async with ship.mate(host) as anne:
            assert (await anne.do("mute", guest=0))["code"] == "yourself"
            assert (await anne.do("mute", guest=9))["code"] == "no-such-guest"

    sail(story, tmp_path / "t.sqlite3")


def test_muted_stays_muted_after_a_restart_and_at_the_rematch(tmp_path):
    async def first(ship: Ship) -> dict[str, Any]:
        host = await ship.create("ile-aux-pirates", "me open")
        guest = await ship.join(host["table"])
        async with ship.mate(host) as anne:
            await anne.must("mute", guest=1)
        return {"host": host, "guest": guest}

    kept: dict[str, Any] = {}

    async def before(ship: Ship) -> None:
        kept.update(await first(ship))

    async def after(ship: Ship) -> None:
        host, guest = kept["host"], kept["guest"]
        async with ship.mate(host) as anne, ship.mate(guest) as mary:
            assert (await mary.do("chat", line="Hear me"))["code"] == "muted"
            await anne.must("start")
            await asyncio.gather(anne.play(), mary.play())
            await anne.must("rematch")
            async with ship.mate({**guest, "table": anne.table["rematch"]}) as again:
                assert muted(again.table) == [1]
                assert (await again.do("chat", line="Hear me"))["code"] == "muted"

    sail(before, tmp_path / "t.sqlite3")
    sail(after, tmp_path / "t.sqlite3")
