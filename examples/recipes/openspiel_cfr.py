"""OpenSpiel: external-sampling MCCFR solves the last votes of Sauve qui peut !, and ISMCTS begins a match.

pip install "tribord[research]"
python examples/recipes/openspiel_cfr.py
"""

import numpy as np
import pyspiel
from open_spiel.python.algorithms import exploitability, external_sampling_mccfr, ismcts, mcts

from tribord import load
from tribord.lab.nash import positions
from tribord.research.openspiel import open_game

np.random.seed(1)
position = positions(load("sauve-qui-peut"))["last-token"]
votes = open_game(position.game, position.players, after=position.after, simultaneous=False)
solver = external_sampling_mccfr.ExternalSamplingSolver(votes)
for _iteration in range(300):
    solver.iteration()
conv = exploitability.nash_conv(votes, solver.average_policy())
print(f"NashConv after 300 iterations: {conv:.4f}; uniform strategies have {float(position.uniform)}")
assert conv < position.uniform / 4

plank = pyspiel.load_game("tribord_walk_the_plank(players=3,simultaneous=False)")
luck = np.random.RandomState(1)
bot = ismcts.ISMCTSBot(plank, mcts.RandomRolloutEvaluator(1, luck), 0.4, 20, random_state=luck)
bot.set_resampler(lambda state, player: state.resample_from_infostate(player, luck.random_sample))
state = plank.new_initial_state()
for _decision in range(6):
    while state.is_chance_node():
        outcomes, odds = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(int(luck.choice(outcomes, p=odds)))
    state.apply_action(bot.step(state))
print("ISMCTS played:", *state.history())
