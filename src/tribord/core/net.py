"""A small value network with sparse inputs, as in NNUE: the numbers of the active features go in, one logit comes out.

The first layer only adds up one row for each active feature, so that a forward pass takes a fraction of a microsecond.
A game lists its active `features`, keeps the weights in `net.npz` (see `tribord.lab.learn`), and calls `forward` from
its `values`. Which of several heads (`table`) is used is up to the game, for instance by the number of players.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tribord.core.compiled import rule

FILE = "net.npz"


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
