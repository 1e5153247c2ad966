"""Learning: train a game's value network by self-play to predict who will win.

    python -m tribord.lab.learn faut-pas-pousser --players 4 --matches 200000 --seed 1

Every seat samples an action from the softmax of the values after it, or with probability epsilon a random one. The net
is then fitted to the features that each seat saw after each action, with the final result as the target, and so on in
rounds. The same seed gives the same net. The weights go to the game's folder, beside those for other numbers of
players; `docs/bots.md` says how ours were trained.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np

from tribord.bots.tree import candidates
from tribord.core import verbs
from tribord.core.bits import lowest_bit
from tribord.core.chance import bits, seed_stream
from tribord.core.compiled import compiled, rule, rules_of, verb
from tribord.core.game import Game, load
from tribord.core.net import FILE, Net, forward
from tribord.core.record import CHANCE, Ints, State, States
from tribord.core.refusal import BadOption, Refusal
from tribord.core.words import _

NO_FEATURES = _("{title} has no `features` that a net could learn from.")
NO_MATCHES = _("A net learns from at least one match, not {matches}.")
BAD_EPSILON = _("Epsilon is a probability between 0 and 1, not {epsilon}.")
NO_FOLDER = _("The folder “{folder}” doesn’t exist: create it first, or choose another.")

HIDDEN = 32  # units
ROUND = 2000  # matches between two fits
REPLAY_ROUNDS = 12  # at most, with positions in the replay buffer
REPLAY_RATIO = 6  # positions in a fit for each new one
EPSILON = 0.05  # default probability of a random action
TEMPERATURE = (0.03, 0.005)  # of the softmax over values, at the start and the end
LEARNING_RATE = (0.05, 0.005)  # at the start and the end
MAX_ACTIVE = 100  # features of a position


@verb
def features(state: State, seat: int, first: int, out: Any) -> int:
    """Write the indices of the features active in a seat's view of the state, from out[first] on; returns how many."""
    return int(rules_of(state.dtype).features(state, seat, first, out))


@rule
def value(state: State, seat: int, net: Any, table: int, active: Any, values: Any) -> float:
    """The seat's probability of victory: a softmax of the seats' logits."""
    mass = 0.0
    for other in range(int(state.players)):
        n = features(state, other, 0, active)
        values[other] = np.exp(forward(net.rows, net.bias, net.last, table, active, 0, n))
        mass += values[other]
    return values[seat] / mass


@compiled
def self_play(
    states: States, settings: State, matches: int, seed: int, first: int, epsilon: float, temperature: float, net: Any,
    table: int, rng: Ints, out: Ints, weights: Ints, scores: Ints, wins: Ints, active: Ints, values: Any,
    seen: Any, counts: Any, shares: Any,
) -> int:  # fmt: skip
    """Play matches; write every seat's features after each action, and its share of the victory."""
    used = 0
    for match in range(matches):
        seed_stream(rng, seed, first + match)
        state = states[0]
        verbs.initial(state, settings)
        start = used
        while True:
            mask = verbs.to_act(state)
            if mask == 0:
                if verbs.outcome(state, scores, wins) != 0:
                    break
                verbs.apply(state, CHANCE, verbs.roll(state, rng, weights), None)
                continue
            seat = lowest_bit(mask)
            if features(state, seat, 0, active) == 0 or bits(rng) < epsilon * 4294967296.0:
                action = verbs.sample(state, seat, rng, out)
            else:
                action = sample_softmax(states, seat, temperature, net, table, rng, out, scores, wins, active, values)
            verbs.apply(state, seat, action, None)
            if features(state, seat, 0, active) > 0:
                for other in range(int(state.players)):
                    counts[used, other] = features(state, other, 0, seen[used, other])
                used += 1
        winners = 0
        for seat in range(int(state.players)):
            winners += wins[seat]
        for position in range(start, used):
            for seat in range(int(state.players)):
                shares[position, seat] = wins[seat] / winners
    return used


@rule
def sample_softmax(
    states: Any, seat: int, temperature: float, net: Any, table: int, rng: Any, out: Any, scores: Any, wins: Any,
    active: Any, values: Any,
) -> int:  # fmt: skip
    """An action sampled from the softmax of the values after it: the best with Gumbel noise added."""
    n = candidates(states[0], seat, 0, out)
    best = -1.0e9
    found = 0
    for k in range(n):
        states[1] = states[0]
        verbs.apply(states[1], seat, out[k], None)
        if verbs.to_act(states[1]) == 0 and verbs.outcome(states[1], scores, wins) != 0:
            winners = 0
            for other in range(int(states[1].players)):
                winners += wins[other]
            worth = wins[seat] / winners
        else:
            worth = value(states[1], seat, net, table, active, values)
        worth -= temperature * np.log(-np.log((bits(rng) + 0.5) / 4294967296.0))
        if worth > best:
            best = worth
            found = out[k]
    return int(found)


@compiled
def fit(
    states: States, seen: Any, counts: Any, shares: Any, order: Ints, net: Any, steps: Any, table: int,
    learning_rate: float, hidden: Any, odds: Any,
) -> float:  # fmt: skip
    """Stochastic gradient descent on the cross entropy, one position at a time, with Adagrad."""
    loss = 0.0
    rows, bias, last = net.rows[table], net.bias[table], net.last[table]
    players = shares.shape[1]
    for place in range(len(order)):
        at = order[place]
        mass = 0.0
        for seat in range(players):
            for h in range(len(bias)):
                hidden[seat, h] = bias[h]
            for k in range(counts[at, seat]):
                row = seen[at, seat, k]
                for h in range(len(bias)):
                    hidden[seat, h] += rows[row, h]
            total = 0.0
            for h in range(len(bias)):
                total += max(hidden[seat, h], 0.0) * last[h]
            odds[seat] = np.exp(total)
            mass += odds[seat]
        for seat in range(players):
            predicted = odds[seat] / mass
            error = predicted - shares[at, seat]
            loss -= shares[at, seat] * np.log(max(predicted, 1.0e-9))
            for h in range(len(bias)):
                if hidden[seat, h] > 0.0:
                    slope = error * hidden[seat, h]
                    hidden[seat, h] = error * last[h]
                    steps.last[table, h] += slope * slope
                    last[h] -= learning_rate * slope / np.sqrt(steps.last[table, h])
                    steps.bias[table, h] += hidden[seat, h] * hidden[seat, h]
                    bias[h] -= learning_rate * hidden[seat, h] / np.sqrt(steps.bias[table, h])
                else:
                    hidden[seat, h] = 0.0
            for k in range(counts[at, seat]):
                row = seen[at, seat, k]
                for h in range(len(bias)):
                    slope = hidden[seat, h]
                    if slope != 0.0:
                        steps.rows[table, row, h] += slope * slope
                        rows[row, h] -= learning_rate * slope / np.sqrt(steps.rows[table, row, h])
    return loss / max(len(order), 1)


def initial_net(game: Game, tables: int, seed: int) -> Net:
    """A net with random weights."""
    rng = np.random.default_rng(seed)
    features = game._module("features").FEATURES
    return Net(
        rows=rng.normal(0, 0.05, (tables, features, HIDDEN)).astype(np.float32),
        bias=np.full((tables, HIDDEN), 0.1, np.float32),
        last=rng.normal(0, 0.2, (tables, HIDDEN)).astype(np.float32),
    )


def scheduled(ends: tuple[float, float], gone: float) -> float:
    """A setting that changes linearly from its first value to its last, after this part of the matches."""
    return ends[0] + gone * (ends[1] - ends[0])


def learn(game: Game, players: int, matches: int, seed: int, progress: Any = None, epsilon: float = EPSILON) -> Net:
    """Train a net for one number of players from this many matches of self-play."""
    if not (game.folder / "features.py").exists():
        raise BadOption("no-features", NO_FEATURES, title=game.title)
    if matches < 1:
        raise BadOption("no-matches", NO_MATCHES, matches=matches)
    if not 0 <= epsilon <= 1:
        raise BadOption("bad-epsilon", BAD_EPSILON, epsilon=epsilon)
    game.speed_up()
    net, steps = initial_net(game, 1, seed), Net(*(np.ones_like(part) for part in initial_net(game, 1, seed)))
    rng, settings, states = np.random.default_rng(seed), game.settings(players, {}), game.states(2)
    longest = 200
    past: list[tuple[Any, Any, Any]] = []
    for first in range(0, matches, ROUND):
        gone = first / matches
        seen = np.zeros((longest * ROUND, players, MAX_ACTIVE), np.int16)
        counts = np.zeros((longest * ROUND, players), np.int16)
        shares = np.zeros((longest * ROUND, players), np.float32)
        used = self_play(
            states, settings, min(ROUND, matches - first), seed, first, epsilon if first else 1.0,
            scheduled(TEMPERATURE, gone), net, 0, np.zeros(4, np.int64), np.zeros(game.actions, np.int64),
            np.zeros(max(game.chances, 1), np.int64), np.zeros(game.players[1], np.int64),
            np.zeros(game.players[1], np.int64), np.zeros(MAX_ACTIVE, np.int64), np.zeros(game.players[1]),
            seen, counts, shares,
        )  # fmt: skip
        past = [*past, (seen[:used].copy(), counts[:used].copy(), shares[:used].copy())][-REPLAY_ROUNDS:]
        seen, counts, shares = (np.concatenate(part) for part in zip(*past, strict=True))
        order = rng.permutation(len(seen))[: REPLAY_RATIO * used]
        loss = fit(
            states, seen, counts, shares, order, net, steps, 0, scheduled(LEARNING_RATE, gone),
            np.zeros((players, HIDDEN), np.float32), np.zeros(players),
        )  # fmt: skip
        if progress:
            progress(first + ROUND, loss)
    return net


def main() -> None:
    """Train, and write the weights."""
    parser = argparse.ArgumentParser(description="Train a game's value network by self-play.")
    parser.add_argument("game")
    parser.add_argument("--players", type=int, required=True)
    parser.add_argument("--matches", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--epsilon", type=float, default=EPSILON, help=f"probability of a random action ({EPSILON})")
    parser.add_argument("--to", type=Path, help="the folder to keep it in, if not the game's")
    chosen = parser.parse_args()
    started = time.perf_counter()

    def progress(matches: int, loss: float) -> None:
        print(f"{matches} matches, loss {loss:.4f}, {time.perf_counter() - started:.0f} s", flush=True)

    try:
        game = load(chosen.game)
        if chosen.to and not chosen.to.is_dir():  # refuse now, not after an hour
            raise BadOption("no-folder", NO_FOLDER, folder=chosen.to)
        learnt = learn(game, chosen.players, chosen.matches, chosen.seed, progress, chosen.epsilon)
    except Refusal as refusal:
        parser.error(str(refusal))
    least, most = game.players
    file = (chosen.to or game.folder) / FILE
    net = initial_net(game, most - least + 1, chosen.seed)
    if file.exists():
        with np.load(file) as before:
            net = Net(*(before[name].copy() for name in Net._fields))
    for part, new in zip(net, learnt, strict=True):
        part[chosen.players - least] = new[0]
    np.savez_compressed(file, **net._asdict())


if __name__ == "__main__":
    main()
