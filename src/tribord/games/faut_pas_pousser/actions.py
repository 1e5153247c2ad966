"""The actions of Faut pas pousser: 6 picks, the pass, and 240 turns (order × pirate × card × slot).

Notation: `pick 3` · `pass` · `4 -2@3` (pirate 4 steps on, then -2 on slot 3) · `-2@3 4` (the action first).
"""

from typing import Any

from tribord.core.compiled import rule

CARDS = (-1, -2, -3, 1, 2)
PASS_CARD = 5  # the place of Non merci ! in the mask of cards

PASS = 6
FIRST_TURN = 7
ACTIONS = FIRST_TURN + 2 * 6 * 5 * 4

# Chance: a neutral crew turns up pirate 1..6 or Non merci !; or it decides which of two equal neutrals lies left.
TURN_UP_PASS = 6
LOT_RED, LOT_YELLOW = 7, 8
CHANCES = 9

_ORDERS = ("action-first", "pirate-first")
_LOTS = ("red", "yellow")


@rule
def turn_number(pirate_first: int, pirate: int, card: int, slot: int) -> int:
    """The action: this order, pirate (1..6), card (its place in CARDS) and slot (1..4)."""
    return FIRST_TURN + ((pirate_first * 6 + pirate - 1) * 5 + card) * 4 + slot - 1


@rule
def pirate_of(action: int) -> int:
    """The pirate (1..6) that a turn plays."""
    return (action - FIRST_TURN) // 20 % 6 + 1


@rule
def card_of(action: int) -> int:
    """The action card that a turn plays, as its place in CARDS."""
    return (action - FIRST_TURN) // 4 % 5


@rule
def slot_of(action: int) -> int:
    """The slot (1..4) that a turn's action card acts on."""
    return (action - FIRST_TURN) % 4 + 1


@rule
def pirate_enters_first(action: int) -> bool:
    """Whether the pirate enters before the action card resolves."""
    return (action - FIRST_TURN) // 120 == 1


def parts(action: int) -> dict[str, Any]:
    """An action as a dict.

    >>> parts(parse("-2@3 4"))
    {'kind': 'turn', 'order': 'action-first', 'pirate': 4, 'card': -2, 'slot': 3}
    """
    if action < PASS:
        return {"kind": "pick", "pirate": action + 1}
    if action == PASS:
        return {"kind": "pass"}
    return {
        "kind": "turn",
        "order": _ORDERS[pirate_enters_first(action)],
        "pirate": pirate_of(action),
        "card": CARDS[card_of(action)],
        "slot": slot_of(action),
    }


def number(given: dict[str, Any]) -> int:
    """The action with these parts."""
    if given["kind"] == "pass":
        return PASS
    pirate = (1, 2, 3, 4, 5, 6).index(given["pirate"]) + 1
    if given["kind"] == "pick":
        return pirate - 1
    if given["kind"] != "turn":
        raise ValueError(given["kind"])
    slot = (1, 2, 3, 4).index(given["slot"]) + 1
    return turn_number(_ORDERS.index(given["order"]), pirate, CARDS.index(given["card"]), slot)


def notation(action: int) -> str:
    """An action as text."""
    if action < PASS:
        return f"pick {action + 1}"
    if action == PASS:
        return "pass"
    move = f"{CARDS[card_of(action)]:+d}@{slot_of(action)}"
    pirate = str(pirate_of(action))
    return f"{pirate} {move}" if pirate_enters_first(action) else f"{move} {pirate}"


def parse(text: str) -> int:
    """The action written as `text`."""
    words = text.split()
    if words == ["pass"]:
        return PASS
    first, second = words
    if first == "pick":
        return number({"kind": "pick", "pirate": int(second)})
    order = "action-first" if "@" in first else "pirate-first"
    move, pirate = (first, second) if "@" in first else (second, first)
    card, slot = move.split("@")
    return number({"kind": "turn", "order": order, "pirate": int(pirate), "card": int(card), "slot": int(slot)})


def chance_notation(outcome: int) -> str:
    """A chance outcome as text: `card 4`, `card pass`, `left red`."""
    if outcome >= LOT_RED:
        return f"left {_LOTS[outcome - LOT_RED]}"
    return "card pass" if outcome == TURN_UP_PASS else f"card {outcome + 1}"


def parse_chance(text: str) -> int:
    """The chance outcome written as `text`."""
    sort, what = text.split()
    if sort == "left":
        return LOT_RED + _LOTS.index(what)
    return ("card 1", "card 2", "card 3", "card 4", "card 5", "card 6", "card pass").index(f"{sort} {what}")
