"""The load runs, loses nothing, and prints consistent figures."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "server_load"


def load(folder: Path, *arguments: str, **environment: str) -> dict[str, Any]:
    """What the benchmark prints."""
    done = subprocess.run(
        [sys.executable, str(SCRIPT), *arguments],
        cwd=folder, env=os.environ | environment, capture_output=True, timeout=400, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()
    assert not list(folder.iterdir()), "something was left behind"
    return json.loads(done.stdout)


def check_line(line: dict[str, Any], echoes: int) -> None:
    """One load: people played without a refusal, and the ratios agree with the figures."""
    for played in (line, line["paced"]):
        assert played["actions_per_s"] > 0
        assert 0 < played["p50_ms"] <= played["p99_ms"]
        assert "refused" not in played
        # Everyone at a table hears of an action, and the one who acted gets an answer as well.
        assert played["messages_per_s"] > 2 * played["actions_per_s"]
    assert line["of_yardstick"] == round(line["actions_per_s"] / echoes, 3)


def test_a_small_load_is_played_without_a_refusal(tmp_path: Path) -> None:
    short = ("--tables", "4", "--store", "sqlite", "--seconds", "0.5", "--only", "yardstick", "load")
    told = load(tmp_path, *short, TRIBORD_INTERPRETED="1")  # the server has nothing to compile first
    assert told["yardstick"]["echoes_per_s"] > 0
    (line,) = told["loads"]
    assert (line["store"], line["workers"], line["tables"], line["sockets"]) == ("sqlite", 1, 4, 11)
    check_line(line, told["yardstick"]["echoes_per_s"])


@pytest.mark.long
def test_every_part_runs(tmp_path: Path) -> None:
    told = load(tmp_path, "--tables", "4", "8", "--seconds", "1", "--idle", "20")
    kinds = [("sqlite", 1), ("postgresql", 1), ("postgresql", 2)]
    assert [(line["store"], line["workers"], line["tables"]) for line in told["loads"]] == [
        (*kind, tables) for kind in kinds for tables in (4, 8)
    ]
    for line in told["loads"]:
        check_line(line, told["yardstick"]["echoes_per_s"])
    assert told["memory"]["sockets"] > told["memory"]["tables"] == 20
    assert [line["idle_tables"] for line in told["idle"]] == [0, 20]
    assert len(told["age"]) == 5 and all(line["server_us_per_action"] > 0 for line in told["age"])
