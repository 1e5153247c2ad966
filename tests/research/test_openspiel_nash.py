"""The named positions in OpenSpiel: the same information sets, the same NashConv, and its solvers come to it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy
from open_spiel.python.algorithms import cfr, exploitability, external_sampling_mccfr

from tribord import load
from tribord.lab.nash import NamedPosition, WholeTree, equilibrium, nash_conv, positions
from tribord.research.openspiel import open_game

SMALL = ["one-vote-laid", "last-token", "next-leak"]
POSITIONS = [
    *(positions(load("sauve-qui-peut"))[name] for name in SMALL),
    positions(load("faut-pas-pousser"))["kingmakers"],
    positions(load("walk-the-plank"))["two-on-a-tile"],
]


def opened(position: NamedPosition) -> Any:
    return open_game(
        position.game, position.players, dict(position.options), after=position.after, simultaneous=False
    )  # fmt: skip


def names(game: Any, tree: WholeTree) -> dict[str, int]:
    """OpenSpiel's name of every information set, found by walking both trees side by side."""
    found: dict[str, int] = {}
    waiting = [(0, game.new_initial_state())]
    while waiting:
        node, state = waiting.pop()
        after = np.flatnonzero(tree.parents == node).tolist()
        assert bool(after) != state.is_terminal()
        if state.is_terminal():
            assert state.returns() == [float(share) for share in tree.payoffs[node]]
            continue
        if state.is_chance_node():
            actions = [outcome for outcome, _odds in state.chance_outcomes()]
            assert [odds for _outcome, odds in state.chance_outcomes()] == [float(tree.odds[child]) for child in after]
        else:
            actions = state.legal_actions()
            assert actions == tree.actions[tree.slots[after]].tolist()
            number = int(tree.sets[tree.slots[after[0]]])
            assert found.setdefault(state.information_state_string(), number) == number
        waiting += [(child, state.child(action)) for child, action in zip(after, actions, strict=True)]
    assert len({*found.values()}) == len(found) == tree.sets.max() + 1
    return found


def in_openspiel(game: Any, tree: WholeTree, strategies: Any) -> Any:
    known = names(game, tree)

    def chances(state: Any) -> dict[int, float]:
        slots = np.flatnonzero(tree.sets == known[state.information_state_string()])
        return {int(tree.actions[slot]): float(strategies[slot]) for slot in slots}

    return policy.tabular_policy_from_callable(game, chances)


@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: position.name)
def test_openspiel_finds_the_same_nash_conv(position: NamedPosition) -> None:
    game, tree = opened(position), position.tree()
    assert exploitability.nash_conv(game, policy.UniformRandomPolicy(game)) == pytest.approx(float(position.uniform))
    best = in_openspiel(game, tree, equilibrium(tree))
    assert exploitability.nash_conv(game, best) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("name", ["one-vote-laid", "last-token"])
def test_openspiels_cfr_comes_to_an_equilibrium_of_ours(name: str) -> None:
    position = positions(load("sauve-qui-peut"))[name]
    game, tree = opened(position), position.tree()
    solver = cfr.CFRPlusSolver(game)
    for _ in range(40):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    known = names(game, tree)
    learned = np.zeros(len(tree.sets))
    for text, number in known.items():
        slots = np.flatnonzero(tree.sets == number)
        learned[slots] = average.policy_for_key(text)[tree.actions[slots]]
    conv = exploitability.nash_conv(game, average)
    assert nash_conv(tree, learned) == pytest.approx(conv, abs=1e-9)
    assert conv < 0.01 < float(position.uniform)


def test_sampling_solvers_come_closer() -> None:
    game = opened(positions(load("sauve-qui-peut"))["one-vote-laid"])
    np.random.seed(1)
    solver = external_sampling_mccfr.ExternalSamplingSolver(game)
    for _ in range(60):
        solver.iteration()
    assert exploitability.nash_conv(game, solver.average_policy()) < 5 / 16 / 2
    assert isinstance(game, pyspiel.Game)
