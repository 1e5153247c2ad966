"""One-step judgement, the same for every game: try an action on a guess of the truth, see how it looks.

For each action the bot guesses what it cannot see, plays the action, lets the others play at random until it must
decide again (or the match ends, or the horizon is reached), and asks the game's `judge` how that looks. All actions
meet the same guesses and the same luck, so that they are compared and not their dice.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tribord.core import verbs
from tribord.core.bits import lowest_bit
from tribord.core.chance import below, seed_stream
from tribord.core.compiled import compiled
from tribord.core.engine import Legal
from tribord.core.game import Game
from tribord.core.record import CHANCE, Ints, State, States

HORIZON = 64  # actions and chance events at most; a round of any of our games is shorter


@compiled
def weigh(
    scratch: States,
    seat: int,
    candidates: Ints,
    n: int,
    samples: int,
    horizon: int,
    seed: int,
    rng: Ints,
    out: Ints,
    weights: Ints,
    values: NDArray[np.float64],
) -> None:
    """The mean judgement of each candidate action over guesses of scratch[0], a view; scratch[1] is worked on."""
    for k in range(n):
        total = 0.0
        for s in range(samples):
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


class Judgement:
    """A bot that judges `looks` actions taken at random (0: all of them), each over `samples` guesses."""

    def __init__(self, game: Game, seed: int, looks: int, samples: int):
        self.game = game
        self.looks = looks
        self.samples = samples
        # Partners do not play at random: in a cooperative game a move is judged as it stands.
        self.horizon = 0 if game.cooperative else HORIZON
        self.seed = seed
        self.decisions = 0
        self._scratch = game.states(2)
        self._rng = np.zeros(4, np.int64)
        self._out = np.zeros(game.actions, np.int64)
        self._weights = np.zeros(game.chances, np.int64)

    def decide(self, view: State, legal: Legal, clock: float | None = None) -> int:
        """The action that looks best: a matter of milliseconds, whatever the clock."""
        self.decisions += 1
        candidates, n = np.array(legal, np.int64), len(legal)
        seed_stream(self._rng, self.seed, self.decisions)
        looks = min(self.looks or n, n)
        for k in range(looks if looks < n else 0):  # bring a random few to the front
            other = k + below(self._rng, n - k)
            candidates[[k, other]] = candidates[[other, k]]
        if looks == 1:
            return int(candidates[0])
        self._scratch[0] = view
        values = np.zeros(looks)
        luck = self.seed * 1_000_003 + self.decisions
        weigh(
            self._scratch, legal.seat, candidates, looks, self.samples, self.horizon, luck,
            self._rng, self._out, self._weights, values,
        )  # fmt: skip
        return int(candidates[int(np.argmax(values))])
