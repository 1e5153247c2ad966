"""The PostgreSQL writer: one connection per worker, commits in groups.

All appends that arrive while a commit is under way share the next one. A group is one statement, which is also its
transaction: the entries are locked in order, so that workers never deadlock, then moved, and the rows kept whose entry
could be moved. The database needs nothing more from us to finish it, so a worker that hangs or loses power holds no
locks. After an append to another worker's table only that worker is notified: a NOTIFY makes commits wait for each
other, and most rows are written by their table's home. After a broken connection it's unknown whether a group was
committed: it's written again, and a conflicting row with our own stamp is ours.
"""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass, field

from psycopg import DatabaseError, InternalError, errors

from tribord.server.store.pending import Answer, Pending, answer
from tribord.server.store.postgresql_pool import Connection, Pool
from tribord.server.store.refusal import CodeTaken, Conflict, Unavailable
from tribord.server.store.row import IndexEntry, Row

GROUP = 1_000  # appends in one statement at most
GATHER_SECONDS = 0.003  # a commit costs the same for one row and for many
CHANNEL = "tribord_"  # and the worker who listens there

# This overrules a database that trades durability for speed, but not one that waits for standbys.
DURABLE = """SELECT set_config('synchronous_commit', 'on', false)
             WHERE current_setting('synchronous_commit') = 'off'"""

# The tables whose entry someone else has locked.
HELD = """
WITH free AS (SELECT table_id FROM entry WHERE table_id = ANY(%b::text[]) FOR UPDATE SKIP LOCKED)
SELECT table_id FROM entry WHERE table_id = ANY(%b::text[]) AND table_id NOT IN (SELECT table_id FROM free)
"""

# Counting the locked entries has them all locked before the first is moved.
APPEND = b"""
WITH given AS (
  SELECT * FROM unnest(
    %b::text[], %b::bigint[], %b::text[], %b::bytea[], %b::float8[], %b::bytea[], %b::bigint[],
    %b::text[], %b::text[], %b::boolean[], %b::text[], %b::float8[], %b::float8[], %b::bytea[]
  ) AS given (table_id, seq, kind, body, at, hash, stamp, code, game, public, status, due, touched, summary)
), locked AS (
  SELECT FROM entry WHERE table_id = ANY(%b::text[]) ORDER BY table_id FOR UPDATE
), created AS (
  INSERT INTO entry (table_id, seq, code, game, public, status, due, touched, summary, worker, wrote, home)
  SELECT table_id, seq, code, game, public, status, due, touched, summary, %b, now(), %b FROM given
  WHERE seq = 0 AND (SELECT count(*) FROM locked) >= 0
  ORDER BY table_id
  ON CONFLICT DO NOTHING
  RETURNING table_id
), moved AS (
  UPDATE entry SET
    seq = given.seq, code = given.code, game = given.game, public = given.public, status = given.status,
    due = given.due, touched = given.touched, summary = given.summary, worker = %b, wrote = now()
  FROM given
  WHERE entry.table_id = given.table_id AND entry.seq = given.seq - 1 AND given.seq > 0
    AND (SELECT count(*) FROM locked) >= 0
  RETURNING entry.table_id, entry.home
), kept AS (
  INSERT INTO journal (table_id, seq, kind, body, at, hash, stamp)
  SELECT table_id, seq, kind, body, at, hash, stamp FROM given
  WHERE table_id IN (SELECT table_id FROM created UNION ALL SELECT table_id FROM moved)
  RETURNING table_id, seq, kind, body, at, hash
)
SELECT kept.table_id, CASE WHEN home NOT IN ('', %b) THEN pg_notify(%b || home, concat_ws(E'\\n', seq, kept.table_id,
  CASE WHEN octet_length(body) < 3500
  THEN concat_ws(E'\\n', at, kind, encode(hash, 'hex'), encode(body, 'hex')) END)) END
FROM kept LEFT JOIN moved USING (table_id)
"""

STAMPS = b"""
SELECT table_id, seq, stamp FROM journal
JOIN unnest(%b::text[], %b::bigint[]) AS wanted (table_id, seq) USING (table_id, seq)
"""


@dataclass(slots=True, eq=False)
class Stamped(Pending):
    """An append with a stamp by which it recognises its own row."""

    stamp: int = field(default_factory=lambda: random.getrandbits(63))


class PostgresqlWriter:
    """Write appends in order."""

    def __init__(self, pool: Pool, worker: str):
        self._pool = pool
        self._worker = worker
        self._loop = asyncio.get_running_loop()
        self._waiting: list[Stamped] = []
        self._arrived = asyncio.Event()
        self._closing = False
        self._task = asyncio.create_task(self._run(), name="tribord-store")

    def append(self, row: Row, entry: IndexEntry) -> asyncio.Future[None]:
        """Queue an append; return when it is stored."""
        pending = Stamped(row, entry, self._loop.create_future())
        self._waiting.append(pending)
        self._arrived.set()
        return pending.caller

    async def close(self) -> None:
        """Finish the queue, then stop."""
        self._closing = True
        self._arrived.set()
        await self._task

    async def _run(self) -> None:
        while self._waiting or not self._closing:
            await self._arrived.wait()
            group, self._waiting = self._waiting[:GROUP], self._waiting[GROUP:]
            if not self._waiting and not self._closing:
                self._arrived.clear()
            if group:
                answer(zip(group, await self._write(group)))
            if len(group) > 1 and not self._closing:  # more will come in a moment, and can share the next commit
                await asyncio.sleep(GATHER_SECONDS)

    async def _write(self, group: list[Stamped]) -> list[Answer]:
        """Write a group; return one answer for each append."""
        try:
            return await self._pool.run(lambda connection: self._keep(connection, group))
        except Unavailable as error:
            if isinstance(error.__cause__, errors.LockNotAvailable) and len(group) > 1:
                return await self._write_free(group, error)
            return [_again(error) for _ in group]
        except Exception as error:
            if len(group) > 1:  # only one of them is at fault
                return [outcome for pending in group for outcome in await self._write([pending])]
            if isinstance(error, errors.UniqueViolation) and error.diag.constraint_name == "entry_code":
                return [CodeTaken(group[0].entry.code)]
            # Pages that can't be read are the store's trouble, anything else is ours.
            return [Unavailable(error) if isinstance(error, InternalError) else error]

    async def _write_free(self, group: list[Stamped], error: Unavailable) -> list[Answer]:
        """Write the appends whose entry nobody else holds, so that a lock costs the others a moment."""
        tables = [pending.row.table for pending in group]
        try:
            held = {line[0] for line in await self._pool.ask(HELD, tables, tables)}
        except (Unavailable, DatabaseError):
            held = set()
        free = [pending for pending in group if pending.row.table not in held]
        if len(free) == len(group):  # it has just been released, or we can't know
            return [_again(error) for _ in group]
        answers = dict(zip(free, await self._write(free))) if free else {}
        return [answers[pending] if pending in answers else _again(error) for pending in group]

    async def _keep(self, connection: Connection, group: list[Stamped]) -> list[Answer]:
        kept: set[Stamped] = set()
        for wave in _waves(group):
            cursor = await connection.execute(APPEND, self._values(wave))
            tables = {line[0] for line in await cursor.fetchall()}
            kept.update(pending for pending in wave if pending.row.table in tables)
        if len(kept) == len(group):
            return [None] * len(group)
        return await self._explain(connection, group, kept)

    def _values(self, wave: list[Stamped]) -> tuple[object, ...]:
        rows, entries = [pending.row for pending in wave], [pending.entry for pending in wave]
        return (
            [row.table for row in rows], [row.seq for row in rows], [row.kind for row in rows],
            [row.body for row in rows], [row.at for row in rows], [row.hash for row in rows],
            [pending.stamp for pending in wave],
            [entry.code for entry in entries], [entry.game for entry in entries], [entry.public for entry in entries],
            [entry.status for entry in entries], [entry.due for entry in entries],
            [entry.touched for entry in entries], [entry.summary for entry in entries],
            [row.table for row in rows if row.seq > 0],
            self._worker, self._worker, self._worker, self._worker, CHANNEL,
        )  # fmt: skip

    async def _explain(self, connection: Connection, group: list[Stamped], kept: set[Stamped]) -> list[Answer]:
        """Return the answers for a group that wasn't fully stored, with the row in each one's way."""
        rows = [pending.row for pending in group if pending not in kept]
        cursor = await connection.execute(STAMPS, ([row.table for row in rows], [row.seq for row in rows]))
        stamps = {(table, seq): stamp for table, seq, stamp in await cursor.fetchall()}
        answers: list[Answer] = []
        for pending in group:
            row, stamp = pending.row, stamps.get((pending.row.table, pending.row.seq))
            if pending in kept or stamp == pending.stamp:
                answers.append(None)
            elif row.seq == 0 and stamp is None:
                answers.append(CodeTaken(pending.entry.code))
            else:
                answers.append(Conflict(row.table, row.seq))
        return answers


def _waves(group: list[Stamped]) -> list[list[Stamped]]:
    """The group in parts with every table at most once, because one statement changes an entry once."""
    waves: list[list[Stamped]] = []
    turns: dict[str, int] = {}
    for pending in group:
        turn = turns[pending.row.table] = turns.get(pending.row.table, -1) + 1
        if turn == len(waves):
            waves.append([])
        waves[turn].append(pending)
    return waves


def _again(error: Unavailable) -> Unavailable:
    """Copy a refusal for another caller, so that each raises its own."""
    refusal = Unavailable(error.fields["reason"])
    refusal.__cause__ = error.__cause__
    return refusal
