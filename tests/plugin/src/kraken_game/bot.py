"""How a state of Kraken looks to a seat."""

from kraken_game.state import GOAL
from tribord.core.compiled import rule
from tribord.core.record import State


@rule
def evaluate(state: State, seat: int) -> float:
    """A boat's treasure against the best of the others; what is still in the boat may be lost."""
    best = 0.0
    for other in range(int(state.players)):
        if other != seat:
            best = max(best, float(int(state.hold[other])))
    own = float(int(state.hold[seat]))
    if int(state.turn) == seat:
        own += 0.7 * int(state.boat)
    return own - best + (GOAL if int(state.hold[seat]) >= GOAL else 0.0)
