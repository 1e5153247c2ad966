"""Quarantine: a table whose rows are damaged is refused for a while, then read again: someone may have repaired it."""

from __future__ import annotations

import time

from tribord.server import log, metrics
from tribord.server.store import Damaged

SECONDS = 60.0  # so that asking for a damaged table again and again costs nothing


class Quarantine:
    """A hub's damaged tables. Each is logged once, until it's found whole again."""

    def __init__(self) -> None:
        self._tables: dict[str, tuple[int, float]] = {}  # its first row that is wrong, and until when it isn't read

    def check(self, table: str) -> None:
        """Refuse a table that was found damaged a short time ago."""
        seq, until = self._tables.get(table, (0, 0.0))
        if time.monotonic() < until:
            raise Damaged(table, seq)

    def add(self, damaged: Damaged) -> None:
        """Refuse this table from now on."""
        if damaged.table not in self._tables:
            metrics.count("tables_damaged")
            log.failure("table damaged", damaged, row=damaged.seq)
        self._tables[damaged.table] = damaged.seq, time.monotonic() + SECONDS

    def release(self, table: str) -> None:
        """Release a table that was read and found whole."""
        if self._tables.pop(table, None):
            log.info("table repaired")
