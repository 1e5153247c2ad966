"""What a choice in a puzzle leads to: told in events, from what the seat knows, with what sets the choices apart."""

from __future__ import annotations

import json

import pytest

from tribord import game_ids, load
from tribord.bots.puzzle import Puzzle, puzzles
from tribord.core.reason import reason
from tribord.core.record import duplicate
from tribord.core.tip import read
from tribord.core.words import LANGUAGES
from tribord.lab.outlook import APART, LIKELY, MOST_AT_ONCE, MOST_LIKELY, MOST_SPARED, _possible, outlooks
from tribord.lab.puzzles import explained

GAMES = [load(game) for game in game_ids()]
SAMPLE = [each for game in GAMES for each in puzzles(game)[:2]]
named = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)


def name(each: Puzzle) -> str:
    return f"{each.game.id}-{each.number}"


@named
def test_every_choice_is_explained_in_words_with_reasons(game):
    for each in puzzles(game):
        for choice in each.suggestions:
            outlook = each.outlook(choice.action)
            told = [*outlook.at_once, *(one.event for one in (*outlook.likely, *outlook.spared))]
            assert told, f"{name(each)}: nothing to say about {game.notation(choice.action)}"
            assert len(outlook.at_once) <= MOST_AT_ONCE
            assert len(outlook.likely) <= MOST_LIKELY and len(outlook.spared) <= MOST_SPARED
            assert len({str(event) for event in told}) == len(told), f"{name(each)}: something is told twice"
            for event in told:
                for language in LANGUAGES:
                    assert game.say_event(event, game.words(language)) and reason(game, event, language)
            assert all(one.share >= LIKELY for one in outlook.likely)
            assert all(one.share <= one.otherwise - APART + 0.01 for one in outlook.spared)


@named
def test_what_decides_a_match_comes_first_and_exists(game):
    decisive = read(game, "counted.json")["decisive"]
    assert set(decisive) <= {kind.name for kind in game.events.KINDS}
    for each in puzzles(game):
        for choice in each.suggestions:
            outlook = each.outlook(choice.action)
            kinds = [one.event.kind in decisive for one in outlook.likely]
            assert kinds == sorted(kinds, reverse=True)
            assert all(one.event.kind in decisive for one in outlook.spared)


@pytest.mark.parametrize("each", SAMPLE, ids=name)
def test_worked_out_again_they_are_the_same(each):
    each.game.speed_up()
    again = json.loads(json.dumps(explained(each)))
    assert again == json.loads((each.game.folder / "puzzles.json").read_text())["puzzles"][each.number - 1]


@pytest.mark.parametrize("each", SAMPLE, ids=name)
def test_what_is_hidden_from_the_seat_plays_no_part(each):
    """The same view of a match in which everything hidden is different leads to the same words."""
    game = each.game
    game.speed_up()
    actions = [choice.action for choice in each.suggestions[:3]]
    other = duplicate(_possible(game, each.view, each.seat, seed=5, number=1))
    game.engine.view(other, each.seat)
    assert outlooks(game, other[0], each.seat, actions) == outlooks(game, each.view, each.seat, actions)


def test_a_pirate_that_would_drown_is_the_reason_to_save_it():
    """Blue's pirate stands on the last tile: who runs back is spared what the others are in for."""
    game = load("walk-the-plank")
    each = puzzles(game)[0]
    best, other = each.suggestions[:2]
    (spared,) = each.outlook(best.action).spared
    assert (spared.event.kind, spared.event.fields["crew"]) == ("drowns", each.seat)
    assert spared.share < 0.1
    assert spared.otherwise > 0.5
    likely = each.outlook(other.action).likely[0]
    assert likely.event == spared.event and likely.otherwise == spared.share  # compared with the best choice


def test_puzzles_without_outlooks_are_puzzles_too():
    each = puzzles(GAMES[0])[0]
    plain = [{key: value for key, value in choice.items() if key != "outlook"} for choice in each.choices]
    bare = Puzzle(each.game, 1, each.players, each.options, each.journal, each.seat, "easy", False, plain, {})
    outlook = bare.outlook(bare.best.action)
    assert not outlook.at_once and not outlook.likely and not outlook.spared
