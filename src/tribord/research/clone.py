"""Clones: keep the position of an environment, and return to it as often as you like.

    kept = env.unwrapped.clone_state()
    env.step(action)
    env.unwrapped.restore_state(kept)

The position is everything that decides what happens next: matches, dice, generators, bots. For a second environment
instead, take `copy.deepcopy(env)`; `pickle` carries either to another process.
"""

from __future__ import annotations

import copy
from typing import Any, ClassVar

from tribord.core.game import Game
from tribord.core.refusal import BadOption

OTHER_STATE = "This position is of another environment, {theirs}, and this one is {ours}."


class Clonable:
    """An environment whose position can be kept and restored."""

    _position: ClassVar[tuple[str, ...]]  # the attributes that change while it is played
    game: Game
    players: int

    def clone_state(self) -> dict[str, Any]:
        """The position, in memory of its own."""
        kept = {name: self.__dict__[name] for name in self._position if name in self.__dict__}
        return copy.deepcopy({"of": self._described(), **kept})

    def restore_state(self, state: dict[str, Any]) -> None:
        """Return to a position that `clone_state` kept, of this environment or of one made with the same arguments."""
        if state["of"] != self._described():
            raise BadOption("other-state", OTHER_STATE, theirs=state["of"], ours=self._described())
        for name in self._position:
            self.__dict__.pop(name, None)
        self.__dict__.update({name: thing for name, thing in copy.deepcopy(state).items() if name != "of"})

    def _described(self) -> str:
        size = getattr(self, "num_envs", 1)
        return f"{type(self).__name__} of {self.game.id} for {self.players}, {size} at once"
