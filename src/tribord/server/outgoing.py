"""Outgoing: what of a table goes out to a guest, or to a spectator. Secrets leave through here or not at all.

A message that is the same for several is made once: what is rendered of a table is cached with it, and goes with it.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Raw

from tribord.core import secrecy
from tribord.core.chance import Dice
from tribord.core.event import Event
from tribord.core.game import Game, load
from tribord.core.journal import to_dict
from tribord.core.record import PUBLIC
from tribord.core.refusal import IllegalAction, Refusal
from tribord.core.signature import digest
from tribord.core.words import LANGUAGES, Words, _
from tribord.server import messages
from tribord.server.messages import encode
from tribord.server.phrase import PHRASES
from tribord.server.ruling import NOT_OVER
from tribord.server.table import OVER, PLAYING, Remark, SharedEvent, Table, Update, shared

PORTION = 4_096  # bytes of what was missed, in one message
GONE = _("{nickname} is no longer at the table.")


def table_info(table: Table) -> Raw:
    """The set-up, seats and guests, as everybody may know them."""
    if "table" not in table.cache:
        info = {
            "id": table.id,
            **table.settings,
            "status": table.status,
            "clock": table.clock.to_dict() if table.clock else None,
            "commitment": table.commitment,
            "contributions": table.match.dice.contributions if table.match else [],
            "rematch": table.rematch,
            "rematch_commitment": Dice(table.rematch_seed).commitment if table.rematch_seed else None,
            "guests": [
                {"guest": guest.number, "nickname": guest.nickname, "contributed": bool(guest.contribution)}
                for guest in table.guests.values()
            ],
            "seats": [
                {
                    "seat": seat,
                    "guest": held.guest,
                    "rank": held.rank,
                    "ready": held.ready,
                    "name": table.name(seat),
                }
                for seat, held in enumerate(table.seats)
            ],
        }
        table.cache["table"] = Raw(encode(info))
    return table.cache["table"]


def shown_table(table: Table, home: str | None = None) -> Raw:
    """The table with whose turn it is and the way to its home, for those who look in without a connection."""
    to_act = table.match.to_act if table.match is not None and table.status == PLAYING else []
    return Raw(bytes(table_info(table))[:-1] + b',"to_act":' + encode(to_act) + b',"home":' + encode(home) + b"}")


def match_info(table: Table, guest: int | None) -> dict[str, Any] | None:
    """The match as a guest may know it: the views of the seats they hold, what those may do, who must act."""
    if table.match is None:
        return None
    seats = table.seats_of(guest)
    shown = seats if len(seats) == 1 else [*seats, PUBLIC]  # several people on one device share a public board
    info = _public_info(table)
    deciding = [seat for seat in seats if seat in info["to_act"]]
    own: dict[str, Any] = {
        "views": {str(seat): _view(table, seat) for seat in shown},
        "legal": {str(seat): _legal(table, seat) for seat in deciding},
    }
    if len(seats) > 1:  # before which choices must the others at this device look away?
        own["private"] = [seat for seat in deciding if secrecy.private(table.match, seat)]
    return info | own


def _public_info(table: Table) -> dict[str, Any]:
    """What everybody may know of the match beside its board."""
    if "match" not in table.cache:
        match, request = table.match, table.request
        assert match is not None
        info: dict[str, Any] = {
            "version": match.version,
            "to_act": match.to_act,
            "deadlines": {str(s): t for s, t in table.clock.deadlines().items()} if table.clock else {},
            "undo": {"by": request.by, "place": request.place, "agreed": sorted(request.agreed)} if request else None,
            "outcome": None,
        }
        if table.status == OVER and (outcome := match.outcome):
            info["outcome"] = {"scores": outcome.scores, "winners": outcome.winners, "reason": outcome.reason}
            info["seed"] = match.dice.seed
            info["digest"] = digest(table.imported or to_dict(match))
            info["offers"] = table.kept_offers()
        table.cache["match"] = info
    return table.cache["match"]


def _view(table: Table, seat: int) -> Raw:
    assert table.match is not None
    if "views" not in table.cache:
        table.cache["views"] = table.match.views()
    view = table.cache["views"][seat - PUBLIC]
    if view not in table.cache:  # a seat that knows no more than the others gets the same
        table.cache[view] = Raw(encode(table.game.describe(view)))
    return table.cache[view]


def _legal(table: Table, seat: int) -> list[int]:
    assert table.match is not None
    return table.match.legal(seat)


def welcome(table: Table, guest: int | None, home: str | None = None) -> bytes:
    """The answer to a hello."""
    return encode(messages.Welcome(messages.PROTOCOL, guest, table.seats_of(guest), home))


def update(table: Table, guest: int | None) -> bytes:
    """The last update for a guest, with what of their state it changed."""
    last = table.last
    return encode(
        messages.Update(
            v=table.version(guest), kind=last.kind, at=last.at, by=last.by,
            id=last.command if guest == last.by else None,
            events=_events(table), said=_said(table),
            table=table_info(table) if last.table else None,
            match=match_info(table, guest) if last.match else None,
            place=last.place, undone=last.undone,
        )
    )  # fmt: skip


def _events(table: Table) -> tuple[Raw, ...]:
    """What the last row did in the match, rendered once for all recipients."""
    if "events" not in table.cache:
        table.cache["events"] = _render_shared(table.game, table.last.events)
    return table.cache["events"]


def _said(table: Table) -> Raw | None:
    """What the last row said, rendered once for all recipients."""
    if table.last.said is None:
        return None
    if "said" not in table.cache:
        table.cache["said"] = render_remark(table.game, table.last.said)
    return table.cache["said"]


def catch_up(table: Table, guest: int | None, seen: int | None) -> list[bytes]:
    """What a client needs that has seen version `seen`: the gap where it is remembered, else everything.

    It comes in portions. A line that breaks after a few kilobytes would else never carry a long gap, and whoever tries
    again and again falls ever further behind.
    """
    version = table.version(guest)
    missed = [update for update in table.recent if update.concerns(guest)]
    remembered = seen is not None and version - len(missed) <= seen <= version
    if seen is not None and remembered:
        missed = missed[len(missed) - (version - seen) :]
    portions = _portions([Raw(encode(_summary(table.game, update))) for update in missed])
    sent: list[messages.Sync | messages.Gap] = []
    version -= len(missed)
    for portion in portions:
        version += len(portion)
        anew = not sent and not remembered
        sent.append(messages.Sync(v=version, log=portion) if anew else messages.Gap(v=version, missed=portion))
    sent[-1].table, sent[-1].match = table_info(table), match_info(table, guest)
    return [encode(message) for message in sent]


def _portions(entries: list[Raw]) -> list[list[Raw]]:
    """The entries in lists of some kilobytes each; at least one list."""
    portions: list[list[Raw]] = [[]]
    size = 0
    for entry in entries:
        size += len(bytes(entry))
        if size > PORTION and portions[-1]:
            portions.append([])
            size = len(bytes(entry))
        portions[-1].append(entry)
    return portions


def _summary(game: Game, update: Update) -> dict[str, Any]:
    summary: dict[str, Any] = {"kind": update.kind, "at": update.at, "by": update.by}
    if update.events:
        summary["events"] = _render_shared(game, update.events)
    if update.said is not None:
        summary["said"] = render_remark(game, update.said)
    return summary | {name: at for name in ("place", "undone") if (at := getattr(update, name)) is not None}


# -- words ----------------------------------------------------------------------------------------------------------


def render_event(game: Game, event: Event) -> dict[str, Any]:
    """An event as everybody gets it: kind, rule, fields, and a sentence in each language."""
    said = {language: game.say_event(event, game.words(language)) for language in LANGUAGES}
    return {"kind": event.kind, "rule": event.rule, "fields": event.fields, **said}


def render_events(game: Game, events: list[Event]) -> tuple[Raw, ...]:
    """Events as everybody gets them, as JSON."""
    return _render_shared(game, shared(events))


def _render_shared(game: Game, events: Iterable[SharedEvent]) -> tuple[Raw, ...]:
    return tuple([_rendered(game.id, event) for event in events])


@lru_cache(maxsize=4_096)  # by identity, so that to find it costs next to nothing
def _rendered(game_id: str, event: SharedEvent) -> Raw:
    return Raw(encode(render_event(load(game_id), Event(event.kind, event.rule, dict(event.fields)))))


def render_remark(game: Game, said: Remark) -> Raw:
    """What was said as its recipients get it: a line as it is, all else with a sentence in each language."""
    rendered: dict[str, Any] = msgspec.to_builtins(said)
    for language in LANGUAGES if said.line is None else ():
        rendered[language] = _sentence(game, said, language)
    return Raw(encode(rendered))


def _sentence(game: Game, said: Remark, language: str) -> str:
    if said.phrase is not None:
        return Words(language).say(PHRASES[said.phrase])
    if said.offer is not None:
        assert game.offers is not None and said.seat is not None
        return game.offers.say(dict(said.offer), said.seat, game.words(language))
    return Words(language).say(GONE, nickname=said.nickname)


def refused(refusal: Refusal, command: str | None = None) -> bytes:
    """A refusal as a message, in both languages."""
    text = {language: refusal.say(Words(language)) for language in LANGUAGES}
    return encode(
        messages.Refused(
            code=refusal.code, fr=text["fr"], en=text["en"], id=command, rule=refusal.rule,
            limit=getattr(refusal, "limit", ""), seconds=getattr(refusal, "seconds", 0),
        )
    )  # fmt: skip


def match_file(table: Table) -> dict[str, Any]:
    """The match file of a match that is over."""
    if table.status != OVER or table.match is None:
        raise IllegalAction("not-over", NOT_OVER)
    return to_dict(table.match)
