"""Outgoing: messages from a table to a guest or a spectator. It's the one exit for secrets. A message that is the same
for several recipients is rendered once and cached with its table.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
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
from tribord.server import guide, messages
from tribord.server.messages import encode
from tribord.server.phrase import PHRASES
from tribord.server.ruling import NOT_OVER
from tribord.server.table import HOST, OVER, PLAYING, Remark, SharedEvent, Table, Update, shared

PORTION = 4_096  # bytes of a gap, in one message
GONE = _("{nickname} has left the table.")
MUTED = _("The host has muted {nickname}.")
UNMUTED = _("{nickname} can chat again.")
SILENT = _("The game couldn’t start: {nickname}’s device isn’t answering. Start it again.")


def table_info(table: Table) -> Raw:
    """Return the set-up, seats and guests, as everyone may know them."""
    if "table" not in table.cache:
        info = {
            "id": table.id,
            **table.settings,
            "status": table.status,
            "clock": table.clock.to_dict() if table.clock else None,
            "commitment": table.commitment,
            "contributions": table.match.dice.contributions if table.match else [],
            "revealing": table.awaited(),
            "rematch": table.rematch,
            "rematch_commitment": Dice(table.rematch_seed).commitment if table.rematch_seed else None,
            "guests": [
                {
                    "guest": guest.number,
                    "nickname": guest.nickname,
                    "commitment": guest.commitment or None,
                    "muted": guest.muted,
                }
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
    """Return the table with whose turn it is and where its home is, for clients without a connection."""
    to_act = table.match.to_act if table.match is not None and table.status == PLAYING else []
    return Raw(bytes(table_info(table))[:-1] + b',"to_act":' + encode(to_act) + b',"home":' + encode(home) + b"}")


def branch_summary(table: Table) -> dict[str, Any]:
    """A branch as it is listed at the original: where it parts, who plays, and how it ended."""
    own = table.seats_of(HOST)
    ended = table.match.outcome if table.match is not None and table.status == OVER else None
    return {
        "table": table.id,
        "place": table.settings["branch"]["place"],
        "redealt": table.settings["branch"]["redealt"],
        "seat": own[0] if own else None,
        "names": [table.name(seat) for seat in range(len(table.seats))],
        "status": table.status,
        "outcome": asdict(ended) if ended else None,
    }


def match_info(table: Table, guest: int | None) -> Raw | None:
    """The match as a guest may know it: the views of the seats they hold, what those may do, who must act."""
    return None if table.match is None else Raw(b"".join(_match_parts(table, guest)))


def _match_parts(table: Table, guest: int | None) -> list[bytes]:
    """Return the match as pieces of JSON, which are joined once because they are long."""
    match = table.match
    assert match is not None
    seats, to_act = table.seats_of(guest), _to_act(table)
    shown = seats if len(seats) == 1 else [*seats, PUBLIC]  # several people on one device share a public board
    deciding = [seat for seat in seats if seat in to_act]
    parts = [_public_info(table), b'"views":']
    for k, seat in enumerate(shown):
        parts += (b',"%d":' % seat if k else b'{"%d":' % seat, _view(table, seat))
    parts.append(b'},"legal":{')
    for k, seat in enumerate(deciding):
        parts += (b',"%d":' % seat if k else b'"%d":' % seat, encode(match.legal(seat)))
    if len(seats) > 1:  # seats whose decision must be hidden from the others at this device
        parts += (b'},"private":', encode([seat for seat in deciding if secrecy.private(match, seat)]), b"}")
    else:
        parts.append(b"}}")
    return parts


def _to_act(table: Table) -> list[int]:
    assert table.match is not None
    if "to_act" not in table.cache:
        table.cache["to_act"] = table.match.to_act
    return table.cache["to_act"]


def _public_info(table: Table) -> bytes:
    """Return what everyone may know of the match apart from its board, as JSON to be continued."""
    if "match" not in table.cache:
        match, request = table.match, table.request
        assert match is not None
        info: dict[str, Any] = {
            "version": match.version,
            "to_act": _to_act(table),
            "deadlines": {str(s): t for s, t in table.clock.deadlines().items()} if table.clock else {},
            "undo": {"by": request.by, "place": request.place, "agreed": sorted(request.agreed)} if request else None,
            "outcome": None,
        }
        if (removal := table.removal) is not None:
            info["removal"] = {"by": removal.by, "guest": removal.guest, "agreed": sorted(removal.agreed)}
        if table.settings["guide"]:
            info["guide"] = guide.step(table)
        if table.status == OVER and (outcome := match.outcome):
            info["outcome"] = {"scores": outcome.scores, "winners": outcome.winners, "reason": outcome.reason}
            info["seed"] = match.dice.seed
            info["digest"] = digest(table.imported or to_dict(match, table.offers))
            info["offers"] = table.kept_offers()
        table.cache["match"] = encode(info)[:-1] + b","
    return table.cache["match"]


def _view(table: Table, seat: int) -> bytes:
    assert table.match is not None
    if "views" not in table.cache:
        table.cache["views"] = table.match.views()
    view = table.cache["views"][seat - PUBLIC]
    if view not in table.cache:  # a seat that knows no more than the others gets the same
        table.cache[view] = encode(table.game.describe(view))
    return table.cache[view]


def welcome(table: Table, guest: int | None, home: str | None = None) -> bytes:
    """Return the answer to a hello."""
    return encode(messages.Welcome(messages.PROTOCOL, guest, table.seats_of(guest), home))


def update(table: Table, guest: int | None) -> bytes:
    """Return the last update for a guest, with what it changed for them."""
    last = table.last
    parts = [b'{"t":"update","v":%d' % table.version(guest)]
    if guest == last.by and last.command is not None:
        parts += (b',"id":', encode(last.command))
    if last.match and table.match is not None:
        parts.append(b',"match":')
        parts += _match_parts(table, guest)
    parts.append(_shared_update(table))
    return b"".join(parts)


def _shared_update(table: Table) -> bytes:
    """The rest of the last update, which is the same for all recipients."""
    if "update" not in table.cache:
        last = table.last
        said = render_remark(table.game, last.said) if last.said is not None else None
        whole = encode(
            messages.Update(
                v=0, kind=last.kind, at=last.at, by=last.by, events=_render_shared(table.game, last.events), said=said,
                table=table_info(table) if last.table else None, place=last.place, undone=last.undone,
            )
        )  # fmt: skip
        table.cache["update"] = b"," + whole.removeprefix(b'{"t":"update","v":0,')
    return table.cache["update"]


def catch_up(table: Table, guest: int | None, seen: int | None) -> list[bytes]:
    """Return what a client that has seen version `seen` needs: the gap if it's remembered, else everything.

    It comes in portions: if a connection broke after every few kilobytes, a long gap would never arrive, and a client
    that keeps trying would fall further and further behind.
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
        whole = not sent and not remembered
        sent.append(messages.Sync(v=version, log=portion) if whole else messages.Gap(v=version, missed=portion))
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
    """An event as everyone gets it: kind, rule, fields, and a sentence in each language."""
    said = {language: game.say_event(event, game.words(language)) for language in LANGUAGES}
    return {"kind": event.kind, "rule": event.rule, "fields": event.fields, **said}


def render_events(game: Game, events: list[Event]) -> tuple[Raw, ...]:
    """Events as everyone gets them, as JSON."""
    return _render_shared(game, shared(events))


def _render_shared(game: Game, events: Iterable[SharedEvent]) -> tuple[Raw, ...]:
    return tuple([_rendered(game.id, event) for event in events])


@lru_cache(maxsize=4_096)  # by identity, which makes the lookup almost free
def _rendered(game_id: str, event: SharedEvent) -> Raw:
    return Raw(encode(render_event(load(game_id), Event(event.kind, event.rule, dict(event.fields)))))


def render_remark(game: Game, said: Remark) -> Raw:
    """Render what was said: a line as it is, everything else with a sentence in each language."""
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
    if said.silent:
        return Words(language).say(SILENT, nickname=said.nickname)
    happened = GONE if said.muted is None else MUTED if said.muted else UNMUTED
    return Words(language).say(happened, nickname=said.nickname)


def refused(refusal: Refusal, command: str | None = None) -> bytes:
    """Encode a refusal as a message in both languages."""
    text = {language: refusal.say(Words(language)) for language in LANGUAGES}
    return encode(
        messages.Refused(
            code=refusal.code, fr=text["fr"], en=text["en"], id=command, rule=refusal.rule,
            limit=getattr(refusal, "limit", ""), seconds=getattr(refusal, "seconds", 0),
            detail=str(refusal.fields.get("detail", "")),
        )
    )  # fmt: skip


def match_file(table: Table) -> dict[str, Any]:
    """Return the match file of a finished match."""
    if table.status != OVER or table.match is None:
        raise IllegalAction("not-over", NOT_OVER)
    return to_dict(table.match, table.offers)
