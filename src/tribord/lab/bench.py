"""Speed of each game: compiled and interpreted random play, cold compilation, warm start."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from typing import Any

from tribord.core.game import load
from tribord.lab.simulate import simulate

# Runs in a separate process, so that a cold start is cold. Prints the seconds to the end of the first random match,
# then the actions per second of a few more.
_FIRST_MATCHES = """
import sys, time
start = time.perf_counter()
from tribord import load
from tribord.lab.simulate import play_out, simulate
game = load(sys.argv[1])
players = int(sys.argv[2])
play_out(game, game.settings(players, research=True), 1, 1)
print(time.perf_counter() - start)
print(simulate(game, players, 30, 1)["actions_per_second"])
"""


def bench(games: Iterable[str], seconds: float = 2.0) -> dict[str, dict[str, Any]]:
    """Measure each game at its largest number of players, on one thread."""
    return {game: bench_game(game, seconds) for game in games}


def bench_game(game_id: str, seconds: float = 2.0) -> dict[str, Any]:
    """Measure one game: rates in this process, cold and warm starts in separate processes with their own cache."""
    game = load(game_id)
    players = game.players[1]
    trial = simulate(game, players, 4000, 1)
    fast = simulate(game, players, max(4000, int(4000 * seconds / max(trial["seconds"], 1e-6))), 1)
    with tempfile.TemporaryDirectory() as cache:
        cold, _rate = _first_matches(game_id, players, TRIBORD_CACHE=cache, TRIBORD_INTERPRETED="0")
        warm = min(_first_matches(game_id, players, TRIBORD_CACHE=cache, TRIBORD_INTERPRETED="0")[0] for _k in range(3))
    slow = _first_matches(game_id, players, TRIBORD_INTERPRETED="1")[1]
    return {
        "actions_per_second": fast["actions_per_second"],
        "matches_per_second": round(fast["matches"] / fast["seconds"]),
        "interpreted_actions_per_second": round(slow),
        "cold_compile_seconds": round(cold, 3),
        "warm_start_seconds": round(warm, 3),
    }


def _first_matches(game_id: str, players: int, **environment: str) -> tuple[float, float]:
    command = [sys.executable, "-c", _FIRST_MATCHES, game_id, str(players)]
    run = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=True)
    first, rate = map(float, run.stdout.split())
    return first, rate
