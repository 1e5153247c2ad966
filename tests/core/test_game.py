"""Every game found: its golden data, its page, a test for each of its rules."""

import inspect
import re
from pathlib import Path

import pytest

from tribord import game_ids, load
from tribord.bots import tree
from tribord.core import batch, verbs
from tribord.testing import golden, page
from tribord.testing.conformance import rule_numbers

GAMES = Path(__file__).parents[1] / "games"


def test_the_four_games_are_found():
    assert {"faut-pas-pousser", "ile-aux-pirates", "sauve-qui-peut", "walk-the-plank"} <= set(game_ids())


@pytest.mark.parametrize("game", game_ids())
def test_a_function_with_the_name_of_a_verb_is_that_verb(game):
    """A search asks a game for its `leaves`: anything with that name must take what the search gives."""
    game = load(game)
    asked = {name: verb for module in (verbs, tree, batch) for name, verb in vars(module).items() if callable(verb)}
    for name, answer in vars(game.rules).items():
        if name in asked and inspect.getmodule(answer).__name__.startswith(game.package):
            assert len(inspect.signature(answer).parameters) == len(inspect.signature(asked[name]).parameters), name


@pytest.mark.parametrize("game", game_ids())
def test_every_numbered_rule_has_a_test_with_its_number_in_its_name(game):
    game = load(game)
    tests = "\n".join(path.read_text(encoding="utf-8") for path in golden.home(game, GAMES).glob("test_*.py"))
    tested = {int(n) for n in re.findall(rf"def test_{game.letter}(\d+)_", tests)}
    assert tested >= set(rule_numbers(game, "en")), set(rule_numbers(game, "en")) - tested


@pytest.mark.parametrize("game", game_ids())
def test_perft_counts_are_as_recorded(game):
    golden.check_perft(load(game), GAMES)


@pytest.mark.parametrize("game", game_ids())
def test_playthroughs_are_as_recorded_and_show_every_kind_of_event(game):
    golden.check_playthroughs(load(game), GAMES)


@pytest.mark.parametrize("game", game_ids())
def test_the_reference_page_is_up_to_date(game):
    path = page.FOLDER / f"{game}.md"
    assert page.page(load(game)) == path.read_text(encoding="utf-8"), "run `make docs`"
    assert page.board(load(game)) == path.with_suffix(".svg").read_text(encoding="utf-8"), "run `make docs`"


@pytest.mark.parametrize("game", game_ids())
def test_states_are_small(game):
    assert load(game).state_bytes < 200
