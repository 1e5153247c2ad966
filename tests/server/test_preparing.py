"""Preparing: a server prepares its bots and reports its progress."""

from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from tests.server.aboard import afloat

from tribord import load
from tribord.bots import ranks
from tribord.server import preparing
from tribord.server.app import build
from tribord.server.preparing import Preparer
from tribord.server.settings import Settings
from tribord.server.store import Unavailable
from tribord.server.table import Seat


class Prepared:
    """Stands in for the preparation."""

    def __init__(self, notice: Callable[[str], None]):
        self.notice = notice
        self.wanted: list[Any] = []
        self.running = False
        self.ready = False

    def start(self) -> None:
        self.running = True

    def stop(self) -> None:
        self.running = False
        self.notice("too late")  # a late message does no harm

    def want(self, tasks: Any) -> bool:
        self.wanted += tasks
        return self.ready

    def progress(self) -> tuple[int, int]:
        return 3, 13


@pytest.fixture(autouse=True)
def stand_in(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Prepared]]:
    made: list[Prepared] = []
    monkeypatch.setattr(preparing, "Preparation", lambda notice: made.append(Prepared(notice)) or made[-1])
    yield made
    gc.unfreeze()
    gc.enable()


def table(*ranks: str | None, status: str = "playing", **options: Any) -> Any:
    game = load("ile-aux-pirates")
    chosen = game.options_of(game.settings(len(ranks), options))
    seats = tuple(Seat(rank=rank) for rank in ranks)
    return SimpleNamespace(
        game=game, status=status, seats=seats, settings={"players": len(ranks), "options": chosen}
    )  # fmt: skip


def test_a_table_is_warm_when_what_its_bots_need_is_there(stand_in):
    preparer = Preparer()
    assert not preparer.prepare(table(None, "capitaine"))
    assert stand_in[0].wanted == [("ile-aux-pirates", "solution"), ("ile-aux-pirates", "rules")]
    assert not preparer.prepare(table(None, "capitaine", game="strategic"))
    assert stand_in[0].wanted[2:] == [("ile-aux-pirates", "search"), ("ile-aux-pirates", "rules")]
    assert preparer.prepare(table(None, "capitaine", status="over"))
    stand_in[0].ready = True
    assert preparer.prepare(table(None, "capitaine"))


def test_what_is_settled_in_another_thread_is_reported_on_the_event_loop(stand_in, capfd):
    async def story() -> None:
        told: list[threading.Thread] = []
        preparer = Preparer()
        preparer.start(lambda: told.append(threading.current_thread()))
        (stood,) = stand_in
        assert stood.running
        await asyncio.to_thread(stood.notice, "")
        await asyncio.to_thread(stood.notice, "the disk is full")
        await asyncio.sleep(0.05)
        assert told == [threading.current_thread()] * 2
        await preparer.stop()
        assert not stood.running
        await asyncio.sleep(0.05)
        assert len(told) == 2

    asyncio.run(story())
    assert "the disk is full" in capfd.readouterr().err


def test_anybody_may_ask_how_far_it_is(stand_in, tmp_path):
    async def story() -> None:
        async with afloat(tmp_path / "tables.sqlite3", prepare=True) as ship:
            answer: httpx.Response = await ship.ask("GET", "/api/bots")
            assert answer.json() == {"prepared": 3, "of": 13, "ranks": list(ranks())}
            assert stand_in[0].running
        assert not stand_in[0].running

    asyncio.run(story())


def test_a_server_closes_its_store_even_when_its_preparation_does_not_end(tmp_path, monkeypatch):
    def fail(prepared: Prepared) -> None:
        raise RuntimeError("a process hangs")

    monkeypatch.setattr(Prepared, "stop", fail)
    app = build(Settings(store=str(tmp_path / "tables.sqlite3")))

    async def story() -> None:
        with pytest.raises(RuntimeError, match="a process hangs"):
            async with app.router.lifespan_context(app):
                await app.state.hub.store.open_tables()
        with pytest.raises(Unavailable):
            await app.state.hub.store.open_tables()

    asyncio.run(story())
