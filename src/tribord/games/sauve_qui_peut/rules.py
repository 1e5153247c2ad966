"""The rules of Sauve qui peut !, in the order of the sheet. Read it with RULES.en.md in hand: S1, S2, S3…"""

from typing import Any

import numpy as np

from tribord.core.batch import Mask
from tribord.core.bits import count_bits, list_bits, lowest_bit, nth_bit
from tribord.core.chance import below
from tribord.core.compiled import rule
from tribord.core.event import emit
from tribord.core.record import Ints, State
from tribord.core.sealed import ask, seal, unseal
from tribord.games.sauve_qui_peut.actions import (
    ACTIONS,
    BOARD,
    CAP,
    CHANCES,
    DECIDE_BOAT,
    DECIDE_CREW,
    HELMSMAN,
    LEAVE,
    PLACE,
    SAILOR,
    VOTE_BOAT,
    VOTE_CREW,
    lane_of,
    person_of,
    target_of,
)
from tribord.games.sauve_qui_peut.events import (
    ADVANCES,
    ALL_CAPS,
    ALONE,
    BATON,
    BOARDS,
    CAPS_CANCEL,
    DECIDES_BOAT,
    DECIDES_CREW,
    DROWN,
    DROWNS,
    FIRST,
    FULL,
    LANDS,
    LAST_BOAT,
    LAST_ROUND,
    LEAKS,
    LEAVES,
    MOST_BOAT,
    MOST_CREW,
    NO_LEAK,
    ONE_CAP,
    ONLY_BOAT,
    PLACED,
    SCORES,
    SHARES,
    SHOWS_CAP,
    SINKS,
    STUCK,
    THROWN,
    TIE,
    TWO_BOATS,
    VOTES_BOAT,
    VOTES_CREW,
    WINS,
)
from tribord.games.sauve_qui_peut.state import (
    ADVANCE,
    BOARDING,
    BOATS,
    CREWS,
    DRAWING_FIRST,
    LANDED,
    LEAK,
    LEAVING,
    NO_BOAT,
    NOBODY,
    OVER,
    OVERBOARD,
    PLACING,
    SHIP_ROW,
    SUNK,
)

SEATS = 6  # in a boat
LEAK_SUPPLY = 15
TOKENS = 3
MOST_CHOICES = 14  # actions that a phase is about, at most: placing, voting, leaving
ALL_LANES = 0b1111111
LANES_IN_PLAY = np.array([0b1010101, 0b1011101, 0b1110111, ALL_LANES])  # S1, "players+1": for 3, 4, 5, 6 players
ISLAND = np.array([0, 0, 1, 1, 1, 2, 2])  # left, centre, right
SAILOR_POINTS = np.array([6, 6, 4, 4, 4, 5, 5])  # S15, by lane
HELMSMAN_MORE = 2  # S15: a helmsman is worth two points more on every island


# Material and set-up


@rule
def initial(state: State, options: Any) -> None:
    """S1–S3: the boats wait at the ship, everyone is still on deck, no boat leaks yet."""
    players = int(options.players)
    lanes = ALL_LANES if int(options.boats) == 0 else int(LANES_IN_PLAY[players - 3])
    state.players = players
    for lane in range(BOATS):
        state.rows[lane] = SHIP_ROW if (lanes >> lane) & 1 else NO_BOAT
        state.leaks[lane] = 0
        for crew in range(CREWS):
            state.people[lane, crew] = 0
    for crew in range(CREWS):
        plays = crew < players
        state.waiting[crew] = sailors_each(players) + 2 * unit(HELMSMAN) if plays else 0
        state.tokens[crew] = TOKENS if plays else 0
        state.drowned[crew] = 0
        state.between[crew] = 0
    state.boat = -1
    state.targets = 0
    state.by_rule = 0
    ask(state, 0)
    # S4: the host chose the first player, or chance does.
    if int(options.first) < players:
        state.baton = int(options.first)
        state.turn = int(options.first)
        state.phase = PLACING
    else:
        state.baton = 0
        state.turn = NOBODY
        state.phase = DRAWING_FIRST


@rule
def sailors_each(players: int) -> int:
    """S2: four sailors, and one more with three or four players."""
    return 5 if players <= 4 else 4


@rule
def chance(state: State, weights: Ints) -> int:
    """S4: every seat is as likely to hold the baton first."""
    if int(state.phase) != DRAWING_FIRST:
        return 0
    for seat in range(CHANCES):
        weights[seat] = 1 if seat < int(state.players) else 0
    return CHANCES


@rule
def draw_first(state: State, seat: int, events: Any) -> None:
    """S4: chance gives the baton."""
    state.baton = seat
    state.turn = seat
    state.phase = PLACING
    emit(events, FIRST, 4, seat)


@rule
def to_act(state: State) -> int:
    """Every entitled voter at once (S6), else the seat in turn; 0 while chance draws, and at the end."""
    if int(state.sealing):
        return int(state.sealing)
    return 0 if int(state.turn) == NOBODY else 1 << int(state.turn)


@rule
def legal(state: State, seat: int, out: Ints) -> int:
    """The actions a seat may choose from now."""
    if seat < 0 or not (to_act(state) >> seat) & 1:
        return 0
    return list_bits(choices(state, seat), first_choice(state), out)


@rule
def first_choice(state: State) -> int:
    """The first action of the kind this phase asks for."""
    phase = int(state.phase)
    if int(state.sealing):
        return VOTE_BOAT
    if phase == PLACING:
        return PLACE
    if phase == LEAVING:
        return LEAVE
    if phase == BOARDING:
        return BOARD
    return DECIDE_CREW if phase == OVERBOARD else DECIDE_BOAT


@rule
def choices(state: State, seat: int) -> int:
    """The legal actions of a seat that must act: bit k is the k-th action after `first_choice`.

    Nothing else decides what is legal: `legal`, `mark` and `sample` list, mark and draw from this set. Each set
    combines conditions that must all hold; a refusal names the first one that fails.
    """
    phase = int(state.phase)
    if int(state.sealing):
        return votes(state, seat)
    if phase == PLACING:
        return places(state, seat)
    if phase == LEAVING:
        return departures(state, seat)
    if phase == BOARDING:
        return boats_to_board(state, seat)
    return int(state.targets)


@rule
def mark(state: State, seat: int, mask: Mask, out: Ints) -> None:
    """The same as a mask. On a GPU a number has 32 bits, too few for one bit per action."""
    possible = choices(state, seat)
    first = first_choice(state)
    for action in range(ACTIONS):
        k = action - first
        mask[action] = (possible >> k) & 1 if 0 <= k < MOST_CHOICES else 0


@rule
def sample(state: State, seat: int, rng: Ints, out: Ints) -> int:
    """A uniformly random legal action, without listing them."""
    mask = choices(state, seat)
    return first_choice(state) + nth_bit(mask, below(rng, count_bits(mask)))


@rule
def apply(state: State, seat: int, action: int, events: Any) -> None:
    """Carry out a decision, or a chance outcome."""
    phase = int(state.phase)
    if int(state.sealing):
        vote(state, seat, action, events)
    elif phase == LEAVING:
        leave(state, seat, person_of(action), lane_of(action), events)
    elif phase == BOARDING:
        board(state, seat, lane_of(action), events)
    elif phase == PLACING:
        place(state, seat, person_of(action), lane_of(action), events)
    elif phase == DRAWING_FIRST:
        draw_first(state, action, events)
    else:
        decide(state, seat, target_of(action), events)


# People and boats


@rule
def unit(person: int) -> int:
    """What one person adds to a number of people."""
    return 8 if person == HELMSMAN else 1


@rule
def heads(people: int) -> int:
    """How many persons a number of people stands for."""
    return (people & 7) + (people >> 3)


@rule
def at_sea(state: State, lane: int) -> bool:
    """Whether the lane has a boat that has neither sunk nor landed."""
    return int(state.rows[lane]) > LANDED


@rule
def boats_at_sea(state: State) -> int:
    """Bitmask of the lanes with a boat at sea."""
    mask = 0
    for lane in range(BOATS):
        if int(state.rows[lane]) > LANDED:
            mask |= 1 << lane
    return mask


@rule
def people_aboard(state: State, lane: int) -> int:
    """All people in a boat. Six seats at most, so the sum of the crews' numbers is such a number again."""
    people = 0
    for crew in range(CREWS):
        people += int(state.people[lane, crew])
    return people


@rule
def crews_aboard(state: State, lane: int) -> int:
    """Bitmask of the crews with someone in a boat."""
    mask = 0
    for crew in range(CREWS):
        if int(state.people[lane, crew]):
            mask |= 1 << crew
    return mask


@rule
def has_free_seat(state: State, lane: int) -> bool:
    """S1, S3: six seats, and a leak takes one."""
    return heads(people_aboard(state, lane)) + int(state.leaks[lane]) < SEATS


@rule
def boats_with_a_seat(state: State) -> int:
    """Bitmask of the boats at sea with a free seat."""
    mask = 0
    for lane in range(BOATS):
        if at_sea(state, lane) and has_free_seat(state, lane):
            mask |= 1 << lane
    return mask


@rule
def leak_supply(state: State) -> int:
    """S3: leaks not in a boat at sea are in the box."""
    supply = LEAK_SUPPLY
    for lane in range(BOATS):
        supply -= int(state.leaks[lane])
    return supply


# Placement


@rule
def places(state: State, seat: int) -> int:
    """S5: anyone of this crew still on deck, on any free seat."""
    return on_deck(state, seat) & either(boats_with_a_seat(state))


@rule
def on_deck(state: State, seat: int) -> int:
    """S5: every boat for a sailor and every boat for a helmsman, as long as the crew has such people on deck."""
    waiting = int(state.waiting[seat])
    return (ALL_LANES if waiting & 7 else 0) | (ALL_LANES << BOATS if waiting >> 3 else 0)


@rule
def either(lanes: int) -> int:
    """These lanes for a sailor and for a helmsman: seven bits each."""
    return lanes | lanes << BOATS


@rule
def place(state: State, seat: int, person: int, lane: int, events: Any) -> None:
    """S5: two people each, one after the other; the last one alone if the number is odd; then the next clockwise."""
    state.waiting[seat] = int(state.waiting[seat]) - unit(person)
    state.people[lane, seat] = int(state.people[lane, seat]) + unit(person)
    emit(events, PLACED, 5, seat, person, lane + 1)
    players = int(state.players)
    left = heads(int(state.waiting[seat]))
    placed = sailors_each(players) + 2 - left
    if left == 0 or placed % 2 == 0:
        state.turn = (seat + 1) % players
        if int(state.waiting[int(state.turn)]) == 0:
            emit(events, BATON, 4, int(state.baton))
            begin_round(state, events)


# Votes


@rule
def open_vote(state: State, phase: int, voters: int) -> None:
    """S6: everyone entitled votes at once, in secret."""
    state.phase = phase
    state.turn = NOBODY
    ask(state, voters)


@rule
def eligible(state: State) -> int:
    """S11, S14: boats at sea; S12: crews with someone in the full boat."""
    if int(state.phase) == OVERBOARD:
        return crews_aboard(state, int(state.boat))
    return boats_at_sea(state)


@rule
def votes(state: State, seat: int) -> int:
    """S6: an eligible target, or the cap while the crew has a token."""
    targets = eligible(state) << (VOTE_CREW - VOTE_BOAT if int(state.phase) == OVERBOARD else 0)
    return targets | (1 << (CAP - VOTE_BOAT) if int(state.tokens[seat]) > 0 else 0)


@rule
def votes_of(state: State, seat: int) -> int:
    """S11, S14: one vote each. S12: overboard, one per sailor and two per helmsman in that boat."""
    if int(state.phase) != OVERBOARD:
        return 1
    people = int(state.people[int(state.boat), seat])
    return (people & 7) + 2 * (people >> 3)


@rule
def vote(state: State, seat: int, action: int, events: Any) -> None:
    """S6: a sealed vote tells nothing, and the view says who has voted; the last vote reveals them all."""
    if seal(state, seat, action):
        count_votes(state, events)


@rule
def count_votes(state: State, events: Any) -> None:
    """S7: one cap decides. S8: several cancel each other. S9: else most votes, and the baton breaks a tie."""
    if events is not None:
        show_votes(state, events)
    caps = 0
    captain = NOBODY
    tally = 0  # four bits to a target: no target can get more than twelve votes
    for seat in range(int(state.players)):
        action = int(state.sealed[seat])
        if action == CAP:
            state.tokens[seat] = int(state.tokens[seat]) - 1
            caps += 1
            captain = seat
        elif action >= 0:
            tally += votes_of(state, seat) << (4 * target_of(action))
    decider = int(state.baton)
    targets = eligible(state)
    by_rule = 8
    if caps == 1:
        decider = captain
        by_rule = 7
    elif tally:
        targets = most_votes(tally)
        by_rule = 9
        if caps:
            emit(events, CAPS_CANCEL, 8, caps)
    unseal(state)
    if targets & (targets - 1) == 0:
        emit_result(state, lowest_bit(targets), by_rule, tally, events)
        carry_out(state, lowest_bit(targets), events)
    else:
        ask_decider(state, decider, targets, by_rule, tally, events)


@rule
def emit_result(state: State, target: int, by_rule: int, tally: int, events: Any) -> None:
    """S9: what has the most votes, and how many of all. S7, S8: with a single boat left a cap has nothing to decide."""
    if by_rule != 9:
        emit(events, ONLY_BOAT, by_rule, target + 1)
    elif int(state.phase) == OVERBOARD:
        emit(events, MOST_CREW, 9, target, votes_for(tally, target), all_votes(tally))
    else:
        emit(events, MOST_BOAT, 9, target + 1, votes_for(tally, target), all_votes(tally))


@rule
def ask_decider(state: State, seat: int, targets: int, by_rule: int, tally: int, events: Any) -> None:
    """S7–S9: someone has to choose among several targets."""
    state.turn = seat
    state.targets = targets
    state.by_rule = by_rule
    if by_rule == 7:
        emit(events, ONE_CAP, 7, seat)
    elif by_rule == 8:
        emit(events, ALL_CAPS, 8, seat)
    else:
        emit(events, TIE, 9, seat, votes_for(tally, lowest_bit(targets)))


@rule
def show_votes(state: State, events: Any) -> None:
    """S6: all votes are revealed together."""
    for seat in range(int(state.players)):
        action = int(state.sealed[seat])
        if action == CAP:
            emit(events, SHOWS_CAP, 7, seat, int(state.tokens[seat]) - 1)
        elif action >= VOTE_CREW:
            emit(events, VOTES_CREW, 12, seat, target_of(action), votes_of(state, seat))
        elif action >= 0:
            emit(events, VOTES_BOAT, 11 if int(state.phase) == LEAK else 14, seat, target_of(action) + 1)


@rule
def votes_for(tally: int, target: int) -> int:
    """The votes of one target."""
    return (tally >> (4 * target)) & 15


@rule
def all_votes(tally: int) -> int:
    """The votes of all targets together."""
    total = 0
    for target in range(BOATS):
        total += votes_for(tally, target)
    return total


@rule
def most_votes(tally: int) -> int:
    """S9: bitmask of the targets with the most votes."""
    best = 0
    targets = 0
    for target in range(BOATS):
        votes = votes_for(tally, target)
        if votes > best:
            best = votes
            targets = 1 << target
        elif votes == best:
            targets |= 1 << target
    return targets


@rule
def decide(state: State, seat: int, target: int, events: Any) -> None:
    """S7–S9: the owner of the only cap, or the baton holder, has the last word."""
    if int(state.phase) == OVERBOARD:
        emit(events, DECIDES_CREW, int(state.by_rule), seat, target)
    else:
        emit(events, DECIDES_BOAT, int(state.by_rule), seat, target + 1)
    state.turn = NOBODY
    state.targets = 0
    state.by_rule = 0
    carry_out(state, target, events)


@rule
def carry_out(state: State, target: int, events: Any) -> None:
    """What the vote was about."""
    if int(state.phase) == LEAK:
        spring_leak(state, target, events)
    elif int(state.phase) == OVERBOARD:
        throw_overboard(state, int(state.boat), target, events)
    else:
        advance(state, target, events)


# Phase 1: a leak


@rule
def begin_round(state: State, events: Any) -> None:
    """S11: everyone votes on which boat leaks. S3: with no leak left in the box, this phase is skipped."""
    announce_end(state, events)
    if leak_supply(state) == 0:
        emit(events, NO_LEAK, 3)
        vote_on_advance(state)
    else:
        open_vote(state, LEAK, everyone(state))


@rule
def announce_end(state: State, events: Any) -> None:
    """S14, S20: a boat alone at sea must advance. From row 2 it lands, unless it sinks first: this round is the last.

    With one boat farther out, or two of which one is a row from land, it may be: one can sink while the other lands.
    """
    boats = boats_at_sea(state)
    near = 0
    for lane in range(BOATS):
        if int(state.rows[lane]) == LANDED + 1:
            near |= 1 << lane
    first = lowest_bit(boats)
    others = boats & ~(1 << first)
    if others == 0:
        emit(events, LAST_ROUND if near else LAST_BOAT, 20, first + 1)
    elif near and others & (others - 1) == 0:
        emit(events, TWO_BOATS, 20, first + 1, lowest_bit(others) + 1)


@rule
def everyone(state: State) -> int:
    """S11: all players vote on boats, also those with nobody left at sea."""
    return (1 << int(state.players)) - 1


@rule
def spring_leak(state: State, lane: int, events: Any) -> None:
    """S12: the leak takes a free seat; in a full boat someone must make room, by a vote if there are several crews."""
    if has_free_seat(state, lane):
        take_seat(state, lane, events)
        return
    emit(events, FULL, 12, lane + 1)
    crews = crews_aboard(state, lane)
    if crews & (crews - 1) == 0:
        emit(events, ALONE, 12, lowest_bit(crews), lane + 1)
        throw_overboard(state, lane, lowest_bit(crews), events)
    else:
        state.boat = lane
        open_vote(state, OVERBOARD, crews)


@rule
def throw_overboard(state: State, lane: int, crew: int, events: Any) -> None:
    """S12: a sailor of that crew, or a helmsman if it has no sailor there; the leak takes the seat."""
    person = SAILOR if int(state.people[lane, crew]) & 7 else HELMSMAN
    state.people[lane, crew] = int(state.people[lane, crew]) - unit(person)
    state.drowned[crew] = int(state.drowned[crew]) + unit(person)
    state.boat = -1
    emit(events, THROWN, 12, crew, person, lane + 1)
    take_seat(state, lane, events)


@rule
def take_seat(state: State, lane: int, events: Any) -> None:
    """S12, S13: the leak is in; the boat may sink at once; then phase 2."""
    state.leaks[lane] = int(state.leaks[lane]) + 1
    emit(events, LEAKS, 12, lane + 1, int(state.leaks[lane]))
    sink_if_flooded(state, lane, 13, events)
    if not finish_if_done(state, events):
        vote_on_advance(state)


@rule
def sink_if_flooded(state: State, lane: int, rule_number: int, events: Any) -> None:
    """S13, S18: more leaks than people, and boat and people leave the match."""
    if int(state.leaks[lane]) <= heads(people_aboard(state, lane)):
        return
    emit(events, SINKS, rule_number, lane + 1)
    state.rows[lane] = SUNK
    state.leaks[lane] = 0
    for crew in range(int(state.players)):
        people = int(state.people[lane, crew])
        if people:
            state.people[lane, crew] = 0
            state.drowned[crew] = int(state.drowned[crew]) + people
            emit(events, DROWN, rule_number, crew, heads(people), lane + 1)


# Phase 2: advance


@rule
def vote_on_advance(state: State) -> None:
    """S14: everyone votes on which boat advances."""
    open_vote(state, ADVANCE, everyone(state))


@rule
def advance(state: State, lane: int, events: Any) -> None:
    """S14: one row nearer; in row 1 the boat has landed and everyone aboard is safe."""
    state.rows[lane] = int(state.rows[lane]) - 1
    emit(events, ADVANCES, 14, lane + 1, int(state.rows[lane]))
    if int(state.rows[lane]) == LANDED:
        land(state, lane, events)
    if not finish_if_done(state, events):
        begin_leaving(state, events)


@rule
def land(state: State, lane: int, events: Any) -> None:
    """S14, S15: people aboard score where they land, one after the other. S3: the leaks go back to the box."""
    state.leaks[lane] = 0
    emit(events, LANDS, 14, lane + 1, int(ISLAND[lane]))
    if events is not None:
        for crew in range(int(state.players)):
            people = int(state.people[lane, crew])
            for person in (HELMSMAN, SAILOR):
                for _one in range(people >> 3 if person == HELMSMAN else people & 7):
                    emit(events, SCORES, 15, crew, person, lane + 1, points_for(unit(person), lane))


@rule
def points_for(people: int, lane: int) -> int:
    """S15: what people of one crew are worth on the island of a lane."""
    return heads(people) * int(SAILOR_POINTS[lane]) + (people >> 3) * HELMSMAN_MORE


# Phase 3: changing boats


@rule
def begin_leaving(state: State, events: Any) -> None:
    """S16: from the baton holder on, counter-clockwise."""
    state.phase = LEAVING
    next_to_leave(state, 0, events)


@rule
def boats_to_leave(state: State, seat: int) -> int:
    """S16: boats at sea with people of this crew that nobody has left yet in this phase."""
    return boats_at_sea_with(state, seat) & ~lanes_left(state)


@rule
def boats_at_sea_with(state: State, seat: int) -> int:
    """Bitmask of the boats at sea with people of a crew."""
    mask = 0
    for lane in range(BOATS):
        if int(state.people[lane, seat]) and at_sea(state, lane):
            mask |= 1 << lane
    return mask


@rule
def lanes_left(state: State) -> int:
    """S16: bitmask of the boats that someone has left in this phase."""
    mask = 0
    for crew in range(int(state.players)):
        if int(state.between[crew]):
            mask |= 1 << lane_left(state, crew)
    return mask


@rule
def lane_left(state: State, crew: int) -> int:
    """The lane that a crew's person between boats has left."""
    return (int(state.between[crew]) - 1) >> 1


@rule
def person_between(state: State, crew: int) -> int:
    """Whether a crew's person between boats is a SAILOR or a HELMSMAN."""
    return (int(state.between[crew]) - 1) & 1


@rule
def departures(state: State, seat: int) -> int:
    """S16: a sailor or a helmsman, the player's choice, out of a boat that may be left."""
    return aboard(state, seat) & either(boats_to_leave(state, seat))


@rule
def aboard(state: State, seat: int) -> int:
    """S16: the boats with a sailor of this crew and those with a helmsman: seven bits each."""
    found = 0
    for lane in range(BOATS):
        people = int(state.people[lane, seat])
        if people & 7:
            found |= 1 << lane
        if people >> 3:
            found |= 1 << (BOATS + lane)
    return found


@rule
def next_to_leave(state: State, step: int, events: Any) -> None:
    """S16: leaving is compulsory where possible, else the player is skipped; then they board."""
    players = int(state.players)
    while step < players:
        seat = (int(state.baton) - step) % players
        if boats_to_leave(state, seat):
            state.turn = seat
            return
        if boats_at_sea_with(state, seat):
            emit(events, STUCK, 16, seat)
        step += 1
    state.phase = BOARDING
    next_to_board(state, players - 1, events)


@rule
def step_of(state: State, seat: int) -> int:
    """How many players leave before this one (S16)."""
    return (int(state.baton) - seat) % int(state.players)


@rule
def leave(state: State, seat: int, person: int, lane: int, events: Any) -> None:
    """S16: one person out of a boat."""
    state.people[lane, seat] = int(state.people[lane, seat]) - unit(person)
    state.between[seat] = lane * 2 + person + 1
    emit(events, LEAVES, 16, seat, person, lane + 1)
    next_to_leave(state, step_of(state, seat) + 1, events)


@rule
def boats_to_board(state: State, seat: int) -> int:
    """S17: boats at sea with a free seat, never the one just left."""
    return boats_with_a_seat(state) & ~(1 << lane_left(state, seat))


@rule
def next_to_board(state: State, step: int, events: Any) -> None:
    """S17: in reverse order; a person without a seat drowns. Then the round ends."""
    players = int(state.players)
    while step >= 0:
        seat = (int(state.baton) - step) % players
        if int(state.between[seat]):
            if boats_to_board(state, seat):
                state.turn = seat
                return
            drown_between(state, seat, events)
        step -= 1
    end_round(state, events)


@rule
def drown_between(state: State, seat: int, events: Any) -> None:
    """S17: no seat anywhere else."""
    person = person_between(state, seat)
    state.drowned[seat] = int(state.drowned[seat]) + unit(person)
    state.between[seat] = 0
    emit(events, DROWNS, 17, seat, person)


@rule
def board(state: State, seat: int, lane: int, events: Any) -> None:
    """S17: into another boat, doomed or not."""
    person = person_between(state, seat)
    state.people[lane, seat] = int(state.people[lane, seat]) + unit(person)
    state.between[seat] = 0
    emit(events, BOARDS, 17, seat, person, lane + 1)
    next_to_board(state, step_of(state, seat) - 1, events)


@rule
def end_round(state: State, events: Any) -> None:
    """S18: now flooded boats sink. S19: the baton passes clockwise and a new round begins."""
    for lane in range(BOATS):
        if at_sea(state, lane):
            sink_if_flooded(state, lane, 18, events)
    if not finish_if_done(state, events):
        state.baton = (int(state.baton) + 1) % int(state.players)
        emit(events, BATON, 19, int(state.baton))
        begin_round(state, events)


# End


@rule
def anybody_at_sea(state: State) -> bool:
    """Whether some boat at sea has people aboard."""
    for lane in range(BOATS):
        if at_sea(state, lane) and people_aboard(state, lane):
            return True
    return False


@rule
def finish_if_done(state: State, events: Any) -> bool:
    """S20: the match ends with no boat at sea, or nobody in any of them."""
    if anybody_at_sea(state):
        return False
    state.phase = OVER
    state.turn = NOBODY
    if events is not None:
        best = 0
        winners = 0
        for seat in range(int(state.players)):
            best = max(best, points(state, seat))
        for seat in range(int(state.players)):
            if points(state, seat) == best:
                winners += 1
        for seat in range(int(state.players)):
            if points(state, seat) == best:
                emit(events, WINS if winners == 1 else SHARES, 21, seat, best)
    return True


@rule
def points(state: State, crew: int) -> int:
    """S15: the people ashore are those in landed boats."""
    total = 0
    for lane in range(BOATS):
        if int(state.rows[lane]) == LANDED:
            total += points_for(int(state.people[lane, crew]), lane)
    return total


@rule
def outcome(state: State, scores: Ints, wins: Ints) -> int:
    """S20: 1 no boat at sea, 2 nobody at sea. S21: most points wins; equal best scores share, also at 0."""
    if int(state.phase) != OVER:
        return 0
    best = 0
    for seat in range(int(state.players)):
        scores[seat] = points(state, seat)
        best = max(best, int(scores[seat]))
    for seat in range(int(state.players)):
        wins[seat] = 1 if scores[seat] == best else 0
    return 2 if boats_at_sea(state) else 1
