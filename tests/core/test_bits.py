"""Bits: what Python counts is what compiled code counts."""

from __future__ import annotations

import random

import pytest

from tribord.core.bits import count_bits, lowest_bit, nth_bit, sum_bits

MASKS = [0, 1, 2, 0xFFFFFFFF, 1 << 62, (1 << 63) - 1, *random.Random(1).choices(range(1 << 62), k=200)]


@pytest.mark.parametrize("mask", MASKS)
def test_the_compiled_form_counts_the_same_bits(mask: int) -> None:
    assert sum_bits(mask) == count_bits(mask) == f"{mask:b}".count("1")


@pytest.mark.parametrize("mask", MASKS[1:])
def test_the_bits_of_a_mask_are_found_one_by_one(mask: int) -> None:
    places = [place for place in range(mask.bit_length()) if mask >> place & 1]
    assert [nth_bit(mask, n) for n in range(count_bits(mask))] == places
    assert lowest_bit(mask) == places[0]
