"""The SQLite store: one file beside the server, for a living room and for a site on one machine."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, closing
from pathlib import Path
from typing import Any

from tribord.core.refusal import Refusal
from tribord.server.store.analyses import Analyses
from tribord.server.store.branches import Branches
from tribord.server.store.chain import verified
from tribord.server.store.claim import claim
from tribord.server.store.home import Home
from tribord.server.store.inspection import Inspection, inspect
from tribord.server.store.migration import VERSIONS, check_current, missing
from tribord.server.store.moderation import Moderation
from tribord.server.store.refusal import (
    BACKUP_DAMAGED,
    BACKUP_FAILED,
    BACKUP_ONTO_ITSELF,
    NOT_OPENED,
    Damaged,
    EarlierStore,
    LaterStore,
    Unavailable,
)
from tribord.server.store.row import IndexEntry, Row
from tribord.server.store.sqlite_writer import SqliteWriter
from tribord.server.store.store import Heard

WAITING = 4_096  # appends accepted and not yet committed; more callers wait before they are accepted
READERS = 2
BUSY_SECONDS = 10.0  # how long another process (a backup, a second server) may hold the file

# The rows behind one, each beside the number that the index has for the last.
ROWS = """SELECT entry.seq, journal.seq, kind, body, at, hash
          FROM entry LEFT JOIN journal ON journal.table_id = entry.table_id AND journal.seq > ?
          WHERE entry.table_id = ? ORDER BY journal.seq"""
# The file doesn't shrink when tables are deleted: pages that are free don't count.
SIZE = """SELECT (page_count - freelist_count) * page_size
          FROM pragma_page_count, pragma_freelist_count, pragma_page_size"""
ENTRY = "table_id, code, game, public, status, due, touched, summary"


class SqliteStore(Moderation, Analyses, Branches):
    """Tables in a file: WAL, every commit synced, one writer in a process of its own, readers in threads."""

    shared = False
    worker = ""  # the only one

    def __init__(self, path: Path):
        self.path = path
        self._room = asyncio.Semaphore(WAITING)
        self._writer: SqliteWriter | None = None
        self._readers: ThreadPoolExecutor | None = None
        self._own = threading.local()  # a reader thread's connection
        self._connections: list[sqlite3.Connection] = []

    def claim(self) -> AbstractContextManager[None]:
        return claim(self.path)

    async def open(self, *, reading: bool = False) -> None:
        if reading:
            await asyncio.to_thread(_check_current, self.path)
        else:
            await asyncio.to_thread(_prepare, self.path)
            self._writer = SqliteWriter(self.path, BUSY_SECONDS)
        self._readers = ThreadPoolExecutor(READERS, "tribord-read")

    async def close(self) -> None:
        writer, self._writer = self._writer, None
        readers, self._readers = self._readers, None
        if writer is not None:
            await writer.close()
        if readers is not None:
            await asyncio.to_thread(readers.shutdown)
        while self._connections:
            self._connections.pop().close()

    async def append(self, row: Row, entry: IndexEntry) -> None:
        async with self._room:
            await self._open_writer().append(row, entry)

    async def read(self, table: str, after: int = -1, before: bytes = b"") -> list[Row]:
        try:
            return verified(table, after, before, await self._ask_readers(ROWS, after, table))
        except sqlite3.DatabaseError as error:  # its pages can't be read
            raise Damaged(table, after + 1) from error

    async def tables(self) -> list[str]:
        found = await self._ask("SELECT table_id FROM entry UNION SELECT table_id FROM journal")
        return [table for (table,) in found]

    async def flaws(self) -> list[str]:
        return await asyncio.to_thread(_flaws, self.path)

    async def index_entry(self, table: str) -> IndexEntry | None:
        return next(_entries(await self._ask(f"SELECT {ENTRY} FROM entry WHERE table_id = ?", table)), None)

    async def find(self, code: str) -> str | None:
        found = await self._ask("SELECT table_id FROM entry WHERE code = ?", code)
        return found[0][0] if found else None

    async def open_tables(self, limit: int = 50) -> list[IndexEntry]:
        return list(
            _entries(
                await self._ask(
                    f"SELECT {ENTRY} FROM entry WHERE public = 1 AND status = 'open' ORDER BY touched DESC LIMIT ?",
                    limit,
                )
            )
        )

    async def due(self, before: float, limit: int = 100) -> list[str]:
        found = await self._ask("SELECT table_id FROM entry WHERE due <= ? ORDER BY due LIMIT ?", before, limit)
        return [table for (table,) in found]

    async def listen(self, heard: Heard) -> None:
        """Do nothing: with SQLite no other workers exist."""

    async def renew(self, worker: Home, seconds: float) -> bool:
        """Do nothing: no other worker could take the tables over."""
        return True

    async def release(self) -> None:
        """Do nothing: no other worker waits for the tables."""

    async def home(self, table: str) -> Home | None:
        """Return None: every table's home is this worker."""
        return None

    async def taken(self, tables: list[str]) -> dict[str, Home]:
        """Return none: no other worker can have them."""
        return {}

    async def keep_key(self, fresh: bytes) -> bytes:
        return await asyncio.to_thread(_keep_key, self.path, fresh)

    async def size(self) -> int:
        ((used,),) = await self._ask(SIZE)
        return int(used)

    async def backup(self, path: Path) -> None:
        partial = path.with_name(path.name + ".partial")
        try:
            await asyncio.to_thread(self._copy, path, partial)
            if not (await _inspect_copy(partial)).whole:
                damaged = path.with_name(path.name + ".damaged")
                partial.replace(damaged)
                raise Refusal("backup-damaged", BACKUP_DAMAGED, path=damaged)
            partial.replace(path)
        except (OSError, sqlite3.Error) as error:
            raise Refusal("backup-failed", BACKUP_FAILED, path=path, reason=error) from error
        finally:
            partial.unlink(missing_ok=True)

    async def probe(self) -> None:
        await self.find("")
        await self._open_writer().probe()

    async def purge(self, before: float, unfinished: bool = False) -> int:
        count = 0
        while deleted := await self._open_writer().purge(before, unfinished):
            count += deleted
        return count

    def _open_writer(self) -> SqliteWriter:
        if self._writer is None:
            raise Unavailable("it is closed")
        return self._writer

    async def _ask(self, query: str, *values: Any) -> list[Any]:
        try:
            return await self._ask_readers(query, *values)
        except sqlite3.DatabaseError as error:  # pages that can't be read
            raise Unavailable(error) from error

    async def _ask_readers(self, query: str, *values: Any) -> list[Any]:
        if self._readers is None:
            raise Unavailable("it is closed")
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._query, query, values)

    async def _write(self, query: str, *values: Any) -> int:
        return await asyncio.to_thread(_change, self.path, query, values)

    def _query(self, query: str, values: tuple[Any, ...]) -> list[Any]:
        try:
            connection: sqlite3.Connection | None = getattr(self._own, "connection", None)
            if connection is None:
                connection = self._own.connection = _connect(self.path)
                connection.execute("PRAGMA query_only = ON")
                self._connections.append(connection)
            return connection.execute(query, values).fetchall()
        except sqlite3.OperationalError as error:
            raise Unavailable(error) from error

    def _copy(self, path: Path, partial: Path) -> None:
        """The online backup, into a file that gets its name when it is whole and was checked."""
        if path.exists() and path.samefile(self.path):
            raise Refusal("bad-backup", BACKUP_ONTO_ITSELF)
        partial.unlink(missing_ok=True)
        partial.touch(mode=0o600, exist_ok=False)  # before anything is in it
        with closing(_connect(self.path)) as source, closing(_connect(partial)) as copy:
            source.backup(copy)  # in one step: a snapshot, while the writer goes on


async def _inspect_copy(path: Path) -> Inspection:
    """Check every row of a copy; of a store of another version, only the file."""
    copy = SqliteStore(path)
    try:
        await copy.open(reading=True)
    except (EarlierStore, LaterStore):
        return Inspection(flaws=await copy.flaws())
    try:
        return await inspect(copy)
    finally:
        await copy.close()


def _flaws(path: Path) -> list[str]:
    try:
        with closing(_connect(path)) as connection:
            return [line for (line,) in connection.execute("PRAGMA integrity_check") if line != "ok"]
    except sqlite3.DatabaseError as error:
        return [str(error)]


def _entries(found: list[Any]) -> Iterator[IndexEntry]:
    for table, code, game, public, status, due, touched, summary in found:
        yield IndexEntry(table, code, game, bool(public), status, due, touched, summary)


def _connect(path: Path) -> sqlite3.Connection:
    """A connection without implicit transactions; this package decides which thread uses it."""
    return sqlite3.connect(
        path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False, cached_statements=512
    )


def _prepare(path: Path) -> None:
    """Make sure the store exists, with write-ahead logging and this version's schema."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)  # seeds of running matches are secret
        with closing(_connect(path)) as connection:
            _use_wal(connection)
            _migrate(connection)
    except (OSError, sqlite3.Error) as error:
        raise Refusal("not-opened", NOT_OPENED, place=path, reason=error) from error


def _check_current(path: Path) -> None:
    """Make sure the store exists and has this version, without changing it."""
    try:
        path.stat()  # otherwise it would be created
        with closing(_connect(path)) as connection:
            (version,) = connection.execute("SELECT max(version) FROM schema_version").fetchone()
    except (OSError, sqlite3.Error) as error:
        raise Refusal("not-opened", NOT_OPENED, place=path, reason=error) from error
    check_current("sqlite", version)


def _use_wal(connection: sqlite3.Connection) -> None:
    """Switch to write-ahead logging. Two processes that do so at once get “locked” without the usual wait."""
    patience = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > patience:
                raise
        time.sleep(0.02)


def _migrate(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        if not connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'schema_version'").fetchall():
            connection.execute(VERSIONS)
        (version,) = connection.execute("SELECT coalesce(max(version), 0) FROM schema_version").fetchone()
        for step in missing("sqlite", version):
            for statement in _statements(step.sql):
                connection.execute(statement)
            connection.execute("INSERT INTO schema_version VALUES (?, ?)", (step.version, step.name))
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _keep_key(path: Path, fresh: bytes) -> bytes:
    try:
        with closing(_connect(path)) as connection:
            connection.execute("INSERT OR IGNORE INTO signing_key VALUES (1, ?)", (fresh,))
            (kept,) = connection.execute("SELECT secret FROM signing_key").fetchone()
    except sqlite3.Error as error:
        raise Unavailable(error) from error
    return bytes(kept)


def _change(path: Path, query: str, values: tuple[Any, ...]) -> int:
    """Run one statement outside the writer process, synced too."""
    try:
        with closing(_connect(path)) as connection:
            return connection.execute(query, values).rowcount
    except sqlite3.Error as error:
        raise Unavailable(error) from error


def _statements(script: str) -> Iterator[str]:
    """The statements of a script one by one, because executescript() would commit before it starts."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
