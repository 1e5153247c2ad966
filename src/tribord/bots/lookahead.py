"""One-ply lookahead for any game: try each action on determinizations of the view and evaluate the result.

For each action the bot samples a determinization (`guess` fills in what is hidden), plays the action, lets the others
play at random until its next decision (or the end of the match, or ROLLOUT_DEPTH steps), and calls the game's
`evaluate`. All actions get the same determinizations and the same luck (common random numbers), so that differences
come from the actions, not from the dice.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tribord.core import verbs
from tribord.core.bits import lowest_bit
from tribord.core.chance import below, seed_stream
from tribord.core.compiled import compiled, rule
from tribord.core.engine import Legal
from tribord.core.game import Game
from tribord.core.record import CHANCE, Ints, State, States

ActionValues = NDArray[np.float64]

LIGHT = 0.6  # seconds of interpreted lookahead, while code is being compiled
ROLLOUT_DEPTH = 64  # actions and chance events; a round of any of our games is shorter


@rule
def evaluate_each(
    scratch: Any, seat: int, actions: Any, n: int, first: int, samples: int, rollout_depth: int, seed: int, rng: Any,
    out: Any, weights: Any, values: Any,
) -> None:  # fmt: skip
    """The mean evaluation of each action over determinizations of scratch[0], a view; scratch[1] is worked on."""
    for k in range(n):
        total = 0.0
        for s in range(first, first + samples):
            seed_stream(rng, seed, s)
            scratch[1] = scratch[0]
            state = scratch[1]
            verbs.guess(state, seat, rng, out)
            verbs.apply(state, seat, actions[k], None)
            for _step in range(rollout_depth):
                mask = verbs.to_act(state)
                if (mask >> seat) & 1:
                    break
                if mask == 0:
                    if verbs.chance(state, weights) == 0:
                        break
                    verbs.apply(state, CHANCE, verbs.roll(state, rng, weights), None)
                    continue
                other = lowest_bit(mask)
                verbs.apply(state, other, verbs.sample(state, other, rng, out), None)
            total += verbs.evaluate(state, seat)
        values[k] = total / samples


@compiled
def evaluate_actions(
    scratch: States, seat: int, actions: Ints, n: int, first: int, samples: int, rollout_depth: int, seed: int,
    rng: Ints, out: Ints, weights: Ints, values: ActionValues,
) -> None:  # fmt: skip
    """`evaluate_each`, for the determinizations from number `first` on."""
    evaluate_each(scratch, seat, actions, n, first, samples, rollout_depth, seed, rng, out, weights, values)


class Lookahead:
    """A bot that evaluates `candidates` random actions (0: all of them), each over `samples` determinizations.

    Without `wait` it uses interpreted rules for LIGHT seconds until the compiled code is ready. Often that's enough
    for every evaluation, and then the decision is the same.
    """

    def __init__(self, game: Game, seed: int, candidates: int, samples: int, wait: bool = True):
        self.game = game
        self.candidates = candidates
        self.samples = samples
        # Partners don't play at random: in a cooperative game the state right after the action is evaluated.
        self.rollout_depth = 0 if game.cooperative else ROLLOUT_DEPTH
        self.seed = seed
        self.wait = wait
        self.decisions = 0
        self.light = False
        """Whether the last decision used fewer evaluations than usual."""
        self._scratch = game.states(2)
        self._rng = np.zeros(4, np.int64)
        self._out = np.zeros(game.actions, np.int64)
        self._weights = np.zeros(game.chances, np.int64)

    def decide(self, view: State, legal: Legal, clock: float | None = None) -> int:
        """The action with the best mean evaluation. This takes milliseconds, so the clock has no effect."""
        self.decisions += 1
        self.light = False
        actions, n = np.array(legal, np.int64), len(legal)
        seed_stream(self._rng, self.seed, self.decisions)
        size = min(self.candidates or n, n)
        for k in range(size if size < n else 0):  # bring a random few to the front
            other = k + below(self._rng, n - k)
            actions[[k, other]] = actions[[other, k]]
        if size == 1:
            return int(actions[0])
        self._scratch[0] = view
        actions = actions[:size]
        ready = self.wait or evaluate_actions.is_loaded(self.game.dtype)
        values = self._values(evaluate_actions, legal.seat, actions) if ready else self._light(legal.seat, actions)
        return int(actions[int(np.argmax(values))])

    def _values(self, driver: Any, seat: int, actions: Ints, first: int = 0, samples: int = 0) -> ActionValues:
        """The mean evaluation of the actions over some determinizations, or all of them."""
        values = np.zeros(len(actions))
        driver(
            self._scratch, seat, actions, len(actions), first, samples or self.samples, self.rollout_depth,
            self.seed * 1_000_003 + self.decisions, self._rng, self._out, self._weights, values,
        )  # fmt: skip
        return values

    def _light(self, seat: int, actions: Ints) -> ActionValues:
        """The same, interpreted, one determinization at a time for LIGHT seconds. Unevaluated actions can't win."""
        until = time.perf_counter() + LIGHT
        totals, tried = np.zeros(len(actions)), np.zeros(len(actions), np.int64)
        order = np.random.default_rng([self.seed, self.decisions]).permutation(len(actions))
        for first in range(self.samples):
            for k in order:
                if time.perf_counter() > until:
                    self.light = True
                    means = np.where(tried > 0, totals / np.maximum(tried, 1), -np.inf)
                    best = order[np.argmax(means[order])]  # ties go to the action tried first, not the one listed first
                    return np.where(np.arange(len(actions)) == best, means, -np.inf)
                totals[k] += self._values(evaluate_actions.interpret, seat, actions[k : k + 1], first, 1)[0]
                tried[k] += 1
        return totals / self.samples
