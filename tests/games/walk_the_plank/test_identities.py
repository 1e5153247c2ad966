"""What holds in every match of Walk the Plank, whatever the decisions."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tribord import load
from tribord.core.chance import below, stream
from tribord.games.walk_the_plank.actions import CARDS

matches = {
    "seed": st.integers(0, 9999),
    "players": st.sampled_from([3, 4, 5]),
    "skulls": st.sampled_from([["shove-anyone", "retract", "drag", "charge"], [], list(CARDS), ["run"]]),
}


def steps(seed, players, skulls):
    """A random match, decision by decision: (match, truth before, events, truth after)."""
    match = load("walk-the-plank").match(players, seed=seed, options={"skulls": skulls, "rounds": 40})
    rng = stream(seed)
    while not match.over:
        before = match.truth()
        seat = match.to_act[below(rng, len(match.to_act))]
        legal = match.legal(seat)
        events = match.play(seat, legal[below(rng, len(legal))])
        yield match, before, events, match.truth()


@given(**matches)
def test_W1_three_pirates_per_player_alive_or_dead(seed, players, skulls):
    for _match, before, events, after in steps(seed, players, skulls):
        assert 1 <= after["plank"] <= 3
        for crew in range(players):
            old, new = before["crews"][crew], after["crews"][crew]
            assert sum(new["pirates"]) + new["dead"] == 3
            assert not any(new["pirates"][after["plank"] + 1 :])
            drowned = sum(e.kind == "drowns" and e.fields["crew"] == crew for e in events)
            assert new["dead"] == old["dead"] + drowned


@given(**matches)
def test_W5_every_living_player_turns_up_three_cards_a_round(seed, players, skulls):
    turned: dict[int, list[int]] = {}
    for _match, _before, events, after in steps(seed, players, skulls):
        for e in events:
            if e.kind == "reveals":
                turned.setdefault(e.fields["crew"], []).append(e.fields["card"])
        if after["phase"] == "choosing" and any(e.kind == "new-round" for e in events):
            for crew in after["crews"]:
                cards = turned.get(crew["seat"], [])
                assert len(set(cards)) == len(cards) and (len(cards) == 3 or crew["dead"] == 3)
                if crew["dead"] < 3:
                    assert sorted(crew["aside"]) == sorted(CARDS[c] for c in cards if CARDS[c] in skulls)
            turned = {}


@given(**matches)
def test_W9_the_dead_have_no_cards_left_and_are_never_asked(seed, players, skulls):
    for match, _before, _events, after in steps(seed, players, skulls):
        for crew in after["crews"]:
            if crew["dead"] == 3:
                assert crew["aside"] == [] and all(card["face"] == "up" for card in crew["cards"])
                assert crew["seat"] not in match.to_act and match.legal(crew["seat"]) == []


@given(**matches)
def test_W18_W19_the_end_is_decided_or_the_limit(seed, players, skulls):
    *_rest, (match, _before, _events, after) = steps(seed, players, skulls)
    living = [sum(crew["pirates"]) for crew in after["crews"]]
    decided = sum(living) <= 2 or sum(n > 0 for n in living) == 1
    assert match.outcome.reason == ("limit" if not decided else "end" if any(living) else "nobody")
    assert match.outcome.winners == [seat for seat, n in enumerate(living) if n and decided]
    assert match.outcome.scores == [int(seat in match.outcome.winners) for seat in range(players)]
    assert after["to_play"] is None and all(crew["cards"] == crew["aside"] == [] for crew in after["crews"])
