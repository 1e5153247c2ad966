"""A small neural network that forecasts: the numbers of what is true go in, one number comes out.

Its first layer only adds up rows, one for each thing that is true: a forecast takes a fraction of a microsecond.
A game names what is true in its `features`, keeps what was learnt in `net.npz` (see `tribord.lab.learn`), and asks
`promise` from its `hopes`. Which of several tables is asked is up to the game, for instance by the number of players.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tribord.core.compiled import rule

FILE = "net.npz"


class Net(NamedTuple):
    """What was learnt, table by table."""

    rows: NDArray[np.float32]  # table, feature, hidden unit
    bias: NDArray[np.float32]  # table, hidden unit
    last: NDArray[np.float32]  # table, hidden unit


def read_net(folder: Path) -> Net:
    """What was learnt for the game in a folder."""
    with np.load(folder / FILE) as learnt:
        return Net(*(learnt[name] for name in Net._fields))


@rule
def promise(rows: Any, bias: Any, last: Any, table: int, true: Any, first: int, n: int) -> float:
    """The forecast for the `n` things that are true, whose numbers begin at true[first]; `true` has room beyond."""
    sums = true[first + n :].view(np.float32)  # side by side, so that the processor adds many at once
    units = bias.shape[1]
    for unit in range(units):
        sums[unit] = bias[table, unit]
    for k in range(first, first + n):
        row = int(true[k])
        for unit in range(units):
            sums[unit] += rows[table, row, unit]
    total = 0.0
    for unit in range(0, units, 2):
        total += max(sums[unit], 0.0) * last[table, unit] + max(sums[unit + 1], 0.0) * last[table, unit + 1]
    return total
