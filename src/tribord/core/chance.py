"""Chance: a small generator that runs the same interpreted and compiled, and dice that anyone can verify.

The generator (xoshiro128++ on 32-bit words kept in 64-bit integers, so nothing ever overflows) drives playouts and
guesses. The dice of a real match come from `Dice`: every draw is a hash of the secret seed and the number of the draw.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence

import numpy as np

from tribord.core.compiled import rule
from tribord.core.record import Ints

_MASK = 0xFFFFFFFF


@rule
def seed_stream(rng: Ints, seed: int, stream: int) -> None:
    """Start the generator `rng` (four words) on its own stream of a seed: one stream per match."""
    h = seed & _MASK
    high = (seed >> 32) & _MASK
    for i in range(4):
        h = (h + 0x9E3779B9 + i) & _MASK
        h = _mix(h ^ _mix((stream & _MASK) + 0x7F4A7C15 * (i + 1)))
        h = _mix(h ^ _mix(high + ((stream >> 32) & _MASK) * 0x2545F491 + i))
        rng[i] = h
    rng[0] |= 1  # the all-zero state would stay zero


@rule
def _mix(h: int) -> int:
    """The finaliser of MurmurHash3, 32 bits."""
    h &= _MASK
    h ^= h >> 16
    h = (h * 0x85EBCA6B) & _MASK
    h ^= h >> 13
    h = (h * 0xC2B2AE35) & _MASK
    return h ^ (h >> 16)


@rule
def bits(rng: Ints) -> int:
    """The next 32 random bits."""
    a = int(rng[0])
    b = int(rng[1])
    c = int(rng[2])
    d = int(rng[3])
    t = (a + d) & _MASK
    result = ((((t << 7) | (t >> 25)) & _MASK) + a) & _MASK
    c ^= a
    d ^= b
    rng[1] = b ^ c
    rng[0] = a ^ d
    rng[2] = c ^ ((b << 9) & _MASK)
    rng[3] = ((d << 11) | (d >> 21)) & _MASK
    return result


@rule
def below(rng: Ints, n: int) -> int:
    """A uniform integer in 0..n-1, exactly (Lemire's multiply, with rejection)."""
    product = bits(rng) * n
    if (product & _MASK) < n:
        floor = (_MASK + 1 - n) % n
        while (product & _MASK) < floor:
            product = bits(rng) * n
    return product >> 32


@rule
def draw(rng: Ints, weights: Ints, n: int) -> int:
    """An outcome 0..n-1 with probability proportional to its integer weight."""
    total = 0
    for i in range(n):
        total += int(weights[i])
    mark = below(rng, total)
    for i in range(n):
        mark -= int(weights[i])
        if mark < 0:
            return i
    return n - 1


def stream(seed: int, number: int = 0) -> Ints:
    """A generator started on a stream of a seed.

    >>> rng = stream(7)
    >>> [below(rng, 6) + 1 for _ in range(8)]
    [6, 4, 3, 3, 5, 5, 1, 5]
    """
    rng = np.zeros(4, np.int64)
    seed_stream(rng, int(seed), int(number))
    return rng


def commitment_to(value: str) -> str:
    """Return the hash that is published in advance: it fixes a secret value and reveals nothing about it."""
    return hashlib.sha256(f"tribord:{value}".encode()).hexdigest()


class Dice:
    """The dice of one match. The hash of the secret seed is published first, the seed afterwards.

    Draw number k takes the 64-bit words HMAC-SHA256(seed, "k:0"), "k:1", … and keeps the first that is not in the
    incomplete last stretch of multiples of the total weight: exact odds, and the same draw for the same k, forever.
    Taking a decision back therefore never re-rolls.

    Players may add to the dice once the hash is published, each committing to a value before any of these is revealed,
    so that nobody can choose: `contributions` has, by seat, what each of them added. The draws then follow from a key,
    HMAC-SHA256(seed, "contributions:" and the sorted contributions), instead of the seed. Sorted, because the seating
    mustn't decide about the dice.

    >>> Dice("7").draw(0, [1] * 6), Dice("7").draw(1, [1] * 6)
    (5, 5)
    """

    def __init__(self, seed: str, contributions: Sequence[str | None] = ()):
        self.seed = seed
        self.contributions = list(contributions)
        self._key = seed.encode()
        if added := sorted(filter(None, contributions)):
            self._key = hmac.new(self._key, f"contributions:{','.join(added)}".encode(), "sha256").hexdigest().encode()

    @classmethod
    def secret(cls) -> Dice:
        """Dice with a fresh seed that nobody can guess."""
        return cls(secrets.token_hex(32))

    @property
    def commitment(self) -> str:
        """The hash that is published before the first draw."""
        return commitment_to(self.seed)

    def number(self, purpose: str) -> int:
        """64 bits that follow from the dice and reveal nothing about their draws, for a generator with a purpose."""
        return int.from_bytes(hmac.digest(self._key, purpose.encode(), "sha256")[:8], "big")

    def draw(self, number: int, weights: list[int]) -> int:
        """The outcome of draw `number` among outcomes with these integer weights."""
        total = sum(weights)
        limit = (1 << 64) // total * total
        attempt = 0
        while True:
            digest = hmac.digest(self._key, f"{number}:{attempt}".encode(), "sha256")
            word = int.from_bytes(digest[:8], "big")
            if word < limit:
                break
            attempt += 1
        mark = word % total
        for outcome, weight in enumerate(weights):
            mark -= weight
            if mark < 0:
                return outcome
        raise AssertionError("weights do not add up to their sum")
