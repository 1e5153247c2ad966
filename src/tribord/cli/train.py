"""The command `tribord train`: a net learns a game by self-play."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from tribord.cli.arguments import Device, Json, Language, Name, Options, StreamSeed
from tribord.cli.machine import chosen
from tribord.cli.seating import read_options
from tribord.core.words import _

POINT = _("{seconds} s, decisions: {decisions}. Victories among random players: {uniform}; among first selves: {first}")
TRAINED = _("The net is in “{file}”, the curve in “{curve}”.")

Counts = Annotated[
    list[int] | None,
    typer.Option("--players", help=_("A number of players to learn (repeatable); by default, all of the game.")),
]
Minutes = Annotated[float, typer.Option("--minutes", help=_("How many minutes to train."))]
Checkpoint = Annotated[
    Path, typer.Option("--checkpoint", metavar=_("FOLDER"), help=_("Keep checkpoints, the curve and the net here."))
]
GoOn = Annotated[bool, typer.Option("--resume", help=_("Resume from the checkpoint."))]
Beside = Annotated[
    int | None, typer.Option("--matches", help=_("Matches side by side; by default, as many as suit the device."))
]


def train(
    ctx: typer.Context,
    name: Name,
    checkpoint: Checkpoint,
    players: Counts = None,
    minutes: Minutes = 10.0,
    device: Device = "cpu",
    option: Options = None,
    matches: Beside = None,
    seed: StreamSeed = 0,
    resume: GoOn = False,
    as_json: Json = False,
    lang: Language = None,
) -> int:
    """Train a net."""
    from tribord.lab.train import CURVE, NET
    from tribord.lab.train import train as run

    game, speech = chosen(name, ctx)

    def progress(point: dict[str, float]) -> None:
        if not as_json:
            decisions = f"{point['decisions']:,.0f}".replace(",", " ")
            shares = {"uniform": f"{point['among_uniform']:.1%}", "first": f"{point['among_first']:.1%}"}
            print(speech.say(POINT, seconds=f"{point['seconds']:.0f}", decisions=decisions, **shares), flush=True)

    try:
        trained = run(
            game, players or None, minutes, checkpoint, read_options(option or []), device, matches, seed, resume,
            progress=progress,
        )  # fmt: skip
    except KeyboardInterrupt:
        return 130
    if as_json:
        print(json.dumps(asdict(trained)))
    else:
        print(speech.say(TRAINED, file=checkpoint / NET, curve=checkpoint / CURVE))
    return 0
