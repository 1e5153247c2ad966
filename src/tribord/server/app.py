"""The application: HTTP for creating, joining and reading, one WebSocket for everything that is live."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from msgspec import Raw
from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from tribord import __version__
from tribord.core.game import game_ids, load
from tribord.core.refusal import BadOption, IllegalAction, Refusal, UnknownGame
from tribord.core.words import LANGUAGES, _
from tribord.server import limit, log, messages, metrics
from tribord.server.connection import STORE_GONE, said, serve_socket
from tribord.server.harbour import Harbour
from tribord.server.limit import Limits, TooOften
from tribord.server.messages import encode
from tribord.server.settings import Settings, published
from tribord.server.store import Conflict, Unavailable, connect
from tribord.server.warm import Warmer

BODY_BYTES = 16_384
FILE_BYTES = 1_048_576
DAY = 86_400

TOO_LARGE = _("That is too large: at most {most} bytes.")
NOT_A_MESSAGE = _("That is not what is expected here: {reason}")
NO_LANGUAGE = _("There is no language “{language}”. Known: {known}.")

HEADERS = {
    "content-security-policy": "default-src 'self'; connect-src 'self' ws: wss:; img-src 'self' data:; "
    "style-src 'self'; script-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cache-control": "no-store",
}


class TooLarge(Refusal):
    """A body beyond its bound."""


def answer(content: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A JSON answer."""
    return Response(encode(content), status, headers, "application/json")


def address(connection: HTTPConnection) -> str:
    """Who is asking, as far as the network tells."""
    return connection.client.host if connection.client else "?"


def bearer(request: Request) -> str | None:
    """The secret in the Authorization header: secrets never stand in an address."""
    scheme, _space, secret = request.headers.get("authorization", "").partition(" ")
    return secret if scheme.lower() == "bearer" else None


async def body(request: Request, kind: Any, most: int = BODY_BYTES) -> Any:
    """The body as a message of its type."""
    content = b""
    async for chunk in request.stream():
        content += chunk
        if len(content) > most:
            raise TooLarge("too-large", TOO_LARGE, most=most)
    try:
        return msgspec.json.decode(content, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadOption("not-a-message", NOT_A_MESSAGE, reason=str(error)) from None


# -- what can be asked ----------------------------------------------------------------------------------------------


async def create_table(request: Request) -> Response:
    """POST /api/tables: a new table."""
    state = request.app.state
    state.limits.take(limit.CREATE, address(request))
    return answer(await state.harbour.create(await body(request, messages.NewTable)), 201)


async def open_tables(request: Request) -> Response:
    """GET /api/tables: the public tables that wait for players."""
    request.app.state.limits.take(limit.READ, address(request))
    entries = await request.app.state.harbour.store.open_tables()
    return answer({"tables": [Raw(entry.summary) for entry in entries]})


async def show_table(request: Request) -> Response:
    """GET /api/tables/{name}: what everybody may know of a table, by id or code."""
    request.app.state.limits.take(limit.READ, address(request))
    live = await request.app.state.harbour.find(request.path_params["name"])
    return answer(live.table.table_info())


async def join_table(request: Request) -> Response:
    """POST /api/tables/{name}/guests: come to a table, or move there from another device."""
    state = request.app.state
    state.limits.take(limit.JOIN, address(request))
    return answer(await state.harbour.join(request.path_params["name"], await body(request, messages.Join)), 201)


async def move_guest(request: Request) -> Response:
    """POST /api/tables/{name}/moves: a code to come in from another device."""
    state = request.app.state
    state.limits.take(limit.JOIN, address(request))
    return answer(await state.harbour.move(request.path_params["name"], bearer(request) or ""), 201)


async def match_file(request: Request) -> Response:
    """GET /api/tables/{name}/match: the match file of a match that is over."""
    request.app.state.limits.take(limit.READ, address(request))
    live = await request.app.state.harbour.find(request.path_params["name"])
    return answer(live.table.match_file())


async def import_match(request: Request) -> Response:
    """POST /api/matches: a match file becomes a table that is over, for replay."""
    state = request.app.state
    state.limits.take(limit.CREATE, address(request))
    return answer(await state.harbour.take_in(await body(request, dict[str, Any], FILE_BYTES)), 201)


async def list_games(request: Request) -> Response:
    """GET /api/games: the games, their players and options."""
    return answer({"games": [game_card(game) for game in game_ids()]})


def game_card(game_id: str) -> dict[str, Any]:
    """What a client needs to know of a game before a match."""
    game = load(game_id)
    return {
        "id": game.id, "title": game.title, "version": game.version, "players": game.players,
        "cooperative": game.cooperative, "actions": game.actions,
        "options": [
            {"name": o.name, "rule": o.rule, "default": o.default, "takes": o.takes()}
            | {language: game.words(language).translate(o.meaning) for language in LANGUAGES}
            for o in game.options
        ],
    }  # fmt: skip


async def list_actions(request: Request) -> Response:
    """GET /api/games/{game}/actions: the parts of every action, by number; they never change within a version."""
    game = load(request.path_params["game"])
    actions = [
        {"parts": game.parts(a), "notation": game.notation(a)}
        | {language: game.say_action(a, game.words(language)) for language in LANGUAGES}
        for a in range(game.actions)
    ]
    return answer(
        {"game": game.id, "version": game.version, "actions": actions}, 200, {"cache-control": "max-age=3600"}
    )


async def rulebook(request: Request) -> Response:
    """GET /api/games/{game}/rules/{language}: the numbered rules, as Markdown."""
    game, language = load(request.path_params["game"]), request.path_params["language"]
    if language not in LANGUAGES:
        raise UnknownGame("no-such-language", NO_LANGUAGE, language=language, known=", ".join(LANGUAGES))
    return PlainTextResponse(game.rulebook(language), headers={"cache-control": "max-age=3600"})


async def health(request: Request) -> Response:
    """GET /healthz: whether this worker can read its store."""
    await request.app.state.harbour.store.find("HEALTH")
    return JSONResponse({"status": "ok", "version": __version__, "protocol": messages.PROTOCOL})


async def show_metrics(request: Request) -> Response:
    """GET /metrics: for Prometheus."""
    return PlainTextResponse(metrics.exposition())


async def socket(websocket: WebSocket) -> None:
    """WS /socket: everything that is live."""
    await serve_socket(websocket)


# -- the frame ------------------------------------------------------------------------------------------------------


async def on_refusal(request: Request, refusal: Exception) -> Response:
    """A refusal as an answer: which status, and the sentence in both languages."""
    assert isinstance(refusal, Refusal)
    status = 422
    if isinstance(refusal, TooOften):
        metrics.count("limited", limit=refusal.limit)
        return answer(Raw(said(refusal)), 429, {"retry-after": str(max(1, round(refusal.seconds)))})
    if isinstance(refusal, TooLarge):
        status = 413
    elif isinstance(refusal, UnknownGame) or refusal.code == "no-such-table":
        status = 404
    elif refusal.code in ("wrong-secret", "wrong-move"):
        status = 403
    elif isinstance(refusal, IllegalAction):
        status = 409
    return answer(Raw(said(refusal)), status)


async def on_store(request: Request, error: Exception) -> Response:
    """The store is away: nothing was done."""
    log.failure("store unavailable", error)
    return answer(Raw(said(Refusal("store-gone", STORE_GONE))), 503, {"retry-after": "2"})


class Frame:
    """Around every answer: the security headers, a line in the log, a count."""

    def __init__(self, app: ASGIApp):
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started, status = time.perf_counter(), 500

        async def framed(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                there = {name for name, _value in message["headers"]}
                extra = [(n.encode(), v.encode()) for n, v in HEADERS.items() if n.encode() not in there]
                message["headers"] = [*message["headers"], *extra]
            await send(message)

        try:
            await self.app(scope, receive, framed)
        finally:
            seconds = time.perf_counter() - started
            metrics.count("requests", status=str(status))
            metrics.observe("request_seconds", seconds)
            if status >= 500 or log.quiet_below == "debug":
                # The path without ids: a table's id is the secret link to it.
                route = getattr(scope.get("route"), "path", "?")
                log.info("request", method=scope["method"], route=route, status=status, ms=round(seconds * 1000, 1))


def build(settings: Settings | None = None) -> Starlette:
    """The application for these settings, or for those that were published."""
    chosen = settings or published()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        warmer = Warmer()
        app.state.settings = chosen
        app.state.limits = Limits(chosen.limits)
        app.state.harbour = harbour = Harbour(connect(chosen.store), chosen.pace, warmer.ready)
        await harbour.open()
        chores = [asyncio.ensure_future(warmer.run())]
        if chosen.retain_days:
            chores.append(asyncio.ensure_future(_purge(harbour, chosen.retain_days)))
        metrics.gauge("tables_live", lambda: float(len(harbour.lives)))
        metrics.gauge("sockets", lambda: float(sum(len(live.sockets) for live in harbour.lives.values())))
        log.info("serving", version=__version__, store=chosen.store.partition("@")[2] or chosen.store)
        try:
            yield
        finally:
            for chore in chores:
                chore.cancel()
            warmer.stop()
            await harbour.close()
            log.info("stopped")

    routes = [
        Route("/api/tables", create_table, methods=["POST"]),
        Route("/api/tables", open_tables),
        Route("/api/tables/{name}", show_table),
        Route("/api/tables/{name}/guests", join_table, methods=["POST"]),
        Route("/api/tables/{name}/moves", move_guest, methods=["POST"]),
        Route("/api/tables/{name}/match", match_file),
        Route("/api/matches", import_match, methods=["POST"]),
        Route("/api/games", list_games),
        Route("/api/games/{game}/actions", list_actions),
        Route("/api/games/{game}/rules/{language}", rulebook),
        Route("/healthz", health),
        Route("/metrics", show_metrics),
        WebSocketRoute("/socket", socket),
    ]
    handlers: dict[Any, Callable[[Request, Exception], Awaitable[Response]]] = {
        Refusal: on_refusal, Conflict: on_store, Unavailable: on_store,
    }  # fmt: skip
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers=handlers)
    app.add_middleware(Frame)
    return app


async def _purge(harbour: Harbour, days: float) -> None:
    """Once an hour: delete what nobody has touched for long."""
    while True:
        gone = await harbour.store.purge(time.time() - days * DAY)
        if gone:
            log.info("purged", tables=gone)
        await asyncio.sleep(3600)
