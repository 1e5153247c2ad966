"""A table: guests, seats, one match, talk. It is the fold of its journal and knows no socket, store or wall clock.

A table never changes. `follow` gives the table after a row, the same in every process: so a row can be tried on a table
and committed before the new table becomes the truth. `ruling` decides which rows are allowed, `outgoing` what each
guest gets.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from collections.abc import Set as AbstractSet
from functools import lru_cache
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from tribord.core.chance import Dice
from tribord.core.event import Event
from tribord.core.game import Game, load
from tribord.core.history import History
from tribord.core.journal import audit_content
from tribord.core.match import Match
from tribord.server.clock import Clock
from tribord.server.name import alike, fresh

OPEN, PLAYING, OVER = "open", "playing", "over"
HOST = 0  # the guest who created the table
REMEMBERED = 64  # updates kept for clients that missed some
RESENT = 64  # commands of a guest, at least, that are recognized if sent again
REVEAL_SECONDS = 5.0  # for devices to reveal their contributions, when a match is started
BUNDLE = 8  # per bundle: one bundle is rebuilt for every command, the others are shared


class Guest(Struct, frozen=True, gc=False):
    """Someone at the table, known by a secret; the table keeps only its hash."""

    number: int
    nickname: str
    digest: str
    pending: str = ""  # hash of a new, unused secret; until its first use the old one is valid
    commitment: str = ""  # to what they add to the dice of the next match: at this table, or else its rematch
    commitments: int = 0  # that they have made at this table
    muted: bool = False  # by the host: they play, and say nothing
    reported: frozenset[int] = frozenset()  # the guests they have reported
    bundles: tuple[Mapping[str, int], ...] = ()  # the last commands, and the version each led to

    def having_done(self, command: str, version: int) -> Guest:
        """The guest after a command."""
        *full, last = self.bundles or ({},)
        if len(last) == BUNDLE:
            full, last = [*full, last], {}
        return replace(self, bundles=(*full[-RESENT // BUNDLE :], {**last, command: version}))

    def done(self, command: str) -> int | None:
        """The version that a command led to, if it is one of the last that this guest gave."""
        return next((bundle[command] for bundle in self.bundles if command in bundle), None)


class Seat(Struct, frozen=True, gc=False):
    """A seat: open, a guest's, a bot's (rank and no guest), or a guest's with a bot that plays for it (both). `name` is
    the player, if that isn't the guest: a bot, or one of several people at the guest's device.
    """

    guest: int | None = None
    rank: str | None = None
    ready: bool = False
    name: str = ""

    @property
    def open(self) -> bool:
        """Whether anyone may sit down."""
        return self.guest is None and self.rank is None


class Request(Struct, frozen=True, gc=False):
    """Someone asks the others to agree: to take back everything in the match from `place` on, or to remove a guest."""

    by: int
    place: int
    agreed: frozenset[int]
    asked: frozenset[int] | None = None  # who must agree; None at release 0.1.0, where a bot agreed for its player
    guest: int | None = None  # to be removed


class SharedEvent(Struct, frozen=True, eq=False, gc=False):
    """An event as tables keep it: one object for all tables with the same event, equal only to itself."""

    kind: str
    rule: str
    fields: Mapping[str, int]


class Remark(Struct, frozen=True, gc=False, omit_defaults=True):
    """What someone said or offered, or who was removed or muted: data, which `outgoing` puts into words."""

    line: str | None = None
    phrase: str | None = None
    seat: int | None = None
    offer: Mapping[str, Any] | None = None
    guest: int | None = None
    nickname: str | None = None
    muted: bool | None = None
    silent: bool | None = None
    to: tuple[int, ...] | None = None


class Update(Struct, frozen=True, gc=False):
    """What a row did, as its recipients may know it."""

    kind: str
    at: float
    by: int | None
    command: str | None = None  # the id of the command that this carried out
    to: frozenset[int] | None = None  # None: everyone
    events: tuple[SharedEvent, ...] = ()
    said: Remark | None = None
    table: bool = False  # whether seats, guests or set-up changed
    match: bool = False  # whether the match changed
    place: int | None = None  # of a decision: where it stands in the match's journal
    undone: int | None = None  # the decisions from this place on were taken back

    def concerns(self, guest: int | None) -> bool:
        """Whether it goes to a guest, or (None) to spectators."""
        return self.to is None or guest in self.to


class Table:
    """The table as it stands after the rows it has followed."""

    def __init__(self, id: str):
        self.id = id
        self.seq = -1  # of the last row
        self.game: Game
        self.settings: dict[str, Any] = {}  # game, game_version, players, options, public, code, hints
        self.seed = ""  # secret until the match is over
        self.commitment = ""
        self.rematch_seed = ""  # fixed from the start: players contribute to a rematch's dice before it exists
        self.next = ""  # the id of the table of a rematch, shown when there is one
        self.status = OPEN
        self.guests: dict[int, Guest] = {}
        self.arrived = HOST + 1  # the number of the next guest: numbers of removed guests aren't used again
        self.seats: tuple[Seat, ...] = ()
        self.match: Match | None = None
        self.imported: dict[str, Any] | None = None  # the match file that this table shows: others may have signed it
        self.hosted = True  # all of the match was played at tables of this server, which can vouch for it
        self.clock: Clock | None = None
        self.request: Request | None = None
        self.removal: Request | None = None
        self.offers: tuple[dict[str, Any], ...] = ()
        self.rematch: str | None = None
        self.removed: Mapping[int, int] = {}  # seats of players who were removed: the match's version then
        self.revealing: dict[
            int, str
        ] = {}  # the match is started: guests who add to its dice, and what they have revealed
        self.reveal_by = 0.0  # or else it isn't
        self.transfers: dict[int, tuple[str, float]] = {}  # guest: hash of the code to come in elsewhere, until when
        self.versions: dict[int | None, int] = {None: 0}  # None: updates for everyone; a guest: for them alone
        self.last: Update  # what the last row did
        self.recent: History[Update] = History(most=REMEMBERED)
        self.cache: dict[Any, Any] = {}  # rendered parts of this table

    # -- asking -----------------------------------------------------------------------------------------------------

    def version(self, guest: int | None) -> int:
        """How many updates have reached a guest, or (None) a spectator."""
        return self.versions[None] + (self.versions.get(guest, 0) if guest is not None else 0)

    def seats_of(self, guest: int | None) -> list[int]:
        """The seats a guest holds."""
        return [seat for seat, held in enumerate(self.seats) if guest is not None and held.guest == guest]

    def owners(self) -> set[int]:
        """The guests who own a seat, also while a bot plays for them."""
        return {seat.guest for seat in self.seats if seat.guest is not None}

    def name(self, seat: int) -> str:
        """The name in a seat; empty if it's open."""
        held = self.seats[seat]
        return held.name or ("" if held.guest is None else self.guests[held.guest].nickname)

    def names(self, but: int | None = None) -> list[str]:
        """The names of all guests except one, and of the people at their devices. Before the match a bot gives way."""
        guests = [guest.nickname for guest in self.guests.values() if guest.number != but]
        seated = [s.name for s in self.seats if s.guest != but and (s.guest is not None or self.status != OPEN)]
        return [*guests, *filter(None, seated)]

    def awaited(self) -> list[int]:
        """The guests who have still to reveal what they add to the dice before the match begins."""
        return [guest for guest, value in self.revealing.items() if not value]

    def to_act(self, by_bot: bool) -> list[int]:
        """The seats that must decide now and are played by a bot, or by a person."""
        if self.match is None or self.status != PLAYING:
            return []
        return [seat for seat in self.match.to_act if (self.seats[seat].rank is not None) == by_bot]

    def late(self, now: float) -> list[int]:
        """The seats whose time is up."""
        return [seat for seat, t in self.clock.deadlines().items() if t <= now] if self.clock else []

    def due(self, now: float) -> float | None:
        """When the table needs the server: at once for a bot, later for a clock, never without either."""
        if self.revealing:
            return self.reveal_by
        if self.to_act(by_bot=True):
            return now
        return min(self.clock.deadlines().values(), default=None) if self.clock else None

    def kept_offers(self) -> list[dict[str, Any]]:
        """When the match is over: all offers that were made, public or not, and what became of them."""
        if "offers" not in self.cache:
            offers, match = self.game.offers, self.match
            assert match is not None
            self.cache["offers"] = [{**offer, "kept": offers.kept(match, offer)} for offer in self.offers if offers]
        return self.cache["offers"]

    # -- following --------------------------------------------------------------------------------------------------

    def follow(self, seq: int, kind: str, body: dict[str, Any], at: float) -> Table:
        """The table after a row. Rows come in order, each once."""
        assert seq == self.seq + 1, f"row {seq} after {self.seq}"
        after = Table.__new__(Table)
        after.__dict__.update(self.__dict__)
        after.seq, after.cache = seq, {}
        to = frozenset(body["to"]) if "to" in body else None
        changes = getattr(after, "_follow_" + kind.replace("-", "_"))(body, at)
        after.last = Update(kind, at, body.get("by"), body.get("id"), to, **changes)
        after.recent = self.recent.fork() if after.last.undone is None else forgotten(self.recent, after.last.undone)
        after.recent.append(after.last)
        recipients = (None,) if to is None else to
        after.versions = {**self.versions, **{r: self.versions.get(r, 0) + 1 for r in recipients}}
        if "id" in body:
            guest = after.guests[body["by"]]
            after._know(guest.having_done(body["id"], after.version(guest.number)))
        return after

    # Each of these changes a new table by replacing its values, never by mutating them, and returns the update's
    # content beside its author and time.

    def _follow_create(self, body: dict[str, Any], at: float) -> dict[str, Any]:
        self.game = load(body["game"])
        self.settings = {name: body[name] for name in ("game", "game_version", "players", "options", "public", "code")}
        self.settings["hints"] = body.get("hints", True)  # release 0.1.0 had none, and didn't forbid any
        self.settings["guide"] = body.get("guide")  # the guided match that is played
        self.settings["branch"] = body.get("branch")  # of which match this goes on, and from where
        self.seed, self.commitment, self.next = body["seed"], body["commitment"], body["next"]
        self.rematch_seed = body.get("rematch_seed", "")
        self.clock = Clock(**body["clock"]) if body["clock"] else None
        for guest in body["guests"]:
            self._know(Guest(**guest))
        return self._seat(dict(enumerate(Seat(**seat) for seat in body["seats"])))

    def _follow_import(self, body: dict[str, Any], at: float) -> dict[str, Any]:
        content = self.imported = body["file"]
        self.match, _none = audit_content(content, Path("match file"))
        self.match.forget_events()
        self.game = self.match.game
        self.settings = {name: content[name] for name in ("game", "game_version", "players", "options")}
        self.settings |= {"public": False, "code": body["code"], "hints": False, "guide": None, "branch": None}
        self.seed, self.commitment = content["seed"], content["commitment"]
        self.seats = tuple(Seat() for _seat in range(content["players"]))
        self.status = OVER
        self.hosted = False
        return {"table": True, "match": True}

    def _follow_branch(self, body: dict[str, Any], at: float) -> dict[str, Any]:
        self._follow_create(body, at)
        self.hosted = body.get("hosted", False)
        self.match, _none = audit_content(body["file"], Path("match file"))
        self.match.names = [self.name(seat) for seat in range(len(self.seats))]
        events = [event for step in self.match.steps[self.match.branched :] for event in step.events]
        self.match.forget_events()
        self.status = PLAYING
        return self._go_on(at, events) | {"table": True}

    def _follow_join(self, body: dict[str, Any], at: float) -> dict[str, Any]:
        self._know(Guest(body["by"], body["nickname"], body["digest"]))
        return self._seat({body["seat"]: Seat(guest=body["by"], ready=True)} if "seat" in body else {})

    def _follow_transfer(self, body: dict[str, Any], at: float) -> dict[str, Any]:
        self.transfers = {**self.transfers, body["by"]: (body["digest"], at + body["seconds"])}
        return {}

    def _follow_new_secret(self, body: dict[str, Any], at: float) -> dict[str, Any]:
        self._know(replace(self.guests[body["by"]], pending=body["digest"]))
        return {}

    def _follow_secret(self, body: dict[str, Any], at: float) -> dict[str, Any]:
        guest = body["by"]
        self._know(replace(self.guests[guest], digest=body["digest"], pending=""))
        self.transfers = {other: code for other, code in self.transfers.items() if other != guest}
        return {}

    def _follow_sit(self, body: dict[str, Any], at: float) -> dict[str, Any]:
        left = dict.fromkeys(body.get("left", ()), Seat())
        sat = Seat(guest=body["by"], ready=body.get("ready", False), name=body.get("name", ""))
        return self._seat({**left, body["seat"]: sat})

    def _follow_stand(self, body: dict[str, Any], at: float) -> dict[str, Any]:
        return self._seat({body["seat"]: Seat()})

    def _follow_ready(self, body: dict[str, Any], at: float) -> dict[str, Any]:
        own = self.seats_of(body["by"])
        return self._seat({seat: replace(self.seats[seat], ready=body["ready"]) for seat in own})

    def _follow_contribute(self, body: dict[str, Any], at: float) -> dict[str, Any]:
        guest = self.guests[body["by"]]
        self._know(replace(guest, commitment=body["commitment"], commitments=guest.commitments + 1))
        return {"table": True}

    def _follow_reveal(self, body: dict[str, Any], at: float) -> dict[str, Any]:
        self.revealing = {**self.revealing, body["by"]: body["value"]}
        return {"table": True} if self.awaited() else self._begin(at)

    def _follow_silent(self, body: dict[str, Any], at: float) -> dict[str, Any]:
        silent = self.guests[self.awaited()[0]]
        self.revealing = {}
        self._forget_commitments()
        return {"said": Remark(guest=silent.number, nickname=silent.nickname, silent=True), "table": True}

    def _follow_arrange(self, body: dict[str, Any], at: float) -> dict[str, Any]:
        named = {"open": Seat(), "me": Seat(guest=body["by"], ready=True, name=body.get("name", ""))}
        self._seat({body["seat"]: named.get(body["occupant"]) or Seat(rank=body["occupant"])})
        return self._ask_whether_ready(body)

    def _ask_whether_ready(self, body: dict[str, Any]) -> dict[str, Any]:
        """Guests whom the host has moved look at their seats before they're ready again."""
        return self._seat({seat: replace(self.seats[seat], ready=False) for seat in body.get("unready", ())})

    def _follow_swap(self, body: dict[str, Any], at: float) -> dict[str, Any]:
        one, other = body["seat"], body["other"]
        self._seat({one: self.seats[other], other: self.seats[one]})
        return self._ask_whether_ready(body)

    def _follow_rename(self, body: dict[str, Any], at: float) -> dict[str, Any]:
        if "seat" in body:
            changes = self._seat({body["seat"]: replace(self.seats[body["seat"]], name=body["nickname"])})
        else:
            self._know(replace(self.guests[body["guest"]], nickname=body["nickname"]))
            changes = self._seat({})
        if self.match is not None and self.status == PLAYING:  # the match is recorded with the names at that time
            own = self.seats_of(body["guest"])
            names = [self.name(seat) if seat in own else known for seat, known in enumerate(self.match.names)]
            self._fork().names = names
        return changes

    def _follow_remove(self, body: dict[str, Any], at: float) -> dict[str, Any]:
        number, nickname = body["guest"], self.guests[body["guest"]].nickname
        self.guests = {other: guest for other, guest in self.guests.items() if other != number}
        self.transfers = {other: code for other, code in self.transfers.items() if other != number}
        if self.request is not None and self.request.by == number:
            self.request = None
        self.removal = None  # who was asked has changed
        self._players_changed()
        left = Seat() if self.status == OPEN else Seat(rank=body["rank"])
        if self.match is not None and self.status == PLAYING:
            self.removed = {**self.removed, **dict.fromkeys(self.seats_of(number), self.match.version)}
        seated = self._seat(dict.fromkeys(self.seats_of(number), left))
        changes = {"said": Remark(guest=number, nickname=nickname), **seated}
        return self._ask_again(at) | changes if self.match is not None else changes

    def _follow_removal(self, body: dict[str, Any], at: float) -> dict[str, Any]:
        if "asked" in body:
            asked = frozenset(body["asked"])
            self.removal = Request(body["by"], 0, frozenset({body["by"]}), asked, body["guest"])
        elif self.removal is not None and body["agree"]:
            self.removal = replace(self.removal, agreed=self.removal.agreed | {body["by"]})
        else:
            self.removal = None
        return {"match": True}

    def _follow_mute(self, body: dict[str, Any], at: float) -> dict[str, Any]:
        guest = replace(self.guests[body["guest"]], muted=body["muted"])
        self._know(guest)
        return {"said": Remark(guest=guest.number, nickname=guest.nickname, muted=guest.muted), "table": True}

    def _follow_report(self, body: dict[str, Any], at: float) -> dict[str, Any]:
        guest = self.guests[body["by"]]
        self._know(replace(guest, reported=guest.reported | {body["guest"]}))
        return {}

    def _follow_start(self, body: dict[str, Any], at: float) -> dict[str, Any]:
        if "rank" in body:  # bots take the seats that are still free
            self._seat({seat: Seat(rank=body["rank"]) for seat, held in enumerate(self.seats) if held.open})
        if not body.get("revealing"):
            return self._begin(at)
        # The contributors are fixed before anything is revealed, or the last ones could choose.
        self.revealing, self.reveal_by = dict.fromkeys(body["revealing"], ""), at + REVEAL_SECONDS
        self._forget_commitments(but=body["revealing"])
        return {"table": True}

    def _begin(self, at: float) -> dict[str, Any]:
        names = [self.name(seat) for seat in range(len(self.seats))]
        dice = Dice(self.seed, self._contributions())
        self.revealing = {}
        self._forget_commitments()
        self.match = self.game.match(self.settings["players"], dice, self.settings["options"], names)
        events = self.match.events
        self.match.forget_events()
        self.status = PLAYING
        return self._go_on(at, events) | {"table": True}

    def _follow_act(self, body: dict[str, Any], at: float) -> dict[str, Any]:
        match = self._fork()
        place = match.version
        action, rank = self.game.action(body["action"]), body.get("rank", "")
        events = match.carry_out(body["seat"], action, round(at, 3), rank)
        self.request = None
        if self.clock:
            self.clock = self.clock.stopped([body["seat"]], at).ended([body["seat"]])
        return self._go_on(at, events) | {"place": place}

    def _follow_replace(self, body: dict[str, Any], at: float) -> dict[str, Any]:
        seat = body["seat"]
        changes = self._seat({seat: replace(self.seats[seat], rank=body["rank"])})
        self._players_changed()
        return self._ask_again(at) | changes

    def _follow_reclaim(self, body: dict[str, Any], at: float) -> dict[str, Any]:
        seat = body["seat"]
        changes = self._seat({seat: replace(self.seats[seat], rank=None)})
        if self.clock:
            self.clock = self.clock.graced(seat)
        return self._ask_again(at) | changes

    def _follow_resume(self, body: dict[str, Any], at: float) -> dict[str, Any]:
        assert self.clock is not None
        self.clock = self.clock.restarted(at)
        return {"match": True}

    def _follow_undo(self, body: dict[str, Any], at: float) -> dict[str, Any]:
        if "place" in body:
            asked = frozenset(body["asked"]) if "asked" in body else None
            self.request = Request(body["by"], body["place"], frozenset({body["by"]}), asked)
        elif self.request is not None and body["agree"]:
            self.request = replace(self.request, agreed=self.request.agreed | {body["by"]})
        else:
            self.request = None
        return self._ask_again(at)

    def _follow_chat(self, body: dict[str, Any], at: float) -> dict[str, Any]:
        return {"said": Remark(line=body.get("line"), phrase=body.get("phrase"), to=_addressed(body))}

    def _follow_offer(self, body: dict[str, Any], at: float) -> dict[str, Any]:
        assert self.match is not None
        offer = {"seat": body["seat"], "offer": body["offer"], "to": body.get("to"), "version": self.match.version}
        self.offers = (*self.offers, offer)
        return {"said": Remark(seat=body["seat"], offer=body["offer"], to=_addressed(body))}

    def _follow_rematch(self, body: dict[str, Any], at: float) -> dict[str, Any]:
        self.rematch = self.next
        return {"table": True}

    def _forget_commitments(self, but: Collection[int] = ()) -> None:
        kept = self.guests.items()
        self.guests = {number: guest if number in but else replace(guest, commitment="") for number, guest in kept}

    def _contributions(self) -> list[str | None]:
        """The players' contributions to the dice, each by their first seat; empty without any."""
        first = {held.guest: seat for seat, held in reversed(list(enumerate(self.seats))) if held.guest is not None}
        added: list[str | None] = [None] * len(self.seats)
        for guest, seat in first.items():
            added[seat] = self.revealing.get(guest)
        return added if any(added) else []

    def _know(self, guest: Guest) -> None:
        self.guests = {**self.guests, guest.number: guest}
        self.arrived = max(self.arrived, guest.number + 1)

    def _seat(self, changed: dict[int, Seat]) -> dict[str, Any]:
        seats = range(self.settings["players"])
        self.seats = tuple([changed[seat] if seat in changed else self.seats[seat] for seat in seats])
        for seat in seats:
            self._christen(seat)
        return {"table": True}

    def _christen(self, seat: int) -> None:
        """A bot's first name is unique; once the match has begun it keeps it."""
        held = self.seats[seat]
        if held.guest is not None or held.rank is None or (held.name and self.status != OPEN):
            return
        others = [self.name(other) for other in range(len(self.seats)) if other != seat]
        taken = [*others, *(guest.nickname for guest in self.guests.values())]
        if not held.name or alike(held.name) in map(alike, taken):
            given = replace(held, name=fresh(taken, f"{self.id} {seat}"))
            self.seats = (*self.seats[:seat], given, *self.seats[seat + 1 :])

    def _fork(self) -> Match:
        """The match as this table's own, to be changed."""
        assert self.match is not None
        self.match = self.match.fork()
        return self.match

    def _players_changed(self) -> None:
        """A bot plays for someone: earlier requests lapse, or the bot would replace their refusal."""
        if self.request is not None and self.request.asked is not None:
            self.request = None

    def _ask_again(self, at: float) -> dict[str, Any]:
        """Carry out the undo if everyone asked agrees."""
        if self.request is None or not self._asked(self.request) <= self.request.agreed:
            return self._go_on(at, [])
        match, place = self._fork(), self.request.place
        match.rewind(place)
        self.request = None
        self.offers = tuple({**offer, "version": min(offer["version"], place)} for offer in self.offers)
        if self.clock:
            self.clock = self.clock.running([], at)
            self.clock = self.clock.ended(self.clock.left)
        return self._go_on(at, []) | {"undone": place}

    def _asked(self, request: Request) -> AbstractSet[int]:
        if request.asked is not None:
            return request.asked
        return {seat.guest for seat in self.seats if seat.guest is not None and seat.rank is None}

    def _go_on(self, at: float, events: list[Event]) -> dict[str, Any]:
        """After a change of the match or its players: is it over, and whose clock runs?"""
        assert self.match is not None
        over = self.status == PLAYING and self.match.over
        if over:
            self.status, self.removal = OVER, None
        if self.clock:
            self.clock = self.clock.running(self.to_act(by_bot=False), at, len(events))
            self.clock = self.clock.ended([seat for seat in self.clock.left if seat not in self.match.to_act])
        return {"events": shared(events), "match": True, "table": over}


def forgotten(recent: History[Update], place: int) -> History[Update]:
    """The updates without the events of undone decisions. Their entries stay, empty, because every recipient counts
    updates.
    """
    return History(
        (replace(h, events=()) if h.place is not None and h.place >= place else h for h in recent), most=REMEMBERED
    )


def shared(events: list[Event]) -> tuple[SharedEvent, ...]:
    """Events as tables keep them: those that are the same are one object."""
    return tuple([_shared(event.kind, event.rule, *event.fields.items()) for event in events])


@lru_cache(maxsize=4_096)  # many tables have the same events
def _shared(kind: str, rule: str, *fields: tuple[str, int]) -> SharedEvent:
    return SharedEvent(kind, rule, dict(fields))


def _addressed(body: dict[str, Any]) -> tuple[int, ...] | None:
    return tuple(body["to"]) if "to" in body else None
