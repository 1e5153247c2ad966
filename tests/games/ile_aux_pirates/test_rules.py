"""The rules I1–I19 of L'Île aux Pirates, one by one."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tribord import CHANCE, BadOption, IllegalAction, Match, load
from tribord.core.chance import below, stream
from tribord.core.match import Entry, legal_actions
from tribord.games.ile_aux_pirates.actions import COLOUR_IDS, PAWN_IDS, chance_notation
from tribord.games.ile_aux_pirates.state import (
    ALL_ABOARD,
    ALL_SENT_BACK,
    CHILDREN,
    NO_CHILD_LEFT,
    NOBODY,
    OUT,
    PAWNS,
    SHIP,
)

GAME = load("ile-aux-pirates")
BROWN = ["brown-1", "brown-2", "brown-3"]
EIGHT = [f"{colour}-{k}" for colour in COLOUR_IDS for k in (1, 2)]
ELEVEN = [*BROWN, *EIGHT]


def play(match: Match, *moves: str) -> list:
    """Play moves for the seat to act; return what happened."""
    return [happened for move in moves for happened in match.play(match.to_act[0], move)]


def choices(match: Match) -> set[str]:
    """The pawns that may take a die now."""
    return {GAME.parts(action)["pawn"] for action in match.legal(match.to_act[0])}


def refusal(match: Match, move: str) -> str:
    """The rule that forbids a move."""
    with pytest.raises(IllegalAction) as refused:
        match.check(match.to_act[0], move)
    return refused.value.rule


def where(match: Match, *pawns: str) -> list[int]:
    """Where these pawns are."""
    return [match.truth()["pawns"][pawn] for pawn in pawns]


def kinds(events: list) -> list[str]:
    """What happened, by name, without the next throw."""
    return [e.kind for e in events if not e.kind.startswith("throws")]


def aboard(*pawns: str) -> dict[str, int]:
    """These pawns on the ship."""
    return dict.fromkeys(pawns, SHIP)


tables = st.one_of(
    st.fixed_dictionaries({"players": st.integers(1, 6), "turns": st.sampled_from([0, 5])}),
    st.fixed_dictionaries(
        {
            "game": st.just("strategic"),
            "players": st.integers(1, 4),
            "hard": st.booleans(),
            "harder": st.booleans(),
            "memory": st.booleans(),
            "turns": st.sampled_from([3, 200]),
        }
    ),
)


def random_match(table: dict, seed: int):
    """A match played at random; yields the match before every move together with the move."""
    options = dict(table)
    match = GAME.match(options.pop("players"), seed, options)
    rng = stream(seed)
    while not match.over:
        legal = match.legal(match.to_act[0])
        action = legal[below(rng, len(legal))]
        yield match, action
        match.play(match.to_act[0], action)


# Board and movement


def test_I1_a_pawn_moves_forward_by_the_whole_die(island):
    match = island("1 4 6")
    play(match, "4 brown-1", "6 brown-2", "1 pirate-1")
    assert where(match, "brown-1", "brown-2", "brown-3", "pirate-1") == [4, 6, 0, 1]


@pytest.mark.parametrize("start", [11, 12, 16])
def test_I1_the_ship_needs_no_exact_number(island, start):
    match = island("1 2 6", {"brown-1": start})
    play(match, "6 brown-1")
    assert where(match, "brown-1") == [SHIP]
    assert refusal(match, "2 brown-1") == "I1"


@settings(max_examples=25, deadline=None)
@given(table=tables, seed=st.integers(0, 10**6))
def test_I1_pawns_are_never_lost(table, seed):
    """Every pawn in play is in the castle, on a square or aboard; it moves by its die or returns to the castle."""
    in_play = None
    for match, action in random_match(table, seed):
        before = match.truth()["pawns"]
        in_play = in_play or set(before)
        moved = GAME.parts(action)
        match.play(match.to_act[0], action)
        after = match.truth()["pawns"]
        match.undo()
        assert set(after) == in_play
        assert set(after.values()) <= set(range(SHIP + 1))
        for pawn, place in after.items():
            step = moved["die"] if pawn == moved["pawn"] else 0
            assert place in (min(before[pawn] + step, SHIP), 0)
            if before[pawn] == SHIP:
                assert place == SHIP


def test_I2_every_die_is_for_a_different_pawn(island):
    match = island("2 3 5")
    play(match, "3 brown-1")
    assert refusal(match, "5 brown-1") == "I2"
    assert refusal(match, "3 brown-2") == "I2"
    assert match.truth()["dice"] == [2, 5]


def test_I2_dice_are_used_in_any_order_and_equal_dice_are_one_choice(island):
    match = island("4 4 5")
    assert sorted(GAME.notation(a) for a in match.legal(0)) == sorted(
        f"{die} {pawn}" for die in (4, 5) for pawn in (*BROWN, "pirate-1")
    )
    play(match, "4 brown-1", "5 pirate-1", "4 brown-3")
    assert where(match, *BROWN, "pirate-1") == [4, 0, 4, 5]


def test_I2_a_die_must_be_used_while_a_pawn_can_take_it(island):
    match = island("1 2 3", players=2)
    play(match, "1 brown-1", "3 pirate-1")
    assert match.to_act == [0]
    assert choices(match) == {"brown-2", "brown-3"}
    play(match, "2 brown-2")
    assert match.to_act == [1]


def test_I2_dice_that_nobody_can_take_are_lost(strategic):
    match = strategic("1 2 6", aboard(*ELEVEN) | {"brown-1": 3}, players=4)
    play(match, "1 pirate-1")
    events = play(match, "2 brown-1")
    assert kinds(events) == ["moves", "die-lost"]
    assert (events[1].rule, events[1].fields) == ("I2", {"die": 6, "why": NO_CHILD_LEFT})
    assert match.to_act == [1]


def test_I2_the_number_of_dice_is_fixed_at_the_throw(island):
    match = island("2 3 4", {"brown-1": SHIP, "brown-2": 15, "brown-3": 5})
    play(match, "2 brown-2")  # the second child boards, and still two dice are left
    assert match.truth()["dice"] == [3, 4]
    play(match, "3 brown-3", "4 pirate-1")
    assert where(match, "brown-3", "pirate-1") == [8, 4]
    assert len(match.truth()["dice"]) == 2


def test_I3_passing_over_has_no_effect(island):
    match = island("1 2 6", {"brown-1": 3, "brown-2": 1, "pirate-1": 2})
    assert kinds(play(match, "6 pirate-1", "2 brown-2")) == ["moves", "moves"]
    assert where(match, "brown-1", "brown-2", "pirate-1") == [3, 3, 8]


def test_I3_nothing_happens_on_the_castle(strategic):
    match = strategic("1 2 3")
    assert kinds(play(match, "1 brown-1", "2 brown-2")) == ["leaves-castle", "leaves-castle"]
    assert kinds(play(match, "3 pirate-2")) == ["leaves-castle"]
    assert choices(match) == {*BROWN, "green-1", "green-2", "pirate-1", "pirate-2", "pirate-3"}


def test_I4_the_square_left_is_checked_before_the_square_reached(strategic):
    match = strategic("2 3 6", {"brown-1": 5, "brown-2": 5, "pirate-1": 5, "pirate-2": 8})
    events = play(match, "3 brown-1")
    assert kinds(events) == ["moves", "shows", "duel", "sent-back", "shows", "duel", "sent-back"]
    assert [e.fields["square"] for e in events if e.kind == "duel"] == [5, 8]
    assert where(match, "brown-1", "brown-2", "pirate-1", "pirate-2") == [0, 0, 5, 8]


def test_I4_win_and_loss_come_last(strategic):
    five = {"brown-1": 16, "brown-2": 16, "brown-3": 16, "blue-1": 16, "blue-2": 16}
    match = strategic("1 2 3", five | {"pirate-1": 16, "pirate-2": 16})
    events = play(match, "1 pirate-2")
    assert kinds(events) == ["boards", "shows", "duel", "sent-back", "ship-taken"]
    assert where(match, "pirate-1", "pirate-2", "brown-1") == [0, SHIP, 16]
    assert match.outcome.reason == "lost"


def test_I5_a_child_sent_back_waits_for_the_next_turn(island):
    match = island("1 2 4", {"brown-1": 3, "brown-2": 7, "brown-3": 9, "pirate-1": 1})
    play(match, "2 pirate-1")
    assert where(match, "brown-1") == [0]
    assert refusal(match, "4 brown-1") == "I5"
    play(match, "1 brown-2", "4 brown-3")
    assert "brown-1" in choices(match)


def test_I5_a_pirate_sent_back_waits_and_his_die_is_lost(strategic):
    at = aboard(*EIGHT, "pirate-2", "pirate-3") | {"brown-1": 4, "brown-2": 4, "brown-3": 2, "pirate-1": 4}
    match = strategic("2 2 5", at, players=4)
    # The third child drives pirate 2, the last one ashore, back to the castle.
    events = play(match, "2 brown-3")
    assert kinds(events) == ["moves", "shows", "duel", "sent-back"]
    assert refusal(match, "5 pirate-1") == "I5"
    events = play(match, "5 brown-1")
    assert kinds(events) == ["moves", "die-lost"]
    assert (events[1].rule, events[1].fields) == ("I5", {"die": 2, "why": ALL_SENT_BACK})
    assert match.to_act == [1]
    assert "pirate-1" in choices(match)


# Base game


@pytest.mark.parametrize("players", range(1, 7))
def test_I6_three_brown_children_one_pirate_and_the_youngest_starts(players):
    match = GAME.match(players, seed=5)
    assert match.truth()["pawns"] == dict.fromkeys([*BROWN, "pirate-1"], 0)
    assert match.truth()["forces"] == {"pirate-1": 2}
    assert len(match.truth()["dice"]) == 3
    assert match.to_act == [0]


@pytest.mark.parametrize("players", range(1, 7))
def test_I6_play_goes_round(island, players):
    for seat in range(players):
        match = island("1 2 3", players=players, turn=seat)
        assert match.to_act == [seat]
        play(match, "1 pirate-1", "2 brown-1", "3 brown-2")
        assert match.to_act == [(seat + 1) % players]


def test_I6_any_die_may_be_the_pirates_and_the_others_go_to_two_children(island):
    for die, others in ((1, (3, 6)), (3, (1, 6)), (6, (1, 3))):
        match = island("1 3 6")
        play(match, f"{die} pirate-1", f"{others[0]} brown-2")
        assert choices(match) == {"brown-1", "brown-3"}
    match = island("1 3 6")
    play(match, "1 brown-1", "3 brown-2")
    assert choices(match) == {"pirate-1"}
    assert refusal(match, "6 brown-3") == "I6"


def test_I6_two_dice_once_two_children_are_aboard(island):
    match = island("2 5", aboard("brown-1", "brown-2"))
    assert match.truth()["dice"] == [2, 5]
    play(match, "5 brown-3")
    assert choices(match) == {"pirate-1"}
    play(match, "2 pirate-1")
    assert where(match, "brown-3", "pirate-1") == [5, 2]


def test_I6_throws_have_the_odds_of_dice():
    match = GAME.match(1, seed=1)
    match.restart()
    three = {chance_notation(k): w for k, w in enumerate(match.weights()) if w}
    assert len(three) == 56 and sum(three.values()) == 216
    assert (three["throw 2 2 2"], three["throw 2 2 5"], three["throw 1 3 5"]) == (1, 3, 6)
    match.state.at[0] = match.state.at[1] = SHIP
    two = {chance_notation(k): w for k, w in enumerate(match.weights()) if w}
    assert len(two) == 21 and sum(two.values()) == 36
    assert (two["throw 4 4"], two["throw 1 6"]) == (1, 2)


def test_I6_rolling_has_the_same_odds_as_the_weights():
    match = GAME.match(1, seed=1)
    match.restart()
    rng, weights = stream(3), np.zeros(GAME.chances, np.int64)
    for expected in (216, 36):
        GAME.rules.chance(match.state, weights)
        odds = {k: int(w) for k, w in enumerate(weights) if w}
        assert sum(odds.values()) == expected
        rolled = Counter(int(GAME.rules.roll(match.state, rng, weights)) for _k in range(expected * 60))
        assert set(rolled) == set(odds)
        assert all(abs(rolled[k] / 60 - odds[k]) < 1.0 for k in odds)
        match.state.at[0] = match.state.at[1] = SHIP


@pytest.mark.parametrize(
    ("options", "rule"), [({"hard": True}, "I17"), ({"harder": True}, "I18"), ({"first": 1}, "I6")]
)
def test_I6_the_base_game_refuses_the_options_of_the_strategic_game(options, rule):
    with pytest.raises(BadOption) as refused:
        GAME.match(2, options=options)
    assert refused.value.rule == rule


@pytest.mark.parametrize("children", [1, 2, 3])
def test_I7_the_pirate_catches_one_or_two_children_but_not_three(island, children):
    match = island("1 2 4", dict.fromkeys(BROWN[:children], 6) | {"pirate-1": 2})
    events = play(match, "4 pirate-1")
    if children < 3:
        assert kinds(events) == ["moves"] + ["captured"] * children
        assert where(match, *BROWN[:children]) == [0] * children
    else:
        assert kinds(events) == ["moves", "safe"]
        assert where(match, *BROWN) == [6, 6, 6]
    assert where(match, "pirate-1") == [6]
    assert {e.rule for e in events[1:]} == {"I7"}


def test_I7_a_child_who_runs_into_the_pirate_is_caught(island):
    match = island("1 2 4", {"brown-1": 2, "pirate-1": 6})
    assert kinds(play(match, "4 brown-1")) == ["moves", "captured"]
    assert where(match, "brown-1", "pirate-1") == [0, 6]


def test_I7_when_one_of_three_leaves_the_other_two_are_caught(island):
    match = island("1 2 4", {"brown-1": 6, "brown-2": 6, "brown-3": 6, "pirate-1": 6})
    assert kinds(play(match, "4 brown-1")) == ["moves", "captured", "captured"]
    assert where(match, *BROWN) == [10, 0, 0]


def test_I7_the_third_child_makes_the_square_safe_only_if_two_are_still_there(island):
    match = island("1 2 4", {"brown-1": 6, "brown-2": 6, "brown-3": 6, "pirate-1": 6})
    assert kinds(play(match, "2 pirate-1", "1 brown-1", "4 brown-2")) == ["moves", "moves", "moves"]
    assert where(match, *BROWN) == [7, 10, 6]


@pytest.mark.parametrize("players", [1, 6])
def test_I8_the_third_child_aboard_wins_for_everyone(island, players):
    match = island("1 4", aboard("brown-1", "brown-2") | {"brown-3": 15, "pirate-1": 16}, players=players)
    events = play(match, "4 brown-3")
    assert kinds(events) == ["boards", "escaped"]
    assert (match.outcome.reason, match.outcome.winners) == ("won", list(range(players)))
    assert match.outcome.scores == [1] * players
    assert match.truth()["dice"] == []


@pytest.mark.parametrize("players", [1, 6])
def test_I8_the_pirate_aboard_first_loses_for_everyone(island, players):
    match = island("1 4", aboard("brown-1", "brown-2") | {"brown-3": 15, "pirate-1": 16}, players=players)
    assert kinds(play(match, "1 pirate-1")) == ["boards", "pirate-first"]
    assert (match.outcome.reason, match.outcome.winners) == ("lost", [])
    assert match.outcome.scores == [0] * players


@settings(max_examples=30, deadline=None)
@given(players=st.integers(1, 6), seed=st.integers(0, 10**6))
def test_I9_the_pirate_moves_every_turn_and_a_match_has_seventeen_turns_at_most(players, seed):
    *_, (match, _action) = random_match({"players": players}, seed)
    throws = [k for k, e in enumerate(match.events) if e.kind.startswith("throws")]
    assert len(throws) <= SHIP
    for start, end in pairwise(throws):
        moved = [e.fields.get("pawn") for e in match.events[start:end] if e.rule == "I1"]
        assert moved.count(CHILDREN) == 1


def test_I9_late_positions_are_solved_exactly():
    """Two children aboard, the third on 11: the best play's chance of winning, by hand and backwards by the rules."""
    straight = Fraction(11, 36)  # a six among two dice

    def saved(reached: int) -> Fraction:  # one more turn, with any die that is big enough
        return 1 - Fraction(SHIP - 1 - reached, 6) ** 2

    # The pirate on 16 boards next. On 15 he survives on a one, if the child does not land beside him on 16.
    by_hand = {
        16: straight,
        15: straight + Fraction(1, 36) * saved(12) + Fraction(2, 36) * sum(saved(11 + die) for die in (2, 3, 4)),
    }
    for pirate, chance in by_hand.items():
        match = GAME.match(1, seed=1)
        match.restart()
        match.state.at[:3] = SHIP, SHIP, 11
        match.state.at[CHILDREN] = pirate
        assert best_chance(match.state.tobytes()) == chance


@cache
def best_chance(position: bytes) -> Fraction:
    """The chance of winning with the best play, worked out backwards."""
    state = GAME.states(1)
    state[0] = np.frombuffer(position, GAME.dtype)[0]
    scores, weights = np.zeros(6, np.int64), np.zeros(GAME.chances, np.int64)
    if GAME.rules.outcome(state[0], scores, np.zeros(6, np.int64)):
        return Fraction(int(scores[0]))

    def after(seat: int, action: int) -> Fraction:
        following = state.copy()
        GAME.rules.apply(following[0], seat, action, None)
        return best_chance(following[0].tobytes())

    if GAME.rules.to_act(state[0]):
        return max(after(0, action) for action in legal_actions(GAME, state[0], 0))
    n = GAME.rules.chance(state[0], weights)
    return sum((int(weights[k]) * after(CHANCE, k) for k in range(n) if weights[k]), Fraction(0)) / int(weights.sum())


# Strategic game


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_I10_eleven_children_and_three_pirates_start_on_the_castle(players):
    truth = GAME.match(players, seed=2, options={"game": "strategic"}).truth()
    assert truth["pawns"] == dict.fromkeys([*ELEVEN, "pirate-1", "pirate-2", "pirate-3"], 0)
    assert sorted(truth["forces"].values()) == [2, 3, 4]


@pytest.mark.parametrize(("players", "owners"), [(1, [0, 0, NOBODY]), (2, [0, 2, NOBODY]), (4, [0, 2, NOBODY])])
def test_I10_a_pawn_sent_back_has_an_owner(strategic, players, owners):
    match = strategic("1 2 3", {"blue-1": 6, "red-2": 6, "brown-3": 6, "pirate-3": 4}, players=players)
    events = play(match, "2 pirate-3")
    sent = {PAWN_IDS[e.fields["pawn"]]: e.fields["owner"] for e in events if e.kind == "sent-back"}
    assert sent == dict(zip(["blue-1", "red-2", "brown-3"], owners))


def test_I10_alone_one_throws_for_a_colour(strategic):
    [throws] = [e for e in strategic("1 2 3", turn=2).events if e.kind == "throws-alone"]
    assert (throws.rule, throws.fields) == ("I10", {"player": 0, "hue": 2, "one": 1, "two": 2, "three": 3})


@pytest.mark.parametrize("players", [2, 3, 4])
def test_I10_every_seat_has_its_colour(strategic, players):
    for seat in range(players):
        match = strategic("1 2 3", players=players, turn=seat)
        own = {f"{COLOUR_IDS[seat]}-1", f"{COLOUR_IDS[seat]}-2"}
        assert match.to_act == [seat]
        assert choices(match) == {*BROWN, *own, "pirate-1", "pirate-2", "pirate-3"}


def test_I10_one_person_alone_plays_the_four_colours_in_rotation():
    match = GAME.match(1, seed=3, options={"game": "strategic"})
    turns = []
    for _turn in range(6):
        turns.append(match.truth()["turn"])
        match.play(0, next(a for a in match.legal(0) if "pirate" in GAME.notation(a)))
        for _child in range(2):
            assert match.to_act == [0]
            match.play(0, match.legal(0)[0])
    assert turns == ["blue", "green", "red", "yellow", "blue", "green"]


@pytest.mark.parametrize("players", [5, 6])
def test_I10_the_strategic_game_is_for_four_at_most(players):
    with pytest.raises(BadOption) as refused:
        GAME.match(players, options={"game": "strategic"})
    assert refused.value.rule == "I10"


def test_I11_the_six_ways_to_hand_out_the_forces_are_equally_likely():
    match = GAME.match(2, seed=1, options={"game": "strategic"})
    match.restart()
    odds = {chance_notation(k): w for k, w in enumerate(match.weights()) if w}
    assert odds == {f"forces {f}": 1 for f in ("2 3 4", "2 4 3", "3 2 4", "3 4 2", "4 2 3", "4 3 2")}
    match.follow(Entry(CHANCE, GAME.play.parse_chance("forces 4 2 3")))
    assert match.truth()["forces"] == {"pirate-1": 4, "pirate-2": 2, "pirate-3": 3}
    assert kinds(match.events) == ["force", "force", "force", "face-down"]


def test_I11_forces_are_seen_at_the_start_in_duels_and_on_the_ship(strategic):
    match = strategic("1 2 3", aboard("red-1", "red-2", "green-1", "green-2") | {"brown-1": 5, "pirate-2": 3})
    assert match.view()["shown"] == ["pirate-1", "pirate-2", "pirate-3"]
    play(match, "1 brown-2")
    assert match.view()["shown"] == []
    events = play(match, "2 pirate-2")
    assert match.view()["shown"] == ["pirate-2"]
    assert [(e.rule, e.fields) for e in events if e.kind == "shows"] == [("I11", {"pawn": CHILDREN + 1, "force": 3})]
    play(match, "3 blue-1")
    assert match.view()["shown"] == []
    match = strategic("1 2 3", aboard("red-1", "red-2", "green-1") | {"pirate-1": 16})
    play(match, "1 pirate-1", "2 brown-1", "3 brown-2")
    assert match.view()["shown"] == ["pirate-1"]


def test_I11_without_memory_forces_are_seen_all_the_time(strategic):
    match = strategic("1 2 3", {"brown-1": 5, "pirate-1": 3}, memory=False)
    assert "face-down" not in kinds(match.events)
    for move in ("1 brown-2", "2 pirate-1", "3 blue-1"):
        play(match, move)
        assert match.view()["shown"] == ["pirate-1", "pirate-2", "pirate-3"]
        assert match.state.shown == 0


@settings(max_examples=15, deadline=None)
@given(table=tables, seed=st.integers(0, 10**6))
def test_I11_memory_is_no_secret_and_views_hide_nothing(table, seed):
    for match, _action in random_match(table, seed):
        for seat in range(-1, match.players):
            assert match.view_state(seat).tobytes() == match.state.tobytes()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_I12_chance_or_the_host_decides_who_starts(players):
    match = GAME.match(players, seed=1, options={"game": "strategic"})
    match.restart()
    match.follow(Entry(CHANCE, GAME.play.parse_chance("forces 2 3 4")))
    odds = {chance_notation(k): w for k, w in enumerate(match.weights()) if w}
    assert odds == {f"first {seat}": 1 for seat in range(players)}
    match.follow(Entry(CHANCE, GAME.play.parse_chance(f"first {players - 1}")))
    assert match.truth()["turn"] == COLOUR_IDS[players - 1]
    for seat in range(players):
        chosen = GAME.match(players, seed=1, options={"game": "strategic", "first": seat})
        assert chosen.to_act == [seat]
        assert "starts" not in kinds(chosen.events)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_I12_play_goes_round(strategic, players):
    match = strategic("1 2 3", players=players, turn=players - 1)
    play(match, "1 pirate-1", "2 brown-1", "3 brown-2")
    assert match.to_act == [0]


def test_I12_one_die_for_one_pirate_and_two_for_two_children(strategic):
    match = strategic("1 2 3", players=4)
    play(match, "2 pirate-3")
    assert refusal(match, "1 pirate-1") == "I12"
    assert choices(match) == {*BROWN, "blue-1", "blue-2"}
    match = strategic("1 2 3", players=4)
    play(match, "2 blue-1", "1 brown-3")
    assert refusal(match, "3 blue-2") == "I12"
    assert choices(match) == {"pirate-1", "pirate-2", "pirate-3"}
    assert refusal(strategic("1 2 3", players=4), "1 green-1") == "I12"


def test_I12_there_are_always_three_dice(strategic):
    match = strategic("1 2 3", aboard(*ELEVEN[1:]), players=4)
    assert match.truth()["dice"] == [1, 2, 3]


def test_I13_with_both_own_aboard_one_moves_neutral_children_first(strategic):
    match = strategic("1 2 3", aboard("blue-1", "blue-2"), players=2)
    assert choices(match) == {*BROWN, "red-1", "red-2", "yellow-1", "yellow-2", "pirate-1", "pirate-2", "pirate-3"}
    assert refusal(match, "1 green-1") == "I13"
    match = strategic("1 2 3", aboard("blue-1"), players=3)
    assert refusal(match, "1 yellow-1") == "I12"


def test_I13_without_neutral_children_ashore_one_moves_the_others(strategic):
    neutral = ("red-1", "red-2", "yellow-1", "yellow-2")
    match = strategic("1 2 3", aboard("blue-1", "blue-2", *neutral), players=2)
    assert choices(match) >= {*BROWN, "green-1", "green-2"}
    match = strategic("1 2 3", aboard("blue-1", "blue-2"), players=4)
    assert choices(match) >= {*ELEVEN} - {"blue-1", "blue-2"}


def test_I13_alone_there_are_no_neutral_children(strategic):
    match = strategic("1 2 3", aboard("green-1", "green-2"), turn=1)
    assert choices(match) >= {*ELEVEN} - {"green-1", "green-2"}
    assert not choices(strategic("1 2 3", turn=1)) & {"blue-1", "red-1", "yellow-1"}


def test_I13_opens_in_the_middle_of_a_turn(strategic):
    match = strategic("1 2 3", aboard("blue-1") | {"blue-2": 16}, players=3)
    assert "yellow-1" not in choices(match)
    play(match, "1 blue-2")
    assert choices(match) >= {"yellow-1", "yellow-2"}


def test_I13_a_neutral_child_that_has_moved_or_was_sent_back_is_still_ashore(strategic):
    at = aboard("blue-1", "blue-2", "yellow-1")
    match = strategic("1 2 3", at, players=3)
    play(match, "1 yellow-2")
    assert choices(match) == {*BROWN, "pirate-1", "pirate-2", "pirate-3"}
    assert refusal(match, "2 green-1") == "I13"
    match = strategic("1 2 3", at | {"yellow-2": 4, "pirate-1": 3}, players=3)
    play(match, "1 pirate-1")
    assert where(match, "yellow-2") == [0]
    assert choices(match) == {*BROWN}


@pytest.mark.parametrize(
    ("figure", "children", "result"),
    [(1, 1, "children"), (1, 2, "nobody"), (1, 3, "pirate"), (2, 2, "children"), (2, 3, "nobody"), (2, 4, "pirate"),
     (3, 3, "children"), (3, 4, "nobody"), (3, 5, "pirate")],
)  # fmt: skip
@pytest.mark.parametrize("arrives", ["pirate", "child"])
def test_I14_the_stronger_side_sends_the_other_back(strategic, figure, children, result, arrives):
    pirate = f"pirate-{figure}"
    band = ["brown-1", *EIGHT][:children]
    match = strategic("1 2 3", dict.fromkeys(band, 7) | {pirate: 7} | {pirate if arrives == "pirate" else "brown-1": 5})
    events = play(match, f"2 {pirate if arrives == 'pirate' else 'brown-1'}")
    duel = next(e for e in events if e.kind == "duel")
    assert (duel.rule, duel.fields) == ("I14", {"square": 7, "force": figure + 1, "children": children})
    assert where(match, *band) == [0 if result == "children" else 7] * children
    assert where(match, pirate) == [0 if result == "pirate" else 7]


def test_I14_when_a_child_leaves_equals_the_pirate_wins(strategic):
    """The sheet's example: pirate 2 joins two children, nothing happens; next turn one of them leaves."""
    match = strategic("1 2 3", {"brown-1": 4, "brown-2": 4, "pirate-1": 3})
    assert kinds(play(match, "1 pirate-1")) == ["moves", "shows", "duel", "standoff"]
    assert kinds(play(match, "3 brown-1")) == ["moves", "shows", "duel", "sent-back"]
    assert where(match, "brown-1", "brown-2", "pirate-1") == [7, 0, 4]


def test_I14_pirates_add_their_forces(strategic):
    """The sheet's example: pirates 2 and 3 meet on a square with four children."""
    band = ["brown-1", "brown-2", "brown-3", "blue-1"]
    # Pirate 2 can only wait there in the hard game: otherwise the four would have driven him back (I17).
    match = strategic("1 2 3", dict.fromkeys(band, 9) | {"pirate-1": 9, "pirate-2": 7}, hard=True)
    play(match, "2 pirate-2")
    assert where(match, *band, "pirate-1", "pirate-2") == [0, 0, 0, 0, 9, 9]


def test_I14_when_a_pirate_leaves_the_children_may_drive_the_other_back(strategic):
    band = ["brown-1", "brown-2", "brown-3", "blue-1", "blue-2"]
    match = strategic("1 2 3", dict.fromkeys(band, 9) | {"pirate-1": 9, "pirate-2": 9})
    events = play(match, "1 pirate-1")
    assert kinds(events) == ["moves", "shows", "duel", "sent-back"]
    assert where(match, *band, "pirate-1", "pirate-2") == [9] * 5 + [10, 0]


def test_I14_two_pirates_are_driven_back_together(strategic):
    band = ["brown-1", "brown-2", "brown-3", "blue-1", "blue-2"]
    match = strategic("1 2 3", dict.fromkeys(band, 9) | {"green-1": 7, "pirate-1": 9, "pirate-2": 9}, turn=1)
    play(match, "2 green-1")
    assert where(match, "pirate-1", "pirate-2", "green-1") == [0, 0, 9]


@pytest.mark.parametrize(("children", "held"), [(0, False), (1, False), (2, False), (3, True)])
def test_I15_a_boarding_pirate_must_find_more_children_than_his_force(strategic, children, held):
    match = strategic("1 2 3", aboard(*EIGHT[:children]) | {"pirate-1": 15}, players=4)
    events = play(match, "2 pirate-1")
    assert kinds(events) == ["boards", "ship-held" if held else "ship-taken"]
    assert events[1].rule == "I15"
    assert match.over is not held
    assert where(match, *EIGHT[:children]) == [SHIP] * children
    if not held:
        assert (match.outcome.reason, match.outcome.scores) == ("lost", [0, 0, 0, 0])


def test_I15_the_forces_aboard_add_up(strategic):
    for children, over in ((5, True), (6, False)):
        match = strategic("1 2 3", aboard(*EIGHT[:children], "pirate-1") | {"pirate-2": 16}, turn=3)
        play(match, "1 pirate-2")
        assert match.over is over


def test_I15_a_child_boards_beside_pirates(strategic):
    match = strategic("1 2 3", aboard(*EIGHT[:3], "pirate-1") | {"brown-1": 16})
    events = play(match, "1 brown-1")
    assert kinds(events) == ["boards", "ship-held"]
    assert events[1].fields == {"force": 2, "children": 4}


@pytest.mark.parametrize("pirates", [0, 3])
@pytest.mark.parametrize("players", [1, 4])
def test_I16_all_children_aboard_win_even_against_three_pirates(strategic, pirates, players):
    figures = ["pirate-1", "pirate-2", "pirate-3"][:pirates]
    match = strategic("1 2 6", aboard(*ELEVEN[1:], *figures) | {"brown-1": 12}, players=players)
    events = play(match, "6 brown-1")
    assert kinds(events)[-1] == "home"
    assert (match.outcome.reason, match.outcome.winners) == ("won", list(range(players)))
    assert match.outcome.scores == [1] * players


def test_I16_pirates_aboard_move_no_more_and_their_die_is_lost(strategic):
    match = strategic("1 2 3", aboard(*ELEVEN[1:], "pirate-1", "pirate-2", "pirate-3"), players=2)
    assert refusal(match, "1 pirate-1") == "I1"
    assert choices(match) == {"brown-1"}
    events = play(match, "2 brown-1")
    lost = [(e.rule, e.fields) for e in events if e.kind == "die-lost"]
    assert lost == [("I16", {"die": 1, "why": ALL_ABOARD}), ("I2", {"die": 3, "why": NO_CHILD_LEFT})]


@pytest.mark.parametrize("hard", [False, True])
def test_I17_in_the_hard_game_a_beaten_pirate_stays(strategic, hard):
    match = strategic("1 2 3", {"brown-1": 6, "brown-2": 6, "brown-3": 6, "pirate-1": 4}, hard=hard)
    events = play(match, "2 pirate-1")
    assert kinds(events)[-1] == ("holds" if hard else "sent-back")
    assert events[-1].rule == ("I17" if hard else "I14")
    assert where(match, "pirate-1") == [6 if hard else 0]


def test_I17_in_the_hard_game_children_are_still_sent_back(strategic):
    match = strategic("1 2 3", {"brown-1": 6, "brown-2": 6, "brown-3": 6, "pirate-1": 6}, hard=True)
    play(match, "1 brown-1")
    assert where(match, "brown-1", "brown-2", "brown-3") == [7, 6, 6]
    play(match, "2 brown-2")
    assert where(match, "brown-1", "brown-2", "brown-3") == [7, 8, 0]


@pytest.mark.parametrize("hard", [False, True])
def test_I18_in_the_harder_game_a_fourth_brown_child_is_to_be_saved(strategic, hard):
    match = strategic("1 2 6", aboard(*ELEVEN) | {"brown-4": 11}, harder=True, hard=hard, players=2)
    assert not match.over
    play(match, "6 brown-4")
    assert match.outcome.reason == "won"
    assert match.events[-1].fields == {"children": 12}


def test_I18_otherwise_the_fourth_brown_child_stays_in_the_box(strategic):
    match = strategic("1 2 6")
    assert match.state.at[3] == OUT
    assert refusal(match, "1 brown-4") == "I18"


def test_I19_at_the_limit_the_match_is_lost(strategic):
    match = strategic("1 2 3", players=2, turns=2)
    assert match.truth()["turns_left"] == 2
    play(match, "1 pirate-1", "2 brown-1", "3 blue-1")
    assert match.truth()["turns_left"] == 1
    assert [(e.kind, e.rule) for e in match.events[-2:]] == [("last-turn", "I19"), ("throws", "I12")]
    for _die in range(3):
        assert not match.over
        match.play(1, match.legal(1)[0])
    assert kinds(match.events)[-1] == "late"
    assert (match.outcome.reason, match.outcome.scores, match.to_act) == ("limit", [0, 0], [])


def test_I19_a_win_on_the_last_turn_is_a_win(island):
    match = island("1 4", aboard("brown-1", "brown-2") | {"brown-3": 15, "pirate-1": 3}, turns=1)
    play(match, "1 pirate-1", "4 brown-3")
    assert match.outcome.reason == "won"


def test_I19_the_limit_is_off_for_people_and_on_for_research():
    assert "turns_left" not in GAME.match(2, seed=1, options={"game": "strategic"}).truth()
    assert int(GAME.settings(2, {"game": "strategic"}, research=True).turns) == 200


@settings(max_examples=20, deadline=None)
@given(table=tables, seed=st.integers(0, 10**6))
def test_fields_that_mean_nothing_are_blank(table, seed):
    """Between turns and at the end there are no dice and nobody has moved, so equal positions are equal bytes."""
    match = None
    for match, _action in random_match(table, seed):
        truth = match.truth()
        assert len(truth["dice"]) == truth["pirate_dice"] + truth["child_dice"]
        assert truth["dice"] == sorted(truth["dice"])
        assert int(match.state.spent) < 1 << PAWNS
    truth = match.truth()
    assert (truth["dice"], truth["pirate_dice"], truth["child_dice"], truth["spent"]) == ([], 0, 0, [])
