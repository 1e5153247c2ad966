"""Moments: the turns that decided a match, with their events. A position is worth what the bots expect of it, with
nothing hidden. A turn decided something for a player if it moved them for good toward the result: after it the winner's
chances were never as low again as before, or a loser's never as high. One of its events must also have affected that
player in the same direction: the game says which events do (`stakes` in its `text.py`). Secret choices and rolls affect
nobody, so they're never shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate, takewhile
from typing import Any

import numpy as np

from tribord.bots.tree import values
from tribord.core.event import Event
from tribord.core.match import Match
from tribord.core.record import CHANCE, PlainStates
from tribord.core.sealed import NOTHING
from tribord.core.secrecy import sealing
from tribord.server.outgoing import render_events

LONGEST = 4_000  # journal entries, at most, of a match with moments
MOMENTS = 3
EFFECTS = 3  # players per moment
CAUSES = 2  # events shown before the one that counts
LEAST = 0.05  # of a victory: less is shown only if nothing is greater,
SLIGHT = 0.01  # and less than this never
ALL = -1  # everyone at the table, if all win or lose together
ROOM = 120  # numbers a game can use while it evaluates


@dataclass(frozen=True)
class PlacedEvent:
    """An event with its place in the journal."""

    place: int
    event: Event


@dataclass
class PastTurn:
    """The events between two positions without sealed choices, and each seat's chances after them."""

    events: list[PlacedEvent] = field(default_factory=list)
    chances: list[float] = field(default_factory=list)


@dataclass(frozen=True)
class Effect:
    """What a turn meant for a seat (or ALL): the event, and its chances before and after."""

    seat: int
    placed: PlacedEvent
    before: float
    after: float
    kept: float  # how far the chances have moved for good


def moments(match: Match) -> list[dict[str, Any]]:
    """Return the turns that decided a finished match, in order: what led to each, and what it meant for each player."""
    if len(match.steps) > LONGEST or not hasattr(match.game.text, "stakes"):
        return []
    turns, hushed = _turns(match)
    found = [(turn, effects) for turn, effects in _effects(match, turns) if effects]
    found.sort(key=lambda one: -one[1][0].kept)
    chosen = [one for rank, one in enumerate(found[:MOMENTS]) if rank == 0 or one[1][0].kept >= LEAST]
    return [
        {
            "place": effects[0].placed.place,
            "events": render_events(match.game, _causes(match, turn, effects[0].placed, hushed)),
            "effects": [
                {
                    "seat": None if effect.seat == ALL else effect.seat,
                    "event": render_events(match.game, [effect.placed.event])[0],
                    "before": round(effect.before, 3),
                    "after": round(effect.after, 3),
                }
                for effect in effects[:EFFECTS]
            ],
        }
        for turn, effects in sorted(chosen, key=lambda one: one[1][0].placed.place)
    ]


def _turns(match: Match) -> tuple[list[PastTurn], set[str]]:
    """The turns of a match from its start, and the kinds of event that only announce sealed choices. Consecutive
    decisions of one seat are one turn. A roll counts for the turn that uses it and isn't shown, unless it affects
    someone itself, as when chance plays for a neutral crew.
    """
    past = match.beginning()
    turns: list[PastTurn] = []
    hushed: set[str] = set()
    turn, sealed = PastTurn(), False
    for place, entry in enumerate(match.journal, 1):
        # Nobody decides what is dealt before that, and a branch's players didn't decide what came before it.
        if not turns and place > match.branched and past.to_act and not sealing(past):
            turns.append(PastTurn(chances=_chances(past)))
            turn = PastTurn()
        happened = past.follow(entry)
        opened, sealed = sealed, _sealed(past)
        rolled = entry.seat == CHANCE and not opened and not any(_stakes(match, event)[1] for event in happened)
        turn.events += [] if rolled else [PlacedEvent(place, event) for event in happened]
        if sealed:
            hushed |= {event.kind for event in happened}
        if turns and (past.over or not (sealed or rolled or past.to_act == [entry.seat])):
            turn.chances = _chances(past)
            turns.append(turn)
            turn = PastTurn()
    return turns, hushed


def _sealed(past: Match) -> bool:
    """Whether there is a sealed choice."""
    return any(int(choice) != NOTHING for choice in getattr(past.state, "sealed", ())[: past.players])


def _stakes(match: Match, event: Event) -> tuple[int, int]:
    """Who an event affects, a crew or ALL, and whether for better (1) or worse (-1); 0 if it settles nothing."""
    crew, sign = match.game.text.stakes(event.kind, event.fields)
    return ALL if match.game.cooperative else crew, sign


def _chances(past: Match) -> list[float]:
    """Return each seat's expected share of victory; its real share once the match is over."""
    outcome = past.outcome
    if outcome is not None:
        share = 1.0 if past.game.cooperative else 1.0 / max(1, len(outcome.winners))
        return [share if seat in outcome.winners else 0.0 for seat in range(past.players)]
    out = np.zeros(ROOM)
    getattr(past.game.rules, "chances", values)(PlainStates(past.states)[0], out)
    return out[: past.players].tolist()


def _effects(match: Match, turns: list[PastTurn]) -> Iterator[tuple[PastTurn, list[Effect]]]:
    """What each turn meant for the players its events affected, if it pointed to the final result; greatest first."""
    assert match.outcome is not None
    winners = match.outcome.winners
    lasting = {}  # per seat and turn: the worst a winner had from then on, the best a loser had
    for seat in range(match.players):
        curve = [turn.chances[seat] for turn in reversed(turns)]
        lasting[seat] = list(accumulate(curve, min if seat in winners else max))[::-1]
    for k in range(1, len(turns)):
        effects = []
        for seat, (placed, sign) in _touched(match, turns[k].events, winners).items():
            own = max(seat, 0)
            before, after = turns[k - 1].chances[own], turns[k].chances[own]
            kept = sign * (lasting[own][k] - before)
            if kept >= SLIGHT:
                effects.append(Effect(seat, placed, before, after, kept))
        yield turns[k], sorted(effects, key=lambda effect: -effect.kept)


def _touched(match: Match, events: list[PlacedEvent], winners: list[int]) -> dict[int, tuple[PlacedEvent, int]]:
    """The last event that was good (1) for each winner, or bad (-1) for each loser, by seat."""
    touched = {}
    for happened in events:
        seat, sign = _stakes(match, happened.event)
        if seat < match.players and sign == (1 if max(seat, 0) in winners else -1):
            touched[seat] = happened, sign
    return touched


def _causes(match: Match, turn: PastTurn, effect: PlacedEvent, hushed: set[str]) -> list[Event]:
    """What led to an event in its turn, without effects on others. A kind that occurs several times is a list, such as
    votes, and explains little; but of those that affected the same player, the last one does.
    """
    before = [one.event for one in takewhile(lambda one: one is not effect, turn.events)]
    kinds = Counter(event.kind for event in before)
    concerned = _stakes(match, effect.event)[0]
    last: dict[str, Event] = {}
    for event in before:
        seat, sign = _stakes(match, event)
        if event.kind not in hushed and (seat == concerned if sign else kinds[event.kind] == 1):
            last.pop(event.kind, None)
            last[event.kind] = event
    last.pop(effect.event.kind, None)
    return list(last.values())[-CAUSES:]
