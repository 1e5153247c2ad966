"""Statistics of a game: wins by turn order, shared victories, match length and what correlates with winning, for every
number of players and several ranks of bots.

A game lists what to count in `client/counted.json`: the variants, the state field with the order of play (by default
seats are the order), and the events whose cards, boats or pawns to compare. The result is `client/statistics.json`
beside it, from which `core/tip.py` makes strategy tips.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from tribord.bots.uniform import UNIFORM
from tribord.core.game import Game
from tribord.core.refusal import BadFile, BadOption
from tribord.core.tip import read
from tribord.core.words import _
from tribord.lab.event_counts import CREDIT, LOWEST, OWNED, UNIT
from tribord.lab.interval import Interval, share_from, student, wilson
from tribord.lab.simulate import Sample, simulate
from tribord.lab.tally import Tally, moments, quantile

PARTS = {UNIFORM: 1, "mousse": 20, "matelot": 50, "bosco": 250}  # one match in this many is between such bots
LEAST = PARTS["bosco"] * 2
QUARTILES = (0.25, 0.5, 0.75)

TOO_FEW = _("Statistics need at least {least} matches, not {matches}.")
NOTHING_COUNTED = _("{title} doesn’t say what its statistics count: “{file}” is missing.")


class OrderedTally(Tally):
    """A tally that also tracks the order of play, where it differs from the order of the seats."""

    def __init__(self, game: Game, players: int, order: str | None):
        super().__init__(game, players, counting=True)
        self.order = order
        self.by_place: list[Counter[int]] = [Counter() for _place in range(players)]

    def add(self, sample: Sample) -> None:
        """Add finished matches."""
        super().add(sample)
        wins = sample.wins[:, : self.players]
        if self.order:
            wins = np.take_along_axis(wins, sample.states[self.order][:, : self.players].astype(np.int64), axis=1)
        winners = np.maximum(wins.sum(axis=1), 1)
        for place in range(self.players):
            self.by_place[place].update((wins[:, place] * (UNIT // winners)).tolist())

    def place(self, place: int) -> Interval:
        """The share of the victories of the player who is `place`-th to play."""
        mean, variance = moments(self.by_place[place])
        return share_from(mean / UNIT, variance / UNIT**2, self.matches)


def counted(game: Game) -> dict[str, Any]:
    """What the game's statistics count."""
    found = read(game, "counted.json")
    if found is None:
        raise BadFile("nothing-counted", NOTHING_COUNTED, title=game.title, file="client/counted.json")
    return dict(found)


def in_turn_order(game: Game) -> bool:
    """Whether the shares of the victories are by turn order: the game names one, or seat 0 begins in every variant."""
    plan = counted(game)
    return "order" in plan or all(variant["options"].get("first") == 0 for variant in plan["variants"].values())


def statistics(
    game: Game,
    matches: int,
    seed: int,
    jobs: int = 1,
    progress: Callable[[int, int], None] = lambda done, all_of_them: None,
) -> dict[str, Any]:
    """All statistics of a game. `matches` sets the number of matches for every rank of bots."""
    if matches < LEAST:
        raise BadOption("too-few", TOO_FEW, least=LEAST, matches=matches)
    plan = counted(game)
    least, most = game.players
    planned = [
        (name, players, bot)
        for name, variant in plan["variants"].items()
        for players in range(least, min(most, variant.get("most", most)) + 1)
        for bot in PARTS
    ]
    tables: dict[str, Any] = {}
    for done, (name, players, bot) in enumerate(planned):
        progress(done, len(planned))
        tables[f"{name}/{players}/{bot}"] = table(game, name, players, bot, matches, seed, jobs)
    return {
        "game": game.id,
        "version": game.version,
        "command": f"tribord statistics {game.id} --matches {matches} --seed {seed} --json",
        "seed": seed,
        "matches": {bot: matches // part for bot, part in PARTS.items()},
        "tables": tables,
    }


def table(game: Game, variant: str, players: int, bot: str, matches: int, seed: int, jobs: int = 1) -> dict[str, Any]:
    """The statistics of one variant, with this many players, between bots of one kind."""
    plan = counted(game)
    tally = OrderedTally(game, players, plan.get("order"))
    size = matches // PARTS[bot]
    bots = [] if bot == UNIFORM else [bot]
    simulate(game, players, size, seed, plan["variants"][variant]["options"], jobs, bots=bots, tally=tally)
    shared = 0 if game.cooperative else sum(n for winners, n in tally.winners.items() if winners > 1)
    return {
        "matches": size,
        "fair": None if game.cooperative else round((size - tally.winners[0]) / size / players, 6),
        "order": [tally.place(place).as_dict() for place in range(players)] if not game.cooperative else [],
        "won": share(size - tally.winners[0], size),
        "shared": share(shared, size),
        "length": tally.length().as_dict() | {"quartiles": [quantile(tally.lengths, part) for part in QUARTILES]},
        "values": {f"{kind}.{field}": values(tally, kind, field) for kind, field in plan["values"]},
    }


def share(count: int, matches: int) -> dict[str, float | None]:
    """A share of the matches with Wilson's interval."""
    return wilson(count / matches, matches, student(matches - 1)).as_dict()


def values(tally: OrderedTally, kind: str, field: str) -> dict[str, Any]:
    """The share of the victories of players after an event that happened to them, by value of a field.

    Events of one match aren't independent, so the interval counts at most one observation per match.
    """
    assert tally.event_counts is not None
    kinds = list(tally.game.events.KINDS)
    number = next(k for k, each in enumerate(kinds) if each.name == kind)
    cells = tally.event_counts.values[number, kinds[number].fields.index(field)].tolist()
    found: dict[str, Any] = {}
    for place, row in enumerate(cells):
        if times := row[OWNED]:
            mean = row[CREDIT] / UNIT / times
            sure = min(times, tally.matches)
            found[str(place + LOWEST)] = wilson(mean, sure, student(max(1, sure - 1))).as_dict() | {"times": times}
    return found
