"""Line-ups: who sits at the table together, and where, so that no bot is better placed than another.

Every bot sits at the table. Where there are more seats than bots, the spare seats go to one of them, and each bot is
that one in turn: of two bots at four seats first A plays against three B, then B against three A. Where there are more
bots than seats, every choice of as many bots as seats is a table. The order round the table is drawn for each round,
and then every seat is moved on one by one until all have sat everywhere: each bot holds every seat equally often.

On a ladder each bot sits alone among those of the rung below, the bot that was named next, and nothing else is played.

In a cooperative game nobody plays against anybody: each bot fills all the seats.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

from tribord.core.chance import below, stream

Seats = tuple[str, ...]  # the bot in each seat, by name


EVERYBODY, PAIRS, LADDER = "everybody", "pairs", "ladder"  # who meets whom


def crews(bots: Sequence[str], players: int, meet: str = EVERYBODY, cooperative: bool = False) -> list[Seats]:
    """The tables of one round, before anybody moves on.

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
    for host in reversed(bots):  # whoever takes the spare seats
        others = tuple(bot for bot in bots if bot != host)
        found.append((*others, host, *(host,) * spare))
    return found


def seatings(crew: Seats, seed: int, number: int) -> Iterator[Seats]:
    """A crew in the order that round `number` of a seed draws, and then moved on seat by seat."""
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
