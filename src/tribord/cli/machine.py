"""The commands `tribord games`, `bench` and `perft`, which can print JSON."""

from __future__ import annotations

import sys
from typing import Any

import typer

from tribord.cli.arguments import Depth, Json, Language, Name, Options, Players
from tribord.cli.json_text import json_text
from tribord.cli.seating import read_options, written
from tribord.cli.speech import Speech
from tribord.core.game import Game, broken_games, load
from tribord.core.game import games as found_games
from tribord.core.option import Option
from tribord.core.words import _, _n

GAME_LINE = _("{title} ({id}), {least} to {most} players")
BENCHED = _(
    "{title}: {actions_per_second} actions/s, {matches_per_second} matches/s, interpreted "
    "{interpreted_actions_per_second} actions/s, cold {cold_compile_seconds} s, warm {warm_start_seconds} s"
)
WAYS = _n("{ways} way through {depth} steps", "{ways} ways through {depth} steps", "ways")


def games(ctx: typer.Context, as_json: Json = False, lang: Language = None) -> None:
    """List the games."""
    speech: Speech = ctx.obj
    for broken in broken_games():  # also for machines, because a list without it would hide it
        print(speech.refusal(broken), file=sys.stderr)
    if as_json:
        print(json_text([as_dict(game) for game in found_games()]))
        return
    for game in found_games():
        speech.about(game)
        print(speech.say(GAME_LINE, id=game.id, title=game.title, least=game.players[0], most=game.players[1]))
        usual = game.options_of(game.settings(game.usual_players))
        for option in game.options:
            print(f"    {option.name}={written(usual[option.name])}   {speech.say(option.meaning)} ({option.rule})")


def as_dict(game: Game) -> dict[str, Any]:
    """A game for machines."""
    return {
        "id": game.id,
        "title": game.title,
        "players": list(game.players),
        "options": [option_as_dict(option) for option in game.options],
        "actions": game.actions,
        "state_bytes": game.state_bytes,
        "version": game.version,
    }


def option_as_dict(option: Option) -> dict[str, Any]:
    """An option for machines; `research` is the default of simulations, where it differs."""
    return {
        "name": option.name,
        "kind": type(option).__name__.lower(),
        "rule": option.rule,
        "meaning": option.meaning,
        "default": option.default,
        "research": option.default if option.research is None else option.research,
        "takes": option.takes().strip(),
    }


def bench(ctx: typer.Context, as_json: Json = False, lang: Language = None) -> None:
    """Measure every game."""
    from tribord.lab.bench import bench as run

    speech: Speech = ctx.obj
    result = run(game.id for game in found_games())
    if as_json:
        print(json_text(result))
        return
    for name, numbers in result.items():
        print(speech.say(BENCHED, title=load(name).title, **numbers))


def perft(
    ctx: typer.Context,
    name: Name,
    depth: Depth,
    players: Players = None,
    option: Options = None,
    as_json: Json = False,
    lang: Language = None,
) -> None:
    """Count ways."""
    from tribord.lab.perft import perft as count

    game, speech = chosen(name, ctx)
    players = game.usual_players if players is None else players
    given = read_options(option or [])
    ways = count(game, players, depth, given)
    if as_json:
        options = game.options_of(game.settings(players, given, research=True))
        print(json_text({"game": game.id, "players": players, "options": options, "depth": depth, "nodes": ways}))
    else:
        print(speech.say(WAYS, ways=ways, depth=depth))


def chosen(name: str, ctx: typer.Context) -> tuple[Game, Speech]:
    """Return the chosen game and its words."""
    game = load(name)
    speech: Speech = ctx.obj
    speech.about(game)
    return game, speech
