"""Moderation: who is banned, and what hosts and operators did with their powers. Both kinds of store keep this in the
same two tables, beside those of the games.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from typing import Any

import msgspec
from msgspec import Struct


class Ban(Struct, frozen=True):
    """An address (of IPv6 a network) or a table that is closed to everyone."""

    target: str
    at: float
    until: float | None = None  # None: until someone lifts it
    reason: str = ""  # the operator's own words, for the operator

    def holds(self, now: float) -> bool:
        """Whether it's still in force."""
        return self.until is None or now < self.until


class AuditEntry(Struct, frozen=True):
    """Something that was done with a power, or reported."""

    at: float  # unix seconds
    what: str  # "report", "mute", "remove", "replace", "rename", "ban", "unban", "backup", "import", "limit"
    actor: str  # "operator", "visitor", or a guest of the table: "guest 3"
    table: str = ""
    address: str = ""  # of the actor
    details: dict[str, Any] = {}
    key: str | None = None  # what has one is noted once


class Moderation(ABC):
    """A store's bans and its audit log."""

    @abstractmethod
    async def _ask(self, query: str, *values: Any) -> list[Any]:
        """Return the rows of a query."""

    @abstractmethod
    async def _write(self, query: str, *values: Any) -> int:
        """Run a change durably; return how many rows it changed."""

    async def ban(self, ban: Ban) -> None:
        await self._write(
            "INSERT INTO ban (target, at, until, reason) VALUES (?, ?, ?, ?) ON CONFLICT (target)"
            " DO UPDATE SET at = excluded.at, until = excluded.until, reason = excluded.reason",
            *msgspec.structs.astuple(ban),
        )

    async def unban(self, target: str) -> bool:
        return bool(await self._write("DELETE FROM ban WHERE target = ?", target))

    async def bans(self) -> list[Ban]:
        found = [Ban(*line) for line in await self._ask("SELECT target, at, until, reason FROM ban ORDER BY at")]
        return [ban for ban in found if ban.holds(time.time())]

    async def note(self, entry: AuditEntry) -> None:
        at, what, actor, table, address, details, key = msgspec.structs.astuple(entry)
        await self._write(
            "INSERT INTO audit (at, what, actor, table_id, address, details, key) VALUES (?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (key) DO NOTHING",
            at, what, actor, table, address, msgspec.json.encode(details).decode(), key,
        )  # fmt: skip

    async def audit(self, what: str = "", limit: int = 100) -> list[AuditEntry]:
        found = await self._ask(
            "SELECT at, what, actor, table_id, address, details, key FROM audit"
            f" WHERE what {'=' if what else '<>'} ? ORDER BY id DESC LIMIT ?",
            what, limit,
        )  # fmt: skip
        return [
            AuditEntry(at, what, actor, table, address, msgspec.json.decode(details), key)
            for at, what, actor, table, address, details, key in reversed(found)
        ]

    async def forget(self, before: float) -> int:
        await self._write("DELETE FROM ban WHERE until < ?", time.time())
        return await self._write("DELETE FROM audit WHERE at < ?", before)
