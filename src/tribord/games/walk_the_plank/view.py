"""What a seat may see of Walk the Plank: everything except the others' face-down cards (W4, W5)."""

from functools import cache, lru_cache
from typing import Any

import numpy as np

from tribord.core.bits import bit_in, count_bits, nth_bit
from tribord.core.chance import below
from tribord.core.compiled import rule
from tribord.core.record import Floats, Ints, State
from tribord.core.sealed import guess_sealed, hide
from tribord.games.walk_the_plank.actions import CARDS, CREW_IDS, SPACES, card_laid
from tribord.games.walk_the_plank.rules import ALL_CARDS, LIVING, hand, is_face_down
from tribord.games.walk_the_plank.state import FAVOUR, HIDDEN, NONE, OVER, RESOLVING, SLOTS

PHASES = ("favour", "choosing", "resolving", "over")

# Crews are counted from the viewer: 0 is their own, 1 the next to the left.
LAYOUT = (
    ("pirates", 20, "for each crew: its living pirates on the ship and on each tile, / 3"),
    ("aside", 50, "for each crew: which of the ten cards lie aside"),
    ("program", 150, "for each crew and slot: which of the ten cards is laid there, one-hot, where known"),
    ("laid", 15, "for each crew and slot: whether a card is laid there, known or not"),
    ("face_down", 15, "for each crew and slot: whether that card still lies face down"),
    ("plank", 3, "the number of tiles, one-hot"),
    ("favour", 5, "who holds the Favour, one-hot"),
    ("seat", 5, "whose card needs a target, one-hot"),
    ("slot", 3, "which slot is being resolved, one-hot"),
    ("phase", 4, "favour, choosing, resolving, over, one-hot"),
    ("skulls", 10, "which of the ten cards are skull cards"),
    ("progress", 1, "rounds played / the limit, where there is one"),
)
WHOSE = (
    "Crews come as they sit, the viewer's own first: the k-th is crew (seat + k) mod players, and floats of places "
    "beyond the players are 0. Actions name a victim by its colour, crew 0 blue, 1 green, 2 red, 3 yellow, 4 lilac, "
    "for every viewer. The viewer's seat isn't among the floats, so add it if you learn for several seats."
)

# Computed once for every set of cards and every crew's pirates, so that nothing is taken apart bit by bit.
TEN = np.array([[(cards >> card) & 1 for card in range(10)] for cards in range(1024)], np.float32)
THIRDS = np.array([[((pirates >> 2 * s) & 3) / 3 for s in range(SPACES)] for pirates in range(256)], np.float32)


@rule
def view(state: State, seat: int) -> None:
    """W4, W5: the others' cards are secret until they're turned up."""
    hide(state, seat)
    if int(state.phase) == RESOLVING:
        for crew in range(int(state.players)):
            if crew != seat:
                face_up = turned_up(state, crew)
                for slot in range(SLOTS):
                    card = int(state.program[crew, slot])
                    state.program[crew, slot] = HIDDEN if slot >= face_up and card != NONE else card


@rule
def turned_up(state: State, crew: int) -> int:
    """W5: how many of a crew's slots have been turned up, clockwise from the Favour."""
    favour = int(state.favour)
    seat = int(state.seat)
    waits = crew > seat if (crew >= favour) == (seat >= favour) else seat >= favour
    return int(state.slot) + (0 if waits else 1)


@rule
def guess(state: State, seat: int, rng: Ints, out: Ints) -> None:
    """A hidden card can be any of its owner's hand that isn't turned up yet, all orders equally likely."""
    guess_sealed(state, rng, out)
    for crew in range(int(state.players)):
        cards = hand(state, crew)
        for slot in range(SLOTS):
            if int(state.program[crew, slot]) >= 0:
                cards &= ~(1 << int(state.program[crew, slot]))
        for slot in range(SLOTS):
            if int(state.program[crew, slot]) == HIDDEN:
                card = nth_bit(cards, below(rng, count_bits(cards)))
                state.program[crew, slot] = card
                cards &= ~(1 << card)


@rule
def laid(state: State, crew: int, slot: int) -> int:
    """The card a crew has laid in a slot, also while all are still choosing; HIDDEN or NONE."""
    sealed = int(state.sealed[crew])
    if sealed >= 0:
        return card_laid(sealed, slot)
    return HIDDEN if sealed == HIDDEN else int(state.program[crew, slot])


@rule
def lies_face_down(state: State, crew: int, slot: int) -> bool:
    """Whether a crew has laid a card in a slot that is not turned up yet."""
    return int(state.sealed[crew]) != NONE or is_face_down(state, crew, slot)


@rule
def observe(state: State, seat: int, out: Floats) -> None:
    """The floats of LAYOUT."""
    for k in range(len(out)):
        out[k] = 0.0
    players = int(state.players)
    phase = int(state.phase)
    first = max(seat, 0)
    for crew in range(players):
        place = seen_from(first, crew, players)
        pirates = int(state.pirates[crew]) & 255
        aside = int(state.aside[crew]) & ALL_CARDS
        for space in range(SPACES):
            out[place * SPACES + space] = THIRDS[pirates, space]
        for card in range(10):
            out[20 + place * 10 + card] = bit_in(TEN, aside, card)
        face_up = turned_up(state, crew) if phase == RESOLVING else SLOTS
        if int(state.sealed[crew]) != NONE:
            face_up = 0
        for slot in range(SLOTS):
            card = laid(state, crew, slot)
            if card != NONE:
                out[70 + (place * SLOTS + slot) * 10 + max(card, 0)] = 1.0 if card >= 0 else 0.0
                out[220 + place * SLOTS + slot] = 1.0
                out[235 + place * SLOTS + slot] = 1.0 if slot >= face_up else 0.0
    out[250 + int(state.plank) - 1] = 1.0
    if phase != FAVOUR:
        out[253 + seen_from(first, int(state.favour), players)] = 1.0
    if phase == RESOLVING:
        out[258 + seen_from(first, int(state.seat), players)] = 1.0
        out[263 + int(state.slot)] = 1.0
    out[266 + phase] = 1.0
    skulls = int(state.skulls) & ALL_CARDS
    for card in range(10):
        out[270 + card] = bit_in(TEN, skulls, card)
    if int(state.rounds):
        out[280] = (int(state.round_number) - 1) / int(state.rounds)


@rule
def seen_from(first: int, crew: int, players: int) -> int:
    """The place of a crew, counted clockwise from the first. `& 7` tells the compiler that it is never negative."""
    return (crew - first if crew >= first else crew - first + players) & 7


def describe(state: State) -> dict[str, Any]:
    """A state or view as a readable dict."""
    players, phase = state.players, state.phase
    return {
        "phase": PHASES[phase],
        "players": players,
        "round": state.round_number,
        "rounds": state.rounds,
        "plank": state.plank,
        "favour": CREW_IDS[state.favour] if phase != FAVOUR else None,
        "skulls": cards(state.skulls),
        "crews": [describe_crew(state, crew) for crew in range(players)],
        "chosen": [CREW_IDS[seat] for seat in range(players) if state.sealed[seat] != NONE],
        "to_play": CREW_IDS[state.seat] if phase == RESOLVING else None,
        "slot": state.slot + 1 if phase == RESOLVING else None,
        "over": phase == OVER,
    }


def describe_crew(state: State, crew: int) -> dict[str, Any]:
    """A crew as a readable dict."""
    program, turned_up = [state.program[crew, slot] for slot in range(SLOTS)], SLOTS
    if state.sealed[crew] != NONE:
        program, turned_up = [laid(state, crew, slot) for slot in range(SLOTS)], 0
    elif state.phase == RESOLVING:  # W5: slot by slot, and in a slot crew by crew
        turned_up = state.slot + (not is_face_down(state, crew, state.slot))
    return _describe_crew(crew, state.pirates[crew], state.aside[crew], turned_up, *program)


@lru_cache(4_096)  # a crew stays the same while others act, and looks the same to most viewers
def _describe_crew(crew: int, pirates: int, aside: int, turned_up: int, *program: int) -> dict[str, Any]:
    return {
        "crew": CREW_IDS[crew],
        "seat": crew,
        "pirates": [pirates >> 2 * space & 3 for space in range(SPACES)],
        "dead": 3 - int(LIVING[pirates]),
        "aside": cards(aside),
        "cards": [
            {"slot": slot + 1, "face": "up" if slot < turned_up else "down"}
            | ({"card": CARDS[card]} if card >= 0 else {})
            for slot, card in enumerate(program)
            if card != NONE
        ],
    }


@cache
def cards(mask: int) -> list[str]:
    """The cards of a set, by name."""
    return [card for k, card in enumerate(CARDS) if mask >> k & 1]
