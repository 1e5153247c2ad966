"""What a seat may see of Faut pas pousser: everything except the others' sealed picks (F2, F3)."""

from functools import lru_cache
from itertools import accumulate
from typing import Any

import numpy as np

from tribord.core.bits import bit_in
from tribord.core.compiled import rule
from tribord.core.record import Floats, Ints, State
from tribord.core.sealed import NOTHING, guess_sealed, hide
from tribord.games.faut_pas_pousser.actions import CARDS, PASS_CARD
from tribord.games.faut_pas_pousser.rules import ALL_SIX, crew_to_play, points_of_all
from tribord.games.faut_pas_pousser.state import CREW_IDS, CREWS, OVER, PLAYING

VALUES = range(1, 7)
PHASES = ("picking", "turning-up", "drawing-lots", "playing", "over")

# Crews are counted from the viewer: 0 is their own, 1 the next to the left.
LAYOUT = (
    ("plank", 20, "for each slot: whose pirate (4, one-hot) and its value / 6"),
    ("pirates", 24, "for each crew: which of its six pirates are still to play"),
    ("cards", 24, "for each crew: which of -1 -2 -3 +1 +2 and Non merci ! are still to play"),
    ("points", 4, "for each crew: points so far / 30"),
    ("pass_in", 4, "for each crew: draws until its Non merci !, / 3, where known"),
    ("to_play", 4, "whose turn it is, one-hot"),
    ("phase", 5, "picking, turning up, breaking a tie, playing, over, one-hot"),
    ("progress", 2, "falls / 20 and turns / 24"),
    ("pick", 6, "the viewer's sealed pick, one-hot"),
    ("order", 4, "for each crew: its place in the order of play (1..4) / 4, once that is fixed"),
    ("age", 4, "for each player: its place in the age order (1..4, the youngest is 1) / 4"),
)
WHOSE = (
    "Crews come as they sit, the viewer's own first: the k-th is crew (seat + k) mod 4. That holds at every table: if "
    "fewer than four play, neutral crews (F15) have the last numbers and keep their places. Actions name no crew."
)
# Where each stretch begins.
PLANK, PIRATES, ACTIONS, POINTS, PASS_IN, TO_PLAY, PHASE, PROGRESS, PICK, ORDER, AGE, _END = accumulate(
    (length for _name, length, _meaning in LAYOUT), initial=0
)

SIX = np.array([[(cards >> k) & 1 for k in range(6)] for cards in range(64)], np.float32)  # a set of six as floats


@rule
def view(state: State, seat: int) -> None:
    """F3: the others' picks stay face down until all are revealed."""
    hide(state, seat)


@rule
def guess(state: State, seat: int, rng: Ints, out: Ints) -> None:
    """A hidden pick can be any of the six."""
    guess_sealed(state, rng, out)


@rule
def observe(state: State, seat: int, out: Floats) -> None:
    """The floats of LAYOUT."""
    for k in range(len(out)):
        out[k] = 0.0
    for slot in range(4):
        pirate = int(state.plank[slot])
        if pirate:
            out[PLANK + slot * 5 + (((pirate >> 3) - seat) & 3)] = 1.0
            out[PLANK + slot * 5 + 4] = (pirate & 7) * (1 / 6)
    scored = points_of_all(state)
    for other in range(CREWS):
        crew = (seat + other) & 3
        pirates = int(state.pirates[crew]) & ALL_SIX
        cards = int(state.cards[crew]) & ALL_SIX
        for k in range(6):
            out[PIRATES + other * 6 + k] = bit_in(SIX, pirates, k)
        for k in range(6):
            out[ACTIONS + other * 6 + k] = bit_in(SIX, cards, k)
        out[POINTS + other] = ((scored >> 8 * crew) & 255) * (1 / 30)
        out[PASS_IN + other] = int(state.pass_in[crew]) * (1 / 3)
        out[AGE + other] = (int(state.age[crew]) + 1) * 0.25 if crew < int(state.players) else 0.0
    if int(state.phase) == PLAYING:
        out[TO_PLAY + ((crew_to_play(state) - seat) & 3)] = 1.0
    if int(state.phase) >= PLAYING:
        for place in range(CREWS):
            out[ORDER + ((int(state.order[place]) - seat) & 3)] = (place + 1) * 0.25
    out[PHASE + int(state.phase)] = 1.0
    out[PROGRESS] = int(state.falls) * (1 / 20)
    out[PROGRESS + 1] = int(state.turn) * (1 / 24)
    if seat >= 0 and int(state.sealed[seat]) >= 0:
        out[PICK + int(state.sealed[seat])] = 1.0


def describe(state: State) -> dict[str, Any]:
    """A state or view as a readable dict."""
    players, phase = state.players, state.phase
    fallen = [PIRATES_BY_CODE[int(code)] for code in state.fallen[: state.falls]]
    sealed = {CREW_IDS[seat]: state.sealed[seat] for seat in range(players)}
    scores = points_of_all(state)
    return {
        "phase": PHASES[phase],
        "players": players,
        "plank": [PIRATES_BY_CODE[int(code)] for code in state.plank if code],
        "piles": [fallen[k : k + 4] for k in range(0, 20, 4)],
        "crews": [
            describe_crew(
                crew, crew < players, state.pirates[crew], state.cards[crew], scores >> 8 * crew & 255,
                state.pass_in[crew],
            )
            for crew in range(CREWS)
        ],
        "picked": [crew for crew, action in sealed.items() if action != NOTHING],
        "picks": {crew: action + 1 for crew, action in sealed.items() if action >= 0},
        "revealed": {CREW_IDS[crew]: state.installed[crew] for crew in range(CREWS) if state.installed[crew]},
        "order": [CREW_IDS[int(crew)] for crew in state.order] if phase >= PLAYING else [],
        "turn": state.turn,
        "to_play": CREW_IDS[crew_to_play(state)] if phase == PLAYING else None,
        "over": phase == OVER,
    }  # fmt: skip


PIRATES_BY_CODE = {
    crew << 3 | value: {"crew": CREW_IDS[crew], "pirate": value} for crew in range(CREWS) for value in VALUES
}


@lru_cache(4_096)  # a crew stays the same while others act
def describe_crew(crew: int, seated: bool, pirates: int, cards: int, score: int, pass_in: int) -> dict[str, Any]:
    """A crew as a readable dict."""
    return {
        "crew": CREW_IDS[crew],
        "seat": crew if seated else None,
        "pirates": [value for value in VALUES if pirates >> (value - 1) & 1],
        "cards": [card for k, card in enumerate(CARDS) if cards >> k & 1],
        "pass": bool(cards >> PASS_CARD & 1),
        "points": score,
    } | ({"pass_in": pass_in} if pass_in else {})
