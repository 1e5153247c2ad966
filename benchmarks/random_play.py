"""Uniform random play to the end, on one core: every game of Tribord against OpenSpiel's own C++ random rollouts.

    make bench

OpenSpiel's rollouts run inside its evaluator, driven by one simulation of its MCTS bot, so its loop contains no
Python. Actions are seats' actions; chance is played but not counted. Baseline and games alternate, and the best of the
rounds counts for both, because machines are noisy. The last column is the ratio to connect_four.
"""

from __future__ import annotations

import time

import numpy as np
import pyspiel

from tribord import game_ids, load
from tribord.lab.simulate import play_out

ROUNDS = 5
SECONDS = 0.7


def openspiel_rollouts(name: str) -> tuple[float, float]:
    """(actions per match, actions per second) of OpenSpiel's random rollouts from the start of a game."""
    game = pyspiel.load_game(name)
    rng = np.random.default_rng(1)
    lengths = []
    for _ in range(1000):
        state, length = game.new_initial_state(), 0
        while not state.is_terminal():
            chance = state.is_chance_node()
            state.apply_action(int(rng.choice(state.legal_actions())))
            length += not chance
        lengths.append(length)
    length = float(np.mean(lengths))
    rollouts = 20_000
    start = game.new_initial_state()
    while start.is_chance_node():
        start.apply_action(start.legal_actions()[0])
    evaluator = pyspiel.RandomRolloutEvaluator(rollouts, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 1.4, 1, 100, False, 1, False)
    begin = time.perf_counter()
    bot.step(start)
    return length, rollouts * length / (time.perf_counter() - begin)


def tribord_playouts(name: str, players: int, options: dict[str, object], matches: int) -> tuple[float, float, float]:
    """(actions per match, actions per second, seconds) of our random matches."""
    game = load(name)
    settings = game.settings(players, options, research=True)
    begin = time.perf_counter()
    sample = play_out(game, settings, matches, 1)
    seconds = time.perf_counter() - begin
    return float(sample.lengths.mean()), sample.lengths.sum() / seconds, seconds


def tables() -> list[tuple[str, int, dict[str, object]]]:
    """The contests: every game at its fewest and most players, and with every value of its named choices."""
    found: list[tuple[str, int, dict[str, object]]] = []
    for name in game_ids():
        game = load(name)
        choices = [{}] + [
            {o.name: v} for o in game.options for v in getattr(o, "values", ()) if isinstance(o.default, str)
        ]
        for options in choices:
            if any(options.get(o.name) == o.default for o in game.options):
                continue
            for players in (game.players[0], game.players[1], 4):
                try:
                    game.settings(players, options)
                except Exception:  # this combination doesn't exist
                    continue
                if (name, players, options) not in found:
                    found.append((name, players, options))
    return found


def main() -> None:
    """Print the table."""
    yardsticks = ["connect_four", "turn_based_simultaneous_game(game=goofspiel())"]
    best: dict[str, tuple[float, float]] = {}
    rows = tables()
    sizes = {}
    for row in rows:  # compile, and find the number of matches that fill the time
        tribord_playouts(*row, 100)
        sizes[str(row)] = max(100, int(2000 * SECONDS / tribord_playouts(*row, 2000)[2]))
    for _ in range(ROUNDS):
        for name in yardsticks:
            length, rate = openspiel_rollouts(name)
            best[name] = max(best.get(name, (0.0, 0.0)), (length, rate), key=lambda pair: pair[1])
        for row in rows:
            length, rate, _seconds = tribord_playouts(*row, sizes[str(row)])
            best[str(row)] = max(best.get(str(row), (0.0, 0.0)), (length, rate), key=lambda pair: pair[1])
    base = best["connect_four"][1]
    print(f"{'game':<44}{'actions/match':>14}{'M actions/s':>13}{'× connect_four':>16}")
    for name in yardsticks:
        print(f"{'OpenSpiel ' + name.split('=')[-1].strip('()'):<44}{best[name][0]:>14.1f}{best[name][1] / 1e6:>13.2f}"
              f"{best[name][1] / base:>16.2f}")  # fmt: skip
    for row in rows:
        name, players, options = row
        label = f"{name}, {players} players" + "".join(f", {k}={v}" for k, v in options.items())
        length, rate = best[str(row)]
        print(f"{label:<44}{length:>14.1f}{rate / 1e6:>13.2f}{rate / base:>16.2f}")


if __name__ == "__main__":
    main()
