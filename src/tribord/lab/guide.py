"""Guided playouts: every seat samples a few actions and plays the one with the best evaluation (best of N).

They lie between uniform play, which is fast and weak, and bots, which are slow. A guided seat isn't a bot: it evaluates
the full state, so the seat that seals last has seen the others' choices. Evaluations are compared in whole grains, so
that a compiler's rounding of the last bit of a float can't change a decision.
"""

from __future__ import annotations

import math

import numpy as np

from tribord.core.bits import lowest_bit
from tribord.core.chance import seed_stream
from tribord.core.compiled import compiled, rule
from tribord.core.game import Game
from tribord.core.record import CHANCE, Ints, State, States
from tribord.core.verbs import apply, evaluate, initial, outcome, roll, sample, to_act
from tribord.lab.simulate import Sample, empty_sample

GRAIN = 1 << 20  # in one point of an evaluation


@rule
def choose(scratch: States, seat: int, best_of: int, rng: Ints, out: Ints) -> int:
    """The best of `best_of` sampled actions in scratch[0], the first of ties; scratch[1] is overwritten."""
    state = scratch[0]
    trial = scratch[1]
    best = -1
    most = 0
    for _k in range(best_of):
        action = sample(state, seat, rng, out)
        scratch[1] = scratch[0]
        apply(trial, seat, action, None)
        worth = math.floor(evaluate(trial, seat) * GRAIN + 0.5)
        if best < 0 or worth > most:
            best = action
            most = worth
    return best


@compiled
def guided(
    states: States,
    scratch: States,
    settings: State,
    best_of: int,
    seed: int,
    first: int,
    rng: Ints,
    out: Ints,
    weights: Ints,
    scores: Ints,
    wins: Ints,
    lengths: Ints,
) -> None:
    """Play every match of an array to its end, guided, each on its own stream of the seed."""
    for i in range(len(states)):
        state = scratch[0]
        seed_stream(rng, seed, first + i)
        initial(state, settings)
        length = 0
        while True:
            mask = to_act(state)
            if mask == 0:
                if outcome(state, scores[i], wins[i]) != 0:
                    break
                apply(state, CHANCE, roll(state, rng, weights), None)
                continue
            seat = lowest_bit(mask)
            apply(state, seat, choose(scratch, seat, best_of, rng, out), None)
            length += 1
        states[i] = scratch[0]
        lengths[i] = length


def play_guided(game: Game, settings: State, matches: int, seed: int, first: int = 0, best_of: int = 4) -> Sample:
    """Play matches number `first`, `first + 1`, … of a seed, every seat playing the best of `best_of` samples."""
    sample = empty_sample(game, matches)
    guided(
        sample.states, game.states(2), settings, best_of, seed, first, np.zeros(4, np.int64),
        np.zeros(game.actions, np.int64), np.zeros(game.chances, np.int64), sample.scores, sample.wins, sample.lengths,
    )  # fmt: skip
    return sample
