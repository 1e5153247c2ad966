"""Frozen ranks: a rank as it was in a release, for the arena. Later bots are compared with it, so it must not change.

A name is the rank and the release: `capitaine-0.1`. Its iterations and all parameters are copied here, so that new
defaults don't reach it. It shares the search and the games' `values` with today's bots; `tests/bots/test_frozen.py`
compares its decisions with those of the release.
"""

from __future__ import annotations

from typing import NamedTuple


class Frozen(NamedTuple):
    """What a rank was set to in a game."""

    iterations: int
    params: dict[str, float]
    temperature: float = 0.0  # in a solved game


_PARAMS_0_1 = {
    "c_puct": 0.5, "prior_temperature": 0.05, "prior_weight": 1.0, "expansions": 1, "rollout_depth": 0,
    "max_children": 40, "regret_matching": 0, "epsilon": 0.1, "endgame_leaves": 0, "opponent_error": 0,
    "opponent_prior": 0, "rollout_candidates": 24, "rollout_to_own_turn": 0, "value_noise": 0,
    "policy_temperature": 1.0,
}  # fmt: skip
_CAPITAINE_0_1 = {
    "faut-pas-pousser": Frozen(3000, _PARAMS_0_1 | {
        "c_puct": 0.2, "prior_temperature": 0.1, "endgame_leaves": 1300, "opponent_error": 0.3, "value_noise": 0.05,
        "opponent_prior": 0.5,
    }),
    "walk-the-plank": Frozen(5000, _PARAMS_0_1 | {"c_puct": 0.4, "prior_temperature": 0.03, "rollout_depth": 64}),
    "sauve-qui-peut": Frozen(1500, _PARAMS_0_1 | {
        "c_puct": 0.4, "prior_temperature": 0.03, "prior_weight": 3, "rollout_depth": 24, "opponent_prior": 0.85,
    }),
    "ile-aux-pirates": Frozen(6000, _PARAMS_0_1 | {"c_puct": 0.3, "prior_temperature": 0.01, "max_children": 24}),
}  # fmt: skip
FROZEN = {"capitaine-0.1": _CAPITAINE_0_1}  # by name and game
