"""Bits: sets of seats, cards and pawns are bitmasks in the rules; these count them, find one and list them."""

from __future__ import annotations

from typing import Any

from tribord.core.compiled import compiled_as, rule
from tribord.core.record import Ints


def sum_bits(mask: int) -> int:
    """How many bits are set: pairs, fours and eights are summed side by side.

    In this form, 64 bits wide, the compiler knows the processor's own instruction for it.
    """
    mask -= (mask >> 1) & 0x5555555555555555
    mask = (mask & 0x3333333333333333) + ((mask >> 2) & 0x3333333333333333)
    mask = (mask + (mask >> 4)) & 0x0F0F0F0F0F0F0F0F
    return ((mask * 0x0101010101010101) >> 56) & 0xFF


@compiled_as(sum_bits)
def count_bits(mask: int) -> int:
    """How many bits are set.

    >>> count_bits(0b1011), count_bits(0xFFFFFFFF), count_bits(0)
    (3, 32, 0)
    """
    return int(mask).bit_count()


@rule
def lowest_bit(mask: int) -> int:
    """The place of the lowest set bit.

    >>> lowest_bit(0b1000), lowest_bit(0b1011)
    (3, 0)
    """
    return count_bits((mask & -mask) - 1)


@rule
def nth_bit(mask: int, n: int) -> int:
    """The place of the n-th set bit, counted from 0.

    >>> [nth_bit(0b1011, n) for n in range(3)]
    [0, 1, 3]
    """
    for _k in range(n):
        mask &= mask - 1
    return lowest_bit(mask)


@rule
def list_bits(mask: int, first: int, out: Ints) -> int:
    """List `first` + the place of every set bit in `out`; returns how many.

    >>> out = [0, 0, 0]
    >>> list_bits(0b1011, 40, out), out
    (3, [40, 41, 43])
    """
    n = 0
    place = first
    while mask:
        if mask & 1:
            out[n] = place
            n += 1
        mask >>= 1
        place += 1
    return n


@rule
def bit_in(table: Any, mask: int, k: int) -> Any:
    """Bit k of a mask, from the table of the bits of all masks: a CPU copies whole rows of it at once.

    A GPU shifts faster than it reads, so there `lab.cuda` doesn't use the table.
    """
    return table[mask, k]
