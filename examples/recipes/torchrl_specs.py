"""TorchRL's own check of every game in every environment: AEC, Parallel, one seat, and a vector.

pip install "tribord[research]" torchrl
python examples/recipes/torchrl_specs.py
"""

import gymnasium
from torchrl.envs import GymWrapper, PettingZooWrapper
from torchrl.envs.utils import check_env_specs

from tribord import game_ids, load
from tribord.research import pettingzoo
from tribord.research.gymnasium import env_id

for name in game_ids():
    game = load(name)
    form = {"players": max(2, game.players[0]), "idle": "noop"}
    check_env_specs(PettingZooWrapper(pettingzoo.env(name, **form), use_mask=True))
    check_env_specs(PettingZooWrapper(pettingzoo.parallel_env(name, **form), use_mask=True))
    check_env_specs(GymWrapper(gymnasium.make(env_id(game), **form)))
    envs = gymnasium.make_vec(env_id(game), num_envs=4, strict=False, autoreset_mode="Disabled", **form)
    check_env_specs(GymWrapper(envs))
    print(f"{game.title}: four environments")
