"""A random agent in Gymnasium: one seat against bots, and then a thousand matches at once.

pip install "tribord[research]"
python examples/gymnasium_random.py faut-pas-pousser --players 4 --opponents mousse
"""

from __future__ import annotations

import argparse

import gymnasium
import numpy as np

from tribord import game_ids, load
from tribord.research.gymnasium import env_id


def play_one_seat(name: str, players: int, opponents: str, matches: int, seed: int) -> float:
    """The mean reward of a random agent in one seat, match after match."""
    env = gymnasium.make(env_id(load(name)), players=players, seat=None, opponents=opponents)
    env.action_space.seed(seed)
    total = 0.0
    for match in range(matches):
        seen, _info = env.reset(seed=seed if match == 0 else None)
        over = False
        while not over:
            seen, reward, over, _truncated, _info = env.step(env.action_space.sample(seen["action_mask"]))
            total += float(reward)
    return total / matches


def play_many(name: str, players: int, opponents: str, envs: int, steps: int, seed: int) -> tuple[float, int]:
    """The mean reward over the finished matches, and their number; matches restart by themselves."""
    env = gymnasium.make_vec(env_id(load(name)), num_envs=envs, players=players, seat=None, opponents=opponents)
    env.reset(seed=seed)
    rewards = []
    for _step in range(steps):
        _seen, reward, over, _truncated, _info = env.step(env.unwrapped.sample())
        rewards.append(reward[over])
    ended = np.concatenate(rewards)
    return float(ended.mean()) if len(ended) else 0.0, len(ended)


def main() -> None:
    """Say how a random agent does."""
    wishes = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    wishes.add_argument("game", choices=game_ids())
    wishes.add_argument("--players", type=int, default=None)
    wishes.add_argument("--opponents", default="random")
    wishes.add_argument("--matches", type=int, default=20)
    wishes.add_argument("--envs", type=int, default=1000)
    wishes.add_argument("--steps", type=int, default=50)
    wishes.add_argument("--seed", type=int, default=1)
    given = wishes.parse_args()
    players = given.players or load(given.game).players[0]
    reward = play_one_seat(given.game, players, given.opponents, given.matches, given.seed)
    print(f"one seat: mean reward {reward:.3f} in {given.matches} matches")
    reward, ended = play_many(given.game, players, given.opponents, given.envs, given.steps, given.seed)
    print(f"{given.envs} at once: mean reward {reward:.3f} in {ended} matches")


if __name__ == "__main__":
    main()
