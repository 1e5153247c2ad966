"""Evaluation of L'Île aux Pirates: a race: the distance the children still have to go against that of the pirates.

Lengths are counted in steps of a child. A pirate's step is worth several of them: two dice a turn move children and
only one a pirate, and that one is as low as the roll allows. The weights were tuned by playing.
"""

from typing import Any

import numpy as np

from tribord.core.compiled import rule
from tribord.core.record import State
from tribord.games.ile_aux_pirates.rules import children_aboard, dice_to_throw, force_aboard
from tribord.games.ile_aux_pirates.state import CASTLE, CHILDREN, LOST, MOVING, OUT, PIRATES, SHIP, WON

# For the base game and the strategic game.
PIRATE_STEP = np.array([34.0, 5.5])  # a pirate's step, in steps of a child
LAST_STEPS = np.array([4.0, 0.05])  # ... and worth less and less, because fewer children are left by then
LAGGARD = np.array([1.75, 0.3])  # a child far behind counts double: in the end too few can share the dice
COMPANY = np.array([1.0, 0.0])  # two on a square are caught together
CHILD_DIE = 0.3  # a point on a die still to be used on a child
NEXT_THROW = 0.2  # weight of the pirates' best move with the next throw
SHIP_LOST = 38.0  # a move that loses the ship, with a roll still to come
NEVER = -1000.0  # the same with dice that have been rolled
NOBODY = -10_000.0  # the move of a pirate who isn't there
EVEN = np.array([170.0, 60.0])  # the lead at which a win is three times as likely as a loss


@rule
def evaluate(state: State, seat: int) -> float:
    """About the chance of winning, from the lead in the race; the same for every seat."""
    phase = int(state.phase)
    if phase == WON:
        return 1.0
    if phase >= LOST:
        return 0.0
    game = int(state.strategic)
    lead = pirates_way(state, game) - children_way(state, game)
    if phase == MOVING:
        lead += pending_dice(state, game)
    lead += NEXT_THROW * next_pirate_move(state, game)
    return 0.5 + 0.5 * lead / (EVEN[game] + abs(lead))


@rule
def children_way(state: State, game: int) -> float:
    """The distance the children have left."""
    way = 0.0
    for child in range(CHILDREN):
        at = int(state.at[child])
        if at != OUT:
            way += SHIP - at + LAGGARD[game] * (SHIP - at) * (SHIP - at) / SHIP
            if CASTLE < at < SHIP:
                way += COMPANY[game] * (children_on(state, at) - 1)
    return way


@rule
def pirates_way(state: State, game: int) -> float:
    """The distance the pirates have left."""
    way = 0.0
    for figure in range(PIRATES):
        at = int(state.at[CHILDREN + figure])
        if at != OUT:
            way += PIRATE_STEP[game] * (SHIP - at) + LAST_STEPS[game] * at * at / 16.0
    return way


@rule
def pending_dice(state: State, game: int) -> float:
    """What the dice on the table will do: the pirates' best move with one of them, and the rest for children."""
    best = NOBODY
    points = 0
    for k in range(3):
        die = int(state.dice[k])
        points += die
        if die and int(state.pirate_dice):
            for figure in range(PIRATES):
                if not (int(state.spent) >> (CHILDREN + figure)) & 1:
                    best = max(best, pirate_move(state, game, figure, die) - CHILD_DIE * die)
    if best < NEVER - CHILD_DIE * 6:
        best = 0.0  # no pirate can move
    return best + CHILD_DIE * points


@rule
def next_pirate_move(state: State, game: int) -> float:
    """The mean of the pirates' best move with the next roll, with the children standing still."""
    if best_move(state, game, 1) < NEVER:
        return 0.0  # no pirate is left ashore
    dice = dice_to_throw(state)
    mean = 0.0
    for die in range(1, 7):
        value = worth_of_die(state, game, die)
        worse = 0
        for other in range(1, 7):
            rival = worth_of_die(state, game, other)
            if rival < value or (rival == value and other < die):
                worse += 1
        # This is the best of the roll when no die is better and not all are worse.
        mean += value * ((worse + 1) ** dice - worse**dice) / 6**dice
    return mean


@rule
def best_move(state: State, game: int, die: int) -> float:
    """The best a pirate can do with a die."""
    move = NOBODY
    for figure in range(PIRATES):
        move = max(move, pirate_move(state, game, figure, die))
    return move


@rule
def worth_of_die(state: State, game: int, die: int) -> float:
    """The best a pirate can do with a die, minus what a child would have gained with it."""
    move = best_move(state, game, die)
    return (move if move > NEVER else -SHIP_LOST) - CHILD_DIE * die


@rule
def pirate_move(state: State, game: int, figure: int, die: int) -> float:
    """How a pirate's move changes the lead; NEVER if it loses the ship, NOBODY if he isn't ashore."""
    start = int(state.at[CHILDREN + figure])
    if start in (OUT, SHIP):
        return NOBODY
    goal = min(start + die, SHIP)
    change = -PIRATE_STEP[game] * (goal - start)
    if goal == SHIP:
        if not game or force_aboard(state) + int(state.force[figure]) >= children_aboard(state):
            return NEVER
        return change
    children = children_on(state, goal)
    if children == 0:
        return change
    pirates = 0
    force = 0
    for other in range(PIRATES):
        if other == figure or int(state.at[CHILDREN + other]) == goal:
            pirates += 1
            force += int(state.force[other])
    if force > children or (not game and children < 3):
        return change - children * goal
    if force < children and game and not int(state.hard):
        return change + PIRATE_STEP[game] * goal * pirates
    return change


@rule
def children_on(state: State, square: int) -> int:
    """How many children are on a square."""
    children = 0
    for child in range(CHILDREN):
        if int(state.at[child]) == square:
            children += 1
    return children


# Search


SEARCH = {"c_puct": 0.3, "prior_temperature": 0.01, "max_children": 24}
ITERATIONS = {"bosco": 200, "capitaine": 6000}
LUCK = (0.45, 0.5)  # coefficients of luck in the arena, fitted by `python -m tribord.lab.luck`


@rule
def values(state: State, out: Any) -> None:
    """Everyone wins or everyone loses, so all seats have the same value."""
    value = evaluate(state, 0)
    for seat in range(int(state.players)):
        out[seat] = value
