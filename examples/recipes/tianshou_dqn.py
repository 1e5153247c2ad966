"""Tianshou: DQN learns one seat of Faut pas pousser in Gymnasium, then plays that seat in PettingZoo.

pip install "tribord[research]" tianshou
python examples/recipes/tianshou_dqn.py
"""

import gymnasium
import numpy as np
import torch
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.multiagent.marl import MultiAgentPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.utils.net.common import Net
from tianshou.utils.torch_utils import policy_within_training_step

import tribord.research.gymnasium  # noqa: F401  (registers the games)
from tribord.research.pettingzoo import faut_pas_pousser_v1

torch.manual_seed(1)
np.random.seed(1)


def env() -> gymnasium.Env:
    """The names are those that Tianshou's DQN looks for. An illegal action raises."""
    return gymnasium.make("tribord/FautPasPousser-v1", players=2, keys=("obs", "mask"), strict=True)


seat = env()
net = Net(state_shape=seat.observation_space["obs"].shape, action_shape=seat.action_space.n, hidden_sizes=(128, 128))
policy = DiscreteQLearningPolicy(model=net, action_space=seat.action_space, eps_training=0.2)
dqn = DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), gamma=1.0, target_update_freq=100)

training = Collector(policy, DummyVectorEnv([env] * 8), VectorReplayBuffer(20_000, 8), exploration_noise=True)
training.reset()
for _turn in range(100):
    with policy_within_training_step(policy):  # explores, and may learn
        training.collect(n_step=64)
        for _update in range(10):
            dqn.update(training.buffer, sample_size=64)

test = Collector(policy, DummyVectorEnv([env] * 8))
test.reset()
share = test.collect(n_episode=200).returns.mean()
print(f"share of the victories among uniform seats: {share:.2f}")
assert share > 0.6

# All seats, in turn: the learned policy against Tianshou's random one. `raw_env` raises if anything is illegal.
table = PettingZooEnv(faut_pas_pousser_v1.raw_env(players=2))
other = MARLRandomDiscreteMaskedOffPolicyAlgorithm(action_space=table.action_space).policy
crew = MultiAgentPolicy(dict(zip(table.agents, (policy, other), strict=True)))
both = Collector(crew, DummyVectorEnv([lambda: PettingZooEnv(faut_pas_pousser_v1.raw_env(players=2))] * 4))
both.reset()
shares = both.collect(n_episode=100).returns.mean(axis=0)
print(f"the same in PettingZoo, by seat: {shares[0]:.2f} and {shares[1]:.2f}")
assert shares[0] > 0.6
