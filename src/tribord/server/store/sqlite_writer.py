"""The SQLite writer: one thread that owns the only writing connection, and commits in groups.

All appends that arrive while a commit is under way share the next one: one transaction, one fsync, one wake-up of the
event loop. Their rows go in by one statement, because with every statement the thread lets go of Python's lock and has
to wait for the event loop to give it back.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from queue import SimpleQueue
from threading import Thread
from typing import Any

from tribord.server.store.pending import Answer, Pending, answer
from tribord.server.store.refusal import CodeTaken, Conflict, Unavailable
from tribord.server.store.row import Entry, Row

# Appends in one statement at most, so that the first does not wait long for the last; old libraries take few values.
GROUP = 1_000 if sqlite3.sqlite_version_info >= (3, 32) else 80

CREATE = """INSERT INTO entry (seq, code, game, public, status, due, touched, summary, table_id)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (table_id) DO NOTHING"""
MOVE = """UPDATE entry SET seq = ?, code = ?, game = ?, public = ?, status = ?, due = ?, touched = ?, summary = ?
          WHERE table_id = ? AND seq = ?"""
KEEP = "INSERT INTO journal (table_id, seq, kind, body, at) VALUES (?, ?, ?, ?, ?)"

# What `_append` does, for any number of rows in one statement. It belongs to the writer's connection alone.
APPEND = """
CREATE TEMP VIEW append AS SELECT seq, code, game, public, status, due, touched, summary, table_id,
  '' AS kind, '' AS body, 0 AS at FROM main.entry;
CREATE TEMP TRIGGER append_row INSTEAD OF INSERT ON append BEGIN
  INSERT INTO entry (seq, code, game, public, status, due, touched, summary, table_id)
  SELECT new.seq, new.code, new.game, new.public, new.status, new.due, new.touched, new.summary, new.table_id
  WHERE new.seq = 0;
  UPDATE entry SET seq = new.seq, code = new.code, game = new.game, public = new.public, status = new.status,
    due = new.due, touched = new.touched, summary = new.summary
  WHERE new.seq > 0 AND table_id = new.table_id AND seq = new.seq - 1;
  SELECT RAISE(ABORT, 'not the next row') WHERE new.seq <> 0 AND changes() = 0;
  INSERT INTO journal (table_id, seq, kind, body, at) VALUES (new.table_id, new.seq, new.kind, new.body, new.at);
END;
"""

Job = Callable[[sqlite3.Connection], Any]


class Writer:
    """Takes appends and other writing jobs in order. Its methods are called on the event loop."""

    def __init__(self, connection: sqlite3.Connection):
        self._connection = connection
        connection.executescript(APPEND)
        self._loop = asyncio.get_running_loop()
        self._collected: list[Pending] = []
        self._queue: SimpleQueue[list[Pending]] = SimpleQueue()
        self._jobs: SimpleQueue[tuple[Job, asyncio.Future[Any]]] = SimpleQueue()
        self._closing = False
        self._thread = Thread(target=self._run, name="tribord-store", daemon=True)
        self._thread.start()

    def append(self, row: Row, entry: Entry) -> asyncio.Future[None]:
        """Hand over an append; the answer comes when it is kept."""
        if not self._collected:  # everything of this turn of the loop goes to the thread at once
            self._loop.call_soon(self._hand_over)
        pending = Pending(row, entry, self._loop.create_future())
        self._collected.append(pending)
        return pending.caller

    async def do(self, job: Job) -> Any:
        """Let the thread do a job in a transaction of its own."""
        self._hand_over()
        done: asyncio.Future[Any] = self._loop.create_future()
        self._jobs.put((job, done))
        self._queue.put([])  # wakes the thread
        return await done

    async def close(self) -> None:
        """Finish what was handed over, then stop."""
        self._hand_over()
        self._closing = True
        self._queue.put([])
        await asyncio.to_thread(self._thread.join)
        self._connection.close()

    def _hand_over(self) -> None:
        if self._collected:
            self._queue.put(self._collected)
            self._collected = []

    # What follows runs in the thread.

    def _run(self) -> None:
        while not (self._closing and self._queue.empty()):
            if group := self._gather():
                self._call(answer, list(zip(group, self._write(group))))
            while not self._jobs.empty():
                self._do(*self._jobs.get())

    def _gather(self) -> list[Pending]:
        """Wait for appends, and take all that are there."""
        group = self._queue.get()
        while len(group) < GROUP and not self._queue.empty():
            group += self._queue.get()
        return group

    def _call(self, function: Callable[..., None], *arguments: Any) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self._loop.call_soon_threadsafe(function, *arguments)

    def _write(self, group: list[Pending]) -> list[Answer]:
        """Keep a group in one transaction; one answer each."""
        try:
            try:
                return self._append_all(group)
            except sqlite3.IntegrityError:
                return self._transaction(lambda _connection: [self._append(pending) for pending in group])
        except sqlite3.OperationalError as error:  # a full disk, a locked file: nobody's row is kept
            return [_unavailable(error) for _ in group]
        except Exception as error:
            if len(group) == 1:
                return [error]
            return [outcome for pending in group for outcome in self._write([pending])]  # only one of them is at fault

    def _append_all(self, group: list[Pending]) -> list[Answer]:
        """All rows by one statement, in the hope that each is the next of its table; else none is kept."""
        values: list[Any] = []
        for pending in group:
            row = pending.row
            values += (*_line(pending), row.kind, row.body, row.at)
        self._connection.execute(_all(len(group)), values)
        return [None] * len(group)

    def _append(self, pending: Pending) -> Answer:
        row, entry, line = pending.row, pending.entry, _line(pending)
        try:
            if row.seq == 0:
                moved = self._connection.execute(CREATE, line)
            else:
                moved = self._connection.execute(MOVE, (*line, row.seq - 1))
        except sqlite3.IntegrityError as error:
            if "entry.code" in str(error):
                return CodeTaken(entry.code)
            raise
        if moved.rowcount == 0:
            return Conflict(row.table, row.seq)
        self._connection.execute(KEEP, (row.table, row.seq, row.kind, row.body, row.at))
        return None

    def _do(self, job: Job, done: asyncio.Future[Any]) -> None:
        try:
            outcome = self._transaction(job)
        except sqlite3.OperationalError as error:
            self._call(_fail, done, _unavailable(error))
        except Exception as error:
            self._call(_fail, done, error)
        else:
            self._call(_succeed, done, outcome)

    def _transaction(self, job: Job) -> Any:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            outcome = job(self._connection)
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:  # some errors have rolled it back already
                self._connection.execute("ROLLBACK")
            raise
        return outcome


def _line(pending: Pending) -> tuple[Any, ...]:
    row, entry = pending.row, pending.entry
    return (
        row.seq, entry.code, entry.game, entry.public, entry.status, entry.due, entry.touched, entry.summary, row.table
    )  # fmt: skip


@cache
def _all(rows: int) -> str:
    return "INSERT INTO append VALUES " + ", ".join(["(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"] * rows)


def _unavailable(error: Exception) -> Unavailable:
    refusal = Unavailable(error)
    refusal.__cause__ = error
    return refusal


def _succeed(done: asyncio.Future[Any], outcome: Any) -> None:
    if not done.done():
        done.set_result(outcome)


def _fail(done: asyncio.Future[Any], error: Exception) -> None:
    if not done.done():
        done.set_exception(error)
