"""The arguments that commands share, each with its help."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import tribord
from tribord.cli.speech import check_language
from tribord.core.words import _


def print_version(wanted: bool) -> None:
    """Print the version and stop."""
    if wanted:
        print(tribord.__version__)
        raise typer.Exit


Version = Annotated[
    bool,
    typer.Option("--version", is_eager=True, callback=print_version, help=_("Show the version and exit.")),
]
Language = Annotated[
    str | None,
    typer.Option(
        "--lang", metavar="fr|en", callback=check_language, help=_("Language, fr or en; by default the system’s.")
    ),
]
Plain = Annotated[
    bool, typer.Option("--plain", help=_("Without drawings or colours, for screen readers and simple terminals."))
]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", metavar=_("NAME=VALUE"), help=_("An option of the game, as NAME=VALUE (repeatable).")),
]
Players = Annotated[int | None, typer.Option("--players", help=_("How many players."))]
Json = Annotated[bool, typer.Option("--json", help=_("Print JSON."))]
GAME = _("GAME")
Name = Annotated[str, typer.Argument(metavar=GAME, help=_("A game, by its id."))]
File = Annotated[Path, typer.Argument(metavar=_("FILE"), help=_("A match file."))]

# of play
AskedName = Annotated[str | None, typer.Argument(metavar=GAME, help=_("A game, by its id; without it, Tribord asks."))]
People = Annotated[
    list[int] | None,
    typer.Option("--me", metavar=_("SEAT"), help=_("A seat for a person; the first is 0 (repeatable).")),
]
Rank = Annotated[
    str | None,
    typer.Option(
        "--bot", metavar=_("RANK"), help=_("Rank of the bots: mousse, matelot (default), bosco or capitaine.")
    ),
]
Seed = Annotated[str | None, typer.Option("--seed", help=_("Seed of the match; by default it’s secret until the end."))]
Resume = Annotated[Path | None, typer.Option("--resume", metavar=_("FILE"), help=_("Resume a saved match."))]
Save = Annotated[
    Path | None, typer.Option("--save", metavar=_("FILE"), help=_("Save the match in this file after every decision."))
]
Source = Annotated[
    Path | None, typer.Option("--from", metavar=_("FILE"), help=_("Play on from a step of this match: what if…?"))
]
At = Annotated[
    int | None, typer.Option("--at", metavar=_("STEP"), help=_("The step to play on from, as “tribord replay” counts."))
]
Redeal = Annotated[
    int | None,
    typer.Option(
        "--redeal",
        metavar=_("SEAT"),
        help=_("Deal again what this seat didn’t know there; by default it stays as it was."),
    ),
]

Explain = Annotated[bool, typer.Option("--explain", help=_("Explain everything that happens, with its rule."))]

# of replay
Seat = Annotated[
    int, typer.Option("--seat", show_default=False, help=_("Show this seat’s view; by default, the public one."))
]
Stepwise = Annotated[bool, typer.Option("--step", help=_("Wait for Enter after every step."))]

# of verify
Noted = Annotated[
    str | None,
    typer.Option(
        "--commitment", metavar="HEX", help=_("The hash you noted before the match, or the file’s digest after it.")
    ),
]
Signer = Annotated[
    str | None,
    typer.Option("--signer", metavar="HEX", help=_("The public key of the server that must have signed it.")),
]
SignerBefore = Annotated[str | None, typer.Option("--key", hidden=True)]  # as earlier versions called it

# of simulate and perft
Matches = Annotated[int, typer.Option("--matches", help=_("How many matches."))]
StreamSeed = Annotated[int, typer.Option("--seed", help=_("Seed of all the matches."))]
Cores = Annotated[
    int | None,
    typer.Option("--jobs", "--threads", help=_("How many cores to use; by default all. The result is the same.")),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="local|ray://HOST:PORT",
        help=_("Play on a Ray cluster, on all its cores. The result is the same."),
    ),
]
SeatBots = Annotated[
    list[str] | None,
    typer.Option(
        "--bots", metavar=_("RANK,…"), help=_("The bots: one for all seats, or one for each; by default, random play.")
    ),
]
Device = Annotated[
    str,
    typer.Option("--device", metavar="cpu|cuda", help=_("Where to play: cpu or cuda. A GPU plays the same matches.")),
]
BestOf = Annotated[
    int,
    typer.Option(
        "--best-of", metavar="N", help=_("Each seat plays the best of N sampled actions; by default, a random one.")
    ),
]
ExportTo = Annotated[
    Path | None, typer.Option("--to", metavar=_("FILE"), help=_("Write every match: .parquet, .csv or .json."))
]
TrajectoriesTo = Annotated[
    Path | None,
    typer.Option(
        "--trajectories", metavar=_("FILE"), help=_("Write every decision of every match, for learners: .parquet.")
    ),
]
MinariName = Annotated[
    str | None,
    typer.Option(
        "--minari", metavar=_("NAME"), help=_("Keep every seat’s view of a match as an episode of this Minari dataset.")
    ),
]
ReportTo = Annotated[
    Path | None,
    typer.Option("--report", metavar=_("FOLDER"), help=_("Write a page with plots about the game into this folder.")),
]
Depth = Annotated[int, typer.Option("--depth", help=_("How many decisions and rolls deep."))]

# of analyse
Seconds = Annotated[
    float | None,
    typer.Option(
        "--seconds",
        help=_(
            "About how many seconds it may take; by default it counts iterations, so every run gives the same result."
        ),
    ),
]
Iterations = Annotated[
    int | None, typer.Option("--iterations", help=_("Without seconds: iterations in each tree of a search."))
]
Playouts = Annotated[
    int | None,
    typer.Option("--playouts", help=_("Playouts for the chances at each step; with seconds, at least this many.")),
]
AnalysisSeed = Annotated[int, typer.Option("--seed", help=_("Seed of the analysis."))]
PageTo = Annotated[
    Path | None, typer.Option("--report", metavar=_("FILE"), help=_("Write an HTML page with a graph to this file."))
]

# of arena
Bots = Annotated[
    list[str],
    typer.Option(
        "--bots",
        metavar=_("RANK,…"),
        help=_("The bots: ranks, py:module:Class, net:FILE, or cmd: and a command; separated by commas."),
    ),
]
Pairs = Annotated[
    bool, typer.Option("--pairs", help=_("Play every pair of bots separately, instead of all at one table."))
]
Ladder = Annotated[
    bool, typer.Option("--ladder", help=_("Play each bot alone, against copies of the next one listed."))
]
Clock = Annotated[
    float | None,
    typer.Option(
        "--clock", metavar=_("SECONDS"), help=_("Seconds per decision; by default, a fixed number of iterations.")
    ),
]
Patience = Annotated[
    float | None,
    typer.Option(
        "--patience", metavar=_("SECONDS"), help=_("Timeout of programs without a clock, in seconds (default 10).")
    ),
]
Redraws = Annotated[
    int,
    typer.Option(
        "--redraws", metavar="N", help=_("Correct decisions for luck too: redraw those of simple bots N times.")
    ),
]
BotLog = Annotated[
    Path | None,
    typer.Option("--log", metavar=_("FILE"), help=_("File for the programs’ standard error; by default it’s dropped.")),
]
Jobs = Annotated[
    int | None, typer.Option("--jobs", help=_("How many processes; by default, one per core. The result is the same."))
]
To = Annotated[
    Path | None,
    typer.Option(
        "--to", metavar=_("FILE"), help=_("Keep finished matches in this JSONL file, and don’t play them again.")
    ),
]
Plot = Annotated[Path | None, typer.Option("--plot", metavar=_("FILE"), help=_("Draw the result: .png or .svg."))]
