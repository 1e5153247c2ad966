"""Refusals: why something may not be done. A refusal has a code, a sentence, and where it applies a rule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tribord.core.words import Message, Words, _


class Refusal(Exception):
    """An action, option or file that was turned down; nothing has changed.

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
    """A player count, an option or its value does not exist."""


class IllegalAction(Refusal):
    """The action may not be played: by this seat, now, or at all."""


class BadFile(Refusal):
    """A match file that cannot be read, or does not hold together."""


NOT_AN_ACTION = _("“{action}” is not an action of this game.")
NO_SUCH_SEAT = _("There is no seat {seat} at this table.")
NOT_YOUR_TURN = _("It is not this seat's turn to decide.")
ALREADY_SEALED = _("This seat has already made its sealed choice.")
MATCH_OVER = _("The match is over.")
STALE = _("The table has moved on: this action was meant for step {meant}, and step {now} has been played.")
NOT_LEGAL = _("“{action}” is not possible here.")
