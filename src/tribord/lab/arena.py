"""The arena: bots against one another, every seat in turn, on common seeds; who is stronger, and how sure that is.

A round is one chance seed. All line-ups of a round (`lineup`) are played with it, so that within a round every bot
holds every seat equally often and meets the same luck. Rounds are independent, and every interval is over rounds.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

import tribord
from tribord.bots import Bot
from tribord.bots.external import FAULTS
from tribord.bots.python import Maker
from tribord.core.game import Game
from tribord.core.refusal import BadFile, BadOption
from tribord.core.words import _
from tribord.lab.cluster import check_cluster, spreading
from tribord.lab.contest import Fixture, Played, Terms, entrants, jobs_for, play, terms
from tribord.lab.cores import Spread, all_cores, spread
from tribord.lab.extra import needed
from tribord.lab.interval import Interval, mean_of, share_of
from tribord.lab.ledger import BAD_LINE, Ledger
from tribord.lab.lineup import EVERYBODY, crews, seatings
from tribord.lab.rating import places, ratings
from tribord.lab.simulate import TOO_FEW

TOO_FEW_BOTS = _("An arena needs two bots at least: name them with --bots, separated by commas.")
TWICE = _("“{bot}” is named twice: whoever plays against itself wins its fair share.")

Progress = Callable[[int, int], None]


def arena(
    game: Game,
    bots: Sequence[str | Bot | Maker],
    players: int | None = None,
    matches: int = 400,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
    *,
    meet: str = EVERYBODY,
    clock: float | None = None,
    patience: float | None = None,
    jobs: int | None = None,
    cluster: str | None = None,
    to: Path | None = None,
    log: Path | None = None,
    progress: Progress = lambda done, all_of_them: None,
    notice: Callable[[], None] = lambda: None,
) -> dict[str, Any]:
    """Let bots play at least `matches` matches, in whole rounds, and sum them up.

    A bot is a rank, "py:module:Class", "cmd:" and a command, a class that is called with (game, seed) for every seat
    and match, or an object with `decide(view, legal, clock)`. Classes and objects play in this process, unless `jobs`
    says otherwise: then they are pickled for the others.

    Who meets whom: EVERYBODY, each two apart in PAIRS, or each alone among those of the next on a LADDER.

    With `to` finished matches are kept in that file, and those it holds are not played again; `notice` is called when
    its last line was cut short. The result is the same for any number of `jobs`, and on any `cluster` ("local", or
    the address of a Ray).
    """
    for name, value in (("matches", matches), ("jobs", 1 if jobs is None else jobs)):
        if value < 1:
            raise BadOption("too-few", TOO_FEW, name=name, least=1, value=value)
    check_cluster(cluster, jobs, log)
    if len(bots) < (1 if game.cooperative else 2):
        raise BadOption("too-few-bots", TOO_FEW_BOTS)
    names, objects = entrants(bots, game)
    for name in names:
        if names.count(name) > 1:
            raise BadOption("named-twice", TWICE, bot=name)
    if objects and cluster is None:
        jobs = jobs_for(objects, jobs)
    players = game.usual_players if players is None else players
    agreed = terms(game, players, options, seed, clock, patience, log, objects)
    if not game.cooperative:
        needed("openskill.models")  # before anything is played, not after
    size = sum(len(list(seatings(crew, seed, 0))) for crew in crews(names, players, meet, game.cooperative))
    rounds = -(-matches // size)
    fixtures = list(islice(schedule(game, names, agreed, meet), rounds * size))
    with spreading(cluster, partial(spread, jobs=jobs or all_cores())) as way:
        start = time.perf_counter()
        if to is None:
            played = list(_play_all(agreed, fixtures, way, progress, {}, None))
        else:
            with Ledger(to, _head(game, names, agreed, meet)) as ledger:
                if ledger.cut_short:
                    notice()
                kept = {number: _checked(line, fixtures, to) for number, line in ledger.kept.items()}
                played = list(_play_all(agreed, fixtures, way, progress, kept, ledger))
        seconds = time.perf_counter() - start
    return {
        "game": game.id, "game_version": game.version, "players": players, "options": dict(agreed.options),
        "cooperative": game.cooperative, "bots": names, "meet": meet, "seed": seed, "clock": clock,
        "reproducible": clock is None, "rounds": rounds, "matches_per_round": size, "matches": len(played),
        "seconds": round(seconds, 3), **summary(game, names, played, rounds),
    }  # fmt: skip


def schedule(game: Game, bots: Sequence[str], agreed: Terms, meet: str) -> Iterator[Fixture]:
    """The matches of a seed, round by round, without end."""
    number = turn = 0
    while True:
        for crew in crews(bots, agreed.players, meet, game.cooperative):
            for seats in seatings(crew, agreed.seed, turn):
                yield Fixture(number, turn, seats)
                number += 1
        turn += 1


def _play_all(
    agreed: Terms, fixtures: Sequence[Fixture], way: Spread, progress: Progress,
    kept: Mapping[int, Played], ledger: Ledger | None,
) -> Iterator[Played]:  # fmt: skip
    missing = [fixture for fixture in fixtures if fixture.number not in kept]
    fresh = way(partial(play, agreed), missing)
    for done, fixture in enumerate(fixtures, 1):
        match = kept.get(fixture.number)
        if match is None:
            match = next(fresh)
            if ledger:
                ledger.add(match.as_dict())
        progress(done, len(fixtures))
        yield match


def _head(game: Game, bots: Sequence[str], agreed: Terms, meet: str) -> dict[str, Any]:
    """What decides about every match: a file with anything else holds other matches."""
    return {
        "tribord": tribord.__version__, "game": game.id, "game_version": game.version, "players": agreed.players,
        "options": dict(agreed.options), "bots": list(bots), "meet": meet, "seed": agreed.seed,
        "clock": agreed.clock, "patience": agreed.patience,
    }  # fmt: skip


def _checked(line: Mapping[str, Any], fixtures: Sequence[Fixture], path: Path) -> Played:
    """A match from a file, if it is the one that is to be played under its number."""
    try:
        match = Played(**line)
        ours = match.number >= len(fixtures) or list(fixtures[match.number].seats) == match.seats
    except TypeError:
        ours = False
    if not ours:
        raise BadFile("bad-line", BAD_LINE, path=path, line=line["number"] + 2)
    return match


# -- summing up ---------------------------------------------------------------------------------------------------


def summary(game: Game, bots: Sequence[str], played: Sequence[Played], rounds: int) -> dict[str, Any]:
    """What the matches say of the bots, in the order in which these were named."""
    by_round: list[list[Played]] = [[] for _round in range(rounds)]
    for match in played:
        by_round[match.round].append(match)
    found: dict[str, Any] = {"fair": None if game.cooperative else round(1 / len(played[0].seats), 6)}
    found["standings"] = [_standing(game, bot, played, by_round) for bot in bots]
    if game.cooperative:
        found["paired"] = {a: {b: _paired(a, b, by_round) for b in bots if b != a} for a in bots}
    else:
        rated = ratings(bots, played)
        for standing in found["standings"]:
            standing["rating"] = rated[standing["bot"]]
        found["alone"] = _table(bots, by_round, _alone)
        found["cross"] = _table(bots, by_round, _ahead)
    found["reasons"] = dict(Counter(match.reason for match in played).most_common())
    found["digest"] = digest(played)
    return found


def digest(played: Sequence[Played]) -> str:
    """A hash of every match but for the time it took: equal digests, equal matches."""
    hashed = hashlib.sha256()
    for match in played:
        hashed.update(json.dumps(match.as_dict() | {"seconds": None, "examples": None}).encode())
    return hashed.hexdigest()


def credit(match: Played, seat: int, cooperative: bool = False) -> float:
    """A seat's part of the victory: a shared one counts as a share, but in a cooperative game all win together."""
    if seat not in match.winners:
        return 0.0
    return 1.0 if cooperative else 1 / len(match.winners)


def _standing(game: Game, bot: str, played: Sequence[Played], by_round: list[list[Played]]) -> dict[str, Any]:
    shares, scores = [], []
    for matches in by_round:
        held = [(match, seat) for match in matches for seat, name in enumerate(match.seats) if name == bot]
        shares.append(float(np.mean([credit(match, seat, game.cooperative) for match, seat in held])))
        scores.append(float(np.mean([match.scores[seat] for match, seat in held])))
    seats = [(match, seat) for match in played for seat, name in enumerate(match.seats) if name == bot]
    decisions = sum(match.decisions[seat] for match, seat in seats)
    faults = {kind: sum(match.faults[seat].get(kind, 0) for match, seat in seats) for kind in FAULTS}
    each = 1 if game.cooperative else len(seats) / len(by_round)
    return {
        "bot": bot,
        "matches": len({match.number for match, _seat in seats}),
        "seats": len(seats),
        "win_share": share_of(shares, each).as_dict(),
        "score": mean_of(scores).as_dict(),
        "decisions": decisions,
        "seconds_per_decision": round(sum(match.seconds[seat] for match, seat in seats) / max(1, decisions), 6),
        "faults": faults,
        "fault": next((match.examples[seat] for match, seat in seats if match.examples[seat]), None),
    }


def _table(
    bots: Sequence[str], by_round: list[list[Played]], measure: Callable[[Played, str, str], list[float]]
) -> dict[str, dict[str, dict[str, float | None]]]:
    """A measure of every bot against every other, where they have met."""
    table: dict[str, dict[str, dict[str, float | None]]] = {bot: {} for bot in bots}
    for a in bots:
        for b in bots:
            rounds = [[x for match in matches for x in measure(match, a, b)] for matches in by_round if a != b]
            met = [values for values in rounds if values]
            if met:
                table[a][b] = interval_over(met).as_dict()
    return table


def interval_over(rounds: Sequence[Sequence[float]]) -> Interval:
    """A share over rounds of several observations each."""
    return share_of([float(np.mean(values)) for values in rounds], float(np.mean([len(v) for v in rounds])))


def _alone(match: Played, a: str, b: str) -> list[float]:
    """The victory of the only `a` at a table of nothing but `b`."""
    if match.seats.count(a) != 1 or match.seats.count(b) != len(match.seats) - 1:
        return []
    return [credit(match, match.seats.index(a))]


def _ahead(match: Played, a: str, b: str) -> list[float]:
    """Whether a seat of `a` came out ahead of one of `b`, for every two of them; equals count a half."""
    place = places(match)
    ours = [place[seat] for seat, name in enumerate(match.seats) if name == a]
    theirs = [place[seat] for seat, name in enumerate(match.seats) if name == b]
    return [(mine < other) + (mine == other) / 2 for mine in ours for other in theirs]


def _paired(a: str, b: str, by_round: list[list[Played]]) -> dict[str, Any]:
    """How much oftener `a` wins than `b` on the same dice, and in how many rounds only one of them did."""
    won = [{match.seats[0]: bool(match.winners) for match in matches} for matches in by_round]
    return {
        "difference": mean_of([float(w[a]) - float(w[b]) for w in won]).as_dict(),
        "only_this": sum(w[a] and not w[b] for w in won),
        "only_other": sum(w[b] and not w[a] for w in won),
    }
