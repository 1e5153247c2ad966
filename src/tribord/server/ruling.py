"""Rulings: check what a guest asks for and return the row that carries it out. Nothing changes here."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any

from tribord.bots import ranks
from tribord.core import refusal, secrecy
from tribord.core.chance import commitment_to
from tribord.core.match import Match
from tribord.core.refusal import BadOption, IllegalAction
from tribord.core.words import _
from tribord.server import messages
from tribord.server.name import LONGEST, distinct
from tribord.server.phrase import PHRASES, legible
from tribord.server.table import HOST, OPEN, OVER, PLAYING, Seat, Table

MOST_GUESTS = 64
MOST_OFFERS = 96  # in one match, the same for each seat: nobody uses up the others'
MOST_COMMITMENTS = 128  # of one guest at one table: a device makes one, and another when it comes back

NOT_HOST = _("Only the host can do that.")
HOST_STAYS = _("The host can’t leave the table.")
NO_SUCH_SEAT = _("That seat doesn’t exist at this table.")
NO_SUCH_GUEST = _("That person isn’t at this table.")
TAKEN = _("{name} already has that seat. Choose another one.")
NOT_YOUR_SEAT = _("That isn’t your seat. Choose your own.")
STARTED = _("The game has started. Seats can’t change now.")
DICE_FIXED = _("The draws in this game are already fixed.")
ENOUGH_COMMITMENTS = _("Your device has added to the seed too often at this table. You can still play.")
STARTING = _("The game is about to start. Wait a moment.")
NOT_ASKED = _("The table isn’t waiting for your part of the seed.")
WRONG_VALUE = _("That isn’t the part of the seed that you committed to.")
NOT_STARTED = _("The game hasn’t started yet.")
SEATS_OPEN = _("A seat is still open. Wait for someone, or start with a bot there.")
NOT_READY = _("Waiting for {nickname}.")
BOT_PLAYS = _("A bot is playing for {name}. Take over first.")
NOT_AWAY = _("A bot can play for {nickname} once they’ve been away for a minute.")
TOO_WEAK = _("For someone else’s seat, choose a deckhand or a stronger bot.")
BOT_STAYS = _("Others are playing too, so the bots stay as they are.")
HEIR_STAYS = _("This bot plays on for someone who was removed, so it stays as it is.")
REMOVED_SINCE = _("A player has been removed since then, so you can’t take that choice back.")
NO_BOT_PLAYS = _("No bot is playing for {name}.")
TIME_UP = _("Your time is up, so the bot decides. You can take over right after.")
NO_RANK = _("“{rank}” isn’t a rank of bot.")
NOTHING_SAID = _("Send either a text or a ready-made phrase.")
NO_PHRASE = _("There’s no phrase “{phrase}”.")
NO_OFFERS = _("This game has no offers.")
ENOUGH_OFFERS = _("You’ve used all your {most} offers in this game.")
ONLY_PLAYERS = _("Only players with a seat can do that.")
NOBODY_ASKED = _("No one has asked to take a choice back.")
NOT_OVER = _("The game isn’t over yet.")
REMATCHED = _("Someone has already opened the next table. Join that one.")
FULL_TABLE = _("This table is full: it already has {most} guests.")
MUTED = _("The host has muted you. You can play on, but not chat, point or change your name.")
REPORTED = _("You have already reported {nickname}. The person who runs this server will see it.")
YOURSELF = _("That’s you. Choose someone else.")
NO_NAME = _("Enter a visible nickname.")

LINE = 280
RANKS = ranks()
STRONGEST = RANKS[-1]  # nobody gains by removing who is ahead
FAIR = RANKS[RANKS.index("matelot") :]  # nobody gains by a weak bot in an opponent's seat

NewRow = tuple[str, dict[str, Any]]


def _here(guest: int) -> bool:
    """The default: no guest is away."""
    return False


def decide(
    table: Table, guest: int, command: messages.Command, away: Callable[[int], bool] = _here,
    bots: Collection[str] = RANKS, here: Callable[[], Collection[int]] = tuple,
) -> NewRow:  # fmt: skip
    """Return the row (kind and body) that carries out a guest's command; refuse what isn't allowed.

    While the host is away, any player may do what otherwise only the host may. Only guests who are `here` can
    contribute to the dice when the match starts.
    """
    body = _RULINGS[type(command)](_Asking(table, guest, away, bots, here), command)
    return str(command.__struct_config__.tag), {"by": guest, "id": command.id, **body}


def decide_bot(table: Table, seat: int, action: int, version: int) -> NewRow:
    """Return the row of a bot's action, if it's still the bot's turn; `version` is the match it decided on."""
    if seat not in table.to_act(by_bot=True):
        raise _no("no-bot-plays", NO_BOT_PLAYS, name=table.name(seat))
    assert table.match is not None
    number = table.match.check(seat, action, version=version)
    return "act", {"seat": seat, "action": table.game.notation(number), "rank": table.seats[seat].rank}


def decide_late(table: Table, seat: int) -> NewRow:
    """Return the row with which a bot takes over from a player whose time is up."""
    assert table.clock is not None
    return "replace", {"seat": seat, "rank": table.clock.rank}


def decide_silent(table: Table) -> NewRow | None:
    """Return the row that calls off a start because a device didn't answer."""
    return ("silent", {}) if table.revealing else None


def decide_resume(table: Table) -> NewRow | None:
    """Return the row that restarts running clocks after time has jumped."""
    return ("resume", {}) if table.clock and table.clock.since else None


def undoable(table: Table, guest: int) -> int:
    """Return from which journal place this guest's undo would take decisions back; refuse as the undo would."""
    return _Asking(table, guest).undoable()


def decide_join(table: Table, nickname: str, digest: str, watch: bool) -> NewRow:
    """Return the row with which someone joins: on the first open seat, if there is one and they want it."""
    if len(table.guests) >= MOST_GUESTS:
        raise _no("full", FULL_TABLE, most=MOST_GUESTS)
    sits = table.status == OPEN and not table.revealing and not watch
    free = [seat for seat, held in enumerate(table.seats) if held.open and sits]
    body = {"by": table.arrived, "nickname": distinct(nickname, table.names()), "digest": digest}
    return "join", body | ({"seat": free[0]} if free else {})


def nickname(text: str) -> str:
    """A nickname as it may be shown."""
    name = legible(text, LONGEST)
    if not name:
        raise BadOption("no-name", NO_NAME)
    return name


def check_speaks(table: Table, guest: int) -> None:
    """Refuse someone the host has muted."""
    if table.guests[guest].muted:
        raise _no("muted", MUTED)


class _Asking:
    """A guest who asks for something at a table."""

    def __init__(
        self, table: Table, guest: int, away: Callable[[int], bool] = _here, bots: Collection[str] = (),
        here: Callable[[], Collection[int]] = tuple,
    ):  # fmt: skip
        self.table = table
        self.guest = guest
        self.away = away
        self.bots = bots
        self.here = here

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
            self._speaks()
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
        if table.status == OPEN and table.settings["guide"]:
            raise _no("dice-fixed", DICE_FIXED)
        if table.revealing or (table.status != OPEN and (table.rematch is not None or not table.rematch_seed)):
            raise _no("dice-fixed", DICE_FIXED)
        if table.guests[self.guest].commitments >= MOST_COMMITMENTS:
            raise _no("enough-commitments", ENOUGH_COMMITMENTS)
        return {"commitment": command.commitment}

    def reveal(self, command: messages.Reveal) -> dict[str, Any]:
        if self.guest not in self.table.awaited():
            raise _no("not-asked", NOT_ASKED)
        if commitment_to(command.value) != self.table.guests[self.guest].commitment:
            raise _no("wrong-value", WRONG_VALUE)
        return {"value": command.value}

    def arrange(self, command: messages.Arrange) -> dict[str, Any]:
        self._before_the_match()
        self._host()
        self._seat(command.seat)
        if command.to not in ("open", "me"):
            self._rank(command.to)
        if command.name is not None:
            self._speaks()
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
        self._speaks()
        named = self.guest if command.guest is None else command.guest
        if named != self.guest:
            self._host()
        self._guest(named)
        if command.seat is None:
            return {"guest": named, "nickname": distinct(nickname(command.nickname), self.table.names(but=named))}
        if self._seat(command.seat).guest != named:
            raise _no("not-your-seat", NOT_YOUR_SEAT)
        return {"guest": named, "seat": command.seat, "nickname": self._called(command.nickname, command.seat)}

    def remove(self, command: messages.Remove) -> dict[str, Any]:
        if self.guest != HOST:  # a stand-in for an absent host must not send others away for good
            raise _no("not-host", NOT_HOST)
        self._guest(command.guest)
        if command.guest == HOST:
            raise _no("host-stays", HOST_STAYS)
        if self.table.revealing:
            raise _no("starting", STARTING)
        self._rank(command.rank)
        if self.table.status == OVER:
            self._fair(command.rank)
        return {"guest": command.guest, "rank": STRONGEST if self.table.status == PLAYING else command.rank}

    def mute(self, command: messages.Mute) -> dict[str, Any]:
        if self.guest != HOST:  # nor silence others
            raise _no("not-host", NOT_HOST)
        self._someone_else(command.guest)
        return {"guest": command.guest, "muted": command.muted}

    def report(self, command: messages.Report) -> dict[str, Any]:
        self._someone_else(command.guest)
        if command.guest in self.table.guests[self.guest].reported:
            raise _no("reported", REPORTED, nickname=self.table.guests[command.guest].nickname)
        return {"guest": command.guest, "reason": command.reason, "to": [self.guest]}

    def start(self, command: messages.Start) -> dict[str, Any]:
        self._before_the_match()
        self._host()
        if command.rank is not None:
            self._rank(command.rank)
        for held in self.table.seats:
            if held.open and command.rank is None:
                raise _no("seat-open", SEATS_OPEN)
            if held.guest is not None and held.guest not in (HOST, self.guest) and not held.ready:
                raise _no("not-ready", NOT_READY, nickname=self.table.guests[held.guest].nickname)
        # Guests who aren't here can't reveal their contribution, so the start doesn't wait for them.
        here = self.table.owners() & {*self.here()}
        added = [guest for guest in sorted(here) if self.table.guests[guest].commitment]
        return ({} if command.rank is None else {"rank": command.rank}) | ({"revealing": added} if added else {})

    # -- during the match -------------------------------------------------------------------------------------------

    def act(self, command: messages.Act) -> dict[str, Any]:
        self._own(command.seat)
        match = self._begun()
        if self.table.seats[command.seat].rank is not None:
            raise _no("bot-plays", BOT_PLAYS, name=self.table.name(command.seat))
        number = match.check(command.seat, command.action, version=command.version)
        return {"seat": command.seat, "action": match.game.notation(number)}

    def reclaim(self, command: messages.Reclaim) -> dict[str, Any]:
        self._own(command.seat)
        match = self._playing()
        if self.table.seats[command.seat].rank is None:
            raise _no("no-bot-plays", NO_BOT_PLAYS, name=self.table.name(command.seat))
        if self.table.clock and command.seat in self.table.clock.extended and command.seat in match.to_act:
            raise _no("time-up", TIME_UP)
        return {"seat": command.seat}

    def replace(self, command: messages.Replace) -> dict[str, Any]:
        owner = self._seat(command.seat).guest
        if owner != self.guest:
            self._host()
        self._playing()
        self._rank(command.rank)
        if owner is None and not self.table.owners() <= {self.guest}:
            raise _no("bot-stays", BOT_STAYS)
        if command.seat in self.table.removed:
            raise _no("bot-stays", HEIR_STAYS)
        if owner not in (None, self.guest):
            if not self.away(owner):
                raise _no("not-away", NOT_AWAY, nickname=self.table.guests[owner].nickname)
            self._fair(command.rank)
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
        place = secrecy.last_decision(self._playing(), self.table.seats_of(self.guest))
        if place < max(self.table.removed.values(), default=0):  # who was removed can't be asked
            raise _no("removed-since", REMOVED_SINCE)
        return place

    def chat(self, command: messages.Chat) -> dict[str, Any]:
        self._speaks()
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
        most = MOST_OFFERS // match.players
        if sum(offer["seat"] == command.seat for offer in self.table.offers) >= most:
            raise _no("enough-offers", ENOUGH_OFFERS, most=most)
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
            raise _no("rematched", REMATCHED)
        return {}

    # -- what must hold ---------------------------------------------------------------------------------------------

    def _before_the_match(self) -> None:
        if self.table.status != OPEN:
            raise _no("started", STARTED)
        if self.table.revealing:
            raise _no("starting", STARTING)

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
            raise _no("no-such-guest", NO_SUCH_GUEST)

    def _someone_else(self, guest: int) -> None:
        self._guest(guest)
        if guest == self.guest:
            raise _no("yourself", YOURSELF)

    def _speaks(self) -> None:
        check_speaks(self.table, self.guest)

    def _seat(self, seat: int) -> Seat:
        if seat >= len(self.table.seats):
            raise _no("no-such-seat", NO_SUCH_SEAT)
        return self.table.seats[seat]

    def _open(self, seat: int) -> None:
        if not self._seat(seat).open:
            raise _no("taken", TAKEN, name=self.table.name(seat))

    def _own(self, seat: int) -> None:
        if self._seat(seat).guest != self.guest:
            raise _no("not-your-seat", NOT_YOUR_SEAT)

    def _seated(self) -> None:
        if not self.table.seats_of(self.guest):
            raise _no("only-players", ONLY_PLAYERS)

    def _called(self, wanted: str, seat: int | None = None) -> str:
        """The name of someone at this device, who may have a seat: different from everyone else's."""
        others = [self.table.name(own) for own in self.table.seats_of(self.guest) if own != seat]
        return distinct(nickname(wanted), [*self.table.names(but=self.guest), *others])

    def _rank(self, rank: str) -> None:
        if rank not in self.bots:
            raise _no("no-such-rank", NO_RANK, rank=rank)

    def _fair(self, rank: str) -> None:
        """A bot for someone else's seat: at least the usual rank, or the one the clock names."""
        if rank not in FAIR and not (self.table.clock and rank == self.table.clock.rank):
            raise _no("too-weak", TOO_WEAK)

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
    messages.Reveal: _Asking.reveal,
    messages.Arrange: _Asking.arrange,
    messages.Swap: _Asking.swap,
    messages.Rename: _Asking.rename,
    messages.Remove: _Asking.remove,
    messages.Mute: _Asking.mute,
    messages.Report: _Asking.report,
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
