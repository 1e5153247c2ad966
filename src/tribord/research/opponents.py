"""Opponents: who plays the seats that the learner doesn't, seat by seat.

    "random", "mousse", "matelot"    compiled, and decided inside the step
    "bosco", "capitaine@0.1"         bots of a rank, one for each seat and match
    "net:run", "net:run/net.npz"     a net of `tribord train`, from its folder or a file; a checkpoint.pt needs torch
    "py:my_agents:Agent", Agent      a class of bots, called with (game, seed) for each seat and match
    a `Bot`                          an object with decide(view, legal, clock), the same in all matches
    a policy                         policy(observation, action_mask) -> actions, a row for each match that waits

A policy may be a net of your own: it gets float32 and int8 arrays and returns whole numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tribord.bots import Bot, is_rank, net, ranks, seat_bot
from tribord.bots.lookahead import ROLLOUT_DEPTH
from tribord.bots.python import PREFIX, find_bot, make_bot
from tribord.bots.solver import TEMPERATURES, is_solved
from tribord.core.batch import Mask, observe_each
from tribord.core.chance import bits, stream
from tribord.core.engine import Legal
from tribord.core.game import Game
from tribord.core.record import Floats, Ints, States
from tribord.core.refusal import BadOption, IllegalAction

PolicyFunction = Callable[[Floats, Mask], Any]
Opponent = str | Bot | PolicyFunction

SELF, RANDOM = "self", "random"
LOOKAHEADS = {"mousse": (3, 1), "matelot": (0, 24)}  # the compiled ranks: candidates (0: all) and samples
STOP, UNIFORM, LOOKAHEAD = range(3)  # decided in Python, uniformly at random, or by one-ply lookahead

# For programmers, so only in English, like Gymnasium.
OPPONENTS = (
    "Opponents are {known}, py:module:Class, net:FILE, a bot, a class of bots or a policy, for all seats, in a list "
    "with one for each of the {players} seats, or in a dict by seat, not {given}."
)
BAD_ANSWER = "The policy in seat {seat} must return {count} whole numbers, one for each row, not {given}."
ILLEGAL = "The opponent in seat {seat} chose {action} in match {match}, which is illegal. Call reset() to go on."


class Opponents:
    """The opponent in every seat of the matches, the learner's own included, which is never asked."""

    def __init__(
        self, game: Game, players: int, given: Any, clock: float | None = None, alone: bool = False,
        options: Mapping[str, Any] | None = None,
    ):  # fmt: skip
        self.game = game
        self._options = options
        self.clock = clock
        self.seats = self._seated(given, players, alone)
        self.kinds = np.zeros(players, np.int64)
        self.candidates, self.samples = np.zeros(players, np.int64), np.zeros(players, np.int64)
        self.depth = 0 if game.cooperative else ROLLOUT_DEPTH
        for seat, who in enumerate(self.seats):
            if isinstance(who, str) and who == RANDOM:
                self.kinds[seat] = UNIFORM
            elif isinstance(who, str) and who in compiled_opponents(game) and clock is None:
                self.kinds[seat] = LOOKAHEAD
                self.candidates[seat], self.samples[seat] = LOOKAHEADS[who]
        self.outside = given != SELF and bool((self.kinds == STOP).any())
        self.luck: dict[int, int] = {}  # of bots, by place
        self.bots: dict[tuple[int, int], tuple[int, Bot]] = {}  # by place and seat; and in which match

    def _seated(self, given: Any, players: int, alone: bool) -> list[Any]:
        if isinstance(given, str) and given == SELF and not alone:
            return [SELF] * players
        several = isinstance(given, list | tuple | Mapping)
        if isinstance(given, Mapping):
            listed = [given.get(seat, RANDOM) for seat in range(players)] if {*given} <= {*range(players)} else []
        else:
            listed = list(given) if several else [given] * players
        if len(listed) != players or not all(map(_is_one, listed)):
            names = ", ".join((*(() if several or alone else (SELF,)), RANDOM, *ranks()))
            raise BadOption("bad-opponents", OPPONENTS, known=names, players=players, given=given)
        nets = {}
        for who in {who for who in listed if isinstance(who, str) and who != RANDOM}:
            if who.startswith(net.PREFIX):
                nets[who] = net.NetPolicy(who.removeprefix(net.PREFIX), self.game, players, self._options)
            elif who.startswith(PREFIX):
                find_bot(who)
            else:
                seat_bot(who, self.game)  # refuses @N if it has no effect
        return [nets.get(who, who) if isinstance(who, str) else who for who in listed]

    def memory(self, seat: int) -> int:
        """The bytes of the bots of a match, if the learner is in this seat; below 0: in any."""
        taken = [
            memory_of(seat_bot(who, self.game)) if self.kinds[k] == STOP and _is_rank(who) else 0
            for k, who in enumerate(self.seats)
        ]
        return sum(taken) - (taken[seat] if seat >= 0 else min(taken))

    def begin(self, places: Sequence[int], seed: int) -> None:
        """Begin again in some places, as if no match had been played there. Bots elsewhere aren't affected."""
        self.luck.update(dict.fromkeys(places, seed))
        restarted = {*places}
        self.bots = {key: bot for key, bot in self.bots.items() if key[0] not in restarted}

    def decide(self, states: States, seats: Ints, waiting: NDArray[np.bool_], mask: Mask, games: Ints) -> Ints:
        """An action for every match that waits for an opponent; `games` counts the matches played in each place."""
        actions = np.zeros(len(states), np.int64)
        for seat in np.unique(seats[waiting]).tolist():
            rows = np.flatnonzero(waiting & (seats == seat))
            who = self.seats[seat]
            only = np.full(len(states), -1, np.int64)
            only[rows] = seat
            if isinstance(who, net.NetPolicy):
                chosen = who.decide_each(states, only, mask)[rows]
            elif isinstance(who, str) or hasattr(who, "decide"):
                chosen = np.array([self._ask(who, states, i, seat, mask[i], int(games[i])) for i in rows.tolist()])
            else:
                floats = np.zeros((len(states), self.game.observation), np.float32)
                observe_each(states, self.game.states(1), only, floats)
                chosen = np.asarray(who(floats[rows], mask[rows]))
                if chosen.shape != rows.shape or chosen.dtype.kind not in "iu":
                    given = f"{chosen.dtype} with shape {chosen.shape}"
                    raise BadOption("bad-answer", BAD_ANSWER, seat=seat, count=len(rows), given=given)
            legal = (chosen >= 0) & (chosen < mask.shape[1])
            legal[legal] = mask[rows[legal], chosen[legal]] == 1
            if not legal.all():
                bad = int(legal.argmin())
                raise IllegalAction("opponent", ILLEGAL, seat=seat, action=int(chosen[bad]), match=int(rows[bad]))
            actions[rows] = chosen
        return actions

    def _ask(self, who: Any, states: States, i: int, seat: int, mask: Mask, number: int) -> int:
        """What a bot decides. Ranks and classes bring a new one for every match."""
        known = self.bots.get((i, seat))
        if known is None or known[0] != number:
            luck = bits(stream(self.luck[i] + number, 16 * i + seat)) >> 1
            known = self.bots[i, seat] = number, self._made(who, luck)
        legal = Legal(seat, np.flatnonzero(mask).tolist())
        return int(known[1].decide(self.game.view_of(states[i], seat), legal, self.clock))

    def _made(self, who: Any, luck: int) -> Bot:
        if isinstance(who, str) and not who.startswith(PREFIX):
            return seat_bot(who, self.game, luck)
        return make_bot(find_bot(who) if isinstance(who, str) else who, self.game, luck)


def _is_rank(who: Any) -> bool:
    return isinstance(who, str) and is_rank(who)


def _is_one(who: Any) -> bool:
    if isinstance(who, str):
        return who == RANDOM or _is_rank(who) or who.startswith((PREFIX, net.PREFIX))
    return hasattr(who, "decide") or callable(who)


def memory_of(bot: Any) -> int:
    """The bytes that a bot of a rank takes in the end. Nearly all of them are for the trees of searches."""
    parts = [getattr(bot, name, None) for name in ("bot", "below", "otherwise")]
    return int(getattr(bot, "memory", 0)) + sum(memory_of(part) for part in parts if part is not None)


def compiled_opponents(game: Game) -> Sequence[str]:
    """The compiled opponents. A rank that plays by the game's solution isn't among them."""
    return (RANDOM, *(rank for rank in LOOKAHEADS if rank not in TEMPERATURES or not is_solved(game)))
