"""The evaluation of L'Île aux Pirates: it can tell a won match from a lost one, and wins by looking one step ahead."""

import numpy as np
import pytest

from tribord import load
from tribord.core import verbs
from tribord.core.chance import seed_stream
from tribord.core.compiled import compiled
from tribord.core.record import CHANCE
from tribord.games.ile_aux_pirates.bot import CHILD_DIE, PIRATE_STEP, evaluate, next_pirate_move
from tribord.games.ile_aux_pirates.state import SHIP

GAME = load("ile-aux-pirates")


def test_won_is_best_and_lost_is_worst(island):
    at = {"brown-1": SHIP, "brown-2": SHIP, "brown-3": 15, "pirate-1": 15}
    going, won, lost = (island("2 3", at) for _k in range(3))
    won.play(0, "2 brown-3")
    lost.play(0, "2 pirate-1")
    assert evaluate(lost.state, 0) == 0.0 < evaluate(going.state, 0) < 1.0 == evaluate(won.state, 0)


def test_children_further_on_look_better_and_pirates_further_on_look_worse(strategic):
    here = evaluate(strategic("1 2 3", {"brown-1": 5, "pirate-1": 9}).state, 0)
    assert evaluate(strategic("1 2 3", {"brown-1": 8, "pirate-1": 9}).state, 0) > here
    assert evaluate(strategic("1 2 3", {"brown-1": 5, "pirate-1": 10}).state, 0) < here


def test_the_mean_of_the_best_pirate_move_is_that_of_the_best_die(island):
    """With nobody around, the best die is the lowest of three; its mean is 441 / 216."""
    one_point = -float(PIRATE_STEP[0]) - CHILD_DIE
    assert next_pirate_move(island("1 1 1").state, 0) == pytest.approx(one_point * 441 / 216)


@compiled
def wins_by_judgement(states, settings, matches, out, scores, wins):
    """How many matches are won by always taking the move that looks best right after it."""
    rng = np.zeros(4, np.int64)
    state = states[0]
    won = 0
    for k in range(matches):
        seed_stream(rng, 2026, k)
        verbs.initial(state, settings)
        while verbs.outcome(state, scores, wins) == 0:
            mask = verbs.to_act(state)
            if mask == 0:
                verbs.apply(state, CHANCE, verbs.roll(state, rng, out), None)
                continue
            seat = 0
            while not (mask >> seat) & 1:
                seat += 1
            best, choice = -1.0, -1
            for action in range(verbs.legal(state, seat, out)):
                states[1] = state
                verbs.apply(states[1], seat, out[action], None)
                value = verbs.evaluate(states[1], seat)
                if value > best:
                    best, choice = value, out[action]
            verbs.apply(state, seat, choice, None)
        won += wins[0]
    return won


@pytest.mark.parametrize(
    ("players", "options", "share"),
    [
        (1, {}, 0.80),
        (1, {"game": "strategic"}, 0.95),
        (2, {"game": "strategic"}, 0.95),
        (4, {"game": "strategic"}, 0.96),
        (4, {"game": "strategic", "harder": True}, 0.96),
        (4, {"game": "strategic", "hard": True}, 0.55),
    ],
)
def test_one_step_judgement_wins_often(players, options, share):
    settings = GAME.settings(players, options, research=True)
    counts = (np.zeros(GAME.actions + GAME.chances, np.int64), np.zeros(6, np.int64), np.zeros(6, np.int64))
    assert wins_by_judgement(GAME.states(2), settings, 400, *counts) >= share * 400
