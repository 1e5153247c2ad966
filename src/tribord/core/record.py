"""Records: a state is one NumPy structured record, and every field says what it means and who may see it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

State = np.record
"""One state (or view): a record, read and written by attribute, interpreted and compiled alike."""

States = np.ndarray[Any, np.dtype[np.record]]
Ints = NDArray[np.int64]
Floats = NDArray[np.float32]

PUBLIC = -1  # the seat of a spectator
CHANCE = -2  # the seat of the dice

CODES = {"i1": "b", "i2": "h", "i4": "i", "i8": "q"}  # NumPy's widths in the letters of `memoryview`


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


def record(fields: Iterable[Field], owner: str = "") -> np.dtype[np.record]:
    """The record type with these fields, packed, read by attribute; a type with an owner equals no other type.

    >>> record([Field("turn", "whose turn", 0, 3), Field("hand", "cards", 0, 63, shape=4)]).itemsize
    5
    """
    layout: list[Any] = [(f.name, f.width, f.shape) for f in fields]
    if owner:
        name, *rest = layout[0]
        layout[0] = ((f"of {owner}", name), *rest)  # a title, which makes it a different type at no cost
    return np.dtype((np.record, layout))  # type: ignore[return-value]


class Plain:
    """A record as plain integers: the same bytes, read and written from Python ten times faster than NumPy does it.

    Interpreted rules run on it. Numbers are Python's own, so none wraps, and one that does not fit its field is refused
    when it is written. Every record type has a class of its own, made by `plain_type`.
    """

    __slots__ = ("_bytes",)
    dtype: np.dtype[np.record]
    _views: list[tuple[str, slice, str, list[int] | None]]  # fields with a view of their own: name, place, code, shape

    def __init__(self, content: memoryview):
        self._bytes = content  # as int8, which most fields are
        for name, place, code, shape in self._views:
            view: Any = content[place]
            if shape:
                view = view.cast(code, shape)
            elif code != "b":
                view = view.cast(code)
            setattr(self, name, view)

    def tobytes(self) -> bytes:
        """The bytes of the record."""
        return self._bytes.tobytes()


@cache
def plain_type(dtype: np.dtype[np.record]) -> type[Plain]:
    """The class of the plain records of a type: a number is read in place, a list is a view."""
    members: dict[str, Any] = {"dtype": dtype, "_views": [], "__slots__": []}
    for name in dtype.names or ():
        field, start = dtype.fields[name][:2]  # type: ignore[index]
        code = CODES[field.base.str[1:]]
        if not field.shape and code == "b":
            members[name] = _number("_bytes", start)
            continue
        slot = name if field.shape else f"_{name}"
        members["__slots__"].append(slot)
        shape = list(field.shape) if field.ndim > 1 else None
        members["_views"].append((slot, slice(start, start + field.itemsize), code, shape))
        if not field.shape:
            members[name] = _number(slot, 0)
    return type("Plain", (Plain,), members)


def _number(view: str, place: int) -> property:
    """A number in a view of its record."""

    def get(plain: Any) -> int:
        return getattr(plain, view)[place]

    def put(plain: Any, number: int) -> None:
        getattr(plain, view)[place] = number

    return property(get, put)


class PlainStates:
    """An array of records as plain ones: they are the array's own bytes, and to set one is to copy another into it.

    >>> states = blank(record([Field("turn", "whose turn", 0, 3), Field("hand", "cards", 0, 63, shape=4)]), 2)
    >>> plain = PlainStates(states)
    >>> plain[0].turn, plain[0].hand[2] = 3, 40
    >>> plain[1] = plain[0]
    >>> states[1]
    np.record((3, [ 0,  0, 40,  0]), dtype=[('turn', 'i1'), ('hand', 'i1', (4,))])
    """

    def __init__(self, states: Any):
        self.dtype = states.dtype
        self._states = states
        self._content = memoryview(states.view(np.ndarray).view(np.int8))
        self._plain: dict[int, Plain] = {}

    def __len__(self) -> int:
        return len(self._states)

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return PlainStates(self._states[place])
        found = self._plain.get(place)
        if found is None:
            start = range(len(self))[place] * self.dtype.itemsize
            found = plain_type(self.dtype)(self._content[start : start + self.dtype.itemsize])
            self._plain[place] = found
        return found

    def __setitem__(self, place: int, state: Plain) -> None:
        self[place]._bytes[:] = state._bytes


def revive(content: bytes, dtype: np.dtype[np.record]) -> Any:
    """The array of the records that these bytes are, in memory of its own."""
    return np.frombuffer(bytearray(content), dtype)


def duplicate(states: Any) -> Any:
    """A copy of an array of records, as bytes: NumPy's own copy goes field by field and takes twenty times as long."""
    return revive(states.tobytes(), states.dtype)


def multiply(states: Any, times: int) -> Any:
    """An array of one record as an array of the same record several times."""
    return revive(states.tobytes() * times, states.dtype)


def blank(dtype: np.dtype[np.record], count: int) -> States:
    """An array of `count` zeroed records."""
    return np.zeros(count, dtype).view(np.recarray)
