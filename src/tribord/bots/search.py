"""Search: a bot that runs Monte Carlo tree search (`bots/tree.py`) by the clock or for a fixed number of iterations.

With iterations alone, the same seed and views give the same decisions. With a clock, the search runs in short stretches
of compiled code, which release the GIL, and checks the time in between. Interpreted code would be hundreds of times
slower: a bot that can't wait for the compiler looks one ply ahead until it's done.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from tribord.bots.lookahead import Lookahead
from tribord.bots.tree import (
    CANDIDATES,
    COOPERATIVE,
    COUNT_LEAVES,
    EDGES,
    ENDGAME_DEPTH,
    EXPECTED,
    ITERATE,
    LOCATE,
    MAX_DEPTH,
    NODES,
    PARAMS,
    PLAY_OUT,
    SOLVE,
    SUM_DEPTH,
    VALUES,
    WITH_POLICY,
    Reals,
    Scratch,
    Tree,
    search,
)
from tribord.core.chance import seed_stream
from tribord.core.engine import Legal
from tribord.core.game import Game
from tribord.core.net import Policy, check_players, layers_of, no_policy
from tribord.core.record import State
from tribord.core.refusal import BadOption
from tribord.core.sealed import HIDDEN, NOTHING
from tribord.core.words import _

BAD_CLOCK = _("Set the clock to a number of seconds above 0, not {seconds}.")
BAD_ITERATIONS = _("A search needs at least one iteration, not {iterations}.")
BAD_THREADS = _("A search can use 1 to 64 threads, not {threads}.")

STRETCH = 0.003  # seconds of compiled work between two checks of the clock
LEAVES_A_SECOND = 2_000_000  # for an exact endgame, on a slow machine
VALUE_DEVIATION = 0.2  # about the standard deviation of the value of one visit
ITERATIONS = {"bosco": 500, "capitaine": 5000}  # unless the game says otherwise
SAMPLES = 24  # determinizations of the lookahead, while it can't search yet
ROOM = 120  # room beyond the seats' values, for the game's own computation
MOST_NODES, MOST_EDGES = 1 << 18, 1 << 21


class Search:
    """A bot that searches until `seconds` or `iterations` run out, whichever comes first. None means no such limit.

    Every thread has a tree of its own. By default all run at once. With `at_once` only that many do, sharing the
    seconds; the trees are the same, and cores that others use aren't crowded.

    `params` replaces some of the search parameters (`tree.PARAMS`, and the game's own `SEARCH`). With a `policy`, which
    `tribord train` learns, the search asks it for priors and values (and `tree.WITH_POLICY` are its parameters).
    """

    def __init__(
        self,
        game: Game,
        seed: int = 0,
        seconds: float | None = None,
        iterations: int | None = None,
        threads: int = 1,
        params: dict[str, float] | None = None,
        wait: bool = True,
        at_once: int | None = None,
        policy: Policy | None = None,
    ):
        if threads < 1 or threads > 64:
            raise BadOption("bad-threads", BAD_THREADS, threads=threads)
        if iterations is not None and iterations < 1:
            raise BadOption("bad-iterations", BAD_ITERATIONS, iterations=iterations)
        self.game = game
        self.seed = seed
        self.seconds = None if seconds is None else check_clock(seconds)
        self.iterations = iterations
        self.at_once = min(threads, at_once or threads)
        self.decisions = 0
        self.light = False
        """Whether the last decision was made without search, because the code wasn't compiled yet."""
        self._lookahead = None if wait else Lookahead(game, seed, candidates=0, samples=SAMPLES, wait=False)
        self.last: dict[str, Any] = {}
        """Of the last decision: iterations, seconds, iterations_per_second, depth, nodes, exact."""
        nodes = min(MOST_NODES, 64 + 16 * iterations) if iterations else MOST_NODES
        self.policy = policy
        usual = getattr(game._module("bot"), "SEARCH", {}) if policy is None else WITH_POLICY
        chosen = PARAMS | usual | (params or {})
        self.workers = [SearchWorker(game, chosen, nodes, policy) for _k in range(threads)]

    @property
    def memory(self) -> int:
        """The bytes it comes to use: half of a tree's arrays, because a tree is cleared when it's half full."""
        return sum(part.nbytes for worker in self.workers for part in worker.tree) // 2

    def decide(self, view: State, legal: Legal, clock: float | None = None) -> int:
        """The seat's action, from what it may know. `clock` limits the seconds for this decision alone."""
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
        if self._lookahead is not None and not search.is_loaded(self.game.dtype):
            self.light = True
            return self._lookahead.decide(view, legal)
        for k, worker in enumerate(self.workers):
            worker.begin(view, legal.seat, self.seed * 1_000_003 + self.decisions, k)
        first = self.workers[0]
        leaves = first.leaf_count()
        budget = LEAVES_A_SECOND * min(seconds, 30.0) if math.isfinite(seconds) else 40.0 * (limit or 0)
        if 0 < leaves <= budget:
            action = first.solve()
            self.last |= {"exact": True, "seconds": time.perf_counter() - started}
            return action
        margin = min(0.002, 0.1 * seconds)
        shift = seconds / -(-len(self.workers) // self.at_once)  # with fewer threads than trees they think in shifts

        def think(k: int) -> None:
            self.workers[k].think(limit, started + shift * (k // self.at_once + 1) - margin)

        if self.at_once == 1:
            for k in range(len(self.workers)):
                think(k)
        else:
            with ThreadPoolExecutor(self.at_once) as pool:
                list(pool.map(think, range(len(self.workers))))
        action = self.choose()
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

    def choose(self) -> int:
        """Sum the workers' root statistics and take the action with the best lower confidence bound, part by part."""
        action = 0
        while True:
            seen = summed(self.workers, action)
            action = max(seen, key=lambda choice: (lower_confidence_bound(*seen[choice]), -choice))
            if action >= 0:
                return action


def summed(workers: Sequence[SearchWorker], partial: int) -> dict[int, Reals]:
    """The summed statistics of each action at the workers' roots, or after a partial action."""
    seen: dict[int, Reals] = {}
    for worker in workers:
        for choice, statistics in worker.statistics(partial).items():
            seen[choice] = seen[choice] + statistics if choice in seen else statistics
    return seen


def lower_confidence_bound(visits: float, value_sum: float, strategy_sum: float) -> float:
    """The mean value minus its standard error, VALUE_DEVIATION / sqrt(n); or the average strategy, if there is one."""
    if strategy_sum:
        return strategy_sum
    return value_sum / visits - VALUE_DEVIATION / math.sqrt(visits) if visits else -1.0


def iterations_of(game: Game, rank: str, times: float = 1.0) -> int:
    """A rank's iterations times a factor. A count, so that the rank decides the same on every machine."""
    return max(1, round(times * getattr(game._module("bot"), "ITERATIONS", ITERATIONS)[rank]))


def check_clock(seconds: float) -> float:
    """The clock, or a refusal if it's invalid."""
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 < seconds < math.inf:
        raise BadOption("bad-clock", BAD_CLOCK, seconds=seconds)
    return float(seconds)


class SearchWorker:
    """One tree, with the arrays its search needs."""

    def __init__(self, game: Game, params: dict[str, float], nodes: int, policy: Policy | None = None):
        self.game = game
        self.params = np.array([*(params[name] for name in PARAMS), float(game.cooperative)])
        assert len(self.params) == COOPERATIVE + 1
        self.policy = policy or no_policy()
        self.layers = layers_of(self.policy)
        seats, most = game.players[1], max(game.actions, game.chances)
        self.states = game.states(3)
        self.stack = game.states(ENDGAME_DEPTH + 2)
        size = game.dtype.itemsize
        self.seen_words = np.zeros(-(-size // 4), np.int32)
        self.seen = np.ndarray(1, game.dtype, self.seen_words)
        self.rng = np.zeros(4, np.int64)
        self.seat = 0
        self.done = 0
        self.pace = 0.0  # iterations per second, as measured so far
        self.scratch = Scratch(
            out=np.zeros(most, np.int64),
            weights=np.zeros(most, np.int64),
            scores=np.zeros(seats, np.int64),
            wins=np.zeros(seats, np.int64),
            values=np.zeros(seats + ROOM),
            prior_values=np.zeros(2 * most),
            path=np.zeros((MAX_DEPTH, 3), np.int64),
            actions=np.zeros((ENDGAME_DEPTH + 2, most), np.int64),
            frames=np.zeros((ENDGAME_DEPTH + 2, 4), np.int64),
            best_values=np.zeros((ENDGAME_DEPTH + 2, seats)),
            value_sums=np.zeros((ENDGAME_DEPTH + 2, seats)),
            shares=np.zeros((seats, 2)),
        )
        slots = 1 << (2 * nodes - 1).bit_length()
        edges = min(MOST_EDGES, most + 24 * nodes)
        self.tree = Tree(
            used=np.zeros(4, np.int64),
            slots=np.zeros(slots, np.int32),
            key=np.zeros(nodes, np.int64),
            first_edge=np.zeros(nodes, np.int32),
            edge_count=np.zeros(nodes, np.int32),
            node_visits=np.zeros(nodes, np.int32),
            action=np.zeros(edges, np.int32),
            visits=np.zeros(edges, np.int32),
            value_sum=np.zeros(edges),
            prior_value=np.zeros(edges),
            prior=np.zeros(edges),
            regret=np.zeros(edges),
            strategy_sum=np.zeros(edges),
        )

    def __getstate__(self) -> dict[str, Any]:
        return {name: thing for name, thing in self.__dict__.items() if name != "seen"}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self.seen = np.ndarray(1, self.game.dtype, self.seen_words)  # the same memory

    def begin(self, view: State, seat: int, seed: int, stream: int) -> None:
        """Start from a view. The tree is reused if it has a node for the view and room left, otherwise cleared."""
        self.states[0] = view
        self.seat = seat
        if len(self.policy.learned):
            check_players(self.policy, int(view.players))
        reopen(self.states[0])
        seed_stream(self.rng, seed, stream)
        self.done = 0
        used = self.tree.used
        full = used[NODES] > len(self.tree.key) // 2 or used[EDGES] > len(self.tree.action) // 2
        if used[NODES] and (full or self._do(LOCATE) < 0):
            self.tree.slots[:] = 0
            used[:] = 0
        used[SUM_DEPTH] = 0

    def think(self, limit: int | None, deadline: float) -> None:
        """Search until the number of iterations or the deadline is reached."""
        if limit is not None and math.isinf(deadline):
            self._iterate(limit)
            return
        size = max(1, int(self.pace * STRETCH)) if self.pace else 1
        while limit is None or self.done < limit:
            before = time.perf_counter()
            if before >= deadline and self.done:
                return
            if self.pace:  # the last stretch is as short as the time left
                size = max(1, min(size, int(self.pace * (deadline - before))))
            self._iterate(size if limit is None else min(size, limit - self.done))
            spent = time.perf_counter() - before
            if self.done > 1:  # the first stretch may include compilation
                self.pace = size / max(spent, 1e-7)
                size = min(4 * size, max(1, int(self.pace * STRETCH)))

    def _do(self, task: int, number: int = 0) -> int:
        return int(
            search(
                self.states, self.seen, self.seen_words, self.stack, task, self.seat, number, self.params, self.rng,
                self.scratch, self.tree, self.policy, self.layers,
            )
        )  # fmt: skip

    def _iterate(self, iterations: int) -> None:
        self._do(ITERATE, iterations)
        self.done += iterations

    def statistics(self, partial: int) -> dict[int, Reals]:
        """Visits, value_sum and strategy_sum of each action at the root, or after a partial action."""
        node = self._do(LOCATE, partial)
        if node < 0:  # a single action, or a partial one never visited
            return {choice: np.zeros(3) for choice in self.candidates(partial)}
        tree, first = self.tree, int(self.tree.first_edge[node])
        edges = slice(first, first + int(tree.edge_count[node]))
        rows = np.stack([tree.visits[edges], tree.value_sum[edges], tree.strategy_sum[edges]], axis=1)
        return dict(zip(tree.action[edges].tolist(), rows, strict=True))

    def candidates(self, partial: int = 0) -> list[int]:
        """The root actions that are searched, or the continuations of a partial action."""
        return self.scratch.out[: self._do(CANDIDATES, partial)].tolist()

    def path_to(self, action: int, partial: int = 0) -> list[int]:
        """The partial actions that lead to a root action, and that action; empty if it isn't a candidate."""
        choices = self.candidates(partial)
        if action in choices:
            return [action]
        for choice in choices:
            if choice < 0 and (rest := self.path_to(action, choice)):
                return [choice, *rest]
        return []

    def explore(self, action: int, visits: int) -> None:
        """Search until a root action has this many visits, however bad it looks."""
        tree, partial, edge = self.tree, 0, -1
        narrowed: list[tuple[int, int, int]] = []
        for choice in self.path_to(action):
            node = self._do(LOCATE, partial)
            if node < 0:  # not visited yet, or the only action, which needs no node
                self._iterate(1)
                node = self._do(LOCATE, partial)
            partial = choice
            if node >= 0:
                first, count = int(tree.first_edge[node]), int(tree.edge_count[node])
                edge = first + tree.action[first : first + count].tolist().index(choice)
                narrowed.append((node, first, count))
                tree.first_edge[node], tree.edge_count[node] = edge, 1
        if edge >= 0:
            self._iterate(max(0, visits - int(tree.visits[edge])))
        for node, first, count in narrowed:
            tree.first_edge[node], tree.edge_count[node] = first, count

    def play_out(self, state: State, playouts: int, seed: int) -> Reals:
        """Play matches out from a full state. By seat, the sums of its shares of victory and of their squares."""
        self.states[0] = state
        seed_stream(self.rng, seed, 0)
        self.scratch.shares[:] = 0.0
        self._do(PLAY_OUT, playouts)
        return self.scratch.shares[: int(state.players)].copy()

    def values(self, state: State) -> Reals:
        """Every seat's value of a position, as the search evaluates it; at the end, the shares of victory."""
        self.states[0] = state
        self._do(VALUES)
        return self.scratch.values[: int(state.players)].copy()

    def expected_values(self, state: State) -> Reals:
        """The mean of `values` over the outcomes of a pending draw."""
        self.states[0] = state
        self._do(EXPECTED)
        return self.scratch.values[: int(state.players)].copy()

    def leaf_count(self) -> int:
        """Roughly how many leaves the rest of the match has; 0 if unknown."""
        return self._do(COUNT_LEAVES)

    def solve(self) -> int:
        """The best action, with the rest of the match solved exactly."""
        return self._do(SOLVE)


def reopen(view: State) -> None:
    """Let seats with a sealed choice choose again in the search, which models them better than `guess` does."""
    if "sealed" in (view.dtype.names or ()):
        for seat in range(len(view.sealed)):
            if int(view.sealed[seat]) == HIDDEN:
                view.sealed[seat] = NOTHING
                view.sealing = int(view.sealing) | 1 << seat
