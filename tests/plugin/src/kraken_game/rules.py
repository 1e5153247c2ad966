"""The rules of Kraken, in the order of the sheet. Read it with RULES.en.md in hand: K1, K2, K3…"""

from typing import Any

from kraken_game.actions import CHANCES, LAND, ROW
from kraken_game.events import FISHES, LANDS, WAKES, WINS
from kraken_game.state import GOAL
from tribord.core.compiled import rule
from tribord.core.event import emit
from tribord.core.record import CHANCE, Ints, State


@rule
def initial(state: State, options: Any) -> None:
    """K1: empty boats, empty holds; seat 0 starts."""
    state.players = options.players
    state.hungry = options.hungry
    state.turn = 0
    state.rolled = 0
    state.boat = 0
    for seat in range(len(state.hold)):
        state.hold[seat] = 0


@rule
def winner(state: State) -> int:
    """K5: the seat that has brought enough home; -1 if nobody has."""
    for seat in range(int(state.players)):
        if int(state.hold[seat]) >= GOAL:
            return seat
    return -1


@rule
def to_act(state: State) -> int:
    """K4: the seat whose turn it is decides once the die is rolled."""
    return 1 << int(state.turn) if int(state.rolled) else 0


@rule
def chance(state: State, weights: Ints) -> int:
    """K2: a die."""
    if int(state.rolled) or winner(state) >= 0:
        return 0
    for face in range(CHANCES):
        weights[face] = 1
    return CHANCES


@rule
def legal(state: State, seat: int, out: Ints) -> int:
    """K4: row on, unless there is enough in the boat; or land."""
    if not (to_act(state) >> seat) & 1:
        return 0
    n = 0
    if int(state.boat) + int(state.hold[seat]) < GOAL:
        out[n] = ROW
        n += 1
    out[n] = LAND
    return n + 1


@rule
def apply(state: State, seat: int, action: int, events: Any) -> None:
    """A roll, or a decision."""
    turn = int(state.turn)
    if seat == CHANCE:
        die = action + 1
        if die == 1 or (die == 2 and int(state.hungry)):  # K3, K6
            emit(events, WAKES, 3 if die == 1 else 6, turn, die, int(state.boat))
            end_turn(state)
        else:
            state.rolled = die
            state.boat = int(state.boat) + die
            emit(events, FISHES, 2, turn, die, int(state.boat))
    elif action == ROW:
        state.rolled = 0
    else:
        state.hold[turn] = int(state.hold[turn]) + int(state.boat)
        emit(events, LANDS, 4, turn, int(state.boat), int(state.hold[turn]))
        if winner(state) == turn:
            emit(events, WINS, 5, turn, int(state.hold[turn]))
        end_turn(state)


@rule
def end_turn(state: State) -> None:
    """The boat is empty, and it's the next player's turn; once someone has won, nobody's."""
    state.boat = 0
    state.rolled = 0
    if winner(state) < 0:
        state.turn = (int(state.turn) + 1) % int(state.players)


@rule
def outcome(state: State, scores: Ints, wins: Ints) -> int:
    """K5: the points are what was brought home."""
    won = winner(state)
    for seat in range(len(state.hold)):
        scores[seat] = int(state.hold[seat]) if won >= 0 else 0
        wins[seat] = 1 if seat == won else 0
    return 1 if won >= 0 else 0
