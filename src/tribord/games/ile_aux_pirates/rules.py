"""The rules of L'Île aux Pirates, in the order of the sheet. Read it with RULES.en.md in hand: I1, I2, I3…"""

from typing import Any

from tribord.core.batch import Mask
from tribord.core.bits import count_bits, nth_bit
from tribord.core.chance import below
from tribord.core.compiled import rule
from tribord.core.event import emit
from tribord.core.record import CHANCE, Ints, State
from tribord.games.ile_aux_pirates.actions import (
    CHANCES,
    DICE,
    DRAW_FORCES,
    FIRST_SEAT,
    FORCES,
    THROW_OF_THREE,
    THROW_OF_TWO,
    THROW_TWO,
    WAYS,
    die_of,
    move_number,
    pawn_of,
)
from tribord.games.ile_aux_pirates.events import (
    BOARDS,
    CAPTURED,
    DIE_LOST,
    DUEL,
    ESCAPED,
    FACE_DOWN,
    FORCE,
    HOLDS,
    HOME,
    LAST_TURN,
    LATE,
    LEAVES_CASTLE,
    MOVES,
    PIRATE_FIRST,
    SAFE,
    SENT_BACK,
    SHIP_HELD,
    SHIP_TAKEN,
    SHOWS,
    STANDOFF,
    STARTS,
    THROWS,
    THROWS_ALONE,
    THROWS_BASE,
    THROWS_TWO,
)
from tribord.games.ile_aux_pirates.state import (
    ALL_ABOARD,
    ALL_PIRATES,
    ALL_SENT_BACK,
    BROWN_CHILDREN,
    CASTLE,
    CHILDREN,
    COLOURED_CHILDREN,
    COLOURS,
    DRAWING_FIRST,
    DRAWING_FORCES,
    LOST,
    MOVING,
    NO_CHILD_LEFT,
    NOBODY,
    OUT,
    OUT_OF_TURNS,
    PAWNS,
    PIRATES,
    SHIP,
    THROWING,
    WON,
)


@rule
def initial(state: State, options: Any) -> None:
    """I6: three brown children and pirate 2. I10, I18: three or four brown, eight coloured, three pirates."""
    strategic = int(options.game)
    state.players = options.players
    state.strategic = strategic
    state.hard = options.hard
    state.memory = strategic * int(options.memory)
    for pawn in range(PAWNS):
        state.at[pawn] = CASTLE if strategic or pawn < 3 or pawn == CHILDREN else OUT
    if strategic and not options.harder:
        state.at[3] = OUT
    for figure in range(PIRATES):
        state.force[figure] = 0
    if not strategic:
        state.force[0] = 2
    state.turns_left = options.turns
    state.shown = 0
    put_dice_away(state)
    # I12: a chosen player starts, or `turn` is `players` and chance decides. I6, I10: else seat or colour 0.
    state.turn = options.first if strategic and options.players > 1 else 0
    state.phase = DRAWING_FORCES if strategic else THROWING


@rule
def to_act(state: State) -> int:
    """The player whose turn it is, once the dice are rolled. I10: alone, a player plays every colour."""
    if int(state.phase) != MOVING:
        return 0
    return 1 if int(state.players) == 1 else 1 << int(state.turn)


@rule
def chance(state: State, weights: Ints) -> int:
    """I11: six ways to hand out the forces. I12: who starts. I2: a roll, weighed by the orders in which it falls."""
    phase = int(state.phase)
    if phase >= MOVING:
        return 0
    for outcome in range(CHANCES):
        weights[outcome] = 0
    if phase == DRAWING_FORCES:
        for outcome in range(DRAW_FORCES, CHANCES):
            weights[outcome] = 1
    elif phase == DRAWING_FIRST:
        for seat in range(int(state.players)):
            weights[FIRST_SEAT + seat] = 1
    elif dice_to_throw(state) == 3:
        for outcome in range(THROW_TWO):
            weights[outcome] = WAYS[outcome]
    else:
        for outcome in range(THROW_TWO, FIRST_SEAT):
            weights[outcome] = WAYS[outcome]
    return CHANCES


@rule
def roll(state: State, rng: Ints, weights: Ints) -> int:
    """A chance outcome with the same odds, without listing them: dice fall one by one."""
    phase = int(state.phase)
    if phase == DRAWING_FORCES:
        return DRAW_FORCES + below(rng, 6)
    if phase == DRAWING_FIRST:
        return FIRST_SEAT + below(rng, int(state.players))
    if dice_to_throw(state) == 3:
        return int(THROW_OF_THREE[below(rng, 216)])
    return int(THROW_OF_TWO[below(rng, 36)])


@rule
def dice_left(state: State) -> int:
    """I2: the dice that are left, bit k for the value k + 1: equal dice are one choice. Any pawn may take any."""
    return (1 << int(state.dice[0]) | 1 << int(state.dice[1]) | 1 << int(state.dice[2])) >> 1


@rule
def legal(state: State, seat: int, out: Ints) -> int:
    """Any die that is left for any pawn that may take one."""
    if not (to_act(state) >> seat) & 1:
        return 0
    dice = dice_left(state)
    pawns = movable(state)
    n = 0
    for die in range(1, 7):
        if (dice >> (die - 1)) & 1:
            for pawn in range(PAWNS):
                if (pawns >> pawn) & 1:
                    out[n] = move_number(die, pawn)
                    n += 1
    return n


@rule
def mark(state: State, seat: int, mask: Mask, out: Ints) -> None:
    """`legal` as a mask, for a seat that must decide."""
    dice = dice_left(state)
    pawns = movable(state)
    for die in range(6):
        takers = pawns if (dice >> die) & 1 else 0
        for pawn in range(PAWNS):
            mask[die * PAWNS + pawn] = (takers >> pawn) & 1


@rule
def sample(state: State, seat: int, rng: Ints, out: Ints) -> int:
    """A uniform legal action, without listing them."""
    dice = dice_left(state)
    pawns = movable(state)
    kinds = count_bits(dice)
    choice = below(rng, kinds * count_bits(pawns))
    return move_number(nth_bit(dice, choice % kinds) + 1, nth_bit(pawns, choice // kinds))


@rule
def apply(state: State, seat: int, action: int, events: Any) -> None:
    """Carry out one move, or a chance outcome."""
    if seat != CHANCE:
        use_die(state, die_of(action), pawn_of(action))
        move(state, pawn_of(action), die_of(action), events)
        if int(state.phase) == MOVING and movable(state) == 0:
            end_turn(state, events)
    elif int(state.phase) == DRAWING_FORCES:
        hand_out_forces(state, action - DRAW_FORCES, events)
    elif int(state.phase) == DRAWING_FIRST:
        state.turn = action - FIRST_SEAT
        state.phase = THROWING
        emit(events, STARTS, 12, int(state.turn))
    else:
        throw(state, action, events)


# Board and movement


@rule
def dice_to_throw(state: State) -> int:
    """I12: always three in the strategic game. I6: two in the base game, once two children are aboard."""
    if int(state.strategic) or children_aboard(state) < 2:
        return 3
    return 2


@rule
def throw(state: State, outcome: int, events: Any) -> None:
    """I2: the number of dice is fixed by the roll. I6, I12: one is for a pirate, the others for children."""
    for k in range(3):
        state.dice[k] = DICE[outcome, k]
    state.pirate_dice = 1
    state.child_dice = 2 if outcome < THROW_TWO else 1
    state.phase = MOVING
    low, middle, high = int(state.dice[0]), int(state.dice[1]), int(state.dice[2])
    if int(state.turns_left) == 1:
        emit(events, LAST_TURN, 19)
    if int(state.strategic) and int(state.players) == 1:
        emit(events, THROWS_ALONE, 10, 0, int(state.turn), low, middle, high)
    elif int(state.strategic):
        emit(events, THROWS, 12, int(state.turn), low, middle, high)
    elif outcome < THROW_TWO:
        emit(events, THROWS_BASE, 6, int(state.turn), low, middle, high)
    else:
        emit(events, THROWS_TWO, 6, int(state.turn), low, middle)


@rule
def use_die(state: State, die: int, pawn: int) -> None:
    """I2: every die is used once, each on a different pawn."""
    place = 0
    while int(state.dice[place]) != die:
        place += 1
    while place < 2:
        state.dice[place] = state.dice[place + 1]
        place += 1
    state.dice[2] = 0
    if pawn < CHILDREN:
        state.child_dice = int(state.child_dice) - 1
    else:
        state.pirate_dice = int(state.pirate_dice) - 1
    state.spent = int(state.spent) | (1 << pawn)


@rule
def movable(state: State) -> int:
    """The pawns that may take a die now: ashore, with a die for them, and I2, I5: not moved or sent back this turn."""
    here = ashore(state)
    return here & with_a_die(state, here) & ~int(state.spent)


@rule
def ashore(state: State) -> int:
    """I1: the pawns in play that are not aboard, as a bitmask."""
    pawns = 0
    for pawn in range(PAWNS):
        pawns |= (OUT < int(state.at[pawn]) < SHIP) << pawn
    return pawns


@rule
def with_a_die(state: State, here: int) -> int:
    """I6, I12: pirates while the pirate's die is left, and while a child's is, the children in the player's care."""
    pawns = 0
    if int(state.pirate_dice):
        pawns = ALL_PIRATES
    if int(state.child_dice):
        pawns |= children_in_care(state, here)
    return pawns


@rule
def move(state: State, pawn: int, die: int, events: Any) -> None:
    """I1: forward by the whole die; points beyond the ship are lost. I4: then check left, reached, won or lost."""
    start = int(state.at[pawn])
    goal = min(start + die, SHIP)
    state.at[pawn] = goal
    state.shown = 0
    if goal == SHIP:
        emit(events, BOARDS, 1, pawn, die)
    elif start == CASTLE:
        emit(events, LEAVES_CASTLE, 1, pawn, die, goal)
    else:
        emit(events, MOVES, 1, pawn, die, start, goal)
    check_square(state, start, events)
    if goal < SHIP:
        check_square(state, goal, events)
    elif int(state.strategic):
        check_ship(state, events)
    else:
        check_race(state, pawn, events)


@rule
def check_square(state: State, square: int, events: Any) -> None:
    """I3: only sharing a square counts, and nothing happens in the castle."""
    if square == CASTLE:
        return
    force = 0
    for figure in range(PIRATES):
        if int(state.at[CHILDREN + figure]) == square:
            force += int(state.force[figure])
    if force == 0:
        return
    children = 0
    for child in range(CHILDREN):
        if int(state.at[child]) == square:
            children += 1
    if children == 0:
        return
    if int(state.strategic):
        duel(state, square, force, children, events)
    else:
        capture(state, square, children, events)


@rule
def send_back(state: State, square: int, first: int, last: int, kind: int, number: int, events: Any) -> None:
    """I5: the pawns first..last-1 on the square go back to the castle, and may not move before the next turn."""
    for pawn in range(first, last):
        if int(state.at[pawn]) == square:
            state.at[pawn] = CASTLE
            state.spent = int(state.spent) | (1 << pawn)
            emit(events, kind, number, pawn, square, owner_of(state, pawn))


@rule
def end_turn(state: State, events: Any) -> None:
    """I2, I5: dice that no pawn can take are lost, and the next player rolls. I19: unless that was the last turn."""
    if events is not None:
        for k in range(3):
            if int(state.dice[k]):
                lose_die(state, int(state.dice[k]), events)
    put_dice_away(state)
    state.turn = (int(state.turn) + 1) % hands(state)
    state.phase = THROWING
    if int(state.turns_left):
        state.turns_left = int(state.turns_left) - 1
        if int(state.turns_left) == 0:
            state.phase = OUT_OF_TURNS
            emit(events, LATE, 19)


@rule
def lose_die(state: State, die: int, events: Any) -> None:
    """I2: no pawn can take this die. I16: every pirate is aboard, or I5: was sent back; else no child is left."""
    if not int(state.pirate_dice):
        emit(events, DIE_LOST, 2, die, NO_CHILD_LEFT)
        return
    state.pirate_dice = 0
    for pawn in range(CHILDREN, PAWNS):
        if OUT < int(state.at[pawn]) < SHIP:
            emit(events, DIE_LOST, 5, die, ALL_SENT_BACK)
            return
    emit(events, DIE_LOST, 16, die, ALL_ABOARD)


@rule
def hands(state: State) -> int:
    """How many take turns: the players. I10: alone in the strategic game, the four colours."""
    if int(state.strategic) and int(state.players) == 1:
        return COLOURS
    return int(state.players)


@rule
def put_dice_away(state: State) -> None:
    """Between turns there are no dice, and no pawn has moved."""
    for k in range(3):
        state.dice[k] = 0
    state.pirate_dice = 0
    state.child_dice = 0
    state.spent = 0


@rule
def finish(state: State, phase: int) -> None:
    """The match is over, even with dice left."""
    put_dice_away(state)
    state.phase = phase


# Base game


@rule
def capture(state: State, square: int, children: int, events: Any) -> None:
    """I7: one or two children are captured; three together are safe."""
    if children < 3:
        send_back(state, square, 0, CHILDREN, CAPTURED, 7, events)
    else:
        emit(events, SAFE, 7, square)


@rule
def check_race(state: State, boarded: int, events: Any) -> None:
    """I8: won when the third child boards before the pirate, lost when the pirate boards first."""
    if boarded >= CHILDREN:
        finish(state, LOST)
        emit(events, PIRATE_FIRST, 8)
    elif children_aboard(state) == 3:
        finish(state, WON)
        emit(events, ESCAPED, 8)


# Strategic game


@rule
def hand_out_forces(state: State, draw: int, events: Any) -> None:
    """I11: chance decides which figure carries which force; everyone looks, then the pirates turn their backs."""
    for figure in range(PIRATES):
        state.force[figure] = FORCES[draw, figure]
        emit(events, FORCE, 11, CHILDREN + figure, int(FORCES[draw, figure]))
    if int(state.memory):
        state.shown = 0b111
        emit(events, FACE_DOWN, 11)
    state.phase = DRAWING_FIRST if int(state.turn) == int(state.players) else THROWING


@rule
def children_in_care(state: State, ashore: int) -> int:
    """I6, I12: brown children and the player's own. I13: with both aboard, neutral ones too, and after them all."""
    if not int(state.strategic):
        return BROWN_CHILDREN
    own = children_of(int(state.turn))
    if ashore & own:
        return BROWN_CHILDREN | own
    neutral = 0
    for colour in range(hands(state), COLOURS):
        neutral |= children_of(colour)
    if ashore & neutral:
        return BROWN_CHILDREN | neutral
    return BROWN_CHILDREN | COLOURED_CHILDREN


@rule
def children_of(colour: int) -> int:
    """I10: the two children of a colour, as a bitmask."""
    return 0b11 << (4 + 2 * colour)


@rule
def owner_of(state: State, pawn: int) -> int:
    """I10: the seat or colour whose child this is; alone, a player owns them all."""
    if not 4 <= pawn < CHILDREN:
        return NOBODY
    return 0 if int(state.players) == 1 else (pawn - 4) // 2


@rule
def duel(state: State, square: int, force: int, children: int, events: Any) -> None:
    """I14: the stronger side sends the other back to the castle; equals stay. I17: in the hard game pirates stay."""
    if int(state.memory) or events is not None:
        show_forces(state, square, events)
    emit(events, DUEL, 14, square, force, children)
    if force > children:
        send_back(state, square, 0, CHILDREN, SENT_BACK, 14, events)
    elif force == children:
        emit(events, STANDOFF, 14, square)
    elif int(state.hard):
        emit(events, HOLDS, 17, square)
    else:
        send_back(state, square, CHILDREN, PAWNS, SENT_BACK, 14, events)


@rule
def show_forces(state: State, square: int, events: Any) -> None:
    """I11: a force is shown again only while it is compared."""
    for figure in range(PIRATES):
        if int(state.at[CHILDREN + figure]) == square:
            emit(events, SHOWS, 11, CHILDREN + figure, int(state.force[figure]))
            if int(state.memory):
                state.shown = int(state.shown) | (1 << figure)


@rule
def children_aboard(state: State) -> int:
    """How many children are on the ship."""
    aboard = 0
    for child in range(CHILDREN):
        if int(state.at[child]) == SHIP:
            aboard += 1
    return aboard


@rule
def children_in_play(state: State) -> int:
    """How many children must be brought home: 3 in the base game, 11 or 12 (I18) in the strategic game."""
    if not int(state.strategic):
        return 3
    return CHILDREN if int(state.at[3]) != OUT else CHILDREN - 1


@rule
def force_aboard(state: State) -> int:
    """The total force of the pirates on the ship."""
    force = 0
    for figure in range(PIRATES):
        if int(state.at[CHILDREN + figure]) == SHIP:
            force += int(state.force[figure])
    return force


@rule
def check_ship(state: State, events: Any) -> None:
    """I15: lost once pirates are aboard and the children don't outnumber their force. I16: else won with all aboard."""
    children = children_aboard(state)
    force = force_aboard(state)
    if force >= children:
        finish(state, LOST)
        emit(events, SHIP_TAKEN, 15, force, children)
        return
    if force > 0:
        emit(events, SHIP_HELD, 15, force, children)
    if children == children_in_play(state):
        finish(state, WON)
        emit(events, HOME, 16, children)


@rule
def outcome(state: State, scores: Ints, wins: Ints) -> int:
    """I8, I16: everyone wins or everyone loses."""
    phase = int(state.phase)
    if phase < WON:
        return 0
    for seat in range(int(state.players)):
        scores[seat] = 1 if phase == WON else 0
        wins[seat] = scores[seat]
    return phase - MOVING
