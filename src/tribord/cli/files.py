"""`tribord replay` and `tribord verify`: what a match file tells, and whether it tells the truth."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import typer

from tribord.cli.arguments import File, Json, Language, Noted, Plain, Seat, Signer, Stepwise
from tribord.cli.screen import Screen
from tribord.cli.speech import PLAYER, Speech, seat_name
from tribord.cli.terminal import say_outcome
from tribord.core.archive import OtherRules
from tribord.core.journal import Provenance, provenance
from tribord.core.journal import verify as problems_of
from tribord.core.match import Match
from tribord.core.record import CHANCE, PUBLIC
from tribord.core.refusal import NO_SUCH_SEAT, BadOption, Refusal
from tribord.core.signature import fingerprint
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
SIGNED = _("Signed by the server with the key {signer}: names, times and everything else are as it gave them out.")
UNSIGNED = _("This file isn’t signed: names and times could have been changed.")
SAME_START = _("The hash you noted is the one published before the match: the seed is the same.")
SAME_FILE = _("The digest you noted is this file’s: nothing in it has changed.")
ADDED = _("{who} added to the dice: {value}")
NOT_A_HASH = _("“{given}” isn’t a hash or a key: those are 64 digits, 0 to 9 and a to f.")


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


def verify(
    ctx: typer.Context,
    file: File,
    commitment: Noted = None,
    key: Signer = None,
    as_json: Json = False,
    lang: Language = None,
) -> int:
    """Check a match file."""
    speech: Speech = ctx.obj
    noted = _hash(commitment)
    problems = problems_of(file, noted, _hash(key))
    known = _known(problems, file)
    if as_json:
        told: dict[str, Any] = {}
        if known:
            told = {"digest": known.digest, "signer": known.signer, "contributions": known.contributions}
        found = {"file": str(file), "ok": not problems, "problems": [_problem(p, speech) for p in problems]}
        print(json.dumps(found | told))
        return 2 if problems else 0
    for problem in problems:
        print(speech.tell(problem), file=sys.stderr)
    if not problems:
        print(speech.say(HONEST, file=file, count=Match.load(file).version))
    if known:
        for seat, value in enumerate(known.contributions):
            if value is not None:
                name = known.names[seat] if seat < len(known.names) else ""
                print(speech.say(ADDED, who=name or speech.say(PLAYER, number=seat + 1), value=value))
        print(speech.say(SIGNED, signer=fingerprint(known.signer)) if known.signer else speech.say(UNSIGNED))
        if noted is not None:
            print(speech.say(SAME_FILE if noted == known.digest else SAME_START))
    return 2 if problems else 0


def _known(problems: list[Refusal], file: Path) -> Provenance | None:
    """Where a file comes from, if nothing about it is wrong except that its rules aren't here."""
    return provenance(file) if all(isinstance(problem, OtherRules) for problem in problems) else None


def _hash(given: str | None) -> str | None:
    """What somebody noted, as files have it."""
    plain = given and "".join(given.split()).lower()
    if plain is not None and not re.fullmatch("[0-9a-f]{64}", plain):
        raise BadOption("not-a-hash", NOT_A_HASH, given=given)
    return plain


def _problem(problem: Refusal, speech: Speech) -> dict[str, Any]:
    return {"code": problem.code, "rule": problem.rule, "sentence": speech.tell(problem)}
