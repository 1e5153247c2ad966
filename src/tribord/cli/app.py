"""The program `tribord`: its commands, and its answers to bad input."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from tribord.cli import files, machine, moderation
from tribord.cli.analyse import analyse
from tribord.cli.arena import arena
from tribord.cli.arguments import Language, Version
from tribord.cli.backup import backup
from tribord.cli.check import check
from tribord.cli.host import host
from tribord.cli.play import play
from tribord.cli.puzzle import puzzle, puzzles
from tribord.cli.serve import serve
from tribord.cli.simulate import simulate
from tribord.cli.solve import solve
from tribord.cli.speech import Speech, spoken_in
from tribord.cli.statistics import statistics
from tribord.cli.train import train
from tribord.core.refusal import BadOption, Refusal
from tribord.core.words import _

BAD_INPUT = 2

ABOUT = _("Play four pirate board games by their exact rules. Without a command, the harbour opens in your browser.")
COMMANDS: dict[Callable[..., Any], str] = {
    play: _("Play in this terminal, against bots or with others at one keyboard."),
    puzzle: _("Solve a puzzle: the puzzle of the day, or one of a game and a level."),
    serve: _("Run the server: live games over the network."),
    backup: _("Back up the server’s store while it runs."),
    check: _("Check every row of the server’s store for damage."),
    moderation.reports: _("List what guests have reported about other guests."),
    moderation.ban: _("Close the server to an address, or a table to everyone."),
    moderation.unban: _("Lift a ban."),
    moderation.bans: _("List all bans."),
    moderation.audit: _("Show the audit log: actions of hosts and operators, reports, backups."),
    files.replay: _("Replay a match file step by step, with the board."),
    files.verify: _("Check a match file: the seed’s hash, every roll, every decision and the outcome."),
    analyse: _("Analyse a match file: what each decision was worth, what decided the match, and what was luck."),
    machine.games: _("List the games, their players and their options."),
    simulate: _("Simulate many matches, at random or between bots, and write figures, files or a report."),
    statistics: _(
        "Show who wins by turn order, how often victory is shared, how long matches last, and strategy tips."
    ),
    puzzles: _("List a game’s puzzles, or make new ones from simulated matches."),
    arena: _("Let bots play each other, to find out which is stronger, and how sure that is."),
    train: _("Train a net by self-play, on a GPU or, for small runs, on the CPU."),
    machine.bench: _("Measure every game: actions per second, compilation, warm start."),
    machine.perft: _("Count the ways through the first decisions and rolls of a match."),
    solve: _("Solve a small game exactly: how often best play wins."),
}

NO_SUCH_COMMAND = _("There’s no command “{command}”. “tribord --help” lists them all.")
NO_SUCH_ARGUMENT = _("There’s no argument “{argument}” here. “tribord --help” lists them all.")
NEEDS_A_VALUE = _("“{argument}” needs a value.")
MISSING = _("“{argument}” is missing.")
BAD_VALUE = _("“{argument}” doesn’t take that value.")
NOT_UNDERSTOOD = _("“{line}” isn’t a command Tribord understands. See “tribord --help”.")


HELP = _("Show this message and exit.")
HEADINGS = {  # of Typer's help
    "COMMANDS_PANEL_TITLE": _("Commands"),
    "DEFAULT_STRING": _("[default: {value}]"),
    "REQUIRED_LONG_STRING": _("[required]"),
}


class TranslatedCommand(TyperCommand):
    """A command whose --help speaks the user's language."""

    def get_help_option(self, ctx: Any) -> Any:
        """The option --help."""
        return in_words(super().get_help_option(ctx), ctx)


class TranslatedCommands(TyperGroup):
    """The commands; an unknown one is refused in the user's language."""

    def get_help_option(self, ctx: Any) -> Any:
        """The option --help."""
        return in_words(super().get_help_option(ctx), ctx)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that is meant."""
        if args and self.get_command(ctx, args[0]) is None:
            raise BadOption("no-such-command", NO_SUCH_COMMAND, command=args[0])
        return super().resolve_command(ctx, args)


app = typer.Typer(cls=TranslatedCommands, add_completion=False, help=ABOUT, pretty_exceptions_enable=False)
for _command, _help in COMMANDS.items():
    app.command(help=_help, cls=TranslatedCommand)(_command)

# Some versions of Typer hide their click: reach its exceptions through the one it shows.
UsageError: type[Exception] = typer.BadParameter.__mro__[1]


@app.callback(invoke_without_command=True)
def begin(ctx: typer.Context, version: Version = False, lang: Language = None) -> int:
    """Without a command: open the harbour in the browser, and to everyone's phones."""
    return host(ctx.obj) if ctx.invoked_subcommand is None else 0


def main(args: list[str] | None = None) -> int:
    """Run a command line; returns the exit status: 0, 2 for bad input, 130 when interrupted."""
    args = list(sys.argv[1:] if args is None else args)
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal that lacks “é” shows “?”
    speech = Speech(spoken_in(args))
    command = translate(typer.main.get_command(app), speech)
    if "--help" in args:
        translate_headings(speech)
    try:
        return command.main(args=args, prog_name="tribord", standalone_mode=False, obj=speech) or 0
    except Refusal as refused:
        print(speech.refusal(refused), file=sys.stderr)
    except UsageError as error:
        print(speech.refusal(refusal_of(error, args)), file=sys.stderr)
    except BrokenPipeError:  # the reader has gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return BAD_INPUT


def translate(command: Any, speech: Speech) -> Any:
    """Translate the help of a command and its subcommands into the user's language."""
    for thing in (command, *command.params):
        for said in ("help", "metavar"):
            if getattr(thing, said, None):
                setattr(thing, said, speech.words.translate(getattr(thing, said)))
    for held in getattr(command, "commands", {}).values():
        translate(held, speech)
    return command


def translate_headings(speech: Speech) -> None:
    """Translate what Typer itself writes into a help text."""
    from typer import rich_utils

    for name, heading in HEADINGS.items():
        if hasattr(rich_utils, name):  # a new version may call it something else
            setattr(rich_utils, name, speech.say(heading, value="{}"))


def in_words(option: Any, ctx: Any) -> Any:
    """The option --help, in the user's language."""
    if option is not None and isinstance(ctx.obj, Speech):
        option.help = ctx.obj.say(HELP)
    return option


def refusal_of(error: Any, args: list[str]) -> BadOption:
    """Return a refusal that says what's wrong with a command line."""
    sort = type(error).__name__
    if sort == "NoSuchOption":
        return BadOption("no-such-argument", NO_SUCH_ARGUMENT, argument=error.option_name)
    if sort == "BadOptionUsage":
        return BadOption("needs-a-value", NEEDS_A_VALUE, argument=error.option_name)
    if getattr(error, "param", None) is not None:
        argument = error.param.opts[0] if error.param.opts[0].startswith("-") else error.param.metavar
        return BadOption("bad-argument", MISSING if sort == "MissingParameter" else BAD_VALUE, argument=argument)
    return BadOption("not-understood", NOT_UNDERSTOOD, line=" ".join(["tribord", *args]))
