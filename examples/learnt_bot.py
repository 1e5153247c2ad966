"""The net of examples/learn.py as a bot: it takes the net's likeliest action.

    tribord arena faut-pas-pousser --bots mousse,py:examples.learnt_bot:LearntBot --players 4 --matches 400

The net is net.npz in the current folder, or the file named by LEARNT_NET. It plays only the game and the number of
players it was trained for.
"""

import os
from pathlib import Path

import numpy as np
from examples.learn import Net, with_seat

from tribord import Game
from tribord.core.engine import Legal
from tribord.core.record import State


class LearntBot:
    def __init__(self, game: Game, seed: int):
        self.game = game
        with np.load(Path(os.environ.get("LEARNT_NET", "net.npz"))) as kept:
            weights = [kept[name] for name in kept.files]
        self.players = len(weights[0]) - game.observation  # the seat follows the observation, one-hot
        self.net = Net(game.observation + self.players, game.actions, np.random.default_rng(0))
        if [w.shape for w in weights] != [w.shape for w in self.net.weights]:
            raise ValueError(f"the net has not learnt {game.title}")
        self.net.weights = weights

    def decide(self, view: State, legal: Legal, clock: float | None) -> int:
        if int(view.players) != self.players:
            raise ValueError(f"the net has learnt to play with {self.players}")
        mask = np.zeros((1, self.game.actions), bool)
        mask[0, legal] = True
        seen = with_seat(self.game.observe(view, legal.seat)[None], np.array([legal.seat]), self.players)
        return int(self.net.forward(seen, mask)[1].argmax())
