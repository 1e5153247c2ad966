"""The page: its files and every game's board as the browser gets them, and what only the page asks of a table.

The page needs no build step. A file is read on request, again after a change, and kept in memory with its hash and its
compressed form.
"""

from __future__ import annotations

import asyncio
import gettext
import gzip
import hashlib
import io
import re
from collections.abc import Callable
from dataclasses import asdict
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import msgspec
import segno
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute
from starlette.routing import Match as Found
from starlette.types import Receive, Scope, Send

from tribord.bots import ranks
from tribord.bots.puzzle import puzzles
from tribord.core import art
from tribord.core.game import Game, games
from tribord.core.match import Match
from tribord.core.reason import reasons
from tribord.core.record import CHANCE, PUBLIC
from tribord.core.refusal import BadFile, BadOption, IllegalAction, UnknownGame
from tribord.core.tip import tips
from tribord.core.words import LANGUAGES, Words, _
from tribord.server import book, guide, limit, preview, ruling
from tribord.server.guests import recognise
from tribord.server.limit import address
from tribord.server.messages import encode
from tribord.server.name import FIRST_NAMES
from tribord.server.phrase import PHRASES, SITUATIONS
from tribord.server.table import Table

CLIENT = Path(__file__).parent / "client"
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".woff2": "font/woff2",
    ".webmanifest": "application/manifest+json",
}
PACKED = {".woff2", ".png"}  # compressed as they are
PARTS = {".js", ".css", ".woff2"}  # only ever parts of a page, never a document of their own
WORDS = {f"{language}.json": language for language in LANGUAGES}
QR = "/page/qr.svg"
LONGEST_QR = 200  # bytes: twice as long as any link of ours
MASK = 3  # of the eight in the standard: diagonal stripes
WORKER = "/worker.js"
LIKELY = ("screens/table.js", "screens/howto.js", "screens/setup.js")
IMPORT = re.compile(r"""(?:\bfrom|\bimport)\s*["'](\.[^"']+)["']""")
SHAPES = "/page/shapes.js"  # the page's only module elsewhere: pictures are drawn with it too

NOT_BEGUN = _("The game at this table hasn’t started yet.")
BAD_QR = _("This link is too long for a QR code: {most} bytes at most. Shorten it.")
NO_SEAT = _("That isn’t your seat. Choose your own.")
NO_LANGUAGE = _("Tribord doesn’t speak “{language}”. Choose one of: {known}.")


class Sheet:
    """A file as it goes out: its bytes, its hash, and its compressed form if that's smaller."""

    def __init__(self, content: bytes, suffix: str):
        self.content = content
        self.zipped = None if suffix in PACKED else gzip.compress(content, 9, mtime=0)
        self.tag = hashlib.sha256(content).hexdigest()[:20]
        self.part = suffix in PARTS
        self.type = TYPES[suffix]

    def answer(self, request: Request) -> Response:
        """Return the file, compressed if the browser accepts that, or 304 if it has it already."""
        zipped = self.zipped if "gzip" in request.headers.get("accept-encoding", "") else None
        tag = f'"{self.tag}-gzip"' if zipped else f'"{self.tag}"'
        headers = {"etag": tag, "cache-control": "no-cache", "vary": "accept-encoding"}
        if tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        if zipped:
            headers["content-encoding"] = "gzip"
        return Response(zipped or self.content, headers=headers, media_type=self.type)


class Page(BaseRoute):
    """Everything the browser loads: `/`, `/page/…` from our folder, `/games/{game}/…` from each game's."""

    def __init__(self, address: str = "", bots: tuple[str, ...] = ()):
        self.address = address
        self.bots = bots or ranks()
        self._read: dict[Path, tuple[int, Sheet]] = {}
        self._made: dict[str, Sheet] = {}
        self._drawing = asyncio.Semaphore()

    def matches(self, scope: Scope) -> tuple[Found, Scope]:
        """Whether this is one of our files."""
        if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
            return Found.NONE, {}
        sheet = None if scope["path"] == QR else self.sheet(scope["path"])
        found = sheet is not None or scope["path"] == QR
        return (Found.FULL, {"sheet": sheet, "path_params": {}}) if found else (Found.NONE, {})

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send a file. A service worker gets a content policy of its own, as a document does."""
        request = Request(scope)
        sheet = scope["sheet"] or await self._qr(request)
        scope["no_document"] = sheet.part and scope["path"] != WORKER
        await sheet.answer(request)(scope, receive, send)

    def sheet(self, path: str) -> Sheet | None:
        """Return the file at a path, from a folder or generated from the catalogues and games."""
        made = self._maker(path)
        if made is not None:
            if path not in self._made:
                self._made[path] = Sheet(encode(made()), ".json")
            return self._made[path]
        if path == "/":
            return self._index()
        if path == WORKER:  # at the top, because a service worker only controls what is below its own address
            return self._file(CLIENT, ["worker.js"])
        if path == SHAPES:
            return self._file(art.SHAPES_FILE.parent, [art.SHAPES_FILE.name])
        if path == "/page/palette.css":
            if path not in self._made:
                self._made[path] = Sheet(palette().encode(), ".css")
            return self._made[path]
        match path.split("/")[1:]:
            case ["page", *rest] if rest:
                return self._file(CLIENT, rest)
            case ["games", name, *rest] if rest and (game := found_game(name)):
                return self._file(game.folder / "client", rest)
        return None

    def _file(self, folder: Path, rest: list[str]) -> Sheet | None:
        file = folder.joinpath(*rest)
        if any(part in ("", ".", "..") or "\0" in part for part in rest) or file.suffix not in TYPES:
            return None
        try:
            changed = file.stat().st_mtime_ns
            if self._read.get(file, (0, None))[0] != changed:
                self._read[file] = changed, Sheet(file.read_bytes(), file.suffix)
        except OSError:
            return None
        return self._read[file][1]

    def _index(self) -> Sheet:
        """The page itself. It names the modules it will need, so that the browser requests them all at once: those of
        the first screens, then those of the screens that most visits go on to."""
        first = modules()
        then = dict.fromkeys(name for start in LIKELY for name in modules(start) if name not in first)
        links = [f'<link rel="modulepreload" href="{SHAPES}">']
        links += [f'<link rel="modulepreload" href="/page/{name}">' for name in first]
        links += [f'<link rel="modulepreload" href="/page/{name}" fetchpriority="low">' for name in then]
        written = (CLIENT / "index.html").read_text(encoding="utf-8")
        return Sheet(written.replace("<!-- modules -->", "\n".join(links)).encode(), ".html")

    def _maker(self, path: str) -> Callable[[], Any] | None:
        match path.split("/")[1:]:
            case ["page", "house.json"]:
                return lambda: house(self.address, self.bots)
            case ["page", "words", name] if name in WORDS:
                return lambda: {"messages": messages(CLIENT, WORDS[name])}
            case ["games", name, *rest]:
                game = found_game(name)
                return self._maker_of(game, rest) if game else None
        return None

    def _maker_of(self, game: Game, rest: list[str]) -> Callable[[], Any] | None:
        match rest:
            case ["actions.json"]:
                return lambda: actions(game)
            case ["words", name] if name in WORDS:
                return lambda: game_words(game, WORDS[name])
            case [("examples.json" | "howto.json") as name]:
                return lambda: book.stories(game, name)
            case ["guide.json"]:
                return lambda: guide.shown(game)
        return None

    async def _qr(self, request: Request) -> Sheet:
        """Return a QR code for a text: a link to a table, for a phone's camera."""
        request.app.state.limits.take(limit.QR, address(request))
        text = request.query_params.get("text", "")
        if not 0 < len(text.encode()) <= LONGEST_QR:
            raise BadOption("bad-text", BAD_QR, most=LONGEST_QR)
        async with self._drawing:  # one at a time, so that codes can't take all the threads
            return await asyncio.to_thread(qr, text)


@lru_cache(256)
def qr(text: str) -> Sheet:
    """A QR code. With a fixed mask segno doesn't draw and rate all eight, which took most of the time."""
    out = io.BytesIO()
    code = segno.make(text, error="m", micro=False, mask=MASK)
    code.save(out, kind="svg", border=2, dark=art.COLOURS["black"], light="white")
    return Sheet(out.getvalue(), ".svg")


def palette() -> str:
    """The colours of Tribord and of every game, for the page: covers are drawn without a board's style sheet."""
    colours = dict(art.PALETTE)
    for game in games():
        file = game.folder / "client" / "palette.json"
        colours |= art.palette(file) if file.exists() else {}
    return art.css(colours)


@cache
def modules(start: str = "main.js") -> list[str]:
    """Return the modules that a module imports, directly and indirectly."""
    found, ahead = {start}, [CLIENT / start]
    while ahead:
        file = ahead.pop()
        for name in IMPORT.findall(file.read_text(encoding="utf-8")):
            other = (file.parent / name).resolve()
            path = other.relative_to(CLIENT.resolve()).as_posix()
            if path not in found:
                found.add(path)
                ahead.append(other)
    return sorted(found)


def found_game(name: str) -> Game | None:
    """The game with exactly this id, if it can be played."""
    return next((game for game in games() if game.id == name), None)


# -- made for the browser -------------------------------------------------------------------------------------------


def house(address: str, bots: tuple[str, ...]) -> dict[str, Any]:
    """What the page needs to know before anything else: the games, the bots, the phrases, our address."""
    return {
        "games": [card(game) for game in games()],
        "ranks": bots,
        "names": FIRST_NAMES,
        "phrases": {
            name: {language: Words(language).say(said) for language in LANGUAGES}
            | {"when": next((when for when, names in SITUATIONS.items() if name in names), "")}
            for name, said in PHRASES.items()
        },
        "address": address,
    }


def card(game: Game) -> dict[str, Any]:
    """A game as the harbour shows it. What is only for people (pitch, minutes, age) is beside its board."""
    folder = game.folder / "client"
    about = folder / "about.json"
    return {
        "id": game.id,
        "title": game.title,
        "players": game.players,
        "cooperative": game.cooperative,
        "board": (folder / "board.js").exists(),
        "cover": (folder / "cover.js").exists(),
        "howto": (folder / "howto.json").exists(),
        "puzzles": len(puzzles(game)),
        "guides": [{"id": name, "options": lesson["options"]} for name, lesson in guide.lessons(game).items()],
        "about": msgspec.json.decode(about.read_bytes()) if about.exists() else None,
        "options": [
            {
                "name": o.name,
                "rule": o.rule,
                "kind": type(o).__name__,
                "default": o.default,
                "values": list(getattr(o, "values", ())),
            }
            | {language: game.words(language).translate(o.meaning) for language in LANGUAGES}
            for o in game.options
        ],
    }


def messages(folder: Path, language: str) -> dict[str, str | list[str]]:
    """Return a catalogue for the browser: each message's translation, or its plural forms."""
    file = folder / "locale" / language / "LC_MESSAGES" / "tribord.mo"
    if not file.exists():
        return {}
    with file.open("rb") as opened:
        catalogue: dict[Any, str] = gettext.GNUTranslations(opened)._catalog  # type: ignore[attr-defined]
    found: dict[str, str | list[str]] = {}
    for key, text in catalogue.items():
        if isinstance(key, tuple):
            found.setdefault(key[0], []).append(text)  # type: ignore[union-attr]
        elif key:
            found[key] = text
    return found


def game_words(game: Game, language: str) -> dict[str, Any]:
    """A game's words: its messages, and the questions and names with which a choice is made part by part."""
    words = game.words(language)
    text = game.text
    return {
        "messages": messages(game.folder, language),
        "order": text.PART_ORDER,
        "listed": text.LISTED,
        "ask": {part: words.say(question) for part, question in text.ASK.items()},
        "names": {
            sort: {str(value): words.translate(name) for value, name in names.items()}
            for sort, names in game.names.items()
        },
        "narration": narration(game, words),
        "reasons": {kind: said[language] for kind, said in reasons(game).items()},
        "endings": {reason: words.say(sentence) for reason, sentence in text.ENDINGS.items()},
        "jokes": jokes(game, language),
        "tips": tips_for(game, language),
        "rules": book.rules(game.id, language),
        "book": book.contents(game.id, language),
    }


def narration(game: Game, words: Words) -> dict[str, Any]:
    """The sentences of the game's events with names, and with "you" to you, for client/narration.js."""
    text = game.text
    phrases = {name: asdict(phrase) for name, phrase in getattr(text, "PHRASES", {}).items()}
    return {
        "people": getattr(text, "PEOPLE", ()),
        "kinds": {
            kind: {form: words.forms(said) for form in ("you", "named") if (said := getattr(sentence, form))}
            for kind, sentence in text.SENTENCES.items()
        },
        "phrases": {
            name: {form: words.translate(said) for form, said in forms.items() if said}
            for name, forms in phrases.items()
        },
    }


def jokes(game: Game, language: str) -> dict[str, list[str]]:
    """The game's jokes for the end of a match, by situation."""
    file = game.folder / "client" / "ending.json"
    said = msgspec.json.decode(file.read_bytes()) if file.exists() else {}
    return {situation: [line[language] for line in lines] for situation, lines in said.items()}


def tips_for(game: Game, language: str) -> list[dict[str, Any]]:
    """What the game's statistics teach, and for which matches; nothing if any of it no longer holds."""
    try:
        return [{"text": t[language], "variant": t["variant"], "players": t["players"]} for t in tips(game)]
    except BadFile:  # a game of another package: ours are tested
        return []


def actions(game: Game) -> list[dict[str, Any]]:
    """What every action number means: as in /api/games/{game}/actions, without the notation, and compressed."""
    spoken = {language: game.words(language) for language in LANGUAGES}
    return [
        {"parts": game.parts(a)} | {language: game.say_action(a, words) for language, words in spoken.items()}
        for a in range(game.actions)
    ]


# -- what only the page asks of a table -----------------------------------------------------------------------------


def seat_of(request: Request, table: Table, secret: str) -> int:
    """Return the requested seat if it belongs to the guest; without a seat, the public's."""
    asked = request.query_params.get("seat", "")
    if not asked:
        return PUBLIC
    seat = _number(asked)
    if seat is None or seat not in table.seats_of(recognise(table, secret)):
        raise IllegalAction("not-your-seat", NO_SEAT)
    return seat


def _number(text: str) -> int | None:
    """Parse a number in a URL; None if it can't be meant."""
    return int(text) if text.isdecimal() and len(text) < 10 else None


def show_board(request: Request, table: Table, secret: str) -> Response:
    """The board as text, from what the seat may know: sentences for screen readers, or with ?drawn the drawing."""
    language = request.path_params["language"]
    if language not in LANGUAGES:
        raise UnknownGame("no-such-language", NO_LANGUAGE, language=language, known=", ".join(LANGUAGES))
    if table.match is None:
        raise IllegalAction("not-started", NOT_BEGUN)
    view = table.match.view_state(seat_of(request, table, secret))
    words = table.game.words(language)
    drawn = "drawn" in request.query_params
    return PlainTextResponse(table.game.text.board(table.game.describe(view), words, plain=not drawn))


def _tried(request: Request, table: Table, secret: str) -> tuple[Match, int, int | str]:
    """The match, the asker's seat, and the action that is asked about."""
    if table.match is None:
        raise IllegalAction("not-started", NOT_BEGUN)
    seat = seat_of(request, table, secret)
    if seat == PUBLIC:
        raise IllegalAction("not-your-seat", NO_SEAT)
    return table.match, seat, asked_action(request)


def asked_action(request: Request) -> int | str:
    """The action in an address, by number or notation."""
    asked = str(request.path_params["action"])
    number = _number(asked)
    return asked if number is None else number


async def show_preview(request: Request, table: Table, secret: str) -> Response:
    """What an action would lead to, and whether that loses for certain: the page itself knows no rules."""
    return await previewed(request, *_tried(request, table, secret))


async def previewed(request: Request, match: Match, seat: int, asked: int | str) -> Response:
    """What an action of a seat would lead to."""
    action = match.check(seat, asked)
    found = {"events": preview.preview(match, seat, action), "fate": []}
    if match.game.cooperative:  # it looks at many positions, and others mustn't wait for that
        hub, who = request.app.state.hub, address(request)
        found["fate"] = await hub.read_long(who, preview.fate, match.fork(), seat, action)
    return Response(encode(found), media_type="application/json")


def explain(request: Request, table: Table, secret: str) -> Response:
    """Return why a seat can't play an action now, with the rule: for a tap on something that can't be chosen.

    The reason comes from the seat's own view, as it would if the action were tried. Nothing is played.
    """
    match, seat, asked = _tried(request, table, secret)
    return Response(encode(preview.explanation(match, seat, asked)), media_type="application/json")


def undoable(table: Table, secret: str) -> Response:
    """What an undo would take back, so that the page can ask first; refused as the undo would be."""
    place = ruling.undoable(table, recognise(table, secret))
    assert table.match is not None
    seats = [entry.seat for entry in table.match.journal[place:] if entry.seat != CHANCE]
    return Response(encode({"place": place, "seats": seats}), media_type="application/json")
