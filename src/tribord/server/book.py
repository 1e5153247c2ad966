"""The book of a game as the page shows it: the rules by section, drawn examples, and how to play in a minute.

Examples and the first steps are matches: `client/examples.json` and `client/howto.json` hold decisions in the game's
notation, and the rules compute the views before and after. So no picture in the book can be wrong.

    {"players": 4, "options": {}, "passages": [
      {"play": ["0 pick 3", "chance card 2"]},                       leads up to it, and is not shown
      {"play": ["2 5 -1@2"], "rule": "F10", "fr": "…", "en": "…"}    is shown: before, what happens, after
    ]}
"""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from tribord.core.game import Game, load
from tribord.core.journal import follow
from tribord.core.match import Match
from tribord.core.record import PUBLIC
from tribord.server.outgoing import render_event


@cache
def rules(game_id: str, language: str) -> dict[str, str]:
    """Return the rules by number."""
    return {number: text for section in sections(game_id, language) for number, text in section["rules"].items()}


@cache
def sections(game_id: str, language: str) -> list[dict[str, Any]]:
    """The rulebook by sections: a title, the text before the first rule, the rules by number.

    The first section is the book's own title with its foreword.
    """
    game = load(game_id)
    found: list[dict[str, Any]] = []
    number = ""
    for line in game.rulebook(language).splitlines():
        head, dot, rest = line.removeprefix("- ").partition(". ")
        if line.startswith("#"):
            found.append({"title": line.lstrip("# "), "text": [""], "rules": {}})
            number = ""
        elif line.startswith("- ") and dot and head[:1] == game.letter and head[1:].isdecimal():
            number = head
            found[-1]["rules"][number] = rest
        elif number and line.startswith("  ") and line.strip():
            found[-1]["rules"][number] += " " + line.strip()
        elif line.strip():
            number = ""
            found[-1]["text"][-1] = f"{found[-1]['text'][-1]} {line.strip()}".strip()
        elif found and found[-1]["text"][-1]:
            found[-1]["text"].append("")
    for section in found:
        section["text"] = [text for text in section["text"] if text]
    return found


def contents(game_id: str, language: str) -> list[dict[str, Any]]:
    """The sections with the numbers of their rules; the game's words already have the text of the rules."""
    return [section | {"rules": list(section["rules"])} for section in sections(game_id, language)]


def stories(game: Game, name: str) -> list[dict[str, Any]]:
    """Return the passages in a file of the game; empty if the game has no such file."""
    file = game.folder / "client" / name
    if not file.exists():
        return []
    return [passage for story in msgspec.json.decode(file.read_bytes()) for passage in play_story(game, story)]


def play_story(game: Game, story: dict[str, Any]) -> list[dict[str, Any]]:
    """Play a story by the rules: for each passage with words, return the view before, the events, the view after."""
    match = Match(game, story["players"], seed=0, options=story.get("options"))
    match.restart()  # the story decides what comes up
    shown = []
    for passage in story["passages"]:
        eyes = passage.get("seat", PUBLIC)
        before, start = match.view(eyes), match.version
        for line in passage["play"]:
            follow(match, line)
        if "fr" in passage:
            events = [happened for step in match.steps[start:] for happened in step.events]
            shown.append(
                {key: value for key, value in passage.items() if key != "play"}
                | {
                    "seat": eyes,
                    "before": before,
                    "events": [render_event(game, e) for e in events],
                    "after": match.view(eyes),
                }
                | {"options": story.get("options", {})}
            )
    return shown
