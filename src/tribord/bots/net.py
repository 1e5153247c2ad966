"""Bots with a net: `py:tribord.bots.net:NetBot` plays what it likes best, `py:tribord.bots.net:NetSearch` searches.

    TRIBORD_NET=run/net.npz tribord arena sauve-qui-peut --bots bosco,py:tribord.bots.net:NetBot --players 4

The net is the file that TRIBORD_NET names, or net.npz in the current folder. `tribord train` writes it. In Gymnasium
`net:run` plays what the net likes best.
"""

from __future__ import annotations

import importlib
import os
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from tribord.bots.search import Search
from tribord.core.batch import Mask
from tribord.core.compiled import compiled
from tribord.core.engine import Legal
from tribord.core.game import Game
from tribord.core.net import FILE, Policy, check_players, check_policy, consult, layers_of, read_policy, think
from tribord.core.record import Floats, Ints, State, States
from tribord.core.refusal import BadFile, Refusal
from tribord.core.verbs import view
from tribord.core.words import _

ITERATIONS = 250  # of NetSearch
PREFIX = "net:"
CHECKPOINT = ".pt"  # what torch writes

NO_FILE = _("“{file}” doesn’t exist. Name a net.npz, a checkpoint.pt, or the folder of `tribord train` with both.")
NO_TORCH = _("A checkpoint needs the package “torch”: install tribord[learn], or name the net.npz beside it.")
NO_CHECKPOINT = _("“{file}” isn’t a checkpoint of `tribord train`, or it’s damaged. Name the net.npz beside it.")


class NetBot:
    """Plays the legal action with the highest logit. It plays one game, with the number of players it has learned."""

    name = "net"

    def __init__(self, game: Game, seed: int):
        self._policy = read_policy(Path(os.environ.get("TRIBORD_NET", FILE)), game)
        self._views = game.states(1)
        self._layers = layers_of(self._policy)

    def decide(self, view: State, legal: Legal, clock: float | None = None) -> int:
        """The best action by the net."""
        self.consult(view, legal.seat)
        return max(legal, key=lambda action: float(self._layers.out[action]))

    def value(self, view: State, seat: int) -> float:
        """The share of the victory that the net expects for a seat."""
        self.consult(view, seat)
        return float(self._layers.out[-len(self._policy.learned)])

    def consult(self, view: State, seat: int) -> None:
        """Write the net's logits and values."""
        check_players(self._policy, int(view.players))
        self._views[0] = view
        consult(self._views, seat, self._policy, self._layers)


class NetSearch:
    """Searches with a net: it gives the search its priors and values."""

    name = "net-search"

    def __init__(self, game: Game, seed: int):
        policy = read_policy(Path(os.environ.get("TRIBORD_NET", FILE)), game)
        self._search = Search(game, seed, iterations=ITERATIONS, policy=policy)

    def decide(self, view: State, legal: Legal, clock: float | None = None) -> int:
        """The action that the search likes best."""
        return self._search.decide(view, legal, clock)


# Many matches at once


@compiled
def consult_each(
    states: States, views: States, seats: Ints, mask: Mask, policy: Any, layers: Any, actions: Ints, values: Floats
) -> None:
    """`core.net.think` where a seat is given: write the legal action with the highest logit, and the value."""
    seen = views[0]
    for i in range(len(states)):
        seat = int(seats[i])
        if seat < 0:
            continue
        views[0] = states[i]
        view(seen, seat)
        think(seen, seat, policy, layers, 0, mask.shape[1])
        best = -1
        for action in range(mask.shape[1]):
            if mask[i, action] == 1 and (best < 0 or layers.out[action] > layers.out[best]):
                best = action
        actions[i] = best
        values[i] = layers.out[len(layers.out) - len(policy.learned)]


class NetPolicy:
    """The net in a file, for many matches at once."""

    def __init__(self, file: str | Path, game: Game, players: int):
        self.game = game
        self.policy = find_policy(Path(file), game)
        check_players(self.policy, players)
        self._layers = layers_of(self.policy)
        self._views = game.states(1)

    def __deepcopy__(self, known: dict[int, Any]) -> Self:
        """Itself: nothing of it changes between two decisions."""
        return self

    def decide_each(self, states: States, seats: Ints, mask: Mask) -> Ints:
        """The legal action with the highest logit in every match with a seat; -1 in the others."""
        return self._consult(states, seats, mask)[0]

    def value_each(self, states: States, seats: Ints) -> NDArray[np.float32]:
        """The share of the victory that the net expects for the seat in every match with one; 0 in the others."""
        return self._consult(states, seats, np.zeros((len(states), 0), np.int8))[1]

    def _consult(self, states: States, seats: Ints, mask: Mask) -> tuple[Ints, NDArray[np.float32]]:
        actions, values = np.full(len(states), -1, np.int64), np.zeros(len(states), np.float32)
        consult_each(states, self._views, seats, mask, self.policy, self._layers, actions, values)
        return actions, values


# Files


def find_policy(file: Path, game: Game) -> Policy:
    """The policy in a net.npz, in a checkpoint.pt, or in the folder that has them. Refuses another game or version."""
    if file.is_dir():
        file = file / FILE
    if not file.exists():
        raise BadFile("no-file", NO_FILE, file=file)
    return read_checkpoint(file, game) if file.suffix == CHECKPOINT else read_policy(file, game)


def read_checkpoint(file: Path, game: Game) -> Policy:
    """The policy in a checkpoint."""
    try:
        torch: Any = importlib.import_module("torch")
    except ModuleNotFoundError:
        raise Refusal("not-installed", NO_TORCH) from None
    try:
        kept = torch.load(file, map_location="cpu", weights_only=True)
        title, version = str(kept["run"]["game"]), int(kept["run"]["version"])
        parts = [kept["net"][f"{layer}.{part}"].float().numpy() for layer in (0, 2, 4) for part in ("weight", "bias")]
        learned = np.zeros(game.players[1], np.int8)
        learned[np.array(kept["run"]["players"]) - 1] = 1
        policy = Policy(*(np.ascontiguousarray(part.T) for part in (*parts, learned)))
    except Exception:  # torch raises whatever its unpickler happened to meet
        raise BadFile("broken-checkpoint", NO_CHECKPOINT, file=file) from None
    check_policy(policy, title, version, file, game)
    return policy
