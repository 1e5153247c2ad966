"""Analyses of matches that are over, kept with their tables and deleted with them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

FORMAT = 1  # of an analysis: increase it when its fields or sentences change, and those kept before are made again


class Analyses(ABC):
    """A store's analyses; both kinds of store keep them in the same table. One of another format doesn't count."""

    @abstractmethod
    async def _ask(self, query: str, *values: Any) -> list[Any]:
        """Return the rows of a query."""

    @abstractmethod
    async def _write(self, query: str, *values: Any) -> int:
        """Run a change durably; return how many rows it changed."""

    async def keep_analysis(self, table: str, body: bytes) -> None:
        await self._write(
            "INSERT INTO analysis (table_id, body, format) SELECT table_id, ?, ? FROM entry WHERE table_id = ?"
            " ON CONFLICT (table_id) DO UPDATE SET body = excluded.body, format = excluded.format"
            " WHERE analysis.format <> excluded.format",
            body, FORMAT, table,
        )  # fmt: skip

    async def analysis(self, table: str) -> bytes | None:
        found = await self._ask("SELECT body FROM analysis WHERE table_id = ? AND format = ?", table, FORMAT)
        return bytes(found[0][0]) if found else None
