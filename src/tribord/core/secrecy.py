"""Secrets at the table: who may look while someone decides, and which decisions can be taken back."""

from __future__ import annotations

from collections.abc import Collection

from tribord.core.match import Match, legal_actions
from tribord.core.record import PUBLIC
from tribord.core.refusal import IllegalAction
from tribord.core.words import _

NOTHING_OF_YOURS = _("You have no choice to take back.")
SECRET_SINCE = _("You may have learned a secret since then, so you can’t take that choice back.")


def sealing(match: Match) -> bool:
    """Whether the present decision is a sealed one."""
    return bool(int(getattr(match.state, "sealing", 0)))


def hiding(match: Match) -> bool:
    """Whether anything is hidden from the public."""
    return match.view_state(PUBLIC).tobytes() != match.state.tobytes()


def private(match: Match, seat: int) -> bool:
    """Whether the others must look away while a seat decides.

    They must if the choice is sealed, or if the seat's options reveal more than everyone knows. Otherwise it can decide
    in the open, on the public board.
    """
    if sealing(match):
        return True
    seen, known = match.view_state(PUBLIC), match.view_state(seat)
    if seen.tobytes() == known.tobytes():
        return False
    return legal_actions(match.game, seen, seat) != legal_actions(match.game, known, seat)


def last_decision(match: Match, people: Collection[int]) -> int:
    """Return the journal place of these seats' last decision; refuse if it can't be taken back.

    It can if nothing was sealed or hidden from that decision on, so no one has learned a secret.
    """
    journal = match.journal
    own = reversed(range(match.branched, len(journal)))  # of the branch itself: the rest was another match
    last = next((place for place in own if journal[place].seat in people), None)
    if last is None:
        raise IllegalAction("nothing-to-undo", NOTHING_OF_YOURS)
    past = match.fork()
    past.rewind(last)
    for entry in journal[last:]:
        if sealing(past) or hiding(past):
            raise IllegalAction("secret-since", SECRET_SINCE)
        past.follow(entry)
    return last
