"""Offers between players of Sauve qui peut !: talk is free and binds nobody (S10), but it can be remembered.

    {"kind": "promise", "vote": "leak", "lane": 3}       I shall vote for that boat's leak
    {"kind": "promise", "vote": "overboard", "crew": "red"}
    {"kind": "ask", "vote": "advance", "lane": 3}        please vote for that boat to advance
    {"kind": "alliance", "crew": "green"}                let us not name each other this round

An offer is about the round in which it is made. When the match is over, `kept` says what became of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tribord.core.match import Match
from tribord.core.record import CHANCE
from tribord.core.refusal import IllegalAction
from tribord.core.words import Words, _
from tribord.games.sauve_qui_peut.actions import CREW_IDS, LANES, parts
from tribord.games.sauve_qui_peut.state import ADVANCE, LEAK, OVERBOARD

VOTES = {"leak": LEAK, "advance": ADVANCE, "overboard": OVERBOARD}
BAD_OFFER = _("That isn’t an offer in this game: promise a vote, ask for one, or propose an alliance.")
TOO_LATE = _("The match is over: there’s nothing left to offer.")

SENTENCES = {
    ("promise", "leak"): _("{seat} promise: the leak for {lane}."),
    ("promise", "advance"): _("{seat} promise to vote for {lane} to advance."),
    ("promise", "overboard"): _("{seat} promise to vote against {crew}."),
    ("ask", "leak"): _("{seat} ask: the leak for {lane}, please."),
    ("ask", "advance"): _("{seat} ask for votes for {lane} to advance."),
    ("ask", "overboard"): _("{seat} ask for votes against {crew}."),
    ("alliance", None): _("{seat} propose an alliance {crew_to} for this round."),
}


def check(match: Match, seat: int, offer: dict[str, Any]) -> dict[str, Any]:
    """The offer as it is kept, if it is one; else the refusal."""
    if match.over:
        raise IllegalAction("too-late", TOO_LATE, "S10")
    crews = CREW_IDS[: match.players]
    kind, vote = offer.get("kind"), offer.get("vote")
    if (kind, vote) in list(SENTENCES):  # a list compares where a dict would want to hash what a stranger sent
        about = "lane" if vote in ("leak", "advance") else "crew"
        allowed = LANES if about == "lane" else crews
        own = kind == "alliance" and offer.get("crew") == CREW_IDS[seat]
        exact = type(offer.get(about)) is (int if about == "lane" else str)  # JSON's true is no lane 1
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

    A promise was kept or not (None: there was no such vote any more); a request was granted by some seats; an alliance
    held if neither named the other for going overboard.
    """
    offer, seat = made["offer"], made["seat"]
    votes = list(_votes(match, made["version"]))
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


def _votes(match: Match, version: int) -> Iterator[tuple[int, int, int]]:
    """The sealed votes (phase, seat, action) from a version of the match to the end of its round."""
    past = Match(match.game, match.players, match.dice.seed, match.options)
    past.restart()
    baton = None
    for number, entry in enumerate(match.journal):
        if number >= version:
            baton = int(past.state.baton) if baton is None else baton
            if int(past.state.baton) != baton:
                return
            if int(past.state.sealing) and entry.seat != CHANCE:
                yield int(past.state.phase), entry.seat, entry.action
        past.follow(entry)
