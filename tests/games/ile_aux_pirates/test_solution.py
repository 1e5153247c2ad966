"""The solution of the base game, checked in ways that share only the rules with the pass that found it."""

from fractions import Fraction

import numpy as np
import pytest

from tribord import CHANCE, load
from tribord.bots.solver import TEMPERATURES, solution
from tribord.core import verbs
from tribord.core.bits import lowest_bit
from tribord.core.chance import below, stream
from tribord.core.compiled import compiled
from tribord.games.ile_aux_pirates.actions import PAWN_IDS
from tribord.games.ile_aux_pirates.policy import choose
from tribord.games.ile_aux_pirates.solution import (
    LEVELS,
    POSITIONS,
    STATES,
    TURNS,
    next_end,
    open_branch,
    position,
    set_up,
)
from tribord.games.ile_aux_pirates.state import CHILDREN, LOST, SHIP, THROWING, WON
from tribord.lab.solve import evaluate_policy, play

GAME = load("ile-aux-pirates")
ROUNDING = 1e-12


@pytest.fixture(scope="module")
def solved():
    return solution(GAME)


@compiled
def places_of(states, out):
    """Where the pawns are in every position, and its number again."""
    for number in range(len(out)):
        set_up(states[0], number)
        for child in range(3):
            out[number, child] = states[0].at[child]
        out[number, 3] = states[0].at[CHILDREN]
        out[number, 4] = position(states[0])


@compiled
def reach(states, reached, start):
    """Mark the reachable positions; returns the throws and choices that lead to a higher number."""
    todo = np.zeros((LEVELS, 90), np.int64)
    sizes, places, weights = np.zeros(LEVELS, np.int64), np.zeros(LEVELS, np.int64), np.zeros(128, np.int64)
    astray = 0
    reached[start] = True
    for number in range(start, -1, -1):
        if not reached[number]:
            continue
        set_up(states[0], number)
        for outcome in range(verbs.chance(states[0], weights)):
            if weights[outcome] > 0:
                states[1] = states[0]
                verbs.apply(states[1], CHANCE, outcome, None)
                open_branch(states, 1, todo, sizes, places)
                level = next_end(states, 1, 1, todo, sizes, places)
                while level >= 0:
                    if states[level].phase == THROWING:
                        reached[position(states[level])] = True
                        if position(states[level]) >= number:
                            astray += 1
                    level = next_end(states, 1, level, todo, sizes, places)
    return astray


def test_every_position_has_one_number():
    out = np.zeros((POSITIONS, 5), np.int64)
    places_of(GAME.states(1), out)
    assert (out[:, 4] == np.arange(POSITIONS)).all()
    assert (np.diff(out[:, :3]) >= 0).all()
    assert (out[:, :3].min(), out[:, :3].max(), out[:, 3].min(), out[:, 3].max()) == (0, SHIP, 0, SHIP - 1)
    assert len(np.unique(out[:, :4], axis=0)) == POSITIONS
    assert (out[:, 0] < SHIP).sum() == STATES == 19_363


@pytest.mark.long
def test_every_turn_leads_to_a_lower_number_and_not_every_position_can_occur():
    reached = np.zeros(POSITIONS, np.bool_)
    assert reach(GAME.states(LEVELS), reached, opening()) == 0
    out = np.zeros((POSITIONS, 5), np.int64)
    places_of(GAME.states(1), out)
    shared = (out[:, :3] == out[:, 3:4]).sum(axis=1)
    caught = (shared > 0) & (shared < 3) & (out[:, 3] > 0)  # I7: they would be in the castle
    assert not reached[caught].any()
    assert reached.sum() == 13_442


def opening():
    return position(placed(0, 0, 0, 0))


def naive(state, memo):
    """The chance of winning as a fraction, by the interpreted rules alone: no numbering, no canonical form."""
    phase = int(state.phase)
    if phase >= WON:
        return Fraction(phase == WON)
    key = state.tobytes()
    if key not in memo:
        out = np.zeros(128, np.int64)
        seats = GAME.rules.to_act(state)
        if seats:
            seat = lowest_bit(seats)
            actions = out[: GAME.rules.legal(state, seat, out)].tolist()
            memo[key] = max(naive(after(state, seat, action), memo) for action in actions)
        else:
            weights = out[: GAME.rules.chance(state, out)].tolist()
            ways = [(w, naive(after(state, CHANCE, k), memo)) for k, w in enumerate(weights) if w]
            memo[key] = sum(w * value for w, value in ways) / sum(w for w, _value in ways)
    return memo[key]


def after(state, seat, action):
    states = GAME.states(1)
    states[0] = state
    GAME.rules.apply(states[0], seat, action, None)
    return states[0]


def placed(*places, turns=0, players=1, turn=0):
    """A state before a throw: three children, the pirate."""
    state = GAME.states(1)[0]
    GAME.rules.initial(state, GAME.settings(players))
    state.at[:3] = places[:3]
    state.at[CHILDREN] = places[3]
    state.turns_left = turns
    state.turn = turn
    return state


@pytest.mark.parametrize(
    "places",
    [
        (17, 17, 0, 8),
        (15, 15, 15, 15),
        pytest.param((17, 11, 15, 12), marks=pytest.mark.long),
        pytest.param((17, 12, 9, 13), marks=pytest.mark.long),
    ],
)
def test_the_late_game_is_what_plain_recursion_finds(solved, places):
    exact = naive(placed(*places), {})
    assert 0 < exact < 1
    assert solved.value(placed(*places)) == pytest.approx(float(exact), abs=ROUNDING)


def test_following_the_solution_wins_exactly_as_often_as_it_claims(solved):
    assert np.abs(evaluate_policy(GAME) - solved.table[:, TURNS]).max() < ROUNDING


def test_every_value_is_the_mean_of_the_best_after_a_throw_under_any_limit(solved):
    """I19: the rules count the turns here; the pass that solved only shifted a column."""
    rng = stream(7, 1)
    for _k in range(60):
        state = placed(*(below(rng, SHIP + 1) for _child in range(3)), below(rng, SHIP), turns=below(rng, 12))
        if min(state.at[:3]) == SHIP:
            continue
        out = np.zeros(128, np.int64)
        weights = out[: GAME.rules.chance(state, out)].tolist()
        mean = sum(w * solved.value(after(state, CHANCE, k)) for k, w in enumerate(weights) if w) / sum(weights)
        assert solved.value(state) == pytest.approx(mean, abs=ROUNDING)


def test_a_limit_hurts_the_more_the_shorter_it_is_and_17_turns_are_none(solved):
    chances = [solved.value(placed(0, 0, 0, 0, turns=turns)) for turns in range(1, 20)]
    assert chances == sorted(chances)
    assert chances[3] == 0.0 < chances[4]  # 51 steps and two dice a turn: five turns at least
    assert chances[16] == chances[17] == solved.value(placed(0, 0, 0, 0))


def test_the_player_does_not_matter(solved, island):
    at = {"brown-1": 3, "brown-2": 9, "brown-3": 9, "pirate-1": 5}
    alone = solved.action_values(island("2 4 6", at).state)
    assert len(set(alone)) > 3
    for players in range(2, 7):
        assert solved.action_values(island("2 4 6", at, players=players, turn=players - 1).state) == alone


def test_which_child_is_which_does_not_matter(solved):
    chances = {solved.value(placed(*order, 6)) for order in ((2, 9, 13), (13, 2, 9), (9, 13, 2))}
    assert len(chances) == 1


def test_won_is_1_and_lost_is_0(solved, island):
    at = {"brown-1": SHIP, "brown-2": SHIP, "brown-3": 15, "pirate-1": 15}
    going, won, lost = (island("2 3", at) for _k in range(3))
    won.play(0, "2 brown-3")
    lost.play(0, "2 pirate-1")
    assert (int(won.state.phase), int(lost.state.phase)) == (WON, LOST)
    assert (solved.value(won.state), solved.value(lost.state)) == (1.0, 0.0)
    values = dict(zip(map(GAME.notation, going.legal(0)), solved.action_values(going.state)))
    assert values == {f"{die} {pawn}": float(pawn == PAWN_IDS[2]) for die in (2, 3) for pawn in ("brown-3", "pirate-1")}


@pytest.mark.parametrize(
    "matches", [50_000, pytest.param(1_000_000, marks=pytest.mark.long)], ids=["some", "a-million"]
)
def test_matches_played_by_the_solution_are_won_as_often_as_it_claims(solved, matches):
    claimed = solved.value(placed(0, 0, 0, 0))
    won = play(GAME, 4, {}, matches, seed=1)
    assert abs(won / matches - claimed) < 4 * np.sqrt(claimed * (1 - claimed) / matches)


def test_matches_under_a_limit_too(solved):
    claimed = solved.value(placed(0, 0, 0, 0, turns=7))
    won = play(GAME, 2, {"turns": 7}, 20_000, seed=1)
    assert abs(won / 20_000 - claimed) < 4 * np.sqrt(claimed * (1 - claimed) / 20_000)


@pytest.mark.long
def test_slips_are_evaluated_exactly_and_weaken_by_rank(solved):
    worth = {rank: evaluate_policy(GAME, temperature)[opening()] for rank, temperature in TEMPERATURES.items()}
    assert worth["capitaine"] - worth["bosco"] > 0.02
    assert worth["bosco"] - worth["matelot"] > 0.03
    won = play(GAME, 3, {}, 20_000, seed=2, temperature=TEMPERATURES["matelot"])
    assert abs(won / 20_000 - worth["matelot"]) < 4 * np.sqrt(0.25 / 20_000)


def test_a_slip_is_the_rarer_the_more_it_costs():
    values, rng = np.array([0.5, 0.6, 0.6, 0.55]), stream(1, 1)
    exactly = {choose(values, 4, 0.0, rng) for _k in range(200)}
    assert exactly == {1, 2}
    counts = np.bincount([choose(values, 4, 0.05, rng) for _k in range(4000)], minlength=4) / 4000
    odds = np.exp((values - 0.6) / 0.05)
    assert np.abs(counts - odds / odds.sum()).max() < 0.03
