"""Line-ups: which bots share a table, and in which seats, so that none has an advantage.

If there are more seats than bots, each bot in turn takes all the spare seats: with two bots at four seats, first A
plays against three B, then B against three A. If there are more bots than seats, every combination of bots that fills
the seats is a table. The order at the table is drawn for each round, then rotated until every bot has been in every
seat: each bot holds every seat equally often.

On a ladder each bot sits alone among copies of the rung below, the bot named next, and nothing else is played.

In a cooperative game there are no opponents: each bot fills all the seats.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

from tribord.core.chance import below, stream

Seats = tuple[str, ...]  # the bot in each seat, by name


EVERYBODY, PAIRS, LADDER = "everybody", "pairs", "ladder"  # who meets whom


def crews(bots: Sequence[str], players: int, meet: str = EVERYBODY, cooperative: bool = False) -> list[Seats]:
    """The tables of one round, before rotation.

    >>> crews(["matelot", "mousse"], 3)
    [('matelot', 'mousse', 'mousse'), ('mousse', 'matelot', 'matelot')]
    >>> len(crews(["a", "b", "c", "d"], 4)), len(crews(["a", "b", "c", "d"], 4, PAIRS))
    (1, 12)
    >>> crews(["capitaine", "bosco", "matelot"], 3, LADDER)
    [('capitaine', 'bosco', 'bosco'), ('bosco', 'matelot', 'matelot')]
    """
    if cooperative:
        return [(bot,) * players for bot in bots]
    if meet == LADDER:
        return [(above, *(below,) * (players - 1)) for above, below in pairwise(bots)]
    if meet == PAIRS and len(bots) > 2:
        return [crew for two in combinations(bots, 2) for crew in crews(two, players)]
    if len(bots) >= players:
        return list(combinations(bots, players))
    spare = players - len(bots)
    found = []
    for host in reversed(bots):  # the bot in the spare seats
        others = tuple(bot for bot in bots if bot != host)
        found.append((*others, host, *(host,) * spare))
    return found


def seatings(crew: Seats, seed: int, number: int) -> Iterator[Seats]:
    """A crew in the random order of round `number` of a seed, rotated seat by seat."""
    order = list(crew)
    if len(set(order)) == 1:
        yield crew
        return
    rng = stream(seed, number)
    for k in range(len(order) - 1):
        other = k + below(rng, len(order) - k)
        order[k], order[other] = order[other], order[k]
    for turn in range(len(order)):
        yield (*order[turn:], *order[:turn])
