"""How states of Walk the Plank look to a seat."""

from __future__ import annotations

import pytest


@pytest.fixture
def looks(game):
    return lambda match, seat=0: float(game.rules.evaluate(match.state, seat))


def test_more_pirates_look_better_and_the_others_fewer(position, looks):
    assert looks(position()) > looks(position(blue=[0, 0])) > looks(position(blue=[0])) > looks(position(blue=[]))
    assert looks(position(green=[0])) > looks(position(green=[0, 0])) > looks(position())


def test_the_edge_looks_worse_than_the_ship(position, looks):
    views = [looks(position(blue=[0, 0, space])) for space in range(4)]
    assert views == sorted(views, reverse=True) and len(set(views)) == 4
    assert looks(position(blue=[0, 0, 2], plank=2)) < looks(position(blue=[0, 0, 2], plank=3))


def test_a_victory_looks_best(position, lay, looks):
    match = position(blue=[0], green=[0], red=[])
    best = looks(match)
    lay(match)
    assert looks(match, 0) == looks(match, 1) > best and looks(match, 2) == 0.0


def test_a_charge_as_card_1_promises_less(position, looks):
    def sealed(program):
        match = position()
        match.play(0, f"program {program}")
        return looks(match)

    assert sealed("shove-left charge shove-right") > sealed("charge shove-left shove-right")
    assert sealed("shove-left pull drag") > sealed("run extend i-dont-want-to-die")
