"""One WebSocket: hello, welcome, then commands in and updates out, until somebody goes."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import Any

import msgspec
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from tribord.core.refusal import IllegalAction, Refusal
from tribord.core.words import _
from tribord.server import limit, log, messages, metrics, origin
from tribord.server.hub import REFUSED, Elsewhere, Hub
from tribord.server.lease import LEASE_SECONDS
from tribord.server.limit import Limits, TooOften
from tribord.server.live_table import DEPTH, GOING, TOO_SLOW, Socket
from tribord.server.messages import encode
from tribord.server.nesting import too_deep
from tribord.server.outgoing import refused
from tribord.server.relay import Unreachable, client_of, relay
from tribord.server.store import Conflict, Home, Unavailable

HELLO_SECONDS = 10.0
HOME_SECONDS = 2 * LEASE_SECONDS  # for a table's home to answer, or for its lease to run out
HOME_RETRY_SECONDS = 0.2
FLUSH_SECONDS = 2.0  # for what is still queued when a connection ends
MESSAGE_CHARACTERS = 8_192
OTHER_PROTOCOL = _(
    "The page and the server have different versions (protocol {theirs} and {ours})."
    " Reload the page, or update your program."
)
NOT_UNDERSTOOD = _("That message was not understood: {reason}")
TOO_LONG = _("That message is too long: at most {most} characters.")
TOO_DEEP = _("That message is nested too deep.")
ONLY_WATCHING = _("You are only watching: join the table to do that.")
TOO_MANY = _("Too many connections are open from here: close some tabs or programs first.")
STORE_GONE = _("The store cannot be reached just now: please try again.")

# Close codes of our own, beside REFUSED and TOO_SLOW and the standard ones.
NO_HELLO, RUBBISH, STORE_AWAY = 4000, 4002, 1013
TALK = (messages.Chat, messages.Offer, messages.Rename, messages.Undo)

__all__ = ["GOING", "NO_HELLO", "REFUSED", "RUBBISH", "STORE_AWAY", "TOO_SLOW", "serve_socket"]


async def serve_socket(scope: Scope, receive: Receive, send: Send) -> None:
    """WS /socket: serve one connection from its opening to its end."""
    websocket = WebSocket(scope, receive, send)
    state = websocket.app.state
    if not origin.welcome(websocket, state.settings.origins, state.settings.port):
        await websocket.close()  # before it is accepted: the handshake is answered with 403
        return
    await websocket.accept()
    hub: Hub = state.hub
    socket, (who, host) = Socket(), client_of(websocket, hub.worker.id if hub.worker else "")
    socket.address, socket.home = who, hub.home_of("", host)
    if not state.sockets.enter(who):
        await _close(websocket, REFUSED, refused(Refusal("too-many", TOO_MANY)))
        return
    try:
        await _serve(websocket, receive, send, socket)
    finally:
        state.sockets.leave(who)


async def _serve(websocket: WebSocket, receive: Receive, send: Send, socket: Socket) -> None:
    state, who = websocket.app.state, socket.address
    hub: Hub = state.hub
    limits: Limits = state.limits
    try:
        limits.take(limit.CONNECT, who)
        async with asyncio.timeout(HELLO_SECONDS):
            hello = await _hello(receive)
        patience = time.monotonic() + HOME_SECONDS
        while (home := await _attach(hub, limits, socket, hello)) is not None:
            try:
                await _close(websocket, await relay(websocket, receive, send, home, encode(hello).decode()))
                return
            except Unreachable:  # it has died: its tables are free when its lease has run out
                if hub.closing or time.monotonic() > patience:
                    raise Unavailable("the table's home doesn't answer") from None
            await asyncio.sleep(HOME_RETRY_SECONDS)
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
        await _Connection(websocket, receive, send, hub, limits, socket, who).run()


async def _attach(hub: Hub, limits: Limits, socket: Socket, hello: messages.Hello) -> Home | None:
    """Attach a socket to its table; or say which other worker is the table's home."""
    with limits.guessing(socket.address, hello.table):
        try:
            await hub.attach(socket, hello.table, hello.secret, hello.seen)
        except Elsewhere as moved:
            return moved.home
    return None


async def _hello(receive: Receive) -> messages.Hello:
    text = await _receive(receive)
    try:
        return _spoken(messages.decode_hello(text))
    except (msgspec.DecodeError, RecursionError) as error:
        raise IllegalAction("not-understood", NOT_UNDERSTOOD, reason=str(error)) from None


def _spoken(hello: messages.Hello) -> messages.Hello:
    if hello.protocol != messages.PROTOCOL:
        raise IllegalAction("protocol", OTHER_PROTOCOL, theirs=hello.protocol, ours=messages.PROTOCOL)
    return hello


async def _receive(receive: Receive) -> str:
    """The next message, as text."""
    message = await receive()
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

    def __init__(
        self, websocket: WebSocket, receive: Receive, send: Send, hub: Hub, limits: Limits, socket: Socket,
        address: str,
    ):  # fmt: skip
        self.websocket = websocket
        self.receive, self.send = receive, send
        self.hub = hub
        self.limits = limits
        self.socket = socket
        self.address = address
        self.receiving = False
        self.leaving = False  # nothing more will be queued

    @property
    def who(self) -> str:
        """Whom the limits are about: a guest, or the address of who only watches."""
        socket = self.socket
        return f"{socket.live.table.id}/{socket.guest}" if socket.live and socket.guest is not None else self.address

    async def run(self) -> None:
        """Read and write until one side goes. A command in hand is carried out whatever becomes of the connection."""
        self.hub.connections.add(self.socket)
        reader, writer = asyncio.ensure_future(self._read()), asyncio.ensure_future(self._write())
        try:
            ends: set[asyncio.Future[Any]] = {reader, writer, self.socket.ending}
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        finally:
            if self.receiving:
                reader.cancel()
            await asyncio.wait({reader})  # the update that acknowledges its last command goes to this socket too
            self.hub.detach(self.socket)
            self.leaving = True
            if self.socket.ending.done() and not self.socket.slow:
                self.socket.wake()  # and send what still waits
                await asyncio.wait({writer}, timeout=FLUSH_SECONDS)
            writer.cancel()
            for result in await asyncio.gather(reader, writer, return_exceptions=True):
                if isinstance(result, Exception) and not isinstance(result, WebSocketDisconnect | OSError):
                    log.failure("connection failed", result)
            if self.websocket.application_state is not WebSocketState.DISCONNECTED:
                await _close(self.websocket, self.socket.ending.result() if self.socket.ending.done() else GOING)
            self.hub.connections.discard(self.socket)

    async def _write(self) -> None:
        socket, send = self.socket, self.send
        while True:
            while socket.waiting:
                try:
                    await send({"type": "websocket.send", "text": socket.waiting.popleft().decode()})
                except RuntimeError:  # it was closed a moment ago
                    return
            if self.leaving:
                return
            await socket.rest()

    async def _read(self) -> None:
        while not self.socket.ending.done():
            self.receiving = True
            try:
                text = await _receive(self.receive)
                self.receiving = False
                command = messages.decode_command(text)
            except IllegalAction as refusal:
                self._refuse(refusal)
            except (msgspec.DecodeError, RecursionError) as error:
                self._refuse(IllegalAction("not-understood", NOT_UNDERSTOOD, reason=str(error)), _id_of(text))
            else:
                if isinstance(command, messages.Hello):
                    await self._go(command)
                elif isinstance(command, messages.Shown):
                    self._note_shown(command)
                elif isinstance(command, messages.Gestures):
                    self._show(command)
                else:
                    await self._carry_out(command)
            finally:
                self.receiving = False
            if len(self.socket.waiting) > DEPTH // 2:
                await asyncio.sleep(0)  # let the answers go, however fast the messages come

    async def _go(self, hello: messages.Hello) -> None:
        """Another hello: leave this table for that one, without a new connection."""
        try:
            self.limits.take(limit.CONNECT, self.address)
            with self.limits.guessing(self.address, hello.table):
                await self.hub.attach(self.socket, _spoken(hello).table, hello.secret, hello.seen)
        except (Conflict, Unavailable) as error:
            log.failure("store unavailable", error)
            self.socket.send(refused(Refusal("store-gone", STORE_GONE)))
            self.socket.end(STORE_AWAY)
        except Elsewhere:  # the client comes back, and is carried there
            self.socket.end(GOING)
        except Refusal as refusal:
            self.socket.send(refused(refusal))
            self.socket.end(REFUSED)

    def _note_shown(self, shown: messages.Shown) -> None:
        """How far this viewer has got. One that reports too often isn't listened to."""
        assert self.socket.live is not None
        with suppress(TooOften):
            self.limits.take(limit.SHOWN, self.who)
            self.socket.live.audience.report(self.socket, shown.v)

    async def _carry_out(self, command: messages.Command) -> None:
        """One command: acknowledged after its commit, or refused."""
        try:
            if self.socket.guest is None:
                raise IllegalAction("only-watching", ONLY_WATCHING)
            self.limits.take(limit.CHAT if isinstance(command, TALK) else limit.ACT, self.who)
            again = await self._do(command)
        except (Conflict, Unavailable) as error:
            log.failure("store unavailable", error)
            self.socket.send(refused(Refusal("store-gone", STORE_GONE), command.id))
        except Refusal as refusal:
            self._refuse(refusal, command.id)
        else:
            metrics.count("acknowledged")
            if again is not None:  # else the update went out with the command's id
                self.socket.send(encode(again))

    async def _do(self, command: messages.Command) -> messages.Ack | None:
        """Carry it out. What founds a table counts as creating one, if it is done, and done now."""
        if not self._founds(command):
            return await self.hub.command(self.socket, command)
        self.limits.take(limit.CREATE, self.address)
        done = False
        try:
            again = await self.hub.command(self.socket, command)
            done = again is None
        finally:
            if not done:
                self.limits.give_back(limit.CREATE, self.address)
        return again

    def _founds(self, command: messages.Command) -> bool:
        """Whether a command is as much work for the server as a new table: a rematch, or a match of bots alone."""
        assert self.socket.live is not None
        of_bots = isinstance(command, messages.Start) and not self.socket.live.table.owners()
        return of_bots or isinstance(command, messages.Rematch)

    def _show(self, gesture: messages.Gestures) -> None:
        """Show the others what this guest considers or points at."""
        try:
            if self.socket.guest is None:
                raise IllegalAction("only-watching", ONLY_WATCHING)
            self.limits.take(limit.GESTURE, self.who)
            self.hub.gesture(self.socket, gesture)
        except Refusal as refusal:
            self._refuse(refusal, gesture.id)

    def _refuse(self, refusal: Refusal, command: str | None = None) -> None:
        """Say why not. Whoever goes on for long with what is refused is cut off."""
        metrics.count("limited" if isinstance(refusal, TooOften) else "refused")
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
