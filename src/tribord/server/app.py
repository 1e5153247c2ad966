"""The application: HTTP for creating, joining and reading, one WebSocket for everything that is live."""

from __future__ import annotations

import asyncio
import math
import re
import signal
import socket
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import msgspec
from msgspec import Raw
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tribord import __version__
from tribord.core.archive import OtherRules
from tribord.core.game import games, load
from tribord.core.refusal import BadOption, IllegalAction, Refusal, UnknownGame
from tribord.core.signature import fingerprint
from tribord.core.words import LANGUAGES, _
from tribord.server import limit, log, messages, metrics, origin, outgoing, page, replay
from tribord.server.collector import collector
from tribord.server.connection import STORE_GONE, TOO_DEEP, serve_socket
from tribord.server.house_bots import HouseBots
from tribord.server.http_protocol import most_connections
from tribord.server.hub import Hub
from tribord.server.limit import ConnectionLimit, Limits, TooOften, address
from tribord.server.live_table import LiveTable
from tribord.server.messages import encode
from tribord.server.nesting import too_deep
from tribord.server.outgoing import refused
from tribord.server.own_port import bind, inside, serving_too
from tribord.server.preparing import Preparer
from tribord.server.quota import Full
from tribord.server.settings import Settings, published
from tribord.server.store import Conflict, Damaged, Home, Store, Unavailable, connect

BODY_BYTES = 16_384
FILE_BYTES = 262_144
FILE_LINES = 5_000
READY_SECONDS = 2.0
DAY = 86_400
GONE = 499  # a status that nobody gets to see

TOO_LARGE = _("That is too large: at most {most} bytes.")
TOO_MANY_LINES = _(
    "This match is too long to keep here: at most {most} lines. You can still replay it with “tribord replay”."
)
NOT_A_MESSAGE = _("That is not what is expected here: {reason}")
NO_LANGUAGE = _("There is no language “{language}”. Known: {known}.")
NO_PAGE = _("There is nothing at this address.")
NO_METHOD = _("That cannot be done at this address.")
BAD_REQUEST = _("This request was not understood.")
FOREIGN = _("Pages of {origin} may not talk to this server.")
LOCAL_ONLY = _("Metrics are for this machine alone. Start the server with --public-metrics to open them to others.")
BROKEN = _("Something went wrong here, and has been noted.")

POLICY = "content-security-policy"
HEADERS = {
    POLICY: "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; media-src 'self'; manifest-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cache-control": "no-store",
}


# What only a document obeys. Scripts, styles and fonts come by the dozen and go without.
FOR_DOCUMENTS = {
    POLICY, "x-frame-options", "cross-origin-opener-policy", "permissions-policy", "referrer-policy",
}  # fmt: skip


class TooLarge(Refusal):
    """A body beyond its bound."""


class Foreign(Refusal):
    """A page of another origin, or another machine where only this one may ask."""


def answer(content: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A JSON answer."""
    return Response(encode(content), status, headers, "application/json")


def bearer(request: Request) -> str:
    """The secret in the Authorization header: secrets never stand in an address."""
    scheme, _space, secret = request.headers.get("authorization", "").partition(" ")
    return secret if scheme.lower() == "bearer" else ""


async def body(request: Request, kind: Any, most: int = BODY_BYTES) -> Any:
    """The body as a message of its type."""
    content = bytearray()
    async for chunk in request.stream():
        content += chunk
        if len(content) > most:
            raise TooLarge("too-large", TOO_LARGE, most=most)
    if too_deep(content.decode("latin-1")):
        raise BadOption("too-deep", TOO_DEEP)
    try:
        return msgspec.json.decode(content, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadOption("not-a-message", NOT_A_MESSAGE, reason=str(error)) from None


async def found(request: Request) -> LiveTable:
    """The table in the address, by id or code."""
    state = request.app.state
    state.limits.take(limit.READ, address(request))
    with state.limits.guessing(address(request), request.path_params["name"]):
        live: LiveTable = await state.hub.find(request.path_params["name"], address(request))
    return live


def admitted(request: Request, credentials: messages.Credentials) -> Response:
    """A guest's credentials, with the way to the table's home."""
    credentials.home = request.app.state.hub.home_of(credentials.table, request.headers.get("host", ""))
    return answer(credentials, 201)


# -- what can be asked ----------------------------------------------------------------------------------------------


async def create_table(request: Request) -> Response:
    """POST /api/tables: a new table."""
    state, who = request.app.state, address(request)
    state.limits.take(limit.CREATE, who)
    return admitted(request, await state.hub.create(await body(request, messages.NewTable), who))


async def open_tables(request: Request) -> Response:
    """GET /api/tables: the public tables that wait for players."""
    request.app.state.limits.take(limit.READ, address(request))
    entries = await request.app.state.hub.store.open_tables()
    return answer({"tables": [Raw(entry.summary) for entry in entries]})


async def show_table(request: Request) -> Response:
    """GET /api/tables/{name}: what everybody may know of a table, by id or code."""
    live = await found(request)
    home = request.app.state.hub.home_of(live.table.id, request.headers.get("host", ""))
    return answer(outgoing.shown_table(live.table, home))


async def join_table(request: Request) -> Response:
    """POST /api/tables/{name}/guests: come to a table, or go on there from another device."""
    state, who = request.app.state, address(request)
    state.limits.take(limit.JOIN, who)
    join = await body(request, messages.Join)
    with state.limits.guessing(who, request.path_params["name"]):
        return admitted(request, await state.hub.guests.join(request.path_params["name"], join, who))


async def transfer_guest(request: Request) -> Response:
    """POST /api/tables/{name}/transfers: a code to come in from another device."""
    state, who = request.app.state, address(request)
    state.limits.take(limit.JOIN, who)
    with state.limits.guessing(who, request.path_params["name"]):
        return answer(await state.hub.guests.transfer(request.path_params["name"], bearer(request), who), 201)


async def revoke_secret(request: Request) -> Response:
    """POST /api/tables/{name}/secrets: a new secret in place of the one in the header, from its first use on."""
    state, who = request.app.state, address(request)
    state.limits.take(limit.JOIN, who)
    with state.limits.guessing(who, request.path_params["name"]):
        return admitted(request, await state.hub.guests.revoke(request.path_params["name"], bearer(request), who))


async def match_file(request: Request) -> Response:
    """GET /api/tables/{name}/match: the match file of a match that is over."""
    state, who = request.app.state, address(request)
    state.limits.take(limit.READ, who)
    with state.limits.guessing(who, request.path_params["name"]):
        return answer(await state.hub.match_file(request.path_params["name"], who))


async def import_match(request: Request) -> Response:
    """POST /api/matches: a match file becomes a table that is over, for replay."""
    state, who = request.app.state, address(request)
    state.limits.take(limit.CREATE, who)
    content = await body(request, dict[str, Any], FILE_BYTES)
    lines = content.get("journal")
    if isinstance(lines, list) and len(lines) > FILE_LINES:
        raise TooLarge("too-long", TOO_MANY_LINES, most=FILE_LINES)
    return answer(await state.hub.take_in(content, who), 201)


async def list_games(request: Request) -> Response:
    """GET /api/games: the games, their players and options."""
    request.app.state.limits.take(limit.READ, address(request))
    return answer({"games": [game_card(game.id) for game in games()]})


@cache
def game_card(game_id: str) -> Raw:
    """What a client needs to know of a game before a match."""
    game = load(game_id)
    card = {
        "id": game.id, "title": game.title, "version": game.version, "players": game.players,
        "cooperative": game.cooperative, "actions": game.actions,
        "options": [
            {"name": o.name, "rule": o.rule, "default": o.default, "takes": o.takes()}
            | {language: game.words(language).translate(o.meaning) for language in LANGUAGES}
            for o in game.options
        ],
    }  # fmt: skip
    return Raw(encode(card))


async def list_actions(request: Request) -> Response:
    """GET /api/games/{game}/actions: the parts of every action, by number; they never change within a version."""
    request.app.state.limits.take(limit.READ, address(request))
    game = load(request.path_params["game"])
    return answer(actions_of(game.id), 200, {"cache-control": "max-age=3600"})


@cache
def actions_of(game_id: str) -> Raw:
    """Every action of a game."""
    game = load(game_id)
    actions = [
        {"parts": game.parts(a), "notation": game.notation(a)}
        | {language: game.say_action(a, game.words(language)) for language in LANGUAGES}
        for a in range(game.actions)
    ]
    return Raw(encode({"game": game.id, "version": game.version, "actions": actions}))


async def rulebook(request: Request) -> Response:
    """GET /api/games/{game}/rules/{language}: the numbered rules, as Markdown."""
    request.app.state.limits.take(limit.READ, address(request))
    game, language = load(request.path_params["game"]), request.path_params["language"]
    if language not in LANGUAGES:
        raise UnknownGame("no-such-language", NO_LANGUAGE, language=language, known=", ".join(LANGUAGES))
    return PlainTextResponse(game.rulebook(language), headers={"cache-control": "max-age=3600"})


async def show_board(request: Request) -> Response:
    """GET /api/tables/{name}/board/{language}: the board as text, for the public or (with the secret) for a seat."""
    return page.show_board(request, (await found(request)).table, bearer(request))


async def show_preview(request: Request) -> Response:
    """GET /api/tables/{name}/preview/{action}: what an action would lead to, as far as the seat can know."""
    return page.show_preview(request, (await found(request)).table, bearer(request))


async def explain(request: Request) -> Response:
    """GET /api/tables/{name}/refused/{action}: why a seat may not play an action now, with the rule that says so."""
    return page.explain(request, (await found(request)).table, bearer(request))


async def undoable(request: Request) -> Response:
    """GET /api/tables/{name}/undo: what taking one's last decision back would undo."""
    return page.undoable((await found(request)).table, bearer(request))


async def show_replay(request: Request) -> Response:
    """GET /api/tables/{name}/replay: the positions of a match that is over, as they were seen, or in full."""
    return await replay.show_replay(request, (await found(request)).table)


async def show_moments(request: Request) -> Response:
    """GET /api/tables/{name}/moments: the moments that decided a match that is over."""
    return await replay.show_moments(request, (await found(request)).table)


async def show_bots(request: Request) -> Response:
    """GET /api/bots: the bots there are, and how far they are prepared."""
    request.app.state.limits.take(limit.READ, address(request))
    prepared, of = request.app.state.preparer.progress()
    return answer({"prepared": prepared, "of": of, "ranks": request.app.state.hub.bots.names})


async def show_signer(request: Request) -> Response:
    """GET /api/signer: the public key with which this server signs match files."""
    request.app.state.limits.take(limit.READ, address(request))
    signer = request.app.state.hub.signer.public
    return answer({"signer": signer, "fingerprint": fingerprint(signer)})


async def liveness(request: Request) -> Response:
    """GET /healthz: this worker runs, whatever its store does. If it doesn't answer, restart it."""
    return answer({"status": "ok", "version": __version__, "protocol": messages.PROTOCOL})


async def readiness(request: Request) -> Response:
    """GET /readyz: this worker reads and writes its store."""
    try:
        async with asyncio.timeout(READY_SECONDS):
            await request.app.state.hub.store.probe()
    except TimeoutError:
        raise Unavailable("it takes too long") from None
    return await liveness(request)


async def show_metrics(request: Request) -> Response:
    """GET /metrics: for Prometheus, on this machine unless the operator opens them."""
    if not request.app.state.settings.public_metrics and not limit.is_local(request):
        raise Foreign("local-only", LOCAL_ONLY)
    return PlainTextResponse(metrics.exposition())


# -- the frame ------------------------------------------------------------------------------------------------------


async def on_refusal(request: Request, refusal: Exception) -> Response:
    """A refusal as an answer: which status, and the sentence in both languages."""
    assert isinstance(refusal, Refusal)
    metrics.count("limited" if isinstance(refusal, TooOften) else "refused")
    status, headers = 422, {}
    if isinstance(refusal, TooOften):
        status, headers = 429, {"retry-after": str(math.ceil(refusal.seconds))}
    elif isinstance(refusal, TooLarge):
        status = 413
    elif refusal.code == "no-such-table" or (isinstance(refusal, UnknownGame) and request.method != "POST"):
        status = 404
    elif isinstance(refusal, Foreign) or refusal.code in ("wrong-secret", "wrong-transfer"):
        status = 403
    elif isinstance(refusal, IllegalAction | OtherRules | Damaged | Full):
        status = 409
    return answer(Raw(refused(refusal)), status, headers)


async def on_store(request: Request, error: Exception) -> Response:
    """The store is away."""
    log.failure("store unavailable", error)
    return answer(Raw(refused(Refusal("store-gone", STORE_GONE))), 503, {"retry-after": "2"})


async def on_http(request: Request, error: Exception) -> Response:
    """No such page, no such method, or a request that is none."""
    assert isinstance(error, HTTPException)
    code, sentence = {404: ("no-such-page", NO_PAGE), 405: ("no-such-method", NO_METHOD)}.get(
        error.status_code, ("bad-request", BAD_REQUEST)
    )
    return answer(Raw(refused(Refusal(code, sentence))), error.status_code, dict(error.headers or {}))


async def on_gone(request: Request, error: Exception) -> Response:
    """Whoever asked has left in the middle of their body: there is nobody to answer, and nothing is broken."""
    return Response(status_code=GONE)


async def on_failure(request: Request, error: Exception) -> Response:
    """A mistake of ours. It is logged by the server that runs us."""
    return answer(Raw(refused(Refusal("broken", BROKEN))), 500, HEADERS)


def _own_ports(request: Request) -> tuple[str, str] | None:
    """What the content policy must allow besides: sockets to each worker's own port, where workers have one."""
    settings, host = request.app.state.settings, request.url.hostname or ""
    if settings.workers == 1 or not settings.homes.startswith("//") or not re.fullmatch(r"[\w.:-]+", host):
        return None
    name = f"[{host}]" if ":" in host else host
    return "connect-src 'self'", f"connect-src 'self' ws://{name}:*"


class Frame:
    """Around every answer: the origin's right to ask, the security headers, a line in the log, a count."""

    def __init__(self, app: ASGIApp):
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            # Directly: whatever is wrapped around a connection is paid for with each of its messages.
            try:
                await (serve_socket if scope.get("path") == "/socket" else self.app)(scope, receive, send)
            finally:
                collector.count()
            return
        started, status = time.perf_counter(), 500
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

        try:
            request = Request(scope)
            if request.method in ("GET", "HEAD") or origin.welcome(request, scope["app"].state.settings.origins):
                await self.app(scope, receive, framed)
            else:
                foreign = Foreign("foreign", FOREIGN, origin=request.headers["origin"][:100])
                await (await on_refusal(request, foreign))(scope, receive, framed)
        finally:
            seconds = time.perf_counter() - started
            metrics.count("requests", status=f"{status // 100}xx")
            metrics.observe("request_seconds", seconds)
            collector.count()
            if status >= 500 or log.debugging():
                # The path without ids: a table's id is the secret link to it.
                route = getattr(scope.get("route"), "path", "?")
                log.info("request", method=scope["method"], route=route, status=status, ms=round(seconds * 1000, 1))


def build(settings: Settings | None = None) -> Starlette:
    """The application for these settings, or for those that were published."""
    chosen = settings or published()
    bots = HouseBots(chosen.bots)
    log.adopt_libraries()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[dict[str, Any]]:
        app.state.preparer = preparer = Preparer()
        app.state.settings = chosen
        app.state.limits = Limits(chosen.limits)
        app.state.sockets = ConnectionLimit(limit.SOCKETS, chosen.limits)
        store, listening = connect(chosen.store), bind(chosen)
        worker = worker_of(store, chosen, listening)
        prepared = preparer if chosen.prepare else None
        app.state.hub = hub = Hub(store, chosen.pace, prepared, bots, chosen.quota, worker)
        with store.claim():
            await hub.open()
            try:
                if chosen.prepare:
                    preparer.start(hub.bots_changed)
                if chosen.retain_days:
                    hub.spawn(_purge(hub, chosen.retain_days))
                metrics.gauge("tables_live", lambda: float(len(hub.live_tables)))
                metrics.gauge("sockets", lambda: float(sum(len(live.sockets) for live in hub.live_tables.values())))
                _say_farewell_on_signals(hub)
                log.info("serving", version=__version__, store=urlsplit(chosen.store).scheme or "sqlite")
                shared = {
                    "connections": ConnectionLimit(limit.CONNECTIONS, chosen.limits, most_connections()),
                    "worker": store.worker,
                }
                async with serving_too(app, chosen, listening, shared):
                    yield shared
            finally:
                try:
                    await preparer.stop()
                finally:  # guests hear good-bye and the store is closed, whatever became of the bots
                    await hub.close()
                log.info("stopped")

    routes = [
        Route("/api/tables", create_table, methods=["POST"]),
        Route("/api/tables", open_tables),
        Route("/api/tables/{name}", show_table),
        Route("/api/tables/{name}/guests", join_table, methods=["POST"]),
        Route("/api/tables/{name}/transfers", transfer_guest, methods=["POST"]),
        Route("/api/tables/{name}/secrets", revoke_secret, methods=["POST"]),
        Route("/api/tables/{name}/match", match_file),
        Route("/api/tables/{name}/board/{language}", show_board),
        Route("/api/tables/{name}/preview/{action}", show_preview),
        Route("/api/tables/{name}/refused/{action}", explain),
        Route("/api/tables/{name}/undo", undoable),
        Route("/api/tables/{name}/replay", show_replay),
        Route("/api/tables/{name}/moments", show_moments),
        Route("/api/matches", import_match, methods=["POST"]),
        Route("/api/games", list_games),
        Route("/api/games/{game}/actions", list_actions),
        Route("/api/games/{game}/rules/{language}", rulebook),
        Route("/api/bots", show_bots),
        Route("/api/signer", show_signer),
        Route("/healthz", liveness),
        Route("/readyz", readiness),
        Route("/metrics", show_metrics),
        page.Page(chosen.address, bots.names),
    ]
    handlers: dict[Any, Callable[[Request, Exception], Awaitable[Response]]] = {
        Refusal: on_refusal, Conflict: on_store, Unavailable: on_store, HTTPException: on_http,
        ClientDisconnect: on_gone, Exception: on_failure,
    }  # fmt: skip
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers=handlers)
    app.router.redirect_slashes = False
    if chosen.origins:
        app.add_middleware(
            CORSMiddleware, allow_origins=chosen.origins, allow_methods=["GET", "POST"],
            allow_headers=["authorization", "content-type"], expose_headers=["retry-after"],
        )  # fmt: skip
    app.add_middleware(Frame)  # around that: a foreign page is refused before anything is said to it
    return app


def worker_of(store: Store, settings: Settings, listening: socket.socket | None) -> Home | None:
    """This worker, as those who share its store know it."""
    if not store.shared:
        return None
    port = listening.getsockname()[1] if listening else settings.port
    return Home(store.worker, inside(settings.host, port), settings.homes.replace("{port}", str(port)))


def _say_farewell_on_signals(hub: Hub) -> None:
    """When the server is told to stop, sockets are closed with what they asked for committed and answered.

    The server that runs us would cut them off at once; it gets the signal a moment later.
    """
    if threading.current_thread() is not threading.main_thread():
        return  # signals go to the main thread: whoever runs us elsewhere stops us otherwise
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        before = signal.getsignal(number)
        if not callable(before) or before is signal.default_int_handler:
            continue

        def on_signal(number: int, frame: Any, before: Callable[..., Any] = before) -> None:
            if hub.closing:  # asked twice: at once
                before(number, frame)
            else:
                loop.call_soon_threadsafe(lambda: hub.spawn(part(number, frame)))

        async def part(number: int, frame: Any, before: Callable[..., Any] = before) -> None:
            await hub.farewell()
            before(number, frame)

        signal.signal(number, on_signal)


async def _purge(hub: Hub, days: float) -> None:
    """Once an hour: delete what nobody has touched for long."""
    while True:
        try:
            gone = await hub.store.purge(time.time() - days * DAY)
        except (Conflict, Unavailable) as error:
            log.failure("store unavailable", error)
        else:
            if gone:
                log.info("purged", tables=gone)
        await asyncio.sleep(3600)
