"""Event counts: how often each kind of event happens over many matches, by field value, and who then wins.

Events are counted while matches run, compiled or not. An event belongs to the seat named in its crew or player field,
or to all seats in a cooperative game. Credits are whole multiples of `UNIT`, so sums don't depend on their order.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from tribord.core import event, verbs
from tribord.core.bits import lowest_bit
from tribord.core.chance import seed_stream
from tribord.core.compiled import compiled, rule
from tribord.core.game import Game
from tribord.core.match import Match
from tribord.core.record import CHANCE, Ints, State, States
from tribord.core.words import Words

UNIT = math.lcm(*range(1, 17))  # a victory: divisible among up to 16 without remainder
LOWEST, VALUES = -16, 64  # of an event's field that are counted separately
ROOM = 1 << 14  # events and decisions of one match, kept until its winner is known
TIMES, MATCHES, OWNED, CREDIT = range(4)
ACTORS = ("crew", "player")  # fields that name a seat


@dataclass
class EventCounts:
    """Counts of events by kind, by the value of each field, and of the actions that were taken."""

    kinds: Ints  # kind × (happened, matches, owned, credit)
    values: Ints  # kind × field × value × (happened, –, owned, credit)
    actions: Ints  # action × (taken, credit)
    lost: Ints  # [events and decisions beyond ROOM]

    def __iadd__(self, other: EventCounts) -> EventCounts:
        self.kinds += other.kinds
        self.values += other.values
        self.actions += other.actions
        self.lost += other.lost
        return self


def no_events(game: Game) -> EventCounts:
    """Empty counts."""
    kinds = len(game.events.KINDS)
    return EventCounts(
        np.zeros((kinds, 4), np.int64), np.zeros((kinds, event.FIELDS, VALUES, 4), np.int64),
        np.zeros((game.actions, 2), np.int64), np.zeros(1, np.int64),
    )  # fmt: skip


def actors(game: Game) -> Ints:
    """The index of the field that names a seat, for each kind of event; −1 if none does."""
    places = []
    for kind in game.events.KINDS:
        named = [kind.fields.index(name) for name in ACTORS if name in kind.fields]
        places.append(named[0] if named else -1)
    return np.array(places, np.int64)


@rule
def enter(
    log: Any, events: int, decided: Ints, decisions: int, credit: Ints, players: int, together: int, actors: Ints,
    seen: Ints, kinds: Ints, values: Ints, actions: Ints,
) -> None:  # fmt: skip
    """Add a finished match: its events, its decisions and every seat's credit. `seen` is scratch."""
    for kind in range(len(seen)):
        seen[kind] = 0
    for k in range(events):
        kind = int(log[k, 0])
        owner = 0
        if together == 0:
            owner = -1
            if actors[kind] >= 0:
                owner = int(log[k, 2 + actors[kind]])
        owned = 0
        if 0 <= owner < players:
            owned = 1
        else:
            owner = 0
        kinds[kind, TIMES] += 1
        kinds[kind, OWNED] += owned
        kinds[kind, CREDIT] += owned * credit[owner]
        kinds[kind, MATCHES] += 1 - seen[kind]
        seen[kind] = 1
        for f in range(event.FIELDS):
            value = int(log[k, 2 + f]) - LOWEST
            if 0 <= value < VALUES:
                values[kind, f, value, TIMES] += 1
                values[kind, f, value, OWNED] += owned
                values[kind, f, value, CREDIT] += owned * credit[owner]
    for k in range(decisions):
        actions[decided[k, 1], 0] += 1
        actions[decided[k, 1], 1] += credit[decided[k, 0]]


@rule
def share_out(wins: Ints, players: int, together: int, credit: Ints) -> None:
    """The credit of each seat: a shared victory is divided, unless all win together."""
    winners = 0
    for seat in range(players):
        winners += int(wins[seat])
    for seat in range(players):
        credit[seat] = 0
        if wins[seat] != 0:
            credit[seat] = UNIT
            if together == 0:
                credit[seat] = UNIT // winners


@compiled
def count_playouts(
    states: States, settings: State, seed: int, first: int, rng: Ints, out: Ints, weights: Ints, scores: Ints,
    wins: Ints, lengths: Ints, players: int, together: int, rows: Any, log: Any, decided: Ints, credit: Ints,
    actors: Ints, seen: Ints, kinds: Ints, values: Ints, actions: Ints, lost: Ints,
) -> None:  # fmt: skip
    """Play the same matches as `playouts`, and count their events and actions."""
    for i in range(len(states)):
        state = states[i]
        seed_stream(rng, seed, first + i)
        verbs.initial(state, settings)
        length = 0
        events = 0
        while True:
            rows[0, 0] = 0
            mask = verbs.to_act(state)
            if mask == 0:
                if verbs.outcome(state, scores[i], wins[i]) != 0:
                    break
                verbs.apply(state, CHANCE, verbs.roll(state, rng, weights), rows)
            else:
                seat = lowest_bit(mask)
                action = verbs.sample(state, seat, rng, out)
                verbs.apply(state, seat, action, rows)
                if length < len(decided):
                    decided[length, 0] = seat
                    decided[length, 1] = action
                else:
                    lost[0] += 1
                length += 1
            for k in range(int(rows[0, 0])):
                if events < len(log):
                    for f in range(2 + event.FIELDS):
                        log[events, f] = rows[k + 1, f]
                    events += 1
                else:
                    lost[0] += 1
        lengths[i] = length
        share_out(wins[i], players, together, credit)
        decisions = min(length, len(decided))
        enter(log, events, decided, decisions, credit, players, together, actors, seen, kinds, values, actions)


def count_match(match: Match, found: EventCounts) -> None:
    """Add a match played one decision at a time."""
    game, ended = match.game, match.outcome
    assert ended is not None
    numbers = {kind.name: number for number, kind in enumerate(game.events.KINDS)}
    log = np.full((len(match.events), 2 + event.FIELDS), 0, np.int32)
    for row, one in zip(log, match.events):
        row[0] = numbers[one.kind]
        row[2 : 2 + len(one.fields)] = list(one.fields.values())
    taken = [(entry.seat, entry.action) for entry in match.journal if entry.seat != CHANCE]
    wins = np.array([seat in ended.winners for seat in range(match.players)], np.int64)
    credit = np.zeros(match.players, np.int64)
    together = int(game.cooperative)
    share_out(wins, match.players, together, credit)
    enter(
        log, len(log), np.array(taken, np.int64).reshape(-1, 2), len(taken), credit, match.players, together,
        actors(game), np.zeros(len(found.kinds), np.int64), found.kinds, found.values, found.actions,
    )  # fmt: skip


def named_values(game: Game, field: str, words: Words, people: bool = False) -> dict[int, str]:
    """The words for the values of a field that is a thing of the game: a card, a boat; a crew only if asked for."""
    if people and field in ACTORS:
        return {seat: game.say_seat(seat, words) for seat in range(game.players[1])}
    crews = {game.names[sort].get(seat) for sort in ACTORS if sort in game.names for seat in range(game.players[1])}
    for sort in (field, f"{field}_name"):
        known = {value: name for value, name in game.names.get(sort, {}).items() if isinstance(value, int)}
        if known and not crews & set(known.values()):
            return {value: words.translate(name) for value, name in known.items()}
    return {}
