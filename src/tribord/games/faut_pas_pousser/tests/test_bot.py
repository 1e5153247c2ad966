"""The judgement of Faut pas pousser."""

import pytest

from tribord import load
from tribord.bots import seat_bot
from tribord.core.chance import stream
from tribord.core.verbs import sample

GAME = load("faut-pas-pousser")


def finished(players, seed):
    """A match of random play to its end."""
    match = GAME.match(players, seed)
    rng = stream(seed)
    while not match.over:
        seat = match.to_act[0]
        match.play(seat, int(sample(match.state, seat, rng, rng)))
    return match


@pytest.mark.parametrize("players", [2, 3, 4])
def test_at_the_end_the_judgement_is_the_lead_in_points(players):
    match = finished(players, 4)
    scores = match.outcome.scores
    for seat in range(players):
        best_other = max(scores[other] for other in range(players) if other != seat)
        assert GAME.rules.judge(match.state, seat) == scores[seat] - best_other


def test_neutral_crews_are_no_rivals():
    match = finished(2, 4)
    match.state.plank[:] = [3 * 8 + 2] * 4
    match.state.fallen[:] = 3 * 8 + 3
    assert GAME.rules.judge(match.state, 0) == 0


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_sailor_beats_random_players(players):
    won = 0.0
    for seed in range(20):
        match = GAME.match(players, seed)
        bot, rng = seat_bot("matelot", GAME, seed), stream(seed)
        while not match.over:
            seat = match.to_act[0]
            mine = seat == seed % players
            action = bot.decide(match.view_state(seat), seat) if mine else sample(match.state, seat, rng, rng)
            match.play(seat, int(action))
        won += (seed % players in match.outcome.winners) / len(match.outcome.winners)
    assert won >= 17
