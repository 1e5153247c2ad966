"""The words of L'Île aux Pirates: refusals with their rules, boards in both languages, nothing too wide."""

import pytest

from tribord import IllegalAction, load
from tribord.games.ile_aux_pirates.state import SHIP

GAME = load("ile-aux-pirates")
EN, FR = GAME.words("en"), GAME.words("fr")


def refuse(match, move: str) -> IllegalAction:
    """The refusal of a move."""
    before = match.state.tobytes()
    with pytest.raises(IllegalAction) as refused:
        match.play(match.to_act[0], move)
    assert match.state.tobytes() == before
    return refused.value


def test_every_refusal_is_found_and_cites_its_rule(island, strategic):
    own, neutral = {"blue-1": SHIP, "blue-2": SHIP}, {"red-1": 2}
    moved = island("1 2 3")
    moved.play(0, "1 brown-1")
    children_done = island("1 2 3")
    for move in ("1 brown-1", "2 brown-2"):
        children_done.play(0, move)
    pirate_done = strategic("1 2 3")
    pirate_done.play(0, "1 pirate-1")
    two_done = strategic("1 2 3")
    for move in ("1 brown-1", "2 brown-2"):
        two_done.play(0, move)
    caught = island("1 2 3", {"brown-1": 4, "pirate-1": 1})
    caught.play(0, "3 pirate-1")
    found = {
        "no-such-die": refuse(island("1 2 3"), "4 brown-1"),
        "not-in-base": refuse(island("1 2 3"), "1 blue-1"),
        "fourth-brown": refuse(strategic("1 2 3"), "1 brown-4"),
        "aboard": refuse(island("1 2 3", {"brown-1": SHIP}), "1 brown-1"),
        "sent-back": refuse(caught, "1 brown-1"),
        "moved": refuse(moved, "2 brown-1"),
        "one-pirate": refuse(pirate_done, "2 pirate-2"),
        "two-children": refuse(two_done, "3 brown-3"),
        "pirates-die": refuse(children_done, "3 brown-3"),
        "not-yours": refuse(strategic("1 2 3", players=4), "1 green-1"),
        "neutral-first": refuse(strategic("1 2 3", own | neutral, players=2), "1 green-1"),
    }
    assert set(found) == set(GAME.text.REFUSALS)
    for code, refused in found.items():
        assert (refused.code, refused.rule) == (code, f"I{GAME.text.REFUSALS[code][0]}")
        assert refused.say(EN) != refused.say(FR)
        assert "{" not in refused.say(EN) + refused.say(FR)


def test_a_refusal_names_the_pawn_in_both_languages(strategic):
    refused = refuse(strategic("1 2 3", players=4), "1 green-2")
    assert refused.say(EN) == "Basil isn’t yours: first bring both your own children aboard. (I12)"
    assert refused.say(FR) == "Basile n’est pas à vous\N{NO-BREAK SPACE}: menez d’abord vos deux enfants à bord. (I12)"


def test_the_drawing_has_a_lane_for_each_pawn(island):
    match = island("1 4 6", {"brown-1": 3, "brown-2": SHIP, "pirate-1": 12})
    assert GAME.text.board(match.view(), EN).splitlines() == [
        "                  castle 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 ship",
        "Hazel (brown)          · · · ● · · · · · ·  ·  ·  ·  ·  ·  ·  ·    ·",
        "Cocoa (brown)          · · · · · · · · · ·  ·  ·  ·  ·  ·  ·  ·    ●",
        "Toffee (brown)         ● · · · · · · · · ·  ·  ·  ·  ·  ·  ·  ·    ·",
        "Eyepatch (pirate)      · · · · · · · · · ·  ·  ·  2  ·  ·  ·  ·    ·",
        "Dice left: 1, 4, 6, one of them for a pirate.",
        "It’s player 1’s turn.",
    ]


def test_the_plain_board_is_made_of_sentences(strategic):
    match = strategic("1 4 6", {"brown-1": 3, "blue-1": 3, "red-2": SHIP, "pirate-1": 12}, players=2, turns=7)
    match.play(0, "1 pirate-2")
    plain = GAME.text.board(match.view(), EN, plain=True)
    assert "Square 3: Hazel (brown), Indigo (blue)." in plain
    assert "On the ship: Garnet (red)." in plain
    assert "Eyepatch has turned his back, Pegleg has turned his back, Hookhand has turned his back." in plain
    assert plain.endswith("Dice left: 4, 6, for children.\nIt’s Blue’s turn.\n7 turns left.")
    assert not set(plain) & set("·●│")


def test_the_board_hides_forces_that_are_to_be_remembered(strategic):
    """I11: with memory on, only the forces in the last duel or aboard are visible."""
    at = {"red-1": SHIP, "red-2": SHIP, "green-1": SHIP, "brown-1": 5, "pirate-2": 3, "pirate-1": SHIP}
    for memory, seen in ((True, ["2", "?", "?"]), (False, ["2", "3", "4"])):
        match = strategic("1 2 3", at, memory=memory)
        match.play(0, "1 brown-2")
        assert pirates(match) == seen
    match = strategic("1 2 3", at)
    match.play(0, "2 pirate-2")
    assert pirates(match) == ["2", "3", "?"]


def pirates(match) -> list[str]:
    """The marks of the three pirates on the board."""
    lanes = [line for line in GAME.text.board(match.view(), EN).splitlines() if "(pirate)" in line]
    return [next(mark for mark in lane.partition(")")[2].split() if mark != "·") for lane in lanes]


@pytest.mark.parametrize("words", [EN, FR], ids=["en", "fr"])
def test_no_board_is_wider_than_a_terminal(strategic, words):
    drawn = GAME.text.board(strategic("1 2 3", harder=True, turns=200).view(), words)
    assert max(map(len, drawn.splitlines())) <= 78


def test_every_pawn_has_a_name_of_its_own_in_both_languages():
    for words in (EN, FR):
        assert len({words.name("pawn_name", pawn) for pawn in GAME.play.PAWN_IDS}) == 15
        for pawn in GAME.play.PAWN_IDS:
            assert words.name("pawn", pawn).startswith(words.name("pawn_name", pawn) + " (")


@pytest.mark.parametrize("words", [EN, FR], ids=["en", "fr"])
def test_every_event_is_a_sentence(words):
    for kind in GAME.events.KINDS:
        said = words.say(GAME.text.SENTENCES[kind.name].crews, **dict.fromkeys(kind.fields, 2))
        assert said[-1] in ".!" and "{" not in said
