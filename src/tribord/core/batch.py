"""Batches: thousands of matches in one array, stepped together in compiled code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tribord.core import verbs
from tribord.core.bits import lowest_bit
from tribord.core.chance import seed_stream
from tribord.core.compiled import compiled, rule
from tribord.core.game import Game
from tribord.core.record import CHANCE, Floats, Ints, State, States
from tribord.core.refusal import IllegalAction
from tribord.core.verbs import view  # by its own name: Numba takes `verbs.view` for an array method
from tribord.core.words import _

ILLEGAL_IN_BATCH = _("Match {match} of the batch: action {action} is not legal for seat {seat}. Nothing was played.")


class Batch:
    """Matches of one game side by side. Every match waits for one seat at a time; sealed choices go in seat order.

    >>> from tribord import load
    >>> batch = load("faut-pas-pousser").batch(1000, players=4, seed=1)
    >>> while not batch.over.all():
    ...     batch.step(batch.sample())
    >>> int(batch.scores.sum(axis=1).min())
    90
    """

    def __init__(self, game: Game, matches: int, players: int, seed: int = 0, options: Mapping[str, Any] | None = None):
        self.game = game
        self.players = players
        self.settings = game.settings(players, options, research=True)
        self.states = game.states(matches)
        self.rngs = np.zeros((matches, 4), np.int64)
        self.seats = np.full(matches, -1, np.int64)
        """The seat each match waits for; -1 where the match is over."""
        self.scores = np.zeros((matches, game.players[1]), np.int64)
        self.wins = np.zeros((matches, game.players[1]), np.int64)
        self._out = np.zeros(max(game.actions, game.chances), np.int64)
        begin(self.states, self.settings, self.rngs, int(seed), self.seats, self.scores, self.wins, self._out)

    @property
    def over(self) -> NDArray[np.bool_]:
        """Which matches have ended."""
        return self.seats < 0

    def legal(self) -> NDArray[np.bool_]:
        """For every match, a mask over all actions: what the awaited seat may do."""
        mask = np.zeros((len(self.states), self.game.actions), np.bool_)
        mark_legal(self.states, self.seats, self._out, mask)
        return mask

    def sample(self) -> Ints:
        """A uniform legal action for every match that goes on, -1 for the others."""
        actions = np.full(len(self.states), -1, np.int64)
        sample_each(self.states, self.seats, self.rngs, self._out, actions)
        return actions

    def step(self, actions: Ints) -> None:
        """Play one action in every match that goes on. An illegal one refuses the whole step and changes nothing."""
        actions = np.ascontiguousarray(actions, np.int64)
        bad = int(first_illegal(self.states, self.seats, self._out, actions))
        if bad >= 0:
            raise IllegalAction(
                "illegal-in-batch", ILLEGAL_IN_BATCH, match=bad, action=int(actions[bad]), seat=int(self.seats[bad])
            )
        step_each(self.states, self.seats, self.rngs, actions, self.scores, self.wins, self._out)

    def observe(self) -> NDArray[np.float32]:
        """For every match, what the awaited seat sees, as floats."""
        out = np.zeros((len(self.states), self.game.observation), np.float32)
        observe_each(self.states, self.seats, self.game.states(1), out)
        return out


@rule
def _settle(states: States, seats: Ints, rngs: Ints, scores: Ints, wins: Ints, out: Ints, i: int) -> None:
    """Throw the dice as long as chance decides, then find the next awaited seat."""
    mask = verbs.to_act(states[i])
    while mask == 0:
        if verbs.outcome(states[i], scores[i], wins[i]) != 0:
            seats[i] = -1
            return
        verbs.apply(states[i], CHANCE, verbs.roll(states[i], rngs[i], out), None)
        mask = verbs.to_act(states[i])
    seat = lowest_bit(mask)
    seats[i] = seat


@compiled
def begin(
    states: States, settings: State, rngs: Ints, seed: int, seats: Ints, scores: Ints, wins: Ints, out: Ints
) -> None:
    """Start every match on its own stream."""
    for i in range(len(states)):
        seed_stream(rngs[i], seed, i)
        verbs.initial(states[i], settings)
        _settle(states, seats, rngs, scores, wins, out, i)


@compiled
def step_each(states: States, seats: Ints, rngs: Ints, actions: Ints, scores: Ints, wins: Ints, out: Ints) -> None:
    """Play one action in every match that goes on."""
    for i in range(len(states)):
        if seats[i] >= 0:
            verbs.apply(states[i], seats[i], actions[i], None)
            _settle(states, seats, rngs, scores, wins, out, i)


@compiled
def mark_legal(states: States, seats: Ints, out: Ints, mask: NDArray[np.bool_]) -> None:
    """Mark the legal actions of every awaited seat."""
    for i in range(len(states)):
        if seats[i] >= 0:
            for k in range(verbs.legal(states[i], seats[i], out)):
                mask[i, out[k]] = True


@compiled
def first_illegal(states: States, seats: Ints, out: Ints, actions: Ints) -> int:
    """The first match whose action is not legal, or -1."""
    for i in range(len(states)):
        if seats[i] >= 0:
            found = False
            for k in range(verbs.legal(states[i], seats[i], out)):
                if out[k] == actions[i]:
                    found = True
                    break
            if not found:
                return i
    return -1


@compiled
def sample_each(states: States, seats: Ints, rngs: Ints, out: Ints, actions: Ints) -> None:
    """A uniform legal action for every awaited seat."""
    for i in range(len(states)):
        if seats[i] >= 0:
            actions[i] = verbs.sample(states[i], seats[i], rngs[i], out)


@compiled
def observe_each(states: States, seats: Ints, scratch: States, out: Floats) -> None:
    """What every awaited seat sees, as floats."""
    for i in range(len(states)):
        if seats[i] >= 0:
            scratch[0] = states[i]
            view(scratch[0], seats[i])
            verbs.observe(scratch[0], seats[i], out[i])
