"""Solving: the value of perfect play, and the evidence for it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tribord.bots import solver
from tribord.core.game import Game
from tribord.core.refusal import BadOption
from tribord.lab.interval import LEVEL, wilson
from tribord.lab.simulate import TOO_FEW


def solve(
    game: Game, players: int, options: Mapping[str, Any] | None = None, matches: int = 0, seed: int = 0
) -> dict[str, Any]:
    """The exact winning probability of best play. `states` counts the positions before a roll.

    With `matches` the solution's own policy is checked: it is evaluated exactly (`policy_probability`, in the game
    without a turn limit) and plays that many matches.
    """
    if matches < 0:
        raise BadOption("too-few", TOO_FEW, name="matches", least=0, value=matches)
    settings = game.settings(players, options)
    solver.check_solved(game, settings)
    start = time.perf_counter()
    kept = solver.at_hand(game) is not None
    solution = solver.solution(game)
    opening = game.states(1)[0]
    game.rules.initial(opening, settings)
    result = {
        "game": game.id,
        "players": players,
        "options": game.options_of(settings),
        "win_probability": solution.value(opening),
        "states": solution.module.STATES,
        "seconds": round(time.perf_counter() - start, 3),
        "kept": kept,
    }
    if matches:
        if game.options_of(settings) == game.options_of(game.settings(players)):
            result["policy_probability"] = float(evaluate_policy(game)[solution.module.position(opening)])
        won = play(game, players, options, matches, seed)
        share = wilson(won / matches, matches, NormalDist().inv_cdf((1 + LEVEL) / 2))
        result |= {"matches": matches, "seed": seed, "won": won, "win_share": share.as_dict()}
    return result


def evaluate_policy(game: Game, temperature: float = 0.0) -> NDArray[np.float64]:
    """The softmax policy's probability of winning from every position, without a turn limit.

    It's computed exactly, without maximizing: at temperature 0 it must equal the solution's value.
    """
    solution = solver.solution(game)
    worth = np.zeros(len(solution.table))
    solution.policy.evaluate(game.states(solution.module.LEVELS), solution.table, worth, float(temperature))
    return worth


def play(
    game: Game, players: int, options: Mapping[str, Any] | None, matches: int, seed: int = 0, temperature: float = 0.0
) -> int:
    """Play matches by the softmax policy over the solution and count the wins."""
    solution = solver.solution(game)
    room, settings = game.states(solution.module.LEVELS), game.settings(players, options)
    return int(solution.policy.play(room, settings, solution.table, float(temperature), seed, 0, matches))
