"""Quotas: how many rows a table may have, and how large the store may grow before it takes no new tables."""

from __future__ import annotations

from tribord.core.refusal import Refusal
from tribord.core.words import _
from tribord.server.store import Store
from tribord.server.table import Table

MOST_ROWS = 40_000  # of one table; matches have some hundreds
# Half of them are for the match and for who sits where: nobody can end it, or keep it from beginning, by filling the
# record with something else.
RESERVED = (
    "start", "reveal", "silent", "act", "replace", "reclaim", "resume", "rematch", "new-secret", "secret", "remove",
)  # fmt: skip

TABLE_FULL = _("This table’s log is full. Open a new table to keep playing.")
ONLY_THE_MATCH = _("This table’s log is nearly full. You can finish the game. Open a new table for anything else.")
STORE_FULL = _("This server has no room for new tables right now. You can keep playing at the open ones.")


class Full(Refusal):
    """No room is left for a row or a table."""


def is_full(table: Table) -> bool:
    """Whether a table has no room left for rows."""
    return table.seq + 1 >= MOST_ROWS


def check_rows(table: Table, kind: str) -> None:
    """Refuse a row if the table has no room for it."""
    if is_full(table):
        raise Full("table-full", TABLE_FULL)
    if table.seq + 1 >= MOST_ROWS // 2 and kind not in RESERVED:
        raise Full("table-full", ONLY_THE_MATCH)


async def check_store(store: Store, quota: int) -> None:
    """Refuse a new table if the store has reached its quota in bytes; 0 means no quota."""
    if quota and await store.size() >= quota:
        raise Full("store-full", STORE_FULL)
