"""A client: one place at one table, whatever becomes of the network in between."""

from __future__ import annotations

import asyncio
import random
import secrets
from collections import deque
from collections.abc import AsyncIterator, Callable
from types import TracebackType
from typing import Any, Self
from urllib.parse import urljoin

import msgspec
from msgspec import UNSET
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from tribord.client.http import ask
from tribord.client.refusal import Refused
from tribord.client.turn import Turn
from tribord.server import messages
from tribord.server.messages import Ack, Considered, Gap, Pointed, Presence, Sync, Update, Welcome, encode

LONGEST_PAUSE = 10.0  # seconds between two attempts to connect
TRIES = 8  # of a command that the server asks to repeat later
KEPT = 1_000  # updates nobody has read yet; older ones are dropped
LARGEST = 16 * 1024 * 1024  # bytes of a message

Heard = Welcome | Update | Sync | Gap | Ack | messages.Refused | Presence | Considered | Pointed
_decode = msgspec.json.Decoder(Heard).decode


class Client:
    """A guest's place at a table; without a secret, somebody who only watches.

    Inside `async with` it stays connected: it reconnects by itself, asks for what it has missed, and sends again what
    was not acknowledged. `table` and `match` are what the server last sent, `version` how far that reaches.

    It adds to the dice of a match before that begins, so that the server alone can't choose them: `contribution` is
    what it added, and `table["contributions"]` must have it once the match has begun.
    """

    def __init__(self, url: str, table: str, secret: str | None = None, home: str | None = None):
        self.url = url.rstrip("/")
        self.home = home  # where the table's worker is reached: a URL reference; None: at `url`
        self.id = table
        self.secret = secret
        self.guest: int | None = None
        self.version = 0
        self.table: dict[str, Any] = {}
        self.match: dict[str, Any] | None = None
        self.present: list[int] = []  # the guests who are connected
        self.contribution: str | None = None  # to the dice of this match
        self._contributed: set[str] = set()  # the states of the table in which that was done
        self._unread: deque[Update] = deque(maxlen=KEPT)
        self._waiting: dict[str, tuple[bytes, asyncio.Future[int]]] = {}  # commands without an answer, in order
        self._outbox: asyncio.Queue[bytes] = asyncio.Queue()
        self._change = asyncio.Event()
        self._failure: BaseException | None = None
        self._task: asyncio.Task[None] | None = None
        self._attempts = 0  # to connect, since that last succeeded

    @classmethod
    async def create(cls, url: str, game: str, nickname: str, players: int, **more: Any) -> Self:
        """Create a table (`more`: options, seats, public, clock) and be its host."""
        body = {"game": game, "nickname": nickname, "players": players, **more}
        found = await ask(f"{url.rstrip('/')}/api/tables", msgspec.convert(body, messages.NewTable))
        return cls(url, found["table"], found["secret"], found["home"])

    @classmethod
    async def join(cls, url: str, table: str, nickname: str, watch: bool = False) -> Self:
        """Come to a table, by its id or its short code, and sit down if a seat is open and you don't only `watch`."""
        asked = messages.Join(nickname=nickname, watch=watch)
        found = await ask(f"{url.rstrip('/')}/api/tables/{table}/guests", asked)
        return cls(url, found["table"], found["secret"], found["home"])

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._live())
        try:
            await self._until(lambda: bool(self.table))
        except BaseException:
            await self._end()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._end()

    # -- asking -----------------------------------------------------------------------------------------------------

    @property
    def seats(self) -> list[int]:
        """The seats this guest holds."""
        return [s["seat"] for s in self.table["seats"] if self.guest is not None and s["guest"] == self.guest]

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return bool(self.table) and self.table["status"] == "over"

    async def events(self) -> AsyncIterator[Update]:
        """Everything that happens, in order and each once, also across lost connections."""
        while True:
            await self._until(lambda: bool(self._unread))
            yield self._unread.popleft()

    async def turns(self) -> AsyncIterator[Turn]:
        """The decisions of this guest's seats until the match is over, each again and again until it is taken."""
        while True:
            await self._until(lambda: self.over or self._turn() is not None)
            turn = self._turn()
            if turn is None:
                return
            yield turn

    def _turn(self) -> Turn | None:
        if self.match is not None:
            for seat in self.seats:
                legal = self.match["legal"].get(str(seat))
                if legal and self.table["seats"][seat]["rank"] is None:  # else a bot plays for it
                    return Turn(seat, self.match["version"], self.match["views"][str(seat)], legal)
        return None

    async def actions(self) -> list[dict[str, Any]]:
        """The parts, notation and sentences of every action of the game, by number."""
        found = await ask(f"{self.url}/api/games/{self.table['game']}/actions")
        return list(found["actions"])

    async def match_file(self) -> dict[str, Any]:
        """The match file of a match that is over."""
        return dict(await ask(f"{self.url}/api/tables/{self.id}/match"))

    # -- doing ------------------------------------------------------------------------------------------------------

    async def do(self, kind: str, **fields: Any) -> int:
        """Have a command ("sit", "ready", "act", "chat"…) carried out exactly once; returns the version it led to.

        It waits for as long as that takes. What the server refuses is raised as `Refused`, and has changed nothing.
        """
        command = msgspec.convert({"t": kind, "id": secrets.token_urlsafe(12), **fields}, messages.Commands)
        content = encode(command)
        for attempt in range(1, TRIES + 1):
            if self._failure is not None:
                raise self._failure
            answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()
            self._waiting[command.id] = content, answer
            self._outbox.put_nowait(content)
            try:
                return await answer
            except Refused as refused:
                if not refused.later or attempt == TRIES:
                    raise
                await asyncio.sleep(max(refused.seconds, 0.1))
            finally:
                self._waiting.pop(command.id, None)
        raise AssertionError("the last attempt returns or raises")

    async def act(self, seat: int, action: int | str | dict[str, Any], version: int | None = None) -> int:
        """Play an action (number, notation or parts) for a seat; with `version` only if it is still that decision."""
        return await self.do("act", seat=seat, action=action, version=version)

    # -- the connection ---------------------------------------------------------------------------------------------

    async def _live(self) -> None:
        """Be connected, again and again, with longer and longer pauses while that does not succeed."""
        while True:
            pause = 0.0
            greeted = False
            try:
                async with connect(self._socket_url(), max_size=LARGEST) as socket:
                    greeted = True
                    await self._converse(socket)
            except Refused as refused:
                if not refused.later:
                    self._fail(refused)
                    return
                pause = refused.seconds
            except (OSError, WebSocketException):
                if not greeted:
                    self.home = None  # any other worker serves the table too
            except asyncio.CancelledError:
                self._fail(ConnectionError("this client was closed"))
                raise
            except Exception as error:
                self._fail(error)
                return
            longest = min(LONGEST_PAUSE, 0.1 * 2 ** min(self._attempts, 10))
            self._attempts += 1
            await asyncio.sleep(pause + random.uniform(0, longest))

    def _socket_url(self) -> str:
        scheme, _colon, rest = urljoin(f"{self.url}/", self.home or "").partition("://")
        return f"{'wss' if scheme == 'https' else 'ws'}://{rest}socket"

    async def _converse(self, socket: ClientConnection) -> None:
        """Greet, catch up, send again what was not acknowledged, then hear what happens until the connection ends."""
        seen = self.version or None
        await socket.send(encode(messages.Hello(messages.PROTOCOL, self.id, self.secret, seen)).decode())
        while True:
            message = _decode(await socket.recv())
            self._hear(message)
            if isinstance(message, Sync | Gap) and message.table is not UNSET:
                break
        self._outbox = asyncio.Queue()
        for content, _answer in self._waiting.values():
            self._outbox.put_nowait(content)
        writer = asyncio.create_task(self._write(socket, self._outbox))
        try:
            while True:
                self._hear(_decode(await socket.recv()))
        finally:
            writer.cancel()
            await asyncio.gather(writer, return_exceptions=True)

    async def _write(self, socket: ClientConnection, outbox: asyncio.Queue[bytes]) -> None:
        while True:
            await socket.send((await outbox.get()).decode())

    def _hear(self, message: Heard) -> None:
        match message:
            case Welcome():
                self.guest = message.guest
                self.home = message.home  # for the next time
            case Sync():
                self._catch_up(message.v, message.log, message.table, message.match)
            case Gap():
                self._catch_up(message.v, message.missed, message.table, message.match)
            case Update() if message.v > self.version:
                if message.v > self.version + 1:
                    raise WebSocketException("an update is missing: connect again and ask for it")
                self.version = message.v
                self._unread.append(message)
                self.table = self.table if message.table is None else message.table
                self.match = self.match if message.match is None else message.match
                if message.id is not None:
                    self._answer(message.id, message.v)
            case Ack():
                self._answer(message.id, message.v)
            case messages.Refused():
                if message.id is None:
                    raise Refused(message)
                self._answer(message.id, Refused(message))
            case Presence():
                self.present = message.guests
        self._contribute()
        self._changed()

    def _contribute(self) -> None:
        """Add to the dice of the match before it begins, and when it is over, to those of its rematch: once each.

        Nobody waits for the answer: if it's refused, another device of this guest was first, or the match has begun.
        """
        if not self.table or not self.seats or self.table["status"] in self._contributed:
            return
        status = self.table["status"]
        mine: dict[str, Any] = next((one for one in self.table["guests"] if one["guest"] == self.guest), {})
        ahead = status == "over" and self.table.get("rematch_commitment") and self.table["rematch"] is None
        if mine.get("contributed", True) or not (status == "open" or ahead):
            return
        self._contributed.add(status)
        command = messages.Contribute(id=secrets.token_urlsafe(12), value=secrets.token_hex(32))
        answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def answered(answer: asyncio.Future[int]) -> None:
            self._waiting.pop(command.id, None)
            if not answer.cancelled() and answer.exception() is None and status == "open":
                self.contribution = command.value

        answer.add_done_callback(answered)
        self._waiting[command.id] = encode(command), answer
        self._outbox.put_nowait(encode(command))

    def _catch_up(self, version: int, missed: list[Any], table: Any, match: Any) -> None:
        """Take what was missed and the state as it is now; what was heard before is not repeated."""
        first = version - len(missed) + 1
        for number, update in enumerate(missed, first):
            if number > self.version:
                self._unread.append(msgspec.convert({"t": "update", "v": number, **update}, Update))
        self.version = version
        if table is not UNSET:  # else more is to come
            self.table, self.match = table, match
        self._attempts = 0

    def _answer(self, command: str, answer: int | Refused) -> None:
        _content, future = self._waiting.get(command, (b"", None))
        if future is None or future.done():
            return
        if isinstance(answer, Refused):
            future.set_exception(answer)
        else:
            future.set_result(answer)

    # -- waiting ----------------------------------------------------------------------------------------------------

    async def _until(self, true: Callable[[], bool]) -> None:
        while not true():
            if self._failure is not None:
                raise self._failure
            await self._change.wait()

    def _changed(self) -> None:
        self._change.set()
        self._change = asyncio.Event()

    def _fail(self, error: BaseException) -> None:
        self._failure = error
        for _content, answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(error)
        self._changed()

    async def _end(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
