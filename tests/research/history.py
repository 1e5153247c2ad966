"""Random matches in OpenSpiel, as lists of actions."""

from __future__ import annotations

import random

import pyspiel

import tribord.research.openspiel  # noqa: F401  (registers the games)


def history(name: str, parameters: dict[str, bool | int | str], seed: int = 0) -> list[int]:
    """The decisions and throws of a match, in order."""
    state = pyspiel.load_game(name, {**parameters, "simultaneous": False}).new_initial_state()
    luck = random.Random(seed)
    while not state.is_terminal():
        outcomes = state.chance_outcomes() if state.is_chance_node() else [(a, 1) for a in state.legal_actions()]
        actions, odds = zip(*outcomes, strict=True)
        state.apply_action(luck.choices(actions, odds)[0])
    return state.history()


def late(name: str, parameters: dict[str, bool | int | str], left: int, seed: int = 0) -> dict[str, bool | int | str]:
    """The parameters of a game that begins when this many steps of such a match are left."""
    return {**parameters, "after": "/".join(map(str, history(name, parameters, seed)[:-left])) + "/"}
