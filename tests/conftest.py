"""What every test can use: random play through the public interface."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, settings

from tribord import Match
from tribord.core.chance import below, stream

settings.register_profile("house", deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
settings.load_profile("house")
os.environ.pop("TRIBORD_INTERPRETED", None)


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
