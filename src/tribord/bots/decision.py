"""A searched decision: the value of each action of a seat, and its likely continuation.

The search is a captain's (`bots/search.py`), run in several independent trees: the spread between them shows how far a
value can be trusted. It starts from a view or from the full state. From a view it redeals what is hidden, so the result
depends on the view alone. In a solved game the values come from the solution.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tribord.bots import solver
from tribord.bots.search import Search, SearchWorker, iterations_of, lower_confidence_bound, reopen, summed
from tribord.bots.tree import Reals
from tribord.core import event
from tribord.core.bits import lowest_bit
from tribord.core.chance import stream
from tribord.core.engine import Legal
from tribord.core.event import Event
from tribord.core.game import Game
from tribord.core.interval import Interval, mean_of
from tribord.core.record import PlainStates, State, States, revive

TREES = 4
SEARCHING = 0.7  # share of the time; the rest refines the reported choices
CLOSER = 8  # each refined action gets one in this many of a tree's iterations
LONGEST_LINE = 6  # decisions
WORLDS = 8  # determinizations that a main line must hold in
LEAST_VISITS = 12  # over all trees, for an answer to appear in the main line


@dataclass(frozen=True)
class Ply:
    """A decision in a main line, with the events that follow in every determinization."""

    seat: int
    action: int
    events: tuple[Event, ...]


@dataclass(frozen=True)
class ActionValue:
    """An action's value for its seat: its expected share of victory. With 0 visits the value is exact."""

    action: int
    value: Interval
    visits: int


class Decision:
    """A decision of a seat (`legal.seat`), searched for `seconds`, or for `iterations` in each tree.

    `known` is the seat's view or the full state. Without a limit the search is as long as a captain's. The trees are
    searched by as many threads; with `threads`, by that many, and the result of a search by iterations is the same.
    """

    def __init__(
        self,
        game: Game,
        known: State,
        legal: Legal,
        seconds: float | None = None,
        iterations: int | None = None,
        seed: int = 0,
        threads: int = TREES,
    ):
        self.game = game
        self.known = known
        self.legal = legal
        self.seat = legal.seat
        self.seed = seed
        self.iterations: int = 0
        self._exact: dict[int, float] = {}
        self._solution = solver.solution(game) if solver.covers(game, known) else None
        if self._solution:
            self._exact = dict(zip(legal, self._solution.action_values(known, legal), strict=True))
            return
        if seconds is None and iterations is None:
            iterations = iterations_of(game, "capitaine")
        limit = None if seconds is None else SEARCHING * seconds
        self.search = Search(game, seed, limit, iterations, TREES, at_once=threads)
        self._chosen = self.search.decide(known, legal)
        self.iterations = self.search.last["iterations"]
        if self.search.last["exact"]:
            self._exact = self._endgame()

    @property
    def exact(self) -> bool:
        """Whether every value is exact: the game is solved, or the search solved the rest of the match."""
        return bool(self._exact)

    @property
    def best(self) -> int:
        """The action a captain would take."""
        if self._exact:
            return min(self._exact, key=lambda action: (-self._exact[action], action))
        return self._chosen

    def ranked(self, most: int) -> list[ActionValue]:
        """At most `most` actions, best first."""
        order = sorted(self.legal, key=lambda action: (-self._exact[action], action)) if self._exact else self._order()
        for action in order[:most]:
            self.look_closer(action)
        found = [self.value(action) for action in order[:most]]
        return sorted(found, key=lambda each: -each.value.mean)

    def _order(self) -> list[int]:
        if len(self.legal) == 1:
            return list(self.legal)
        seen: dict[int, Reals] = {}
        for worker in self.search.workers:
            for action, statistics in whole_actions(worker):
                seen[action] = seen[action] + statistics if action in seen else statistics
        order = sorted(seen, key=lambda action: (-lower_confidence_bound(*seen[action]), action))
        return [self._chosen, *(action for action in order if action != self._chosen)]

    def value(self, action: int) -> ActionValue:
        """The value of an action; NaN if it's the only one, since nothing is compared."""
        if self._exact:
            worth = self._exact[action]
            return ActionValue(action, Interval(worth, worth, worth), 0)
        visits, samples = self._samples(action)
        return ActionValue(action, clipped(samples, 0.0), visits)

    def difference(self, action: int, other: int) -> Interval:
        """The difference in value between two actions, tree by tree."""
        if self._exact:
            more = self._exact[action] - self._exact[other]
            return Interval(more, more, more)
        return clipped(self._samples(action)[1] - self._samples(other)[1], -1.0)

    def alternative(self, action: int) -> ActionValue | None:
        """The best choice that leads to a different position than this action, if there is one."""
        for each in self.ranked(2):
            if each.action != (action if self._exact else self._stand_in(action)) and np.isfinite(each.value.mean):
                return each
        return None

    def look_closer(self, action: int) -> None:
        """Search an action until every tree has visited it often enough."""
        if not self._exact and len(self.legal) > 1:
            action = self._stand_in(action)
            for worker in self.search.workers:
                worker.explore(action, max(1, worker.done // CLOSER))

    def line(self, action: int) -> tuple[Ply, ...]:
        """The main line: an action and its likely continuation, until chance or hidden information decides."""
        worlds = list({world.tobytes(): world for world in map(self._possible, range(WORLDS))}.values())
        plies: list[Ply] = []
        seat = self.seat
        while True:
            happened = [carry_out(self.game, world, seat, action) for world in worlds]
            sure = all(events == happened[0] for events in happened)
            plies.append(Ply(seat, action, tuple(happened[0]) if sure else ()))
            acting = {self.game.engine.to_act(world) for world in worlds}
            if not sure or len(plies) == LONGEST_LINE or len(acting) > 1 or 0 in acting:
                return tuple(plies)
            seat = lowest_bit(acting.pop())
            answers = {self._answer(world, seat) for world in worlds}
            if len(answers) > 1 or None in answers:
                return tuple(plies)
            action = answers.pop() or 0

    def leads_to(self, action: int) -> bytes:
        """The position after an action, in one of the seat's possible worlds."""
        world = self._possible(0)
        carry_out(self.game, world, self.seat, action)
        return world.tobytes()

    # -- inside ------------------------------------------------------------------------------------------------------

    def _samples(self, action: int) -> tuple[int, Reals]:
        """The visits of an action over all trees, and its mean value in each (NaN if unvisited)."""
        visits, samples = 0, np.full(TREES, np.nan)
        if len(self.legal) > 1:
            path = self.search.workers[0].path_to(self._stand_in(action))
            for k, worker in enumerate(self.search.workers):
                times, total, _strategy = along(worker, path)
                if times:
                    visits += int(times)
                    samples[k] = min(1.0, max(0.0, float(total / times)))
        return visits, samples

    def _stand_in(self, action: int) -> int:
        """The candidate that leads to the same position: of equivalent actions, the search keeps one."""
        worker = self.search.workers[0]
        if worker.path_to(action):
            return action
        wanted = self.leads_to(action)
        return next(other for other in worker.candidates() if self.leads_to(other) == wanted)

    def _possible(self, number: int) -> States:
        """A determinization, with sealed choices reopened as in the search."""
        world: States = revive(self.known.tobytes(), self.game.dtype)
        reopen(world[0])
        room = np.zeros(max(self.game.actions, self.game.chances), np.int64)
        self.game.rules.guess(PlainStates(world)[0], self.seat, stream(self.seed, number), room)
        return world

    def _answer(self, world: States, seat: int) -> int | None:
        """The likeliest action of a seat in a determinization, if the search knows."""
        if self._solution:
            values = self._solution.action_values(world[0])
            return self.game.engine.legal(world, seat)[int(np.argmax(values))]
        workers = self.search.workers
        roots = [(worker.states[0].tobytes(), worker.seat) for worker in workers]
        try:
            for worker in workers:
                worker.states[0] = world[0]
            if self._exact:
                return workers[0].solve()
            for worker in workers:
                worker.seat = seat
            partial = 0
            while True:
                seen = summed(workers, partial)
                partial = max(seen, key=lambda choice: (seen[choice][0], -choice))
                if len(seen) > 1 and seen[partial][0] < LEAST_VISITS:
                    return None
                if partial >= 0:
                    return partial
        finally:
            for worker, (root, owner) in zip(workers, roots):
                worker.states[0], worker.seat = revive(root, self.game.dtype)[0], owner

    def _endgame(self) -> dict[int, float]:
        """The exact value of every action, with the rest of the match solved."""
        worker = self.search.workers[0]
        found = {}
        for action in self.legal:
            world = self._possible(0)
            carry_out(self.game, world, self.seat, action)
            worker.states[0] = world[0]
            worker.solve()
            found[action] = min(1.0, float(worker.scratch.best_values[0, self.seat]))
        return found


def clipped(samples: Reals, least: float) -> Interval:
    """The mean of the samples, ignoring NaN, with its interval cut to `least` and 1."""
    there = samples[np.isfinite(samples)]
    if not len(there):
        return Interval(np.nan, np.nan, np.nan)
    found = mean_of(there.tolist())
    return Interval(found.mean, max(least, found.low), min(1.0, found.high))


def along(worker: SearchWorker, path: Sequence[int]) -> Reals:
    """The statistics at the end of an action's path; a last part without a choice takes those of the part before."""
    found, partial = np.zeros(3), 0
    for choice in path:
        choices = worker.statistics(partial)
        found = choices[choice] if len(choices) > 1 else found
        partial = choice
    return found


def whole_actions(worker: SearchWorker, path: tuple[int, ...] = ()) -> Iterator[tuple[int, Reals]]:
    """Every complete root action a tree has visited, with its statistics."""
    for choice in worker.statistics(path[-1] if path else 0):
        statistics = along(worker, (*path, choice))
        if choice >= 0:
            yield choice, statistics
        elif statistics[0]:
            yield from whole_actions(worker, (*path, choice))


def carry_out(game: Game, world: States, seat: int, action: int) -> list[Event]:
    """Apply an action to an array of one state and return the events."""
    rows = event.buffer()
    game.engine.apply(world, seat, action, rows)
    return game.read_events(rows)
