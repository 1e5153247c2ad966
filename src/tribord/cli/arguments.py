"""The arguments that commands share, each with its help."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import tribord
from tribord.cli.speech import check_language
from tribord.core.words import _


def tell_version(wanted: bool) -> None:
    """Print the version and stop."""
    if wanted:
        print(tribord.__version__)
        raise typer.Exit


Version = Annotated[
    bool,
    typer.Option("--version", is_eager=True, callback=tell_version, help=_("The version, and nothing else.")),
]
Language = Annotated[
    str | None,
    typer.Option("--lang", metavar="fr|en", callback=check_language, help=_("Language; else the locale’s.")),
]
Plain = Annotated[
    bool, typer.Option("--plain", help=_("No drawing, no colour: for screen readers and simple terminals."))
]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="NAME=VALUE", help=_("An option of the game; may be repeated.")),
]
Players = Annotated[int | None, typer.Option("--players", help=_("How many players."))]
Json = Annotated[bool, typer.Option("--json", help=_("For machines: JSON."))]
Name = Annotated[str, typer.Argument(metavar="GAME", help=_("A game, by its id."))]
File = Annotated[Path, typer.Argument(metavar="FILE", help=_("A match file."))]

# of play
AskedName = Annotated[
    str | None, typer.Argument(metavar="GAME", help=_("A game, by its id; without it, everything is asked."))
]
People = Annotated[
    list[int] | None, typer.Option("--me", metavar="SEAT", help=_("A seat with a person, from 0; may be repeated."))
]
Rank = Annotated[
    str | None,
    typer.Option("--bot", metavar="RANK", help=_("Rank of the bots: mousse, matelot (usual), bosco or capitaine.")),
]
Seed = Annotated[str | None, typer.Option("--seed", help=_("Seed of the dice; else it is secret until the end."))]
Resume = Annotated[Path | None, typer.Option("--resume", metavar="FILE", help=_("Go on with a saved match."))]
Save = Annotated[Path | None, typer.Option("--save", metavar="FILE", help=_("Keep the match in this file as it goes."))]

# of replay
Seat = Annotated[
    int, typer.Option("--seat", show_default=False, help=_("Tell it as this seat saw it; else as everybody did."))
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
    str | None, typer.Option("--key", metavar="HEX", help=_("The public key of the server that must have signed it."))
]

# of simulate and perft
Matches = Annotated[int, typer.Option("--matches", help=_("How many matches."))]
StreamSeed = Annotated[int, typer.Option("--seed", help=_("Seed of all the matches."))]
Cores = Annotated[
    int | None, typer.Option("--jobs", "--threads", help=_("How many cores; else all. The result is the same."))
]
Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster", metavar="local|ray://HOST:PORT", help=_("Play on a Ray, on all its cores. The result is the same.")
    ),
]
SeatBots = Annotated[
    list[str] | None,
    typer.Option("--bots", metavar="RANK,…", help=_("Who plays: one for all seats, or one for each; else at random.")),
]
Device = Annotated[str, typer.Option("--device", metavar="cpu|cuda", help=_("Where; a GPU plays the same matches."))]
BestOf = Annotated[
    int,
    typer.Option("--best-of", metavar="N", help=_("Each seat plays the best of N sampled actions; else a random one.")),
]
ExportTo = Annotated[
    Path | None, typer.Option("--to", metavar="FILE", help=_("Write every match: .parquet, .csv or .json."))
]
ReportTo = Annotated[
    Path | None, typer.Option("--report", metavar="FOLDER", help=_("Write a page with plots about the game here."))
]
Depth = Annotated[int, typer.Option("--depth", help=_("How many decisions and throws deep."))]

# of arena
Bots = Annotated[
    list[str],
    typer.Option(
        "--bots",
        metavar="RANK,…",
        help=_("The bots: ranks, py:module:Class, or cmd: and a command; separated by commas."),
    ),
]
Pairs = Annotated[bool, typer.Option("--pairs", help=_("Every two bots apart, instead of all at one table."))]
Ladder = Annotated[bool, typer.Option("--ladder", help=_("Only each bot alone among bots of the next one named."))]
Clock = Annotated[
    float | None,
    typer.Option("--clock", metavar="SECONDS", help=_("Seconds per decision; else a fixed number of iterations.")),
]
Patience = Annotated[
    float | None,
    typer.Option("--patience", metavar="SECONDS", help=_("Seconds that a program may take without a clock; else 10.")),
]
BotLog = Annotated[
    Path | None, typer.Option("--log", metavar="FILE", help=_("Where programs’ standard error goes; else nowhere."))
]
Jobs = Annotated[
    int | None, typer.Option("--jobs", help=_("How many processes; else one per core. The result is the same."))
]
To = Annotated[
    Path | None,
    typer.Option("--to", metavar="FILE", help=_("Keep finished matches here (JSONL), and go on from those it holds.")),
]
Plot = Annotated[Path | None, typer.Option("--plot", metavar="FILE", help=_("Draw the result: .png or .svg."))]
