"""Hints: what a captain would do in a seat's place, sent only to the guest who asks.

A hint is a function of the seat's view. The search counts iterations and always has the same seed, so neither hidden
facts nor the machine's load change a byte of it.
"""

from __future__ import annotations

import asyncio
from typing import Any

from tribord.bots.advice import Advice, Suggestion, advise
from tribord.bots.decision import TREES
from tribord.bots.search import iterations_of
from tribord.core.compiled import interpreted
from tribord.core.engine import Legal
from tribord.core.game import Game, game_of
from tribord.core.record import PUBLIC, State
from tribord.core.refusal import MATCH_OVER, NOT_YOUR_TURN, IllegalAction
from tribord.core.words import _
from tribord.server.live_table import LiveTable
from tribord.server.page import NO_SEAT, NOT_BEGUN
from tribord.server.ruling import BOT_PLAYS
from tribord.server.scheduler import Scheduler
from tribord.server.table import OVER, Table

HINTS_OFF = _("The host has turned hints off at this table.")
PREPARING = _("Hints for this game are still being prepared. Try again in a moment.")
INTERPRETED = 4  # iterations in each tree of interpreted rules, which take hundreds of times as long


def check_hint(table: Table, seat: int) -> None:
    """Refuse a hint if hints are off or the seat has nothing to decide."""
    if seat == PUBLIC:
        raise IllegalAction("not-your-seat", NO_SEAT)
    if not table.settings["hints"]:
        raise IllegalAction("hints-off", HINTS_OFF)
    if table.match is None:
        raise IllegalAction("not-begun", NOT_BEGUN)
    if table.status == OVER:
        raise IllegalAction("match-over", MATCH_OVER)
    if seat not in table.match.to_act:
        raise IllegalAction("not-your-turn", NOT_YOUR_TURN)
    if table.seats[seat].rank is not None:
        raise IllegalAction("bot-plays", BOT_PLAYS, name=table.name(seat))


async def hint(scheduler: Scheduler, live: LiveTable, seat: int, who: str) -> dict[str, Any]:
    """Compute a hint for a seat that must decide, in the bots' queue, in turn with other addresses.

    `who` is the address that asks.
    """
    match = live.table.match
    assert match is not None
    if scheduler.preparer is not None and not scheduler.preparer.prepare_hints(live.table):
        raise IllegalAction("preparing", PREPARING)
    version, view, legal = match.version, match.view_state(seat), match.legal(seat)
    async with scheduler.thinking.turn(who):
        found = await asyncio.get_running_loop().run_in_executor(scheduler.threads, think, view, legal)
    return {"version": version} | describe(found)


def think(view: State, legal: Legal) -> Advice:
    """Return advice on a decision, with as many iterations in all trees together as a captain uses."""
    return advise(view, legal, iterations=_iterations(game_of(view)))


def _iterations(game: Game) -> int:
    return INTERPRETED if interpreted() else max(1, iterations_of(game, "capitaine") // TREES)


def describe(advice: Advice) -> dict[str, Any]:
    """Return a hint as data, with actions as numbers; a line is what would probably follow."""
    return {
        "seat": advice.seat,
        "exact": advice.exact,
        "suggestions": [describe_suggestion(each) for each in advice.suggestions],
    }


def describe_suggestion(suggestion: Suggestion) -> dict[str, Any]:
    """A choice for its reader."""
    return {
        "action": suggestion.action,
        "value": suggestion.value.as_dict(),
        "line": [{"seat": ply.seat, "action": ply.action} for ply in suggestion.line[1:]],
    }
