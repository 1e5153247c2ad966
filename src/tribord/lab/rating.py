"""Ratings: openskill's Plackett–Luce model over the matches in order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tribord.lab.contest import Played
from tribord.lab.extra import needed


def places(match: Played) -> list[int]:
    """The rank of every seat, from 0: winners first, then by points; ties share a rank.

    >>> places(Played(0, 0, ["a", "b", "c"], [3, 5, 5], [0], "end", 9, [3, 3, 3], [0, 0, 0]))
    [0, 1, 1]
    """
    marks = [(seat in match.winners, score) for seat, score in enumerate(match.scores)]
    return [sum(other > mark for other in marks) for mark in marks]


def ratings(bots: Sequence[str], matches: Iterable[Played]) -> dict[str, dict[str, float]]:
    """Mean, uncertainty and the cautious rating (mean − 3 uncertainties) of every bot.

    A bot in several seats is rated separately in each, and moves by the mean of their changes.
    """
    model = needed("openskill.models").PlackettLuce()
    now: dict[str, Any] = {bot: model.rating(name=bot) for bot in bots}
    for match in matches:
        teams = [[model.create_rating([now[bot].mu, now[bot].sigma])] for bot in match.seats]
        rated = [team[0] for team in model.rate(teams, ranks=[float(place) for place in places(match)])]
        for bot in set(match.seats):
            mine = [rating for rating, name in zip(rated, match.seats) if name == bot]
            now[bot].mu = sum(rating.mu for rating in mine) / len(mine)
            now[bot].sigma = sum(rating.sigma for rating in mine) / len(mine)
    return {
        bot: {"mu": round(r.mu, 4), "sigma": round(r.sigma, 4), "ordinal": round(r.mu - 3 * r.sigma, 4)}
        for bot, r in now.items()
    }
