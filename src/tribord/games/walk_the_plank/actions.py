"""The actions of Walk the Plank: 720 programs, then the targets of each card that has a choice.

Notation: `program run charge drag` · `shove 2 red` (your pirate on tile 2 shoves a red pirate there) ·
`drag 0 blue` · `pull 1 red` · `run 1 sea` · `flee 3 2` (from tile 3, two spaces: I Don't Want to Die) ·
`charge 1 red` (from tile 1, and shove a red pirate on tile 2) · `charge 3 nobody`.
"""

from typing import Any

import numpy as np

from tribord.core.compiled import rule

CREW_IDS = ("blue", "green", "red", "yellow", "lilac")
CARDS = (
    "shove-left", "shove-right", "shove-anyone", "extend", "retract",
    "drag", "pull", "run", "i-dont-want-to-die", "charge",
)  # fmt: skip
SHOVE_LEFT, SHOVE_RIGHT, SHOVE_ANYONE, EXTEND, RETRACT, DRAG, PULL, RUN, FLEE, CHARGE = range(10)

# A target is a space (0 the ship, 1..3 the tiles) and something else: a crew, a way or a number of steps.
SPACES = 4
_VICTIMS = (*CREW_IDS, "nobody")  # nobody: a charge that meets nobody
_WAYS = ("ship", "sea")
NOBODY = 5
TO_SHIP, TO_SEA = 0, 1

PROGRAMS = 10 * 9 * 8
_SIZES = {
    "shove": 5 * SPACES,
    "drag": 5 * SPACES,
    "pull": 5 * SPACES,
    "run": 2 * SPACES,
    "flee": 2 * SPACES,
    "charge": 6 * SPACES,
}
_KINDS = tuple(_SIZES)
_FIRST = {kind: PROGRAMS + sum(list(_SIZES.values())[:k]) for k, kind in enumerate(_KINDS)}
ACTIONS = PROGRAMS + sum(_SIZES.values())

KIND_OF_CARD = ("shove", "shove", "shove", "", "", "drag", "pull", "run", "flee", "charge")
FIRST_TARGET = np.array([_FIRST.get(kind, -1) for kind in KIND_OF_CARD])  # -1: the card has no target

CHANCES = 5  # which seat gets the Captain's Favour first


@rule
def program_number(first: int, second: int, third: int) -> int:
    """The action that lays three different cards in this order, by its rank among the 720."""
    rank = first * 72 + second * 8 + third
    if second > first:
        rank -= 8
    if third > first:
        rank -= 1
    if third > second:
        rank -= 1
    return rank


@rule
def card_laid(program: int, slot: int) -> int:
    """The card that a program lays in slot 0, 1 or 2."""
    first = program // 72
    if slot == 0:
        return first
    second = program // 8 % 9
    if second >= first:
        second += 1
    if slot == 1:
        return second
    third = program % 8
    if third >= min(first, second):
        third += 1
    if third >= max(first, second):
        third += 1
    return third


@rule
def target_space(target: int) -> int:
    """The space of a target, as counted from the first target of its card."""
    return target & 3


@rule
def target_choice(target: int) -> int:
    """The crew, way or number of steps (minus one) of a target, as counted from the first target of its card."""
    return target >> 2


def parts(action: int) -> dict[str, Any]:
    """An action as a dict.

    >>> parts(0)
    {'kind': 'program', 'cards': ['shove-left', 'shove-right', 'shove-anyone']}
    >>> parts(parse("charge 1 red"))
    {'kind': 'charge', 'space': 1, 'victim': 'red'}
    """
    if action < PROGRAMS:
        return {"kind": "program", "cards": [CARDS[card_laid(action, slot)] for slot in range(3)]}
    kind = next(k for k in reversed(_KINDS) if action >= _FIRST[k])
    target = action - _FIRST[kind]
    space, choice = target_space(target), target_choice(target)
    if kind == "run":
        return {"kind": kind, "space": space, "way": _WAYS[choice]}
    if kind == "flee":
        return {"kind": kind, "space": space, "steps": choice + 1}
    return {"kind": kind, "space": space, "victim": _VICTIMS[choice]}


def number(given: dict[str, Any]) -> int:
    """The action with these parts."""
    kind = given["kind"]
    if kind == "program":
        first, second, third = (CARDS.index(card) for card in given["cards"])
        if len({first, second, third}) < 3:
            raise ValueError(given["cards"])
        return program_number(first, second, third)
    if kind == "run":
        choice = _WAYS.index(given["way"])
    elif kind == "flee":
        choice = (1, 2).index(given["steps"])
    else:
        choice = _VICTIMS.index(given["victim"])
    target = choice * SPACES + range(SPACES).index(given["space"])
    if target >= _SIZES[kind]:
        raise ValueError(given["victim"])
    return _FIRST[kind] + target


def notation(action: int) -> str:
    """An action as text: its parts, one after the other."""
    kind, *rest = parts(action).values()
    return " ".join(map(str, [kind, *(rest[0] if kind == "program" else rest)]))


def parse(text: str) -> int:
    """The action written as `text`."""
    kind, *rest = text.split()
    if kind == "program":
        return number({"kind": kind, "cards": rest})
    space, choice = rest
    if kind == "run":
        return number({"kind": kind, "space": int(space), "way": choice})
    if kind == "flee":
        return number({"kind": kind, "space": int(space), "steps": int(choice)})
    return number({"kind": kind, "space": int(space), "victim": choice})


def chance_notation(outcome: int) -> str:
    """A chance outcome as text: `favour red`."""
    return f"favour {CREW_IDS[outcome]}"


def parse_chance(text: str) -> int:
    """The chance outcome written as `text`."""
    sort, crew = text.split()
    if sort != "favour":
        raise ValueError(text)
    return CREW_IDS.index(crew)
