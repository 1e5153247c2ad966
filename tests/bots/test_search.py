"""Search: decisions are legal, come from the view alone, keep to the clock, and are better than a sailor's."""

import threading
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tribord import BadOption, game_ids, load
from tribord.bots import seat_bot
from tribord.bots.search import Search
from tribord.bots.tree import candidates
from tribord.core.chance import below, stream
from tribord.core.net import Policy
from tribord.core.sealed import HIDDEN
from tribord.testing.conformance import setups

GAMES = game_ids()


def begun(game, players, options, luck, steps):
    """A match that random players have begun."""
    match = game.match(players, seed=luck, options=options)
    rng = stream(luck)
    for _step in range(steps):
        if match.over:
            break
        seat = match.to_act[below(rng, len(match.to_act))]
        legal = match.legal(seat)
        match.play(seat, legal[below(rng, len(legal))])
    return match


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_decisions_are_legal_and_the_same_twice(game, data):
    game = load(game)
    setup = data.draw(st.sampled_from(list(setups(game))))
    match = begun(game, setup.players, setup.options, data.draw(st.integers(0, 9999)), data.draw(st.integers(0, 60)))
    for seat in match.to_act:
        view = match.view_state(seat)
        before = view.tobytes()
        action = Search(game, 3, iterations=40).decide(view, match.legal(seat))
        assert action in match.legal(seat)
        assert action == Search(game, 3, iterations=40).decide(view, match.legal(seat))
        assert view.tobytes() == before


@pytest.mark.parametrize("game", GAMES)
def test_what_a_seat_cannot_see_changes_nothing(game):
    """Another truth that looks the same to the seat gives the same decision, also with choices sealed already."""
    game = load(game)
    for luck in range(12):
        match = begun(game, game.players[1] if game.id != "ile-aux-pirates" else 3, {}, luck, 5 * luck + 1)
        for seat in match.to_act:
            view = match.view_state(seat)
            other = game.states(1)
            other[0] = view
            game.rules.guess(other[0], seat, stream(luck, 7), np.zeros(game.actions, np.int64))
            seen = game.view_of(other[0], seat)
            decided = [Search(game, luck, iterations=30).decide(known, match.legal(seat)) for known in (seen, view)]
            assert decided[0] == decided[1]


def test_a_sealed_choice_of_another_is_searched_and_not_guessed():
    game = load("walk-the-plank")
    match = game.match(3, seed=1)
    match.play(0, "program run pull extend")
    view = match.view_state(1)
    assert int(view.sealed[0]) == HIDDEN
    bot = Search(game, 1, iterations=50)
    bot.decide(view, match.legal(1))
    root = bot.workers[0].states[0]
    assert int(root.sealing) == 0b111 and int(root.sealed[0]) == -1


def test_a_program_is_chosen_card_by_card():
    """720 programs are ten cards, then nine, then eight: no node has more than ten children."""
    game = load("walk-the-plank")
    match = game.match(3, seed=1)
    bot = Search(game, 1, iterations=200)
    assert bot.decide(match.view_state(0), match.legal(0)) in match.legal(0)
    tree = bot.workers[0].tree
    assert tree.edge_count[: tree.used[0]].max() <= 24 and tree.edge_count[0] == 10


@pytest.mark.parametrize("game", GAMES)
def test_any_clock_is_kept_and_used(game):
    """Generous, because tests share their machine; a longer clock thinks further."""
    game = load(game)
    match = begun(game, game.players[0], {}, 1, 0)
    seat = match.to_act[0]
    view = match.view_state(seat)
    Search(game, 1, iterations=1).decide(view, match.legal(seat))  # compiled by now
    done = []
    for seconds in (0.01, 0.4):
        bot = Search(game, 1, iterations=1)
        before = time.perf_counter()
        assert bot.decide(view, match.legal(seat), clock=seconds) in match.legal(seat)
        assert time.perf_counter() - before < seconds + 0.5
        done.append(bot.last["iterations"])
        assert bot.last["iterations_per_second"] > 0
    assert done[1] > 2 * done[0]


def test_others_run_while_a_bot_thinks():
    """Without a clock all iterations are one call of compiled code; other threads run during it."""
    game = load("sauve-qui-peut")
    match = game.match(3, seed=1)
    seat = match.to_act[0]
    view = match.view_state(seat)
    Search(game, 1, iterations=1).decide(view, match.legal(seat))  # compiled by now
    bot, span, ticks = Search(game, 1, iterations=30_000), [], []

    def think():
        span.append(time.perf_counter())
        bot.decide(view, match.legal(seat))
        span.append(time.perf_counter())

    thinking = threading.Thread(target=think)
    thinking.start()
    while thinking.is_alive():
        ticks.append(time.perf_counter())
        time.sleep(0.002)
    quarter = (span[1] - span[0]) / 4
    assert any(span[0] + quarter < tick < span[1] - quarter for tick in ticks)


def test_threads_think_together_and_decide_the_same_twice():
    game = load("faut-pas-pousser")
    match = begun(game, 4, {}, 3, 9)
    seat = match.to_act[0]
    view = match.view_state(seat)
    both = [Search(game, 5, iterations=100, threads=2) for _k in range(2)]
    assert both[0].decide(view, match.legal(seat)) == both[1].decide(view, match.legal(seat))
    assert both[0].last["iterations"] == 200


def test_trees_are_the_same_however_many_are_searched_at_once():
    game = load("faut-pas-pousser")
    match = game.match(3, seed=2)
    told = []
    for at_once in (None, 1, 2, 3):
        search = Search(game, 5, iterations=60, threads=4, at_once=at_once)
        search.decide(match.view_state(0), match.legal(0))
        told.append([{k: v.tolist() for k, v in worker.statistics(0).items()} for worker in search.workers])
    assert all(each == told[0] for each in told)


def test_trees_that_take_turns_share_the_clock():
    game = load("faut-pas-pousser")
    match = game.match(3, seed=2)
    search = Search(game, 5, seconds=0.4, threads=4, at_once=1)
    search.decide(match.view_state(0), match.legal(0))
    start = time.perf_counter()
    search.decide(match.view_state(0), match.legal(0))
    assert time.perf_counter() - start < 1.5
    assert all(worker.done for worker in search.workers)


def test_a_tree_is_kept_where_the_match_follows_it():
    game = load("faut-pas-pousser")
    match = begun(game, 4, {}, 3, 9)
    seat = match.to_act[0]
    bot = Search(game, 5, iterations=300)
    match.play(seat, bot.decide(match.view_state(seat), match.legal(seat)))
    known = bot.last["nodes"]
    tree = bot.workers[0].tree
    after = match.to_act[0]
    view = match.view_state(after)
    bot.decide(view, match.legal(after))
    assert bot.last["nodes"] > known  # what was known is still there
    far = begun(game, 4, {}, 8, 16)
    bot.decide(far.view_state(far.to_act[0]), far.legal(far.to_act[0]))
    assert int(tree.used[0]) <= 300 + 1


def best_by_hand(game, states, seat, error):
    """Max^n with the interpreted rules, in the plainest way; the others sometimes play at random.

    Without errors all legal actions are tried, so that a candidate left out would be missed; with errors the
    candidates, because a random action is any of these.
    """
    mask = int(game.rules.to_act(states[0]))
    if mask == 0:
        scores, wins = np.zeros(4, np.int64), np.zeros(4, np.int64)
        assert game.rules.outcome(states[0], scores, wins)
        return wins / wins.sum() + 1e-4 * scores, -1
    mover = mask.bit_length() - 1
    out = np.zeros(game.actions, np.int64)
    best, chosen, seen = None, -1, []
    n = candidates(states[0], mover, 0, out) if error else int(game.rules.legal(states[0], mover, out))
    for action in out[:n].tolist():
        child = game.states(1)
        child[0] = states[0]
        game.rules.apply(child[0], mover, action, None)
        value, _action = best_by_hand(game, child, seat, error)
        seen.append(value)
        if best is None or value[mover] > best[mover] + 1e-12:
            best, chosen = value, action
    return (best if mover == seat else (1 - error) * best + error * np.mean(seen, axis=0)), chosen


@pytest.mark.parametrize("error", [0, 0.3])
@pytest.mark.parametrize("luck", range(6))
def test_the_last_turns_are_solved_exactly(luck, error):
    game = load("faut-pas-pousser")
    match = begun(game, 4, {}, luck, 4 + 21)
    seat = match.to_act[0]
    bot = Search(game, 1, iterations=100, params={"opponent_error": error})
    action = bot.decide(match.view_state(seat), match.legal(seat))
    if len(match.legal(seat)) > 1:
        assert bot.last["exact"]
        assert action == best_by_hand(game, match.states, seat, error)[1]


def test_of_ways_that_win_against_the_best_play_the_one_that_forgives_most_is_taken():
    game = load("faut-pas-pousser")
    won = {0: 0.0, 0.3: 0.0}
    differed = 0
    for luck in range(150):
        match = begun(game, 4, {}, luck, 4 + 19)
        seat = match.to_act[0]
        chosen = {}
        for error in won:
            chosen[error] = Search(game, 1, iterations=1000, params={"opponent_error": error}).decide(
                match.view_state(seat), match.legal(seat)
            )
        differed += chosen[0] != chosen[0.3]
        for error, action in chosen.items():
            won[error] += against_anybody(match, seat, action)
    assert differed > 5
    assert won[0.3] > won[0]


def against_anybody(match, seat, action, times=10):
    """The seat's share of victory after an action, if everyone plays at random from there."""
    share = 0.0
    for turn in range(times):
        rest = match.fork()
        rest.play(seat, action)
        rng = stream(turn)
        while not rest.over:
            legal = rest.legal(rest.to_act[0])
            rest.play(rest.to_act[0], legal[below(rng, len(legal))])
        share += (seat in rest.outcome.winners) / len(rest.outcome.winners)
    return share / times


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf"), "soon", True])
def test_impossible_clocks_are_refused_with_a_sentence(seconds):
    game = load("faut-pas-pousser")
    match = game.match(2, seed=1)
    with pytest.raises(BadOption, match="seconds"):
        Search(game, 1, iterations=1).decide(match.view_state(0), match.legal(0), clock=seconds)
    with pytest.raises(BadOption, match="seconds"):
        Search(game, 1, seconds=seconds)


def test_impossible_searches_are_refused_with_a_sentence():
    with pytest.raises(BadOption, match="iteration"):
        Search(load("faut-pas-pousser"), 1, iterations=0)
    with pytest.raises(BadOption, match="threads"):
        Search(load("faut-pas-pousser"), 1, threads=0)


@pytest.mark.parametrize(("game", "players", "matches"), [("sauve-qui-peut", 3, 12), ("walk-the-plank", 3, 18)])
def test_a_bosco_beats_matelots(game, players, matches):
    """A bosco alone against matelots, seats in turn: more than its fair share, by a margin for luck."""
    game = load(game)
    won = 0.0
    for seed in range(matches):
        mine = seed % players
        match = game.match(players, seed=seed, options={o.name: o.research for o in game.options if o.research})
        bots = [seat_bot("bosco" if s == mine else "matelot", game, 100 * seed + s) for s in range(players)]
        while not match.over:
            for seat in match.to_act:
                match.play(seat, bots[seat].decide(match.view_state(seat), match.legal(seat)))
        won += (mine in match.outcome.winners) / max(1, len(match.outcome.winners))
    assert won / matches > 1 / players + 0.08


# With a policy


def a_policy(game, liked=None, players=None):
    """A policy that expects the same everywhere, and likes one action."""
    inputs, outputs = game.observation + 2 * game.players[1], game.actions + game.players[1]
    shapes = [(inputs, 4), (4,), (4, 4), (4,), (4, outputs), (outputs,)]
    policy = Policy(*(np.zeros(shape, np.float32) for shape in shapes), np.ones(game.players[1], np.int8))
    policy.last_bias[-game.players[1] :] = 1 / game.players[1]
    if liked is not None:
        policy.last_bias[liked] = 9.0
    if players is not None:
        policy.learned[:] = np.arange(game.players[1]) + 1 == players
    return policy


@pytest.mark.parametrize("name", GAMES)
def test_with_a_policy_decisions_are_legal_the_same_twice_and_come_from_the_view_alone(name):
    game = load(name)
    for setup in setups(game):
        for luck in range(3):
            match = begun(game, setup.players, setup.options, luck, 7 * luck)
            for seat in match.to_act:
                view, legal = match.view_state(seat), match.legal(seat)
                before = view.tobytes()
                action, again = (
                    Search(game, 3, iterations=30, policy=a_policy(game)).decide(view, legal) for _k in range(2)
                )
                assert action == again and action in legal and view.tobytes() == before


@pytest.mark.parametrize("name", ["faut-pas-pousser", "sauve-qui-peut", "walk-the-plank"])
def test_what_the_policy_likes_is_searched_first(name):
    game = load(name)
    match = begun(game, 4, {}, 5, 0)
    seat = match.to_act[0]
    view, legal = match.view_state(seat), match.legal(seat)
    distinct = [action for action in legal if action % 3 == 1][:3]
    for liked in distinct:
        assert Search(game, 1, iterations=4, policy=a_policy(game, liked)).decide(view, legal) == liked


def test_a_policy_is_searched_only_with_the_players_it_has_learned():
    game = load("walk-the-plank")
    match = begun(game, 4, {}, 5, 0)
    seat = match.to_act[0]
    with pytest.raises(BadOption, match="play with 3 players, not 4"):
        Search(game, 1, iterations=4, policy=a_policy(game, players=3)).decide(
            match.view_state(seat), match.legal(seat)
        )
