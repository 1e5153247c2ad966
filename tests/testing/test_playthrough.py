"""Playthroughs: recorded decisions that are replayed, and a small set of them that shows every feature."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tribord import load
from tribord.testing import golden
from tribord.testing.playthrough import at_random, choose, play, replay, wanted

GAMES = Path(__file__).parents[1] / "games"
GAME = load("faut-pas-pousser")


@pytest.fixture
def folder(tmp_path):
    """A copy of the golden data of Faut pas pousser."""
    shutil.copytree(golden.home(GAME, GAMES), golden.home(GAME, tmp_path), ignore=shutil.ignore_patterns("*.py"))
    return tmp_path


def test_what_is_wanted_is_every_player_count_option_kind_of_event_and_ending():
    found = wanted(load("walk-the-plank"))
    assert {"3 players", "5 players", "option skulls=none", "option rounds", "event drowns", "ending nobody"} <= found


def test_a_playthrough_is_read_back_to_the_same_text():
    for name in ("walk-the-plank", "ile-aux-pirates"):
        one = play(load(name).match(seed=3, options={}), at_random(3))
        assert replay(load(name), one.text).text == one.text


def test_a_decision_that_is_no_longer_legal_is_refused_or_replaced():
    recorded = play(GAME.match(seed=3), at_random(3)).text
    changed = recorded.replace("pick 3", "pick 9", 1)
    assert changed != recorded
    with pytest.raises(AssertionError, match="“pick 9” of seat 1 is no longer legal"):
        replay(GAME, changed)
    assert replay(GAME, changed, at_random(3)).match.over


def test_the_set_is_small_and_the_same_each_time():
    chosen = choose(GAME, [])
    assert wanted(GAME) == frozenset().union(*(one.shows for one in chosen))
    assert [one.text for one in choose(GAME, [])] == [one.text for one in chosen]
    assert choose(GAME, chosen) == chosen, "what is on record stays"
    for one in chosen:
        others = frozenset().union(*(other.shows for other in chosen if other is not one))
        assert one.shows - others, f"{one.name} shows nothing of its own"


def test_a_kind_of_event_that_no_playthrough_shows_is_missed(folder):
    files = sorted((golden.home(GAME, folder) / "playthroughs").glob("2-players*.txt"))
    for path in files:
        path.unlink()
    with pytest.raises(AssertionError, match=r"no playthrough shows .*'2 players'"):
        golden.check_playthroughs(GAME, folder)


def test_a_consequence_that_differs_is_noticed(folder):
    path = next((golden.home(GAME, folder) / "playthroughs").glob("*.txt"))
    path.write_text(path.read_text(encoding="utf-8").replace("crew=1", "crew=0", 1), encoding="utf-8")
    with pytest.raises(AssertionError, match="read the diff"):
        golden.check_playthroughs(GAME, folder)


def test_golden_data_can_lie_anywhere(tmp_path):
    """As for a game in a package of its own, with a match that someone has played."""
    match = play(GAME.match(2, "somebody's"), at_random(1)).match
    match.save(tmp_path / "match.json")
    command = [sys.executable, "-m", "tribord.testing.golden", GAME.id, "--folder", ".", "--match", "match.json"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == "faut-pas-pousser: golden data written\n"
    golden.check_golden(GAME, tmp_path)
