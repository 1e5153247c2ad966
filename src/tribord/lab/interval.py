"""Intervals: how far a mean of the lab can be trusted.

The matches of one round share their chance seed and are not independent; the rounds are. A round therefore counts as
one observation, whatever it holds, and the spread is that between rounds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

LEVEL = 0.95


@dataclass(frozen=True)
class Interval:
    """A mean and its 95 % interval."""

    mean: float
    low: float
    high: float

    def as_dict(self) -> dict[str, float | None]:
        """For machines; an end that is not known is null."""
        ends = ((name, getattr(self, name)) for name in ("mean", "low", "high"))
        return {name: round(value, 6) if math.isfinite(value) else None for name, value in ends}


def student(degrees: int) -> float:
    """The two-sided 95 % quantile of Student's t: exact for 1 and 2 degrees of freedom, then to three digits.

    >>> [round(student(n), 2) for n in (1, 2, 4, 10, 1000)]
    [12.71, 4.3, 2.78, 2.23, 1.96]
    """
    p = (1 + LEVEL) / 2
    if degrees == 1:
        return math.tan(math.pi * (p - 0.5))
    if degrees == 2:
        return (2 * p - 1) * math.sqrt(2 / (4 * p * (1 - p)))
    z = NormalDist().inv_cdf(p)
    terms = (  # Cornish and Fisher's expansion around the normal quantile
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / degrees ** (k + 1) for k, term in enumerate(terms))


def mean_of(rounds: Sequence[float]) -> Interval:
    """The mean over rounds, with Student's interval; one round alone says nothing about the spread."""
    return mean_from(*_moments(rounds))


def mean_from(mean: float, variance: float, count: int) -> Interval:
    """The same from a mean and the variance of single rounds."""
    if count < 2:
        return Interval(mean, -math.inf, math.inf)
    reach = student(count - 1) * math.sqrt(variance / count)
    return Interval(mean, mean - reach, mean + reach)


def share_of(rounds: Sequence[float], each: float = 1) -> Interval:
    """The mean over rounds of a share between 0 and 1, with Wilson's interval; a round holds `each` observations.

    Wilson's interval is told how many independent observations would spread as the rounds do (the effective number),
    never more than there are: so it stays within 0 and 1, and is honest where every round gave the same.

    >>> [round(x, 3) for x in vars(share_of([1.0] * 20)).values()]
    [1.0, 0.82, 1.0]
    """
    return share_from(*_moments(rounds), each)


def share_from(mean: float, variance: float, count: int, each: float = 1) -> Interval:
    """The same from a mean and the variance of single rounds."""
    if count < 2:
        return wilson(mean, 1, NormalDist().inv_cdf((1 + LEVEL) / 2))
    spread = mean * (1 - mean)
    if spread <= 0:
        return wilson(mean, count, student(count - 1))  # nothing is known of the spread: one observation per round
    effective = min(count * each, spread * count / variance) if variance > 0 else count * each
    return wilson(mean, effective, student(count - 1))


def _moments(values: Sequence[float]) -> tuple[float, float, int]:
    array = np.asarray(values, float)
    return float(array.mean()), float(array.var(ddof=1)) if len(array) > 1 else 0.0, len(array)


def wilson(mean: float, count: float, z: float) -> Interval:
    """Wilson's score interval for a share."""
    weight = z * z / count
    centre = (mean + weight / 2) / (1 + weight)
    reach = z / (1 + weight) * math.sqrt(max(0.0, mean * (1 - mean)) / count + weight / (4 * count))
    return Interval(mean, max(0.0, centre - reach), min(1.0, centre + reach))
