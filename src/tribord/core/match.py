"""A match: one playing of a game. Its journal is the only truth; the state is its replay."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tribord.core import event, refusal
from tribord.core.chance import Dice, stream
from tribord.core.engine import Legal
from tribord.core.event import Event
from tribord.core.game import Game
from tribord.core.history import History
from tribord.core.record import CHANCE, PUBLIC, State, duplicate, multiply
from tribord.core.refusal import IllegalAction
from tribord.core.words import _

NOTHING_TO_UNDO = _("There’s nothing to take back.")
NO_SUCH_PLACE = _("This game has no step {place}: its steps go from 0 to {last}.")
OVER_THERE = _("The game is over at step {place}: choose an earlier one to play on from.")


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the journal: a seat's action, or (seat CHANCE) what the dice gave; `at` is when, if it was noted.

    `rank` is the bot that decided; "" for a person, or if unknown.
    """

    seat: int
    action: int
    at: float | None = None
    rank: str = ""


@dataclass(frozen=True, slots=True)
class Branching:
    """Where a branch parts from another match: up to `place` the journal and the dice are that match's. `redealt` is
    the seat that had everything hidden from it dealt again; None: it's as it was.
    """

    place: int
    dice: Dice
    redealt: int | None = None


@dataclass(frozen=True)
class Outcome:
    """How a match ended: points per seat, the winning seats, and why it ended."""

    scores: list[int]
    winners: list[int]
    reason: str


NOTHING: list[Event] = []  # shared: not to be changed
SNAPSHOT = 32  # journal entries between snapshots: going back replays at most this many


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything needed to continue from a place in the journal."""

    draws: int
    opened: int
    state: bytes


@dataclass(slots=True)
class Step:
    """A journal entry with its events, and now and then a snapshot of the state after it."""

    entry: Entry
    events: list[Event] = field(default_factory=list)
    snapshot: Snapshot | None = None


class Match:
    """One playing of a game: decisions go in through `play`, and the match rolls the dice itself."""

    def __init__(
        self,
        game: Game,
        players: int,
        seed: int | str | Dice | None = None,
        options: Mapping[str, Any] | None = None,
        names: list[str] | None = None,
        branchings: Sequence[Branching] = (),
    ):
        self.game = game
        self.players = players
        self.settings = game.settings(players, options)
        self.dice = seed if isinstance(seed, Dice) else Dice.secret() if seed is None else Dice(str(seed))
        self.names = list(names or [])
        self.branchings = tuple(branchings)  # if this is a branch: of which matches, the oldest first
        self.offers: list[dict[str, Any]] = []  # what players offered each other, if a file has it: see `journal`
        self.forgetful = False  # about events: the players have already seen them
        self.restart()
        self._throw()

    def restart(self) -> None:
        """Go back to the starting state with an empty journal, before the first roll."""
        self.steps: History[Step] = History()
        self.draws = 0
        self.opened = 0  # journal length when the current decisions opened
        self.states = np.zeros(1, self.game.dtype)  # a plain array: a quarter of the time to hand over
        self.state: State = self.states[0]  # the same memory
        self._position = b""
        self._answers: dict[Any, Any] = {}
        self.game.rules.initial(self.state, self.settings)
        if self.branchings:
            self._deal()

    def __getstate__(self) -> dict[str, Any]:
        return {name: thing for name, thing in self.__dict__.items() if name != "state"}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self.state = self.states[0]  # the same memory

    # -- asking -----------------------------------------------------------------------------------------------------

    @property
    def options(self) -> dict[str, Any]:
        """The options of the match as plain values."""
        return self.game.options_of(self.settings)

    @property
    def to_act(self) -> list[int]:
        """The seats that must decide now; several make a sealed choice at once; none if the match is over."""
        return list(self._once("to_act", self._acting))

    def _acting(self) -> list[int]:
        mask = self.game.engine.to_act(self.states)
        return [seat for seat in range(self.players) if mask >> seat & 1]

    def _once(self, question: Any, ask: Callable[[], Any]) -> Any:
        """The rules' answer, asked once in each position."""
        position = self.states.tobytes()
        if position != self._position:
            self._position, self._answers = position, {}
        if question not in self._answers:
            self._answers[question] = ask()
        return self._answers[question]

    def legal(self, seat: int) -> Legal:
        """What a seat may do now."""
        if seat not in self.to_act:
            return Legal(seat)
        return Legal(seat, self._once(("legal", seat), lambda: self.game.engine.legal(self.states, seat)))

    def view(self, seat: int = PUBLIC) -> dict[str, Any]:
        """What a seat (or the public) may know, as a readable dict that you may change."""
        return marshal.loads(marshal.dumps(self.game.describe(self.view_state(seat))))

    def view_state(self, seat: int = PUBLIC) -> State:
        """What a seat may know, as a record: for bots and learners."""
        view = duplicate(self.states)
        self.game.engine.view(view, seat)
        return view[0]

    def views(self) -> list[bytes]:
        """What the public and then every seat may know, as the bytes of their records: for a server's broadcasts."""
        views = multiply(self.states, 1 + self.players)
        self.game.engine.view(views, PUBLIC)
        content, size = views.tobytes(), views.itemsize
        return [content[start : start + size] for start in range(0, len(content), size)]

    def truth(self) -> dict[str, Any]:
        """The whole state as a readable dict: for finished matches, debugging and tests."""
        return marshal.loads(marshal.dumps(self.game.describe(self.state)))

    @property
    def journal(self) -> list[Entry]:
        """Every decision and roll, in order."""
        return [step.entry for step in self.steps]

    def bots(self) -> list[list[str]]:
        """By seat, the ranks of the bots that decided for it, in order, if that was noted."""
        found: list[dict[str, None]] = [{} for _seat in range(self.players)]
        for entry in self.journal:
            if entry.rank:
                found[entry.seat][entry.rank] = None
        return [list(ranks) for ranks in found]

    @property
    def branched(self) -> int:
        """The length of the journal at which a branch parted from the match before it; 0 if this isn't a branch."""
        return self.branchings[-1].place if self.branchings else 0

    @property
    def version(self) -> int:
        """The number of journal entries so far."""
        return len(self.steps)

    @property
    def events(self) -> list[Event]:
        """Everything that happened, in order, as everyone saw it."""
        return [happened for step in self.steps for happened in step.events]

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.outcome is not None

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended, or None while it goes on."""
        why, scores, wins = self._once("outcome", lambda: self.game.engine.outcome(self.states))
        if not why:
            return None
        winners = [seat for seat in range(self.players) if wins[seat]]
        return Outcome(scores[: self.players], winners, list(self.game.text.ENDINGS)[why - 1])

    # -- playing ----------------------------------------------------------------------------------------------------

    def play(
        self, seat: int, action: int | str | Mapping[str, Any], *, version: int | None = None, at: float | None = None
    ) -> list[Event]:
        """Play an action (number, notation or parts) for a seat; returns what happened, dice included.

        With `version`, the journal length the player had seen, an action meant for an earlier decision is refused.
        """
        return self.carry_out(seat, self.check(seat, action, version=version), at)

    def carry_out(self, seat: int, number: int, at: float | None = None, rank: str = "") -> list[Event]:
        """Play a checked action and the rolls it leads to; return what happened."""
        return self.follow(Entry(seat, number, at, rank)) + self._throw(at)

    def check(self, seat: int, action: int | str | Mapping[str, Any], *, version: int | None = None) -> int:
        """The action as a number, if the seat may play it now; raises `IllegalAction` and changes nothing."""
        try:
            if isinstance(seat, bool) or not isinstance(seat, int | np.integer) or not 0 <= seat < self.players:
                raise IllegalAction("no-such-seat", refusal.NO_SUCH_SEAT, seat=seat, last=self.players - 1)
            number = self.game.action(action)
            if version is not None and version < self.opened:
                raise IllegalAction("stale", refusal.STALE, meant=version, now=self.version)
            if seat not in self.to_act:
                raise self._not_now(seat)
            if number not in self.legal(seat):
                raise why_not(self.game, self.view_state(seat), seat, number)
        except IllegalAction as refused:
            refused.speak = self.game.words
            raise
        return number

    def _not_now(self, seat: int) -> IllegalAction:
        if self.over:
            return IllegalAction("match-over", refusal.MATCH_OVER)
        if self._sealing and int(self.state.sealed[seat]) >= 0:
            return IllegalAction("already-sealed", refusal.ALREADY_SEALED)
        return IllegalAction("not-your-turn", refusal.NOT_YOUR_TURN)

    def weights(self) -> list[int]:
        """The weights of the chance outcomes that are pending; empty when there are none."""
        return self.game.engine.weights(self.states)

    def _throw(self, at: float | None = None) -> list[Event]:
        """Roll as long as chance decides; return what happened."""
        happened: list[Event] = []
        while not self.to_act and (weights := self.weights()):
            happened += self.follow(Entry(CHANCE, self.draw(weights), at))
        return happened

    def draw(self, weights: list[int]) -> int:
        """What the dice give next. Before its parting, a branch has the dice of its original."""
        return self._dice_after(len(self.steps)).draw(self.draws, weights)

    def _dice_after(self, place: int) -> Dice:
        """The dice of the journal's next entry, when it has that many."""
        return next((parting.dice for parting in self.branchings if parting.place > place), self.dice)

    def _deal(self) -> None:
        """At a place where a branch parts: deal again what was hidden from a seat, if the branch says so."""
        for number, parting in enumerate(self.branchings):
            if parting.place == len(self.steps) and parting.redealt is not None:
                later = self.branchings[number + 1 :]
                dice = later[0].dice if later else self.dice
                dealt = self.view_state(parting.redealt)
                rng = stream(dice.number(f"deal:{parting.place}"))
                self.game.rules.guess(dealt, parting.redealt, rng, np.zeros(self.game.actions, np.int64))
                self.states[0] = dealt

    def follow(self, entry: Entry) -> list[Event]:
        """Carry out a journal entry as it is; returns what happened."""
        rows = event.buffer()
        self.game.engine.apply(self.states, entry.seat, entry.action, rows)
        self.draws += entry.seat == CHANCE
        happened = self.game.read_events(rows)
        step = Step(entry, NOTHING if self.forgetful else happened)
        self.steps.append(step)
        if self.branchings:
            self._deal()
        if not self._sealing:  # sealing your own choice doesn't make the others' stale
            self.opened = len(self.steps)
        if len(self.steps) % SNAPSHOT == 0:
            step.snapshot = Snapshot(self.draws, self.opened, self.states.tobytes())
        return happened

    def forget_events(self) -> None:
        """From now on steps keep no events, and past ones drop theirs: they're most of a match's memory."""
        self.forgetful = True
        self.steps = History(Step(step.entry, NOTHING, step.snapshot) for step in self.steps)

    @property
    def _sealing(self) -> int:
        return int(self.states["sealing"][0]) if "sealing" in self.game.dtype.fields else 0  # type: ignore[operator]

    def undo(self) -> None:
        """Take the last decision back, and the dice it led to. The same decision gives the same dice again.

        A branch goes back to where it parted, and no further.
        """
        own = self.steps[self.branched :]
        decided = [place for place, step in enumerate(own, self.branched) if step.entry.seat != CHANCE]
        if not decided:
            raise IllegalAction("nothing-to-undo", NOTHING_TO_UNDO)
        self.rewind(decided[-1])

    def rewind(self, place: int) -> None:
        """Back to this length of the journal, from the last snapshot before it."""
        steps = self.steps[:place]
        known = place - place % SNAPSHOT
        self.restart()
        if known:
            snapshot = steps[known - 1].snapshot
            assert snapshot is not None
            self.draws, self.opened = snapshot.draws, snapshot.opened
            self.states = np.frombuffer(snapshot.state, self.game.dtype).copy()
            self.state = self.states[0]
            self.steps = History(steps[:known])
        for step in steps[known:]:
            self.follow(step.entry)
        self._throw()

    def replay(self, journal: list[Entry]) -> None:
        """Start again and apply a journal as it is."""
        self.restart()
        for entry in journal:
            self.follow(entry)
        self._throw()

    def fork(self) -> Match:
        """Another match with the same past: what you play in one doesn't happen in the other."""
        twin = Match.__new__(Match)
        twin.__dict__.update(self.__dict__)
        twin.states, twin.steps = duplicate(self.states), self.steps.fork()
        twin.state = twin.states[0]
        return twin

    def beginning(self) -> Match:
        """The same match before any decision or roll: `follow` its journal to see it again."""
        past = Match(self.game, self.players, self.dice, self.options, self.names, self.branchings)
        past.restart()
        return past

    def branch(
        self,
        place: int,
        redeal: int | None = None,
        seed: int | str | Dice | None = None,
        names: list[str] | None = None,
    ) -> Match:
        """Another match that goes on from a place of this one's journal, with its own dice. Hidden things stay as they
        were, or with `redeal` they're dealt again from what that seat knew.
        """
        if not 0 <= place <= self.version:
            raise IllegalAction("no-such-place", NO_SUCH_PLACE, place=place, last=self.version)
        if redeal is not None and not 0 <= redeal < self.players:
            raise IllegalAction("no-such-seat", refusal.NO_SUCH_SEAT, seat=redeal, last=self.players - 1)
        partings = [parting for parting in self.branchings if parting.place <= place]
        partings.append(Branching(place, self._dice_after(place), redeal))
        given = self.names if names is None else names
        twin = Match(self.game, self.players, seed, self.options, given, partings).beginning()
        for entry in self.journal[:place]:
            twin.follow(entry)
        if twin.over:
            raise IllegalAction("match-over", OVER_THERE, place=place)
        twin._throw()
        return twin

    def parting(self, other: Match) -> int | None:
        """The place where another match went another way; None if one of them ends before that."""
        pairs = enumerate(zip(self.journal, other.journal))
        return next((place for place, (a, b) in pairs if (a.seat, a.action) != (b.seat, b.action)), None)

    # -- keeping ----------------------------------------------------------------------------------------------------

    def save(self, path: str | Path) -> None:
        """Write the match file: the whole truth of the match, hidden choices and seed included."""
        from tribord.core.journal import write

        write(self, Path(path))

    @staticmethod
    def load(path: str | Path) -> Match:
        """Read a match file back, byte for byte the same match; refuses an inconsistent file."""
        from tribord.core.journal import read

        return read(Path(path))


def legal_actions(game: Game, state: State, seat: int) -> Legal:
    """The legal actions of a seat in a state or view."""
    out = np.zeros(game.actions, np.int64)
    return Legal(seat, out[: int(game.rules.legal(state, seat, out))].tolist())


def why_not(game: Game, view: State, seat: int, action: int) -> IllegalAction:
    """Why a seat that must decide may not play this action, from what the seat itself can see."""
    code, fields = game.text.why_not(view, seat, action)
    if not code:
        return IllegalAction("not-legal", refusal.NOT_LEGAL, action=game.notation(action))
    number, message = game.text.REFUSALS[code]
    return IllegalAction(code, message, f"{game.letter}{number}", **fields)
