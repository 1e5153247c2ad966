"""Games: what a game folder declares, and how games are found."""

from __future__ import annotations

import importlib
import importlib.util
import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from tribord.core import event
from tribord.core.compiled import adopt
from tribord.core.engine import Engine, compiled_engine
from tribord.core.event import Event
from tribord.core.option import Option
from tribord.core.picture import Picture
from tribord.core.record import Field, Floats, PlainStates, State, States, blank, plain_type, record, revive
from tribord.core.refusal import NOT_AN_ACTION, BadOption, IllegalAction, UnknownGame
from tribord.core.source import HOME, ID, id_of, slug, sources
from tribord.core.words import Names, Words, _

if TYPE_CHECKING:
    from tribord.core.batch import Batch
    from tribord.core.chance import Dice
    from tribord.core.match import Match

Parts = dict[str, Any]

PLAYER = _("player {number}")
UNKNOWN_GAME = _("There’s no game “{game}”. Choose one of: {known}.")
BROKEN_GAME = _("The game “{game}” can’t be loaded, the package “{source}” fails: {reason}.")
SAME_ID = _("The game “{game}” can’t be loaded, several packages bring one: {sources}. Keep one of them.")
NAME_TAKEN = _("Tribord has a game “{game}” of its own. The game of that name can’t be loaded from: {sources}.")
BAD_ID = _("The game “{game}” of the package “{source}” can’t be loaded: an id has small letters, digits and hyphens.")
NOT_A_GAME = _("The game “{game}” of the package “{source}” can’t be loaded: “{attribute}” in {package} isn’t a Game.")
OTHER_PACKAGE = _(
    "The game “{game}” of the package “{source}” can’t be loaded: its entry point names {named}, and the game is in "
    "{package}. Write “{package}:GAME”."
)
BAD_PLAYERS = _("{title} is for {least} to {most} players, not {players}.")
UNKNOWN_OPTION = _("{title} has no option “{option}”. Choose one of: {known}.")


@dataclass(frozen=True)
class Game:
    """A game: its rules and its words. Everything that isn't specific to a game works from this object alone.

    The folder of the game holds what it is made of, each noun in its module: `state` (FIELDS), `actions` (ACTIONS,
    CHANCES, parts, number, notation, parse, chance_notation, parse_chance), `rules` and `view` (the contract, see
    `tribord.core.verbs`; describe, LAYOUT), `events` (KINDS), `text` (SENTENCES, PEOPLE, PHRASES, NAMES, ASK,
    PART_ORDER, sentence, why_not, REFUSALS, ENDINGS, board; where all play together POINTS) and `bot` (evaluate).
    """

    package: str
    title: str
    letter: str  # of its rule numbers: F7
    version: int
    players: tuple[int, int]
    options: tuple[Option, ...] = ()
    cooperative: bool = False

    def __post_init__(self) -> None:
        adopt(self.dtype, self.rules, self.folder)

    def __reduce__(self) -> Any:
        return load, (self.id,)  # one per game and process: copies and pickles are the same object

    def _module(self, noun: str) -> ModuleType:
        return importlib.import_module(f"{self.package}.{noun}")

    @cached_property
    def id(self) -> str:
        """The name of the game for programs: that of its entry point, or its folder's with hyphens."""
        return id_of(self.package)

    @cached_property
    def folder(self) -> Path:
        """Where the game lives."""
        return Path(str(importlib.import_module(self.package).__file__)).parent

    @property
    def usual_players(self) -> int:
        """The default number of players: four, or as near as the game allows."""
        least, most = self.players
        return max(least, min(most, 4))

    @cached_property
    def rules(self) -> SimpleNamespace:
        """The functions of the rule contract, gathered from the game's modules."""
        found: dict[str, Any] = {}
        for noun in ("bot", "view", "rules"):
            found |= {name: thing for name, thing in vars(self._module(noun)).items() if callable(thing)}
        return SimpleNamespace(**found)

    @cached_property
    def engine(self) -> Engine:
        """How matches ask the rules: interpreted, or compiled once `speed_up` was called."""
        return Engine(max(self.actions, self.chances))

    def speed_up(self) -> None:
        """Use the compiled rules from now on; this takes a moment, or some seconds if nothing is cached."""
        self.__dict__["engine"] = compiled_engine(self.engine.room, self.match(seed=0).states)

    @cached_property
    def play(self) -> ModuleType:
        """The game's actions: numbers, parts and notation."""
        return self._module("actions")

    @cached_property
    def events(self) -> ModuleType:
        """What can happen in the game: the kinds of event."""
        return self._module("events")

    @cached_property
    def text(self) -> ModuleType:
        """The game's words: sentences of events, names, questions, refusals, board."""
        return self._module("text")

    @cached_property
    def offers(self) -> ModuleType | None:
        """What players may offer each other (promises, alliances), in games with offers."""
        found = importlib.util.find_spec(f"{self.package}.offers")
        return self._module("offers") if found else None

    @cached_property
    def picture(self) -> type[Picture] | None:
        """How the game draws itself, if it does."""
        found = importlib.util.find_spec(f"{self.package}.picture")
        return self._module("picture").Drawing if found else None

    @property
    def fields(self) -> tuple[Field, ...]:
        """The fields of a state."""
        return self._module("state").FIELDS

    @property
    def actions(self) -> int:
        """The size of the action space."""
        return self.play.ACTIONS

    @property
    def chances(self) -> int:
        """The size of the space of chance outcomes."""
        return self.play.CHANCES

    @property
    def layout(self) -> tuple[tuple[str, int, str], ...]:
        """The observation: (name, length, meaning) of each stretch of floats."""
        return self._module("view").LAYOUT

    @property
    def whose(self) -> str:
        """The observation: in which order seats and crews come in it, and what actions call them."""
        return getattr(self._module("view"), "WHOSE", "")

    @property
    def versions(self) -> Mapping[int, str]:
        """What each version of the game changed; empty for a game without versions."""
        found = importlib.util.find_spec(f"{self.package}.versions")
        return self._module("versions").VERSIONS if found else {}

    @property
    def observation(self) -> int:
        """The length of the observation."""
        return sum(length for _name, length, _meaning in self.layout)

    # -- records ----------------------------------------------------------------------------------------------------

    @cached_property
    def dtype(self) -> np.dtype[np.record]:
        """The record type of a state."""
        # Rules are found by record type, and another package's game may have exactly the fields of one of ours.
        return record(self.fields, "" if self.package.startswith(f"{HOME}.") else self.package)

    @cached_property
    def options_dtype(self) -> np.dtype[np.record]:
        """The record type of the options: the number of players and one integer per option."""
        return np.dtype((np.record, [("players", "i8")] + [(o.name, "i8") for o in self.options]))  # type: ignore[return-value]

    @property
    def state_bytes(self) -> int:
        """The size of a state."""
        return self.dtype.itemsize

    def states(self, count: int) -> States:
        """An array of `count` blank states."""
        return blank(self.dtype, count)

    def settings(self, players: int, options: Mapping[str, Any] | None = None, research: bool = False) -> State:
        """The options record for a match; refuses a player count, option or value that does not exist."""
        try:
            return self._settings(players, dict(options or {}), research)
        except BadOption as refused:
            refused.speak = self.words
            raise

    def _settings(self, players: int, given: dict[str, Any], research: bool) -> State:
        least, most = self.players
        if isinstance(players, bool) or not isinstance(players, int) or not least <= players <= most:
            raise BadOption("bad-players", BAD_PLAYERS, title=self.title, least=least, most=most, players=players)
        settings: State = blank(self.options_dtype, 1)[0]
        settings.players = players
        for option in self.options:
            default = option.research if research and option.research is not None else option.default
            setattr(settings, option.name, option.encode(given.pop(option.name, default), players))
        if given:
            known = ", ".join(o.name for o in self.options)
            raise BadOption("unknown-option", UNKNOWN_OPTION, title=self.title, option=next(iter(given)), known=known)
        check = getattr(self.text, "check_settings", None)
        if check:
            check(settings)
        return settings

    def options_of(self, settings: State) -> dict[str, Any]:
        """The options in a settings record as plain values."""
        return {o.name: o.decode(int(getattr(settings, o.name)), int(settings.players)) for o in self.options}

    # -- actions ----------------------------------------------------------------------------------------------------

    def parts(self, action: int) -> Parts:
        """An action as a small stable dict, from which pages and terminals build a choice step by step."""
        if not 0 <= action < self.actions:
            raise IllegalAction("not-an-action", NOT_AN_ACTION, action=action)
        return self.play.parts(action)

    def action(self, meaning: int | str | Mapping[str, Any]) -> int:
        """The action with this number, notation or parts."""
        try:
            if isinstance(meaning, Mapping):
                number = int(self.play.number(dict(meaning)))
            elif isinstance(meaning, str):
                number = self._numbers.get(meaning, -1)
                if number < 0:
                    number = int(self.play.parse(meaning))
                    if number in range(self.actions) and self.play.notation(number) == meaning:
                        self._numbers[meaning] = number  # repeated texts are parsed once
            else:
                number = -1 if isinstance(meaning, bool) else operator.index(meaning)
        except (KeyError, ValueError, TypeError, IndexError, AttributeError):
            raise IllegalAction("not-an-action", NOT_AN_ACTION, action=meaning) from None
        if not 0 <= number < self.actions or (isinstance(meaning, Mapping) and not self._exact(number, meaning)):
            raise IllegalAction("not-an-action", NOT_AN_ACTION, action=meaning)
        return number

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {}

    def _exact(self, number: int, given: Mapping[str, Any]) -> bool:
        """Whether parts are the action's, and of their types: Python takes JSON's true and 1.0 for 1."""
        parts = self.play.parts(number)
        return given.keys() <= parts.keys() and not any(
            isinstance(value, bool | float) and type(value) is not type(parts[name]) for name, value in given.items()
        )

    def notation(self, action: int) -> str:
        """An action as short text that `action` reads back."""
        return self.play.notation(action)

    def steps(self, action: int) -> list[tuple[str, Any]]:
        """An action as a path of (part, value), in the order in which a person decides; lists count one by one.

        The position of a listed part is in its name: ("cards.0", "run"), ("cards.1", "charge").
        """
        parts = self.parts(action)
        order = [k for k in self.text.PART_ORDER if k in parts] + [k for k in parts if k not in self.text.PART_ORDER]
        path: list[tuple[str, Any]] = []
        for key in order:
            value = parts[key]
            if isinstance(value, list):
                path += [(f"{key}.{i}", v) for i, v in enumerate(value)]
            else:
                path.append((key, value))
        return path

    # -- looking ----------------------------------------------------------------------------------------------------

    def view_of(self, state: State, seat: int) -> State:
        """The view of a seat (or of the public) as a record."""
        out = revive(state.tobytes(), self.dtype)
        self.rules.view(PlainStates(out)[0], seat)
        return out[0]

    def describe(self, state: State | bytes) -> dict[str, Any]:
        """A state or view, or its bytes, as a readable dict that JSON can hold; what is hidden is left out.

        Don't change it: descriptions share their common parts.
        """
        content = state if isinstance(state, bytes) else state.tobytes()
        return self._describe(plain_type(self.dtype)(memoryview(content).cast("b")))

    @cached_property
    def _describe(self) -> Any:
        return self._module("view").describe

    def observe(self, view: State, seat: int) -> Floats:
        """A view as floats for learners."""
        out = np.zeros(self.observation, np.float32)
        self.rules.observe(view, seat, out)
        return out

    # -- words ------------------------------------------------------------------------------------------------------

    @property
    def names(self) -> Names:
        """The game's names for crews, cards, boats, pawns…"""
        return self.text.NAMES

    def words(self, language: str) -> Words:
        """This game's words in a language."""
        found = self._spoken.get(language)
        if found is None:
            found = self._spoken[language] = Words(language, [self.folder], self.names)
        return found

    @cached_property
    def _spoken(self) -> dict[str, Words]:
        return {}

    def say_event(self, happened: Event, words: Words) -> str:
        """An event as a sentence."""
        return words.say(self.text.SENTENCES[happened.kind].crews, **happened.fields)

    def say_action(self, action: int, words: Words) -> str:
        """An action as a sentence."""
        parts = self.parts(action)
        fields: dict[str, Any] = {}
        for key, value in parts.items():
            if isinstance(value, list):
                sort = self.text.LISTED.get(key, key)
                fields |= {f"{sort}{i + 1}": words.name(sort, v) for i, v in enumerate(value)}
            else:
                fields[key] = value
        return words.say(self.text.sentence(parts), **fields)

    def say_seat(self, seat: int, words: Words) -> str:
        """What the game calls a seat: by its player, else by its crew, else by its number."""
        for sort in ("player", "crew"):
            if seat in self.names.get(sort, {}):
                return words.name(sort, seat)
        return words.say(PLAYER, number=seat + 1)

    def rulebook(self, language: str) -> str:
        """The numbered rules in our own words, as Markdown."""
        return (self.folder / f"RULES.{language}.md").read_text(encoding="utf-8")

    def read_events(self, buffer: event.EventBuffer) -> list[Event]:
        """The events in a buffer that `apply` filled."""
        return event.read(buffer, self.events.KINDS, self.letter)

    # -- playing ----------------------------------------------------------------------------------------------------

    def match(
        self,
        players: int | None = None,
        seed: int | str | Dice | None = None,
        options: Mapping[str, Any] | None = None,
        names: list[str] | None = None,
    ) -> Match:
        """A new match. Without a seed the dice are secret until the end; without a number, as few players as can be."""
        from tribord.core.match import Match

        return Match(self, self.players[0] if players is None else players, seed, options, names)

    def batch(
        self,
        matches: int,
        players: int,
        seed: int = 0,
        options: Mapping[str, Any] | None = None,
        auto_reset: bool = False,
        uniform: Iterable[int] = (),
    ) -> Batch:
        """Many matches in one array, stepped together in compiled code; those that end may start again."""
        from tribord.core.batch import Batch

        return Batch(self, matches, players, seed, options, auto_reset, uniform)


def game_ids() -> list[str]:
    """The ids of every game found; `load` says whether a game from another package can be played."""
    return sorted(sources())


@cache
def games() -> tuple[Game, ...]:
    """Every game that can be played. One that fails is left out and doesn't affect the others: see `broken_games`."""
    return tuple(found for name in game_ids() if isinstance(found := _load(name), Game))


def broken_games() -> list[UnknownGame]:
    """Return why games of other packages can't be loaded, one sentence each."""
    found = [found for name in game_ids() if not isinstance(found := _load(name), Game)]
    found += [
        _broken(NAME_TAKEN, game=name, sources=", ".join(map(str, claims[1:])))
        for name, claims in sources().items()
        if len(claims) > 1 and not claims[0].distribution
    ]
    return [failed() for failed in found]


def game_of(state: State) -> Game:
    """The game that a state or view is a record of.

    >>> game_of(load("walk-the-plank").match(3, seed=1).view_state(0)).id
    'walk-the-plank'
    """
    return next(game for game in games() if game.dtype == state.dtype)


def load(game: str) -> Game:
    """The game with this id.

    >>> load("faut-pas-pousser").players
    (2, 4)
    """
    name = slug(str(game))
    if name not in sources():
        raise UnknownGame("unknown-game", UNKNOWN_GAME, game=game, known=", ".join(game_ids()))
    found = _load(name)
    if not isinstance(found, Game):
        raise found()
    return found


@cache
def _load(name: str) -> Game | Callable[[], UnknownGame]:
    """Return a game, or why it can't be loaded: a new refusal each time, because a raised one keeps its traceback."""
    source, *others = sources()[name]
    if not source.distribution:
        return importlib.import_module(source.package).GAME
    if others:
        return _broken(SAME_ID, game=name, sources=", ".join(map(str, (source, *others))))
    if not ID.fullmatch(name):
        return _broken(BAD_ID, game=name, source=source)
    try:
        found = getattr(importlib.import_module(source.package), source.attribute)
        if not isinstance(found, Game):
            return _broken(NOT_A_GAME, game=name, source=source, attribute=source.attribute, package=source.package)
        if found.package != source.package:
            return _broken(OTHER_PACKAGE, game=name, source=source, package=found.package, named=source.package)
        found.play, found.events, found.text  # noqa: B018  # these are read late, and may fail too
    except (Exception, SystemExit) as error:  # it's someone else's code
        reason = " ".join(f"{type(error).__name__}: {error}".split()).rstrip(".: ")
        return _broken(BROKEN_GAME, game=name, source=source, reason=reason)
    return found


def _broken(message: str, **fields: Any) -> Callable[[], UnknownGame]:
    return lambda: UnknownGame("broken-game", message, **fields)
