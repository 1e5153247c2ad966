"""Small positions as trees: NashConv by hand and by brute force, exact equilibria, and CFR+ on its way to them."""

from __future__ import annotations

import itertools
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tribord import BadOption, IllegalAction, game_ids, load
from tribord.lab import nash
from tribord.lab.nash import best_response, cfr_plus, equilibrium, is_duel, nash_conv, positions, tree_after, values

POSITIONS = [position for name in game_ids() for position in positions(load(name)).values()]
NAMES = [f"{position.game.id}/{position.name}" for position in POSITIONS]
VOTES = positions(load("sauve-qui-peut"))


def children(tree, node):
    return np.flatnonzero(tree.parents == node).tolist()


def pure_strategies(tree, seat):
    """All pure strategies of a seat, beside the uniform ones of the others."""
    sets = sorted({int(number) for number, owner in zip(tree.sets, tree.seats, strict=True) if owner == seat})
    for choice in itertools.product(*(np.flatnonzero(tree.sets == number) for number in sets)):
        strategies = tree.uniform()
        strategies[tree.seats == seat] = Fraction(0)
        strategies[list(choice)] = Fraction(1)
        yield strategies


@pytest.mark.parametrize("position", POSITIONS, ids=NAMES)
def test_a_position_has_the_equilibrium_and_the_nash_conv_that_are_written(position):
    tree = position.tree()
    assert nash_conv(tree, tree.uniform()) == position.uniform > 0
    best = equilibrium(tree)
    assert nash_conv(tree, best) == 0 and isinstance(nash_conv(tree, best), Fraction)
    assert (*values(tree, best),) == position.value
    assert all(total == 1 for total in np.bincount(tree.sets, best.astype(float)).round(12))
    assert all(sum(tree.payoffs[end]) == 1 for end in tree.ends), "someone always wins"
    assert tree.nodes < 3500 and len(tree.deciding) >= 2


@pytest.mark.parametrize("position", POSITIONS, ids=NAMES)
def test_cfr_comes_closer_to_an_equilibrium(position):
    tree = position.tree()
    early, late = (float(nash_conv(tree, cfr_plus(tree, iterations))) for iterations in (5, 60))
    assert 0 <= late < early < float(position.uniform)
    assert late < 0.002
    if is_duel(tree):
        assert values(tree, cfr_plus(tree, 60)) == pytest.approx([float(share) for share in position.value], abs=0.002)


@pytest.mark.parametrize("game", ["faut-pas-pousser", "walk-the-plank", "sauve-qui-peut"])
def test_games_with_hidden_or_simultaneous_choices_have_positions(game):
    assert len(positions(load(game))) >= 2


def test_what_is_hidden_from_a_seat_is_one_information_set():
    """Walk the Plank: Blue doesn't see the cards that Green lays, only what they do."""
    tree = positions(load("walk-the-plank"))["two-on-a-tile"].tree()
    programs = children(tree, 0)
    assert len(programs) == 8 * 7 * 6 and {int(tree.movers[node]) for node in programs} == {1}
    later = [int(tree.sets[tree.slots[child]]) for node in programs for child in children(tree, node)[:1]]
    assert len({*later}) < len(programs) / 5
    votes = VOTES["one-vote-laid"].tree()
    second = {int(votes.sets[votes.slots[child]]) for node in children(votes, 0) for child in children(votes, node)}
    assert len(children(votes, 0)) > 1 and len(second) == 1, "Red doesn't know Green's vote"


def test_best_responses_are_the_best_of_all_pure_strategies():
    tree = VOTES["one-vote-laid"].tree()
    many = []
    for seat in tree.deciding:
        tried = [values(tree, strategies)[seat] for strategies in pure_strategies(tree, seat)]
        many.append(len(tried))
        worth, best = best_response(tree, tree.uniform(), seat)
        assert worth == max(tried)
        chosen = tree.uniform()
        mine = tree.seats == seat
        chosen[mine] = [Fraction(int(best[tree.sets[slot]] == slot)) for slot in np.flatnonzero(mine)]
        assert values(tree, chosen)[seat] == worth
    assert max(many) >= 8


def test_without_secrets_the_equilibrium_is_backward_induction():
    """Faut pas pousser with two: at every node the seat takes the best for itself, and cards are drawn."""
    position = positions(load("faut-pas-pousser"))["neutral-cards"]
    tree = position.tree()
    worth = tree.payoffs.copy()
    for node in reversed(range(tree.nodes)):
        after = children(tree, node)
        if after and tree.slots[after[0]] >= 0:
            mover = tree.movers[after[0]]
            worth[node] = worth[max(after, key=lambda child: worth[child, mover])]
        elif after:
            assert sum(tree.odds[after]) == 1
            worth[node] = (tree.odds[after, None] * worth[after]).sum(axis=0)
    assert (*worth[0],) == position.value
    assert is_duel(tree)


def test_floats_and_fractions_agree():
    tree = VOTES["four-votes"].tree()
    luck = np.random.default_rng(1)
    weights = luck.integers(1, 9, len(tree.sets))
    totals = np.bincount(tree.sets, weights).astype(int)[tree.sets]
    exact = np.array([Fraction(int(part), int(total)) for part, total in zip(weights, totals, strict=True)], object)
    assert float(nash_conv(tree, exact)) == pytest.approx(nash_conv(tree, exact.astype(float)), abs=1e-12)
    assert sum(values(tree, exact)) == 1


@settings(max_examples=60)
@given(st.integers(1, 5).flatmap(lambda n: st.lists(st.lists(st.integers(-4, 4), min_size=n, max_size=n), min_size=1)))
def test_optimal_mixtures_of_a_matrix_guarantee_each_side_the_same(matrix):
    rows, columns = nash.solve_matrix(matrix)
    assert sum(rows) == sum(columns) == 1 and min(*rows, *columns) >= 0
    sure = min(sum(share * row[k] for share, row in zip(rows, matrix, strict=True)) for k in range(len(columns)))
    at_most = max(sum(share * value for share, value in zip(columns, row, strict=True)) for row in matrix)
    assert sure == at_most


def pay(tree, monkeypatch, pays):
    """Pay by what the two seats vote: pays(first, second) is what Green and Red get."""
    payoffs = tree.payoffs.copy()
    for end in tree.ends.tolist():
        line = [end]
        while line[-1] != 0:
            line.append(int(tree.parents[line[-1]]))
        votes = (children(tree, before).index(after) for before, after in ((0, line[-2]), (line[-2], line[-3])))
        payoffs[end] = [Fraction(0), *map(Fraction, pays(*votes))]
    monkeypatch.setattr(tree, "payoffs", payoffs)


def test_double_oracle_mixes_where_a_pure_choice_can_be_punished(monkeypatch):
    """Matching pennies, where the second match pays double: the value is that of the matrix."""
    tree = VOTES["one-vote-laid"].tree()
    pay(tree, monkeypatch, lambda first, second: (1 + first, -first) if first == second else (0, 1))
    assert is_duel(tree)
    best = equilibrium(tree)
    assert nash_conv(tree, best) == 0
    assert values(tree, best).tolist() == [0, Fraction(2, 3), Fraction(1, 3)]
    assert sorted(best[tree.sets == 0]) == [Fraction(1, 3), Fraction(2, 3)]


def test_an_equilibrium_that_is_not_simple_is_not_made_up(monkeypatch):
    tree = VOTES["one-vote-laid"].tree()
    pay(tree, monkeypatch, lambda first, second: ((17, 23)[first], 0) if first == second else (0, 1))
    assert not is_duel(tree)
    assert nash.simplified(tree, tree.uniform()) is None
    with pytest.raises(BadOption, match=r"No exact equilibrium was found\. Take `cfr_plus`"):
        equilibrium(tree)


def test_what_cannot_be_done_is_said(monkeypatch):
    game = load("sauve-qui-peut")
    with pytest.raises(IllegalAction, match="“99” isn’t possible as step 2 of the history"):
        tree_after(game, 3, "2/99/")
    with pytest.raises(IllegalAction, match="“two” isn’t possible as step 1"):
        tree_after(game, 3, "two/")
    monkeypatch.setattr(nash, "MOST_NODES", 50)
    with pytest.raises(BadOption, match=r"More than 50 nodes follow from this position\. Choose a later one"):
        VOTES["four-votes"].tree()


@pytest.mark.parametrize("position", POSITIONS, ids=NAMES)
def test_the_documentation_lists_every_position(position):
    page, tree = (Path(__file__).parents[2] / "docs" / "nash.md").read_text(encoding="utf-8"), position.tree()
    star = " ★" if is_duel(tree) else ""
    seats, shares = ", ".join(map(str, tree.deciding)), " · ".join(map(str, position.value))
    row = f"| {position.game.title} | `{position.name}`{star} | {position.players} | {tree.nodes} | {seats} |"
    assert f"{row} {position.uniform} | {shares} |" in page and f"- `{position.name}`: {position.about}" in page


def test_a_finished_match_is_a_tree_of_one_node():
    position = positions(load("faut-pas-pousser"))["kingmakers"]
    over = position.tree()
    line, node = [], int(over.ends[0])
    while node:
        line.append(str(over.actions[over.slots[node]]))
        node = int(over.parents[node])
    tree = tree_after(position.game, 4, position.after + "/".join(reversed(line)))
    assert tree.nodes == 1 and tree.information_sets == 0 and tree.deciding == []
    assert nash_conv(tree, equilibrium(tree)) == 0
    assert (*values(tree, equilibrium(tree)),) == (*over.payoffs[over.ends[0]],)


def test_a_game_without_positions_has_none():
    assert positions(load("ile-aux-pirates")) == {}
