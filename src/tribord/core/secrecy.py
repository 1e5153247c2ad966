"""Secrets at the table: who may look while somebody decides, and what may be taken back."""

from __future__ import annotations

from collections.abc import Collection

from tribord.core.match import Match, legal_actions
from tribord.core.record import PUBLIC
from tribord.core.refusal import IllegalAction
from tribord.core.words import _

NOTHING_OF_YOURS = _("There is no decision of yours to take back.")
SECRET_SINCE = _(
    "A secret choice cannot be taken back, nor one made while something lay hidden: you may have learnt a secret since."
)


def sealing(match: Match) -> bool:
    """Whether the present decision is a sealed one."""
    return bool(int(getattr(match.state, "sealing", 0)))


def hiding(match: Match) -> bool:
    """Whether anything at all lies hidden from the public."""
    return match.view_state(PUBLIC).tobytes() != match.state.tobytes()


def private(match: Match, seat: int) -> bool:
    """Whether the others must look away while a seat decides.

    They must when the choice is sealed, and when what the seat may do tells more than everybody knows. Otherwise the
    decision can be taken in the open, before the board as the public sees it.
    """
    if sealing(match):
        return True
    seen, known = match.view_state(PUBLIC), match.view_state(seat)
    if seen.tobytes() == known.tobytes():
        return False
    return legal_actions(match.game, seen, seat) != legal_actions(match.game, known, seat)


def last_decision(match: Match, people: Collection[int]) -> int:
    """The place in the journal of the last decision of these people, if it may be taken back; else the refusal.

    It may be when from that decision on nothing was sealed and nothing lay hidden: then nobody has learnt a secret.
    """
    journal = match.journal
    places = [place for place, entry in enumerate(journal) if entry.seat in people]
    if not places:
        raise IllegalAction("nothing-to-undo", NOTHING_OF_YOURS)
    past = Match(match.game, match.players, match.dice, match.options)
    past.restart()
    for place, entry in enumerate(journal):
        if place >= places[-1] and (sealing(past) or hiding(past)):
            raise IllegalAction("secret-since", SECRET_SINCE)
        past.follow(entry)
    return places[-1]
