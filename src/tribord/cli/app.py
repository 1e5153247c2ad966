"""The program `tribord`: its commands, and how it turns down what it does not understand."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

import typer
from typer.core import TyperGroup

from tribord.cli import files, machine
from tribord.cli.arena import arena
from tribord.cli.arguments import Language, Version
from tribord.cli.backup import backup
from tribord.cli.check import check
from tribord.cli.host import host
from tribord.cli.play import play
from tribord.cli.serve import serve
from tribord.cli.simulate import simulate
from tribord.cli.solve import solve
from tribord.cli.speech import Speech, spoken_in
from tribord.core.refusal import BadOption, Refusal
from tribord.core.words import _

BAD_INPUT = 2

ABOUT = _("Four pirate board games by their exact rules. Without a command: open the harbour in the browser.")
COMMANDS: dict[Callable[..., Any], str] = {
    play: _("Play at this terminal, against bots or several people at one keyboard."),
    serve: _("Run the table server: live matches over the network."),
    backup: _("Copy the server’s store to a file while it runs."),
    check: _("Check that every row of the server’s store is what was written."),
    files.replay: _("Tell a match file step by step, with the board."),
    files.verify: _("Check the seed’s hash, every throw, every decision and the outcome of a match file."),
    machine.games: _("List the games, their players and their options."),
    simulate: _("Play many matches, at random or between bots: figures, files, a report."),
    arena: _("Let bots play against one another, and tell how strong they are and how sure that is."),
    machine.bench: _("Measure every game: actions per second, compilation, warm start."),
    machine.perft: _("Count the ways through the first decisions and throws of a match."),
    solve: _("Solve a game exactly: what best play wins, in the games small enough."),
}

NO_SUCH_COMMAND = _("There is no command “{command}”. “tribord --help” lists them.")
NO_SUCH_ARGUMENT = _("There is no argument “{argument}” here. “tribord --help” lists them.")
NEEDS_A_VALUE = _("“{argument}” needs a value.")
MISSING = _("“{argument}” is missing.")
BAD_VALUE = _("“{argument}” does not take that value.")
NOT_UNDERSTOOD = _("“{line}” was not understood. “tribord --help” helps.")


class Commands(TyperGroup):
    """The commands; an unknown one is turned down in the person's language."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that is meant."""
        if args and self.get_command(ctx, args[0]) is None:
            raise BadOption("no-such-command", NO_SUCH_COMMAND, command=args[0])
        return super().resolve_command(ctx, args)


app = typer.Typer(cls=Commands, add_completion=False, help=ABOUT, pretty_exceptions_enable=False)
for _command, _help in COMMANDS.items():
    app.command(help=_help)(_command)

# Typer keeps its click to itself in some versions: its exceptions are reached through the one it shows.
UsageError: type[Exception] = typer.BadParameter.__mro__[1]


@app.callback(invoke_without_command=True)
def begin(ctx: typer.Context, version: Version = False, lang: Language = None) -> int:
    """Without a command: the harbour, in the browser and on everybody's phone."""
    return host(ctx.obj) if ctx.invoked_subcommand is None else 0


def main(args: list[str] | None = None) -> int:
    """Run a command line; returns the exit status: 0, 2 for bad input, 130 when interrupted."""
    args = list(sys.argv[1:] if args is None else args)
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal that lacks “é” shows “?”
    speech = Speech(spoken_in(args))
    command = translate(typer.main.get_command(app), speech)
    try:
        return command.main(args=args, prog_name="tribord", standalone_mode=False, obj=speech) or 0
    except Refusal as refused:
        print(speech.tell(refused), file=sys.stderr)
    except UsageError as error:
        print(speech.tell(refusal_of(error, args)), file=sys.stderr)
    except BrokenPipeError:  # whoever was reading has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return BAD_INPUT


def translate(command: Any, speech: Speech) -> Any:
    """The help of a command and of all it holds, in the person's language."""
    for thing in (command, *command.params):
        if getattr(thing, "help", None):
            thing.help = speech.words.translate(thing.help)
    for held in getattr(command, "commands", {}).values():
        translate(held, speech)
    return command


def refusal_of(error: Any, args: list[str]) -> BadOption:
    """What is wrong with a command line, in our own words."""
    sort = type(error).__name__
    if sort == "NoSuchOption":
        return BadOption("no-such-argument", NO_SUCH_ARGUMENT, argument=error.option_name)
    if sort == "BadOptionUsage":
        return BadOption("needs-a-value", NEEDS_A_VALUE, argument=error.option_name)
    if getattr(error, "param", None) is not None:
        argument = error.param.opts[0] if error.param.opts[0].startswith("-") else error.param.metavar
        return BadOption("bad-argument", MISSING if sort == "MissingParameter" else BAD_VALUE, argument=argument)
    return BadOption("not-understood", NOT_UNDERSTOOD, line=" ".join(["tribord", *args]))
