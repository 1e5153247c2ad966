"""A random agent in a batch: thousands of matches, all seats, with a single Python loop over steps.

python examples/batch_random.py walk-the-plank --players 4
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from tribord import game_ids, load
from tribord.core.batch import Batch


def main() -> None:
    """Play, and print the shares of the victory and the speed."""
    wishes = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    wishes.add_argument("game", choices=game_ids())
    wishes.add_argument("--players", type=int, default=None)
    wishes.add_argument("--matches", type=int, default=4096)
    wishes.add_argument("--steps", type=int, default=500)
    wishes.add_argument("--seed", type=int, default=1)
    given = wishes.parse_args()
    game = load(given.game)
    batch = Batch(game, given.matches, given.players or game.players[0], given.seed, auto_reset=True)
    turns, actions = batch.turns(), batch.sample()
    batch.advance(actions, out=turns)  # compiles the first time
    shares, ended = np.zeros(batch.players), 0
    begun = time.perf_counter()
    for _step in range(given.steps):
        # A learner would look at turns.observation and turns.action_mask here.
        batch.advance(batch.sample(out=actions), out=turns)
        shares += turns.rewards.sum(axis=0)
        ended += int(turns.over.sum())
    seconds = time.perf_counter() - begun
    print(f"{game.title}, {batch.players} players: {given.matches * given.steps / seconds:,.0f} steps a second")
    print(f"{ended} matches ended; mean share of the victory by seat: {np.round(shares / max(1, ended), 3).tolist()}")


if __name__ == "__main__":
    main()
