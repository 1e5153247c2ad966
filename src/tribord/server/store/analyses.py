"""Analyses of matches that are over, kept with their tables and deleted with them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any


class Analyses(ABC):
    """A store's analyses; both kinds of store keep them in the same table."""

    @abstractmethod
    async def _ask(self, query: str, *values: Any) -> list[Any]:
        """Return the rows of a query."""

    @abstractmethod
    async def _write(self, query: str, *values: Any) -> int:
        """Run a change durably; return how many rows it changed."""

    async def keep_analysis(self, table: str, body: bytes) -> None:
        await self._write(
            "INSERT INTO analysis (table_id, body) SELECT table_id, ? FROM entry WHERE table_id = ?"
            " ON CONFLICT (table_id) DO NOTHING",
            body, table,
        )  # fmt: skip

    async def analysis(self, table: str) -> bytes | None:
        found = await self._ask("SELECT body FROM analysis WHERE table_id = ?", table)
        return bytes(found[0][0]) if found else None
