"""Steps per second through each adapter, against a classic game of the same library, on one core.

    pip install -e ".[bench]" pygame-ce
    python benchmarks/research.py                  # everything
    python benchmarks/research.py "PettingZoo AEC"

Both sides are driven by the same loop, which draws uniformly from the action mask with NumPy, and both are made as the
library's users make them. A step is a decision of a seat; what a library asks for beyond that (last looks at a finished
match, resets) takes time and is not counted. Seconds are the processor's, yardstick and games alternate, and the best
of the rounds counts for all, because machines are noisy. Prints JSON.
"""

from __future__ import annotations

import json
import os
import platform
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from tribord import game_ids, load

ROUNDS = 3
SECONDS = 0.7


@dataclass(frozen=True)
class Contest:
    """One way into a library: how it is driven, its own game, and how a game of ours is made for it."""

    drive: Callable[[Any, np.random.Generator], int]  # plays one match and counts its steps
    yardstick: str
    theirs: Callable[[], Any]
    ours: Callable[[str, int], Any]  # game, players


def take_turns(env: Any, luck: np.random.Generator) -> int:
    """A random match seat by seat."""
    env.reset()
    steps = 0
    for _agent in env.agent_iter():
        seen, _reward, terminated, truncated, _info = env.last()
        if terminated or truncated:
            env.step(None)
        else:
            legal = np.flatnonzero(seen["action_mask"])
            env.step(legal[luck.integers(len(legal))])
            steps += 1
    return steps


def act_together(env: Any, luck: np.random.Generator) -> int:
    """A random match in which all who must decide act at once."""
    seen, _infos = env.reset()
    steps = 0
    while env.agents:
        actions = dict.fromkeys(env.agents)
        for agent in env.agents:
            legal = np.flatnonzero(seen[agent]["action_mask"])
            if len(legal):
                actions[agent] = legal[luck.integers(len(legal))]
                steps += 1
        seen, *_ = env.step(actions)
    return steps


def connect_four(kind: str = "env") -> Any:
    """PettingZoo's: as its users make it, with wrappers, or raw, without."""
    from pettingzoo.classic import connect_four_v3

    return getattr(connect_four_v3, kind)()


def connect_four_together() -> Any:
    """The same, through PettingZoo's own conversion."""
    from pettingzoo.utils.conversions import turn_based_aec_to_parallel

    return turn_based_aec_to_parallel(connect_four())


def in_pettingzoo(kind: str, game: str, players: int) -> Any:
    """A game of ours in PettingZoo."""
    from tribord.research import pettingzoo

    return getattr(pettingzoo, kind)(game, players)


CONTESTS = {
    "PettingZoo AEC": Contest(take_turns, "connect_four_v3", connect_four, partial(in_pettingzoo, "env")),
    "PettingZoo AEC, raw": Contest(
        take_turns, "connect_four_v3, raw_env", partial(connect_four, "raw_env"), partial(in_pettingzoo, "raw_env")
    ),
    "PettingZoo Parallel": Contest(
        act_together, "connect_four_v3, turn_based_aec_to_parallel", connect_four_together,
        partial(in_pettingzoo, "parallel_env"),
    ),
}  # fmt: skip


def speed(contest: Contest, env: Any) -> float:
    """Steps per second of the processor, matches played one after another."""
    luck, steps, begin = np.random.default_rng(1), 0, time.process_time()
    while time.process_time() - begin < SECONDS:
        steps += contest.drive(env, luck)
    return steps / (time.process_time() - begin)


def hold(contest: Contest) -> dict[str, Any]:
    """All games, at their fewest and most players, against the yardstick."""
    envs = {contest.yardstick: contest.theirs()}
    for name in game_ids():
        for players in load(name).players:
            envs[f"{name}, {players}"] = contest.ours(name, players)
    for env in envs.values():
        contest.drive(env, np.random.default_rng(0))  # loads what is compiled
    best = dict.fromkeys(envs, 0.0)
    for _ in range(ROUNDS):
        for name, env in envs.items():
            best[name] = max(best[name], speed(contest, env))
    base = best.pop(contest.yardstick)
    ours = {name: {"steps/s": round(found), "ratio": round(found / base, 1)} for name, found in best.items()}
    return {"yardstick": contest.yardstick, "steps/s": round(base), "ours": ours}


def main() -> None:
    """Hold the contests that were asked for, or all."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    found = {name: hold(CONTESTS[name]) for name in sys.argv[1:] or CONTESTS}
    print(json.dumps({"python": platform.python_version(), "machine": platform.machine(), **found}, indent=2))


if __name__ == "__main__":
    main()
