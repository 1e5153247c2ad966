"""Every rule of Sauve qui peut !, S1 to S22, in the order of the sheet."""

from __future__ import annotations

import pytest

from tribord import BadOption, IllegalAction, Match
from tribord.games.sauve_qui_peut.actions import CREW_IDS

EVERY_COUNT = pytest.mark.parametrize("players", [3, 4, 5, 6])


def kinds(events):
    return [event.kind for event in events]


def only(events, kind):
    (found,) = [event for event in events if event.kind == kind]
    return found


def crew(match: Match, name: str):
    return match.view()["crews"][CREW_IDS.index(name)]


def refused(match: Match, seat: int, action: str) -> str:
    with pytest.raises(IllegalAction) as refusal:
        match.play(seat, action)
    return refusal.value.rule


# Material and set-up


@EVERY_COUNT
def test_S1_seven_boats_wait_at_the_ship_before_three_islands(game, players):
    boats = game.match(players, seed=1).view()["boats"]
    assert [b["lane"] for b in boats] == [1, 2, 3, 4, 5, 6, 7]
    assert [b["island"] for b in boats] == ["left"] * 2 + ["centre"] * 3 + ["right"] * 2
    assert {(b["row"], b["free"], b["where"]) for b in boats} == {(4, 6, "at-sea")}


@pytest.mark.parametrize(
    ("players", "lanes"), [(3, "1357"), (4, "13457"), (5, "123567"), (6, "1234567")]
)  # fmt: skip
def test_S1_players_plus_one_boats(game, choices, players, lanes):
    match = game.match(players, seed=1, options={"boats": "players+1"})
    assert "".join(str(b["lane"]) for b in match.view()["boats"]) == lanes
    assert {c[-1] for c in choices(match)} == set(lanes)
    for missing in set("1234567") - set(lanes):
        assert refused(match, match.to_act[0], f"place sailor {missing}") == "S1"


@pytest.mark.parametrize("boats", ["eight", 7, None, True])
def test_S1_no_other_number_of_boats(game, boats):
    with pytest.raises(BadOption) as refusal:
        game.match(4, options={"boats": boats})
    assert refusal.value.rule == "S1"


@pytest.mark.parametrize("players", [2, 7])
def test_S1_three_to_six_players(game, players):
    with pytest.raises(BadOption):
        game.match(players)


@pytest.mark.parametrize(("players", "sailors"), [(3, 5), (4, 5), (5, 4), (6, 4)])
def test_S2_two_helmsmen_four_or_five_sailors_three_tokens(game, players, sailors):
    crews = game.match(players, seed=1).view()["crews"]
    assert [c["crew"] for c in crews] == list(CREW_IDS[:players])
    assert all(c["waiting"] == {"sailors": sailors, "helmsmen": 2} and c["tokens"] == 3 for c in crews)


def test_S3_a_leak_takes_a_seat_out_of_fifteen(position, cast, boat):
    match = position(3, {2: {"blue": "ss"}, 3: {"green": "s"}})
    assert match.view()["leaks_left"] == 15
    cast(match, "2 2 2")
    assert boat(match, 2)["leaks"] == 1 and boat(match, 2)["free"] == 3
    assert match.view()["leaks_left"] == 14


def test_S3_the_leaks_of_a_sunken_boat_return(position, cast):
    match = position(3, {2: {"leaks": 2, "blue": "ss"}, 3: {"leaks": 1, "green": "s", "red": "s"}})
    cast(match, "2 2 2")
    assert match.view()["leaks_left"] == 14


def test_S3_the_leaks_of_a_landed_boat_return(position, cast, boat):
    match = position(3, {2: {"row": 2, "leaks": 2, "blue": "ss"}, 3: {"leaks": 1, "green": "ss"}}, "advance")
    cast(match, "2 2 2")
    assert boat(match, 2)["leaks"] == 0 and match.view()["leaks_left"] == 14


def test_S3_without_a_leak_in_the_box_phase_1_is_skipped(position, cast):
    people = {1: {"blue": "sss"}, 2: {"green": "sss"}, 3: {"red": "sss"}, 4: {"blue": "shh"}, 5: {"green": "shh"}}
    match = position(3, {lane: {"leaks": 3, **crews} for lane, crews in people.items()}, "advance")
    cast(match, "1 1 1")
    match.play(0, "leave sailor 1")
    match.play(2, "leave sailor 3")
    match.play(1, "leave sailor 2")
    match.play(1, "board 1")
    match.play(2, "board 2")
    events = match.play(0, "board 3")
    assert kinds(events) == ["boards", "baton", "no-leak"]
    assert match.view()["leaks_left"] == 0
    assert match.view()["phase"] == "advance" and match.to_act == [0, 1, 2]


@EVERY_COUNT
def test_S4_chance_gives_the_baton_to_any_player(game, players):
    match = game.match(players, seed=1)
    assert match.events[0].kind == "first" and match.events[0].rule == "S4"
    match.restart()
    assert match.to_act == [] and match.weights() == [1] * players + [0] * (6 - players)
    assert match.view()["baton"] is None
    assert {game.match(players, seed=s).view()["baton"] for s in range(60)} == set(CREW_IDS[:players])


@EVERY_COUNT
def test_S4_or_the_host_does(game, players):
    for seat in range(players):
        match = game.match(players, options={"first": seat})
        assert match.view()["baton"] == CREW_IDS[seat]
        assert match.to_act == [seat] and match.journal == []
    with pytest.raises(BadOption) as refusal:
        game.match(players, options={"first": players})
    assert refusal.value.rule == "S4"


@EVERY_COUNT
def test_S5_people_are_placed_two_by_two_clockwise_from_the_baton(game, players, play_on):
    match = game.match(players, options={"first": 1})
    play_on(match, lambda m: m.view()["phase"] != "placing")
    people = 7 if players <= 4 else 6
    order = [(1 + k) % players for k in range(players)]
    pairs = [seat for _turn in range(3) for seat in order for _person in range(2)]
    alone = order if people == 7 else []  # the seventh goes alone
    assert [entry.seat for entry in match.journal] == pairs + alone
    assert sum(sum(p.values()) for b in match.view()["boats"] for p in b["people"].values()) == people * players
    assert match.view()["phase"] == "leak" and match.to_act == list(range(players))


def test_S5_any_free_seat_also_twice_the_same_boat(game, boat):
    match = game.match(3, options={"first": 0})
    for seat, action in [(0, "helmsman 4"), (0, "helmsman 4"), (1, "sailor 4"), (1, "sailor 4"), (2, "sailor 4")]:
        match.play(seat, f"place {action}")
    assert refused(match, 0, "place sailor 1") == ""  # two single decisions: red has placed one
    match.play(2, "place helmsman 4")
    assert boat(match, 4)["people"]["blue"] == {"sailors": 0, "helmsmen": 2}
    assert boat(match, 4)["free"] == 0
    assert refused(match, 0, "place sailor 4") == "S5"
    assert refused(match, 0, "place helmsman 1") == "S2"
    assert refused(match, 0, "vote 1") == "S5"


# Votes


def test_S6_votes_are_sealed_and_revealed_together(position):
    match = position(3, {2: {"blue": "ss"}, 3: {"green": "s"}})
    events = match.play(2, "vote 3") + match.play(0, "vote 2")
    assert events == []  # everyone sees that they have voted, and nothing more
    assert match.view(1)["voted"] == ["blue", "red"] and match.view(1)["votes"] == {}
    assert match.view(0)["votes"] == {"blue": "vote 2"}
    assert match.to_act == [1]
    assert kinds(match.play(1, "cap")) == ["votes-boat", "shows-cap", "votes-boat", "one-cap"]


def test_S6_everyone_must_vote_and_a_cap_needs_a_token(position, choices):
    match = position(3, {2: {"blue": "ss"}, 3: {"green": "s"}})
    assert choices(match, 1) == {"vote 2", "vote 3", "cap"}
    match = position(3, {2: {"blue": "ss"}, 3: {"green": "s"}}, tokens=0)
    assert choices(match, 1) == {"vote 2", "vote 3"}
    assert refused(match, 1, "cap") == "S6"
    assert refused(match, 1, "board 2") == "S6"


@pytest.mark.parametrize(("phase", "then"), [("leak", "advance"), ("advance", "leaving")])
def test_S6_a_vote_with_one_target_is_held_and_caps_are_paid(position, cast, phase, then):
    match = position(3, {2: {"blue": "ss"}}, phase)
    assert match.to_act == [0, 1, 2]
    events = cast(match, "2 cap 2")
    assert only(events, "only-boat").fields == {"boat": 2} and only(events, "only-boat").rule == "S7"
    assert [c["tokens"] for c in match.view()["crews"]] == [3, 2, 3]
    assert match.view()["phase"] == then  # green had nothing to decide (S7)


def test_S6_a_doomed_boat_still_votes(position, cast, boat):
    # Three leaks, three people: the boat sinks, no matter who goes overboard.
    match = position(3, {2: {"leaks": 3, "blue": "ss", "green": "h"}, 3: {"red": "s"}})
    cast(match, "2 2 2")
    assert match.view()["phase"] == "overboard" and match.to_act == [0, 1]
    cast(match, "cap green")
    match.play(0, "decide green")
    assert boat(match, 2)["where"] == "sunk"
    assert crew(match, "blue")["tokens"] == 2


def test_S7_the_only_cap_decides_freely(position, cast, boat, choices):
    match = position(4, {2: {"blue": "ss"}, 3: {"green": "s"}, 6: {"red": "s"}})
    events = cast(match, "2 2 2 cap")
    assert only(events, "one-cap").rule == "S7"
    assert match.to_act == [3] and choices(match) == {"decide 2", "decide 3", "decide 6"}
    assert [c["tokens"] for c in match.view()["crews"]] == [3, 3, 3, 2]
    assert refused(match, 3, "vote 2") == match.view()["by_rule"] == "S7"
    events = match.play(3, "decide 6")
    assert (events[0].kind, events[0].rule) == ("decides-boat", "S7")
    assert boat(match, 6)["leaks"] == 1 and boat(match, 2)["leaks"] == 0


def test_S7_only_those_aboard_can_show_it_for_an_overboard_vote(position, cast):
    match = position(3, {2: {"blue": "sss", "green": "sss"}, 3: {"red": "s"}})
    cast(match, "2 2 2")
    assert match.to_act == [0, 1]
    with pytest.raises(IllegalAction):
        match.play(2, "cap")


def test_S7_the_cap_is_stronger_than_the_baton(position, cast):
    match = position(3, {2: {"blue": "ss"}, 3: {"green": "s"}}, baton=0)
    cast(match, "2 3 cap")
    assert match.to_act == [2]


def test_S7_the_baton_holders_only_cap_decides_as_a_cap(position, cast, choices):
    match = position(3, {2: {"blue": "ss"}, 3: {"green": "s"}}, baton=0)
    cast(match, "cap 3 3")
    assert match.view()["by_rule"] == "S7" and choices(match) == {"decide 2", "decide 3"}
    assert match.play(0, "decide 2")[0].rule == "S7"
    assert match.view()["by_rule"] is None


def test_S8_caps_cancel_each_other_and_the_others_are_counted(position, cast, boat):
    match = position(5, {2: {"blue": "ss"}, 3: {"green": "s"}})
    events = cast(match, "cap cap 3 3 2")
    assert only(events, "caps-cancel").rule == "S8" and only(events, "caps-cancel").fields == {"caps": 2}
    assert only(events, "most-boat").fields == {"boat": 3, "votes": 2, "all": 3}
    assert boat(match, 3)["leaks"] == 1
    assert [c["tokens"] for c in match.view()["crews"]] == [2, 2, 3, 3, 3]


def test_S8_nothing_but_caps_and_a_single_boat_leave_nothing_to_decide(position, cast):
    match = position(3, {2: {"blue": "ss"}})
    events = cast(match, "cap cap cap")
    assert kinds(events) == ["shows-cap"] * 3 + ["only-boat", "leaks"]
    assert only(events, "only-boat").rule == "S8"


@EVERY_COUNT
def test_S8_nothing_but_caps_and_the_baton_decides_freely(position, cast, boat, choices, players):
    match = position(players, {2: {"blue": "ss"}, 3: {"green": "s"}}, baton=1)
    events = cast(match, " ".join(["cap"] * players))
    assert only(events, "all-caps").rule == "S8"
    assert match.to_act == [1] and choices(match) == {"decide 2", "decide 3"}
    assert refused(match, 1, "vote 2") == match.view()["by_rule"] == "S8"
    assert match.play(1, "decide 2")[0].rule == "S8"
    assert boat(match, 2)["leaks"] == 1
    assert {c["tokens"] for c in match.view()["crews"]} == {2}


def test_S9_most_votes_wins(position, cast, boat):
    match = position(4, {2: {"blue": "ss"}, 3: {"green": "s"}, 6: {"red": "s"}}, "advance")
    events = cast(match, "2 6 3 6")
    assert [boat(match, lane)["row"] for lane in (2, 3, 6)] == [4, 4, 3]
    assert kinds(events) == ["votes-boat"] * 4 + ["most-boat", "advances"]
    assert only(events, "most-boat").fields == {"boat": 6, "votes": 2, "all": 4}
    assert only(events, "most-boat").rule == "S9"


def test_S9_the_baton_breaks_a_tie_among_the_tied(position, cast, boat, choices):
    match = position(5, {2: {"blue": "ss"}, 3: {"green": "s"}, 6: {"red": "s"}}, baton=3)
    events = cast(match, "2 6 3 6 2")
    assert only(events, "tie").rule == "S9" and only(events, "tie").fields == {"crew": 3, "votes": 2}
    assert match.to_act == [3] and choices(match) == {"decide 2", "decide 6"}
    assert refused(match, 3, "decide 3") == refused(match, 3, "vote 2") == match.view()["by_rule"] == "S9"
    assert match.play(3, "decide 6")[0].rule == "S9"
    assert boat(match, 6)["leaks"] == 1


def test_S9_also_without_a_vote_in_the_matter(position, cast, choices):
    match = position(3, {2: {"blue": "sss", "green": "sss"}, 3: {"red": "s"}}, baton=2)
    cast(match, "2 2 2")
    cast(match, "green blue")
    assert match.to_act == [2] and choices(match) == {"decide blue", "decide green"}
    match.play(2, "decide blue")
    assert crew(match, "blue")["drowned"]["sailors"] == 3  # two had drowned before


def test_S10_talk_is_no_action_and_binds_nobody(game, position, choices):
    match = position(4, {2: {"blue": "ss"}, 3: {"green": "s"}})
    assert {game.parts(a)["kind"] for a in range(game.actions)} == {"place", "vote", "cap", "decide", "leave", "board"}
    assert all(choices(match, seat) == {"vote 2", "vote 3", "cap"} for seat in range(4))


# A round


@EVERY_COUNT
def test_S11_everyone_votes_even_with_nobody_at_sea_and_for_empty_boats(position, cast, boat, players):
    match = position(players, {2: {"blue": "ss"}, 3: {}, 5: {"row": 1, "green": "s"}})
    assert match.to_act == list(range(players))
    assert refused(match, 1, "vote 5") == "S14"
    assert refused(match, 1, "vote 7") == "S13"
    assert refused(match, 1, "vote red") == "S11"
    events = cast(match, " ".join(["3"] * players))
    assert only(events, "leaks").fields == {"boat": 3, "leaks": 1}
    assert boat(match, 3)["where"] == "sunk"  # nobody aboard, one leak


def test_S12_the_leak_takes_a_free_seat(position, cast, boat):
    match = position(3, {2: {"leaks": 2, "blue": "ss", "green": "s"}, 3: {"red": "s"}})
    events = cast(match, "2 2 3")
    assert boat(match, 2)["leaks"] == 3 and boat(match, 2)["free"] == 0
    assert "full" not in kinds(events) and match.view()["phase"] == "advance"


def test_S12_in_a_full_boat_those_aboard_vote_by_weight(position, cast, boat, choices):
    match = position(4, {2: {"blue": "sh", "green": "sss", "yellow": "s"}, 3: {"red": "s"}})
    cast(match, "2 2 3 2")
    assert match.view()["full_boat"] == 2
    assert match.to_act == [0, 1, 3]
    assert choices(match, 3) == {"vote blue", "vote green", "vote yellow", "cap"}  # their own included
    assert refused(match, 3, "vote red") == "S12"
    assert refused(match, 3, "vote 2") == "S12"
    events = cast(match, "green blue blue")
    assert [e.fields["votes"] for e in events if e.kind == "votes-crew"] == [3, 3, 1]
    assert only(events, "most-crew").fields == {"crew": 0, "votes": 4, "all": 7}
    assert only(events, "thrown").fields == {"crew": 0, "person": 0, "boat": 2}
    assert boat(match, 2)["people"]["blue"] == {"sailors": 0, "helmsmen": 1}
    assert boat(match, 2)["leaks"] == 1 and boat(match, 2)["free"] == 0
    assert match.view()["phase"] == "advance" and match.view()["full_boat"] is None


def test_S12_a_helmsman_goes_only_where_there_is_no_sailor(position, cast):
    match = position(3, {2: {"blue": "hh", "green": "ssss"}, 3: {"red": "s"}})
    cast(match, "2 2 3")
    events = cast(match, "blue blue")
    assert only(events, "thrown").fields == {"crew": 0, "person": 1, "boat": 2}


def test_S12_a_single_colour_aboard_does_not_vote(position, cast, boat):
    match = position(3, {2: {"blue": "sssshh"}, 3: {"red": "s"}})
    events = cast(match, "2 2 3")
    assert only(events, "alone").fields == {"crew": 0, "boat": 2}
    assert only(events, "thrown").fields == {"crew": 0, "person": 0, "boat": 2}
    assert boat(match, 2)["people"]["blue"] == {"sailors": 3, "helmsmen": 2} and boat(match, 2)["leaks"] == 1
    assert match.view()["phase"] == "advance"


def test_S13_more_leaks_than_people_and_the_boat_sinks(position, cast, boat):
    match = position(3, {2: {"leaks": 1, "blue": "s", "green": "h"}, 3: {"red": "s"}})
    cast(match, "2 2 2")
    assert boat(match, 2)["where"] == "at-sea"  # as many leaks as people: it floats
    match = position(3, {2: {"leaks": 2, "blue": "s", "green": "h"}, 3: {"red": "s"}})
    events = cast(match, "2 2 2")
    assert only(events, "sinks").rule == "S13"
    assert [e.fields for e in events if e.kind == "drown"] == [
        {"crew": 0, "people": 1, "boat": 2}, {"crew": 1, "people": 1, "boat": 2}
    ]  # fmt: skip
    assert boat(match, 2)["where"] == "sunk" and boat(match, 2)["people"] == {}
    assert crew(match, "green")["drowned"] == {"sailors": 5, "helmsmen": 2}


def test_S14_an_advance_is_one_row_and_row_1_is_home(position, cast, boat, choices):
    match = position(3, {2: {"row": 3, "blue": "ss"}, 3: {"green": "ss", "red": "s"}, 7: {"red": "s"}}, "advance")
    cast(match, "2 2 2")
    assert boat(match, 2)["row"] == 2 and crew(match, "blue")["points"] == 0
    match = position(3, {2: {"row": 2, "blue": "ss"}, 3: {"green": "ss", "red": "s"}, 7: {"red": "s"}}, "advance")
    events = cast(match, "2 2 2")
    assert only(events, "lands").rule == "S14"
    assert boat(match, 2)["where"] == "landed" and crew(match, "blue")["points"] == 12
    # Excluded from later moves: blue has nobody to take out, and nobody can board there.
    assert match.to_act == [2]
    assert refused(match, 2, "leave sailor 2") == "S14"
    match.play(2, "leave sailor 7")
    match.play(1, "leave sailor 3")
    assert refused(match, 1, "board 2") == "S14"
    match.play(1, "board 7")
    match.play(2, "board 3")
    assert choices(match, 0) == {"vote 3", "vote 7", "cap"}  # and excluded from later votes
    assert refused(match, 0, "vote 2") == "S14"


@pytest.mark.parametrize(
    ("lane", "sailor", "helmsman"),
    [(1, 6, 8), (2, 6, 8), (3, 4, 6), (4, 4, 6), (5, 4, 6), (6, 5, 7), (7, 5, 7)],
)
def test_S15_points_by_island(position, cast, lane, sailor, helmsman):
    match = position(3, {lane: {"row": 2, "blue": "ssh", "green": "s", "red": "h"}}, "advance")
    events = cast(match, f"{lane} {lane} {lane}")
    assert match.outcome.scores == [2 * sailor + helmsman, sailor, helmsman]
    scores = [e for e in events if e.kind == "scores"]  # one after the other
    assert [(e.fields["crew"], e.fields["points"]) for e in scores] == [
        (0, helmsman), (0, sailor), (0, sailor), (1, sailor), (2, helmsman),
    ]  # fmt: skip
    assert {(e.rule, e.fields["boat"]) for e in scores} == {("S15", lane)}


@EVERY_COUNT
def test_S16_people_leave_counter_clockwise_from_the_baton(position, players):
    boats = {lane: {name: "sh"} for lane, name in enumerate(CREW_IDS[:players], 1)}
    match = position(players, boats, "leaving", baton=2)
    order = []
    while match.view()["phase"] == "leaving":
        (seat,) = match.to_act
        order.append(seat)
        match.play(seat, f"leave helmsman {seat + 1}")
    assert order == [(2 - k) % players for k in range(players)]
    assert match.view()["crews"][2]["between"] == {"person": "helmsman", "lane": 3}


def test_S16_one_person_of_either_kind_out_of_a_boat_nobody_has_left(position, choices):
    match = position(3, {1: {"blue": "sh", "red": "ss"}, 2: {"blue": "s", "red": "h"}}, "leaving")
    assert choices(match) == {"leave sailor 1", "leave helmsman 1", "leave sailor 2"}
    match.play(0, "leave helmsman 1")
    assert choices(match) == {"leave helmsman 2"}  # compulsory, and someone has left boat 1
    assert refused(match, 2, "leave sailor 1") == "S16"
    assert refused(match, 2, "leave sailor 2") == "S16"
    assert refused(match, 2, "board 1") == "S16"


def test_S16_a_crew_that_cannot_leave_is_skipped_with_the_reason(position):
    match = position(4, {1: {"blue": "s", "yellow": "s"}, 2: {"red": "s"}}, "leaving")
    events = match.play(0, "leave sailor 1")
    assert [(e.rule, e.fields["crew"]) for e in events if e.kind == "stuck"] == [("S16", 3)]
    events = match.play(2, "leave sailor 2")
    assert "stuck" not in kinds(events)  # green has nobody at sea
    assert match.view()["phase"] == "boarding" and match.to_act == [2]


def test_S17_people_board_in_the_reverse_order(position):
    match = position(4, {1: {"blue": "s"}, 2: {"green": "s"}, 3: {"red": "s"}, 4: {"yellow": "s"}}, "leaving", baton=1)
    for seat in (1, 0, 3, 2):
        match.play(seat, f"leave sailor {seat + 1}")
    order = []
    while match.view()["phase"] == "boarding":
        (seat,) = match.to_act
        order.append(seat)
        match.play(seat, f"board {(seat + 1) % 4 + 1}")
    assert order == [2, 3, 0, 1]


def test_S17_never_the_boat_just_left_and_only_a_free_seat(position, choices):
    boats = {1: {"blue": "s", "green": "s"}, 2: {"leaks": 3, "green": "sss"}, 3: {"leaks": 2, "red": "sss"}, 4: {}}
    match = position(3, boats, "leaving")
    match.play(0, "leave sailor 1")
    match.play(2, "leave sailor 3")
    match.play(1, "leave sailor 2")
    assert choices(match) == {"board 1", "board 3", "board 4"}
    assert refused(match, 1, "board 2") == "S17"
    assert refused(match, 1, "leave sailor 3") == "S17"
    match.play(1, "board 3")
    assert choices(match) == {"board 1", "board 2", "board 4"}  # the seat left in 2 is free, though 2 is doomed
    match.play(2, "board 2")
    assert choices(match) == {"board 3", "board 4"}  # 2 is full again
    assert refused(match, 0, "board 2") == "S17"


def test_S17_without_a_free_seat_a_person_drowns(position, boat):
    boats = {1: {"leaks": 2, "blue": "sss", "green": "s"}, 2: {"leaks": 3, "green": "sss"}}
    match = position(3, boats, "leaving")
    match.play(0, "leave sailor 1")
    match.play(1, "leave sailor 2")
    # Green takes blue's seat in boat 1 and blue green's in boat 2: nobody drowns.
    match.play(1, "board 1")
    match.play(0, "board 2")
    assert crew(match, "blue")["drowned"]["sailors"] == 2
    # Boat 2 is full and nobody leaves it: the only seat is the one just left.
    match = position(3, {1: {"leaks": 3, "blue": "ss", "green": "s"}, 2: {"leaks": 3, "blue": "sss"}}, "leaving")
    events = match.play(0, "leave sailor 1")
    assert only(events, "drowns").rule == "S17" and only(events, "drowns").fields == {"crew": 0, "person": 0}
    assert "between" not in crew(match, "blue")
    assert boat(match, 1)["where"] == "sunk"  # three leaks, two people (S18): another blue sailor is lost
    assert crew(match, "blue")["drowned"] == {"sailors": 2, "helmsmen": 2}


def test_S17_with_one_boat_left_the_first_in_order_loses_a_person(position, boat):
    match = position(4, {4: {"green": "ss", "yellow": "sh"}}, "leaving", baton=2)
    assert match.to_act == [1]  # from red counter-clockwise: green is the first with someone aboard
    events = match.play(1, "leave sailor 4")
    assert only(events, "drowns").fields == {"crew": 1, "person": 0}
    assert [e.fields["crew"] for e in events if e.kind == "stuck"] == [3]
    assert boat(match, 4)["people"]["yellow"] == {"sailors": 1, "helmsmen": 1}
    assert match.view()["phase"] == "leak" and match.view()["baton"] == "yellow"


def test_S18_no_boat_sinks_during_phase_3_and_the_flooded_ones_after_it(position, boat):
    match = position(3, {1: {"leaks": 1, "blue": "s"}, 2: {"leaks": 1, "green": "s"}, 3: {"red": "s"}}, "leaving")
    match.play(0, "leave sailor 1")
    match.play(2, "leave sailor 3")
    match.play(1, "leave sailor 2")
    assert [boat(match, lane)["where"] for lane in (1, 2, 3)] == ["at-sea"] * 3  # all empty, two leaking
    match.play(1, "board 1")
    match.play(2, "board 1")
    events = match.play(0, "board 3")
    assert only(events, "sinks").rule == "S18" and only(events, "sinks").fields == {"boat": 2}
    assert [boat(match, lane)["where"] for lane in (1, 2, 3)] == ["at-sea", "sunk", "at-sea"]


def test_S18_an_empty_boat_without_a_leak_stays_afloat(position, boat):
    match = position(3, {1: {"blue": "s"}, 2: {"green": "s"}, 3: {"red": "s"}}, "leaving")
    for seat, lane in ((0, 1), (2, 3), (1, 2)):
        match.play(seat, f"leave sailor {lane}")
    match.play(1, "board 1")
    match.play(2, "board 1")
    match.play(0, "board 3")
    assert boat(match, 2)["where"] == "at-sea" and boat(match, 2)["people"] == {}


def test_S18_people_of_a_flooded_boat_drown_with_it(position, boat):
    match = position(3, {1: {"leaks": 2, "blue": "ss"}, 2: {"green": "sh"}}, "leaving")
    match.play(0, "leave sailor 1")
    match.play(1, "leave sailor 2")
    match.play(1, "board 1")  # saves the boat again
    match.play(0, "board 2")
    assert boat(match, 1)["where"] == "at-sea"
    match = position(3, {1: {"leaks": 2, "blue": "ss"}, 2: {"green": "sh"}, 3: {}}, "leaving")
    match.play(0, "leave sailor 1")
    match.play(1, "leave sailor 2")
    match.play(1, "board 3")
    events = match.play(0, "board 3")
    assert [(e.rule, e.fields) for e in events if e.kind == "drown"] == [("S18", {"crew": 0, "people": 1, "boat": 1})]


@EVERY_COUNT
def test_S19_the_baton_passes_clockwise(position, play_on, players):
    match = position(players, {1: {"blue": "s"}, 2: {"green": "s"}, 3: {"red": "s"}}, "leaving", baton=players - 1)
    play_on(match, lambda m: m.view()["phase"] == "leak")
    assert match.view()["baton"] == "blue" and match.to_act == list(range(players))
    assert only(match.events, "baton").rule == "S19"


# End


def test_S20_the_match_ends_when_no_boat_is_at_sea(position, cast):
    match = position(3, {2: {"row": 2, "blue": "s"}}, "advance")
    cast(match, "2 2 2")
    assert match.outcome.reason == "no-boat" and match.to_act == []


@pytest.mark.parametrize("phase", [1, 2, 3])
def test_S20_it_also_ends_after_any_phase_with_nobody_at_sea(position, cast, boat, phase):
    if phase == 1:
        match = position(3, {2: {"leaks": 1, "blue": "s"}, 3: {}})
        cast(match, "2 2 2")
    elif phase == 2:
        match = position(3, {2: {"row": 2, "blue": "s"}, 3: {}}, "advance")
        cast(match, "2 2 2")
    else:
        match = position(3, {2: {"leaks": 1, "blue": "s"}, 3: {"leaks": 2}, 4: {"leaks": 0}}, "leaving")
        match.play(0, "leave sailor 2")
        assert not match.over  # between boats is at sea
        match.play(0, "board 3")
    assert match.outcome.reason == "nobody"
    assert any(b["where"] == "at-sea" for b in match.view()["boats"])


def test_S20_at_sea_without_people_is_not_the_end_while_others_are_aboard(position, cast):
    match = position(3, {2: {"row": 2, "blue": "s"}, 3: {}, 4: {"red": "s"}}, "advance")
    cast(match, "2 2 2")
    assert not match.over


@pytest.mark.parametrize(("row", "told"), [(4, "last-boat"), (3, "last-round")])
def test_S20_the_last_boat_and_the_last_round_are_announced(position, cast, row, told):
    match = position(3, {2: {"row": row, "leaks": 1, "blue": "ss", "green": "ss"}}, "advance")
    cast(match, "2 2 2")
    events = match.play(0, "leave sailor 2")
    assert kinds(events)[-2:] == ["baton", told]
    assert (only(events, told).rule, only(events, told).fields) == ("S20", {"boat": 2})


def test_S20_with_two_boats_the_round_may_be_the_last_once_one_is_a_row_from_land(position, cast):
    for row, told in ((2, ["baton", "two-boats"]), (3, ["boards", "baton"])):
        match = position(3, {2: {"row": 4, "blue": "ss"}, 3: {"row": row, "red": "s"}}, "advance")
        cast(match, "2 2 2")
        match.play(0, "leave sailor 2")
        match.play(2, "leave sailor 3")
        match.play(2, "board 2")
        events = match.play(0, "board 3")
        assert kinds(events)[-2:] == told
    match = position(3, {2: {"row": 3, "blue": "ss"}, 3: {"row": 3}, 5: {"row": 2}}, "advance")
    cast(match, "2 2 2")
    match.play(0, "leave sailor 2")
    assert kinds(match.play(0, "board 3"))[-1] == "baton"  # three boats


@EVERY_COUNT
@pytest.mark.parametrize("boats", ["seven", "players+1"])
def test_S20_at_most_three_rounds_per_boat(game, players, boats, play_on):
    match = game.match(players, seed=5, options={"boats": boats})
    count = len(match.view()["boats"])
    play_on(match, lambda _m: False)
    assert match.over and kinds(match.events).count("baton") <= 3 * count


def test_S21_most_points_wins_and_equals_share(position, cast):
    match = position(3, {2: {"row": 2, "blue": "s", "green": "ss"}}, "advance")
    events = cast(match, "2 2 2")
    assert match.outcome.scores == [6, 12, 0] and match.outcome.winners == [1]
    assert only(events, "wins").fields == {"crew": 1, "points": 12}
    match = position(3, {2: {"row": 2, "blue": "s", "red": "s"}}, "advance")
    events = cast(match, "2 2 2")
    assert match.outcome.winners == [0, 2] and kinds(events).count("shares") == 2


@EVERY_COUNT
def test_S21_also_at_zero(position, cast, players):
    match = position(players, {2: {"leaks": 1, "blue": "s"}})
    cast(match, " ".join(["2"] * players))
    assert match.outcome.scores == [0] * players and match.outcome.winners == list(range(players))


# The examples. Green sits in seat 1, red in 2, yellow in 3, lilac in 4.


def test_S22_first_example_a_green_sailor_goes(position, cast, boat):
    match = position(5, {3: {"green": "sh", "yellow": "ss", "red": "h", "lilac": "s"}, 1: {"blue": "s"}})
    assert boat(match, 3)["free"] == 0
    cast(match, "3 3 3 3 3")
    assert match.to_act == [1, 2, 3, 4]
    events = cast(match, "yellow green green red")
    assert [e.fields["votes"] for e in events if e.kind == "votes-crew"] == [3, 2, 2, 1]
    assert only(events, "thrown").fields == {"crew": 1, "person": 0, "boat": 3}
    assert boat(match, 3)["people"]["green"] == {"sailors": 0, "helmsmen": 1}
    assert boat(match, 3)["leaks"] == 1


def second_example(position, cast, others: str) -> Match:
    """The sheet's second boat, filled up by leaks and by the two more players of its sequels."""
    aboard = {"lilac": "h", "yellow": "sh", "red": "s"}
    for name in others.split():
        aboard[name] = "s"
    match = position(6, {3: {"leaks": 2 - len(others.split()), **aboard}, 1: {"bone": "s"}}, baton=5)
    cast(match, "3 3 3 3 3 3")
    return match


def test_S22_second_example_a_tie_for_the_baton(position, cast, choices):
    match = second_example(position, cast, "")
    assert match.to_act == [2, 3, 4]
    events = cast(match, "yellow lilac yellow")
    assert [e.fields["votes"] for e in events if e.kind == "votes-crew"] == [1, 3, 2]
    assert match.to_act == [5] and choices(match) == {"decide yellow", "decide lilac"}
    events = match.play(5, "decide lilac")
    assert only(events, "thrown").fields == {"crew": 4, "person": 1, "boat": 3}


def test_S22_second_example_a_fourth_players_cap_decides(position, cast, choices):
    match = second_example(position, cast, "blue")
    cast(match, "cap yellow lilac yellow")
    assert match.to_act == [0]
    assert choices(match) == {"decide blue", "decide red", "decide yellow", "decide lilac"}
    assert crew(match, "blue")["tokens"] == 2


def test_S22_second_example_two_caps_cancel_and_are_lost(position, cast, choices):
    match = second_example(position, cast, "blue green")
    cast(match, "cap cap yellow lilac yellow")
    assert match.to_act == [5] and choices(match) == {"decide yellow", "decide lilac"}
    assert [c["tokens"] for c in match.view()["crews"]] == [2, 2, 3, 3, 3, 3]
