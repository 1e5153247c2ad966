"""Quotas: how many rows a table may have, and how large the store may grow before it takes no new tables."""

from __future__ import annotations

from tribord.core.refusal import Refusal
from tribord.core.words import _
from tribord.server.store import Store
from tribord.server.table import Table

MOST_ROWS = 40_000  # of one table; matches have some hundreds
# Half of them are for the match and for who sits where: nobody can end it by filling the record with something else.
RESERVED = ("act", "replace", "reclaim", "resume", "rematch", "new-secret", "secret", "remove")

TABLE_FULL = _("This table’s record is full. Open a new table to play on.")
ONLY_THE_MATCH = _("This table’s record is nearly full: only the match itself goes on. Open a new table for the rest.")
STORE_FULL = _("This server has no room for new tables now. You can go on at the tables there are.")


class Full(Refusal):
    """There is no room for a row or a table."""


def is_full(table: Table) -> bool:
    """Whether nothing more can happen at a table."""
    return table.seq + 1 >= MOST_ROWS


def check_rows(table: Table, kind: str) -> None:
    """Refuse a row for which a table has no room."""
    if is_full(table):
        raise Full("table-full", TABLE_FULL)
    if table.seq + 1 >= MOST_ROWS // 2 and kind not in RESERVED:
        raise Full("table-full", ONLY_THE_MATCH)


async def check_store(store: Store, quota: int) -> None:
    """Refuse a new table where the store has grown to its quota, in bytes; 0 is none."""
    if quota and await store.size() >= quota:
        raise Full("store-full", STORE_FULL)
