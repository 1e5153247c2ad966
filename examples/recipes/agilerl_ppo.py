"""AgileRL: PPO learns one seat of Faut pas pousser in 64 matches at once. It finds the masks in `info`.

    pip install "tribord[research]" agilerl peft
    python examples/recipes/agilerl_ppo.py

AgileRL 2.58.0 can't be imported without peft. Its GAE ends a match one decision early, so a victory would only reach
the last decision; Monte Carlo returns don't have that error.
"""

import gymnasium
import numpy as np
import torch
from agilerl.algorithms import PPO
from agilerl.rollouts.on_policy import collect_rollouts

import tribord.research.gymnasium  # noqa: F401  (registers the games)

torch.manual_seed(1)
envs = gymnasium.make_vec("tribord/FautPasPousser-v1", num_envs=64, players=2, flat=True)  # an illegal action raises
agent = PPO(
    envs.single_observation_space, envs.single_action_space, num_envs=64, learn_step=64 * 28, batch_size=256,
    lr=1e-3, gamma=1.0, rollout_buffer_config={"use_gae": False},
    net_config={"encoder_config": {"hidden_size": [128]}},
)  # fmt: skip
agent.create_rollout_buffer()

at = {}
for turn in range(16):
    ended, *last = collect_rollouts(agent, envs, **at)
    at = dict(zip(("last_obs", "last_done", "last_scores", "last_info"), last, strict=True))
    agent.learn()
    if turn % 5 == 0:
        print(f"{turn}: {np.mean(ended):.2f} in {len(ended)} matches")

agent.set_training_mode(False)
seen, info = envs.reset(seed=1)
won = []
while len(won) < 400:
    actions, *_values = agent.get_action(seen, action_mask=info["action_mask"])
    seen, rewards, over, _cut, info = envs.step(actions)
    won += rewards[over].tolist()
print(f"share of the victories among uniform seats: {np.mean(won):.2f}")
assert np.mean(won) > 0.6
