"""A small value network with sparse inputs, as in NNUE: the numbers of the active features go in, one logit comes out.

The first layer only adds up one row for each active feature, so that a forward pass takes a fraction of a microsecond.
A game lists its active `features`, keeps the weights in `net.npz` (see `tribord.lab.learn`), and calls `forward` from
its `values`. Which of several heads (`table`) is used is up to the game, for instance by the number of players.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from tribord.core.compiled import compiled, rule
from tribord.core.game import Game
from tribord.core.refusal import BadFile
from tribord.core.verbs import observe
from tribord.core.words import _

FILE = "net.npz"

NO_POLICY = _("There’s no net in “{file}”. `tribord train` writes one.")
OTHER_POLICY = _("The net in “{file}” is for {title} version {version}. Train one for {wanted} version {now}.")


class Net(NamedTuple):
    """The weights, table by table: one hidden layer with ReLU."""

    rows: NDArray[np.float32]  # first layer: table, feature, hidden unit
    bias: NDArray[np.float32]  # of the hidden layer: table, hidden unit
    last: NDArray[np.float32]  # output layer: table, hidden unit


def read_net(folder: Path) -> Net:
    """The weights of the game in a folder."""
    with np.load(folder / FILE) as learnt:
        return Net(*(learnt[name] for name in Net._fields))


@rule
def forward(rows: Any, bias: Any, last: Any, table: int, active: Any, first: int, n: int) -> float:
    """The logit for the `n` active features whose numbers begin at active[first]; `active` has room beyond."""
    sums = active[first + n :].view(np.float32)  # side by side, so that the processor adds many at once
    units = bias.shape[1]
    for unit in range(units):
        sums[unit] = bias[table, unit]
    for k in range(first, first + n):
        row = int(active[k])
        for unit in range(units):
            sums[unit] += rows[table, row, unit]
    total = 0.0
    for unit in range(0, units, 2):
        total += max(sums[unit], 0.0) * last[table, unit] + max(sums[unit + 1], 0.0) * last[table, unit + 1]
    return total


# Policies: nets that `tribord train` learns


class Policy(NamedTuple):
    """The weights of a policy with a value: what is observed and whose seat it is, two hidden layers with ReLU.

    The last layer has a logit for every action, and then the value: the share of the victory that the seat expects.
    """

    first: NDArray[np.float32]
    first_bias: NDArray[np.float32]
    second: NDArray[np.float32]
    second_bias: NDArray[np.float32]
    last: NDArray[np.float32]
    last_bias: NDArray[np.float32]


def write_policy(file: Path, policy: Policy, game: Game) -> None:
    """Keep a policy, in half precision, with the game it plays."""
    weights = {name: part.astype(np.float16) for name, part in policy._asdict().items()}
    np.savez_compressed(file, game=np.array(game.id), version=np.array(game.version), **weights)


def read_policy(file: Path, game: Game) -> Policy:
    """The policy in a file. Refuses a file that isn't one, or is for another game or version of its rules."""
    try:
        with np.load(file) as kept:
            title, version = str(kept["game"]), int(kept["version"])
            policy = Policy(*(kept[name].astype(np.float32) for name in Policy._fields))
    except (OSError, KeyError, ValueError, EOFError, BadZipFile):
        raise BadFile("no-policy", NO_POLICY, file=file) from None
    if (title, version) != (game.id, game.version) or len(policy.last_bias) != game.actions + 1:
        raise BadFile(
            "other-policy", OTHER_POLICY, file=file, title=title, version=version, wanted=game.id, now=game.version
        )
    return policy


@rule
def add_layer(inputs: Any, weights: Any, bias: Any, out: Any) -> None:
    """Write a layer's sums. Inputs that are 0, as most are, cost nothing."""
    units = len(bias)
    for unit in range(units):
        out[unit] = bias[unit]
    for k in range(len(weights)):
        given = inputs[k]
        if given != 0.0:
            for unit in range(units):
                out[unit] += given * weights[k, unit]


@rule
def cut_negative(sums: Any) -> None:
    """ReLU."""
    for unit in range(len(sums)):
        sums[unit] = max(sums[unit], np.float32(0.0))


@rule
def think(view: Any, seat: int, policy: Any, inputs: Any, hidden: Any, deep: Any, out: Any) -> None:
    """Write the logits of all actions, and then the value, for a seat that has this view."""
    seen = len(inputs) - int(view.players)
    observe(view, seat, inputs[:seen])
    for other in range(int(view.players)):
        inputs[seen + other] = 1.0 if other == seat else 0.0
    add_layer(inputs, policy.first, policy.first_bias, hidden)
    cut_negative(hidden)
    add_layer(hidden, policy.second, policy.second_bias, deep)
    cut_negative(deep)
    add_layer(deep, policy.last, policy.last_bias, out)


@compiled
def consult(views: Any, seat: int, policy: Any, inputs: Any, hidden: Any, deep: Any, out: Any) -> None:
    """`think`, for the only view of an array."""
    think(views[0], seat, policy, inputs, hidden, deep, out)
