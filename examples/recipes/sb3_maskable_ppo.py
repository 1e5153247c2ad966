"""Stable-Baselines3: MaskablePPO learns one seat of Faut pas pousser.

pip install "tribord[research]" sb3-contrib
python examples/recipes/sb3_maskable_ppo.py
"""

import gymnasium
from sb3_contrib import MaskablePPO

import tribord.research.gymnasium  # noqa: F401  (registers the games)

env = gymnasium.make("tribord/FautPasPousser-v1", players=2, strict=True)  # it finds action_masks()
model = MaskablePPO("MultiInputPolicy", env, n_steps=512, learning_rate=1e-3, gamma=1.0, seed=1).learn(12_288)

share = 0.0
for match in range(200):
    seen, _info = env.reset(seed=match)
    over = False
    while not over:
        action, _state = model.predict(seen, action_masks=env.unwrapped.action_masks(), deterministic=True)
        seen, reward, over, _cut, _info = env.step(action)
    share += reward / 200
print(f"share of the victories against a uniform seat: {share:.2f}")
assert share > 0.6
