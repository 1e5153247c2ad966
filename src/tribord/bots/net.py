"""Bots with a net: `py:tribord.bots.net:NetBot` plays what it likes best, `py:tribord.bots.net:NetSearch` searches.

    tribord arena sauve-qui-peut --bots bosco,net:run/net.npz --players 4

`tribord train` writes nets. `net:FILE` is a NetBot with the net in a file or in a folder. The classes themselves take
the file that TRIBORD_NET names, or net.npz in the current folder.
"""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from tribord.bots.search import Search
from tribord.core.batch import Mask
from tribord.core.compiled import compiled
from tribord.core.engine import Legal
from tribord.core.game import Game, load
from tribord.core.net import (
    FILE,
    Policy,
    check_players,
    check_policy,
    check_table,
    consult,
    game_of,
    layers_of,
    read_policy,
    think,
)
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

    def __init__(self, game: Game, seed: int = 0, policy: Policy | None = None):
        self._policy = read_policy(Path(os.environ.get("TRIBORD_NET", FILE)), game) if policy is None else policy
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

    def __init__(self, file: str | Path, game: Game, players: int, options: Mapping[str, Any] | None = None):
        self.game = game
        self.policy = find_policy(Path(file), game, players, options)
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


def find_policy(file: Path, game: Game, players: int | None = None, options: Mapping[str, Any] | None = None) -> Policy:
    """The policy in a net.npz, in a checkpoint.pt, or in the folder that has them. Refuses as `read_policy` does."""
    return (read_checkpoint if found(file).suffix == CHECKPOINT else read_policy)(found(file), game, players, options)


def found(file: Path) -> Path:
    """The file, or the one in a folder. Refuses one that doesn't exist."""
    file = file / FILE if file.is_dir() else file
    if not file.exists():
        raise BadFile("no-file", NO_FILE, file=file)
    return file


def bot_of(name: str, game: Game, players: int, options: Mapping[str, Any] | None = None) -> NetBot:
    """The bot `net:FILE`, at a table with so many players and these options."""
    file = found(Path(name.removeprefix(PREFIX).strip()))
    told = json.dumps(game.options_of(game.settings(players, options, research=True)))
    return NetBot(game, policy=_kept(file.resolve(), file.stat().st_mtime_ns, game.id, players, told))


def check_net(name: str) -> None:
    """Refuse `net:FILE` if it isn't a net for one of the games here."""
    file = found(Path(name.removeprefix(PREFIX).strip()))
    if file.suffix != CHECKPOINT:
        read_policy(file, load(game_of(file)))


@lru_cache(16)
def _kept(file: Path, _changed: int, game: str, players: int, options: str) -> Policy:
    """A policy, read once for all seats and matches."""
    return find_policy(file, load(game), players, json.loads(options))


def read_checkpoint(
    file: Path, game: Game, players: int | None = None, options: Mapping[str, Any] | None = None
) -> Policy:
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
    if players is not None:
        check_table(policy, kept["run"]["options"], game, players, options)
    return policy
