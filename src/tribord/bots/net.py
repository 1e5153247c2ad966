"""A bot that plays what a net likes best, without any search: `py:tribord.bots.net:NetBot`.

    TRIBORD_NET=run/net.npz tribord arena sauve-qui-peut --bots bosco,py:tribord.bots.net:NetBot --players 4

The net is the file that TRIBORD_NET names, or net.npz in the current folder. `tribord train` writes it.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from tribord.core.engine import Legal
from tribord.core.game import Game
from tribord.core.net import FILE, consult, read_policy
from tribord.core.record import State
from tribord.core.refusal import BadOption
from tribord.core.words import _

OTHER_PLAYERS = _("The net has learned to play with {learned} players, not {players}. Train one for {players}.")


class NetBot:
    """Plays the legal action with the highest logit. It plays one game, with the number of players it has learned."""

    name = "net"

    def __init__(self, game: Game, seed: int):
        self._policy = read_policy(Path(os.environ.get("TRIBORD_NET", FILE)), game)
        self._players = len(self._policy.first) - game.observation
        self._views = game.states(1)
        layers = (self._policy.first, self._policy.second, self._policy.last)
        self._rooms = [np.zeros(len(layer), np.float32) for layer in layers]
        self._out = np.zeros(game.actions + 1, np.float32)

    def decide(self, view: State, legal: Legal, clock: float | None = None) -> int:
        """The best action by the net."""
        self.consult(view, legal.seat)
        return max(legal, key=lambda action: float(self._out[action]))

    def value(self, view: State, seat: int) -> float:
        """The share of the victory that the net expects for a seat."""
        self.consult(view, seat)
        return float(self._out[-1])

    def consult(self, view: State, seat: int) -> None:
        """Write the net's logits and value."""
        if int(view.players) != self._players:
            raise BadOption("other-players", OTHER_PLAYERS, learned=self._players, players=int(view.players))
        self._views[0] = view
        consult(self._views, seat, self._policy, *self._rooms, self._out)
