"""The actions of L'Île aux Pirates: one die value for one pawn, 6 × 15; a turn is up to three of them.

Notation: `5 brown-1` (brown-1 moves five) · chance: `throw 1 4 4` · `throw 2 6` · `first 3` · `forces 3 2 4`.
"""

from itertools import combinations_with_replacement, permutations, product
from typing import Any

import numpy as np

from tribord.core.compiled import rule
from tribord.games.ile_aux_pirates.state import COLOURS, PAWNS

COLOUR_IDS = ("blue", "green", "red", "yellow")
PAWN_IDS = (
    "brown-1", "brown-2", "brown-3", "brown-4",
    "blue-1", "blue-2", "green-1", "green-2", "red-1", "red-2", "yellow-1", "yellow-2",
    "pirate-1", "pirate-2", "pirate-3",
)  # fmt: skip
ACTIONS = 6 * PAWNS

# Chance: a roll of three dice, a roll of two, the seat that starts, which figure carries which force.
_THREE: list[tuple[int, ...]] = list(combinations_with_replacement(range(1, 7), 3))
_TWO: list[tuple[int, ...]] = list(combinations_with_replacement(range(1, 7), 2))
_FORCES: list[tuple[int, ...]] = list(permutations((2, 3, 4)))
THROW_THREE = 0
THROW_TWO = THROW_THREE + len(_THREE)
FIRST_SEAT = THROW_TWO + len(_TWO)
DRAW_FORCES = FIRST_SEAT + COLOURS
CHANCES = DRAW_FORCES + len(_FORCES)

DICE = np.array([*_THREE, *((*two, 0) for two in _TWO)])  # the dice of each roll, ascending, then 0
FORCES = np.array(_FORCES)  # the forces of the three figures in each draw
# Which roll the dice make in each order in which they can fall, and in how many orders each roll can fall.
THROW_OF_THREE = np.array([THROW_THREE + _THREE.index(tuple(sorted(f))) for f in product(range(1, 7), repeat=3)])
THROW_OF_TWO = np.array([THROW_TWO + _TWO.index(tuple(sorted(f))) for f in product(range(1, 7), repeat=2)])
WAYS = np.bincount(np.concatenate([THROW_OF_THREE, THROW_OF_TWO]))


@rule
def move_number(die: int, pawn: int) -> int:
    """The action: this die (1..6) for this pawn."""
    return (die - 1) * PAWNS + pawn


@rule
def die_of(action: int) -> int:
    """The die (1..6) that an action uses."""
    return action // PAWNS + 1


@rule
def pawn_of(action: int) -> int:
    """The pawn that an action moves."""
    return action % PAWNS


def parts(action: int) -> dict[str, Any]:
    """An action as a dict.

    >>> parts(parse("5 brown-1"))
    {'kind': 'move', 'die': 5, 'pawn': 'brown-1'}
    """
    return {"kind": "move", "die": die_of(action), "pawn": PAWN_IDS[pawn_of(action)]}


def number(given: dict[str, Any]) -> int:
    """The action with these parts."""
    if given["kind"] != "move":
        raise ValueError(given["kind"])
    return move_number((1, 2, 3, 4, 5, 6).index(given["die"]) + 1, PAWN_IDS.index(given["pawn"]))


def notation(action: int) -> str:
    """An action as text."""
    return f"{die_of(action)} {PAWN_IDS[pawn_of(action)]}"


def parse(text: str) -> int:
    """The action written as `text`."""
    die, pawn = text.split()
    return number({"kind": "move", "die": int(die), "pawn": pawn})


def chance_notation(outcome: int) -> str:
    """A chance outcome as text.

    >>> [chance_notation(k) for k in (0, THROW_TWO, FIRST_SEAT + 3, DRAW_FORCES)]
    ['throw 1 1 1', 'throw 1 1', 'first 3', 'forces 2 3 4']
    """
    if outcome >= DRAW_FORCES:
        return "forces " + " ".join(map(str, _FORCES[outcome - DRAW_FORCES]))
    if outcome >= FIRST_SEAT:
        return f"first {outcome - FIRST_SEAT}"
    return "throw " + " ".join(map(str, (_THREE + _TWO)[outcome]))


def parse_chance(text: str) -> int:
    """The chance outcome written as `text`."""
    sort, *rest = text.split()
    values = tuple(map(int, rest))
    if sort == "forces":
        return DRAW_FORCES + _FORCES.index(values)
    if sort == "first":
        return FIRST_SEAT + tuple((seat,) for seat in range(COLOURS)).index(values)
    return ("throw",).index(sort) + (_THREE + _TWO).index(values)
