"""The words of Sauve qui peut !: notation, refusals with their rule, the board as text."""

from __future__ import annotations

import pytest

from tribord import IllegalAction

BOATS = {2: {"row": 3, "leaks": 2, "blue": "sh", "green": "s"}, 4: {"red": "sh"}, 6: {"row": 1, "red": "s"}}


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("place helmsman 3", {"kind": "place", "person": "helmsman", "lane": 3}),
        ("vote 4", {"kind": "vote", "lane": 4}),
        ("vote red", {"kind": "vote", "crew": "red"}),
        ("cap", {"kind": "cap"}),
        ("decide 7", {"kind": "decide", "lane": 7}),
        ("decide bone", {"kind": "decide", "crew": "bone"}),
        ("leave sailor 2", {"kind": "leave", "person": "sailor", "lane": 2}),
        ("board 5", {"kind": "board", "lane": 5}),
    ],
)
def test_actions_have_parts_and_a_notation(game, text, parts):
    assert game.parts(game.action(text)) == parts
    assert game.notation(game.action(parts)) == text


@pytest.mark.parametrize(
    "text", ["vote 8", "vote purple", "vote", "vote 4 red", "cap 1", "board red", "place sailor", "4 vote"]
)
def test_what_is_no_action_is_refused(game, text):
    with pytest.raises(IllegalAction) as refusal:
        game.action(text)
    assert refusal.value.code == "not-an-action"


def refusal(match, seat, action):
    before = match.state.tobytes()
    with pytest.raises(IllegalAction) as refused:
        match.play(seat, action)
    assert match.state.tobytes() == before
    assert refused.value.say(match.game.words("fr")) != refused.value.say(match.game.words("en"))
    return refused.value.code, refused.value.rule


def test_refusals_while_placing(game):
    match = game.match(3, options={"first": 0, "boats": "players+1"})
    assert refusal(match, 0, "place sailor 2") == ("no-boat", "S1")
    assert refusal(match, 0, "vote 1") == ("place-first", "S5")
    for seat in (0, 0, 1, 1, 2, 2):
        match.play(seat, "place helmsman 1")
    assert refusal(match, 0, "place sailor 1") == ("no-free-seat", "S5")
    assert refusal(match, 0, "place helmsman 3") == ("none-waiting", "S2")


def test_refusals_while_voting_on_a_boat(position):
    match = position(3, BOATS, tokens=0)
    assert refusal(match, 0, "leave sailor 2") == ("vote-now", "S6")
    assert refusal(match, 0, "cap") == ("no-token", "S6")
    assert refusal(match, 0, "vote red") == ("name-a-boat", "S11")
    assert refusal(match, 0, "vote 1") == ("sunk", "S13")
    assert refusal(match, 0, "vote 6") == ("landed", "S14")


def test_refusals_while_voting_on_a_crew_and_deciding(position, cast):
    match = position(4, {2: {"blue": "sss", "green": "ss", "red": "s"}, 3: {"yellow": "s"}}, baton=3)
    cast(match, "2 2 2 2")
    assert refusal(match, 0, "vote 2") == ("name-a-crew", "S12")
    assert refusal(match, 0, "vote yellow") == ("not-aboard", "S12")
    cast(match, "green blue blue")  # three votes each
    assert match.to_act == [3]
    assert refusal(match, 3, "vote blue") == ("decide-the-tie", "S9")
    assert refusal(match, 3, "decide 2") == ("name-a-crew", "S12")
    assert refusal(match, 3, "decide yellow") == ("not-aboard", "S12")
    assert refusal(match, 3, "decide red") == ("not-tied", "S9")


def test_refusals_while_changing_boats(position):
    match = position(3, {**BOATS, 7: {"leaks": 3, "green": "ss", "blue": "s"}}, "leaving")
    assert refusal(match, 0, "board 2") == ("leave-now", "S16")
    assert refusal(match, 0, "leave sailor 4") == ("nobody-there", "S16")
    assert refusal(match, 0, "leave helmsman 7") == ("none-aboard", "S16")
    match.play(0, "leave sailor 2")
    match.play(2, "leave sailor 4")
    assert refusal(match, 1, "leave sailor 2") == ("already-left", "S16")
    match.play(1, "leave sailor 7")
    assert refusal(match, 1, "leave sailor 7") == ("board-now", "S17")
    assert refusal(match, 1, "board 7") == ("just-left", "S17")
    match.play(1, "board 4")
    match.play(2, "board 7")
    assert refusal(match, 0, "board 7") == ("no-seat-to-board", "S17")


def test_the_board_shows_every_seat(game, position):
    drawn = game.text.board(position(3, BOATS).view(), game.words("en")).splitlines()
    assert drawn[1] == f"1 Babette {'~~~~ sunk ~~~~'} {'~' * 14} {'~' * 14} {'~' * 14} ▲ 6/8"
    assert drawn[2] == f"2 Colette {'~' * 14} [B*B G o o · ] {'~' * 14} {'~' * 14} ▲ 6/8"
    assert drawn[6] == f"6 Lison   {'~' * 14} {'~' * 14} {'~' * 14} [R           ] ▲ 5/7"
    assert drawn[-1] == "Which boat gets a leak?"


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_board_fits_78_columns_and_says_who_is_where(game, position, language):
    match = position(3, BOATS, "leaving")
    match.play(0, "leave helmsman 2")
    words = game.words(language)
    drawn = game.text.board(match.view(), words)
    assert max(map(len, drawn.splitlines())) <= 78
    told = game.text.board(match.view(), words, plain=True)
    assert not set(told) & set("▲▶·~[]")
    assert ("a helmsman changing boats, just left Colette" if language == "en" else "vient de quitter Colette") in told


def test_the_initials_of_the_crews_differ_in_both_languages(game, position):
    aboard = dict.fromkeys(("blue", "green", "red", "yellow", "lilac", "bone"), "s")
    match = position(6, {1: aboard})
    for language, initials in (("en", "B G R Y L I"), ("fr", "B V R J L I")):
        assert f"[{initials} ]" in game.text.board(match.view(), game.words(language))
