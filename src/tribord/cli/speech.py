"""Speech: the language of the person at the keyboard, and the words of the game they are speaking about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tribord.core.game import Game
from tribord.core.refusal import BadOption, Refusal
from tribord.core.words import LANGUAGES, Message, Words, _, preferred_language

UNKNOWN_LANGUAGE = _("Tribord doesn’t speak “{language}”. Choose one of: {known}.")


class Speech:
    """Says messages and refusals in one language; once a game is named, in that game's words."""

    def __init__(self, language: str):
        self.language = language
        self.words = Words(language)

    def about(self, game: Game) -> Words:
        """Speak about this game from now on."""
        self.words = game.words(self.language)
        return self.words

    def say(self, message: Message, **fields: Any) -> str:
        """A message in the person's language."""
        return self.words.say(message, **fields)

    def refusal(self, refused: Refusal) -> str:
        """A refusal as one sentence."""
        return refused.say(self.words)


def spoken_in(args: Sequence[str]) -> str:
    """The language a command line asks for with --lang; otherwise that of the locale."""
    for arg, following in zip(args, [*args[1:], ""]):
        asked = following if arg == "--lang" else arg.removeprefix("--lang=") if arg.startswith("--lang=") else ""
        if asked in LANGUAGES:
            return asked
    return preferred_language()


def check_language(language: str | None) -> str | None:
    """Refuse a language we don't speak. (The language of the refusal comes from the same argument.)"""
    if language is not None and language not in LANGUAGES:
        raise BadOption("unknown-language", UNKNOWN_LANGUAGE, language=language, known=", ".join(LANGUAGES))
    return language
