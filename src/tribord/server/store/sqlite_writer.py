"""The SQLite writer: hands appends to the writer process in groups, and its answers back to the callers.

All appends that arrive while a commit is under way share the next one: one transaction, one fsync, one message to the
writer process and one back.
"""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from tribord.server.store import sqlite_writer_process
from tribord.server.store.pending import Answer, Pending, answer
from tribord.server.store.refusal import CodeTaken, Conflict, Unavailable
from tribord.server.store.row import IndexEntry, Row
from tribord.server.store.sqlite_writer_process import (
    CODE_TAKEN,
    CONFLICT,
    PROBE,
    UNAVAILABLE,
    Line,
    Purge,
    WhyNot,
    frame,
)

# Appends in one statement at most, so that the first does not wait long for the last; old libraries take few values.
GROUP = 1_000 if sqlite3.sqlite_version_info >= (3, 32) else 76
ENDED = "its writer has ended"
HUNG = "its writer didn't answer"
# For an answer, and at the end for the process to exit: far more than a slow disk takes, or than another process may
# hold the file. A process that hangs for longer is replaced.
ANSWER_SECONDS = 30.0


class SqliteWriter:
    """Takes appends in order, purges and probes between them. Its process starts when there is something to write."""

    def __init__(self, path: Path, busy_seconds: float):
        self._started_with = (sys.executable, "-P", sqlite_writer_process.__file__, str(path), str(busy_seconds))
        self._loop = asyncio.get_running_loop()
        self._waiting: list[Pending] = []
        self._purges: list[tuple[Purge, asyncio.Future[int]]] = []
        self._probe: asyncio.Future[int] | None = None  # shared by all who want to know
        self._asked = asyncio.Event()
        self._closing = False
        self.process: Process | None = None
        self._task = asyncio.create_task(self._run())

    def append(self, row: Row, entry: IndexEntry) -> asyncio.Future[None]:
        """Queue an append; return when it is stored."""
        pending = Pending(row, entry, self._loop.create_future())
        self._waiting.append(pending)
        self._asked.set()
        return pending.caller

    async def purge(self, before: float, unfinished: bool) -> int:
        """Delete some of the tables unused since then, finished or not; return how many."""
        done: asyncio.Future[int] = self._loop.create_future()
        self._purges.append(({"before": before, "unfinished": unfinished}, done))
        self._asked.set()
        return await done

    async def probe(self) -> None:
        """Write something, to check that writing works."""
        if self._probe is None:
            self._probe = self._loop.create_future()
            self._asked.set()
        await asyncio.shield(self._probe)

    async def close(self) -> None:
        """Finish the queue, then stop."""
        self._closing = True
        self._asked.set()
        await self._task
        if self.process is not None and self.process.stdin is not None:
            self.process.stdin.close()
            try:
                async with asyncio.timeout(ANSWER_SECONDS):
                    await self.process.wait()
            except TimeoutError:
                self._kill()

    async def _run(self) -> None:
        while self._waiting or self._purges or self._probe or not self._closing:
            await self._asked.wait()
            self._asked.clear()
            while self._waiting or self._purges or self._probe:
                if self._waiting:
                    group, self._waiting = self._waiting[:GROUP], self._waiting[GROUP:]
                    await self._append(group)
                if self._purges:
                    await self._answer(*self._purges.pop(0))
                if self._probe:
                    probe, self._probe = self._probe, None
                    await self._answer(PROBE, probe)

    async def _append(self, group: list[Pending]) -> None:
        try:
            answers = await self._ask([_line(pending.row, pending.entry) for pending in group])
        except Unavailable as error:
            answer((pending, error) for pending in group)
        except Exception as error:  # it can't be sent to the writer process
            if len(group) == 1:
                answer([(group[0], error)])
            else:
                for pending in group:  # only one of them is at fault
                    await self._append([pending])
        else:
            answer((pending, _exception(said, pending)) for pending, said in zip(group, answers))

    async def _answer(self, request: Purge | str, done: asyncio.Future[int]) -> None:
        try:
            said = await self._ask(request)
        except Unavailable as error:
            said = (UNAVAILABLE, str(error))
        if not done.done():
            if isinstance(said, int):
                done.set_result(said)
            else:
                done.set_exception(Unavailable(said[1]))

    async def _ask(self, request: list[Line] | Purge | str) -> Any:
        """The process's answer. One that has died is replaced, and so is one that hangs: it's killed.

        Its pending rows may be kept or not.
        """
        message = frame(request)
        try:
            if self.process is None or self.process.returncode is not None:
                self.process = await asyncio.create_subprocess_exec(*self._started_with, stdin=PIPE, stdout=PIPE)
            requests, answers = self.process.stdin, self.process.stdout
            assert requests is not None and answers is not None
            requests.write(message)
            async with asyncio.timeout(ANSWER_SECONDS):
                length = int.from_bytes(await answers.readexactly(4), "big")
                return msgspec.msgpack.decode(await answers.readexactly(length))
        except TimeoutError as error:
            self._kill()
            raise Unavailable(HUNG) from error
        except (OSError, RuntimeError, asyncio.IncompleteReadError) as error:  # uvloop: RuntimeError for a closed pipe
            self.process = None
            raise Unavailable(ENDED) from error

    def _kill(self) -> None:
        """Kill the process without waiting: stuck in a dead disk, it can't even exit."""
        process, self.process = self.process, None
        assert process is not None
        with suppress(ProcessLookupError):
            process.kill()


def _line(row: Row, entry: IndexEntry) -> Line:
    return (
        row.seq, entry.code, entry.game, entry.public, entry.status, entry.due, entry.touched, entry.summary, row.table,
        row.kind, row.body, row.at, row.hash,
    )  # fmt: skip


def _exception(why_not: WhyNot | None, pending: Pending) -> Answer:
    """Return the exception for an append that wasn't stored."""
    if why_not is None:
        return None
    word, reason = why_not
    if word == CONFLICT:
        return Conflict(pending.row.table, pending.row.seq)
    if word == CODE_TAKEN:
        return CodeTaken(pending.entry.code)
    return Unavailable(reason) if word == UNAVAILABLE else RuntimeError(reason)
