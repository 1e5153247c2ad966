"""Run with pytest after `pip install -e .`"""

from tribord import load
from tribord.testing import check_game


def test_conformance():
    check_game(load("kraken"))
