"""A worker's own port: beside the port that all workers of a machine share, so that clients can reach this one."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import uvicorn
from starlette.types import ASGIApp

from tribord.core.refusal import Refusal
from tribord.core.words import _
from tribord.server.settings import Settings

NO_PORT = _("Each worker needs a port of its own, and {first} to {last} are all taken.")
ANYWHERE = ("0.0.0.0", "::", "")


def options(settings: Settings) -> dict[str, Any]:
    """How uvicorn serves, at either port."""
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
    """One that leaves signals to the server it runs beside, and shares what that one's connections share."""

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
    app: ASGIApp, settings: Settings, listening: socket.socket | None, state: dict[str, Any]
) -> AsyncIterator[None]:
    """Serve an application at this worker's own port as well, where it has one."""
    if listening is None:
        yield
        return
    server = _Server(uvicorn.Config(app, lifespan="off", log_config=None, **options(settings)), state)
    serving = asyncio.ensure_future(server.serve([listening]))
    try:
        yield
    finally:
        server.should_exit = True
        await serving


def bind(settings: Settings) -> socket.socket | None:
    """This worker's own port, one of those behind the shared one; None where it's alone and needs no other."""
    if settings.workers == 1:
        return None
    first, last = settings.port + 1, settings.port + 2 * settings.workers  # a successor starts before the last one ends
    for port in range(first, last + 1):
        try:
            return socket.create_server((settings.host, port), family=_family(settings.host))
        except OSError:
            continue
    raise Refusal("no-port", NO_PORT, first=first, last=last)


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET


def inside(host: str, port: int) -> str:
    """Where the other workers of this machine, or of its network if `host` is an address there, reach a port."""
    name = "127.0.0.1" if host in ANYWHERE else f"[{host}]" if ":" in host else host
    return f"{name}:{port}"
