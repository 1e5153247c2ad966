"""Every rule of Walk the Plank, W1 to W20, in the order of the sheet."""

from __future__ import annotations

import pytest

from tribord import BadOption, IllegalAction, Match

IDLE = "charge extend i-dont-want-to-die"


def kinds(events):
    return [event.kind for event in events]


def finish_round(match: Match) -> None:
    """Play the first legal action of the seat that must act until a new round starts or the match ends."""
    start = match.truth()["round"]
    while not match.over and match.truth()["round"] == start:
        seat = match.to_act[0]
        match.play(seat, match.legal(seat)[0])


# Material and set-up


@pytest.mark.parametrize("players", [3, 4, 5])
def test_W1_the_plank_has_three_tiles_and_everyone_crowds_on_the_ship(game, players):
    truth = game.match(players, seed=1).truth()
    assert truth["plank"] == 3
    assert [crew["pirates"] for crew in truth["crews"]] == [[3, 0, 0, 0]] * players


@pytest.mark.parametrize("plank", [1, 2, 3])
def test_W1_past_the_last_tile_is_death(position, lay, spaces, plank):
    match = position(plank=plank, blue=[0, 0, plank])
    lay(match, blue="run charge extend", green="charge run shove-left", red="charge run shove-left")
    events = match.play(0, f"run {plank} sea")
    assert spaces(match, "blue") == [0, 0]
    assert match.truth()["crews"][0]["dead"] == 1
    assert kinds(events)[:2] == ["runs", "drowns"]
    assert events[1].rule == "W1" and events[1].fields == {"crew": 0, "left": 2}


@pytest.mark.parametrize("players", [3, 4, 5])
def test_W2_everyone_has_three_pirates_and_the_same_ten_cards(game, players):
    match = game.match(players, seed=2)
    for seat in range(players):
        programs = [game.parts(action)["cards"] for action in match.legal(seat)]
        assert len(programs) == 10 * 9 * 8
        assert {card for cards in programs for card in cards} == set(game.options[0].values)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_W3_chance_gives_the_favour_to_any_player(game, players):
    match = game.match(players, seed=1)
    match.restart()
    assert match.to_act == [] and match.weights() == [1] * players + [0] * (5 - players)
    assert match.truth()["favour"] is None
    holders = {game.match(players, seed=seed).truth()["favour"] for seed in range(60)}
    assert holders == {"blue", "green", "red", "yellow", "lilac"} - set(("yellow", "lilac")[players - 3 :])
    assert kinds(game.match(players, seed=1).events) == ["receives"]


# A round


def test_W4_the_choice_is_sealed_and_made_in_any_order(game):
    match = game.match(3, seed=1)
    assert match.to_act == [0, 1, 2]
    match.play(2, "program run charge drag")
    assert match.to_act == [0, 1]
    assert match.view(0)["chosen"] == ["red"]
    assert all("card" not in card for card in match.view(0)["crews"][2]["cards"])
    assert [card["card"] for card in match.view(2)["crews"][2]["cards"]] == ["run", "charge", "drag"]
    with pytest.raises(IllegalAction) as refused:
        match.play(2, "program run charge pull")
    assert refused.value.code == "already-sealed"


def test_W4_the_three_cards_differ(game):
    match = game.match(3, seed=1)
    for same in ("run run drag", "run drag run", "drag run run"):
        with pytest.raises(IllegalAction):
            match.play(0, f"program {same}")


def test_W4_only_the_living_choose(position):
    assert position(4, green=[]).to_act == [0, 2, 3]


@pytest.mark.parametrize("favour", [0, 1, 2, 3])
def test_W5_cards_are_resolved_clockwise_from_the_favour_slot_by_slot(position, lay, favour):
    match = position(4, favour=favour)
    events = lay(match)
    turned = [(e.fields["slot"], e.fields["crew"]) for e in events if e.kind == "reveals"]
    order = [(favour + k) % 4 for k in range(4)]
    assert turned == [(slot, seat) for slot in (1, 2, 3) for seat in order]


def test_W5_a_card_is_hidden_until_its_turn_comes_and_then_known_to_all(position, lay):
    match = position(favour=1)
    lay(match, blue="run drag pull", green="extend shove-left run", red="extend retract run")
    # Green and red have turned up card 1 and blue is asked to run.
    assert match.to_act == [0]
    for seat in (-1, 1, 2):
        seen = {crew["crew"]: [card.get("card") for card in crew["cards"]] for crew in match.view(seat)["crews"]}
        assert seen["blue"] == ["run", None, None]
        assert seen["green"] == ["extend", *(["shove-left", "run"] if seat == 1 else [None, None])]
    assert [card["card"] for card in match.view(0)["crews"][0]["cards"]] == ["run", "drag", "pull"]


def test_W5_the_target_is_chosen_when_the_card_turns_up(position, lay, choices, spaces):
    match = position(red=[0, 0, 3])
    lay(match, blue="run charge extend", green="shove-left charge extend", red=IDLE)
    match.play(0, "run 0 sea")
    assert choices(match) == {"shove 0 red"}
    match.play(1, "shove 0 red")
    assert spaces(match, "red") == [0, 1, 3]


def test_W6_a_card_is_carried_out_even_to_its_owners_harm(position, lay, choices):
    match = position(blue=[3])
    lay(match, blue="drag run extend", green=IDLE, red=IDLE)
    # Nobody to drag, so no effect. But a pirate can always run, back or into the sea.
    assert choices(match) == {"run 3 ship", "run 3 sea"}


def test_W6_a_single_possibility_is_still_asked_for(position, lay, choices):
    match = position(blue=[1, 1, 1])
    lay(match, blue="pull extend charge")
    assert match.to_act == [0] and choices(match) == {"pull 1 blue"}


def test_W6_a_card_without_effect_asks_nothing(position, lay):
    match = position()
    events = lay(match)
    idle = [(e.rule, e.fields["card"]) for e in events if e.kind == "no-effect"]
    assert idle == [("W17", 9)] * 3 + [("W12", 3)] * 3 + [("W16", 8)] * 3
    assert match.truth()["round"] == 2


# what blue lays first (or second, after something harmless): where the crews stand, and why it has no effect
WITHOUT_EFFECT = {
    "shove-left": ({"green": [1, 1, 1]}, "the left neighbour has no pirate on the same space"),
    "shove-right": ({"red": [1, 1, 1]}, "the right neighbour has no pirate on the same space"),
    "shove-anyone": ({"blue": [2]}, "no other pirate stands on the same space"),
    "extend": ({}, "the plank already has three tiles"),
    "retract": ({"plank": 1}, "the plank has only one tile left"),
    "drag": ({"blue": [2]}, "no other pirate stands on the same space"),
    "pull": ({"blue": [0, 1, 2]}, "no other pirate stands on the same tile"),
    "i-dont-want-to-die": ({}, "there’s no pirate to bring back aboard"),
    "charge": ({}, "a charge needs a run-up, so it never works as card 1"),
}


@pytest.mark.parametrize("card", WITHOUT_EFFECT)
def test_W6_a_card_without_effect_says_why(game, position, lay, card):
    crews, why = WITHOUT_EFFECT[card]
    match = position(**crews)
    harmless = [other for other in ("run", "shove-anyone", "extend") if other != card]
    (idle,) = [e for e in lay(match, blue=" ".join([card, *harmless[:2]])) if e.kind == "no-effect"][:1]
    assert idle.fields["crew"] == 0 and game.say_event(idle, game.words("en")).endswith(f"has no effect: {why}.")
    assert "sans effet" in game.say_event(idle, game.words("fr"))


def test_W6_without_neighbours_there_is_nobody_to_shove(game, position, lay):
    match = position(green=[], red=[])
    said = [game.say_event(e, game.words("en")) for e in lay(match, blue="shove-left shove-right pull")]
    assert said.count("“Shove Left” has no effect: there’s no neighbour left to shove.") == 1
    assert said.count("“Shove Right” has no effect: there’s no neighbour left to shove.") == 1


def test_W6_pirates_of_one_colour_on_one_space_are_interchangeable(position, lay, choices):
    match = position(blue=[0, 0, 2], green=[0, 0, 0], red=[2, 2, 2])
    lay(match, blue="shove-anyone extend charge")
    assert choices(match) == {"shove 0 blue", "shove 0 green", "shove 2 red"}


def test_W7_skull_cards_lie_aside_for_one_round_and_return(position, lay):
    match = position()
    lay(match, blue="retract shove-left drag", green=IDLE, red=IDLE)
    finish_round(match)
    assert match.truth()["crews"][0]["aside"] == ["retract", "drag"]
    assert match.truth()["crews"][1]["aside"] == ["charge"]
    assert match.view(2)["crews"][0]["aside"] == ["retract", "drag"]  # face up
    assert len(match.legal(0)) == 8 * 7 * 6
    with pytest.raises(IllegalAction, match="W7") as refused:
        match.play(0, "program run drag pull")
    assert refused.value.code == "aside"
    lay(match, blue="extend pull i-dont-want-to-die", green="extend pull i-dont-want-to-die", red="extend pull run")
    finish_round(match)
    assert [crew["aside"] for crew in match.truth()["crews"]] == [[], [], []]
    assert len(match.legal(0)) == 10 * 9 * 8


def test_W7_a_skull_card_without_effect_lies_aside_too(position, lay):
    match = position()
    lay(match)  # everyone's charge had no effect
    assert [crew["aside"] for crew in match.truth()["crews"]] == [["charge"]] * 3


def test_W7_the_skull_cards_are_an_option(position, lay, game):
    default = ["shove-anyone", "retract", "drag", "charge"]
    assert game.match(3).options["skulls"] == default == game.match(3).truth()["skulls"]
    for skulls, aside in (([], []), (["run", "extend"], ["extend"]), (list(game.options[0].values), IDLE.split())):
        match = position(options={"skulls": skulls})
        lay(match)
        assert sorted(match.truth()["crews"][0]["aside"]) == sorted(aside)
        assert len(match.legal(0)) == [720, 504, 336, 210][len(aside)]
    with pytest.raises(BadOption):
        game.match(3, options={"skulls": ["parrot"]})


def test_W8_the_favour_passes_to_the_right(position, lay):
    match = position(4, favour=1)
    for holder in ("blue", "yellow", "red", "green"):
        lay(match, **dict.fromkeys(("blue", "green", "red", "yellow"), "extend pull i-dont-want-to-die"))
        assert match.truth()["favour"] == holder
        last = match.steps[-1].events[-1]
        assert (last.kind, last.rule) == ("new-round", "W8")


def test_W8_the_favour_skips_the_dead_and_moves_on_from_a_dead_holder(position, lay):
    match = position(5, favour=2, green=[])
    lay(match)
    assert match.truth()["favour"] == "blue"
    match = position(4, favour=0, blue=[3], yellow=[])
    lay(match, blue="run extend charge")
    match.play(0, "run 3 sea")
    assert match.truth()["favour"] == "red"


def test_W9_void_cards_are_never_seen_and_aside_ones_are_gone(position, lay):
    match = position(4, red=[3], plank=3)
    match.state.aside[2] = 1 << 4
    events = lay(match, blue="retract shove-left pull", red="run drag pull", green=IDLE, yellow=IDLE)
    assert [e.fields["crew"] for e in events if e.kind == "out"] == [2]
    truth = match.truth()["crews"][2]
    assert truth == {"crew": "red", "seat": 2, "pirates": [0, 0, 0, 0], "dead": 3, "aside": [], "cards": []}
    finish_round(match)
    assert 2 not in {e.fields["crew"] for e in match.events if e.kind == "reveals"}
    assert 2 not in match.to_act and match.legal(2) == []


def test_W9_cards_that_were_turned_up_before_stay_in_sight(position, lay):
    match = position(4, red=[2], favour=2)
    lay(match, red="run drag pull", yellow="retract shove-left run", blue="charge run extend")
    match.play(2, "run 2 sea")
    assert match.to_act == [3]  # yellow has retracted the plank under red's feet and shoves
    assert match.truth()["crews"][2]["cards"] == [{"slot": 1, "face": "up", "card": "run"}]


def test_W9_neighbours_skip_players_who_are_out(position, lay, choices):
    match = position(4, green=[])
    lay(match, blue="shove-left charge extend")
    assert choices(match) == {"shove 0 red"}


# Cards


def test_W10_left_is_the_next_seat_and_right_the_one_before(position, lay, choices, spaces):
    for card, victim in (("shove-left", "green"), ("shove-right", "lilac")):
        match = position(5)
        lay(match, blue=f"{card} extend charge")
        assert choices(match) == {f"shove 0 {victim}"}
        events = match.play(0, f"shove 0 {victim}")
        assert events[0].rule == "W10" and events[0].kind == "shoves"
        assert spaces(match, victim) == [0, 0, 1] and spaces(match, "blue") == [0, 0, 0]


def test_W10_a_shove_off_the_end_kills(position, lay, spaces):
    match = position(plank=2, blue=[0, 0, 2], green=[0, 2, 2])
    lay(match, blue="shove-left charge run", green="charge shove-left run", red="charge shove-left run")
    match.play(0, "shove 2 green")
    assert spaces(match, "green") == [0, 2]


def test_W10_the_space_is_chosen_when_several_qualify(position, lay, choices):
    match = position(blue=[0, 1, 2], green=[1, 2, 3])
    lay(match, blue="shove-left charge extend")
    assert choices(match) == {"shove 1 green", "shove 2 green"}


def test_W10_without_a_shared_space_there_is_no_effect(position, lay):
    match = position(blue=[1, 1, 1], green=[2, 2, 2], favour=0)
    events = lay(match, blue="shove-left shove-right pull", green="extend charge retract")
    assert next(e.rule for e in events if e.kind == "no-effect") == "W10"


def test_W10_between_two_players_both_cards_hit_the_same_neighbour(position, lay, choices):
    for card in ("shove-left", "shove-right"):
        match = position(green=[])
        lay(match, blue=f"{card} charge extend")
        assert choices(match) == {"shove 0 red"}


def test_W10_with_nobody_else_alive_there_is_no_effect(position, lay):
    match = position(blue=[0, 0, 0], green=[3], red=[3])
    events = lay(match, blue="retract shove-left shove-right", green=IDLE, red=IDLE)
    assert [e.rule for e in events if e.kind == "no-effect"] == ["W10", "W10"]
    assert match.over and match.truth()["crews"][0]["pirates"] == [3, 0, 0, 0]


def test_W11_anyone_means_any_crew_and_ones_own_second_pirate(position, lay, choices, spaces):
    match = position(4, blue=[0, 0, 1], green=[0, 2, 2], red=[1, 1, 1], yellow=[2, 2, 2])
    lay(match, blue="shove-anyone extend charge")
    assert choices(match) == {"shove 0 green", "shove 1 red", "shove 0 blue"}
    assert match.play(0, "shove 0 blue")[0].rule == "W11"
    assert spaces(match, "blue") == [0, 1, 1]


def test_W11_ones_own_must_be_pushed_if_there_is_no_one_else(position, lay, choices, spaces):
    match = position(blue=[3, 3])
    lay(match, blue="shove-anyone extend charge")
    assert choices(match) == {"shove 3 blue"}
    match.play(0, "shove 3 blue")
    assert spaces(match, "blue") == [3]


def test_W11_a_pirate_cannot_push_itself(position, lay):
    match = position(blue=[1, 2, 3])
    events = lay(match, blue="shove-anyone extend charge")
    assert next(e.rule for e in events if e.kind == "no-effect") == "W11"


@pytest.mark.parametrize(("plank", "longer"), [(1, 2), (2, 3), (3, 3)])
def test_W12_extend_adds_a_tile_up_to_three(position, lay, plank, longer):
    match = position(plank=plank)
    events = lay(match, blue="extend i-dont-want-to-die pull", green="charge run pull", red="charge run pull")
    assert match.truth()["plank"] == longer
    assert [e.kind for e in events if e.rule == "W12"] == ["extends" if plank < 3 else "no-effect"]


@pytest.mark.parametrize("plank", [2, 3])
def test_W12_retract_drowns_everyone_on_the_last_tile(position, lay, spaces, plank):
    match = position(plank=plank, blue=[0, 0, plank], green=[plank, plank, 1], red=[plank, plank, plank])
    events = lay(match, blue="retract shove-left pull", green="charge run pull", red=IDLE)
    assert match.truth()["plank"] == plank - 1
    assert [spaces(match, crew) for crew in ("blue", "green", "red")] == [[0, 0], [1], []]
    assert kinds(events).count("drowns") == 6


def test_W12_the_last_tile_cannot_be_retracted(position, lay, spaces):
    match = position(plank=1, blue=[1, 1, 1])
    events = lay(match, blue="retract pull run", green="charge run pull", red="charge run pull")
    assert match.truth()["plank"] == 1 and spaces(match, "blue") == [1, 1, 1]
    assert ("W12", "no-effect") in {(e.rule, e.kind) for e in events}


def test_W13_drag_takes_both_one_space_seaward_from_the_ship_too(position, lay, choices, spaces):
    match = position(blue=[0, 0, 2], green=[0, 0, 0], red=[2, 2, 2])
    lay(match, blue="drag charge extend")
    assert choices(match) == {"drag 0 blue", "drag 0 green", "drag 2 red"}
    match.play(0, "drag 0 green")
    assert spaces(match, "blue") == [0, 1, 2] and spaces(match, "green") == [0, 0, 1]


def test_W13_drag_may_take_ones_own_second_pirate(position, lay, spaces):
    match = position()
    lay(match, blue="drag charge extend")
    match.play(0, "drag 0 blue")
    assert spaces(match, "blue") == [0, 1, 1]


def test_W13_past_the_last_tile_both_die(position, lay, spaces):
    match = position(blue=[0, 0, 3], green=[3, 0, 0])
    lay(match, blue="drag charge extend")
    events = match.play(0, "drag 3 green")
    assert spaces(match, "blue") == [0, 0] and spaces(match, "green") == [0, 0]
    assert kinds(events)[:3] == ["drags", "drowns", "drowns"]


def test_W13_drag_needs_another_pirate(position, lay):
    match = position(blue=[1, 2, 3])
    events = lay(match, blue="drag extend charge")
    assert next(e.rule for e in events if e.kind == "no-effect") == "W13"


def test_W14_pull_takes_both_one_space_toward_the_ship_but_never_on_the_ship(position, lay, choices, spaces):
    match = position(blue=[0, 0, 1], green=[0, 0, 1], red=[2, 2, 2])
    lay(match, blue="pull charge extend")
    # The crowd on the ship may not be chosen to avoid the pull on tile 1.
    assert choices(match) == {"pull 1 green"}
    match.play(0, "pull 1 green")
    assert spaces(match, "blue") == [0, 0, 0] and spaces(match, "green") == [0, 0, 0]


def test_W14_pull_may_take_ones_own_and_has_no_effect_without_company_off_the_ship(position, lay, choices):
    match = position(blue=[2, 2, 3])
    lay(match, blue="pull charge extend")
    assert choices(match) == {"pull 2 blue"}
    match = position(blue=[0, 2, 3])
    events = lay(match, blue="pull extend charge")
    assert next(e.rule for e in events if e.kind == "no-effect") == "W14"


def test_W15_run_goes_one_space_either_way(position, lay, choices, spaces):
    match = position(blue=[0, 2, 3])
    lay(match, blue="run charge extend")
    assert choices(match) == {"run 0 sea", "run 2 ship", "run 2 sea", "run 3 ship", "run 3 sea"}
    match.play(0, "run 2 ship")
    assert spaces(match, "blue") == [0, 1, 3]


def test_W15_with_all_on_the_ship_one_must_run_seaward(position, lay, choices):
    match = position()
    lay(match, blue="run charge extend")
    assert choices(match) == {"run 0 sea"}


def test_W16_one_or_two_spaces_toward_the_ship(position, lay, choices, spaces):
    match = position(blue=[1, 2, 3])
    lay(match, blue="i-dont-want-to-die charge extend")
    # From tile 1 one and two spaces are the same choice.
    assert choices(match) == {"flee 1 1", "flee 2 1", "flee 2 2", "flee 3 1", "flee 3 2"}
    match.play(0, "flee 3 2")
    assert spaces(match, "blue") == [1, 1, 2]


@pytest.mark.parametrize(("action", "left"), [("flee 1 1", [0, 2]), ("flee 2 1", [1, 1]), ("flee 2 2", [0, 1])])
def test_W16_fleeing_stops_at_the_ship(position, lay, spaces, action, left):
    match = position(blue=[1, 2])
    lay(match, blue="i-dont-want-to-die charge extend")
    match.play(0, action)
    assert spaces(match, "blue") == left


def test_W16_with_everyone_on_the_ship_there_is_no_effect(position, lay):
    match = position()
    events = lay(match, blue="i-dont-want-to-die pull extend")
    assert next(e.rule for e in events if e.kind == "no-effect") == "W16"


def test_W17_charge_has_no_effect_as_card_1(position, lay):
    match = position()
    events = lay(match, blue="charge pull extend")
    assert next(e.rule for e in events if e.kind == "no-effect") == "W17"


@pytest.mark.parametrize("program", ["extend charge pull", "extend shove-right charge"])
def test_W17_charge_moves_then_pushes_someone_of_the_space_reached(position, lay, choices, spaces, program):
    match = position(4, blue=[0, 1, 3], green=[1, 0, 0], red=[2, 2, 2], yellow=[])
    lay(match, blue=program)
    # Onto tile 1 a pirate must be pushed, even your own; from tile 3 it's the sea.
    assert choices(match) == {"charge 0 green", "charge 0 blue", "charge 1 red", "charge 3 nobody"}
    events = match.play(0, "charge 0 green")
    assert [e.kind for e in events[:2]] == ["charges", "pushes"]
    assert spaces(match, "blue") == [1, 1, 3] and spaces(match, "green") == [0, 0, 2]


def test_W17_alone_on_the_space_reached_nothing_more_happens(position, lay, choices, spaces):
    match = position(blue=[0, 0, 0])
    lay(match, blue="extend charge pull")
    assert choices(match) == {"charge 0 nobody"}
    match.play(0, "charge 0 nobody")
    assert spaces(match, "blue") == [0, 0, 1]


def test_W17_only_ones_own_there_must_be_pushed_even_to_death(position, lay, choices, spaces):
    match = position(blue=[2, 3])
    lay(match, blue="extend charge pull")
    assert choices(match) == {"charge 2 blue", "charge 3 nobody"}
    match.play(0, "charge 2 blue")
    assert spaces(match, "blue") == [3]


def test_W17_a_charge_into_the_sea_is_deadly(position, lay, spaces):
    match = position(plank=2, blue=[0, 2])
    lay(match, blue="pull charge run", green="charge run pull", red="charge run pull")
    match.play(0, "charge 2 nobody")
    assert spaces(match, "blue") == [0]


# End


def test_W18_the_match_ends_only_when_all_cards_are_resolved(position, lay):
    match = position(blue=[0, 0], green=[3, 3, 3], red=[3])
    lay(match, blue="retract run pull", green=IDLE, red=IDLE)
    assert not match.over and match.to_act == [0]  # only blue pirates live, but they have cards to play
    match.play(0, "run 0 sea")
    assert match.over and match.outcome.reason == "end" and match.outcome.winners == [0]


def test_W18_two_pirates_of_two_crews_end_it_and_three_do_not(position, lay):
    match = position(blue=[0], green=[0], red=[])
    lay(match)
    assert match.outcome.winners == [0, 1]
    match = position(blue=[0, 0], green=[0], red=[])
    lay(match)
    assert not match.over


def test_W18_the_last_round_is_announced_once_while_cards_are_to_come(position, lay):
    match = position(blue=[0, 0], green=[3, 3, 3], red=[3])
    events = lay(match, blue="retract run pull", green=IDLE, red=IDLE)
    assert [(e.kind, e.rule) for e in events if e.kind == "last-round"] == [("last-round", "W18")]
    assert "last-round" not in kinds(match.play(0, "run 0 sea"))


def test_W18_the_last_card_needs_no_announcement(position, lay):
    match = position(blue=[0], green=[3], red=[0])
    events = lay(match, blue=IDLE, green="charge extend run", red=IDLE)
    assert "last-round" not in kinds(events + match.play(1, "run 3 ship"))
    match = position(blue=[0], green=[3], red=[0], favour=2)
    lay(match, blue=IDLE, green="charge extend run", red=IDLE)
    events = match.play(1, "run 3 sea")  # the last card of all
    assert match.over and "last-round" not in kinds(events)


@pytest.mark.parametrize("pirates", [1, 2, 3])
def test_W18_one_colour_ends_it(position, lay, pirates):
    match = position(blue=[], green=[], red=[0] * pirates, favour=2)
    lay(match)
    assert match.outcome.winners == [2]
    assert match.steps[-1].events[-1].fields == {"crew": 2, "pirates": pirates}


@pytest.mark.parametrize("players", [3, 4, 5])
def test_W19_every_player_with_a_living_pirate_wins_and_scores_1(position, lay, players):
    crews = {"blue": [], "green": [0], "red": [0], "yellow": [], "lilac": []}
    match = position(players, favour=1, **crews)
    events = lay(match)
    assert match.outcome.scores == [0, 1, 1, 0, 0][:players] and match.outcome.winners == [1, 2]
    assert kinds(events)[-2:] == ["shares", "shares"]


def test_W19_if_nobody_survives_nobody_wins(position, lay):
    match = position(blue=[3], green=[3], red=[])
    events = lay(match, blue="retract run pull")
    assert match.outcome.scores == [0, 0, 0] and match.outcome.winners == []
    assert match.outcome.reason == "nobody" and kinds(events)[-1] == "no-winner"
    assert match.to_act == [] and match.weights() == []


def test_W20_at_the_limit_nobody_wins(position, lay):
    match = position(options={"rounds": 2})
    harmless = dict.fromkeys(("blue", "green", "red"), "extend pull i-dont-want-to-die")
    lay(match, **harmless)
    assert not match.over
    events = lay(match, **harmless)
    assert match.outcome.reason == "limit" and match.outcome.winners == [] and match.outcome.scores == [0, 0, 0]
    assert (events[-1].kind, events[-1].rule) == ("limit", "W20")


def test_W20_the_last_round_is_announced_as_it_begins(game, position, lay):
    match = position(options={"rounds": 2})
    assert [(e.kind, e.rule) for e in lay(match)][-1] == ("last-round", "W20")
    assert "last-round" not in kinds(lay(match, **dict.fromkeys(("blue", "green", "red"), "extend pull run")))
    assert kinds(game.match(3, seed=1, options={"rounds": 1}).events) == ["receives", "last-round"]


def test_W20_a_decision_in_the_last_round_counts(position, lay):
    match = position(options={"rounds": 1}, blue=[0], green=[0], red=[])
    lay(match)
    assert match.outcome.reason == "end" and match.outcome.winners == [0, 1]


def test_W20_the_limit_is_off_for_people_and_60_for_research(game, position, lay):
    assert game.match(3).options["rounds"] == 0
    assert game.settings(3, research=True).rounds == 60
    match = position()
    for _k in range(70):
        lay(match, **dict.fromkeys(("blue", "green", "red"), "extend pull i-dont-want-to-die"))
    assert not match.over and match.truth()["round"] == 71


def test_W20_the_count_of_rounds_stops_at_the_highest_limit(position, lay):
    match = position()
    match.state.round_number = 10_000
    lay(match)
    assert match.truth()["round"] == 10_000 and not match.over
