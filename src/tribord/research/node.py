"""Nodes of the game tree for OpenSpiel: immutable states, what the rules say about them, and how they were reached."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pyspiel

from tribord.core import event, refusal
from tribord.core.bits import lowest_bit
from tribord.core.chance import below
from tribord.core.compiled import Driver, compiled
from tribord.core.game import Game, load
from tribord.core.match import why_not
from tribord.core.record import CHANCE, Floats, Ints, State, States, duplicate, revive
from tribord.core.refusal import IllegalAction
from tribord.core.verbs import apply, chance, guess, observe, roll, sample, to_act

NOBODY = -3  # neither a seat nor chance: the "actor" before the first position
# Plain integers: comparing OpenSpiel's enums takes as long as a rule.
BY_DICE, TOGETHER, ENDED = map(int, (pyspiel.PlayerId.CHANCE, pyspiel.PlayerId.SIMULTANEOUS, pyspiel.PlayerId.TERMINAL))

# For programmers, so only in English, like OpenSpiel.
AT_ONCE = "Several seats decide at once here: apply_actions takes one action for every seat."
BY_CHANCE = "Chance decides here: apply_action takes what it brings."
ALL_SEATS = "There are {players} seats, and actions for {given}."
NO_OUTCOME = "Chance cannot bring {action} here."


@compiled
def look(states: States, seat: int, rng: Ints, out: Ints, floats: Floats) -> None:
    """Write a view as floats, or, if `floats` is empty, turn it into a determinization."""
    if len(floats):
        observe(states[0], seat, floats)
    else:
        guess(states[0], seat, rng, out)


@compiled
def finish(states: States, rng: Ints, out: Ints) -> None:
    """Play to the end with random decisions."""
    state = states[0]
    while True:
        acting = to_act(state)
        if acting:
            seat = lowest_bit(acting)
            apply(state, seat, sample(state, seat, rng, out), None)
        elif chance(state, out):
            apply(state, CHANCE, roll(state, rng, out), None)
        else:
            return


NO_LUCK = np.zeros(4, np.int64)
NO_FLOATS = np.zeros(0, np.float32)


def look_at(game: Game, view: States, seat: int, rng: Ints, floats: Floats) -> None:
    """Run `look`, compiled if the game is."""
    driver_of(game, look)(view, seat, rng, np.empty(game.engine.room, np.int64), floats)


def driver_of(game: Game, driver: Driver) -> Callable[..., None]:
    """A driver, compiled if the game is."""
    return driver.function if game.engine.driver is None else driver


class Node:
    """An immutable state, with what the rules say about it and how it was reached.

    OpenSpiel copies states all the time. Because this never changes, a copy is the same object.
    """

    __slots__ = (
        "_info_digests",
        "_legal",
        "acting",
        "action",
        "at_once",
        "before",
        "game",
        "player",
        "players",
        "seat",
        "states"
    )  # fmt: skip

    def __init__(
        self, game: Game, players: int, at_once: bool, states: States,
        before: Node | None = None, seat: int = NOBODY, action: int = 0,
    ):  # fmt: skip
        self.game = game
        self.players = players
        self.at_once = at_once
        self.states = states
        self.before = before  # the position in which `seat` chose `action`
        self.seat = seat
        self.action = action
        self.acting = game.engine.to_act(states)
        self.player = self._player()
        self._legal: dict[int, list[int]] = {}
        self._info_digests: dict[int, bytes] = {}

    def _player(self) -> int:
        """The current player, in OpenSpiel's terms."""
        if self.acting:
            return TOGETHER if self.at_once and self.acting & (self.acting - 1) else lowest_bit(self.acting)
        return ENDED if self.game.engine.outcome(self.states)[0] else BY_DICE

    def __deepcopy__(self, memo: Any) -> Node:
        return self

    def __reduce__(self) -> Any:
        line = list(self.line())
        records = b"".join(position.states.tobytes() for position in line)
        moves = [(position.seat, position.action) for position in line]
        return _remember, (self.game.id, self.players, self.at_once, records, moves, line[0]._info_digests)

    def line(self) -> Iterator[Node]:
        """All positions from the first to this one."""
        line: list[Node] = []
        position: Node | None = self
        while position is not None:
            line.append(position)
            position = position.before
        return reversed(line)

    # -- asking -----------------------------------------------------------------------------------------------------

    def legal(self, seat: int) -> list[int]:
        """A seat's legal actions."""
        if seat not in self._legal:
            self._legal[seat] = self.game.engine.legal(self.states, seat) if self.acting >> seat & 1 else []
        return self._legal[seat]

    def chances(self) -> list[tuple[int, float]]:
        """The chance outcomes with their probabilities."""
        weights = self.game.engine.weights(self.states)
        total = sum(weights)
        return [(outcome, weight / total) for outcome, weight in enumerate(weights) if weight]

    def shares(self) -> list[float]:
        """Every seat's final share of the victory; in a cooperative game 1 for all or 0 for all."""
        _why, _scores, wins = self.game.engine.outcome(self.states)
        winners = 1 if self.game.cooperative else sum(wins[: self.players])
        return [win / winners if win else 0.0 for win in wins[: self.players]]

    def view(self, seat: int) -> States:
        """The view of a seat or of the public."""
        view = duplicate(self.states)
        self.game.engine.view(view, seat)
        return view

    def info_digest(self, seat: int) -> bytes:
        """A digest of everything a seat has seen and done since the first position."""
        behind: list[Node] = []
        position: Node | None = self
        while position is not None and seat not in position._info_digests:
            behind.append(position)
            position = position.before
        info_digest = position._info_digests[seat] if position else b""
        for position in reversed(behind):
            own = position.action if position.seat == seat else -1
            content = info_digest + own.to_bytes(4, "big", signed=True) + position.view(seat).tobytes()
            info_digest = position._info_digests[seat] = hashlib.blake2b(content, digest_size=16).digest()
        return info_digest

    # -- playing ----------------------------------------------------------------------------------------------------

    def after(self, seat: int, action: int) -> Node:
        """The position after an action. Refuses an illegal one, in the words of the rules."""
        if seat == CHANCE:
            if action not in [outcome for outcome, _odds in self.chances()]:
                raise IllegalAction("no-outcome", NO_OUTCOME, action=action)
        elif action not in self.legal(seat):
            raise self._why_not(seat, action)
        states = duplicate(self.states)
        self.game.engine.apply(states, seat, action, event.buffer())
        return Node(self.game, self.players, self.at_once, states, self, seat, action)

    def _why_not(self, seat: int, action: int) -> IllegalAction:
        if not 0 <= action < self.game.actions:
            refused = IllegalAction("not-an-action", refusal.NOT_AN_ACTION, action=action)
        else:
            refused = why_not(self.game, self.view(seat)[0], seat, action)
        refused.speak = self.game.words
        return refused

    def next(self, action: int) -> Node:
        """The position after the single acting seat, or chance, has acted."""
        if self.player == ENDED:
            raise IllegalAction("match-over", refusal.MATCH_OVER)
        if self.player == TOGETHER:
            raise IllegalAction("at-once", AT_ONCE)
        return self.after(CHANCE if self.player == BY_DICE else self.player, action)

    def together(self, actions: list[int]) -> Node:
        """The position after all acting seats have acted; other seats pass 0 or INVALID_ACTION.

        Also works if a single seat acts: algorithms for simultaneous games pass all actions in every position.
        """
        if self.player == ENDED:
            raise IllegalAction("match-over", refusal.MATCH_OVER)
        if self.player == BY_DICE:
            raise IllegalAction("by-chance", BY_CHANCE)
        if len(actions) != self.players:
            raise IllegalAction("all-seats", ALL_SEATS, players=self.players, given=len(actions))
        position = self
        for seat, action in enumerate(actions):
            if self.legal(seat):
                position = position.after(seat, action)
            elif action not in (0, pyspiel.INVALID_ACTION):
                raise IllegalAction("not-your-turn", refusal.NOT_YOUR_TURN)
        return position

    def guessed(self, seat: int, rng: Ints) -> Node:
        """A random position that the seat can't distinguish from this one, given all it has seen and done."""
        position = imagined(self.game, self.players, self.at_once, self.view(seat)[0], seat, rng)
        position._info_digests[seat] = self.info_digest(seat)
        return position


def _remember(
    game: str, players: int, at_once: bool, records: bytes, moves: list[tuple[int, int]], info_digests: dict[int, bytes]
) -> Node:
    """Restore a position and its history from `Node.__reduce__`."""
    found, size, position = load(game), load(game).state_bytes, None
    for k, (seat, action) in enumerate(moves):
        states = revive(records[k * size : (k + 1) * size], found.dtype)
        position = Node(found, players, at_once, states, position, seat, action)
        if k == 0:
            position._info_digests = info_digests  # including those of a guess, which can't be recomputed
    assert position is not None
    return position


def imagined(game: Game, players: int, at_once: bool, view: State, seat: int, rng: Ints) -> Node:
    """A full state consistent with a seat's view.

    If sealed choices are made one after another, the seats before this one have chosen.
    """
    states: States = revive(view.tobytes(), game.dtype)
    look_at(game, states, seat, rng, NO_FLOATS)
    acting = game.engine.to_act(states)
    if not at_once and acting >> seat & 1:
        for other in range(seat):
            if acting >> other & 1:
                legal = game.engine.legal(states, other)
                game.engine.apply(states, other, legal[below(rng, len(legal))], event.buffer())
    return Node(game, players, at_once, states)
