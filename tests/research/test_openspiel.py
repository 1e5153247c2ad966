"""Every game in OpenSpiel: OpenSpiel's own tests, OpenSpiel's own algorithms, and the rules' refusals."""

from __future__ import annotations

import pickle
import random
import subprocess
import sys
from typing import Any

import numpy as np
import pyspiel
import pytest
from absl import flags
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability, ismcts, mcts
from tests.research import playthrough
from tests.research.history import history, late

from tribord import game_ids, load
from tribord.core import event
from tribord.core.chance import stream
from tribord.core.record import CHANCE
from tribord.research import openspiel
from tribord.research.node import Node

GAMES = [load(name) for name in game_ids()]
TABLES = [(openspiel.short_name(g), n) for g in GAMES for n in range(g.players[0], g.players[1] + 1)]
OPTIONS = [
    "tribord_faut_pas_pousser(players=3,age=2/0/1)",
    "tribord_sauve_qui_peut(players=3,boats=players+1,first=seat2)",
    "tribord_walk_the_plank(players=3,skulls=drag/charge,rounds=5)",
    "tribord_walk_the_plank(players=3,skulls=,rounds=2,zero_sum=True)",
    "tribord_ile_aux_pirates(players=4,game=strategic,hard=True,harder=True,memory=False,first=seat1,turns=30)",
]
# OpenSpiel looks at the first few states and expects a secret there if a game has some: after everyone is in a boat,
# and after the cards are laid.
BEFORE_SECRETS = {"tribord_sauve_qui_peut": 22, "tribord_walk_the_plank": 4}
PLANK = {"players": 3, "rounds": 3}
# By name, since importing them takes more than a second, in every process that collects tests.
PARTIAL_TREE = [
    "test_legal_actions_returns_empty_list_on_opponent",
    "test_no_invalid_public_observations",
    "test_observations_raises_error_on_invalid_player",
    "test_private_information_contents",
    "test_sequence_lengths",
]
FULL_TREE = [
    "test_constant_sum",
    "test_current_player_infosets_no_overlap_between_players",
    "test_current_player_returns_terminal_player_on_terminal_nodes",
    "test_game_is_perfect_recall",
    "test_information_state_functions_raises_on_chance_nodes",
    "test_information_state_no_argument_raises_on_terminal_nodes",
    "test_legal_actions_empty",
    "test_number_of_nodes",
]
DUEL: dict[str, Any] = {"players": 2, "zero_sum": True, "simultaneous": False}  # Faut pas pousser with two


def load_late(name: str, parameters: dict[str, Any], left: int, seed: int = 0, **more: Any) -> Any:
    return pyspiel.load_game(name, {**late(name, parameters, left, seed), **more})


# -- OpenSpiel's own tests --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("at_once", [True, False], ids=["simultaneous", "turn-based"])
@pytest.mark.parametrize(("name", "players"), TABLES)
def test_random_matches_at_every_table(name: str, players: int, at_once: bool) -> None:
    game = pyspiel.load_game(name, {"players": players, "simultaneous": at_once})
    assert game.num_players() == players
    for serialize in (True, False):
        pyspiel.random_sim_test(game, num_sims=1, serialize=serialize, verbose=False)


@pytest.mark.parametrize("text", OPTIONS)
def test_random_matches_with_options(text: str) -> None:
    game = pyspiel.load_game(text)
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)
    assert str(pyspiel.load_game(str(game))) == str(game)
    assert str(pickle.loads(pickle.dumps(game))) == str(game)
    state = game.new_initial_state()
    assert str(pickle.loads(pickle.dumps(state))) == str(state)


@pytest.mark.parametrize("at_once", [True, False], ids=["simultaneous", "turn-based"])
@pytest.mark.parametrize("name", [openspiel.short_name(game) for game in GAMES])
@pytest.mark.parametrize("check", PARTIAL_TREE)
def test_api_on_a_part_of_the_tree(name: str, at_once: bool, check: str) -> None:
    from open_spiel.integration_tests import api_test

    random.seed(1)  # which states OpenSpiel looks at
    sort = type(name, (api_test.EnforceAPIOnPartialTreeBase,), {"game_name": name})
    opening = "/".join(map(str, history(name, {})[: BEFORE_SECRETS.get(name, 0)]))
    sort.game = pyspiel.load_game(name, {"simultaneous": at_once, "after": opening})
    sort.setUpClass()
    getattr(sort(check), check)()


def test_every_check_of_openspiel_is_made() -> None:
    from open_spiel.integration_tests import api_test

    bases = (api_test.EnforceAPIOnPartialTreeBase, api_test.EnforceAPIOnFullTreeBase)
    assert [[n for n in dir(base) if n.startswith("test_")] for base in bases] == [PARTIAL_TREE, FULL_TREE]


@pytest.mark.parametrize("check", FULL_TREE)
def test_api_on_a_whole_tree(check: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from open_spiel.integration_tests import api_test

    name = "tribord_faut_pas_pousser"
    sort = type(name, (api_test.EnforceAPIOnFullTreeBase,), {"game_name": name})
    sort.game = load_late(name, DUEL, 6, recall=6)
    nodes = count(openspiel.OpenSpielState(sort.game)._position)
    assert min(nodes) > 0
    monkeypatch.setitem(api_test.TOTAL_NUM_STATES, name, nodes)
    # Both players see every action: one information state per decision.
    monkeypatch.setitem(api_test.PERFECT_RECALL_NUM_STATES, name, nodes[1])
    sort.setUpClass()
    getattr(sort(check), check)()


def count(position: Node) -> tuple[int, int, int]:
    """Chance nodes, decisions and ends, counted through the rules alone."""
    engine, found = position.game.engine, [0, 0, 0]
    todo = [position.states]
    while todo:
        states = todo.pop()
        mask = engine.to_act(states)
        seat = mask.bit_length() - 1 if mask else CHANCE
        weights = [] if mask else engine.weights(states)
        actions = engine.legal(states, seat) if mask else [k for k, weight in enumerate(weights) if weight]
        found[1 if mask else 0 if actions else 2] += 1
        for action in actions:
            todo.append(openspiel.duplicate(states))
            engine.apply(todo[-1], seat, action, event.buffer())
    return found[0], found[1], found[2]


@pytest.mark.parametrize("name", playthrough.MATCHES)
def test_playthroughs(name: str) -> None:
    from open_spiel.python.algorithms import generate_playthrough  # brings all of SciPy’s statistics: a second

    flags.FLAGS.mark_as_parsed()  # as OpenSpiel's own program would
    path = playthrough.FOLDER / f"{name}.txt"
    original, kept = generate_playthrough.replay(str(path))
    assert kept == original


# -- the same match ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", game_ids())
def test_a_match_is_the_same_in_both(name: str) -> None:
    """Decisions and throws of a match lead to the same views, choices and end in OpenSpiel."""
    game = load(name)
    players = min(4, game.players[1])
    match = game.match(players, 3, {o.name: o.research for o in game.options if o.research is not None})
    state = openspiel.open_game(game, players, match.options, simultaneous=False).new_initial_state()
    luck, thrown = random.Random(1), 0
    while not state.is_terminal():
        while state.is_chance_node():
            throws = [step.entry.action for step in match.steps if step.entry.seat == CHANCE]
            assert throws[thrown] in dict(state.chance_outcomes())
            state.apply_action(throws[thrown])
            thrown += 1
        if not match.over:
            seat = state.current_player()
            assert seat == match.to_act[0]
            assert state.legal_actions() == match.legal(seat)
            for other in range(players):
                view = game.observe(match.view_state(other), other)
                assert np.array_equal(np.array(state.observation_tensor(other), np.float32), view)
            action = luck.choice(state.legal_actions())
            assert state.action_to_string(seat, action) == game.notation(action)
            match.play(seat, action)
            state.apply_action(action)
    assert match.outcome is not None
    winners = match.outcome.winners
    part = 1 if game.cooperative else 1 / max(len(winners), 1)
    assert state.returns() == [part if seat in winners else 0 for seat in range(players)]


def test_all_at_once_is_one_after_another() -> None:
    """A joint action leads to the same state as the choices one by one; seats without a choice pass 0."""
    together = pyspiel.load_game("tribord_walk_the_plank", PLANK).new_initial_state()
    apart = pyspiel.load_game("tribord_walk_the_plank", {**PLANK, "simultaneous": False}).new_initial_state()
    luck, joint, partial = random.Random(4), 0, 0
    while not apart.is_terminal():
        if not together.is_simultaneous_node():
            action = luck.choice(apart.legal_actions())
            together.apply_action(action)
            apart.apply_action(action)
        else:
            actions = [0, 0, 0]
            for seat in range(3):
                if together.legal_actions(seat):
                    assert apart.current_player() == seat
                    actions[seat] = luck.choice(apart.legal_actions())
                    apart.apply_action(actions[seat])
                else:
                    partial += 1
            together.apply_actions(actions)
            joint += 1
        assert str(together) == str(apart)
    assert joint
    assert together.returns() == apart.returns()


# -- what a seat knows ------------------------------------------------------------------------------------------------


def test_sealed_choices_are_secret_and_own_ones_are_not() -> None:
    game = pyspiel.load_game("tribord_walk_the_plank", {**PLANK, "simultaneous": False, "recall": 9})
    one, other = (game.new_initial_state() for _ in range(2))
    for state, program in ((one, 5), (other, 600)):
        state.apply_action(0)  # who has the Favour
        state.apply_action(program)
    assert one.information_state_string(0) != other.information_state_string(0)
    assert one.information_state_tensor(0) != other.information_state_tensor(0)
    assert one.observation_string(0) != other.observation_string(0)
    for seat in (1, 2):
        assert one.information_state_string(seat) == other.information_state_string(seat)
        assert one.information_state_tensor(seat) == other.information_state_tensor(seat)
        assert one.observation_string(seat) == other.observation_string(seat)


def test_information_states_remember() -> None:
    """Two ways to the same position look alike but aren't the same."""
    game = pyspiel.load_game("tribord_ile_aux_pirates(players=2,recall=40)")
    states, found = [game.new_initial_state()], None
    for _ in range(3):
        states = [state.child(action) for state in states for action in state.legal_actions()[:12]]
        seen: dict[str, Any] = {}
        for state in states:
            twin = seen.setdefault(str(state), state)
            if twin.history() != state.history():
                found = (twin, state)
    assert found is not None
    one, other = found
    assert one.observation_string(0) == other.observation_string(0)
    assert one.information_state_string(0) != other.information_state_string(0)
    assert one.information_state_tensor(0) != other.information_state_tensor(0)


def test_guesses_are_states_that_the_seat_cannot_tell_apart() -> None:
    name = "tribord_walk_the_plank"
    actions = history(name, PLANK, seed=3)
    state = pyspiel.load_game(name, {**PLANK, "simultaneous": False}).new_initial_state()
    luck, hidden = random.Random(2), 0
    for action in actions:
        if not state.is_chance_node():
            seat = state.current_player()
            guesses = [state.resample_from_infostate(seat, luck.random) for _ in range(6)]
            for guess in guesses:
                assert guess.current_player() == seat
                assert guess.legal_actions() == state.legal_actions()
                assert guess.information_state_string(seat) == state.information_state_string(seat)
            kept = pickle.loads(pickle.dumps(guesses[0]))
            assert kept.information_state_string(seat) == state.information_state_string(seat)
            hidden += len({str(guess) for guess in guesses}) > 1
        state.apply_action(action)
    assert hidden


def test_a_view_is_enough_for_a_seat_that_decides_before_others() -> None:
    """Seats with a lower number that haven't sealed yet count as sealed."""
    game = openspiel.open_game(load("walk-the-plank"), 3, simultaneous=False)
    match = load("walk-the-plank").match(3, 1)
    for seat in (2, 1, 0):
        state = game.state_seen(match.view_state(seat), seat, stream(1))
        assert state.current_player() == seat
        assert state.legal_actions() == match.legal(seat)


# -- OpenSpiel's own algorithms ---------------------------------------------------------------------------------------


def test_mcts_with_four_players() -> None:
    """In C++ and in Python. One searching player beats three random ones more often than not."""
    game = pyspiel.load_game("tribord_faut_pas_pousser(players=4,simultaneous=False)")
    luck, won = random.Random(5), 0.0
    for seat in range(4):
        state = game.new_initial_state()
        fast = pyspiel.MCTSBot(
            game, pyspiel.RandomRolloutEvaluator(1, seat), 1.0, 60, 100, solve=True, seed=seat, verbose=False
        )
        rollouts = mcts.RandomRolloutEvaluator(1, np.random.RandomState(seat))
        slow = mcts.MCTSBot(game, 1.0, 60, rollouts, random_state=np.random.RandomState(seat))
        while not state.is_terminal():
            if state.current_player() != seat:
                action = luck.choice(state.legal_actions())
            elif seat % 2:
                action = fast.mcts_search(state).best_child().action
            else:
                action = slow.step(state)
            state.apply_action(action)
        won += state.returns()[seat]
    assert won >= 2


def test_mcts_finds_what_the_whole_tree_says() -> None:
    game = load_late("tribord_faut_pas_pousser", DUEL, 6)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    seat, best = state.current_player(), best_value(state)
    bot = mcts.MCTSBot(game, 1.0, 800, mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)), solve=True)
    after = state.child(bot.step(state))
    assert best_value(after)[seat] == pytest.approx(best[seat])


def best_value(state: Any) -> np.ndarray:
    """Everyone's value of the match under best play."""
    if state.is_terminal():
        return np.array(state.returns())
    if state.is_chance_node():
        return sum(odds * best_value(state.child(outcome)) for outcome, odds in state.chance_outcomes())
    seat = state.current_player()
    return max((best_value(state.child(action)) for action in state.legal_actions()), key=lambda value: value[seat])


def test_cfr_solves_the_last_turns() -> None:
    """Faut pas pousser with two: the average policy gets the value of the game, and no other policy gains more."""
    game = load_late("tribord_faut_pas_pousser", DUEL, 6)
    solver = cfr.CFRPlusSolver(game)
    for _ in range(60):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    assert exploitability.nash_conv(game, policy) < 0.01
    state = game.new_initial_state()
    values = expected_game_score.policy_value(state, [policy, policy])
    assert values == pytest.approx(best_value(state), abs=0.01)


def test_cfr_votes() -> None:
    """Sauve qui peut ! with three, sealed votes: regret falls; the first, uniform, policy can be beaten."""
    game = load_late("tribord_sauve_qui_peut", {"players": 3, "zero_sum": True, "simultaneous": False}, 7, seed=3)
    solver = cfr.CFRSolver(game)
    before = exploitability.nash_conv(game, solver.average_policy())
    assert before > 0.1
    for _ in range(8):
        solver.evaluate_and_update_policy()
    assert exploitability.nash_conv(game, solver.average_policy()) < before / 2


@pytest.mark.parametrize(("name", "players"), [("walk_the_plank", 3), ("sauve_qui_peut", 4)])
def test_information_set_mcts_guesses_as_we_do(name: str, players: int) -> None:
    game = pyspiel.load_game(f"tribord_{name}(players={players},simultaneous=False)")
    state, luck = game.new_initial_state(), np.random.RandomState(1)
    resampled = []

    def resample(now: Any, seat: int) -> Any:
        resampled.append(now.resample_from_infostate(seat, luck.random_sample))
        return resampled[-1]

    for recall in (True, False):  # nodes by everything seen so far, or by the current view
        bot = ismcts.ISMCTSBot(
            game, mcts.RandomRolloutEvaluator(1, luck), 1.0, 8, random_state=luck, use_observation_string=not recall
        )
        bot.set_resampler(resample)
        for _ in range(4):
            while state.is_chance_node():
                state.apply_action(state.legal_actions()[0])
            action = bot.step(state)
            assert action in state.legal_actions()
            state.apply_action(action)
    assert len(resampled) >= 32


def test_compiled_rollouts_have_the_odds_of_openspiels_own() -> None:
    """Faut pas pousser with two, where neutral crews draw cards: chance, decisions and ends."""
    state = load_late("tribord_faut_pas_pousser", DUEL, 14).new_initial_state()
    ours = openspiel.Rollouts(4000, seed=1).evaluate(state)
    theirs = mcts.RandomRolloutEvaluator(700, np.random.RandomState(1)).evaluate(state)
    assert 0.02 < abs(theirs[0]) < 0.48
    assert ours == pytest.approx(theirs, abs=4 * 0.5 / 700**0.5)
    assert openspiel.Rollouts(50, seed=1).evaluate(state) == pytest.approx(
        openspiel.Rollouts(50, seed=1).evaluate(state)
    )


def test_openspiel_makes_turns_of_simultaneous_choices() -> None:
    game = pyspiel.convert_to_turn_based(pyspiel.load_game("tribord_faut_pas_pousser(players=3)"))
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


def test_reinforcement_learning_environment() -> None:
    environment = rl_environment.Environment("tribord_sauve_qui_peut", players=3)
    step, luck = environment.reset(), random.Random(1)
    while not step.last():
        legal = step.observations["legal_actions"]
        step = environment.step([luck.choice(actions) if actions else 0 for actions in legal])
    assert sum(step.rewards) == pytest.approx(1)


# -- refusals ---------------------------------------------------------------------------------------------------------


def picked() -> Any:
    """Faut pas pousser with four, when the picks are made."""
    state = pyspiel.load_game("tribord_faut_pas_pousser(players=4)").new_initial_state()
    state.apply_actions([0, 1, 2, 3])
    return state


def test_an_illegal_action_is_refused_in_the_words_of_the_rules() -> None:
    state = picked()
    before = str(state), state.history()
    game, seat = load("faut-pas-pousser"), state.current_player()
    gone = next(a for a in range(game.actions) if a not in state.legal_actions() and a > 6)
    with pytest.raises(pyspiel.SpielError, match=r"\(F\d+\)$"):
        state.apply_action(gone)
    with pytest.raises(pyspiel.SpielError, match="“9999” isn’t an action in this game"):
        state.apply_action(9999)
    assert (str(state), state.history()) == before
    assert state.current_player() == seat


def test_acting_out_of_turn() -> None:
    state = picked()
    seat = state.current_player()
    legal = state.legal_actions()[-1]
    with pytest.raises(pyspiel.SpielError, match="It’s not your turn"):
        state.apply_actions([legal if other in (seat, (seat + 1) % 4) else 0 for other in range(4)])
    state.apply_actions([legal if other == seat else 0 for other in range(4)])
    assert state.current_player() != seat
    start = pyspiel.load_game("tribord_faut_pas_pousser(players=4)").new_initial_state()
    with pytest.raises(pyspiel.SpielError, match="Several seats decide at once here"):
        start.apply_action(0)
    with pytest.raises(pyspiel.SpielError, match="There are 4 seats, and actions for 2"):
        start.apply_actions([0, 1])
    assert start.history() == []


def test_a_seat_without_a_choice_cannot_act_with_the_others() -> None:
    """Sauve qui peut !: a seat without a vote passes 0, and nothing else."""
    state, luck = pyspiel.load_game("tribord_sauve_qui_peut(players=4)").new_initial_state(), random.Random(1)
    while not state.is_simultaneous_node() or all(state.legal_actions(seat) for seat in range(4)):
        if state.is_simultaneous_node():
            state.apply_actions([luck.choice(state.legal_actions(seat)) for seat in range(4)])
        else:
            state.apply_action(luck.choice(state.legal_actions()))
    actions = [luck.choice(state.legal_actions(seat)) if state.legal_actions(seat) else 7 for seat in range(4)]
    before = str(state)
    with pytest.raises(pyspiel.SpielError, match="It’s not your turn"):
        state.apply_actions(actions)
    assert str(state) == before
    state.apply_actions([action if state.legal_actions(seat) else 0 for seat, action in enumerate(actions)])


def test_a_finished_match_and_a_wrong_throw() -> None:
    name = "tribord_ile_aux_pirates"
    state = pyspiel.load_game(name).new_initial_state()
    with pytest.raises(pyspiel.SpielError, match="Chance cannot bring 9999 here"):
        state.apply_action(9999)
    for action in history(name, {}):
        state.apply_action(action)
    with pytest.raises(pyspiel.SpielError, match="The game is over"):
        state.apply_action(0)
    with pytest.raises(pyspiel.SpielError, match="The game is over"):
        state.apply_actions([0])


def test_dice_are_not_thrown_by_seats() -> None:
    with pytest.raises(pyspiel.SpielError, match="Chance decides here"):
        pyspiel.load_game("tribord_ile_aux_pirates").new_initial_state().apply_actions([0])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("tribord_faut_pas_pousser(players=5)", "for 2 to 4 players, not 5"),
        ("tribord_sauve_qui_peut(boats=nine)", "“boats” can’t be “nine”.*S1"),
        ("tribord_faut_pas_pousser(age=0/0)", "“age” can’t be.*F4"),
        ("tribord_faut_pas_pousser(after=2/9999)", "“9999” isn’t an action"),
        ("tribord_faut_pas_pousser(after=two/)", "“two” isn’t"),
        ("tribord_ile_aux_pirates(zero_sum=True)", "Unknown parameter 'zero_sum'"),
    ],
)
def test_games_that_cannot_be(text: str, sentence: str) -> None:
    with pytest.raises(pyspiel.SpielError, match=sentence):
        pyspiel.load_game(text)


def test_more_steps_than_there_is_room_for() -> None:
    state = pyspiel.load_game("tribord_faut_pas_pousser(players=4,recall=4)").new_initial_state()
    state.apply_actions([0, 1, 2, 3])
    assert len(state.information_state_tensor(0)) == 5 * (load("faut-pas-pousser").observation + 1)
    state.apply_action(state.legal_actions()[0])
    with pytest.raises(pyspiel.SpielError, match="longer than the 4 steps"):
        state.information_state_tensor(0)


def test_information_state_tensors_without_recall_are_refused() -> None:
    """They'd be empty, and a learner would learn from nothing without noticing."""
    game = pyspiel.load_game("tribord_sauve_qui_peut(players=3,simultaneous=False)")
    state = game.new_initial_state()
    for ask in (
        state.information_state_tensor,
        lambda: state.information_state_tensor(0),
        game.information_state_tensor_size,
        game.information_state_tensor_shape,
    ):
        with pytest.raises(pyspiel.SpielError, match=r"load the game with recall=N\.$"):
            ask()
    roomy = pyspiel.load_game("tribord_sauve_qui_peut(players=3,simultaneous=False,recall=5)")
    tensor = roomy.new_initial_state().information_state_tensor(0)
    assert len(tensor) == roomy.information_state_tensor_size() == np.prod(roomy.information_state_tensor_shape())
    assert any(tensor)


def test_information_states_without_recall_are_refused_within_openspiels_wrappers_too() -> None:
    """The tensor would have the wrapper's own few bits, and nothing of the match."""
    bare = pyspiel.load_game("tribord_sauve_qui_peut(players=3)")
    for wrapped in (pyspiel.convert_to_turn_based(bare), pyspiel.load_game(f"misere(game={bare})")):
        state = wrapped.new_initial_state()
        with pytest.raises(pyspiel.SpielError, match=r"load the game with recall=N\.$"):
            state.information_state_tensor(0)
        with pytest.raises(pyspiel.SpielError, match=r"load the game with recall=N\.$"):
            wrapped.information_state_tensor_shape()
        assert state.information_state_string(0) and any(state.observation_tensor(0))
    roomy = pyspiel.convert_to_turn_based(pyspiel.load_game("tribord_sauve_qui_peut(players=3,recall=5)"))
    tensor = roomy.new_initial_state().information_state_tensor(0)
    assert len(tensor) == np.prod(roomy.information_state_tensor_shape()) > 5 * load("sauve-qui-peut").observation


METHODS = ["step", "step_verbose", "step_with_policy", "get_policy"]
WITHIN_A_WRAPPER = """
import pyspiel
import tribord.research.openspiel

evaluator, last = pyspiel.RandomRolloutEvaluator(1, 1), pyspiel.ISMCTSFinalPolicyType.NORMALIZED_VISIT_COUNT
ours = "tribord_walk_the_plank(players=3{})"
for text in (
    f"turn_based_simultaneous_game(game={ours.format('')})", f"misere(game={ours.format(',simultaneous=False')})"
):
    game = pyspiel.load_game(text)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    bots = pyspiel.ISMCTSBot(1, evaluator, 1.0, 10, -1, last, False, False), pyspiel.MCTSBot(
        game, evaluator, 1.0, 10, 10, False, 1, False
    )
    for bot in bots:
        for method in METHODS:
            try:
                getattr(bot, method)(state)
            except pyspiel.SpielError as refused:
                assert "open_spiel.python.algorithms" in str(refused)
                print("refused")
"""


def test_searches_in_c_plus_plus_refuse_openspiels_wrappers_around_our_states() -> None:
    """In a process of its own, because it would crash."""
    code = f"METHODS = {METHODS}\n{WITHIN_A_WRAPPER}"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout.split()) == (0, ["refused"] * 2 * 2 * len(METHODS)), ran.stderr


@pytest.mark.parametrize("method", METHODS)
def test_searches_in_c_plus_plus_refuse_our_states_instead_of_crashing(method: str) -> None:
    ours = pyspiel.load_game("tribord_walk_the_plank(players=3,simultaneous=False)")
    theirs = pyspiel.load_game("kuhn_poker").new_initial_state()
    theirs.apply_action(0), theirs.apply_action(1)
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    last = pyspiel.ISMCTSFinalPolicyType.NORMALIZED_VISIT_COUNT
    searches = pyspiel.ISMCTSBot(1, evaluator, 1.0, 10, -1, last, False, False)
    with pytest.raises(pyspiel.SpielError, match=r"open_spiel\.python\.algorithms\.ismcts\.ISMCTSBot"):
        getattr(searches, method)(ours.new_initial_state())
    assert getattr(searches, method)(theirs) is not None
    with pytest.raises(pyspiel.SpielError, match="mcts_search"):
        getattr(pyspiel.MCTSBot(ours, evaluator, 1.0, 10, 10, False, 1, False), method)(ours.new_initial_state())
