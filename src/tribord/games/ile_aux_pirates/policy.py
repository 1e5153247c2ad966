"""The softmax policy over the solution's action values, and what it is worth.

`evaluate` finds that exactly (policy evaluation), `play` by playing. Neither searches for the best end of a turn: at
each decision, the values of the solution give the probability of each action, and the rules carry it out. So with
temperature 0 it must win exactly as often as the solution claims, or the solution is wrong.
"""

from math import exp

import numpy as np

from tribord.core import verbs
from tribord.core.bits import lowest_bit
from tribord.core.chance import bits, seed_stream
from tribord.core.compiled import compiled, rule
from tribord.core.record import CHANCE, Ints, State, States
from tribord.games.ile_aux_pirates.actions import ACTIONS, CHANCES
from tribord.games.ile_aux_pirates.rules import children_aboard
from tribord.games.ile_aux_pirates.solution import (
    LEVELS,
    ValueTable,
    open_branch,
    position,
    set_up,
    state_value,
    write_action_values,
)
from tribord.games.ile_aux_pirates.state import THROWING, WON

SEATS = 6  # at most


@rule
def likelihood(value: float, best: float, temperature: float) -> float:
    """How likely an action is, the best being 1: exp((value - best) / temperature); at temperature 0 only the best."""
    if temperature > 0.0:
        return exp((value - best) / temperature)
    return 1.0 if value == best else 0.0


@rule
def choose(values: ValueTable, n: int, temperature: float, rng: Ints) -> int:
    """Draw one of the first n actions from the softmax of their values."""
    best = 0.0
    for k in range(n):
        best = max(best, values[k])
    total = 0.0
    for k in range(n):
        total += likelihood(values[k], best, temperature)
    mark = total * (bits(rng) + 0.5) / 4294967296.0
    for k in range(n):
        mark -= likelihood(values[k], best, temperature)
        if mark < 0.0:
            return k
    return int(np.argmax(values[:n]))  # left over from rounding


@compiled
def evaluate(states: States, table: ValueTable, worth: ValueTable, temperature: float) -> None:
    """The chance of winning in every position, without a limit of turns, for the softmax policy over the table.

    In every position each roll leads to decisions and those to others: the tree of a turn is walked to its leaves, and
    on the way back each decision hands up the best value of its actions, and the policy's mean after them.
    """
    todo = np.zeros((LEVELS, ACTIONS), np.int64)
    sizes, places = np.zeros(LEVELS, np.int64), np.zeros(LEVELS, np.int64)
    weights = np.zeros(CHANCES, np.int64)
    best_after = np.zeros((LEVELS, ACTIONS))
    worth_after = np.zeros((LEVELS, ACTIONS))
    for number in range(len(worth)):
        set_up(states[0], number)
        if children_aboard(states[0]) == 3:
            worth[number] = 1.0
            continue
        total = 0.0
        ways = 0
        for outcome in range(verbs.chance(states[0], weights)):
            if weights[outcome] == 0:
                continue
            ways += weights[outcome]
            states[1] = states[0]
            verbs.apply(states[1], CHANCE, outcome, None)
            open_branch(states, 1, todo, sizes, places)
            level = 1
            while level > 0:
                if places[level] < sizes[level]:  # try the next action
                    k = places[level]
                    places[level] += 1
                    states[level + 1] = states[level]
                    verbs.apply(states[level + 1], lowest_bit(verbs.to_act(states[level])), todo[level, k], None)
                    open_branch(states, level + 1, todo, sizes, places)
                    if sizes[level + 1] > 0:
                        level += 1
                        continue
                    best_after[level, k] = state_value(states[level + 1], table)
                    worth_after[level, k] = ending(states[level + 1], worth)
                    continue
                best = 0.0
                for k in range(sizes[level]):
                    best = max(best, best_after[level, k])
                likely = 0.0
                mean = 0.0
                for k in range(sizes[level]):
                    share = likelihood(best_after[level, k], best, temperature)
                    likely += share
                    mean += share * worth_after[level, k]
                mean /= likely
                level -= 1
                if level > 0:
                    best_after[level, places[level] - 1] = best
                    worth_after[level, places[level] - 1] = mean
                else:
                    total += weights[outcome] * mean
        worth[number] = total / ways


@rule
def ending(state: State, worth: ValueTable) -> float:
    """The value of the end of a turn under the policy."""
    if int(state.phase) == WON:
        return 1.0
    if int(state.phase) == THROWING:
        return worth[position(state)]
    return 0.0


@compiled
def play(
    states: States, settings: State, table: ValueTable, temperature: float, seed: int, first: int, matches: int
) -> int:
    """Play a number of matches, from number `first` of a seed on, and count the wins."""
    todo = np.zeros((LEVELS, ACTIONS), np.int64)
    sizes, places = np.zeros(LEVELS, np.int64), np.zeros(LEVELS, np.int64)
    weights = np.zeros(CHANCES, np.int64)
    scores, wins = np.zeros(SEATS, np.int64), np.zeros(SEATS, np.int64)
    rng = np.zeros(4, np.int64)
    values = np.zeros(ACTIONS)
    won = 0
    for match in range(first, first + matches):
        seed_stream(rng, seed, match)
        verbs.initial(states[0], settings)
        while verbs.outcome(states[0], scores, wins) == 0:
            seats = verbs.to_act(states[0])
            if seats == 0:
                verbs.apply(states[0], CHANCE, verbs.roll(states[0], rng, weights), None)
                continue
            n = verbs.legal(states[0], lowest_bit(seats), todo[0])
            write_action_values(states, table, todo[0, :n], values, todo, sizes, places)
            action = todo[0, choose(values, n, temperature, rng)]
            verbs.apply(states[0], lowest_bit(seats), action, None)
        won += wins[0]
    return won
