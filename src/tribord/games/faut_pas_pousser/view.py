"""What may be seen of Faut pas pousser: everything but the picks that others have sealed (F2, F3)."""

from typing import Any

import numpy as np

from tribord.core.compiled import rule
from tribord.core.record import Floats, Ints, State
from tribord.core.sealed import guess_sealed, hide
from tribord.games.faut_pas_pousser.actions import CARDS, PASS_CARD
from tribord.games.faut_pas_pousser.rules import crew_to_play, points
from tribord.games.faut_pas_pousser.state import CREWS, OVER, PLAYING

CREW_IDS = ("blue", "green", "red", "yellow")
PHASES = ("picking", "turning-up", "drawing-lots", "playing", "over")

# Crews are counted from the one who looks: 0 is one's own, 1 the next to the left.
LAYOUT = (
    ("plank", 20, "for each slot: whose pirate (4, one-hot) and its value / 6"),
    ("pirates", 24, "for each crew: which of its six pirates are yet to play"),
    ("cards", 24, "for each crew: which of -1 -2 -3 +1 +2 and Non merci ! are yet to play"),
    ("points", 4, "for each crew: points so far / 30"),
    ("pass_in", 4, "for each crew: draws until its Non merci !, / 3, where known"),
    ("to_play", 4, "whose turn it is, one-hot"),
    ("phase", 5, "picking, turning up, drawing lots, playing, over, one-hot"),
    ("progress", 2, "falls / 20 and turns / 24"),
    ("pick", 6, "one's own sealed pick, one-hot"),
)


@rule
def view(state: State, seat: int) -> None:
    """F3: the picks of others stay face down until all are revealed."""
    hide(state, seat)


@rule
def guess(state: State, seat: int, rng: Ints) -> None:
    """A hidden pick may be any of the six."""
    guess_sealed(state, rng, np.zeros(6, np.int64))


@rule
def observe(state: State, seat: int, out: Floats) -> None:
    """The floats of LAYOUT."""
    for k in range(len(out)):
        out[k] = 0.0
    for slot in range(4):
        pirate = int(state.plank[slot])
        if pirate:
            out[slot * 5 + ((pirate >> 3) - seat) % CREWS] = 1.0
            out[slot * 5 + 4] = (pirate & 7) / 6.0
    for other in range(CREWS):
        crew = (seat + other) % CREWS
        for k in range(6):
            out[20 + other * 6 + k] = (int(state.pirates[crew]) >> k) & 1
            out[44 + other * 6 + k] = (int(state.cards[crew]) >> k) & 1
        out[68 + other] = points(state, crew) / 30.0
        out[72 + other] = int(state.pass_in[crew]) / 3.0
    if int(state.phase) == PLAYING:
        out[76 + (crew_to_play(state) - seat) % CREWS] = 1.0
    out[80 + int(state.phase)] = 1.0
    out[85] = int(state.falls) / 20.0
    out[86] = int(state.turn) / 24.0
    if seat >= 0 and int(state.sealed[seat]) >= 0:
        out[87 + int(state.sealed[seat])] = 1.0


def describe(state: State) -> dict[str, Any]:
    """A state or view as a readable dict."""
    players, phase = int(state.players), int(state.phase)

    def pirate(code: int) -> dict[str, Any]:
        return {"crew": CREW_IDS[code >> 3], "pirate": code & 7}

    fallen = [pirate(int(code)) for code in state.fallen[: int(state.falls)]]
    return {
        "phase": PHASES[phase],
        "players": players,
        "plank": [pirate(int(code)) for code in state.plank if code],
        "piles": [fallen[k : k + 4] for k in range(0, 20, 4)],
        "crews": [
            {
                "crew": CREW_IDS[crew],
                "seat": crew if crew < players else None,
                "pirates": [v for v in range(1, 7) if int(state.pirates[crew]) >> (v - 1) & 1],
                "cards": [card for k, card in enumerate(CARDS) if int(state.cards[crew]) >> k & 1],
                "pass": bool(int(state.cards[crew]) >> PASS_CARD & 1),
                "points": points(state, crew),
            }
            | ({"pass_in": int(state.pass_in[crew])} if state.pass_in[crew] else {})
            for crew in range(CREWS)
        ],
        "picked": [CREW_IDS[seat] for seat in range(players) if int(state.sealed[seat]) != -1],
        "picks": {CREW_IDS[seat]: int(state.sealed[seat]) + 1 for seat in range(players) if int(state.sealed[seat]) >= 0},
        "order": [CREW_IDS[int(crew)] for crew in state.order] if phase >= PLAYING else [],
        "turn": int(state.turn),
        "to_play": CREW_IDS[crew_to_play(state)] if phase == PLAYING else None,
        "over": phase == OVER,
    }
