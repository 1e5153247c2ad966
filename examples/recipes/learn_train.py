"""Train a net on the CPU for a minute with `tribord train`, and let it play in the arena: it beats uniform seats.

pip install tribord[learn]
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

with tempfile.TemporaryDirectory() as folder:
    run = Path(folder) / "run"
    tribord = [sys.executable, "-m", "tribord.cli"]
    subprocess.run(
        [*tribord, "train", "faut-pas-pousser", "--players", "3", "--minutes", "1", "--checkpoint", run, "--seed", "1"],
        check=True,
    )
    table = ["--bots", f"net:{run},uniform", "--players", "3", "--matches", "300", "--seed", "1", "--json"]
    told = subprocess.run([*tribord, "arena", "faut-pas-pousser", *table], check=True, capture_output=True, text=True)
    share = json.loads(told.stdout)["standings"][0]["win_share"]

print(f"the net: {share['mean']:.3f} [{share['low']:.3f}, {share['high']:.3f}] of the victories, 0.333 is fair")
assert share["low"] > 1 / 3
