"""Gestures: what someone considers or points at, in games that all play together; shown to others, never stored.

A gesture names only what the game itself has: parts of an action that is legal now, or a thing with a name. So it can
carry no text of its own and, since it's refused wherever people play against each other, no secret.
"""

from __future__ import annotations

from tribord.core.refusal import MATCH_OVER, IllegalAction
from tribord.core.words import _
from tribord.server import messages
from tribord.server.preview import preview
from tribord.server.ruling import NOT_STARTED, NOT_YOUR_SEAT, ONLY_PLAYERS, check_speaks
from tribord.server.table import OPEN, OVER, Table

NOT_TOGETHER = _("In this game everyone plays for themselves, so you can’t point things out to the others.")
NOT_POSSIBLE = _("You can’t do that now.")
NO_SUCH_THING = _("You can’t point at that. Choose something else.")


def describe(table: Table, guest: int, made: messages.Gestures) -> messages.Considered | messages.Pointed:
    """Return a guest's gesture as the others see it; refuse one that isn't allowed."""
    if not table.game.cooperative:
        raise IllegalAction("not-together", NOT_TOGETHER)
    if table.status == OPEN:
        raise IllegalAction("not-started", NOT_STARTED)
    if table.status == OVER:
        raise IllegalAction("match-over", MATCH_OVER)
    if not table.seats_of(guest):
        raise IllegalAction("only-players", ONLY_PLAYERS)
    check_speaks(table, guest)
    return _considered(table, guest, made) if isinstance(made, messages.Consider) else _pointed(table, guest, made)


def _considered(table: Table, guest: int, made: messages.Consider) -> messages.Considered:
    match, seat = table.match, made.seat
    assert match is not None
    if seat not in table.seats_of(guest):
        raise IllegalAction("not-your-seat", NOT_YOUR_SEAT)
    considered = messages.Considered(guest, seat, match.version, made.parts)
    if made.parts:
        meant = [action for action in match.legal(seat) if made.parts.items() <= dict(match.game.steps(action)).items()]
        if not meant:
            raise IllegalAction("not-possible", NOT_POSSIBLE)
        if len(meant) == 1:
            considered.events = preview(match, seat, meant[0])
    return considered


def _pointed(table: Table, guest: int, made: messages.Point) -> messages.Pointed:
    if made.value not in getattr(table.game.text, "POINTS", {}).get(made.sort, ()):
        raise IllegalAction("no-such-thing", NO_SUCH_THING)
    return messages.Pointed(guest, made.sort, made.value)
