"""Sauve qui peut ! keeps the contract."""

from tribord import load
from tribord.testing import check_game


def test_conformance():
    check_game(load("sauve-qui-peut"))
