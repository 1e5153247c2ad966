"""Records: a state is one NumPy structured record, and every field says what it means and who may see it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from struct import Struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

State = np.record
"""One state (or view): a record, read and written by attribute, interpreted and compiled alike."""

States = np.ndarray[Any, np.dtype[np.record]]
Ints = NDArray[np.int64]
Floats = NDArray[np.float32]

PUBLIC = -1  # the seat of whoever only watches
CHANCE = -2  # the seat of the dice

CODES = {"i1": "b", "i2": "h", "i4": "i", "i8": "q"}  # NumPy's widths in the letters of `struct`


@dataclass(frozen=True)
class Field:
    """One field of a state: its name, its meaning, the range it keeps, its width, and who may see it."""

    name: str
    meaning: str
    low: int = 0
    high: int = 1
    shape: int | tuple[int, ...] = ()
    seen: str = "all"

    @property
    def width(self) -> str:
        """The narrowest signed integer that holds the range: small states are fast states."""
        for code in ("i1", "i2", "i4", "i8"):
            if np.iinfo(code).min <= self.low and self.high <= np.iinfo(code).max:
                return code
        raise ValueError(f"field {self.name}: no integer holds {self.low}..{self.high}")


def record(fields: Iterable[Field]) -> np.dtype[np.record]:
    """The record type with these fields, packed, read by attribute.

    >>> record([Field("turn", "whose turn", 0, 3), Field("hand", "cards", 0, 63, shape=4)]).itemsize
    5
    """
    layout = [(f.name, f.width, f.shape) for f in fields]
    return np.dtype((np.record, layout))  # type: ignore[return-value]


class Plain:
    """A record copied into plain integers and lists: ten times faster to read from Python, field by field.

    Whatever only reads a state, rules included, reads this just as well, and needs no `int()`.
    """

    def __init__(self, state: State | bytes, dtype: np.dtype[np.record]):
        layout, places = _layout(dtype)
        values = layout.unpack(state if isinstance(state, bytes) else state.tobytes())
        fields = self.__dict__
        for name, start, end, width in places:
            if not end:
                fields[name] = values[start]
            elif not width:
                fields[name] = list(values[start:end])
            else:
                fields[name] = Grid(list(values[row : row + width]) for row in range(start, end, width))


@cache
def _layout(dtype: np.dtype[np.record]) -> tuple[Struct, list[tuple[str, int, int, int]]]:
    """How the bytes of a record are unpacked: all integers in a row, and where each field's begin, end and break."""
    codes, places, start = "", [], 0
    for name in dtype.names or ():
        field = dtype[name]
        count = int(np.prod(field.shape))
        codes += str(count) + CODES[field.base.str[1:]]
        width = field.shape[1] if field.ndim == 2 else 0
        places.append((name, start, start + count if field.shape else 0, width))
        start += count
    return Struct("<" + codes), places


class Grid(list[list[int]]):
    """Rows of integers that are indexed as a record's two-dimensional field is: `people[lane, crew]`."""

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, tuple):
            return super().__getitem__(place[0])[place[1]]
        return super().__getitem__(place)


def duplicate(states: Any) -> Any:
    """A copy of an array of records, as bytes: NumPy's own copy goes field by field and takes twenty times as long."""
    return np.ndarray(states.shape, states.dtype, bytearray(states.tobytes()))


def multiply(states: Any, times: int) -> Any:
    """An array of one record as an array of the same record several times."""
    return np.ndarray(times, states.dtype, bytearray(states.tobytes() * times))


def blank(dtype: np.dtype[np.record], count: int) -> States:
    """An array of `count` zeroed records."""
    return np.zeros(count, dtype).view(np.recarray)
