"""Presence: who is at a table, also at the other workers. The workers report it to each other; it is kept nowhere.

A worker that gets its first socket at a table says who came and asks; those who have sockets there answer. From then on
they report what changes. A table with sockets at one worker alone costs two short entries, when the first
comes and when the last goes, and entries of many tables share a notification. Nothing of a table is repeated: that it
is still there a worker says for all its tables at once, and one that falls silent is forgotten with all who were there.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from tribord.core.refusal import Refusal
from tribord.server import log, messages
from tribord.server.live_table import LiveTable
from tribord.server.messages import encode
from tribord.server.store import Unavailable

if TYPE_CHECKING:
    from tribord.server.hub import Hub

BEAT_SECONDS = 2.0  # a worker says at least so often that it is there
SILENCE_SECONDS = 7.0  # after which it is not
PAUSE_SECONDS = 0.05  # what changes within shares a notification
GOODBYE_SECONDS = 1.0
LARGEST = 7_000  # bytes of a notification; PostgreSQL takes 7,999

Gestured = tuple[str, int, messages.Gestures]  # table, guest, and what they consider or point at


class PresenceReport(Struct, omit_defaults=True):
    """What a worker reports: by table its guests, how many watch, up to which row its screens are done, and whether it
    asks for the others'; and gestures."""

    worker: str
    tables: dict[str, tuple[list[int], int, int, bool]] = {}
    gone: bool = False
    gestures: list[Gestured] = []


_decode = msgspec.json.Decoder(PresenceReport).decode


class PresenceExchange:
    """Speaks for the tables of a hub, and hears the others."""

    def __init__(self, hub: Hub):
        self.hub = hub
        self.worker = secrets.token_hex(6)
        self._heard: dict[str, float] = {}  # worker: when it last spoke; ourselves too
        self._waiting: dict[str, bool] = {}  # tables to speak of, and whether to ask
        self._gestures: list[Gestured] = []
        self._arrived = asyncio.Event()

    # -- speaking ---------------------------------------------------------------------------------------------------

    def changed(self, live: LiveTable) -> None:
        """Somebody came or went here."""
        if not self.hub.store.shared:
            return
        if not live.sockets:
            self._drop(live, list(live.elsewhere))
            self._speak(live, False)  # always: perhaps somebody's first answer is on its way
            live.announced = False
        elif not live.announced:
            self._ask(live)
        elif live.elsewhere:
            self._speak(live, False)

    def pass_on(self, live: LiveTable, guest: int, gesture: messages.Gestures) -> None:
        """Show a gesture at the other workers where somebody is at the same table."""
        if live.elsewhere:
            self._gestures.append((live.table.id, guest, gesture))
            self._arrived.set()

    def _ask(self, live: LiveTable) -> None:
        live.announced = True
        live.begin_noticing()
        self._speak(live, True)

    def _speak(self, live: LiveTable, asks: bool) -> None:
        table = live.table.id
        self._waiting[table] = asks or self._waiting.get(table, False)
        self._arrived.set()

    async def run(self) -> None:
        """Speak: at once of what has changed, and every few seconds to be there."""
        spoken = time.monotonic()
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(BEAT_SECONDS):
                    await self._arrived.wait()
            self._arrived.clear()
            waiting, self._waiting = self._waiting, {}
            gestures, self._gestures = self._gestures, []
            try:
                await self.hub.store.say(list(self._notices(waiting, gestures)))
            except Unavailable as error:
                log.failure("store unavailable", error)
                for table, asks in waiting.items():
                    self._waiting[table] = asks or self._waiting.get(table, False)
                continue
            late = time.monotonic() - spoken > SILENCE_SECONDS / 2
            spoken = time.monotonic()
            if late:  # others may have forgotten us
                self._ask_all()
            self._forget_silent()
            await asyncio.sleep(PAUSE_SECONDS)

    async def farewell(self) -> None:
        """Say good-bye, so that nobody waits for us to fall silent."""
        if self.hub.store.shared:
            with suppress(TimeoutError, Unavailable):
                async with asyncio.timeout(GOODBYE_SECONDS):
                    await self.hub.store.say([encode(PresenceReport(self.worker, gone=True)).decode()])

    def _notices(self, waiting: dict[str, bool], gestures: Iterable[Gestured] = ()) -> Iterator[str]:
        """What there is to say, in as few notifications as possible; at least that we are there."""
        report, size = PresenceReport(self.worker, {}), 0
        for table, asks in waiting.items():
            live = self.hub.live_tables.get(table)
            entry = (*live.here(), live.audience.done(), asks) if live else ([], 0, -1, asks)
            length = len(table) + len(encode(entry)) + 4
            if size + length > LARGEST:
                yield encode(report).decode()
                report, size = PresenceReport(self.worker, {}), 0
            report.tables[table] = entry
            size += length
        for gesture in gestures:
            length = len(encode(gesture)) + 1
            if size + length > LARGEST:
                yield encode(report).decode()
                report, size = PresenceReport(self.worker, {}), 0
            report.gestures = [*report.gestures, gesture]
            size += length
        yield encode(report).decode()

    # -- hearing ----------------------------------------------------------------------------------------------------

    def hear(self, said: str | None) -> None:
        """A worker has spoken; or (None) some reports may have been missed."""
        if said is None:
            self._begin_anew()
            return
        report = _decode(said)
        self._heard[report.worker] = time.monotonic()
        if report.worker == self.worker:
            return
        if report.gone:
            self._forget(report.worker)
        for table, (guests, watching, done, asks) in report.tables.items():
            live = self.hub.live_tables.get(table)
            if live is not None and live.sockets:
                self._note(live, report.worker, (guests, watching, done), asks)
        for gesture in report.gestures:
            self._show(*gesture)

    def _show(self, table: str, guest: int, gesture: messages.Gestures) -> None:
        """Somebody at another worker considers or points at something."""
        live = self.hub.live_tables.get(table)
        if live is not None and live.sockets:
            with suppress(Refusal):  # we are a row behind, or ahead: there will be another gesture
                self.hub.show(live, guest, gesture)

    def _note(self, live: LiveTable, worker: str, there: tuple[list[int], int, int], asks: bool) -> None:
        guests, watching, _done = there
        if not guests and not watching:
            self._drop(live, [worker])
            return
        before = live.elsewhere.get(worker)
        if asks or before is None:  # who is new to us may have missed what we said when we did not know them
            self._speak(live, False)
        live.elsewhere[worker] = there
        live.audience.changed()
        if before is None or before[:2] != there[:2]:
            for guest in before[0] if before else ():
                live.touch(guest)
            self.hub.presence_changed(live)

    def _drop(self, live: LiveTable, workers: Iterable[str]) -> None:
        """Nobody is there any more, at these workers."""
        for worker in workers:
            if (before := live.elsewhere.pop(worker, None)) is not None:
                for guest in before[0]:
                    live.touch(guest)
                live.audience.changed()
                self.hub.presence_changed(live)

    def _begin_anew(self) -> None:
        """Nothing that we knew may be true any more."""
        for worker in self._heard:
            self._heard[worker] = time.monotonic()
        for live in self.hub.live_tables.values():
            self._drop(live, list(live.elsewhere))
        self._ask_all()

    def _ask_all(self) -> None:
        """Say everything, and ask."""
        for live in self.hub.live_tables.values():
            if live.sockets:
                self._ask(live)

    def _forget_silent(self) -> None:
        """Let go of workers that were not heard for long, though we heard ourselves."""
        now = self._heard.get(self.worker, 0.0)
        for worker, heard in list(self._heard.items()):
            if now - heard > SILENCE_SECONDS:
                self._forget(worker)

    def _forget(self, worker: str) -> None:
        self._heard.pop(worker, None)
        for live in self.hub.live_tables.values():
            self._drop(live, [worker])
