"""Engines: call the rules from Python, on one state.

A match starts with the interpreted rules, at once and without a compiler. A server that plays thousands of matches
asks for `compiled_engine` once a game’s code is in the cache: the same answers, five to twenty times faster.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from tribord.core import event, verbs
from tribord.core.compiled import compiled, interpreted, rule
from tribord.core.record import Ints, States
from tribord.core.verbs import view  # by its own name: Numba takes `verbs.view` for an array method

TO_ACT, CHANCE_PENDING, LEGAL, APPLY, OUTCOME, VIEW = range(6)
MOST_SEATS = 16


@rule
def answer(states: Any, verb: int, seat: int, action: int, events: Any, out: Any) -> int:
    """One verb on one state."""
    state = states[0]
    if verb == TO_ACT:
        return verbs.to_act(state)
    if verb == LEGAL:
        return verbs.legal(state, seat, out)
    if verb == CHANCE_PENDING:
        return verbs.chance(state, out)
    if verb == OUTCOME:
        return verbs.outcome(state, out[:MOST_SEATS], out[MOST_SEATS:])
    if verb == VIEW:
        for k in range(len(states)):
            view(states[k], seat + k)
    else:
        verbs.apply(state, seat, action, events)
    return 0


@compiled
def ask(states: States, verb: int, seat: int, action: int, events: Any, out: Ints) -> int:
    """`answer`. All verbs in one driver, so that one load from the cache brings them all."""
    return answer(states, verb, seat, action, events, out)


class Legal(list[int]):
    """A seat's legal actions, ascending, with the seat.

    >>> legal = Legal(2, [7, 9])
    >>> legal, legal.seat
    ([7, 9], 2)
    """

    def __init__(self, seat: int, actions: Iterable[int] = ()):
        super().__init__(actions)
        self.seat = seat


class Engine:
    """Asks the rules of one game, interpreted or compiled. States are arrays of one record."""

    def __init__(self, room: int, driver: Callable[..., int] = ask.interpret):
        self.room = room  # of the widest answer
        self.driver = driver
        self._no_events = event.buffer()
        self._unused = self._out()  # for verbs that list nothing

    def to_act(self, states: States) -> int:
        """The seats that must decide, as a bitmask."""
        return self._ask(states, TO_ACT, self._unused)

    def legal(self, states: States, seat: int) -> Legal:
        """The legal actions of a seat."""
        out = self._out()
        n = self._ask(states, LEGAL, out, seat)
        return Legal(seat, out[:n].tolist())

    def weights(self, states: States) -> list[int]:
        """The weights of the pending chance outcomes; none when nothing is pending."""
        out = self._out()
        n = self._ask(states, CHANCE_PENDING, out)
        return list(out[:n].tolist())

    def outcome(self, states: States) -> tuple[int, list[int], list[int]]:
        """Why the match ended (0: it has not), scores and winners (0/1) by seat."""
        out = np.zeros(2 * MOST_SEATS, np.int64)
        why = self._ask(states, OUTCOME, out)
        values = out.tolist()
        return why, values[:MOST_SEATS], values[MOST_SEATS:]

    def view(self, states: States, seat: int) -> None:
        """Blank what a seat may not know, and in further states what the next seats may not."""
        self._ask(states, VIEW, self._unused, seat)

    def apply(self, states: States, seat: int, action: int, events: event.EventBuffer) -> None:
        """Carry out an action."""
        self.driver(states, APPLY, seat, action, events, self._unused)

    def _out(self) -> Ints:
        return np.empty(self.room, np.int64)

    def _ask(self, states: States, verb: int, out: Ints, seat: int = 0) -> int:
        return int(self.driver(states, verb, seat, 0, self._no_events, out))


def compiled_engine(room: int, trial: States) -> Engine:
    """The engine over the compiled rules, loaded from the cache or compiled now; `trial` is any state.

    With TRIBORD_INTERPRETED=1 it is the interpreted one all the same.
    """
    if interpreted():
        return Engine(room)
    engine = Engine(room, ask.dispatcher(trial.dtype))
    engine.to_act(trial)  # loads or compiles
    return engine
