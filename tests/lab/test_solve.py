"""`tribord solve`: the number, its proof, and what is refused."""

import json
import os
import subprocess
import sys

import pytest

from tribord import BadOption, load
from tribord.bots.solver import kept_at
from tribord.cli import main
from tribord.lab.solve import solve

GAME = load("ile-aux-pirates")


@pytest.fixture
def here(monkeypatch, capfd):
    """Run `tribord` in this process: (exit status, stdout, stderr)."""

    def run(*args, lang="en"):
        monkeypatch.setenv("TRIBORD_LANG", lang)
        status = main([str(arg) for arg in args])
        return status, *capfd.readouterr()

    return run


def test_solve_json(here):
    status, out, _err = here("solve", "ile-aux-pirates", "--json")
    found = json.loads(out)
    assert status == 0
    assert set(found) == {"game", "players", "options", "win_probability", "states", "seconds", "kept"}
    assert found["win_probability"] == pytest.approx(0.9369515993835, abs=1e-12)
    assert found["states"] == 19_363


def test_solve_checks_itself_by_playing(here):
    found = json.loads(here("solve", "ile-aux-pirates", "--players", 1, "--matches", 4000, "--seed", 5, "--json")[1])
    assert found["policy_probability"] == pytest.approx(found["win_probability"], abs=1e-12)
    assert found["matches"] == 4000
    assert found["win_share"]["mean"] == found["won"] / 4000
    assert found["win_share"]["low"] < found["win_probability"] < found["win_share"]["high"]


def test_a_limit_of_turns_is_solved_too_at_any_number_of_players():
    free = solve(GAME, 6)["win_probability"]
    short, long = (solve(GAME, 3, {"turns": turns})["win_probability"] for turns in (6, 17))
    assert 0 < short < free
    assert long == free == solve(GAME, 1)["win_probability"]


@pytest.mark.parametrize(
    ("lang", "word"), [("fr", "en jouant au mieux, on gagne 93.6952%"), ("en", "best play wins 93.6952%")]
)
def test_solve_for_people(here, lang, word):
    status, out, _err = here("solve", "ile-aux-pirates", "--matches", 500, "--option", "turns=200", lang=lang)
    assert status == 0
    assert word in out
    assert out.count("\n") == 2


@pytest.mark.parametrize(
    ("args", "french", "english"),
    [
        (["solve"], "JEU", "GAME"),
        (["solve", "chess"], "chess", "chess"),
        (["solve", "walk-the-plank"], "Jeu non résolu", "isn’t solved. These are: ile-aux-pirates."),
        (["solve", "ile-aux-pirates", "--option", "game=strategic"], "(I9)", "Only the base game"),
        (["solve", "ile-aux-pirates", "--option", "hard=on"], "(I17)", "(I17)"),
        (["solve", "ile-aux-pirates", "--option", "wind=3"], "wind", "wind"),
        (["solve", "ile-aux-pirates", "--players", "7"], "de 1 à 6", "1 to 6"),
        (["solve", "ile-aux-pirates", "--matches", "-1"], "au moins 0", "at least 0"),
    ],
)
def test_what_is_not_solved_is_refused_in_one_sentence(here, args, french, english):
    for lang, sentence in (("fr", french), ("en", english)):
        status, out, err = here(*args, lang=lang)
        assert (status, out) == (2, "")
        assert sentence in err
        assert err.count("\n") == 1


def test_the_lab_refuses_too():
    with pytest.raises(BadOption):
        solve(load("faut-pas-pousser"), 4)


@pytest.mark.long
def test_solved_from_nothing_kept_and_solved_again_when_damaged(tmp_path, monkeypatch):
    monkeypatch.setenv("TRIBORD_CACHE", str(tmp_path))
    path = kept_at(GAME)

    def run():
        command = [sys.executable, "-m", "tribord.cli", "solve", "ile-aux-pirates", "--json"]
        done = subprocess.run(command, env=os.environ | {"TRIBORD_INTERPRETED": "1"}, capture_output=True, check=True)
        return json.loads(done.stdout)

    first, second = run(), run()
    assert (first["kept"], second["kept"]) == (False, True)
    kept = path.read_bytes()
    path.write_bytes(kept[:1000])
    third = run()
    assert not third["kept"]
    assert path.read_bytes() == kept
    assert first["win_probability"] == second["win_probability"] == third["win_probability"]
