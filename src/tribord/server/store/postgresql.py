"""The PostgreSQL store: for several workers and machines. Each table has one worker as its home."""

from __future__ import annotations

import asyncio
import math
import secrets
import time
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import psycopg

from tribord.core.refusal import Refusal
from tribord.server.store.analyses import Analyses
from tribord.server.store.branches import Branches
from tribord.server.store.chain import verified
from tribord.server.store.home import Home
from tribord.server.store.migration import VERSIONS, check_current, missing
from tribord.server.store.moderation import Moderation
from tribord.server.store.postgresql_listener import Listener
from tribord.server.store.postgresql_pool import UNHURRIED, Connection, Lost, Pool, address, connect
from tribord.server.store.postgresql_writer import DURABLE, PostgresqlWriter
from tribord.server.store.refusal import NOT_OPENED, USE_PG_DUMP, Damaged, Unavailable
from tribord.server.store.row import IndexEntry, Row
from tribord.server.store.store import Heard

WAITING = 4_096  # appends accepted and not yet committed; more callers wait before they are accepted
READERS = 4
CLAIMS = 8
PURGE = 200  # tables deleted in one transaction
SIZE_SECONDS = 10.0  # that a size is good for: every new table asks
SAMPLE = 1_000  # pages of a relation that are looked at to estimate it
LOCK = 0x747269626F7264  # "tribord": the advisory lock for migrations

# The rows behind one, each beside the number that the index has for the last.
ROWS = """SELECT entry.seq, journal.seq, kind, body, at, hash
          FROM entry LEFT JOIN journal ON journal.table_id = entry.table_id AND journal.seq > %s
          WHERE entry.table_id = %s ORDER BY journal.seq"""
ENTRY = "table_id, code, game, public, status, due, touched, summary"
# Deleted rows leave their files as they are, so what is there is counted. Of large relations only some pages are looked
# at, each with the same probability. A row takes what is in its large column, and a rest with its share of the indexes.
LIVE = """SELECT coalesce(sum({rest} + pg_column_size({large})), 0) / {part}
          FROM {name} TABLESAMPLE SYSTEM (100 * {part})"""
PART = "least(1, {sample} * 8192.0 / greatest(pg_relation_size('{name}'), 1))"
RELATIONS = (
    ("journal", "body", 140), ("entry", "summary", 260), ("analysis", "body", 80), ("audit", "details", 200),
    ("branch", "original", 100),
)  # fmt: skip
# A lease is renewed for seconds: one that runs for longer is from before the database's clock was set back.
LEASED = """worker.id = entry.home AND worker.until > clock_timestamp()
            AND worker.until <= clock_timestamp() + interval '10 seconds'"""
HOMELESS = f"NOT EXISTS (SELECT FROM worker WHERE {LEASED})"
# A statement doesn't see its own changes, hence the count.
CLAIM = f"""
WITH claimed AS (UPDATE entry SET home = %s WHERE table_id = %s AND home <> %s AND {HOMELESS} RETURNING 1)
SELECT (SELECT count(*) FROM claimed), entry.home, worker.address, worker.reference
FROM entry LEFT JOIN worker ON {LEASED} WHERE table_id = %s
"""
TAKEN = """
SELECT table_id, home, coalesce(address, ''), coalesce(reference, '')
FROM entry LEFT JOIN worker ON worker.id = home WHERE table_id = ANY(%s) AND home <> %s
"""
RENEW = """
WITH before AS (SELECT until FROM worker WHERE id = %s), renewed AS (
  INSERT INTO worker VALUES (%s, %s, %s, clock_timestamp() + make_interval(secs => %s))
  ON CONFLICT (id) DO UPDATE SET until = excluded.until
), forgotten AS (DELETE FROM worker WHERE until < clock_timestamp() - interval '1 hour')
SELECT coalesce((SELECT until > clock_timestamp() FROM before), false),
  set_config('synchronous_commit', 'off', true)
"""
# This worker's own line is written as it is; before the worker has a lease, one that has run out.
PROBE = """
INSERT INTO worker VALUES (%s, '', '', clock_timestamp() - interval '1 minute')
ON CONFLICT (id) DO UPDATE SET until = worker.until
"""


class PostgresqlStore(Moderation, Analyses, Branches):
    """Tables in a database shared with other workers. Raises psycopg.ProgrammingError for an invalid address."""

    shared = True

    def __init__(self, url: str):
        self.worker = secrets.token_hex(8)
        self._conninfo = address(url)
        self._room = asyncio.Semaphore(WAITING)
        self._reading = Pool(self._conninfo, READERS)
        self._writing = Pool(self._conninfo, 1, DURABLE)
        self._renewing = Pool(self._conninfo, 1)  # so that a lease waits for no table
        self._writer: PostgresqlWriter | None = None
        self._listeners: list[Listener] = []
        self._size, self._size_until = 0, -math.inf
        self._probe: asyncio.Future[None] | None = None  # shared by all who want to know

    def claim(self) -> AbstractContextManager[None]:
        return nullcontext()  # meant to be shared

    async def open(self, *, reading: bool = False) -> None:
        try:
            connection = await connect(self._conninfo)
            async with connection, connection.transaction():
                await (_check_current if reading else _migrate)(connection)
        except (Lost, psycopg.Error) as error:
            place = psycopg.conninfo.conninfo_to_dict(self._conninfo)
            where = f"{place.get('host', 'localhost')}/{place.get('dbname', '')}"  # without the password
            raise Refusal("not-opened", NOT_OPENED, place=where, reason=str(error).strip().splitlines()[0]) from error
        self._reading = Pool(self._conninfo, READERS, UNHURRIED if reading else "")
        self._writing = Pool(self._conninfo, 1, DURABLE)
        self._renewing = Pool(self._conninfo, 1)
        self._writer = PostgresqlWriter(self._writing, self.worker)

    async def close(self) -> None:
        writer, self._writer = self._writer, None
        if writer is not None:
            await writer.close()
        while self._listeners:
            await self._listeners.pop().close()
        for pool in (self._writing, self._reading, self._renewing):
            await pool.close()

    async def append(self, row: Row, entry: IndexEntry) -> None:
        async with self._room:
            await self._open_writer().append(row, entry)

    async def read(self, table: str, after: int = -1, before: bytes = b"") -> list[Row]:
        try:
            return verified(table, after, before, await self._ask_readers(ROWS, after, table))
        except psycopg.InternalError as error:  # its pages can't be read
            raise Damaged(table, after + 1) from error

    async def tables(self) -> list[str]:
        found = await self._ask("SELECT table_id FROM entry UNION SELECT table_id FROM journal")
        return [line[0] for line in found]

    async def flaws(self) -> list[str]:
        """PostgreSQL has its own tools for that."""
        return []

    async def index_entry(self, table: str) -> IndexEntry | None:
        found = await self._ask(f"SELECT {ENTRY} FROM entry WHERE table_id = %s", table)
        return IndexEntry(*found[0]) if found else None

    async def find(self, code: str) -> str | None:
        found = await self._ask("SELECT table_id FROM entry WHERE code = %s", code)
        return found[0][0] if found else None

    async def open_tables(self, limit: int = 50) -> list[IndexEntry]:
        found = await self._ask(
            f"SELECT {ENTRY} FROM entry WHERE public AND status = 'open' ORDER BY touched DESC LIMIT %s", limit
        )
        return [IndexEntry(*line) for line in found]

    async def due(self, before: float, limit: int = 100) -> list[str]:
        found = await self._ask(
            f"SELECT table_id FROM entry WHERE due <= %s AND (home = %s OR {HOMELESS}) ORDER BY due LIMIT %s",
            before,
            self.worker,
            limit,
        )
        return [line[0] for line in found]

    async def listen(self, heard: Heard) -> None:
        listener = Listener(self._conninfo, self.worker, heard)
        try:
            await listener.start()
        except Lost as error:
            raise Unavailable(error) from error
        self._listeners.append(listener)

    async def renew(self, worker: Home, seconds: float) -> bool:
        found = await self._lease(RENEW, worker.id, worker.id, worker.address, worker.reference, seconds)
        return bool(found[0][0])

    async def release(self) -> None:
        await self._lease("DELETE FROM worker WHERE id = %s RETURNING id", self.worker)

    async def home(self, table: str) -> Home | None:
        for _attempt in range(CLAIMS):
            found = await self._ask(CLAIM, self.worker, table, self.worker, table)
            claimed, home, address, reference = found[0] if found else (1, self.worker, None, None)
            if claimed or home == self.worker:
                return None
            if address is not None:
                return Home(home, address, reference)
        raise Unavailable("its tables change their home")  # each time another worker was first, and has gone since

    async def taken(self, tables: list[str]) -> dict[str, Home]:
        found = await self._ask(TAKEN, tables, self.worker)
        return {table: Home(*home) for table, *home in found}

    async def keep_key(self, fresh: bytes) -> bytes:
        await self._ask("INSERT INTO signing_key VALUES (1, %s) ON CONFLICT DO NOTHING RETURNING id", fresh)
        return bytes((await self._ask("SELECT secret FROM signing_key"))[0][0])

    async def size(self) -> int:
        if time.monotonic() >= self._size_until:
            self._size = int((await self._ask(_size()))[0][0])
            self._size_until = time.monotonic() + SIZE_SECONDS
        return self._size

    async def backup(self, path: Path) -> None:
        raise Refusal("no-backup", USE_PG_DUMP)

    async def probe(self) -> None:
        if self._probe is None or self._probe.done():
            self._probe = asyncio.ensure_future(self._read_and_write())
            self._probe.add_done_callback(lambda done: done.cancelled() or done.exception())  # perhaps no one waits
        await asyncio.shield(self._probe)

    async def _read_and_write(self) -> None:
        await self.find("")
        await self._write(PROBE, self.worker)

    async def purge(self, before: float, unfinished: bool = False) -> int:
        count = 0
        status = "status = 'playing'" if unfinished else "status <> 'playing'"
        # Tables being written right now aren't idle: skip them, don't wait.
        while deleted := await self._ask(
            "DELETE FROM entry WHERE table_id = ANY(ARRAY(SELECT table_id FROM entry"
            f" WHERE {status} AND touched < %s LIMIT %s FOR UPDATE SKIP LOCKED)) RETURNING table_id",
            before,
            PURGE,
        ):
            count += len(deleted)
        self._size_until = -math.inf
        return count

    def _open_writer(self) -> PostgresqlWriter:
        if self._writer is None:
            raise Unavailable("it is closed")
        return self._writer

    async def _ask(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        try:
            return await self._ask_readers(query.replace("?", "%s"), *values)
        except psycopg.DatabaseError as error:  # pages that can't be read
            raise Unavailable(error) from error

    async def _lease(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        self._open_writer()
        try:
            return await self._renewing.ask(query, *values)
        except psycopg.DatabaseError as error:
            raise Unavailable(error) from error

    async def _ask_readers(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        self._open_writer()
        return await self._reading.ask(query, *values)

    async def _write(self, query: str, *values: Any) -> int:
        async def work(connection: Connection) -> int:
            return (await connection.execute(query.replace("?", "%s").encode(), values)).rowcount

        self._open_writer()
        try:
            return await self._writing.run(work)
        except psycopg.DatabaseError as error:
            raise Unavailable(error) from error


async def _check_current(connection: Connection) -> None:
    found = await (await connection.execute(b"SELECT max(version) FROM schema_version")).fetchone()
    assert found is not None
    check_current("postgresql", found[0])


async def _migrate(connection: Connection) -> None:
    for patient in (b"lock_timeout", b"statement_timeout"):  # another worker may be at it, and it may take long
        await connection.execute(b"SET LOCAL " + patient + b" = 0")
    await connection.execute(b"SELECT pg_advisory_xact_lock(%s)", (LOCK,))
    there = await (await connection.execute(b"SELECT to_regclass('schema_version') IS NOT NULL")).fetchone()
    if there == (False,):
        await connection.execute(VERSIONS.encode())
    found = await (await connection.execute(b"SELECT coalesce(max(version), 0) FROM schema_version")).fetchone()
    assert found is not None
    for step in missing("postgresql", found[0]):
        await connection.execute(step.sql.encode())
        await connection.execute(b"INSERT INTO schema_version VALUES (%s, %s)", (step.version, step.name))


def _size(sample: int = SAMPLE) -> str:
    """Return the query that estimates how many bytes the rows take."""
    parts = {name: PART.format(name=name, sample=sample) for name, _large, _rest in RELATIONS}
    sums = [LIVE.format(name=name, large=large, rest=rest, part=parts[name]) for name, large, rest in RELATIONS]
    return f"SELECT {' + '.join(f'({one})' for one in sums)}"
