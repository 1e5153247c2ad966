"""What a seat may see of Sauve qui peut !: everything except the sealed votes of others (S6)."""

from functools import lru_cache
from typing import Any

import numpy as np

from tribord.core.compiled import rule
from tribord.core.record import Floats, Ints, State
from tribord.core.sealed import guess_sealed, hide
from tribord.games.sauve_qui_peut.actions import (
    CAP,
    CREW_IDS,
    HELMSMAN,
    PERSONS,
    SAILOR,
    VOTE_BOAT,
    VOTE_CREW,
    notation,
)
from tribord.games.sauve_qui_peut.rules import (
    ISLAND,
    SEATS,
    heads,
    lane_left,
    leak_supply,
    person_between,
    points_for,
    unit,
)
from tribord.games.sauve_qui_peut.state import BOATS, DRAWING_FIRST, LANDED, NO_BOAT, NOBODY, OVER, OVERBOARD, SUNK

PHASES = ("drawing-first", "placing", "leak", "overboard", "advance", "leaving", "boarding", "over")
ISLANDS = ("left", "centre", "right")

# Crews are counted from the viewing seat: 0 is its own, 1 the next clockwise.
LAYOUT = (
    ("people", 84, "for each lane and crew: sailors / 5 and helmsmen / 2 in the boat"),
    ("rows", 35, "for each lane: sunk or no boat, landed, row 2, 3, 4, one-hot"),
    ("leaks", 7, "for each lane: leaks / 6"),
    ("waiting", 12, "for each crew: sailors / 5 and helmsmen / 2 still on deck"),
    ("between", 54, "for each crew: a sailor or a helmsman between boats, and the lane left, one-hot"),
    ("tokens", 6, "for each crew: priority tokens / 3"),
    ("points", 6, "for each crew: points so far / 40"),
    ("drowned", 6, "for each crew: people lost / 7"),
    ("baton", 6, "who holds the captain's baton, one-hot"),
    ("turn", 6, "whose turn it is, one-hot"),
    ("sealing", 6, "who must still vote"),
    ("phase", 8, "drawing, placing, leak, overboard, advance, leaving, boarding, over, one-hot"),
    ("boat", 7, "the full boat of an overboard vote, one-hot"),
    ("target_boats", 7, "the boats this seat may decide on after a vote"),
    ("target_crews", 6, "the crews this seat may decide on after a vote"),
    ("ballot", 14, "the seat's own sealed vote: boat, crew or cap, one-hot"),
)
WHOSE = (
    "Crews come in seating order, the viewing seat's first: the k-th is crew (seat + k) mod players. Floats beyond the "
    "number of players are 0. Actions name a crew by its colour, the same for every seat: crew 0 blue, 1 green, 2 red, "
    "3 yellow, 4 lilac, 5 bone. The floats don't contain the seat: if you train one policy for several seats, add it."
)

SHARE = np.array([[(code & 7) / 5, (code >> 3) / 2] for code in range(32)], np.float32)  # of a crew, by code of people


@rule
def view(state: State, seat: int) -> None:
    """S6: votes are secret until all are revealed."""
    hide(state, seat)


@rule
def guess(state: State, seat: int, rng: Ints, out: Ints) -> None:
    """A hidden vote may be any that its owner could have cast."""
    guess_sealed(state, rng, out)


@rule
def observe(state: State, seat: int, out: Floats) -> None:
    """The floats of LAYOUT."""
    for k in range(len(out)):
        out[k] = 0.0
    players = int(state.players)
    first = seat if seat >= 0 else players - 1
    phase = int(state.phase)
    sealing = int(state.sealing)
    targets = int(state.targets)
    landed = 0
    for lane in range(BOATS):
        row = int(state.rows[lane])
        out[84 + lane * 5 + max(row, SUNK)] = 1.0
        out[119 + lane] = int(state.leaks[lane]) * (1 / 6)
        if row == LANDED:
            landed |= 1 << lane
    for other in range(players):
        crew = (first + other if first + other < players else first + other - players) & 7
        points = 0
        for lane in range(BOATS):
            aboard = int(state.people[lane, crew]) & 31
            if (landed >> lane) & 1:
                points += points_for(aboard, lane)
            out[lane * 12 + other * 2] = SHARE[aboard, SAILOR]
            out[lane * 12 + other * 2 + 1] = SHARE[aboard, HELMSMAN]
        waiting = int(state.waiting[crew]) & 31
        out[126 + other * 2] = SHARE[waiting, SAILOR]
        out[127 + other * 2] = SHARE[waiting, HELMSMAN]
        if int(state.between[crew]):
            out[138 + other * 9 + person_between(state, crew)] = 1.0
            out[140 + other * 9 + lane_left(state, crew)] = 1.0
        out[192 + other] = int(state.tokens[crew]) * (1 / 3)
        out[198 + other] = points * (1 / 40)
        out[204 + other] = heads(int(state.drowned[crew])) * (1 / 7)
        out[222 + other] = (sealing >> crew) & 1
        if phase == OVERBOARD:
            out[250 + other] = (targets >> crew) & 1
    out[210 + (int(state.baton) - first) % players] = 1.0
    if int(state.turn) != NOBODY:
        out[216 + (int(state.turn) - first) % players] = 1.0
    out[228 + phase] = 1.0
    if int(state.boat) >= 0:
        out[236 + int(state.boat)] = 1.0
    if phase != OVERBOARD:
        for lane in range(BOATS):
            out[243 + lane] = (targets >> lane) & 1
    if seat >= 0 and int(state.sealed[seat]) >= 0:
        ballot = int(state.sealed[seat])
        if VOTE_CREW <= ballot < CAP:
            ballot = VOTE_CREW + (ballot - VOTE_CREW - seat) % players
        out[256 + ballot - VOTE_BOAT] = 1.0


POINTS = [[points_for(people, lane) for people in range(1 << 5)] for lane in range(BOATS)]  # S15, by the code of people
WORTH = [{person: points_for(unit(k), lane) for k, person in enumerate(PERSONS)} for lane in range(BOATS)]


def describe(state: State) -> dict[str, Any]:
    """A state or view as a readable dict."""
    players, phase, people = state.players, state.phase, state.people.tolist()
    targets = [k for k in range(BOATS) if state.targets >> k & 1]
    landed = [lane for lane in range(BOATS) if state.rows[lane] == LANDED]
    return {
        "phase": PHASES[phase],
        "players": players,
        "boats": [
            describe_boat(lane, state.rows[lane], state.leaks[lane], *people[lane])
            for lane in range(BOATS)
            if state.rows[lane] != NO_BOAT
        ],
        "crews": [
            describe_crew(
                crew, state.tokens[crew], sum([POINTS[lane][people[lane][crew]] for lane in landed]),
                state.waiting[crew], state.drowned[crew], state.between[crew],
            )
            for crew in range(players)
        ],
        "leaks_left": leak_supply(state),
        "baton": CREW_IDS[state.baton] if phase != DRAWING_FIRST else None,
        "turn": CREW_IDS[state.turn] if state.turn != NOBODY else None,
        "full_boat": state.boat + 1 if state.boat >= 0 else None,
        "by_rule": f"S{state.by_rule}" if state.by_rule else None,
        "targets": [CREW_IDS[k] if phase == OVERBOARD else k + 1 for k in targets],
        "voting": [CREW_IDS[seat] for seat in range(players) if state.sealing >> seat & 1],
        "voted": [CREW_IDS[seat] for seat in range(players) if state.sealed[seat] != -1],
        "votes": {
            CREW_IDS[seat]: notation(state.sealed[seat]) for seat in range(players) if state.sealed[seat] >= 0
        },
        "over": phase == OVER,
    }  # fmt: skip


# A boat and a crew stay as they are while others change: their descriptions are kept.


@lru_cache(4_096)
def describe_boat(lane: int, row: int, leaks: int, *codes: int) -> dict[str, Any]:
    """A boat as a readable dict, from the codes of its people by crew."""
    where = "sunk" if row == SUNK else "landed" if row == LANDED else "at-sea"
    return {
        "lane": lane + 1,
        "island": ISLANDS[int(ISLAND[lane])],
        "worth": dict(WORTH[lane]),
        "where": where,
        "row": row,
        "leaks": leaks,
        "free": SEATS - leaks - sum(map(heads, codes)) if where == "at-sea" else 0,
        "people": {CREW_IDS[crew]: people(code) for crew, code in enumerate(codes) if code},
    }


@lru_cache(4_096)
def describe_crew(crew: int, tokens: int, score: int, waiting: int, drowned: int, between: int) -> dict[str, Any]:
    """A crew as a readable dict."""
    described = {
        "crew": CREW_IDS[crew],
        "seat": crew,
        "tokens": tokens,
        "points": score,
        "waiting": people(waiting),
        "drowned": people(drowned),
    }
    if between:
        described["between"] = {"person": PERSONS[(between - 1) & 1], "lane": ((between - 1) >> 1) + 1}
    return described


def people(code: int) -> dict[str, int]:
    """People of one crew in one place."""
    return {"sailors": code & 7, "helmsmen": code >> 3}
