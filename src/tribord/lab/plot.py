"""Plots: the figures of the lab as PNG or SVG, in the colours of the house."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tribord.core.art import COLOURS
from tribord.core.game import load
from tribord.core.refusal import BadFile, BadOption
from tribord.core.words import Words, _
from tribord.lab.extra import needed
from tribord.lab.ledger import NO_PLACE

PAPER, INK, SEA, FOAM, WOOD = (COLOURS[name] for name in ("paper", "ink", "sea", "foam", "wood"))
CREWS = tuple(COLOURS[name] for name in ("blue", "green", "red", "yellow", "lilac", "wood-dark"))

PICTURE = _("A picture ends in .png or .svg; “{file}” does not.")
STRENGTH = _("{title}, {players} players, {matches} matches")
SHARE = _("share of the victories, with 95 % interval")
RATE = _("matches won, with 95 % interval")
FAIR = _("fair share")
AHEAD = _("row ahead of column, %")


def check_picture(file: Path) -> None:
    """Refuse a file that would be no picture, and say what is missing to draw one."""
    if file.suffix.lower() not in (".png", ".svg"):
        raise BadOption("not-a-picture", PICTURE, file=file)
    if not file.parent.is_dir():
        raise BadFile("unwritable", NO_PLACE, path=file, reason=os.strerror(errno.ENOENT))
    needed("matplotlib")


@contextmanager
def figure(file: Path, width: float, height: float, columns: int = 1, rows: int = 1) -> Iterator[Any]:
    """Axes to draw on; written to the file when drawn, the same bytes every time."""
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
    """Means with their intervals, one line each, the first on top."""
    for place, interval in enumerate(intervals):
        mean = interval["mean"] or 0.0
        low, high = (mean if end is None else end for end in (interval["low"], interval["high"]))
        axes.plot([low, high], [place, place], color=colour, linewidth=3, solid_capstyle="round")
        axes.plot([mean], [place], "o", color=INK, markersize=7)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)


def plot_arena(result: Mapping[str, Any], file: Path, words: Words) -> None:
    """The bots' shares of the victories with their intervals, and who comes out ahead of whom."""
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
