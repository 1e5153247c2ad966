"""Inspections: read every row of a store and name what is damaged."""

from __future__ import annotations

from dataclasses import dataclass, field

from tribord.server.store.refusal import Damaged
from tribord.server.store.store import Store


@dataclass
class Inspection:
    """The result of an inspection."""

    tables: int = 0
    rows: int = 0
    damaged: list[Damaged] = field(default_factory=list)
    flaws: list[str] = field(default_factory=list)  # what the database says of its own files

    @property
    def whole(self) -> bool:
        """Whether nothing is damaged."""
        return not self.damaged and not self.flaws


async def inspect(store: Store) -> Inspection:
    """Read everything in an open store, even while a server writes to it."""
    found = Inspection(flaws=await store.flaws())
    unread: list[str] = []
    for table in await store.tables():
        try:
            rows = await store.read(table)
        except Damaged as damaged:
            found.damaged.append(damaged)
        else:
            found.rows += len(rows)
            if not rows:
                unread.append(table)
        found.tables += 1
    if unread:  # deleted meanwhile, or rows that the index doesn't know
        left = set(await store.tables())
        found.damaged += [Damaged(table, 0) for table in unread if table in left]
        found.tables -= sum(table not in left for table in unread)
    return found
