"""Plots: the lab's figures as PNG or SVG, in Tribord's colours."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tribord.bots.uniform import UNIFORM
from tribord.core.art import COLOURS
from tribord.core.game import Game, load
from tribord.core.refusal import BadFile, BadOption
from tribord.core.words import Message, Words, _
from tribord.lab.event_counts import named_values
from tribord.lab.extra import needed
from tribord.lab.ledger import NO_PLACE
from tribord.lab.statistics import in_turn_order

PAPER, INK, SEA, FOAM, WOOD = (COLOURS[name] for name in ("paper", "ink", "sea", "foam", "wood"))
CREWS = tuple(COLOURS[name] for name in ("blue", "green", "red", "yellow", "lilac", "wood-dark"))

PICTURE = _("The name of a picture must end in .png or .svg, not “{file}”.")
STRENGTH = _("{title}, {players} players, {matches} matches")
SHARE = _("share of the victories, with 95% interval")
RATE = _("matches won, with 95% interval")
FAIR = _("fair share")
TURN_ORDER = _("place in the turn order")
AHEAD = _("row ahead of column, %")
SEATED = _("{players} players")
PLAYERS = _("players")
BY_PLACE = _("victories by turn order, %")
BY_SEAT = _("victories by seat, %")
SEAT = _("seat")
WON = _("matches won, %")
SHARED = _("matches with a shared victory, %")
DECISIONS = _("decisions in a match: median, middle half")
WINNERS = _("{event}: victories of those it happens to, %")
RARE = 20  # times that something happened: less says nothing
BOTS = (UNIFORM, "mousse", "matelot", "bosco")


def check_picture(file: Path) -> None:
    """Refuse a file that can't be a picture, and say which package is missing."""
    if file.suffix.lower() not in (".png", ".svg"):
        raise BadOption("not-a-picture", PICTURE, file=file)
    if not file.parent.is_dir():
        raise BadFile("unwritable", NO_PLACE, path=file, reason=os.strerror(errno.ENOENT))
    needed("matplotlib")


@contextmanager
def figure(file: Path, width: float, height: float, columns: int = 1, rows: int = 1) -> Iterator[Any]:
    """Axes to draw on. Writes the file at the end, with the same bytes every time."""
    matplotlib = needed("matplotlib")
    matplotlib.use("Agg")
    pyplot = needed("matplotlib.pyplot")
    style = {
        "figure.facecolor": PAPER, "axes.facecolor": PAPER, "text.color": INK, "axes.edgecolor": INK,
        "axes.labelcolor": INK, "xtick.color": INK, "ytick.color": INK, "axes.spines.top": False,
        "axes.spines.right": False, "svg.hashsalt": "tribord", "font.size": 11,
    }  # fmt: skip
    with matplotlib.rc_context(style):
        drawn, axes = pyplot.subplots(rows, columns, figsize=(width, height), layout="constrained")
        try:
            yield axes
            kind = file.suffix.lower().removeprefix(".")
            drawn.savefig(file, dpi=150, format=kind, metadata={"Date": None} if kind == "svg" else {"Software": None})
        except OSError as error:
            raise BadFile("unwritable", NO_PLACE, path=file, reason=error.strerror) from None
        finally:
            pyplot.close(drawn)


def dots(axes: Any, names: Sequence[str], intervals: Sequence[Mapping[str, float | None]], colour: str = SEA) -> None:
    """Means with their intervals, one per line, the first on top."""
    for place, interval in enumerate(intervals):
        mean = interval["mean"] or 0.0
        low, high = (mean if end is None else end for end in (interval["low"], interval["high"]))
        axes.plot([low, high], [place, place], color=colour, linewidth=3, solid_capstyle="round")
        axes.plot([mean], [place], "o", color=INK, markersize=7)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)


def plot_arena(result: Mapping[str, Any], file: Path, words: Words) -> None:
    """The bots' shares of the victories with intervals, and which bot beats which."""
    standings = sorted(result["standings"], key=lambda standing: -standing["win_share"]["mean"])
    names = [standing["bot"] for standing in standings]
    cross = result.get("cross")
    with figure(file, 11 if cross else 7, 1.8 + 0.7 * len(names), 2 if cross else 1) as axes:
        left = axes[0] if cross else axes
        dots(left, names, [standing["win_share"] for standing in standings])
        left.set_xlim(0, 1)
        left.set_xlabel(words.say(RATE if result["cooperative"] else SHARE))
        left.set_title(
            words.say(STRENGTH, title=load(result["game"]).title, players=result["players"], matches=result["matches"]),
            loc="left",
        )
        if result["fair"]:
            left.axvline(result["fair"], color=WOOD, linestyle="--", label=words.say(FAIR))
            left.legend(frameon=False, loc="lower right")
        if cross:
            cells = [[cross[a][b]["mean"] if b in cross[a] else 0.5 for b in names] for a in names]
            axes[1].imshow(cells, cmap="BrBG", vmin=0, vmax=1)
            axes[1].set_xticks(range(len(names)), names, rotation=20, ha="right")
            axes[1].set_yticks(range(len(names)), names)
            axes[1].set_title(words.say(AHEAD), loc="left")
            for row, a in enumerate(names):
                for column, b in enumerate(names):
                    if b in cross[a]:
                        mean = cross[a][b]["mean"]
                        colour = PAPER if abs(mean - 0.5) > 0.3 else INK
                        axes[1].text(column, row, f"{100 * mean:.0f}", ha="center", va="center", color=colour)


def plot_statistics(found: Mapping[str, Any], file: Path, words: Words) -> None:
    """Statistics of a game: who wins by turn order, shared victories, length, and what goes with winning.

    A colour for each sort of bot. In a cooperative game, the matches won by number of players.
    """
    game = load(found["game"])
    ordered = in_turn_order(game)
    tables: dict[str, dict[int, dict[str, Any]]] = {}  # by variant, number of players, bot
    for name, table in found["tables"].items():
        variant, players, bot = name.split("/")
        tables.setdefault(variant, {}).setdefault(int(players), {})[bot] = table
    rows: list[list[Panel]] = [[], [], []]
    for variant, by_players in tables.items():
        called = variant if len(tables) > 1 else ""
        if game.cooperative:
            rows[0].append(Panel(called, words.say(WON), PLAYERS, _by_players(by_players, "won")))
        else:
            for players, bots in by_players.items():
                title = words.say(SEATED, players=players)
                what, along = (BY_PLACE, TURN_ORDER) if ordered else (BY_SEAT, SEAT)
                rows[0].append(Panel(title, words.say(what), along, _by_place(bots), 100 / players))
            rows[1].append(Panel(called, words.say(SHARED), PLAYERS, _by_players(by_players, "shared")))
        rows[1].append(Panel(called, words.say(DECISIONS), PLAYERS, _lengths(by_players)))
        usual = min(by_players, key=lambda players: abs(players - game.usual_players))
        title = ", ".join(filter(None, (called, words.say(SEATED, players=usual))))
        for key in by_players[usual][UNIFORM]["values"]:
            if spots := _by_value(game, by_players[usual], key, words):
                what = words.say(WINNERS, event=key.partition(".")[0])
                fair = by_players[usual][UNIFORM]["fair"]
                rows[2].append(Panel(title, what, "", spots, fair and 100 * fair))
    width = max(map(len, rows))
    with figure(file, 3.4 * width + 0.6, 3.1 * len(rows) + 0.9, width, len(rows)) as axes:
        grid = axes.reshape(len(rows), width)
        for row, panels in zip(grid, rows):
            for at, panel in zip(row, panels):
                panel.draw(at, words)
            for blank in row[len(panels) :]:
                blank.set_axis_off()
        legend = grid[0][0].get_legend_handles_labels()
        grid[0][0].figure.legend(*legend, loc="outside upper left", ncols=len(BOTS), frameon=False, fontsize=9)


Marked = tuple[float, float, float]  # mean, low, high


@dataclass(frozen=True)
class Panel:
    """One plot: for each sort of bot, a spot with its interval above each name."""

    title: str
    what: str
    level: Message
    spots: Mapping[str, Mapping[str, Marked]]  # by bot and name
    fair: float | None = None

    def draw(self, axes: Any, words: Words) -> None:
        """Draw it."""
        names = list(dict.fromkeys(name for spots in self.spots.values() for name in spots))
        for nth, bot in enumerate(BOTS):
            spots = self.spots.get(bot, {})
            places = [names.index(name) + 0.15 * (nth - 1.5) for name in spots]
            means = [mean for mean, _low, _high in spots.values()]
            reach = [[mean - low for mean, low, _ in spots.values()], [high - mean for mean, _, high in spots.values()]]
            if spots:
                axes.errorbar(places, means, reach, fmt="o", markersize=4, color=CREWS[nth], label=bot)
        if self.fair is not None:
            axes.axhline(self.fair, color=WOOD, linestyle="--", linewidth=1)
        long = max(map(len, names)) > 3
        axes.set_xticks(range(len(names)), names, fontsize=9, **({"rotation": 40, "ha": "right"} if long else {}))
        axes.set_ylim(bottom=0)
        axes.tick_params(axis="y", labelsize=9)
        axes.set_title("\n".join(filter(None, (self.title, self.what))), loc="left", fontsize=9.5)
        axes.set_xlabel(words.say(self.level) if self.level else "", fontsize=9)


def _spot(interval: Mapping[str, float | None]) -> Marked:
    """A share in percent, with its interval; an end that isn't known is the mean."""
    mean = interval["mean"] or 0.0
    low, high = (mean if interval[end] is None else interval[end] or 0.0 for end in ("low", "high"))
    return 100 * mean, 100 * low, 100 * high


def _by_place(bots: Mapping[str, Any]) -> dict[str, dict[str, Marked]]:
    return {
        bot: {str(place): _spot(share) for place, share in enumerate(table["order"], 1)} for bot, table in bots.items()
    }


def _by_players(by_players: Mapping[int, Mapping[str, Any]], name: str) -> dict[str, dict[str, Marked]]:
    return {bot: {str(players): _spot(bots[bot][name]) for players, bots in by_players.items()} for bot in BOTS}


def _lengths(by_players: Mapping[int, Mapping[str, Any]]) -> dict[str, dict[str, Marked]]:
    """The median of the decisions in a match, and between which numbers half of the matches lie."""
    found: dict[str, dict[str, Marked]] = {bot: {} for bot in BOTS}
    for players, bots in by_players.items():
        for bot, table in bots.items():
            lower, median, upper = table["length"]["quartiles"]
            found[bot][str(players)] = (median, lower, upper)
    return found


def _by_value(game: Game, bots: Mapping[str, Any], key: str, words: Words) -> dict[str, dict[str, Marked]]:
    """Who wins after an event that happened to them, by card, boat or pawn: at random and between matelots."""
    named = named_values(game, key.partition(".")[2], words, people=True)
    found = {
        bot: {
            named.get(int(value), value): _spot(share)
            for value, share in bots[bot]["values"][key].items()
            if share["times"] >= RARE
        }
        for bot in (UNIFORM, "matelot")
    }
    return {bot: spots for bot, spots in found.items() if spots}
