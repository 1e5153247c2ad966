"""Rewards: what the end of a match is worth to every seat.

    share      the share of the victory: 1 for a single winner, ½ each for two; the default
    zero_sum   the share less the fair one, and 0 for everyone if nobody wins; not in cooperative games
    score      the points
    margin     the points less the best of the others; not in cooperative games

All of them come with the step that ends the match. An illegal action that ends it costs its seat 1 in any case.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tribord.core.game import Game
from tribord.core.refusal import BadOption

# For programmers, so only in English, like Gymnasium.
BAD_REWARD = "“reward” is one of {known} in {title}, not {reward}."

Rewards = NDArray[Any]
SHARE = "share"


def _zero_sum(shares: Rewards, _scores: Rewards) -> Rewards:
    won = shares.any(axis=-1, keepdims=True)
    return np.where(won, shares - 1 / shares.shape[-1], 0.0)


def _margin(_shares: Rewards, scores: Rewards) -> Rewards:
    seats = scores.shape[-1]
    others = [np.delete(scores, seat, axis=-1).max(axis=-1) for seat in range(seats)]
    return scores - np.stack(others, axis=-1)


REWARDS: dict[str, Callable[[Rewards, Rewards], Rewards]] = {
    SHARE: lambda shares, _scores: shares,
    "score": lambda _shares, scores: scores,
    "zero_sum": _zero_sum,
    "margin": _margin,
}
AGAINST_OTHERS = ("zero_sum", "margin")


def reward_of(name: str, game: Game) -> Callable[[Rewards, Rewards], Rewards]:
    """The function from shares and scores, a column for each seat, to rewards."""
    known = [kind for kind in REWARDS if not (game.cooperative and kind in AGAINST_OTHERS)]
    if name not in known:
        raise BadOption("bad-reward", BAD_REWARD, known=", ".join(known), title=game.title, reward=name)
    return REWARDS[name]
