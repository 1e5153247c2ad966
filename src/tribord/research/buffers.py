"""Buffers: memory for large arrays, reused once nobody holds the array that had it. A new array of megabytes is new
pages from the operating system, and touching them first takes longer than stepping thousands of matches. An array from
here is yours as long as you hold it, or a view of it, or a tensor that shares its memory.
"""

from __future__ import annotations

import math
import weakref
from typing import Any

import numpy as np
from numpy.typing import NDArray

SPARE = 4  # at most this many per size: a learner holds two or three at a time


class Buffers:
    """Hands out arrays, and takes their memory back when they are gone."""

    def __init__(self) -> None:
        self._spare: dict[int, list[bytearray]] = {}

    def __reduce__(self) -> Any:
        return Buffers, ()  # spare memory isn't worth a copy

    def take(self, shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
        """An array with anything in it."""
        size = math.prod(shape) * np.dtype(dtype).itemsize
        spare = self._spare.setdefault(size, [])
        memory = spare.pop() if spare else bytearray(size)
        array: NDArray[Any] = np.ndarray(shape, dtype, memory)
        weakref.finalize(array, _give_back, spare, memory).atexit = False
        return array


def _give_back(spare: list[bytearray], memory: bytearray) -> None:
    if len(spare) < SPARE:
        spare.append(memory)
