"""Outlooks: what a choice leads to, at once and probably before the seat's next turn, in events that have sentences.

Matelots play on from a choice, in worlds that the seat considers possible; nothing that is hidden from it plays a part.
Of what then happens, an outlook has what sets the best choice apart from the others, and each of them from the best.
`client/counted.json` may name the kinds of event that decide matches (`"decisive"`); they come first.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tribord.bots import seat_bot
from tribord.bots.bot import Bot
from tribord.bots.decision import carry_out
from tribord.core.bits import lowest_bit
from tribord.core.chance import stream
from tribord.core.event import Event
from tribord.core.game import Game
from tribord.core.record import CHANCE, PlainStates, State, States, duplicate, revive
from tribord.core.tip import read
from tribord.lab.event_counts import ACTORS

PLAYERS = "matelot"  # who plays on
WORLDS = 32  # in which a choice is tried
LONGEST = 120  # decisions and dice rolls until the seat's next turn
MOST_AT_ONCE, MOST_LIKELY, MOST_SPARED = 4, 3, 1  # events shown
LIKELY = 0.25  # the share of the worlds from which something decisive is worth showing; anything else twice as much
APART = 0.15  # by how much more or less often than otherwise it must happen; anything else twice as much

Fact = tuple[str, str, tuple[int, ...]]  # kind, rule, the values of the fields


def outlooks(game: Game, view: State, seat: int, actions: Sequence[int], seed: int = 0) -> list[dict[str, Any]]:
    """What each of these actions of a seat leads to, as it is written in a puzzle; the best one comes first.

    `at_once` are the events of the action itself, as far as they're certain and not the same for all of them. `likely`
    is what comes more often than otherwise until the seat's next turn, `spared` what decides matches and comes less
    often: each event with its share of the worlds, and the same share otherwise. The best action is compared with all
    others, on average, and each of them with the best one.
    """
    decisive = set((read(game, "counted.json") or {}).get("decisive", ()))
    certain: list[list[Fact]] = []
    shares: list[dict[Fact, float]] = []
    for action in actions:
        bots = [seat_bot(PLAYERS, game, seed + k) for k in range(int(view.players))]
        tried = [_tried(game, view, seat, action, bots, seed, world) for world in range(WORLDS)]
        certain.append(_prefix([at_once for at_once, _later in tried]))
        counted = Counter(fact for at_once, later in tried for fact in {*at_once, *later})
        shares.append({fact: times / WORLDS for fact, times in counted.items()})
    common = set.intersection(*map(set, certain)) if len(actions) > 1 else set()
    found = []
    for k in range(len(actions)):
        apart = [each for each in _apart(shares, k) if each.fact not in certain[k]]
        likely = [each for each in apart if _is_likely(game, each, seat, decisive)]
        if not likely and not set(certain[k]) - common:
            likely = [each for each in apart if each.share >= LIKELY and _decides(each, decisive)]
        spared = [each for each in apart if each.more <= -APART and _decides(each, decisive)]
        likely.sort(key=lambda each: (not _decides(each, decisive), -each.more, each.fact))
        spared.sort(key=lambda each: (each.more, each.fact))
        found.append(
            {
                "at_once": [_written(fact) for fact in certain[k] if fact not in common][:MOST_AT_ONCE],
                "likely": [each.written() for each in likely[:MOST_LIKELY]],
                "spared": [each.written() for each in spared[:MOST_SPARED]],
            }
        )
    return found


@dataclass(frozen=True)
class Apart:
    """An event that can follow a choice: in which share of the worlds, and in which otherwise."""

    fact: Fact
    share: float
    otherwise: float

    @property
    def more(self) -> float:
        """By how much more often it happens than otherwise."""
        return self.share - self.otherwise

    def written(self) -> list[Any]:
        """As a puzzle has it."""
        return [round(self.share, 2), round(self.otherwise, 2), *_written(self.fact)]


def _apart(shares: Sequence[Mapping[Fact, float]], own: int) -> Iterator[Apart]:
    """What can follow a choice, or those that it's compared with."""
    others = shares[1:] if own == 0 else shares[:1]
    for fact in set().union(*shares):
        otherwise = sum(other.get(fact, 0.0) for other in others) / max(1, len(others))
        yield Apart(fact, shares[own].get(fact, 0.0), otherwise)


def _decides(each: Apart, decisive: set[str]) -> bool:
    """Whether an event is one of those that decide matches; all are where the game names none."""
    return each.fact[0] in decisive or not decisive


def _is_likely(game: Game, each: Apart, seat: int, decisive: set[str]) -> bool:
    """Whether an event is worth showing: what decides matches, and what the other players do about it."""
    kind, _rule, values = each.fact
    if _decides(each, decisive):
        return each.share >= LIKELY and each.more >= APART
    names = next(known.fields for known in game.events.KINDS if known.name == kind)
    own = any(dict(zip(names, values)).get(actor) == seat for actor in ACTORS)
    return not own and each.share >= 2 * LIKELY and each.more >= 2 * APART


def _prefix(several: Sequence[list[Fact]]) -> list[Fact]:
    """What all of these begin with."""
    first, *others = several
    same = 0
    while same < len(first) and all(each[same : same + 1] == [first[same]] for each in others):
        same += 1
    return first[:same]


def _tried(
    game: Game, view: State, seat: int, action: int, bots: Sequence[Bot], seed: int, world: int
) -> tuple[list[Fact], list[Fact]]:
    """The events of an action in one world, and those until the seat's next turn."""
    states = _possible(game, view, seat, seed, world)
    chance = random.Random(f"{seed}:{world}")
    at_once = [_fact(event) for event in carry_out(game, states, seat, action)]
    later: list[Fact] = []
    elsewhere = False  # whether anyone else, or chance, has come in between
    for _step in range(LONGEST):
        acting = game.engine.to_act(states)
        if acting:
            who = lowest_bit(acting)
            if who == seat and elsewhere:
                break
            elsewhere = elsewhere or who != seat
            known = duplicate(states)
            game.engine.view(known, who)
            decided = bots[who].decide(known[0], game.engine.legal(states, who))
        elif weights := game.engine.weights(states):
            who, elsewhere = CHANCE, True
            decided = chance.choices(range(len(weights)), weights)[0]
        else:
            break  # the match is over
        later += [_fact(event) for event in carry_out(game, states, who, decided)]
    return at_once, later


def _possible(game: Game, view: State, seat: int, seed: int, number: int) -> States:
    """A world that the seat considers possible: what is hidden from it is dealt again."""
    world: States = revive(view.tobytes(), game.dtype)
    room = np.zeros(max(game.actions, game.chances), np.int64)
    game.rules.guess(PlainStates(world)[0], seat, stream(seed, number), room)
    return world


def _fact(event: Event) -> Fact:
    return event.kind, event.rule, tuple(event.fields.values())


def _written(fact: Fact) -> list[Any]:
    kind, rule, values = fact
    return [rule, kind, *values]
