"""Middleware: what every request passes before it reaches its route, and every response on its way back."""

from __future__ import annotations

import re
import time

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tribord.core.refusal import Refusal
from tribord.core.words import _
from tribord.server import log, metrics, origin
from tribord.server.ban import Banned
from tribord.server.collector import collector
from tribord.server.connection import serve_socket
from tribord.server.limit import address
from tribord.server.response import FOR_DOCUMENTS, HEADERS, POLICY, Foreign, on_refusal
from tribord.server.timing import measured

FOREIGN = _("Pages from {origin} can’t use this server.")


def _own_ports(request: Request) -> tuple[str, str] | None:
    """What else the content policy must allow: sockets to each worker's own port, if workers have one."""
    settings, host = request.app.state.settings, request.url.hostname or ""
    if settings.workers == 1 or not settings.homes.startswith("//") or not re.fullmatch(r"[\w.:-]+", host):
        return None
    name = f"[{host}]" if ":" in host else host
    return "connect-src 'self'", f"connect-src 'self' ws://{name}:*"


def _check_welcome(request: Request) -> None:
    """Refuse changes asked for by a foreign page."""
    if request.method not in ("GET", "HEAD") and not origin.welcome(request, request.app.state.settings.origins):
        raise Foreign("foreign", FOREIGN, origin=request.headers["origin"][:100])


class BanCheck:
    """Middleware that refuses banned addresses everything but the page, which tells them."""

    def __init__(self, app: ASGIApp):
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].startswith("/api/"):
            request = Request(scope)
            try:
                request.app.state.hub.bans.check_address(address(request))
            except Banned as refusal:
                await (await on_refusal(request, refusal))(scope, receive, send)
                return
        await self.app(scope, receive, send)


class Frame:
    """Middleware for every response: origin check, security headers, a log line, metrics."""

    def __init__(self, app: ASGIApp):
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            # Passed on directly: each wrapper would cost time with every message.
            try:
                await (serve_socket if scope.get("path") == "/socket" else self.app)(scope, receive, send)
            finally:
                collector.count()
            return
        status = 500
        own_ports = _own_ports(Request(scope))

        async def framed(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                there = {name for name, _value in message["headers"]}
                if scope.get("no_document"):
                    there.update(name.encode() for name in FOR_DOCUMENTS)
                headers = HEADERS if own_ports is None else {**HEADERS, POLICY: HEADERS[POLICY].replace(*own_ports)}
                extra = [(n.encode(), v.encode()) for n, v in headers.items() if n.encode() not in there]
                message["headers"] = [*message["headers"], *extra]
            await send(message)

        with measured("request_seconds") as timed:
            try:
                request = Request(scope)
                try:
                    _check_welcome(request)
                except Refusal as refusal:
                    await (await on_refusal(request, refusal))(scope, receive, framed)
                else:
                    await self.app(scope, receive, framed)
            finally:
                metrics.count("requests", status=f"{status // 100}xx")
                collector.count()
                # The path without ids: a table's id is the secret link to it.
                method, route = scope["method"], getattr(scope.get("route"), "path", "?")
                timed.describe(
                    f"{method} {route}",
                    {"http.request.method": method, "http.route": route, "http.response.status_code": status},
                )
                if status >= 500 or log.debugging():
                    seconds = time.perf_counter() - timed.started
                    log.info("request", method=method, route=route, status=status, ms=round(seconds * 1000, 1))
