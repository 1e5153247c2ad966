"""`tribord simulate`: many matches, summed up, saved in a file, explained in a report."""

from __future__ import annotations

import shlex

import typer

from tribord.cli.arguments import (
    BestOf,
    BotLog,
    Clock,
    Cluster,
    Cores,
    Device,
    ExportTo,
    Json,
    Language,
    Matches,
    MinariName,
    Name,
    Options,
    Patience,
    Players,
    ReportTo,
    SeatBots,
    StreamSeed,
    TrajectoriesTo,
)
from tribord.cli.json_text import json_text
from tribord.cli.machine import chosen
from tribord.cli.progress import progress_bar
from tribord.cli.seating import read_options
from tribord.core.words import _, _n

SIMULATED = _("{matches} matches of {title} with {players} players, seed {seed}: {rate} actions per second")
SEAT_LINE = _("seat {number}: {score} points on average, {share} of the victories")
SEAT_OF = _("seat {number} ({bot}): {score} points on average, {share} of the victories")
LOST = _n(
    "seat {number} ({bot}): {count} decision failed, made by the rank below",
    "seat {number} ({bot}): {count} decisions failed, made by the rank below",
    "count",
)
DIGEST = _("digest {digest}")
WRITTEN = _("The matches are in “{file}”.")
REPORTED = _("The report is in “{file}”.")


def simulate(
    ctx: typer.Context,
    name: Name,
    players: Players = None,
    matches: Matches = 1000,
    seed: StreamSeed = 0,
    option: Options = None,
    bots: SeatBots = None,
    clock: Clock = None,
    patience: Patience = None,
    jobs: Cores = None,
    cluster: Cluster = None,
    device: Device = "cpu",
    best_of: BestOf = 0,
    to: ExportTo = None,
    trajectories: TrajectoriesTo = None,
    minari: MinariName = None,
    report: ReportTo = None,
    log: BotLog = None,
    as_json: Json = False,
    lang: Language = None,
) -> int:
    """Play many matches."""
    from tribord.bots.uniform import UNIFORM
    from tribord.lab.contest import bot_names
    from tribord.lab.cores import all_cores
    from tribord.lab.export import check_export
    from tribord.lab.report import check_report, write_report
    from tribord.lab.simulate import simulate as run
    from tribord.lab.tally import Tally
    from tribord.lab.trajectories import check_trajectories

    game, speech = chosen(name, ctx)
    players = game.usual_players if players is None else players
    given = read_options(option or [])
    game.settings(players, given, research=True)  # refuses the impossible before anything is counted
    if to:
        check_export(to)
    if trajectories:
        check_trajectories(trajectories)
    if report:
        check_report(report)
    if jobs is None and cluster is None:
        jobs = all_cores()
    recorder = None
    if minari:
        from tribord.research.minari import Episodes

        recorder = Episodes(minari, game, players, given, bot_names(bots or []))
    tally = Tally(game, players, counting=report is not None)
    try:
        with progress_bar(game.title) as progress:
            result = run(
                game, players, matches, seed, given, jobs, bots=bot_names(bots or []),
                clock=clock, patience=patience, log=log, to=to, trajectories=trajectories,
                recorder=recorder, device=device,
                cluster=cluster, best_of=best_of,
                tally=tally, progress=progress,
            )  # fmt: skip
    except KeyboardInterrupt:
        return 130
    if report:
        arguments = ["--players", players, "--matches", matches, "--seed", seed]
        arguments += [part for text in option or [] for part in ("--option", text)]
        arguments += [part for text in bots or [] for part in ("--bots", text)]
        arguments += ["--clock", clock] if clock else []
        command = shlex.join(["tribord", "simulate", game.id, *map(str, arguments), "--report", report.name])
        write_report(report, result, tally, speech.words, command)
    if as_json:
        print(json_text(result))
        return 0
    rate = f"{result['actions_per_second']:,}".replace(",", " ")
    print(speech.say(SIMULATED, title=game.title, players=players, matches=matches, seed=seed, rate=rate))
    for seat, bot in enumerate(result["bots"]):
        low, high = result["win_share_interval"][seat]
        share = f"{result['win_share'][seat]:.1%} [{100 * low:.1f}, {100 * high:.1f}]"
        line = SEAT_LINE if bot == UNIFORM else SEAT_OF
        print(speech.say(line, number=seat, bot=bot, score=f"{result['score_mean'][seat]:.2f}", share=share))
    for seat, faults in enumerate(result["faults"]):
        if lost := sum(faults.values()):
            print(speech.say(LOST, number=seat, bot=result["bots"][seat], count=lost))
    print(speech.say(DIGEST, digest=result["digest"]))
    for file in filter(None, (to, trajectories, recorder and recorder.folder)):
        print(speech.say(WRITTEN, file=file))
    if report:
        print(speech.say(REPORTED, file=report / "index.html"))
    return 0
