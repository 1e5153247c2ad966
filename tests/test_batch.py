"""Batches: many matches in one array play exactly as single ones."""

import numpy as np
import pytest

from tribord import IllegalAction, game_ids, load


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
