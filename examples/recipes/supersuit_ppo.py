"""SuperSuit: one PPO of Stable-Baselines3 plays all seats of Sauve qui peut !, eight matches at once.

    pip install "tribord[research]" supersuit stable-baselines3
    python examples/recipes/supersuit_ppo.py

This PPO has no masks. An illegal action ends the match with -1, so it first learns what is legal.
"""

import logging

import supersuit
from stable_baselines3 import PPO

from tribord.research.pettingzoo import sauve_qui_peut_v1

logging.disable(logging.WARNING)  # of every illegal action
env = sauve_qui_peut_v1.parallel_env(players=3, flat=True)  # one vector: the floats and then the mask
envs = supersuit.concat_vec_envs_v1(
    supersuit.pettingzoo_env_to_vec_env_v1(env), 8, num_cpus=1, base_class="stable_baselines3"
)
model = PPO("MlpPolicy", envs, n_steps=16, batch_size=64).learn(24 * 16 * 2)
print(f"{model.num_timesteps} decisions, observations of {envs.observation_space.shape[0]} floats")
