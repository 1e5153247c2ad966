"""Events: what happened, in order, each with the rule it follows from.

Inside the rules an event is a row of small integers in a buffer that `apply` fills; `emit` costs nothing when the
buffer is None. Events are public: none contains hidden information. Outside, an `Event` has names. The game's `text`
has its sentences.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tribord.core.compiled import rule

CAPACITY = 160  # rows; row 0 holds the count. The conformance kit checks that no game comes near it.
FIELDS = 6
EventBuffer = NDArray[np.int32]


def buffer() -> EventBuffer:
    """Return an empty buffer for `apply` to fill; ignore what lies beyond the counted rows."""
    rows = np.empty((CAPACITY, 2 + FIELDS), np.int32)
    rows[0, 0] = 0
    return rows


@rule
def emit(
    events: Any, kind: int, number: int, a: int = 0, b: int = 0, c: int = 0, d: int = 0, e: int = 0, f: int = 0
) -> None:
    """Append an event of a kind that follows from rule `number`, with up to six integers."""
    if events is not None:
        row = int(events[0, 0]) + 1
        if row < CAPACITY:
            events[0, 0] = row
            events[row, 0] = kind
            events[row, 1] = number
            events[row, 2] = a
            events[row, 3] = b
            events[row, 4] = c
            events[row, 5] = d
            events[row, 6] = e
            events[row, 7] = f


@dataclass(frozen=True)
class Kind:
    """A kind of event: its name, and the names of its fields."""

    name: str
    fields: tuple[str, ...]


class Kinds:
    """The kinds of event of a game, numbered in the order they are declared.

    >>> kinds = Kinds()
    >>> FALL = kinds.add("fall", "crew pirate pile")
    >>> FALL, kinds[FALL].fields
    (0, ('crew', 'pirate', 'pile'))
    """

    def __init__(self) -> None:
        self._kinds: list[Kind] = []

    def add(self, name: str, fields: str = "") -> int:
        """Declare a kind with the names of its fields, at most six; returns its number."""
        self._kinds.append(Kind(name, tuple(fields.split())))
        return len(self._kinds) - 1

    def __getitem__(self, number: int) -> Kind:
        return self._kinds[number]

    def __iter__(self) -> Any:
        return iter(self._kinds)

    def __len__(self) -> int:
        return len(self._kinds)


@dataclass(frozen=True)
class Event:
    """Something that happened: kind, rule, and named whole numbers."""

    kind: str
    rule: str
    fields: dict[str, int]


def rows(events: EventBuffer) -> list[list[int]]:
    """The rows in a buffer: kind, rule, and the integers of each event."""
    return events[1 : int(events[0, 0]) + 1].tolist()


def read(buffer: EventBuffer, kinds: Kinds, letter: str) -> list[Event]:
    """The events in a buffer, with their names."""
    events = []
    for number, cited, *values in rows(buffer):
        kind = kinds[number]
        events.append(Event(kind.name, f"{letter}{cited}", dict(zip(kind.fields, values))))
    return events
