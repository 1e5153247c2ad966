"""The ranks of bots, and the interface they share: a view and the legal actions go in, an action comes out."""

from __future__ import annotations

import re
from typing import Protocol

from tribord.bots.frozen import FROZEN
from tribord.bots.lookahead import Lookahead
from tribord.bots.search import SAMPLES, Search, iterations_of
from tribord.bots.solver import TEMPERATURES, SolvedBot, is_solved
from tribord.core.chance import bits, stream
from tribord.core.engine import Legal
from tribord.core.game import Game
from tribord.core.record import State
from tribord.core.refusal import BadOption
from tribord.core.words import _

UNKNOWN_RANK = _("There’s no bot of rank “{rank}”. Choose one of: {known}.")
NO_SEARCH = _("{rank} doesn’t search, so @N has no effect. These do: {known}.")
BAD_TIMES = _("A bot can search {least} to {most} times as long as usual, not {times}.")

LEAST_TIMES, MOST_TIMES = 0.01, 100.0


class Bot(Protocol):
    """Decides for a seat, from its view and its legal actions, never from the full state."""

    def decide(self, view: State, legal: Legal, clock: float | None = None) -> int:
        """Pick one of the legal actions of `legal.seat`, within `clock` seconds if given."""
        ...


class Ranked(Bot, Protocol):
    """A bot of a rank."""

    light: bool
    """Whether the last decision took less work than usual, because something wasn't prepared yet."""


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
    """The captain: a tree search of up to a second on one core, or as long as the clock allows."""
    return Search(game, seed, iterations=iterations_of(game, "capitaine", times), wait=wait)


class Mixture:
    """Decides as `below` with probability `share_below`, otherwise as `bot`.

    For games where two ranks that differ only in iterations would get the same results.
    """

    def __init__(self, bot: Ranked, below: Ranked, share_below: float, seed: int):
        self.bot = bot
        self.below = below
        self.share_below = share_below
        self.seed = seed
        self.decisions = 0
        self.light = False

    def decide(self, view: State, legal: Legal, clock: float | None = None) -> int:
        """Draw which of the two decides this time, and return its action."""
        self.decisions += 1
        weaker = bits(stream(self.seed, self.decisions)) < self.share_below * 2**32
        bot = self.below if weaker else self.bot
        action = bot.decide(view, legal, clock)
        self.light = bot.light
        return action


def share_below(game: Game, rank: str) -> float:
    """The share of decisions a rank leaves to the rank below: 0 unless the game's `bot.py` has `MIXTURE`."""
    return float(getattr(game._module("bot"), "MIXTURE", {}).get(rank, 0.0))


_LOOKAHEAD = {"mousse": _mousse, "matelot": _matelot}
_SEARCH = {"bosco": _bosco, "capitaine": _capitaine}


def ranks() -> tuple[str, ...]:
    """All ranks, lowest first.

    >>> ranks()
    ('mousse', 'matelot', 'bosco', 'capitaine')
    """
    return (*_LOOKAHEAD, *_SEARCH)


def rank_of(name: str) -> tuple[str, float]:
    """The rank in a bot's name, and the factor on its iterations.

    >>> rank_of("bosco"), rank_of("capitaine@2"), rank_of("capitaine-0.1@2")
    (('bosco', 1.0), ('capitaine', 2.0), ('capitaine-0.1', 2.0))
    """
    found = re.fullmatch(r"(\w+(?:-[\d.]+)?)@(\d+(?:\.\d+)?)", name)
    return (found[1], float(found[2])) if found else (name, 1.0)


def is_rank(name: str) -> bool:
    """Whether a bot has one of the ranks, or a frozen one.

    >>> is_rank("bosco@2"), is_rank("capitaine-0.1"), is_rank("uniform")
    (True, True, False)
    """
    return rank_of(name)[0] in (*ranks(), *FROZEN)


def rank_below(name: str) -> str:
    """The rank that takes over when a bot fails: one below it, mousse for bots without a rank, "" below mousse.

    >>> rank_below("matelot"), rank_below("capitaine-0.1"), rank_below("cmd:python mine.py"), rank_below("mousse")
    ('mousse', 'bosco', 'mousse', '')
    """
    known, rank = ranks(), rank_of(name)[0]
    rank = rank.partition("-")[0] if rank in FROZEN else rank
    if rank not in known:
        return known[0]
    place = known.index(rank)
    return known[place - 1] if place else ""


def seat_bot(name: str, game: Game, seed: int = 0, wait: bool = True) -> Ranked:
    """Make a bot of a rank for a game. The same seed and the same views give the same decisions.

    `capitaine@2` runs twice as many iterations as `capitaine`; `capitaine-0.1` is frozen (`bots/frozen.py`). The first
    bot of a game takes some seconds to compile or solve what it needs. With `wait=False` it plays lighter until another
    process has prepared that (see `tribord.bots.preparation`), so people at a table don't have to wait.
    """
    rank, times = rank_of(name)
    frozen = FROZEN.get(rank, {}).get(game.id)
    if rank not in ranks() and frozen is None:
        raise BadOption("unknown-rank", UNKNOWN_RANK, rank=rank, known=", ".join(ranks()))
    if not LEAST_TIMES <= times <= MOST_TIMES:
        raise BadOption("bad-times", BAD_TIMES, least=LEAST_TIMES, most=f"{MOST_TIMES:g}", times=f"{times:g}")
    if rank in _LOOKAHEAD and times != 1:
        raise BadOption("no-search", NO_SEARCH, rank=rank, known=", ".join(_SEARCH))
    if frozen:
        bot: Ranked = Search(game, seed, None, max(1, round(times * frozen.iterations)), 1, frozen.params, wait)
        return SolvedBot(game, seed, frozen.temperature, bot, wait) if is_solved(game) else bot
    bot = _LOOKAHEAD[rank](game, seed, wait) if rank in _LOOKAHEAD else _SEARCH[rank](game, seed, wait, times)
    if share := share_below(game, rank):
        bot = Mixture(bot, seat_bot(rank_below(rank), game, seed, wait), share, seed)
    return SolvedBot(game, seed, TEMPERATURES[rank], bot, wait) if rank in TEMPERATURES and is_solved(game) else bot
