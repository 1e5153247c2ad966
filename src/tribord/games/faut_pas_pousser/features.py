"""The features of a state of Faut pas pousser as a seat sees it: the sparse inputs of its value network.

Crews are counted from the seat on, in the order of play, so what is learnt in one seat holds in all.
"""

from typing import Any

from tribord.core.compiled import rule
from tribord.core.record import State
from tribord.games.faut_pas_pousser.rules import TURNS, points_of_all
from tribord.games.faut_pas_pousser.state import CREWS, PLAYING

FARTHEST = 15  # points ahead or behind; more is cut off

# Where the numbers of each kind begin.
MOMENT = 0  # the turn, and how many turns until the seat's own
FALLS = MOMENT + CREWS * (TURNS + 1)
PLANK = FALLS + 21  # slot, crew and value of the pirates there
HANDS = PLANK + 4 * CREWS * 6  # the pirates and cards of each crew
LEADS = HANDS + CREWS * 12  # the points ahead of each other crew
FEATURES = LEADS + (CREWS - 1) * (2 * FARTHEST + 1)


@rule
def place_in_order(state: State, crew: int) -> int:
    """The place of a crew in the order of play."""
    place = 0
    while int(state.order[place]) != crew:
        place += 1
    return place


@rule
def features(state: State, seat: int, first: int, out: Any) -> int:
    """Write the active features' numbers from out[first] on, and return how many; none before the installation."""
    if int(state.phase) != PLAYING:
        return 0
    here = place_in_order(state, seat)
    turn = int(state.turn)
    out[first] = MOMENT + turn * CREWS + (here - turn) % CREWS
    out[first + 1] = FALLS + int(state.falls)
    n = first + 2
    for slot in range(4):
        pirate = int(state.plank[slot])
        crew = (place_in_order(state, pirate >> 3) - here) % CREWS
        out[n] = PLANK + (slot * CREWS + crew) * 6 + (pirate & 7) - 1
        n += 1
    scored = points_of_all(state)
    own = (scored >> 8 * seat) & 255
    for k in range(CREWS):
        crew = int(state.order[(here + k) % CREWS])
        held = int(state.pirates[crew]) | int(state.cards[crew]) << 6
        for card in range(12):
            if (held >> card) & 1:
                out[n] = HANDS + k * 12 + card
                n += 1
        if k > 0:
            lead = min(max(own - ((scored >> 8 * crew) & 255), -FARTHEST), FARTHEST)
            out[n] = LEADS + (k - 1) * (2 * FARTHEST + 1) + FARTHEST + lead
            n += 1
    return n - first
