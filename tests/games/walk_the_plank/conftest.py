"""Positions of Walk the Plank for tests, with chosen pirates and cards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tribord import Game, Match, load

settings.register_profile(
    "walk-the-plank", max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)  # an example is a whole interpreted match
settings.load_profile("walk-the-plank")

CREWS = ("blue", "green", "red", "yellow", "lilac")
IDLE = "charge extend i-dont-want-to-die"  # no effect: charge as card 1, a full plank, everyone on the ship


@pytest.fixture
def game() -> Game:
    """Walk the Plank."""
    return load("walk-the-plank")


@pytest.fixture
def position(game: Game) -> Callable[..., Match]:
    """position(blue=[0, 1, 2], green=[], …): a match about to choose cards, with living pirates on these spaces.

    Crews that aren't named have three pirates on the ship, and the first seat has the Favour unless stated otherwise.
    """

    def place(players: int = 3, plank: int = 3, favour: int = 0, options: Any = None, **crews: list[int]) -> Match:
        match = game.match(players, seed=1, options=options)
        match.state.plank = plank
        match.state.favour = favour
        for seat in range(players):
            spaces = crews.get(CREWS[seat], [0, 0, 0])
            match.state.pirates[seat] = sum(1 << 2 * space for space in spaces)
            if not spaces:
                match.state.sealing = int(match.state.sealing) & ~(1 << seat)
        return match

    return place


@pytest.fixture
def lay() -> Callable[..., list[Any]]:
    """lay(match, blue="run charge drag"): everyone lays cards, idle ones unless stated otherwise."""

    def lay_cards(match: Match, **programs: str) -> list[Any]:
        happened = []
        for seat in match.to_act:
            happened += match.play(seat, f"program {programs.get(CREWS[seat], IDLE)}")
        return happened

    return lay_cards


@pytest.fixture
def spaces() -> Callable[[Match, str], list[int]]:
    """spaces(match, "red"): where the living pirates of a crew stand."""

    def find(match: Match, crew: str) -> list[int]:
        counts = match.truth()["crews"][CREWS.index(crew)]["pirates"]
        return [space for space, count in enumerate(counts) for _k in range(count)]

    return find


@pytest.fixture
def choices() -> Callable[[Match], set[str]]:
    """choices(match): what the one seat to act may do, in notation."""

    def find(match: Match) -> set[str]:
        (seat,) = match.to_act
        return {match.game.notation(action) for action in match.legal(seat)}

    return find
