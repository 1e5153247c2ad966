"""Previews: what an action would lead to, as far as the seat may know, or why it can't be played; computed here,
because the page knows no rules.
"""

from __future__ import annotations

from typing import Any

from tribord.core import event
from tribord.core.event import Event
from tribord.core.match import Entry, Match
from tribord.core.record import duplicate
from tribord.core.refusal import IllegalAction
from tribord.core.words import LANGUAGES, Words, _
from tribord.server.outgoing import render_event

SEALED = _("This choice is secret. You’ll see what it leads to when everyone has chosen.")
MOST = 500  # positions to look at before giving up


def preview(match: Match, seat: int, action: int) -> list[dict[str, Any]]:
    """The events that a legal action would lead to.

    They're computed on the seat's own view, so they can't reveal more than the seat knows; no dice are rolled.
    """
    game = match.game
    states = duplicate(match.states)
    game.engine.view(states, seat)
    if "sealing" in (states.dtype.names or ()) and int(states["sealing"][0]):
        raise IllegalAction("sealed", SEALED)
    rows = event.buffer()
    game.engine.apply(states, seat, action, rows)
    return [render_event(game, happened) for happened in game.read_events(rows)]


def fate(match: Match, seat: int, action: int) -> list[dict[str, Any]]:
    """The events that can end the match, if an action loses it for certain: whatever the seat does with its turn.

    None if something can still save it: dice, others, or a better decision. Only in cooperative games, where nothing is
    hidden: what the seat sees is the truth. The match belongs to the caller, and is played on.
    """
    game = match.game
    if not game.cooperative:
        return []
    ends: dict[str, Event] = {}
    ahead = [(match, action)]
    for _looked in range(MOST):
        if not ahead:
            return [render_event(game, end) for end in ends.values()]
        branch, decision = ahead.pop()
        events = branch.follow(Entry(seat, decision))
        outcome = branch.outcome
        if outcome is not None and seat not in outcome.winners:
            ends[f"{events[-1].kind} {events[-1].fields}"] = events[-1]
        elif outcome is None and seat in branch.to_act:
            ahead += [(branch.fork(), further) for further in branch.legal(seat)]
        else:
            return []
    return []


def explanation(match: Match, seat: int, asked: int | str) -> dict[str, Any]:
    """Why a seat can't play an action now, and the rule that says so, from the seat's own view; null if it can."""
    action, refused = match.game.action(asked), None
    try:
        match.check(seat, action)
    except IllegalAction as why:
        refused = {"code": why.code, "rule": why.rule}
        refused |= {language: why.say(Words(language), cited=False) for language in LANGUAGES}
    return {"refused": refused}
