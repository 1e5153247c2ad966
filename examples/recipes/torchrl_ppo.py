"""TorchRL: PPO learns one seat of Faut pas pousser in 64 matches at once.

pip install "tribord[research]" torchrl
python examples/recipes/torchrl_ppo.py
"""

import gymnasium
import torch
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.envs import ActionMask, Compose, DTypeCastTransform, GymWrapper, TransformedEnv
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import tribord.research.gymnasium  # noqa: F401  (registers the games)

torch.manual_seed(1)
envs = gymnasium.make_vec(
    "tribord/FautPasPousser-v1", num_envs=64, players=2, opponents="mousse",
    idle="noop", strict=False, autoreset_mode="Disabled",  # see docs/research.md
)  # fmt: skip
as_bools = DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"])
env = TransformedEnv(GymWrapper(envs, categorical_action_encoding=True), Compose(as_bools, ActionMask()))
size, actions = envs.single_observation_space["observation"].shape[0], envs.single_action_space.n


def net(out: int) -> nn.Module:
    return nn.Sequential(nn.Linear(size, 128), nn.ReLU(), nn.Linear(128, out))


actor = ProbabilisticActor(
    TensorDictModule(net(actions), ["observation"], ["logits"]), in_keys={"logits": "logits", "mask": "action_mask"},
    out_keys=["action"], distribution_class=MaskedCategorical, return_log_prob=True,
)  # fmt: skip
critic = ValueOperator(net(1), ["observation"])
loss = ClipPPOLoss(actor, critic, entropy_coeff=0.01)
advantage = GAE(gamma=1.0, lmbda=0.95, value_network=critic)
adam = torch.optim.Adam(loss.parameters(), 1e-3)

for turn in range(10):
    with torch.no_grad():
        played = env.rollout(60, actor, break_when_any_done=False, auto_cast_to_device=True)
        advantage(played)
    for _epoch in range(4):
        losses = loss(played.reshape(-1))
        adam.zero_grad()
        (losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]).backward()
        adam.step()
    ended = played["next", "done"]
    print(f"{turn}: {played['next', 'reward'][ended].mean():.2f} in {int(ended.sum())} matches")
