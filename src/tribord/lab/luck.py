"""Luck: what chance and the bots' own random draws did for each seat of a match, to subtract it from the result.

After a draw, a position's value differs from its mean over all possible draws. That difference averages to zero for
any value function, so subtracting it keeps the expectation, and with good values it removes noise. The same holds for a
decision that a bot samples from a distribution we can sample again: its value minus the mean value of other samples.
These are the control variates of AIVAT (Burch and others, 2018). Their coefficients are fixed before anything is
played, which keeps the estimate unbiased.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from tribord.bots import Bot, rank_of, seat_bot, solver
from tribord.bots.decision import carry_out
from tribord.bots.search import Search
from tribord.bots.tree import Reals
from tribord.bots.uniform import UNIFORM, Uniform
from tribord.core.engine import Legal
from tribord.core.game import Game, load
from tribord.core.match import Entry, Match
from tribord.core.record import CHANCE, State, duplicate

if TYPE_CHECKING:
    from tribord.lab.contest import Terms

DRAWS, CHOICES = range(2)  # indices into a seat's luck: from chance, and from redrawn decisions
COEFFICIENTS = (1.0, 1.0)  # of the two, unless the game's `bot.py` has LUCK
FIT = "fit:"  # what the seeds of a fit begin with
MEMORYLESS = ("mousse", "matelot")  # ranks without memory of earlier decisions


def coefficients(game: Game, state: State) -> tuple[float, float]:
    """The factors on a seat's luck before it is subtracted; 1 if the game is solved."""
    if solver.covers(game, state):
        return COEFFICIENTS
    return getattr(game._module("bot"), "LUCK", COEFFICIENTS)


class Values:
    """The values of positions for every seat: from the solution if there is one, otherwise as a search evaluates."""

    def __init__(self, game: Game, state: State):
        self.players = int(state.players)
        self.solution = solver.solution(game) if solver.covers(game, state) else None
        self.worker = Search(game, iterations=1).workers[0]

    def of(self, state: State) -> Reals:
        """The values of a position."""
        return np.full(self.players, self.solution.value(state)) if self.solution else self.worker.values(state)

    def expected(self, state: State) -> Reals:
        """The mean values after the pending draw."""
        return self.of(state) if self.solution else self.worker.expected_values(state)


def measure(match: Match, seats: Sequence[str], redraws: int = 0, seed: str = "") -> list[list[float]]:
    """How lucky each seat was in a match: from chance, and from the decisions of known bots (see `redrawn`).

    `seats` are the bots by name. With `redraws` every decision of a known bot is drawn that many more times.
    """
    game, journal = match.game, match.journal
    past = match.beginning()
    past.forget_events()
    values = Values(game, past.state)
    found = np.zeros((match.players, 2))
    while past.version < len(journal):
        entry = journal[past.version]
        if entry.seat == CHANCE:
            expected = values.expected(past.state)
            past.follow(entry)
            found[:, DRAWS] += values.of(past.state) - expected
            continue
        before, others = duplicate(past.states), []
        group = journal[past.version : past.version + len(past.to_act)]  # one decision, or several sealed together
        for each in group:
            others.append(_others(past, each, seats[each.seat], redraws, seed))
            past.follow(each)
        if any(others):
            again = np.zeros(match.players)
            for k in range(redraws):
                states = duplicate(before)
                for each, drawn in zip(group, others):
                    carry_out(game, states, each.seat, drawn[k] if drawn else each.action)
                again += values.of(states[0])
            found[:, CHOICES] += values.of(past.state) - again / redraws
    return [[round(float(part), 6) for part in row] for row in found]


def _others(past: Match, entry: Entry, name: str, redraws: int, seed: str) -> list[int]:
    """A known bot's decisions under other random draws; empty if the bot isn't known or has no choice."""
    view, legal = past.view_state(entry.seat), past.legal(entry.seat)
    make = redrawn(name, past.game, view)
    if not redraws or make is None or len(legal) == 1:
        return []
    found = []
    for k in range(redraws):
        digest = hashlib.sha256(f"{seed}:{past.version}:{entry.seat}:{k}".encode()).digest()
        found.append(make(int.from_bytes(digest[:4], "big")).decide(view, Legal(entry.seat, legal)))
    return found


def redrawn(name: str, game: Game, view: State) -> Callable[[int], Bot] | None:
    """A function from a seed to a bot with the same distribution of decisions; None if that isn't known.

    It is known for bots whose decisions depend on view and seed alone. A search that keeps its tree remembers more.
    """
    rank = rank_of(name)[0]
    if name == UNIFORM:
        return Uniform
    if rank in solver.TEMPERATURES and solver.covers(game, view):
        return lambda seed: solver.SolvedBot(game, seed, solver.TEMPERATURES[rank])
    if name in MEMORYLESS:
        return lambda seed: seat_bot(name, game, seed)
    return None


def fit(credits: Sequence[float], luck: Sequence[Sequence[float]]) -> tuple[float, float]:
    """The coefficients that minimize the variance, from matches played beforehand with other dice.

    >>> fit([0.0, 1.0, 0.0, 1.0], [[-0.5, 0.0], [0.5, 0.0], [-0.5, 0.0], [0.5, 0.0]])
    (1.0, 0.0)
    """
    parts = np.array(luck) - np.mean(luck, axis=0)
    found = np.linalg.lstsq(parts, np.array(credits) - np.mean(credits), rcond=None)[0]
    return round(float(found[DRAWS]), 2) + 0.0, round(float(found[CHOICES]), 2) + 0.0


def fitting(game: Game, players: int, seed: int, redraws: int) -> Terms:
    """The terms of matches for a fit. No run has their dice, so its estimate stays unbiased."""
    from tribord.lab.contest import terms

    return replace(terms(game, players, None, seed, redraws=redraws), prefix=FIT)


def main() -> None:
    """Play matches between bots and print the coefficients that fit them. No arena ever has the same dice."""
    from tribord.lab.arena import credit
    from tribord.lab.contest import Fixture, play

    parser = argparse.ArgumentParser(prog="python -m tribord.lab.luck", description=main.__doc__)
    parser.add_argument("game")
    parser.add_argument("--players", type=int)
    parser.add_argument("--bots", default="mousse,matelot", help="who plays, one after the other round the table")
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--redraws", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    game = load(args.game)
    players, bots = args.players or game.usual_players, args.bots.split(",")
    agreed = fitting(game, players, args.seed, args.redraws)
    credits, luck = [], []
    for number in range(args.matches):
        seats = tuple(bots[(seat + number) % len(bots)] for seat in range(players))
        played = play(agreed, Fixture(number, number, seats))
        for seat in range(1 if game.cooperative else players):
            credits.append(credit(played, seat, game.cooperative))
            luck.append(played.luck[seat])
    print(f"LUCK = {fit(credits, luck)}")


if __name__ == "__main__":
    main()
