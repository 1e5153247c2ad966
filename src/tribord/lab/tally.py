"""The tally: exact sums over many matches, added in portions of any size."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from tribord.bots.external import FAULTS
from tribord.core.game import Game
from tribord.core.record import Ints
from tribord.lab.event_counts import UNIT, EventCounts, no_events
from tribord.lab.interval import Interval, mean_from, share_from

if TYPE_CHECKING:
    from tribord.lab.simulate import Sample


class Tally:
    """Sums and distributions over matches. All sums are of whole numbers."""

    def __init__(self, game: Game, players: int, counting: bool = False):
        self.game = game
        self.players = players
        self.event_counts: EventCounts | None = no_events(game) if counting else None
        self.matches = 0
        self.actions = 0
        self.lengths: Counter[int] = Counter()
        self.scores: list[Counter[int]] = [Counter() for _seat in range(players)]
        self.wins: list[Counter[int]] = [Counter() for _seat in range(players)]  # by number of winners; 0: not won
        self.winners: Counter[int] = Counter()  # how many won together
        self.margins: Counter[int] = Counter()  # points between the best and the second
        self.reasons: Counter[int] = Counter()
        self.faults: Counter[tuple[int, str]] = Counter()  # moves that a bot lost, by seat and kind

    def add(self, sample: Sample) -> None:
        """Add finished matches."""
        scores, wins = sample.scores[:, : self.players], sample.wins[:, : self.players]
        winners = wins.sum(axis=1)
        shared = wins if self.game.cooperative else wins * winners[:, None]
        self.matches += len(scores)
        self.actions += int(sample.lengths.sum())
        count(self.lengths, sample.lengths)
        count(self.winners, winners)
        count(self.reasons, sample.reasons())
        self.faults += sample.faults
        for seat in range(self.players):
            count(self.scores[seat], scores[:, seat])
            count(self.wins[seat], shared[:, seat])
        if self.players > 1 and not self.game.cooperative:
            ordered = np.sort(scores, axis=1)
            count(self.margins, ordered[:, -1] - ordered[:, -2])
        if self.event_counts is not None and sample.event_counts is not None:
            self.event_counts += sample.event_counts

    def win_share(self, seat: int) -> Interval:
        """A seat's share of the victories."""
        credits = Counter({UNIT // among if among else 0: times for among, times in self.wins[seat].items()})
        mean, variance = moments(credits)
        return share_from(mean / UNIT, variance / UNIT**2, self.matches)

    def score(self, seat: int) -> Interval:
        """A seat's mean points."""
        return mean_from(*moments(self.scores[seat]), self.matches)

    def length(self) -> Interval:
        """The mean length, in decisions."""
        return mean_from(*moments(self.lengths), self.matches)

    def ending(self) -> dict[str, int]:
        """How many matches ended for each reason, by the game's names."""
        names = list(self.game.text.ENDINGS)
        return {names[why - 1]: n for why, n in self.reasons.most_common()}

    def as_dict(self) -> dict[str, Any]:
        """The figures as plain data."""
        scores = [self.score(seat).as_dict() for seat in range(self.players)]
        shares = [self.win_share(seat).as_dict() for seat in range(self.players)]
        return {
            "score_mean": [score["mean"] for score in scores],
            "win_share": [share["mean"] for share in shares],
            "length_mean": round(self.actions / self.matches, 6),
            "score_interval": [[score["low"], score["high"]] for score in scores],
            "win_share_interval": [[share["low"], share["high"]] for share in shares],
            "length": {"least": min(self.lengths), "median": quantile(self.lengths, 0.5), "most": max(self.lengths)},
            "shared": sum(n for winners, n in self.winners.items() if winners > 1) if not self.game.cooperative else 0,
            "without_winner": self.winners[0],
            "reasons": self.ending(),
            "faults": [{kind: self.faults[seat, kind] for kind in FAULTS} for seat in range(self.players)],
        }


def count(counter: Counter[int], values: Ints) -> None:
    """Count integers from a narrow range."""
    least = int(values.min())
    for value, times in enumerate(np.bincount(values - least).tolist(), least):
        if times:
            counter[value] += times


def moments(counter: Counter[int]) -> tuple[float, float]:
    """Mean and variance of the counted values, from exact sums."""
    n = counter.total()
    total = sum(value * times for value, times in counter.items())
    squares = sum(value * value * times for value, times in counter.items())
    return total / n, (squares * n - total * total) / (n * (n - 1)) if n > 1 else 0.0


def quantile(counter: Counter[int], part: float) -> int:
    """The smallest value with this share of the counted values at or below it.

    >>> quantile(Counter({1: 5, 2: 4, 9: 1}), 0.5), quantile(Counter({1: 5, 2: 4, 9: 1}), 0.95)
    (1, 9)
    """
    left = part * counter.total()
    for value in sorted(counter):
        left -= counter[value]
        if left <= 0:
            return value
    return max(counter)
