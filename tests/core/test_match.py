"""A match through the public interface."""

import copy
import hashlib
import pickle

import numpy as np
import pytest

import tribord.core.match
from tribord import IllegalAction, game_ids, load
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


@pytest.mark.parametrize(
    "keep", [copy.deepcopy, lambda match: pickle.loads(pickle.dumps(match))], ids=["copy", "pickle"]
)
@pytest.mark.parametrize("name", game_ids())
def test_copies_of_matches_and_batches_go_on_by_themselves(name, keep):
    game = load(name)
    match = game.match(seed=1)
    twin, before = keep(match), match.state.tobytes()
    assert twin.game is game and np.shares_memory(twin.state, twin.states)
    for each in (twin, match):
        for _decision in range(30):
            for seat in each.to_act[:1]:
                each.play(seat, each.legal(seat)[-1])
        if each is twin:
            assert match.state.tobytes() == before and match.to_act
    assert twin.outcome == match.outcome and twin.state.tobytes() == match.state.tobytes()
    batch = game.batch(3, game.players[0], seed=1, auto_reset=True)
    other = keep(batch)
    for _step in range(20):
        for each in (batch, other):
            each.step(each.sample())
    assert other.states.tobytes() == batch.states.tobytes() and other.rngs is not batch.rngs


def test_a_sealed_choice_may_be_made_in_any_order_and_only_once():
    match = GAME.match(players=3, seed=1)
    assert match.to_act == [0, 1, 2]
    match.play(1, "pick 2")
    assert match.to_act == [0, 2]
    with pytest.raises(IllegalAction) as refused:
        match.play(1, "pick 3")
    assert refused.value.code == "already-sealed"


def test_only_its_owner_sees_a_sealed_choice():
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
        (3, {"kind": "pick", "pirate": 1, "pirat": 2}, "not-an-action"),
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


@pytest.mark.parametrize("game_id", game_ids())
def test_a_part_that_an_action_does_not_have_is_refused_in_every_game(game_id):
    game = load(game_id)
    kinds = {game.parts(action)["kind"]: action for action in range(game.actions)}
    for action in kinds.values():
        with pytest.raises(IllegalAction) as refused:
            game.action({**game.parts(action), "comment": 1})
        assert refused.value.code == "not-an-action"


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


@pytest.mark.parametrize("game_id", game_ids())
@pytest.mark.parametrize("forgetful", [False, True])
def test_rewinding_leads_to_every_place_as_replaying_from_the_start_does(monkeypatch, at_random, game_id, forgetful):
    monkeypatch.setattr(tribord.core.match, "SNAPSHOT", 4)
    match = at_random(load(game_id).match(3, seed=5), 2)
    if forgetful:
        match.forget_events()
    for place in range(min(match.version, 40) + 1):
        rewound, replayed = match.fork(), match.fork()
        rewound.rewind(place)
        replayed.replay(match.journal[:place])
        for known in ("journal", "draws", "opened", "to_act", "events"):
            assert getattr(rewound, known) == getattr(replayed, known), known
        assert rewound.state.tobytes() == replayed.state.tobytes()
    rewound.rewind(7)
    for entry in match.journal[rewound.version :]:  # it goes on as before
        rewound.follow(entry)
    assert rewound.state.tobytes() == match.state.tobytes() and match.over


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


# -- branches ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game_id", game_ids())
def test_a_branch_with_the_same_decisions_and_dice_leads_to_the_same_bytes(at_random, game_id):
    match = at_random(load(game_id).match(3, seed=5), 2)
    for place in range(0, match.version, 3):
        again = match.branch(place, seed=match.dice)
        assert again.journal[:place] == match.journal[:place] and again.branched == place
        while again.version < match.version:
            entry = match.journal[again.version]
            again.play(entry.seat, entry.action)
        assert again.state.tobytes() == match.state.tobytes() and again.journal == match.journal


@pytest.mark.parametrize("game_id", game_ids())
def test_a_branch_has_dice_of_its_own_and_changes_nothing_of_the_match(at_random, game_id):
    match = at_random(load(game_id).match(3, seed=5), 2)
    before = match.state.tobytes(), match.journal
    place = match.version // 2
    one, other = (at_random(match.branch(place), 3) for _twice in range(2))
    assert len({match.dice.commitment, one.dice.commitment, other.dice.commitment}) == 3
    assert one.over and one.journal[:place] == other.journal[:place] == match.journal[:place]
    assert (match.state.tobytes(), match.journal) == before


@pytest.mark.parametrize("game_id", game_ids())
def test_a_new_deal_does_not_depend_on_what_a_seat_may_not_know(at_random, game_id):
    match = at_random(load(game_id).match(3, seed=5), 2)
    hidden = 0
    for place in range(0, match.version, 1 + match.version // 24):
        for seat in range(3):
            dealt = match.branch(place, redeal=seat, seed=1)
            other = match.branch(place, redeal=seat, seed=2)  # another truth, as far as that seat can know
            assert other.branch(place, redeal=seat, seed=1).state.tobytes() == dealt.state.tobytes()
            was = match.branch(place, seed=1)
            assert was.view_state(seat).tobytes() == dealt.view_state(seat).tobytes()
            hidden += was.state.tobytes() != dealt.state.tobytes()
    assert (hidden > 0) == (game_id != "ile-aux-pirates")  # where nothing is hidden, nothing is dealt


def test_a_branch_takes_back_its_own_decisions_and_no_others():
    branch = picked().branch(2)
    with pytest.raises(IllegalAction) as refused:
        branch.undo()
    assert refused.value.code == "nothing-to-undo"
    before = branch.state.tobytes()
    branch.play(2, "pick 6")
    branch.undo()
    assert branch.state.tobytes() == before and branch.version == 2


def test_a_branch_of_a_branch_has_the_dice_of_each_where_they_were_thrown(at_random):
    match = at_random(GAME.match(3, seed=5), 2)
    first = at_random(match.branch(9, redeal=1, seed="first"), 3)
    second = at_random(first.branch(15, redeal=2, seed="second"), 4)
    assert [(p.place, p.redealt, p.dice.seed) for p in second.branchings] == [(9, 1, "5"), (15, 2, "first")]
    assert second.dice.seed == "second" and second.branched == 15
    early = second.branch(4, seed="early")  # before the first branch there is only the first match
    assert [(p.place, p.dice.seed) for p in early.branchings] == [(4, "5")]
    same = at_random(second.beginning(), 0, steps=0)
    for entry in second.journal:
        same.follow(entry)
    assert same.state.tobytes() == second.state.tobytes()


@pytest.mark.parametrize(
    ("place", "redeal", "code"), [(-1, None, "no-such-place"), (999, None, "no-such-place"), (3, 4, "no-such-seat")]
)
def test_a_branch_from_nowhere_is_refused(place, redeal, code):
    with pytest.raises(IllegalAction) as refused:
        picked().branch(place, redeal=redeal)
    assert refused.value.code == code


def test_you_cannot_play_on_from_the_end(at_random):
    match = at_random(GAME.match(2, seed=3), 1)
    with pytest.raises(IllegalAction) as refused:
        match.branch(match.version)
    assert refused.value.code == "match-over"


def test_a_branch_rewinds_across_a_deal(monkeypatch, at_random):
    monkeypatch.setattr(tribord.core.match, "SNAPSHOT", 4)
    for place in (2, 3, 4):  # before, at and after a snapshot
        branch = at_random(picked().branch(place, redeal=0, seed=3), 1)
        for back in range(place, branch.version):
            rewound, replayed = branch.fork(), branch.fork()
            rewound.rewind(back)
            replayed.replay(branch.journal[:back])
            assert rewound.state.tobytes() == replayed.state.tobytes()


# A seed's deal belongs to a version of the rules, or saved branches would continue from another position. If you change
# a game's `guess`, increase its version.
DEALT = {
    "faut-pas-pousser": (1, "d8402ba7e1029bc2"),
    "ile-aux-pirates": (1, "b0d753e2ec09becd"),
    "sauve-qui-peut": (1, "a66ea4136a1a6e13"),
    "walk-the-plank": (1, "c4a03e90a875faca"),
}


@pytest.mark.parametrize("game_id", game_ids())
def test_what_a_seed_deals_stays_the_same_within_a_version_of_the_rules(at_random, game_id):
    game = load(game_id)
    match = at_random(game.match(3, seed=5), 2)
    told = hashlib.sha256()
    for place in range(match.version):
        told.update(match.branch(place, redeal=place % 3, seed=1).state.tobytes())
    assert (game.version, told.hexdigest()[:16]) == DEALT[game_id]
