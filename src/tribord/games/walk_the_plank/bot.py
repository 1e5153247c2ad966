"""Evaluation of Walk the Plank: a seat's share of the lives left, each weighed by its distance from the sea."""

from typing import Any

import numpy as np

from tribord.core.compiled import rule
from tribord.core.record import Ints, State
from tribord.games.walk_the_plank.actions import CHARGE, EXTEND, FLEE, PULL, RETRACT, RUN, SPACES, program_number
from tribord.games.walk_the_plank.rules import LONGEST, OFF_SHIP, ONE, SHORTEST, hand, is_decided, legal
from tribord.games.walk_the_plank.state import CHOOSING, OVER, RESOLVING, SLOTS
from tribord.games.walk_the_plank.view import laid, lies_face_down

LIFE = np.array([0.0, 0.5, 0.75, 0.9, 1.0])  # what a pirate is worth at each distance from the sea
WIN = 2.0


@rule
def life(state: State, crew: int) -> float:
    """A crew's living pirates, each weighed by its distance from the sea."""
    total = 0.0
    pirates = int(state.pirates[crew])
    for space in range(SPACES):
        count = (pirates >> 2 * space) & 3
        if count:
            total += count * LIFE[int(state.plank) + 1 - space]
    return total


@rule
def card_value(state: State, seat: int, card: int, slot: int) -> float:
    """What a laid card may be good for, with the plank as it is now; little compared with any life."""
    out_there = int(ONE[int(state.pirates[seat])]) & OFF_SHIP
    if card == EXTEND:
        return 0.02 if int(state.plank) < LONGEST and out_there else 0.0
    if card == RETRACT:
        return 0.03 if int(state.plank) > SHORTEST and not (out_there >> int(state.plank)) & 1 else -0.02
    if card == PULL:
        return 0.02 if out_there else 0.0
    if card == FLEE:
        return 0.04 if out_there else 0.01
    if card == RUN:
        return 0.02 if out_there else -0.02
    if card == CHARGE:
        return 0.01 if slot > 0 else -0.02
    return 0.04 - 0.005 * slot  # a shove or a drag needs company, which may run away


@rule
def is_to_come(state: State, seat: int, slot: int) -> bool:
    """Whether a seat's card in a slot is still to be played."""
    if int(state.phase) == RESOLVING and int(state.seat) == seat and int(state.slot) == slot:
        return True
    return lies_face_down(state, seat, slot)


@rule
def evaluate(state: State, seat: int) -> float:
    """A victory, or the seat's share of all the life on the board plus the value of its cards to come."""
    own = life(state, seat)
    if int(state.phase) == OVER:
        return WIN if own > 0.0 and is_decided(state) else 0.0
    if own == 0.0:
        return 0.0
    total = 0.0
    for crew in range(int(state.players)):
        total += life(state, crew)
    worth = own / total
    for slot in range(SLOTS):
        if is_to_come(state, seat, slot):
            worth += card_value(state, seat, laid(state, seat, slot), slot)
    return worth


# Search


SEARCH = {"c_puct": 0.4, "prior_temperature": 0.03, "rollout_depth": 64}
ITERATIONS = {"bosco": 200, "capitaine": 5000}
LUCK = (1.0, 0.55)  # coefficients of luck in the arena, fitted by `python -m tribord.lab.luck`
POWER = 1.5  # values grow with this power of the lives


@rule
def values(state: State, out: Any) -> None:
    """The chances of winning that the lives on the board give."""
    mass = 0.0
    for seat in range(int(state.players)):
        out[seat] = life(state, seat) ** POWER
        mass += out[seat]
    for seat in range(int(state.players)):
        out[seat] = out[seat] / mass if mass > 0.0 else 0.0


@rule
def candidates(state: State, seat: int, partial: int, out: Ints) -> int:
    """W4: a program is chosen card by card: -1 - a is the partial action after card a, -11 - 10 a - b after a and b."""
    if int(state.phase) != CHOOSING:
        return legal(state, seat, out)
    cards = hand(state, seat)
    first = -1
    second = -1
    if partial <= -11:
        first = (-11 - partial) // 10
        second = (-11 - partial) % 10
    elif partial < 0:
        first = -1 - partial
    n = 0
    for card in range(10):
        if (cards >> card) & 1 and card != first and card != second:
            if second >= 0:
                out[n] = program_number(first, second, card)
            elif first >= 0:
                out[n] = -11 - (first * 10 + card)
            else:
                out[n] = -1 - card
            n += 1
    return n
