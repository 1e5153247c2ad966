"""A client: one guest's connection to one table, which survives network failures."""

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

from tribord.client.contribution import Contribution
from tribord.client.http import ask, ask_once
from tribord.client.refusal import Refused
from tribord.client.turn import Turn
from tribord.server import messages
from tribord.server.messages import Ack, Considered, Gap, Pointed, Presence, Sync, Update, Welcome, encode

LONGEST_PAUSE = 10.0  # seconds between two attempts to connect
TRIES = 8  # of a command that the server asks to repeat later
KEPT = 1_000  # unread updates; older ones are dropped
LARGEST = 16 * 1024 * 1024  # bytes of a message

Received = Welcome | Update | Sync | Gap | Ack | messages.Refused | Presence | Considered | Pointed
_decode = msgspec.json.Decoder(Received).decode


class Client:
    """A guest's place at a table; without a secret, a spectator's.

    Inside `async with` it stays connected: it reconnects by itself, asks for what it has missed, and resends
    unacknowledged commands. `table` and `match` are what the server last sent, `version` how far that reaches.

    It contributes to the dice before a match begins, so that nobody can choose them: `contribution.value`
    is what it added. If the match begins without that although the client was there, it warns (`DiceWarning`), and
    `contribution.doubt` says why. If the client wasn't there, it says so (`DiceNotice`, `contribution.absence`).
    """

    def __init__(
        self, url: str, table: str, secret: str | None = None, home: str | None = None,
        contribution: Contribution | None = None,
    ):  # fmt: skip
        self.url = url.rstrip("/")
        self.home = home  # the address of the table's worker, a URL reference; None: `url`
        self.id = table
        self.secret = secret
        self.guest: int | None = None
        self.version = 0
        self.table: dict[str, Any] = {}
        self.match: dict[str, Any] | None = None
        self.present: list[int] = []  # the guests who are connected
        self.contribution = contribution or Contribution()  # to the dice of this match
        self.next_contribution: Contribution | None = None  # to those of its rematch
        self._committing = False  # to either, just now
        self._guided = False  # we have asked for a guided match, whose dice are fixed
        self._unread: deque[Update] = deque(maxlen=KEPT)
        self._waiting: dict[str, tuple[bytes, asyncio.Future[int]]] = {}  # commands without an answer, in order
        self._outbox: asyncio.Queue[bytes] = asyncio.Queue()
        self._change = asyncio.Event()
        self._failure: BaseException | None = None
        self._task: asyncio.Task[None] | None = None
        self._attempts = 0  # to connect, since that last succeeded

    @classmethod
    async def create(cls, url: str, game: str, nickname: str, players: int, **more: Any) -> Self:
        """Create a table (`more`: options, seats, public, clock, guide) and be its host."""
        body = {"game": game, "nickname": nickname, "players": players, "id": secrets.token_hex(16), **more}
        found = await ask_once(f"{url.rstrip('/')}/api/tables", msgspec.convert(body, messages.NewTable))
        client = cls(url, found["table"], found["secret"], found["home"])
        client._guided = more.get("guide") is not None
        return client

    @classmethod
    async def join(cls, url: str, table: str, nickname: str, watch: bool = False) -> Self:
        """Come to a table, by its id or its short code, and sit down if a seat is open and you don't only `watch`."""
        asked = messages.Join(nickname=nickname, watch=watch, id=secrets.token_hex(16))
        found = await ask_once(f"{url.rstrip('/')}/api/tables/{table}/guests", asked)
        return cls(url, found["table"], found["secret"], found["home"])

    def rematch(self) -> Self:
        """The same guest's place at the rematch of this table, which must be there; not connected yet."""
        return type(self)(self.url, self.table["rematch"], self.secret, contribution=self.next_contribution)

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
        """The decisions of this guest's seats until the match is over, each repeated until it's made."""
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

        It waits for as long as that takes; for "start", until the match has begun, or was put off because a device was
        silent about the dice. What the server refuses is raised as `Refused`, and has changed nothing.
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
                version = await answer
                if isinstance(command, messages.Start):
                    await self._until(lambda: self.match is not None or not self.table["revealing"])
                return version
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
        """Stay connected: reconnect, with growing pauses after failures."""
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
        """Greet, catch up, resend unacknowledged commands, then receive updates until the connection ends."""
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

    def _hear(self, message: Received) -> None:
        for update in _updates(message):
            if update.get("kind") == "silent" and (update.get("said") or {}).get("guest") == self.guest:
                self.contribution.called_silent()
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
        if self.table and self.seats:
            self.contribution.look(self.table, self.match, self.seats)
            self._contribute(isinstance(message, Sync | Gap))
        self._changed()

    def _contribute(self, arrived: bool) -> None:
        """Add to the dice: commit before the match is started, reveal once it is; when it's over, for its rematch.

        Nobody waits for the answers. When we arrive, an earlier commitment of this guest's other device stops counting.
        """
        if (value := self.contribution.reveal(self.table, self.guest, arrived)) is not None:
            self._post(messages.Reveal(id=secrets.token_urlsafe(12), value=value))
        is_open = self.table["status"] == "open" and not self.table["revealing"]
        is_over = self.table["status"] == "over" and self.table["rematch"] is None
        commitment = self.table["commitment"] if is_open else self.table.get("rematch_commitment") if is_over else None
        mine = next((one["commitment"] for one in self.table["guests"] if one["guest"] == self.guest), "")
        adding = self.contribution if is_open else self.next_contribution or Contribution()
        if not commitment or self._committing or (self._guided and is_open):
            return
        if mine and not adding.is_in(mine) and not arrived:
            adding.value = None  # another device of ours came later
        elif mine is None or (mine and not adding.is_in(mine)):
            if is_over:
                self.next_contribution = adding
            self._committing = True
            command = messages.Contribute(id=secrets.token_urlsafe(12), commitment=adding.commit(commitment))
            self._post(command).add_done_callback(self._committed)

    def _committed(self, _answer: asyncio.Future[int]) -> None:
        self._committing = False

    def _post(self, command: messages.Command) -> asyncio.Future[int]:
        """Send a command without waiting for its answer."""
        answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def answered(answer: asyncio.Future[int]) -> None:
            self._waiting.pop(command.id, None)
            if not answer.cancelled():
                answer.exception()

        answer.add_done_callback(answered)
        self._waiting[command.id] = encode(command), answer
        self._outbox.put_nowait(encode(command))
        return answer

    def _catch_up(self, version: int, missed: list[Any], table: Any, match: Any) -> None:
        """Take missed updates and the current state; updates we already have aren't repeated."""
        first = version - len(missed) + 1
        for number, update in enumerate(missed, first):
            if number > self.version:
                self._unread.append(msgspec.convert({"t": "update", "v": number, **update}, Update))
        self.version = version
        if table is not UNSET:  # otherwise more follows
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


def _updates(message: Received) -> list[dict[str, Any]]:
    """What has happened, by a message."""
    if isinstance(message, Update):
        return [{"kind": message.kind, "said": message.said}]
    return message.missed if isinstance(message, Gap) else []
