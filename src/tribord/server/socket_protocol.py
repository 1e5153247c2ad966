"""WebSockets as uvicorn speaks them, with a shorter way out for a table's messages. ASGI takes one message after
another, each from a task that waits its turn. A broadcast to four screens would wake four tasks; here it writes four
frames.
"""

from __future__ import annotations

from collections.abc import Callable

from uvicorn._types import ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import State

EXTENSION = "tribord.transport"  # where the ASGI scope has the protocol
AHEAD = 4  # unread messages before their sender has to wait: pausing after each costs system calls
TEXT = 0x81  # the first byte of a frame that is a whole text


class SocketProtocol(WebSocketsSansIOProtocol):
    """A WebSocket."""

    on_lost: Callable[[], None] | None = None
    on_writable: Callable[[], None] | None = None
    _said: tuple[bytes, ...] = ()  # frames to be written

    @property
    def ready(self) -> bool:
        """Whether the peer keeps up."""
        return self.writable.is_set()

    def say(self, text: bytes) -> None:
        """Queue a text and send it soon with others, so that many texts take one write."""
        if not self._said:
            self.loop.call_soon(self._write)
        self._said += (_head(len(text)), text)

    def _write(self) -> None:
        """Write the queued frames; after the end they are dropped."""
        said, self._said = self._said, ()
        if said and self.conn.state is State.OPEN and self.handshake_complete and not self.transport.is_closing():
            self.transport.write(b"".join(said))

    async def send(self, message: ASGISendEvent) -> None:
        """Send what the application sends the usual way, after earlier messages."""
        self._write()
        await super().send(message)

    def handle_connect(self, event: Request) -> None:
        """Store this transport in the scope for the application."""
        super().handle_connect(event)
        if self.response.status_code == 101:
            self.scope["extensions"][EXTENSION] = {"transport": self}

    def send_receive_event_to_app(self) -> None:
        """Receive a message, and let the peer continue unless it's far ahead."""
        paused, ahead = self.read_paused, self.queue.qsize() >= AHEAD
        self.read_paused = paused or not ahead  # else it would be paused here
        super().send_receive_event_to_app()
        if not ahead:
            self.read_paused = paused

    def resume_writing(self) -> None:
        """The peer has caught up."""
        super().resume_writing()
        if self.on_writable is not None:
            self.on_writable()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone: update the connection count."""
        if self.on_lost is not None:
            self.on_lost()
        super().connection_lost(exc)


def _head(length: int) -> bytes:
    """Return the frame header of a text, uncompressed and unmasked, as a server sends it."""
    if length < 126:
        return bytes((TEXT, length))
    if length < 65_536:
        return bytes((TEXT, 126)) + length.to_bytes(2, "big")
    return bytes((TEXT, 127)) + length.to_bytes(8, "big")
