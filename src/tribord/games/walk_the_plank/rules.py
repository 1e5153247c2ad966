"""The rules of Walk the Plank, in the order of the sheet. Read it with RULES.en.md in hand: W1, W2, W3…"""

from typing import Any

import numpy as np

from tribord.core.batch import Mask
from tribord.core.bits import bit_in, count_bits, list_bits, nth_bit
from tribord.core.chance import below
from tribord.core.compiled import rule
from tribord.core.event import emit
from tribord.core.record import Ints, State
from tribord.core.sealed import ask, seal, unseal
from tribord.games.walk_the_plank.actions import (
    ACTIONS,
    CHANCES,
    CHARGE,
    DRAG,
    EXTEND,
    FIRST_TARGET,
    FLEE,
    NOBODY,
    PROGRAMS,
    PULL,
    RETRACT,
    RUN,
    SHOVE_ANYONE,
    SHOVE_LEFT,
    SHOVE_RIGHT,
    SPACES,
    TO_SEA,
    TO_SHIP,
    card_laid,
    target_choice,
    target_space,
)
from tribord.games.walk_the_plank.events import (
    ALL_ABOARD,
    ASIDE,
    CHARGES,
    CHOSEN,
    DRAGS,
    DROWNS,
    EXTENDS,
    FLEES,
    LAST_CARDS,
    LIMIT,
    LONG_PLANK,
    NEW_ROUND,
    NO_COMPANY,
    NO_COMPANY_OFF_SHIP,
    NO_EFFECT,
    NO_NEIGHBOUR,
    NO_RUN_UP,
    NO_WINNER,
    NOT_LEFT,
    NOT_RIGHT,
    OUT,
    PULLS,
    PUSHES,
    RECEIVES,
    RETRACTS,
    REVEALS,
    RUNS,
    SHARES,
    SHORT_PLANK,
    SHOVES,
    WINS,
)
from tribord.games.walk_the_plank.state import (
    CHOOSING,
    CREWS,
    FAVOUR,
    HIDDEN,
    LAST_ROUND,
    NONE,
    OVER,
    RESOLVING,
    SEA,
    SHIP,
    SLOTS,
)

ALL_ON_SHIP = 3
ALL_CARDS = 0b11_1111_1111
LONGEST, SHORTEST = 3, 1
RULE_OF_CARD = np.array([10, 10, 11, 12, 12, 13, 14, 15, 16, 17])

# What the two bits per space of a crew say: where it has at least one pirate, at least two, and how many in all.
ONE = np.array([sum(1 << s for s in range(SPACES) if p >> 2 * s & 3) for p in range(256)])
TWO = np.array([sum(1 << s for s in range(SPACES) if p >> 2 * s & 2) for p in range(256)])
LIVING = np.array([sum(p >> 2 * s & 3 for s in range(SPACES)) for p in range(256)])

# A card's targets are a set, one bit each: four spaces for every crew, way or number of steps.
EVERY_CHOICE = 0x111111  # times a set of spaces: those spaces, with any crew, way or number
ALL_SPACES, OFF_SHIP, TWO_FROM_SHIP = 0b1111, 0b1110, 0b1100
ALL_TARGETS = EVERY_CHOICE * ALL_SPACES
WAYS_TO_RUN = OFF_SHIP << TO_SHIP * SPACES | ALL_SPACES << TO_SEA * SPACES
WAYS_TO_FLEE = OFF_SHIP | OFF_SHIP << SPACES
EVERY_CONDITION, OWN, ALLOWED, MET = range(4)  # of a target: see `meeting`
MOST_TARGETS = ACTIONS - int(FIRST_TARGET[CHARGE])  # the card with the most targets comes last
EIGHT = np.array([[(cards >> card) & 1 for card in range(8)] for cards in range(256)], np.int8)


# Material and set-up


@rule
def initial(state: State, options: Any) -> None:
    """W1: three tiles. W2: three pirates each on the ship, all cards in hand. W3: the Favour isn't given yet."""
    players = int(options.players)
    state.players = players
    state.phase = FAVOUR
    state.plank = LONGEST
    state.favour = 0
    state.round_number = 1
    state.rounds = options.rounds
    state.skulls = options.skulls
    state.slot = 0
    state.seat = 0
    for crew in range(CREWS):
        state.pirates[crew] = ALL_ON_SHIP if crew < players else 0
        state.aside[crew] = 0
        for slot in range(SLOTS):
            state.program[crew, slot] = NONE
    ask(state, 0)


@rule
def move(state: State, crew: int, start: int, goal: int, events: Any) -> None:
    """W1: one pirate of a crew moves from space to space; past the last tile it drowns."""
    pirates = int(state.pirates[crew]) - (1 << 2 * start)
    if goal <= int(state.plank):
        state.pirates[crew] = pirates + (1 << 2 * goal)
    else:
        state.pirates[crew] = pirates
        drown(state, crew, events)


@rule
def drown(state: State, crew: int, events: Any) -> None:
    """W1: the drowned stay out. W9: a crew without pirates is out."""
    pirates = int(state.pirates[crew])
    emit(events, DROWNS, 1, crew, int(LIVING[pirates]))
    if pirates == 0:
        emit(events, OUT, 9, crew)
        lose_cards(state, crew)


@rule
def landing(state: State, space: int) -> int:
    """Where a pirate ends up that goes to a space: there, or in the sea."""
    return space if space <= int(state.plank) else SEA


@rule
def chance(state: State, weights: Ints) -> int:
    """W3: one random player holds the Favour."""
    if int(state.phase) != FAVOUR:
        return 0
    for seat in range(CHANCES):
        weights[seat] = 1 if seat < int(state.players) else 0
    return CHANCES


@rule
def roll(state: State, rng: Ints, weights: Ints) -> int:
    """W3: all players are equally likely."""
    return below(rng, int(state.players))


# A round


@rule
def to_act(state: State) -> int:
    """W4: all living players at once while choosing. W5: then the owner of the card that needs a target."""
    if int(state.phase) == CHOOSING:
        return int(state.sealing)
    if int(state.phase) == RESOLVING:
        return 1 << int(state.seat)
    return 0


@rule
def choices(state: State, seat: int) -> int:
    """W4: the cards in hand, three of which make a program. W6: then the targets of the card that is turned up.

    This alone decides what is legal: `legal` lists it, `mark` marks it, and `sample` draws from it.
    """
    if int(state.phase) == CHOOSING:
        return hand(state, seat)
    return targets(state, seat, card_to_aim(state))


@rule
def legal(state: State, seat: int, out: Ints) -> int:
    """W4: three different cards from the hand, in any order. W6: then the targets of the turned-up card."""
    if not (to_act(state) >> seat) & 1:
        return 0
    possible = choices(state, seat)
    if int(state.phase) == CHOOSING:
        return list_programs(possible, out)
    return list_bits(possible, int(FIRST_TARGET[card_to_aim(state)]), out)


@rule
def mark(state: State, seat: int, mask: Mask, out: Ints) -> None:
    """The same as a mask."""
    choosing = int(state.phase) == CHOOSING
    possible = choices(state, seat)
    mark_programs(possible if choosing else 0, mask)
    for action in range(PROGRAMS, ACTIONS):
        mask[action] = 0
    if not choosing:
        first = int(FIRST_TARGET[card_to_aim(state)])
        for target in range(MOST_TARGETS):
            mask[first + target] = (possible >> target) & 1


@rule
def sample(state: State, seat: int, rng: Ints, out: Ints) -> int:
    """One of them, drawn uniformly without listing them."""
    possible = choices(state, seat)
    if int(state.phase) == CHOOSING:
        return sample_program(possible, rng)
    return int(FIRST_TARGET[card_to_aim(state)]) + nth_bit(possible, below(rng, count_bits(possible)))


# W4: a program is one of ten cards, one of the other nine, one of the other eight: places among those left.


@rule
def without(cards: int, place: int) -> int:
    """A set of cards as a set of places among those left when one place is taken out."""
    below_it = (1 << place) - 1
    return cards & below_it | (cards >> 1) & ~below_it


@rule
def list_programs(ten: int, out: Ints) -> int:
    """List all programs of a hand."""
    n = 0
    for first in range(10):
        if (ten >> first) & 1:
            nine = without(ten, first)
            for second in range(9):
                if (nine >> second) & 1:
                    eight = without(nine, second)
                    for third in range(8):
                        if (eight >> third) & 1:
                            out[n] = first * 72 + second * 8 + third
                            n += 1
    return n


@rule
def mark_programs(ten: int, mask: Mask) -> None:
    """Mark all programs of a hand, and only those of the programs."""
    for first in range(10):
        nine = without(ten, first) if (ten >> first) & 1 else 0
        for second in range(9):
            eight = without(nine, second) if (nine >> second) & 1 else 0
            for third in range(8):
                mask[first * 72 + second * 8 + third] = bit_in(EIGHT, eight, third)


@rule
def sample_program(ten: int, rng: Ints) -> int:
    """Draw a program of a hand uniformly."""
    n = count_bits(ten)
    first = nth_bit(ten, below(rng, n))
    nine = without(ten, first)
    second = nth_bit(nine, below(rng, n - 1))
    third = nth_bit(without(nine, second), below(rng, n - 2))
    return first * 72 + second * 8 + third


@rule
def apply(state: State, seat: int, action: int, events: Any) -> None:
    """Give the Favour, seal a program, or play the turned-up card on a target."""
    phase = int(state.phase)
    if phase == FAVOUR:
        state.favour = action
        emit(events, RECEIVES, 3, action)
        announce_limit(state, events)
        choose_cards(state)
        return
    if phase == CHOOSING:
        emit(events, CHOSEN, 4, seat)
        if not seal(state, seat, action):
            return
        lay_cards(state)
    else:
        card = card_to_aim(state)
        carry_out(state, seat, card, action - int(FIRST_TARGET[card]), events)
        pass_turn(state)
    resolve_cards(state, events)


@rule
def hand(state: State, seat: int) -> int:
    """W2, W7: the ten cards, except those that are aside."""
    return ALL_CARDS & ~int(state.aside[seat])


@rule
def choose_cards(state: State) -> None:
    """W4: all living players choose three cards and their order, in secret."""
    state.phase = CHOOSING
    living = 0
    for seat in range(int(state.players)):
        if int(state.pirates[seat]):
            living |= 1 << seat
    ask(state, living)


@rule
def lay_cards(state: State) -> None:
    """W4: everyone has chosen; the cards lie face down. W5: the holder of the Favour starts with card 1."""
    for seat in range(int(state.players)):
        if int(state.pirates[seat]):
            for slot in range(SLOTS):
                state.program[seat, slot] = card_laid(int(state.sealed[seat]), slot)
    unseal(state)
    state.phase = RESOLVING
    state.slot = 0
    state.seat = state.favour


@rule
def resolve_cards(state: State, events: Any) -> None:
    """W5: turn up one card after another, until one needs a target or the round is over."""
    while int(state.slot) < SLOTS:
        seat = int(state.seat)
        if card_to_aim(state) == HIDDEN:
            return  # a view knows no further
        if int(state.pirates[seat]) and turn_up(state, seat, events):
            return
        pass_turn(state)
    end_round(state, events)


@rule
def pass_turn(state: State) -> None:
    """W5: to the left; after a full circle, everyone's next card."""
    seat = int(state.seat) + 1
    if seat == int(state.players):
        seat = 0
    state.seat = seat
    if seat == int(state.favour):
        state.slot = int(state.slot) + 1


@rule
def card_to_aim(state: State) -> int:
    """W5: the card whose turn has come."""
    return int(state.program[int(state.seat), int(state.slot)])


@rule
def is_face_down(state: State, seat: int, slot: int) -> bool:
    """W5: a card is turned up when its turn comes, clockwise from the Favour."""
    if int(state.phase) != RESOLVING or int(state.program[seat, slot]) == NONE or slot < int(state.slot):
        return False
    players = int(state.players)
    favour = int(state.favour)
    return slot > int(state.slot) or (seat - favour) % players > (int(state.seat) - favour) % players


@rule
def turn_up(state: State, seat: int, events: Any) -> bool:
    """W6: a card acts whenever it can. True if its owner must choose a target, even the only one."""
    card = card_to_aim(state)
    emit(events, REVEALS, 5, seat, int(state.slot) + 1, card)
    if card == EXTEND and int(state.plank) < LONGEST:
        extend(state, seat, events)
    elif card == RETRACT and int(state.plank) > SHORTEST:
        retract(state, seat, events)
    elif targets(state, seat, card):
        return True
    elif events is not None:  # else the reason, which no one hears, costs a GPU a quarter of its speed
        emit(events, NO_EFFECT, int(RULE_OF_CARD[card]), seat, card, why_no_effect(state, seat, card))
    return False


@rule
def why_no_effect(state: State, seat: int, card: int) -> int:
    """W6: what a card lacks that can't be carried out."""
    if card in (SHOVE_LEFT, SHOVE_RIGHT):
        if neighbour(state, seat, 1) == seat:
            return NO_NEIGHBOUR
        return NOT_LEFT if card == SHOVE_LEFT else NOT_RIGHT
    if card == EXTEND:
        return LONG_PLANK
    if card == RETRACT:
        return SHORT_PLANK
    if card == PULL:
        return NO_COMPANY_OFF_SHIP
    if card == FLEE:
        return ALL_ABOARD
    return NO_RUN_UP if card == CHARGE else NO_COMPANY


@rule
def targets(state: State, seat: int, card: int) -> int:
    """W6: a card's targets, one bit each; 0 if it has no effect or leaves nothing to choose."""
    return meeting(state, seat, card, EVERY_CONDITION)


@rule
def meeting(state: State, seat: int, card: int, condition: int) -> int:
    """The targets of a card that meet a condition, or every condition: a refusal names the first that isn't met.

    OWN: one of the owner's pirates is there. ALLOWED: the card can be used like that. MET: the other pirate is there.
    """
    own = int(ONE[int(state.pirates[seat])]) * EVERY_CHOICE
    allowed = ALL_TARGETS
    met = ALL_TARGETS
    if card in (SHOVE_LEFT, SHOVE_RIGHT):  # W10: one neighbour's pirate; W9: never one's own
        crew = shoved(state, seat, card)
        allowed = 0 if crew == seat else ALL_SPACES << crew * SPACES
        met = int(ONE[int(state.pirates[crew])]) << crew * SPACES
    elif card in (SHOVE_ANYONE, DRAG, PULL):  # W11, W13: anyone's pirate; W14: Pull isn't used on the ship
        allowed = OFF_SHIP * EVERY_CHOICE if card == PULL else ALL_TARGETS
        met = sharing(state, seat)
    elif card == RUN:  # W15: either way, from the ship only toward the sea
        allowed = WAYS_TO_RUN
    elif card == FLEE:  # W16: off the ship; from tile 1 one space and two are the same choice
        allowed = WAYS_TO_FLEE
        met = ALL_SPACES | TWO_FROM_SHIP << SPACES
    elif card == CHARGE and int(state.slot) > 0:  # W17: never as card 1; someone on the next space must be shoved
        met = charged(state)
    else:  # W6: Extend and Retract don't ask
        allowed = 0
    if condition == EVERY_CONDITION:
        return own & allowed & met
    if condition == OWN:
        return own
    return allowed if condition == ALLOWED else met


@rule
def sharing(state: State, seat: int) -> int:
    """W11: where each crew has a pirate, and the owner's crew a second one."""
    found = 0
    for crew in range(int(state.players)):
        if crew != seat:
            found |= int(ONE[int(state.pirates[crew])]) << crew * SPACES
    return found | int(TWO[int(state.pirates[seat])]) << seat * SPACES


@rule
def charged(state: State) -> int:
    """W17: where the next space has pirates of each crew; nobody's if it's empty or the sea."""
    someone = 0
    found = 0
    for crew in range(int(state.players)):
        ahead = int(ONE[int(state.pirates[crew])]) >> 1
        someone |= ahead
        found |= ahead << crew * SPACES
    return found | (ALL_SPACES & ~someone) << NOBODY * SPACES


@rule
def shoved(state: State, seat: int, card: int) -> int:
    """W10: whose pirates Shove Left and Shove Right hit."""
    return neighbour(state, seat, 1 if card == SHOVE_LEFT else int(state.players) - 1)


@rule
def carry_out(state: State, seat: int, card: int, target: int, events: Any) -> None:
    """W6: carry a card out on a target."""
    space = target_space(target)
    choice = target_choice(target)
    decided = events is not None and is_decided(state)
    if card == DRAG:
        drag(state, seat, space, choice, events)
    elif card == PULL:
        pull(state, seat, space, choice, events)
    elif card == RUN:
        run(state, seat, space, choice, events)
    elif card == FLEE:
        flee(state, seat, space, choice + 1, events)
    elif card == CHARGE:
        charge(state, seat, space, choice, events)
    else:
        shove(state, seat, card, space, choice, events)
    announce_end(state, decided, events)


@rule
def take_back_cards(state: State, events: Any) -> None:
    """W7: all cards go back to the hand, except this round's skull cards: they stay aside for the next."""
    skulls = int(state.skulls)
    for seat in range(int(state.players)):
        aside = 0
        for slot in range(SLOTS):
            card = int(state.program[seat, slot])
            state.program[seat, slot] = NONE
            if int(state.pirates[seat]) and (skulls >> card) & 1:
                aside |= 1 << card
                emit(events, ASIDE, 7, seat, card)
        state.aside[seat] = aside


@rule
def pass_favour(state: State, events: Any) -> None:
    """W8: the Favour goes to the right, to the next living player, who starts the new round."""
    state.favour = neighbour(state, int(state.favour), int(state.players) - 1)
    state.round_number = min(int(state.round_number) + 1, LAST_ROUND)
    emit(events, NEW_ROUND, 8, int(state.favour), int(state.round_number))
    announce_limit(state, events)


@rule
def lose_cards(state: State, crew: int) -> None:
    """W9: the cards of a crew that is out don't count any more, and nobody will see them."""
    for slot in range(SLOTS):
        if is_face_down(state, crew, slot):
            state.program[crew, slot] = NONE
    state.aside[crew] = 0


@rule
def neighbour(state: State, seat: int, step: int) -> int:
    """W9, W10: the next living player, going round by `step` seats; the seat itself if nobody else lives."""
    players = int(state.players)
    other = seat
    for _k in range(players - 1):
        other += step
        if other >= players:
            other -= players
        if int(state.pirates[other]):
            return other
    return seat


# Cards


@rule
def shove(state: State, seat: int, card: int, space: int, victim: int, events: Any) -> None:
    """W10, W11: a pirate that shares the space goes one space toward the sea."""
    emit(events, SHOVES, int(RULE_OF_CARD[card]), seat, victim, space, landing(state, space + 1))
    move(state, victim, space, space + 1, events)


@rule
def extend(state: State, seat: int, events: Any) -> None:
    """W12: one more tile."""
    state.plank = int(state.plank) + 1
    emit(events, EXTENDS, 12, seat, int(state.plank))


@rule
def retract(state: State, seat: int, events: Any) -> None:
    """W12: one tile less; everyone on it drowns."""
    tile = int(state.plank)
    decided = events is not None and is_decided(state)
    state.plank = tile - 1
    emit(events, RETRACTS, 12, seat, tile - 1)
    for crew in range(int(state.players)):
        for _k in range((int(state.pirates[crew]) >> 2 * tile) & 3):
            move(state, crew, tile, tile, events)
    announce_end(state, decided, events)


@rule
def drag(state: State, seat: int, space: int, victim: int, events: Any) -> None:
    """W13: one of the owner's pirates and another go one space toward the sea, or into it."""
    emit(events, DRAGS, 13, seat, victim, space, landing(state, space + 1))
    move(state, seat, space, space + 1, events)
    move(state, victim, space, space + 1, events)


@rule
def pull(state: State, seat: int, space: int, victim: int, events: Any) -> None:
    """W14: both go one space toward the ship."""
    emit(events, PULLS, 14, seat, victim, space, space - 1)
    move(state, seat, space, space - 1, events)
    move(state, victim, space, space - 1, events)


@rule
def run(state: State, seat: int, space: int, way: int, events: Any) -> None:
    """W15: one space either way."""
    goal = space + 1 if way == TO_SEA else space - 1
    emit(events, RUNS, 15, seat, space, landing(state, goal))
    move(state, seat, space, goal, events)


@rule
def flee(state: State, seat: int, space: int, steps: int, events: Any) -> None:
    """W16: one or two spaces toward the ship, no further."""
    goal = max(space - steps, SHIP)
    emit(events, FLEES, 16, seat, space, goal)
    move(state, seat, space, goal, events)


@rule
def charge(state: State, seat: int, space: int, victim: int, events: Any) -> None:
    """W17: one space toward the sea, then shove another pirate on that space."""
    emit(events, CHARGES, 17, seat, space, landing(state, space + 1))
    move(state, seat, space, space + 1, events)
    if victim != NOBODY:
        emit(events, PUSHES, 17, seat, victim, space + 1, landing(state, space + 2))
        move(state, victim, space + 1, space + 2, events)


# End


@rule
def end_round(state: State, events: Any) -> None:
    """W18, W20: all cards are played; the match ends, or W7 and W8 lead to the next round."""
    state.slot = 0
    state.seat = 0
    if is_decided(state) or int(state.round_number) == int(state.rounds):
        finish(state, events)
    else:
        take_back_cards(state, events)
        pass_favour(state, events)
        choose_cards(state)


@rule
def is_decided(state: State) -> bool:
    """W18: at most two pirates live, or all living pirates are of one colour."""
    living = 0
    crews = 0
    for crew in range(int(state.players)):
        pirates = int(state.pirates[crew])
        living += int(LIVING[pirates])
        if pirates:
            crews += 1
    return living <= 2 or crews <= 1


@rule
def announce_end(state: State, decided: bool, events: Any) -> None:
    """W18: the drowned stay out: a card that leaves few enough makes this round the last, unless it's its last card."""
    if events is not None and not decided and is_decided(state):
        for seat in range(int(state.players)):
            if int(state.pirates[seat]) and is_face_down(state, seat, SLOTS - 1):
                emit(events, LAST_CARDS, 18, int(state.round_number))
                return


@rule
def announce_limit(state: State, events: Any) -> None:
    """W20: the last round begins."""
    if int(state.round_number) == int(state.rounds):
        emit(events, LAST_CARDS, 20, int(state.round_number))


@rule
def finish(state: State, events: Any) -> None:
    """W19: every player with a living pirate wins. W20: unless the limit ended the match."""
    state.phase = OVER
    winners = 0
    for crew in range(int(state.players)):
        if int(state.pirates[crew]):
            winners += 1
        state.aside[crew] = 0
        for slot in range(SLOTS):
            state.program[crew, slot] = NONE
    if events is not None:
        if not is_decided(state):
            emit(events, LIMIT, 20, int(state.round_number))
        elif winners == 0:
            emit(events, NO_WINNER, 19)
        else:
            for crew in range(int(state.players)):
                pirates = int(state.pirates[crew])
                if pirates:
                    emit(events, WINS if winners == 1 else SHARES, 19, crew, int(LIVING[pirates]))


@rule
def outcome(state: State, scores: Ints, wins: Ints) -> int:
    """W19: 1 for each winner, else 0. Reasons: 1 the last pirates, 2 nobody is left, 3 the limit (W20)."""
    if int(state.phase) != OVER:
        return 0
    decided = is_decided(state)
    anyone = False
    for seat in range(int(state.players)):
        lives = int(state.pirates[seat]) != 0
        anyone = anyone or lives
        wins[seat] = 1 if lives and decided else 0
        scores[seat] = wins[seat]
    if not decided:
        return 3
    return 1 if anyone else 2
