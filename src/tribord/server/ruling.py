"""Rulings: whether what a guest asks for may be, and the row that makes it so. Nothing changes here."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any

from tribord.bots import ranks
from tribord.core import refusal, secrecy
from tribord.core.match import Match
from tribord.core.refusal import BadOption, IllegalAction
from tribord.core.words import _
from tribord.server import messages
from tribord.server.name import LONGEST, distinct
from tribord.server.phrase import PHRASES, legible
from tribord.server.table import HOST, OPEN, OVER, PLAYING, Seat, Table

MOST_GUESTS = 64
MOST_OFFERS = 96  # in one match

NOT_HOST = _("Only the host of the table may do that.")
HOST_STAYS = _("The host stays at the table.")
NO_SUCH_SEAT = _("There is no seat {seat} at this table.")
NO_SUCH_GUEST = _("There is no guest {guest} at this table.")
TAKEN = _("Seat {seat} is taken.")
NOT_YOUR_SEAT = _("Seat {seat} is not yours.")
STARTED = _("The match has begun: the seats stay as they are.")
DICE_FIXED = _("The dice of this match are fixed.")
CONTRIBUTED = _("You have already added to the dice.")
NOT_STARTED = _("The match has not begun yet.")
SEATS_OPEN = _("Seat {seat} is still open.")
NOT_READY = _("{nickname} is not ready yet.")
BOT_PLAYS = _("A bot is playing for seat {seat}: take the seat back first.")
NOT_AWAY = _("A bot can play for {nickname} once they’ve been away for a minute.")
NO_BOT_PLAYS = _("No bot is playing for seat {seat}.")
NO_RANK = _("“{rank}” is no rank of a bot.")
NOTHING_SAID = _("Say a line or a phrase, one of the two.")
NO_PHRASE = _("There is no phrase “{phrase}”.")
NO_OFFERS = _("Offers are not made in this game.")
ENOUGH_OFFERS = _("There were {most} offers in this match: that is enough.")
ONLY_PLAYERS = _("Only those who sit at the table may do that.")
NOBODY_ASKED = _("Nobody has asked to take a decision back.")
NOT_OVER = _("The match is still going on.")
REMATCHED = _("There is already another match at table {table}.")
FULL_TABLE = _("This table has {most} guests already.")
NO_NAME = _("A nickname needs something to read in it.")

LINE = 280
RANKS = ranks()

NewRow = tuple[str, dict[str, Any]]


def _here(guest: int) -> bool:
    """Nobody is away."""
    return False


def decide(
    table: Table, guest: int, command: messages.Command, away: Callable[[int], bool] = _here,
    bots: Collection[str] = RANKS,
) -> NewRow:  # fmt: skip
    """The row (kind and body) that carries a guest's command out; refuses what may not be.

    While the host is away, whoever sits at the table may do what otherwise only the host may.
    """
    body = _RULINGS[type(command)](_Asking(table, guest, away, bots), command)
    return str(command.__struct_config__.tag), {"by": guest, "id": command.id, **body}


def decide_bot(table: Table, seat: int, action: int, version: int) -> NewRow:
    """The row of a bot's action, thought of at a version of the match, if it is still the bot's to act."""
    if seat not in table.to_act(by_bot=True):
        raise _no("no-bot-plays", NO_BOT_PLAYS, seat=seat)
    assert table.match is not None
    number = table.match.check(seat, action, version=version)
    return "act", {"seat": seat, "action": table.game.notation(number), "rank": table.seats[seat].rank}


def decide_late(table: Table, seat: int) -> NewRow:
    """The row by which a bot takes over from a player whose time is up."""
    assert table.clock is not None
    return "replace", {"seat": seat, "rank": table.clock.rank}


def decide_resume(table: Table) -> NewRow | None:
    """The row by which those who must decide begin again after time has jumped, if a clock runs."""
    return ("resume", {}) if table.clock and table.clock.since else None


def undoable(table: Table, guest: int) -> int:
    """From which place of the journal on an undo that this guest asks for takes decisions back; refuses as the undo."""
    return _Asking(table, guest).undoable()


def decide_join(table: Table, nickname: str, digest: str, watch: bool) -> NewRow:
    """The row by which somebody comes to the table: to the first open seat, where there is one and they want it."""
    if len(table.guests) >= MOST_GUESTS:
        raise _no("full", FULL_TABLE, most=MOST_GUESTS)
    free = [seat for seat, held in enumerate(table.seats) if held.open and table.status == OPEN and not watch]
    body = {"by": table.arrived, "nickname": distinct(nickname, table.names()), "digest": digest}
    return "join", body | ({"seat": free[0]} if free else {})


def nickname(text: str) -> str:
    """A nickname as it may be shown."""
    name = legible(text, LONGEST)
    if not name:
        raise BadOption("no-name", NO_NAME)
    return name


class _Asking:
    """A guest who asks for something at a table."""

    def __init__(
        self, table: Table, guest: int, away: Callable[[int], bool] = _here, bots: Collection[str] = ()
    ):  # fmt: skip
        self.table = table
        self.guest = guest
        self.away = away
        self.bots = bots

    # -- before the match -------------------------------------------------------------------------------------------

    def sit(self, command: messages.Sit) -> dict[str, Any]:
        self._before_the_match()
        own = self.table.seats_of(self.guest)
        sat: dict[str, Any] = {"seat": command.seat, "ready": True}
        if command.seat in own:
            sat["name"] = self.table.seats[command.seat].name
        else:
            self._open(command.seat)
        if command.name is not None:
            return {**sat, "name": self._called(command.name, command.seat)}
        return {**sat, "left": own} if len(own) == 1 else sat

    def stand(self, command: messages.Stand) -> dict[str, Any]:
        self._before_the_match()
        self._own(command.seat)
        return {"seat": command.seat}

    def ready(self, command: messages.Ready) -> dict[str, Any]:
        self._before_the_match()
        self._seated()
        return {"ready": command.ready}

    def contribute(self, command: messages.Contribute) -> dict[str, Any]:
        table = self.table
        if table.status != OPEN and (table.rematch is not None or not table.rematch_seed):
            raise _no("dice-fixed", DICE_FIXED)
        if table.guests[self.guest].contribution:
            raise _no("contributed", CONTRIBUTED)
        return {"value": command.value, "to": [self.guest]}

    def arrange(self, command: messages.Arrange) -> dict[str, Any]:
        self._before_the_match()
        self._host()
        self._seat(command.seat)
        if command.to not in ("open", "me"):
            self._rank(command.to)
        named = {"name": self._called(command.name)} if command.name is not None and command.to == "me" else {}
        return {"seat": command.seat, "occupant": command.to, **named}

    def swap(self, command: messages.Swap) -> dict[str, Any]:
        self._before_the_match()
        self._seat(command.seat)
        self._seat(command.other)
        if not self._may_host():
            self._own(command.seat)
            self._open(command.other)
        return {"seat": command.seat, "other": command.other}

    def rename(self, command: messages.Rename) -> dict[str, Any]:
        named = self.guest if command.guest is None else command.guest
        if named != self.guest:
            self._host()
        self._guest(named)
        if command.seat is None:
            return {"guest": named, "nickname": distinct(nickname(command.nickname), self.table.names(but=named))}
        if self._seat(command.seat).guest != named:
            raise _no("not-your-seat", NOT_YOUR_SEAT, seat=command.seat)
        return {"guest": named, "seat": command.seat, "nickname": self._called(command.nickname, command.seat)}

    def remove(self, command: messages.Remove) -> dict[str, Any]:
        if self.guest != HOST:  # whoever stands in for a host who is away must not send others away for good
            raise _no("not-host", NOT_HOST)
        self._guest(command.guest)
        if command.guest == HOST:
            raise _no("host-stays", HOST_STAYS)
        self._rank(command.rank)
        return {"guest": command.guest, "rank": command.rank}

    def start(self, command: messages.Start) -> dict[str, Any]:
        self._before_the_match()
        self._host()
        if command.rank is not None:
            self._rank(command.rank)
        for seat, held in enumerate(self.table.seats):
            if held.open and command.rank is None:
                raise _no("seat-open", SEATS_OPEN, seat=seat)
            if held.guest is not None and held.guest not in (HOST, self.guest) and not held.ready:
                raise _no("not-ready", NOT_READY, nickname=self.table.guests[held.guest].nickname)
        return {} if command.rank is None else {"rank": command.rank}

    # -- during the match -------------------------------------------------------------------------------------------

    def act(self, command: messages.Act) -> dict[str, Any]:
        self._own(command.seat)
        match = self._begun()
        if self.table.seats[command.seat].rank is not None:
            raise _no("bot-plays", BOT_PLAYS, seat=command.seat)
        number = match.check(command.seat, command.action, version=command.version)
        return {"seat": command.seat, "action": match.game.notation(number)}

    def reclaim(self, command: messages.Reclaim) -> dict[str, Any]:
        self._own(command.seat)
        self._playing()
        if self.table.seats[command.seat].rank is None:
            raise _no("no-bot-plays", NO_BOT_PLAYS, seat=command.seat)
        return {"seat": command.seat}

    def replace(self, command: messages.Replace) -> dict[str, Any]:
        owner = self._seat(command.seat).guest
        if owner != self.guest:
            self._host()
        self._playing()
        self._rank(command.rank)
        if owner not in (None, self.guest) and not self.away(owner):
            raise _no("not-away", NOT_AWAY, nickname=self.table.guests[owner].nickname)
        return {"seat": command.seat, "rank": command.rank}

    def undo(self, command: messages.Undo) -> dict[str, Any]:
        self._seated()
        self._playing()
        request = self.table.request
        if request is None and not command.agree:
            raise _no("nobody-asked", NOBODY_ASKED)
        if request is not None and (request.by != self.guest or not command.agree):
            return {"agree": command.agree}
        return {"agree": True, "place": self.undoable(), "asked": sorted(self.table.owners())}

    def undoable(self) -> int:
        self._seated()
        return secrecy.last_decision(self._playing(), self.table.seats_of(self.guest))

    def chat(self, command: messages.Chat) -> dict[str, Any]:
        if command.phrase is not None and command.phrase not in PHRASES:
            raise _no("no-such-phrase", NO_PHRASE, phrase=command.phrase)
        line = legible(command.line or "", LINE)
        if bool(line) == (command.phrase is not None):
            raise _no("nothing-said", NOTHING_SAID)
        return {**({"line": line} if line else {"phrase": command.phrase}), **self._addressed(command.to)}

    def offer(self, command: messages.Offer) -> dict[str, Any]:
        self._own(command.seat)
        match = self._begun()
        offers = match.game.offers
        if offers is None:
            raise _no("no-offers", NO_OFFERS)
        if len(self.table.offers) >= MOST_OFFERS:
            raise _no("enough-offers", ENOUGH_OFFERS, most=MOST_OFFERS)
        try:
            offer = offers.check(match, command.seat, command.offer)
        except IllegalAction as refused:
            refused.speak = match.game.words
            raise
        return {"seat": command.seat, "offer": offer, **self._addressed(command.to)}

    # -- after the match --------------------------------------------------------------------------------------------

    def rematch(self, command: messages.Rematch) -> dict[str, Any]:
        self._host()
        if self.table.status != OVER:
            raise _no("not-over", NOT_OVER)
        if self.table.rematch is not None:
            raise _no("rematched", REMATCHED, table=self.table.rematch)
        return {}

    # -- what must hold ---------------------------------------------------------------------------------------------

    def _before_the_match(self) -> None:
        if self.table.status != OPEN:
            raise _no("started", STARTED)

    def _begun(self) -> Match:
        if self.table.match is None:
            raise _no("not-started", NOT_STARTED)
        return self.table.match

    def _playing(self) -> Match:
        match = self._begun()
        if self.table.status != PLAYING:
            raise _no("match-over", refusal.MATCH_OVER)
        return match

    def _may_host(self) -> bool:
        return self.guest == HOST or (self.away(HOST) and bool(self.table.seats_of(self.guest)))

    def _host(self) -> None:
        if not self._may_host():
            raise _no("not-host", NOT_HOST)

    def _guest(self, guest: int) -> None:
        if guest not in self.table.guests:
            raise _no("no-such-guest", NO_SUCH_GUEST, guest=guest)

    def _seat(self, seat: int) -> Seat:
        if seat >= len(self.table.seats):
            raise _no("no-such-seat", NO_SUCH_SEAT, seat=seat)
        return self.table.seats[seat]

    def _open(self, seat: int) -> None:
        if not self._seat(seat).open:
            raise _no("taken", TAKEN, seat=seat)

    def _own(self, seat: int) -> None:
        if self._seat(seat).guest != self.guest:
            raise _no("not-your-seat", NOT_YOUR_SEAT, seat=seat)

    def _seated(self) -> None:
        if not self.table.seats_of(self.guest):
            raise _no("only-players", ONLY_PLAYERS)

    def _called(self, wanted: str, seat: int | None = None) -> str:
        """What somebody at this device is called, who may have a seat: as nobody else is."""
        others = [self.table.name(own) for own in self.table.seats_of(self.guest) if own != seat]
        return distinct(nickname(wanted), [*self.table.names(but=self.guest), *others])

    def _rank(self, rank: str) -> None:
        if rank not in self.bots:
            raise _no("no-such-rank", NO_RANK, rank=rank)

    def _addressed(self, to: Iterable[int] | None) -> dict[str, Any]:
        if to is None:
            return {}
        for other in to:
            self._guest(other)
        return {"to": sorted({self.guest, *to})}


_RULINGS: dict[type[messages.Command], Callable[..., dict[str, Any]]] = {
    messages.Sit: _Asking.sit,
    messages.Stand: _Asking.stand,
    messages.Ready: _Asking.ready,
    messages.Contribute: _Asking.contribute,
    messages.Arrange: _Asking.arrange,
    messages.Swap: _Asking.swap,
    messages.Rename: _Asking.rename,
    messages.Remove: _Asking.remove,
    messages.Start: _Asking.start,
    messages.Act: _Asking.act,
    messages.Reclaim: _Asking.reclaim,
    messages.Replace: _Asking.replace,
    messages.Undo: _Asking.undo,
    messages.Chat: _Asking.chat,
    messages.Offer: _Asking.offer,
    messages.Rematch: _Asking.rematch,
}


def _no(code: str, message: str, **fields: Any) -> IllegalAction:
    return IllegalAction(code, message, **fields)
