"""A first bot, for any game: a high card or die rather than a low one, and luck where that says nothing.

tribord arena faut-pas-pousser --bots uniform,py:examples.first_bot:FirstBot --players 4 --matches 400
tribord play faut-pas-pousser --bot py:examples.first_bot:FirstBot
"""

import random


class FirstBot:
    def __init__(self, game, seed):
        self.game = game
        self.luck = random.Random(seed)  # all luck from the seed: the same seed, the same match

    def decide(self, view, legal, clock):
        # `legal` are the actions that seat `legal.seat` may take. `self.game.describe(view)` is what the seat knows.
        best = max(self.weight(action) for action in legal)
        return self.luck.choice([action for action in legal if self.weight(action) == best])

    def weight(self, action):
        parts = self.game.parts(action)  # such as {"kind": "pick", "pirate": 5}
        return sum(parts.get(part, 0) for part in ("pirate", "die", "steps"))
