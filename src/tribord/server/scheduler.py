"""The scheduler: what the server does at a table by itself. Bots think, clocks ring, idle tables leave the memory."""

from __future__ import annotations

import asyncio
import hashlib
import random
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from tribord.core.refusal import IllegalAction, Refusal
from tribord.server import guide, log, ruling
from tribord.server.clock import GRACE
from tribord.server.collector import collector
from tribord.server.fair_queue import FairQueue
from tribord.server.house_bots import HouseBots
from tribord.server.live_table import LiveTable
from tribord.server.preparing import Preparer
from tribord.server.pulse import BEAT_SECONDS
from tribord.server.quota import Full, is_full
from tribord.server.recurring import recur
from tribord.server.store import Conflict, Unavailable
from tribord.server.table import Table
from tribord.server.timing import measured

if TYPE_CHECKING:
    from tribord.server.hub import Hub

THINKERS = 2  # bots that think at once
IDLE_SECONDS = 60.0
SWEEP_SECONDS = 5.0
RETRY_SECONDS = 1.0  # when the store is away


class Scheduler:
    """Looks after the tables of a hub."""

    def __init__(self, hub: Hub, pace: float, preparer: Preparer | None, bots: HouseBots):
        self.hub = hub
        self.bots = bots
        self.pace = pace  # seconds a bot takes at least, so that people can follow
        self.preparer = preparer
        self.threads = ThreadPoolExecutor(THINKERS, "bot")
        self.thinking = FairQueue(THINKERS)
        self.hopeless: set[str] = set()  # tables that could not be read

    def close(self) -> None:
        """Stop the bots."""
        self.threads.shutdown(wait=False, cancel_futures=True)

    def tend(self, live: LiveTable) -> None:
        """Start the bots and set the alarm to the next deadline."""
        if live.alarm:
            live.alarm.cancel()
            live.alarm = None
        if self._rests(live):
            return
        table = live.table
        self.look_prepared(live)
        if table.to_act(by_bot=True):
            if live.bots is None:
                live.bots = self.hub.spawn(self._play_bots(live))
        elif table.revealing:
            self._set_alarm(live, live.left_to_reveal())
        elif table.clock and (due := table.due(time.time())) is not None:
            # Players whose time ran out while the server was away get a moment to come back.
            self._set_alarm(live, max(due - time.time(), live.since + GRACE - time.monotonic()))

    def _set_alarm(self, live: LiveTable, delay: float) -> None:
        live.alarm = asyncio.get_running_loop().call_later(max(delay, 0.0) + 0.05, self._ring, live)

    def _rests(self, live: LiveTable) -> bool:
        """Whether the server leaves a table alone: it's stopping, or the table is elsewhere, closed or full."""
        table = live.table
        return self.hub.closing or live.elsewhere is not None or is_full(table) or self.hub.bans.holds(table.id)

    def look_prepared(self, live: LiveTable, light: bool = False) -> None:
        """Prepare a table's bots; announce when one plays lighter, and when that ends."""
        ready = live.prepared is live.table.seats  # replaced when one changes: asked once for the same bots
        if not ready:
            ready = self.preparer is None or self.preparer.prepare(live.table)
            live.prepared = live.table.seats if ready else None
        preparing = (live.preparing or light) and not ready
        if preparing != live.preparing:
            live.preparing = preparing
            self.hub.presence_changed(live)

    async def _play_bots(self, live: LiveTable) -> None:
        """Play for the bots as long as it's their turn."""
        try:
            while not self._rests(live) and (seats := live.table.to_act(by_bot=True)):
                try:
                    await self._play_bot(live, seats[0])
                except (Conflict, Unavailable):
                    await asyncio.sleep(RETRY_SECONDS)
                    with suppress(Unavailable):
                        await self.hub.refresh(live)
        finally:
            live.bots = None

    async def _play_bot(self, live: LiveTable, seat: int) -> None:
        """Make one decision from the seat's view, off the event loop, after the screens have shown the last one."""
        table, started = live.table, time.monotonic()
        match, rank = table.match, table.seats[seat].rank
        assert match is not None and rank is not None
        version, seed = match.version, _luck(table, seat, match.version)
        view, legal = match.view_state(seat), match.legal(seat)
        with measured("bot_seconds"):
            action = guide.decision(table, seat)
            if action is not None:
                pass  # a guided match says what its bots do
            elif self.bots.is_brought(rank):
                action = await self.bots.decide(rank, match, seed, view, legal, live.address())
            else:
                bot = self.bots.ranked(rank, match, seed)
                loop = asyncio.get_running_loop()
                async with self.thinking.turn(live.address()):
                    action = await loop.run_in_executor(self.threads, bot.decide, view, legal)
                self.look_prepared(live, bot.light)
        if self.pace:
            await live.audience.seen()
        wait = self.pace * random.uniform(0.7, 1.3) - (time.monotonic() - started)
        if wait > 0:
            await asyncio.sleep(wait)
        with suppress(IllegalAction):  # the table has moved on meanwhile: look again
            await self.hub.do(live, lambda now: ruling.decide_bot(now, seat, action, version))

    def _ring(self, live: LiveTable) -> None:
        live.alarm = None
        self.hub.spawn(self._replace_late(live))

    async def _replace_late(self, live: LiveTable) -> None:
        """When a player's time is up, a bot takes over, and the player can come back at any moment.

        Or a device hasn't revealed what it adds to the dice: the match doesn't begin.
        """
        try:
            while not is_full(live.table) and (late := live.table.late(time.time())):
                await self.hub.do(live, partial(_take_over, late[0]))
            if live.table.revealing and live.left_to_reveal() <= 0:
                await self.hub.do(live, ruling.decide_silent)
        except (Conflict, Unavailable):
            await asyncio.sleep(RETRY_SECONDS)
        except Full:  # between the look and the row: the table rests
            pass
        self.tend(live)

    async def beat(self) -> None:
        """Every second, notice whether time has jumped, and let every table continue from there."""
        await recur(self._continue, lambda: BEAT_SECONDS)

    async def _continue(self) -> None:
        jumped = self.hub.pulse.last_jump()
        stopped = [live for live in self.hub.live_tables.values() if live.since < jumped]
        if stopped:
            log.info("time has jumped", tables=len(stopped))
        for live in stopped:
            try:
                await self.hub.do(live, lambda _table: None)
            except (Conflict, Unavailable) as error:  # the next beat tries again
                log.failure("store unavailable", error)
            except Refusal:  # the table was deleted meanwhile, or is damaged
                pass

    async def sweep(self) -> None:
        """Every few seconds, wake tables that are due and without a home, and drop idle ones from memory."""
        await recur(self._sweep, lambda: SWEEP_SECONDS * random.uniform(0.8, 1.2))

    async def _sweep(self) -> None:
        try:
            await self._wake()
        finally:
            self._let_go()
            collector.tick()

    async def _wake(self) -> None:
        """Look after tables that have waited for the server, here or because their worker is gone."""
        left_alone = self.hopeless | self.hub.bans.known.keys()
        waiting = await self.hub.store.due(time.time() - SWEEP_SECONDS, 100 + len(left_alone))
        doubtful = [name for name, live in self.hub.live_tables.items() if live.doubtful]
        for name in (set(waiting) | set(doubtful)) - left_alone:
            try:
                live = await self.hub.live(name)
                if not live.elsewhere:
                    await self.hub.refresh(live)
            except (Conflict, Unavailable):
                raise
            except Exception as error:  # one table that cannot be read must not stop the others
                self.hopeless.add(name)
                log.failure("table cannot be read", error)

    def _let_go(self) -> None:
        now = time.monotonic()
        for name, live in list(self.hub.live_tables.items()):
            if live.quiet() and now - live.used > IDLE_SECONDS:
                if live.alarm:  # the store's index has the time when it's due
                    live.alarm.cancel()
                del self.hub.live_tables[name]


def _take_over(seat: int, table: Table) -> ruling.NewRow | None:
    """Let a bot take over, unless the player was just in time or another worker was first."""
    now = time.time()
    return ruling.decide_late(table, seat) if seat in table.late(now) else None


def _luck(table: Table, seat: int, version: int) -> int:
    """Return the seed of a bot's decision: the same in every worker, and as secret as the dice."""
    return int.from_bytes(hashlib.sha256(f"bot:{table.seed}:{seat}:{version}".encode()).digest()[:4], "big")
