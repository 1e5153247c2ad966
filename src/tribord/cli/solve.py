"""The command `tribord solve`: what best play is worth, exactly."""

from __future__ import annotations

from typing import Annotated

import typer

from tribord.cli.arguments import Json, Language, Name, Options, Players, StreamSeed
from tribord.cli.json_text import json_text
from tribord.cli.machine import chosen
from tribord.cli.seating import read_options
from tribord.core.words import _

SOLVED = _("{title}: best play wins {chance} of the matches ({states} positions, exact).")
FOLLOWED = _("Following the solution, evaluated exactly: {chance}.")
CHECKED = _("{matches} matches played by the solution, seed {seed}: {mean} won (95% interval {low} to {high}).")

CheckMatches = Annotated[
    int, typer.Option("--matches", help=_("Check the solution by playing this many matches with it."))
]


def solve(
    ctx: typer.Context,
    name: Name,
    players: Players = None,
    option: Options = None,
    matches: CheckMatches = 0,
    seed: StreamSeed = 0,
    as_json: Json = False,
    lang: Language = None,
) -> None:
    """Say what best play is worth."""
    from tribord.lab.solve import solve as run

    game, speech = chosen(name, ctx)
    result = run(game, game.usual_players if players is None else players, read_options(option or []), matches, seed)
    if as_json:
        print(json_text(result))
        return
    chance, states = f"{result['win_probability']:.4%}", f"{result['states']:,}".replace(",", " ")
    print(speech.say(SOLVED, title=game.title, chance=chance, states=states))
    if "policy_probability" in result:
        print(speech.say(FOLLOWED, chance=f"{result['policy_probability']:.4%}"))
    if matches:
        share = {end: f"{value:.3%}" for end, value in result["win_share"].items()}
        print(speech.say(CHECKED, matches=matches, seed=seed, **share))
