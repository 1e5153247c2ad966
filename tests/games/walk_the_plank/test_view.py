"""What each seat may know of Walk the Plank, and what a guess adds."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tribord import PUBLIC, load
from tribord.core import event
from tribord.core.chance import below, stream
from tribord.games.walk_the_plank.actions import CARDS

FACES = st.sampled_from([3, 4, 5])


def play(match, rng, steps):
    while steps and not match.over:
        seat = match.to_act[below(rng, len(match.to_act))]
        legal = match.legal(seat)
        match.play(seat, legal[below(rng, len(legal))])
        steps -= 1


def hidden_cards(match, view_seat, seat, draws=4000):
    """How often each triple of cards of a seat is guessed from a view."""
    game, rng = match.game, stream(5)
    found = Counter()
    for _k in range(draws):
        guess = game.view_of(match.state, view_seat)
        game.rules.guess(guess, view_seat, rng, np.zeros(game.actions, np.int64))
        found[tuple(card["card"] for card in game.describe(guess)["crews"][seat]["cards"])] += 1
    return found


@given(seed=st.integers(0, 999), players=FACES, steps=st.integers(0, 90))
def test_a_view_never_reveals_a_card_that_lies_face_down(seed, players, steps):
    match = load("walk-the-plank").match(players, seed=seed)
    play(match, stream(seed), steps)
    for seat in (PUBLIC, *range(players)):
        for crew in match.view(seat)["crews"]:
            for card in crew["cards"]:
                assert ("card" in card) == (card["face"] == "up" or crew["seat"] == seat)


@given(seed=st.integers(0, 999), players=FACES, steps=st.integers(0, 90))
def test_a_guess_is_a_possible_truth(seed, players, steps):
    game = load("walk-the-plank")
    match = game.match(players, seed=seed)
    play(match, stream(seed), steps)
    for seat in (PUBLIC, *range(players)):
        view = match.view_state(seat)
        guess = game.view_of(view, seat)
        game.rules.guess(guess, seat, stream(seed, 1), np.zeros(game.actions, np.int64))
        assert game.view_of(guess, seat).tobytes() == view.tobytes()
        for crew in game.describe(guess)["crews"]:
            cards = [card["card"] for card in crew["cards"]]
            assert len(set(cards)) == len(cards) and not set(cards) & set(crew["aside"])


def test_a_guess_covers_all_orders_of_what_is_left_alike(position, lay):
    match = position(favour=1)
    match.state.aside[1] = sum(1 << CARDS.index(c) for c in ("drag", "charge", "retract"))
    lay(match, green="run pull extend", blue="run charge drag", red="run charge drag")
    match.play(1, "run 0 sea")
    # Green has shown Run; the other two are any two of the six cards that are neither aside nor shown.
    free = [c for c in CARDS if c not in ("drag", "charge", "retract", "run")]
    found = hidden_cards(match, 0, 1)
    assert set(found) == {("run", *rest) for rest in permutations(free, 2)}
    assert max(found.values()) < 1.6 * 4000 / 30 and min(found.values()) > 0.5 * 4000 / 30


def test_a_sealed_program_may_be_any_triple_of_the_hand(position):
    match = position()
    match.state.aside[1] = 0b11_1111  # leaves four cards
    match.play(1, "program pull run charge")
    found = hidden_cards(match, 0, 1)
    assert set(found) == set(permutations(("pull", "run", "i-dont-want-to-die", "charge"), 3))
    assert max(found.values()) < 1.5 * 4000 / 24 and min(found.values()) > 0.6 * 4000 / 24
    assert hidden_cards(match, 1, 1, draws=3) == {("pull", "run", "charge"): 3}


def test_sampling_is_uniform_over_what_is_legal(position, lay, game):
    out, rng = np.zeros(game.actions, np.int64), stream(3)
    match = position()
    match.state.aside[0] = 0b11_1111
    programs = Counter(game.rules.sample(match.state, 0, rng, out) for _k in range(4800))
    assert sorted(programs) == match.legal(0)
    assert min(programs.values()) > 140 and max(programs.values()) < 260  # 200 each
    match = position(blue=[0, 2, 3])
    lay(match, blue="run charge extend")
    targets = Counter(game.rules.sample(match.state, 0, rng, out) for _k in range(1000))
    assert sorted(targets) == match.legal(0)
    assert min(targets.values()) > 150 and max(targets.values()) < 250  # 200 each


def test_the_observation_counts_crews_from_the_viewer(position, game):
    match = position(4, blue=[0, 0, 3], red=[1, 1], plank=3, favour=2)
    match.play(0, "program run charge drag")
    seen = {seat: game.observe(match.view_state(seat), seat) for seat in (0, 2)}
    own, other = seen[0], seen[2]
    assert own[:4].tolist() == np.float32([2 / 3, 0, 0, 1 / 3]).tolist()
    assert other[8:12].tolist() == own[:4].tolist()  # blue is two seats to the left of red
    assert other[:4].tolist() == np.float32([0, 2 / 3, 0, 0]).tolist()
    programs = [
        [slot for slot in range(3) if seen[s][70 + place * 30 + slot * 10 :][:10].any()]
        for s, place in ((0, 0), (2, 2))
    ]
    assert programs == [[0, 1, 2], []]
    assert own[220:223].tolist() == other[226:229].tolist() == [1, 1, 1]
    assert own[235:238].tolist() == other[241:244].tolist() == [1, 1, 1]
    assert own[250:253].tolist() == [0, 0, 1]
    assert own[253:258].tolist() == [0, 0, 1, 0, 0] and other[253:258].tolist() == [1, 0, 0, 0, 0]
    assert own[266:270].tolist() == [0, 1, 0, 0]
    assert len(own) == game.observation == 281


def test_what_an_action_leads_to_on_a_view_ends_at_the_first_card_that_is_hidden(position, lay):
    match = position()
    lay(match, blue="run shove-left charge", green="retract run charge")
    rows = event.buffer()
    match.game.rules.apply(match.view_state(0), 0, match.game.action("run 0 sea"), rows)
    assert [happened.kind for happened in match.game.read_events(rows)] == ["runs"]
