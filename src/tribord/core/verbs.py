"""The rule contract: the verbs every game answers, as generic functions that resolve by record type.

Drivers, bots and core itself call these; a game's `rules.py` defines functions of the same names. Interpreted, a call
looks the game up by the record's dtype; compiled, Numba resolves it while compiling and nothing is looked up at all.

    initial(state, options)               write the starting state into `state`
    to_act(state) -> seats                bitmask; several bits are a sealed choice; 0 is chance pending, or the end
    chance(state, weights) -> n           pending chance outcomes 0..n-1 and their integer weights; 0 is none
    legal(state, seat, out) -> n          the seat's legal actions, ascending
    apply(state, seat, action, events)    deterministic; seat may be CHANCE; events may be None and then costs nothing
    outcome(state, scores, wins) -> why   0 while the match goes on, else why it ended, with scores and winners (0/1)
    view(state, seat)                     blank what the seat may not know, in a copy; PUBLIC sees the least
    guess(view, seat, rng, out)           determinize: fill the blanks of a view, uniformly over what is consistent
    observe(view, seat, out)              the view as floats for learners

`out` is room for a list of actions: rules allocate nothing, which makes them fast and lets them run on a GPU.

Two more have a default that a game may replace with something faster with the same odds:

    sample(state, seat, rng, out) -> action      a uniform legal action
    roll(state, rng, weights) -> outcome         a chance outcome by its weight
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tribord.core.chance import below, draw
from tribord.core.compiled import rule, rules_of, verb
from tribord.core.record import Floats, Ints, State

Events = Any  # an int32 array as made by `event.buffer()`, or None


def _rules(state: State) -> Any:
    return rules_of(state.dtype)


@verb
def initial(state: State, options: Any) -> None:
    """Write the starting state."""
    _rules(state).initial(state, options)


@verb
def to_act(state: State) -> int:
    """Bitmask of the seats that must decide now."""
    return _rules(state).to_act(state)


@verb
def chance(state: State, weights: Ints) -> int:
    """The pending chance outcomes and their weights; 0 when chance has nothing to decide."""
    return _rules(state).chance(state, weights)


@verb
def legal(state: State, seat: int, out: Ints) -> int:
    """The legal actions of a seat, ascending; returns how many."""
    return _rules(state).legal(state, seat, out)


@verb
def apply(state: State, seat: int, action: int, events: Events) -> None:
    """Carry out an action that is known to be legal."""
    _rules(state).apply(state, seat, action, events)


@verb
def outcome(state: State, scores: Ints, wins: Ints) -> int:
    """0 while the match goes on, else the reason of its end; writes scores and winners."""
    return _rules(state).outcome(state, scores, wins)


@verb
def view(state: State, seat: int) -> None:
    """Blank what the seat may not know. The caller copies first, so that no field can be forgotten."""
    _rules(state).view(state, seat)


@verb
def guess(state: State, seat: int, rng: Ints, out: Ints) -> None:
    """Determinize a view: fill its blanks with a possible truth, uniformly over what is consistent with it."""
    _rules(state).guess(state, seat, rng, out)


@verb
def observe(state: State, seat: int, out: Floats) -> None:
    """Write a view as floats."""
    _rules(state).observe(state, seat, out)


@rule
def sample_legal(state: State, seat: int, rng: Ints, out: Ints) -> int:
    """Default of `sample`: list the legal actions and take one."""
    return int(out[below(rng, legal(state, seat, out))])


@rule
def roll_weights(state: State, rng: Ints, weights: Ints) -> int:
    """Default of `roll`: list the chance outcomes and draw one."""
    return draw(rng, weights, chance(state, weights))


@verb
def sample(state: State, seat: int, rng: Ints, out: Ints) -> int:
    """A uniform legal action."""
    return getattr(_rules(state), "sample", sample_legal)(state, seat, rng, out)


@verb
def roll(state: State, rng: Ints, weights: Ints) -> int:
    """A chance outcome, drawn by its weight."""
    return getattr(_rules(state), "roll", roll_weights)(state, rng, weights)


@verb
def evaluate(state: State, seat: int) -> float:
    """The game's static evaluation of a state for a seat, higher is better; bots use it (from the game's `bot.py`)."""
    return _rules(state).evaluate(state, seat)


sample.default = sample_legal  # type: ignore[attr-defined]
roll.default = roll_weights  # type: ignore[attr-defined]

CONTRACT: tuple[Callable[..., Any], ...] = (
    initial, to_act, chance, legal, apply, outcome, view, guess, observe,
)  # fmt: skip
