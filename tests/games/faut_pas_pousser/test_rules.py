"""Every rule of Faut pas pousser, by its number."""

from collections import Counter
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tribord import CHANCE, BadOption, IllegalAction, Match, load
from tribord.core import journal
from tribord.core.match import Entry
from tribord.core.record import State
from tribord.games.faut_pas_pousser.rules import points
from tribord.games.faut_pas_pousser.state import CREW_IDS, OVER

GAME = load("faut-pas-pousser")
BLUE, GREEN, RED, YELLOW = CREW_IDS
ALL = [1, 2, 3, 4, 5, 6]


def pick(players, *values, draws=(), age=()):
    """A match after the installation: the picks of the seats, then (with neutral crews) the draws."""
    match = GAME.match(players, seed=1, options={"age": list(age)})
    for seat, value in enumerate(values[:-1]):
        match.play(seat, f"pick {value}")
    match.follow(Entry(players - 1, GAME.action(f"pick {values[-1]}")))
    draw(match, *draws)
    return match


def draw(match, *outcomes):
    """Let chance give these outcomes; each must be possible."""
    for text in outcomes:
        outcome = GAME.play.parse_chance(text)
        assert match.weights()[outcome]
        match.follow(Entry(CHANCE, outcome))


def row(match):
    """The plank from slot 1 to slot 4."""
    return [(pirate["crew"], pirate["pirate"]) for pirate in match.truth()["plank"]]


def crew(match, name):
    return match.truth()["crews"][CREW_IDS.index(name)]


def stand(match, *pirates):
    """Put these pirates on the plank."""
    for slot, (name, value) in enumerate(pirates):
        match.state.plank[slot] = CREW_IDS.index(name) * 8 + value


def random_match(players, seed, age=()):
    """A finished match of uniform random play."""
    match = GAME.match(players, seed, {"age": list(age)})
    rng = np.random.default_rng(seed)
    while not match.over:
        seat = int(rng.choice(match.to_act))
        match.play(seat, int(rng.choice(match.legal(seat))))
    return match


def kinds(match, *wanted):
    return [event for event in match.events if event.kind in wanted]


# -- the cards and the plank ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_F1_every_crew_has_six_pirates_five_actions_and_a_pass(players):
    crews = GAME.match(players, seed=1).truth()["crews"]
    assert [c["crew"] for c in crews] == [BLUE, GREEN, RED, YELLOW]
    for seat, c in enumerate(crews):
        assert c["pirates"] == ALL
        assert c["pass"]
        assert sorted(c["cards"]) == ([-3, -2, -1, 1, 2] if seat < players else [])


@pytest.mark.parametrize("players", [1, 5, 0, -2, "4", True, None])
def test_F1_two_to_four_may_play(players):
    with pytest.raises(BadOption) as refused:
        GAME.settings(players)
    assert refused.value.code == "bad-players"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_F2_the_plank_is_full_from_the_installation_on(players):
    match = GAME.match(players, seed=5)
    assert row(match) == []
    rng = np.random.default_rng(5)
    while not match.over:
        seat = match.to_act[0]
        match.play(seat, int(rng.choice(match.legal(seat))))
        assert len(row(match)) == (0 if match.truth()["phase"] == "picking" else 4)


def test_F2_a_sealed_pick_is_seen_by_its_owner_alone():
    match = GAME.match(4, seed=1)
    match.play(2, "pick 6")
    assert match.view(2)["picks"] == {RED: 6}
    for seat in (-1, 0, 1, 3):
        assert match.view(seat)["picks"] == {}
        assert match.view(seat)["picked"] == [RED]


def test_F2_the_order_of_a_neutral_pile_is_nowhere_in_the_state():
    match = pick(3, 1, 2, 3, draws=["card 4"])
    cards_left = [value - 1 for value in (1, 2, 3, 5, 6)] + [GAME.play.TURN_UP_PASS]
    for action in ("pass", "pass"):
        match.play(match.to_act[0], action)
    match.follow(Entry(match.to_act[0], GAME.action("pass")))
    assert [k for k, weight in enumerate(match.weights()) if weight] == cards_left


# -- installation ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_F3_all_players_pick_at_once_in_any_order(players):
    match = GAME.match(players, seed=1)
    seats = list(range(players))
    assert match.to_act == seats
    for seat in reversed(seats):
        assert [GAME.notation(a) for a in match.legal(seat)] == [f"pick {value}" for value in ALL]
        match.play(seat, "pick 4")
        assert row(match) == [] or seat == 0
    assert all(4 not in crew(match, CREW_IDS[seat])["pirates"] for seat in seats)


def test_F3_a_pick_cannot_be_changed_and_nothing_else_is_played_before():
    match = GAME.match(4, seed=1)
    match.play(0, "pick 4")
    with pytest.raises(IllegalAction) as twice:
        match.play(0, "pick 5")
    assert twice.value.code == "already-sealed"
    for early in ("pass", "4 -2@3"):
        with pytest.raises(IllegalAction) as refused:
            match.play(1, early)
        assert (refused.value.code, refused.value.rule) == ("pick-first", "F3")


def test_F3_after_the_installation_picking_is_over():
    match = pick(4, 1, 2, 3, 4)
    with pytest.raises(IllegalAction) as refused:
        match.play(3, "pick 5")
    assert (refused.value.code, refused.value.rule) == ("picked", "F3")


def test_F4_ascending_from_the_ship():
    assert row(pick(4, 5, 2, 6, 1)) == [(YELLOW, 1), (GREEN, 2), (BLUE, 5), (RED, 6)]


def test_F4_between_equals_the_younger_stands_nearer_the_ship():
    assert row(pick(4, 3, 3, 3, 3)) == [(BLUE, 3), (GREEN, 3), (RED, 3), (YELLOW, 3)]
    oldest_first = pick(4, 3, 3, 3, 3, age=[3, 2, 1, 0])
    assert row(oldest_first) == [(YELLOW, 3), (RED, 3), (GREEN, 3), (BLUE, 3)]


@given(picks=st.lists(st.integers(1, 6), min_size=4, max_size=4), age=st.permutations(range(4)))
def test_F4_by_value_then_by_age(picks, age):
    expected = sorted(range(4), key=lambda seat: (picks[seat], age.index(seat)))
    assert row(pick(4, *picks, age=age)) == [(CREW_IDS[seat], picks[seat]) for seat in expected]


@pytest.mark.parametrize("age", [[0, 1, 2], [0, 0, 1, 2], [1, 2, 3, 4], "oldest first", 7, [0, 1, 2, "x"]])
def test_F4_the_age_order_names_every_seat_once(age):
    with pytest.raises(BadOption) as refused:
        GAME.match(4, seed=1, options={"age": age})
    assert refused.value.rule == "F4"


@pytest.mark.parametrize("seat_in_slot_4", range(4))
def test_F5_the_owner_of_slot_4_starts_and_play_goes_round_six_times(seat_in_slot_4):
    match = pick(4, *(6 if seat == seat_in_slot_4 else 2 for seat in range(4)))
    played = []
    while not match.over:
        played += match.to_act
        match.play(match.to_act[0], match.legal(match.to_act[0])[-1])
    assert played == [(seat_in_slot_4 + k) % 4 for k in range(24)]


# -- a turn ---------------------------------------------------------------------------------------------------------


def test_F6_a_turn_is_a_pirate_and_an_action_in_either_order_or_the_pass_alone():
    match = pick(4, 1, 2, 3, 4)
    choices = [GAME.parts(action) for action in match.legal(3)]
    assert choices[0] == {"kind": "pass"}
    turns = {(c["order"], c["pirate"], c["card"], c["slot"]) for c in choices[1:]}
    assert turns == {
        (order, pirate, card, slot)
        for order in ("action-first", "pirate-first")
        for pirate in (1, 2, 3, 5, 6)
        for card in (-1, -2, -3, 1, 2)
        for slot in (1, 2, 3, 4)
    }
    assert len(choices) == 201


@pytest.mark.parametrize(
    "half", ["4", "-2@3", "pass 4", "4 5", "-2@3 +1@2", "4 0@2", "4 -2@5", "7 -2@1", "skip", "4 -2"]
)
def test_F6_nothing_less_and_nothing_more(half):
    match = pick(4, 1, 2, 3, 4)
    before = match.state.tobytes()
    with pytest.raises(IllegalAction) as refused:
        match.play(3, half)
    assert refused.value.code == "not-an-action"
    assert match.state.tobytes() == before


def test_F6_the_target_is_the_slot_when_the_action_resolves():
    before_entry = pick(4, 1, 2, 3, 4)
    before_entry.play(3, "-1@2 5")  # moves green 2, and yellow 5 then enters
    assert row(before_entry) == [(GREEN, 2), (BLUE, 1), (RED, 3), (YELLOW, 5)]
    after_entry = pick(4, 1, 2, 3, 4)
    after_entry.play(3, "2 -1@2")  # yellow 2 enters in slot 2 and is itself the target
    assert row(after_entry) == [(YELLOW, 2), (BLUE, 1), (GREEN, 2), (RED, 3)]


def test_F6_the_pass_changes_nothing_on_the_plank():
    match = pick(4, 1, 2, 3, 4)
    before = row(match)
    events = match.play(3, "pass")
    assert row(match) == before
    assert [e.kind for e in events] == ["passes"]
    assert match.to_act == [0]


def test_F6_out_of_turn_nobody_plays():
    match = pick(4, 1, 2, 3, 4)
    for seat in (0, 1, 2):
        assert match.legal(seat) == []
        with pytest.raises(IllegalAction) as refused:
            match.play(seat, "pass")
        assert refused.value.code == "not-your-turn"


@pytest.mark.parametrize(
    ("played", "again", "code"),
    [
        ("pass", "pass", "pass-gone"),
        ("pass", "4 +1@1", "pirate-gone"),  # picked for the installation
        ("5 -2@1", "5 +1@1", "pirate-gone"),
        ("5 -2@1", "-2@1 6", "card-gone"),
    ],
)
def test_F7_every_card_is_played_once(played, again, code):
    match = pick(4, 1, 2, 3, 4)
    match.play(3, played)
    for seat in range(3):
        match.play(seat, "pass")
    with pytest.raises(IllegalAction) as refused:
        match.play(3, again)
    assert (refused.value.code, refused.value.rule) == (code, "F7")


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_F7_five_pairs_and_one_pass_each_whenever_they_like(players, seed):
    match = random_match(players, seed)
    for seat in range(players):
        mine = [GAME.parts(entry.action) for entry in match.journal if entry.seat == seat]
        assert Counter(parts["kind"] for parts in mine) == {"pick": 1, "turn": 5, "pass": 1}
        assert sorted(parts["pirate"] for parts in mine if parts["kind"] != "pass") == ALL
        assert sorted(parts["card"] for parts in mine if parts["kind"] == "turn") == [-3, -2, -1, 1, 2]
    for c in match.truth()["crews"]:
        assert (c["pirates"], c["cards"], c["pass"]) == ([], [], False)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_F7_the_last_round_is_announced_when_everyone_has_one_turn_left(players):
    match = random_match(players, 7)
    told = [place for place, step in enumerate(match.steps) if "last-round" in [e.kind for e in step.events]]
    assert len(told) == 1
    turns = [
        step
        for step in match.steps[told[0] + 1 :]
        if {e.kind for e in step.events} & {"enters", "passes", "neutral-pass"}
    ]
    assert len(turns) == 4


def test_F8_action_first_resolves_before_the_entry():
    match = pick(4, 1, 3, 4, 5)
    events = match.play(3, "-3@4 6")  # yellow 5 goes to slot 1 first, so that 6 only leads by one
    assert [e.kind for e in events] == ["moves", "enters", "falls"]
    assert row(match) == [(YELLOW, 5), (YELLOW, 6), (BLUE, 1), (GREEN, 3)]


def test_F8_pirate_first_resolves_after_the_entry_and_the_fall():
    match = pick(4, 1, 3, 4, 5)
    events = match.play(3, "6 -3@4")  # yellow 5 falls, 6 enters in slot 4, and is then drawn to the ship
    assert [e.kind for e in events] == ["enters", "falls", "moves"]
    assert row(match) == [(YELLOW, 6), (BLUE, 1), (GREEN, 3), (RED, 4)]


@pytest.mark.parametrize("card", [-1, -2, -3, 1, 2])
@pytest.mark.parametrize("slot", [1, 2, 3, 4])
def test_F9_the_pirate_is_taken_out_and_put_in(card, slot):
    match = pick(4, 1, 2, 3, 4)
    match.play(3, f"5 {card:+d}@{slot}")
    expected = [(BLUE, 1), (GREEN, 2), (RED, 3), (YELLOW, 5)]  # after the entry: yellow 4 has fallen
    moved = expected.pop(slot - 1)
    expected.insert(min(max(slot - 1 + card, 0), 3), moved)
    assert row(match) == expected


@pytest.mark.parametrize(
    ("action", "after"),
    [
        ("5 -3@4", [(YELLOW, 5), (BLUE, 1), (GREEN, 2), (RED, 3)]),  # passes three, and each makes room
        ("5 +2@1", [(GREEN, 2), (RED, 3), (BLUE, 1), (YELLOW, 5)]),  # no swapping
        ("5 +2@3", [(BLUE, 1), (GREEN, 2), (YELLOW, 5), (RED, 3)]),  # cut short by slot 4
        ("5 -3@2", [(GREEN, 2), (BLUE, 1), (RED, 3), (YELLOW, 5)]),  # cut short by slot 1
    ],
)
def test_F9_worked_moves(action, after):
    match = pick(4, 1, 2, 3, 4)
    match.play(3, action)
    assert row(match) == after
    assert match.events[-1].kind == "moves"
    assert match.events[-1].rule == "F9"


@pytest.mark.parametrize("action", ["5 +1@4", "5 +2@4", "5 -1@1", "5 -2@1", "5 -3@1"])
def test_F9_a_move_that_changes_nothing_is_allowed(action):
    match = pick(4, 1, 2, 3, 4)
    match.play(3, action)
    assert row(match) == [(BLUE, 1), (GREEN, 2), (RED, 3), (YELLOW, 5)]
    assert match.events[-1].kind == "stays"
    assert not crew(match, YELLOW)["cards"].count(GAME.parts(GAME.action(action))["card"])


@pytest.mark.parametrize("lead", range(-5, 6))
def test_F10_the_lead_over_slot_1_gives_the_slot(lead):
    enters = max(1, 1 + lead)
    match = pick(4, 2, 2, 2, 3 if enters != 3 else 4)  # yellow starts and still holds the pirate that enters
    others = [(RED, enters - lead), (GREEN, 1), (BLUE, 6), (RED, 4)]
    stand(match, *others)
    match.play(3, f"{enters} +1@4")  # a move that leads nowhere
    expected = others[:3]
    expected.insert({-5: 0, -4: 0, -3: 0, -2: 0, -1: 0, 0: 0, 1: 1, 2: 2}.get(lead, 3), (YELLOW, enters))
    assert row(match) == expected
    assert match.truth()["piles"][0] == [{"crew": RED, "pirate": 4}]
    told = kinds(match, "enters")[-1].fields
    assert told["pirate"] - told["first"] == told["lead"] == lead
    assert expected[told["slot"] - 1] == (YELLOW, enters)


def test_F10_only_an_entry_makes_anyone_fall():
    match = random_match(4, 3)
    for step in match.steps:
        falls = [e for e in step.events if e.kind == "falls"]
        assert len(falls) == sum(e.kind == "enters" for e in step.events)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_F11_four_falls_make_a_pile_worth_its_number(players):
    match = random_match(players, 11)
    falls = kinds(match, "falls")
    assert [e.fields["pile"] for e in falls] == [k // 4 + 1 for k in range(20)]
    piles = match.truth()["piles"]
    assert [len(pile) for pile in piles] == [4] * 5
    for k, fall in enumerate(falls):
        assert piles[k // 4][k % 4] == {"crew": CREW_IDS[fall.fields["crew"]], "pirate": fall.fields["pirate"]}


def test_F11_a_fall_counts_at_once():
    match = pick(4, 1, 2, 3, 4)
    match.play(3, "5 -3@1")
    assert crew(match, YELLOW)["points"] == 1
    match.state.falls = 7
    match.play(0, "6 -3@1")  # the eighth to fall, yellow 5, belongs to pile 2
    assert match.events[-2].fields["pile"] == 2


# -- the end --------------------------------------------------------------------------------------------------------


def ended(*fallen, plank, players=4) -> State:
    """A state at the end: who has fallen, in order, and who stands."""
    state = GAME.states(1)[0]
    GAME.rules.initial(state, GAME.settings(players))
    state.phase = OVER
    state.falls = len(fallen)
    for k, code in enumerate(fallen):
        state.fallen[k] = code
    for slot, code in enumerate(plank):
        state.plank[slot] = code
    return state


def test_F12_the_plank_scores_9_8_7_6_and_a_captain_2_more():
    state = ended(plank=[0 + 2, 8 + 1, 16 + 3, 24 + 1])
    assert [points(state, c) for c in range(4)] == [9, 8 + 2, 7, 6 + 2]
    all_blue = ended(plank=[1, 2, 3, 4])
    assert [points(all_blue, c) for c in range(4)] == [32, 0, 0, 0]


def test_F12_a_fallen_captain_has_no_bonus():
    assert points(ended(1, plank=[2, 9, 17, 25]), 0) == 9 + 1


@pytest.mark.parametrize("players", [2, 3, 4])
def test_F12_the_match_ends_after_24_turns_and_20_falls(players):
    match = random_match(players, 12)
    assert match.truth()["turn"] == 24
    assert len(kinds(match, "falls")) == 20
    assert match.outcome.reason == "end"
    assert [e.kind for e in match.steps[-1].events if e.kind in ("counting", "scores")] == ["counting"] + ["scores"] * 4
    captains = sum(value == 1 for _crew, value in row(match))
    assert len(kinds(match, "captain")) == captains


@settings(max_examples=60, deadline=None)
@given(players=st.integers(2, 4), seed=st.integers(0, 2**32 - 1))
def test_F12_all_points_add_up_to_90_and_2_per_captain_left(players, seed):
    match = random_match(players, seed)
    captains = sum(value == 1 for _crew, value in row(match))
    assert sum(c["points"] for c in match.truth()["crews"]) == 90 + 2 * captains
    pirates = [(p["crew"], p["pirate"]) for pile in match.truth()["piles"] for p in pile] + row(match)
    assert sorted(pirates) == sorted((name, value) for name in CREW_IDS for value in ALL)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_F12_the_sum_holds_over_many_matches(players):
    batch = GAME.batch(2000, players=players, seed=12)
    while not batch.over.all():
        batch.step(batch.sample())
    # Counted here once more, by pirate instead of by crew.
    worth_fallen = np.arange(20) // 4 + 1
    worth_standing = np.array([9, 8, 7, 6]) + 2 * (batch.states.plank & 7 == 1)
    points_of = [
        ((batch.states.fallen >> 3 == name) * worth_fallen).sum(axis=1)
        + ((batch.states.plank >> 3 == name) * worth_standing).sum(axis=1)
        for name in range(4)
    ]
    captains = (batch.states.plank & 7 == 1).sum(axis=1)
    assert (np.sum(points_of, axis=0) == 90 + 2 * captains).all()
    assert (np.stack(points_of[:players], axis=1) == batch.scores[:, :players]).all()


def test_F13_most_points_among_the_players_wins():
    match = random_match(4, 13)
    scores = [c["points"] for c in match.truth()["crews"]]
    assert match.outcome.scores == scores
    assert match.outcome.winners == [seat for seat in range(4) if scores[seat] == max(scores)]


def test_F13_equal_best_scores_share_the_victory():
    match = pick(4, 1, 2, 3, 4)
    stand(match, (BLUE, 2), (GREEN, 3), (BLUE, 3), (GREEN, 4))  # 9 + 7 and 8 + 6
    match.state.fallen[:2] = [8 + 5, 8 + 6]  # two points for green
    match.state.falls = 2
    match.state.turn = 23
    last = int(match.state.order[3])
    match.play(last, "pass")
    assert match.outcome.scores[:2] == [16, 16]
    assert match.outcome.winners == [0, 1]
    assert [e.fields for e in kinds(match, "shares")] == [{"crew": 0, "points": 16}, {"crew": 1, "points": 16}]
    assert kinds(match, "wins") == []


def test_F14_the_example_of_the_sheet():
    path = Path(__file__).with_name("example_F14.json")
    match = Match.load(path)
    assert journal.verify(path) == []
    assert match.outcome.scores == [25, 22, 16, 29]
    assert match.outcome.winners == [3]
    assert [pirate for pirate in row(match) if pirate[1] == 1] == [(YELLOW, 1)]
    assert sum(match.outcome.scores) == 90 + 2
    assert [e.fields for e in kinds(match, "wins")] == [{"crew": 3, "points": 29}]


# -- two or three players -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_F15_seat_i_plays_crew_i_and_the_others_are_neutral(players):
    crews = GAME.match(players, seed=1).truth()["crews"]
    assert [c["seat"] for c in crews] == [*range(players), *[None] * (4 - players)]
    assert [bool(c["cards"]) for c in crews] == [seat < players for seat in range(4)]


def test_F16_neutrals_turn_up_in_crew_order_once_all_picks_are_sealed():
    match = GAME.match(2, seed=1)
    match.play(0, "pick 3")
    assert match.weights() == []
    match.follow(Entry(1, GAME.action("pick 5")))
    assert match.truth()["revealed"] == {BLUE: 3, GREEN: 5}
    draw(match, "card 2", "card 6")
    assert [e.fields for e in kinds(match, "neutral-card")] == [{"crew": 2, "pirate": 2}, {"crew": 3, "pirate": 6}]
    assert row(match) == [(RED, 2), (BLUE, 3), (GREEN, 5), (YELLOW, 6)]


def test_F16_any_of_the_seven_cards_is_equally_likely():
    match = pick(2, 3, 5)
    assert match.weights() == [1, 1, 1, 1, 1, 1, 1, 0, 0]


def test_F16_a_pass_goes_back_and_another_card_is_drawn():
    match = pick(3, 1, 2, 3, draws=["card pass"])
    assert match.weights() == [1, 1, 1, 1, 1, 1, 0, 0, 0]
    draw(match, "card 4")
    assert kinds(match, "neutral-back")[0].rule == "F16"
    assert row(match)[3] == (YELLOW, 4)
    assert crew(match, YELLOW)["pass"]


def test_F16_the_pass_put_back_is_the_third_later_card_and_known_to_all():
    match = pick(3, 1, 2, 3, draws=["card pass", "card 4"])
    cards = []
    for place in (3, 2, 1, None, None, None):
        for seat in (-1, 0, 1, 2):
            assert match.view(seat)["crews"][3].get("pass_in") == place
        for k in range(3):
            seat = match.to_act[0]
            action = match.legal(seat)[-1]
            match.play(seat, action) if k < 2 else match.follow(Entry(seat, action))
        possible = [k for k, weight in enumerate(match.weights()) if weight]
        if place == 1:
            assert possible == [GAME.play.TURN_UP_PASS]
        else:
            assert GAME.play.TURN_UP_PASS not in possible
        cards.append(GAME.play.chance_notation(possible[0]))
        draw(match, cards[-1])
    assert cards == ["card 1", "card 2", "card pass", "card 3", "card 5", "card 6"]
    assert match.over


@pytest.mark.parametrize("age", list(permutations(range(3))))
def test_F16_equal_neutrals_stand_right_of_the_players(age):
    match = pick(3, 4, 4, 4, draws=["card 4"], age=age)
    assert row(match) == [*((CREW_IDS[seat], 4) for seat in age), (YELLOW, 4)]


@pytest.mark.parametrize(("lot", "left", "right"), [("left red", RED, YELLOW), ("left yellow", YELLOW, RED)])
def test_F16_lots_decide_between_equal_neutrals(lot, left, right):
    match = pick(2, 4, 5, draws=["card 4", "card 4"])
    assert match.weights() == [0, 0, 0, 0, 0, 0, 0, 1, 1]
    assert row(match) == []
    draw(match, lot)
    assert row(match) == [(BLUE, 4), (left, 4), (right, 4), (GREEN, 5)]
    assert kinds(match, "lots")[0].fields == {"crew": CREW_IDS.index(left)}
    assert match.truth()["order"] == [GREEN, BLUE, right, left]


def test_F16_unequal_neutrals_need_no_lots():
    assert pick(2, 4, 5, draws=["card 4", "card 5"]).to_act == [1]


@pytest.mark.parametrize(
    ("picks", "draws", "order"),
    [
        ((3, 5), ("card 2", "card 6"), [GREEN, BLUE, YELLOW, RED]),
        ((5, 3), ("card 6", "card 2"), [BLUE, GREEN, RED, YELLOW]),
        ((5, 5), ("card 1", "card 2"), [GREEN, BLUE, YELLOW, RED]),
        ((2, 6, 4), ("card 1",), [GREEN, RED, BLUE, YELLOW]),
        ((2, 3, 4), ("card 6",), [RED, BLUE, GREEN, YELLOW]),
    ],
)
def test_F17_players_first_then_the_rightmost_neutral_six_times_over(picks, draws, order):
    match = pick(len(picks), *picks, draws=draws)
    assert match.truth()["order"] == order
    assert kinds(match, "first")[0].rule == "F17"
    turns = []
    while not match.over:
        turns.append(match.truth()["to_play"])
        if match.to_act:
            match.follow(Entry(match.to_act[0], match.legal(match.to_act[0])[-1]))
        else:
            match.follow(Entry(CHANCE, match.weights().index(1)))
    assert turns == order * 6


def test_F18_a_neutral_pirate_enters_without_an_action():
    match = pick(3, 1, 2, 3, draws=["card 4"])
    match.play(2, "pass")
    match.play(0, "pass")
    match.follow(Entry(1, GAME.action("pass")))
    draw(match, "card 3")
    assert row(match) == [(BLUE, 1), (GREEN, 2), (YELLOW, 3), (RED, 3)]
    assert [e.kind for e in match.steps[-1].events] == ["neutral-card", "enters", "falls"]


def test_F18_a_neutral_pass_changes_nothing_on_the_plank():
    match = pick(3, 1, 2, 3, draws=["card 4"])
    match.play(2, "pass")
    match.play(0, "pass")
    match.follow(Entry(1, GAME.action("pass")))
    before = row(match)
    draw(match, "card pass")
    assert row(match) == before
    assert not crew(match, YELLOW)["pass"]
    assert match.to_act == [2]


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("seed", range(6))
def test_F18_six_cards_six_turns(players, seed):
    match = random_match(players, seed)
    for name in range(players, 4):
        enters = [e.fields["pirate"] for e in kinds(match, "enters", "installed") if e.fields["crew"] == name]
        passes = [e for e in kinds(match, "neutral-pass") if e.fields["crew"] == name]
        assert sorted(enters) == ALL
        assert len(passes) == 1


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_F19_neutral_falls_fill_the_piles_but_only_players_score(players, seed):
    match = random_match(players, seed)
    owners = [pirate["crew"] for pile in match.truth()["piles"] for pirate in pile]
    assert len(owners) == 20
    assert any(CREW_IDS.index(owner) >= players for owner in owners)
    assert len(match.outcome.scores) == players
    assert max(match.outcome.winners) < players
    assert {e.fields["crew"] for e in kinds(match, "wins", "shares")} == set(match.outcome.winners)


@pytest.mark.parametrize(("players", "draws"), [(2, 14), (3, 7), (4, 0)])
def test_F19_turning_up_a_card_is_chance(players, draws):
    match = random_match(players, 19)
    thrown = [entry for entry in match.journal if entry.seat == CHANCE]
    extra = len(kinds(match, "neutral-back", "lots"))
    assert len(thrown) == draws + extra
