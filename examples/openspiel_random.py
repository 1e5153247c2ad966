"""Random agents in OpenSpiel: matches of any game, chance and sealed choices included.

    python examples/openspiel_random.py sauve-qui-peut --players 5 --matches 50
    python examples/openspiel_random.py faut-pas-pousser --turns

Prints the mean return of every player. Needs the extra `research`; docs/openspiel.md describes the games.
"""

import argparse

import numpy as np
import pyspiel

from tribord import game_ids, load
from tribord.research.openspiel import open_game


def play(state: pyspiel.State, luck: np.random.Generator) -> list[float]:
    """Play a match to its end: dice by their probabilities, everything else uniformly."""
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(luck.choice(outcomes, p=odds)))
        elif state.is_simultaneous_node():  # seats that don't act have no legal action and pass 0
            legal = (state.legal_actions(player) for player in range(state.num_players()))
            state.apply_actions([int(luck.choice(actions)) if actions else 0 for actions in legal])
        else:
            state.apply_action(int(luck.choice(state.legal_actions())))
    return list(state.returns())


def main() -> None:
    """Play and count."""
    wishes = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    wishes.add_argument("game", choices=game_ids())
    wishes.add_argument("--players", type=int)
    wishes.add_argument("--matches", type=int, default=20)
    wishes.add_argument("--seed", type=int, default=1)
    wishes.add_argument("--turns", action="store_true", help="sealed choices one after another")
    given = wishes.parse_args()
    game, luck = load(given.game), np.random.default_rng(given.seed)
    game.speed_up()
    opened = open_game(game, given.players or game.players[0], simultaneous=not given.turns)
    returns = np.array([play(opened.new_initial_state(), luck) for _match in range(given.matches)])
    for player, mean in enumerate(returns.mean(axis=0)):
        print(f"player {player}  {mean:.3f}")


if __name__ == "__main__":
    main()
