"""Match analysis: the value of every decision, the turning points, and how much of the result was luck.

The same search (`decision`) weighs each decision through two lenses: from the seat's view, which is what it knew, and
in hindsight, with the hidden facts but not the dice to come. In a sealed choice hindsight also knows what the others
chose, in whatever order they did.

Every seat's chances are estimated between two lines of the journal (`chances`). A change by chance is luck; a change by
a seat's decision is that seat's skill. Both are differences of the same estimates, so they add up to the result
exactly, however rough the estimates are. That's also why everything is counted in millionths.

Of many noisy estimates the greatest difference is mostly noise. So the steps that seem to have decided the match are
looked at again: fresh and longer estimates, from which alone it's told what happened there. If fewer than three steps
are sure even then, the likeliest of the others are told too, as unsure.

Sealed choices happen at once, so their order in the journal means nothing. A seat's skill there is what its choice
alone changed, with the rest still open; what they changed together counts as done by the others.
"""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import groupby
from statistics import NormalDist
from typing import Any

from tribord.bots import solver
from tribord.bots.advice import describe_event, describe_ply
from tribord.bots.decision import Decision, Ply, carry_out
from tribord.bots.search import check_clock, iterations_of
from tribord.core.engine import Legal
from tribord.core.game import Game, load
from tribord.core.match import Entry, Match
from tribord.core.record import CHANCE, States, duplicate, revive
from tribord.core.refusal import BadOption
from tribord.lab.chances import PLAYOUTS, Chances, chances
from tribord.lab.cluster import ClusterSpread, check_cluster, spreading
from tribord.lab.contest import check_seed
from tribord.lab.cores import Spread, all_cores, spread
from tribord.lab.interval import Interval
from tribord.lab.simulate import TOO_FEW

MILLION = 1_000_000
MOMENTS, CANDIDATES = 3, 8  # the latter are looked at again
SPARE = 6  # at least so many are looked at again, even if none seems sure
AGAIN = 4  # times as many playouts, or
LOOKING_AGAIN = 0.2  # of the time
Z = 1.96
SURE = NormalDist().inv_cdf(1 - 0.025 / CANDIDATES)  # with which all candidates together are right in 95 of 100 matches
PROBABLE = 1.0  # standard errors: one that isn't sure is told only if it changed someone's chances beyond that
LUCK, CHOICE = "luck", "choice"  # what caused a moment
LENSES = ("knew", "hindsight")
VERDICTS = {"blunder": 0.15, "mistake": 0.1, "inaccuracy": 0.05}  # by the share of victory lost
GOOD = "good"

Offer = Mapping[str, Any]  # as a table keeps it: seat, offer, version
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Effort:
    """How hard to search: by the clock, or by counts, which give the same result on every machine."""

    game: str
    seed: int
    seconds: float | None  # for a whole step
    iterations: int  # in each tree of a search, without seconds
    playouts: int | None  # in a position; with seconds the least, however long they take
    threads: int = 1  # of a search
    until: float | None = None  # when all steps should be done, by the clock of the machine


@dataclass(frozen=True)
class JournalStep:
    """A line of the journal, with the full state before it; one more without a seat follows the last line."""

    place: int
    seat: int
    action: int
    state: bytes
    settled: bytes  # the same for the chances: sealed choices that couldn't be others are already made
    hindsight: bytes  # the full state, as if the seat had been the last to seal its choice
    alone: bytes  # with this sealed choice and no other; empty if that's the next state, or the choice isn't sealed
    group: int  # where the choices sealed together with this one begin; its own place if it's not sealed
    legal: tuple[int, ...]  # empty for chance
    promised: tuple[int, ...]  # what the seat had promised to do here

    @property
    def forced(self) -> bool:
        """Whether there was only one possibility."""
        return len(self.legal) == 1


@dataclass(frozen=True)
class Weighing:
    """A choice through one lens: its value, the best alternative, and the margin between the two."""

    chosen: Interval
    other: int
    other_value: Interval
    margin: Interval
    exact: bool
    line: tuple[Ply, ...]  # of the better of the two
    promised: dict[int, Interval]  # the margin over each promised choice


@dataclass(frozen=True)
class Studied:
    """The findings about a step."""

    place: int
    chances: Chances | None  # before it; None if forced: the chances after it hold before it too
    alone: Chances | None  # after it, if no one else had sealed a choice; None if those after it hold
    knew: Weighing | None
    hindsight: Weighing | None
    again: tuple[Swing, ...] = ()  # what seems to have decided the match, looked at again; with the last step


@dataclass(frozen=True)
class Swing:
    """A change of someone's chances in a step."""

    place: int
    who: int
    before: Chances
    after: Chances

    @property
    def change(self) -> float:
        """The change of their chances."""
        return float(self.after.mean[self.who] - self.before.mean[self.who])

    @property
    def deviation(self) -> float:
        """Its standard error."""
        return math.sqrt(float(self.before.variance[self.who] + self.after.variance[self.who]))

    def least(self, z: float) -> float:
        """By how much the chances changed at least, this many standard errors below the estimate."""
        return abs(self.change) - z * self.deviation


def analyse(
    match: Match,
    seconds: float | None = None,
    *,
    iterations: int | None = None,
    playouts: int | None = None,
    seed: int = 0,
    offers: Sequence[Offer] | None = None,
    jobs: int | None = None,
    cluster: str | None = None,
    progress: Progress = lambda done, all_of_them: None,
) -> dict[str, Any]:
    """Analyse a match: the value of every decision, the turning points, and how luck and skill add up to the result.

    Give it about how many `seconds` to take on all cores. Without them it counts `iterations` in each tree of a search
    (by default a fifth of a captain's) and `playouts` for the chances in a position; then the same seed gives the same
    analysis for any number of `jobs` and on any `cluster`. With seconds, `playouts` are the least in each position,
    however long they take. `offers` default to those of the match file; each has a seat, an offer and a version.

    `progress` is called with the number of steps done. To cancel, raise from it, or iterate over `study` instead.
    """
    offers = match.offers if offers is None else offers
    steps = list(_steps(match, offers))
    studied = []
    for found in study(
        match, seconds, iterations=iterations, playouts=playouts, seed=seed, offers=offers, jobs=jobs, cluster=cluster
    ):
        studied.append(found)
        progress(len(studied), len(steps))
    return _summary(match, steps, studied, offers) | {
        "seconds": seconds,
        "seed": seed,
        "reproducible": seconds is None,
    }


def study(
    match: Match,
    seconds: float | None = None,
    *,
    iterations: int | None = None,
    playouts: int | None = None,
    seed: int = 0,
    offers: Sequence[Offer] | None = None,
    jobs: int | None = None,
    cluster: str | None = None,
) -> Iterator[Studied]:
    """Study the steps of a match in order. To cancel, close the generator: the processes end at once."""
    for name, value in (("iterations", iterations), ("playouts", playouts), ("jobs", jobs)):
        if value is not None and value < 1:
            raise BadOption("too-few", TOO_FEW, name=name, least=1, value=value)
    check_seed(seed)
    check_cluster(cluster, jobs)
    game = match.game
    steps = list(_steps(match, match.offers if offers is None else offers))
    jobs = all_cores() if jobs is None else jobs
    if solver.covers(game, match.state):
        jobs, cluster = 1, None  # the values only need to be looked up
        solver.solution(game)
    if seconds is not None:
        check_clock(seconds)
    if iterations is None:
        iterations = max(1, iterations_of(game, "capitaine") // 5)
    if seconds is None:
        playouts = playouts or PLAYOUTS
    work = sum(_work(step) for step in steps)
    begun = time.time()
    with spreading(cluster, partial(spread, jobs=jobs)) as way:
        elsewhere = isinstance(way, ClusterSpread)  # where clocks may differ
        cores, threads = (way.cores, 1) if isinstance(way, ClusterSpread) else (jobs, max(1, all_cores() // jobs))
        budget = None if seconds is None else seconds * cores
        each = None if budget is None else (1 - LOOKING_AGAIN) * budget / max(work, 1.0)
        until = None if seconds is None or elsewhere else begun + (1 - LOOKING_AGAIN) * seconds
        effort = Effort(game.id, seed, each, iterations, playouts, threads, until)
        studied: list[Studied] = []
        for found in way(partial(_examine_in_time, effort), list(_paced(steps, work / cores, cores))):
            studied.append(found)
            if len(studied) < len(steps):
                yield found
        if seconds is not None and budget is not None and not elsewhere:
            budget = min(budget, cores * max(0.0, begun + seconds - time.time()) / LOOKING_AGAIN)
        yield replace(studied[-1], again=tuple(_look_again(steps, studied, effort, budget, way)))


PLAYING, WEIGHING = 0.5, 0.25  # of the time for a step: its playouts, and each of its two lenses
SHORTEST = 1e-6  # seconds for a step that has none left
FASTEST = 100_000  # iterations a second, more than any tree does: so trees aren't larger than the clock can fill


def _work(step: JournalStep) -> float:
    """The work for a step, where a decision that isn't sealed is 1."""
    if step.forced:
        return 0.0
    return PLAYING * (2 if step.alone else 1) + (2 * WEIGHING if step.legal else 0)


def _paced(steps: Sequence[JournalStep], left: float, cores: int) -> Iterator[tuple[JournalStep, float]]:
    """Each step with the work that is left for each core, its own included."""
    for step in steps:
        yield step, left
        left -= _work(step) / cores


def _examine_in_time(effort: Effort, paced: tuple[JournalStep, float]) -> Studied:
    """Study a step; if the steps before took longer than they should, in less time."""
    step, left = paced
    if effort.seconds is not None and effort.until is not None and not step.forced:
        each = (effort.until - time.time()) / left
        effort = replace(effort, seconds=min(effort.seconds, max(SHORTEST, each)))
    return examine(effort, step)


def examine(effort: Effort, step: JournalStep) -> Studied:
    """Study a step, in whichever process this runs."""
    game = load(effort.game)
    if step.forced:
        return Studied(step.place, None, None, None, None)
    found = _chances(effort, step.settled)
    if step.seat == CHANCE:
        return Studied(step.place, found, None, None, None)
    view = game.view_of(revive(step.state, game.dtype)[0], step.seat)
    seed = _seed(f"{effort.seed}:{step.group}:{step.seat}")
    knew, hindsight = (_weigh(effort, step, known, seed) for known in (view, revive(step.hindsight, game.dtype)[0]))
    return Studied(step.place, found, _chances(effort, step.alone) if step.alone else None, knew, hindsight)


def _chances(effort: Effort, state: bytes, look: str = "") -> Chances:
    """The chances in a state. Its own bytes are the seed, so the way there doesn't matter."""
    game = load(effort.game)
    clock = {} if effort.seconds is None else {"seconds": PLAYING * effort.seconds}
    seed = _seed(f"{effort.seed}:{look}{state.hex()}")
    return chances(game, revive(state, game.dtype), effort.playouts, seed=seed, **clock)


def _seed(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")


def _look_again(
    steps: Sequence[JournalStep], studied: Sequence[Studied], effort: Effort, budget: float | None, way: Spread
) -> list[Swing]:
    """The steps that seem to have decided the match, with fresh and longer estimates where they aren't exact."""
    found = _swings(steps, _known(studied))
    owners: dict[int, JournalStep] = {}  # by place: the step whose state is estimated for it
    for step in reversed(steps):
        owners[step.place] = owners[step.place + 1] if step.forced else step
    rough = [swing for swing in found if swing.deviation]
    places = sorted({owners[place].place for swing in rough for place in (swing.place, swing.place + 1)})
    if budget is not None:
        effort = replace(effort, seconds=LOOKING_AGAIN * budget / PLAYING / max(1, len(places)))
    else:
        effort = replace(effort, playouts=AGAIN * (effort.playouts or PLAYOUTS))
    states = [steps[place].settled for place in places]
    fresh = dict(zip(places, way(partial(_chances, effort, look="again:"), states)))

    def at(place: int) -> Chances:
        return fresh[owners[place].place]

    return [replace(s, before=at(s.place), after=at(s.place + 1)) if s.deviation else s for s in found]


def _swings(steps: Sequence[JournalStep], known: Sequence[Chances]) -> list[Swing]:
    """The steps that seem to have changed someone's chances most, most first: the sure ones, else the likeliest."""
    found = []
    for step, before, after in zip(steps, known, known[1:]):
        if before is not after:
            each = [Swing(step.place, seat, before, after) for seat in range(len(before.mean))]
            found.append(max(each, key=lambda swing: swing.least(Z)))
    found.sort(key=lambda swing: (-swing.least(Z), swing.place))
    sure = [swing for swing in found[:CANDIDATES] if swing.least(Z) > 0]
    others = sorted(found[len(sure) :], key=lambda swing: (-swing.least(PROBABLE), swing.place))
    return sure + [swing for swing in others[: max(0, SPARE - len(sure))] if swing.change]


def _weigh(effort: Effort, step: JournalStep, known: Any, seed: int) -> Weighing | None:
    """Weigh a choice against the best alternative, given what is known."""
    game = load(effort.game)
    legal = Legal(step.seat, step.legal)
    limits: dict[str, Any] = {"iterations": effort.iterations}
    if effort.seconds is not None:
        clock = WEIGHING * effort.seconds
        limits = {"seconds": clock, "iterations": math.ceil(FASTEST * clock)}
    decision = Decision(game, known, legal, seed=seed, threads=effort.threads, **limits)
    other = decision.alternative(step.action)
    if other is None:  # every choice leads to the same position
        return None
    for action in (step.action, *step.promised):
        decision.look_closer(action)
    margin = decision.difference(step.action, other.action)
    if math.isnan(margin.mean):  # the trees had no room left for it
        return None
    return Weighing(
        decision.value(step.action).value, other.action, decision.value(other.action).value, margin, decision.exact,
        decision.line(other.action if margin.mean < 0 else step.action),
        {action: decision.difference(step.action, action) for action in step.promised},
    )  # fmt: skip


def _steps(match: Match, offers: Sequence[Offer]) -> Iterator[JournalStep]:
    """The lines of the journal, each with the full state before it."""
    journal, past = match.journal, match.beginning()
    promised = _promised(match, offers)
    group, opened, last = 0, past.states, -1  # sealed together: where they begin, the state there, the last place
    for place, entry in enumerate(journal):
        state = past.states.tobytes()
        if place > last and place >= match.branched:
            group, opened, last = place, duplicate(past.states), place + len(past.to_act) - 1
        if place < match.branched:  # of another match: as if nothing else could have happened
            yield JournalStep(place, entry.seat, entry.action, state, state, state, b"", place, (entry.action,), ())
        elif entry.seat == CHANCE:
            legal = tuple(k for k, weight in enumerate(past.weights()) if weight)
            legal = legal if len(legal) == 1 else ()
            yield JournalStep(place, CHANCE, entry.action, state, state, state, b"", place, legal, ())
        else:
            legal = tuple(past.legal(entry.seat))
            kept = tuple(action for action in promised.get(place, ()) if action in legal)
            settled, hindsight = _settled(past.game, past.states), _sealed_last(past, entry, journal[place + 1 :])
            alone = b""
            if last > group and len(legal) > 1:
                alone, after = (_after(past.game, states, entry) for states in (opened, past.states))
                alone = alone if alone != after else b""  # it was the first
            yield JournalStep(place, entry.seat, entry.action, state, settled, hindsight, alone, group, legal, kept)
        past.follow(entry)
    state = past.states.tobytes()
    settled = _settled(past.game, past.states)
    yield JournalStep(len(journal), CHANCE, 0, state, settled, state, b"", len(journal), (), ())


def _settled(game: Game, before: States) -> bytes:
    """The full state with those sealed choices made that couldn't be others: whenever they are, they change nothing."""
    states = duplicate(before)
    waiting = [seat for seat in range(game.players[1]) if game.engine.to_act(states) >> seat & 1]
    for seat in waiting if len(waiting) > 1 else ():
        if len(legal := game.engine.legal(states, seat)) == 1:
            carry_out(game, states, seat, legal[0])
    return states.tobytes()


def _after(game: Game, before: States, entry: Entry) -> bytes:
    """The full state after a decision, if of the others only those had chosen who had no choice."""
    states = revive(_settled(game, before), game.dtype)
    carry_out(game, states, entry.seat, entry.action)
    return states.tobytes()


def _sealed_last(past: Match, entry: Entry, later: Sequence[Entry]) -> bytes:
    """The full state before a decision, with what the others chose at the same time."""
    waiting = set(past.to_act) - {entry.seat}
    states = duplicate(past.states)
    for other in later[: len(waiting)]:
        if other.seat in waiting:
            carry_out(past.game, states, other.seat, other.action)
            waiting.remove(other.seat)
    return states.tobytes()


def _promised(match: Match, offers: Sequence[Offer]) -> dict[int, list[int]]:
    """The actions that would have kept a promise, by place in the journal."""
    found: dict[int, list[int]] = {}
    for made in offers:
        if match.game.offers and (promise := match.game.offers.promised(match, made)):
            found.setdefault(promise[0], []).append(promise[1])
    return found


# -- summing up -------------------------------------------------------------------------------------------------------


def _summary(
    match: Match, steps: Sequence[JournalStep], studied: Sequence[Studied], offers: Sequence[Offer]
) -> dict[str, Any]:
    """The findings as plain data."""
    known = _known(studied)
    alone = {found.place: found.alone for found in studied if found.alone}
    decisions = [_decision(match, step, found) for step, found in zip(steps, studied) if step.legal and step.seat >= 0]
    ended = match.outcome
    result: dict[str, Any] = {
        "game": match.game.id,
        "game_version": match.game.version,
        "players": match.players,
        "options": match.options,
        "names": match.names,
        "outcome": asdict(ended) if ended else None,
        "exact": all(not each.variance.any() for each in known),
        "series": [
            {"place": place, "values": [_interval(*pair).as_dict() for pair in zip(each.mean, each.variance)]}
            for place, each in enumerate(known)
        ],
        "decisions": decisions,
        "moments": _moments(match, steps, studied[-1].again, decisions),
        "seats": [
            _accuracy(seat, decisions) | _parts(match, seat, steps, known, alone) for seat in range(match.players)
        ],
        "promises": [_promise(match, made, studied) for made in offers if match.game.offers],
    }
    return result | {"digest": hashlib.sha256(json.dumps(result).encode()).hexdigest()}


def _known(studied: Sequence[Studied]) -> list[Chances]:
    """The chances before every step; before a forced step they are those after it."""
    known: list[Chances] = []
    for found in reversed(studied):
        known.append(found.chances or known[-1])
    return known[::-1]


def _interval(mean: float, variance: float) -> Interval:
    reach = Z * math.sqrt(variance)
    return Interval(float(mean), max(0.0, float(mean - reach)), min(1.0, float(mean + reach)))


def _decision(match: Match, step: JournalStep, found: Studied) -> dict[str, Any]:
    lenses = {"knew": found.knew, "hindsight": found.hindsight}
    return {
        "place": step.place,
        "seat": step.seat,
        "action": match.game.notation(step.action),
        "number": step.action,
        "choices": len(step.legal),
        "verdict": _verdict(found.knew),
        **{name: lens and _lens(match, step, lens) for name, lens in lenses.items()},
    }


def _lens(match: Match, step: JournalStep, lens: Weighing) -> dict[str, Any]:
    best, value = (lens.other, lens.other_value) if lens.margin.mean < 0 else (step.action, lens.chosen)
    return {
        "chosen": lens.chosen.as_dict(),
        "best": {"action": match.game.notation(best), "number": best, "value": value.as_dict()},
        "margin": lens.margin.as_dict(),
        "loss": round(_loss(lens), 6),
        "exact": lens.exact,
        "line": [describe_ply(match.game, ply) for ply in lens.line],
    }


def _loss(lens: Weighing) -> float:
    """The chances a choice lost. What the search can't tell from noise isn't counted: it would add up."""
    return -lens.margin.mean if lens.margin.high < 0 else 0.0


def _verdict(lens: Weighing | None) -> str | None:
    """The verdict on a choice: by its loss, if that exceeds the search's uncertainty."""
    if lens is None:
        return None
    return next((name for name, least in VERDICTS.items() if _loss(lens) >= least), GOOD)


def _accuracy(seat: int, decisions: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """How well a seat decided, given what it knew: what it lost, and the share it kept of the chances it could have."""
    own = [each for each in decisions if each["seat"] == seat and each["knew"]]
    lost = sum(each["knew"]["loss"] for each in own)
    best = lost + sum(each["knew"]["chosen"]["mean"] for each in own)
    counted = Counter(each["verdict"] for each in own)
    return {
        "seat": seat,
        "decisions": len(own),
        "accuracy": round(1 - lost / best, 6) if best > 0 else None,
        "loss": round(lost, 6),
        "verdicts": {name: counted[name] for name in VERDICTS},
    }


def _parts(
    match: Match,
    seat: int,
    steps: Sequence[JournalStep],
    known: Sequence[Chances],
    alone: Mapping[int, Chances],
) -> dict[str, Any]:
    """A seat's result as a sum: its chances at the start, luck, its own decisions and the others' decisions.

    Of what choices sealed together changed, the seat's own part is what its choice alone changed.
    """
    sums = {name: Sum(seat) for name in ("luck", "skill", "others")}
    lots: Counter[str] = Counter()
    for group in _groups(steps):
        before, after = known[group[0].place], known[group[-1].place + 1]
        own = next((step.place for step in group if step.seat == seat and not step.forced), None)
        if group[0].seat == CHANCE:
            sums["luck"].add(before, after)
            lots[match.game.play.chance_notation(group[0].action).split()[0]] += _change(seat, before, after)
        elif own is None:
            sums["others"].add(before, after)
        else:
            halfway = alone[own] if own in alone else known[own + 1] if len(group) > 1 else after
            sums["skill"].add(before, halfway)
            sums["others"].add(halfway, after)
    found: dict[str, Any] = {"prior": _whole(seat, known[0]) / MILLION, "result": _whole(seat, known[-1]) / MILLION}
    found |= {name: each.interval().as_dict() for name, each in sums.items()}
    return found | {"luck_by": {name: value / MILLION for name, value in sorted(lots.items())}}


def _groups(steps: Sequence[JournalStep]) -> Iterator[list[JournalStep]]:
    """The steps of the journal, those sealed together in one list."""
    return (list(each) for _group, each in groupby(steps[:-1], key=lambda step: step.group))


class Sum:
    """A sum of changes of a seat's chances, in whole millionths, with its uncertainty."""

    def __init__(self, seat: int):
        self.seat = seat
        self.millionths = 0
        self._weights: Counter[int] = Counter()  # of every estimate, by its id: one may be used several times
        self._estimates: dict[int, Chances] = {}

    def add(self, before: Chances, after: Chances) -> None:
        """Add the change from one estimate to another."""
        self.millionths += _change(self.seat, before, after)
        for estimate, weight in ((before, -1), (after, 1)):
            self._weights[id(estimate)] += weight
            self._estimates[id(estimate)] = estimate

    def interval(self) -> Interval:
        """The sum."""
        variances = {key: float(each.variance[self.seat]) for key, each in self._estimates.items()}
        deviation = math.sqrt(sum(weight**2 * variances[key] for key, weight in self._weights.items()))
        return _around(self.millionths / MILLION, deviation)


def _whole(seat: int, estimate: Chances) -> int:
    """A seat's chances in millionths."""
    return round(float(estimate.mean[seat]) * MILLION)


def _change(seat: int, before: Chances, after: Chances) -> int:
    return _whole(seat, after) - _whole(seat, before)


def _moments(
    match: Match, steps: Sequence[JournalStep], swings: Sequence[Swing], decisions: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """The steps that changed someone's chances most, in journal order: the sure ones, at most three, or the likeliest.

    Only if chances hardly changed anywhere are there fewer.
    """
    verdicts = {each["place"]: each["verdict"] for each in decisions}
    sure = sorted((s for s in swings if s.least(SURE) > 0), key=lambda swing: (-swing.least(SURE), swing.place))
    others = sorted((s for s in swings if s.least(SURE) <= 0), key=lambda swing: (-swing.least(PROBABLE), swing.place))
    told = [*sure, *(swing for swing in others if swing.least(PROBABLE) > 0)][:MOMENTS]
    return [
        {
            "place": step.place,
            "cause": LUCK if step.seat == CHANCE else CHOICE,
            "seat": None if step.seat == CHANCE else step.seat,
            "action": _notation(match, step),
            "verdict": verdicts.get(step.place),
            "who": swing.who,
            "sure": swing.least(SURE) > 0,
            "before": [_whole(seat, swing.before) / MILLION for seat in range(match.players)],
            "after": [_whole(seat, swing.after) / MILLION for seat in range(match.players)],
            "change": _around(swing.change, swing.deviation).as_dict(),
            "events": [describe_event(happened) for happened in match.steps[step.place].events],
        }
        for swing in sorted(told, key=lambda one: one.place)
        for step in (steps[swing.place],)
    ]


def _around(mean: float, deviation: float) -> Interval:
    return Interval(mean, mean - Z * deviation, mean + Z * deviation)


def _notation(match: Match, step: JournalStep) -> str:
    return match.game.play.chance_notation(step.action) if step.seat == CHANCE else match.game.notation(step.action)


def _promise(match: Match, made: Offer, studied: Sequence[Studied]) -> dict[str, Any]:
    """The outcome of an offer, and what keeping or breaking the promise was worth to its maker."""
    assert match.game.offers is not None
    kept = match.game.offers.kept(match, made)
    found = {"seat": made["seat"], "offer": dict(made["offer"]), "version": made["version"], "kept": kept}
    promise = match.game.offers.promised(match, made)
    worth: dict[str, Any] = {"knew": None, "hindsight": None}
    if promise:
        place, action = promise
        for name in worth:
            lens: Weighing | None = getattr(studied[place], name)
            if lens:
                brought = lens.margin if kept else lens.promised.get(action)
                worth[name] = brought.as_dict() if brought else None
    return found | {"place": promise[0] if promise else None, "worth": worth}
