"""Advice: what a captain would do from a view, with the value and the likely continuation of the best choices."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from tribord.bots.decision import Decision, Ply
from tribord.core.archive import DECIDED
from tribord.core.engine import Legal
from tribord.core.event import Event
from tribord.core.game import Game, game_of
from tribord.core.interval import Interval
from tribord.core.record import State
from tribord.core.words import Words, _

MOST = 3

NO_CHOICE = _("There’s nothing to decide: {what}.")
CHANCE = _("{what}: {chance} chance of winning (between {low} and {high}).")
EXACT_CHANCE = _("{what}: {chance} chance of winning, exactly.")
TOGETHER = _("{what}: {chance} chance that you all win (between {low} and {high}).")
EXACT_TOGETHER = _("{what}: {chance} chance that you all win, exactly.")
THEN = _("Then, most likely:")
PERCENT = _("{number}%")


@dataclass(frozen=True)
class Suggestion:
    """A choice: its value for the seat, how often the search visited it, and its main line."""

    action: int
    value: Interval
    visits: int
    line: tuple[Ply, ...]


@dataclass(frozen=True)
class Advice:
    """Suggested actions, best first.

    Values are expected shares of victory; in a cooperative game, the probability that everyone wins. `exact` is true
    when they aren't estimates. With a single legal action, no value is searched.
    """

    game: Game
    seat: int
    exact: bool
    iterations: int
    suggestions: tuple[Suggestion, ...]

    def as_dict(self) -> dict[str, Any]:
        """The advice as plain data: actions in the game's notation, events as in a match."""
        return {
            "game": self.game.id,
            "seat": self.seat,
            "exact": self.exact,
            "iterations": self.iterations,
            "suggestions": [
                {
                    "action": self.game.notation(each.action),
                    "value": each.value.as_dict(),
                    "visits": each.visits,
                    "line": [describe_ply(self.game, ply) for ply in each.line],
                }
                for each in self.suggestions
            ],
        }

    def say(self, words: Words) -> list[str]:
        """The advice in words: a sentence for each choice, with its main line below."""
        if len(self.suggestions) == 1 and math.isnan(self.suggestions[0].value.mean):
            return [words.say(NO_CHOICE, what=self.game.say_action(self.suggestions[0].action, words))]
        lines = []
        for rank, each in enumerate(self.suggestions, 1):
            first, *others = say_suggestion(self.game, each, self.exact, words)
            lines += [f"{rank}. {first}", *others]
        return lines


def advise(
    view: State,
    legal: Legal,
    seconds: float | None = None,
    *,
    iterations: int | None = None,
    seed: int = 0,
    most: int = MOST,
) -> Advice:
    """What a captain would do from a view: up to `most` choices with values and main lines, best first.

    Limit the search by `seconds`, or by `iterations` (in each tree) for the same advice on every machine, given the
    same view and seed. With neither, it's as long as a captain's. Only the view matters: hidden parts are redealt.

    >>> from tribord import load
    >>> match = load("ile-aux-pirates").match(players=2, seed=4)
    >>> found = advise(match.view_state(0), match.legal(0))
    >>> found.exact, f"{found.suggestions[0].value.mean:.2%}"
    (True, '96.97%')
    """
    game = game_of(view)
    decision = Decision(game, view, legal, seconds, iterations, seed)
    suggestions = tuple(
        Suggestion(each.action, each.value, each.visits, decision.line(each.action)) for each in decision.ranked(most)
    )
    return Advice(game, legal.seat, decision.exact, decision.iterations, suggestions)


def describe_ply(game: Game, ply: Ply) -> dict[str, Any]:
    """A decision of a main line, as plain data."""
    return {"seat": ply.seat, "action": game.notation(ply.action), "events": [describe_event(e) for e in ply.events]}


def describe_event(happened: Event) -> dict[str, Any]:
    """An event, as plain data."""
    return {"kind": happened.kind, "rule": happened.rule, "fields": happened.fields}


def say_suggestion(game: Game, choice: Suggestion, exact: bool, words: Words) -> list[str]:
    """A choice for people: what it is worth, and below it what would follow."""
    sentence = ((CHANCE, EXACT_CHANCE), (TOGETHER, EXACT_TOGETHER))[game.cooperative][exact]
    mean, low, high = (say_percent(getattr(choice.value, name), words, exact) for name in ("mean", "low", "high"))
    lines = [words.say(sentence, what=game.say_action(choice.action, words), chance=mean, low=low, high=high)]
    if len(choice.line) > 1:
        lines += [f"   {words.say(THEN)}", *(f"      {say_ply(game, ply, words)}" for ply in choice.line[1:])]
    return lines


def say_ply(game: Game, ply: Ply, words: Words) -> str:
    """A decision of a main line, in words."""
    return words.say(DECIDED, who=game.say_seat(ply.seat, words), what=game.say_action(ply.action, words))


def say_percent(share: float, words: Words, exact: bool = False) -> str:
    """A share in percent, with one decimal if it's exact.

    >>> say_percent(0.4163, Words("en")), say_percent(0.9697, Words("en"), True)
    ('42%', '97.0%')
    """
    number = f"{100 * share:.1f}" if exact else f"{100 * share:.0f}"
    return words.say(PERCENT, number=number.replace(".", "," if words.language == "fr" else "."))
