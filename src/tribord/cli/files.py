"""`tribord replay` and `tribord verify`: what a match file tells, and whether it tells the truth."""

from __future__ import annotations

import json
import sys
from typing import Any

import typer

from tribord.cli.arguments import File, Json, Language, Plain, Seat, Stepwise
from tribord.cli.screen import Screen
from tribord.cli.speech import Speech, seat_name
from tribord.cli.terminal import say_outcome
from tribord.core.archive import OtherRules
from tribord.core.journal import verify as problems_of
from tribord.core.match import Match
from tribord.core.record import CHANCE, PUBLIC
from tribord.core.refusal import NO_SUCH_SEAT, BadOption, Refusal
from tribord.core.words import _, _n

STEP = _("step {number} of {all}")
YOU_DECIDED = _("You, {who}: {what}.")
NEXT = _("Enter for the next step, q to stop:")
GOES_ON = _("Here the file ends; the match goes on. Next to decide: {who}.")
HONEST = _n(
    "“{file}” holds together: seed, {count} decision or throw, state and outcome.",
    "“{file}” holds together: seed, {count} decisions and throws, state and outcome.",
    "count",
)


def replay(
    ctx: typer.Context,
    file: File,
    seat: Seat = PUBLIC,
    step: Stepwise = False,
    plain: Plain = False,
    lang: Language = None,
) -> int:
    """Tell a match again."""
    speech: Speech = ctx.obj
    try:
        told = Match.load(file)
    except OtherRules as refused:
        return _read(refused, speech)
    if seat != PUBLIC and not 0 <= seat < told.players:
        raise BadOption("no-such-seat", NO_SUCH_SEAT, seat=seat)
    screen, words = Screen(plain), speech.about(told.game)
    screen.dress(told.game, words)
    journal = told.journal
    told.restart()
    board = ""
    for number, entry in enumerate(journal, 1):
        told.follow(entry)
        screen.heading(speech.say(STEP, number=number, all=len(journal)))
        if entry.seat == seat and seat != CHANCE:
            what = told.game.say_action(entry.action, words)
            screen.show(speech.say(YOU_DECIDED, who=seat_name(told.game, words, seat), what=what))
        for event in told.steps[-1].events:
            screen.happened(event.rule, told.game.say_event(event, words))
        before, board = board, told.game.text.board(told.view(seat), words, screen.plain)
        if board != before:
            screen.show(board)
        try:
            if step and number < len(journal) and screen.ask(speech.say(NEXT)).lower() == "q":
                return 0
        except EOFError:
            return 0
    screen.show()
    ended = told.outcome
    if ended is None:
        waiting = ", ".join(seat_name(told.game, words, awaited) for awaited in told.to_act)
        screen.show(speech.say(GOES_ON, who=waiting))
    else:
        for sentence in say_outcome(told, ended, speech):
            screen.show(sentence)
    return 0


def _read(refused: OtherRules, speech: Speech) -> int:
    """What can be told of a match whose rules aren't here."""
    print(speech.tell(refused))
    for number, line in enumerate(refused.archive.lines(speech.words), 1):
        print(f"{number:4}  {line}")
    return 0


def verify(ctx: typer.Context, file: File, as_json: Json = False, lang: Language = None) -> int:
    """Check a match file."""
    speech: Speech = ctx.obj
    problems = problems_of(file)
    if as_json:
        print(json.dumps({"file": str(file), "ok": not problems, "problems": [_problem(p, speech) for p in problems]}))
    else:
        for problem in problems:
            print(speech.tell(problem), file=sys.stderr)
        if not problems:
            print(speech.say(HONEST, file=file, count=Match.load(file).version))
    return 2 if problems else 0


def _problem(problem: Refusal, speech: Speech) -> dict[str, Any]:
    return {"code": problem.code, "rule": problem.rule, "sentence": speech.tell(problem)}
