"""The SQLite writer process: a process of its own that has the only writing connection.

A thread would have to wait for Python's lock several times per commit, and every system call of the event loop would
wake it in vain: that cost the server a seventh of its time. The process is started by its path and imports nothing else
of Tribord, so it's small and starts at once. Requests come on standard input and answers go to standard output, each
four bytes of length and then msgpack. A request is the lines of a group of appends, what to purge, or `PROBE`. When the
input ends, so does the process.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import sys
from collections.abc import Callable
from functools import cache
from typing import Any, BinaryIO

import msgspec

# What to keep of an append: the columns of its entry, then those that only its row has.
Line = tuple[int, str, str, bool, str, float | None, float, bytes, str, str, bytes, float, bytes]
CONFLICT, CODE_TAKEN, UNAVAILABLE, FAILED = "conflict", "code-taken", "unavailable", "failed"
WhyNot = tuple[str, str]  # one of these words, and the reason
Purge = dict[str, Any]  # the request to delete tables: "before" when, and whether "unfinished" ones
PROBE = "probe"  # the request to try whether the store can be written

PURGE = 200  # tables deleted in one transaction, so that appends get their turn in between

CREATE = """INSERT INTO entry (seq, code, game, public, status, due, touched, summary, table_id)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (table_id) DO NOTHING"""
MOVE = """UPDATE entry SET seq = ?, code = ?, game = ?, public = ?, status = ?, due = ?, touched = ?, summary = ?
          WHERE table_id = ? AND seq = ?"""
KEEP = "INSERT INTO journal (table_id, seq, kind, body, at, hash) VALUES (?, ?, ?, ?, ?, ?)"
OLD = """DELETE FROM entry WHERE table_id IN
         (SELECT table_id FROM entry WHERE status <> 'playing' AND touched < ? LIMIT ?)"""
UNFINISHED = OLD.replace("<>", "=")

# What `_append` does, for any number of rows in one statement. It belongs to this connection alone.
APPEND = """
CREATE TEMP VIEW append AS SELECT seq, code, game, public, status, due, touched, summary, table_id,
  '' AS kind, '' AS body, 0 AS at, '' AS hash FROM main.entry;
CREATE TEMP TRIGGER append_row INSTEAD OF INSERT ON append BEGIN
  INSERT INTO entry (seq, code, game, public, status, due, touched, summary, table_id)
  SELECT new.seq, new.code, new.game, new.public, new.status, new.due, new.touched, new.summary, new.table_id
  WHERE new.seq = 0;
  UPDATE entry SET seq = new.seq, code = new.code, game = new.game, public = new.public, status = new.status,
    due = new.due, touched = new.touched, summary = new.summary
  WHERE new.seq > 0 AND table_id = new.table_id AND seq = new.seq - 1;
  SELECT RAISE(ABORT, 'not the next row') WHERE new.seq <> 0 AND changes() = 0;
  INSERT INTO journal (table_id, seq, kind, body, at, hash)
  VALUES (new.table_id, new.seq, new.kind, new.body, new.at, new.hash);
END;
"""


class WriterProcess:
    """Keeps groups of appends, one transaction and one fsync each, and purges."""

    def __init__(self, path: str, busy_seconds: float):
        self.connection = sqlite3.connect(path, timeout=busy_seconds, isolation_level=None, cached_statements=512)
        self.connection.execute("PRAGMA synchronous = FULL")
        self.connection.execute("PRAGMA foreign_keys = ON")
        self.connection.execute("PRAGMA temp_store = MEMORY")  # what it keeps to take one statement back
        self.connection.execute("PRAGMA wal_autocheckpoint = 4000")  # pages; copying back seldom is cheaper
        self.connection.executescript(APPEND)

    def answer(self, request: list[Line] | Purge | str) -> list[WhyNot | None] | int | WhyNot:
        """Carry out a request."""
        if isinstance(request, list):
            return self.append(request)
        return self.probe() if isinstance(request, str) else self.purge(**request)

    def append(self, lines: list[Line]) -> list[WhyNot | None]:
        """Write a group in one transaction; return for each append why it failed, if it did."""
        try:
            try:
                return self._append_all(lines)
            except sqlite3.IntegrityError:
                return self._transaction(lambda: [self._append(line) for line in lines])
        except sqlite3.OperationalError as error:  # a full disk, a locked file: no row is kept
            return [(UNAVAILABLE, str(error)) for _line in lines]
        except Exception as error:
            if len(lines) == 1:  # pages that can't be read, or values that can't be stored
                return [(UNAVAILABLE if type(error) is sqlite3.DatabaseError else FAILED, repr(error))]
            return [answer for line in lines for answer in self.append([line])]  # only one of them is at fault

    def purge(self, before: float, unfinished: bool) -> int | WhyNot:
        """Delete some of the tables unused since then, finished or not; return how many."""
        old = UNFINISHED if unfinished else OLD
        try:
            return self._transaction(lambda: self.connection.execute(old, (before, PURGE)).rowcount)
        except sqlite3.DatabaseError as error:
            return (UNAVAILABLE, str(error))

    def probe(self) -> int | WhyNot:
        """Write something that no one reads: a number in the file's header."""
        try:
            (number,) = self.connection.execute("PRAGMA user_version").fetchone()
            self._transaction(lambda: self.connection.execute(f"PRAGMA user_version = {(number + 1) % 1_000_000}"))
            return 0
        except sqlite3.Error as error:
            return (UNAVAILABLE, str(error))

    def _append_all(self, lines: list[Line]) -> list[WhyNot | None]:
        """Insert all rows in one statement; if any isn't the next of its table, store none."""
        self.connection.execute(_all(len(lines)), [value for line in lines for value in line])
        return [None] * len(lines)

    def _append(self, line: Line) -> WhyNot | None:
        seq, code, *_rest, table, kind, body, at, known = line
        try:
            if seq == 0:
                moved = self.connection.execute(CREATE, line[:9])
            else:
                moved = self.connection.execute(MOVE, (*line[:9], seq - 1))
        except sqlite3.IntegrityError as error:
            if "entry.code" in str(error):
                return (CODE_TAKEN, code)
            raise
        if moved.rowcount == 0:
            return (CONFLICT, f"row {seq} of table {table}")
        self.connection.execute(KEEP, (table, seq, kind, body, at, known))
        return None

    def _transaction(self, job: Callable[[], Any]) -> Any:
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            outcome = job()
            self.connection.execute("COMMIT")
        except BaseException:
            if self.connection.in_transaction:  # some errors have rolled it back already
                self.connection.execute("ROLLBACK")
            raise
        return outcome


@cache
def _all(rows: int) -> str:
    return "INSERT INTO append VALUES " + ", ".join(["(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"] * rows)


def frame(message: object) -> bytes:
    """A message as it goes over the pipe."""
    packed = msgspec.msgpack.encode(message)
    return len(packed).to_bytes(4, "big") + packed


def main(path: str, busy_seconds: str) -> None:
    """Carry out requests until there are no more."""
    for stop in (signal.SIGINT, signal.SIGTERM):  # meant for the server, which still has rows to hand over
        signal.signal(stop, signal.SIG_IGN)
    writer = WriterProcess(path, float(busy_seconds))
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    while (request := _read(requests)) is not None:
        answers.write(frame(writer.answer(request)))
        answers.flush()
    writer.connection.close()


def _read(requests: BinaryIO) -> Any:
    """The next request; None if the server is gone, even in the middle of one."""
    length = int.from_bytes(requests.read(4), "big")
    packed = requests.read(length)
    return msgspec.msgpack.decode(packed) if length and len(packed) == length else None


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except BrokenPipeError:  # nobody is left to answer
        os._exit(0)
    except sqlite3.Error as error:
        sys.exit(f"The store “{sys.argv[1]}” cannot be written: {error}")
