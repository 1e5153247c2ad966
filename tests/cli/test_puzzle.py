"""`tribord puzzle`, as people solve it: through a pipe, in both languages."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tribord import game_ids, load
from tribord.bots.puzzle import LEVELS, Puzzle, daily, puzzles, today
from tribord.cli.puzzle import RIGHT, WRONG
from tribord.core.reason import reason

ENVIRONMENT = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR", "TRIBORD_LANG")}
ENVIRONMENT |= {"TRIBORD_INTERPRETED": "1", "LC_ALL": "C.UTF-8", "TERM": "dumb", "COLUMNS": "200"}


def run(command: str, *args: object, answers: tuple[str, ...] = ()) -> tuple[int, str, str]:
    """Run a command with these answers typed: exit status, what it shows, what it complains about."""
    done = subprocess.run(
        [sys.executable, "-m", "tribord.cli", command, *map(str, args)],
        input="".join(f"{answer}\n" for answer in answers),
        env=ENVIRONMENT, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


def best(each: Puzzle) -> str:
    return str(each.choices[0]["actions"][0])


@pytest.mark.parametrize("lang", ["fr", "en"])
@pytest.mark.parametrize("game", game_ids())
def test_right_and_wrong_answers_come_with_their_values(game: str, lang: str) -> None:
    each = puzzles(load(game))[0]
    words = each.game.words(lang)
    status, shown, _ = run("puzzle", game, "--number", 1, "--lang", lang, answers=(best(each),))
    assert status == 0 and words.say(RIGHT) in shown and words.say(WRONG) not in shown
    assert each.game.say_action(each.best.action, words) in shown
    assert "capitaine" in shown.splitlines()[-1].lower()  # how the ranks fared
    worst = each.choices[-1]["actions"][0]
    status, shown, _ = run("puzzle", game, "--number", 1, "--lang", lang, answers=(worst,))
    assert status == 0 and words.say(WRONG) in shown and words.say(RIGHT) not in shown
    for action in (each.best.action, each.game.action(worst)):
        assert each.game.say_action(action, words) in shown
        outlook = each.outlook(action)
        for event in (*outlook.at_once, *(one.event for one in (*outlook.likely, *outlook.spared))):
            assert each.game.say_event(event, words) in shown and event.rule in shown
            because = reason(each.game, event, lang)
            assert because in shown or words.say(because) in shown
    assert "Traceback" not in shown


def test_unusual_options_are_shown() -> None:
    game = load("walk-the-plank")
    usual = game.options_of(game.settings(4))["skulls"]
    each = next(each for each in puzzles(game) if each.options["skulls"] != usual)
    _, shown, _ = run("puzzle", game.id, "--number", each.number, "--lang", "en", answers=("q",))
    assert "skulls=" in shown and "(W7)" in shown
    same = next(each for each in puzzles(game) if each.options["skulls"] == usual)
    assert "skulls=" not in run("puzzle", game.id, "--number", same.number, answers=("q",))[1]


def test_without_a_game_it_is_the_puzzle_of_the_day() -> None:
    each = daily(today())
    _, shown, _ = run("puzzle", "--lang", "en", answers=(best(each),))
    if daily(today()) is each:  # unless midnight has come between
        assert each.game.title in shown and f"{today()}" in shown and RIGHT in shown
        assert run("puzzle", "--daily", "--lang", "en", answers=(best(each),))[1] == shown


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_can_be_asked_for(level: str) -> None:
    _, shown, _ = run("puzzle", "walk-the-plank", "--level", level, "--lang", "en", answers=("q",))
    assert f"({level})" in shown


def test_commands_answer_and_a_hint_is_not_given() -> None:
    status, shown, _ = run(
        "puzzle", "faut-pas-pousser", "--number", 1, "--lang", "en", answers=("h", "l", "v", "?", "hint", "q")
    )
    assert status == 0 and RIGHT not in shown and WRONG not in shown
    assert "leave without an answer" in shown and "chance of winning" not in shown


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (("walk-the-plank", "--level", "huge"), "There’s no level “huge”"),
        (("walk-the-plank", "--number", "999"), "has puzzles 1 to"),
        (("--daily", "--level", "easy"), "Use either “--daily” or “--level”"),
        (("--number", "3"), "Name the game: tribord puzzle GAME --number 3"),
        (("--daily", "--number", "0"), "Use either “--daily” or “--number”"),
        (("walk-the-plank", "--level", "easy", "--number", "1"), "Use either “--level” or “--number”"),
    ],
)
def test_what_does_not_go_together_is_refused(args: tuple[str, ...], code: str) -> None:
    status, shown, complaint = run("puzzle", *args, "--lang", "en")
    assert status == 2 and not shown and code in complaint


def test_puzzles_are_not_made_and_explained_again_at_once() -> None:
    status, _, complaint = run("puzzles", "walk-the-plank", "--count", 3, "--explain", "--lang", "en")
    assert status == 2 and "Use either “--count” or “--explain”" in complaint


def test_the_puzzles_of_a_game_are_listed() -> None:
    those = puzzles(load("walk-the-plank"))
    status, shown, _ = run("puzzles", "walk-the-plank", "--lang", "en")
    assert status == 0 and len(shown.splitlines()) == len(those)
    listed = json.loads(run("puzzles", "walk-the-plank", "--json")[1])
    assert [(each["number"], each["level"]) for each in listed] == [(each.number, each.level) for each in those]
