"""Households: several people behind one address; all are friends, or one of them isn't."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from typing import Any

import httpx
from tests.server.aboard import Mate, Ship, afloat
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from tribord.server import limit


def sail(story: Callable[[Ship], Awaitable[None]], store: object) -> None:
    """Run a story on a server with its usual limits; everyone in it has the same address."""

    async def voyage() -> None:
        async with asyncio.timeout(90), afloat(store, limits=1.0) as ship:
            await story(ship)

    asyncio.run(voyage())


def test_a_family_of_five_with_two_screens_each_meets_no_limit(tmp_path):
    async def story(ship: Ship) -> None:
        family = [await ship.create("walk-the-plank", "me open open open open")]
        family += [await ship.join(family[0]["table"], name) for name in ("Mary", "Jack", "Edward", "Grace")]
        async with AsyncExitStack() as house:
            for _reload in range(3):  # phones that were locked and come back
                for guest in family:
                    async with ship.mate(guest):
                        pass
            screens = [await house.enter_async_context(ship.mate(guest)) for guest in family]
            mates = [await house.enter_async_context(ship.mate(guest)) for guest in family]
            await mates[0].must("start")
            await asyncio.gather(*(mate.play() for mate in mates))
            for screen in screens:
                while not (screen.match and screen.match["outcome"]):
                    await screen.hear()
            told = [message for mate in (*mates, *screens) for message in mate.heard]
            assert "too-often" not in [message.get("code") for message in told]

    sail(story, tmp_path / "tables.sqlite3")


def test_using_up_all_limits_stops_nobody_who_is_connected(tmp_path):
    async def story(ship: Ship) -> None:
        host = await ship.create("ile-aux-pirates", "me open")
        guest = await ship.join(host["table"])
        async with ship.mate(host) as anne, ship.mate(guest) as mary:
            async with httpx.AsyncClient(base_url=ship.url) as pest:
                for method, asked, body in (
                    ("POST", f"/api/tables/{host['table']}/guests", {"nickname": "Pest", "watch": True}),
                    ("POST", "/api/tables", {"game": "ile-aux-pirates", "nickname": "Pest", "players": 2}),
                    ("GET", "/api/tables/no-such-table", None),
                ):
                    while (await pest.request(method, asked, json=body)).status_code != 429:
                        pass
            await _use_up_connections(ship)
            await anne.must("start")
            await asyncio.gather(anne.play(), mary.play())
            assert anne.match["outcome"] == mary.match["outcome"]

    sail(story, tmp_path / "tables.sqlite3")


def test_a_crowd_from_one_address_shares_a_budget_and_others_are_served(tmp_path, monkeypatch):
    """With a table full of guests, an address could keep a worker busy within the limits of each."""
    # Refilled so slowly that a busy machine can't make the crowd slow enough to stay within it.
    monkeypatch.setattr(limit, "COMMANDS", limit.RateLimit("commands", 100, 1))

    async def story(ship: Ship) -> None:
        host = await ship.create("ile-aux-pirates", "me open")
        crowd = [await ship.join(host["table"], f"Pest {k}") for k in range(12)]
        pests = [await connect(f"ws://127.0.0.1:{ship.port}/socket", local_addr=("127.0.0.2", 0)) for _pest in crowd]
        began = time.monotonic()
        sent = [_send_much(Mate(pest), guest) for pest, guest in zip(pests, crowd, strict=True)]
        answers = [answer for answered in await asyncio.gather(*sent) for answer in answered]
        carried_out = sum(answer["t"] == "update" for answer in answers)
        refused = {answer["limit"] for answer in answers if answer["t"] == "refused"}
        assert carried_out <= limit.COMMANDS.burst + (time.monotonic() - began) * limit.COMMANDS.per_second
        assert "commands" in refused
        async with ship.mate(host) as anne:
            await anne.must("ready")
        for pest in pests:
            await pest.close()

    sail(story, tmp_path / "tables.sqlite3")


async def _send_much(pest: Mate, guest: dict[str, Any]) -> list[dict[str, Any]]:
    """Send as many commands as a guest may send at once, and return the answers."""
    await pest.say({"t": "hello", "protocol": 2, "table": guest["table"], "secret": guest["secret"]})
    ids = {f"{guest['guest']} {k}" for k in range(int(limit.ACT.burst))}
    for id in ids:
        await pest.say({"t": "contribute", "id": id, "commitment": "a" * 64})
    answers: list[dict[str, Any]] = []
    while ids:
        answer = json.loads(await pest.socket.recv())
        if answer.get("id") in ids:
            ids.discard(answer["id"])
            answers.append(answer)
    return answers


async def _use_up_connections(ship: Ship) -> None:
    while True:
        async with connect(f"ws://127.0.0.1:{ship.port}/socket", compression=None) as socket:
            pest = Mate(socket)
            with suppress(ConnectionClosed):  # refused before it has said anything
                await pest.say({"t": "hello", "protocol": 2, "table": "no-such-table"})
            if (await pest.hear()).get("limit") == "connect":
                return
