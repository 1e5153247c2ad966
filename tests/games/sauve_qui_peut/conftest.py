"""Positions of Sauve qui peut ! for tests, with chosen boats, people and votes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tribord import Event, Game, Match, load
from tribord.core.sealed import ask
from tribord.games.sauve_qui_peut.actions import CREW_IDS
from tribord.games.sauve_qui_peut.rules import begin_leaving
from tribord.games.sauve_qui_peut.state import ADVANCE, BOATS, LEAK, SUNK

settings.register_profile(
    "sauve-qui-peut", max_examples=20, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)  # an example is a whole interpreted match
settings.load_profile("sauve-qui-peut")


@pytest.fixture
def game() -> Game:
    """Sauve qui peut !."""
    return load("sauve-qui-peut")


@pytest.fixture
def position(game: Game) -> Callable[..., Match]:
    """position(4, {3: {"row": 2, "leaks": 1, "red": "ssh"}}): these boats at sea, with sailors and helmsmen aboard.

    Boats that aren't named have sunk, people in no boat have drowned. The match is about to vote on a leak,
    or on an advance, or to change boats, as `phase` says.
    """

    def place(
        players: int, boats: Mapping[int, Mapping[str, Any]], phase: str = "leak", baton: int = 0, tokens: int = 3
    ) -> Match:
        match = game.match(players, seed=1, options={"first": baton})
        state = match.state
        for seat in range(players):
            state.drowned[seat] = state.waiting[seat]
            state.waiting[seat] = 0
            state.tokens[seat] = tokens
        for lane in range(BOATS):
            boat = boats.get(lane + 1)
            state.rows[lane] = SUNK if boat is None else boat.get("row", 4)
            state.leaks[lane] = 0 if boat is None else boat.get("leaks", 0)
            for crew, aboard in (boat or {}).items():
                if crew in CREW_IDS:
                    seat = CREW_IDS.index(crew)
                    people = aboard.count("s") + 8 * aboard.count("h")
                    assert seat < players and int(state.drowned[seat]) >= people
                    state.people[lane, seat] = people
                    state.drowned[seat] -= people
        if phase == "leaving":
            begin_leaving(state, None)
        else:
            state.phase = {"leak": LEAK, "advance": ADVANCE}[phase]
            state.turn = -1
            ask(state, (1 << players) - 1)
        return match

    return place


@pytest.fixture
def cast() -> Callable[[Match, str], list[Event]]:
    """cast(match, "4 red cap"): the seats that vote cast these votes, in seat order; returns what happened."""

    def cast_votes(match: Match, votes: str) -> list[Event]:
        happened: list[Event] = []
        for seat, vote in zip(match.to_act, votes.split(), strict=True):
            happened += match.play(seat, vote if vote == "cap" else f"vote {vote}")
        return happened

    return cast_votes


@pytest.fixture
def boat() -> Callable[[Match, int], dict[str, Any]]:
    """boat(match, 3): the boat in a lane, as everyone sees it."""

    def find(match: Match, lane: int) -> dict[str, Any]:
        (found,) = [boat for boat in match.view()["boats"] if boat["lane"] == lane]
        return found

    return find


@pytest.fixture
def choices() -> Callable[..., set[str]]:
    """choices(match, seat): what a seat (or the one seat to act) may do, in notation."""

    def find(match: Match, seat: int | None = None) -> set[str]:
        if seat is None:
            (seat,) = match.to_act
        return {match.game.notation(action) for action in match.legal(seat)}

    return find


@pytest.fixture
def play_on() -> Callable[..., Match]:
    """play_on(match, until): the first legal action of a seat that must act, until the condition holds or the end."""

    def first_legal(match: Match, until: Callable[[Match], bool]) -> Match:
        while not match.over and not until(match):
            seat = match.to_act[0]
            match.play(seat, match.legal(seat)[0])
        return match

    return first_legal
