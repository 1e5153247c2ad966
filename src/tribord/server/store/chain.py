"""The chain: every row keeps a hash of itself and of the row before it, so that damage shows when a table is read.

It detects accidents: a flipped bit, a row that is missing or misplaced. Anyone who can write to the store can recompute
it, so it isn't a signature.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from hashlib import blake2b
from typing import Any

from msgspec.structs import replace

from tribord.server.store.refusal import Damaged
from tribord.server.store.row import Row

BYTES = 16


def chained(row: Row, before: bytes) -> Row:
    """Return the row with its hash; `before` is the hash of the row before it, empty for the first."""
    head = f"{row.table}\n{row.seq}\n{row.kind}\n".encode()
    known = blake2b(before + head + struct.pack(">d", row.at) + row.body, digest_size=BYTES)
    return replace(row, hash=known.digest())


def verified(table: str, after: int, before: bytes, found: Iterable[tuple[Any, ...]]) -> list[Row]:
    """The rows of a table behind row `after`, whose hash is `before`, from lines (last row in the index, seq, kind,
    body, at, hash).

    Raises `Damaged` at the first row that is missing, or isn't what was written. Rows of releases before the chain
    have no hash. They are taken as they are, but the first row with a hash covers them too.
    """
    rows: list[Row] = []
    last, begun = after, bool(before)
    for indexed, seq, kind, body, at, kept in found:
        last = indexed
        if seq is None:  # the index has the table, and there are no rows
            break
        row = chained(Row(table, seq, kind, body, at), before)
        begun = begun or bool(kept)
        if seq != after + 1 + len(rows) or (begun and kept != row.hash):
            raise Damaged(table, after + 1 + len(rows))
        rows.append(row)
        before = row.hash
    if after + len(rows) != max(last, after):
        raise Damaged(table, after + 1 + len(rows))
    return rows if begun else [replace(row, covered=False) for row in rows]
