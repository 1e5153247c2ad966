"""Walk the Plank keeps the whole contract."""

from tribord import load
from tribord.testing import check_game


def test_conformance():
    check_game(load("walk-the-plank"), matches=200)
