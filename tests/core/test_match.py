"""A match through the public surface."""

import numpy as np
import pytest

from tribord import IllegalAction, load
from tribord.core.record import CHANCE

GAME = load("faut-pas-pousser")


def picked(players=4):
    match = GAME.match(players=players, seed=7)
    for seat in range(players):
        match.play(seat, f"pick {seat + 1}")
    return match


def test_numbers_notation_and_parts_name_the_same_action():
    action = GAME.action("4 -2@3")
    assert GAME.action(GAME.parts(action)) == GAME.action(action) == GAME.action(np.int64(action)) == action


def test_a_sealed_choice_may_be_made_in_any_order_and_only_once():
    match = GAME.match(players=3, seed=1)
    assert match.to_act == [0, 1, 2]
    match.play(1, "pick 2")
    assert match.to_act == [0, 2]
    with pytest.raises(IllegalAction) as refused:
        match.play(1, "pick 3")
    assert refused.value.code == "already-sealed"


def test_nobody_sees_a_sealed_choice_but_its_owner():
    match = GAME.match(players=4, seed=1)
    match.play(2, "pick 5")
    assert match.view(2)["picks"] == {"red": 5}
    assert match.truth()["picks"] == {"red": 5}
    for seat in (-1, 0, 1, 3):
        assert match.view(seat)["picks"] == {}
        assert match.view(seat)["picked"] == ["red"]


@pytest.mark.parametrize(
    ("seat", "action", "code"),
    [
        (0, "pick 1", "not-your-turn"),
        (3, "pick 1", "picked"),
        (3, "4 -2@3", "pirate-gone"),
        (4, "pass", "no-such-seat"),
        (-1, "pass", "no-such-seat"),
        (True, "pass", "no-such-seat"),
        (3, 247, "not-an-action"),
        (3, -1, "not-an-action"),
        (3, "walk the dog", "not-an-action"),
        (3, {"kind": "turn"}, "not-an-action"),
        (3, None, "not-an-action"),
        (3, 6.0, "not-an-action"),
        (3, True, "not-an-action"),
        (3, {"kind": "pick", "pirate": True}, "not-an-action"),
        (3, {"kind": "pick", "pirate": 1.0}, "not-an-action"),
        (3, {"kind": "pick", "pirate": 1}, "picked"),
    ],
)
def test_bad_actions_are_refused_and_change_nothing(seat, action, code):
    match = picked()
    before, version = match.state.tobytes(), match.version
    with pytest.raises(IllegalAction) as refused:
        match.play(seat, action)
    assert refused.value.code == code
    assert str(refused.value) and refused.value.say(GAME.words("fr")) != ""
    assert (match.state.tobytes(), match.version) == (before, version)


def test_a_refusal_cites_its_rule_in_both_languages():
    match = picked()
    with pytest.raises(IllegalAction) as refused:
        match.play(3, "4 -2@3")
    english, french = str(refused.value), refused.value.say(GAME.words("fr"))
    assert english.endswith("(F7)") and french.endswith("(F7)") and english != french


def test_an_action_meant_for_an_earlier_decision_is_stale():
    match = picked()
    seen = match.version
    match.play(3, "pass", version=seen)
    with pytest.raises(IllegalAction) as refused:
        match.play(0, "pass", version=seen)
    assert refused.value.code == "stale"
    match.play(0, "pass", version=match.version)


def test_the_others_sealing_does_not_make_a_sealed_choice_stale():
    match = GAME.match(players=4, seed=1)
    seen = match.version
    match.play(0, "pick 1", version=seen)
    match.play(1, "pick 1", version=seen)


def test_undo_takes_one_decision_back_and_never_rerolls(at_random):
    match = at_random(GAME.match(players=2, seed=3), 1, steps=6)
    before = match.state.tobytes()
    seat = match.to_act[0]
    action = match.legal(seat)[0]
    match.play(seat, action)
    once = [e for e in match.journal if e.seat == CHANCE]
    after = match.state.tobytes()
    match.undo()
    assert match.state.tobytes() == before
    match.play(seat, action)
    assert match.state.tobytes() == after
    assert [e for e in match.journal if e.seat == CHANCE] == once


def test_there_is_nothing_to_undo_at_the_start():
    with pytest.raises(IllegalAction):
        GAME.match(players=4, seed=1).undo()


def test_the_same_seed_gives_the_same_match_and_none_gives_another(at_random):
    one, two = (at_random(GAME.match(players=2, seed=5), 1) for _ in range(2))
    assert one.state.tobytes() == two.state.tobytes()
    assert GAME.match(players=2).dice.seed != GAME.match(players=2).dice.seed


def test_play_returns_what_happened_dice_included():
    match = GAME.match(players=2, seed=3)
    match.play(0, "pick 1")
    kinds = [event.kind for event in match.play(1, "pick 6")]
    assert kinds[0] == "chosen" and "neutral-card" in kinds and kinds[-1] == "first"
    assert match.events[-len(kinds) :][0].kind == "chosen"


def test_outcome_is_none_until_the_end(at_random):
    match = GAME.match(players=4, seed=3)
    assert match.outcome is None and not match.over
    at_random(match, 1)
    assert match.outcome is not None and match.to_act == [] and match.legal(0) == []
    best = max(match.outcome.scores)
    assert match.outcome.winners == [s for s in range(4) if match.outcome.scores[s] == best]


def test_a_fork_goes_its_own_way(at_random):
    match = at_random(GAME.match(players=3, seed=3), 1, steps=8)
    before, version = match.state.tobytes(), match.version
    twin = match.fork()
    seat = twin.to_act[0]
    twin.play(seat, twin.legal(seat)[0])
    assert (match.state.tobytes(), match.version) == (before, version)
    match.play(seat, match.legal(seat)[0])
    assert match.state.tobytes() == twin.state.tobytes() and match.events == twin.events
