"""Offers: talk that the match remembers (S10)."""

import pytest

from tribord import IllegalAction, load
from tribord.core.words import LANGUAGES

GAME = load("sauve-qui-peut")
OFFERS = GAME.offers


def at_the_first_vote():
    match = GAME.match(3, seed=1, options={"first": 0})
    while len(match.to_act) == 1:
        seat = match.to_act[0]
        match.play(seat, match.legal(seat)[0])
    return match


def made(match, seat, **offer):
    return {"seat": seat, "offer": OFFERS.check(match, seat, offer), "version": match.version}


@pytest.mark.parametrize(
    "offer",
    [
        {"kind": "promise", "vote": "leak", "lane": 3},
        {"kind": "ask", "vote": "advance", "lane": 7},
        {"kind": "promise", "vote": "overboard", "crew": "red"},
        {"kind": "ask", "vote": "overboard", "crew": "blue"},
        {"kind": "alliance", "crew": "green"},
    ],
)
def test_S10_offers_are_said_in_both_languages(offer):
    match = at_the_first_vote()
    assert OFFERS.check(match, 0, offer) == offer
    assert len({OFFERS.say(offer, 0, GAME.words(language)) for language in LANGUAGES}) == 2


@pytest.mark.parametrize(
    "offer",
    [
        {}, {"kind": "bribe"}, {"kind": "promise", "vote": "leak", "lane": 8}, {"kind": "promise", "vote": "leak"},
        {"kind": "promise", "vote": "leak", "crew": "red"}, {"kind": "alliance", "crew": "blue"},
        {"kind": "alliance", "crew": "yellow"}, {"kind": "ask", "vote": "advance", "lane": "3"}, {"kind": ["ask"]},
        {"kind": "alliance", "crew": "green", "extra": 1}, {"kind": "promise", "vote": "leak", "lane": True},
        {"kind": "promise", "vote": "leak", "lane": 1.0}, {"kind": "alliance", "crew": ["green"]},
    ],
)  # fmt: skip
def test_S10_what_is_no_offer_is_refused(offer):
    with pytest.raises(IllegalAction) as refused:
        OFFERS.check(at_the_first_vote(), 0, offer)
    assert refused.value.rule == "S10"


def test_S10_kept_and_broken_promises_are_distinguished():
    match = at_the_first_vote()
    kept = made(match, 0, kind="promise", vote="leak", lane=1)
    broken = made(match, 1, kind="promise", vote="leak", lane=5)
    asked = made(match, 0, kind="ask", vote="leak", lane=1)
    nothing = made(match, 2, kind="promise", vote="overboard", crew="blue")
    for seat, lane in enumerate((1, 2, 1)):
        match.play(seat, {"kind": "vote", "lane": lane})
    assert OFFERS.kept(match, kept) is True
    assert OFFERS.kept(match, broken) is False
    assert OFFERS.kept(match, asked) == [2]
    assert OFFERS.kept(match, nothing) is None


@pytest.mark.parametrize(("named", "holds"), [("red", True), ("green", False)])
def test_S10_an_alliance_holds_until_one_names_the_other(named, holds):
    match = at_the_first_vote()  # everyone has two people in boat 1, which is full
    pact = made(match, 0, kind="alliance", crew="green")
    for seat in range(3):
        match.play(seat, {"kind": "vote", "lane": 1})
    assert match.view()["phase"] == "overboard"
    for seat in range(3):
        match.play(seat, {"kind": "vote", "crew": named})
    assert OFFERS.kept(match, pact) is holds
