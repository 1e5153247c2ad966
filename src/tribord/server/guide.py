"""Guided matches: a real match that teaches the game, with fixed dice and opponents that play recorded decisions.

A game may bring `client/guide.json`: lessons, each a whole match as a list of passages. The first line of a passage is
the learner's decision, in the game's notation, with words that suggest it; the others' decisions follow.

    {"touch": {"cards": "[data-card='{value}']"},                       what the board calls a part of an action
     "lessons": [{"id": "first", "players": 3, "options": {}, "seed": "…", "rank": "mousse", "seat": 0, "passages": [
       {"play": ["0 program drag run pull", "1 program …"], "rule": "W4",
        "fr": {"title": "…", "text": "…"}, "en": {"title": "…", "text": "…"}},
       {"play": [], "fr": …, "en": …}                                   what is said at the end
    ]}]}

If a match would take too long, the learner finishes it alone: `"alone": true`. The rules don't know about guides. Once
someone plays something else, the opponents are ordinary bots.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from tribord.core.game import Game
from tribord.core.match import Match
from tribord.core.record import CHANCE
from tribord.core.refusal import BadOption, IllegalAction
from tribord.core.words import LANGUAGES, _
from tribord.server.table import Table

NO_GUIDE = _("This game has no guide “{guide}”.")

Lesson = dict[str, Any]


@cache
def lessons(game: Game) -> dict[str, Lesson]:
    """Return the guided matches of a game by id; empty if it has none."""
    file = game.folder / "client" / "guide.json"
    found = msgspec.json.decode(file.read_bytes()) if file.exists() else {"touch": {}, "lessons": []}
    return {lesson["id"]: lesson | {"touch": found["touch"]} for lesson in found["lessons"]}


def lesson_of(game: Game, name: str) -> Lesson:
    """Return a guided match by id."""
    if name not in lessons(game):
        raise BadOption("no-such-guide", NO_GUIDE, guide=name)
    return lessons(game)[name]


def seats_of(lesson: Lesson) -> list[str]:
    """Who sits where: the learner, and bots."""
    return ["me" if seat == lesson["seat"] else lesson["rank"] for seat in range(lesson["players"])]


@cache
def line(game: Game, name: str) -> list[list[int]]:
    """Return what every seat decides in a lesson, in order."""
    lesson = lessons(game)[name]
    decided: list[list[int]] = [[] for _seat in range(lesson["players"])]
    for passage in lesson["passages"]:
        for written in passage["play"]:
            seat, _space, action = written.partition(" ")
            decided[int(seat)].append(game.action(action))
    return decided


def place(match: Match, name: str) -> list[int] | None:
    """How many decisions of the lesson every seat has taken; None once someone has decided something else.

    Once the learner has taken all of theirs, the others may go on: the last words still stand.
    """
    decided, learner = line(match.game, name), lessons(match.game)[name]["seat"]
    taken = [0] * match.players
    for entry in match.journal:
        if entry.seat == CHANCE:
            continue
        at_end = taken[learner] == len(decided[learner]) and taken[entry.seat] == len(decided[entry.seat])
        if at_end and entry.seat != learner:
            continue
        if decided[entry.seat][taken[entry.seat] : taken[entry.seat] + 1] != [entry.action]:
            return None
        taken[entry.seat] += 1
    return taken


def step(table: Table) -> int | None:
    """How many decisions of the lesson the learner has taken; None once the match has left it."""
    assert table.match is not None
    taken = place(table.match, table.settings["guide"])
    return None if taken is None else taken[lessons(table.game)[table.settings["guide"]]["seat"]]


def decision(table: Table, seat: int) -> int | None:
    """Return what an opponent decides now by the lesson; None if the lesson doesn't say."""
    match, name = table.match, table.settings["guide"]
    if match is None or name is None or name not in lessons(table.game):
        return None
    taken = place(match, name)
    wanted = [] if taken is None else line(table.game, name)[seat][taken[seat] :]
    try:
        return match.check(seat, wanted[0]) if wanted else None
    except IllegalAction:  # the rules have changed since: a test says so, and a bot decides
        return None


def shown(game: Game) -> list[dict[str, Any]]:
    """Return the lessons for the page: the suggested actions and the words, without the opponents' decisions."""
    return [
        {
            "id": name,
            "touch": lesson["touch"],
            "steps": [
                {language: passage[language] for language in LANGUAGES}
                | {"rule": passage.get("rule", ""), "touch": passage.get("touch")}
                | {"action": game.action(passage["play"][0].partition(" ")[2]) if passage["play"] else None}
                for passage in lesson["passages"]
                if "fr" in passage
            ],
        }
        for name, lesson in lessons(game).items()
    ]
