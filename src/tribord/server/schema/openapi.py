"""The HTTP interface as an OpenAPI document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tribord.server import messages
from tribord.server.schema import shape
from tribord.server.schema.component import components, reference

REFUSALS = {
    403: "The secret or code is wrong, the page has a foreign origin, only this machine may ask, or the operator"
    " has closed the table, or the server to this address.",
    404: "No such table, game or language.",
    409: "Not possible now.",
    413: "The body is too large.",
    422: "The body is invalid, or asks for something that doesn't exist.",
    429: "Too often; `limit` names the limit, `seconds` and Retry-After say how long to wait.",
    503: "The store can't be reached, or this worker is about to stop; nothing was done.",
}
PARAMETERS = {
    "name": "The table's id, or its short code.",
    "game": "The id of a game.",
    "language": "fr or en.",
    "action": "The number of an action, or its notation.",
    "number": "The number of a puzzle of the game, from 1.",
}
QUERIES = {
    "seat": ("One of your seats; by default the public view.", {"type": "integer", "minimum": 0, "maximum": 15}),
    "eyes": (
        "The seat with the view to show; by default the public view.",
        {"type": "integer", "minimum": 0, "maximum": 15},
    ),
    "truth": ("If present: everything, hidden or not, at every position.", {"type": "string"}),
    "words": ("A language: each position has its board in words too.", {"type": "string", "enum": ["fr", "en"]}),
    "from": (
        "The position to begin with; an answer has at most 256.",
        {"type": "integer", "minimum": 0, "maximum": 999_999},
    ),
    "drawn": ("If present: a drawing in characters instead of sentences.", {"type": "string"}),
}

PLAIN = {"text": "text/plain", "lines": "application/x-ndjson"}  # responses without a schema


@dataclass(frozen=True)
class Operation:
    """One thing that can be asked."""

    id: str
    method: str
    path: str
    summary: str
    answers: Any  # a type that has a schema, "text", or "lines" of JSON
    refusals: tuple[int, ...] = ()
    takes: Any = None
    secret: bool = False
    queries: tuple[str, ...] = ()
    links: tuple[str, ...] = ()  # operations on the table in the answer


ON_A_TABLE = ("showTable", "joinTable", "matchFile")
OPERATIONS = (
    Operation(
        "createTable", "post", "/api/tables", "Create a table and be its host", messages.Credentials,
        (403, 409, 413, 422, 429, 503), messages.NewTable, links=ON_A_TABLE,
    ),
    Operation(
        "openTables", "get", "/api/tables", "The public tables that wait for players", shape.OpenTables, (403, 429, 503)
    ),
    Operation(
        "showTable", "get", "/api/tables/{name}", "What anyone may know of a table", shape.ShownTable,
        (403, 404, 429, 503),
    ),
    Operation(
        "joinTable", "post", "/api/tables/{name}/guests",
        "Join a table as a new guest, or with a transfer code as the same guest on another device",
        messages.Credentials, (403, 404, 409, 413, 422, 429, 503), messages.Join, links=ON_A_TABLE,
    ),
    Operation(
        "transferGuest", "post", "/api/tables/{name}/transfers", "A code to come in from another device",
        shape.TransferCode, (403, 404, 429, 503), secret=True,
    ),
    Operation(
        "revokeSecret", "post", "/api/tables/{name}/secrets",
        "A new secret in place of the one in the header, from its first use on", messages.Credentials,
        (403, 404, 429, 503), secret=True,
    ),
    Operation(
        "matchFile", "get", "/api/tables/{name}/match", "The match file of a match that is over", shape.MatchFile,
        (403, 404, 409, 429, 503),
    ),
    Operation(
        "showBoard", "get", "/api/tables/{name}/board/{language}",
        "The board in words, for the public or (with the secret) for a seat", "text",
        (403, 404, 409, 429, 503), secret=True, queries=("seat", "drawn"),
    ),
    Operation(
        "preview", "get", "/api/tables/{name}/preview/{action}",
        "What an action of your seat would lead to, as far as the seat can know; nothing is played or rolled",
        shape.Preview, (403, 404, 409, 429, 503), secret=True, queries=("seat",),
    ),
    Operation(
        "showHint", "get", "/api/tables/{name}/hint",
        "The best choices of your seat that must decide, from what that seat knows; no one else learns of it",
        shape.Hint, (403, 404, 409, 429, 503), secret=True, queries=("seat",),
    ),
    Operation(
        "explain", "get", "/api/tables/{name}/refused/{action}",
        "Why your seat can't play an action now, and the rule that says so; nothing is played",
        shape.Explained, (403, 404, 409, 429, 503), secret=True, queries=("seat",),
    ),
    Operation(
        "undoable", "get", "/api/tables/{name}/undo",
        "What an undo would take back: your last decision and all since; nothing is undone yet",
        shape.Undoable, (403, 404, 409, 429, 503), secret=True,
    ),
    Operation(
        "showReplay", "get", "/api/tables/{name}/replay",
        "The positions of a finished match, as the public or a seat saw them then, or in full", shape.Replay,
        (403, 404, 409, 422, 429, 503), queries=("eyes", "truth", "words", "from"),
    ),
    Operation(
        "showMoments", "get", "/api/tables/{name}/moments", "The moments that decided a match that is over",
        shape.Moments, (403, 404, 409, 429, 503),
    ),
    Operation(
        "showAnalysis", "get", "/api/tables/{name}/analysis",
        "The analysis of a finished match, if someone has requested one", shape.Analysis,
        (403, 404, 409, 429, 503),
    ),
    Operation(
        "analyseMatch", "post", "/api/tables/{name}/analysis",
        "Analyse a finished match: its progress line by line, and last the analysis", "lines",
        (403, 404, 409, 429, 503),
    ),
    Operation(
        "createBranch", "post", "/api/tables/{name}/branches",
        "Create a table that plays on from a moment of a finished match, against bots", messages.Credentials,
        (403, 404, 409, 413, 422, 429, 503), messages.NewBranch, links=ON_A_TABLE,
    ),
    Operation(
        "listBranches", "get", "/api/tables/{name}/branches",
        "The tables that play on from a moment of a match that is over, most recently active first", shape.Branches,
        (403, 404, 429, 503),
    ),
    Operation(
        "importMatch", "post", "/api/matches", "Turn a match file into a table that is over", shape.Imported,
        (403, 409, 413, 422, 429, 503), shape.MatchFile,
    ),
    Operation("listGames", "get", "/api/games", "The games, their players and options", shape.Games, (403, 429)),
    Operation(
        "listActions", "get", "/api/games/{game}/actions",
        "The parts of every action of a game, by number; they never change within a version of the game",
        shape.Actions, (403, 404, 429),
    ),
    Operation(
        "rulebook", "get", "/api/games/{game}/rules/{language}", "The numbered rules, in Markdown", "text",
        (403, 404, 429),
    ),
    Operation(
        "listPuzzles", "get", "/api/puzzles", "The puzzle of the day, and the puzzles of every game", shape.Puzzles,
        (403, 429),
    ),
    Operation(
        "showPuzzle", "get", "/api/puzzles/{game}/{number}",
        "A position with one clearly best choice, as its seat sees it", shape.PuzzleInfo, (403, 404, 429),
    ),
    Operation(
        "solvePuzzle", "post", "/api/puzzles/{game}/{number}",
        "Whether an answer to a puzzle is the best choice, and what both are worth; nothing is kept", shape.Solved,
        (403, 404, 409, 413, 422, 429), messages.Solve,
    ),
    Operation(
        "previewPuzzle", "get", "/api/puzzles/{game}/{number}/preview/{action}",
        "What an action would lead to in a puzzle, as far as its seat can know", shape.Preview, (403, 404, 409, 429),
    ),
    Operation(
        "explainPuzzle", "get", "/api/puzzles/{game}/{number}/refused/{action}",
        "Why an action can't be played in a puzzle, and the rule that says so", shape.Explained,
        (403, 404, 409, 429),
    ),
    Operation(
        "showBots", "get", "/api/bots", "The available bots, and how far they're prepared", shape.Bots, (403, 429)
    ),
    Operation(
        "showSigner", "get", "/api/signer", "The public key with which this server signs match files",
        shape.SignerInfo, (403, 429),
    ),
    Operation("liveness", "get", "/healthz", "This worker runs, regardless of its store", shape.Health),
    Operation("readiness", "get", "/readyz", "This worker can read and write its store", shape.Health, (503,)),
    Operation("metrics", "get", "/metrics", "Counters and gauges in Prometheus' text format", "text", (403,)),
)  # fmt: skip


def openapi() -> dict[str, Any]:
    """The document."""
    paths: dict[str, dict[str, Any]] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method] = _operation(operation)
    types = [kind for o in OPERATIONS for kind in (o.answers, o.takes) if kind not in (None, *PLAIN)]
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Tribord: tables over HTTP",
            "version": str(messages.PROTOCOL),
            "description": "Creating, joining and reading. What is live goes over the socket: see asyncapi.json.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "http://127.0.0.1:8420", "description": "`tribord serve`"}],
        "paths": paths,
        "components": {
            "schemas": components(*types, messages.Refused),
            "securitySchemes": {"secret": {"type": "http", "scheme": "bearer", "description": "A guest's secret"}},
        },
    }


def _operation(operation: Operation) -> dict[str, Any]:
    written: dict[str, Any] = {"operationId": operation.id, "summary": operation.summary}
    parameters = [_parameter(name) for name in PARAMETERS if f"{{{name}}}" in operation.path]
    parameters += [_query(name) for name in operation.queries]
    if parameters:
        written["parameters"] = parameters
    if operation.takes is not None:
        written["requestBody"] = {"required": True, "content": _json(operation.takes)}
    status = 201 if operation.method == "post" else 200
    answer: dict[str, Any] = {"description": operation.summary}
    answer["content"] = (
        {PLAIN[operation.answers]: {"schema": {"type": "string"}}}
        if operation.answers in PLAIN
        else _json(operation.answers)
    )
    if operation.links:
        answer["links"] = {name: _link(name) for name in operation.links}
    written["responses"] = {str(status): answer} | {
        str(code): {"description": REFUSALS[code], "content": _json(messages.Refused)} for code in operation.refusals
    }
    if operation.secret:
        written["security"] = [{"secret": []}]
    return written


def _parameter(name: str) -> dict[str, Any]:
    return {
        "name": name, "in": "path", "required": True, "description": PARAMETERS[name],
        "schema": {"type": "string", "minLength": 1, "maxLength": 64},
    }  # fmt: skip


def _query(name: str) -> dict[str, Any]:
    description, schema = QUERIES[name]
    return {"name": name, "in": "query", "required": False, "description": description, "schema": schema}


def _link(operation: str) -> dict[str, Any]:
    return {"operationId": operation, "parameters": {"name": "$response.body#/table"}}


def _json(kind: Any) -> dict[str, Any]:
    return {"application/json": {"schema": reference(kind)}}
