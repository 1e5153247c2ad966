"""Evaluation of Faut pas pousser: the points a seat can expect, minus those of its best opponent.

What a pirate on the plank or in hand will score was learnt from matches between bots, and rounded.
"""

from pathlib import Path
from typing import Any

import numpy as np

from tribord.core.bits import count_bits
from tribord.core.compiled import rule
from tribord.core.net import forward, read_net
from tribord.core.record import Ints, State
from tribord.games.faut_pas_pousser.actions import (
    PASS,
    PASS_CARD,
    card_of,
    pirate_enters_first,
    pirate_of,
    slot_of,
    turn_number,
)
from tribord.games.faut_pas_pousser.features import features
from tribord.games.faut_pas_pousser.rules import (
    STEPS,
    TURNS,
    apply,
    cards_to_play,
    legal,
    pirates_to_play,
    points,
    single_choices,
)
from tribord.games.faut_pas_pousser.state import CREWS, OVER, PICKING, PLAYING

# What a pirate in each slot will score: almost nothing at the first fall, the slot's points at the last.
EARLY = np.array([1.0, 0.8, 0.4, 0.2])
LATE = np.array([9.0, 8.0, 7.0, 6.0])
CAPTAIN_ON_PLANK = 1.3  # what a Captain on the plank adds at the end; nothing at first
PAIR_EARLY, PAIR_LATE = 3.0, 7.5  # a pirate in hand, with an action card to go with it
CAPTAIN_IN_HAND = 2.5  # what a Captain in hand adds at the end: it's better played late
PASS_LEFT = -0.5  # Non merci ! does no harm at first, but it's bad to have it left
CERTAIN = 20.0  # what a point is worth at the end
STRONG = 0.4  # how much more -2 and -3 are worth than the other actions


@rule
def expected(state: State, crew: int) -> float:
    """The points a crew can expect: those it has, and what its pirates, cards and pass will bring."""
    total = float(points(state, crew))
    if int(state.phase) == OVER:
        return total
    late = int(state.falls) / 20.0
    early = 1.0 - late
    for slot in range(4):
        pirate = int(state.plank[slot])
        if pirate and pirate >> 3 == crew:
            total += early * EARLY[slot] + late * LATE[slot]
            if pirate & 7 == 1:
                total += CAPTAIN_ON_PLANK * late * late
    for value in range(6):
        if (int(state.pirates[crew]) >> value) & 1:
            total += early * PAIR_EARLY + late * PAIR_LATE
            if value == 0:
                total += CAPTAIN_IN_HAND * late
    cards = int(state.cards[crew])
    total += STRONG * (((cards >> 1) & 1) + ((cards >> 2) & 1))
    if (cards >> PASS_CARD) & 1:
        total += PASS_LEFT * late
    return total


@rule
def evaluate(state: State, seat: int) -> float:
    """The seat's expected points minus those of its best opponent."""
    best = -1000.0
    for crew in range(int(state.players)):
        if crew != seat:
            best = max(best, expected(state, crew))
    return expected(state, seat) - best


# What decided a match


# Fitted to some 400 matches between mousses and matelots: the points to come, and how well they predict the winner.
# The net below predicts no better here, and is almost sure of the winner once the order of play is known.
SLOT_EARLY = np.array([1.3, 1.2, 0.6, 0.1])
SLOT_LATE = np.array([8.0, 7.2, 6.6, 5.8])
TURN, LATE_TURN = 3.1, 5.0  # a turn to come, and how much more the last one brings
CAPTAIN_STANDS, CAPTAIN_TO_COME = 2.0, 3.5  # in the end
PASS_SPENDS = 6.5  # Non merci ! takes a turn and brings nothing
SURE, UNSURE = 1.0, 1.0  # points that make a win e times as likely at the end, and how many more at the start


@rule
def chances(state: State, out: Any) -> None:
    """The chances of winning from the points each crew can expect, to say afterward what decided a match."""
    players = int(state.players)
    late = int(state.falls) / 20.0
    best = -1000.0
    for place in range(CREWS):
        crew = int(state.order[place])
        if crew < players:
            pass_left = (int(state.cards[crew]) >> PASS_CARD) & 1
            total = float(points(state, crew)) - PASS_SPENDS * pass_left
            for slot in range(4):
                pirate = int(state.plank[slot])
                if pirate and pirate >> 3 == crew:
                    total += (1.0 - late) * SLOT_EARLY[slot] + late * SLOT_LATE[slot]
                    if pirate & 7 == 1:
                        total += CAPTAIN_STANDS * late * late
            turn = int(state.turn) + (place - int(state.turn)) % CREWS
            for _k in range(count_bits(int(state.pirates[crew])) + pass_left):
                total += TURN + LATE_TURN * (turn / TURNS) ** 2
                turn += CREWS
            total += CAPTAIN_TO_COME * late * (int(state.pirates[crew]) & 1)
            out[crew] = total
            best = max(best, total)
    mass = 0.0
    for crew in range(players):
        out[crew] = np.exp((out[crew] - best) / (SURE + UNSURE * (1.0 - late)))
        mass += out[crew]
    for crew in range(players):
        out[crew] /= mass


# Search


SEARCH = {
    "c_puct": 0.2, "prior_temperature": 0.1, "endgame_leaves": 1300, "opponent_error": 0.3, "value_noise": 0.05,
    "opponent_prior": 0.5,
}  # fmt: skip
ITERATIONS = {"bosco": 300, "capitaine": 3000}
MIXTURE = {"bosco": 0.5}  # here a bosco that always searches wasn't measurably weaker than a capitaine
LUCK = (0.05, 0.25)  # coefficients of luck in the arena, fitted by `python -m tribord.lab.luck`
# Prior value of the first pirate: the one furthest right starts (F5) and mostly loses, so pick a low one. But not the
# Captain, which is worth most at the end (F12).
PICKS = np.array([-0.08, 0.0, -0.08, -0.18, -0.25, -0.3])
NET = read_net(Path(__file__).parent)
ROWS, BIAS, LAST = NET


@rule
def values(state: State, out: Any) -> None:
    """The chances of winning: the softmax of the net's logits, or the result if the match is over."""
    players = int(state.players)
    best = -1000.0
    for seat in range(players):
        n = features(state, seat, CREWS, out)
        if int(state.phase) == OVER:
            out[seat] = CERTAIN * points(state, seat)
        else:  # before the installation no feature is active, and all chances are equal
            out[seat] = forward(ROWS, BIAS, LAST, players - 2, out, CREWS, n)
        best = max(best, out[seat])
    mass = 0.0
    for seat in range(players):
        out[seat] = np.exp(out[seat] - best)
        mass += out[seat]
    for seat in range(players):
        out[seat] /= mass


@rule
def prior_value(state: State, trial: State, seat: int, action: int, out: Any) -> float:
    """A pick's prior value is in PICKS; a turn's is the value of the state it leads to."""
    if int(state.phase) == PICKING:
        return float(PICKS[action])
    apply(trial, seat, action, None)
    values(trial, out)
    return float(out[seat])


@rule
def candidates(state: State, seat: int, partial: int, out: Ints) -> int:
    """Every pirate while picking; then one turn for each plank that turns can lead to."""
    if int(state.phase) == PICKING:
        return legal(state, seat, out)
    pirates = pirates_to_play(state, seat)
    cards = cards_to_play(state, seat)
    n = 0
    if single_choices(state, seat):
        out[n] = PASS
        n += 1
    for pirate in range(1, 7):
        for card in range(5):
            if (pirates >> (pirate - 1)) & (cards >> card) & 1:
                first = n
                for k in range(8):
                    action = turn_number(k >> 2, pirate, card, (k & 3) + 1)
                    plank = plank_after(state, seat, action)
                    known = False
                    for other in range(first, n):
                        known = known or plank_after(state, seat, int(out[other])) == plank
                    if not known:
                        out[n] = action
                        n += 1
    return n


@rule
def distinct(state: State, seat: int, out: Ints) -> int:
    """The same."""
    return candidates(state, seat, 0, out)


@rule
def plank_after(state: State, crew: int, action: int) -> int:
    """The plank after a turn (F9, F10), and who fell (F11), as one number: five bits for each pirate, slot 1 first."""
    plank = 0
    for slot in range(4):
        plank |= int(state.plank[slot]) << 5 * slot
    fallen = 0
    for step in range(2):
        if (step == 0) == pirate_enters_first(action):
            fallen = plank >> 15
            lead = pirate_of(action) - (plank & 7)
            plank = put_in(plank & 0x7FFF, min(max(lead, 0), 3), crew * 8 + pirate_of(action))
        else:
            start = slot_of(action) - 1
            goal = min(max(start + int(STEPS[card_of(action)]), 0), 3)
            plank = put_in(take_out(plank, start), goal, (plank >> 5 * start) & 31)
    return plank | fallen << 20


@rule
def take_out(plank: int, slot: int) -> int:
    """The plank without the pirate in a slot; those after it close up."""
    return plank & ((1 << 5 * slot) - 1) | plank >> 5 * (slot + 1) << 5 * slot


@rule
def put_in(plank: int, slot: int, pirate: int) -> int:
    """The plank with a pirate put into a slot; those from there on make room."""
    return plank & ((1 << 5 * slot) - 1) | pirate << 5 * slot | plank >> 5 * slot << 5 * (slot + 1)


@rule
def leaf_count(state: State) -> int:
    """F6: with four players about this many leaves: a pirate and a card lead to some six different planks."""
    if int(state.phase) != PLAYING or int(state.players) != CREWS or int(state.turn) < TURNS - 7:
        return 0
    leaves = 1
    for turn in range(int(state.turn), TURNS):
        crew = int(state.order[turn % CREWS])
        gone = (turn - int(state.turn)) // CREWS  # turns this crew has had by then
        pirates = max(count_bits(int(state.pirates[crew])) - gone, 1)
        cards = max(count_bits(int(state.cards[crew])) - gone, 1)
        leaves *= min(6 * pirates * cards, 100)
    return leaves
