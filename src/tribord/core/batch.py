"""Batches: thousands of matches in one array, stepped together in compiled code, for learners without Python loops.

`Batch.advance` is one compiled call: it checks the actions, plays them, rolls the dice, and writes the seats to act,
their observations and masks, and the rewards of the step. docs/batch.md says more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tribord.core import verbs
from tribord.core.bits import lowest_bit
from tribord.core.chance import seed_stream
from tribord.core.compiled import compiled, rule, rules_of, verb
from tribord.core.game import Game
from tribord.core.match import why_not
from tribord.core.memory import check_memory
from tribord.core.record import CHANCE, Floats, Ints, State, States
from tribord.core.refusal import BadOption, IllegalAction
from tribord.core.verbs import legal, view  # by their own names: Numba takes `verbs.view` for an array method
from tribord.core.words import _

ILLEGAL_IN_BATCH = _("Match {match} of the batch: action {action} isn’t legal for seat {seat}. Nothing was played.")

# For programmers, so only in English.
ONE_EACH = "A batch of {matches} matches takes as many whole numbers as actions, not {given}."
BAD_UNIFORM = "“uniform” takes some of the seats 0 to {last}, and not all of them; it can't be {seats}."
BAD_ROOM = "“{name}” must be a C-contiguous, writable array of {dtype} with shape {shape}, not {given}."

Mask = NDArray[np.int8]


class Turns(NamedTuple):
    """Which decision each match waits for, and the rewards of the last step: plain contiguous arrays.

    Pass them to `Batch.advance` again to have them refilled.
    """

    seats: Ints
    """For every match the seat that must decide; -1 where the match is over."""
    observation: Floats
    """What that seat sees: a row of `game.layout` for every match."""
    action_mask: Mask
    """1 for every action that is legal for that seat, else 0."""
    rewards: Floats
    """For every match and seat the share of the victory in the step that ended the match, else 0."""
    over: NDArray[np.bool_]
    """Which matches are over; with `auto_reset`, which ended in the last step and have started again."""


class Batch:
    """Matches of one game side by side. Every match waits for one seat at a time; sealed choices go in seat order.

    >>> from tribord import load
    >>> batch = load("faut-pas-pousser").batch(1000, players=4, seed=1)
    >>> while not batch.over.all():
    ...     batch.step(batch.sample())
    >>> int(batch.scores.sum(axis=1).min())
    90

    With `auto_reset` a match that ends starts again in the same step, on the same stream of luck.

    >>> batch = Batch(load("faut-pas-pousser"), 1000, players=4, seed=1, auto_reset=True)
    >>> turns = batch.turns()
    >>> for _step in range(28):
    ...     turns = batch.advance(batch.sample(), out=turns)
    >>> bool(turns.over.all()), float(turns.rewards.sum())
    (True, 1000.0)

    The batch plays seats in `uniform` itself, uniformly at random, as it rolls the dice: it never waits for them.

    >>> set(Batch(load("sauve-qui-peut"), 1000, players=4, seed=1, uniform=(1, 2, 3)).seats.tolist())
    {0}
    """

    def __init__(
        self,
        game: Game,
        matches: int,
        players: int,
        seed: int = 0,
        options: Mapping[str, Any] | None = None,
        auto_reset: bool = False,
        uniform: Iterable[int] = (),
    ):
        self.game = game
        self.players = players
        self.settings = game.settings(players, options, research=True)
        self.auto_reset = auto_reset
        self.drawn = drawn_seats(players, uniform)
        check_memory(matches, game.state_bytes + game.actions + 8 * (5 + 2 * game.players[1]))
        self.states = game.states(matches)
        self.rngs = np.zeros((matches, 4), np.int64)
        self.seats = np.full(matches, -1, np.int64)
        """The seat each match waits for; -1 where the match is over."""
        self.scores = np.zeros((matches, game.players[1]), np.int64)
        self.wins = np.zeros((matches, game.players[1]), np.int64)
        self._mask = np.zeros((matches, game.actions), np.int8)  # our own, to check actions by
        self._scratch = game.states(1)
        self._out = np.zeros(max(game.actions, game.chances), np.int64)
        self._no_turns = Turns(
            self.seats, np.zeros((matches, 0), np.float32), np.zeros((matches, 0), np.int8),
            np.zeros((matches, 0), np.float32), np.zeros(matches, np.bool_),
        )  # fmt: skip
        self.reset(seed)

    def reset(self, seed: int = 0) -> None:
        """Start all matches again, each on its own stream of the seed."""
        begin(
            self.states, self.settings, self.drawn, self.rngs, int(seed), self.seats, self.scores, self.wins, self._out,
            self._mask,
        )  # fmt: skip

    @property
    def over(self) -> NDArray[np.bool_]:
        """Which matches have ended; none with `auto_reset`."""
        return self.seats < 0

    def legal(self) -> NDArray[np.bool_]:
        """For every match, a mask over all actions: what the awaited seat may do."""
        return self._mask.view(np.bool_).copy()

    def sample(self, out: Ints | None = None) -> Ints:
        """A uniform legal action for every match that goes on, -1 for the others."""
        actions = np.empty(len(self.states), np.int64) if out is None else out
        _check_room("out", actions, np.int64, (len(self.states),))
        sample_each(self.states, self.seats, self.rngs, self._out, actions)
        return actions

    def observe(self) -> Floats:
        """For every match, what the awaited seat sees, as floats."""
        out = np.zeros((len(self.states), self.game.observation), np.float32)
        observe_each(self.states, self._scratch, self.seats, out)
        return out

    def turns(self) -> Turns:
        """What every match waits for now, in new arrays: no rewards yet."""
        rewards = np.zeros((len(self.states), self.players), np.float32)
        return Turns(self.seats.copy(), self.observe(), self._mask.copy(), rewards, self.over)

    def step(self, actions: Ints) -> None:
        """Play one action in every match that goes on. An illegal one refuses the whole step and changes nothing."""
        self._play(actions, self._no_turns)

    def advance(self, actions: Ints, out: Turns | None = None) -> Turns:
        """Play one action in every match that goes on, and return the result: in `out`, or in new arrays. An illegal
        action refuses the whole step and changes nothing. Finished matches ignore their number.
        """
        if out is None:
            n, game = len(self.states), self.game
            out = Turns(
                seats=np.empty(n, np.int64),
                observation=np.empty((n, game.observation), np.float32),
                action_mask=np.empty((n, game.actions), np.int8),
                rewards=np.empty((n, self.players), np.float32),
                over=np.empty(n, np.bool_),
            )
        else:
            self._check_turns(out)
        self._play(actions, out)
        return out

    def _play(self, actions: Any, out: Turns) -> None:
        actions = as_actions(actions, len(self.states))
        bad = advance_each(
            self.states, self._scratch, self.settings, self.drawn, self.auto_reset, self.game.cooperative, self.seats,
            self.rngs, actions, self.scores, self.wins, self._out, self._mask, out,
        )  # fmt: skip
        if bad >= 0:
            raise refusal_in(self.game, self.states[bad], bad, int(self.seats[bad]), int(actions[bad]))

    def _check_turns(self, out: Turns) -> None:
        n, game = len(self.states), self.game
        _check_room("seats", out.seats, np.int64, (n,))
        _check_room("observation", out.observation, np.float32, (n, game.observation))
        _check_room("action_mask", out.action_mask, np.int8, (n, game.actions))
        _check_room("rewards", out.rewards, np.float32, (n, self.players))
        _check_room("over", out.over, np.bool_, (n,))


def _check_room(name: str, given: Any, dtype: Any, shape: tuple[int, ...]) -> None:
    """Refuse an array that compiled code can't fill."""
    if (
        not isinstance(given, np.ndarray)
        or given.dtype != dtype
        or given.shape != shape
        or not (given.flags.c_contiguous and given.flags.writeable)
    ):
        wrong = f"{given.dtype} with shape {given.shape}" if isinstance(given, np.ndarray) else type(given).__name__
        raise ValueError(BAD_ROOM.format(name=name, dtype=np.dtype(dtype), shape=shape, given=wrong))


def as_actions(actions: Any, matches: int) -> Ints:
    """One action for every match, as compiled code takes them."""
    actions = np.asarray(actions)
    if actions.shape != (matches,) or actions.dtype.kind not in "iu":
        given = f"{actions.dtype} with shape {actions.shape}"
        raise IllegalAction("one-each", ONE_EACH, matches=matches, given=given)
    return np.ascontiguousarray(actions, np.int64)


def drawn_seats(players: int, uniform: Iterable[int]) -> int:
    """The seats that a batch plays itself, as bits; the caller keeps at least one."""
    seats = sorted(set(uniform))
    if seats and (seats[0] < 0 or seats[-1] >= players or len(seats) == players):
        raise BadOption("bad-uniform", BAD_UNIFORM, seats=seats, last=players - 1)
    return sum(1 << seat for seat in seats)


def refusal_in(game: Game, state: State, match: int, seat: int, action: int) -> IllegalAction:
    """Return the refusal of an action, with the match and the reason."""
    refused = IllegalAction("illegal-in-batch", ILLEGAL_IN_BATCH, match=match, action=action, seat=seat)
    if 0 <= action < game.actions:
        reason = why_not(game, game.view_of(state, seat), seat, action)
        reason.speak = game.words
        refused.rule = reason.rule
        refused.__cause__ = reason
    return refused


# What the drivers of batches are made of


@rule
def settle(state: State, rng: Ints, scores: Ints, wins: Ints, out: Ints, drawn: int = 0) -> int:
    """Roll the dice and play the drawn seats until another must decide: that seat, or -1 when the match is over."""
    while True:
        mask = verbs.to_act(state)
        if mask == 0:
            if verbs.outcome(state, scores, wins) != 0:
                return -1
            seat = CHANCE
            action = verbs.roll(state, rng, out)
        else:
            seat = lowest_bit(mask)
            if (drawn >> seat) & 1 == 0:
                return seat
            action = verbs.sample(state, seat, rng, out)
        verbs.apply(state, seat, action, None)


@verb
def mark(state: State, seat: int, mask: Mask, out: Ints) -> None:
    """Write the whole mask of the seat to act: 1 for each legal action, otherwise 0.

    A verb with a default, as `sample` is: a game may do the same faster, without listing its actions in `out`.
    """
    getattr(rules_of(state.dtype), "mark", mark_legal)(state, seat, mask, out)


@rule
def mark_legal(state: State, seat: int, mask: Mask, out: Ints) -> None:
    """Default of `mark`: list the legal actions and mark them."""
    for k in range(len(mask)):
        mask[k] = 0
    for k in range(legal(state, seat, out)):
        mask[out[k]] = 1


mark.default = mark_legal  # type: ignore[attr-defined]


@rule
def copy_mask(mask: Mask, out: Mask) -> None:
    """Copy a mask to `out`; nothing where `out` is empty."""
    for k in range(len(out)):
        out[k] = mask[k]


@rule
def observe_match(states: States, scratch: States, seat: int, i: int, floats: Floats) -> None:
    """Write the observation of a seat in match i."""
    scratch[0] = states[i]
    view(scratch[0], seat)
    verbs.observe(scratch[0], seat, floats)


@rule
def reward_seats(wins: Ints, cooperative: bool, rewards: Floats) -> None:
    """Write every seat's share of the victory: 1 or 0 for all in a cooperative game, else a part for each winner."""
    winners = 0
    for seat in range(len(rewards)):
        winners += int(wins[seat])
    if cooperative or winners == 0:
        winners = 1
    for seat in range(len(rewards)):
        rewards[seat] = wins[seat] / winners


# Drivers


@compiled
def begin(
    states: States, settings: State, drawn: int, rngs: Ints, seed: int, seats: Ints, scores: Ints, wins: Ints,
    out: Ints, mask: Mask,
) -> None:  # fmt: skip
    """Start every match on its own stream."""
    for i in range(len(states)):
        seed_stream(rngs[i], seed, i)
        verbs.initial(states[i], settings)
        seats[i] = settle(states[i], rngs[i], scores[i], wins[i], out, drawn)
        if seats[i] >= 0:
            mark(states[i], seats[i], mask[i], out)
        else:
            mask[i, :] = 0


@compiled
def advance_each(
    states: States, scratch: States, settings: State, drawn: int, auto_reset: bool, cooperative: bool, seats: Ints,
    rngs: Ints, actions: Ints, scores: Ints, wins: Ints, out: Ints, mask: Mask, turns: Turns,
) -> int:  # fmt: skip
    """Play one action in every match that goes on and fill `turns`; returns the first illegal match, or -1."""
    for i in range(len(states)):
        if seats[i] >= 0 and not (0 <= actions[i] < mask.shape[1] and mask[i, actions[i]]):
            return i
    observing = turns.observation.shape[1] > 0
    for i in range(len(states)):
        seat = seats[i]
        turns.over[i] = seat < 0
        turns.rewards[i, :] = 0.0
        if seat >= 0:
            verbs.apply(states[i], seat, actions[i], None)
            seat = settle(states[i], rngs[i], scores[i], wins[i], out, drawn)
            if seat < 0:
                turns.over[i] = True
                reward_seats(wins[i], cooperative, turns.rewards[i])
                if auto_reset:
                    verbs.initial(states[i], settings)
                    seat = settle(states[i], rngs[i], scores[i], wins[i], out, drawn)
            seats[i] = seat
        turns.seats[i] = seat
        if seat >= 0:
            mark(states[i], seat, mask[i], out)
            if observing:
                observe_match(states, scratch, seat, i, turns.observation[i])
        else:
            mask[i, :] = 0
            turns.observation[i, :] = 0.0
        copy_mask(mask[i], turns.action_mask[i])
    return -1


@compiled
def sample_each(states: States, seats: Ints, rngs: Ints, out: Ints, actions: Ints) -> None:
    """A uniform legal action for every seat to act, -1 if there is none."""
    for i in range(len(states)):
        actions[i] = verbs.sample(states[i], seats[i], rngs[i], out) if seats[i] >= 0 else -1


@compiled
def observe_each(states: States, scratch: States, seats: Ints, out: Floats) -> None:
    """What every awaited seat sees, as floats."""
    for i in range(len(states)):
        if seats[i] >= 0:
            observe_match(states, scratch, seats[i], i, out[i])
