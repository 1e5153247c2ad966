"""Batches: many matches in one array play exactly as single ones."""

import numpy as np
import pytest

from tribord import BadOption, IllegalAction, game_ids, load
from tribord.core.batch import Batch, mark_legal
from tribord.core.compiled import compiled
from tribord.core.match import legal_actions


@pytest.mark.parametrize("game", game_ids())
def test_a_batch_plays_to_the_end_and_agrees_with_single_states(game):
    game = load(game)
    players = game.players[1] if game.id != "ile-aux-pirates" else 4
    batch = game.batch(40, players, seed=3)
    twins = batch.states.copy()
    for _step in range(5000):
        if batch.over.all():
            break
        mask = batch.legal()
        assert (mask.any(axis=1) == ~batch.over).all()
        actions = batch.sample()
        going = ~batch.over
        assert mask[going, actions[going]].all()
        assert np.isfinite(batch.observe()).all()
        batch.step(actions)
    assert batch.over.all()
    assert not (batch.states == twins).all()
    scores, wins = np.zeros(game.players[1], np.int64), np.zeros(game.players[1], np.int64)
    for i in range(40):
        assert game.rules.outcome(batch.states[i], scores, wins)
        assert (scores[:players] == batch.scores[i, :players]).all()


def test_an_illegal_action_refuses_the_whole_step():
    batch = load("faut-pas-pousser").batch(10, 4, seed=3)
    actions = batch.sample()
    actions[7] = 240
    before = batch.states.tobytes()
    with pytest.raises(IllegalAction) as refused:
        batch.step(actions)
    assert "Match 7" in str(refused.value) and batch.states.tobytes() == before


@pytest.mark.parametrize("name", game_ids())
def test_advance_agrees_with_the_single_verbs(name):
    game = load(name)
    for players in range(game.players[0], game.players[1] + 1):
        batch, twin = (Batch(game, 30, players, seed=5) for _ in range(2))
        turns = batch.turns()
        shares = np.zeros((30, players))
        for _step in range(5000):
            going = ~batch.over
            if not going.any():
                break
            actions = batch.sample()
            assert batch.advance(actions, out=turns) is turns
            twin.sample()  # the same luck
            twin.step(actions)
            assert batch.states.tobytes() == twin.states.tobytes()
            assert (turns.seats == twin.seats).all() and (turns.over == twin.over).all()
            assert (turns.action_mask == twin.legal()).all()
            assert (turns.observation == twin.observe()).all()
            assert not turns.rewards[~(going & turns.over)].any(), "a reward before the end, or after it"
            shares += turns.rewards
        assert turns.over.all()
        for i in range(30):
            scores, wins = np.zeros(16, np.int64), np.zeros(16, np.int64)
            assert game.rules.outcome(batch.states[i], scores, wins)
            winners = 1 if game.cooperative else max(1, wins[:players].sum())
            assert shares[i] == pytest.approx(wins[:players] / winners)


@pytest.mark.parametrize("name", game_ids())
def test_what_is_legal_is_listed_the_same_by_interpreted_rules(name):
    game = load(name)
    batch = Batch(game, 8, game.players[1] if name != "ile-aux-pirates" else 4, seed=9, auto_reset=True)
    for _step in range(25):
        turns = batch.advance(batch.sample())
        for i, seat in enumerate(turns.seats.tolist()):
            assert np.flatnonzero(turns.action_mask[i]).tolist() == legal_actions(game, batch.states[i], seat)
            seen = game.observe(game.view_of(batch.states[i], seat), seat)
            assert turns.observation[i] == pytest.approx(seen)


@compiled
def mark_what_is_listed(states, seats, masks, out):
    for i in range(len(states)):
        mark_legal(states[i], seats[i], masks[i], out)


@pytest.mark.parametrize("name", game_ids())
def test_masks_that_games_write_themselves_mark_exactly_what_the_rules_list(name):
    game = load(name)
    for players in range(game.players[0], game.players[1] + 1):
        batch = Batch(game, 200, players, seed=6, auto_reset=True)
        turns, masks = batch.turns(), np.full((200, game.actions), 7, np.int8)
        for _step in range(150):
            batch.advance(batch.sample(), out=turns)
            mark_what_is_listed(batch.states, batch.seats, masks, np.zeros(game.actions, np.int64))
            assert (turns.action_mask == masks).all()
            turns.action_mask.fill(7)  # callers may write into their array


@pytest.mark.parametrize("name", game_ids())
def test_compiled_and_interpreted_batches_are_the_same_byte_for_byte(name, monkeypatch):
    def line():
        batch = Batch(load(name), 3, load(name).players[0], seed=2, auto_reset=True)
        turns, content = batch.turns(), b""
        for _step in range(12):
            turns = batch.advance(batch.sample(), out=turns)
            content += b"".join(told.tobytes() for told in turns)
        return content + batch.states.tobytes()

    fast = line()
    monkeypatch.setenv("TRIBORD_INTERPRETED", "1")
    assert line() == fast


def test_with_auto_reset_a_match_that_ends_restarts_in_the_same_step():
    batch = Batch(load("faut-pas-pousser"), 50, 4, seed=2, auto_reset=True)
    opening = batch.turns().observation[0].copy()
    turns, ended = batch.turns(), 0
    for step in range(1, 85):  # four picks and 24 turns make a match
        turns = batch.advance(batch.sample(), out=turns)
        assert turns.over.all() == (step % 28 == 0) and turns.over.any() == turns.over.all()
        assert turns.rewards.sum() == pytest.approx(50 if step % 28 == 0 else 0)
        if turns.over.all():
            ended += 1
            assert (turns.seats == 0).all() and (turns.observation == opening).all()
            assert (turns.action_mask[:, :6] == 1).all() and not turns.action_mask[:, 6:].any()
    assert ended == 3 and not batch.over.any()


def test_arrays_may_be_new_given_or_changed_and_say_the_same():
    one, other = (Batch(load("walk-the-plank"), 20, 4, seed=3, auto_reset=True) for _ in range(2))
    rooms = [one.turns(), one.turns()]
    for step in range(120):
        actions = one.sample()
        other.sample()
        given = one.advance(actions, out=rooms[(step // 7) % 2]) if step % 5 else one.advance(actions)
        new = other.advance(actions)
        for told, expected in zip(given, new, strict=True):
            assert (told == expected).all() and told.flags.c_contiguous
        if step % 11 == 0:
            one.step(one.sample())
            other.step(other.sample())


def test_any_library_with_dlpack_takes_the_arrays():
    batch = Batch(load("sauve-qui-peut"), 5, 4, seed=3, auto_reset=True)
    turns = batch.advance(batch.sample())
    for told in turns:
        assert np.shares_memory(np.from_dlpack(told), told) and told.__array_interface__["strides"] is None


def test_a_batch_restarts_with_a_seed():
    batch = Batch(load("ile-aux-pirates"), 10, 3, seed=4)
    first = batch.states.tobytes()
    for _step in range(30):
        batch.step(batch.sample())
    batch.reset(5)
    assert batch.states.tobytes() != first
    batch.reset(4)
    assert batch.states.tobytes() == first


def test_a_refusal_in_a_batch_says_which_match_and_which_rule():
    batch = Batch(load("faut-pas-pousser"), 10, 4, seed=3, auto_reset=True)
    turns = batch.turns()
    actions = batch.sample()
    for number in (240, -1, 247, 1 << 40):
        wrong = actions.copy()
        wrong[7] = number
        before = batch.states.tobytes(), batch.rngs.tobytes(), turns.observation.tobytes()
        with pytest.raises(IllegalAction) as refused:
            batch.advance(wrong, out=turns)
        assert "Match 7" in str(refused.value) and str(number) in str(refused.value)
        assert before == (batch.states.tobytes(), batch.rngs.tobytes(), turns.observation.tobytes())
        if number == 240:
            assert refused.value.rule == "F3" and "(F3)" in str(refused.value.__cause__)


@pytest.mark.parametrize("actions", [[0] * 9, [[0] * 10], [0.0] * 10, "a" * 10, None])
def test_actions_that_are_not_one_number_for_each_match_are_refused(actions):
    batch = Batch(load("faut-pas-pousser"), 10, 4)
    with pytest.raises(IllegalAction, match="10 matches"):
        batch.advance(actions)


def test_room_that_cannot_be_filled_is_refused():
    batch = Batch(load("faut-pas-pousser"), 10, 4)
    turns, actions = batch.turns(), batch.sample()
    frozen = turns.observation.copy()
    frozen.flags.writeable = False
    for name, wrong in [
        ("action_mask", turns.action_mask.astype(bool)),
        ("observation", np.asfortranarray(turns.observation)),
        ("observation", frozen),
        ("rewards", turns.rewards[:, :2]),
        ("seats", [0] * 10),
    ]:
        with pytest.raises(ValueError, match=name):
            batch.advance(actions, out=turns._replace(**{name: wrong}))
    with pytest.raises(ValueError, match="out"):
        batch.sample(out=np.zeros(9, np.int64))
    batch.advance(batch.sample(out=actions), out=turns)


@pytest.mark.parametrize("name", game_ids())
def test_the_batch_plays_uniform_seats_from_its_own_streams(name):
    game = load(name)
    players = game.players[1]
    ours, theirs = Batch(game, 8, players, seed=4, uniform=(0, 1)), Batch(game, 8, players, seed=4)
    assert not set(ours.seats.tolist()) & {0, 1}
    for _step in range(30):
        while (waiting := (theirs.seats == 0) | (theirs.seats == 1)).any():
            streams = theirs.rngs.copy()
            actions = theirs.sample()
            theirs.rngs[~waiting] = streams[~waiting]
            for match in np.flatnonzero(waiting):
                alone(theirs, match, actions[match])
        assert ours.states.tobytes() == theirs.states.tobytes()
        actions = ours.sample()
        assert actions.tolist() == theirs.sample().tolist()
        for match in np.flatnonzero(theirs.seats >= 0):
            alone(theirs, match, actions[match])
        ours.step(actions)


def alone(batch, match, action):
    """Play an action in one match of a batch."""
    rest = [getattr(batch, name).copy() for name in ("states", "rngs", "seats", "scores", "wins", "_mask")]
    actions = batch.sample()
    batch.rngs[match], actions[match] = rest[1][match], action
    batch.step(actions)
    for name, before in zip(("states", "rngs", "seats", "scores", "wins", "_mask"), rest, strict=True):
        now = getattr(batch, name)
        before[match] = now[match]
        now[:] = before


@pytest.mark.parametrize("uniform", [(-1,), (3,), (0, 1, 2)])
def test_seats_that_a_batch_cannot_play_itself_are_refused(uniform):
    with pytest.raises(BadOption, match="some of the seats 0 to 2, and not all"):
        Batch(load("walk-the-plank"), 5, 3, uniform=uniform)
