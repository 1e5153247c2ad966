"""Extensions of the card's compiler for batches: a state is in words, and an observation can be written as bytes.

A batch keeps word k of all its states side by side, so that neighbouring threads read neighbouring addresses. A thread
copies the words of its match into its own memory and reads them there as a state.
"""

from __future__ import annotations

import importlib
import operator
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tribord.core.game import Game
from tribord.core.record import Floats
from tribord.lab.cuda import aligned

WORD = 4  # bytes
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


@cache
def as_state(record: Any) -> Any:
    """A function of the card that reads words as a record."""
    extending: Any = importlib.import_module("numba.cuda.extending")
    cgutils: Any = importlib.import_module("numba.cuda.cgutils")

    def typed(_context: Any, room: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            data = cgutils.create_struct_proxy(signature.args[0])(context, builder, values[0]).data
            return builder.bitcast(data, context.get_value_type(record))

        return record(room), build

    return extending.intrinsic(typed)


@cache
def as_bytes() -> Any:
    """A function of the card that turns a row of bytes into one to which floats are written.

    A rule writes an observation float by float. Here each goes straight into its byte, so floats need no memory.
    """
    extending: Any = importlib.import_module("numba.cuda.extending")
    types: Any = importlib.import_module("numba.cuda.types")
    cgutils: Any = importlib.import_module("numba.cuda.cgutils")

    class Row(types.Type):  # type: ignore[misc]
        def __init__(self, array: Any):
            self.array = array
            super().__init__(name=f"BytesOfFloats({array})")

    @extending.register_model(Row)
    class _Model(extending.models.StructModel):  # type: ignore[misc]
        def __init__(self, manager: Any, kind: Any):
            super().__init__(manager, kind, [("array", kind.array)])

    extending.make_attribute_wrapper(Row, "array", "array")

    def length(row: Any) -> Any:
        return (lambda row: len(row.array)) if isinstance(row, Row) else None

    def setitem(row: Any, place: Any, value: Any) -> Any:
        if not isinstance(row, Row):
            return None
        if isinstance(value, types.Float):  # in 64 bits: no sum of a product that could be rounded in two ways
            return lambda row, place, value: put(row.array, place, types.float64(types.float32(value)) * 255.0 + 0.5)
        return lambda row, place, value: put(row.array, place, types.int32(value) * 255)

    def put(array: Any, place: Any, steps: Any) -> None:
        array[place] = types.uint8(min(max(types.int32(steps), types.int32(0)), types.int32(255)))

    extending.register_jitable(put)
    extending.overload(len, target="cuda", strict=False)(length)
    extending.overload(operator.setitem, target="cuda", strict=False)(setitem)

    def typed(_context: Any, array: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            row = cgutils.create_struct_proxy(signature.return_type)(context, builder)
            row.array = values[0]
            return row._getvalue()

        return Row(array)(array), build

    return extending.intrinsic(typed)
