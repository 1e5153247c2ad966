"""Slow work: each address in turn, off the event loop, and never in the way of others."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.server.aboard import Ship, afloat
from websockets.asyncio.client import connect

from tribord import load
from tribord.core.journal import audit_content, to_dict
from tribord.server import app, founding, hub, limit, preview, scheduler, table
from tribord.server.fair_queue import FairQueue

FLOOD, FAMILY = {"x-forwarded-for": "203.0.113.66"}, {"x-forwarded-for": "203.0.113.7"}


@pytest.fixture(autouse=True)
def no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots decide interpreted: nobody waits for a compiler here."""
    monkeypatch.setenv("TRIBORD_INTERPRETED", "1")


def sail(story: Any, store: Path, **settings: Any) -> None:
    """Run a story on a server of its own."""

    async def voyage() -> None:
        async with asyncio.timeout(60), afloat(store, **settings) as ship:
            await story(ship)

    asyncio.run(voyage())


# -- the queue ------------------------------------------------------------------------------------------------------


def test_addresses_take_turns_however_much_one_asks_for():
    async def story() -> None:
        queue, served = FairQueue(1), []

        async def work(who: str) -> None:
            async with queue.turn(who):
                served.append(who)

        async with queue.turn("flood"):
            waiting = [asyncio.ensure_future(work("flood")) for _k in range(60)]
            await asyncio.sleep(0)
            waiting += [asyncio.ensure_future(work("family")), asyncio.ensure_future(work("friends"))]
            await asyncio.sleep(0)
        await asyncio.gather(*waiting)
        assert set(served[:3]) == {"flood", "family", "friends"} and len(served) == 62
        assert queue.free == 1

    asyncio.run(story())


def test_giving_up_leaves_the_place_to_the_next():
    async def story() -> None:
        queue = FairQueue(1)

        async def work(who: str) -> str:
            async with queue.turn(who):
                return who

        async with queue.turn("first"):
            early, late, last = (asyncio.ensure_future(work(who)) for who in ("early", "late", "last"))
            await asyncio.sleep(0)
            early.cancel()
        late.cancel()  # it had just got its place
        assert await last == "last"
        assert early.cancelled() and late.cancelled() and queue.free == 1

    asyncio.run(story())


# -- long matches ---------------------------------------------------------------------------------------------------


def long_match() -> dict[str, Any]:
    """The file of a match that takes a while to fold."""
    match = load("sauve-qui-peut").match(6, "ab" * 32)
    while not match.over:
        seat = match.to_act[0]
        match.play(seat, match.legal(seat)[-1])
    return to_dict(match)


@contextmanager
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[threading.Event, threading.Event]]:
    """Verifying and folding a match file waits until it's released: whether it has begun, and its release."""
    begun, go = threading.Event(), threading.Event()

    def slowly(*args: Any) -> Any:
        begun.set()
        assert go.wait(20)
        return audit_content(*args)

    with monkeypatch.context() as patch:
        patch.setattr(table, "audit_content", slowly)
        patch.setattr(founding, "audit_content", slowly)
        try:
            yield begun, go
        finally:
            go.set()


async def others_are_served(ship: Ship) -> None:
    async with asyncio.timeout(10):
        host = await ship.create()
        async with ship.mate(host) as anne:
            await anne.must("chat", line="nobody holds me up")


def test_others_are_served_while_match_files_are_verified_and_folded(tmp_path, monkeypatch):
    file = long_match()
    assert len(json.dumps(file)) > hub.LONG_BYTES

    async def story(ship: Ship) -> None:
        for folding in (False, True):
            with held(monkeypatch) as (begun, go):
                if folding:
                    monkeypatch.setattr(founding, "audit_content", audit_content)
                asked = [asyncio.ensure_future(ship.ask("POST", "/api/matches", json=file)) for _k in range(9)]
                assert await asyncio.to_thread(begun.wait, 10)
                await others_are_served(ship)
                go.set()
                assert {answer.status_code for answer in await asyncio.gather(*asked)} == {201}

    sail(story, tmp_path / "tables.sqlite3")


def test_others_are_served_while_a_long_table_is_loaded(tmp_path, monkeypatch):
    file = long_match()

    async def story(ship: Ship) -> None:
        name = (await ship.ask("POST", "/api/matches", json=file)).json()["table"]
        ship.hub.live_tables.clear()
        with held(monkeypatch) as (begun, go):
            asked = [asyncio.ensure_future(ship.ask("GET", f"/api/tables/{name}{part}")) for part in ("", "/match")]
            assert await asyncio.to_thread(begun.wait, 10)
            await others_are_served(ship)
            go.set()
            shown, written = await asyncio.gather(*asked)
        assert shown.json()["status"] == "over" and written.json() == file | {"names": written.json()["names"]}

    sail(story, tmp_path / "tables.sqlite3")


def test_others_are_served_while_someone_asks_where_an_action_would_end(tmp_path, monkeypatch):
    begun, go, fate = threading.Event(), threading.Event(), preview.fate

    def slowly(*args: Any) -> Any:
        begun.set()
        assert go.wait(20)
        return fate(*args)

    monkeypatch.setattr(preview, "fate", slowly)

    async def story(ship: Ship) -> None:
        host = await ship.create("ile-aux-pirates", "me me")
        async with ship.mate(host) as anne:
            await anne.must("start")
            seat, legal = next(iter(anne.match["legal"].items()))
        path = f"/api/tables/{host['table']}/preview/{legal[0]}?seat={seat}"
        asked = asyncio.ensure_future(ship.ask("GET", path, headers={"authorization": f"Bearer {host['secret']}"}))
        assert await asyncio.to_thread(begun.wait, 10)
        await others_are_served(ship)
        go.set()
        assert (await asked).json()["events"]

    try:
        sail(story, tmp_path / "tables.sqlite3")
    finally:
        go.set()


def test_a_match_of_too_many_lines_is_refused_before_it_is_verified(tmp_path):
    file = long_match() | {"journal": [{"chance": "1"}] * (app.FILE_LINES + 1)}

    async def story(ship: Ship) -> None:
        answer = await ship.ask("POST", "/api/matches", json=file)
        assert (answer.status_code, answer.json()["code"]) == (413, "too-long")

    sail(story, tmp_path / "tables.sqlite3")


# -- bots -----------------------------------------------------------------------------------------------------------


def test_someones_bot_thinks_soon_however_many_tables_of_bots_an_address_has(tmp_path, monkeypatch):
    thought: list[bool] = []  # in order: was it the family's bot?
    go, ranked = threading.Event(), None

    class Slow:
        light = False

        def __init__(self, bot: Any, family: bool):
            self.bot, self.family = bot, family

        def decide(self, view: Any, legal: Any) -> int:
            assert go.wait(20)
            thought.append(self.family)
            return int(self.bot.decide(view, legal))

    async def story(ship: Ship) -> None:
        nonlocal ranked
        ranked = ship.hub.bots.ranked
        monkeypatch.setattr(
            ship.hub.bots, "ranked",
            lambda rank, match, seed: Slow(ranked(rank, match, seed), match.players == 3),
        )  # fmt: skip

        async def begin(seats: str, headers: dict[str, str]) -> None:
            new = {"game": "walk-the-plank", "nickname": "X", "players": len(seats.split()), "seats": seats.split()}
            host = (await ship.ask("POST", "/api/tables", json=new, headers=headers)).json()
            url = f"ws://127.0.0.1:{ship.port}/socket"
            async with connect(url, compression=None, additional_headers=headers) as socket:
                await socket.send(json.dumps({"t": "hello", "protocol": 2} | {k: host[k] for k in ("table", "secret")}))
                await socket.send(json.dumps({"t": "start", "id": "s"}))
                while "s" not in (json.loads(await socket.recv()).get("id") or ""):
                    pass

        for _k in range(12):
            await begin("mousse mousse mousse mousse", FLOOD)
        await begin("me mousse mousse", FAMILY)
        go.set()
        while True not in thought:
            await asyncio.sleep(0.01)

    sail(story, tmp_path / "tables.sqlite3")
    # Bots that were thinking already, and at most one more of that address in between.
    assert thought.index(True) <= scheduler.THINKERS + 1


def test_rematches_and_matches_of_bots_alone_count_as_creating_tables(tmp_path, monkeypatch):
    monkeypatch.setattr(limit, "ACT", limit.RateLimit("act", 1_000, 100))

    async def story(ship: Ship) -> None:
        burst = int(limit.CREATE.burst)
        answers = []
        for _k in range(burst):
            new = {"game": "walk-the-plank", "nickname": "X", "players": 3, "seats": ["mousse"] * 3}
            created = await ship.ask("POST", "/api/tables", json=new)
            if created.status_code == 429:
                break
            async with ship.mate(created.json()) as host:
                answers.append(await host.do("start"))
        assert len(answers) <= burst // 2 + 1

    async def again(ship: Ship) -> None:
        began = time.monotonic()
        host = await ship.create("ile-aux-pirates", "me me")
        async with ship.mate(host) as anne:
            # Refused or repeated commands cost nothing.
            for _k in range(11):
                assert (await anne.do("rematch"))["code"] == "not-over"
            await anne.must("start")
            await anne.play()
            await anne.must("rematch", id="once more")
            for _k in range(11):
                assert (await anne.do("rematch", id="once more"))["t"] == "ack"
        new = {"game": "ile-aux-pirates", "nickname": "X", "players": 2}
        left = 0
        while (await ship.ask("POST", "/api/tables", json=new)).status_code == 201:
            left += 1
        returned = (time.monotonic() - began) * limit.CREATE.per_second  # meanwhile
        assert limit.CREATE.burst - 2 <= left < limit.CREATE.burst - 1 + returned

    sail(story, tmp_path / "one.sqlite3", limits=1)
    sail(again, tmp_path / "two.sqlite3", limits=1)
