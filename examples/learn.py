"""Learning by self-play in NumPy alone: one small net plays all seats of thousands of matches.

    python examples/learn.py faut-pas-pousser --players 4 --net net.npz --curve curve.svg
    tribord arena faut-pas-pousser --bots mousse,py:examples.learnt_bot:LearntBot --players 4 --matches 400

It's REINFORCE with a baseline: after a round of matches every decision becomes likelier by as much as the share of the
victory exceeded the net's expectation, and an entropy bonus keeps the policy exploring. Matches are a batch, stepped in
compiled code (docs/batch.md); the curve is measured in the vector environment of Gymnasium. Needs the extras `research`
and `lab`. docs/learning.md says how strong the net becomes.
"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np

from tribord import game_ids, load
from tribord.core.batch import Batch
from tribord.core.game import Game
from tribord.research.gymnasium import env_id

HIDDEN = 128
MATCHES = 256  # in a round
MINIBATCH = 1024  # decisions
LEARNING_RATE = 0.002  # of Adam in the first round; it falls to zero in the last
ENTROPY_BONUS = 0.1  # what a unit of entropy is worth, in units of advantage
POINTS, MEASURED = 24, 1000  # of the curve, at growing distances; each over this many matches
OTHERS = ("random", "mousse")  # opponents of the curve


class Net:
    """Policy and value of one seat: its observation goes in, action probabilities and an expected reward come out."""

    def __init__(self, inputs: int, actions: int, rng: np.random.Generator):
        def layer(rows: int, columns: int, scale: float) -> np.ndarray:
            return (scale / np.sqrt(rows) * rng.standard_normal((rows, columns))).astype(np.float32)

        self.weights = [
            layer(inputs, HIDDEN, 1.4), np.zeros(HIDDEN, np.float32),
            layer(HIDDEN, actions, 0.01), np.zeros(actions, np.float32),
            layer(HIDDEN, 1, 0.01), np.zeros(1, np.float32),
        ]  # fmt: skip
        self.means = [np.zeros_like(w) for w in self.weights]  # Adam's, of gradients and of their squares
        self.squares = [np.zeros_like(w) for w in self.weights]
        self.steps = 0

    def forward(self, seen: np.ndarray, mask: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The hidden layer, and the probability of every action: a softmax over those that are legal."""
        inward, bias, policy, policy_bias, _value, _value_bias = self.weights
        hidden = np.maximum(seen @ inward + bias, 0)
        scores = np.where(mask, hidden @ policy + policy_bias, -np.inf)
        odds = np.exp(scores - scores.max(axis=1, keepdims=True))
        return hidden, odds / odds.sum(axis=1, keepdims=True)

    def learn(
        self, seen: np.ndarray, mask: np.ndarray, actions: np.ndarray, shares: np.ndarray, learning_rate: float
    ) -> None:
        """One step: decisions with more reward than expected become likelier, and the expectation more accurate."""
        hidden, odds = self.forward(seen, mask)
        _inward, _bias, policy, _policy_bias, value, value_bias = self.weights
        expected = (hidden @ value + value_bias)[:, 0]
        advantage = shares - expected
        advantage /= advantage.std() + 1e-6
        surprise = np.log(np.maximum(odds, 1e-12))
        entropy = -(odds * surprise).sum(axis=1, keepdims=True)
        by_score = odds * advantage[:, None] + ENTROPY_BONUS * odds * (surprise + entropy)
        by_score[np.arange(len(actions)), actions] -= advantage
        by_score /= len(actions)
        by_value = (expected - shares)[:, None] / len(actions)
        by_hidden = (by_score @ policy.T + by_value @ value.T) * (hidden > 0)
        self.descend(
            [seen.T @ by_hidden, by_hidden.sum(0), hidden.T @ by_score, by_score.sum(0), hidden.T @ by_value,
             by_value.sum(0)], learning_rate,
        )  # fmt: skip

    def descend(self, gradients: list[np.ndarray], learning_rate: float) -> None:
        """Adam."""
        self.steps += 1
        for weight, mean, square, by in zip(self.weights, self.means, self.squares, gradients, strict=True):
            mean += 0.1 * (by - mean)
            square += 0.001 * (by * by - square)
            weight -= learning_rate * mean / (1 - 0.9**self.steps) / (np.sqrt(square / (1 - 0.999**self.steps)) + 1e-8)


def with_seat(observation: np.ndarray, seats: np.ndarray, players: int) -> np.ndarray:
    """The floats of the game, plus the observing seat: some actions name crews by their colour."""
    return np.concatenate([observation, np.eye(players, dtype=np.float32)[seats]], axis=1)


def draw(odds: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """An action sampled from every row of probabilities."""
    heaped = odds.cumsum(axis=1)
    return (heaped > rng.random((len(odds), 1)) * heaped[:, -1:]).argmax(axis=1)


def play_round(batch: Batch, net: Net, rng: np.random.Generator, seed: int) -> list[np.ndarray]:
    """Complete matches: observations, masks, actions, and the resulting shares of the victory."""
    batch.reset(seed)
    turns = batch.turns()
    actions, shares = np.zeros_like(turns.seats), np.zeros_like(turns.rewards)
    decided = []
    while not turns.over.all():
        live = np.flatnonzero(~turns.over)
        seats = turns.seats[live]
        seen, mask = with_seat(turns.observation[live], seats, batch.players), turns.action_mask[live] == 1
        actions[live] = draw(net.forward(seen, mask)[1], rng)
        decided.append((seen, mask, actions[live], live, seats))
        turns = batch.advance(actions, out=turns)
        shares += turns.rewards
    seen, mask, done, match, seat = (np.concatenate(column) for column in zip(*decided, strict=True))
    return [seen, mask, done, shares[match, seat]]


def measure(game: Game, net: Net, players: int, opponents: str, matches: int, seed: int) -> tuple[float, float]:
    """The net's share with its likeliest actions against others, in random seats; and half its 95% interval."""
    env = gymnasium.make_vec(env_id(game), num_envs=matches, players=players, seat=None, opponents=opponents)
    seen, info = env.reset(seed=seed)
    shares, over = np.zeros(matches), np.zeros(matches, bool)
    while not over.all():
        odds = net.forward(with_seat(seen["observation"], info["seat"], players), seen["action_mask"] == 1)[1]
        seen, rewards, ended, _truncated, info = env.step(odds.argmax(axis=1))
        shares += np.where(over, 0, rewards)  # only the first match in every place counts
        over |= ended
    return float(shares.mean()), float(1.96 * shares.std() / np.sqrt(matches))


def train(game: Game, players: int, rounds: int, seed: int, progress: Callable[[int, Any], None]) -> tuple[Net, Any]:
    """A net after this many rounds, and its curve: matches, and a share with its interval for each opponent."""
    rng = np.random.default_rng(seed)
    net = Net(game.observation + players, game.actions, rng)
    batch = game.batch(MATCHES, players, seed)
    points, curve = {0, *np.geomspace(1, rounds, POINTS).astype(int).tolist()}, []
    for done in range(rounds + 1):
        if done in points:
            curve.append((done * MATCHES, [measure(game, net, players, who, MEASURED, seed) for who in OTHERS]))
            progress(*curve[-1])
        if done < rounds:
            decided = play_round(batch, net, rng, seed + done)
            for minibatch in np.array_split(rng.permutation(len(decided[0])), -(-len(decided[0]) // MINIBATCH)):
                net.learn(*(column[minibatch] for column in decided), learning_rate=LEARNING_RATE * (1 - done / rounds))
    return net, curve


def draw_curve(curve: Any, game: Game, players: int, file: Path) -> None:
    """The share of the victories over the matches learned from."""
    from tribord.lab.plot import INK, SEA, WOOD, figure

    with figure(file, 7, 4) as axes:
        for k, (who, colour) in enumerate(zip(OTHERS, (WOOD, SEA), strict=True)):
            matches, (share, half) = [at for at, _ in curve], np.array([point[k] for _, point in curve]).T
            axes.plot(matches, share, color=colour, marker="o", markersize=3, label=f"against {who}")
            axes.fill_between(matches, share - half, share + half, color=colour, alpha=0.2)
        axes.axhline(1 / players, color=INK, linestyle=":", label="fair share")
        axes.set(xlabel="matches played against itself", ylabel="share of the victories, 95%", ylim=(0, 1))
        axes.set_xscale("symlog", linthresh=MATCHES)
        axes.set_xlim(0, curve[-1][0])
        axes.set_title(f"{game.title}, {players} players")
        axes.legend(loc="lower right", frameon=False)


def main() -> None:
    """Learn, report progress, and save the net."""
    wishes = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    wishes.add_argument("game", choices=game_ids())
    wishes.add_argument("--players", type=int, default=4)
    wishes.add_argument("--rounds", type=int, default=200, help=f"of {MATCHES} matches")
    wishes.add_argument("--seed", type=int, default=1)
    wishes.add_argument("--net", type=Path, default=Path("net.npz"), help="where to keep it")
    wishes.add_argument("--curve", type=Path, help="a picture of the curve, .png or .svg")
    given = wishes.parse_args()
    game, begun = load(given.game), time.perf_counter()

    def progress(matches: int, shares: Any) -> None:
        line = ", ".join(f"{s:.3f} ± {half:.3f} against {who}" for who, (s, half) in zip(OTHERS, shares, strict=True))
        print(f"{matches:6} matches, {time.perf_counter() - begun:4.0f} s: {line}", flush=True)

    net, curve = train(game, given.players, given.rounds, given.seed, progress)
    np.savez(given.net, *net.weights)
    if given.curve:
        draw_curve(curve, game, given.players, given.curve)


if __name__ == "__main__":
    main()
