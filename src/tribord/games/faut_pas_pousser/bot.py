"""How a state of Faut pas pousser looks to a seat: the points it may still expect, against the best of the others.

What a pirate on the plank or in hand will bring in the end was learnt from matches of bots and rounded.
"""

from typing import Any

import numpy as np

from tribord.core.bits import count_bits
from tribord.core.compiled import rule
from tribord.core.record import State
from tribord.games.faut_pas_pousser.actions import PASS_CARD
from tribord.games.faut_pas_pousser.prospects import CAPTAIN, CARD, LEAD, PIRATE, PLANK, WAIT
from tribord.games.faut_pas_pousser.rules import TURNS, points
from tribord.games.faut_pas_pousser.state import CREWS, OVER, PLAYING

# For each slot, what a pirate there will bring: at the first fall hardly anything, at the last what the slot scores.
EARLY = np.array([1.0, 0.8, 0.4, 0.2])
LATE = np.array([9.0, 8.0, 7.0, 6.0])
CAPTAIN_ON_PLANK = 1.3  # what a Captain on the plank adds, in the end; at first nothing
PAIR_EARLY, PAIR_LATE = 3.0, 7.5  # a pirate in hand, with an action card to go with it
CAPTAIN_IN_HAND = 2.5  # what a Captain in hand adds, in the end: better kept for late
PASS_LEFT = -0.5  # Non merci ! does no harm at first, but is not good to be left with
STRONG = 0.4  # what each of -2 and -3 is worth more than the other actions


@rule
def expected(state: State, crew: int) -> float:
    """The points that a crew may expect: those it has, and what its pirates, cards and pass will bring."""
    total = float(points(state, crew))
    if int(state.phase) == OVER:
        return total
    late = int(state.falls) / 20.0
    early = 1.0 - late
    for slot in range(4):
        pirate = int(state.plank[slot])
        if pirate and pirate >> 3 == crew:
            total += early * EARLY[slot] + late * LATE[slot]
            if pirate & 7 == 1:
                total += CAPTAIN_ON_PLANK * late * late
    for value in range(6):
        if (int(state.pirates[crew]) >> value) & 1:
            total += early * PAIR_EARLY + late * PAIR_LATE
            if value == 0:
                total += CAPTAIN_IN_HAND * late
    cards = int(state.cards[crew])
    total += STRONG * (((cards >> 1) & 1) + ((cards >> 2) & 1))
    if (cards >> PASS_CARD) & 1:
        total += PASS_LEFT * late
    return total


@rule
def judge(state: State, seat: int) -> float:
    """Own expectation less the best of the other players'."""
    best = -1000.0
    for crew in range(int(state.players)):
        if crew != seat:
            best = max(best, expected(state, crew))
    return expected(state, seat) - best


# Search


SEARCH = {"explore": 0.2, "sharpness": 0.1, "exact": 600}
ITERATIONS = {"bosco": 600, "capitaine": 6000}
SPREAD = 0.8, 2.2  # points that make a victory e times as likely, at the last fall and at the first


@rule
def prospect(state: State, crew: int) -> float:
    """The points a crew will have: learnt, and with an eye on the turn, where `expected` is simple."""
    total = float(points(state, crew))
    table = int(state.players) - 2
    pile = min(int(state.falls) // 4, 4)
    wait = 0
    while int(state.order[(int(state.turn) + wait) % CREWS]) != crew:
        wait += 1
    if int(state.turn) + wait >= TURNS:
        wait = 4
    total += WAIT[table, pile, wait]
    for slot in range(4):
        pirate = int(state.plank[slot])
        if pirate >> 3 == crew:
            total += PLANK[table, pile, slot, wait]
            if pirate & 7 == 1:
                total += CAPTAIN[table, pile, slot]
    first = int(state.plank[0]) & 7
    for value in range(6):
        if (int(state.pirates[crew]) >> value) & 1:
            total += PIRATE[table, pile, value] + LEAD[table, pile, min(max(value + 1 - first, 0), 3)]
        if (int(state.cards[crew]) >> value) & 1:
            total += CARD[table, pile, value]
    return total


@rule
def hopes(state: State, out: Any) -> None:
    """The chances of victory that both forecasts give: a search finds the faults of either, and less often of both."""
    players = int(state.players)
    if int(state.phase) < PLAYING:  # nothing is known before the installation
        for seat in range(players):
            out[seat] = 1.0 / players
        return
    spread = SPREAD[0] + (SPREAD[1] - SPREAD[0]) * (1.0 - int(state.falls) / 20.0)
    best = -1000.0
    for seat in range(players):
        out[seat] = 0.5 * (prospect(state, seat) + expected(state, seat))
        best = max(best, out[seat])
    mass = 0.0
    for seat in range(players):
        out[seat] = np.exp((out[seat] - best) / spread)
        mass += out[seat]
    for seat in range(players):
        out[seat] /= mass


@rule
def leaves(state: State) -> int:
    """F6: with four players, at most so many ways to the end: pairs of pirate and card on four slots in two orders."""
    if int(state.phase) != PLAYING or int(state.players) != CREWS or int(state.turn) < TURNS - 7:
        return 0
    ways = 1
    for turn in range(int(state.turn), TURNS):
        crew = int(state.order[turn % CREWS])
        gone = (turn - int(state.turn)) // CREWS  # turns this crew has had by then
        pirates = max(count_bits(int(state.pirates[crew])) - gone, 1)
        cards = max(count_bits(int(state.cards[crew])) - gone, 1)
        ways *= min(8 * pirates * cards, 100)
    return ways
