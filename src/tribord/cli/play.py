"""`tribord play`: open a table in the terminal."""

from __future__ import annotations

from pathlib import Path

import typer

from tribord.cli.arguments import AskedName, BotLog, Language, Options, People, Plain, Players, Rank, Resume, Save, Seed
from tribord.cli.screen import Quit, Screen
from tribord.cli.seating import USUAL_RANK, Host, Seating, read_options, seat_again, seat_people
from tribord.cli.speech import Speech
from tribord.cli.terminal import NOT_WRITTEN, TerminalTable, occupied
from tribord.core.game import load
from tribord.core.refusal import BadOption
from tribord.core.words import _

OVERWRITE = _("There is already a file “{file}”, and it would be lost: give --save another name.")
BRINGS_ITS_OWN = _("A match from a file brings its own game, players, seed and options: leave out “{given}”.")
STEPS_IN = _("“{bot}” failed: {what}. The rank below decides instead.")
NOT_BEGUN = _("No match was begun.")


def play(
    ctx: typer.Context,
    game: AskedName = None,
    players: Players = None,
    me: People = None,
    bot: Rank = None,
    seed: Seed = None,
    option: Options = None,
    resume: Resume = None,
    save: Save = None,
    log: BotLog = None,
    plain: Plain = False,
    lang: Language = None,
) -> int:
    """Open a table at this terminal."""
    speech: Speech = ctx.obj
    screen = Screen(plain)
    if save and save != resume and occupied(save):
        raise BadOption("file-exists", OVERWRITE, file=save)
    try:
        if resume:
            for given in (game and "GAME", players and "--players", seed and "--seed", option and "--option"):
                if given:
                    raise BadOption("brings-its-own", BRINGS_ITS_OWN, given=given)
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
    except OSError as error:
        raise BadOption("unwritable", NOT_WRITTEN, file=save, reason=error.strerror) from None
    seating.wait = seed is not None  # whoever names a seed wants the same match again
    return sit_down(seating, speech, screen, save or resume, keep=save is not None, log=log)


def sit_down(
    seating: Seating, speech: Speech, screen: Screen, file: Path | None, keep: bool, log: Path | None = None
) -> int:
    """Play, and leave in good order however it ends."""

    def notice(bot: str, what: str) -> None:
        screen.show(speech.say(STEPS_IN, bot=bot, what=what))

    table = TerminalTable(seating.match, seating.bots(log, notice), seating.ranks, speech, screen, file, keep)
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
