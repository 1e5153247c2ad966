"""The evaluation of Faut pas pousser, and what its search knows."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tribord import load
from tribord.bots import seat_bot
from tribord.core.chance import stream
from tribord.core.verbs import sample
from tribord.games.faut_pas_pousser.features import FEATURES
from tribord.games.faut_pas_pousser.state import PLAYING

GAME = load("faut-pas-pousser")


def begun(players, seed, decisions):
    """A match of random play after this many decisions, or its end."""
    match, rng = GAME.match(players, seed), stream(seed)
    while not match.over and decisions:
        seat = match.to_act[0]
        match.play(seat, int(sample(match.state, seat, rng, rng)))
        decisions -= 1
    return match


def finished(players, seed):
    """A match of random play to its end."""
    return begun(players, seed, 100)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_at_the_end_the_judgement_is_the_lead_in_points(players):
    match = finished(players, 4)
    scores = match.outcome.scores
    for seat in range(players):
        best_other = max(scores[other] for other in range(players) if other != seat)
        assert GAME.rules.evaluate(match.state, seat) == scores[seat] - best_other


def test_neutral_crews_are_no_rivals():
    match = finished(2, 4)
    match.state.plank[:] = [3 * 8 + 2] * 4
    match.state.fallen[:] = 3 * 8 + 3
    assert GAME.rules.evaluate(match.state, 0) == 0


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_sailor_beats_random_players(players):
    won = 0.0
    for seed in range(20):
        match = GAME.match(players, seed)
        bot, rng = seat_bot("matelot", GAME, seed), stream(seed)
        while not match.over:
            seat = match.to_act[0]
            mine = seat == seed % players
            action = (
                bot.decide(match.view_state(seat), match.legal(seat)) if mine else sample(match.state, seat, rng, rng)
            )
            match.play(seat, int(action))
        won += (seed % players in match.outcome.winners) / len(match.outcome.winners)
    assert won >= 17


@settings(max_examples=60, deadline=None)
@given(players=st.sampled_from([2, 3, 4]), luck=st.integers(0, 10_000), turns=st.integers(4, 20))
def test_F6_the_search_looks_at_every_plank_once(players, luck, turns):
    """What is left out leads to the same state as something kept, and no two kept actions do."""
    match = begun(players, luck, turns)
    if match.over or int(match.state.phase) != PLAYING:
        return
    seat = match.to_act[0]
    trial, out = GAME.states(1), np.zeros(GAME.actions, np.int64)

    def after(action):
        trial[0] = match.state
        GAME.rules.apply(trial[0], seat, action, None)
        return trial[0].tobytes()

    candidates = out[: GAME.rules.candidates(match.state, seat, 0, out)].tolist()
    results = [after(action) for action in candidates]
    assert len(set(results)) == len(results)
    assert set(results) == {after(action) for action in match.legal(seat)}


def test_F5_F12_a_bosco_that_thinks_does_not_bring_what_makes_it_start_and_keeps_its_captain_for_the_end():
    match = GAME.match(4, 1)
    for seat in range(3):  # the youngest three: their 2 doesn't begin if all bring one
        bots = [seat_bot("bosco", GAME, seed).bot for seed in range(8)]
        picks = [bot.decide(match.view_state(seat), match.legal(seat)) + 1 for bot in bots]
        assert max(picks) <= 2
        assert picks.count(1) <= 2


@settings(max_examples=60, deadline=None)
@given(players=st.sampled_from([2, 3, 4]), luck=st.integers(0, 10_000), turns=st.integers(0, 24))
def test_what_is_true_is_numbered_once_and_within_bounds(players, luck, turns):
    match = begun(players, luck, turns)
    out, values = np.zeros(120, np.int64), np.zeros(4 + 120)
    for seat in range(players):
        n = GAME.rules.features(match.state, seat, 0, out)
        assert (n > 0) == (int(match.state.phase) == PLAYING)
        assert len(set(out[:n].tolist())) == n and all(0 <= k < FEATURES for k in out[:n])
    GAME.rules.values(match.state, values)
    assert sum(values[:players]) == pytest.approx(1)
    if match.over and len(match.outcome.winners) == 1:
        assert values[match.outcome.winners[0]] > 0.99
