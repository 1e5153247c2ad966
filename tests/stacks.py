"""Recipes for other libraries, each run from the wheel in an environment of its own: `make test-stacks`. With torch
the tests run that need it.

    python -m tests.stacks              # all of them
    python -m tests.stacks torchrl sb3

Environments and the wheel are made in build/stacks. Not part of `make test`: the libraries are gigabytes.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "build" / "stacks"


class Stack(NamedTuple):
    """The packages of a library, and the recipes that must run with it."""

    packages: tuple[str, ...]
    recipes: tuple[str, ...]
    tests: tuple[str, ...] = ()


TORCH = "torch==2.13.0"
LEARNING = ("tests/lab/test_train.py", "tests/research/test_opponents.py")
STACKS = {
    "learn": Stack((TORCH, "pytest==9.2.0", "hypothesis==6.170.15"), ("learn_train",), LEARNING),
    "openspiel": Stack((), ("openspiel_cfr",)),
    "sb3": Stack(("sb3-contrib==2.9.2", TORCH), ("sb3_maskable_ppo",)),
    "torchrl": Stack(("torchrl==0.14.1", TORCH), ("torchrl_specs", "torchrl_ppo")),
    "rllib": Stack(("ray[rllib]==2.60.0", TORCH), ("rllib_ppo",)),
    "agilerl": Stack(("agilerl==2.58.0", "peft==0.21.0", TORCH), ("agilerl_ppo",)),
    "tianshou": Stack(("tianshou==2.0.1", TORCH), ("tianshou_dqn",)),
    "supersuit": Stack(("supersuit==3.11.0", "stable-baselines3==2.9.2", TORCH), ("supersuit_ppo",)),
}


def wheel() -> Path:
    """The wheel of this Tribord, built now."""
    to = FOLDER / "dist"
    for old in to.glob("*.whl"):
        old.unlink()
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", to], cwd=ROOT, check=True
    )
    return next(to.glob("*.whl"))


def prepare(name: str, built: Path) -> Path:
    """The Python of an environment with a library and the wheel."""
    inside = FOLDER / name / "bin" / "python"
    if not inside.exists():
        subprocess.run([sys.executable, "-m", "venv", FOLDER / name], check=True)
    install = [inside, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*install, f"tribord[research] @ {built.as_uri()}", *STACKS[name].packages], check=True)
    subprocess.run([*install, "--no-deps", "--force-reinstall", built], check=True)
    return inside


def main() -> int:
    """Run the recipes of the stacks that are named, or of all; the exit code is 1 if one of them fails."""
    built, told = wheel(), {}
    for name in sys.argv[1:] or STACKS:
        inside = prepare(name, built)
        for recipe in STACKS[name].recipes:
            print(f"{name}: {recipe}", flush=True)
            file = ROOT / "examples" / "recipes" / f"{recipe}.py"
            ran = subprocess.run([inside, "-W", "ignore", file], cwd=FOLDER, check=False)
            told[recipe] = "ran" if ran.returncode == 0 else "FAILED"
        for file in STACKS[name].tests:
            print(f"{name}: {file}", flush=True)
            ran = subprocess.run(
                [inside, "-m", "pytest", "-q", "-o", "pythonpath=", ROOT / file], cwd=ROOT, check=False
            )
            told[file] = "ran" if ran.returncode == 0 else "FAILED"
    for recipe, result in told.items():
        print(f"{recipe}: {result}")
    return int("FAILED" in told.values())


if __name__ == "__main__":
    sys.exit(main())
