"""The rules of Faut pas pousser, in the order of the sheet. Read it with RULES.en.md in hand: F1, F2, F3…"""

from typing import Any

import numpy as np

from tribord.core.batch import Mask
from tribord.core.bits import count_bits, nth_bit
from tribord.core.chance import below
from tribord.core.compiled import rule
from tribord.core.event import emit
from tribord.core.record import CHANCE, Ints, State
from tribord.core.sealed import ask, seal, unseal
from tribord.games.faut_pas_pousser.actions import (
    CHANCES,
    FIRST_TURN,
    LOT_RED,
    LOT_YELLOW,
    PASS,
    PASS_CARD,
    TURN_UP_PASS,
    card_of,
    pirate_enters_first,
    pirate_of,
    slot_of,
    turn_number,
)
from tribord.games.faut_pas_pousser.events import (
    CAPTAIN,
    CHOSEN,
    COUNTING,
    ENTERS,
    FALLS,
    FIRST,
    INSTALLED,
    LAST_ROUND,
    LOTS,
    MOVES,
    NEUTRAL_BACK,
    NEUTRAL_CARD,
    NEUTRAL_PASS,
    PASSES,
    SCORES,
    SHARES,
    STAYS,
    WINS,
)
from tribord.games.faut_pas_pousser.state import CREWS, DRAWING_LOTS, OVER, PICKING, PLAYING, TURNING_UP

STEPS = np.array([-1, -2, -3, 1, 2])  # what each action card moves, toward slot 4 when positive
ALL_SIX = 0b111111
ALL_FIVE = 0b11111
TURNS = 24
FIRST_WORTH = 9  # F12: of slot 1 at the end; each further one is worth a point less
WORTH = tuple(FIRST_WORTH - slot for slot in range(4))
THIRD = 3  # F16: a Non merci ! put back in the middle is the crew's third later card


@rule
def initial(state: State, options: Any) -> None:
    """F1, F15: six pirates, five actions and a Non merci ! each; neutral crews have no actions."""
    state.players = options.players
    for crew in range(CREWS):
        state.pirates[crew] = ALL_SIX
        state.cards[crew] = ALL_SIX if crew < options.players else 1 << PASS_CARD
        state.installed[crew] = 0
        state.pass_in[crew] = 0
        state.order[crew] = 0
        state.age[crew] = 0
        state.plank[crew] = 0
    rest = int(options.age)
    for place in range(options.players):
        state.age[rest % 10] = place
        rest //= 10
    for k in range(20):
        state.fallen[k] = 0
    state.falls = 0
    state.left = 0
    state.turn = 0
    state.phase = PICKING
    ask(state, (1 << options.players) - 1)


@rule
def to_act(state: State) -> int:
    """Everyone at once while picking (F3), then the player whose turn it is; neutral crews are chance (F19)."""
    if int(state.phase) == PICKING:
        return int(state.sealing)
    if int(state.phase) == PLAYING and crew_to_play(state) < int(state.players):
        return 1 << crew_to_play(state)
    return 0


@rule
def crew_to_play(state: State) -> int:
    """F5, F17: the order is fixed at the installation and repeats six times."""
    return int(state.order[int(state.turn) % CREWS])


@rule
def single_choices(state: State, seat: int) -> int:
    """F3: any pirate while picking. F6: Non merci !, which is played alone. Bit k for action k."""
    if int(state.phase) == PICKING:
        return int(state.pirates[seat])
    return ((int(state.cards[seat]) >> PASS_CARD) & 1) << PASS


@rule
def pirates_to_play(state: State, seat: int) -> int:
    """F6, F7: the pirates left. A turn plays any of them with any of `cards_to_play`."""
    return 0 if int(state.phase) == PICKING else int(state.pirates[seat])


@rule
def cards_to_play(state: State, seat: int) -> int:
    """F6, F7: the action cards left; each is played with a pirate."""
    return 0 if int(state.phase) == PICKING else int(state.cards[seat]) & ALL_FIVE


@rule
def legal(state: State, seat: int, out: Ints) -> int:
    """The single choices, and every pirate with every card in either order on each of the four slots."""
    if not (to_act(state) >> seat) & 1:
        return 0
    single = single_choices(state, seat)
    pirates = pirates_to_play(state, seat)
    cards = cards_to_play(state, seat)
    n = 0
    for action in range(FIRST_TURN):
        if (single >> action) & 1:
            out[n] = action
            n += 1
    for pirate_first in range(2):
        for pirate in range(1, 7):
            if (pirates >> (pirate - 1)) & 1:
                for card in range(5):
                    if (cards >> card) & 1:
                        first = turn_number(pirate_first, pirate, card, 1)
                        for slot in range(4):
                            out[n] = first + slot
                            n += 1
    return n


@rule
def mark(state: State, seat: int, mask: Mask, out: Ints) -> None:
    """`legal` as a mask, for a seat that must decide."""
    single = single_choices(state, seat)
    pirates = pirates_to_play(state, seat)
    cards = cards_to_play(state, seat)
    for action in range(FIRST_TURN):
        mask[action] = (single >> action) & 1
    for pirate in range(6):
        for card in range(5):
            both = (pirates >> pirate) & (cards >> card) & 1
            for slot in range(4):
                mask[FIRST_TURN + (pirate * 5 + card) * 4 + slot] = both
    for turn in range(FIRST_TURN, FIRST_TURN + 120):
        mask[turn + 120] = mask[turn]  # the other order


@rule
def sample(state: State, seat: int, rng: Ints, out: Ints) -> int:
    """A legal action drawn uniformly without listing all 240: a turn's order, pirate, card and slot are independent."""
    single = single_choices(state, seat)
    pirates = pirates_to_play(state, seat)
    cards = cards_to_play(state, seat)
    turns = count_bits(pirates) * count_bits(cards) * 8
    choice = below(rng, turns + count_bits(single))
    if choice >= turns:
        return nth_bit(single, choice - turns)
    slot = choice & 3
    pirate_first = (choice >> 2) & 1
    choice >>= 3
    pirate = nth_bit(pirates, choice % count_bits(pirates)) + 1
    card = nth_bit(cards, choice // count_bits(pirates))
    return turn_number(pirate_first, pirate, card, slot + 1)


@rule
def apply(state: State, seat: int, action: int, events: Any) -> None:
    """Carry out a pick, a turn, or what chance decided."""
    if int(state.phase) == PICKING:
        emit(events, CHOSEN, 3, seat)
        if seal(state, seat, action):
            reveal_picks(state)
            install_when_ready(state, events)
    elif int(state.phase) == TURNING_UP:
        turn_up_for_installation(state, action, events)
        install_when_ready(state, events)
    elif int(state.phase) == DRAWING_LOTS:
        state.left = 2 + action - LOT_RED
        emit(events, LOTS, 16, int(state.left))
        install(state, events)
    else:
        crew = crew_to_play(state)
        if seat == CHANCE:
            neutral_turn(state, crew, action, events)
        else:
            player_turn(state, crew, action, events)
        state.turn = int(state.turn) + 1
        if int(state.turn) == TURNS - CREWS:
            emit(events, LAST_ROUND, 7)
        if int(state.turn) == TURNS:
            finish(state, events)


# Installation


@rule
def reveal_picks(state: State) -> None:
    """F3: all picks are revealed at once."""
    for seat in range(int(state.players)):
        state.installed[seat] = int(state.sealed[seat]) + 1
        discard_pirate(state, seat, int(state.sealed[seat]) + 1)
    unseal(state)
    state.phase = TURNING_UP


@rule
def next_to_turn_up(state: State) -> int:
    """F16: the neutral crews turn up a card in crew order; CREWS when all have."""
    for crew in range(int(state.players), CREWS):
        if int(state.installed[crew]) == 0:
            return crew
    return CREWS


@rule
def turn_up_for_installation(state: State, card: int, events: Any) -> None:
    """F16: a Non merci ! goes back in the middle of the pile, third from the top, and another card is drawn."""
    crew = next_to_turn_up(state)
    if card == TURN_UP_PASS:
        state.pass_in[crew] = THIRD
        emit(events, NEUTRAL_BACK, 16, crew)
    else:
        state.installed[crew] = card + 1
        discard_pirate(state, crew, card + 1)
        emit(events, NEUTRAL_CARD, 16, crew, card + 1)


@rule
def install_when_ready(state: State, events: Any) -> None:
    """Install once every crew has a pirate; F16: chance decides between equal neutrals."""
    if next_to_turn_up(state) < CREWS:
        return
    if int(state.players) == 2 and int(state.installed[2]) == int(state.installed[3]):
        state.phase = DRAWING_LOTS
    else:
        install(state, events)


@rule
def install(state: State, events: Any) -> None:
    """F4: the revealed pirates take the slots in ascending order; then the order of play is fixed."""
    for crew in range(CREWS):
        slot = 0
        for other in range(CREWS):
            if other != crew and lies_left(state, other, crew):
                slot += 1
        state.plank[slot] = crew * 8 + int(state.installed[crew])
    for slot in range(4):
        emit(events, INSTALLED, 4, int(state.plank[slot]) >> 3, int(state.plank[slot]) & 7, slot + 1)
    fix_order_of_play(state, events)
    for crew in range(CREWS):
        state.installed[crew] = 0
    state.left = 0
    state.phase = PLAYING


@rule
def lies_left(state: State, crew: int, other: int) -> bool:
    """F4: lower values first, then the younger player. F16: players before neutrals, and chance between neutrals."""
    players = int(state.players)
    value = int(state.installed[crew])
    other_value = int(state.installed[other])
    if value != other_value:
        return value < other_value
    if crew < players and other < players:
        return int(state.age[crew]) < int(state.age[other])
    if crew >= players and other >= players:
        return int(state.left) == crew
    return crew < players


@rule
def fix_order_of_play(state: State, events: Any) -> None:
    """F5: the player furthest right starts and play goes round in seat order. F17: neutrals last, rightmost first."""
    players = int(state.players)
    place = players
    first = -1
    for slot in range(3, -1, -1):
        crew = int(state.plank[slot]) >> 3
        if crew >= players:
            state.order[place] = crew
            place += 1
        elif first < 0:
            first = crew
    for k in range(players):
        state.order[k] = (first + k) % players
    emit(events, FIRST, 5 if players == CREWS else 17, first)


# A turn


@rule
def player_turn(state: State, crew: int, action: int, events: Any) -> None:
    """F6: Non merci ! alone, or a pirate and an action in either order (F8)."""
    if action == PASS:
        discard_card(state, crew, PASS_CARD)
        emit(events, PASSES, 6, crew)
        return
    pirate = pirate_of(action)
    card = card_of(action)
    discard_pirate(state, crew, pirate)
    discard_card(state, crew, card)
    if pirate_enters_first(action):
        enter(state, crew, pirate, events)
        move_on_plank(state, crew, slot_of(action), card, events)
    else:
        move_on_plank(state, crew, slot_of(action), card, events)
        enter(state, crew, pirate, events)


@rule
def discard_pirate(state: State, crew: int, value: int) -> None:
    """F7: every card is played once."""
    state.pirates[crew] = int(state.pirates[crew]) & ~(1 << (value - 1))


@rule
def discard_card(state: State, crew: int, card: int) -> None:
    """F7: every card is played once."""
    state.cards[crew] = int(state.cards[crew]) & ~(1 << card)


@rule
def move_on_plank(state: State, crew: int, slot: int, card: int, events: Any) -> None:
    """F9: the pirate in the slot goes as far as the card says, or to the end; those it passes shift."""
    start = slot - 1
    goal = min(max(start + int(STEPS[card]), 0), 3)
    moved = int(state.plank[start])
    step = 1 if goal > start else -1
    place = start
    while place != goal:
        state.plank[place] = state.plank[place + step]
        place += step
    state.plank[goal] = moved
    if goal == start:
        emit(events, STAYS, 9, crew, int(STEPS[card]), moved >> 3, moved & 7, slot)
    else:
        emit(events, MOVES, 9, crew, int(STEPS[card]), moved >> 3, moved & 7, slot, goal + 1)


@rule
def enter(state: State, crew: int, value: int, events: Any) -> None:
    """F10: the lead over the pirate in slot 1 gives the slot; the pirate in slot 4 falls first.

    The entry comes before the fall, so that people see the cause before its effect.
    """
    first = int(state.plank[0]) & 7
    lead = value - first
    slot = min(max(lead, 0), 3)
    emit(events, ENTERS, 10, crew, value, first, lead, slot + 1)
    fall(state, events)
    for place in range(3, slot, -1):
        state.plank[place] = state.plank[place - 1]
    state.plank[slot] = crew * 8 + value


@rule
def fall(state: State, events: Any) -> None:
    """F11: the k-th pirate to fall belongs to pile ⌈k/4⌉."""
    pirate = int(state.plank[3])
    state.fallen[int(state.falls)] = pirate
    state.falls = int(state.falls) + 1
    emit(events, FALLS, 11, pirate >> 3, pirate & 7, (int(state.falls) + 3) // 4)


# End


@rule
def points(state: State, crew: int) -> int:
    """F11, F12: the points of a crew so far."""
    return (points_of_all(state) >> 8 * crew) & 255


@rule
def points_of_all(state: State) -> int:
    """F11, F12: the pile of every fallen pirate, 9 8 7 6 along the plank, 2 more for a Captain still on it.

    Eight bits per crew are enough: all points together are at most 98.
    """
    total = 0
    for k in range(int(state.falls)):
        total += (k // 4 + 1) << 8 * (int(state.fallen[k]) >> 3)
    if int(state.phase) == OVER:
        for slot in range(4):
            pirate = int(state.plank[slot])
            total += (FIRST_WORTH - slot + (2 if pirate & 7 == 1 else 0)) << 8 * (pirate >> 3)
    return total


@rule
def finish(state: State, events: Any) -> None:
    """F12: all cards are played; the plank is counted."""
    state.phase = OVER
    if events is not None:
        emit(events, COUNTING, 12)
        for slot in range(4):
            pirate = int(state.plank[slot])
            emit(events, SCORES, 12, pirate >> 3, pirate & 7, slot + 1, FIRST_WORTH - slot)
            if pirate & 7 == 1:
                emit(events, CAPTAIN, 12, pirate >> 3)
        best = 0
        winners = 0
        for seat in range(int(state.players)):
            best = max(best, points(state, seat))
        for seat in range(int(state.players)):
            if points(state, seat) == best:
                winners += 1
        for seat in range(int(state.players)):
            if points(state, seat) == best:
                emit(events, WINS if winners == 1 else SHARES, 13, seat, best)


@rule
def outcome(state: State, scores: Ints, wins: Ints) -> int:
    """F13: most points among the players wins; equal best scores share the victory."""
    if int(state.phase) != OVER:
        return 0
    best = 0
    for seat in range(int(state.players)):
        scores[seat] = points(state, seat)
        best = max(best, int(scores[seat]))
    for seat in range(int(state.players)):
        wins[seat] = 1 if scores[seat] == best else 0
    return 1


# Two or three players


@rule
def chance(state: State, weights: Ints) -> int:
    """F16, F18, F19: what chance may decide now; everything possible is equally likely."""
    possible = pending(state)
    if possible == 0:
        return 0
    for k in range(CHANCES):
        weights[k] = (possible >> k) & 1
    return CHANCES


@rule
def pending(state: State) -> int:
    """The possible chance outcomes, one bit each: which equal neutral lies left, or which card a neutral turns up."""
    phase = int(state.phase)
    if phase == TURNING_UP:
        return possible_cards(state, next_to_turn_up(state))
    if phase == DRAWING_LOTS:
        return (1 << LOT_RED) | (1 << LOT_YELLOW)
    if phase == PLAYING and crew_to_play(state) >= int(state.players):
        return possible_cards(state, crew_to_play(state))
    return 0


@rule
def possible_cards(state: State, crew: int) -> int:
    """F16: any card left in a neutral pile can be on top, unless the place of Non merci ! is known."""
    known = int(state.pass_in[crew])
    if known == 1:
        return 1 << TURN_UP_PASS
    pirates = int(state.pirates[crew])
    if known == 0 and (int(state.cards[crew]) >> PASS_CARD) & 1:
        return pirates | (1 << TURN_UP_PASS)
    return pirates


@rule
def neutral_turn(state: State, crew: int, card: int, events: Any) -> None:
    """F18: a pirate steps on with no action; Non merci ! is a pass."""
    if int(state.pass_in[crew]) > 0:
        state.pass_in[crew] = int(state.pass_in[crew]) - 1
    if card == TURN_UP_PASS:
        discard_card(state, crew, PASS_CARD)
        emit(events, NEUTRAL_PASS, 18, crew)
    else:
        emit(events, NEUTRAL_CARD, 18, crew, card + 1)
        discard_pirate(state, crew, card + 1)
        enter(state, crew, card + 1, events)


@rule
def roll(state: State, rng: Ints, weights: Ints) -> int:
    """A chance outcome without listing the weights."""
    possible = pending(state)
    return nth_bit(possible, below(rng, count_bits(possible)))
