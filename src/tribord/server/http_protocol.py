"""HTTP as uvicorn speaks it, with bounds on incomplete requests: their size, their time, their sender.

uvicorn has settings for some of this, but with httptools, which it uses here, none for the size of a head or the time
until a request is complete.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import cache
from http import HTTPStatus

from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from tribord.core.refusal import Refusal
from tribord.core.words import _
from tribord.server.limit import ConnectionLimit, network
from tribord.server.outgoing import refused
from tribord.server.relay import RELAYED, is_from
from tribord.server.socket_protocol import SocketProtocol

HEAD_BYTES = 16_384  # request line and headers
URL_BYTES = 4_096
REQUEST_BYTES = 524_288  # with its body: twice the largest accepted body, so that a refusal can be read first
REQUEST_SECONDS = 15.0  # until a request has arrived, from the first byte or the connection
RESPONSE_SECONDS = 120.0  # until it is answered
LINGER_SECONDS = 60.0  # for the rest of an answer to be read
MOST_PIPELINED = 16

HEAD_TOO_LARGE = _("This request’s headers are too large: {most} bytes at most.")
URL_TOO_LONG = _("This address is too long: {most} bytes at most.")
TOO_LATE = _("This request took too long to arrive. Try again.")
TOO_MANY = _("Too many connections are open. Close some, or try again in a moment.")


@cache
def most_connections() -> int:
    """Return how many connections to allow, with file descriptors left for everything else."""
    try:
        from resource import RLIMIT_NOFILE, getrlimit
    except ImportError:  # Windows, where a process has 512
        return 384
    return max(16, getrlimit(RLIMIT_NOFILE)[0] * 3 // 4)


class TooMuch(Exception):
    """Stops the parser: the refusal has been sent."""


class HttpProtocol(HttpToolsProtocol):
    """A connection that refuses and closes requests beyond a bound."""

    who: str | None = None  # the address that it counts for, "" for a proxy's; None: it doesn't count
    refused = False
    _timer: asyncio.TimerHandle | None = None
    _in_message = False
    _in_head = True
    _received = 0  # bytes of this request

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection, and wait for a request."""
        super().connection_made(transport)
        self.limit: ConnectionLimit | None = self.app_state.get("connections")
        host = self.client[0] if self.client else ""
        who = "" if self._is_proxy(host) else network(host)
        if self.limit is not None and not self.limit.enter(who):
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, Refusal("too-many", TOO_MANY))
        else:
            self.who = who
            self._within(REQUEST_SECONDS, self._late)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection."""
        self._stop()
        self._leave()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection to a socket; it counts until that ends, unless another worker relayed it."""
        self._stop()
        relayed = dict(self.scope["headers"]).get(RELAYED.encode(), b"").decode("latin-1")
        if is_from(relayed, self.app_state.get("worker", "")):
            self._leave()
        super().handle_websocket_upgrade()
        protocol = self.transport.get_protocol()
        if isinstance(protocol, SocketProtocol):
            protocol.on_lost = self._leave
        else:
            self._leave()

    def _is_proxy(self, host: str) -> bool:
        """Whether this is a trusted proxy, whose connections belong to many clients."""
        app = self.app
        return isinstance(app, ProxyHeadersMiddleware) and host in app.trusted_hosts

    def _leave(self) -> None:
        if self.limit is not None and self.who is not None:
            self.limit.leave(self.who)
            self.who = None

    # -- size -------------------------------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Parse the data, feeding headers in pieces within the limit."""
        while data and not self.refused:
            if self._in_head and self._received >= HEAD_BYTES:
                too_large = Refusal("too-large", HEAD_TOO_LARGE, most=HEAD_BYTES)
                return self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, too_large)
            if self._received >= REQUEST_BYTES:
                return self._close()
            most = HEAD_BYTES - self._received if self._in_head else len(data)
            piece, data = data[:most], data[most:]
            self._received += len(piece)
            super().data_received(piece)
            if self.transport.get_protocol() is not self:  # it is a socket's now
                return None
        return None

    def send_400_response(self, msg: str) -> None:
        """Answer a malformed request with 400, unless a response has begun."""
        if not self.refused:
            self.refused = True
            super().send_400_response(msg)
            self._linger()

    def on_message_begin(self) -> None:
        """A request begins."""
        if len(self.pipeline) >= MOST_PIPELINED:
            raise TooMuch
        super().on_message_begin()
        self._in_message = self._in_head = True
        if self._timer is None:
            self._within(REQUEST_SECONDS, self._late)

    def on_url(self, url: bytes) -> None:
        """A part of its address."""
        super().on_url(url)
        if len(self.url) > URL_BYTES:
            self._refuse(HTTPStatus.REQUEST_URI_TOO_LONG, Refusal("too-long", URL_TOO_LONG, most=URL_BYTES))
            raise TooMuch

    def on_header(self, name: bytes, value: bytes) -> None:
        """Read a header; trailers after a chunked body are ignored."""
        if self._in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """The headers are complete."""
        self._in_head = False
        super().on_headers_complete()

    # -- time -------------------------------------------------------------------------------------------------------

    def on_message_complete(self) -> None:
        """The request is complete and must be answered."""
        super().on_message_complete()
        self._in_message, self._in_head, self._received = False, True, 0
        if self.cycle is not None and not self.cycle.response_complete:
            self._within(RESPONSE_SECONDS, self.transport.abort)
        else:
            self._stop()

    def on_response_complete(self) -> None:
        """The response is sent; give the client time to read it, and watch for the next request."""
        super().on_response_complete()
        self._stop()
        if self.transport.is_closing():
            self._linger()
        elif self._in_message:
            self._within(REQUEST_SECONDS, self._late)
        elif self.pipeline:
            self._within(RESPONSE_SECONDS, self.transport.abort)

    def timeout_keep_alive_handler(self) -> None:
        """Close an idle keep-alive connection."""
        self._close()

    def _within(self, seconds: float, then: Callable[[], None]) -> None:
        self._stop()
        self._timer = self.loop.call_later(seconds, then)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _late(self) -> None:
        """The request wasn't complete in time; if the client sent nothing, close without a word."""
        if self._in_message and (self._in_head or not self.cycle.response_started):
            self._refuse(HTTPStatus.REQUEST_TIMEOUT, Refusal("too-late", TOO_LATE))
        else:
            self._close()

    # -- the end ----------------------------------------------------------------------------------------------------

    def _refuse(self, status: HTTPStatus, refusal: Refusal) -> None:
        content = refused(refusal)
        head = (
            f"HTTP/1.1 {status.value} {status.phrase}\r\ncontent-type: application/json\r\ncache-control: no-store\r\n"
            f"content-length: {len(content)}\r\nconnection: close\r\n\r\n"
        )
        self.refused = True
        self.transport.write(head.encode() + content)
        self._close()

    def _close(self) -> None:
        self.refused = True
        if not self.transport.is_closing():
            self.transport.close()
        self._linger()

    def _linger(self) -> None:
        """Give the client a short time to read the rest of the response."""
        self._within(LINGER_SECONDS, self.transport.abort)
