"""WebSockets as uvicorn speaks them; one that ends says so, because connections are counted."""

from __future__ import annotations

from collections.abc import Callable

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol


class SocketProtocol(WebSocketsSansIOProtocol):
    """A WebSocket."""

    on_lost: Callable[[], None] | None = None

    def connection_lost(self, exc: Exception | None) -> None:
        """It is gone."""
        if self.on_lost is not None:
            self.on_lost()
        super().connection_lost(exc)
