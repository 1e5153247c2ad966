"""What holds in every match of Sauve qui peut !, whatever the decisions."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tribord import load
from tribord.core.chance import below, stream

MATCHES = given(players=st.integers(3, 6), seed=st.integers(0, 10_000), boats=st.sampled_from(["seven", "players+1"]))


def states_of(players: int, seed: int, boats: str):
    """A random match, looked at after every decision."""
    match = load("sauve-qui-peut").match(players, seed=seed, options={"boats": boats})
    rng = stream(seed, 3)
    yield match
    while not match.over:
        seat = match.to_act[below(rng, len(match.to_act))]
        choices = match.legal(seat)
        match.play(seat, choices[below(rng, len(choices))])
        yield match


def heads(people) -> int:
    return sum(people.values())


def in_boats(view, crew: str, where: str) -> int:
    return sum(heads(boat["people"].get(crew, {})) for boat in view["boats"] if boat["where"] == where)


@MATCHES
def test_S2_people_placed_are_landed_drowned_or_afloat(players, seed, boats):
    each = 7 if players <= 4 else 6
    for match in states_of(players, seed, boats):
        view = match.view()
        for crew in view["crews"]:
            placed = each - heads(crew["waiting"])
            afloat = in_boats(view, crew["crew"], "at-sea") + ("between" in crew)
            landed = in_boats(view, crew["crew"], "landed")
            assert placed == landed + heads(crew["drowned"]) + afloat


@MATCHES
def test_S3_leaks_and_people_fit_in_six_seats_and_fifteen_leaks(players, seed, boats):
    for match in states_of(players, seed, boats):
        view = match.view()
        assert view["leaks_left"] == 15 - sum(b["leaks"] for b in view["boats"]) >= 0
        for boat in view["boats"]:
            aboard = sum(heads(p) for p in boat["people"].values())
            assert aboard + boat["leaks"] <= 6
            if boat["where"] == "sunk":
                assert (aboard, boat["leaks"]) == (0, 0)


@MATCHES
def test_S13_only_in_phase_3_a_flooded_boat_is_afloat(players, seed, boats):
    for match in states_of(players, seed, boats):
        view = match.view()
        for boat in view["boats"]:
            if view["phase"] not in ("leaving", "boarding"):
                assert boat["leaks"] <= sum(heads(p) for p in boat["people"].values())


@MATCHES
def test_S15_points_are_the_people_ashore(players, seed, boats):
    *_earlier, match = states_of(players, seed, boats)
    earned = [0] * players
    for event in match.events:
        if event.kind == "scores":
            earned[event.fields["crew"]] += event.fields["points"]
    assert match.outcome is not None and match.outcome.scores == earned


@MATCHES
def test_S7_tokens_are_spent_on_caps_and_on_nothing_else(players, seed, boats):
    *_earlier, match = states_of(players, seed, boats)
    caps = [event.fields["crew"] for event in match.events if event.kind == "shows-cap"]
    assert [crew["tokens"] for crew in match.view()["crews"]] == [3 - caps.count(seat) for seat in range(players)]


@MATCHES
def test_S20_a_round_moves_one_boat_and_three_per_boat_are_the_most(players, seed, boats):
    *_earlier, match = states_of(players, seed, boats)
    kinds = [event.kind for event in match.events]
    rounds = kinds.count("baton")
    assert rounds - 1 <= kinds.count("advances") <= rounds <= 3 * len(match.view()["boats"])


@MATCHES
def test_S20_an_announced_last_round_is_the_last(players, seed, boats):
    *_earlier, match = states_of(players, seed, boats)
    kinds = [event.kind for event in match.events]
    if "last-round" in kinds:
        assert "baton" not in kinds[kinds.index("last-round") :]


@MATCHES
def test_S9_what_has_the_most_votes_agrees_with_the_hands(players, seed, boats):
    *_earlier, match = states_of(players, seed, boats)
    hands: dict[int, int] = {}
    for event in match.events:
        fields = event.fields
        if event.kind in ("votes-boat", "votes-crew"):
            target = fields["boat"] if event.kind == "votes-boat" else fields["target"]
            hands[target] = hands.get(target, 0) + fields.get("votes", 1)
        elif event.kind in ("most-boat", "most-crew"):
            target = fields["boat"] if event.kind == "most-boat" else fields["crew"]
            assert fields["votes"] == hands[target] == max(hands.values())
            assert list(hands.values()).count(fields["votes"]) == 1 and fields["all"] == sum(hands.values())
            hands = {}
        elif event.kind == "tie":
            assert fields["votes"] == max(hands.values())
            assert list(hands.values()).count(fields["votes"]) > 1
            hands = {}
        elif event.kind in ("one-cap", "all-caps", "only-boat"):
            hands = {}
