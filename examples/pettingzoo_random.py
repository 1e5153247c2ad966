"""Random agents in PettingZoo: matches of any game, seat by seat or all at once.

    python examples/pettingzoo_random.py walk-the-plank --players 5 --matches 200
    python examples/pettingzoo_random.py faut-pas-pousser --parallel

Prints how often every seat won. Needs the extra `research`; docs/pettingzoo.md describes the environments.
"""

import argparse
from collections import Counter

import numpy as np

from tribord.research import pettingzoo


def choose(seen: dict[str, np.ndarray], luck: np.random.Generator) -> int:
    """A random legal action."""
    return int(luck.choice(np.flatnonzero(seen["action_mask"])))


def turns(env: pettingzoo.AECMatch, luck: np.random.Generator) -> dict[str, float]:
    """Play a match seat by seat; returns the final rewards."""
    rewards = {}
    for agent in env.agent_iter():
        seen, rewards[agent], terminated, truncated, _info = env.last()
        env.step(None if terminated or truncated else choose(seen, luck))
    return rewards


def together(env: pettingzoo.ParallelMatch, seen: dict[str, dict], luck: np.random.Generator) -> dict[str, float]:
    """Play a match where all seats to act decide at once; returns the final rewards."""
    rewards: dict[str, float] = {}
    while env.agents:
        actions = {agent: choose(seen[agent], luck) for agent in env.agents if seen[agent]["action_mask"].any()}
        seen, rewards, _terminations, _truncations, _infos = env.step(actions)
    return rewards


def main() -> None:
    """Play and count."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--players", type=int)
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--parallel", action="store_true")
    given = parser.parse_args()
    luck = np.random.default_rng(given.seed)
    make = pettingzoo.parallel_env if given.parallel else pettingzoo.env
    env = make(given.game, given.players)
    won: Counter[str] = Counter()
    for match in range(given.matches):
        begun = env.reset(seed=None if match else given.seed)  # the others follow on the same stream
        won.update(together(env, begun[0], luck) if begun else turns(env, luck))
    for agent in env.possible_agents:
        print(f"{agent}  {won[agent] / given.matches:.3f}")


if __name__ == "__main__":
    main()
