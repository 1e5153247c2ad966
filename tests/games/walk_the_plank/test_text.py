"""The words of Walk the Plank: refusals, sentences, board."""

from __future__ import annotations

import pytest

from tribord import IllegalAction
from tribord.games.walk_the_plank.text import REFUSALS

# code of the refusal: (cards that blue lays, or "" while all choose; what blue then tries; where the crews stand)
TRIED = {
    "choose-first": ("", "run 0 sea", {}),
    "aside": ("", "program pull charge run", {}),
    "laid": ("run drag pull", "program run drag pull", {}),
    "other-card": ("run drag pull", "drag 0 green", {}),
    "shove-no-pirate": ("shove-left run pull", "shove 1 green", {}),
    "shove-no-victim": ("shove-left run pull", "shove 2 green", {"blue": [0, 0, 2]}),
    "not-left": ("shove-left run pull", "shove 0 red", {}),
    "not-right": ("shove-right run pull", "shove 0 green", {}),
    "shove-alone": ("shove-anyone run pull", "shove 2 blue", {"blue": [0, 0, 2]}),
    "drag-no-pirate": ("drag run pull", "drag 1 green", {}),
    "drag-no-victim": ("drag run pull", "drag 2 green", {"blue": [0, 0, 2]}),
    "drag-alone": ("drag run pull", "drag 2 blue", {"blue": [0, 0, 2]}),
    "pull-no-pirate": ("pull run drag", "pull 2 green", {"blue": [0, 1, 1]}),
    "pull-no-victim": ("pull run drag", "pull 1 green", {"blue": [0, 1, 1]}),
    "pull-alone": ("pull run drag", "pull 2 blue", {"blue": [1, 1, 2]}),
    "pull-on-ship": ("pull run drag", "pull 0 green", {"blue": [0, 1, 1]}),
    "run-no-pirate": ("run drag pull", "run 1 sea", {}),
    "run-on-ship": ("run drag pull", "run 0 ship", {}),
    "flee-no-pirate": ("i-dont-want-to-die run drag", "flee 2 1", {"blue": [0, 0, 3]}),
    "flee-on-ship": ("i-dont-want-to-die run drag", "flee 0 1", {"blue": [0, 0, 3]}),
    "flee-one-step": ("i-dont-want-to-die run drag", "flee 1 2", {"blue": [0, 0, 1]}),
    "charge-no-pirate": ("extend charge drag", "charge 1 nobody", {}),
    "charge-no-victim": ("extend charge drag", "charge 0 green", {}),
    "charge-must-push": ("extend charge drag", "charge 0 nobody", {"green": [0, 0, 1]}),
}


def test_every_refusal_is_tried():
    assert TRIED.keys() == REFUSALS.keys()


@pytest.mark.parametrize("code", TRIED)
def test_a_refusal_gives_its_true_reason_and_changes_nothing(position, lay, game, code):
    cards, action, crews = TRIED[code]
    match = position(**crews)
    match.state.aside[0] = 1 << 9 if not cards else 0
    if cards:
        lay(match, blue=cards)
    before = match.state.tobytes()
    with pytest.raises(IllegalAction) as refused:
        match.play(0, action)
    assert refused.value.code == code and refused.value.rule == f"W{REFUSALS[code][0]}"
    assert refused.value.say(game.words("fr")) != refused.value.say(game.words("en"))
    assert match.state.tobytes() == before


def test_refusals_speak_plainly(position, lay, game):
    match = position(blue=[0, 0, 2])
    lay(match, blue="shove-left run pull")
    with pytest.raises(IllegalAction, match="“Shove Left” only hits your neighbour to the left: Green"):
        match.play(0, "shove 0 red")
    with pytest.raises(IllegalAction) as refused:
        match.play(0, "shove 2 green")
    assert (
        refused.value.say(game.words("fr"))
        == "Il n’y a aucun pirate des Verts sur la tuile\u00a02\u00a0: désignez-en un autre. (W10)"
    )


def test_actions_and_events_are_sentences_in_both_languages(position, lay, game):
    en, fr = game.words("en"), game.words("fr")
    program = game.action("program run i-dont-want-to-die drag")
    assert game.say_action(program, en) == "Play Run, then I Don’t Want to Die, then Drag to Sea"
    assert game.say_action(program, fr) == "Jouer Courir, puis Je ne veux pas mourir, puis Traîner vers la mer"
    match = position(blue=[3, 0, 0], green=[3, 0, 0])
    lay(match, blue="drag charge extend")
    said = match.play(0, "drag 3 green")
    assert game.say_event(said[0], en) == "A Blue pirate drags a Green pirate along from tile 3 into the sea."
    assert game.say_event(said[1], fr) == "Un pirate des Bleus rejoint Davy Jones\u00a0: il en reste 2."


def test_the_board_shows_pirates_plank_and_cards(position, lay, game):
    match = position(plank=2, blue=[0, 2], green=[0, 0, 1], red=[])
    match.state.aside[1] = 1 << 4
    lay(match, blue="run charge drag", green="run pull shove-left")
    assert game.text.board(match.view(0), game.words("en")).splitlines() == [
        "Round 1. The Captain’s Favour: Blue.",
        "",
        "           ship      1      2            sea",
        "▶ Blue       ●              ●            ×",
        "  Green     ●●       ●",
        "  Red                                    ×××",
        "         ▒▒▒▒▒▒▒▒▒══════╤══════╗~~~~~~~~~~~~~~",
        "",
        "  Blue   Run · [Charge] · [Drag to Sea]",
        "  Green  [▒▒▒] · [▒▒▒] · [▒▒▒]",
        "         aside: Retract the Plank",
    ]


def test_the_plain_board_is_sentences_without_drawing(position, lay, game):
    match = position(plank=2, blue=[0, 2], green=[0, 0, 1], red=[])
    match.state.aside[1] = 1 << 4
    lay(match, blue="run charge drag", green="run pull shove-left")
    assert game.text.board(match.view(0), game.words("en"), plain=True).splitlines() == [
        "Round 1. The Captain’s Favour: Blue.",
        "The plank has 2 tiles.",
        "Blue: 1 on the ship, 1 on tile 2, 1 drowned. Cards: 1 Run; 2 Charge, face down; 3 Drag to Sea, face down.",
        "Green: 2 on the ship, 1 on tile 1. Cards: 1 face down; 2 face down; 3 face down. Aside: Retract the Plank.",
        "Red: 3 drowned.",
        "Blue: choose the target of card 1.",
    ]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_board_keeps_to_78_columns(position, lay, game, language):
    match = position(5, favour=3)
    longest = "i-dont-want-to-die shove-anyone retract"
    for seat in range(5):
        match.state.aside[seat] = 0b10_0110_1000
    match.play(3, f"program {longest}")
    for view in (match.view(3), match.truth()):
        drawn = game.text.board(view, game.words(language))
        assert max(map(len, drawn.splitlines())) <= 78
