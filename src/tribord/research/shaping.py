"""Shaping: potential-based rewards, which tell a learner early how it stands and leave the best policies the best.

    shaping="evaluate"                                   the evaluation of the game's own bots, of the whole state
    shaping="net:run"                                    what a net of `tribord train` expects, from what the seat sees
    shaping=potential                                    potential(observation) -> a number for each row
    shaping=Shaping("evaluate", scale=0.05, gamma=0.99)  any of them, scaled, with the discount of the learner

A step's reward r becomes r + γ·Φ(s′) − Φ(s): Φ is the potential of what the learner meets after the step and before it,
and 0 once the match is over. With γ = 1 the rewards of a match add up to the unshaped ones less Φ at the learner's
first decision, which nothing it does can change (Ng, Harada and Russell, 1999).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tribord.bots import net
from tribord.core.compiled import compiled
from tribord.core.game import Game
from tribord.core.record import Floats, Ints, States
from tribord.core.refusal import BadOption
from tribord.core.verbs import evaluate

SeatValues = NDArray[np.float64]
Potential = str | Callable[[Floats], Any]

EVALUATE = "evaluate"

# For programmers, so only in English, like Gymnasium.
BAD_POTENTIAL = "A potential is “evaluate”, net:FILE or a function of observations, not {given}."
BAD_GAMMA = "“gamma” is above 0 and at most 1, not {gamma}."
BAD_SCALE = "“scale” is a number other than 0, not {scale}."
BAD_ANSWER = "The potential must return {count} numbers, one for each row, not {given}."
NO_SEAT = "Shaping is for a learner with a seat of its own, not for opponents=“self”."


@dataclass(frozen=True)
class Shaping:
    """A potential, what it's multiplied by, and the discount of the learner."""

    potential: Potential
    scale: float = 1.0
    gamma: float = 1.0

    def __post_init__(self) -> None:
        who = self.potential
        if not (callable(who) or who == EVALUATE or (isinstance(who, str) and who.startswith(net.PREFIX))):
            raise BadOption("bad-potential", BAD_POTENTIAL, given=who)
        if not 0 < self.gamma <= 1:
            raise BadOption("bad-gamma", BAD_GAMMA, gamma=self.gamma)
        if not math.isfinite(self.scale) or self.scale == 0:
            raise BadOption("bad-scale", BAD_SCALE, scale=self.scale)


@compiled
def evaluate_seats(states: States, seats: Ints, values: SeatValues) -> None:
    """The game's static evaluation for the seat in every match with one."""
    for i in range(len(states)):
        if seats[i] >= 0:
            values[i] = evaluate(states[i], int(seats[i]))


class Shaper:
    """Shapes the rewards of matches side by side."""

    def __init__(
        self,
        given: Shaping | Potential,
        game: Game,
        players: int,
        matches: int,
        options: Mapping[str, Any] | None = None,
    ):
        self.shaping = given if isinstance(given, Shaping) else Shaping(given)
        self.now = np.zeros(matches)
        """The potential of what every learner has to decide; 0 where the match is over."""
        who = self.shaping.potential
        file = who.removeprefix(net.PREFIX) if isinstance(who, str) and who != EVALUATE else None
        self._net = net.NetPolicy(file, game, players, options) if file else None

    def begin(self, states: States, seats: Ints, observation: Floats) -> None:
        """Note the potential where the learners of these seats have to decide."""
        self.now = self._potential(states, seats, observation)

    def shape(
        self, reward: SeatValues, playing: NDArray[np.bool_], over: NDArray[np.bool_], states: States, seats: Ints,
        observation: Floats,
    ) -> None:  # fmt: skip
        """Add to the rewards of a step, in the matches that it played and did not only restart."""
        before, self.now = self.now, self._potential(states, seats, observation)
        after = np.where(over, 0.0, self.shaping.gamma * self.now)
        reward += np.where(playing, after - before, 0.0)

    def _potential(self, states: States, seats: Ints, observation: Floats) -> SeatValues:
        values = np.zeros(len(states))
        who = self.shaping.potential
        if self._net is not None:
            values += self._net.value_each(states, seats)
        elif isinstance(who, str):
            evaluate_seats(states, seats, values)
        elif len(rows := np.flatnonzero(seats >= 0)):
            found = np.asarray(who(observation[rows]), np.float64)
            if found.shape != rows.shape:
                raise BadOption("bad-answer", BAD_ANSWER, count=len(rows), given=f"an array of shape {found.shape}")
            values[rows] = found
        return self.shaping.scale * values
