"""The cards against a second, naive version of W10 to W17: a pirate is (crew, space), a choice is a pair of pirates."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tribord import load
from tribord.core.match import legal_actions
from tribord.games.walk_the_plank.actions import CARDS
from tribord.games.walk_the_plank.state import RESOLVING

CREWS = ("blue", "green", "red", "yellow", "lilac")
ROUNDS = json.loads((Path(__file__).parent / "rounds.json").read_text(encoding="utf-8"))


def told(card, slot, seat, players, plank, pirates):
    """Every choice that a card offers, in notation, and the pirates it would leave alive."""

    def moved(*changes):
        left = list(pirates)
        for pirate, _space in changes:
            left.remove(pirate)
        left += [(crew, space) for (crew, _old), space in changes if space <= plank]
        return sorted(left)

    alive = [crew for crew in range(players) if any(p[0] == crew for p in pirates)]
    around = [crew for k in range(1, players) if (crew := (seat + k) % players) in alive]
    found = {}
    for mine in [p for p in pirates if p[0] == seat]:
        space = mine[1]
        others = list(pirates)
        others.remove(mine)
        for other in [p for p in others if p[1] == space]:
            crew, name = other[0], CREWS[other[0]]
            if (
                (card == "shove-left" and around[:1] == [crew])
                or (card == "shove-right" and around[-1:] == [crew])
                or card == "shove-anyone"
            ):
                found[f"shove {space} {name}"] = moved((other, space + 1))
            if card == "drag":
                found[f"drag {space} {name}"] = moved((mine, space + 1), (other, space + 1))
            if card == "pull" and space > 0:
                found[f"pull {space} {name}"] = moved((mine, space - 1), (other, space - 1))
        if card == "run":
            found[f"run {space} sea"] = moved((mine, space + 1))
            if space > 0:
                found[f"run {space} ship"] = moved((mine, space - 1))
        if card == "i-dont-want-to-die" and space > 0:
            for steps in (1, 2):
                if space >= steps:
                    found[f"flee {space} {steps}"] = moved((mine, space - steps))
        if card == "charge" and slot > 0:
            there = [p for p in others if p[1] == space + 1]
            for other in there:
                found[f"charge {space} {CREWS[other[0]]}"] = moved((mine, space + 1), (other, space + 2))
            if not there:
                found[f"charge {space} nobody"] = moved((mine, space + 1))
    return found


@st.composite
def boards(draw):
    """A card, and a board to play it on as card 1, 2 or 3."""
    players = draw(st.sampled_from([3, 4, 5]))
    plank = draw(st.sampled_from([1, 2, 3]))
    pirates = []
    for crew in range(players):
        pirates += [(crew, space) for space in draw(st.lists(st.integers(0, plank), max_size=3))]
    seat = draw(st.integers(0, players - 1))
    if all(crew != seat for crew, _space in pirates):
        pirates.append((seat, draw(st.integers(0, plank))))
    return draw(st.sampled_from(CARDS)), draw(st.integers(0, 2)), seat, players, plank, sorted(pirates)


def set_up(card, slot, seat, players, plank, pirates):
    """That board in a record, with the card of the seat turned up."""
    game = load("walk-the-plank")
    state = game.match(players, seed=1).state
    state.phase, state.plank, state.favour, state.seat, state.slot, state.sealing = (
        RESOLVING,
        plank,
        seat,
        seat,
        slot,
        0,
    )
    for crew in range(players):
        state.pirates[crew] = sum(1 << 2 * space for owner, space in pirates if owner == crew)
    state.program[seat, slot] = CARDS.index(card)
    return game, state


def standing(state, players):
    return sorted(
        (crew, space)
        for crew in range(players)
        for space in range(4)
        for _k in range(int(state.pirates[crew]) >> 2 * space & 3)
    )


@settings(max_examples=400)
@given(board=boards())
def test_W10_to_W17_every_choice_and_its_result(board):
    card, _slot, seat, players, _plank, _pirates = board
    game, state = set_up(*board)
    expected = told(*board)
    targets = int(game.rules.targets(state, seat, CARDS.index(card)))
    first = int(game.play.FIRST_TARGET[CARDS.index(card)])
    found = {game.notation(first + k): k for k in range(24) if targets >> k & 1}
    assert found.keys() == expected.keys()
    for choice, target in found.items():
        _game, state = set_up(*board)
        game.rules.carry_out(state, seat, CARDS.index(card), target, None)
        assert standing(state, players) == expected[choice]


def ways(match):
    """The number of ways a round can go once its cards are laid; equal states are counted once and multiplied."""
    game, known = match.game, {}

    def count(state):
        if int(state.phase) != RESOLVING:
            return 1
        key = state.tobytes()
        if key not in known:
            seat = int(state.seat)
            total = 0
            for action in legal_actions(game, state, seat):
                after = game.states(1)
                after[0] = state
                game.rules.apply(after[0], seat, action, None)
                total += count(after[0])
            known[key] = total
        return known[key]

    return count(match.state)


def told_ways(programs, favour):
    """The same number by the naive version, with W5, W9 and W12 written a second time."""
    players = len(programs)
    turns = [(slot, (favour + k) % players) for slot in range(3) for k in range(players)]

    @cache
    def count(turn, plank, pirates):
        if turn == len(turns):
            return 1
        slot, seat = turns[turn]
        card = programs[seat][slot]
        if all(crew != seat for crew, _space in pirates):
            return count(turn + 1, plank, pirates)
        if card == "extend":
            return count(turn + 1, min(plank + 1, 3), pirates)
        if card == "retract" and plank > 1:
            return count(turn + 1, plank - 1, tuple(p for p in pirates if p[1] < plank))
        found = told(card, slot, seat, players, plank, pirates)
        if not found:
            return count(turn + 1, plank, pirates)
        return sum(count(turn + 1, plank, tuple(after)) for after in found.values())

    return count(0, 3, tuple((crew, 0) for crew in range(players) for _k in range(3)))


@pytest.mark.parametrize("laid", ROUNDS)
def test_W5_W6_a_round_can_go_in_so_many_ways(laid):
    programs = [cards.split() for cards in laid.split(" / ")]
    match = load("walk-the-plank").match(len(programs), seed=1)
    favour = CREWS.index(match.truth()["favour"])
    for seat, cards in enumerate(programs):
        match.play(seat, {"kind": "program", "cards": cards})
    assert ways(match) == told_ways(programs, favour) == ROUNDS[laid]
