"""Claims: an SQLite store belongs to one server at a time.

The claim is a lock of the operating system on a file beside the store, so it ends with its process, however that ends.
SQLite itself takes it: its locks work on every system.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from tribord.core.refusal import Refusal
from tribord.server.store.refusal import IN_USE, NOT_OPENED


@contextmanager
def claim(store: Path) -> Iterator[None]:
    """Hold a store while the block runs; refuse one that another server holds."""
    file = Path(f"{store.resolve()}-claim")
    try:
        store.parent.mkdir(parents=True, exist_ok=True)
        file.touch(mode=0o600)
        connection = sqlite3.connect(file, timeout=0, isolation_level=None)
    except (OSError, sqlite3.Error) as error:
        raise Refusal("not-opened", NOT_OPENED, place=store, reason=error) from error
    with closing(connection):
        try:
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                raise Refusal("in-use", IN_USE, place=store) from None
            raise Refusal("not-opened", NOT_OPENED, place=store, reason=error) from error
        yield
