"""Replays: a match that is over, position by position, as it was seen at the table.

The journal is played again. Nothing is secret any more, so anyone with the link can see any seat's view, or everything;
a seat's view is what that seat saw then.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from tribord.core.match import Entry, Match
from tribord.core.record import CHANCE, PUBLIC
from tribord.core.refusal import BadOption, IllegalAction, UnknownGame
from tribord.core.secrecy import sealing
from tribord.core.words import LANGUAGES, _
from tribord.server.limit import address
from tribord.server.messages import encode
from tribord.server.moment import moments
from tribord.server.outgoing import render_events
from tribord.server.page import NO_LANGUAGE, Sheet
from tribord.server.ruling import NO_SUCH_SEAT, NOT_OVER
from tribord.server.table import OVER, Table

MOST = 256  # positions in an answer

NOT_A_PLACE = _("“{place}” isn’t a step of this game.")


async def show_replay(request: Request, table: Table) -> Response:
    """The positions of a match that is over, from ?from on: as the public saw them, ?eyes did, or with ?truth all."""
    match = _over(table)
    start = _number(request, "from") or 0
    seat = _number(request, "eyes")
    if seat is not None and seat >= match.players:
        raise IllegalAction("no-such-seat", NO_SUCH_SEAT)
    eyes = None if "truth" in request.query_params else PUBLIC if seat is None else seat
    language = request.query_params.get("words")
    if language is not None and language not in LANGUAGES:
        raise UnknownGame("no-such-language", NO_LANGUAGE, language=language, known=", ".join(LANGUAGES))
    sheet: Sheet = await _read(request, lambda: Sheet(encode(positions(match, eyes, start, language)), ".json"))
    return sheet.answer(request)


async def show_moments(request: Request, table: Table) -> Response:
    """The moments that decided a match that is over."""
    match = _over(table)
    if "moments" not in table.cache:
        table.cache["moments"] = await _read(request, lambda: encode({"moments": moments(match)}))
    return Response(table.cache["moments"], media_type="application/json")


async def _read(request: Request, work: Callable[[], Any]) -> Any:
    """Replay a journal off the event loop, because it's slow; readers queue, tables don't wait."""
    return await request.app.state.hub.read_long(address(request), work)


def _over(table: Table) -> Match:
    if table.status != OVER or table.match is None:
        raise IllegalAction("not-over", NOT_OVER)
    return table.match


def _number(request: Request, name: str) -> int | None:
    asked = request.query_params.get(name)
    if asked is None:
        return None
    if not (asked.isascii() and asked.isdecimal() and len(asked) < 7):
        raise BadOption("not-a-place", NOT_A_PLACE, place=asked[:20])
    return int(asked)


def positions(match: Match, eyes: int | None, start: int, language: str | None = None) -> dict[str, Any]:
    """At most MOST positions from `start` on, as `eyes` saw them (None: the whole truth); the last one is the truth.

    With a language, each board in words too.
    """
    journal, past = match.journal, match.beginning()
    words = match.game.words(language) if language else None
    shown = []
    for place, entry in enumerate([None, *journal[: start + MOST - 1]]):
        decided = {"seat": None} if entry is None else _decided(past, entry, eyes)
        if entry is not None:
            past.follow(entry)
        if place >= start:
            seen = past.state if eyes is None or place == len(journal) else past.view_state(eyes)
            events = past.steps[-1].events if entry is not None else []
            view = match.game.describe(seen)
            position = {"events": render_events(match.game, events), "to_act": past.to_act, "view": view}
            said = {"words": match.game.text.board(view, words, plain=True)} if words else {}
            shown.append(decided | position | said)
    return {"total": len(journal) + 1, "names": match.names, "positions": shown}


def _decided(past: Match, entry: Entry, eyes: int | None) -> dict[str, Any]:
    """Return who decided, and what, if these eyes could see it."""
    if entry.seat == CHANCE:
        return {"seat": CHANCE} | ({"chance": past.game.play.chance_notation(entry.action)} if eyes is None else {})
    open_to_them = eyes is None or eyes == entry.seat or not sealing(past)
    by = {"seat": entry.seat} | ({"rank": entry.rank} if entry.rank else {})
    return by | ({"action": entry.action} if open_to_them else {})
