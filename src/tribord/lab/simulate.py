"""Simulation: uniform random matches by the million, the same result compiled or not, on any number of threads."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from tribord.core import verbs
from tribord.core.bits import lowest_bit
from tribord.core.chance import seed_stream
from tribord.core.compiled import compiled
from tribord.core.game import Game
from tribord.core.record import CHANCE, Ints, State, States
from tribord.core.refusal import BadOption
from tribord.core.words import _

TOO_FEW = _("“{name}” must be a whole number of at least {least}, not {value}.")
CHUNK = 4096  # matches a thread takes at a time


@compiled
def playouts(
    states: States,
    settings: State,
    seed: int,
    first: int,
    rng: Ints,
    out: Ints,
    weights: Ints,
    scores: Ints,
    wins: Ints,
    lengths: Ints,
) -> None:
    """Play every match of an array to its end with uniform random actions, each on its own stream of the seed."""
    for i in range(len(states)):
        state = states[i]
        seed_stream(rng, seed, first + i)
        verbs.initial(state, settings)
        length = 0
        while True:
            mask = verbs.to_act(state)
            if mask == 0:
                if verbs.outcome(state, scores[i], wins[i]) != 0:
                    break
                verbs.apply(state, CHANCE, verbs.roll(state, rng, weights), None)
                continue
            seat = lowest_bit(mask)
            verbs.apply(state, seat, verbs.sample(state, seat, rng, out), None)
            length += 1
        lengths[i] = length


@dataclass
class Sample:
    """Matches played to the end: final states, scores, winners (0/1) and lengths in seat actions."""

    states: States
    scores: Ints
    wins: Ints
    lengths: Ints


def play_out(game: Game, settings: State, matches: int, seed: int, first: int = 0) -> Sample:
    """Play matches number `first`, `first`+1, … of a seed."""
    seats = game.players[1]
    sample = Sample(
        game.states(matches),
        np.zeros((matches, seats), np.int64),
        np.zeros((matches, seats), np.int64),
        np.zeros(matches, np.int64),
    )
    rng = np.zeros(4, np.int64)
    out, weights = np.zeros(game.actions, np.int64), np.zeros(game.chances, np.int64)
    playouts(sample.states, settings, seed, first, rng, out, weights, sample.scores, sample.wins, sample.lengths)
    return sample


def simulate(
    game: Game,
    players: int,
    matches: int,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
    threads: int = 1,
) -> dict[str, Any]:
    """Play many random matches and sum them up. `digest` hashes every final state in order.

    In `win_share` a shared victory counts as a share of one, except in a cooperative game, where all win together.
    """
    for name, value in (("matches", matches), ("threads", threads)):
        if value < 1:
            raise BadOption("too-few", TOO_FEW, name=name, least=1, value=value)
    settings = game.settings(players, options, research=True)
    play_out(game, settings, 1, seed)  # compile before the clock starts
    digest = hashlib.sha256()
    scores, wins, actions = np.zeros(players), np.zeros(players), 0
    start = time.perf_counter()
    with ThreadPoolExecutor(threads) as pool:
        firsts = range(0, matches, CHUNK)
        chunks = pool.map(lambda first: play_out(game, settings, min(CHUNK, matches - first), seed, first), firsts)
        for chunk in chunks:
            digest.update(chunk.states.tobytes())
            scores += chunk.scores[:, :players].sum(axis=0)
            won = chunk.wins[:, :players].astype(float)
            if not game.cooperative:
                won /= np.maximum(won.sum(axis=1, keepdims=True), 1)
            wins += won.sum(axis=0)
            actions += int(chunk.lengths.sum())
    seconds = time.perf_counter() - start
    return {
        "game": game.id,
        "players": players,
        "options": game.options_of(settings),
        "matches": matches,
        "actions": actions,
        "seconds": round(seconds, 6),
        "actions_per_second": round(actions / seconds),
        "score_mean": [round(float(s), 6) for s in scores / matches],
        "win_share": [round(float(w), 6) for w in wins / matches],
        "length_mean": round(actions / matches, 6),
        "digest": digest.hexdigest(),
    }
