"""Sealed choices: several seats decide at once, in any order and hidden; the last one triggers the reveal.

A game takes the two fields `FIELDS(seats)` into its record and calls `ask`, `seal` and `hide`. Whether a seat has
already chosen is public; what it has chosen is not.
"""

from __future__ import annotations

from tribord.core.compiled import rule
from tribord.core.record import Field, Ints, State
from tribord.core.verbs import sample

NOTHING = -1  # the seat has not chosen
HIDDEN = -2  # the seat has chosen, and this view may not know what


def fields(seats: int, actions: int) -> tuple[Field, Field]:
    """The fields of a sealed choice among `seats` seats, for an action space of `actions`."""
    return (
        Field("sealing", "bitmask of the seats that must still make their sealed choice", 0, (1 << seats) - 1),
        Field("sealed", "sealed action of each seat; -1 none, -2 hidden", HIDDEN, actions - 1, seats, seen="owner"),
    )


@rule
def ask(state: State, seats: int) -> None:
    """Open a sealed choice for the seats in the bitmask."""
    state.sealing = seats
    for seat in range(len(state.sealed)):
        state.sealed[seat] = NOTHING


@rule
def seal(state: State, seat: int, action: int) -> bool:
    """Seal a seat's choice; True if it was the last one, so that all are revealed."""
    state.sealed[seat] = action
    state.sealing = int(state.sealing) & ~(1 << seat)
    return int(state.sealing) == 0


@rule
def unseal(state: State) -> None:
    """Forget the sealed choices, once they have been revealed and carried out."""
    for seat in range(len(state.sealed)):
        state.sealed[seat] = NOTHING


@rule
def hide(view: State, seat: int) -> None:
    """Blank what the other seats have sealed."""
    for other in range(len(view.sealed)):
        if other != seat and int(view.sealed[other]) != NOTHING:
            view.sealed[other] = HIDDEN


@rule
def guess_sealed(view: State, rng: Ints, out: Ints) -> None:
    """Fill every hidden choice with a uniform legal one, as if its seat were choosing now."""
    open_seats = int(view.sealing)
    for seat in range(len(view.sealed)):
        if int(view.sealed[seat]) == HIDDEN:
            view.sealing = open_seats | (1 << seat)
            view.sealed[seat] = NOTHING
            view.sealed[seat] = sample(view, seat, rng, out)
    view.sealing = open_seats
