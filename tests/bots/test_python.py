"""Bots in Python: by name, as classes and objects, in one process and in several, good ones and bad ones."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import tribord
from tribord import BadOption, load
from tribord.bots.fallback import STRIKES
from tribord.bots.python import find_bot, make_bot
from tribord.cli import main
from tribord.lab.arena import arena
from tribord.lab.simulate import simulate

HOUSE = Path(__file__).parents[2]
FPP = load("faut-pas-pousser")
FIRST = "py:examples.first_bot:FirstBot"


class Lowest:
    """Takes the first of the legal actions."""

    def __init__(self, game, seed):
        self.game = game
        self.seed = seed

    def decide(self, view, legal, clock):
        assert view.dtype == self.game.dtype and legal.seat in range(4)
        return legal[0]


class Fixed:
    """Ready to play as it is."""

    name = "the fixed one"

    def decide(self, view, legal, clock=None):
        return legal[-1]


def faults(result):
    return [sum(standing["faults"].values()) for standing in result["standings"]]


def test_classes_and_objects_play_in_the_arena():
    result = tribord.arena(FPP, ["mousse", Lowest, Fixed()], players=3, matches=3, seed=1)
    assert result["bots"] == ["mousse", "Lowest", "the fixed one"]
    assert [standing["bot"] for standing in result["standings"]] == result["bots"]
    assert all(standing["decisions"] for standing in result["standings"]) and faults(result) == [0, 0, 0]


def test_a_named_class_plays_the_same_in_one_process_and_in_two():
    one, two = (arena(FPP, ["mousse", FIRST], 2, 4, 1, jobs=jobs) for jobs in (1, 2))
    assert one["digest"] == two["digest"] and faults(one) == [0, 0]


def test_classes_and_objects_go_to_other_processes_if_they_are_asked_to(tmp_path):
    """With a script, as people write one: its classes are in `__main__`, there and in the processes it starts."""
    script = tmp_path / "contest.py"
    script.write_text(
        """
import os
from tribord import arena, load

class Where:
    def __init__(self, game, seed):
        pass
    def decide(self, view, legal, clock):
        open(f"asked-{os.getpid()}", "w").close()
        return legal[0]

if __name__ == "__main__":
    game = load("faut-pas-pousser")
    print(os.getpid(), *(arena(game, ["uniform", Where], 2, 4, jobs=jobs)["digest"] for jobs in (None, 2)))
"""
    )
    done = subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, text=True, check=True)
    own, first, second = done.stdout.split()
    assert first == second
    asked = {file.name for file in tmp_path.glob("asked-*")}
    assert f"asked-{own}" in asked and len(asked) >= 2


def test_what_cannot_go_to_other_processes_plays_here_or_is_refused():
    class Local(Lowest):
        """No other process knows where to look for it."""

    assert faults(arena(FPP, ["mousse", Local], 2, 2)) == [0, 0]
    with pytest.raises(BadOption, match="“Local” can’t be sent to other processes"):
        arena(FPP, ["mousse", Local], 2, 2, jobs=2)


def test_a_simulation_takes_them_too():
    found = simulate(FPP, 2, 2, 1, bots=[FIRST, Lowest])
    assert found["bots"] == [FIRST, "Lowest"] and not any(sum(kinds.values()) for kinds in found["faults"])


def test_a_class_gets_a_seed_of_its_own_for_every_seat_and_match():
    seeds = []

    class Listens(Lowest):
        def __init__(self, game, seed):
            super().__init__(game, seed)
            seeds.append(seed)

    arena(FPP, ["mousse", Listens], 4, 8, 1)
    assert len(set(seeds)) == 1 + 4  # one to check, and one per seat; the round has the same dice for all


# -- from the command line --------------------------------------------------------------------------------------------


def test_the_example_of_the_docs_plays_in_the_arena_and_at_the_table(tmp_path):
    """In a real process, started where the repository is: the current folder has the module."""

    def run(*arguments, text=None):
        command = [sys.executable, "-P", "-m", "tribord.cli", *arguments]
        environment = os.environ | {"PYTHONPATH": str(HOUSE / "src")}
        return subprocess.run(
            command, cwd=HOUSE, env=environment, input=text, capture_output=True, text=True, check=True
        ).stdout

    told = run("arena", FPP.id, "--bots", f"uniform,{FIRST}", "--players", "2", "--matches", "2", "--json")
    assert json.loads(told)["bots"] == ["uniform", FIRST] and faults(json.loads(told)) == [0, 0]
    kept = tmp_path / "match.json"
    run(
        "play", FPP.id, "--me", "0", "--players", "2", "--bot", FIRST, "--seed", "1", "--save", str(kept), text="1\nq\n"
    )
    assert json.loads(kept.read_text())["names"] == ["", FIRST]


def test_what_the_page_about_the_arena_shows_is_true(monkeypatch):
    page = (HOUSE / "docs" / "arena.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", page, re.S)
    shown = next(block for block in blocks if "class FirstBot" in block)
    assert (HOUSE / "examples" / "first_bot.py").read_text(encoding="utf-8").endswith(shown)
    assert len(shown.splitlines()) <= 20
    names = {}
    results = []
    for block in blocks:
        exec(block, names)
        results.append(names.get("result"))
    assert [result and result["bots"] for result in results[-2:]] == [
        ["mousse", "FirstBot"],
        ["mousse", "first", "second"],
    ]
    assert not any(sum(faults(result)) for result in results if result)


def test_a_file_names_no_bot_that_is_then_run(tmp_path, capsys):
    match = FPP.match(2, seed=1, names=["", FIRST])
    match.save(tmp_path / "match.json")
    assert main(["play", "--resume", str(tmp_path / "match.json"), "--lang", "en"]) == 2
    assert "a file can’t start a program" in capsys.readouterr().err


# -- things that aren't bots, and bots that fail -----------------------------------------------------------------------


@pytest.fixture
def module(tmp_path, monkeypatch):
    """Write a module of bots into the current folder; returns its name."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))

    def write(source):
        name = f"bots_{len(list(tmp_path.iterdir()))}_{tmp_path.name.replace('-', '_')}"
        (tmp_path / f"{name}.py").write_text(source)
        return name

    return write


@pytest.mark.parametrize(
    ("source", "wanted", "why"),
    [
        ("", ":", "write py:module:Class"),
        ("", "", "write py:module:Class"),
        ("", ":a b", "write py:module:Class"),
        ("", ":Bot", "there is no “Bot” in /"),
        ("1/0", ":Bot", "its module fails: ZeroDivisionError: division by zero."),
        ("import nowhere", ":Bot", "its module fails: ModuleNotFoundError: No module named 'nowhere'."),
        ("raise SystemExit('no luck today')", ":Bot", "its module fails: no luck today."),
        ("class Bot:\n def __init__(self): pass", ":Bot", "can’t play Faut pas pousser: TypeError: "),
        ("class Bot:\n def __init__(self, game, seed): pass", ":Bot", "it has no method decide(view, legal, clock)"),
        ("Bot = 7", ":Bot", "it has no method decide(view, legal, clock)"),
        ("def Bot(game, seed): pass", ":Bot", "it has no method decide(view, legal, clock)"),
        (
            "class Bot:\n def __init__(self, game, seed): pass\n def decide(self, view): pass",
            ":Bot",
            "its decide(view) can’t be called as decide(view, legal, clock)",
        ),
    ],
)
def test_what_is_no_bot_is_refused_in_a_sentence(module, source, wanted, why, capsys):
    name = f"py:{module(source)}{wanted}"
    with pytest.raises(BadOption, match=re.escape(why)):
        arena(FPP, ["mousse", name], 2, 2)
    assert main(["arena", FPP.id, "--bots", f"mousse,{name}", "--players", "2", "--lang", "en"]) == 2
    assert why in capsys.readouterr().err


def test_a_module_that_is_not_there_is_refused():
    with pytest.raises(BadOption, match=r"there is no module “nowhere\.bots” here"):
        find_bot("py:nowhere.bots:Bot")


@pytest.mark.parametrize(
    ("bots", "why"),
    [
        ([Fixed(), Fixed()], "Two different bots are called “the fixed one”"),
        ([Lowest, Lowest], "“Lowest” is named twice"),
        (["uniform", type("mousse", (Lowest,), {})], "can’t be called “mousse”"),
        (["uniform", 7], "“int” isn’t a bot"),
    ],
)
def test_every_bot_needs_a_name_of_its_own(bots, why):
    with pytest.raises(BadOption, match=why):
        arena(FPP, bots, 2, 2)


def test_a_bot_that_fails_loses_its_moves_to_a_mousse(module):
    name = module("class Bot:\n def __init__(self, game, seed): pass\n def decide(self, view, legal, clock): return -1")
    result = arena(FPP, ["mousse", f"py:{name}:Bot"], 2, 2)
    assert faults(result) == [0, 2 * STRIKES]
    assert "-1 is not among" in result["standings"][1]["fault"]


def test_a_bot_that_cannot_be_made_in_the_middle_loses_its_moves_and_stops_nobody(module):
    source = """
from itertools import count
left = count(2, -1)
class Bot:
    def __init__(self, game, seed):
        1 / next(left)
    def decide(self, view, legal, clock):
        return legal[0]
"""
    result = arena(FPP, ["mousse", f"py:{module(source)}:Bot"], 2, 2, jobs=1)
    assert result["matches"] == 2
    assert "ZeroDivisionError" in result["standings"][1]["fault"]


# -- the top level -----------------------------------------------------------------------------------------------------


def test_bots_search_and_arena_are_at_the_top_level_and_cost_nothing_until_asked_for():
    code = """
import sys, tribord
assert not {"tribord.bots", "tribord.lab", "tribord.core.batch", "numba"} & set(sys.modules), sorted(sys.modules)
from tribord import Batch, Bot, Search, arena, seat_bot
assert {"Batch", "Bot", "Search", "arena", "seat_bot"} <= set(dir(tribord)) & set(tribord.__all__)
assert callable(arena) and Search.__module__ == "tribord.bots.search"
try:
    tribord.nothing
except AttributeError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "module 'tribord' has no attribute 'nothing'\n"


def test_a_rank_can_be_handed_over_as_an_object():
    bot = tribord.seat_bot("mousse", FPP, 1)
    assert make_bot(bot, FPP, 2) is bot
    assert faults(arena(FPP, ["uniform", tribord.Search(FPP, iterations=8)], 2, 2)) == [0, 0]
