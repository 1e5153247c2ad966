"""Gestures: what somebody considers or points at, in games that all play together. Shown to the others, kept nowhere.

A gesture names only what the game itself has: parts of an action that is legal now, or a thing with a name. So it can
carry no text of its own and, since it's refused wherever people play against each other, no secret.
"""

from __future__ import annotations

from tribord.core.refusal import MATCH_OVER, IllegalAction
from tribord.core.words import _
from tribord.server import messages
from tribord.server.preview import preview
from tribord.server.ruling import NOT_STARTED, NOT_YOUR_SEAT, ONLY_PLAYERS
from tribord.server.table import OPEN, OVER, Table

NOT_TOGETHER = _("Here everyone plays for themselves: nothing is shown to the others.")
NOT_POSSIBLE = _("That isn't possible now.")
NO_SUCH_THING = _("There is nothing like that to point at.")


def describe(table: Table, guest: int, made: messages.Gestures) -> messages.Considered | messages.Pointed:
    """A guest's gesture as the others see it; refuses what may not be."""
    if not table.game.cooperative:
        raise IllegalAction("not-together", NOT_TOGETHER)
    if table.status == OPEN:
        raise IllegalAction("not-started", NOT_STARTED)
    if table.status == OVER:
        raise IllegalAction("match-over", MATCH_OVER)
    if not table.seats_of(guest):
        raise IllegalAction("only-players", ONLY_PLAYERS)
    return _considered(table, guest, made) if isinstance(made, messages.Consider) else _pointed(table, guest, made)


def _considered(table: Table, guest: int, made: messages.Consider) -> messages.Considered:
    match, seat = table.match, made.seat
    assert match is not None
    if seat not in table.seats_of(guest):
        raise IllegalAction("not-your-seat", NOT_YOUR_SEAT, seat=seat)
    considered = messages.Considered(guest, seat, match.version, made.parts)
    if made.parts:
        meant = [action for action in match.legal(seat) if made.parts.items() <= dict(match.game.steps(action)).items()]
        if not meant:
            raise IllegalAction("not-possible", NOT_POSSIBLE)
        if len(meant) == 1:
            considered.events = preview(table, seat, meant[0])
    return considered


def _pointed(table: Table, guest: int, made: messages.Point) -> messages.Pointed:
    if made.value not in getattr(table.game.text, "POINTS", {}).get(made.sort, ()):
        raise IllegalAction("no-such-thing", NO_SUCH_THING)
    return messages.Pointed(guest, made.sort, made.value)
