"""The actions of Kraken: row on, or land. Notation: `row` · `land` · chance: `die 4`."""

from typing import Any

ROW, LAND = range(2)
KINDS = ("row", "land")
ACTIONS = len(KINDS)
CHANCES = 6


def parts(action: int) -> dict[str, Any]:
    """An action as a dict."""
    return {"kind": KINDS[action]}


def number(given: dict[str, Any]) -> int:
    """The action with these parts."""
    return KINDS.index(given["kind"])


def notation(action: int) -> str:
    """An action as text."""
    return KINDS[action]


def parse(text: str) -> int:
    """The action written as `text`."""
    return KINDS.index(text)


def chance_notation(outcome: int) -> str:
    """A chance outcome as text."""
    return f"die {outcome + 1}"


def parse_chance(text: str) -> int:
    """The chance outcome written as `text`."""
    return [chance_notation(outcome) for outcome in range(CHANCES)].index(text)
