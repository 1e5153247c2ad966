"""One WebSocket: hello, welcome, then commands in and happenings out, until somebody goes."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from tribord.core.refusal import IllegalAction, Refusal
from tribord.core.words import _
from tribord.server import limit, log, messages, metrics, origin
from tribord.server.harbour import GOING, REFUSED, Harbour
from tribord.server.limit import Limits, TooOften
from tribord.server.live import DEPTH, TOO_SLOW, Live, Socket
from tribord.server.messages import encode
from tribord.server.nesting import too_deep
from tribord.server.store import Conflict, Unavailable
from tribord.server.telling import refused

HELLO_SECONDS = 10.0
FLUSH_SECONDS = 2.0  # for what is still queued when a connection ends
MESSAGE_CHARACTERS = 8_192
NOT_SPOKEN = _("Protocol {theirs} is not spoken here; this server speaks {ours}.")
NOT_UNDERSTOOD = _("That message was not understood: {reason}")
TOO_LONG = _("That message is too long: at most {most} characters.")
TOO_DEEP = _("That message is nested too deep.")
ONLY_WATCHING = _("You are only watching: join the table to do that.")
STORE_GONE = _("The store cannot be reached just now: please try again.")

# Close codes of our own, beside REFUSED and TOO_SLOW and the standard ones.
NO_HELLO, RUBBISH, STORE_AWAY = 4000, 4002, 1013
TALK = (messages.Chat, messages.Offer, messages.Rename, messages.Undo)

__all__ = ["GOING", "NO_HELLO", "REFUSED", "RUBBISH", "STORE_AWAY", "TOO_SLOW", "serve_socket"]


async def serve_socket(websocket: WebSocket) -> None:
    """Serve one connection from its opening to its end."""
    state = websocket.app.state
    limits: Limits = state.limits
    if not origin.welcome(websocket, state.settings.origins):
        await websocket.close(1008)
        return
    await websocket.accept()
    who = limit.address(websocket)
    try:
        limits.take(limit.CONNECT, who)
        hello = await asyncio.wait_for(_hello(websocket), HELLO_SECONDS)
        with limits.guessing(who):
            live, socket = await state.harbour.attach(hello.table, hello.secret, hello.seen)
    except (Conflict, Unavailable) as error:
        log.failure("store unavailable", error)
        await _close(websocket, STORE_AWAY, refused(Refusal("store-gone", STORE_GONE)))
    except Refusal as refusal:
        await _close(websocket, REFUSED, refused(refusal))
    except TimeoutError:
        await _close(websocket, NO_HELLO)
    except WebSocketDisconnect:
        pass
    else:
        metrics.count("connections")
        if socket.guest is not None:
            who = f"{live.table.id}/{socket.guest}"
        await _Connection(websocket, state.harbour, limits, live, socket, who).run()


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
        raise WebSocketDisconnect(message.get("code") or 1005)
    text = message.get("text")
    if text is None:
        text = (message.get("bytes") or b"").decode("utf-8", "replace")
    if len(text) > MESSAGE_CHARACTERS:
        raise IllegalAction("too-long", TOO_LONG, most=MESSAGE_CHARACTERS)
    if too_deep(text):
        raise IllegalAction("too-deep", TOO_DEEP)
    return str(text)


async def _close(websocket: WebSocket, code: int, last: bytes | None = None) -> None:
    """Close, with a last word; a peer that does not read is not waited for."""
    with suppress(RuntimeError, WebSocketDisconnect, OSError, TimeoutError):
        async with asyncio.timeout(FLUSH_SECONDS):
            if last is not None:
                await websocket.send_text(last.decode())
            await websocket.close(code)


class _Connection:
    """A connection after its hello."""

    def __init__(self, websocket: WebSocket, harbour: Harbour, limits: Limits, live: Live, socket: Socket, who: str):
        self.websocket = websocket
        self.harbour = harbour
        self.limits = limits
        self.live = live
        self.socket = socket
        self.who = who  # for the limits
        self.receiving = False

    async def run(self) -> None:
        """Read and write until one side goes. A command in hand is carried out whatever becomes of the connection."""
        reader, writer = asyncio.ensure_future(self._read()), asyncio.ensure_future(self._write())
        try:
            ends: set[asyncio.Future[Any]] = {reader, writer, self.socket.ending}
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.harbour.detach(self.live, self.socket)
            if self.receiving:
                reader.cancel()
            await asyncio.wait({reader})
            if self.socket.ending.done() and not self.socket.slow:
                self.socket.queue.put_nowait(None)
                await asyncio.wait({writer}, timeout=FLUSH_SECONDS)
            writer.cancel()
            for result in await asyncio.gather(reader, writer, return_exceptions=True):
                if isinstance(result, Exception) and not isinstance(result, WebSocketDisconnect | OSError):
                    log.failure("connection failed", result)
            if self.websocket.application_state is not WebSocketState.DISCONNECTED:
                await _close(self.websocket, self.socket.ending.result() if self.socket.ending.done() else GOING)

    async def _write(self) -> None:
        while (message := await self.socket.queue.get()) is not None:
            try:
                await self.websocket.send_text(message.decode())
            except RuntimeError:  # it was closed a moment ago
                return

    async def _read(self) -> None:
        while not self.socket.ending.done():
            self.receiving = True
            try:
                text = await _receive(self.websocket)
                self.receiving = False
                command = messages.decode_command(text)
            except IllegalAction as refusal:
                self._refuse(refusal)
            except (msgspec.DecodeError, RecursionError) as error:
                self._refuse(IllegalAction("not-understood", NOT_UNDERSTOOD, reason=str(error)), _id_of(text))
            else:
                await self._carry_out(command)
            finally:
                self.receiving = False
            if self.socket.queue.qsize() > DEPTH // 2:
                await asyncio.sleep(0)  # let the answers go, however fast the messages come

    async def _carry_out(self, command: messages.Command) -> None:
        """One command: acknowledged after its commit, or refused."""
        try:
            if self.socket.guest is None:
                raise IllegalAction("only-watching", ONLY_WATCHING)
            self.limits.take(limit.CHAT if isinstance(command, TALK) else limit.ACT, self.who)
            ack = await self.harbour.command(self.live, self.socket, command)
        except (Conflict, Unavailable) as error:
            log.failure("store unavailable", error)
            self.socket.send(refused(Refusal("store-gone", STORE_GONE), command.id))
        except Refusal as refusal:
            self._refuse(refusal, command.id)
        else:
            metrics.count("acknowledged")
            self.socket.send(encode(ack))

    def _refuse(self, refusal: Refusal, command: str | None = None) -> None:
        """Say why not. Whoever goes on for long with what is refused is cut off."""
        metrics.count("refused", code=refusal.code)
        try:
            self.limits.take(limit.RUBBISH, self.who)
        except TooOften as enough:
            self.socket.send(refused(enough))
            self.socket.end(RUBBISH)
        else:
            self.socket.send(refused(refusal, command))


def _id_of(text: str) -> str | None:
    """The id of a command that could not be read otherwise, so that its sender knows which it was."""
    try:
        found: Any = msgspec.json.decode(text).get("id")
    except Exception:
        return None
    return found if isinstance(found, str) and len(found) <= 64 else None
