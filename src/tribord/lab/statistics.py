"""Statistics of a game: wins by turn order, shared victories, match length and what correlates with winning, for every
number of players and several ranks of bots.

A game lists what to count in `client/counted.json`: the variants, the state field with the order of play (by default
seats are the order), and the events whose cards, boats or pawns to compare. The result is `client/statistics.json`
beside it, and `client/tips.json` turns some of its figures into sentences.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from tribord.bots.uniform import UNIFORM
from tribord.core.game import Game
from tribord.core.refusal import BadFile, BadOption
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
NO_FIGURE = _("There’s no figure “{figure}” in the statistics of {title}.")
CLAIM = _("The tip “{tip}” no longer holds.")


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


def read(game: Game, name: str) -> Any:
    """A file beside the game's board, or None."""
    file = game.folder / "client" / name
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else None


def counted(game: Game) -> dict[str, Any]:
    """What the game's statistics count."""
    found = read(game, "counted.json")
    if found is None:
        raise BadFile("nothing-counted", NOTHING_COUNTED, title=game.title, file="client/counted.json")
    return dict(found)


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


# -- tips -------------------------------------------------------------------------------------------------------------


def figure(game: Game, found: Mapping[str, Any], path: str) -> dict[str, float]:
    """A figure by its path, “base/4/matelot order 3”."""
    try:
        name, *steps = path.split()
        at = found["tables"][name]
        for step in steps:
            at = at[int(step)] if isinstance(at, list) else at[step]
        if not isinstance(at, dict):
            at = {"mean": at, "low": at, "high": at}
        return {end: float(at[end]) for end in ("mean", "low", "high")}
    except (KeyError, IndexError, ValueError, TypeError):
        raise BadFile("no-such-figure", NO_FIGURE, figure=path, title=game.title) from None


def holds(game: Game, found: Mapping[str, Any], claim: Mapping[str, Any]) -> bool:
    """Whether the whole interval of a figure lies above a bound: a number, or a multiple of another figure."""
    left = figure(game, found, claim["figure"])
    bound = claim["above"]
    least = figure(game, found, bound)["high"] if isinstance(bound, str) else float(bound)
    return left["low"] > least * claim.get("times", 1)


def tips(game: Game) -> list[dict[str, str]]:
    """A game's strategy tips in every language, with figures from its statistics, if it has any."""
    found, written = read(game, "statistics.json"), read(game, "tips.json")
    if found is None or written is None:
        return []
    said = []
    for tip in written:
        for claim in tip["claims"]:
            if not holds(game, found, claim):
                raise BadFile("claim", CLAIM, tip=tip["en"])
        numbers = {name: figure(game, found, path)["mean"] for name, path in tip["figures"].items()}
        said.append({language: tip[language].format(**_written(numbers, language)) for language in ("en", "fr")})
    return said


def _written(numbers: Mapping[str, float], language: str) -> dict[str, str]:
    """Shares as percentages, other numbers as whole ones."""
    percent = "\u00a0%" if language == "fr" else "%"
    return {name: f"{100 * n:.0f}{percent}" if n <= 1 else f"{n:.0f}" for name, n in numbers.items()}
