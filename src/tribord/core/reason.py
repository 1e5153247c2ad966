"""Reasons: why an event happened, in one sentence for someone who is learning the game.

A game may bring `client/reasons.json`: by kind of event, or by kind and rule if a kind follows from several rules
("sinks S13"), a sentence in each language. If it has none, the rule that the event cites is the reason.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from tribord.core.event import Event
from tribord.core.game import Game


@cache
def reasons(game: Game) -> dict[str, dict[str, str]]:
    """The sentences that the game brings, by kind of event, each by language."""
    file = game.folder / "client" / "reasons.json"
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return found


def reason(game: Game, event: Event, language: str) -> str:
    """Return why an event happened; "" if the game has no sentence for it."""
    known = reasons(game)
    return known.get(f"{event.kind} {event.rule}", known.get(event.kind, {})).get(language, "")
