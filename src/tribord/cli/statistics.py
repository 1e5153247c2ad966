"""`tribord statistics`: who wins a game, how often it's shared, how long it takes, and the tips that follow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import typer

from tribord.cli.arguments import Cores, Json, Language, Name, Plot, StreamSeed
from tribord.cli.json_text import json_text
from tribord.cli.machine import chosen
from tribord.cli.progress import progress_bar
from tribord.cli.speech import Speech
from tribord.core.game import Game
from tribord.core.refusal import BadOption
from tribord.core.tip import read, tips
from tribord.core.words import _

Played = Annotated[
    int, typer.Option("--matches", help=_("Play this many matches; by default, show what comes with the game."))
]

NOT_SHIPPED = _("{title} comes without statistics. Play the matches with “--matches 10000”.")
TIPS = _("Tips")
HEADING = _("{variant}, {players} players, {bot}: {matches} matches")
PLACE = _("plays in position {place}: {share} of the victories")
SEAT = _("seat {place}: {share} of the victories")
WON = _("won: {share}")
SHARED = _("shared victories: {share}")
VALUES = _("victories of those it happens to, {key}: {shares}")
VALUES_TOGETHER = _("matches won in which it happens, {key}: {shares}")
LENGTH = _("decisions: {mean} on average, half of the matches {lower} to {upper}")


def statistics(
    ctx: typer.Context,
    name: Name,
    matches: Played = 0,
    seed: StreamSeed = 1,
    jobs: Cores = None,
    as_json: Json = False,
    plot: Plot = None,
    lang: Language = None,
) -> int:
    """Statistics of a game."""
    from tribord.lab.cores import all_cores
    from tribord.lab.plot import check_picture, plot_statistics
    from tribord.lab.statistics import in_turn_order
    from tribord.lab.statistics import statistics as run

    game, speech = chosen(name, ctx)
    if plot:
        check_picture(plot)
    found: dict[str, Any] | None
    if matches:
        try:
            with progress_bar(game.title) as progress:
                found = run(game, matches, seed, all_cores() if jobs is None else jobs, progress)
        except KeyboardInterrupt:
            return 130
    else:
        found = read(game, "statistics.json")
    if found is None:
        raise BadOption("not-shipped", NOT_SHIPPED, title=game.title)
    if plot:
        plot_statistics(found, plot, speech.words)
    if as_json:
        print(json_text(found, indent=1))
        return 0
    if said := tips(game):
        print(speech.say(TIPS))
        for tip in said:
            print(f"  – {tip[speech.words.language]}")
    place_message = PLACE if in_turn_order(game) else SEAT
    for title, table in found["tables"].items():
        variant, players, bot = title.split("/")
        print()
        print(speech.say(HEADING, variant=variant, players=players, bot=bot, matches=table["matches"]))
        for place, share in enumerate(table["order"], 1):
            print("  " + speech.say(place_message, place=place, share=_share(share)))
        if not table["order"]:
            print("  " + speech.say(WON, share=_share(table["won"])))
        else:
            print("  " + speech.say(SHARED, share=_share(table["shared"])))
        lower, _median, upper = table["length"]["quartiles"]
        print("  " + speech.say(LENGTH, mean=f"{table['length']['mean']:.1f}", lower=lower, upper=upper))
        for line in _values(game, table["values"], speech):
            print("  " + line)
    return 0


def _values(game: Game, values: Mapping[str, Any], speech: Speech) -> Iterator[str]:
    """What goes with winning, by card, boat or pawn; nothing that happened only a few times."""
    from tribord.lab.event_counts import named_values
    from tribord.lab.plot import RARE

    for key, found in values.items():
        names = named_values(game, key.partition(".")[2], speech.words, people=True)
        shares = [
            f"{names.get(int(value), value)} {_share(share)}"
            for value, share in found.items()
            if share["times"] >= RARE
        ]
        if shares:
            message = VALUES_TOGETHER if game.cooperative else VALUES
            yield speech.say(message, key=key, shares=" · ".join(shares))


def _share(interval: dict[str, float]) -> str:
    return f"{interval['mean']:.1%} [{100 * interval['low']:.1f}, {100 * interval['high']:.1f}]"
