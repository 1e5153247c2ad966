"""The command `tribord analyse`: what every decision of a match file was worth, and what decided it."""

from __future__ import annotations

import sys

import typer

from tribord.cli.arguments import (
    AnalysisSeed,
    Cluster,
    File,
    Iterations,
    Jobs,
    Json,
    Language,
    PageTo,
    Playouts,
    Seconds,
)
from tribord.cli.json_text import json_text
from tribord.cli.progress import progress_bar
from tribord.cli.speech import Speech
from tribord.core.match import Match
from tribord.core.words import _

STOPPED = _("Stopped. Nothing was written.")


def analyse(
    ctx: typer.Context,
    file: File,
    seconds: Seconds = None,
    iterations: Iterations = None,
    playouts: Playouts = None,
    seed: AnalysisSeed = 0,
    jobs: Jobs = None,
    cluster: Cluster = None,
    report: PageTo = None,
    as_json: Json = False,
    lang: Language = None,
) -> int:
    """Analyse a match."""
    from tribord.lab.analysis import analyse as run
    from tribord.lab.commentary import Commentary, check_page, write_page

    speech: Speech = ctx.obj
    match = Match.load(file)
    if report:
        check_page(report)
    try:
        with progress_bar(match.game.title) as progress:
            result = run(
                match, seconds, iterations=iterations, playouts=playouts, seed=seed, jobs=jobs, cluster=cluster,
                progress=progress,
            )  # fmt: skip
    except KeyboardInterrupt:
        print(speech.say(STOPPED), file=sys.stderr)
        return 130
    commentary = Commentary(match, result, speech.about(match.game))
    if report:
        write_page(report, commentary)
    if as_json:
        print(json_text(result))
    else:
        print("\n".join(commentary.lines()))
    return 0
