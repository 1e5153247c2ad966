"""Intervals: confidence intervals for the lab's means and shares.

Matches of one round share their chance seed and aren't independent; rounds are. So a round counts as one observation,
however many matches it has, and the variance is that between rounds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

from tribord.core.interval import LEVEL, Interval, mean_from, mean_of, moments, skewed_mean_of, student

__all__ = ["LEVEL", "Interval", "mean_from", "mean_of", "share_from", "share_of", "skewed_mean_of", "student", "wilson"]


def share_of(rounds: Sequence[float], each: float = 1) -> Interval:
    """The mean over rounds of a share between 0 and 1, with Wilson's interval; a round has `each` observations.

    Wilson's interval uses the effective sample size: how many independent observations would vary as the rounds do,
    never more than there are. So it stays within 0 and 1, and is honest even if every round gave the same result.

    >>> [round(x, 3) for x in vars(share_of([1.0] * 20)).values()]
    [1.0, 0.82, 1.0]
    """
    return share_from(*moments(rounds), each)


def share_from(mean: float, variance: float, count: int, each: float = 1) -> Interval:
    """The same, from a mean and the variance of single rounds."""
    if count < 2:
        return wilson(mean, 1, NormalDist().inv_cdf((1 + LEVEL) / 2))
    spread = mean * (1 - mean)
    if spread <= 0:
        return wilson(mean, count, student(count - 1))  # unknown variance: one observation per round
    effective = min(count * each, spread * count / variance) if variance > 0 else count * each
    return wilson(mean, effective, student(count - 1))


def wilson(mean: float, count: float, z: float) -> Interval:
    """Wilson's score interval for a share."""
    weight = z * z / count
    centre = (mean + weight / 2) / (1 + weight)
    reach = z / (1 + weight) * math.sqrt(max(0.0, mean * (1 - mean)) / count + weight / (4 * count))
    return Interval(mean, max(0.0, centre - reach), min(1.0, centre + reach))
