"""Compilation: kept on disk, redone when a source changes, absent when it is not needed."""

import os
import subprocess
import sys
from pathlib import Path

from tribord import load
from tribord.core import compiled


def python(code, **environment):
    run = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | environment, capture_output=True, text=True, check=True
    )
    return run.stdout.strip()


def test_a_match_between_people_needs_no_compiler():
    code = (
        "import sys; from tribord import load; m = load('faut-pas-pousser').match(4, seed=1); m.play(0, 'pick 1');"
        "print('numba' in sys.modules)"
    )
    assert python(code) == "False"


def test_compiled_code_is_kept_and_found_again(tmp_path):
    code = (
        "from tribord import load; from tribord.lab.simulate import playouts, simulate;"
        "g = load('faut-pas-pousser'); simulate(g, 4, 5);"
        "print(sum(playouts._dispatchers[g.dtype].stats.cache_hits.values()))"
    )
    assert python(code, TRIBORD_CACHE=str(tmp_path)) == "0"
    assert python(code, TRIBORD_CACHE=str(tmp_path)) != "0"


def test_processes_that_need_the_same_code_compile_it_once(tmp_path):
    code = (
        "from tribord import load; from tribord.lab.simulate import playouts, simulate;"
        "g = load('faut-pas-pousser'); simulate(g, 4, 5);"
        "print(sum(playouts._dispatchers[g.dtype].stats.cache_misses.values()))"
    )
    environment = os.environ | {"TRIBORD_CACHE": str(tmp_path)}
    running = [
        subprocess.Popen([sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, text=True)
        for _process in range(3)
    ]
    assert sorted(process.communicate()[0].strip() for process in running) == ["0", "0", "1"]


def test_a_process_may_load_games_that_others_compiled(tmp_path):
    """Numba names code by a number that starts over in every process: two games must not have the same names."""
    code = (
        "import sys; from tribord import load\n"
        "for name in sys.argv[1:]:\n"
        "    game = load(name); match = game.match(seed=1)\n"
        "    said = [match.legal(match.to_act[0]), match.weights()]\n"
        "    game.speed_up(); match = game.match(seed=1)\n"
        "    assert said == [match.legal(match.to_act[0]), match.weights()], name\n"
        "    match.restart(); print(len(match.weights()))\n"
    )
    games = ("faut-pas-pousser", "sauve-qui-peut")

    def run(*names):
        command = [sys.executable, "-c", code, *names]
        environment = os.environ | {"TRIBORD_CACHE": str(tmp_path)}
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.split()

    alone = [run(name) for name in games]
    assert run(*games) == alone[0] + alone[1] == ["0", "6"]


def test_the_cache_folder_follows_the_sources(tmp_path, monkeypatch):
    game = load("faut-pas-pousser")
    driver = tmp_path / "driver.py"
    driver.write_text("1")
    before = compiled.cache_folder(game.dtype, driver)
    assert compiled.cache_folder(game.dtype, driver) == before
    driver.write_text("2")
    assert compiled.cache_folder(game.dtype, driver) != before
    twin = tmp_path / "twin"
    twin.mkdir()
    for source in Path(game.folder).glob("*.py"):
        (twin / source.name).write_bytes(source.read_bytes())
    monkeypatch.setitem(compiled._folder_by_dtype, game.dtype, twin)
    same = compiled.cache_folder(game.dtype, driver)
    (twin / "rules.py").write_text("changed")
    assert compiled.cache_folder(game.dtype, driver) != same
