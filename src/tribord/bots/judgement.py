"""One-step judgement, the same for every game: try an action on a guess of the truth, see how it looks.

For each action the bot guesses what it cannot see, plays the action, lets the others play at random until it must
decide again (or the match ends, or the horizon is reached), and asks the game's `judge` how that looks. All actions
meet the same guesses and the same luck, so that they are compared and not their dice.
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

Values = NDArray[np.float64]

LIGHT = 0.6  # seconds of interpreted thought, while code is being compiled
HORIZON = 64  # actions and chance events at most; a round of any of our games is shorter


@rule
def weigh_each(
    scratch: Any, seat: int, candidates: Any, n: int, first: int, samples: int, horizon: int, seed: int, rng: Any,
    out: Any, weights: Any, values: Any,
) -> None:  # fmt: skip
    """The mean judgement of each candidate action over guesses of scratch[0], a view; scratch[1] is worked on."""
    for k in range(n):
        total = 0.0
        for s in range(first, first + samples):
            seed_stream(rng, seed, s)
            scratch[1] = scratch[0]
            state = scratch[1]
            verbs.guess(state, seat, rng, out)
            verbs.apply(state, seat, candidates[k], None)
            for _step in range(horizon):
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
            total += verbs.judge(state, seat)
        values[k] = total / samples


@compiled
def weigh(
    scratch: States, seat: int, candidates: Ints, n: int, first: int, samples: int, horizon: int, seed: int, rng: Ints,
    out: Ints, weights: Ints, values: Values,
) -> None:  # fmt: skip
    """`weigh_each`, over the guesses from number `first` on."""
    weigh_each(scratch, seat, candidates, n, first, samples, horizon, seed, rng, out, weights, values)


class Judgement:
    """A bot that judges `looks` actions taken at random (0: all of them), each over `samples` guesses.

    Without `wait` it does not wait for the compiler: until compiled code is there, interpreted rules carry it as far as
    they get in LIGHT seconds. Often that is all the way, and then the decision is the same.
    """

    def __init__(self, game: Game, seed: int, looks: int, samples: int, wait: bool = True):
        self.game = game
        self.looks = looks
        self.samples = samples
        # Partners do not play at random: in a cooperative game a move is judged as it stands.
        self.horizon = 0 if game.cooperative else HORIZON
        self.seed = seed
        self.wait = wait
        self.decisions = 0
        self.light = False
        """Whether the last decision was taken with less thought than usual."""
        self._scratch = game.states(2)
        self._rng = np.zeros(4, np.int64)
        self._out = np.zeros(game.actions, np.int64)
        self._weights = np.zeros(game.chances, np.int64)

    def decide(self, view: State, legal: Legal, clock: float | None = None) -> int:
        """The action that looks best: a matter of milliseconds, whatever the clock."""
        self.decisions += 1
        self.light = False
        candidates, n = np.array(legal, np.int64), len(legal)
        seed_stream(self._rng, self.seed, self.decisions)
        looks = min(self.looks or n, n)
        for k in range(looks if looks < n else 0):  # bring a random few to the front
            other = k + below(self._rng, n - k)
            candidates[[k, other]] = candidates[[other, k]]
        if looks == 1:
            return int(candidates[0])
        self._scratch[0] = view
        candidates = candidates[:looks]
        ready = self.wait or weigh.is_loaded(self.game.dtype)
        values = self._weigh(weigh, legal.seat, candidates) if ready else self._weigh_meanwhile(legal.seat, candidates)
        return int(candidates[int(np.argmax(values))])

    def _weigh(self, driver: Any, seat: int, candidates: Ints, first: int = 0, samples: int = 0) -> Values:
        """The mean judgement of the candidates over some guesses, or all of them."""
        values = np.zeros(len(candidates))
        driver(
            self._scratch, seat, candidates, len(candidates), first, samples or self.samples, self.horizon,
            self.seed * 1_000_003 + self.decisions, self._rng, self._out, self._weights, values,
        )  # fmt: skip
        return values

    def _weigh_meanwhile(self, seat: int, candidates: Ints) -> Values:
        """The same interpreted, guess by guess, until the time is up. What was not looked at is not chosen."""
        until = time.perf_counter() + LIGHT
        totals, tried = np.zeros(len(candidates)), np.zeros(len(candidates), np.int64)
        order = np.random.default_rng([self.seed, self.decisions]).permutation(len(candidates))
        for first in range(self.samples):
            for k in order:
                if time.perf_counter() > until:
                    self.light = True
                    means = np.where(tried > 0, totals / np.maximum(tried, 1), -np.inf)
                    best = order[np.argmax(means[order])]  # of equals the one seen first, not the one listed first
                    return np.where(np.arange(len(candidates)) == best, means, -np.inf)
                totals[k] += self._weigh(weigh.interpret, seat, candidates[k : k + 1], first, 1)[0]
                tried[k] += 1
        return totals / self.samples
