"""The ranks of bots, and what they have in common: a view goes in, an action comes out."""

from __future__ import annotations

from typing import Protocol

from tribord.bots.judgement import Judgement
from tribord.bots.search import Search, iterations_of
from tribord.bots.solver import SLIPS, Solved, is_solved
from tribord.core.game import Game
from tribord.core.record import State
from tribord.core.refusal import BadOption
from tribord.core.words import _

UNKNOWN_RANK = _("There is no bot of rank “{rank}”. Known: {known}.")


class Bot(Protocol):
    """Whoever decides for a seat from its view; what is legal follows from the view."""

    def decide(self, view: State, seat: int, clock: float | None = None) -> int:
        """The action of the seat, from what the seat may know; `clock` is how many seconds there are for it."""
        ...


def _mousse(game: Game, seed: int) -> Bot:
    """The ship's boy looks at three things that come to mind, each once, and takes the one he likes."""
    return Judgement(game, seed, looks=3, samples=1)


def _matelot(game: Game, seed: int) -> Bot:
    """The sailor looks at everything, several times over, as far as the next decision."""
    return Judgement(game, seed, looks=0, samples=24)


def _bosco(game: Game, seed: int) -> Bot:
    """The boatswain thinks ahead, and briefly."""
    return Search(game, seed, iterations=iterations_of(game, "bosco"))


def _capitaine(game: Game, seed: int) -> Bot:
    """The captain thinks ahead as far as a second on one core allows, or any clock that is given."""
    return Search(game, seed, iterations=iterations_of(game, "capitaine"))


_RANKS = {"mousse": _mousse, "matelot": _matelot, "bosco": _bosco, "capitaine": _capitaine}


def ranks() -> tuple[str, ...]:
    """The ranks there are, lowest first.

    >>> ranks()
    ('mousse', 'matelot', 'bosco', 'capitaine')
    """
    return tuple(_RANKS)


def seat_bot(rank: str, game: Game, seed: int = 0, wait: bool = True) -> Bot:
    """A bot of a rank for a game; the same seed and the same views give the same decisions.

    Where the game is solved a bot waits until the solution is there, some seconds the first time; without `wait` it
    decides meanwhile as it would in any other game, as is right where people sit at the table.
    """
    if rank not in _RANKS:
        raise BadOption("unknown-rank", UNKNOWN_RANK, rank=rank, known=", ".join(ranks()))
    bot = _RANKS[rank](game, seed)
    return Solved(game, seed, SLIPS[rank], bot, wait) if rank in SLIPS and is_solved(game) else bot
