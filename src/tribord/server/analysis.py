"""The analysis of a match that is over: computed by a separate process while someone waits, then kept for everyone.

The process (`tribord.lab.analyst`) has a low priority, so live tables don't notice it. Waiting clients
get its progress. When the last of them leaves, it goes on for a minute, since they may only be going to the replay,
unless another match waits for its turn. On a server that's too busy for a good analysis it ends too, and nothing is
kept.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import zlib
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

import msgspec

from tribord.core.refusal import IllegalAction, Refusal
from tribord.core.words import _
from tribord.server import log
from tribord.server.fair_queue import FairQueue
from tribord.server.messages import encode
from tribord.server.outgoing import match_file, refused
from tribord.server.preparing import Preparer
from tribord.server.ruling import NOT_OVER
from tribord.server.store import Store
from tribord.server.table import OVER, Table

COMMAND = (sys.executable, "-m", "tribord.lab.analyst")
WAIT_SECONDS = 60.0  # for one's turn
ALONE = 60.0  # seconds that an analysis goes on while nobody waits for it
LATEST = 55.0  # seconds beyond those of the search, to start and to end, and for the least that every step needs
LONGEST_LINE = 1 << 26  # bytes
SHORTEST = b'{"done":0,"of":0}\n'  # to say that it has begun
NOT_ANALYSED = _("No one has asked for an analysis of this game yet.")
PREPARING = _("The analysis of this game is still being prepared. Try again in a minute.")
BUSY = _("Many games are being analysed right now. Try again in a minute.")
TOO_BUSY = _("The server is too busy to analyse this game well. Try again later.")
FAILED = _("The analysis failed, and that’s been logged. The game itself is fine.")


class Work:
    """An analysis in progress, and who waits for it."""

    def __init__(self) -> None:
        self.task: asyncio.Task[None] | None = None
        self.begun = False  # it had its turn
        self.waiting = 0  # clients
        self.ending: asyncio.TimerHandle | None = None
        self._lines: list[bytes] = []
        self._over = False
        self._changed = asyncio.Event()

    def say(self, line: bytes, last: bool = False) -> None:
        """Send a line to everyone who waits."""
        self._lines.append(line)
        self._over = last
        self._changed.set()
        self._changed = asyncio.Event()

    async def lines(self) -> AsyncIterator[bytes]:
        """Yield the latest line and those to come, to the last."""
        read = max(0, len(self._lines) - 1)
        while True:
            changed = self._changed
            for line in self._lines[read:]:
                yield line
                read += 1
            if read == len(self._lines):
                if self._over:
                    return
                await changed.wait()


class Analyst:
    """Run analyses one at a time, for each address in turn."""

    def __init__(self, store: Store, preparer: Preparer | None, seconds: float):
        self.store = store
        self.preparer = preparer
        self.seconds = seconds
        self.process: Process | None = None  # at work
        self._places = FairQueue(1)
        self._works: dict[str, Work] = {}  # by table

    async def close(self) -> None:
        """End all analyses."""
        tasks = [work.task for work in self._works.values() if work.task]
        for table in list(self._works):
            self._cancel(table)
        await asyncio.gather(*tasks, return_exceptions=True)

    async def kept(self, table: Table) -> bytes | None:
        """Return the stored analysis of a finished match as JSON, if there is one."""
        if table.status != OVER or table.match is None:
            raise IllegalAction("not-over", NOT_OVER)
        found = await self.store.analysis(table.id)
        return None if found is None else await asyncio.to_thread(zlib.decompress, found)

    def check(self, table: Table) -> None:
        """Refuse an analysis while what it needs is still being compiled; that now comes first."""
        if self.preparer is not None and not self.preparer.prepare_hints(table):
            raise IllegalAction("preparing", PREPARING)

    async def follow(self, table: Table, who: str) -> AsyncIterator[bytes]:
        """Yield lines of JSON: progress, then the analysis or the reason it failed. Close it to stop waiting."""
        yield SHORTEST
        if (work := self._works.get(table.id)) is None:
            for other in [name for name, each in self._works.items() if not each.waiting]:
                self._cancel(other)
            work = self._works[table.id] = Work()
            work.task = asyncio.create_task(self._run(work, table, who))
        if work.ending:
            work.ending.cancel()
        work.waiting += 1
        try:
            async for line in work.lines():
                yield line
        finally:
            work.waiting -= 1
            if not work.waiting and self._works.get(table.id) is work:
                wanted = work.begun and len(self._works) == 1  # otherwise it gives way
                work.ending = asyncio.get_running_loop().call_later(ALONE if wanted else 0, self._cancel, table.id)

    def _cancel(self, table: str) -> None:
        """End the analysis of a table's match, if there is one."""
        work = self._works.pop(table, None)
        if work and work.ending:
            work.ending.cancel()
        if work and work.task:
            work.task.cancel()

    async def _run(self, work: Work, table: Table, who: str) -> None:
        """Analyse a match when it's its turn, and say how that goes."""
        last = b'{"refused":%b}\n' % refused(Refusal("failed", FAILED))
        try:
            async with asyncio.timeout(WAIT_SECONDS) as patience, self._places.turn(who):
                patience.reschedule(None)
                work.begun = True
                if (kept := await self.kept(table)) is None:
                    async for line in self._work(table):
                        work.say(line)
                    kept = await self.kept(table)
            if kept is not None:
                last = b'{"analysis":%b}\n' % kept
        except TimeoutError:
            last = b'{"refused":%b}\n' % refused(Refusal("busy", BUSY))
        except Refusal as late:
            last = b'{"refused":%b}\n' % refused(late)
        except Exception as error:  # whatever it was, nobody may wait for ever
            log.line("error", "analysis failed", code=repr(error))
        finally:
            if self._works.get(table.id) is work:
                self._works.pop(table.id)
            if work.ending:
                work.ending.cancel()
            work.say(last, last=True)

    async def _work(self, table: Table) -> AsyncIterator[bytes]:
        """Run the process and yield its progress lines; the last line, the analysis, is kept."""
        asked = await asyncio.to_thread(lambda: encode({"match": match_file(table), "seconds": self.seconds}))
        self.process = process = await _begin()
        assert process.stdin is not None and process.stdout is not None
        try:
            async with asyncio.timeout(self.seconds + LATEST):
                process.stdin.write(asked)
                process.stdin.close()
                async for line in process.stdout:
                    found = msgspec.json.decode(line, type=dict[str, msgspec.Raw])
                    if "analysis" in found:
                        body = await asyncio.to_thread(zlib.compress, bytes(found["analysis"]))
                        await self.store.keep_analysis(table.id, body)
                        return
                    yield line
            log.line("warning", "analysis failed", code=await process.wait())
        except TimeoutError:
            log.line("warning", "analysis failed", code="late")
            raise Refusal("too-busy", TOO_BUSY) from None
        finally:
            self.process = None
            _end(process)
            await asyncio.shield(process.wait())


async def _begin() -> Process:
    """Start the process. Only Windows gets its priority and group from here; elsewhere it sees to them itself.

    `process_group` would save it that, but uvloop refuses it.
    """
    apart: dict[str, Any] = {}
    if sys.platform == "win32":
        apart["creationflags"] = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.IDLE_PRIORITY_CLASS
    return await asyncio.create_subprocess_exec(
        *COMMAND, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, limit=LONGEST_LINE, env=_environment(), **apart
    )


def _end(process: Process) -> None:
    """Kill the process and those that it has started."""
    if sys.platform == "win32":
        kill = ["taskkill", "/F", "/T", "/PID", str(process.pid)]
        subprocess.Popen(kill, stdout=DEVNULL, stderr=DEVNULL)
        return
    with suppress(ProcessLookupError):
        process.kill()  # it may not have its group yet, and then it has started none
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def _environment() -> dict[str, str]:
    """Interpreted, an analysis would take hours."""
    return {name: value for name, value in os.environ.items() if name != "TRIBORD_INTERPRETED"}
