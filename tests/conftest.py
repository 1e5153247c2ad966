"""What every test can use: random play through the public interface."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tribord import Match
from tribord.core.chance import below, stream
from tribord.core.file_lock import locked

settings.register_profile("house", deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
settings.load_profile("house")
os.environ.pop("TRIBORD_INTERPRETED", None)
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # in the background of a shell: programs of tests would ignore it
    signal.signal(signal.SIGINT, signal.default_int_handler)


def play_at_random(match: Match, seed: int, steps: int = 10_000) -> Match:
    """Play random legal actions until the match is over or `steps` decisions are made."""
    rng = stream(seed, 5)
    while steps and not match.over:
        seat = match.to_act[below(rng, len(match.to_act))]
        choices = match.legal(seat)
        match.play(seat, choices[below(rng, len(choices))])
        steps -= 1
    return match


@pytest.fixture
def at_random() -> Callable[..., Match]:
    """`play_at_random` for tests."""
    return play_at_random


@pytest.fixture(scope="session")
def once(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Fill a folder once for all testers: the first one does it, the others wait for it."""
    shared = tmp_path_factory.getbasetemp()
    if hasattr(request.config, "workerinput"):  # each tester has a folder of its own in that of the run
        shared = shared.parent

    def filled(name: str, fill: Callable[[Path], object]) -> Path:
        folder, finished = shared / name, shared / f"{name}.finished"
        with locked(shared / f"{name}.filling"):
            if not finished.exists():
                shutil.rmtree(folder, ignore_errors=True)  # of someone who failed
                folder.mkdir()
                fill(folder)
                finished.touch()
        return folder

    return filled
