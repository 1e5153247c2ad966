"""OpenSpiel: external-sampling MCCFR solves the last sealed votes of Sauve qui peut !, and ISMCTS plays a match.

pip install "tribord[research]"
python examples/recipes/openspiel_cfr.py
"""

import random

import numpy as np
import pyspiel
from open_spiel.python.algorithms import exploitability, external_sampling_mccfr, ismcts, mcts

import tribord.research.openspiel  # noqa: F401  (registers the games)

NAME, OPTIONS = "tribord_faut_pas_pousser", {"players": 2, "simultaneous": False, "zero_sum": True}


def random_history(left: int) -> str:
    """The actions of a random match up to so many before its end, for the parameter `after`."""
    luck, state = random.Random(1), pyspiel.load_game(NAME, OPTIONS).new_initial_state()
    while not state.is_terminal():
        state.apply_action(luck.choice(state.legal_actions()))
    return "/".join(map(str, state.history()[:-left])) + "/"


late = pyspiel.load_game(NAME, {**OPTIONS, "after": random_history(5)})
solver = external_sampling_mccfr.ExternalSamplingSolver(late)
for _iteration in range(300):
    solver.iteration()
print(f"NashConv after 300 iterations: {exploitability.nash_conv(late, solver.average_policy()):.4f}")

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
