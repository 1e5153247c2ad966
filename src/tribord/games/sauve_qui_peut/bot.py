"""Evaluation of Sauve qui peut !: a seat's points ashore and expected points, minus those of its best opponent."""

from typing import Any

import numpy as np

from tribord.core.compiled import rule
from tribord.core.record import State
from tribord.games.sauve_qui_peut.actions import CAP, target_of
from tribord.games.sauve_qui_peut.rules import (
    SAILOR_POINTS,
    apply,
    at_sea,
    has_free_seat,
    heads,
    lane_left,
    people_aboard,
    person_between,
    points,
    points_for,
    unit,
)
from tribord.games.sauve_qui_peut.state import ADVANCE, BOARDING, BOATS, LANDED, LEAK, LEAVING, OVER, OVERBOARD

TOKEN_WORTH = 0.6
ON_DECK = 0.55  # share of its points that a person on deck may expect
SWIMMING = 0.9  # share of the best free seat that a person between boats may expect
NOTHING = -1  # no target: ignore the vote


@rule
def survival(people: int, leaks: int, rows: int) -> float:
    """The chance that a boat reaches its island: its people against its leaks, and the rows still to go."""
    spare = people - leaks + 1
    return spare / (spare + 0.8 * rows) if spare > 0 else 0.0


@rule
def boat_survives(state: State, lane: int, target: int) -> float:
    """The chance that the boat of a lane lands, if the current vote ends on `target`."""
    people = heads(people_aboard(state, lane))
    leaks = int(state.leaks[lane])
    rows = int(state.rows[lane]) - LANDED
    phase = int(state.phase)
    if phase == OVERBOARD and lane == int(state.boat):
        people -= 1
        leaks += 1
    elif target == lane and phase == LEAK:
        people -= 0 if has_free_seat(state, lane) else 1
        leaks += 1
    elif target == lane and phase == ADVANCE:
        rows -= 1
    elif phase in (LEAVING, BOARDING):
        people += 1 if people < leaks else 0  # someone may still board before it sinks
    return survival(people, leaks, rows)


@rule
def expected(state: State, crew: int, target: int) -> float:
    """Points a crew may expect, if the current vote ends on `target`; NOTHING leaves everything as it is."""
    total = float(points(state, crew))
    if int(state.phase) == OVER:
        return total
    best_seat = 0.0
    for lane in range(BOATS):
        if at_sea(state, lane):
            people = int(state.people[lane, crew])
            if int(state.phase) == OVERBOARD and lane == int(state.boat) and target == crew:
                people -= 1 if people & 7 else 8
            if people:
                total += points_for(people, lane) * boat_survives(state, lane, target)
            if int(state.between[crew]) and lane != lane_left(state, crew) and has_free_seat(state, lane):
                worth = points_for(unit(person_between(state, crew)), lane) * boat_survives(state, lane, target)
                best_seat = max(best_seat, worth)
    waiting = int(state.waiting[crew])
    total += ON_DECK * (5 * heads(waiting) + 2 * (waiting >> 3))
    return total + SWIMMING * best_seat + TOKEN_WORTH * int(state.tokens[crew])


@rule
def lead(state: State, seat: int, target: int) -> float:
    """The seat's expectation minus its best opponent's, if the current vote ends on `target`."""
    best = -1000.0
    for crew in range(int(state.players)):
        if crew != seat:
            best = max(best, expected(state, crew, target))
    return expected(state, seat, target) - best


@rule
def best_lead(state: State, seat: int, targets: int) -> float:
    """The lead with the target that is best for this seat."""
    best = -1000.0
    for target in range(BOATS):
        if (targets >> target) & 1:
            best = max(best, lead(state, seat, target))
    return best


@rule
def evaluate(state: State, seat: int) -> float:
    """The lead now; if this seat decides after a vote, it is assumed to decide well."""
    if int(state.targets) and int(state.turn) == seat:
        return best_lead(state, seat, int(state.targets))
    return lead(state, seat, NOTHING)


# Search


SEARCH = {"c_puct": 0.4, "prior_temperature": 0.03, "prior_weight": 3, "rollout_depth": 24, "opponent_prior": 0.85}
ITERATIONS = {"bosco": 50, "capitaine": 1500}
LUCK = (1.0, 0.4)  # coefficients of luck in the arena, fitted by `python -m tribord.lab.luck`

# Fitted to some 670 matches of searching bots: the values predict who wins.
BOAT = 3.12  # the log odds that a boat lands: to begin with,
PERSON = 0.12  # for each person aboard,
HOLE = -0.46  # for every leak,
ROW = np.array([0.0, 0.0, 0.0, -1.15, -1.84])  # for its row,
RIVAL = -0.31  # for every boat at sea, itself included,
PRIZE = -0.25  # for a sailor's points on its island, which opponents vote against,
ADVANCING = 0.5  # and while this round's advance is still ahead
CAP_WORTH = 0.96  # points that a token stands for
CERTAIN = 0.45  # points that make a victory e times as likely once nothing is left at sea,
OPEN = 0.255  # and the extra needed for every point at sea, divided by the players


@rule
def lands(state: State, lane: int, target: int, afloat: int) -> float:
    """The chance that the boat of a lane lands, one of `afloat` boats, if the current vote ends on `target`."""
    people = heads(people_aboard(state, lane))
    leaks = int(state.leaks[lane])
    row = int(state.rows[lane])
    phase = int(state.phase)
    advancing = phase == ADVANCE and target == NOTHING
    if phase == OVERBOARD:
        advancing = True
        if lane == int(state.boat):
            people -= 1
            leaks += 1
    elif phase == LEAK and target != NOTHING:
        advancing = True
        if target == lane:
            people -= 0 if has_free_seat(state, lane) else 1
            leaks += 1
    elif phase == ADVANCE and target == lane:
        row -= 1
        if row == LANDED:
            return 1.0
    elif phase in (LEAVING, BOARDING):
        people += 1 if people < leaks else 0  # someone may still board before it sinks
    if leaks > people:
        return 0.0
    odds = BOAT + PERSON * people + HOLE * leaks + ROW[row] + RIVAL * afloat + PRIZE * SAILOR_POINTS[lane]
    if advancing:
        odds += ADVANCING
    return 1.0 / (1.0 + np.exp(-odds))


@rule
def values_if(state: State, target: int, out: Any) -> None:
    """The winning chances that follow from the expected points, if the current vote ends on `target`.

    The more points are still at sea, the less a lead means.
    """
    players = int(state.players)
    at_stake = 0.0
    for crew in range(players):
        waiting = int(state.waiting[crew])
        on_deck = 5.0 * heads(waiting) + 2.0 * (waiting >> 3)
        at_stake += on_deck + (5.0 if int(state.between[crew]) else 0.0)
        out[crew] = points(state, crew) + CAP_WORTH * int(state.tokens[crew]) + ON_DECK * on_deck
    if int(state.phase) != OVER:
        afloat = 0
        for lane in range(BOATS):
            afloat += 1 if at_sea(state, lane) else 0
        for lane in range(BOATS):
            if at_sea(state, lane):
                likely = lands(state, lane, target, afloat)
                for crew in range(players):
                    people = int(state.people[lane, crew])
                    if int(state.phase) == OVERBOARD and lane == int(state.boat) and target == crew:
                        people -= 1 if people & 7 else 8
                    worth = points_for(people, lane)
                    at_stake += worth
                    out[crew] += worth * likely
        for crew in range(players):
            if int(state.between[crew]):
                best_seat = 0.0
                person = unit(person_between(state, crew))
                for lane in range(BOATS):
                    if at_sea(state, lane) and lane != lane_left(state, crew) and has_free_seat(state, lane):
                        best_seat = max(best_seat, points_for(person, lane) * lands(state, lane, target, afloat))
                out[crew] += SWIMMING * best_seat
    best = -1000.0
    for crew in range(players):
        best = max(best, out[crew])
    spread = CERTAIN + OPEN * at_stake / players
    mass = 0.0
    for crew in range(players):
        out[crew] = np.exp((out[crew] - best) / spread)
        mass += out[crew]
    for crew in range(players):
        out[crew] /= mass


@rule
def values(state: State, out: Any) -> None:
    """The winning chances now."""
    values_if(state, NOTHING, out)


@rule
def prior_value(state: State, trial: State, seat: int, action: int, out: Any) -> float:
    """Value a vote as if its target won, which predicts how opponents vote. Any other action is carried out."""
    if int(state.sealing):
        values_if(state, NOTHING if action == CAP else target_of(action), out)
    else:
        apply(trial, seat, action, None)
        values(trial, out)
    return out[seat]
