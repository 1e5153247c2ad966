"""Chances: every seat's expected share of victory in a position with nothing hidden.

A finished match has its outcome, a solved game its solution. Otherwise matches are played out from the position, with
every seat choosing by the search's prior values from its own view (`bots/tree.py`), and their results are averaged: an
unbiased estimate of the position's value between players of that strength.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from tribord.bots import solver
from tribord.bots.search import Search
from tribord.bots.tree import Reals
from tribord.core.game import Game
from tribord.core.record import States

PLAYOUTS = 400  # by default
STRETCH = 16  # playouts between two checks of the clock


@dataclass(frozen=True)
class Chances:
    """The expected share of victory by seat, with the variance of the estimate; 0 if exact."""

    mean: Reals
    variance: Reals


def chances(
    game: Game, states: States, playouts: int | None = None, seconds: float | None = None, seed: int = 0
) -> Chances:
    """The chances in states[0], from this many playouts; with `seconds`, from at least that many until time is up."""
    players = int(states[0].players)
    why, _scores, wins = game.engine.outcome(states)
    if why:
        share = 1.0 if game.cooperative else 1 / max(1, sum(wins))
        return Chances(np.array([share * won for won in wins[:players]]), np.zeros(players))
    if solver.covers(game, states[0]):
        return Chances(np.full(players, solver.solution(game).value(states[0])), np.zeros(players))
    worker = Search(game, iterations=1).workers[0]
    if seconds is None:
        count = playouts or PLAYOUTS
        total = worker.play_out(states[0], count, seed)
    else:
        total, count, until = np.zeros((players, 2)), 0, time.perf_counter() + seconds
        while count < (playouts or 1) or time.perf_counter() < until:
            total += worker.play_out(states[0], STRETCH, seed * 1_000_003 + count)
            count += STRETCH
    mean = total[:, 0] / count
    spread = total[:, 1] / count - mean**2
    # Playouts that all end alike don't prove certainty: one of the next two might differ.
    return Chances(mean, np.maximum(spread, 1 / (count + 2)) / max(count - 1, 1))
