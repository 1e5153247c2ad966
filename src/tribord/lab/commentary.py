"""Commentary: an analysis in words, as terminal output or as a page with a graph of everyone's chances."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from tribord.bots.advice import say_percent
from tribord.core.art import css
from tribord.core.event import Event
from tribord.core.game import Game
from tribord.core.match import Match
from tribord.core.refusal import BadFile, BadOption
from tribord.core.words import Message, Words, _, _n
from tribord.lab.analysis import CHOICE, GOOD, LENSES, VERDICTS
from tribord.lab.export import FILE_EXISTS
from tribord.lab.ledger import NO_PLACE
from tribord.lab.plot import CREWS
from tribord.lab.report import STYLE, WORN

TITLE = _("{title}: the match analysed")
EXACT = _("All values are exact.")
ESTIMATED = _("Values are estimates; ± is the 95% interval, in points. The JSON analysis (--json) has all intervals.")
CHANCES = _("Everyone’s chances of winning")
DECIDED = _("What decided the match")
NOTHING_DECIDED = _("No single step clearly changed anyone’s chances.")
LUCK = _("Step {place}, luck: {what} {who} went from {before} to {after}.")
CHOSEN = _("Step {place}, {seat} chose: {what}. {who} went from {before} to {after}.")
LUCK_TOGETHER = _("Step {place}, luck: {what} Your chances went from {before} to {after}.")
CHOSEN_TOGETHER = _("Step {place}, {seat} chose: {what}. Your chances went from {before} to {after}.")
PROBABLY = _("Probably: {moment}")
BETTER = _("Better: {best} ({value}).")
MAYBE_BETTER = _("Perhaps better: {best} ({value}).")
NONE_BETTER = _("There was no better choice.")
PARTS = _("Luck and skill")
PART = _(
    "{who}: {prior} at the start, {luck} by luck, {skill} by their own choices, {others} by the others’: {result}."
)
ACCURACY = _("Accuracy")
ACCURATE = _n(
    "{who}: {accuracy} of their chances kept, in {decisions} choice. Points of winning chance lost: {lost}.",
    "{who}: {accuracy} of their chances kept, in {decisions} choices. Points of winning chance lost: {lost}.",
    "decisions",
)
TRY_NEXT = _("What to try next time")
FLAWLESS = _("No choice cost much, given what its player knew.")
ERRORS = {
    "blunder": _("Step {place}, {who}, a big mistake: {what} ({chosen}). Better: {best} ({value})."),
    "mistake": _("Step {place}, {who}, a mistake: {what} ({chosen}). Better: {best} ({value})."),
    "inaccuracy": _("Step {place}, {who}, a small mistake: {what} ({chosen}). Better: {best} ({value})."),
}
SLIGHT = _("Step {place}, {who}, a slight loss: {what} ({chosen}). Better: {best} ({value}).")
PERHAPS = _("Step {place}, {who}, perhaps a mistake: {what} ({chosen}). Perhaps better: {best} ({value}).")
IN_HINDSIGHT = _("In hindsight it was the best choice.")
PROMISES = _("Promises")
KEPT = {
    1: _n(
        "{offer} Kept: that gained {count} point of winning chance.",
        "{offer} Kept: that gained {count} points of winning chance.",
        "count",
    ),
    -1: _n(
        "{offer} Kept: that cost {count} point of winning chance.",
        "{offer} Kept: that cost {count} points of winning chance.",
        "count",
    ),
    0: _("{offer} Kept. That made no clear difference."),
    None: _("{offer} Kept."),
}
BROKEN = {
    1: _n(
        "{offer} Broken: that gained {count} point of winning chance.",
        "{offer} Broken: that gained {count} points of winning chance.",
        "count",
    ),
    -1: _n(
        "{offer} Broken: that cost {count} point of winning chance.",
        "{offer} Broken: that cost {count} points of winning chance.",
        "count",
    ),
    0: _("{offer} Broken. That made no clear difference."),
    None: _("{offer} Broken."),
}
SETTLED = _("{offer} There was no such vote.")
CHANCE_OF = _("{who}: {chance}")
EVERY_CHOICE = _("Every choice")
COLUMNS = (_("Step"), _("Player"), _("Choice"), _("With what they knew"), _("In hindsight"))
WORTH = _("{chosen}. Best: {best}, {value}.")
WORTH_MOST = _("{chosen}, the best choice.")

OWN_STYLE = ".choices th, .choices td { text-align: left; vertical-align: top; }\n"
LEARN = 3  # choices of each seat to learn from, at least, if so many may have cost something:
NOTICED = 0.02  # of a victory
WIDTH, HEIGHT, MARGIN = 900, 300, 40


class Commentary:
    """An analysis (`analyse`) of a match, in one language."""

    def __init__(self, match: Match, analysis: Mapping[str, Any], words: Words):
        self.match = match
        self.game: Game = match.game
        self.analysis = analysis
        self.words = words

    def lines(self) -> list[str]:
        """Headings and sentences for a terminal."""
        found = [self.say(TITLE, title=self.game.title), self.say(EXACT if self.analysis["exact"] else ESTIMATED)]
        for heading, sentences in self.sections():
            found += ["", heading, *(f"  {sentence}" for sentence in sentences)]
        return found

    def page(self) -> str:
        """A self-contained HTML page with a graph."""
        title = self.say(TITLE, title=self.game.title)
        body = [
            f"<h1>{escape(title)}</h1>",
            f"<p>{escape(self.say(EXACT if self.analysis['exact'] else ESTIMATED))}</p>",
            f"<h2>{escape(self.say(CHANCES))}</h2>",
            self.graph(),
        ]
        for heading, sentences in self.sections():
            items = "".join(f"<li>{escape(sentence)}</li>\n" for sentence in sentences)
            body.append(f"<h2>{escape(heading)}</h2>\n<ul>\n{items}</ul>")
        body.append(self.choices())
        return (
            f'<!doctype html>\n<html lang="{self.words.language}">\n<meta charset="utf-8">\n'
            f'<meta name="viewport" content="width=device-width">\n<title>{escape(title)}</title>\n'
            f"<style>{css(WORN)}{STYLE}{OWN_STYLE}</style>\n" + "\n".join(body) + "\n</html>\n"
        )

    def choices(self) -> str:
        """A table of every choice, as HTML: what it and the best one were worth, through either lens."""
        head = "".join(f"<th>{escape(self.say(column))}</th>" for column in COLUMNS)
        rows = []
        for each in self.analysis["decisions"]:
            if each["knew"] or each["hindsight"]:
                told = [str(each["place"] + 1), self.who(each["seat"]), self.action(each["action"])]
                told += [self.worth(each, lens) for lens in LENSES]
                rows.append("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in told) + "</tr>\n")
        heading = escape(self.say(EVERY_CHOICE))
        body = f"<thead><tr>{head}</tr></thead>\n<tbody>\n{''.join(rows)}</tbody>"
        return f'<h2>{heading}</h2>\n<table class="choices">\n{body}</table>'

    def worth(self, decision: Mapping[str, Any], lens: str) -> str:
        """What a choice and the best one were worth through a lens."""
        weighed = decision[lens]
        if not weighed:
            return "–"
        chosen = self.percent(weighed["chosen"]["mean"])
        if weighed["best"]["action"] == decision["action"]:
            return self.say(WORTH_MOST, chosen=chosen)
        best = self.action(weighed["best"]["action"])
        return self.say(WORTH, chosen=chosen, best=best, value=self.percent(weighed["best"]["value"]["mean"]))

    def sections(self) -> Iterator[tuple[str, list[str]]]:
        """All sentences, by heading."""
        yield self.say(DECIDED), [self.moment(each) for each in self.analysis["moments"]] or [self.say(NOTHING_DECIDED)]
        yield self.say(TRY_NEXT), self.errors() or [self.say(FLAWLESS)]
        yield self.say(PARTS), [self.parts(seat) for seat in self.analysis["seats"]]
        yield self.say(ACCURACY), [self.accuracy(seat) for seat in self.analysis["seats"] if seat["decisions"]]
        if self.analysis["promises"]:
            yield self.say(PROMISES), [self.promise(each) for each in self.analysis["promises"]]

    def to_dict(self) -> dict[str, Any]:
        """Sentences as data, for pages that lay them out themselves; each with its place in the journal, if any."""
        return {
            "moments": [{"place": each["place"], "text": self.moment(each)} for each in self.analysis["moments"]],
            "errors": {lens: self._errors_through(lens) for lens in LENSES},
            "promises": [{"place": each["place"], "text": self.promise(each)} for each in self.analysis["promises"]],
        }

    def _errors_through(self, lens: str) -> list[dict[str, Any]]:
        """The choices to learn from through a lens, worst first, the sure ones before the others."""
        return [
            {"place": each["place"], "seat": each["seat"], "loss": each[lens]["loss"], "text": self.error(each, lens)}
            for each in self._costly(lens)
        ]

    def _costly(self, lens: str) -> list[Mapping[str, Any]]:
        """The costliest choices through a lens: the errors, and for seats with few, what else may have cost."""
        found = []
        for seat in range(self.match.players):
            own = [each for each in self.analysis["decisions"] if each["seat"] == seat and each[lens]]
            sure = [each for each in own if verdict_of(each, lens) in ERRORS]
            other = [each for each in own if verdict_of(each, lens) == GOOD]
            other = [each for each in other if each[lens]["margin"]["mean"] <= -NOTICED]
            other.sort(key=lambda each: each[lens]["margin"]["mean"])
            found += sure + other[: max(0, LEARN - len(sure))]

        def rank(each: Mapping[str, Any]) -> tuple[bool, float, int]:
            return verdict_of(each, lens) not in ERRORS, each[lens]["margin"]["mean"], each["place"]

        return sorted(found, key=rank)

    # -- sentences ----------------------------------------------------------------------------------------------------

    def say(self, message: Message, **fields: Any) -> str:
        """A message in the language of the commentary."""
        return self.words.say(message, **fields)

    def who(self, seat: int) -> str:
        """A player: by name, if known, and by the game's name of the seat."""
        name = self.match.names[seat] if seat < len(self.match.names) else ""
        called = self.game.say_seat(seat, self.words)
        return f"{name} ({called})" if name else called

    def action(self, notation: str) -> str:
        """An action in words."""
        return self.game.say_action(self.game.action(notation), self.words)

    def percent(self, share: float | None) -> str:
        """A share."""
        return "?" if share is None else say_percent(share, self.words, self.analysis["exact"])

    def points(self, share: float) -> str:
        """A share in points out of 100."""
        number = f"{100 * share:.1f}" if self.analysis["exact"] else f"{100 * share:.0f}"
        return number.replace(".", "," if self.words.language == "fr" else ".")

    def signed(self, share: float | None) -> str:
        """A change of a share."""
        if share is None:
            return "?"
        return ("−" if share < 0 else "+") + self.percent(abs(share))

    def within(self, interval: Mapping[str, float], form: str = " ±{}") -> str:
        """The reach of an interval in points, to append to its mean; nothing if it's exact."""
        reach = (interval["high"] - interval["low"]) / 2
        return form.format(max(1, round(100 * reach))) if reach else ""

    def moment(self, moment: Mapping[str, Any]) -> str:
        """A turning point: luck or a choice, and the player it affected most."""
        who = moment["who"]
        who_went = self.who(who)
        fields = {
            "place": moment["place"] + 1,
            "who": who_went[:1].upper() + who_went[1:],  # it begins a sentence
            "before": self.percent(moment["before"][who]),
            "after": self.percent(moment["after"][who]) + self.within(moment["change"], " (±{})"),
        }
        together = self.game.cooperative
        if moment["cause"] == CHOICE:
            fields |= {"seat": self.who(moment["seat"]), "what": self.action(moment["action"])}
            told = self.say(CHOSEN_TOGETHER if together else CHOSEN, **fields)
            instead = self.instead(moment["place"])
            told = f"{told} {instead}" if instead else told
        else:
            events = [Event(each["kind"], each["rule"], each["fields"]) for each in moment["events"]]
            said = " ".join(self.game.say_event(happened, self.words) for happened in events)
            told = self.say(LUCK_TOGETHER if together else LUCK, what=said or f"{moment['action']}.", **fields)
        return told if moment["sure"] else self.say(PROBABLY, moment=told[:1].lower() + told[1:])

    def instead(self, place: int) -> str:
        """The best alternative to a choice, given what its player knew; "" if that makes no difference."""
        knew = next((each["knew"] for each in self.analysis["decisions"] if each["place"] == place), None)
        if not knew:
            return ""
        if knew["margin"]["mean"] > 0:
            return self.say(NONE_BETTER)
        if knew["margin"]["mean"] > -NOTICED:
            return ""
        better = BETTER if knew["margin"]["high"] < 0 else MAYBE_BETTER
        value = self.percent(knew["best"]["value"]["mean"])
        return self.say(better, best=self.action(knew["best"]["action"]), value=value)

    def errors(self) -> list[str]:
        """The choices to learn from, given what their players knew, worst first."""
        return [self.error(each) for each in self._costly("knew")]

    def error(self, decision: Mapping[str, Any], lens: str = "knew") -> str:
        """A costly choice through a lens, with a better one."""
        knew, hindsight = decision[lens], decision["hindsight"]
        unsure = SLIGHT if knew["margin"]["high"] < 0 else PERHAPS
        said = self.say(
            ERRORS.get(verdict_of(decision, lens), unsure),
            place=decision["place"] + 1,
            who=self.who(decision["seat"]),
            what=self.action(decision["action"]),
            chosen=self.percent(knew["chosen"]["mean"]),
            best=self.action(knew["best"]["action"]),
            value=self.percent(knew["best"]["value"]["mean"]),
        )
        lucky = lens == "knew" and hindsight and hindsight["margin"]["mean"] >= 0 and not knew["exact"]
        return f"{said} {self.say(IN_HINDSIGHT)}" if lucky else said

    def parts(self, seat: Mapping[str, Any]) -> str:
        """How a result breaks down."""
        changes = {
            name: self.signed(seat[name]["mean"]) + self.within(seat[name]) for name in ("luck", "skill", "others")
        }
        ends = {name: self.percent(seat[name]) for name in ("prior", "result")}
        return self.say(PART, who=self.who(seat["seat"]), **changes, **ends)

    def accuracy(self, seat: Mapping[str, Any]) -> str:
        """How well a player chose."""
        accuracy = self.percent(seat["accuracy"])
        lost = self.points(seat["loss"])
        return self.say(ACCURATE, who=self.who(seat["seat"]), accuracy=accuracy, decisions=seat["decisions"], lost=lost)

    def promise(self, promise: Mapping[str, Any]) -> str:
        """The outcome of an offer."""
        assert self.game.offers is not None
        said = self.game.offers.say(promise["offer"], promise["seat"], self.words)
        if promise["kept"] is None:
            return self.say(SETTLED, offer=said)
        sentences = KEPT if promise["kept"] else BROKEN
        worth = promise["worth"]["knew"]
        if worth is None or math.isnan(worth["mean"]):
            return self.say(sentences[None], offer=said)
        count = round(100 * abs(worth["mean"]))
        sign = (worth["low"] > 0) - (worth["high"] < 0) if count else 0  # beyond its uncertainty
        return self.say(sentences[sign], offer=said, count=count)

    # -- the graph ----------------------------------------------------------------------------------------------------

    def graph(self) -> str:
        """Everyone's chances from the first step to the last, with intervals, as SVG."""
        series = self.analysis["series"]
        seats = range(1 if self.game.cooperative else self.match.players)
        across = (WIDTH - 2 * MARGIN) / max(1, len(series) - 1)

        def point(place: int, share: float) -> str:
            return f"{MARGIN + across * place:.1f},{MARGIN + (HEIGHT - 2 * MARGIN) * (1 - share):.1f}"

        drawn = [
            f'<line x1="{MARGIN}" x2="{WIDTH - MARGIN}" y1="{y:.0f}" y2="{y:.0f}" stroke="currentColor" opacity=".3"/>'
            f'<text x="{MARGIN - 6}" y="{y + 4:.0f}" text-anchor="end" font-size="12" fill="currentColor">'
            f"{escape(say_percent(share, self.words))}</text>"
            for share, y in ((s, MARGIN + (HEIGHT - 2 * MARGIN) * (1 - s)) for s in (0.0, 0.5, 1.0))
        ]
        for moment in self.analysis["moments"]:
            x = MARGIN + across * (moment["place"] + 1)
            drawn.append(
                f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{MARGIN}" y2="{HEIGHT - MARGIN}" stroke="currentColor" '
                'stroke-dasharray="3 4"/>'
            )
        for seat in seats:
            colour = CREWS[seat % len(CREWS)]
            values = [each["values"][seat] for each in series]
            band = [point(place, value["high"]) for place, value in enumerate(values)]
            band += [point(place, value["low"]) for place, value in reversed(list(enumerate(values)))]
            line = [point(place, value["mean"]) for place, value in enumerate(values)]
            name = self.say(CHANCE_OF, who=self.who(seat), chance=self.percent(values[-1]["mean"]))
            drawn.append(
                f'<g><title>{escape(name)}</title><polygon points="{" ".join(band)}" fill="{colour}" opacity=".15"/>'
                f'<polyline points="{" ".join(line)}" fill="none" stroke="{colour}" stroke-width="2.5"/></g>'
            )
        legend = "" if self.game.cooperative else self._legend(seats)
        label = escape(self.say(CHANCES))
        return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}">{"".join(drawn)}</svg>\n{legend}'

    def _legend(self, seats: Sequence[int]) -> str:
        entries = (
            f'<span style="color: {CREWS[seat % len(CREWS)]}">●</span> {escape(self.who(seat))}' for seat in seats
        )
        return f"<p>{' &nbsp; '.join(entries)}</p>"


def verdict_of(decision: Mapping[str, Any], lens: str) -> str:
    """The verdict on a choice through a lens: by its loss, if that exceeds the search's uncertainty."""
    if lens == "knew":
        return str(decision["verdict"])
    return next((name for name, least in VERDICTS.items() if decision[lens]["loss"] >= least), GOOD)


def check_page(file: Path) -> None:
    """Refuse an existing file before the analysis begins."""
    if file.exists():
        raise BadOption("file-exists", FILE_EXISTS, file=file)


def write_page(file: Path, commentary: Commentary) -> None:
    """Write the page."""
    try:
        file.write_text(commentary.page(), encoding="utf-8")
    except OSError as error:
        raise BadFile("unwritable", NO_PLACE, path=file, reason=error.strerror) from None
