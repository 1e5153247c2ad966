"""The rulebook for the table: all of it, or one numbered rule."""

from __future__ import annotations

import re

from tribord.core.event import Event
from tribord.core.game import Game
from tribord.core.reason import reason

_RULE = re.compile(r"^- ([A-Z]\d+)\. (.*?)(?=^- |^#|^\s*$|\Z)", re.MULTILINE | re.DOTALL)


def readable(markdown: str) -> list[str]:
    """The rulebook as lines of text, without marks."""
    text = _RULE.sub(lambda found: f"{found[1]}. {_flat(found[2])}\n", markdown)
    return [re.sub(r"^#+ |[*`]", "", line) for line in text.splitlines()]


def one_rule(markdown: str, letter: str, wanted: str) -> str:
    """The rule with this number (“F10”, “f10” or “10”), or nothing."""
    number = wanted.strip().upper()
    number = letter + number if number.isdecimal() else number
    for found in _RULE.finditer(markdown):
        if found[1] == number:
            return re.sub(r"[*`]", "", f"{number}. {_flat(found[2])}")
    return ""


def why(game: Game, event: Event, language: str) -> str:
    """Why something happened: the game's reason, or the rule itself."""
    return reason(game, event, language) or one_rule(game.rulebook(language), game.letter, event.rule)


def _flat(text: str) -> str:
    return re.sub(r"[ \n]+", " ", text).strip()  # not split(): French spaces before “?” must stay unbreakable
