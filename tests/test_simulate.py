"""Simulation: one digest for one seed, interpreted, compiled, on any number of threads."""

import json
import os
import subprocess
import sys

import pytest

from tribord import BadOption, game_ids, load
from tribord.lab import simulate as simulation
from tribord.lab.simulate import simulate

CODE = """
import json, sys
from tribord import load
from tribord.lab.simulate import simulate
print(json.dumps(simulate(load(sys.argv[1]), int(sys.argv[2]), 12, 5)))
"""


@pytest.mark.parametrize("game", game_ids())
def test_the_digest_is_the_same_interpreted_and_compiled(game):
    players = load(game).players[0]
    run = subprocess.run(
        [sys.executable, "-c", CODE, game, str(players)],
        env=os.environ | {"TRIBORD_INTERPRETED": "1"}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    slow, fast = json.loads(run.stdout), simulate(load(game), players, 12, 5)
    for field in ("digest", "actions", "score_mean", "win_share", "length_mean", "options"):
        assert slow[field] == fast[field]


@pytest.mark.parametrize("game", game_ids())
def test_the_digest_is_the_same_at_any_thread_count(game, monkeypatch):
    monkeypatch.setattr(simulation, "CHUNK", 64)
    digests = {simulate(load(game), load(game).players[0], 500, 5, threads=t)["digest"] for t in (1, 2, 5)}
    assert len(digests) == 1
    monkeypatch.setattr(simulation, "CHUNK", 100)
    assert simulate(load(game), load(game).players[0], 500, 5)["digest"] in digests


def test_another_seed_is_another_sample_and_a_longer_run_begins_the_same():
    game = load("faut-pas-pousser")
    one, other = simulate(game, 4, 100, 1), simulate(game, 4, 100, 2)
    assert one["digest"] != other["digest"]
    settings = game.settings(4)
    short, long = simulation.play_out(game, settings, 10, 1), simulation.play_out(game, settings, 20, 1)
    assert short.states.tobytes() == long.states[:10].tobytes()


def test_win_shares_add_up_to_one():
    assert sum(simulate(load("faut-pas-pousser"), 3, 1000, 1)["win_share"]) == pytest.approx(1)


@pytest.mark.parametrize("wrong", [{"matches": 0}, {"matches": -5}, {"threads": 0}])
def test_too_few_is_refused(wrong):
    with pytest.raises(BadOption):
        simulate(load("faut-pas-pousser"), **({"players": 4, "matches": 10} | wrong))
