"""How a state of Faut pas pousser looks to a seat: the points it may still expect, against the best of the others."""

from tribord.core.compiled import rule
from tribord.core.record import State
from tribord.games.faut_pas_pousser.rules import points
from tribord.games.faut_pas_pousser.state import OVER

FALLS = 20


@rule
def expected(state: State, crew: int) -> float:
    """Points of a crew if from now on nobody were moved: a pirate in slot s falls at the (5-s)-th fall to come."""
    total = float(points(state, crew))
    if int(state.phase) == OVER:
        return total
    falls = int(state.falls)
    for slot in range(4):
        pirate = int(state.plank[slot])
        if pirate and pirate >> 3 == crew:
            fall = falls + 3 - slot  # of 0..19; from 20 on the pirate stays
            if fall >= FALLS:
                total += 9 - slot + (2 if pirate & 7 == 1 else 0)
            else:
                # Nearer the ship means later, and later means a better pile or even the plank.
                total += fall // 4 + 1 + 0.5 * (3 - slot)
    for value in range(6):
        if (int(state.pirates[crew]) >> value) & 1:
            # A pirate in hand is worth more than one that falls now; low values are easier to place well.
            total += 4.5 - 0.2 * value + (0.8 if value == 0 else 0.0)
    return total


@rule
def judge(state: State, seat: int) -> float:
    """Own expectation less the best of the other players'."""
    best = -1000.0
    for crew in range(int(state.players)):
        if crew != seat:
            best = max(best, expected(state, crew))
    return expected(state, seat) - best
