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

BLOCK = 8  # hidden units that are added up side by side
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
    """The forecast for the `n` things that are true, whose numbers begin at true[first]."""
    total = 0.0
    for unit in range(0, bias.shape[1], BLOCK):
        a = bias[table, unit]
        b = bias[table, unit + 1]
        c = bias[table, unit + 2]
        d = bias[table, unit + 3]
        e = bias[table, unit + 4]
        f = bias[table, unit + 5]
        g = bias[table, unit + 6]
        h = bias[table, unit + 7]
        for k in range(first, first + n):
            row = int(true[k])
            a += rows[table, row, unit]
            b += rows[table, row, unit + 1]
            c += rows[table, row, unit + 2]
            d += rows[table, row, unit + 3]
            e += rows[table, row, unit + 4]
            f += rows[table, row, unit + 5]
            g += rows[table, row, unit + 6]
            h += rows[table, row, unit + 7]
        total += max(a, 0.0) * last[table, unit] + max(b, 0.0) * last[table, unit + 1]
        total += max(c, 0.0) * last[table, unit + 2] + max(d, 0.0) * last[table, unit + 3]
        total += max(e, 0.0) * last[table, unit + 4] + max(f, 0.0) * last[table, unit + 5]
        total += max(g, 0.0) * last[table, unit + 6] + max(h, 0.0) * last[table, unit + 7]
    return total
