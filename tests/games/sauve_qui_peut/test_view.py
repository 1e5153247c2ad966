"""What a seat may know in Sauve qui peut !: everything except the others' sealed votes (S6)."""

from __future__ import annotations

import numpy as np
import pytest

BOATS = {2: {"blue": "ss", "green": "h"}, 3: {"red": "s"}}


def sealed_by_green(position, vote):
    match = position(3, BOATS)
    events = match.play(1, vote)
    return match, [(e.kind, e.rule, e.fields) for e in events]


@pytest.mark.parametrize("seat", [-1, 0, 2])
def test_S6_a_sealed_vote_leaves_no_trace_for_others(game, position, seat):
    (one, told), (two, told_too) = (sealed_by_green(position, vote) for vote in ("vote 2", "cap"))
    assert told == told_too
    assert one.view(seat) == two.view(seat)
    assert one.view_state(seat).tobytes() == two.view_state(seat).tobytes()
    assert game.text.board(one.view(seat), game.words("en")) == game.text.board(two.view(seat), game.words("en"))


def test_S6_and_is_plain_to_its_owner(position):
    (one, _told), (two, _too) = (sealed_by_green(position, vote) for vote in ("vote 2", "cap"))
    assert one.view(1)["votes"] == {"green": "vote 2"} and two.view(1)["votes"] == {"green": "cap"}


def stretch(game, match, seat, name):
    """The floats of one stretch of a seat's observation."""
    start = 0
    for label, length, _meaning in game.layout:
        if label == name:
            return game.observe(match.view_state(seat), seat)[start : start + length]
        start += length
    raise KeyError(name)


def test_the_observation_counts_crews_from_the_viewer(game, position):
    match = position(3, BOATS, baton=2)
    for seat in range(3):
        assert np.flatnonzero(stretch(game, match, seat, "baton")).tolist() == [(2 - seat) % 3]
        people = stretch(game, match, seat, "people").reshape(7, 6, 2)
        assert people[1, (0 - seat) % 3].tolist() == pytest.approx([2 / 5, 0])  # Blue in lane 2
        assert people[1, (1 - seat) % 3].tolist() == pytest.approx([0, 1 / 2])  # Green's helmsman
        assert people[2, (2 - seat) % 3].tolist() == pytest.approx([1 / 5, 0])  # Red in lane 3


def test_the_observation_shows_rows_phase_and_ones_own_vote_only(game, position):
    match, _told = sealed_by_green(position, "vote 3")
    assert stretch(game, match, 1, "rows").reshape(7, 5).argmax(axis=1).tolist() == [0, 4, 4, 0, 0, 0, 0]
    assert stretch(game, match, 1, "phase").argmax() == 2
    assert stretch(game, match, 1, "sealing").tolist() == [0, 1, 1, 0, 0, 0]
    assert np.flatnonzero(stretch(game, match, 1, "ballot")).tolist() == [2]
    assert not stretch(game, match, 0, "ballot").any()


def test_the_observation_shows_people_between_boats_and_a_pending_decision(game, position, cast):
    match = position(3, BOATS, "leaving")
    match.play(0, "leave sailor 2")
    between = stretch(game, match, 2, "between").reshape(6, 9)
    assert np.flatnonzero(between[1]).tolist() == [0, 2 + 1]  # a Blue sailor, out of lane 2
    match = position(3, {2: {"blue": "sss", "green": "sss"}, 3: {"red": "s"}}, baton=2)
    cast(match, "2 2 2")
    cast(match, "green blue")
    assert np.flatnonzero(stretch(game, match, 2, "target_crews")).tolist() == [1, 2]
    assert not stretch(game, match, 2, "target_boats").any()
    assert np.flatnonzero(stretch(game, match, 2, "boat")).tolist() == [1]
