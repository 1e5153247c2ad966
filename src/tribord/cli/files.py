"""`tribord replay` and `tribord verify`: show a match file, and check it."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import typer

from tribord.cli.arguments import Explain, File, Json, Language, Noted, Plain, Seat, Signer, SignerBefore, Stepwise
from tribord.cli.json_text import json_text
from tribord.cli.rulebook import why
from tribord.cli.screen import Screen
from tribord.cli.speech import Speech
from tribord.cli.terminal import say_outcome
from tribord.core.archive import OtherRules
from tribord.core.game import PLAYER
from tribord.core.journal import Provenance, provenance
from tribord.core.journal import verify as problems_of
from tribord.core.match import Match
from tribord.core.record import CHANCE, PUBLIC
from tribord.core.refusal import NO_SUCH_SEAT, BadOption, Refusal
from tribord.core.signature import fingerprint
from tribord.core.words import _, _n

STEP = _("step {number} of {all}")
YOU_DECIDED = _("You, {who}: {what}.")
BOT_PLAYED = _("A bot ({rank}) played for {who}.")
NEXT = _("Enter for the next step, q to stop:")
GOES_ON = _("The file ends here, but the match isn’t over. Next to decide: {who}.")
HONEST = _n(
    "“{file}” checks out: seed, {count} decision or roll, state and outcome.",
    "“{file}” checks out: seed, {count} decisions and rolls, state and outcome.",
    "count",
)
SIGNED = _("Signed by the server with the key {signer}: names, times and everything else are unchanged.")
UNSIGNED = _("This file isn’t signed: names and times could have been changed.")
SAME_START = _("The hash you noted is the one published before the match: the seed is the same.")
SAME_FILE = _("The digest you noted is this file’s: nothing in it has changed.")
ADDED = _("{who} added to the seed: {value}")
PARTS = _("It’s a branch: up to step {place}, it’s the match whose seed had the hash {commitment}.")
REDEALT = _("At that step, everything {who} didn’t know was dealt again.")
NOT_A_HASH = _("“{given}” isn’t a hash or a key: those are 64 digits, 0 to 9 and a to f.")


def replay(
    ctx: typer.Context,
    file: File,
    seat: Seat = PUBLIC,
    step: Stepwise = False,
    explain: Explain = False,
    plain: Plain = False,
    lang: Language = None,
) -> int:
    """Show a match again."""
    speech: Speech = ctx.obj
    try:
        match = Match.load(file)
    except OtherRules as refused:
        return _read(refused, speech)
    if seat != PUBLIC and not 0 <= seat < match.players:
        raise BadOption("no-such-seat", NO_SUCH_SEAT, seat=seat, last=match.players - 1)
    screen, words = Screen(plain), speech.about(match.game)
    screen.dress(match.game, words)
    journal = match.journal
    for bot_seat, ranks in enumerate(match.bots()):
        if ranks:
            who = match.game.say_seat(bot_seat, words)
            screen.show(speech.say(BOT_PLAYED, rank=", ".join(ranks), who=who))
    match.restart()
    board = ""
    for number, entry in enumerate(journal, 1):
        match.follow(entry)
        screen.heading(speech.say(STEP, number=number, all=len(journal)))
        if entry.seat == seat and seat != CHANCE:
            what = match.game.say_action(entry.action, words)
            screen.show(speech.say(YOU_DECIDED, who=match.game.say_seat(seat, words), what=what))
        for event in match.steps[-1].events:
            screen.show_event(event.rule, match.game.say_event(event, words))
            if explain:
                screen.show_event("", why(match.game, event, speech.language))
        before, board = board, match.game.text.board(match.view(seat), words, screen.plain)
        if board != before:
            screen.show(board)
        try:
            if step and number < len(journal) and screen.ask(speech.say(NEXT)).lower() == "q":
                return 0
        except EOFError:
            return 0
    screen.show()
    ended = match.outcome
    if ended is None:
        waiting = ", ".join(match.game.say_seat(awaited, words) for awaited in match.to_act)
        screen.show(speech.say(GOES_ON, who=waiting))
    else:
        for sentence in say_outcome(match, ended, speech):
            screen.show(sentence)
    return 0


def _read(refused: OtherRules, speech: Speech) -> int:
    """Show what can be read of a match with rules that aren't installed."""
    print(speech.refusal(refused))
    for number, line in enumerate(refused.archive.lines(speech.words), 1):
        print(f"{number:4}  {line}")
    return 0


def verify(
    ctx: typer.Context,
    file: File,
    commitment: Noted = None,
    signer: Signer = None,
    key: SignerBefore = None,
    as_json: Json = False,
    lang: Language = None,
) -> int:
    """Check a match file."""
    speech: Speech = ctx.obj
    noted = _hash(commitment)
    problems = problems_of(file, noted, _hash(signer or key))
    known = _known(problems, file)
    if as_json:
        details: dict[str, Any] = {}
        if known:
            details = {"digest": known.digest, "signer": known.signer, "contributions": known.contributions}
            details |= {"branchings": known.branchings} if known.branchings else {}
        found = {"file": str(file), "ok": not problems, "problems": [_problem(p, speech) for p in problems]}
        print(json_text(found | details))
        return 2 if problems else 0
    for problem in problems:
        print(speech.refusal(problem), file=sys.stderr)
    if not problems:
        print(speech.say(HONEST, file=file, count=Match.load(file).version))
    if known:
        for parting in known.branchings:
            print(speech.say(PARTS, place=parting["place"], commitment=parting["commitment"]))
            if parting["redealt"] is not None:
                print(speech.say(REDEALT, who=_name(known, parting["redealt"], speech)))
        for seat, value in enumerate(known.contributions):
            if value is not None:
                print(speech.say(ADDED, who=_name(known, seat, speech), value=value))
        print(speech.say(SIGNED, signer=fingerprint(known.signer)) if known.signer else speech.say(UNSIGNED))
        if noted is not None:
            print(speech.say(SAME_FILE if noted == known.digest else SAME_START))
    return 2 if problems else 0


def _name(known: Provenance, seat: int, speech: Speech) -> str:
    """Who sat there, as far as the file says."""
    name = known.names[seat] if seat < len(known.names) else ""
    return name or speech.say(PLAYER, number=seat + 1)


def _known(problems: list[Refusal], file: Path) -> Provenance | None:
    """Return where a file comes from, if its only problem is that its rules aren't installed."""
    return provenance(file) if all(isinstance(problem, OtherRules) for problem in problems) else None


def _hash(given: str | None) -> str | None:
    """Normalise a hash that someone noted to the form in files."""
    plain = given and "".join(given.split()).lower()
    if plain is not None and not re.fullmatch("[0-9a-f]{64}", plain):
        raise BadOption("not-a-hash", NOT_A_HASH, given=given)
    return plain


def _problem(problem: Refusal, speech: Speech) -> dict[str, Any]:
    return {"code": problem.code, "rule": problem.rule, "sentence": speech.refusal(problem)}
