"""Refusals: why something isn't allowed. A refusal has a code, a sentence and, if one applies, a rule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tribord.core.words import Message, Words, _


class Refusal(Exception):
    """An action, option or file was refused; nothing has changed.

    `code` is stable and for programs, `rule` is a rule number ("F6") or "", and the sentence is for people: `str()`
    gives it in English, `say(words)` in any language.
    """

    def __init__(self, code: str, message: Message, rule: str = "", **fields: Any):
        super().__init__(code)
        self.code = code
        self.message = message
        self.rule = rule
        self.fields = fields
        self.speak: Callable[[str], Words] = Words  # a game's own words, when the refusal comes from one

    def say(self, words: Words | None = None, *, cited: bool = True) -> str:
        """The sentence in the language of `words` (English without), with its rule unless that is shown elsewhere."""
        sentence = self.speak(words.language if words else "en").say(self.message, **self.fields)
        return f"{sentence} ({self.rule})" if self.rule and cited else sentence

    def __str__(self) -> str:
        return self.say()


class UnknownGame(Refusal):
    """No game has this name."""


class BadOption(Refusal):
    """A player count, an option or a value doesn't exist."""


class IllegalAction(Refusal):
    """This seat can't play the action now."""


class BadFile(Refusal):
    """A match file can't be read or is inconsistent."""


NOT_AN_ACTION = _("“{action}” isn’t an action in this game.")
NO_SUCH_SEAT = _("There’s no seat {seat}. The seats here are 0 to {last}.")
NOT_YOUR_TURN = _("It’s not your turn.")
ALREADY_SEALED = _("You’ve already made your secret choice. Wait for the others.")
MATCH_OVER = _("The game is over.")
STALE = _("The game has moved on. Look at the board and choose again.")
NOT_LEGAL = _("“{action}” isn’t possible now.")
