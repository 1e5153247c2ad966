"""Words: messages in French and English, with named placeholders.

A message is written in English in the code, marked with `_` (or `_n` for singular and plural), and translated when
it is said. Every placeholder has a name: `{crew}` is a word of the game's `NAMES["crew"]`, and `{crew_of}` another
form of the same value, `NAMES["crew_of"]`, because French needs « des Bleus » where English says "Blue's".

At a table the page names people instead of crews and says "you" to you. A `Sentence` has an event's words for both. A
`Phrase` is something that belongs to a person: "your pirate 4", "Lison's pirate 4".
"""

from __future__ import annotations

import gettext
import locale
import os
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

LANGUAGES = ("fr", "en")
Message = str | tuple[str, str, str] | tuple[str, str, str, str]  # or singular, plural, counted field, and none
Names = Mapping[str, Mapping[Any, str]]


def _(message: str) -> str:
    """Mark a message for translation; it is translated when it is said."""
    return message


def _n(singular: str, plural: str, count: str, zero: str = "") -> Message:
    """Mark a message with a plural, counted by the field named `count`; `zero`, marked itself, says that there is none.

    >>> Words("en").say(_n("{left} pirate left.", "{left} pirates left.", "left", "No one is left."), left=0)
    'No one is left.'
    """
    return (singular, plural, count, zero) if zero else (singular, plural, count)


@dataclass(frozen=True)
class Sentence:
    """The sentences of a kind of event: with crews, and for people at a table. The acting person is in the first field
    that is in the game's `PEOPLE`. A kind without a verb for that person ("{crew_pirate} falls") only needs `named`.
    """

    crews: Message
    named: Message | None = None  # for everyone else, and for the acting person if there is no `you`
    you: Message | None = None  # for the acting person


@dataclass(frozen=True)
class Phrase:
    """Something of a person's, in a sentence. In each form `{name}` is that person, `{name_of}` "Lison's".

    `{owner_pirate}` in a sentence is the game's phrase "pirate" about the person in the field `owner`.
    """

    yours: str  # said to that person: "your pirate 4"
    theirs: str  # said about a named person: "{name_of} pirate 4"
    crews: str = ""  # of a neutral crew; without it the whole sentence uses crews
    own: str = ""  # after the acting person's name: "their pirate 4"; default: `theirs`
    your_own: str = ""  # you act on yourself: "yourself"; default: `yours`


class Words:
    """One language's words for one game, or for Tribord itself.

    >>> Words("en").say("Seat {seat} is free.", seat=2)
    'Seat 2 is free.'
    """

    def __init__(self, language: str, folders: Iterable[Path] = (), names: Names | None = None):
        self.language = language
        self.names = names or {}
        self._catalogues = [_catalogue(language, folder) for folder in (*folders, Path(__file__).parent)]

    def translate(self, message: str) -> str:
        """A marked message in this language."""
        for catalogue in self._catalogues:
            found = catalogue.gettext(message)
            if found != message:
                return found
        return message

    def say(self, message: Message, **fields: Any) -> str:
        """A message in this language with its placeholders filled, starting with a capital."""
        if isinstance(message, str):
            text = self.translate(message)
        else:
            singular, plural, counted, *zero = message
            count = int(fields[counted])
            text = self.translate(zero[0]) if zero and not count else self._plural(singular, plural, count)
        said = text.format_map(_Filling(self, fields))
        return said[:1].upper() + said[1:]

    def forms(self, message: Message) -> str | dict[str, str]:
        """A message in this language, unfilled: its text, or the forms for one, many and none."""
        if isinstance(message, str):
            return self.translate(message)
        singular, plural, counted, *zero = message
        said = {"one": self._plural(singular, plural, 1), "many": self._plural(singular, plural, 2), "count": counted}
        return said | {"none": self.translate(zero[0])} if zero else said

    def name(self, sort: str, value: Any) -> str:
        """The word for a value of some sort: a crew, a card, a boat; plain numbers and text speak for themselves."""
        if hasattr(value, "say"):  # a refusal inside a sentence speaks the same language
            return str(value.say(self))
        known = self.names.get(sort)
        if known is None or value not in known:
            return escaped(str(value))
        return self.translate(known[value])

    def _plural(self, singular: str, plural: str, count: int) -> str:
        for catalogue in self._catalogues:
            found = catalogue.ngettext(singular, plural, count)
            if found not in (singular, plural):
                return found
        if self.language == "fr":
            return singular if abs(count) < 2 else plural
        return singular if count == 1 else plural


class _Filling(dict[str, str]):
    """Fills `{crew}`, and `{crew_of}` from the field `crew` in the form `crew_of`."""

    def __init__(self, words: Words, fields: Mapping[str, Any]):
        super().__init__()
        self.words = words
        self.fields = fields

    def __missing__(self, key: str) -> str:
        if key in self.fields:
            return self.words.name(key, self.fields[key])
        stem = key.rpartition("_")[0]
        if stem in self.fields:
            return self.words.name(key, self.fields[stem])
        raise KeyError(key)


def escaped(text: str) -> str:
    """Text with escaped control characters and direction overrides, so they do nothing. Placeholders may be filled from
    files or by other people.

    >>> escaped("Anne\\x1b[2J")
    'Anne\\\\x1b[2J'
    """
    if text.isprintable():
        return text
    return "".join(ascii(sign)[1:-1] if steers(sign) else sign for sign in text)


def steers(sign: str) -> bool:
    """Whether a character steers a terminal or turns the reading direction."""
    category = unicodedata.category(sign)
    return category[0] == "C" or category in ("Zl", "Zp")


def placeholders(text: str) -> set[str]:
    """The names of the placeholders in a message.

    >>> sorted(placeholders("{crew} play {card}."))
    ['card', 'crew']
    """
    return {name for _text, name, _spec, _conversion in Formatter().parse(text) if name}


@cache
def _catalogue(language: str, folder: Path) -> gettext.NullTranslations:
    return gettext.translation("tribord", folder / "locale", [language], fallback=True)


def preferred_language() -> str:
    """Return the user's language: TRIBORD_LANG, else the locale's, else English."""
    for variable in ("TRIBORD_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        code = os.environ.get(variable, "")[:2].lower()
        if code in LANGUAGES:
            return code
        if code:
            return "en"
    code = (locale.getlocale()[0] or "")[:2].lower()
    return code if code in LANGUAGES else "en"
