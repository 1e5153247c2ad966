"""Previews: what an action would lead to, from what the seat may know. The rules say so: the page knows none."""

from __future__ import annotations

from typing import Any

from tribord.core import event
from tribord.core.event import Event
from tribord.core.match import Entry
from tribord.core.record import duplicate
from tribord.core.refusal import IllegalAction
from tribord.core.words import _
from tribord.server.outgoing import render_event
from tribord.server.table import Table

SEALED = _("This choice is sealed: what it leads to is seen when all have chosen.")
MOST = 500  # positions to look at before giving up


def preview(table: Table, seat: int, action: int) -> list[dict[str, Any]]:
    """The events that a legal action would lead to.

    They're worked out on the seat's own view, so they can't tell more than the seat knows; dice aren't thrown.
    """
    match, game = table.match, table.game
    assert match is not None
    states = duplicate(match.states)
    game.engine.view(states, seat)
    if "sealing" in (states.dtype.names or ()) and int(states["sealing"][0]):
        raise IllegalAction("sealed", SEALED)
    rows = event.buffer()
    game.engine.apply(states, seat, action, rows)
    return [render_event(game, happened) for happened in game.read_events(rows)]


def fate(table: Table, seat: int, action: int) -> list[dict[str, Any]]:
    """The events that can end the match, if an action loses it for certain: whatever the seat does with its turn.

    None where something can still save it: dice, others, or a better decision. Only where all play together, since
    there nothing is hidden: what the seat sees is the truth.
    """
    game = table.game
    assert table.match is not None
    if not game.cooperative:
        return []
    ends: dict[str, Event] = {}
    ahead = [(table.match.fork(), action)]
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
