"""Sauve qui peut ! against the whole contract, at every player count and with every option."""

from tribord import load
from tribord.testing import check_game


def test_conformance():
    check_game(load("sauve-qui-peut"), matches=200)
