"""One number per table that changes with any rule: perft counts cards, this also sees who stands and who falls."""

import hashlib

import pytest

from tribord import load
from tribord.lab.simulate import play_out

GAME = load("faut-pas-pousser")


@pytest.mark.parametrize(
    ("players", "age", "signature"),
    [
        (2, [0, 1], "e58875be66f511bc"),
        (3, [0, 1, 2], "8abd583cadf25b54"),
        (4, [0, 1, 2, 3], "b0fbc834292d1762"),
        (4, [3, 2, 1, 0], "6a0e32cf4918f591"),
    ],
)
def test_the_scores_of_a_thousand_random_matches_are_as_recorded(players, age, signature):
    sample = play_out(GAME, GAME.settings(players, {"age": age}), 1000, seed=1)
    assert hashlib.sha256(sample.scores.astype("<i8").tobytes()).hexdigest()[:16] == signature
