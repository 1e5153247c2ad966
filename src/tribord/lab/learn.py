"""Learning: a game's net learns from matches that it plays against itself, to forecast who will win them.

    python -m tribord.lab.learn faut-pas-pousser --players 4 --matches 200000 --seed 1

Every seat takes the action after which the net gives it the best hope, now and then another. What is true
after each action, as each seat sees it, and who won in the end, is what the net is then fitted to; and so on in turns.
The same seed learns the same. What was learnt is written to the game's folder, beside what it knows of other numbers of
players; `docs/bots.md` tells how the nets we have were made.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np

from tribord.bots.tree import options
from tribord.core import verbs
from tribord.core.bits import lowest_bit
from tribord.core.chance import bits, seed_stream
from tribord.core.compiled import compiled, rule, rules_of, verb
from tribord.core.game import Game, load
from tribord.core.net import FILE, Net, promise
from tribord.core.record import CHANCE, Ints, State, States
from tribord.core.refusal import BadOption, Refusal
from tribord.core.words import _

NOTHING_TRUE = _("{title} has no `features` that a net could learn from.")
NO_MATCHES = _("A net learns from at least one match, not {matches}.")
BAD_WHIM = _("How often a seat does anything lies between 0 and 1, not at {whim}.")
NO_FOLDER = _("There is no folder “{folder}” to keep a net in.")

HIDDEN = 32
ROUND = 2000  # matches between two fits
REMEMBERED = 12  # rounds that are fitted to, at most
PASSES = 6  # as many positions as there are new ones, times this, in each fit
WHIM = 0.05  # how often a seat does anything, unless told otherwise
LOOSE, TIGHT = 0.03, 0.005  # by how much hopes are blurred before the best is taken, at first and in the end
QUICK, SLOW = 0.05, 0.005  # how far a fit goes at a time, at first and in the end
MOST_TRUE = 100


@verb
def features(state: State, seat: int, first: int, out: Any) -> int:
    """What is true as a seat sees it, by number, from out[first] on; returns how much it is."""
    return int(rules_of(state.dtype).features(state, seat, first, out))


@rule
def forecast(state: State, seat: int, net: Any, table: int, true: Any, hopes: Any) -> float:
    """The seat's chance of victory."""
    mass = 0.0
    for other in range(int(state.players)):
        n = features(state, other, 0, true)
        hopes[other] = np.exp(promise(net.rows, net.bias, net.last, table, true, 0, n))
        mass += hopes[other]
    return hopes[seat] / mass


@compiled
def self_play(
    states: States, settings: State, matches: int, seed: int, first: int, whim: float, blur: float, net: Any,
    table: int, rng: Ints, out: Ints, weights: Ints, scores: Ints, wins: Ints, true: Ints, hopes: Any,
    seen: Any, counts: Any, shares: Any,
) -> int:  # fmt: skip
    """Play matches, and write down what every seat saw after each action, and its share of the victory."""
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
            if features(state, seat, 0, true) == 0 or bits(rng) < whim * 4294967296.0:
                action = verbs.sample(state, seat, rng, out)
            else:
                action = most_hopeful(states, seat, blur, net, table, rng, out, scores, wins, true, hopes)
            verbs.apply(state, seat, action, None)
            if features(state, seat, 0, true) > 0:
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
def most_hopeful(
    states: Any, seat: int, blur: float, net: Any, table: int, rng: Any, out: Any, scores: Any, wins: Any, true: Any,
    hopes: Any,
) -> int:  # fmt: skip
    """The action that gives the seat the best hope, somewhat blurred."""
    n = options(states[0], seat, 0, out)
    best = -1.0e9
    found = 0
    for k in range(n):
        states[1] = states[0]
        verbs.apply(states[1], seat, out[k], None)
        if verbs.to_act(states[1]) == 0 and verbs.outcome(states[1], scores, wins) != 0:
            winners = 0
            for other in range(int(states[1].players)):
                winners += wins[other]
            hope = wins[seat] / winners
        else:
            hope = forecast(states[1], seat, net, table, true, hopes)
        hope -= blur * np.log(-np.log((bits(rng) + 0.5) / 4294967296.0))
        if hope > best:
            best = hope
            found = out[k]
    return int(found)


@compiled
def fit(
    states: States, seen: Any, counts: Any, shares: Any, order: Ints, net: Any, steps: Any, table: int, pace: float,
    hidden: Any, promised: Any,
) -> float:  # fmt: skip
    """Follow the gradient of the cross entropy, position by position, each weight at its own pace (Adagrad)."""
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
            promised[seat] = np.exp(total)
            mass += promised[seat]
        for seat in range(players):
            hope = promised[seat] / mass
            error = hope - shares[at, seat]
            loss -= shares[at, seat] * np.log(max(hope, 1.0e-9))
            for h in range(len(bias)):
                if hidden[seat, h] > 0.0:
                    slope = error * hidden[seat, h]
                    hidden[seat, h] = error * last[h]
                    steps.last[table, h] += slope * slope
                    last[h] -= pace * slope / np.sqrt(steps.last[table, h])
                    steps.bias[table, h] += hidden[seat, h] * hidden[seat, h]
                    bias[h] -= pace * hidden[seat, h] / np.sqrt(steps.bias[table, h])
                else:
                    hidden[seat, h] = 0.0
            for k in range(counts[at, seat]):
                row = seen[at, seat, k]
                for h in range(len(bias)):
                    slope = hidden[seat, h]
                    if slope != 0.0:
                        steps.rows[table, row, h] += slope * slope
                        rows[row, h] -= pace * slope / np.sqrt(steps.rows[table, row, h])
    return loss / max(len(order), 1)


def unlearnt(game: Game, tables: int, seed: int) -> Net:
    """A net that knows nothing yet."""
    rng = np.random.default_rng(seed)
    features = game._module("features").FEATURES
    return Net(
        rows=rng.normal(0, 0.05, (tables, features, HIDDEN)).astype(np.float32),
        bias=np.full((tables, HIDDEN), 0.1, np.float32),
        last=rng.normal(0, 0.2, (tables, HIDDEN)).astype(np.float32),
    )


def learn(game: Game, players: int, matches: int, seed: int, tell: Any = None, whim: float = WHIM) -> Net:
    """A net of one table, learnt from so many matches."""
    if not (game.folder / "features.py").exists():
        raise BadOption("nothing-true", NOTHING_TRUE, title=game.title)
    if matches < 1:
        raise BadOption("no-matches", NO_MATCHES, matches=matches)
    if not 0 <= whim <= 1:
        raise BadOption("bad-whim", BAD_WHIM, whim=whim)
    game.speed_up()
    net, steps = unlearnt(game, 1, seed), Net(*(np.ones_like(part) for part in unlearnt(game, 1, seed)))
    rng, settings, states = np.random.default_rng(seed), game.settings(players, {}), game.states(2)
    longest = 200
    past: list[tuple[Any, Any, Any]] = []
    for first in range(0, matches, ROUND):
        gone = first / matches
        seen = np.zeros((longest * ROUND, players, MOST_TRUE), np.int16)
        counts = np.zeros((longest * ROUND, players), np.int16)
        shares = np.zeros((longest * ROUND, players), np.float32)
        used = self_play(
            states, settings, min(ROUND, matches - first), seed, first, whim if first else 1.0,
            LOOSE + gone * (TIGHT - LOOSE), net, 0, np.zeros(4, np.int64), np.zeros(game.actions, np.int64),
            np.zeros(max(game.chances, 1), np.int64), np.zeros(game.players[1], np.int64),
            np.zeros(game.players[1], np.int64), np.zeros(MOST_TRUE, np.int64), np.zeros(game.players[1]),
            seen, counts, shares,
        )  # fmt: skip
        past = [*past, (seen[:used].copy(), counts[:used].copy(), shares[:used].copy())][-REMEMBERED:]
        seen, counts, shares = (np.concatenate(part) for part in zip(*past, strict=True))
        order = rng.permutation(len(seen))[: PASSES * used]
        loss = fit(
            states, seen, counts, shares, order, net, steps, 0, QUICK + gone * (SLOW - QUICK),
            np.zeros((players, HIDDEN), np.float32), np.zeros(players),
        )  # fmt: skip
        if tell:
            tell(first + ROUND, loss)
    return net


def main() -> None:
    """Learn, and keep what was learnt."""
    parser = argparse.ArgumentParser(description="Let a game's net learn from matches against itself.")
    parser.add_argument("game")
    parser.add_argument("--players", type=int, required=True)
    parser.add_argument("--matches", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--whim", type=float, default=WHIM, help=f"how often a seat does anything ({WHIM})")
    parser.add_argument("--to", type=Path, help="the folder to keep it in, if not the game's")
    chosen = parser.parse_args()
    started = time.perf_counter()

    def tell(matches: int, loss: float) -> None:
        print(f"{matches} matches, loss {loss:.4f}, {time.perf_counter() - started:.0f} s", flush=True)

    try:
        game = load(chosen.game)
        if chosen.to and not chosen.to.is_dir():  # rather now than after an hour
            raise BadOption("no-folder", NO_FOLDER, folder=chosen.to)
        learnt = learn(game, chosen.players, chosen.matches, chosen.seed, tell, chosen.whim)
    except Refusal as refusal:
        parser.error(str(refusal))
    least, most = game.players
    file = (chosen.to or game.folder) / FILE
    net = unlearnt(game, most - least + 1, chosen.seed)
    if file.exists():
        with np.load(file) as before:
            net = Net(*(before[name].copy() for name in Net._fields))
    for part, new in zip(net, learnt, strict=True):
        part[chosen.players - least] = new[0]
    np.savez_compressed(file, **net._asdict())


if __name__ == "__main__":
    main()
