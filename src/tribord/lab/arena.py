"""The arena: find out which bots are stronger, and how sure that is, with every bot in every seat on common seeds.

A round is one chance seed for all its line-ups (`lineup`): within a round every bot holds every seat equally often and
meets the same luck. Rounds are independent, so every interval is over rounds.
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
from tribord.lab.extra import installed
from tribord.lab.interval import Interval, mean_of, share_of, skewed_mean_of
from tribord.lab.ledger import BAD_LINE, Ledger
from tribord.lab.lineup import EVERYBODY, crews, seatings
from tribord.lab.luck import COEFFICIENTS, coefficients
from tribord.lab.rating import places, ratings
from tribord.lab.simulate import TOO_FEW

TOO_FEW_BOTS = _("An arena needs at least two bots: name them with --bots, separated by commas.")
TWICE = _("“{bot}” is named twice. A bot that plays against itself just wins its fair share.")

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
    redraws: int = 0,
    jobs: int | None = None,
    cluster: str | None = None,
    to: Path | None = None,
    log: Path | None = None,
    progress: Progress = lambda done, all_of_them: None,
    notice: Callable[[], None] = lambda: None,
) -> dict[str, Any]:
    """Let bots play at least `matches` matches, in whole rounds, and summarize them.

    A bot is a rank, "py:module:Class", "net:" and a file, "cmd:" and a command, a class that is called with
    (game, seed) for every seat and match, or an object with `decide(view, legal, clock)`. Classes and objects play in
    this process; with `jobs` they are pickled for the worker processes.

    Every win share comes with a luck-corrected one (see `luck`). With `redraws` it is also corrected for the random
    decisions of bots that depend on view and seed alone: each is drawn that many more times.

    Pairings: EVERYBODY at one table, every two bots in PAIRS, or each bot alone among the next one on a LADDER.

    With `to`, finished matches are kept in that file and aren't played again; `notice` is called if its last line was
    cut short. The result is the same for any number of `jobs` and on any `cluster` ("local" or the address of a Ray
    cluster).
    """
    for name, value in (("matches", matches), ("jobs", 1 if jobs is None else jobs)):
        if value < 1:
            raise BadOption("too-few", TOO_FEW, name=name, least=1, value=value)
    if redraws < 0:
        raise BadOption("too-few", TOO_FEW, name="redraws", least=0, value=redraws)
    check_cluster(cluster, jobs, log)
    if len(bots) < (1 if game.cooperative else 2):
        raise BadOption("too-few-bots", TOO_FEW_BOTS)
    players = game.usual_players if players is None else players
    names, objects = entrants(bots, game, players, options)
    for name in names:
        if names.count(name) > 1:
            raise BadOption("named-twice", TWICE, bot=name)
    if objects and cluster is None:
        jobs = jobs_for(objects, jobs)
    agreed = terms(game, players, options, seed, clock, patience, log, objects, redraws)
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
    weights = coefficients(game, game.match(players, 0, agreed.options).state)
    return {
        "game": game.id, "game_version": game.version, "players": players, "options": dict(agreed.options),
        "cooperative": game.cooperative, "bots": names, "meet": meet, "seed": seed, "clock": clock, "redraws": redraws,
        "reproducible": clock is None, "rounds": rounds, "matches_per_round": size, "matches": len(played),
        "seconds": round(seconds, 3), **summary(game, names, played, rounds, weights),
    }  # fmt: skip


def schedule(game: Game, bots: Sequence[str], agreed: Terms, meet: str) -> Iterator[Fixture]:
    """The endless matches of a seed, round by round."""
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
    """Everything that determines the matches: a file with other terms holds other matches."""
    return {
        "tribord": tribord.__version__, "game": game.id, "game_version": game.version, "players": agreed.players,
        "options": dict(agreed.options), "bots": list(bots), "meet": meet, "seed": agreed.seed,
        "clock": agreed.clock, "patience": agreed.patience,
        **({"redraws": agreed.redraws} if agreed.redraws else {}),
    }  # fmt: skip


def _checked(line: Mapping[str, Any], fixtures: Sequence[Fixture], path: Path) -> Played:
    """A match from a file, if it's the fixture with this number."""
    try:
        match = Played(**line)
        ours = match.number >= len(fixtures) or list(fixtures[match.number].seats) == match.seats
    except TypeError:
        ours = False
    if not ours:
        raise BadFile("bad-line", BAD_LINE, path=path, line=line["number"] + 2)
    return match


# -- summing up ---------------------------------------------------------------------------------------------------


def summary(
    game: Game,
    bots: Sequence[str],
    played: Sequence[Played],
    rounds: int,
    weights: tuple[float, float] = COEFFICIENTS,
) -> dict[str, Any]:
    """Summarize the matches by bot, in the order named, with these weights for luck."""
    by_round: list[list[Played]] = [[] for _round in range(rounds)]
    for match in played:
        by_round[match.round].append(match)
    found: dict[str, Any] = {"fair": None if game.cooperative else round(1 / len(played[0].seats), 6)}
    found["standings"] = [_standing(game, bot, played, by_round) for bot in bots]
    if all(match.luck for match in played):  # older files have none
        for standing in found["standings"]:
            standing["corrected"] = _corrected(game, standing["bot"], by_round, weights)
    if game.cooperative:
        found["paired"] = {a: {b: _paired(a, b, by_round) for b in bots if b != a} for a in bots}
    else:
        rated = ratings(bots, played) if installed("openskill") else {}
        for standing in found["standings"]:
            standing |= {"rating": rated[standing["bot"]]} if rated else {}
        found["alone"] = _table(bots, by_round, _alone)
        found["cross"] = _table(bots, by_round, _ahead)
    found["reasons"] = dict(Counter(match.reason for match in played).most_common())
    found["digest"] = digest(played)
    return found


def digest(played: Sequence[Played]) -> str:
    """A hash of every match except its times and luck: equal digests mean equal matches."""
    hashed = hashlib.sha256()
    for match in played:
        told = match.as_dict() | {"seconds": None, "examples": None}
        del told["luck"]  # follows from the match and the number of redraws
        hashed.update(json.dumps(told).encode())
    return hashed.hexdigest()


def credit(match: Played, seat: int, cooperative: bool = False) -> float:
    """A seat's share of the victory, divided among the winners; in a cooperative game all win together."""
    if seat not in match.winners:
        return 0.0
    return 1.0 if cooperative else 1 / len(match.winners)


def corrected_credit(match: Played, seat: int, weights: tuple[float, float], cooperative: bool = False) -> float:
    """A seat's share of the victory minus its luck."""
    return credit(match, seat, cooperative) - sum(w * part for w, part in zip(weights, match.luck[seat]))


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


def _corrected(game: Game, bot: str, by_round: list[list[Played]], weights: tuple[float, float]) -> dict[str, Any]:
    """A bot's luck-corrected win share, and how many uncorrected matches would give the same precision."""
    plain, corrected = [], []
    for matches in by_round:
        held = [(match, seat) for match in matches for seat, name in enumerate(match.seats) if name == bot]
        plain.append(float(np.mean([credit(match, seat, game.cooperative) for match, seat in held])))
        without = [corrected_credit(match, seat, weights, game.cooperative) for match, seat in held]
        corrected.append(float(np.mean(without)))
    spread = np.var(plain), np.var(corrected)
    known = len(by_round) > 1 and spread[0] > 0 and spread[1] > 1e-9
    return {
        "win_share": skewed_mean_of(corrected).as_dict(),
        "as_sure_as": round(sum(map(len, by_round)) * float(spread[0] / spread[1])) if known else None,
    }


def _table(
    bots: Sequence[str], by_round: list[list[Played]], measure: Callable[[Played, str, str], list[float]]
) -> dict[str, dict[str, dict[str, float | None]]]:
    """A measure of every bot against every other it has met."""
    table: dict[str, dict[str, dict[str, float | None]]] = {bot: {} for bot in bots}
    for a in bots:
        for b in bots:
            rounds = [[x for match in matches for x in measure(match, a, b)] for matches in by_round if a != b]
            met = [values for values in rounds if values]
            if met:
                table[a][b] = interval_over(met).as_dict()
    return table


def interval_over(rounds: Sequence[Sequence[float]]) -> Interval:
    """A share over rounds with several observations each."""
    return share_of([float(np.mean(values)) for values in rounds], float(np.mean([len(v) for v in rounds])))


def _alone(match: Played, a: str, b: str) -> list[float]:
    """The share of victory of a single `a` at a table where all others are `b`."""
    if match.seats.count(a) != 1 or match.seats.count(b) != len(match.seats) - 1:
        return []
    return [credit(match, match.seats.index(a))]


def _ahead(match: Played, a: str, b: str) -> list[float]:
    """Whether a seat of `a` came out ahead of one of `b`, for every such pair; ties count a half."""
    place = places(match)
    ours = [place[seat] for seat, name in enumerate(match.seats) if name == a]
    theirs = [place[seat] for seat, name in enumerate(match.seats) if name == b]
    return [(mine < other) + (mine == other) / 2 for mine in ours for other in theirs]


def _paired(a: str, b: str, by_round: list[list[Played]]) -> dict[str, Any]:
    """How much more often `a` wins than `b` on the same dice, and in how many rounds only one of them did."""
    won = [{match.seats[0]: bool(match.winners) for match in matches} for matches in by_round]
    return {
        "difference": mean_of([float(w[a]) - float(w[b]) for w in won]).as_dict(),
        "only_this": sum(w[a] and not w[b] for w in won),
        "only_other": sum(w[b] and not w[a] for w in won),
    }
