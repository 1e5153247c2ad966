"""The net of examples/learn.py as a bot on standard input and output: it does whatever the net likes best.

    tribord arena faut-pas-pousser --bots "mousse,cmd:python examples/learnt_bot.py net.npz" --players 4 --matches 400

It plays the game, and with as many players, as its net has learnt. docs/arena.md describes the messages.
"""

import json
import sys

import numpy as np
from learn import Net, with_seat
from openspiel_bot import READ  # views from JSON, back into records

from tribord import load


class Player:
    """One seat in one match."""

    def __init__(self, hello: dict, weights: list[np.ndarray]):
        self.game, self.players = load(hello["game"]), hello["players"]
        self.settings = self.game.settings(self.players, hello["options"])
        self.net = Net(self.game.observation + self.players, self.game.actions, np.random.default_rng(0))
        if [w.shape for w in weights] != [w.shape for w in self.net.weights]:
            sys.exit(f"The net has not learnt {self.game.title} with {self.players} players.")
        self.net.weights = weights

    def act(self, question: dict) -> int:
        view, seat = self.game.states(1)[0], question["seat"]
        self.game.rules.initial(view, self.settings)  # what does not change in a match
        READ[self.game.id](question["view"], view)
        mask = np.zeros((1, self.game.actions), bool)
        mask[0, [legal["action"] for legal in question["legal"]]] = True
        seen = with_seat(self.game.observe(view, seat)[None], np.array([seat]), self.players)
        return int(self.net.think(seen, mask)[1].argmax())


def main() -> None:
    with np.load(sys.argv[1]) as kept:
        weights = [kept[name] for name in kept.files]
    for line in sys.stdin:
        message = json.loads(line)
        if message["t"] == "hello":
            player = Player(message, weights)
            answer = {"t": "ready"}
        elif message["t"] == "decide":
            answer = {"t": "act", "id": message["id"], "action": player.act(message)}
        else:
            continue
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
