"""Intervals: a mean with its confidence interval."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

LEVEL = 0.95
SKEWED = 2.0  # by how much skewness widens an interval: with it, means of 10 very skewed values are covered as claimed


@dataclass(frozen=True)
class Interval:
    """A mean and its 95% interval."""

    mean: float
    low: float
    high: float

    def as_dict(self) -> dict[str, float | None]:
        """For machines; an unknown end is null."""
        ends = ((name, getattr(self, name)) for name in ("mean", "low", "high"))
        return {name: round(value, 6) if math.isfinite(value) else None for name, value in ends}


def student(degrees: int) -> float:
    """The two-sided 95% quantile of Student's t: exact for 1 and 2 degrees of freedom, then to three digits.

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
    return mean_from(*moments(rounds))


def mean_from(mean: float, variance: float, count: int) -> Interval:
    """The same from a mean and the variance of single rounds."""
    if count < 2:
        return Interval(mean, -math.inf, math.inf)
    reach = student(count - 1) * math.sqrt(variance / count)
    return Interval(mean, mean - reach, mean + reach)


def skewed_mean_of(rounds: Sequence[float]) -> Interval:
    """The mean over rounds that may be skewed: Student's interval, wider by the skewness, the more so for few rounds.

    >>> mean_of([0, 0, 0, 1]).high < skewed_mean_of([0, 0, 0, 1]).high
    True
    """
    mean, variance, count = moments(rounds)
    found = mean_from(mean, variance, count)
    if count < 2 or variance <= 0:
        return found
    array = np.asarray(rounds, float)
    skewness = abs(float(((array - mean) ** 3).mean())) / float(array.std()) ** 3
    reach = (found.high - mean) * (1 + SKEWED * skewness / math.sqrt(count))
    return Interval(mean, mean - reach, mean + reach)


def moments(values: Sequence[float]) -> tuple[float, float, int]:
    """The mean, the variance of single values, and their number."""
    array = np.asarray(values, float)
    return float(array.mean()), float(array.var(ddof=1)) if len(array) > 1 else 0.0, len(array)
