"""Search: a bot that thinks ahead for as long as its clock allows, or for a fixed number of iterations.

With iterations alone the same seed and the same views give the same decisions. With a clock the search grows its tree
in short stretches of compiled code, which let other threads run, and looks at the time in between. Interpreted it would
be hundreds of times slower: whoever cannot wait for the compiler judges one step ahead until it is done.
"""

from __future__ import annotations

import math
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from tribord.bots.judgement import Judgement
from tribord.bots.tree import (
    COOPERATIVE,
    DEEPEST,
    EDGES,
    FINISH,
    GROW,
    KNOBS,
    LOCATE,
    NODES,
    OPTIONS,
    STACK,
    SUM_DEPTH,
    WAYS_TO_END,
    Reals,
    Room,
    Tree,
    search,
)
from tribord.core.chance import seed_stream
from tribord.core.engine import Legal
from tribord.core.game import Game
from tribord.core.record import State
from tribord.core.refusal import BadOption
from tribord.core.sealed import HIDDEN, NOTHING
from tribord.core.words import _

BAD_CLOCK = _("A clock is a number of seconds above 0, not {seconds}.")
BAD_ITERATIONS = _("A search needs at least one iteration, not {iterations}.")
BAD_THREADS = _("A search has 1 to 64 threads, not {threads}.")

STRETCH = 0.003  # seconds of compiled work between two looks at the clock
LEAVES_A_SECOND = 2_000_000  # of an exact solution, on a slow machine
DOUBT = 0.2  # about how much what comes of a try differs from the mean
ITERATIONS = {"bosco": 500, "capitaine": 5000}  # unless the game says otherwise
GUESSES = 24  # over which it judges, where it does not search yet
WORK = 120  # numbers that a game may write down while it makes up its mind about its hopes
MOST_NODES, MOST_EDGES = 1 << 18, 1 << 21


class Search:
    """A bot that searches: for `seconds` or `iterations`, whichever end first; None is no such limit."""

    def __init__(
        self,
        game: Game,
        seed: int = 0,
        seconds: float | None = None,
        iterations: int | None = None,
        threads: int = 1,
        knobs: dict[str, float] | None = None,
        wait: bool = True,
    ):
        if threads < 1 or threads > 64:
            raise BadOption("bad-threads", BAD_THREADS, threads=threads)
        if iterations is not None and iterations < 1:
            raise BadOption("bad-iterations", BAD_ITERATIONS, iterations=iterations)
        self.game = game
        self.seed = seed
        self.seconds = None if seconds is None else check_clock(seconds)
        self.iterations = iterations
        self.decisions = 0
        self.light = False
        """Whether the last decision was taken without searching, for want of compiled code."""
        self._meanwhile = None if wait else Judgement(game, seed, looks=0, samples=GUESSES, wait=False)
        self.last: dict[str, Any] = {}
        """Of the last decision: iterations, seconds, iterations_per_second, depth, nodes, exact."""
        nodes = min(MOST_NODES, 64 + 16 * iterations) if iterations else MOST_NODES
        settings = KNOBS | getattr(game._module("bot"), "SEARCH", {}) | (knobs or {})
        self.workers = [Worker(game, settings, nodes) for _k in range(threads)]

    def decide(self, view: State, legal: Legal, clock: float | None = None) -> int:
        """The action of the seat, from what the seat may know; with a clock of seconds for this decision alone."""
        started = time.perf_counter()
        limit = self.iterations
        if clock is not None:
            limit, seconds = None, check_clock(clock)
        else:
            seconds = self.seconds if self.seconds is not None else math.inf if limit else 1.0
        self.decisions += 1
        self.last = {"iterations": 0, "seconds": 0.0, "iterations_per_second": 0.0, "exact": False}
        self.light = False
        if len(legal) == 1:
            return legal[0]
        if self._meanwhile is not None and not search.is_loaded(self.game.dtype):
            self.light = True
            return self._meanwhile.decide(view, legal)
        for k, worker in enumerate(self.workers):
            worker.begin(view, legal.seat, self.seed * 1_000_003 + self.decisions, k)
        first = self.workers[0]
        ways = first.ways_to_end()
        budget = LEAVES_A_SECOND * min(seconds, 30.0) if math.isfinite(seconds) else 40.0 * (limit or 0)
        if 0 < ways <= budget:
            action = first.finish()
            self.last |= {"exact": True, "seconds": time.perf_counter() - started}
            return action
        deadline = started + seconds - min(0.002, 0.1 * seconds)
        if len(self.workers) == 1:
            first.think(limit, deadline)
        else:
            with ThreadPoolExecutor(len(self.workers)) as pool:
                list(pool.map(lambda worker: worker.think(limit, deadline), self.workers))
        action = self._choose()
        spent = time.perf_counter() - started
        done = sum(worker.done for worker in self.workers)
        self.last |= {
            "iterations": done,
            "seconds": spent,
            "iterations_per_second": done / max(spent, 1e-9),
            "depth": sum(int(w.tree.used[SUM_DEPTH]) for w in self.workers) / max(1, done),
            "nodes": sum(int(w.tree.used[NODES]) for w in self.workers),
        }
        return action

    def _choose(self) -> int:
        """Put the workers' roots together and take the option that is surely good, part by part if it has parts."""
        option = 0
        while True:
            seen: dict[int, Any] = {}
            for worker in self.workers:
                for choice, tried in worker.tried(option).items():
                    seen[choice] = seen.get(choice, 0.0) + tried
            option = max(seen, key=lambda choice: (surely(*seen[choice]), -choice))
            if option >= 0:
                return option


def surely(tries: float, total: float, policy: float) -> float:
    """How good an option is at least, as far as its tries can tell; with regret matching, how often it was meant."""
    if policy:
        return policy
    return total / tries - DOUBT / math.sqrt(tries) if tries else -1.0


def iterations_of(game: Game, rank: str, times: float = 1.0) -> int:
    """How long a rank thinks, so many times as usual: counted, so that it decides the same on every machine."""
    return max(1, round(times * getattr(game._module("bot"), "ITERATIONS", ITERATIONS)[rank]))


def check_clock(seconds: float) -> float:
    """The clock, if it is one."""
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 < seconds < math.inf:
        raise BadOption("bad-clock", BAD_CLOCK, seconds=seconds)
    return float(seconds)


class Worker:
    """One tree and the room to grow it."""

    def __init__(self, game: Game, settings: dict[str, float], nodes: int):
        self.game = game
        self.knobs = np.array([*(settings[name] for name in KNOBS), float(game.cooperative)])
        assert len(self.knobs) == COOPERATIVE + 1
        seats, most = game.players[1], max(game.actions, game.chances)
        self.states = game.states(3)
        self.stack = game.states(STACK + 2)
        size = game.dtype.itemsize
        self.words = np.zeros(-(-size // 4), np.int32)
        self.eye = np.ndarray(1, game.dtype, self.words)
        self.rng = np.zeros(4, np.int64)
        self.seat = 0
        self.done = 0
        self.pace = 0.0  # iterations a second, as far as known
        self.room = Room(
            out=np.zeros(most, np.int64),
            weights=np.zeros(most, np.int64),
            scores=np.zeros(seats, np.int64),
            wins=np.zeros(seats, np.int64),
            values=np.zeros(seats + WORK),
            leans=np.zeros(2 * most),
            path=np.zeros((DEEPEST, 3), np.int64),
            lists=np.zeros((STACK + 2, most), np.int64),
            frames=np.zeros((STACK + 2, 4), np.int64),
            best=np.zeros((STACK + 2, seats)),
            sums=np.zeros((STACK + 2, seats)),
        )
        slots = 1 << (2 * nodes - 1).bit_length()
        edges = min(MOST_EDGES, most + 24 * nodes)
        self.tree = Tree(
            used=np.zeros(4, np.int64),
            slots=np.zeros(slots, np.int32),
            key=np.zeros(nodes, np.int64),
            first=np.zeros(nodes, np.int32),
            breadth=np.zeros(nodes, np.int32),
            visits=np.zeros(nodes, np.int32),
            option=np.zeros(edges, np.int32),
            tries=np.zeros(edges, np.int32),
            total=np.zeros(edges),
            lean=np.zeros(edges),
            prior=np.zeros(edges),
            regret=np.zeros(edges),
            policy=np.zeros(edges),
        )

    def begin(self, view: State, seat: int, seed: int, stream: int) -> None:
        """Look at a view. The tree is kept where it knows the view already and has room, and else forgotten."""
        self.states[0] = view
        self.seat = seat
        reopen(self.states[0])
        seed_stream(self.rng, seed, stream)
        self.done = 0
        used = self.tree.used
        full = used[NODES] > len(self.tree.key) // 2 or used[EDGES] > len(self.tree.option) // 2
        if used[NODES] and (full or self._do(LOCATE) < 0):
            self.tree.slots[:] = 0
            used[:] = 0
        used[SUM_DEPTH] = 0

    def think(self, limit: int | None, deadline: float) -> None:
        """Grow the tree up to so many iterations, or the deadline."""
        if limit is not None and math.isinf(deadline):
            self._grow(limit)
            return
        size = max(1, int(self.pace * STRETCH)) if self.pace else 1
        while limit is None or self.done < limit:
            before = time.perf_counter()
            if before >= deadline and self.done:
                return
            if self.pace:  # the last stretch is as short as the time left
                size = max(1, min(size, int(self.pace * (deadline - before))))
            self._grow(size if limit is None else min(size, limit - self.done))
            spent = time.perf_counter() - before
            if self.done > 1:  # the first one may have been compiled
                self.pace = size / max(spent, 1e-7)
                size = min(4 * size, max(1, int(self.pace * STRETCH)))

    def _do(self, task: int, number: int = 0) -> int:
        return int(
            search(
                self.states, self.eye, self.words, self.stack, task, self.seat, number, self.knobs, self.rng, self.room,
                self.tree,
            )
        )  # fmt: skip

    def _grow(self, iterations: int) -> None:
        self._do(GROW, iterations)
        self.done += iterations

    def tried(self, prefix: int) -> dict[int, Reals]:
        """For every option of a choice or its next part: tries, what came of them in all, how often it was meant."""
        node = self._do(LOCATE, prefix)
        if node < 0:  # a single option, or one that was never looked at
            n = self._do(OPTIONS, prefix)
            return {choice: np.zeros(3) for choice in self.room.out[:n].tolist()}
        tree, first = self.tree, int(self.tree.first[node])
        edges = slice(first, first + int(tree.breadth[node]))
        rows = np.stack([tree.tries[edges], tree.total[edges], tree.policy[edges]], axis=1)
        return dict(zip(tree.option[edges].tolist(), rows, strict=True))

    def ways_to_end(self) -> int:
        """About so many ways to the end of the match; 0 where it cannot be known."""
        return self._do(WAYS_TO_END)

    def finish(self) -> int:
        """The action, solved to the end."""
        return self._do(FINISH)


def reopen(view: State) -> None:
    """Let seats that have sealed their choice choose anew in the search, which knows better than any guess."""
    if "sealed" in (view.dtype.names or ()):
        for seat in range(len(view.sealed)):
            if int(view.sealed[seat]) == HIDDEN:
                view.sealed[seat] = NOTHING
                view.sealing = int(view.sealing) | 1 << seat
