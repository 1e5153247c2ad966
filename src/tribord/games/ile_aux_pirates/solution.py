"""The base game solved (I9): the best play's chance of winning from every position at the start of a turn.

A position is where the three children and the pirate stand when the dice are about to be rolled. Children are alike, so
their places are a multiset. The pirate goes forward in every turn and is never sent back: solved in the order of his
places, the last first, every turn leads to positions whose values are known, and one pass finds them all. A turn is
played by the rules themselves, through every choice of dice and pawns.

Under a limit of turns (I19) the number of turns left counts too. Since the pirate needs 17 at most, so do the turns:
column t of the table is the chance of winning within t turns, and the last one is the game without a limit.
"""

import numpy as np
from numpy.typing import NDArray

from tribord.core import verbs
from tribord.core.bits import lowest_bit
from tribord.core.compiled import compiled, rule
from tribord.core.record import CHANCE, Ints, State, States
from tribord.core.refusal import BadOption
from tribord.core.words import _
from tribord.games.ile_aux_pirates.actions import ACTIONS, CHANCES
from tribord.games.ile_aux_pirates.rules import children_aboard, put_dice_away
from tribord.games.ile_aux_pirates.state import CHILDREN, OUT, PAWNS, PIRATES, SHIP, THROWING, WON

BASE_ONLY = _("Only the base game is solved: the strategic game is too large.")

ValueTable = NDArray[np.float64]

TURNS = SHIP  # the most that a match can last: the pirate goes forward in every turn
PLACES = SHIP + 1
CROWDS = PLACES * (PLACES + 1) * (PLACES + 2) // 6  # ways to place three children who are alike
POSITIONS = SHIP * CROWDS
SHAPE = (POSITIONS, TURNS + 1)
STAGE = CROWDS  # rows that depend on earlier rows alone: the pirate stands in the same place in all of them
STATES = SHIP * (CROWDS - 1)  # positions in which the match goes on: not all three are aboard
LEVELS = 5  # of a turn: before the roll, after it, and after each of three moves


def covers(state: State) -> bool:
    """Whether the solution covers this match: it does for the base game."""
    return not int(state.strategic)


def check_settings(settings: State) -> None:
    """Refuse a game that isn't solved."""
    if int(settings.game):
        raise BadOption("not-solved", BASE_ONLY, "I9")


@rule
def position(state: State) -> int:
    """The number of a position, from 0; the further the pirate has gone, the lower."""
    low, middle, high = int(state.at[0]), int(state.at[1]), int(state.at[2])
    if low > middle:
        low, middle = middle, low
    if middle > high:
        middle, high = high, middle
    if low > middle:
        low, middle = middle, low
    # The combinatorial number system, for places that may be equal.
    crowd = low + middle * (middle + 1) // 2 + high * (high + 1) * (high + 2) // 6
    return (SHIP - 1 - int(state.at[CHILDREN])) * CROWDS + crowd


@rule
def set_up(state: State, number: int) -> None:
    """Write the position with this number, for one player, before a roll."""
    state.players = 1
    state.strategic = 0
    state.hard = 0
    state.memory = 0
    state.turn = 0
    state.turns_left = 0
    state.shown = 0
    state.phase = THROWING
    put_dice_away(state)
    for pawn in range(PAWNS):
        state.at[pawn] = OUT
    for figure in range(PIRATES):
        state.force[figure] = 0
    state.force[0] = 2
    state.at[CHILDREN] = SHIP - 1 - number // CROWDS
    rest = number % CROWDS
    high = 0
    while (high + 1) * (high + 2) * (high + 3) // 6 <= rest:
        high += 1
    rest -= high * (high + 1) * (high + 2) // 6
    middle = 0
    while (middle + 1) * (middle + 2) // 2 <= rest:
        middle += 1
    state.at[0] = rest - middle * (middle + 1) // 2
    state.at[1] = middle
    state.at[2] = high


@rule
def turns(state: State) -> int:
    """The column of a state: how many turns are left, up to the most that matter."""
    if int(state.turns_left) == 0:
        return TURNS
    return min(int(state.turns_left), TURNS)


@rule
def open_branch(states: States, level: int, todo: Ints, sizes: Ints, places: Ints) -> None:
    """List the legal actions in states[level]; none if the turn is over."""
    seats = verbs.to_act(states[level])
    places[level] = 0
    sizes[level] = 0
    if seats != 0:
        sizes[level] = verbs.legal(states[level], lowest_bit(seats), todo[level])


@rule
def next_end(states: States, first: int, level: int, todo: Ints, sizes: Ints, places: Ints) -> int:
    """Walk on to the next way the turn can end; return its level, or -1 if there is none.

    The walk begins in states[first], which `open_branch` has opened, and keeps one state per level.
    """
    while level >= first:
        if places[level] == sizes[level]:
            level -= 1
            continue
        action = todo[level, places[level]]
        places[level] += 1
        states[level + 1] = states[level]
        verbs.apply(states[level + 1], lowest_bit(verbs.to_act(states[level])), action, None)
        level += 1
        open_branch(states, level, todo, sizes, places)
        if sizes[level] == 0:
            return level
    return -1


@compiled
def sweep(states: States, table: ValueTable, first: int, last: int) -> None:
    """Fill the rows first..last-1 of the table from the rows before them: roll, best end of the turn, mean.

    `states`, here and below, is room for the LEVELS of a turn.
    """
    todo = np.zeros((LEVELS, ACTIONS), np.int64)
    sizes, places = np.zeros(LEVELS, np.int64), np.zeros(LEVELS, np.int64)
    weights = np.zeros(CHANCES, np.int64)
    best = np.zeros(TURNS + 1)
    total = np.zeros(TURNS + 1)
    for number in range(first, last):
        set_up(states[0], number)
        if children_aboard(states[0]) == 3:
            table[number, :] = 1.0  # the match is over; this row is never read
            continue
        total[:] = 0.0
        ways = 0
        for outcome in range(verbs.chance(states[0], weights)):
            if weights[outcome] == 0:
                continue
            states[1] = states[0]
            verbs.apply(states[1], CHANCE, outcome, None)
            best[:] = 0.0
            open_branch(states, 1, todo, sizes, places)
            level = next_end(states, 1, 1, todo, sizes, places)
            while level >= 0:
                phase = int(states[level].phase)
                if phase == WON:
                    best[1:] = 1.0
                elif phase == THROWING:
                    after = position(states[level])
                    for t in range(1, TURNS + 1):
                        best[t] = max(best[t], table[after, t - 1])
                level = next_end(states, 1, level, todo, sizes, places)
            for t in range(1, TURNS + 1):
                total[t] += weights[outcome] * best[t]
            ways += weights[outcome]
        for t in range(TURNS + 1):
            table[number, t] = total[t] / ways


@rule
def write_action_values(
    states: States, table: ValueTable, actions: Ints, values: ValueTable, todo: Ints, sizes: Ints, places: Ints
) -> None:
    """The chance of winning after each of these actions in states[0], best play following."""
    seat = lowest_bit(verbs.to_act(states[0]))
    for k in range(len(actions)):
        states[1] = states[0]
        verbs.apply(states[1], seat, actions[k], None)
        open_branch(states, 1, todo, sizes, places)
        values[k] = state_value(states[1], table)
        level = next_end(states, 1, 1, todo, sizes, places)
        while level >= 0:
            values[k] = max(values[k], state_value(states[level], table))
            level = next_end(states, 1, level, todo, sizes, places)


@compiled
def action_values(states: States, table: ValueTable, actions: Ints, values: ValueTable) -> None:
    """`write_action_values`, called from Python."""
    sizes, places = np.zeros(LEVELS, np.int64), np.zeros(LEVELS, np.int64)
    write_action_values(states, table, actions, values, np.zeros((LEVELS, ACTIONS), np.int64), sizes, places)


@rule
def state_value(state: State, table: ValueTable) -> float:
    """The chance of winning in a state between turns or after the match; 0 in the middle of a turn."""
    if int(state.phase) == WON:
        return 1.0
    if int(state.phase) == THROWING:
        return table[position(state), turns(state)]
    return 0.0
