"""Offers between players of Sauve qui peut !: talk is free and binds nobody (S10), but it is kept on record.

    {"kind": "promise", "vote": "leak", "lane": 3}       I'll vote for that boat to leak
    {"kind": "promise", "vote": "overboard", "crew": "red"}
    {"kind": "ask", "vote": "advance", "lane": 3}        please vote for that boat to advance
    {"kind": "alliance", "crew": "green"}                let's not vote against each other this round

An offer applies to the round in which it is made. When the match is over, `kept` says what became of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tribord.core.match import Match
from tribord.core.record import CHANCE
from tribord.core.refusal import IllegalAction
from tribord.core.words import Words, _
from tribord.games.sauve_qui_peut.actions import CREW_IDS, LANES, number, parts
from tribord.games.sauve_qui_peut.state import ADVANCE, LEAK, OVERBOARD

VOTES = {"leak": LEAK, "advance": ADVANCE, "overboard": OVERBOARD}
BAD_OFFER = _("That isn’t an offer in this game: promise a vote, ask for one, or propose an alliance.")
TOO_LATE = _("The game is over: there’s nothing left to offer.")

SENTENCES = {
    ("promise", "leak"): _("{seat} promises to vote for a leak in {lane}."),
    ("promise", "advance"): _("{seat} promises to vote for {lane} to advance."),
    ("promise", "overboard"): _("{seat} promises to vote against {crew}."),
    ("ask", "leak"): _("{seat} asks for votes for a leak in {lane}."),
    ("ask", "advance"): _("{seat} asks for votes for {lane} to advance."),
    ("ask", "overboard"): _("{seat} asks for votes against {crew}."),
    ("alliance", None): _("{seat} proposes an alliance {crew_to} for this round."),
}


def check(match: Match, seat: int, offer: dict[str, Any]) -> dict[str, Any]:
    """Return the offer in its stored form; refuse anything that isn't one."""
    if match.over:
        raise IllegalAction("too-late", TOO_LATE, "S10")
    crews = CREW_IDS[: match.players]
    kind, vote = offer.get("kind"), offer.get("vote")
    if (kind, vote) in list(SENTENCES):  # a list compares; a dict would have to hash untrusted input
        about = "lane" if vote in ("leak", "advance") else "crew"
        allowed = LANES if about == "lane" else crews
        own = kind == "alliance" and offer.get("crew") == CREW_IDS[seat]
        exact = type(offer.get(about)) is (int if about == "lane" else str)  # JSON's true isn't lane 1
        if exact and set(offer) <= {"kind", "vote", about} and offer[about] in allowed and not own:
            return {"kind": kind, **({"vote": vote} if vote else {}), about: offer[about]}
    raise IllegalAction("bad-offer", BAD_OFFER, "S10")


def say(offer: dict[str, Any], seat: int, words: Words) -> str:
    """An offer as a sentence."""
    fields = {name: offer[name] for name in ("lane", "crew") if name in offer}
    said = words.name("crew", seat)
    return words.say(SENTENCES[offer["kind"], offer.get("vote")], seat=said, **fields)


def kept(match: Match, made: dict[str, Any]) -> Any:
    """What became of an offer in the round it was made in.

    A promise was kept or not (None: there was no such vote any more). A request was granted by some seats. An alliance
    held if neither voted to throw the other overboard.
    """
    offer, seat = made["offer"], made["seat"]
    votes = [(phase, voter, action) for _place, phase, voter, action in _votes(match, made["version"])]
    if offer["kind"] == "alliance":
        other = CREW_IDS.index(offer["crew"])
        pair = {seat: CREW_IDS[other], other: CREW_IDS[seat]}
        return not any(pair.get(voter) == parts(action).get("crew") for _phase, voter, action in votes if voter in pair)
    wanted = "lane" if "lane" in offer else "crew"
    of_kind = [(voter, parts(action)) for phase, voter, action in votes if phase == VOTES[offer["vote"]]]
    if offer["kind"] == "ask":
        return sorted({voter for voter, part in of_kind if part.get(wanted) == offer[wanted] and voter != seat})
    own = [part for voter, part in of_kind if voter == seat]
    return own[0].get(wanted) == offer[wanted] if own else None


def promised(match: Match, made: dict[str, Any]) -> tuple[int, int] | None:
    """The journal index of the vote that a promise was about, and the action that would have kept it.

    None for other offers, and if there was no such vote any more.
    """
    offer = made["offer"]
    if offer["kind"] == "promise":
        for place, phase, voter, _action in _votes(match, made["version"]):
            if phase == VOTES[offer["vote"]] and voter == made["seat"]:
                target = "lane" if "lane" in offer else "crew"
                return place, number({"kind": "vote", target: offer[target]})
    return None


def _votes(match: Match, version: int) -> Iterator[tuple[int, int, int, int]]:
    """The sealed votes (place, phase, seat, action) from a version of the match to the end of its round."""
    past = match.beginning()
    baton = None
    for place, entry in enumerate(match.journal):
        if place >= version:
            baton = int(past.state.baton) if baton is None else baton
            if int(past.state.baton) != baton:
                return
            if int(past.state.sealing) and entry.seat != CHANCE:
                yield place, int(past.state.phase), entry.seat, entry.action
        past.follow(entry)
