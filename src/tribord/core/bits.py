"""Bits: sets of seats, cards and pawns are bitmasks in the rules; these count them and find one."""

from __future__ import annotations

from tribord.core.compiled import rule


@rule
def count_bits(mask: int) -> int:
    """How many bits are set, of 32: pairs, fours and eights are summed side by side.

    >>> count_bits(0b1011), count_bits(0xFFFFFFFF), count_bits(0)
    (3, 32, 0)
    """
    mask -= (mask >> 1) & 0x55555555
    mask = (mask & 0x33333333) + ((mask >> 2) & 0x33333333)
    mask = (mask + (mask >> 4)) & 0x0F0F0F0F
    return ((mask * 0x01010101) >> 24) & 0xFF


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
