"""Rows and entries: what the store keeps of a table."""

from __future__ import annotations

from msgspec import Struct


class Row(Struct, frozen=True, gc=False):
    """One thing that happened at a table. A table's rows are numbered 0, 1, 2… without a gap."""

    table: str
    seq: int
    kind: str  # "create", "act", "chat"…
    body: bytes  # JSON
    at: float  # unix seconds
    hash: bytes = b""  # of this row and the hash before it; empty in rows of releases that had none
    covered: bool = True  # by a hash that the store kept, its own or a later row's


class IndexEntry(Struct, frozen=True, gc=False):
    """A table's line in the index, rewritten with every append in the same transaction."""

    table: str
    code: str  # short, for people; no two tables share one
    game: str
    public: bool
    status: str  # "open" | "playing" | "over"
    due: float | None  # when the server must act by itself (bot, clock); None = nothing to do
    touched: float  # unix seconds
    summary: bytes  # JSON for the list of open tables, or of the branches of a match
