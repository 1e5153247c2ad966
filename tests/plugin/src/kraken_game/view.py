"""What may be seen of Kraken: everything."""

from typing import Any

from kraken_game.rules import winner
from kraken_game.state import BOAT_IDS, BOATS, GOAL
from tribord.core.compiled import rule
from tribord.core.record import Floats, Ints, State

LAYOUT = (
    ("hold", BOATS, "treasures brought home, one's own first / 20"),
    ("boat", 1, "treasures in the boat / 20"),
    ("turn", 1, "whether it's one's own turn"),
    ("hungry", 1, "whether the kraken is hungry"),
)


@rule
def view(state: State, seat: int) -> None:
    """Nothing is secret."""


@rule
def guess(state: State, seat: int, rng: Ints, out: Ints) -> None:
    """Nothing is to be guessed."""


@rule
def observe(state: State, seat: int, out: Floats) -> None:
    """The floats of LAYOUT."""
    players, own = int(state.players), max(seat, 0)
    for k in range(BOATS):
        out[k] = int(state.hold[(own + k) % players]) / GOAL if k < players else 0.0
    out[BOATS] = int(state.boat) / GOAL
    out[BOATS + 1] = 1.0 if int(state.turn) == seat else 0.0
    out[BOATS + 2] = int(state.hungry)


def describe(state: State) -> dict[str, Any]:
    """A state or view as a readable dict."""
    over = winner(state) >= 0
    return {
        "players": state.players,
        "hungry": bool(state.hungry),
        "turn": None if over else BOAT_IDS[state.turn],
        "die": state.rolled,
        "boat": state.boat,
        "crews": [{"crew": BOAT_IDS[seat], "hold": state.hold[seat]} for seat in range(state.players)],
        "over": over,
    }
