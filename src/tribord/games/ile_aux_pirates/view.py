"""What a seat may see of L'Île aux Pirates: everything. Hidden forces (I11) test memory, they aren't secret."""

from typing import Any

from tribord.core.compiled import rule
from tribord.core.record import Floats, Ints, State
from tribord.games.ile_aux_pirates.actions import COLOUR_IDS, PAWN_IDS
from tribord.games.ile_aux_pirates.state import CHILDREN, MOVING, OUT, PAWNS, PIRATES, SHIP, THROWING, WON

PHASES = ("drawing-forces", "drawing-first", "throwing", "moving", "won", "lost", "out-of-turns")
_PLACES = SHIP + 1

LAYOUT = (
    ("at", PAWNS * _PLACES, "for each pawn: castle, square 1-16 or ship, one-hot; all 0 when not in play"),
    ("spent", PAWNS, "for each pawn: whether it has moved or been sent back this turn"),
    ("force", PIRATES, "for each pirate figure: force / 4"),
    ("dice", 6, "for each value: dice still to use / 3"),
    ("shares", 2, "dice still to use on a pirate, and on children / 2"),
    ("turn", 6, "whose turn it is (alone: the colour), one-hot"),
    ("seat", 6, "the viewing seat, one-hot"),
    ("players", 6, "number of players, one-hot"),
    ("phase", 7, "drawing forces, drawing who starts, throwing, moving, won, lost, out of turns, one-hot"),
    ("game", 2, "strategic, hard"),
    ("turns_left", 1, "turns left under the limit / 200; 0 without a limit"),
)
WHOSE = (
    "Everyone sees the same, apart from `seat`. Pawns come in the order of the actions: four brown children, two blue, "
    "two green, two red, two yellow, three pirates."
)


@rule
def view(state: State, seat: int) -> None:
    """Nothing is secret."""


@rule
def guess(state: State, seat: int, rng: Ints, out: Ints) -> None:
    """There is nothing to guess."""


@rule
def observe(state: State, seat: int, out: Floats) -> None:
    """The floats of LAYOUT."""
    for k in range(len(out)):
        out[k] = 0.0
    start = 0
    for pawn in range(PAWNS):
        if int(state.at[pawn]) != OUT:
            out[start + int(state.at[pawn])] = 1.0
        start += _PLACES
    spent = int(state.spent)
    for pawn in range(PAWNS):
        out[start + pawn] = (spent >> pawn) & 1
    start += PAWNS
    for figure in range(PIRATES):
        out[start + figure] = int(state.force[figure]) / 4.0
    start += PIRATES
    thrown = 0  # two bits to a value, 0 for a die that was used
    for k in range(3):
        thrown += 1 << 2 * int(state.dice[k])
    for value in range(6):
        out[start + value] = ((thrown >> (2 * value + 2)) & 3) * (1 / 3)
    out[start + 6] = int(state.pirate_dice)
    out[start + 7] = int(state.child_dice) / 2.0
    start += 8
    out[start + int(state.turn)] = 1.0
    if seat >= 0:
        out[start + 6 + seat] = 1.0
    out[start + 11 + int(state.players)] = 1.0
    out[start + 18 + int(state.phase)] = 1.0
    out[start + 25] = int(state.strategic)
    out[start + 26] = int(state.hard)
    out[start + 27] = int(state.turns_left) * (1 / 200)


def describe(state: State) -> dict[str, Any]:
    """A state or view as a readable dict. With `memory` a table shows only the forces of the pirates in `shown`."""
    phase, strategic, memory = state.phase, bool(state.strategic), bool(state.memory)
    pirates = {PAWN_IDS[CHILDREN + k]: state.at[CHILDREN + k] for k in range(PIRATES) if state.force[k]}
    turned_up = {PAWN_IDS[CHILDREN + k] for k in range(PIRATES) if state.shown >> k & 1}
    going = phase in (THROWING, MOVING)
    turn = (COLOUR_IDS[state.turn] if strategic else state.turn) if going else None
    return {
        "game": "strategic" if strategic else "base",
        "players": state.players,
        "hard": bool(state.hard),
        "memory": memory,
        "phase": PHASES[phase],
        "turn": turn,
        "pawns": {PAWN_IDS[p]: state.at[p] for p in range(PAWNS) if state.at[p] != OUT},
        "forces": {PAWN_IDS[CHILDREN + k]: state.force[k] for k in range(PIRATES) if state.force[k]},
        "shown": [p for p, at in pirates.items() if not memory or at == SHIP or p in turned_up],
        "dice": [int(die) for die in state.dice if die],
        "pirate_dice": state.pirate_dice,
        "child_dice": state.child_dice,
        "spent": [PAWN_IDS[p] for p in range(PAWNS) if state.spent >> p & 1],
        "over": phase >= WON,
    } | ({"turns_left": state.turns_left} if state.turns_left else {})
