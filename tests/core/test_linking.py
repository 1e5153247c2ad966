"""Linking: a rule is translated once and stays as it is; only the driver that reaches it becomes machine code."""

from __future__ import annotations

import numpy as np
import pytest

from tribord import load
from tribord.core import verbs
from tribord.core.compiled import compiled, rule

TABLE = np.array([3, 1, 4, 1, 5])


@rule
def deepest(state, add):
    return TABLE[int(state.players)] + add


@rule
def deeper(state, add):
    return 2 * deepest(state, add) + verbs.to_act(state)


@rule
def unlucky(state, add):
    if add > 5:
        raise ValueError("too much")
    return deeper(state, add)


@compiled
def reach(states, add):
    return unlucky(states[0], add)


@compiled
def reach_as_well(states, add):
    return deeper(states[0], add) + 1


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TRIBORD_CACHE", str(tmp_path))


def test_drivers_compute_what_their_rules_say():
    states = load("walk-the-plank").match(3, seed=1).states
    for add in range(5):
        assert reach(states, add) == reach.interpret(states, add)
        assert reach_as_well(states, add) == reach_as_well.interpret(states, add)
    with pytest.raises(ValueError, match="too much"):
        reach(states, 6)


def test_only_drivers_become_machine_code(monkeypatch):
    from numba.core.codegen import CPUCodeLibrary

    from tribord.core.linking import PartLibrary, WholeLibrary

    optimized, emitted = [], []
    whole, emit = CPUCodeLibrary._optimize_final_module, CPUCodeLibrary._finalize_final_module
    monkeypatch.setattr(CPUCodeLibrary, "_optimize_final_module", lambda self: (optimized.append(self), whole(self)))
    monkeypatch.setattr(CPUCodeLibrary, "_finalize_final_module", lambda self: (emitted.append(self), emit(self)))
    states = load("sauve-qui-peut").match(3, seed=1).states
    assert reach(states, 1) == reach.interpret(states, 1)
    (name,) = [library.name for library in emitted if isinstance(library, WholeLibrary)]
    assert name.startswith("reach_sauve_qui_peut_")
    assert optimized == emitted
    assert not [library for library in emitted if isinstance(library, PartLibrary)]
    assert not [library for library in emitted if library.name in ("unlucky", "deeper", "deepest", "to_act")]
