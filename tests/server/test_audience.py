"""Bots wait for screens: over a real socket, with screens that report, fall silent, leave, or never report."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any

import pytest
from tests.server.aboard import Mate, Ship, afloat
from tests.server.postgres import database_of_its_own, server_of_its_own  # noqa: F401

from tribord.server.audience import PATIENCE_SECONDS

PACE = 0.02  # seconds a bot takes at least: any longer wait is a wait for the audience
SOON = 1.5


@pytest.fixture(autouse=True)
def no_compiler(monkeypatch):
    """Bots that decide at once: they only wait for the audience."""
    monkeypatch.setenv("TRIBORD_INTERPRETED", "1")


def sail(story: Callable[..., Awaitable[None]], store: object, ships: int = 1, pace: float = PACE) -> None:
    """Run a story on servers with the same store, with bots that wait for screens."""

    async def voyage() -> None:
        async with asyncio.timeout(60), AsyncExitStack() as stack:
            await story(*[await stack.enter_async_context(afloat(store, pace=pace)) for _k in range(ships)])

    asyncio.run(voyage())


async def table_of_bots(ship: Ship, players: int = 3) -> dict[str, Any]:
    """A table that only waits for its host to start."""
    return await ship.create("ile-aux-pirates", " ".join(["mousse"] * players))


async def shows(mate: Mate, version: int | None = None) -> None:
    """A screen reports what it has shown: everything it got, or less."""
    await mate.say({"t": "shown", "v": mate.version if version is None else version})


async def hears(mate: Mate, within: float) -> dict[str, Any] | None:
    """The next update within this time, or None."""
    try:
        async with asyncio.timeout(within):
            return await mate.until(lambda message: message["t"] == "update")
    except TimeoutError:
        return None


async def quiet(mate: Mate) -> None:
    """Take pending messages, until nothing comes for a while."""
    while await hears(mate, 0.4):
        pass


async def begun(ship: Ship, mate: Mate) -> None:
    """The screen is known before the match begins, and has shown the beginning."""
    await shows(mate)
    await mate.must("start")


def test_a_bot_acts_only_after_the_screen_has_shown_the_last_event(tmp_path):
    async def story(ship: Ship) -> None:
        async with ship.mate(await table_of_bots(ship)) as anne:
            await begun(ship, anne)
            for _turn in range(5):
                assert await hears(anne, 0.4) is None
                await shows(anne)
                assert await hears(anne, SOON) is not None

    sail(story, tmp_path / "tables.sqlite3")


def test_every_screen_is_waited_for_spectators_too(tmp_path):
    async def story(ship: Ship) -> None:
        host = await table_of_bots(ship)
        async with ship.mate(host) as anne, ship.mate({"table": host["table"]}) as tv:
            await shows(tv)
            await begun(ship, anne)
            await shows(anne)
            assert await hears(anne, 0.5) is None
            await quiet(tv)
            await shows(tv)
            assert await hears(anne, SOON) is not None

    sail(story, tmp_path / "tables.sqlite3")


def test_progress_keeps_the_table_waiting_and_silence_ends_it(tmp_path):
    async def story(ship: Ship) -> None:
        async with ship.mate(await table_of_bots(ship)) as anne:
            await begun(ship, anne)
            before = anne.version - 1
            started = time.monotonic()
            while time.monotonic() - started < PATIENCE_SECONDS + 1:  # a long scene: it goes on, and says so
                await shows(anne, before)
                assert await hears(anne, 0.5) is None
            fell_silent = time.monotonic()
            assert await hears(anne, PATIENCE_SECONDS + SOON) is not None
            assert time.monotonic() - fell_silent > PATIENCE_SECONDS - 1.5

    sail(story, tmp_path / "tables.sqlite3")


def test_a_frozen_screen_delays_the_table_once_and_not_at_every_turn(tmp_path):
    async def story(ship: Ship) -> None:
        async with ship.mate(await table_of_bots(ship)) as frozen:
            await begun(ship, frozen)
            assert await hears(frozen, PATIENCE_SECONDS + SOON) is not None
            for _turn in range(4):
                assert await hears(frozen, SOON) is not None
            await shows(frozen)  # awake again: bots wait for it from now on
            await quiet(frozen)
            await shows(frozen)
            assert await hears(frozen, SOON) is not None
            assert await hears(frozen, 0.4) is None

    sail(story, tmp_path / "tables.sqlite3")


def test_a_screen_that_reports_for_ever_and_shows_nothing_is_not_believed(tmp_path, monkeypatch):
    monkeypatch.setattr("tribord.server.audience.PATIENCE_SECONDS", 1.0)
    monkeypatch.setattr("tribord.server.audience.EVENT_SECONDS", 0.2)

    async def story(ship: Ship) -> None:
        async with ship.mate(await table_of_bots(ship)) as anne:
            await begun(ship, anne)
            for _beat in range(40):
                await shows(anne, 1)
                if await hears(anne, 0.2):
                    return
            raise AssertionError("the table waits for ever")

    sail(story, tmp_path / "tables.sqlite3")


def test_nobody_waits_for_a_screen_that_left(tmp_path):
    async def story(ship: Ship) -> None:
        host = await table_of_bots(ship)
        async with ship.mate(host) as anne:
            async with ship.mate({"table": host["table"]}) as tv:
                await shows(tv)
                await begun(ship, anne)
                await shows(anne)
                assert await hears(anne, 0.4) is None
            assert await hears(anne, SOON) is not None

    sail(story, tmp_path / "tables.sqlite3")


def test_a_client_that_never_reports_is_not_waited_for(tmp_path):
    async def story(ship: Ship) -> None:
        async with ship.mate(await table_of_bots(ship)) as program:
            await program.must("start")
            for _turn in range(5):
                assert await hears(program, SOON) is not None

    sail(story, tmp_path / "tables.sqlite3")


def test_with_pace_0_no_screen_is_waited_for(tmp_path):
    async def story(ship: Ship) -> None:
        async with ship.mate(await table_of_bots(ship)) as anne:
            await begun(ship, anne)
            for _turn in range(5):
                assert await hears(anne, SOON) is not None

    sail(story, tmp_path / "tables.sqlite3", pace=0)


def test_a_person_is_never_delayed_by_a_screen(tmp_path):
    async def story(ship: Ship) -> None:
        host = await ship.create("ile-aux-pirates", "me me")
        async with ship.mate(host) as anne, ship.mate({"table": host["table"]}) as tv:
            await shows(tv)
            await begun(ship, anne)
            for _turn in range(5):
                assert anne.match is not None
                seat, legal = next(iter(anne.match["legal"].items()))
                started = time.monotonic()
                await anne.must("act", seat=int(seat), action=legal[0])
                assert time.monotonic() - started < PATIENCE_SECONDS / 2

    sail(story, tmp_path / "tables.sqlite3")


def test_screens_at_another_worker_are_waited_for(postgres_url):
    async def story(one: Ship, other: Ship) -> None:
        host = await table_of_bots(one)
        async with one.mate(host) as anne, other.mate({"table": host["table"]}) as tv:
            await shows(tv)
            await begun(one, anne)
            await quiet(tv)
            await shows(anne)
            await shows(tv)  # now the first worker knows that the other has a screen
            for _turn in range(3):
                assert await hears(anne, SOON) is not None
                await quiet(tv)
                await shows(anne)
                assert await hears(anne, 0.6) is None
                await shows(tv)

    sail(story, postgres_url, ships=2)
