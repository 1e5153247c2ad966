"""Puzzles over HTTP: a position as its seat sees it, and after an answer what every choice was worth.

No credentials are needed: a puzzle is the same for everyone. Only the seat's view gets out, and the values only after
an answer.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from msgspec import Raw

from tribord.bots import puzzle as shipped
from tribord.bots.advice import Suggestion
from tribord.bots.puzzle import Likely, Puzzle
from tribord.core.game import Game, games, load
from tribord.core.refusal import UnknownGame
from tribord.core.words import LANGUAGES, _
from tribord.server.hint import describe_suggestion
from tribord.server.messages import encode
from tribord.server.outgoing import render_event

KEPT = 64  # positions in memory
LATEST = 12  # events shown with it, at most

NO_PUZZLE = _("There’s no puzzle “{number}” in this game.")


def listed() -> dict[str, Any]:
    """The puzzle of the day, and all puzzles by game."""
    with_puzzles = [game for game in games() if shipped.puzzles(game)]
    day = shipped.today()
    daily = shipped.daily(day) if with_puzzles else None
    return {
        "daily": daily
        and {"date": day.isoformat(), "game": daily.game.id, "number": daily.number, "level": daily.level},
        "games": [
            {
                "game": game.id,
                "puzzles": [
                    {"number": each.number, "level": each.level, "players": each.players}
                    for each in shipped.puzzles(game)
                ],
            }
            for game in with_puzzles
        ],
    }


@lru_cache(KEPT)
def found(game: str, number: str) -> Puzzle:
    """The puzzle in an address."""
    those = shipped.puzzles(load(game))
    if not number.isdecimal() or len(number) > 4 or not 1 <= int(number) <= len(those):
        raise UnknownGame("no-such-puzzle", NO_PUZZLE, number=number)
    return those[int(number) - 1]


@lru_cache(KEPT)
def position(puzzle: Puzzle) -> Raw:
    """A puzzle as a question: what the seat sees and may do, and what has just happened."""
    game, match, seat = puzzle.game, puzzle.match, puzzle.seat
    view = match.view(seat)
    return Raw(
        encode(
            {
                "game": game.id,
                "number": puzzle.number,
                "level": puzzle.level,
                "players": puzzle.players,
                "options": match.options,
                "seat": seat,
                "view": view,
                "legal": puzzle.legal,
                "events": [render_event(game, happened) for happened in match.events[-LATEST:]],
                "words": {language: game.text.board(view, game.words(language), plain=True) for language in LANGUAGES},
            }
        )
    )


def solved(puzzle: Puzzle, answer: int | str) -> dict[str, Any]:
    """Whether an answer is the best choice; what it and the best one are worth, and how the bots fared."""
    action = puzzle.match.check(puzzle.seat, answer)
    chosen = puzzle.chosen(action)
    right = puzzle.solved_by(action)
    return {
        "right": right,
        "exact": puzzle.exact,
        "best": describe_choice(puzzle, chosen if right else puzzle.best),
        "chosen": describe_choice(puzzle, chosen),
        "ranks": puzzle.ranks,
    }


def describe_choice(puzzle: Puzzle, choice: Suggestion) -> dict[str, Any]:
    """What a choice is worth, and what it leads to."""
    outlook = puzzle.outlook(choice.action)
    return describe_suggestion(choice) | {
        "outlook": {
            "at_once": [render_event(puzzle.game, event) for event in outlook.at_once],
            "likely": [describe_likely(puzzle.game, each) for each in outlook.likely],
            "spared": [describe_likely(puzzle.game, each) for each in outlook.spared],
        }
    }


def describe_likely(game: Game, each: Likely) -> dict[str, Any]:
    """What may come, and how often."""
    return {"share": each.share, "otherwise": each.otherwise, "event": render_event(game, each.event)}
