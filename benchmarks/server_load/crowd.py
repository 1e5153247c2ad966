"""The crowd: the people of all the tables, who play random legal actions, and their counts."""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import msgspec
from process import Process
from wire import PATIENCE, Web, wire

MIX = (
    ("faut-pas-pousser", 2), ("walk-the-plank", 3), ("sauve-qui-peut", 4), ("ile-aux-pirates", 2),
    ("faut-pas-pousser", 4), ("walk-the-plank", 4), ("sauve-qui-peut", 3), ("ile-aux-pirates", 3),
)  # fmt: skip
LONGEST = (("sauve-qui-peut", 3),)  # some 190 decisions at random
AT_A_TIME = 64  # tables being set up, or sockets being opened


# -- the server's messages, as far as a random player needs them ----------------------------------------------------


class Seat(msgspec.Struct):
    """A seat."""

    seat: int
    guest: int | None
    ready: bool


class TableInfo(msgspec.Struct):
    """The table."""

    status: str
    seats: list[Seat]
    rematch: str | None


class MatchInfo(msgspec.Struct):
    """The match."""

    version: int
    legal: dict[str, list[int]]


class Update(msgspec.Struct, tag_field="t", tag="update"):
    """An update; with an id it acknowledges this player's command."""

    table: TableInfo | None = None
    match: MatchInfo | None = None
    id: str | None = None


class Sync(Update, tag="sync"):
    """Everything, or its first portion."""


class Gap(Update, tag="gap"):
    """Another portion."""


class Refused(msgspec.Struct, tag_field="t", tag="refused"):
    """Not done."""

    code: str
    id: str | None = None


class Welcome(msgspec.Struct, tag_field="t", tag="welcome"):
    """The socket is open."""


class Presence(msgspec.Struct, tag_field="t", tag="presence"):
    """Someone came or went."""


understand = msgspec.json.Decoder(Update | Sync | Gap | Refused | Welcome | Presence).decode


# -- the people -----------------------------------------------------------------------------------------------------


class Player:
    """A player with one seat, one socket and no plan."""

    def __init__(self, load: Load, party: Party, guest: int, secret: str, home: str | None):
        self.load = load
        self.party = party
        self.guest = guest
        self.secret = secret
        self.port = urlsplit(home or "").port or load.port  # of the table's home
        self.table: TableInfo | None = None
        self.match: MatchInfo | None = None
        self.waiting: tuple[str, float] | None = None  # the kind of the pending command, and when it was due
        self.queued = False

    async def connect(self) -> None:
        """Join the table."""
        self.wire = await wire(self.port, self.heard)
        self._greet()

    async def stay(self) -> None:
        """Reconnect whenever the connection is lost, to any worker."""
        while True:
            await asyncio.shield(self.wire.closed)
            self.port = self.load.port
            with suppress(OSError):
                await self.connect()
            await asyncio.sleep(0.05)

    def _greet(self) -> None:
        self.table = self.match = None
        hello = {"t": "hello", "protocol": 2, "table": self.party.table, "secret": self.secret}
        self.wire.send(msgspec.json.encode(hello))

    def _follow(self, table: str) -> None:
        """Go to the table of the next match, on the same connection."""
        self.party.table, self.party.decisions = table, 0
        self._greet()

    def heard(self, message: memoryview) -> None:
        """Handle a message, and see what there is to do."""
        said = understand(message)
        load = self.load
        load.tally.messages += 1
        if isinstance(said, Update):
            self.table = said.table or self.table
            self.match = said.match or self.match
        back = isinstance(said, Sync | Gap) and said.table is not None  # and learns what became of the command
        if self.waiting is not None and (back or (isinstance(said, Update | Refused) and said.id is not None)):
            if isinstance(said, Refused):
                load.tally.refused[said.code] += 1
            else:
                self.party.decisions += self.waiting[0] == "act"
                load.tally.done(*self.waiting)
            load.under_way -= 1
            self.waiting = None
        if self.waiting is None:
            if self.table is not None and self.table.rematch is not None:
                self._follow(self.table.rematch)
            elif not self.queued and self.intent() is not None:
                self.queued = True
                load.ready.append(self)
        load.pump()

    def intent(self) -> dict[str, Any] | None:
        """What this player would do now."""
        table, match, acting = self.table, self.match, self.load.acting and self.party.awake
        if table is None:
            return None
        mine = next((seat for seat in table.seats if seat.guest == self.guest), None)
        if mine is None:
            return {"t": "sit", "seat": self.guest}
        if table.status == "open":
            if self.guest:
                return None if mine.ready else {"t": "ready"}
            return {"t": "start"} if all(seat.ready or seat.guest == 0 for seat in table.seats) else None
        if table.status == "over" and not self.guest and acting:
            return {"t": "rematch"}
        choices = match.legal.get(str(mine.seat)) if match is not None else None
        if not acting or not choices or match is None:
            return None
        return {"t": "act", "seat": mine.seat, "action": random.choice(choices), "version": match.version}

    def act(self, due: float) -> str | None:
        """Do it, if there is still something to do, and say what."""
        self.queued = False
        command = self.intent() if self.waiting is None else None
        if command is None:
            return None
        self.load.commands += 1
        self.waiting = (command["t"], due)
        self.wire.send(msgspec.json.encode({**command, "id": str(self.load.commands)}))
        return self.waiting[0]


@dataclass
class Party:
    """The people at one table."""

    game: str
    size: int
    table: str = ""
    players: list[Player] = field(default_factory=list)
    decisions: int = 0  # acknowledged in this match
    most: int = sys.maxsize  # decisions after which it pauses

    @property
    def awake(self) -> bool:
        """Whether it plays on."""
        return self.decisions < self.most


@dataclass
class Tally:
    """What was counted since it began."""

    server: Process
    began: float = field(default_factory=time.perf_counter)
    own: float = field(default_factory=time.process_time)
    waits: list[float] = field(default_factory=list)  # of actions, in seconds
    others: int = 0  # commands other than actions: sit, ready, start, rematch
    matches: int = 0
    messages: int = 0
    refused: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.used = self.server.seconds()

    def done(self, kind: str, due: float) -> None:
        """A command was acknowledged."""
        if kind == "act":
            self.waits.append(time.perf_counter() - due)
        else:
            self.others += 1
            self.matches += kind == "rematch"

    def report(self) -> dict[str, Any]:
        """In figures."""
        seconds = time.perf_counter() - self.began
        return {
            "actions_per_s": round(len(self.waits) / seconds),
            "other_commands_per_s": round(self.others / seconds),
            "messages_per_s": round(self.messages / seconds),
            **percentiles(self.waits),
            "server_us_per_action": self.cost(self.server.seconds() - self.used),
            "client_us_per_action": self.cost(time.process_time() - self.own),
            "matches": self.matches,
            **({"refused": dict(self.refused)} if self.refused else {}),
        }

    def cost(self, seconds: float) -> int:
        """Microseconds of processor time for each action, everything included."""
        return round(seconds / max(1, len(self.waits)) * 1e6)


class Load:
    """All the people of all the tables."""

    def __init__(self, server: Process, most: int):
        self.server = server
        self.port = server.port
        self.most = most  # pending commands at once
        self.web = Web(self.port)
        self.parties: list[Party] = []
        self.ready: deque[Player] = deque()
        self.tally = Tally(self.server)
        self.under_way = 0
        self.commands = 0
        self.acting = False
        self.rate: float | None = None
        self._due = 0.0
        self._tasks: set[asyncio.Task[None]] = set()

    # -- setting up -------------------------------------------------------------------------------------------------

    async def seat(self, tables: int, mix: tuple[tuple[str, int], ...] = MIX) -> list[Party]:
        """More tables, each with its match begun."""
        parties = [Party(*mix[number % len(mix)]) for number in range(tables)]
        self.parties += parties
        await some_at_a_time(self._found, parties)
        await self._until(lambda: all(p.match is not None for party in parties for p in party.players))
        return parties

    async def _found(self, party: Party) -> None:
        seats = ["me"] + ["open"] * (party.size - 1)
        new = {"game": party.game, "nickname": "Anne", "players": party.size, "seats": seats}
        host = json.loads(await self.web.ask("POST", "/api/tables", new))
        party.table = host["table"]
        guests = [host]
        for _guest in range(party.size - 1):
            path = f"/api/tables/{party.table}/guests"
            guests.append(json.loads(await self.web.ask("POST", path, {"nickname": "Mary"})))
        party.players = [Player(self, party, guest["guest"], guest["secret"], guest["home"]) for guest in guests]
        for player in party.players:
            await player.connect()

    async def _until(self, reached: Callable[[], bool], patience: float = PATIENCE) -> None:
        end = time.perf_counter() + patience
        while not reached():
            if time.perf_counter() > end:
                raise TimeoutError("the server does not get there")
            await asyncio.sleep(0.02)

    def spawn(self, work: Any) -> None:
        """Run something in parallel."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            self.tally.refused[repr(task.exception())] += 1

    # -- playing ----------------------------------------------------------------------------------------------------

    def pump(self) -> None:
        """Let ready players act, within the limits."""
        while self.ready:
            now = time.perf_counter()
            if self.rate is None:
                if self.under_way >= self.most:
                    return
                due = now
            elif self._due > now:
                return
            else:
                due = self._due
            if kind := self.ready.popleft().act(due):
                self.under_way += 1
                if self.rate is not None and kind == "act":
                    self._due += random.expovariate(self.rate)

    async def play(self, seconds: float, rate: float | None = None) -> dict[str, Any]:
        """Play for this long, at full speed or at a rate; the warm-up isn't counted."""
        self.go(rate)
        await self._tick(min(2.0, seconds / 3))
        self.tally = Tally(self.server)
        await self._tick(seconds)
        report = self.tally.report()
        await self.pause()
        return report

    async def decide(self, parties: list[Party], more: int) -> dict[str, Any]:
        """Play this many more decisions at each of these tables; the others rest."""
        for party in self.parties:
            party.most = 0
        for party in parties:
            party.most = party.decisions + more
        self.tally = Tally(self.server)
        self.go()
        await self._until(lambda: not any(party.awake for party in parties))
        await self.pause()
        return self.tally.report()

    def go(self, rate: float | None = None) -> None:
        """Let them play."""
        self.acting, self.rate, self._due = True, rate, time.perf_counter()
        self.ready = deque(p for party in self.parties if party.awake for p in party.players if p.intent() is not None)
        random.shuffle(self.ready)
        for player in self.ready:
            player.queued = True
        self.pump()

    async def play_on(self, reached: Callable[[], bool], rate: float) -> dict[str, Any]:
        """Play at a rate until a condition holds, and reconnect whenever a connection is lost."""
        players = [player for party in self.parties for player in party.players]
        staying = [asyncio.ensure_future(player.stay()) for player in players]
        self.tally = Tally(self.server)
        self.go(rate)
        end = time.perf_counter() + PATIENCE
        while not reached() and time.perf_counter() < end:
            await self._tick(0.1)
        await self._tick(2)
        report = self.tally.report()
        await self.pause()
        for task in staying:
            task.cancel()
        await asyncio.gather(*staying, return_exceptions=True)
        return report

    async def pause(self) -> None:
        """Wait for pending commands."""
        self.acting, self.rate = False, None
        await self._until(lambda: not self.under_way and not self._tasks)

    async def _tick(self, seconds: float) -> None:
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            await asyncio.sleep(0.002)
            self.pump()

    async def leave(self, parties: list[Party]) -> None:
        """Leave these tables."""
        await some_at_a_time(lambda player: player.wire.close(), [p for party in parties for p in party.players])

    async def close(self) -> None:
        """Leave all tables."""
        await self.leave(self.parties)
        self.web.close()


async def some_at_a_time(do: Callable[[Any], Any], things: list[Any]) -> None:
    """Do something with each, but only some at once."""
    waiting = iter(things)

    async def one_after_the_other() -> None:
        for thing in waiting:
            await do(thing)

    await asyncio.gather(*(one_after_the_other() for _ in range(AT_A_TIME)))


def percentiles(waits: list[float]) -> dict[str, float]:
    """The median and the 99th percentile, in milliseconds."""
    ordered = sorted(waits) or [0.0]
    return {f"p{n}_ms": round(ordered[(len(ordered) - 1) * n // 100] * 1000, 2) for n in (50, 99)}
