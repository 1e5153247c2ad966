"""The puzzles that come with the games: they replay by today's rules, and the best choice is clearly the best."""

from __future__ import annotations

import json
from datetime import date, timedelta

import pytest

from tribord import game_ids, load
from tribord.bots import ranks
from tribord.bots.decision import TREES, Decision
from tribord.bots.puzzle import FILE, LEVELS, Puzzle, daily, puzzle, puzzles
from tribord.core.journal import line_of
from tribord.core.refusal import BadOption
from tribord.lab.puzzles import EXACT_MARGIN, LEAST_CHOICES, MARGIN, MOST_CHOICES, kind_of, level

LEAST = 30  # puzzles of a game
LONGER, MUCH_LONGER = 4, 10  # than the search that confirmed a puzzle: in every test run, in the long one
ALL = [each for game in game_ids() for each in puzzles(load(game))]
# Of every game two whose values are estimates, since those that are exact can't change in a longer search.
SAMPLE = [each for game in game_ids() for each in [one for one in puzzles(load(game)) if not one.exact][:2]]


def name(each: Puzzle) -> str:
    return f"{each.game.id}-{each.number}"


@pytest.mark.parametrize("game", game_ids())
def test_a_game_comes_with_puzzles_of_every_level_and_kind(game: str) -> None:
    those = puzzles(load(game))
    assert len(those) >= LEAST
    assert {each.level for each in those} == set(LEVELS)
    assert len({each.players for each in those}) > 1
    assert len({str(each.options) for each in those}) > 1
    kinds = {kind_of(each.game, each.best.action) for each in those}
    assert len(kinds) > 1 or game == "ile-aux-pirates"  # there, a turn is nothing but moves
    assert len({each.view.tobytes() for each in those}) == len(those)


@pytest.mark.parametrize("game", game_ids())
def test_they_were_made_for_the_rules_that_are_here(game: str) -> None:
    written = json.loads((load(game).folder / FILE).read_text(encoding="utf-8"))
    assert written["game"] == game and written["version"] == load(game).version
    assert written["command"].startswith(f"tribord puzzles {game} --count ")


@pytest.mark.parametrize("each", ALL, ids=name)
def test_a_puzzle_replays_to_a_decision_of_its_seat(each: Puzzle) -> None:
    match = each.match
    assert [line_of(match.game, entry) for entry in match.journal] == list(each.journal)
    assert each.seat in match.to_act and not match.over
    offered = [each.game.action(action) for choice in each.choices for action in choice["actions"]]
    assert sorted(offered) == sorted(each.legal)
    assert len(each.choices) >= LEAST_CHOICES and len(offered) <= MOST_CHOICES
    best, *others = each.suggestions
    margin = EXACT_MARGIN if each.exact else MARGIN
    for other in others:
        assert best.value.low > other.value.high and best.value.mean - other.value.mean >= margin - 1e-6
    assert list(each.ranks) == list(ranks()) and level(each.ranks) == each.level
    for choice in each.suggestions:
        assert choice.line[0].action == choice.action and choice.line[0].seat == each.seat
        assert each.chosen(choice.action) == choice
        assert each.solved_by(choice.action) == (choice is best)


def holds(each: Puzzle, longer: int) -> None:
    """The best choice is still the best in a search so many times as long as the one that confirmed it."""
    written = json.loads((each.game.folder / FILE).read_text(encoding="utf-8"))["search"]
    assert written["trees"] == TREES
    decision = Decision(each.game, each.view, each.legal, iterations=longer * written["iterations"], seed=999)
    assert each.solved_by(decision.ranked(3)[0].action)


def test_every_game_has_estimated_puzzles_to_search_again() -> None:
    assert len(SAMPLE) == 2 * len(game_ids()) and not any(each.exact for each in SAMPLE)


@pytest.mark.parametrize("each", SAMPLE, ids=name)
def test_the_best_choice_stays_the_best_in_a_longer_search(each: Puzzle) -> None:
    holds(each, LONGER)


@pytest.mark.long
@pytest.mark.parametrize("each", [each for each in ALL if not each.exact], ids=name)
def test_that_of_every_puzzle_stays_the_best_in_a_search_ten_times_longer(each: Puzzle) -> None:
    holds(each, MUCH_LONGER)


@pytest.mark.long
@pytest.mark.parametrize("each", [each for each in ALL if each.exact], ids=name)
def test_exact_values_are_still_exact_and_the_same(each: Puzzle) -> None:
    decision = Decision(each.game, each.view, each.legal, seed=999)
    assert decision.exact
    for choice in each.suggestions:
        assert decision.value(choice.action).value.mean == pytest.approx(choice.value.mean, abs=1e-6)


def test_the_puzzle_of_the_day_follows_from_the_date() -> None:
    first = date(2026, 11, 18)
    week = [daily(first + timedelta(days)) for days in range(len(game_ids()))]
    assert [name(each) for each in week] == [name(daily(first + timedelta(days))) for days in range(len(week))]
    assert {each.game.id for each in week} == set(game_ids())  # every game in turn
    days = [daily(first + timedelta(day)) for day in range(len(ALL) * 2)]
    assert {name(each) for each in days} == {name(each) for each in ALL}
    mine = load("walk-the-plank")
    assert daily(first, mine) in puzzles(mine)


def test_a_puzzle_that_does_not_exist_is_refused() -> None:
    game = load("faut-pas-pousser")
    for number in (0, -1, len(puzzles(game)) + 1):
        with pytest.raises(BadOption) as refused:
            puzzle(game, number)
        assert refused.value.code == "no-such-puzzle"


def test_a_game_without_puzzles_has_none_of_the_day(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:  # type: ignore[no-untyped-def]
    game = load("walk-the-plank")
    monkeypatch.setitem(game.__dict__, "folder", tmp_path)
    puzzles.cache_clear()
    try:
        assert puzzles(game) == ()
        for ask in (lambda: daily(date(2026, 1, 1), game), lambda: puzzle(game, 1)):
            with pytest.raises(BadOption) as refused:
                ask()
            assert refused.value.code == "no-puzzles"
        written = {"game": game.id, "version": game.version + 1, "puzzles": [{"players": 3}]}
        (tmp_path / FILE).write_text(json.dumps(written), encoding="utf-8")
        puzzles.cache_clear()
        assert puzzles(game) == ()  # they were made for other rules
    finally:
        puzzles.cache_clear()
