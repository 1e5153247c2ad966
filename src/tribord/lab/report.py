"""The report: a page with pictures about many matches of a game, for people who design or study it.

A folder with `index.html`, its pictures as SVG, and `figures.json`. Nothing here is specific to a game: it counts
events and the parts of actions, by the names each game gives them.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from tribord.bots.advice import PERCENT
from tribord.core.art import PALETTE, css
from tribord.core.event import Kind
from tribord.core.game import Game
from tribord.core.refusal import BadFile, BadOption
from tribord.core.words import Message, Words, _, _n
from tribord.lab.event_counts import CREDIT, LOWEST, MATCHES, OWNED, TIMES, UNIT, named_values
from tribord.lab.export import FILE_EXISTS
from tribord.lab.extra import needed
from tribord.lab.interval import Interval
from tribord.lab.ledger import NO_PLACE
from tribord.lab.plot import CREWS, INK, SEA, WOOD, dots, figure
from tribord.lab.tally import Tally, quantile

TITLE = _("{title}: a report")
PLAYED = _n(
    "{matches} match, {players} players, seed {seed}.", "{matches} matches, {players} players, seed {seed}.", "matches"
)
WHO = _("Who plays: {bots}.")
OPTIONS = _("Options: {options}.")
SEATS = _("Seats")
SEAT = _("seat {number}")
VICTORIES = _("victories")
POINTS = _("points")
NO_ADVANTAGE = _(
    "No seat differs from its fair share by more than chance: as far as these matches tell, all seats are equal."
)
ADVANTAGE = _("{best} wins most often, {worst} least; the fair share is {fair}.")
TOGETHER = _("Won together: {share} of the matches.")
SHARED = _("{share} of the matches have several winners, {none} have none.")
LENGTH = _("Length")
DECISIONS = _("decisions in a match")
LENGTHS = _("Half of the matches take {lower} to {upper} decisions; the mean is {mean}, the longest {most}.")
SCORES = _("Points")
SHARE_OF_MATCHES = _("share of the matches, %")
MARGIN = _("points between first and second place")
CLOSE = _("The gap between first and second place is at most {points} in {share} of the matches.")
ENDINGS = _("How matches end")
MATCHES_HEAD = _("matches")
CHOICES = _("What players choose, and who wins")
CHOICES_ARE = _(
    "How often a choice is made, and the share of the victories of those who make it. Winners make the choices right "
    "of the dashed line more often than others of their kind. That doesn’t prove that they win because of them."
)
EVENTS = _("What happens")
EVENTS_ARE = _(
    "How often each thing happens, and the share of the victories of the crew it happens to, if there is one."
)
HAPPENS = _("what happens")
PER_MATCH = _("per match")
IN_MATCHES = _("in matches")
CHOICE = _("choice")
WIN_SHARE = _("share of the victories, %")
LOST = _n(
    "{count} event or decision of very long matches is not counted here.",
    "{count} events and decisions of very long matches are not counted here.",
    "count",
)
REPRODUCE = _("The same again:")
NOT_A_FOLDER = _("“{file}” is a file, but a report is a folder: choose another name.")

PANELS = 4
WORN = {name: PALETTE[name] for name in ("paper", "ink", "wood")}
STYLE = """
:root { color-scheme: light dark; }
body { background: var(--paper); color: var(--ink); font: 1rem/1.5 "Atkinson Hyperlegible", system-ui, sans-serif;
  max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2, h3 { font-family: "IM Fell Double Pica", Georgia, serif; font-weight: normal; }
h2 { border-bottom: 1px solid var(--wood); margin-top: 2.5rem; }
img { max-width: 100%; display: block; margin: 1rem 0; border-radius: .4rem; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { text-align: right; padding: .2rem .8rem .2rem 0; font-variant-numeric: tabular-nums; }
th:first-child, td:first-child { text-align: left; }
thead th { border-bottom: 1px solid var(--wood); vertical-align: bottom; }
.wide { overflow-x: auto; }
code { overflow-wrap: anywhere; }
"""


@dataclass
class Counted:
    """One counted thing: its name, how often, and the mean credit of the seats it belongs to (None if none)."""

    name: str
    times: int
    share: float | None
    matches: int | None = None


def check_report(folder: Path) -> None:
    """Refuse a folder that can't hold a report, before anything is played."""
    if folder.exists() and not folder.is_dir():
        raise BadOption("not-a-folder", NOT_A_FOLDER, file=folder)
    if folder.is_dir() and any(folder.iterdir()):
        raise BadOption("file-exists", FILE_EXISTS, file=folder)
    needed("matplotlib")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadFile("unwritable", NO_PLACE, path=folder, reason=error.strerror) from None


def write_report(folder: Path, result: Mapping[str, Any], tally: Tally, words: Words, command: str = "") -> None:
    """Write the report of a simulation."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        page = ReportPage(folder, result, tally, words).page(command)
        (folder / "index.html").write_text(page, encoding="utf-8")
        figures = dict(result) | {
            "choices": _as_dict(choices(tally, words)),
            "events": [vars(line) for line in event_lines(tally, words)],
            "things": {sort: _as_dict(tables) for sort, tables in things(tally, words).items()},
        }
        (folder / "figures.json").write_text(json.dumps(figures, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise BadFile("unwritable", NO_PLACE, path=folder, reason=error.strerror) from None


# -- counting ---------------------------------------------------------------------------------------------------------


def choices(tally: Tally, words: Words) -> dict[str, list[Counted]]:
    """By part of an action (card, boat, pirate…): how often each value was chosen, and who then won."""
    game, found = tally.game, tally.event_counts
    assert found is not None
    taken: dict[str, Counter[Any]] = {}
    credit: dict[str, Counter[Any]] = {}
    for action, (times, earned) in enumerate(found.actions.tolist()):
        for key, value in game.parts(action).items():
            sort = game.text.LISTED.get(key, key)
            for one in value if isinstance(value, list) else [value]:
                taken.setdefault(sort, Counter())[one] += times
                credit.setdefault(sort, Counter())[one] += earned
    tables = {}
    for sort, counted in taken.items():
        lines = [
            Counted(words.name(sort, value), times, credit[sort][value] / UNIT / times)
            for value, times in counted.items()
            if times
        ]
        if len(lines) > 1:
            tables[sort] = lines
    return tables


def event_lines(tally: Tally, words: Words) -> list[Counted]:
    """Every kind of event, as a sentence with gaps."""
    assert tally.event_counts is not None
    counted = zip(tally.game.events.KINDS, tally.event_counts.kinds.tolist())
    return [
        Counted(with_gaps(tally.game, kind, words), row[TIMES], _share(row), row[MATCHES])
        for kind, row in counted
        if row[TIMES]
    ]


def things(tally: Tally, words: Words) -> dict[str, dict[str, list[Counted]]]:
    """By kind of thing (card, boat, pawn…) and event: each of them, in the game's order."""
    game, found = tally.game, tally.event_counts
    assert found is not None
    sorts: dict[str, dict[str, list[Counted]]] = {}
    for number, kind in enumerate(game.events.KINDS):
        for place, name in enumerate(kind.fields):
            cells = found.values[number, place].tolist()
            labels = named_values(game, name, words)
            lines = [Counted(label, cells[v - LOWEST][TIMES], _share(cells[v - LOWEST])) for v, label in labels.items()]
            if sum(line.times for line in lines):
                sorts.setdefault(name, {})[with_gaps(game, kind, words)] = lines
    return sorts


def with_gaps(game: Game, kind: Kind, words: Words) -> str:
    """The sentence of a kind of event, with an ellipsis for the parts that vary.

    >>> from tribord import load
    >>> game = load("faut-pas-pousser")
    >>> with_gaps(game, game.events.KINDS[0], game.words("en"))
    '… has picked a pirate, face down.'
    """
    gaps: dict[str, Any] = dict.fromkeys(kind.fields, _Gap())
    sentence = game.text.SENTENCES[kind.name].crews
    if isinstance(sentence, tuple):
        gaps[sentence[2]] = _Many()
    return words.say(sentence, **gaps).replace("….", "…")


class _Gap:
    """Stands for any value of any kind."""

    def say(self, _words: Words) -> str:
        """Its words."""
        return "…"


class _Many(_Gap):
    """Stands for any number above one."""

    def __int__(self) -> int:
        return 2


def _share(row: Sequence[int]) -> float | None:
    return row[CREDIT] / UNIT / row[OWNED] if row[OWNED] else None


def _as_dict(tables: Mapping[str, list[Counted]]) -> dict[str, list[dict[str, Any]]]:
    return {name: [vars(line) for line in lines] for name, lines in tables.items()}


# -- the page ---------------------------------------------------------------------------------------------------------


class ReportPage:
    """A page about a simulation, in one language."""

    def __init__(self, folder: Path, result: Mapping[str, Any], tally: Tally, words: Words):
        self.folder = folder
        self.result = result
        self.tally = tally
        self.words = words
        self.game = tally.game

    def say(self, message: Message, **fields: Any) -> str:
        """A message in the language of the report."""
        return self.words.say(message, **fields)

    def page(self, command: str) -> str:
        """The whole page. Its pictures are drawn beside it."""
        result, title = self.result, self.say(TITLE, title=self.game.title)
        options = ", ".join(f"{name} = {json.dumps(value)}" for name, value in result["options"].items())
        body = [
            f"<h1>{escape(title)}</h1>",
            _p(self.say(PLAYED, matches=result["matches"], players=result["players"], seed=result["seed"])),
            _p(self.say(WHO, bots=", ".join(result["bots"]))),
            _p(self.say(OPTIONS, options=options)) if options else "",
            *self.seats(), *self.scores(), *self.lengths(), *self.endings(), *self.chosen(), *self.events(),
        ]  # fmt: skip
        if command:
            body += [_p(self.say(REPRODUCE)), f"<p><code>{escape(command)}</code></p>"]
        return (
            f'<!doctype html>\n<html lang="{self.words.language}">\n<meta charset="utf-8">\n'
            f'<meta name="viewport" content="width=device-width">\n<title>{escape(title)}</title>\n'
            f"<style>{css(WORN)}{STYLE}</style>\n" + "\n".join(part for part in body if part) + "\n</html>\n"
        )

    def seats(self) -> list[str]:
        """Which seat is better."""
        tally, players = self.tally, self.tally.players
        shares = [tally.win_share(seat) for seat in range(players)]
        if self.game.cooperative:
            return [
                f"<h2>{escape(self.say(VICTORIES))}</h2>",
                _p(self.say(TOGETHER, share=_interval(shares[0], self.words))),
            ]
        names = [self.say(SEAT, number=seat) for seat in range(players)]
        names = [f"{name} ({bot})" for name, bot in zip(names, self.result["bots"])]
        decided = sum(share.mean for share in shares)
        fair = decided / players
        rows = [
            [n, _interval(s, self.words), _number(tally.score(seat))] for seat, (n, s) in enumerate(zip(names, shares))
        ]
        with figure(self.folder / "seats.svg", 8, 1.3 + 0.5 * players) as axes:
            dots(axes, names, [_percent(share) for share in shares])
            axes.axvline(100 * fair, color=WOOD, linestyle="--")
            axes.set_xlabel(self.say(WIN_SHARE))
        if all(share.low <= fair <= share.high for share in shares):
            verdict = self.say(NO_ADVANTAGE)
        else:
            ordered = sorted(range(players), key=lambda seat: shares[seat].mean)
            verdict = self.say(
                ADVANTAGE, best=names[ordered[-1]], worst=names[ordered[0]], fair=_share_text(fair, self.words)
            )
        several = sum(n for winners, n in tally.winners.items() if winners > 1) / tally.matches
        nobody = tally.winners[0] / tally.matches
        return [
            f"<h2>{escape(self.say(SEATS))}</h2>", _p(verdict), _picture("seats.svg", verdict),
            _table(["", self.say(VICTORIES), self.say(POINTS)], rows),
            _p(self.say(SHARED, share=_share_text(several, self.words), none=_share_text(nobody, self.words))),
        ]  # fmt: skip

    def scores(self) -> list[str]:
        """How many points players get, and how close matches are."""
        tally = self.tally
        if self.game.cooperative:
            return []
        with figure(self.folder / "points.svg", 10, 3.6, 2) as (left, right):
            for seat, counted in enumerate(tally.scores):
                values = sorted(counted)
                heights = [100 * counted[value] / tally.matches for value in values]
                label = self.say(SEAT, number=seat)
                left.plot(values, heights, color=CREWS[seat % len(CREWS)], marker=".", label=label)
            left.set_xlabel(self.say(POINTS))
            left.set_ylabel(self.say(SHARE_OF_MATCHES))
            left.legend(frameon=False)
            margins = sorted(tally.margins)
            right.bar(margins, [100 * tally.margins[m] / tally.matches for m in margins], color=SEA)
            right.set_xlabel(self.say(MARGIN))
        near = quantile(tally.margins, 0.5)
        share = sum(n for margin, n in tally.margins.items() if margin <= near) / tally.matches
        close = self.say(CLOSE, share=_share_text(share, self.words), points=near)
        return [f"<h2>{escape(self.say(SCORES))}</h2>", _p(close), _picture("points.svg", close)]

    def lengths(self) -> list[str]:
        """How long matches take."""
        counted = self.tally.lengths
        least, most = min(counted), max(counted)
        width = max(1, (most - least) // 60 + 1)  # of a bar: about sixty of them are distinguishable
        bars: Counter[int] = Counter()
        for length, times in counted.items():
            bars[(length - least) // width] += times
        with figure(self.folder / "length.svg", 8, 3) as axes:
            places = [least + width * bar for bar in bars]
            axes.bar(
                places,
                [100 * n / self.tally.matches for n in bars.values()],
                width=0.9 * width,
                align="edge",
                color=SEA,
            )
            axes.set_xlabel(self.say(DECISIONS))
            axes.set_ylabel(self.say(SHARE_OF_MATCHES))
        text = self.say(
            LENGTHS, lower=quantile(counted, 0.25), upper=quantile(counted, 0.75), most=most,
            mean=_number(self.tally.length()),
        )  # fmt: skip
        return [f"<h2>{escape(self.say(LENGTH))}</h2>", _p(text), _picture("length.svg", text)]

    def endings(self) -> list[str]:
        """Why matches end."""
        ending = self.tally.ending()
        if len(ending) < 2:
            return []
        rows = [
            [self.say(self.game.text.ENDINGS[why]), _share_text(n / self.tally.matches, self.words)]
            for why, n in ending.items()
        ]
        return [f"<h2>{escape(self.say(ENDINGS))}</h2>", _table(["", self.say(MATCHES_HEAD)], rows)]

    def chosen(self) -> list[str]:
        """What players choose."""
        parts = [f"<h2>{escape(self.say(CHOICES))}</h2>", _p(self.say(CHOICES_ARE))]
        for sort, lines in choices(self.tally, self.words).items():
            ordered = sorted(lines, key=lambda line: -(line.share or 0))
            listed = next((key for key, one in self.game.text.LISTED.items() if one == sort), sort)
            heading = self.words.translate(self.game.text.ASK.get(sort, self.game.text.ASK.get(listed, sort)))
            file = f"choice-{sort}.svg"
            usual = sum((line.share or 0) * line.times for line in lines) / sum(line.times for line in lines)
            with figure(self.folder / file, 8, 1.2 + 0.32 * len(ordered)) as axes:
                for place, line in enumerate(ordered):
                    axes.plot([100 * usual, 100 * (line.share or 0)], [place, place], color=SEA, linewidth=3)
                    axes.plot([100 * (line.share or 0)], [place], "o", color=INK)
                axes.axvline(100 * usual, color=WOOD, linestyle="--")
                axes.set_yticks(range(len(ordered)), [line.name for line in ordered])
                axes.set_ylim(len(ordered) - 0.5, -0.5)
                axes.set_xlabel(self.say(WIN_SHARE))
            parts += [f"<h3>{escape(heading)}</h3>", _picture(file, heading), self._lines(ordered, self.say(CHOICE))]
        return parts

    def events(self) -> list[str]:
        """What happens."""
        lines = sorted(event_lines(self.tally, self.words), key=lambda line: -line.times)
        parts = [
            f"<h2>{escape(self.say(EVENTS))}</h2>",
            _p(self.say(EVENTS_ARE)),
            self._lines(lines, self.say(HAPPENS)),
        ]
        for sort, tables in things(self.tally, self.words).items():
            parts += self._things(sort, tables)
        lost = 0 if self.tally.event_counts is None else int(self.tally.event_counts.lost[0])
        return [*parts, _p(self.say(LOST, count=lost)) if lost else ""]

    def _things(self, sort: str, tables: Mapping[str, list[Counted]]) -> list[str]:
        """What happens to each card, boat or pawn, with a picture of the event that differs most between them."""
        matches = self.tally.matches
        names = list(dict.fromkeys(line.name for lines in tables.values() for line in lines if line.times))
        title, file = ", ".join(names[:3]) + (" …" if len(names) > 3 else ""), f"things-{sort}.svg"
        found = {sentence: {line.name: line.times / matches for line in lines} for sentence, lines in tables.items()}
        drawn = sorted(found, key=lambda sentence: _unevenness(found[sentence], names), reverse=True)[:PANELS]
        with figure(self.folder / file, 9, 0.8 + len(drawn) * (0.5 + 0.22 * len(names)), 1, len(drawn)) as axes:
            for panel, sentence in zip([axes] if len(drawn) == 1 else axes, drawn):
                panel.barh(names, [found[sentence].get(name, 0) for name in names], color=SEA)
                panel.set_ylim(len(names) - 0.5, -0.5)
                panel.set_title(sentence, loc="left", fontsize=10)
            panel.set_xlabel(self.say(PER_MATCH))
        rows = [[name, *(f"{times.get(name, 0):.3g}" for times in found.values())] for name in names]
        return [f"<h3>{escape(title)}</h3>", _picture(file, title), _table([self.say(PER_MATCH), *found], rows)]

    def _lines(self, lines: Sequence[Counted], heading: str) -> str:
        matches = self.tally.matches
        head = [
            heading,
            self.say(PER_MATCH),
            *([self.say(IN_MATCHES)] if lines[0].matches else []),
            self.say(VICTORIES),
        ]
        rows = [
            [line.name, f"{line.times / matches:.3g}",
             *([_share_text(line.matches / matches, self.words)] if line.matches else []),
             "" if line.share is None else _share_text(line.share, self.words)]
            for line in lines
        ]  # fmt: skip
        return _table(head, rows)


def _unevenness(times: Mapping[str, float], names: Sequence[str]) -> float:
    """How unevenly an event treats things, as a multiple of the spread that chance alone would cause."""
    found = [times.get(name, 0) for name in names]
    return (max(found) - min(found)) / math.sqrt(sum(found) / len(found))


def _p(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def _picture(file: str, text: str) -> str:
    return f'<img src="{file}" alt="{escape(text)}">'


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    lines = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>\n" for row in rows)
    return f'<div class="wide"><table><thead><tr>{top}</tr></thead>\n<tbody>{lines}</tbody></table></div>'


def _percent(share: Interval) -> dict[str, float | None]:
    return Interval(100 * share.mean, 100 * share.low, 100 * share.high).as_dict()


def _share_text(value: float, words: Words) -> str:
    return words.say(PERCENT, number=f"{100 * value:.1f}")


def _interval(share: Interval, words: Words) -> str:
    mean = words.say(PERCENT, number=f"{100 * share.mean:.2f}")
    return f"{mean} [{100 * share.low:.2f}, {100 * share.high:.2f}]"


def _number(mean: Interval) -> str:
    found = mean.as_dict()
    low, high = ("?" if end is None else f"{end:.2f}" for end in (found["low"], found["high"]))
    return f"{mean.mean:.2f} [{low}, {high}]"
