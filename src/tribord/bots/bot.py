"""The ranks of bots, and what they have in common: a view and what is legal go in, an action comes out."""

from __future__ import annotations

import re
from typing import Protocol

from tribord.bots.lookahead import Lookahead
from tribord.bots.search import SAMPLES, Search, iterations_of
from tribord.bots.solver import TEMPERATURES, Solved, is_solved
from tribord.core.chance import bits, stream
from tribord.core.engine import Legal
from tribord.core.game import Game
from tribord.core.record import State
from tribord.core.refusal import BadOption
from tribord.core.words import _

UNKNOWN_RANK = _("There is no bot of rank “{rank}”. Known: {known}.")
NO_SEARCH = _("{rank} doesn’t search, so @N has no effect. These do: {known}.")
BAD_TIMES = _("A bot can search {least} to {most} times as long as usual, not {times}.")

LEAST_TIMES, MOST_TIMES = 0.01, 100.0


class Bot(Protocol):
    """Decides for a seat, from its view and its legal actions; never from the state."""

    def decide(self, view: State, legal: Legal, clock: float | None = None) -> int:
        """One of the legal actions of the seat (`legal.seat`); `clock` is how many seconds there are for it."""
        ...


class Ranked(Bot, Protocol):
    """A bot of a rank."""

    light: bool
    """Whether the last decision was taken with less work than usual, because something wasn't prepared yet."""


def _mousse(game: Game, seed: int, wait: bool) -> Ranked:
    """The ship's boy: one-ply lookahead over three random actions, each on one determinization."""
    return Lookahead(game, seed, candidates=3, samples=1, wait=wait)


def _matelot(game: Game, seed: int, wait: bool) -> Ranked:
    """The sailor: one-ply lookahead over every action, each on SAMPLES determinizations."""
    return Lookahead(game, seed, candidates=0, samples=SAMPLES, wait=wait)


def _bosco(game: Game, seed: int, wait: bool, times: float = 1.0) -> Ranked:
    """The boatswain: a short tree search."""
    return Search(game, seed, iterations=iterations_of(game, "bosco", times), wait=wait)


def _capitaine(game: Game, seed: int, wait: bool, times: float = 1.0) -> Ranked:
    """The captain: a tree search of up to a second on one core, or of any clock that is given."""
    return Search(game, seed, iterations=iterations_of(game, "capitaine", times), wait=wait)


class Mixture:
    """Decides as `below` with probability `share_below`, and else as `bot`.

    For games in which two ranks that differ only in iterations can't be told apart by their results.
    """

    def __init__(self, bot: Ranked, below: Ranked, share_below: float, seed: int):
        self.bot = bot
        self.below = below
        self.share_below = share_below
        self.seed = seed
        self.decisions = 0
        self.light = False

    def decide(self, view: State, legal: Legal, clock: float | None = None) -> int:
        """The action of whichever of the two it is this time."""
        self.decisions += 1
        weaker = bits(stream(self.seed, self.decisions)) < self.share_below * 2**32
        bot = self.below if weaker else self.bot
        action = bot.decide(view, legal, clock)
        self.light = bot.light
        return action


def share_below(game: Game, rank: str) -> float:
    """The share of decisions that a rank takes as the one below would: 0, unless the game's `bot.py` has `MIXTURE`."""
    return float(getattr(game._module("bot"), "MIXTURE", {}).get(rank, 0.0))


_LOOKAHEAD = {"mousse": _mousse, "matelot": _matelot}
_SEARCH = {"bosco": _bosco, "capitaine": _capitaine}


def ranks() -> tuple[str, ...]:
    """The ranks there are, lowest first.

    >>> ranks()
    ('mousse', 'matelot', 'bosco', 'capitaine')
    """
    return (*_LOOKAHEAD, *_SEARCH)


def rank_of(name: str) -> tuple[str, float]:
    """The rank in a bot's name, and the factor of its iterations.

    >>> rank_of("bosco"), rank_of("capitaine@2")
    (('bosco', 1.0), ('capitaine', 2.0))
    """
    found = re.fullmatch(r"(\w+)@(\d+(?:\.\d+)?)", name)
    return (found[1], float(found[2])) if found else (name, 1.0)


def rank_below(name: str) -> str:
    """The rank below a bot, which decides where it fails: mousse for bots without a rank, and "" below mousse.

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
    takes some seconds, once. Without `wait` it plays lighter until another process has prepared that (see
    `tribord.bots.preparation`), so that people at a table needn't wait.
    """
    rank, times = rank_of(name)
    if rank not in ranks():
        raise BadOption("unknown-rank", UNKNOWN_RANK, rank=rank, known=", ".join(ranks()))
    if not LEAST_TIMES <= times <= MOST_TIMES:
        raise BadOption("bad-times", BAD_TIMES, least=LEAST_TIMES, most=f"{MOST_TIMES:g}", times=f"{times:g}")
    if rank in _LOOKAHEAD and times != 1:
        raise BadOption("no-search", NO_SEARCH, rank=rank, known=", ".join(_SEARCH))
    bot = _LOOKAHEAD[rank](game, seed, wait) if rank in _LOOKAHEAD else _SEARCH[rank](game, seed, wait, times)
    if share := share_below(game, rank):
        bot = Mixture(bot, seat_bot(rank_below(rank), game, seed, wait), share, seed)
    return Solved(game, seed, TEMPERATURES[rank], bot, wait) if rank in TEMPERATURES and is_solved(game) else bot
