"""The ranks of bots, and what they have in common: a view and what is legal go in, an action comes out."""

from __future__ import annotations

import re
from typing import Protocol

from tribord.bots.judgement import Judgement
from tribord.bots.search import GUESSES, Search, iterations_of
from tribord.bots.solver import SLIPS, Solved, is_solved
from tribord.core.chance import bits, stream
from tribord.core.engine import Legal
from tribord.core.game import Game
from tribord.core.record import State
from tribord.core.refusal import BadOption
from tribord.core.words import _

UNKNOWN_RANK = _("There is no bot of rank “{rank}”. Known: {known}.")
NO_SEARCH = _("A {rank} does not think ahead, and so no longer than usual either; these do: {known}.")
BAD_TIMES = _("A bot thinks from {least} to {most} times as long as usual, not {times}.")

LEAST_TIMES, MOST_TIMES = 0.01, 100.0


class Bot(Protocol):
    """Whoever decides for a seat, from its view and what is legal for it; never from the state."""

    def decide(self, view: State, legal: Legal, clock: float | None = None) -> int:
        """One of the legal actions of the seat (`legal.seat`); `clock` is how many seconds there are for it."""
        ...


class Ranked(Bot, Protocol):
    """A bot of a rank."""

    light: bool
    """Whether the last decision was taken with less thought than usual, because something was not prepared yet."""


def _mousse(game: Game, seed: int, wait: bool) -> Ranked:
    """The ship's boy looks at three things that come to mind, each once, and takes the one he likes."""
    return Judgement(game, seed, looks=3, samples=1, wait=wait)


def _matelot(game: Game, seed: int, wait: bool) -> Ranked:
    """The sailor looks at everything, several times over, as far as the next decision."""
    return Judgement(game, seed, looks=0, samples=GUESSES, wait=wait)


def _bosco(game: Game, seed: int, wait: bool, times: float = 1.0) -> Ranked:
    """The boatswain thinks ahead, and briefly."""
    return Search(game, seed, iterations=iterations_of(game, "bosco", times), wait=wait)


def _capitaine(game: Game, seed: int, wait: bool, times: float = 1.0) -> Ranked:
    """The captain thinks ahead as far as a second on one core allows, or any clock that is given."""
    return Search(game, seed, iterations=iterations_of(game, "capitaine", times), wait=wait)


class Hasty:
    """Decides as `below` would with probability `haste`, and else as `otherwise`.

    For where ranks that differ only in how long they think are not seen to differ.
    """

    def __init__(self, otherwise: Ranked, below: Ranked, haste: float, seed: int):
        self.otherwise = otherwise
        self.below = below
        self.haste = haste
        self.seed = seed
        self.decisions = 0
        self.light = False

    def decide(self, view: State, legal: Legal, clock: float | None = None) -> int:
        """The action of whichever of the two it is this time."""
        self.decisions += 1
        in_haste = bits(stream(self.seed, self.decisions)) < self.haste * 2**32
        bot = self.below if in_haste else self.otherwise
        action = bot.decide(view, legal, clock)
        self.light = bot.light
        return action


def haste_of(game: Game, rank: str) -> float:
    """How often a rank decides in haste: never, unless the game says so (`HASTE` in its `bot.py`)."""
    return float(getattr(game._module("bot"), "HASTE", {}).get(rank, 0.0))


_JUDGE = {"mousse": _mousse, "matelot": _matelot}
_SEARCH = {"bosco": _bosco, "capitaine": _capitaine}


def ranks() -> tuple[str, ...]:
    """The ranks there are, lowest first.

    >>> ranks()
    ('mousse', 'matelot', 'bosco', 'capitaine')
    """
    return (*_JUDGE, *_SEARCH)


def rank_of(name: str) -> tuple[str, float]:
    """The rank in a bot's name, and how many times as long as usual it is to think.

    >>> rank_of("bosco"), rank_of("capitaine@2")
    (('bosco', 1.0), ('capitaine', 2.0))
    """
    found = re.fullmatch(r"(\w+)@(\d+(?:\.\d+)?)", name)
    return (found[1], float(found[2])) if found else (name, 1.0)


def rank_below(name: str) -> str:
    """Who steps in for a bot: the rank below; mousse for whoever has no rank, and below mousse nobody.

    >>> rank_below("matelot"), rank_below("cmd:python mine.py"), rank_below("mousse")
    ('mousse', 'mousse', '')
    """
    known, rank = ranks(), rank_of(name)[0]
    if rank not in known:
        return known[0]
    place = known.index(rank)
    return known[place - 1] if place else ""


def seat_bot(name: str, game: Game, seed: int = 0, wait: bool = True) -> Ranked:
    """A bot of a rank for a game; the same seed and the same views give the same decisions.

    `capitaine@2` makes twice as many iterations as a capitaine. What a bot needs is compiled or solved first, which
    takes some seconds, once. Without `wait` it decides with less thought until somebody else has prepared that (see
    `tribord.bots.preparation`), as is right where people sit at the table.
    """
    rank, times = rank_of(name)
    if rank not in ranks():
        raise BadOption("unknown-rank", UNKNOWN_RANK, rank=rank, known=", ".join(ranks()))
    if not LEAST_TIMES <= times <= MOST_TIMES:
        raise BadOption("bad-times", BAD_TIMES, least=LEAST_TIMES, most=f"{MOST_TIMES:g}", times=f"{times:g}")
    if rank in _JUDGE and times != 1:
        raise BadOption("no-search", NO_SEARCH, rank=rank, known=", ".join(_SEARCH))
    bot = _JUDGE[rank](game, seed, wait) if rank in _JUDGE else _SEARCH[rank](game, seed, wait, times)
    if haste := haste_of(game, rank):
        bot = Hasty(bot, seat_bot(rank_below(rank), game, seed, wait), haste, seed)
    return Solved(game, seed, SLIPS[rank], bot, wait) if rank in SLIPS and is_solved(game) else bot
