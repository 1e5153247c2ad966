"""One WebSocket: hello, welcome, then commands in and happenings out, until somebody goes."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from tribord.core.refusal import IllegalAction, Refusal
from tribord.core.words import LANGUAGES, Words, _
from tribord.server import limit, log, messages, metrics
from tribord.server.harbour import Harbour, Live, Socket
from tribord.server.limit import Limits
from tribord.server.messages import encode
from tribord.server.store import Conflict, Unavailable

HELLO_SECONDS = 10.0
MESSAGE_CHARACTERS = 8_192
NOT_SPOKEN = _("Protocol {theirs} is not spoken here; this server speaks {ours}.")
NOT_UNDERSTOOD = _("That message was not understood: {reason}")
TOO_LONG = _("That message is too long: at most {most} characters.")
ONLY_WATCHING = _("You are only watching: join the table to do that.")
STORE_GONE = _("The store cannot be reached just now: nothing was done, please try again.")

# Close codes of our own, beside the standard ones.
NO_HELLO, REFUSED, TOO_SLOW, GOING, RUBBISH = 4000, 4001, 4008, 1001, 4002


def said(refusal: Refusal, command: str | None = None) -> bytes:
    """A refusal as a message."""
    text = {language: refusal.say(Words(language)) for language in LANGUAGES}
    return encode(
        messages.Refused(
            code=refusal.code, fr=text["fr"], en=text["en"], id=command, rule=refusal.rule,
            limit=getattr(refusal, "limit", ""), seconds=getattr(refusal, "seconds", 0),
        )
    )  # fmt: skip


async def serve_socket(websocket: WebSocket) -> None:
    """Serve one connection from its opening to its end."""
    state = websocket.app.state
    harbour: Harbour = state.harbour
    limits: Limits = state.limits
    host = websocket.client.host if websocket.client else "?"
    if not _welcome_from(websocket, state.settings.origins):
        await websocket.close(1008)
        return
    await websocket.accept()
    try:
        limits.take(limit.CONNECT, host)
        hello = await asyncio.wait_for(_hello(websocket), HELLO_SECONDS)
        live = await harbour.find(hello.table)
        guest = harbour.recognise(live, hello.secret) if hello.secret is not None else None
    except Refusal as refusal:
        await _close(websocket, said(refusal), REFUSED)
        return
    except TimeoutError:
        await _close(websocket, None, NO_HELLO)
        return
    except WebSocketDisconnect:
        return
    except (Conflict, Unavailable) as error:
        log.failure("store unavailable", error)
        await _close(websocket, said(Refusal("store-gone", STORE_GONE)), 1013)
        return
    metrics.count("connections")
    await _Connection(websocket, harbour, limits, live, guest, host).run(hello.seen)


async def _hello(websocket: WebSocket) -> messages.Hello:
    text = await _receive(websocket)
    try:
        hello = messages.decode_hello(text)
    except (msgspec.DecodeError, RecursionError) as error:
        raise IllegalAction("not-understood", NOT_UNDERSTOOD, reason=str(error)) from None
    if hello.protocol != messages.PROTOCOL:
        raise IllegalAction("protocol", NOT_SPOKEN, theirs=hello.protocol, ours=messages.PROTOCOL)
    return hello


async def _receive(websocket: WebSocket) -> str:
    """The next message, as text."""
    message = await websocket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1005))
    text = message.get("text")
    if text is None:
        text = (message.get("bytes") or b"").decode("utf-8", "replace")
    if len(text) > MESSAGE_CHARACTERS:
        raise IllegalAction("too-long", TOO_LONG, most=MESSAGE_CHARACTERS)
    return str(text)


async def _close(websocket: WebSocket, last: bytes | None, code: int) -> None:
    with suppress(RuntimeError, WebSocketDisconnect, OSError):
        if last is not None:
            await websocket.send_text(last.decode())
        await websocket.close(code)


def _welcome_from(websocket: WebSocket, origins: tuple[str, ...]) -> bool:
    """Whether a page may connect: our own, or one that was named. Programs send no origin."""
    origin = websocket.headers.get("origin")
    if origin is None or "*" in origins or origin in origins:
        return True
    return urlsplit(origin).netloc == websocket.headers.get("host")


class _Connection:
    """A connection after its hello."""

    def __init__(
        self, websocket: WebSocket, harbour: Harbour, limits: Limits, live: Live, guest: int | None, host: str
    ):
        self.websocket = websocket
        self.harbour = harbour
        self.limits = limits
        self.table = live.table.id
        self.guest = guest
        self.who = f"{live.table.id}/{guest}" if guest is not None else host
        self.socket = Socket(guest)
        self.live = live

    async def run(self, seen: int | None) -> None:
        """Read and write until one side goes."""
        self.socket.send(encode(messages.Welcome(messages.PROTOCOL, self.guest, self.live.table.seats_of(self.guest))))
        async with self.live.lock:  # so that no happening falls between catching up and listening
            self.harbour.attach(self.live, self.socket, seen)
        writer = asyncio.ensure_future(self._write())
        reader = asyncio.ensure_future(self._read())
        try:
            await asyncio.wait({writer, reader}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.harbour.detach(self.live, self.socket)
            for task in (writer, reader):
                task.cancel()
            for result in await asyncio.gather(writer, reader, return_exceptions=True):
                if isinstance(result, Exception) and not isinstance(
                    result, WebSocketDisconnect | OSError | RuntimeError
                ):
                    log.failure("connection failed", result)
            if self.websocket.application_state is not WebSocketState.DISCONNECTED:
                await _close(self.websocket, None, TOO_SLOW if self.socket.slow else GOING)

    async def _write(self) -> None:
        while message := await self.socket.queue.get():
            await self.websocket.send_text(message.decode())

    async def _read(self) -> None:
        while True:
            try:
                text = await _receive(self.websocket)
            except IllegalAction as refusal:
                self._rubbish(refusal)
                continue
            await self._take(text)

    def _rubbish(self, refusal: Refusal, command: str | None = None) -> None:
        metrics.count("rubbish")
        self.limits.take(limit.RUBBISH, self.who)
        self.socket.send(said(refusal, command))

    async def _take(self, text: str) -> None:
        """One command: acknowledged after its commit, or refused."""
        try:
            command = messages.decode_command(text)
        except (msgspec.DecodeError, RecursionError) as error:
            try:
                self._rubbish(IllegalAction("not-understood", NOT_UNDERSTOOD, reason=str(error)), _id_of(text))
            except Refusal as refusal:
                await _close(self.websocket, said(refusal), RUBBISH)
                raise WebSocketDisconnect(RUBBISH) from None
            return
        try:
            if self.guest is None:
                raise IllegalAction("only-watching", ONLY_WATCHING)
            chatty = isinstance(command, messages.Chat | messages.Offer | messages.Rename)
            self.limits.take(limit.CHAT if chatty else limit.ACT, self.who)
            ack = await self.harbour.command(self.live, self.guest, command)
        except Refusal as refusal:
            metrics.count("refused", code=refusal.code)
            self.socket.send(said(refusal, command.id))
        except (Conflict, Unavailable) as error:
            log.failure("store unavailable", error)
            self.socket.send(said(Refusal("store-gone", STORE_GONE), command.id))
        else:
            metrics.count("acknowledged")
            self.socket.send(encode(ack))


def _id_of(text: str) -> str | None:
    """The id of a command that could not be read otherwise, so that its sender knows which it was."""
    try:
        found: Any = msgspec.json.decode(text).get("id")
    except Exception:
        return None
    return found if isinstance(found, str) and len(found) <= 64 else None
