"""Extensions of the card's compiler for batches: a state is in words, an observation in bytes, a mask in bits.

A batch keeps word k of all its states side by side, so that neighbouring threads read neighbouring addresses. A thread
copies the words of its match into its own memory and reads them there as a state.
"""

from __future__ import annotations

import importlib
import operator
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tribord.core.game import Game
from tribord.core.record import Floats
from tribord.lab.cuda import aligned

WORD = 4  # bytes
BITS = 32  # in a word
STEPS = 255  # in a byte, from 0 to 1


def words(game: Game) -> int:
    """How many words the state of a game takes on the card."""
    return -(-aligned(game.dtype).itemsize // WORD)


def in_bytes(observation: Floats) -> NDArray[np.uint8]:
    """An observation in steps of 1/255: what a batch on the card writes with `observation="uint8"`.

    >>> in_bytes(np.array([0, 1 / 6, 0.5, 1], np.float32)).tolist()
    [0, 43, 128, 255]
    """
    return np.clip(np.floor(observation.astype(np.float64) * STEPS + 0.5), 0, STEPS).astype(np.uint8)


def in_bits(mask: NDArray[np.int8]) -> NDArray[np.int32]:
    """A mask packed 32 actions a word, the first in the lowest bit: what a batch on the card writes with `mask="bits"`.

    >>> in_bits(np.array([1, 0, 1] + 29 * [0] + [1], np.int8)).tolist()
    [5, 1]
    """
    room = np.zeros((*mask.shape[:-1], -(-mask.shape[-1] // BITS) * BITS), np.uint8)
    room[..., : mask.shape[-1]] = mask
    return np.packbits(room, axis=-1, bitorder="little").view("<i4")


@cache
def as_state(record: Any) -> Any:
    """A function of the card that reads words as a record."""
    cgutils: Any = importlib.import_module("numba.cuda.cgutils")

    def typed(_context: Any, room: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            data = cgutils.create_struct_proxy(signature.args[0])(context, builder, values[0]).data
            return builder.bitcast(data, context.get_value_type(record))

        return record(room), build

    return _extending().intrinsic(typed)


@cache
def as_floats() -> Any:
    """A function of the card that turns a column of an array into a row to which floats are written."""

    def put(row: Any, place: Any, value: Any) -> None:
        row.array[place, row.column] = value

    return _row("Floats", lambda row: len(row.array), lambda _value: put)


@cache
def as_bytes() -> Any:
    """The same for a column of bytes: each float goes straight into its byte, so floats need no memory."""
    types: Any = importlib.import_module("numba.cuda.types")
    int32 = types.int32

    def put(array: Any, place: Any, column: Any, steps: Any) -> None:
        array[place, column] = types.uint8(min(max(int32(steps), int32(0)), int32(255)))

    def setitem(value: Any) -> Any:
        if isinstance(value, types.Float):  # in 64 bits: no sum of a product that could be rounded in two ways
            return lambda row, place, value: put(
                row.array, place, row.column, types.float64(types.float32(value)) * 255.0 + 0.5
            )
        return lambda row, place, value: put(row.array, place, row.column, int32(value) * 255)

    _extending().register_jitable(put)
    return _row("BytesOfFloats", lambda row: len(row.array), setitem)


@cache
def as_bits(actions: int) -> Any:
    """A function of the card that turns a column of zeros into a mask of this many actions, eight in a byte.

    A rule writes a mask action by action, and may read what it wrote. The compiler joins the writes to one byte.
    """
    types: Any = importlib.import_module("numba.cuda.types")
    uint8, uint32 = types.uint8, types.uint32
    rest, shift, last, one = (types.uint32(number) for number in (0xFFFFFFF8, 3, 7, 1))

    def put(array: Any, place: Any, column: Any, value: Any) -> None:
        k = uint32((place & rest) >> shift)
        bit = uint32(place & last)
        others = uint32(uint32(array[k, column]) & uint32(~uint32(one << bit)))
        array[k, column] = uint8(others | uint32(uint32(value & one) << bit))

    def get(array: Any, place: Any, column: Any) -> Any:
        byte = uint32(array[uint32((place & rest) >> shift), column])
        return types.int32(uint32(byte >> uint32(place & last)) & one)

    def getitem(row: Any, place: Any) -> Any:
        return get(row.array, uint32(place), row.column)

    def setitem(_value: Any) -> Any:
        return lambda row, place, value: put(row.array, uint32(place), row.column, uint32(value))

    _extending().register_jitable(put)
    _extending().register_jitable(get)
    return _row(f"BitsOf{actions}", lambda _row: actions, setitem, getitem)


def _extending() -> Any:
    return importlib.import_module("numba.cuda.extending")


def _row(name: str, length: Any, setitem: Callable[[Any], Any], getitem: Any = None) -> Any:
    """A function of the card that takes an array's column for a kind of row, with a length and items of its own."""
    extending: Any = _extending()
    types: Any = importlib.import_module("numba.cuda.types")
    cgutils: Any = importlib.import_module("numba.cuda.cgutils")

    class RowType(types.Type):  # type: ignore[misc]
        def __init__(self, array: Any, column: Any):
            self.array = array
            self.column = column
            super().__init__(name=f"{name}({array}, {column})")

    @extending.register_model(RowType)
    class _Model(extending.models.StructModel):  # type: ignore[misc]
        def __init__(self, manager: Any, kind: Any):
            super().__init__(manager, kind, [("array", kind.array), ("column", kind.column)])

    def len_of(row: Any) -> Any:
        return length if isinstance(row, RowType) else None

    def set_in(row: Any, _place: Any, value: Any) -> Any:
        return setitem(value) if isinstance(row, RowType) else None

    def get_in(row: Any, _place: Any) -> Any:
        return getitem if isinstance(row, RowType) else None

    extending.make_attribute_wrapper(RowType, "array", "array")
    extending.make_attribute_wrapper(RowType, "column", "column")
    extending.overload(len, target="cuda", strict=False)(len_of)
    extending.overload(operator.setitem, target="cuda", strict=False)(set_in)
    extending.overload(operator.getitem, target="cuda", strict=False)(get_in)

    def typed(_context: Any, array: Any, column: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            row = cgutils.create_struct_proxy(signature.return_type)(context, builder)
            row.array, row.column = values
            return row._getvalue()

        return RowType(array, column)(array, column), build

    return extending.intrinsic(typed)
