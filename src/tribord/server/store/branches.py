"""Branches: which tables go on from another table's match, so that they can be found from there."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any


class Branches(ABC):
    """A store's branches; both kinds of store keep them in the same table, and delete them with theirs."""

    @abstractmethod
    async def _ask(self, query: str, *values: Any) -> list[Any]:
        """The rows of a query."""

    @abstractmethod
    async def _write(self, query: str, *values: Any) -> int:
        """Run a change durably; return how many rows it changed."""

    async def keep_branch(self, table: str, original: str) -> None:
        await self._write(
            "INSERT INTO branch (table_id, original) SELECT table_id, ? FROM entry WHERE table_id = ?"
            " ON CONFLICT (table_id) DO NOTHING",
            original, table,
        )  # fmt: skip

    async def branches(self, original: str, limit: int) -> list[tuple[str, bytes]]:
        found = await self._ask(
            "SELECT table_id, summary FROM branch JOIN entry USING (table_id) WHERE original = ?"
            " ORDER BY touched DESC LIMIT ?",
            original, limit,
        )  # fmt: skip
        return [(table, bytes(summary)) for table, summary in found]
