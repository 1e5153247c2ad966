"""Perft: count the ways to a depth of the game tree. A change of the rules changes this number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tribord.core import verbs
from tribord.core.bits import lowest_bit
from tribord.core.compiled import compiled
from tribord.core.game import Game
from tribord.core.record import CHANCE, Ints, State, States
from tribord.core.refusal import BadOption
from tribord.lab.simulate import TOO_FEW


@compiled
def count_paths(states: States, depth: int, todo: Ints, sizes: Ints, places: Ints, weights: Ints) -> int:
    """Walk the tree from states[0]: every legal action and every possible chance outcome is a branch.

    Sealed choices are made in seat order. One row of `states`, `todo`, `sizes` and `places` per level.
    """
    total = 0
    level = 0
    sizes[0] = -1
    while level >= 0:
        state = states[level]
        if level == depth:
            total += 1
            level -= 1
            continue
        mask = verbs.to_act(state)
        seat = CHANCE
        if mask != 0:
            seat = lowest_bit(mask)
        if sizes[level] < 0:  # first visit: list the branches
            places[level] = 0
            sizes[level] = 0
            if seat >= 0:
                sizes[level] = verbs.legal(state, seat, todo[level])
            else:
                n = verbs.chance(state, weights)
                for outcome in range(n):
                    if weights[outcome] > 0:
                        todo[level, sizes[level]] = outcome
                        sizes[level] += 1
            if sizes[level] == 0:  # the match ended before the requested depth
                total += 1
        if places[level] >= sizes[level]:
            level -= 1
            continue
        action = todo[level, places[level]]
        places[level] += 1
        states[level + 1] = state
        level += 1
        sizes[level] = -1
        verbs.apply(states[level], seat, action, None)
    return total


def perft(game: Game, players: int, depth: int, options: Mapping[str, Any] | None = None) -> int:
    """The number of ways through the first `depth` decisions and chance outcomes of a match.

    >>> from tribord import load
    >>> perft(load("faut-pas-pousser"), players=4, depth=3)
    216
    """
    start = game.states(1)[0]
    game.rules.initial(start, game.settings(players, options, research=True))
    return perft_from(game, start, depth)


def perft_from(game: Game, state: State, depth: int) -> int:
    """The number of ways through the next `depth` decisions and chance outcomes."""
    if depth < 0:
        raise BadOption("too-few", TOO_FEW, name="depth", least=0, value=depth)
    states = game.states(depth + 1)
    states[0] = state
    todo = np.zeros((depth + 1, max(game.actions, game.chances)), np.int64)
    sizes, places = np.zeros(depth + 1, np.int64), np.zeros(depth + 1, np.int64)
    return int(count_paths(states, depth, todo, sizes, places, np.zeros(game.chances, np.int64)))
