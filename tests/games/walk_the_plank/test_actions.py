"""The action space of Walk the Plank: programs and targets, and back."""

from __future__ import annotations

from itertools import permutations

import pytest

from tribord import IllegalAction
from tribord.games.walk_the_plank.actions import ACTIONS, PROGRAMS, card_laid, program_number


def test_the_720_programs_are_numbered_in_the_order_of_their_cards():
    triples = list(permutations(range(10), 3))
    assert [program_number(*cards) for cards in triples] == list(range(PROGRAMS))
    assert [tuple(card_laid(program, slot) for slot in range(3)) for program in range(PROGRAMS)] == triples


def test_the_action_space_has_a_fixed_size(game):
    assert ACTIONS == 720 + 3 * 20 + 2 * 8 + 24 == game.actions


@pytest.mark.parametrize(
    ("notation", "parts"),
    [
        ("program run charge drag", {"kind": "program", "cards": ["run", "charge", "drag"]}),
        ("shove 2 red", {"kind": "shove", "space": 2, "victim": "red"}),
        ("drag 0 lilac", {"kind": "drag", "space": 0, "victim": "lilac"}),
        ("pull 1 blue", {"kind": "pull", "space": 1, "victim": "blue"}),
        ("run 1 sea", {"kind": "run", "space": 1, "way": "sea"}),
        ("flee 3 2", {"kind": "flee", "space": 3, "steps": 2}),
        ("charge 3 nobody", {"kind": "charge", "space": 3, "victim": "nobody"}),
    ],
)
def test_parts_and_notation_say_the_same(game, notation, parts):
    action = game.action(notation)
    assert game.parts(action) == parts and game.action(parts) == action and game.notation(action) == notation


@pytest.mark.parametrize(
    "rubbish",
    [
        "program run run drag", "program run drag", "program run drag parrot", "shove 4 red", "shove 2 nobody",
        "pull 1 pink", "run 1 up", "flee 1 3", "charge red", "dance 1 red",
        {"kind": "shove", "space": 2}, {"kind": "program", "cards": ["run"]},
    ],
)  # fmt: skip
def test_what_is_no_action_is_refused(game, rubbish):
    with pytest.raises(IllegalAction):
        game.action(rubbish)


def test_a_choice_is_made_step_by_step(game):
    assert game.steps(game.action("program run charge drag")) == [
        ("kind", "program"), ("cards.0", "run"), ("cards.1", "charge"), ("cards.2", "drag"),
    ]  # fmt: skip
    assert game.steps(game.action("shove 2 red")) == [("kind", "shove"), ("space", 2), ("victim", "red")]


def test_chance_has_a_notation(game):
    assert game.play.chance_notation(2) == "favour red" and game.play.parse_chance("favour red") == 2
    with pytest.raises(ValueError):
        game.play.parse_chance("card red")
