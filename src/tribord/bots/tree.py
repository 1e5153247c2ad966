"""Information-set Monte Carlo tree search (ISMCTS) over any game, in compiled code.

Every iteration determinizes the view (`guess` fills in what is hidden), selects a path down the tree, expands it, rolls
out if the game asks for it, evaluates the state it reached, and backs the values up. A node is an information set: the
hash of the acting seat's view. Determinizations that a seat can't tell apart share a node, so no seat acts on what it
can't see. Sealed choices need no special case: each seat chooses at its own node while the others' choices are hidden
from it (decoupled selection). Legal actions follow from the view, so all determinizations at a node have the same
actions and no availability counts are needed. The values at a node are those of its seat (max^n).

Selection is PUCT: the action a with the highest

    Q(a) + c_puct * P(a) * sqrt(N + 1) / (1 + n(a))

where n(a) counts the visits of a, N those of the node, and P is the prior: 0.9 times a softmax of the actions' prior
values with `prior_temperature`, plus 0.1 times the uniform distribution. Q(a) is the mean value of the visits, where
the prior value counts as `prior_weight` extra visits (see `q_value`). With a uniform P this explores as UCT does.

With a learned policy (`core/net.py`), the prior is the policy's, and an iteration ends at the first new node, with the
values that the policy expects there. Nothing is rolled out. Actions are searched whole (`distinct`).

Besides `evaluate`, a game's `bot.py` may define these, each with a default:

    values(state, out)                            every seat's expected share of victory; `out` has room beyond
    candidates(state, seat, partial, out) -> n    actions to search, or (below 0) partial actions to continue
    prior_value(state, trial, seat, action, out)  returns an action's value for its seat before search
    leaf_count(state) -> n                        roughly how many leaves the rest of the match has, 0 if unknown
    distinct(state, seat, out) -> n               legal actions that lead to different positions

Playouts by prior values alone (`play_out`) estimate a position's value for every seat at once.

All compiled code of the search is in this file, because the cache on disk depends on the driver's own file.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tribord.core import verbs
from tribord.core.bits import lowest_bit
from tribord.core.chance import below, bits
from tribord.core.compiled import compiled, rule, rules_of, verb
from tribord.core.net import think
from tribord.core.record import CHANCE, Ints, State, States
from tribord.core.verbs import view  # by its own name: Numba takes `verbs.view` for an array method

Reals = NDArray[np.float64]

# Indices into `params`.
C_PUCT, PRIOR_TEMPERATURE, PRIOR_WEIGHT, EXPANSIONS, ROLLOUT_DEPTH, MAX_CHILDREN, REGRET_MATCHING = range(7)
EPSILON, ENDGAME_LEAVES, OPPONENT_ERROR, OPPONENT_PRIOR = range(7, 11)
ROLLOUT_CANDIDATES, ROLLOUT_TO_OWN_TURN, VALUE_NOISE, POLICY_TEMPERATURE, COOPERATIVE = range(11, 16)
PARAMS: dict[str, float] = {
    "c_puct": 0.5,  # exploration constant of PUCT
    "prior_temperature": 0.05,  # of the softmax over prior values
    "prior_weight": 1.0,  # visits that a prior value counts for
    "expansions": 1,  # new nodes per iteration, besides those of sealed choices
    "rollout_depth": 0,  # decisions played beyond the tree, at most, before evaluating; a sealed choice ends it earlier
    "max_children": 40,  # actions that a node keeps, those with the best prior values; the root keeps all
    "regret_matching": 0,  # whether sealed choices follow regret matching instead of PUCT
    "epsilon": 0.1,  # probability of a random action in a rollout, otherwise greedy by prior values
    "endgame_leaves": 0,  # positions with no more leaves than this are solved exactly (max^n)
    "opponent_error": 0,  # probability that an opponent plays at random in a solved endgame
    "opponent_prior": 0,  # probability that an opponent in the tree samples its prior instead of following PUCT
    "rollout_candidates": 24,  # most random actions a greedy rollout decision compares
    "rollout_to_own_turn": 0,  # whether a rollout ends when it is the searching seat's turn again
    "value_noise": 0,  # width of uniform noise on evaluations: varies matches of a game without luck
    "policy_temperature": 1.0,  # of the softmax over a policy's logits
}
# With a policy values have less noise, and the prior counts for more.
WITH_POLICY = {"c_puct": 2.5, "opponent_prior": 1.0}
MAX_DEPTH = 400  # decisions of one iteration that are backed up
ENDGAME_DEPTH = 12  # turns that an exact endgame looks ahead, at most
LONGEST_PLAYOUT = 2000  # decisions; longer playouts are evaluated where they stand
POINT = 1e-4  # value of a point beside a victory: tiny, to prefer the better of two defeats

NODES, EDGES, SUM_DEPTH, SOLVED_LEAVES = range(4)  # indices into `used`
MOVER, COUNT, NEXT, BEST = range(4)  # indices into `frames`


class Tree(NamedTuple):
    """Nodes and edges in arrays allocated once. A node's edges are adjacent."""

    used: Ints  # nodes, edges, the sum of the depths of all iterations, leaves solved exactly
    slots: NDArray[np.int32]  # hash table: node + 1
    key: Ints  # of each node: the hash of its view
    first_edge: NDArray[np.int32]
    edge_count: NDArray[np.int32]
    node_visits: NDArray[np.int32]
    action: NDArray[np.int32]  # of each edge: an action, or a partial one (below 0)
    visits: NDArray[np.int32]
    value_sum: Reals  # over its visits, for the seat that decides
    prior_value: Reals  # minus that of the best edge of its node
    prior: Reals  # the probability P in PUCT
    regret: Reals  # cumulative, for regret matching
    strategy_sum: Reals  # the sum of its probabilities under regret matching


class Scratch(NamedTuple):
    """Scratch arrays."""

    out: Ints
    weights: Ints
    scores: Ints
    wins: Ints
    values: Reals
    prior_values: Reals
    path: Ints  # node, edge and seat of every decision of an iteration
    actions: Ints  # for an exact endgame, at every turn: the actions,
    frames: Ints  # where it stands,
    best_values: Reals  # the values of the best action,
    value_sums: Reals  # and the sums over all actions
    shares: Reals  # by seat, over playouts: the sum of its shares of victory, and of their squares


# What a game may answer


def _rules(state: Any) -> Any:
    return rules_of(state.dtype)


@rule
def squashed_values(state: State, out: Reals) -> None:
    """Default of `values`: the game's evaluation x of each seat, squashed to `0.5 + 0.5 x / (1 + |x|)`."""
    for seat in range(int(state.players)):
        worth = verbs.evaluate(state, seat)
        out[seat] = 0.5 + 0.5 * worth / (1.0 + abs(worth))


@verb
def values(state: State, out: Reals) -> None:
    """The expected share of victory of every seat."""
    getattr(_rules(state), "values", squashed_values)(state, out)


@rule
def legal_candidates(state: State, seat: int, partial: int, out: Ints) -> int:
    """Default of `candidates`: the legal actions."""
    return verbs.legal(state, seat, out)


@verb
def candidates(state: State, seat: int, partial: int, out: Ints) -> int:
    """A seat's actions to search, or partial ones (below 0) to continue; `partial` is 0 at the start."""
    return getattr(_rules(state), "candidates", legal_candidates)(state, seat, partial, out)


@rule
def legal_actions(state: State, seat: int, out: Ints) -> int:
    """Default of `distinct`: the legal actions."""
    return verbs.legal(state, seat, out)


@verb
def distinct(state: State, seat: int, out: Ints) -> int:
    """A seat's actions to search with a policy: of several that lead to the same position, one."""
    return getattr(_rules(state), "distinct", legal_actions)(state, seat, out)


@rule
def value_after(state: State, trial: State, seat: int, action: int, out: Reals) -> float:
    """Default of `prior_value`: the seat's value after the action; a partial action changes nothing."""
    if action >= 0:
        verbs.apply(trial, seat, action, None)
    values(trial, out)
    return out[seat]


@verb
def prior_value(state: State, trial: State, seat: int, action: int, out: Reals) -> float:
    """An action's value for its seat before search; `trial` is a copy of the state to try it on."""
    return getattr(_rules(state), "prior_value", value_after)(state, trial, seat, action, out)


@rule
def unknown_leaf_count(state: State) -> int:
    """Default of `leaf_count`: unknown."""
    return 0


@verb
def leaf_count(state: State) -> int:
    """Roughly how many leaves the rest of the match has, if free of chance, secrets and partial actions; else 0."""
    return getattr(_rules(state), "leaf_count", unknown_leaf_count)(state)


values.default = squashed_values  # type: ignore[attr-defined]
candidates.default = legal_candidates  # type: ignore[attr-defined]
distinct.default = legal_actions  # type: ignore[attr-defined]
prior_value.default = value_after  # type: ignore[attr-defined]
leaf_count.default = unknown_leaf_count  # type: ignore[attr-defined]


# Nodes


@rule
def hash_view(words: Any, seat: int, partial: int) -> int:
    """Two hashes of 32 and 30 bits side by side. Overflow is masked, so both modes give the same."""
    low = 0x2545F491 ^ (seat + 1)
    high = (partial & 0xFFFFFFFF) ^ 0x1234567
    for k in range(len(words)):
        word = int(words[k]) & 0xFFFFFFFF
        low = ((low ^ word) * 0x5BD1E995) & 0xFFFFFFFF
        low ^= low >> 15
        high = ((high + word) * 0x2C1B3C6D + low) & 0xFFFFFFFF
        high ^= high >> 13
    return (low << 30) | (high & 0x3FFFFFFF)


@rule
def find_node(tree: Any, key: int) -> int:
    """The node with this key, or -1 - slot, where slot is free for it."""
    last = len(tree.slots) - 1
    slot = (key ^ (key >> 31)) & last
    while True:
        node = int(tree.slots[slot]) - 1
        if node < 0:
            return -1 - slot
        if int(tree.key[node]) == key:
            return node
        slot = (slot + 1) & last


@rule
def ask_prior_values(states: Any, seat: int, n: int, scratch: Any) -> float:
    """Write the prior values of the `n` actions in scratch.out and return the best."""
    best = -1.0
    for k in range(n):
        states[2] = states[1]
        scratch.prior_values[k] = prior_value(states[1], states[2], seat, int(scratch.out[k]), scratch.values)
        best = max(best, scratch.prior_values[k])
    return best


@rule
def ask_policy(seen: Any, seat: int, n: int, scratch: Any, policy: Any, layers: Any) -> float:
    """Ask the policy about seen[0], a seat's view: logits of the `n` actions in scratch.out, and everyone's values.

    Returns the highest logit.
    """
    low = int(scratch.out[0])
    high = low
    for k in range(n):
        low = min(low, int(scratch.out[k]))
        high = max(high, int(scratch.out[k]))
    think(seen[0], seat, policy, layers, low, high + 1)
    best = -1.0e9
    for k in range(n):
        scratch.prior_values[k] = float(layers.out[int(scratch.out[k])])
        best = max(best, scratch.prior_values[k])
    players = len(scratch.wins)
    start = len(layers.out) - len(policy.learned)
    for other in range(players):
        place = other - seat if other >= seat else other - seat + int(seen[0].players)
        scratch.values[other] = min(max(float(layers.out[start + place]), 0.0), 1.0) if place >= 0 else 0.0
    return best


@rule
def expand(
    tree: Any, key: int, slot: int, n: int, max_children: int, best: float, temperature: float, worth: float,
    scratch: Any,
) -> int:  # fmt: skip
    """A new node with the `max_children` best of its `n` actions by prior value; -1 if the arrays are full.

    `best` is the highest prior value, and `worth` what a difference between them is worth in Q.
    """
    node = int(tree.used[NODES])
    edge = int(tree.used[EDGES])
    if node >= len(tree.key) or edge + min(n, max_children) > len(tree.action):
        return -1
    # Move the best to the front; if all are equal, all stay.
    if n > max_children:
        for k in range(max_children):
            top = k
            for j in range(k + 1, n):
                if scratch.prior_values[j] > scratch.prior_values[top]:
                    top = j
            swap = scratch.prior_values[k]
            scratch.prior_values[k] = scratch.prior_values[top]
            scratch.prior_values[top] = swap
            kept = scratch.out[k]
            scratch.out[k] = scratch.out[top]
            scratch.out[top] = kept
        n = max_children
    mass = 0.0
    for k in range(n):
        scratch.prior_values[n + k] = np.exp((scratch.prior_values[k] - best) / temperature)
        mass += scratch.prior_values[n + k]
    for k in range(n):
        tree.action[edge + k] = scratch.out[k]
        tree.visits[edge + k] = 0
        tree.value_sum[edge + k] = 0.0
        tree.prior_value[edge + k] = worth * (scratch.prior_values[k] - best)
        tree.prior[edge + k] = 0.9 * scratch.prior_values[n + k] / mass + 0.1 / n
        tree.regret[edge + k] = 0.0
        tree.strategy_sum[edge + k] = 0.0
    tree.slots[slot] = node + 1
    tree.key[node] = key
    tree.first_edge[node] = edge
    tree.edge_count[node] = n
    tree.node_visits[node] = 0
    tree.used[NODES] = node + 1
    tree.used[EDGES] = edge + n
    return node


# Selection


@rule
def node_value(tree: Any, node: int) -> float:
    """The mean value over a node's visits."""
    first = int(tree.first_edge[node])
    total = 0.0
    for edge in range(first, first + int(tree.edge_count[node])):
        total += tree.value_sum[edge]
    return total / max(int(tree.node_visits[node]), 1)


@rule
def q_value(tree: Any, edge: int, level: float, prior_weight: float) -> float:
    """Q of an edge: the mean value of its visits, with the prior value as `prior_weight` extra visits.

    Prior values ignore the others' replies and flatter all actions alike. So only their differences count, relative to
    `level`, the node's mean value.
    """
    prior = prior_weight * (level + tree.prior_value[edge])
    return (tree.value_sum[edge] + prior) / (int(tree.visits[edge]) + prior_weight)


@rule
def select_puct(tree: Any, node: int, params: Any) -> int:
    """The edge with the highest Q + c_puct * P * sqrt(N + 1) / (1 + n)."""
    first = int(tree.first_edge[node])
    level = node_value(tree, node)
    exploration = params[C_PUCT] * np.sqrt(int(tree.node_visits[node]) + 1.0)
    best = -1.0e9
    found = first
    for edge in range(first, first + int(tree.edge_count[node])):
        bonus = exploration * tree.prior[edge] / (1.0 + int(tree.visits[edge]))
        worth = q_value(tree, edge, level, params[PRIOR_WEIGHT]) + bonus
        if worth > best:
            best = worth
            found = edge
    return found


@rule
def sample_prior(tree: Any, node: int, rng: Any) -> int:
    """An edge sampled from the prior."""
    first = int(tree.first_edge[node])
    last = first + int(tree.edge_count[node]) - 1
    mark = (bits(rng) + 0.5) / 4294967296.0
    for edge in range(first, last):
        mark -= tree.prior[edge]
        if mark < 0.0:
            return edge
    return last


@rule
def select_regret_matching(tree: Any, node: int, rng: Any) -> int:
    """An edge sampled by positive regret, mixed with 0.15 of the prior; updates the average strategy."""
    first = int(tree.first_edge[node])
    n = int(tree.edge_count[node])
    mass = 0.0
    for edge in range(first, first + n):
        mass += max(tree.regret[edge], 0.0)
    mark = (bits(rng) + 0.5) / 4294967296.0
    found = first + n - 1
    chosen = False
    for edge in range(first, first + n):
        now = max(tree.regret[edge], 0.0) / mass if mass > 0.0 else tree.prior[edge]
        tree.strategy_sum[edge] += now
        mark -= 0.85 * now + 0.15 * tree.prior[edge]
        if mark < 0.0 and not chosen:
            found = edge
            chosen = True
    return found


@rule
def update_regret(tree: Any, node: int, edge: int, value: float, prior_weight: float) -> None:
    """Add to every other edge's regret the difference between its Q and the value this edge returned."""
    first = int(tree.first_edge[node])
    level = node_value(tree, node)
    for other in range(first, first + int(tree.edge_count[node])):
        if other != edge:
            tree.regret[other] += q_value(tree, other, level, prior_weight) - value


# Exact endgames


@rule
def solve_endgame(stack: Any, seat: int, params: Any, scratch: Any) -> int:
    """Max^n from stack[0] over the whole rest of the match: writes scratch.best_values[0], returns the best action.

    Ties go to the action that leaves the seat more points, then to the first. Opponents play at random with probability
    `opponent_error`, which favours the most forgiving of the winning actions.
    """
    cooperative = params[COOPERATIVE] > 0.0
    depth = 0
    arrived = True
    while True:
        if arrived:
            mask = verbs.to_act(stack[depth])
            if mask == 0:
                terminal_values(stack[depth], scratch.scores, scratch.wins, scratch.best_values[depth], cooperative)
                depth -= 1
                arrived = False
                if depth < 0:
                    return -1
                continue
            mover = lowest_bit(mask)
            scratch.frames[depth, MOVER] = mover
            scratch.frames[depth, COUNT] = candidates(stack[depth], mover, 0, scratch.actions[depth])
            scratch.frames[depth, NEXT] = 0
            scratch.frames[depth, BEST] = -1
            for k in range(len(scratch.wins)):
                scratch.value_sums[depth, k] = 0.0
        else:
            mover = scratch.frames[depth, MOVER]
            for k in range(len(scratch.wins)):
                scratch.value_sums[depth, k] += scratch.best_values[depth + 1, k]
            first = scratch.frames[depth, BEST] < 0
            if first or scratch.best_values[depth + 1, mover] > scratch.best_values[depth, mover] + 1e-12:
                scratch.frames[depth, BEST] = scratch.actions[depth, scratch.frames[depth, NEXT]]
                for k in range(len(scratch.wins)):
                    scratch.best_values[depth, k] = scratch.best_values[depth + 1, k]
            scratch.frames[depth, NEXT] += 1
            if scratch.frames[depth, NEXT] == scratch.frames[depth, COUNT]:
                if mover != seat:
                    for k in range(len(scratch.wins)):
                        average = scratch.value_sums[depth, k] / scratch.frames[depth, COUNT]
                        scratch.best_values[depth, k] += params[OPPONENT_ERROR] * (
                            average - scratch.best_values[depth, k]
                        )
                if depth == 0:
                    return int(scratch.frames[0, BEST])
                depth -= 1
                continue
        stack[depth + 1] = stack[depth]
        action = scratch.actions[depth, scratch.frames[depth, NEXT]]
        verbs.apply(stack[depth + 1], scratch.frames[depth, MOVER], action, None)
        depth += 1
        arrived = True


@rule
def terminal_values(state: State, scores: Any, wins: Any, out: Any, cooperative: bool) -> bool:
    """The shares of victory at the end, plus a little for points; False while the match goes on."""
    for seat in range(len(wins)):
        scores[seat] = 0
        wins[seat] = 0
    if verbs.outcome(state, scores, wins) == 0:
        return False
    winners = 0
    for seat in range(len(wins)):
        winners += int(wins[seat])
    for seat in range(len(wins)):
        share = 1.0 if cooperative else 1.0 / max(winners, 1)
        out[seat] = int(wins[seat]) * share + POINT * int(scores[seat])
    return True


# Iterations


@rule
def thin_out(n: int, params: Any, rng: Any, scratch: Any) -> int:
    """Move at most `rollout_candidates` random actions of the `n` to the front; returns how many."""
    most = int(params[ROLLOUT_CANDIDATES])
    if n > most:
        for k in range(most):
            other = k + below(rng, n - k)
            kept = scratch.out[k]
            scratch.out[k] = scratch.out[other]
            scratch.out[other] = kept
        n = most
    return n


@rule
def rollout_action(states: Any, seat: int, n: int, params: Any, rng: Any, scratch: Any) -> int:
    """A decision beyond the tree, epsilon-greedy by prior values, over at most `rollout_candidates` random actions."""
    if bits(rng) < params[EPSILON] * 4294967296.0:
        return int(scratch.out[below(rng, n)])
    n = thin_out(n, params, rng, scratch)
    best = ask_prior_values(states, seat, n, scratch)
    equals = 0
    found = 0
    for k in range(n):
        if scratch.prior_values[k] >= best - 1e-9:
            equals += 1
            if below(rng, equals) == 0:
                found = k
    return int(scratch.out[found])


@rule
def iterate(
    states: Any, seen: Any, seen_words: Any, stack: Any, seat: int, iterations: int, params: Any, rng: Any,
    scratch: Any, tree: Any, policy: Any, layers: Any,
) -> None:  # fmt: skip
    """Run iterations of the search: determinize, select and expand, roll out, evaluate, back up.

    states[0] is the view of `seat`, states[1] is played on, states[2] tried on; `seen_words` is seen[0] again.
    """
    cooperative = params[COOPERATIVE] > 0.0
    learned = len(policy.learned) > 0
    for _iteration in range(iterations):
        states[1] = states[0]
        state = states[1]
        verbs.guess(state, seat, rng, scratch.out)
        depth = 0
        expansions = int(params[EXPANSIONS])
        rollout_left = int(params[ROLLOUT_DEPTH])
        inside = True  # the tree
        start = True
        rest = 0  # seats still to choose in the current sealed choice
        while True:
            mask = verbs.to_act(state)
            if mask == 0:
                if terminal_values(state, scratch.scores, scratch.wins, scratch.values, cooperative):
                    break
                verbs.apply(state, CHANCE, verbs.roll(state, rng, scratch.weights), None)
                continue
            mover = seat if start else lowest_bit(mask)
            sealed = mask & (mask - 1) != 0 or mask == rest
            if not start:
                home = params[ROLLOUT_TO_OWN_TURN] > 0.0 and mover == seat
                if not inside and mask != rest and (rollout_left == 0 or sealed or home):
                    values(state, scratch.values)
                    for k in range(len(scratch.wins)):
                        scratch.values[k] += params[VALUE_NOISE] * (bits(rng) / 4294967296.0 - 0.5)
                    break
                leaves = leaf_count(state)
                if 0 < leaves <= params[ENDGAME_LEAVES]:
                    stack[0] = state
                    solve_endgame(stack, seat, params, scratch)
                    tree.used[SOLVED_LEAVES] += leaves
                    for k in range(len(scratch.wins)):
                        scratch.values[k] = scratch.best_values[0, k]
                    break
            action = 0
            evaluated = False
            while True:
                node = -1
                key = 0
                slot = 0
                if inside and depth < MAX_DEPTH:
                    seen[0] = state
                    view(seen[0], mover)
                    key = hash_view(seen_words, mover, action)
                    node = find_node(tree, key)
                    slot = -1 - node
                if node < 0 and learned:
                    n = distinct(state, mover, scratch.out)
                    if n == 1:
                        action = int(scratch.out[0])
                        break
                    best = ask_policy(seen, mover, n, scratch, policy, layers)
                    children = n if start else int(params[MAX_CHILDREN])
                    if depth < MAX_DEPTH:
                        node = expand(tree, key, slot, n, children, best, params[POLICY_TEMPERATURE], 0.0, scratch)
                    if node < 0 or (mask != rest and not start):
                        evaluated = True
                        for k in range(len(scratch.wins)):
                            scratch.values[k] += params[VALUE_NOISE] * (bits(rng) / 4294967296.0 - 0.5)
                        break
                elif node < 0:
                    n = candidates(state, mover, action, scratch.out)
                    if n == 1:
                        action = int(scratch.out[0])
                        if action >= 0:
                            break
                        continue
                    if inside and depth < MAX_DEPTH and (expansions > 0 or sealed):
                        children = n if start else int(params[MAX_CHILDREN])
                        most = min(n, children)
                        if int(tree.used[NODES]) < len(tree.key) and int(tree.used[EDGES]) + most <= len(tree.action):
                            best = ask_prior_values(states, mover, n, scratch)
                            node = expand(tree, key, slot, n, children, best, params[PRIOR_TEMPERATURE], 1.0, scratch)
                        expansions -= 0 if sealed else 1
                    if node < 0:
                        inside = False
                        action = rollout_action(states, mover, n, params, rng, scratch)
                if node >= 0:
                    by_regret = sealed and params[REGRET_MATCHING] > 0.0
                    if by_regret:
                        edge = select_regret_matching(tree, node, rng)
                    elif mover != seat and bits(rng) < params[OPPONENT_PRIOR] * 4294967296.0:
                        edge = sample_prior(tree, node, rng)
                    else:
                        edge = select_puct(tree, node, params)
                    scratch.path[depth, 0] = node
                    scratch.path[depth, 1] = edge
                    scratch.path[depth, 2] = mover if not by_regret else mover + len(scratch.wins)
                    depth += 1
                    action = int(tree.action[edge])
                    if not learned and expansions <= 0 and not sealed and int(tree.node_visits[node]) == 0:
                        inside = False
                if action >= 0:
                    break
            if evaluated:
                break
            rest = mask & ~(1 << mover) if sealed else 0
            start = False
            if not inside and rollout_left > 0:
                rollout_left -= 1
            verbs.apply(state, mover, action, None)
        tree.used[SUM_DEPTH] += depth
        for k in range(depth):
            node = int(scratch.path[k, 0])
            edge = int(scratch.path[k, 1])
            mover = int(scratch.path[k, 2])
            by_regret = mover >= len(scratch.wins)
            value = scratch.values[mover - len(scratch.wins) if by_regret else mover]
            if by_regret:
                update_regret(tree, node, edge, value, params[PRIOR_WEIGHT])
            tree.visits[edge] += 1
            tree.value_sum[edge] += value
            tree.node_visits[node] += 1


# Positions


@rule
def position_values(state: State, params: Any, scratch: Any) -> None:
    """Write a position's values to scratch.values: the shares of victory at the end, otherwise the game's `values`."""
    if terminal_values(state, scratch.scores, scratch.wins, scratch.values, params[COOPERATIVE] > 0.0):
        for k in range(len(scratch.wins)):
            scratch.values[k] -= POINT * int(scratch.scores[k])
    else:
        values(state, scratch.values)


@rule
def expected_values(states: Any, params: Any, scratch: Any) -> None:
    """The mean values after the pending draw in states[0], weighted by its probabilities."""
    for k in range(len(scratch.wins)):
        scratch.shares[k, 0] = 0.0
    total = 0.0
    for outcome in range(verbs.chance(states[0], scratch.weights)):
        weight = int(scratch.weights[outcome])
        if weight > 0:
            states[1] = states[0]
            verbs.apply(states[1], CHANCE, outcome, None)
            position_values(states[1], params, scratch)
            total += weight
            for k in range(len(scratch.wins)):
                scratch.shares[k, 0] += weight * scratch.values[k]
    for k in range(len(scratch.wins)):
        scratch.values[k] = scratch.shares[k, 0] / total


@rule
def draw_action(states: Any, seat: int, n: int, params: Any, rng: Any, scratch: Any) -> int:
    """A decision of a playout: with probability `epsilon` random, otherwise sampled from a softmax of prior values.

    Always taking the best would make sealed choices predictable, and the values of such positions would jump.
    """
    if bits(rng) < params[EPSILON] * 4294967296.0:
        return int(scratch.out[below(rng, n)])
    n = thin_out(n, params, rng, scratch)
    best = ask_prior_values(states, seat, n, scratch)
    mass = 0.0
    for k in range(n):
        scratch.prior_values[k] = np.exp((scratch.prior_values[k] - best) / params[PRIOR_TEMPERATURE])
        mass += scratch.prior_values[k]
    mark = mass * (bits(rng) + 0.5) / 4294967296.0
    for k in range(n - 1):
        mark -= scratch.prior_values[k]
        if mark < 0.0:
            return int(scratch.out[k])
    return int(scratch.out[n - 1])


@rule
def play_out(states: Any, stack: Any, number: int, params: Any, rng: Any, scratch: Any) -> None:
    """Play `number` matches out from states[0], the full state, and add up the shares of victory.

    Every seat draws its decision (`draw_action`) from a determinization of its own view, so no seat acts on what it
    can't see. stack[0] holds the match being played.
    """
    for _playout in range(number):
        stack[0] = states[0]
        state = stack[0]
        length = 0
        while True:
            mask = verbs.to_act(state)
            if mask == 0 and verbs.chance(state, scratch.weights) > 0:
                verbs.apply(state, CHANCE, verbs.roll(state, rng, scratch.weights), None)
                continue
            if mask == 0 or length == LONGEST_PLAYOUT:
                position_values(state, params, scratch)
                break
            mover = lowest_bit(mask)
            states[1] = stack[0]
            view(states[1], mover)
            verbs.guess(states[1], mover, rng, scratch.out)
            action = 0
            while True:
                n = candidates(states[1], mover, action, scratch.out)
                action = int(scratch.out[0]) if n == 1 else draw_action(states, mover, n, params, rng, scratch)
                if action >= 0:
                    break
            verbs.apply(state, mover, action, None)
            length += 1
        for k in range(len(scratch.wins)):
            scratch.shares[k, 0] += scratch.values[k]
            scratch.shares[k, 1] += scratch.values[k] * scratch.values[k]


ITERATE, LOCATE, CANDIDATES, COUNT_LEAVES, SOLVE, PLAY_OUT, VALUES, EXPECTED = range(8)


@rule
def do_task(
    states: Any, seen: Any, seen_words: Any, stack: Any, task: int, seat: int, number: int, params: Any, rng: Any,
    scratch: Any, tree: Any, policy: Any, layers: Any,
) -> int:  # fmt: skip
    """Do a task on a tree.

    ITERATE `number` times; LOCATE the node of the seat's view after the partial action `number`; list the CANDIDATES
    after it in scratch.out; COUNT_LEAVES; SOLVE the endgame and return the action; PLAY_OUT `number` matches; get the
    VALUES of the position, or those EXPECTED over the pending draw.
    """
    if task == ITERATE:
        iterate(states, seen, seen_words, stack, seat, number, params, rng, scratch, tree, policy, layers)
        return 0
    if task == LOCATE:
        seen[0] = states[0]
        view(seen[0], seat)
        return find_node(tree, hash_view(seen_words, seat, number))
    if task == CANDIDATES:
        if len(policy.learned) > 0:
            return distinct(states[0], seat, scratch.out)
        return candidates(states[0], seat, number, scratch.out)
    if task == COUNT_LEAVES:
        return leaf_count(states[0])
    if task == PLAY_OUT:
        play_out(states, stack, number, params, rng, scratch)
        return 0
    if task == VALUES:
        position_values(states[0], params, scratch)
        return 0
    if task == EXPECTED:
        expected_values(states, params, scratch)
        return 0
    stack[0] = states[0]
    return solve_endgame(stack, seat, params, scratch)


@compiled
def search(
    states: States, seen: States, seen_words: Any, stack: States, task: int, seat: int, number: int, params: Reals,
    rng: Ints, scratch: Any, tree: Any, policy: Any, layers: Any,
) -> int:  # fmt: skip
    """One driver for every task (see `do_task`), because each driver compiles the game again."""
    return do_task(states, seen, seen_words, stack, task, seat, number, params, rng, scratch, tree, policy, layers)
