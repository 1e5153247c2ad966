"""The tree of a search: information-set Monte Carlo tree search over any game, in compiled code.

Every iteration guesses the truth from the view, walks down the tree, lets it grow, judges where it ended, and carries
that judgement back up. A node is what the acting seat knows: its view, hashed. Whoever knows the same decides the same,
so nobody in the tree plays on what they cannot see, and sealed choices need nothing of their own: each seat chooses at
its own node while the others' choices are hidden from it. A seat's legal actions follow from its view, so all guesses
that meet at a node offer the same actions, and every value at a node is one of its seat (max^n).

What a game may add to `judge` in its `bot.py`, each with a default:

    hopes(state, out)                     for every seat, the share of victory it may hope for; `out` has room beyond
    options(state, seat, prefix, out)     a large choice in parts: actions, or (below 0) prefixes to be continued
    lean(states, seat, option) -> hope    how an option looks to its seat before it is tried, from one step ahead
    leaves(state) -> n                    about so many ways to the end of the match, 0 where it cannot be known

All compiled code of the search is in this file, because the cache on disk looks at the driver's own file.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tribord.core import verbs
from tribord.core.bits import lowest_bit
from tribord.core.chance import below, bits
from tribord.core.compiled import compiled, rule, rules_of, verb
from tribord.core.record import CHANCE, Ints, State, States
from tribord.core.verbs import view  # by its own name: Numba takes `verbs.view` for an array method

Reals = NDArray[np.float64]

# The places in `knobs`.
EXPLORE, SHARPNESS, TRUST, FRESH, HORIZON, WIDTH, REGRET = range(7)
WHIM, EXACT, SLIP, OTHERS, LOOKS, HOME, MOOD, COOPERATIVE = range(7, 15)
KNOBS: dict[str, float] = {
    "explore": 0.5,  # how much is tried that does not look best
    "sharpness": 0.05,  # of first impressions: the difference in hope that makes an option e times as likely
    "trust": 1.0,  # how many tries a first impression counts for
    "fresh": 1,  # new nodes per iteration, besides those of sealed choices
    "horizon": 0,  # decisions played out beyond the tree, at most, before judging; a sealed choice ends it earlier
    "width": 40,  # options that a node keeps, those that look best; the root keeps all
    "regret": 0,  # whether sealed choices follow regret matching instead of upper confidence
    "whim": 0.1,  # how often a decision beyond the tree is any
    "exact": 0,  # positions with no more ways to the end than this are solved
    "slip": 0,  # how often the others do anything in a solved ending, instead of what is best for them
    "others": 0,  # how often the others are taken to follow their first impressions, instead of searching as well
    "looks": 24,  # options that come to mind beyond the tree, at most
    "home": 0,  # whether playing out ends when it is the searching seat's turn again
    "mood": 0,  # how far a judgement of the same state may differ: where there is no luck, no two matches be the same
}
DEEPEST = 400  # decisions of one iteration that are remembered
STACK = 12  # turns that an exact solution looks ahead, at most

NODES, EDGES, SUM_DEPTH, EXACTLY = range(4)  # the places in `used`
MOVER, WAYS, PLACE, BEST = range(4)  # the places in `frames`


class Tree(NamedTuple):
    """Nodes and edges in arrays that are made once."""

    used: Ints  # nodes, edges, the sum of the depths of all iterations, leaves solved exactly
    slots: NDArray[np.int32]  # hash table: node + 1
    key: Ints
    first: NDArray[np.int32]  # a node's first edge
    breadth: NDArray[np.int32]  # its number of edges
    visits: NDArray[np.int32]
    option: NDArray[np.int32]  # an edge's action, or prefix
    tries: NDArray[np.int32]
    total: Reals  # the sum of what came of it for the seat that decides
    lean: Reals  # how much worse than the best it looks before it is tried
    prior: Reals
    regret: Reals
    policy: Reals  # the sum of how likely it was chosen


class Room(NamedTuple):
    """Room to work in."""

    out: Ints
    weights: Ints
    scores: Ints
    wins: Ints
    values: Reals
    leans: Reals
    path: Ints  # node, edge and seat of every decision of an iteration
    lists: Ints  # for an exact solution: the actions,
    frames: Ints  # where it stands,
    best: Reals  # what came of the best way,
    sums: Reals  # and of all ways together, at every turn


# What a game may answer


def _rules(state: Any) -> Any:
    return rules_of(state.dtype)


@rule
def judged_hopes(state: State, out: Reals) -> None:
    """Default of `hopes`: the game's judgement, squeezed between nothing and everything."""
    for seat in range(int(state.players)):
        worth = verbs.judge(state, seat)
        out[seat] = 0.5 + 0.5 * worth / (1.0 + abs(worth))


@verb
def hopes(state: State, out: Reals) -> None:
    """For every seat, the share of victory it may hope for."""
    getattr(_rules(state), "hopes", judged_hopes)(state, out)


@rule
def whole_options(state: State, seat: int, prefix: int, out: Ints) -> int:
    """Default of `options`: the legal actions."""
    return verbs.legal(state, seat, out)


@verb
def options(state: State, seat: int, prefix: int, out: Ints) -> int:
    """The actions of a seat, or the prefixes (below 0) from which it goes on to them; `prefix` 0 is the start."""
    return getattr(_rules(state), "options", whole_options)(state, seat, prefix, out)


@rule
def lean_ahead(state: State, trial: State, seat: int, option: int, values: Reals) -> float:
    """Default of `lean`: what the seat hopes for once the action is carried out; a prefix says nothing."""
    if option >= 0:
        verbs.apply(trial, seat, option, None)
    hopes(trial, values)
    return values[seat]


@verb
def lean(state: State, trial: State, seat: int, option: int, values: Reals) -> float:
    """How an option looks to its seat; `trial` is a copy of the state to try it on, `values` room for the hopes."""
    return getattr(_rules(state), "lean", lean_ahead)(state, trial, seat, option, values)


@rule
def unknown_leaves(state: State) -> int:
    """Default of `leaves`: it cannot be known."""
    return 0


@verb
def leaves(state: State) -> int:
    """About so many ways to the end of the match, without chance, secrets and parts; 0 where it cannot be known."""
    return getattr(_rules(state), "leaves", unknown_leaves)(state)


hopes.default = judged_hopes  # type: ignore[attr-defined]
options.default = whole_options  # type: ignore[attr-defined]
lean.default = lean_ahead  # type: ignore[attr-defined]
leaves.default = unknown_leaves  # type: ignore[attr-defined]


# Nodes


@rule
def hashed(words: Any, seat: int, prefix: int) -> int:
    """Two hashes of 32 and 30 bits side by side; nothing overflows in either mode that is not masked away."""
    low = 0x2545F491 ^ (seat + 1)
    high = (prefix & 0xFFFFFFFF) ^ 0x1234567
    for k in range(len(words)):
        word = int(words[k]) & 0xFFFFFFFF
        low = ((low ^ word) * 0x5BD1E995) & 0xFFFFFFFF
        low ^= low >> 15
        high = ((high + word) * 0x2C1B3C6D + low) & 0xFFFFFFFF
        high ^= high >> 13
    return (low << 30) | (high & 0x3FFFFFFF)


@rule
def find(tree: Any, key: int) -> int:
    """The node with a key, or -1 less the free slot for it."""
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
def impressions(states: Any, seat: int, n: int, room: Any) -> float:
    """Ask for the lean of the options in room.out; the best of them."""
    best = -1.0
    for k in range(n):
        states[2] = states[1]
        room.leans[k] = lean(states[1], states[2], seat, int(room.out[k]), room.values)
        best = max(best, room.leans[k])
    return best


@rule
def make(tree: Any, key: int, slot: int, states: Any, seat: int, n: int, width: int, knobs: Any, room: Any) -> int:
    """A new node with the `width` best-looking of its `n` options; -1 when the pool is full."""
    node = int(tree.used[NODES])
    edge = int(tree.used[EDGES])
    if node >= len(tree.key) or edge + min(n, width) > len(tree.option):
        return -1
    best = impressions(states, seat, n, room)
    # Bring the best-looking to the front; where all look the same, all stay.
    if n > width:
        for k in range(width):
            top = k
            for j in range(k + 1, n):
                if room.leans[j] > room.leans[top]:
                    top = j
            swap = room.leans[k]
            room.leans[k] = room.leans[top]
            room.leans[top] = swap
            kept = room.out[k]
            room.out[k] = room.out[top]
            room.out[top] = kept
        n = width
    mass = 0.0
    for k in range(n):
        room.leans[n + k] = np.exp((room.leans[k] - best) / knobs[SHARPNESS])
        mass += room.leans[n + k]
    for k in range(n):
        tree.option[edge + k] = room.out[k]
        tree.tries[edge + k] = 0
        tree.total[edge + k] = 0.0
        tree.lean[edge + k] = room.leans[k] - best
        tree.prior[edge + k] = 0.9 * room.leans[n + k] / mass + 0.1 / n
        tree.regret[edge + k] = 0.0
        tree.policy[edge + k] = 0.0
    tree.slots[slot] = node + 1
    tree.key[node] = key
    tree.first[node] = edge
    tree.breadth[node] = n
    tree.visits[node] = 0
    tree.used[NODES] = node + 1
    tree.used[EDGES] = edge + n
    return node


@rule
def usual(tree: Any, node: int) -> float:
    """What came of a node on average."""
    first = int(tree.first[node])
    total = 0.0
    for edge in range(first, first + int(tree.breadth[node])):
        total += tree.total[edge]
    return total / max(int(tree.visits[node]), 1)


@rule
def mean(tree: Any, edge: int, level: float, trust: float) -> float:
    """What came of an edge on average, its first impression counting for `trust` tries.

    An impression is from before the others have answered and flatters all options alike, so that only what sets them
    apart counts, from the `level` of what usually comes of the node.
    """
    return (tree.total[edge] + trust * (level + tree.lean[edge])) / (int(tree.tries[edge]) + trust)


@rule
def most_promising(tree: Any, node: int, knobs: Any) -> int:
    """The edge with the best upper confidence, exploring by first impressions."""
    first = int(tree.first[node])
    level = usual(tree, node)
    urge = knobs[EXPLORE] * np.sqrt(int(tree.visits[node]) + 1.0)
    best = -1.0e9
    found = first
    for edge in range(first, first + int(tree.breadth[node])):
        worth = mean(tree, edge, level, knobs[TRUST]) + urge * tree.prior[edge] / (1.0 + int(tree.tries[edge]))
        if worth > best:
            best = worth
            found = edge
    return found


@rule
def by_impression(tree: Any, node: int, rng: Any) -> int:
    """An edge as likely as it looks good at first."""
    first = int(tree.first[node])
    last = first + int(tree.breadth[node]) - 1
    mark = (bits(rng) + 0.5) / 4294967296.0
    for edge in range(first, last):
        mark -= tree.prior[edge]
        if mark < 0.0:
            return edge
    return last


@rule
def regretted(tree: Any, node: int, rng: Any) -> int:
    """An edge by regret matching: as likely as it is regretted, and now and then any by first impressions."""
    first = int(tree.first[node])
    n = int(tree.breadth[node])
    mass = 0.0
    for edge in range(first, first + n):
        mass += max(tree.regret[edge], 0.0)
    mark = (bits(rng) + 0.5) / 4294967296.0
    found = first + n - 1
    chosen = False
    for edge in range(first, first + n):
        now = max(tree.regret[edge], 0.0) / mass if mass > 0.0 else tree.prior[edge]
        tree.policy[edge] += now
        mark -= 0.85 * now + 0.15 * tree.prior[edge]
        if mark < 0.0 and not chosen:
            found = edge
            chosen = True
    return found


@rule
def learn_regret(tree: Any, node: int, edge: int, value: float, trust: float) -> None:
    """How much every other option would have been better, by what is known of it."""
    first = int(tree.first[node])
    level = usual(tree, node)
    for other in range(first, first + int(tree.breadth[node])):
        if other != edge:
            tree.regret[other] += mean(tree, other, level, trust) - value


# Exact endings


@rule
def solve(stack: Any, seat: int, knobs: Any, room: Any) -> int:
    """Max^n from stack[0] to the end, every way tried: writes the seats' shares to room.best[0], returns the action.

    Among equals a seat takes what leaves it more points, and then what comes first. The others slip now and then, or do
    not care any more: of ways that win against the best play alone, the one that forgives most is taken.
    """
    cooperative = knobs[COOPERATIVE] > 0.0
    depth = 0
    arrived = True
    while True:
        if arrived:
            mask = verbs.to_act(stack[depth])
            if mask == 0:
                shares(stack[depth], room.scores, room.wins, room.best[depth], cooperative)
                depth -= 1
                arrived = False
                if depth < 0:
                    return -1
                continue
            mover = lowest_bit(mask)
            room.frames[depth, MOVER] = mover
            room.frames[depth, WAYS] = options(stack[depth], mover, 0, room.lists[depth])
            room.frames[depth, PLACE] = 0
            room.frames[depth, BEST] = -1
            for k in range(len(room.wins)):
                room.sums[depth, k] = 0.0
        else:
            mover = room.frames[depth, MOVER]
            for k in range(len(room.wins)):
                room.sums[depth, k] += room.best[depth + 1, k]
            if room.frames[depth, BEST] < 0 or room.best[depth + 1, mover] > room.best[depth, mover] + 1e-12:
                room.frames[depth, BEST] = room.lists[depth, room.frames[depth, PLACE]]
                for k in range(len(room.wins)):
                    room.best[depth, k] = room.best[depth + 1, k]
            room.frames[depth, PLACE] += 1
            if room.frames[depth, PLACE] == room.frames[depth, WAYS]:
                if mover != seat:
                    for k in range(len(room.wins)):
                        average = room.sums[depth, k] / room.frames[depth, WAYS]
                        room.best[depth, k] += knobs[SLIP] * (average - room.best[depth, k])
                if depth == 0:
                    return int(room.frames[0, BEST])
                depth -= 1
                continue
        stack[depth + 1] = stack[depth]
        verbs.apply(stack[depth + 1], room.frames[depth, MOVER], room.lists[depth, room.frames[depth, PLACE]], None)
        depth += 1
        arrived = True


@rule
def shares(state: State, scores: Any, wins: Any, values: Any, cooperative: bool) -> bool:
    """The shares of victory at the end, and a trifle for points; False while the match goes on."""
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
        values[seat] = int(wins[seat]) * share + 1e-4 * int(scores[seat])
    return True


# Growing


@rule
def roam(states: Any, seat: int, n: int, knobs: Any, rng: Any, room: Any) -> int:
    """A decision beyond the tree: what looks best, or on a whim anything."""
    if bits(rng) < knobs[WHIM] * 4294967296.0:
        return int(room.out[below(rng, n)])
    looks = int(knobs[LOOKS])
    if n > looks:
        for k in range(looks):
            other = k + below(rng, n - k)
            kept = room.out[k]
            room.out[k] = room.out[other]
            room.out[other] = kept
        n = looks
    best = impressions(states, seat, n, room)
    equals = 0
    found = 0
    for k in range(n):
        if room.leans[k] >= best - 1e-9:
            equals += 1
            if below(rng, equals) == 0:
                found = k
    return int(room.out[found])


@rule
def grow(
    states: Any, eye: Any, words: Any, stack: Any, seat: int, iterations: int, knobs: Any, rng: Any, room: Any,
    tree: Any,
) -> None:  # fmt: skip
    """Let the tree grow: states[0] is the view of `seat`, [1] is played on, [2] tried on; `words` is eye[0] again."""
    cooperative = knobs[COOPERATIVE] > 0.0
    for _iteration in range(iterations):
        states[1] = states[0]
        state = states[1]
        verbs.guess(state, seat, rng, room.out)
        depth = 0
        fresh = int(knobs[FRESH])
        left = int(knobs[HORIZON])
        inside = True  # the tree
        start = True
        rest = 0  # who has yet to choose in the sealed choice under way
        while True:
            mask = verbs.to_act(state)
            if mask == 0:
                if shares(state, room.scores, room.wins, room.values, cooperative):
                    break
                verbs.apply(state, CHANCE, verbs.roll(state, rng, room.weights), None)
                continue
            mover = seat if start else lowest_bit(mask)
            sealed = mask & (mask - 1) != 0 or mask == rest
            if not start:
                if not inside and mask != rest and (left == 0 or sealed or (knobs[HOME] > 0.0 and mover == seat)):
                    hopes(state, room.values)
                    for k in range(len(room.wins)):
                        room.values[k] += knobs[MOOD] * (bits(rng) / 4294967296.0 - 0.5)
                    break
                ways = leaves(state)
                if 0 < ways <= knobs[EXACT]:
                    stack[0] = state
                    solve(stack, seat, knobs, room)
                    tree.used[EXACTLY] += ways
                    for k in range(len(room.wins)):
                        room.values[k] = room.best[0, k]
                    break
            option = 0
            while True:
                node = -1
                key = 0
                slot = 0
                if inside and depth < DEEPEST:
                    eye[0] = state
                    view(eye[0], mover)
                    key = hashed(words, mover, option)
                    node = find(tree, key)
                    slot = -1 - node
                if node < 0:
                    n = options(state, mover, option, room.out)
                    if n == 1:
                        option = int(room.out[0])
                        if option >= 0:
                            break
                        continue
                    if inside and depth < DEEPEST and (fresh > 0 or sealed):
                        width = n if start else int(knobs[WIDTH])
                        node = make(tree, key, slot, states, mover, n, width, knobs, room)
                        fresh -= 0 if sealed else 1
                    if node < 0:
                        inside = False
                        option = roam(states, mover, n, knobs, rng, room)
                if node >= 0:
                    by_regret = sealed and knobs[REGRET] > 0.0
                    if by_regret:
                        edge = regretted(tree, node, rng)
                    elif mover != seat and bits(rng) < knobs[OTHERS] * 4294967296.0:
                        edge = by_impression(tree, node, rng)
                    else:
                        edge = most_promising(tree, node, knobs)
                    room.path[depth, 0] = node
                    room.path[depth, 1] = edge
                    room.path[depth, 2] = mover if not by_regret else mover + len(room.wins)
                    depth += 1
                    option = int(tree.option[edge])
                    if fresh <= 0 and not sealed and int(tree.visits[node]) == 0:
                        inside = False
                if option >= 0:
                    break
            rest = mask & ~(1 << mover) if sealed else 0
            start = False
            if not inside and left > 0:
                left -= 1
            verbs.apply(state, mover, option, None)
        tree.used[SUM_DEPTH] += depth
        for k in range(depth):
            node = int(room.path[k, 0])
            edge = int(room.path[k, 1])
            mover = int(room.path[k, 2])
            by_regret = mover >= len(room.wins)
            value = room.values[mover - len(room.wins) if by_regret else mover]
            if by_regret:
                learn_regret(tree, node, edge, value, knobs[TRUST])
            tree.tries[edge] += 1
            tree.total[edge] += value
            tree.visits[node] += 1


GROW, LOCATE, OPTIONS, WAYS_TO_END, FINISH = range(5)


@rule
def do_task(
    states: Any, eye: Any, words: Any, stack: Any, task: int, seat: int, number: int, knobs: Any, rng: Any, room: Any,
    tree: Any,
) -> int:  # fmt: skip
    """All there is to do with a tree.

    GROW by `number` iterations; LOCATE the node of the view with `number` as prefix; list OPTIONS after that prefix in
    room.out; count the WAYS_TO_END; FINISH: the action, solved to the end.
    """
    if task == GROW:
        grow(states, eye, words, stack, seat, number, knobs, rng, room, tree)
        return 0
    if task == LOCATE:
        eye[0] = states[0]
        return find(tree, hashed(words, seat, number))
    if task == OPTIONS:
        return options(states[0], seat, number, room.out)
    if task == WAYS_TO_END:
        return leaves(states[0])
    stack[0] = states[0]
    return solve(stack, seat, knobs, room)


@compiled
def search(
    states: States, eye: States, words: Any, stack: States, task: int, seat: int, number: int, knobs: Reals, rng: Ints,
    room: Any, tree: Any,
) -> int:  # fmt: skip
    """One driver for all there is to do with a tree (see `do_task`), because every driver compiles the game again."""
    return do_task(states, eye, words, stack, task, seat, number, knobs, rng, room, tree)
