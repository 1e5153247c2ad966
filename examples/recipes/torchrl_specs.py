"""TorchRL's own check of every game in every environment: AEC, Parallel, one seat, and a vector.

    pip install "tribord[research]" torchrl
    python examples/recipes/torchrl_specs.py

After the check each plays on, so that matches end and begin again under TorchRL too.
"""

import gymnasium
from torchrl.envs import EnvBase, GymWrapper, PettingZooWrapper
from torchrl.envs.utils import check_env_specs

from tribord import game_ids, load
from tribord.research import pettingzoo
from tribord.research.gymnasium import env_id

STEPS = 1000


def check(env: EnvBase) -> int:
    """Check an environment, and play on at random; returns how many matches ended."""
    check_env_specs(env)
    return int(env.rollout(STEPS, break_when_any_done=False, auto_reset=True)["next", "done"].sum())


for name in game_ids():
    game = load(name)
    for players in game.players:
        form = {"players": players, "idle": "noop"}
        envs = gymnasium.make_vec(env_id(game), num_envs=4, strict=False, autoreset_mode="Disabled", **form)
        ended = {
            "AEC": check(PettingZooWrapper(pettingzoo.env(name, **form), use_mask=True)),
            "Parallel": check(PettingZooWrapper(pettingzoo.parallel_env(name, **form), use_mask=True)),
            "one seat": check(GymWrapper(gymnasium.make(env_id(game), **form))),
            "a vector": check(GymWrapper(envs)),
        }
        print(f"{game.title}, {players} players: {ended}")
        assert all(ended.values())
