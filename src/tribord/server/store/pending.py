"""Pending appends: accepted, and waiting for the commit that they share with others."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass

from tribord.server.store.row import IndexEntry, Row

Answer = Exception | None  # None: it is kept


@dataclass(slots=True, eq=False)
class Pending:
    """An append and the caller who waits for it."""

    row: Row
    entry: IndexEntry
    caller: asyncio.Future[None]


def answer(answers: Iterable[tuple[Pending, Answer]]) -> None:
    """Wake the callers, on their event loop."""
    for pending, outcome in answers:
        if pending.caller.done():  # cancelled meanwhile
            continue
        if outcome is None:
            pending.caller.set_result(None)
        else:
            pending.caller.set_exception(outcome)
