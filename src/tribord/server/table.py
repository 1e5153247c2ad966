"""A table: guests, seats, one match, talk. It is the fold of its journal and knows no socket, store or clock.

Two things can be done with it. `decide` takes what a guest asks for and gives the row that would make it so, or
refuses and changes nothing. `follow` carries out a row, any row, the same way in every process. In between the row is
committed: what is not in the journal has not happened.
"""

from __future__ import annotations

import unicodedata
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Raw

from tribord.bots import ranks
from tribord.core import secrecy
from tribord.core.event import Event
from tribord.core.game import load
from tribord.core.journal import audit_content, to_dict
from tribord.core.match import Match
from tribord.core.record import PUBLIC
from tribord.core.refusal import IllegalAction, Refusal
from tribord.core.words import LANGUAGES, _
from tribord.server import messages
from tribord.server.messages import encode
from tribord.server.phrase import PHRASES

OPEN, PLAYING, OVER = "open", "playing", "over"
REMEMBERED = 128  # happenings kept for clients that missed some
GRACE = 15.0  # seconds a player has after taking the seat back with an empty match clock

NOT_HOST = _("Only the host of the table may do that.")
NO_SUCH_SEAT = _("There is no seat {seat} at this table.")
NO_SUCH_GUEST = _("There is no guest {guest} at this table.")
TAKEN = _("Seat {seat} is taken.")
NOT_YOUR_SEAT = _("Seat {seat} is not yours.")
STARTED = _("The match has begun: the seats stay as they are.")
NOT_STARTED = _("The match has not begun yet.")
SEATS_OPEN = _("Seat {seat} is still open.")
NOT_READY = _("{nickname} is not ready yet.")
BOT_PLAYS = _("A bot is playing for seat {seat}: take the seat back first.")
NO_BOT_PLAYS = _("No bot is playing for seat {seat}.")
NO_RANK = _("“{rank}” is no rank of a bot.")
NOTHING_SAID = _("Say a line or a phrase, one of the two.")
NO_PHRASE = _("There is no phrase “{phrase}”.")
NO_OFFERS = _("Offers are not made in this game.")
ONLY_PLAYERS = _("Only those who sit at the table may do that.")
NOBODY_ASKED = _("Nobody has asked to take a decision back.")
NOT_OVER = _("The match is still going on.")
REMATCHED = _("There is already another match at table {table}.")
NO_NAME = _("A nickname needs something to read in it.")


@dataclass
class Guest:
    """Somebody at the table, known by a secret of which the table keeps only the hash."""

    number: int
    nickname: str
    digest: str
    done: dict[str, int] = field(default_factory=dict)  # the ids of the last commands, and the version they led to


@dataclass
class Chair:
    """A seat: open, a guest's, a bot's (rank and no guest), or a guest's for whom a bot plays (both)."""

    guest: int | None = None
    rank: str | None = None
    ready: bool = False


@dataclass
class Happening:
    """What a row did, as those it concerns may know it."""

    seq: int
    kind: str
    at: float
    by: int | None
    to: frozenset[int] | None = None  # None: everybody
    events: list[dict[str, Any]] = field(default_factory=list)
    said: dict[str, Any] | None = None
    table: bool = False  # whether seats, guests or set-up changed
    match: bool = False  # whether the match changed


class Table:
    """The table as it stands after the rows it has followed."""

    def __init__(self, id: str):
        self.id = id
        self.seq = -1  # of the last row followed
        self.guests: dict[int, Guest] = {}
        self.chairs: list[Chair] = []
        self.match: Match | None = None
        self.status = OPEN
        self.versions: dict[int | None, int] = {None: 0}  # None: what everybody got; a guest: what they got alone
        self.recent: deque[Happening] = deque(maxlen=REMEMBERED)
        self.clock: dict[str, Any] | None = None
        self.since: dict[int, float] = {}  # when the present decision of a seat began
        self.left: dict[int, float] = {}  # seconds left on the match clock of a seat
        self.undo: dict[str, Any] | None = None
        self.offers: list[dict[str, Any]] = []
        self.rematch: str | None = None
        self.move: tuple[int, str, float] | None = None  # guest, hash of the code, until when
        self._raw: dict[bytes, Raw] = {}

    # -- asking -----------------------------------------------------------------------------------------------------

    def version(self, guest: int | None) -> int:
        """How many happenings have reached a guest, or whoever only watches."""
        return self.versions[None] + (self.versions.get(guest, 0) if guest is not None else 0)

    def seats_of(self, guest: int | None) -> list[int]:
        """The seats a guest holds."""
        return [seat for seat, chair in enumerate(self.chairs) if guest is not None and chair.guest == guest]

    def people(self) -> set[int]:
        """The guests who play, each for at least one seat without a bot."""
        return {chair.guest for chair in self.chairs if chair.guest is not None and chair.rank is None}

    def bots_to_act(self) -> list[int]:
        """The seats for which a bot must decide now."""
        if self.match is None or self.status != PLAYING:
            return []
        return [seat for seat in self.match.to_act if self.chairs[seat].rank is not None]

    def deadline(self, seat: int) -> float | None:
        """When the time of a person who must decide runs out."""
        if self.clock is None or seat not in self.since or self.chairs[seat].rank is not None:
            return None
        span = self.clock["seconds"] if self.clock["per"] == "decision" else self.left[seat]
        return float(self.since[seat] + span)

    def due(self, now: float) -> float | None:
        """When the table needs the server: at once for a bot, later for a clock, never while people think freely."""
        if self.bots_to_act():
            return now
        times = [t for seat in self.since if (t := self.deadline(seat)) is not None]
        return min(times, default=None)

    def late(self, now: float) -> list[int]:
        """The seats whose time has run out."""
        return [seat for seat in self.since if (t := self.deadline(seat)) is not None and t <= now]

    # -- deciding ---------------------------------------------------------------------------------------------------

    def already(self, guest: int, command: messages.Command) -> int | None:
        """The version that a command sent before has led to."""
        return self.guests[guest].done.get(command.id)

    def decide(self, guest: int, command: messages.Command) -> tuple[str, dict[str, Any]]:
        """The row (kind and body) that carries a guest's command out; refuses what may not be, and changes nothing."""
        decide: Callable[..., dict[str, Any]] = getattr(self, "_decide_" + type(command).__name__.lower())
        body = decide(guest, command)
        kind = str(command.__struct_config__.tag)
        return kind, {"by": guest, "id": command.id, **body}

    def _decide_sit(self, guest: int, command: messages.Sit) -> dict[str, Any]:
        self._before_the_match()
        if not self._is_open(command.seat):
            raise _refuse("taken", TAKEN, seat=command.seat)
        return {"seat": command.seat}

    def _decide_stand(self, guest: int, command: messages.Stand) -> dict[str, Any]:
        self._before_the_match()
        self._own(guest, command.seat)
        return {"seat": command.seat}

    def _decide_ready(self, guest: int, command: messages.Ready) -> dict[str, Any]:
        self._before_the_match()
        self._seated(guest)
        return {"ready": command.ready}

    def _decide_arrange(self, guest: int, command: messages.Arrange) -> dict[str, Any]:
        self._before_the_match()
        self._host(guest)
        self._chair(command.seat)
        if command.to not in ("open", "me", *ranks()):
            raise _refuse("no-such-rank", NO_RANK, rank=command.to)
        return {"seat": command.seat, "to": command.to}

    def _decide_swap(self, guest: int, command: messages.Swap) -> dict[str, Any]:
        self._before_the_match()
        self._chair(command.seat)
        self._chair(command.other)
        if guest != 0:
            self._own(guest, command.seat)
            if not self._is_open(command.other):
                raise _refuse("taken", TAKEN, seat=command.other)
        return {"seat": command.seat, "other": command.other}

    def _decide_rename(self, guest: int, command: messages.Rename) -> dict[str, Any]:
        named = guest if command.guest is None else command.guest
        if named != guest:
            self._host(guest)
        if named not in self.guests:
            raise _refuse("no-such-guest", NO_SUCH_GUEST, guest=named)
        return {"guest": named, "nickname": legible(command.nickname)}

    def _decide_start(self, guest: int, command: messages.Start) -> dict[str, Any]:
        self._before_the_match()
        self._host(guest)
        for seat, chair in enumerate(self.chairs):
            if self._is_open(seat):
                raise _refuse("seat-open", SEATS_OPEN, seat=seat)
            if chair.guest not in (None, 0) and not chair.ready:
                raise _refuse("not-ready", NOT_READY, nickname=self.guests[chair.guest or 0].nickname)
        return {}

    def _decide_act(self, guest: int, command: messages.Act) -> dict[str, Any]:
        self._own(guest, command.seat)
        if self.chairs[command.seat].rank is not None:
            raise _refuse("bot-plays", BOT_PLAYS, seat=command.seat)
        action = self.playing.check(command.seat, command.action, version=command.version)
        return {"seat": command.seat, "action": action}

    def decide_bot(self, seat: int, action: int) -> tuple[str, dict[str, Any]]:
        """The row of a bot's action, if it is still the bot's to act."""
        if seat not in self.bots_to_act():
            raise _refuse("no-bot-plays", NO_BOT_PLAYS, seat=seat)
        return "act", {"seat": seat, "action": self.playing.check(seat, action), "rank": self.chairs[seat].rank}

    def decide_late(self, seat: int) -> tuple[str, dict[str, Any]]:
        """The row by which a bot takes over from a player whose time is up."""
        assert self.clock is not None
        return "replace", {"seat": seat, "rank": self.clock["rank"], "late": True}

    def _decide_takeback(self, guest: int, command: messages.TakeBack) -> dict[str, Any]:
        self._own(guest, command.seat)
        if self.chairs[command.seat].rank is None:
            raise _refuse("no-bot-plays", NO_BOT_PLAYS, seat=command.seat)
        return {"seat": command.seat}

    def _decide_replace(self, guest: int, command: messages.Replace) -> dict[str, Any]:
        self._host(guest)
        if self.status != PLAYING:
            raise _refuse("not-started", NOT_STARTED)
        self._chair(command.seat)
        if command.rank not in ranks():
            raise _refuse("no-such-rank", NO_RANK, rank=command.rank)
        return {"seat": command.seat, "rank": command.rank}

    def _decide_undo(self, guest: int, command: messages.Undo) -> dict[str, Any]:
        self._seated(guest)
        if self.undo is not None and guest != self.undo["by"]:
            return {"agree": command.agree}
        if not command.agree:
            if self.undo is None:
                raise _refuse("nobody-asked", NOBODY_ASKED)
            return {"agree": False}
        return {"agree": True, "place": secrecy.last_decision(self.playing, self.seats_of(guest))}

    def _decide_chat(self, guest: int, command: messages.Chat) -> dict[str, Any]:
        if (command.line is None) == (command.phrase is None):
            raise _refuse("nothing-said", NOTHING_SAID)
        if command.phrase is not None and command.phrase not in PHRASES:
            raise _refuse("no-such-phrase", NO_PHRASE, phrase=command.phrase)
        said = {"phrase": command.phrase} if command.phrase is not None else {"line": legible(command.line or "")}
        return {**said, **self._addressed(guest, command.to)}

    def _decide_offer(self, guest: int, command: messages.Offer) -> dict[str, Any]:
        self._own(guest, command.seat)
        offers = self.playing.game.offers
        if offers is None:
            raise _refuse("no-offers", NO_OFFERS)
        offer = offers.check(self.playing, command.seat, command.offer)
        return {"seat": command.seat, "offer": offer, **self._addressed(guest, command.to)}

    def _decide_rematch(self, guest: int, command: messages.Rematch) -> dict[str, Any]:
        self._host(guest)
        if self.status != OVER:
            raise _refuse("not-over", NOT_OVER)
        if self.rematch is not None:
            raise _refuse("rematched", REMATCHED, table=self.rematch)
        return {}

    @property
    def playing(self) -> Match:
        """The match, which must have begun."""
        if self.match is None:
            raise _refuse("not-started", NOT_STARTED)
        return self.match

    def _before_the_match(self) -> None:
        if self.status != OPEN:
            raise _refuse("started", STARTED)

    def _host(self, guest: int) -> None:
        if guest != 0:
            raise _refuse("not-host", NOT_HOST)

    def _chair(self, seat: int) -> Chair:
        if seat >= len(self.chairs):
            raise _refuse("no-such-seat", NO_SUCH_SEAT, seat=seat)
        return self.chairs[seat]

    def _is_open(self, seat: int) -> bool:
        chair = self._chair(seat)
        return chair.guest is None and chair.rank is None

    def _own(self, guest: int, seat: int) -> None:
        if self._chair(seat).guest != guest:
            raise _refuse("not-your-seat", NOT_YOUR_SEAT, seat=seat)

    def _seated(self, guest: int) -> None:
        if not self.seats_of(guest):
            raise _refuse("only-players", ONLY_PLAYERS)

    def _addressed(self, guest: int, to: Iterable[int] | None) -> dict[str, Any]:
        if to is None:
            return {}
        for other in to:
            if other not in self.guests:
                raise _refuse("no-such-guest", NO_SUCH_GUEST, guest=other)
        return {"to": sorted({guest, *to})}

    # -- following --------------------------------------------------------------------------------------------------

    def follow(self, seq: int, kind: str, body: dict[str, Any], at: float) -> Happening:
        """Carry out a committed row. Rows come in order, each once."""
        assert seq == self.seq + 1, f"row {seq} after {self.seq}"
        to = frozenset(body["to"]) if "to" in body else None
        happening = Happening(seq, kind, at, body.get("by"), to)
        getattr(self, "_follow_" + kind.replace("-", "_"))(body, at, happening)
        self.seq = seq
        for recipient in (None,) if to is None else to:
            self.versions[recipient] = self.versions.get(recipient, 0) + 1
        if "id" in body:
            self._remember(body["by"], body["id"])
        self.recent.append(happening)
        self._raw.clear()
        return happening

    def _remember(self, guest: int, command: str) -> None:
        done = self.guests[guest].done
        done[command] = self.version(guest)
        while len(done) > REMEMBERED:
            del done[next(iter(done))]

    def _follow_create(self, body: dict[str, Any], at: float, happening: Happening) -> None:
        self.game = load(body["game"])
        self.settings = {name: body[name] for name in ("game", "players", "options", "public", "code")}
        self.seed = body["seed"]
        self.clock = body["clock"]
        self.guests = {g["number"]: Guest(g["number"], g["nickname"], g["digest"]) for g in body["guests"]}
        self.chairs = [Chair(c["guest"], c["rank"]) for c in body["chairs"]]
        self.commitment = body["commitment"]
        happening.table = True

    def _follow_import(self, body: dict[str, Any], at: float, happening: Happening) -> None:
        content = body["file"]
        self.match, _problems = audit_content(content, Path("match file"))
        self.game = self.match.game
        self.settings = {name: content[name] for name in ("game", "players", "options")}
        self.settings |= {"public": False, "code": body["code"]}
        self.chairs = [Chair() for _seat in range(content["players"])]
        self.commitment = content["commitment"]
        self.status = OVER
        happening.events = self._tell(self.match.events)
        happening.table = happening.match = True

    def _follow_join(self, body: dict[str, Any], at: float, happening: Happening) -> None:
        number = body["guest"]
        self.guests[number] = Guest(number, body["nickname"], body["digest"])
        happening.table, happening.by = True, number

    def _follow_moving(self, body: dict[str, Any], at: float, happening: Happening) -> None:
        self.move = (body["by"], body["digest"], at + body["seconds"])

    def _follow_moved(self, body: dict[str, Any], at: float, happening: Happening) -> None:
        self.guests[body["guest"]].digest = body["digest"]
        self.move = None
        happening.by = body["guest"]

    def _follow_sit(self, body: dict[str, Any], at: float, happening: Happening) -> None:
        self.chairs[body["seat"]] = Chair(guest=body["by"])
        happening.table = True

    def _follow_stand(self, body: dict[str, Any], at: float, happening: Happening) -> None:
        self.chairs[body["seat"]] = Chair()
        happening.table = True

    def _follow_ready(self, body: dict[str, Any], at: float, happening: Happening) -> None:
        for seat in self.seats_of(body["by"]):
            self.chairs[seat].ready = body["ready"]
        happening.table = True

    def _follow_arrange(self, body: dict[str, Any], at: float, happening: Happening) -> None:
        chair = {"open": Chair(), "me": Chair(guest=0)}.get(body["to"])
        self.chairs[body["seat"]] = chair if chair is not None else Chair(rank=body["to"])
        happening.table = True

    def _follow_swap(self, body: dict[str, Any], at: float, happening: Happening) -> None:
        one, two = body["seat"], body["other"]
        self.chairs[one], self.chairs[two] = self.chairs[two], self.chairs[one]
        happening.table = True

    def _follow_rename(self, body: dict[str, Any], at: float, happening: Happening) -> None:
        self.guests[body["guest"]].nickname = body["nickname"]
        happening.table = True

    def _follow_start(self, body: dict[str, Any], at: float, happening: Happening) -> None:
        names = [self._name(chair) for chair in self.chairs]
        self.match = self.game.match(self.settings["players"], self.seed, self.settings["options"], names)
        self.status = PLAYING
        if self.clock and self.clock["per"] == "match":
            self.left = dict.fromkeys(range(len(self.chairs)), float(self.clock["seconds"]))
        happening.events = self._tell(self.match.events)
        self._after_the_decision(at, happening)
        happening.table = True

    def _follow_act(self, body: dict[str, Any], at: float, happening: Happening) -> None:
        seat = body["seat"]
        if seat in self.left and seat in self.since:
            self.left[seat] = max(0.0, self.left[seat] - (at - self.since[seat]))
        self.since.pop(seat, None)
        self.undo = None
        happening.events = self._tell(self.playing.play(seat, body["action"], at=round(at, 3)))
        self._after_the_decision(at, happening)

    def _follow_replace(self, body: dict[str, Any], at: float, happening: Happening) -> None:
        chair = self.chairs[body["seat"]]
        chair.rank = body["rank"]
        self._after_the_decision(at, happening)
        happening.table = True

    def _follow_take_back(self, body: dict[str, Any], at: float, happening: Happening) -> None:
        seat = body["seat"]
        self.chairs[seat].rank = None
        if seat in self.left:
            self.left[seat] = max(self.left[seat], GRACE)
        self.since.pop(seat, None)
        self._after_the_decision(at, happening)
        happening.table = True

    def _follow_undo(self, body: dict[str, Any], at: float, happening: Happening) -> None:
        if "place" in body:
            self.undo = {"by": body["by"], "place": body["place"], "agreed": {body["by"]}}
        elif self.undo is not None and body["agree"]:
            self.undo["agreed"].add(body["by"])
        else:
            self.undo = None
        if self.undo is not None and self.people() <= self.undo["agreed"]:
            self.playing.replay(self.playing.journal[: self.undo["place"]])
            self.undo = None
            self.since.clear()
        self._after_the_decision(at, happening)

    def _follow_chat(self, body: dict[str, Any], at: float, happening: Happening) -> None:
        happening.said = {name: body[name] for name in ("line", "phrase", "to") if name in body}
        if "phrase" in body:
            happening.said |= {language: _house(language, PHRASES[body["phrase"]]) for language in LANGUAGES}

    def _follow_offer(self, body: dict[str, Any], at: float, happening: Happening) -> None:
        offer = {"seat": body["seat"], "offer": body["offer"], "to": body.get("to"), "version": self.playing.version}
        self.offers.append(offer)
        happening.said = {name: body[name] for name in ("seat", "offer", "to") if name in body}
        offers = self.game.offers
        assert offers is not None
        for language in LANGUAGES:
            happening.said[language] = offers.say(body["offer"], body["seat"], self.game.words(language))

    def _follow_rematch(self, body: dict[str, Any], at: float, happening: Happening) -> None:
        self.rematch = body["table"]
        happening.table = True

    def _after_the_decision(self, at: float, happening: Happening) -> None:
        """Start the clocks of those who must decide now, and see whether it is over."""
        match = self.playing
        waiting = set(match.to_act)
        for seat in list(self.since):
            if seat not in waiting or self.chairs[seat].rank is not None:
                del self.since[seat]
        for seat in waiting:
            if self.chairs[seat].rank is None:
                self.since.setdefault(seat, at)
        if match.over:
            self.status = OVER
            happening.table = True
        happening.match = True

    def _name(self, chair: Chair) -> str:
        return self.guests[chair.guest].nickname if chair.guest is not None else str(chair.rank)

    # -- telling ----------------------------------------------------------------------------------------------------

    def _tell(self, events: list[Event]) -> list[dict[str, Any]]:
        """Events as everybody gets them: names, rule, and a sentence in each language."""
        told = []
        for event in events:
            said = {language: self.game.say_event(event, self.game.words(language)) for language in LANGUAGES}
            told.append({"kind": event.kind, "rule": event.rule, "fields": event.fields, **said})
        return told

    def table_info(self) -> dict[str, Any]:
        """The set-up, seats and guests, as everybody may know them."""
        return {
            "id": self.id,
            **self.settings,
            "status": self.status,
            "clock": self.clock,
            "commitment": self.commitment,
            "rematch": self.rematch,
            "guests": [{"guest": g.number, "nickname": g.nickname} for g in self.guests.values()],
            "seats": [
                {"seat": seat, "guest": c.guest, "rank": c.rank, "ready": c.ready} for seat, c in enumerate(self.chairs)
            ],
        }

    def match_info(self, guest: int | None) -> dict[str, Any] | None:
        """The match as a guest may know it: the views of the seats they hold, what those may do, who must act."""
        if self.match is None:
            return None
        match, seats = self.match, self.seats_of(guest)
        shown = seats if len(seats) == 1 else [*seats, PUBLIC]  # several people on one device share a public board
        outcome = match.outcome
        info: dict[str, Any] = {
            "version": match.version,
            "to_act": match.to_act,
            "views": {str(seat): self._view(seat) for seat in shown},
            "legal": {str(seat): match.legal(seat) for seat in seats if seat in match.to_act},
            "deadlines": {str(seat): t for seat in self.since if (t := self.deadline(seat)) is not None},
            "undo": {"by": self.undo["by"], "agreed": sorted(self.undo["agreed"])} if self.undo else None,
            "outcome": None,
        }
        if outcome is not None:
            info["outcome"] = {"scores": outcome.scores, "winners": outcome.winners, "reason": outcome.reason}
            info["seed"] = match.dice.seed
            info["offers"] = self.settled_offers()
        return info

    def _view(self, seat: int) -> Raw:
        """A view as JSON, made once for all who see the same."""
        view = self.playing.view_state(seat)
        key = view.tobytes()
        if key not in self._raw:
            self._raw[key] = Raw(encode(self.playing.game.describe(view)))
        return self._raw[key]

    def settled_offers(self) -> list[dict[str, Any]]:
        """At the end: every offer that was made openly or not, and whether it was kept."""
        offers = self.game.offers
        if offers is None or self.match is None:
            return []
        return [{**offer, "kept": offers.kept(self.match, offer)} for offer in self.offers]

    def told_to(self, guest: int | None, happening: Happening) -> bool:
        """Whether a happening concerns a guest, or whoever only watches."""
        return happening.to is None or guest in happening.to

    def message(self, guest: int | None, happening: Happening) -> bytes:
        """The newest happening for a guest, with what of their state it changed."""
        return encode(
            messages.Happened(
                v=self.version(guest),
                kind=happening.kind,
                at=happening.at,
                by=happening.by,
                events=happening.events,
                said=happening.said,
                table=self.table_info() if happening.table else None,
                match=self.match_info(guest) if happening.match else None,
            )
        )

    def catch_up(self, guest: int | None, seen: int | None) -> bytes:
        """What a client needs that has seen version `seen`: the gap where it is remembered, else everything."""
        now = self.version(guest)
        missed = [happening for happening in self.recent if self.told_to(guest, happening)]
        table, match = self.table_info(), self.match_info(guest)
        if seen is not None and now - len(missed) <= seen <= now:
            told = [_summary(happening) for happening in missed[len(missed) - (now - seen) :]]
            return encode(messages.Gap(v=now, missed=told, table=table, match=match))
        return encode(messages.Sync(v=now, table=table, match=match, log=[_summary(h) for h in missed]))

    def match_file(self) -> dict[str, Any]:
        """The match file of a match that is over."""
        if self.status != OVER:
            raise _refuse("not-over", NOT_OVER)
        return to_dict(self.playing)


def _summary(happening: Happening) -> dict[str, Any]:
    told = {"kind": happening.kind, "at": happening.at, "by": happening.by}
    if happening.events:
        told["events"] = happening.events
    if happening.said:
        told["said"] = happening.said
    return told


def _refuse(code: str, message: str, **fields: Any) -> Refusal:
    return IllegalAction(code, message, **fields)


def _house(language: str, message: str) -> str:
    from tribord.core.words import Words

    return Words(language).say(message)


def legible(text: str) -> str:
    """Text as it may be shown: composed, on one line, without control or direction characters."""
    plain = unicodedata.normalize("NFC", text)
    kept = "".join(c if unicodedata.category(c)[0] not in "CZ" else " " for c in plain)
    words = " ".join(kept.split())
    if not words:
        raise _refuse("no-name", NO_NAME)
    return words


def row_body(body: dict[str, Any]) -> bytes:
    """A row's body as it is stored."""
    return msgspec.json.encode(body)
