"""How a state of Sauve qui peut ! looks to a seat."""

from __future__ import annotations

import pytest


def evaluate(match, seat):
    return match.game.rules.evaluate(match.state, seat)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ({2: {"row": 2, "blue": "s"}}, {2: {"row": 3, "blue": "s"}}),  # nearer
        ({2: {"blue": "s"}}, {4: {"blue": "s"}}),  # a better island
        ({2: {"blue": "h"}}, {2: {"blue": "s"}}),  # a helmsman
        ({2: {"blue": "s"}}, {2: {"blue": "s", "leaks": 1}}),  # a dry boat
        ({2: {"blue": "s", "red": "s"}}, {2: {"blue": "s"}}),  # company against the leaks
        ({2: {"row": 1, "blue": "s"}}, {2: {"row": 2, "blue": "s"}}),  # ashore
    ],
)
def test_a_better_boat_looks_better(position, better, worse):
    green = {7: {"green": "ssh"}}
    assert evaluate(position(3, {**better, **green}), 0) > evaluate(position(3, {**worse, **green}), 0)


def test_the_others_people_look_bad_and_tokens_good(position):
    assert evaluate(position(3, {2: {"blue": "s", "green": "s"}}), 2) > evaluate(
        position(3, {2: {"blue": "s", "green": "ss"}}), 2
    )
    match = position(3, {2: {"blue": "s", "green": "s"}})
    before = evaluate(match, 0)
    match.state.tokens[0] = 2
    assert evaluate(match, 0) < before


def test_a_decision_of_ones_own_counts_as_well_taken(position, cast):
    boats = {2: {"row": 2, "blue": "sss"}, 7: {"row": 2, "green": "sss"}}
    own, theirs = position(3, boats, "advance"), position(3, boats, "advance")
    cast(own, "cap 7 7")
    cast(theirs, "2 cap 2")
    assert evaluate(own, 0) > evaluate(theirs, 0)
    pending = evaluate(own, 0)
    own.play(0, "decide 2")
    assert evaluate(own, 0) == pytest.approx(pending)


def test_the_end_is_judged_by_the_points(position, cast):
    match = position(3, {2: {"row": 2, "blue": "s", "green": "ss"}}, "advance")
    cast(match, "2 2 2")
    assert [evaluate(match, seat) for seat in range(3)] == [-6, 6, -12]
