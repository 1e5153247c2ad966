"""`tribord play`: open a table in the terminal."""

from __future__ import annotations

from pathlib import Path

import typer

from tribord.cli.arguments import (
    GAME,
    AskedName,
    At,
    BotLog,
    Explain,
    Language,
    Options,
    People,
    Plain,
    Players,
    Rank,
    Redeal,
    Resume,
    Save,
    Seed,
    Source,
)
from tribord.cli.screen import Quit, Screen
from tribord.cli.seating import USUAL_RANK, Host, Seating, read_options, seat_again, seat_people
from tribord.cli.speech import Speech
from tribord.cli.terminal import NOT_WRITTEN, TerminalTable, occupied, say_outcome
from tribord.core.archive import DECIDED, DRAWN
from tribord.core.game import load
from tribord.core.match import Match
from tribord.core.record import CHANCE
from tribord.core.refusal import BadOption
from tribord.core.words import Words, _

OVERWRITE = _("“{file}” already exists and would be lost. Give --save another name.")
BRINGS_ITS_OWN = _("A saved match has its own game, players, seed and options. Leave out “{given}”.")
FROM_WHERE = _("Say with --at which step to play on from: 0 to {last}.")
WITH_FROM = _("“{given}” goes with --from: name the match to play on from.")
IN_THE_ORIGINAL = _("The original match:")
SAME_SO_FAR = _("Up to the end of the shorter one, both matches are the same.")
PARTED = _("The two matches differ from step {step} on:")
THERE = _("original – {what}")
HERE = _("yours – {what}")
STEPS_IN = _("“{bot}” failed: {what}. The rank below decides instead.")
NOT_BEGUN = _("No game was started.")


def play(
    ctx: typer.Context,
    game: AskedName = None,
    players: Players = None,
    me: People = None,
    bot: Rank = None,
    seed: Seed = None,
    option: Options = None,
    resume: Resume = None,
    source: Source = None,
    at: At = None,
    redeal: Redeal = None,
    save: Save = None,
    log: BotLog = None,
    explain: Explain = False,
    plain: Plain = False,
    lang: Language = None,
) -> int:
    """Open a table at this terminal."""
    speech: Speech = ctx.obj
    screen = Screen(plain)
    if save and save != resume and occupied(save):
        raise BadOption("file-exists", OVERWRITE, file=save)
    for name, value in (("--at", at), ("--redeal", redeal)):
        if value is not None and source is None:
            raise BadOption("with-from", WITH_FROM, given=name)
    original: Match | None = None
    try:
        if resume or source:
            own = seed and not source  # from there on the branch has its own dice
            named = game and speech.words.translate(GAME)
            for given in (named, players and "--players", own and "--seed", option and "--option"):
                if given:
                    raise BadOption("brings-its-own", BRINGS_ITS_OWN, given=given)
        if source:
            if resume:
                raise BadOption("brings-its-own", BRINGS_ITS_OWN, given="--resume")
            original = Match.load(source)
            if at is None:
                raise BadOption("from-where", FROM_WHERE, last=original.version)
            branch = original.branch(at, redeal, seed)
            seating = seat_people(branch, me or [0 if redeal is None else redeal], bot or USUAL_RANK)
        elif resume:
            seating = seat_again(resume, me or [], bot)
        elif game is None:
            seating = Host(screen, speech).seat(players, me, bot, seed, read_options(option or []))
        else:
            chosen = load(game)
            speech.about(chosen)
            number = chosen.usual_players if players is None else players
            match = chosen.match(number, seed, read_options(option or []))
            seating = seat_people(match, me or [0], bot or USUAL_RANK)
        if save:
            seating.match.save(save)
    except (EOFError, Quit):
        screen.show(speech.say(NOT_BEGUN))
        return 0
    except OSError:
        raise BadOption("unwritable", NOT_WRITTEN, file=save) from None
    seating.wait = seed is not None  # if you give a seed, you want the same match again
    status = sit_down(seating, speech, screen, save or resume, keep=save is not None, log=log, explain=explain)
    if original and seating.match.over:
        compare(original, seating.match, speech, screen)
    return status


def compare(original: Match, branch: Match, speech: Speech, screen: Screen) -> None:
    """The original's result, and where a branch went another way."""
    screen.show()
    if original.outcome:
        screen.show(speech.say(IN_THE_ORIGINAL))
        for sentence in say_outcome(original, original.outcome, speech):
            screen.show(sentence)
    place = original.parting(branch)
    if place is None:
        screen.show(speech.say(SAME_SO_FAR))
    else:
        screen.show(speech.say(PARTED, step=place + 1))
        for whose, match in ((THERE, original), (HERE, branch)):
            screen.show(f"  {speech.words.say(whose, what=_line(match, place, speech.about(match.game)))}")


def _line(match: Match, place: int, words: Words) -> str:
    """A line of the journal in words."""
    entry = match.journal[place]
    if entry.seat == CHANCE:
        return words.say(DRAWN, what=match.game.play.chance_notation(entry.action))
    who, what = match.game.say_seat(entry.seat, words), match.game.say_action(entry.action, words)
    return words.say(DECIDED, who=who, what=what)


def sit_down(
    seating: Seating,
    speech: Speech,
    screen: Screen,
    file: Path | None,
    keep: bool,
    log: Path | None = None,
    explain: bool = False,
) -> int:
    """Play, and clean up however it ends."""

    def notice(bot: str, what: str) -> None:
        screen.show(speech.say(STEPS_IN, bot=bot, what=what))

    table = TerminalTable(seating.match, seating.bots(log, notice), seating.ranks, speech, screen, file, keep, explain)
    try:
        with seating.preparing():
            table.run()
    except Quit:
        table.leave()
    except EOFError:
        table.part()
    except KeyboardInterrupt:
        screen.show()
        table.part()
        return 130
    return 0
