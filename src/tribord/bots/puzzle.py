"""Puzzles: positions with one clearly best choice, by what the seat knows. They come with a game, in `puzzles.json`::

    {"game": "…", "version": 1, "command": "tribord puzzles …", "search": {"trees": 4, "iterations": 3000},
     "puzzles": [
      {"players": 4, "options": {…}, "journal": ["chance card 2", "0 pick 3", …],
       "seat": 2, "level": "easy", "exact": false,
       "choices": [{"actions": ["5 -1@2", …], "value": {…}, "visits": 812, "line": ["2 5 -1@2", …],
                    "outlook": {"at_once": [["F11", "falls", 1, 3, 4], …],
                                "likely": [[0.75, 0.1, "F11", "falls", 0, 2, 4]], "spared": []}},
                   …],
       "ranks": {"mousse": 0.25, …}}
    ]}

`search` confirmed the best choices: its trees, and the iterations in each. `journal` is how the match went, as in a
story. A choice has every action that leads to the same position, and the best
choice comes first. An outlook has events: rule, kind, the values of its fields;
before them how often this happens, and how often otherwise. `ranks` is how often each rank finds
the best choice. `lab/puzzles.py` makes puzzles, `lab/outlook.py` their outlooks.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cache, cached_property
from typing import Any

from tribord.bots.advice import Suggestion
from tribord.bots.decision import Ply
from tribord.core.engine import Legal
from tribord.core.event import Event
from tribord.core.game import Game, games
from tribord.core.interval import Interval
from tribord.core.journal import follow
from tribord.core.match import Match
from tribord.core.record import State
from tribord.core.refusal import BadOption
from tribord.core.words import _

FILE = "puzzles.json"
LEVELS = ("easy", "medium", "hard")

NO_PUZZLES = _("{title} has no puzzles.")
NO_PUZZLES_AT_ALL = _("None of the games here has puzzles.")
NO_SUCH_PUZZLE = _("{title} has puzzles 1 to {count}. There’s no puzzle {number}.")


@dataclass(frozen=True)
class Likely:
    """An event that may come until the seat's next turn: how often after a choice, and how often otherwise."""

    event: Event
    share: float
    otherwise: float


@dataclass(frozen=True)
class Outlook:
    """What a choice leads to: for certain and at once, more often than otherwise, and less often.

    The best choice is compared with the others, on average, and each of them with the best one.
    """

    at_once: tuple[Event, ...]
    likely: tuple[Likely, ...]
    spared: tuple[Likely, ...]


@dataclass(frozen=True, eq=False)  # there is one of each
class Puzzle:
    """A decision of a seat, and the value of every choice; `number` counts the game's puzzles from 1."""

    game: Game
    number: int
    players: int
    options: Mapping[str, Any]
    journal: Sequence[str]
    seat: int
    level: str
    exact: bool
    choices: Sequence[Mapping[str, Any]]
    ranks: Mapping[str, float]

    @cached_property
    def match(self) -> Match:
        """The match, up to the decision. Don't play on in it: `fork` it for that."""
        match = Match(self.game, self.players, 0, self.options)
        match.restart()  # with the dice of the journal
        for line in self.journal:
            follow(match, line)
        return match

    @property
    def view(self) -> State:
        """What the seat knows."""
        return self.match.view_state(self.seat)

    @property
    def legal(self) -> Legal:
        """What the seat may do."""
        return self.match.legal(self.seat)

    @cached_property
    def suggestions(self) -> tuple[Suggestion, ...]:
        """The choices, the best first, each as the first of its actions."""
        return tuple(self._suggestion(choice, choice["actions"][0]) for choice in self.choices)

    @property
    def best(self) -> Suggestion:
        """The best choice."""
        return self.suggestions[0]

    def chosen(self, action: int) -> Suggestion:
        """What a legal action is worth."""
        notation = self.game.notation(action)
        return next(self._suggestion(each, notation) for each in self.choices if notation in each["actions"])

    def outlook(self, action: int) -> Outlook:
        """What a legal action leads to."""
        notation = self.game.notation(action)
        known = next(each for each in self.choices if notation in each["actions"]).get("outlook", {})
        return Outlook(
            tuple(self._event(*event) for event in known.get("at_once", ())),
            tuple(self._likely(*event) for event in known.get("likely", ())),
            tuple(self._likely(*event) for event in known.get("spared", ())),
        )

    def solved_by(self, action: int) -> bool:
        """Whether a legal action is the best choice, or equivalent to it."""
        return self.game.notation(action) in self.choices[0]["actions"]

    def _event(self, rule: str, kind: str, *values: int) -> Event:
        fields = next(each.fields for each in self.game.events.KINDS if each.name == kind)
        return Event(kind, rule, dict(zip(fields, values, strict=True)))

    def _likely(self, share: float, otherwise: float, *event: Any) -> Likely:
        return Likely(self._event(*event), share, otherwise)

    def _suggestion(self, choice: Mapping[str, Any], notation: str) -> Suggestion:
        value = Interval(*(choice["value"][name] for name in ("mean", "low", "high")))
        plies = [
            (int(seat), self.game.action(what)) for seat, _, what in (ply.partition(" ") for ply in choice["line"])
        ]
        action = self.game.action(notation)
        line = ((self.seat, action), *plies[1:])
        return Suggestion(action, value, choice["visits"], tuple(Ply(seat, what, ()) for seat, what in line))


@cache
def puzzles(game: Game) -> tuple[Puzzle, ...]:
    """The puzzles of a game; none if it has none, or only puzzles for other rules."""
    file = game.folder / FILE
    if not file.exists():
        return ()
    found = json.loads(file.read_text(encoding="utf-8"))
    if (found["game"], found["version"]) != (game.id, game.version):
        return ()
    return tuple(Puzzle(game, number, **content) for number, content in enumerate(found["puzzles"], 1))


def puzzle(game: Game, number: int) -> Puzzle:
    """A puzzle of a game by its number, from 1."""
    found = puzzles(game)
    if not found:
        raise BadOption("no-puzzles", NO_PUZZLES, title=game.title)
    if not 1 <= number <= len(found):
        raise BadOption("no-such-puzzle", NO_SUCH_PUZZLE, title=game.title, count=len(found), number=number)
    return found[number - 1]


def daily(day: date, game: Game | None = None) -> Puzzle:
    """The puzzle of a day, the same everywhere: the games take turns, unless you name one."""
    those = [each for each in ([game] if game else games()) if puzzles(each)]
    if not those:
        raise (
            BadOption("no-puzzles", NO_PUZZLES, title=game.title)
            if game
            else BadOption("no-puzzles", NO_PUZZLES_AT_ALL)
        )
    rounds, turn = divmod(day.toordinal(), len(those))
    mine = puzzles(those[turn])
    return mine[rounds % len(mine)]


def today() -> date:
    """The date of the puzzle of the day, in UTC: the same everywhere."""
    return datetime.now(UTC).date()
