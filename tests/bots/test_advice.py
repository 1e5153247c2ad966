"""Advice: the best choices with chances and main lines, from the view alone."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tribord import game_ids, load
from tribord.bots import solver
from tribord.bots.decision import LONGEST_LINE, TREES, Decision
from tribord.core.chance import below, stream
from tribord.core.match import legal_actions
from tribord.core.record import PlainStates, revive
from tribord.core.words import LANGUAGES
from tribord.lab import advise
from tribord.testing.conformance import setups

ILE, WTP, FPP = load("ile-aux-pirates"), load("walk-the-plank"), load("faut-pas-pousser")
ITERATIONS = 25


def begun(game, players, luck, steps, options=None):
    """A match that random players have begun; it isn't over."""
    match = game.match(players, seed=luck, options=options)
    rng = stream(luck)
    for _step in range(steps):
        before = match.fork()
        seat = match.to_act[below(rng, len(match.to_act))]
        legal = match.legal(seat)
        match.play(seat, legal[below(rng, len(legal))])
        if match.over:
            return before
    return match


def another_truth(match, seat, luck):
    """A match that looks the same to a seat, with other hidden facts."""
    twin = match.fork()
    twin.states[:] = revive(match.view_state(seat).tobytes(), match.game.dtype)
    match.game.rules.guess(
        PlainStates(twin.states)[0], seat, stream(luck, 99), np.zeros(max(match.game.actions, match.game.chances), int)
    )
    return twin


@pytest.mark.parametrize("game", game_ids())
@settings(max_examples=12, deadline=None)
@given(data=st.data())
def test_only_the_view_counts(game, data):
    """Not a byte of the advice changes when only hidden facts change."""
    game = load(game)
    setup = data.draw(st.sampled_from(list(setups(game))))
    steps = data.draw(st.integers(0, 40))
    match = begun(game, setup.players, data.draw(st.integers(0, 999)), steps, setup.options)
    for seat in match.to_act:
        twin = another_truth(match, seat, data.draw(st.integers(0, 999)))
        assert twin.view_state(seat).tobytes() == match.view_state(seat).tobytes()
        told = [
            json.dumps(advise(m.view_state(seat), m.legal(seat), iterations=ITERATIONS, seed=3).as_dict())
            for m in (match, twin)
        ]
        assert told[0] == told[1]


def test_hidden_facts_do_differ_in_that_test():
    """In Walk the Plank the cards of others that lie face down are redealt, and only those."""
    match = begun(WTP, 3, 5, 0)
    match.play(0, "program run pull extend")
    match.play(1, "program charge pull extend")
    twins = {another_truth(match, 2, luck).state.tobytes() for luck in range(5)}
    assert len(twins) > 1
    assert {WTP.view_of(revive(twin, WTP.dtype)[0], 2).tobytes() for twin in twins} == {match.view_state(2).tobytes()}


@pytest.mark.parametrize("game", game_ids())
def test_the_best_three_choices_are_legal_in_order_and_between_their_ends(game):
    game = load(game)
    for luck, steps in ((1, 0), (2, 9), (3, 17)):
        match = begun(game, game.usual_players, luck, steps)
        seat = match.to_act[-1]
        legal = match.legal(seat)
        found = advise(match.view_state(seat), legal, iterations=ITERATIONS, seed=luck)
        chosen = [each.action for each in found.suggestions]
        assert found.seat == seat and set(chosen) <= set(legal)
        assert len(set(chosen)) == len(chosen) == min(3, len(legal))
        if len(legal) > 1:
            means = [each.value.mean for each in found.suggestions]
            assert means == sorted(means, reverse=True)
            assert all(0 <= each.value.low <= each.value.mean <= each.value.high <= 1 for each in found.suggestions)
            assert found.exact == all(each.visits == 0 for each in found.suggestions)
        for each in found.suggestions:
            assert each.line[0].action == each.action and each.line[0].seat == seat
            assert len(each.line) <= LONGEST_LINE


def test_a_main_line_can_be_played_where_nothing_is_hidden():
    match = begun(FPP, 4, 3, 6)
    seat = match.to_act[0]
    found = advise(match.view_state(seat), match.legal(seat), iterations=200, seed=1)
    assert max(len(each.line) for each in found.suggestions) > 1
    for each in found.suggestions:
        twin = match.fork()
        for ply in each.line:
            assert twin.play(ply.seat, ply.action)[: len(ply.events)] == list(ply.events)


def test_the_base_game_of_ile_is_advised_by_its_solution():
    match = begun(ILE, 2, 4, 5)
    seat = match.to_act[0]
    view, legal = match.view_state(seat), match.legal(seat)
    values = dict(zip(legal, solver.solution(ILE).action_values(view)))
    found = advise(view, legal, 60, most=len(legal))  # and takes no minute
    assert found.exact and found.iterations == 0
    assert {each.action: each.value.mean for each in found.suggestions} == values
    assert found.suggestions[0].value.mean == max(values.values())


def test_the_last_turns_are_solved_exactly():
    match = begun(FPP, 4, 7, 4 + 19)
    seat = match.to_act[0]
    found = advise(match.view_state(seat), match.legal(seat), iterations=2000)
    assert found.exact
    best = found.suggestions[0]
    twin = match.fork()
    for ply in best.line:
        twin.play(ply.seat, ply.action)
    assert twin.over  # five turns were left, and the line has them all


def test_an_action_that_the_search_leaves_out_has_the_value_of_its_equal():
    match = begun(FPP, 2, 1, 8)
    seat = match.to_act[0]
    legal = match.legal(seat)
    decision = Decision(FPP, match.view_state(seat), legal, iterations=60)
    kept = decision.search.workers[0].candidates()
    left_out = [action for action in legal if action not in kept]
    assert left_out
    for action in left_out[:5]:
        ends = []
        for each in (action, decision._stand_in(action)):
            twin = match.fork()
            twin.play(seat, each)
            ends.append(twin.state.tobytes())
        assert ends[0] == ends[1]
        assert decision.value(action).value == decision.value(decision._stand_in(action)).value


def test_a_closer_look_gives_every_tree_visits_of_the_action_and_leaves_the_others_as_they_were():
    match = WTP.match(3, seed=1)
    legal = match.legal(0)
    decision = Decision(WTP, match.view_state(0), legal, iterations=80)
    counts = [{a: s[0] for a, s in w.statistics(0).items()} for w in decision.search.workers]
    action = legal[-1]
    decision.look_closer(action)
    assert decision.value(action).visits >= TREES * 80 // 8
    first = decision.search.workers[0].path_to(action)[0]
    for worker, before in zip(decision.search.workers, counts):
        after = {a: s[0] for a, s in worker.statistics(0).items()}
        assert set(after) == set(before)
        assert sum(after[a] - before[a] for a in after if a != first) <= 2  # those that found the way there


def test_a_part_without_a_choice_has_the_value_of_the_part_before():
    """With three cards left the third of a program follows from the others."""
    match = WTP.match(3, seed=1)
    cards = WTP.view_of(match.state, 0)
    cards.aside[0] = 0b1111111000  # seven cards lie aside
    legal = legal_actions(WTP, cards, 0)
    assert len(legal) == 6
    for each in advise(cards, legal, iterations=40).suggestions:
        assert each.visits > 0 and 0 <= each.value.low <= each.value.mean


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", game_ids())
def test_advice_is_said_in_both_languages(game, language):
    game = load(game)
    match = begun(game, game.usual_players, 2, 12)
    seat = match.to_act[0]
    found = advise(match.view_state(seat), match.legal(seat), iterations=ITERATIONS)
    words = game.words(language)
    said = found.say(words)
    for each in found.suggestions:
        assert any(game.say_action(each.action, words) in line for line in said)
    assert "{" not in "".join(said)
