"""Stable-Baselines3: MaskablePPO learns one seat of Faut pas pousser against a mousse.

pip install "tribord[research]" sb3-contrib
python examples/recipes/sb3_maskable_ppo.py
"""

import gymnasium
from sb3_contrib import MaskablePPO

import tribord.research.gymnasium  # noqa: F401  (registers the games)

env = gymnasium.make("tribord/FautPasPousser-v1", players=2, opponents="mousse")  # it finds action_masks()
model = MaskablePPO("MultiInputPolicy", env, n_steps=256, seed=1).learn(1024)

wins = 0.0
for match in range(20):
    seen, _info = env.reset(seed=match)
    over = False
    while not over:
        action, _state = model.predict(seen, action_masks=env.unwrapped.action_masks(), deterministic=True)
        seen, reward, over, _cut, _info = env.step(action)
    wins += reward
print(f"share of the victories: {wins / 20:.2f}")
