"""The form of observations: libraries differ in the names and spaces they expect.

    Form()                                      # {"observation": …, "action_mask": …}
    Form(keys=("observations", "action_mask"))  # RLlib
    Form(flat=True)                             # one vector, the floats and then the mask: SuperSuit
    Form(idle="noop")                           # TorchRL: action 0 counts as legal for a seat that can't act

Environments take the same arguments. In every form the mask is in `info["action_mask"]` too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Space
from numpy.typing import NDArray

from tribord.core.batch import Mask
from tribord.core.game import Game
from tribord.core.record import Floats
from tribord.core.refusal import BadOption

MOST = 1000.0  # Gymnasium and PettingZoo require bounds; nearly all values are between 0 and 1
KEYS = ("observation", "action_mask")
ZEROS, NOOP = "zeros", "noop"  # the mask of a seat that can't act: nothing is legal, or action 0

# For programmers, so in English only.
BAD_KEYS = "“keys” are two different names, for the floats and for the mask, not {keys}."
BAD_IDLE = "“idle” is one of {known}, not {idle}."


@dataclass(frozen=True)
class Form:
    """How a library gets what a seat sees."""

    keys: tuple[str, str] = KEYS
    flat: bool = False
    idle: str = ZEROS

    def __post_init__(self) -> None:
        keys: Any = self.keys
        if isinstance(keys, str) or len(keys) != 2 or not all(isinstance(key, str) for key in keys) or len({*keys}) < 2:
            raise BadOption("bad-keys", BAD_KEYS, keys=keys)
        if self.idle not in (ZEROS, NOOP):
            raise BadOption("bad-idle", BAD_IDLE, known=f"{ZEROS}, {NOOP}", idle=self.idle)

    def space(self, game: Game) -> Space[Any]:
        """The space of what a seat sees; a new one every time, because each is seeded on its own."""
        if self.flat:
            low = np.concatenate([np.full(game.observation, -MOST), np.zeros(game.actions)]).astype(np.float32)
            high = np.concatenate([np.full(game.observation, MOST), np.ones(game.actions)]).astype(np.float32)
            return Box(low, high, dtype=np.float32)
        floats, mask = self.keys
        parts: dict[str, Space[Any]] = {
            floats: Box(-MOST, MOST, (game.observation,), np.float32),
            mask: Box(0, 1, (game.actions,), np.int8),
        }
        return Dict(parts)

    def seen(self, floats: Floats, mask: Mask, out: Floats | None = None) -> Any:
        """What a seat sees, or what many seats see, a row for each. One vector is written to `out`, if given."""
        if self.flat:
            out = np.empty((*mask.shape[:-1], floats.shape[-1] + mask.shape[-1]), np.float32) if out is None else out
            return np.concatenate([floats, mask], axis=-1, out=out)
        return {self.keys[0]: floats, self.keys[1]: mask}

    def rest(self, mask: Mask, idle: NDArray[np.bool_] | bool = True) -> Mask:
        """Mark what a seat that can't act may do, in a mask or in the rows of a mask that are idle."""
        if self.idle == NOOP:
            mask[..., 0] |= np.int8(1) * np.asarray(idle)
        return mask

    def resting(self, game: Game) -> Mask:
        """The mask of a seat that can't act."""
        return self.rest(np.zeros(game.actions, np.int8))
