"""Bans and the audit log, on a real SQLite file and on a real PostgreSQL."""

from __future__ import annotations

import asyncio
import functools
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.server.postgres import database_of_its_own, server_of_its_own  # noqa: F401

from tribord.server.store import AuditEntry, Ban, Store, connect


def on_a_loop(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Run an async test on an event loop of its own."""

    @functools.wraps(test)
    def run(*arguments: Any, **fixtures: Any) -> None:
        asyncio.run(test(*arguments, **fixtures))

    return run


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty store of each kind."""
    return str(tmp_path / "t.sqlite3") if request.param == "sqlite" else request.getfixturevalue("postgres_url")


@asynccontextmanager
async def opened(address: str, **how: Any) -> AsyncIterator[Store]:
    """A store, for the length of a block."""
    store = connect(address)
    await store.open(**how)
    try:
        yield store
    finally:
        await store.close()


@on_a_loop
async def test_bans_are_kept_until_they_run_out_or_are_lifted(address):
    async with opened(address) as store:
        assert await store.bans() == []
    forever, hour = Ban("203.0.113.5", 1.0, None, "insults"), Ban("2001:db8::/64", 2.0, time.time() + 3600)
    async with opened(address, reading=True) as operator:  # as a command does, while a server runs
        for ban in (forever, hour, Ban("203.0.113.6", 3.0, time.time() - 1)):
            await operator.ban(ban)
    async with opened(address) as store:
        assert await store.bans() == [forever, hour]
        await store.ban(Ban("203.0.113.5", 4.0, time.time() - 1))  # instead of the one before
        assert await store.bans() == [hour]
        assert await store.unban("2001:db8::/64")
        assert not await store.unban("2001:db8::/64")
        assert await store.bans() == []


@on_a_loop
async def test_entries_come_back_as_they_were_in_order_and_by_sort(address):
    entries = [
        AuditEntry(1.5, "mute", "guest 0", "y4yZ4St2wf5eGUgR", "203.0.113.5", {"guest": 1, "nickname": "Zoé"}),
        AuditEntry(2.5, "ban", "operator", details={"until": None, "reason": "insults, %s and ?"}),
        AuditEntry(3.5, "mute", "guest 0"),
    ]
    async with opened(address) as store:
        for entry in entries:
            await store.note(entry)
    async with opened(address, reading=True) as store:
        assert await store.audit() == entries
        assert await store.audit("mute") == [entries[0], entries[2]]
        assert await store.audit(limit=2) == entries[1:]
        assert await store.audit("report") == []


@on_a_loop
async def test_what_has_a_key_is_noted_once_also_at_the_same_moment(address):
    async with opened(address) as one, opened(address, reading=True) as other:
        report = AuditEntry(1.0, "report", "guest 0", "t", key="report t 0 1")
        await asyncio.gather(*[store.note(report) for store in (one, other) for _k in range(4)])
        await one.note(AuditEntry(2.0, "report", "guest 2", "t", key="report t 2 1"))
        assert [entry.actor for entry in await one.audit()] == ["guest 0", "guest 2"]


@on_a_loop
async def test_old_entries_and_bans_that_have_run_out_are_deleted(address):
    async with opened(address) as store:
        for at in (100.0, 200.0, 300.0):
            await store.note(AuditEntry(at, "mute", "guest 0"))
        await store.ban(Ban("203.0.113.5", 1.0, time.time() - 1))
        await store.ban(Ban("203.0.113.6", 1.0))
        assert await store.forget(200.0) == 1
        assert [entry.at for entry in await store.audit()] == [200.0, 300.0]
        assert not await store.unban("203.0.113.5")
        assert await store.unban("203.0.113.6")
