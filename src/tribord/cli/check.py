"""`tribord check`: whether every row of the store is intact."""

from __future__ import annotations

import asyncio
import sys

import typer

from tribord.cli.arguments import Language
from tribord.cli.serve import Store
from tribord.cli.speech import Speech
from tribord.core.words import _, _n

EMPTY = _("The store is fine. It has no tables yet.")
WHOLE = _n(
    "The store is fine: {count} table, with every row as it was written.",
    "The store is fine: {count} tables, with every row as it was written.",
    "count",
)
DAMAGED_TABLE = _("Table {table} is damaged at row {row}. A backup may have it.")
FLAW = _("The store’s file is damaged: {flaw}")


def check(ctx: typer.Context, store: Store = "tribord.sqlite3", lang: Language = None) -> int:
    """Read the whole store, even while a server runs; return 2 if something is damaged."""
    from tribord.server.store import Inspection, connect, inspect

    async def look() -> Inspection:
        place = connect(store)
        await place.open(reading=True)
        try:
            return await inspect(place)
        finally:
            await place.close()

    speech: Speech = ctx.obj
    found = asyncio.run(look())
    if found.whole:
        print(speech.say(WHOLE, count=found.tables) if found.tables else speech.say(EMPTY))
        return 0
    for flaw in found.flaws:
        print(speech.say(FLAW, flaw=flaw), file=sys.stderr)
    for damaged in found.damaged:
        print(speech.say(DAMAGED_TABLE, table=damaged.table, row=damaged.seq), file=sys.stderr)
    return 2
