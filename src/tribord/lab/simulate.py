"""Simulation: play millions of matches, uniform in compiled code or between bots, the same on any number of cores."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from tribord.bots import Bot
from tribord.bots.python import Maker
from tribord.bots.uniform import UNIFORM
from tribord.core import event, verbs
from tribord.core.bits import lowest_bit
from tribord.core.chance import seed_stream
from tribord.core.compiled import compiled
from tribord.core.engine import MOST_SEATS
from tribord.core.game import Game, load
from tribord.core.record import CHANCE, Ints, State, States
from tribord.core.refusal import BadOption
from tribord.core.words import _
from tribord.lab.cluster import check_cluster, spreading
from tribord.lab.contest import Fixture, Terms, check_seed, entrants, jobs_for, play_match, terms
from tribord.lab.cores import spread, spread_compiled
from tribord.lab.event_counts import ROOM, EventCounts, actors, count_match, count_playouts, no_events
from tribord.lab.export import Export
from tribord.lab.tally import Tally
from tribord.lab.trajectories import Decisions, Trajectories, decisions_of, joined, recorded

TOO_FEW = _("“{name}” must be a whole number of at least {least}, not {value}.")
BOTS_AND_SEATS = _("{bots} bots for {players} seats: name one bot for all seats, or one for each.")
CPU, CUDA = "cpu", "cuda"
GUIDED = "guided"  # with the N of best of N, instead of a bot
BAD_DEVICE = _("Unknown device “{device}”: use cpu or cuda.")
CARD_IS_FOR = _("A GPU plays uniform or guided matches and counts them: “{name}” needs the CPU.")
BEST_OF_OR_REPORT = _("Guided matches have no report: use either “best-of” or “report”.")
BEST_OF_OR_TRAJECTORIES = _("Guided matches have no trajectories: use either “best-of” or “trajectories”.")
BEST_OF_OR_BOTS = _("Guided matches have no bots: use either “best-of” or “bots”.")
CHUNK = 4096  # matches a thread takes at a time
RECORDED = 64  # matches at a time whose decisions are kept: they take much memory
MATCHES_OF_BOTS = 4  # matches between bots that a process takes at a time


@compiled
def playouts(
    states: States,
    settings: State,
    seed: int,
    first: int,
    rng: Ints,
    out: Ints,
    weights: Ints,
    scores: Ints,
    wins: Ints,
    lengths: Ints,
) -> None:
    """Play every match of an array to its end with uniform random actions, each on its own stream of the seed."""
    for i in range(len(states)):
        state = states[i]
        seed_stream(rng, seed, first + i)
        verbs.initial(state, settings)
        length = 0
        while True:
            mask = verbs.to_act(state)
            if mask == 0:
                if verbs.outcome(state, scores[i], wins[i]) != 0:
                    break
                verbs.apply(state, CHANCE, verbs.roll(state, rng, weights), None)
                continue
            seat = lowest_bit(mask)
            verbs.apply(state, seat, verbs.sample(state, seat, rng, out), None)
            length += 1
        lengths[i] = length


@compiled
def endings(states: States, scores: Ints, wins: Ints, reasons: Ints) -> None:
    """Why each of these matches ended."""
    for i in range(len(states)):
        reasons[i] = verbs.outcome(states[i], scores[i], wins[i])


@dataclass
class Sample:
    """Finished matches: final states, scores, winners (0/1) and lengths in seat actions."""

    states: States
    scores: Ints
    wins: Ints
    lengths: Ints
    event_counts: EventCounts | None = None  # if requested
    decisions: Decisions | None = None  # if requested
    faults: Counter[tuple[int, str]] = field(default_factory=Counter)  # moves that a bot lost, by seat and kind

    def reasons(self) -> Ints:
        """Why each match ended: 1 for the game's first ending, and so on."""
        found = np.zeros(len(self.states), np.int64)
        endings(self.states, self.scores, self.wins, found)
        return found


class Recorder(Protocol):
    """Keeps decisions as matches are played; leaving it with an error discards them."""

    def __enter__(self) -> Any: ...

    def add(self, sample: Sample, first: int) -> None:
        """Take matches number `first` and following."""
        ...

    def __exit__(self, kind: Any, error: Any, at: Any) -> None: ...


def empty_sample(game: Game, matches: int) -> Sample:
    """Allocate arrays for this many matches."""
    seats = game.players[1]
    return Sample(
        game.states(matches),
        np.zeros((matches, seats), np.int64),
        np.zeros((matches, seats), np.int64),
        np.zeros(matches, np.int64),
    )


def play_out(game: Game, settings: State, matches: int, seed: int, first: int = 0) -> Sample:
    """Play matches number `first`, `first + 1`, … of a seed."""
    sample = empty_sample(game, matches)
    rng = np.zeros(4, np.int64)
    out, weights = np.zeros(game.actions, np.int64), np.zeros(game.chances, np.int64)
    playouts(sample.states, settings, seed, first, rng, out, weights, sample.scores, sample.wins, sample.lengths)
    return sample


def play_out_counting(game: Game, settings: State, matches: int, seed: int, first: int = 0) -> Sample:
    """The same matches as `play_out`, with their event counts."""
    sample = empty_sample(game, matches)
    found = sample.event_counts = no_events(game)
    rng = np.zeros(4, np.int64)
    out, weights = np.zeros(game.actions, np.int64), np.zeros(game.chances, np.int64)
    count_playouts(
        sample.states, settings, seed, first, rng, out, weights, sample.scores, sample.wins, sample.lengths,
        int(settings.players), int(game.cooperative), event.buffer(), np.zeros((ROOM, 2 + event.FIELDS), np.int32),
        np.zeros((ROOM, 2), np.int64), np.zeros(MOST_SEATS, np.int64), actors(game),
        np.zeros(len(found.kinds), np.int64), found.kinds, found.values, found.actions, found.lost,
    )  # fmt: skip
    return sample


def play_bots(agreed: Terms, seats: tuple[str, ...], counting: bool, recording: bool, span: tuple[int, int]) -> Sample:
    """Matches number `first` to `last` between these bots, each with its own dice."""
    first, last = span
    game = load(agreed.game)
    sample = empty_sample(game, last - first)
    sample.event_counts = no_events(game) if counting else None
    decided: list[Decisions] = []
    for i in range(last - first):
        match, crew = play_match(agreed, Fixture(first + i, first + i, seats))
        ended = match.outcome
        assert ended is not None
        sample.states[i] = match.state
        sample.scores[i, : match.players] = ended.scores
        sample.wins[i, ended.winners] = 1
        sample.lengths[i] = sum(bot.decisions for bot in crew)
        for seat, bot in enumerate(crew):
            sample.faults.update({(seat, kind): times for kind, times in bot.faults.items()})
        if sample.event_counts:
            count_match(match, sample.event_counts)
        if recording:
            decided.append(decisions_of(match))
    sample.decisions = joined(decided) if recording else None
    return sample


def simulate(
    game: Game,
    players: int,
    matches: int,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
    threads: int | None = None,
    *,
    bots: Sequence[str | Bot | Maker] = (),
    clock: float | None = None,
    patience: float | None = None,
    log: Path | None = None,
    to: Path | None = None,
    trajectories: Path | None = None,
    recorder: Recorder | None = None,
    device: str = CPU,
    cluster: str | None = None,
    best_of: int = 0,
    tally: Tally | None = None,
    progress: Callable[[int, int], None] = lambda done, all_of_them: None,
) -> dict[str, Any]:
    """Play many matches and summarize them. `digest` hashes every final state in order.

    `bots` are named as in the arena, one for all seats or one for each; without them all actions are uniformly random,
    and compiled. In `win_share` a shared victory is divided, except in a cooperative game, where all win together.
    `to` is a file with a row per match, `trajectories` one with a row per decision; `tally` collects what a report
    needs. A `recorder` gets the decisions too (see `research.minari`). With `best_of` every seat plays the best of that
    many sampled actions (see `guide`). The device "cuda", any number of threads (default: one) and any `cluster`
    ("local" or the address of a Ray cluster) play the same matches.
    """
    jobs = 1 if threads is None else threads
    for name, value, least in (("matches", matches, 1), ("threads", jobs, 1), ("best_of", best_of, 0)):
        if value < least:
            raise BadOption("too-few", TOO_FEW, name=name, least=least, value=value)
    check_cluster(cluster, threads, log)
    check_seed(seed)
    settings = game.settings(players, options, research=True)
    names, objects = entrants(bots, game, players, options)
    seats = seats_of(players, names)
    who = list(seats) or [f"{GUIDED}:{best_of}" if best_of else UNIFORM] * players
    tally = Tally(game, players) if tally is None else tally
    digest = hashlib.sha256()
    counting, recording = tally.event_counts is not None, trajectories is not None or recorder is not None
    chunks: Iterable[Sample] = ()
    if best_of and seats:
        raise BadOption("best-of-or-bots", BEST_OF_OR_BOTS)
    with ExitStack() as stack:
        if device == CUDA:
            kept = (("bots", seats), ("to", to), ("trajectories", recording), ("report", counting))
            for name, wanted in (*kept, ("cluster", cluster)):
                if wanted:
                    raise BadOption("not-on-a-card", CARD_IS_FOR, name=name)
            from tribord.lab.cuda import play_and_count

            # Compile before the clock starts, here and below.
            list(play_and_count(game, settings, 1, seed, Tally(game, players), best_of))
            start = time.perf_counter()
            for states in play_and_count(game, settings, matches, seed, tally, best_of):
                digest.update(states)
                progress(tally.matches, matches)
        elif device != CPU:
            raise BadOption("bad-device", BAD_DEVICE, device=device)
        elif seats:
            jobs = jobs_for(objects, threads) if objects and cluster is None else jobs
            agreed = terms(game, players, options, seed, clock, patience, log, objects)
            play_bots(agreed, seats, counting, recording, (0, 1)).reasons()
            way = stack.enter_context(spreading(cluster, partial(spread, jobs=jobs)))
            start = time.perf_counter()
            chunks = way(partial(play_bots, agreed, seats, counting, recording), spans(matches, MATCHES_OF_BOTS))
        else:
            play: Callable[..., Sample] = play_out_counting if counting else play_out
            if best_of:
                from tribord.lab.guide import play_guided

                if counting:
                    raise BadOption("best-of-or-report", BEST_OF_OR_REPORT)
                play = partial(play_guided, best_of=best_of)
            if recording:
                if best_of:
                    raise BadOption("best-of-or-trajectories", BEST_OF_OR_TRAJECTORIES)
                play = partial(recorded, play)
            play(game, settings, 1, seed).reasons()
            way = stack.enter_context(spreading(cluster, partial(spread_compiled, threads=jobs)))
            start = time.perf_counter()
            chunks = way(
                partial(play_span, play, game.id, settings, seed), spans(matches, RECORDED if recording else CHUNK)
            )
        arguments = _arguments(game, settings, who, seed)
        export = stack.enter_context(Export(to, game, players, arguments))
        decisions = stack.enter_context(Trajectories(trajectories, game, players, arguments))
        stack.enter_context(recorder or nullcontext())
        for chunk in chunks:
            digest.update(chunk.states.tobytes())
            export.add(chunk, tally.matches)
            decisions.add(chunk, tally.matches)
            if recorder:
                recorder.add(chunk, tally.matches)
            tally.add(chunk)
            progress(tally.matches, matches)
        seconds = time.perf_counter() - start
    return {
        "game": game.id,
        "players": players,
        "options": game.options_of(settings),
        "bots": who,
        "device": device,
        "seed": seed,
        "matches": matches,
        "actions": tally.actions,
        "seconds": round(seconds, 6),
        "actions_per_second": round(tally.actions / seconds),
        **tally.as_dict(),
        "digest": digest.hexdigest(),
    }


def spans(matches: int, size: int) -> list[tuple[int, int]]:
    """Matches in portions: the first of each, and the one after its last."""
    return [(first, min(first + size, matches)) for first in range(0, matches, size)]


def play_span(play: Callable[..., Sample], name: str, settings: State, seed: int, span: tuple[int, int]) -> Sample:
    """Matches number `first` to `last` without bots, in whichever process this runs."""
    first, last = span
    return play(load(name), settings, last - first, seed, first)


def seats_of(players: int, bots: Sequence[str]) -> tuple[str, ...]:
    """The bot in every seat, from one name for all or one for each; empty if all seats play at random."""
    seats = tuple(bots) * players if len(bots) == 1 else tuple(bots)
    if seats and len(seats) != players:
        raise BadOption("bots-and-seats", BOTS_AND_SEATS, bots=len(seats), players=players)
    return () if set(seats) == {UNIFORM} else seats


def _arguments(game: Game, settings: State, who: Sequence[str], seed: int) -> dict[str, Any]:
    return {
        "game": game.id, "game_version": game.version, "options": game.options_of(settings), "seed": seed,
        "bots": list(who),
    }  # fmt: skip
