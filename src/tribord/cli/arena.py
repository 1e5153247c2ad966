"""`tribord arena`: let bots play each other."""

from __future__ import annotations

import sys
from typing import Any

import typer
from rich.console import Console
from rich.table import Table

from tribord.cli.arguments import (
    BotLog,
    Bots,
    Clock,
    Cluster,
    Jobs,
    Json,
    Ladder,
    Language,
    Matches,
    Name,
    Options,
    Pairs,
    Patience,
    Players,
    Plot,
    Redraws,
    StreamSeed,
    To,
)
from tribord.cli.json_text import json_text
from tribord.cli.machine import chosen
from tribord.cli.progress import progress_bar
from tribord.cli.seating import read_options
from tribord.cli.speech import Speech
from tribord.core.game import Game
from tribord.core.refusal import BadOption
from tribord.core.words import _, _n

CUT_SHORT = _("The last line of “{file}” was cut short, so that match is played again.")
INTERRUPTED = _("Stopped. Run the same command again to continue from “{file}”.")
HEADING = _n(
    "{title}, {players} players, seed {seed}: {matches} matches in {rounds} round of {size}",
    "{title}, {players} players, seed {seed}: {matches} matches in {rounds} rounds of {size}",
    "rounds",
)
BY_THE_CLOCK = _("With a clock of {clock} s per decision, another run will differ a little.")
PAIRS_OR_LADDER = _("Choose either “pairs” or “ladder”, not both.")
WIDE = 160
BOT = _("bot")
WIN_SHARE = _("victories")
WIN_RATE = _("won")
SCORE = _("points")
CORRECTED = _("without luck")
AS_SURE_AS = _("worth (matches)")
RATING = _("rating")
NO_RATINGS = _("No ratings: for those, install tribord[lab].")
THINKING = _("ms per decision")
FAULTS = _("failures")
CROSS = _("Ahead: how often the row’s bot finishes ahead of the column’s bot.")
ALONE = _("Alone: how often the row’s bot wins, alone against the column’s bots. A fair share is {fair}.")
PAIRED = _("Same luck: how much more often the row’s bot wins than the column’s bot.")
FAULT = _n(
    "{bot} failed at {count} decision, and the rank below made it. First: {what}.",
    "{bot} failed at {count} decisions, and the rank below made them. First: {what}.",
    "count",
)


def arena(
    ctx: typer.Context,
    name: Name,
    bots: Bots,
    players: Players = None,
    matches: Matches = 400,
    seed: StreamSeed = 0,
    option: Options = None,
    pairs: Pairs = False,
    ladder: Ladder = False,
    clock: Clock = None,
    patience: Patience = None,
    redraws: Redraws = 0,
    jobs: Jobs = None,
    cluster: Cluster = None,
    to: To = None,
    plot: Plot = None,
    log: BotLog = None,
    as_json: Json = False,
    lang: Language = None,
) -> int:
    """Let bots play."""
    from tribord.lab.arena import arena as run
    from tribord.lab.contest import bot_names
    from tribord.lab.plot import check_picture, plot_arena

    game, speech = chosen(name, ctx)
    if plot:
        check_picture(plot)

    def notice() -> None:
        print(speech.say(CUT_SHORT, file=to), file=sys.stderr)

    try:
        with progress_bar(game.title) as progress:
            result = run(
                game, bot_names(bots), game.usual_players if players is None else players, matches, seed,
                read_options(option or []), meet=meeting(pairs, ladder), clock=clock, patience=patience,
                redraws=redraws, jobs=jobs, cluster=cluster, to=to, log=log, progress=progress, notice=notice,
            )  # fmt: skip
    except KeyboardInterrupt:
        if to:
            print(speech.say(INTERRUPTED, file=to), file=sys.stderr)
        return 130
    if plot:
        plot_arena(result, plot, speech.words)
    if as_json:
        print(json_text(result))
    else:
        print_result(result, game, speech)
    return 0


def meeting(pairs: bool, ladder: bool) -> str:
    """Return which bots meet."""
    from tribord.lab.lineup import EVERYBODY, LADDER, PAIRS

    if pairs and ladder:
        raise BadOption("pairs-or-ladder", PAIRS_OR_LADDER)
    return PAIRS if pairs else LADDER if ladder else EVERYBODY


def print_result(result: dict[str, Any], game: Game, speech: Speech) -> None:
    """The result for people."""
    console = Console(highlight=False, markup=False, soft_wrap=True)
    console.width = max(console.width, WIDE)  # a table that wraps cannot be read
    heading = {"title": game.title, "players": result["players"], "seed": result["seed"]}
    counts = {"matches": result["matches"], "rounds": result["rounds"], "size": result["matches_per_round"]}
    console.print(speech.say(HEADING, **heading, **counts))
    if result["clock"]:
        console.print(speech.say(BY_THE_CLOCK, clock=result["clock"]))
    standings = sorted(result["standings"], key=lambda s: -s["win_share"]["mean"])
    table = Table(box=None, pad_edge=False)
    table.add_column(speech.words.translate(BOT), no_wrap=True)
    won = WIN_RATE if game.cooperative else WIN_SHARE
    corrected = all("corrected" in standing for standing in standings)
    for message in (
        won,
        *((CORRECTED, AS_SURE_AS) if corrected else ()),
        SCORE,
        *((RATING,) if "rating" in standings[0] else ()),
        THINKING,
        FAULTS,
    ):
        table.add_column(speech.words.translate(message), justify="right", no_wrap=True)
    for standing in standings:
        rating = (
            [f"{standing['rating']['mu']:.1f} ± {3 * standing['rating']['sigma']:.1f}"] if "rating" in standing else []
        )
        table.add_row(
            standing["bot"], share(standing["win_share"]), *(without_luck(standing) if corrected else ()),
            number(standing["score"]), *rating,
            f"{1000 * standing['seconds_per_decision']:.1f}", str(sum(standing["faults"].values())),
        )  # fmt: skip
    console.print(table)
    if not game.cooperative and "rating" not in standings[0]:
        console.print(speech.say(NO_RATINGS))
    for message, key in ((ALONE, "alone"), (CROSS, "cross"), (PAIRED, "paired")):
        if any(result.get(key, {}).values()) and not (key == "cross" and result["players"] == 2):
            console.print()
            console.print(speech.say(message, fair=percent(result["fair"] or 0)))
            console.print(cross_table(result[key], result["bots"]))
    for standing in standings:
        if standing["fault"]:
            lost = sum(standing["faults"].values())
            console.print(speech.say(FAULT, bot=standing["bot"], count=lost, what=standing["fault"]))


def without_luck(standing: dict[str, Any]) -> tuple[str, str]:
    """Return a bot's luck-corrected share, and how many plain matches would be as precise."""
    matches = standing["corrected"]["as_sure_as"]
    return share(standing["corrected"]["win_share"]), "·" if matches is None else str(matches)


def cross_table(cells: dict[str, dict[str, Any]], bots: list[str]) -> Table:
    """Every bot against every other."""
    table = Table(box=None, pad_edge=False)
    table.add_column("")
    for bot in bots:
        table.add_column(bot, justify="right", no_wrap=True)
    for row in bots:
        found = [cells.get(row, {}).get(column) for column in bots]
        table.add_row(row, *("·" if cell is None else share(cell.get("difference", cell)) for cell in found))
    return table


def percent(value: float) -> str:
    """A share for people."""
    return f"{100 * value:.1f}%"


def share(interval: dict[str, float | None]) -> str:
    """A share with its interval."""
    low, high = ("?" if end is None else f"{100 * end:.1f}" for end in (interval["low"], interval["high"]))
    return f"{100 * (interval['mean'] or 0):.1f}% [{low}, {high}]"


def number(interval: dict[str, float | None]) -> str:
    """A mean with its interval."""
    low, high = ("?" if end is None else f"{end:.2f}" for end in (interval["low"], interval["high"]))
    return f"{interval['mean'] or 0:.2f} [{low}, {high}]"
