"""One WebSocket: hello, welcome, then commands in and updates out, until one side closes."""

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
from tribord.server.live_table import GOING, TOO_SLOW, Socket
from tribord.server.messages import encode
from tribord.server.nesting import too_deep
from tribord.server.outgoing import refused
from tribord.server.relay import Unreachable, client_of, relay
from tribord.server.socket_protocol import EXTENSION, SocketProtocol
from tribord.server.store import Conflict, Home, Unavailable
from tribord.server.timing import measured

HELLO_SECONDS = 10.0
HOME_SECONDS = 2 * LEASE_SECONDS  # for a table's home to answer, or for its lease to run out
HOME_RETRY_SECONDS = 0.2
FLUSH_SECONDS = 2.0  # for what is still queued when a connection ends
MESSAGE_CHARACTERS = 8_192
OTHER_PROTOCOL = _("The page and the server have different versions. Reload the page, or update your program.")
NOT_UNDERSTOOD = _("The server didn’t understand that. Reload the page, or update your program.")
TOO_LONG = _("That message is too long: {most} characters at most.")
TOO_DEEP = _("That message is nested too deeply.")
ONLY_WATCHING = _("You’re only watching. Join the table to do that.")
TOO_MANY = _("Too many connections are open from here. Close some tabs or programs first.")
STORE_GONE = _("The server can’t reach its data right now. Try again in a moment.")

# Close codes of our own, beside REFUSED and TOO_SLOW and the standard ones.
NO_HELLO, RUBBISH, STORE_AWAY = 4000, 4002, 1013
# What no one needs often: with it, a player could fill the record of a table.
SELDOM = (
    messages.Chat, messages.Offer, messages.Rename, messages.Undo, messages.Replace, messages.Reclaim,
)  # fmt: skip

__all__ = ["GOING", "NO_HELLO", "REFUSED", "RUBBISH", "STORE_AWAY", "TOO_SLOW", "serve_socket"]


async def serve_socket(scope: Scope, receive: Receive, send: Send) -> None:
    """WS /socket: serve one connection from start to end."""
    websocket = WebSocket(scope, receive, send)
    state = websocket.app.state
    if not origin.welcome(websocket, state.settings.origins, state.settings.port):
        await websocket.close()  # before it is accepted: the handshake is answered with 403
        return
    await websocket.accept()
    hub: Hub = state.hub
    transport: SocketProtocol = scope["extensions"][EXTENSION]["transport"]
    socket, (who, host) = Socket(transport), client_of(websocket, hub.worker.id if hub.worker else "")
    socket.address, socket.home = who, hub.home_of("", host)
    transport.on_writable = socket.flush
    if not state.sockets.enter(who):
        await _close(websocket, REFUSED, refused(Refusal("too-many", TOO_MANY)))
        return
    try:
        await _serve(websocket, receive, send, socket, transport)
    finally:
        state.sockets.leave(who)


async def _serve(
    websocket: WebSocket, receive: Receive, send: Send, socket: Socket, transport: SocketProtocol
) -> None:  # fmt: skip
    state, who = websocket.app.state, socket.address
    hub: Hub = state.hub
    limits: Limits = state.limits
    try:
        hub.bans.check_address(who)
        limits.take(limit.CONNECT, who)
        async with asyncio.timeout(HELLO_SECONDS):
            hello = await _hello(receive)
        patience = time.monotonic() + HOME_SECONDS
        while (home := await _attach(hub, limits, socket, hello)) is not None:
            hub.connections.add(socket)
            if hub.closing:
                socket.end(GOING)
            try:
                first = encode(hello).decode()
                await _close(websocket, await relay(websocket, receive, send, home, first, socket.ending))
                return
            except Unreachable:  # that worker died: its tables are free when its lease runs out
                if hub.closing or time.monotonic() > patience:
                    raise Unavailable("the table's home doesn't answer") from None
            finally:
                hub.connections.discard(socket)
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
        await _Connection(websocket, receive, hub, limits, socket, transport).run()


async def _attach(hub: Hub, limits: Limits, socket: Socket, hello: messages.Hello) -> Home | None:
    """Attach a socket to its table, or return the worker that is the table's home."""
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
        raise IllegalAction("not-understood", NOT_UNDERSTOOD, detail=str(error)) from None


def _spoken(hello: messages.Hello) -> messages.Hello:
    if hello.protocol != messages.PROTOCOL:
        raise IllegalAction("protocol", OTHER_PROTOCOL, detail=f"protocol {messages.PROTOCOL}, not {hello.protocol}")
    return hello


async def _receive(receive: Receive) -> str:
    """Return the next message as text."""
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
    """Close with a last message, without waiting for a peer that doesn't read."""
    with suppress(RuntimeError, WebSocketDisconnect, OSError, TimeoutError):
        async with asyncio.timeout(FLUSH_SECONDS):
            if last is not None:
                await websocket.send_text(last.decode())
            await websocket.close(code)


class _Connection:
    """A connection after its hello."""

    def __init__(
        self, websocket: WebSocket, receive: Receive, hub: Hub, limits: Limits, socket: Socket,
        transport: SocketProtocol,
    ):  # fmt: skip
        self.websocket = websocket
        self.receive = receive
        self.hub = hub
        self.limits = limits
        self.socket = socket
        self.transport = transport
        self.address = socket.address
        self.receiving = False

    @property
    def who(self) -> str:
        """The key of the limits: a guest, or a spectator's address."""
        socket = self.socket
        return f"{socket.live.table.id}/{socket.guest}" if socket.live and socket.guest is not None else self.address

    async def run(self) -> None:
        """Read until one side closes. A command that was read is carried out even if the connection breaks."""
        self.hub.connections.add(self.socket)
        reader = asyncio.ensure_future(self._read())
        try:
            ends: set[asyncio.Future[Any]] = {reader, self.socket.ending}
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        finally:
            if self.receiving:
                reader.cancel()
            await asyncio.wait({reader})  # the update that acknowledges its last command goes to this socket too
            self.hub.detach(self.socket)
            if self.socket.ending.done() and not self.socket.slow:
                await self._flush()
            for result in await asyncio.gather(reader, return_exceptions=True):
                if isinstance(result, Exception) and not isinstance(result, WebSocketDisconnect | OSError):
                    log.failure("connection failed", result)
            if self.websocket.application_state is not WebSocketState.DISCONNECTED:
                await _close(self.websocket, self.socket.ending.result() if self.socket.ending.done() else GOING)
            self.hub.connections.discard(self.socket)

    async def _flush(self) -> None:
        """Wait a short time until the queue is sent."""
        with suppress(TimeoutError):
            async with asyncio.timeout(FLUSH_SECONDS):
                while self.socket.waiting and not self.transport.disconnected:
                    await self.transport.writable.wait()
                    self.socket.flush()

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
                self._refuse(IllegalAction("not-understood", NOT_UNDERSTOOD, detail=str(error)), _id_of(text))
            else:
                if isinstance(command, messages.Hello):
                    await self._go(command)
                elif isinstance(command, messages.Shown):
                    await self._note_shown(command)
                elif isinstance(command, messages.Gestures):
                    self._show(command)
                else:
                    await self._carry_out(command)
            finally:
                self.receiving = False

    async def _go(self, hello: messages.Hello) -> None:
        """Handle another hello: leave this table for that one, on the same connection."""
        try:
            self.limits.take(limit.CONNECT, self.address)
            with self.limits.guessing(self.address, hello.table):
                await self.hub.attach(self.socket, _spoken(hello).table, hello.secret, hello.seen)
        except (Conflict, Unavailable) as error:
            log.failure("store unavailable", error)
            self.socket.send(refused(Refusal("store-gone", STORE_GONE)))
            self.socket.end(STORE_AWAY)
        except Elsewhere:  # the client reconnects, and is relayed there
            self.socket.end(GOING)
        except Refusal as refusal:
            self.socket.send(refused(refusal))
            self.socket.end(REFUSED)

    async def _note_shown(self, shown: messages.Shown) -> None:
        """Note how far this viewer has got. Too frequent reports are ignored, and what follows is read later."""
        assert self.socket.live is not None
        try:
            self.limits.take(limit.SHOWN, self.who)
        except TooOften as enough:
            await asyncio.sleep(enough.seconds)
        else:
            self.socket.live.audience.report(self.socket, shown.v)

    async def _carry_out(self, command: messages.Command) -> None:
        """Carry out one command: acknowledge it after its commit, or refuse it."""
        try:
            if self.socket.guest is None:
                raise IllegalAction("only-watching", ONLY_WATCHING)
            self.limits.take(limit.CHAT if isinstance(command, SELDOM) else limit.ACT, self.who)
            self.limits.take(limit.COMMANDS, self.address)
            if isinstance(command, messages.Report):
                self.limits.take(limit.REPORT, self.address)
            with measured("command_seconds", command):
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
        """Carry it out. A command that founds a table counts as creating one, if it succeeds now."""
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
        """Whether a command costs the server as much as a new table: a rematch, or a match of bots alone."""
        assert self.socket.live is not None
        of_bots = isinstance(command, messages.Start) and not self.socket.live.table.owners()
        return of_bots or isinstance(command, messages.Rematch)

    def _show(self, gesture: messages.Gestures) -> None:
        """Show the others what this guest considers or points at."""
        try:
            if self.socket.guest is None:
                raise IllegalAction("only-watching", ONLY_WATCHING)
            self.limits.take(limit.GESTURE, self.who)
            self.limits.take(limit.COMMANDS, self.address)
            self.hub.gesture(self.socket, gesture)
        except Refusal as refusal:
            self._refuse(refusal, gesture.id)

    def _refuse(self, refusal: Refusal, command: str | None = None) -> None:
        """Send the refusal. A client that keeps getting refusals is cut off."""
        metrics.count("limited" if isinstance(refusal, TooOften) else "refused")
        try:
            self.limits.take(limit.RUBBISH, self.who)
        except TooOften as enough:
            self.socket.send(refused(enough))
            self.socket.end(RUBBISH)
        else:
            self.socket.send(refused(refusal, command))


def _id_of(text: str) -> str | None:
    """Return the id of a command that couldn't be decoded, so that its sender knows which one failed."""
    try:
        found: Any = msgspec.json.decode(text).get("id")
    except Exception:
        return None
    return found if isinstance(found, str) and len(found) <= 64 else None
