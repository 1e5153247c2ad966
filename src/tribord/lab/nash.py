"""Nash: small positions as whole trees, with the exact NashConv of any strategies and exact equilibria.

    from tribord import load
    from tribord.lab.nash import cfr_plus, equilibrium, nash_conv, positions

    tree = positions(load("sauve-qui-peut"))["one-vote-laid"].tree()
    nash_conv(tree, tree.uniform())        # Fraction(5, 16): what all seats together can gain, each by changing alone
    nash_conv(tree, equilibrium(tree))     # Fraction(0, 1)
    nash_conv(tree, cfr_plus(tree, 100))   # 0.0005, and less with more iterations

A position is a history (`after`, as in OpenSpiel), which everyone knows. Sealed choices are made in seat order, hidden
from the others. Payoffs are shares of the victory. Strategies are vectors with a number for every action of every
information set: fractions, and then everything about them is exact, or floats. Positions come with a game, in
`positions.json`. docs/nash.md lists them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tribord.core import event
from tribord.core.bits import lowest_bit
from tribord.core.game import Game
from tribord.core.record import CHANCE, Ints, States, blank, duplicate
from tribord.core.refusal import BadOption, IllegalAction

FILE = "positions.json"
MOST_NODES = 200_000
NOWHERE = -1  # the parent of the first node, and the slot of what isn't a decision

# For programmers, so only in English.
TOO_LARGE = "More than {most} nodes follow from this position. Choose a later one."
NO_HISTORY = "“{step}” isn’t possible as step {number} of the history."
NOT_FOUND = "No exact equilibrium was found. Take `cfr_plus`, and see its `nash_conv`."

Vector = NDArray[Any]  # of floats or fractions


class WholeTree:
    """All that can follow from a position. Nodes are numbered, 0 is the position, and parents come before children.

    A decision belongs to an information set: what its seat has seen and done since the position. Its actions have a
    slot each, side by side. A strategy, for all seats together, is a probability for every slot.
    """

    def __init__(self, game: Game, start: States):
        self.game = game
        self.players = int(start[0].players)
        self._sets: dict[tuple[int, bytes], int] = {}
        self._first: list[int] = []  # slot of each information set
        seats: list[int] = []  # of each slot
        actions: list[int] = []
        sets: list[int] = []
        parents, movers, slots, odds, depths = [NOWHERE], [NOWHERE], [NOWHERE], [Fraction(1)], [0]
        payoffs: dict[int, list[Fraction]] = {}
        waiting = [(0, start, [b""] * self.players)]
        while waiting:
            node, states, past = waiting.pop()
            known = self._look(states, past)
            acting = game.engine.to_act(states)
            choices: list[tuple[int, int, Fraction]] = []  # action, slot, odds
            mover = lowest_bit(acting) if acting else CHANCE
            if acting:
                legal = game.engine.legal(states, mover)
                number = self._sets.setdefault((mover, known[mover]), len(self._sets))
                if number == len(self._first):
                    self._first.append(len(seats))
                    seats += [mover] * len(legal)
                    actions += legal
                    sets += [number] * len(legal)
                choices = [(action, self._first[number] + k, Fraction(1)) for k, action in enumerate(legal)]
            else:
                weights = game.engine.weights(states)
                total = sum(weights)
                choices = [(what, NOWHERE, Fraction(n, total)) for what, n in enumerate(weights) if n]
            if not choices:
                payoffs[node] = _shares(game, states, self.players)
            for action, slot, chance in choices:
                after = duplicate(states)
                game.engine.apply(after, mover, action, event.buffer())
                own = [
                    digest + (action.to_bytes(4, "big") if seat == mover else b"") for seat, digest in enumerate(known)
                ]
                waiting.append((len(parents), after, own))
                parents.append(node)
                movers.append(mover)
                slots.append(slot)
                odds.append(chance)
                depths.append(depths[node] + 1)
            if len(parents) > MOST_NODES:
                raise BadOption("too-large", TOO_LARGE, most=MOST_NODES)
        self.parents, self.movers, self.slots = np.array(parents), np.array(movers), np.array(slots)
        self.seats, self.actions, self.sets = np.array(seats, int), np.array(actions, int), np.array(sets, int)
        self.odds = _fractions(odds)
        self.payoffs = _fractions([payoffs.get(node, [Fraction(0)] * self.players) for node in range(len(parents))])
        self.ends = np.array(sorted(payoffs))
        deep = np.array(depths)
        self._levels = [np.flatnonzero(deep == depth) for depth in range(1, int(deep.max()) + 1)]

    def _look(self, states: States, past: list[bytes]) -> list[bytes]:
        """What every seat has seen and done, from what it had before and sees now."""
        known = []
        for seat, before in enumerate(past):
            view = duplicate(states)
            self.game.engine.view(view, seat)
            known.append(hashlib.blake2b(before + view.tobytes(), digest_size=16).digest())
        return known

    @property
    def information_sets(self) -> int:
        """How many information sets all seats have together."""
        return len(self._first)

    @property
    def nodes(self) -> int:
        """How many nodes the tree has."""
        return len(self.parents)

    @property
    def deciding(self) -> list[int]:
        """The seats that have a choice anywhere."""
        sizes = np.bincount(self.sets)
        return sorted({int(seat) for seat, number in zip(self.seats, self.sets, strict=True) if sizes[number] > 1})

    def uniform(self) -> Vector:
        """The strategies that choose uniformly at random."""
        sizes = np.bincount(self.sets)[self.sets]
        return _fractions([Fraction(1, int(size)) for size in sizes])

    def down(self) -> Iterator[Ints]:
        """The nodes level by level, without the first."""
        return iter(self._levels)

    def up(self) -> Iterator[Ints]:
        """The same, from the deepest."""
        return reversed(self._levels)

    def chances(self, strategies: Vector) -> Vector:
        """For every node how likely its parent goes there."""
        decided = self.slots >= 0
        chances = self.odds.astype(strategies.dtype)
        chances[decided] = strategies[self.slots[decided]]
        return chances


def tree_after(game: Game, players: int, after: str, options: Mapping[str, Any] | None = None) -> WholeTree:
    """The tree from a position on: the actions and chance outcomes since the start, as in OpenSpiel (`3/0/12/`)."""
    states = blank(game.dtype, 1)
    game.rules.initial(states[0], game.settings(players, options, research=True))
    for number, step in enumerate(filter(None, after.split("/")), start=1):
        acting = game.engine.to_act(states)
        if acting:
            possible = [str(action) for action in game.engine.legal(states, lowest_bit(acting))]
        else:
            possible = [str(outcome) for outcome, weight in enumerate(game.engine.weights(states)) if weight]
        if step not in possible:
            raise IllegalAction("no-history", NO_HISTORY, step=step, number=number)
        game.engine.apply(states, lowest_bit(acting) if acting else CHANCE, int(step), event.buffer())
    return WholeTree(game, states)


def _shares(game: Game, states: States, players: int) -> list[Fraction]:
    """Every seat's share of the victory."""
    _why, _scores, wins = game.engine.outcome(states)
    winners = 1 if game.cooperative else sum(wins[:players])
    return [Fraction(win, winners) if win else Fraction(0) for win in wins[:players]]


def _fractions(values: Any) -> Vector:
    return np.array(values, object)


# Values


def values(tree: WholeTree, strategies: Vector) -> Vector:
    """Every seat's expected share of the victory."""
    chances = tree.chances(strategies)
    worth = tree.payoffs.astype(strategies.dtype)
    for level in tree.up():
        np.add.at(worth, tree.parents[level], chances[level, None] * worth[level])
    return worth[0]


def best_response(tree: WholeTree, strategies: Vector, seat: int) -> tuple[Any, Ints]:
    """What a seat gets at most against the others, and the slot to choose in each of its information sets."""
    chances = tree.chances(strategies)
    mine = tree.movers == seat
    reach = _reach(tree, np.where(mine, 1 + 0 * chances, chances))
    worth = tree.payoffs[:, seat].astype(strategies.dtype)
    best = np.full(tree.information_sets, NOWHERE)
    for level in tree.up():
        own, other = level[mine[level]], level[~mine[level]]
        np.add.at(worth, tree.parents[other], chances[other] * worth[other])
        if len(own):
            gains = np.zeros(len(tree.sets), strategies.dtype)
            np.add.at(gains, tree.slots[own], reach[own] * worth[own])
            for slot in np.unique(tree.slots[own]).tolist():
                held = best[tree.sets[slot]]
                if held < 0 or gains[slot] > gains[held]:
                    best[tree.sets[slot]] = slot
            chosen = own[best[tree.sets[tree.slots[own]]] == tree.slots[own]]
            worth[tree.parents[chosen]] = worth[chosen]
    return worth[0], best


def nash_conv(tree: WholeTree, strategies: Vector) -> Any:
    """What all seats together can gain, each by changing alone; 0 in an equilibrium."""
    now = values(tree, strategies)
    return sum(best_response(tree, strategies, seat)[0] - now[seat] for seat in range(tree.players))


def _reach(tree: WholeTree, chances: Vector) -> Vector:
    """How likely every node is, by these chances."""
    reach = chances.copy()
    for level in tree.down():
        reach[level] = reach[tree.parents[level]] * chances[level]
    return reach


# Equilibria


def equilibrium(tree: WholeTree) -> Vector:
    """An exact equilibrium, as fractions.

    Where two seats have a choice and always share the same sum, every equilibrium has the same value, and this finds
    one by double oracle. Elsewhere others may have other values; this one is what CFR+ comes to, made exact.
    """
    if is_duel(tree):
        return _double_oracle(tree, tree.deciding)
    for iterations in (100, 1000, 5000):
        found = simplified(tree, cfr_plus(tree, iterations))
        if found is not None:
            return found
    raise BadOption("not-found", NOT_FOUND)


def is_duel(tree: WholeTree) -> bool:
    """Whether two seats have a choice and always share the same sum: then the value of an equilibrium is unique."""
    pair = tree.deciding
    return len(pair) == 2 and len({sum(tree.payoffs[end, pair]) for end in tree.ends}) == 1


def simplified(tree: WholeTree, strategies: Vector, most: int = 12) -> Vector | None:
    """The simplest fractions nearby that are an exact equilibrium; None if denominators up to `most` don't do."""
    for largest in range(1, most + 1):
        near = _fractions([Fraction(float(share)).limit_denominator(largest) for share in strategies])
        total = _fractions([Fraction(0)] * len(tree.sets))
        np.add.at(total, tree.sets, near)
        if all(total[: tree.information_sets]):
            near = near / total[tree.sets]
            if nash_conv(tree, near) == 0:
                return near
    return None


def _double_oracle(tree: WholeTree, pair: list[int]) -> Vector:
    """A matrix of pure strategies grows by best responses in the whole tree until they gain nothing.

    McMahan, Gordon and Blum, “Planning in the presence of cost functions controlled by an adversary”, ICML 2003.
    """
    luck = _reach(tree, tree.odds)[tree.ends] * tree.payoffs[tree.ends, pair[0]]  # decisions have odds of 1
    strategies = tree.uniform()
    pure: list[list[Vector]] = [[], []]
    while True:
        added = False
        for side, seat in enumerate(pair):
            plan = _plan(tree, best_response(tree, strategies, seat)[1], seat)
            if not any((plan == other).all() for other in pure[side]):
                pure[side].append(plan)
                added = True
        if not added:
            return strategies
        ends = [[_reach(tree, _own(tree, plan, seat))[tree.ends] for plan in plans] for plans, seat in zip(pure, pair)]
        matrix = [[Fraction((luck * row * column).sum()) for column in ends[1]] for row in ends[0]]
        strategies = _mixed(tree, pair, pure, solve_matrix(matrix))


def _plan(tree: WholeTree, best: Ints, seat: int) -> Vector:
    """A pure strategy: 1 for the chosen slots of a seat, 0 for its others, and 0 for other seats'."""
    plan = np.zeros(len(tree.sets), int)
    mine = np.flatnonzero(tree.seats == seat)
    plan[mine[best[tree.sets[mine]] == mine]] = 1
    return plan


def _own(tree: WholeTree, plan: Vector, seat: int) -> Vector:
    """The chances that a seat's strategy alone gives to nodes."""
    return np.where(tree.movers == seat, plan[tree.slots], 1)


def _mixed(tree: WholeTree, pair: list[int], pure: list[list[Vector]], weights: Iterable[list[Fraction]]) -> Vector:
    """The behaviour, set by set, of the two seats that mix pure strategies with these weights."""
    strategies = tree.uniform()
    for seat, plans, shares in zip(pair, pure, weights, strict=True):
        often = _fractions([Fraction(0)] * len(tree.sets))
        for plan, share in zip(plans, shares, strict=True):
            reach = _reach(tree, _own(tree, plan, seat))
            mine = np.flatnonzero(tree.movers == seat)
            slots, where = np.unique(tree.slots[mine], return_index=True)  # the same at all nodes of a set
            often[slots] = often[slots] + share * reach[mine[where]]
        total = _fractions([Fraction(0)] * tree.information_sets)
        np.add.at(total, tree.sets, often)
        reached = total[tree.sets].astype(bool) & (tree.seats == seat)
        strategies[reached] = often[reached] / total[tree.sets[reached]]
    return strategies


def solve_matrix(matrix: list[list[Fraction]]) -> tuple[list[Fraction], list[Fraction]]:
    """The optimal mixtures of rows (who maximizes) and columns (who minimizes), by the simplex method with fractions.

    >>> rock, paper, scissors = [0, -1, 2], [1, 0, -1], [-1, 1, 0]
    >>> rows, columns = solve_matrix([rock, paper, scissors])
    >>> print(*rows, *columns)
    1/4 5/12 1/3 1/3 5/12 1/4
    """
    rows, columns = len(matrix), len(matrix[0])
    up = 1 - min(map(min, matrix))  # all payoffs positive: then the sums below are 1 / value
    table = [
        [*(Fraction(value + up) for value in row), *(Fraction(k == i) for k in range(rows)), Fraction(1)]
        for i, row in enumerate(matrix)
    ]
    prices = [*([Fraction(-1)] * columns), *([Fraction(0)] * (rows + 1))]
    basis = [columns + i for i in range(rows)]
    while (enter := next((k for k, price in enumerate(prices[:-1]) if price < 0), None)) is not None:  # Bland's rule
        leave = min(
            (i for i in range(rows) if table[i][enter] > 0), key=lambda i: (table[i][-1] / table[i][enter], basis[i])
        )
        table[leave] = [value / table[leave][enter] for value in table[leave]]
        for row in (*(table[i] for i in range(rows) if i != leave), prices):
            factor = row[enter]
            row[:] = [value - factor * pivot for value, pivot in zip(row, table[leave], strict=True)]
        basis[leave] = enter
    total = prices[-1]
    mixed = [Fraction(0)] * columns
    for i, variable in enumerate(basis):
        if variable < columns:
            mixed[variable] = table[i][-1] / total
    return [price / total for price in prices[columns:-1]], mixed


def cfr_plus(tree: WholeTree, iterations: int) -> Vector:
    """The average strategies of CFR+, as floats. They converge to an equilibrium for two seats that share a sum."""
    regrets, total = np.zeros(len(tree.sets)), np.zeros(len(tree.sets))
    payoffs = tree.payoffs.astype(float)
    for turn in range(1, iterations + 1):
        for seat in tree.deciding:
            chances = tree.chances(_normal(tree, regrets))
            mine = tree.movers == seat
            others, own = _reach(tree, np.where(mine, 1.0, chances)), _reach(tree, np.where(mine, chances, 1.0))
            worth = payoffs[:, seat].copy()
            for level in tree.up():
                np.add.at(worth, tree.parents[level], chances[level] * worth[level])
            nodes = np.flatnonzero(mine)
            before = tree.parents[nodes]
            np.add.at(regrets, tree.slots[nodes], others[nodes] * (worth[nodes] - worth[before]))
            np.maximum(regrets, 0.0, out=regrets)
            slots, where = np.unique(tree.slots[nodes], return_index=True)
            total[slots] += turn * own[nodes[where]]
    return _normal(tree, total)


def _normal(tree: WholeTree, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weights of slots as probabilities; uniform in a set where all are 0."""
    sums = np.bincount(tree.sets, weights)[tree.sets]
    sizes = np.bincount(tree.sets)[tree.sets]
    return np.where(sums > 0, weights / np.where(sums > 0, sums, 1.0), 1.0 / sizes)


# Named positions


@dataclass(frozen=True)
class NamedPosition:
    """A small late position of a game, with what is known of it."""

    game: Game
    name: str
    about: str
    players: int
    options: Mapping[str, Any]
    after: str
    """The actions and chance outcomes since the start, as in OpenSpiel."""
    uniform: Fraction
    """The NashConv of uniform strategies."""
    value: tuple[Fraction, ...]
    """Every seat's share of the victory in the equilibrium that `equilibrium` finds."""

    def tree(self) -> WholeTree:
        """All that can follow."""
        return tree_after(self.game, self.players, self.after, self.options)


def positions(game: Game) -> dict[str, NamedPosition]:
    """The named positions of a game; none if it has no `positions.json`."""
    file = game.folder / FILE
    if not file.is_file():
        return {}
    kept = json.loads(file.read_text(encoding="utf-8"))
    return {name: _position(game, name, **parts) for name, parts in kept.items()}


def _position(game: Game, name: str, uniform: str, value: list[str], **parts: Any) -> NamedPosition:
    return NamedPosition(game, name, uniform=Fraction(uniform), value=tuple(map(Fraction, value)), **parts)
