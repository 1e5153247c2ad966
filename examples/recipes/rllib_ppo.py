"""RLlib: one PPO plays both seats of Faut pas pousser, with RLlib's own module for action masks.

pip install "tribord[research]" "ray[rllib]" torch
python examples/recipes/rllib_ppo.py
"""

import logging

import numpy as np
import ray
import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

from tribord.research.pettingzoo import faut_pas_pousser_v1

KEYS = ("observations", "action_mask")  # the names that the module looks for


def raw_env():
    """An illegal action raises, so this only runs if all are legal."""
    return faut_pas_pousser_v1.raw_env(players=2, keys=KEYS)


ray.init(num_cpus=1, include_dashboard=False, logging_level=logging.ERROR, log_to_driver=False)
register_env("plank", lambda _config: PettingZooEnv(raw_env()))
module = RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config={"fcnet_hiddens": [128, 128]})
config = (
    PPOConfig()
    .environment("plank", disable_env_checking=True)  # the check plays illegal actions
    .env_runners(num_env_runners=0)
    .multi_agent(policies={"crew"}, policy_mapping_fn=lambda agent, _episode, **_more: "crew")
    .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={"crew": module}))
    .training(gamma=1.0, lr=1e-3, train_batch_size_per_learner=1000, minibatch_size=250, num_epochs=6)
    .debugging(seed=1, log_level="ERROR")
)
algorithm = config.build_algo()
for turn in range(8):
    told = algorithm.train()
    print(f"{turn}: {told['num_env_steps_sampled_lifetime']:.0f} decisions")

crew, table, luck = algorithm.get_module("crew"), raw_env(), np.random.default_rng(1)
share = 0.0
for match in range(100):
    table.reset(seed=match)
    mine = f"seat_{match % 2}"
    for agent in table.agent_iter():
        seen, reward, over, _cut, _info = table.last()
        if over:
            share += reward * (agent == mine)
            table.step(None)
        elif agent == mine:
            batch = {Columns.OBS: {key: torch.as_tensor(part)[None] for key, part in seen.items()}}
            with torch.no_grad():
                table.step(int(crew.forward_inference(batch)[Columns.ACTION_DIST_INPUTS].argmax()))
        else:
            table.step(int(luck.choice(np.flatnonzero(seen["action_mask"]))))
print(f"share of the victories against a uniform seat: {share / 100:.2f}")
assert share / 100 > 0.6
algorithm.stop()
ray.shutdown()
