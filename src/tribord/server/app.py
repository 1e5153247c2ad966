"""The application: HTTP to create, join and read tables, and one WebSocket for everything live."""

from __future__ import annotations

import asyncio
import socket
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
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from tribord import __version__
from tribord.bots.puzzle import Puzzle
from tribord.core.game import games, load
from tribord.core.refusal import BadOption, IllegalAction, Refusal, UnknownGame
from tribord.core.signature import fingerprint
from tribord.core.words import LANGUAGES, _
from tribord.server import hint, limit, log, messages, metrics, outgoing, page, puzzle, replay, timing
from tribord.server.analysis import NOT_ANALYSED, Analyst
from tribord.server.connection import TOO_DEEP
from tribord.server.farewell import say_farewell_on_signals
from tribord.server.founding import MOST_BRANCHES
from tribord.server.guests import recognise
from tribord.server.house_bots import HouseBots
from tribord.server.http_protocol import most_connections
from tribord.server.hub import Hub
from tribord.server.limit import ConnectionLimit, Limits, address
from tribord.server.live_table import LiveTable
from tribord.server.messages import encode
from tribord.server.middleware import BanCheck, Frame
from tribord.server.nesting import too_deep
from tribord.server.own_port import bind, inside, serving_too
from tribord.server.preparing import Preparer
from tribord.server.preview import explanation
from tribord.server.response import Foreign, TooLarge, answer, on_failure, on_gone, on_http, on_refusal, on_store
from tribord.server.retention import retain
from tribord.server.settings import Settings, published
from tribord.server.store import Conflict, Home, Store, Unavailable, connect

BODY_BYTES = 16_384
FILE_BYTES = 262_144
FILE_LINES = 5_000
READY_SECONDS = 2.0
UNBUFFERED = {"x-accel-buffering": "no"}  # or a proxy would hold the progress back

TOO_LARGE = _("That’s too large: {most} bytes at most.")
TOO_MANY_LINES = _(
    "This game is too long to keep here ({most} lines at most). You can still replay it with “tribord replay”."
)
NOT_A_MESSAGE = _("The server didn’t understand that. Reload the page, or update your program.")
NO_LANGUAGE = _("Tribord doesn’t speak “{language}”. Choose one of: {known}.")
LOCAL_ONLY = _("Only this machine can read the metrics. Start the server with --public-metrics to open them to others.")


def bearer(request: Request) -> str:
    """Return the secret from the Authorization header; secrets never appear in URLs."""
    scheme, _space, secret = request.headers.get("authorization", "").partition(" ")
    return secret if scheme.lower() == "bearer" else ""


async def body(request: Request, kind: Any, most: int = BODY_BYTES) -> Any:
    """Read the body and decode it as a message of this type."""
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
        raise BadOption("not-a-message", NOT_A_MESSAGE, detail=str(error)) from None


async def found(request: Request) -> LiveTable:
    """Find the table that the URL names, by id or code."""
    state = request.app.state
    state.limits.take(limit.READ, address(request))
    with state.limits.guessing(address(request), request.path_params["name"]):
        live: LiveTable = await state.hub.find(request.path_params["name"], address(request))
    return live


def admitted(request: Request, credentials: messages.Credentials) -> Response:
    """A guest's credentials, with the address of the table's home."""
    credentials.home = request.app.state.hub.home_of(credentials.table, request.headers.get("host", ""))
    return answer(credentials, 201)


# -- what can be asked ----------------------------------------------------------------------------------------------


async def create_table(request: Request) -> Response:
    """POST /api/tables: a new table."""
    state, who = request.app.state, address(request)
    state.hub.check_taking()
    state.limits.take(limit.CREATE, who)
    return admitted(request, await state.hub.founding.create(await body(request, messages.NewTable), who))


async def open_tables(request: Request) -> Response:
    """GET /api/tables: the public tables that wait for players."""
    request.app.state.limits.take(limit.READ, address(request))
    hub = request.app.state.hub
    entries = await hub.store.open_tables()
    return answer({"tables": [Raw(entry.summary) for entry in entries if not hub.bans.holds(entry.table)]})


async def show_table(request: Request) -> Response:
    """GET /api/tables/{name}: what everyone may know of a table, by id or code."""
    live = await found(request)
    home = request.app.state.hub.home_of(live.table.id, request.headers.get("host", ""))
    return answer(outgoing.shown_table(live.table, home))


async def join_table(request: Request) -> Response:
    """POST /api/tables/{name}/guests: join a table, or transfer a seat there to another device."""
    state, who = request.app.state, address(request)
    state.limits.take(limit.JOIN, who)
    join = await body(request, messages.Join)
    with state.limits.guessing(who, request.path_params["name"]):
        return admitted(request, await state.hub.guests.join(request.path_params["name"], join, who))


async def transfer_guest(request: Request) -> Response:
    """POST /api/tables/{name}/transfers: a code to transfer a seat to another device."""
    state, who = request.app.state, address(request)
    state.limits.take(limit.JOIN, who)
    with state.limits.guessing(who, request.path_params["name"]):
        return answer(await state.hub.guests.transfer(request.path_params["name"], bearer(request), who), 201)


async def revoke_secret(request: Request) -> Response:
    """POST /api/tables/{name}/secrets: a new secret; it replaces the one in the header when it's first used."""
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


async def create_branch(request: Request) -> Response:
    """POST /api/tables/{name}/branches: a new table that plays on from a moment of a match that is over."""
    state, who, name = request.app.state, address(request), request.path_params["name"]
    state.hub.check_taking()
    state.limits.take(limit.CREATE, who)
    new = await body(request, messages.NewBranch)
    with state.limits.guessing(who, name):
        return admitted(request, await state.hub.founding.branch(name, new, who))


async def list_branches(request: Request) -> Response:
    """GET /api/tables/{name}/branches: the tables that play on from a moment of a match that is over."""
    hub, table = request.app.state.hub, (await found(request)).table
    branches = await hub.store.branches(table.id, MOST_BRANCHES)
    shown = [Raw(summary) for branch, summary in branches if not hub.bans.holds(branch)]
    return answer({"branches": shown, "analysed": await hub.store.analysis(table.id) is not None})


async def import_match(request: Request) -> Response:
    """POST /api/matches: turn a match file into a finished table, for replay."""
    state, who = request.app.state, address(request)
    state.hub.check_taking()
    state.limits.take(limit.CREATE, who)
    content = await body(request, dict[str, Any], FILE_BYTES)
    lines = content.get("journal")
    if isinstance(lines, list) and len(lines) > FILE_LINES:
        raise TooLarge("too-long", TOO_MANY_LINES, most=FILE_LINES)
    taken = await state.hub.founding.take_in(content, who)
    await state.hub.audit.note("import", "visitor", taken["table"], who)
    return answer(taken, 201)


async def list_games(request: Request) -> Response:
    """GET /api/games: the games, their players and options."""
    request.app.state.limits.take(limit.READ, address(request))
    return answer({"games": [game_card(game.id) for game in games()]})


@cache
def game_card(game_id: str) -> Raw:
    """Return what a client needs to know about a game before a match."""
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
    return await page.show_preview(request, (await found(request)).table, bearer(request))


async def explain(request: Request) -> Response:
    """GET /api/tables/{name}/refused/{action}: why a seat may not play an action now, with the rule that says so."""
    return page.explain(request, (await found(request)).table, bearer(request))


async def show_hint(request: Request) -> Response:
    """GET /api/tables/{name}/hint: the best choices of a seat that must decide, from what that seat knows."""
    live, secret = await found(request), bearer(request)
    seat = page.seat_of(request, live.table, secret)
    hint.check_hint(live.table, seat)
    state, guest = request.app.state, recognise(live.table, secret)
    state.limits.take(limit.HINT, f"{live.table.id}/{guest}")
    return answer(await hint.hint(state.hub.scheduler, live, seat, address(request)))


async def undoable(request: Request) -> Response:
    """GET /api/tables/{name}/undo: what an undo would take back."""
    return page.undoable((await found(request)).table, bearer(request))


async def show_replay(request: Request) -> Response:
    """GET /api/tables/{name}/replay: the positions of a match that is over, as they were seen, or in full."""
    return await replay.show_replay(request, (await found(request)).table)


async def show_moments(request: Request) -> Response:
    """GET /api/tables/{name}/moments: the moments that decided a match that is over."""
    return await replay.show_moments(request, (await found(request)).table)


async def show_analysis(request: Request) -> Response:
    """GET /api/tables/{name}/analysis: the analysis of a finished match."""
    kept = await request.app.state.analyst.kept((await found(request)).table)
    if kept is None:
        raise IllegalAction("not-analysed", NOT_ANALYSED)
    return Response(kept, media_type="application/json")


async def analyse_match(request: Request) -> Response:
    """POST /api/tables/{name}/analysis: analyse a finished match while the client waits."""
    state, table, who = request.app.state, (await found(request)).table, address(request)
    analyst: Analyst = state.analyst
    if await analyst.kept(table) is None:
        analyst.check(table)
        state.limits.take(limit.ANALYSE, who)
    return StreamingResponse(analyst.follow(table, who), headers=UNBUFFERED, media_type="application/x-ndjson")


def put(request: Request) -> Puzzle:
    """The puzzle in the address."""
    request.app.state.limits.take(limit.READ, address(request))
    return puzzle.found(request.path_params["game"], request.path_params["number"])


async def list_puzzles(request: Request) -> Response:
    """GET /api/puzzles: the puzzle of the day, and the puzzles of every game."""
    request.app.state.limits.take(limit.READ, address(request))
    return answer(puzzle.listed())


async def show_puzzle(request: Request) -> Response:
    """GET /api/puzzles/{game}/{number}: a puzzle as its seat sees it."""
    return answer(puzzle.position(put(request)))


async def solve_puzzle(request: Request) -> Response:
    """POST /api/puzzles/{game}/{number}: whether an answer is the best choice, and why."""
    asked = put(request)
    given: messages.Solve = await body(request, messages.Solve)
    return answer(puzzle.solved(asked, given.action), 201)


async def preview_puzzle(request: Request) -> Response:
    """GET /api/puzzles/{game}/{number}/preview/{action}: what an action would lead to, as far as the seat can know."""
    asked = put(request)
    return await page.previewed(request, asked.match, asked.seat, page.asked_action(request))


async def explain_puzzle(request: Request) -> Response:
    """GET /api/puzzles/{game}/{number}/refused/{action}: why the seat may not play an action."""
    asked = put(request)
    return answer(explanation(asked.match, asked.seat, page.asked_action(request)))


async def show_bots(request: Request) -> Response:
    """GET /api/bots: the available bots, and how far they are prepared."""
    request.app.state.limits.take(limit.READ, address(request))
    prepared, of = request.app.state.preparer.progress()
    return answer({"prepared": prepared, "of": of, "ranks": request.app.state.hub.bots.names})


async def show_signer(request: Request) -> Response:
    """GET /api/signer: the public key with which this server signs match files."""
    request.app.state.limits.take(limit.READ, address(request))
    signer = request.app.state.hub.signer.public
    return answer({"signer": signer, "fingerprint": fingerprint(signer)})


async def liveness(request: Request) -> Response:
    """GET /healthz: this worker runs, regardless of its store. If it doesn't answer, restart it."""
    return answer({"status": "ok", "version": __version__, "protocol": messages.PROTOCOL})


async def readiness(request: Request) -> Response:
    """GET /readyz: this worker reads and writes its store, and wasn't told to stop."""
    request.app.state.hub.check_taking()
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


def build(settings: Settings | None = None) -> Starlette:
    """Build the application with these settings, or with the published ones."""
    chosen = settings or published()
    bots = HouseBots(chosen.bots)
    log.adopt_libraries()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[dict[str, Any]]:
        try:
            async with serve(app) as shared:
                yield shared
        except Refusal as refused:
            log.refusal("not started", refused)
            raise

    @asynccontextmanager
    async def serve(app: Starlette) -> AsyncIterator[dict[str, Any]]:
        app.state.preparer = preparer = Preparer()
        app.state.settings = chosen
        app.state.limits = Limits(chosen.limits)
        app.state.sockets = ConnectionLimit(limit.SOCKETS, chosen.limits)
        timing.start()
        store, listening = connect(chosen.store), bind(chosen)
        worker = worker_of(store, chosen, listening)
        prepared = preparer if chosen.prepare else None
        app.state.hub = hub = Hub(store, chosen.pace, prepared, bots, chosen.quota, worker)
        app.state.analyst = Analyst(store, prepared, chosen.analysis)
        with store.claim():
            await hub.open()
            try:
                if chosen.prepare:
                    preparer.start(hub.bots_changed)
                app.state.limits.reached = hub.audit.limited
                retain(hub, chosen)
                metrics.gauge("tables_live", lambda: float(len(hub.live_tables)))
                metrics.gauge("sockets", lambda: float(sum(len(live.sockets) for live in hub.live_tables.values())))
                say_farewell_on_signals(hub, chosen.drain)
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
                finally:  # say good-bye and close the store even if stopping the bots failed
                    await app.state.analyst.close()
                    await hub.close()
                await asyncio.to_thread(timing.stop)
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
        Route("/api/tables/{name}/hint", show_hint),
        Route("/api/tables/{name}/undo", undoable),
        Route("/api/tables/{name}/replay", show_replay),
        Route("/api/tables/{name}/moments", show_moments),
        Route("/api/tables/{name}/analysis", show_analysis),
        Route("/api/tables/{name}/analysis", analyse_match, methods=["POST"]),
        Route("/api/tables/{name}/branches", create_branch, methods=["POST"]),
        Route("/api/tables/{name}/branches", list_branches),
        Route("/api/matches", import_match, methods=["POST"]),
        Route("/api/games", list_games),
        Route("/api/games/{game}/actions", list_actions),
        Route("/api/games/{game}/rules/{language}", rulebook),
        Route("/api/puzzles", list_puzzles),
        Route("/api/puzzles/{game}/{number}", show_puzzle),
        Route("/api/puzzles/{game}/{number}", solve_puzzle, methods=["POST"]),
        Route("/api/puzzles/{game}/{number}/preview/{action}", preview_puzzle),
        Route("/api/puzzles/{game}/{number}/refused/{action}", explain_puzzle),
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
    app.add_middleware(BanCheck)  # within the next, so that pages of other origins can read why they are refused
    if chosen.origins:
        app.add_middleware(
            CORSMiddleware, allow_origins=chosen.origins, allow_methods=["GET", "POST"],
            allow_headers=["authorization", "content-type"], expose_headers=["retry-after"],
        )  # fmt: skip
    app.add_middleware(Frame)  # around that: a foreign page is refused before anything is said to it
    return app


def worker_of(store: Store, settings: Settings, listening: list[socket.socket]) -> Home | None:
    """Describe this worker to the others that share its store."""
    if not store.shared:
        return None
    port = listening[0].getsockname()[1] if listening else settings.port
    return Home(store.worker, inside(settings.host, port), settings.homes.replace("{port}", str(port)))
