"""What people read: the board, drawn and spoken, in both languages."""

import re

import numpy as np
import pytest

from tribord import IllegalAction, load
from tribord.core.words import LANGUAGES
from tribord.games.faut_pas_pousser import rules
from tribord.games.faut_pas_pousser.state import CREW_IDS
from tribord.server import book

GAME = load("faut-pas-pousser")
DRAWING = re.compile(r"[▓═╧╗┌─┐│~·▶★−]")


def boards(players, language, plain):
    """The boards of a whole match as each seat and the public see them."""
    match = GAME.match(players, seed=players)
    rng = np.random.default_rng(players)
    words = GAME.words(language)
    while True:
        for seat in range(-1, players):
            yield GAME.text.board(match.view(seat), words, plain)
        if match.over:
            return
        match.play(match.to_act[0], int(rng.choice(match.legal(match.to_act[0]))))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_drawing_fits_78_columns_and_stays_aligned(players, language):
    for board in boards(players, language, plain=False):
        lines = board.splitlines()
        assert max(map(len, lines)) <= 78
        assert lines[3].index("╗") == 58
        if "┌" in lines[1]:
            corners = [place for place, sign in enumerate(lines[1]) if sign in "┌┐"]
            assert [place for place, sign in enumerate(lines[2]) if sign == "│"] == corners
            assert [place for place, sign in enumerate(lines[3]) if sign == "╧"] == corners


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_plain_board_has_only_words(players, language):
    for board in boards(players, language, plain=True):
        assert not DRAWING.search(board)
        assert all(line.endswith(".") for line in board.splitlines())


def after_a_turn():
    match = GAME.match(4, seed=1)
    for seat, action in enumerate(("pick 1", "pick 2", "pick 3", "pick 4")):
        match.play(seat, action)
    match.play(3, "6 -2@1")
    return match


def test_the_drawing_shows_the_plank_the_piles_and_what_is_gone():
    board = GAME.text.board(after_a_turn().view(), GAME.words("en"))
    assert "│ blue 1★ │ │ green 2 │ │  red 3  │ │yellow 6 │" in board
    assert re.search(r"^  Pile 1: 1 pt .*\n  yellow 4 ", board, re.MULTILINE)
    assert "  Yellow         1 2 3 · 5 ·    −1 ·  −3 +1 +2    yes            1" in board
    assert "▶ Blue           · 2 3 4 5 6    −1 −2 −3 +1 +2    yes            0" in board


def test_the_crews_are_listed_in_their_order_of_play():
    board = GAME.text.board(after_a_turn().view(), GAME.words("fr"))
    assert re.findall(r"Les \w+", board) == ["Les Jaunes", "Les Bleus", "Les Verts", "Les Rouges"]


def test_the_plain_board_reads_well():
    lines = GAME.text.board(after_a_turn().view(), GAME.words("en"), plain=True).splitlines()
    assert "Slot 1: Blue’s Captain." in lines
    assert "Pile 1, 1 point each: Yellow’s pirate 4." in lines
    assert (
        "Yellow has 1 point. Pirates left: 1, 2, 3, 5. Actions left: minus 1, minus 3, plus 1, plus 2. "
        "“Non merci !” is still to come." in lines
    )
    assert lines[-1] == "Waiting for: Blue."


@pytest.mark.parametrize("plain", [False, True])
def test_only_the_owner_reads_its_pick(plain):
    match = GAME.match(4, seed=1)
    match.play(1, "pick 5")
    words = GAME.words("en")
    told = {seat: GAME.text.board(match.view(seat), words, plain) for seat in (-1, 0, 1, 2, 3)}
    assert told[-1] == told[0] == told[2] == told[3] != told[1]
    assert re.search(r"Green.*(picked 5|picked pirate 5)", told[1])


def test_a_known_pass_is_shown():
    match = GAME.match(2, seed=3)  # Red turns up Non merci ! at the installation
    match.play(0, "pick 5")
    match.play(1, "pick 3")
    for plain in (False, True):
        board = GAME.text.board(match.view(0), GAME.words("en"), plain)
        assert "Red: “Non merci !” is card 3 of the pile." in board


def test_events_actions_and_refusals_are_said_in_both_languages():
    match = after_a_turn()
    english, french = GAME.words("en"), GAME.words("fr")
    assert GAME.say_event(match.events[-1], english) == (
        "Yellow plays −2: no effect, Blue’s Captain is already next to the ship."
    )
    assert GAME.say_event(match.events[-1], french) == (
        "Les Jaunes jouent −2\u00a0: sans effet, le Capitaine des Bleus est déjà contre le navire."
    )
    assert GAME.say_action(GAME.action("-2@3 1"), english) == "Play −2 on slot 3, then the Captain steps on"
    assert GAME.say_action(GAME.action("4 +1@2"), french) == "Le pirate\u00a04 monte, puis +1 sur l’emplacement\u00a02"
    with pytest.raises(IllegalAction) as refused:
        match.play(0, "1 -2@3")
    assert str(refused.value) == "You’ve already played the Captain: choose another pirate. (F7)"
    assert refused.value.say(french) == "Vous avez déjà joué le Capitaine\u00a0: choisissez un autre pirate. (F7)"


def test_the_second_step_of_how_to_play_says_what_its_picture_shows():
    step = book.stories(GAME, "howto.json")[1]
    entry = next(event for event in step["events"] if event["kind"] == "enters")["fields"]
    plank = step["after"]["plank"]
    assert plank[entry["slot"] - 1] == {"crew": CREW_IDS[entry["crew"]], "pirate": entry["pirate"]}
    assert plank[0]["pirate"] == entry["first"]  # nobody has taken the other one's place
    for language, slot in (("fr", "l’emplacement"), ("en", "slot")):
        text = step[language]["text"].replace("\u00a0", " ")
        assert f"{entry['pirate']} − {entry['first']} = {entry['lead']}" in text
        assert f"le {entry['pirate']} jaune" in text or f"Yellow’s {entry['pirate']}" in text
        assert f"{slot} {entry['slot']}, " in text


def test_F12_the_page_counts_the_slots_as_the_rules_do() -> None:
    drawn = (GAME.folder / "client" / "plank.js").read_text(encoding="utf-8")
    written = re.search(r"const WORTH = \[(.*?)\];", drawn)
    assert written and tuple(map(int, written[1].split(", "))) == rules.WORTH
