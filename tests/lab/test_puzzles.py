"""Making puzzles: the solver agrees, the same seed gives the same puzzles, and only what the seat knows counts."""

from __future__ import annotations

from collections import Counter

import pytest

from tribord import load
from tribord.bots.puzzle import LEVELS, Puzzle
from tribord.bots.solver import solution
from tribord.core.journal import follow
from tribord.core.match import Match
from tribord.core.refusal import BadOption
from tribord.lab.puzzles import EXACT_MARGIN, build, levels_wanted, puzzle

ISLAND = load("ile-aux-pirates")
PUSH = load("faut-pas-pousser")


def test_the_best_choice_is_the_solvers() -> None:
    made = [each for each in build(ISLAND, 6, seed=1, matches=40)["puzzles"] if each["exact"]]
    assert made
    for content in made:
        found = Puzzle(ISLAND, 1, **content)
        values = dict(zip(found.legal, solution(ISLAND).action_values(found.view, found.legal), strict=True))
        best = values[found.best.action]
        for action, value in values.items():
            assert found.chosen(action).value.mean == pytest.approx(value, abs=1e-6)
            assert found.solved_by(action) or best - value >= EXACT_MARGIN


def test_the_same_seed_gives_the_same_puzzles() -> None:
    assert build(ISLAND, 2, seed=2, matches=20) == build(ISLAND, 2, seed=2, matches=20)


def at(*lines: str) -> Match:
    match = Match(PUSH, 2, seed=0)
    match.restart()
    for line in lines:
        follow(match, line)
    return match


def test_only_what_the_seat_knows_counts() -> None:
    """Two matches that look the same to the seat: in each the other player has picked another pirate, face down."""
    made = [puzzle(at(f"0 pick {pirate}"), 1, 3, set(LEVELS)) for pirate in (2, 5)]
    views = {at(f"0 pick {pirate}").view_state(1).tobytes() for pirate in (2, 5)}
    assert len(views) == 1
    assert made[0] is not None and made[1] is not None, "with another seed there is a puzzle to compare"
    assert made[0].pop("journal") != made[1].pop("journal")
    assert made[0] == made[1]


def test_levels_keep_their_share() -> None:
    found: list[str] = []
    while len(found) < 40 and "easy" in levels_wanted(found, 40):
        found.append("easy")
    assert Counter(found) == {"easy": 20}
    assert levels_wanted(found, 40) == {"medium", "hard"}


@pytest.mark.parametrize(("count", "matches"), [(0, 1), (1, 0)])
def test_too_few_are_refused(count: int, matches: int) -> None:
    with pytest.raises(BadOption) as refused:
        build(PUSH, count, 1, matches)
    assert refused.value.code == "too-few"
