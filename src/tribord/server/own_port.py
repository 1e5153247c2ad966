"""The ports of workers: one that all workers of a machine share, and one of each worker's own, so that clients find it.

At a shared socket the worker that wakes first takes a connection, usually the same one: it would be the home of most
tables. Linux spreads connections evenly over the sockets of one port, so each worker has its own there.
"""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import uvicorn
from starlette.types import ASGIApp

from tribord.core.refusal import Refusal
from tribord.core.words import _
from tribord.server.settings import Settings

NO_PORT = _("Each worker needs its own port, and {first} to {last} are all taken. Free some, or choose another --port.")
SPREADS = sys.platform == "linux"
ANYWHERE = ("0.0.0.0", "::", "")


def options(settings: Settings) -> dict[str, Any]:
    """Return uvicorn's options, the same for both ports."""
    return {
        "http": "tribord.server.http_protocol:HttpProtocol",
        "ws": "tribord.server.socket_protocol:SocketProtocol",
        "log_level": "warning",
        "access_log": False,
        "proxy_headers": settings.proxy is not None,
        "forwarded_allow_ips": settings.proxy,
        "ws_max_size": 65_536,
        "ws_max_queue": 32,
        "ws_per_message_deflate": False,  # small messages: compressing costs more than it saves
        "timeout_graceful_shutdown": 5,
        "timeout_worker_healthcheck": 20,  # a worker imports much before it answers
        "server_header": False,
    }


class _Server(uvicorn.Server):
    """A second uvicorn server that leaves signals to the first and shares its connection state."""

    def __init__(self, config: uvicorn.Config, state: dict[str, Any]):
        super().__init__(config)
        self.state = state

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen."""
        self.lifespan.state.update(self.state)
        await super().startup(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@asynccontextmanager
async def serving_too(
    app: ASGIApp, settings: Settings, listening: list[socket.socket], state: dict[str, Any]
) -> AsyncIterator[None]:
    """Serve an application on this worker's own sockets too, if it has any."""
    if not listening:
        yield
        return
    server = _Server(uvicorn.Config(app, lifespan="off", log_config=None, **options(settings)), state)
    serving = asyncio.ensure_future(server.serve(listening))
    try:
        yield
    finally:
        server.should_exit = True
        await serving


def bind(settings: Settings) -> list[socket.socket]:
    """Bind this worker's own port and its socket at the shared one; neither if it's the only worker."""
    if settings.workers == 1:
        return []
    own = _bind_own(settings)
    return [own, bind_shared(settings)] if SPREADS else [own]


def _bind_own(settings: Settings) -> socket.socket:
    first, last = settings.port + 1, settings.port + 2 * settings.workers  # a successor starts before the last one ends
    for port in range(first, last + 1):
        try:
            return socket.create_server((settings.host, port), family=family(settings.host))
        except OSError:
            continue
    raise Refusal("no-port", NO_PORT, first=first, last=last)


def bind_shared(settings: Settings) -> socket.socket:
    """Bind a socket at the shared port; `startup` has checked that no other program has it."""
    shared = socket.socket(family(settings.host))
    shared.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if SPREADS:
        shared.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    shared.bind((settings.host, settings.port))
    shared.set_inheritable(True)
    return shared


def family(host: str) -> socket.AddressFamily:
    """Return the address family of a host."""
    return socket.AF_INET6 if ":" in host else socket.AF_INET


def inside(host: str, port: int) -> str:
    """Return where other workers reach a port: on this machine, or in its network if `host` is an address there."""
    name = "127.0.0.1" if host in ANYWHERE else f"[{host}]" if ":" in host else host
    return f"{name}:{port}"
