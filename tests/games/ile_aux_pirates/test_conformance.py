"""L'Île aux Pirates keeps the contract."""

import pytest

from tribord import load
from tribord.testing import check_game
from tribord.testing.conformance import CHECKS, Setup, check_parity, check_termination, check_words

GAME = load("ile-aux-pirates")


def test_conformance():
    check_game(GAME)


@pytest.mark.parametrize("options", [{"hard": True}, {"harder": True, "hard": True}, {"memory": False}, {"turns": 3}])
@pytest.mark.parametrize("players", [1, 3])
def test_options_of_the_strategic_game_conform(players, options):
    """The kit tries one option at a time; these only go with the strategic game."""
    table = Setup(GAME, players, {"game": "strategic", **options})
    for check in CHECKS:
        check(table)
    check_parity(table, 40)
    check_termination(table, 500)
    check_words(table)


def test_the_host_may_choose_who_starts():
    table = Setup(GAME, 4, {"game": "strategic", "first": 2})
    check_parity(table, 40)
    assert table.match(1).to_act == [2]
