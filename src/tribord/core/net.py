"""A small value network with sparse inputs, as in NNUE: the numbers of the active features go in, one logit comes out.

The first layer only adds up one row for each active feature, so that a forward pass takes a fraction of a microsecond.
A game lists its active `features`, keeps the weights in `net.npz` (see `tribord.lab.learn`), and calls `forward` from
its `values`. Which of several heads (`table`) is used is up to the game, for instance by the number of players.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from tribord.core.compiled import compiled, rule
from tribord.core.game import Game
from tribord.core.option import Choice, Flag, Subset
from tribord.core.refusal import BadFile, BadOption
from tribord.core.verbs import observe
from tribord.core.words import _

FILE = "net.npz"

NO_POLICY = _("There’s no net in “{file}”. `tribord train` writes one.")
OTHER_POLICY = _("The net in “{file}” is for {title} version {version}. Train one for {wanted} version {now}.")
OTHER_PLAYERS = _("The net has learned to play with {learned} players, not {players}. Train one for {players}.")
OTHER_OPTIONS = _("The net has learned the game with {learned}, not with {played}. Train one with these options.")
VARIES = (Flag, Choice, Subset)  # options that change the game, rather than who begins or how long a match may last


class Net(NamedTuple):
    """The weights, table by table: one hidden layer with ReLU."""

    rows: NDArray[np.float32]  # first layer: table, feature, hidden unit
    bias: NDArray[np.float32]  # of the hidden layer: table, hidden unit
    last: NDArray[np.float32]  # output layer: table, hidden unit


def read_net(folder: Path) -> Net:
    """The weights of the game in a folder."""
    with np.load(folder / FILE) as learnt:
        return Net(*(learnt[name] for name in Net._fields))


@rule
def forward(rows: Any, bias: Any, last: Any, table: int, active: Any, first: int, n: int) -> float:
    """The logit for the `n` active features whose numbers begin at active[first]; `active` has room beyond."""
    sums = active[first + n :].view(np.float32)  # side by side, so that the processor adds many at once
    units = bias.shape[1]
    for unit in range(units):
        sums[unit] = bias[table, unit]
    for k in range(first, first + n):
        row = int(active[k])
        for unit in range(units):
            sums[unit] += rows[table, row, unit]
    total = 0.0
    for unit in range(0, units, 2):
        total += max(sums[unit], 0.0) * last[table, unit] + max(sums[unit + 1], 0.0) * last[table, unit + 1]
    return total


# Policies: nets that `tribord train` learns


class Policy(NamedTuple):
    """The weights of a policy with values: two hidden layers with ReLU.

    The inputs are the seat's observation, the seat and the number of players, one-hot. The outputs are a logit for
    every action, and then the share of the victory that each seat expects, clockwise from this one.
    """

    first: NDArray[np.float32]
    first_bias: NDArray[np.float32]
    second: NDArray[np.float32]
    second_bias: NDArray[np.float32]
    last: NDArray[np.float32]
    last_bias: NDArray[np.float32]
    learned: NDArray[np.int8]  # by number of players, from one: 1 if the net has learned the game with that many


def write_policy(file: Path, policy: Policy, game: Game, options: Mapping[str, Any] | None = None) -> None:
    """Keep a policy, in half precision, with the game it plays and the options it has learned it with."""
    weights: dict[str, Any] = {
        name: part.astype(np.float16) for name, part in policy._asdict().items() if name != "learned"
    }
    about: dict[str, Any] = {
        "game": np.array(game.id),
        "version": np.array(game.version),
        "options": np.array(json.dumps(options or {})),
    }
    np.savez_compressed(file, learned=policy.learned, **about, **weights)


def read_policy(file: Path, game: Game, players: int | None = None, options: Mapping[str, Any] | None = None) -> Policy:
    """The policy in a file. Refuses a file that isn't one, or is for another game or version of its rules.

    With `players` it must have learned to play with so many, and with these options.
    """
    try:
        with np.load(file) as kept:
            title, version = str(kept["game"]), int(kept["version"])
            with_options = dict(json.loads(str(kept["options"]))) if "options" in kept else {}
            weights = {name: kept[name].astype(np.float32) for name in Policy._fields if name != "learned"}
            policy = Policy(**weights, learned=kept["learned"].astype(np.int8))
    except (OSError, KeyError, ValueError, TypeError, EOFError, BadZipFile, zlib.error):
        raise BadFile("no-policy", NO_POLICY, file=file) from None
    check_policy(policy, title, version, file, game)
    if players is not None:
        check_table(policy, with_options, game, players, options)
    return policy


def game_of(file: Path) -> str:
    """The game that the policy in a file plays."""
    try:
        with np.load(file) as kept:
            return str(kept["game"])
    except (OSError, KeyError, ValueError, EOFError, BadZipFile, zlib.error):
        raise BadFile("no-policy", NO_POLICY, file=file) from None


def check_policy(policy: Policy, title: str, version: int, file: Path, game: Game) -> None:
    """Refuse the policy in a file if it is for another game or version of its rules, or if its layers don't fit."""
    if (title, version) != (game.id, game.version):
        raise BadFile(
            "other-policy", OTHER_POLICY, file=file, title=title, version=version, wanted=game.id, now=game.version
        )
    most = game.players[1]
    hidden, deep = policy.first_bias.size, policy.second_bias.size
    sizes = (game.observation + 2 * most, hidden, deep, game.actions + most)
    shapes = [shape for k in range(3) for shape in ((sizes[k], sizes[k + 1]), (sizes[k + 1],))]
    if [part.shape for part in policy] != [*shapes, (most,)]:  # compiled code would read beyond them
        raise BadFile("no-policy", NO_POLICY, file=file)


def check_table(
    policy: Policy, learned: Mapping[str, Any], game: Game, players: int, options: Mapping[str, Any] | None
) -> None:
    """Refuse a net that has learned the game with other numbers of players, or with other options."""
    check_players(policy, players)
    try:
        theirs = game.options_of(game.settings(players, learned, research=True))
    except BadOption:  # of a damaged file, or not for so many players
        theirs = dict(learned)
    ours = game.options_of(game.settings(players, options, research=True))
    for option in game.options:
        if isinstance(option, VARIES) and theirs.get(option.name, option.default) != ours[option.name]:
            told = {
                "learned": _written(option.name, theirs.get(option.name)),
                "played": _written(option.name, ours[option.name]),
            }
            raise BadOption("other-options", OTHER_OPTIONS, **told)


def _written(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return f"{name}={'on' if value else 'off'}"
    return f"{name}={','.join(map(str, value)) if isinstance(value, list | tuple) else value}"


def check_players(policy: Policy, players: int) -> None:
    """Refuse a net for other numbers of players."""
    if not policy.learned[players - 1]:
        learned = ", ".join(str(count + 1) for count in np.flatnonzero(policy.learned))
        raise BadOption("other-players", OTHER_PLAYERS, learned=learned, players=players)


def no_policy() -> Policy:
    """Stands for none where compiled code takes one."""
    table, row = np.zeros((0, 0), np.float32), np.zeros(0, np.float32)
    return Policy(table, row, table, row, table, row, np.zeros(0, np.int8))


class Layers(NamedTuple):
    """What a policy writes: its inputs, both hidden layers, and the outputs."""

    inputs: NDArray[np.float32]
    hidden: NDArray[np.float32]
    deep: NDArray[np.float32]
    out: NDArray[np.float32]


def layers_of(policy: Policy) -> Layers:
    """Room for what a policy writes."""
    sizes = (len(policy.first), len(policy.second), len(policy.last), len(policy.last_bias))
    return Layers(*(np.zeros(size, np.float32) for size in sizes))


@rule
def add_layer(inputs: Any, weights: Any, bias: Any, out: Any, first: int, end: int) -> None:
    """Write a layer's sums from `first` to before `end`. Inputs that are 0, as most are, cost nothing."""
    for unit in range(first, end):
        out[unit] = bias[unit]
    for k in range(len(weights)):
        given = inputs[k]
        if given != 0.0:
            for unit in range(first, end):
                out[unit] += given * weights[k, unit]


@rule
def cut_negative(sums: Any) -> None:
    """ReLU."""
    for unit in range(len(sums)):
        sums[unit] = max(sums[unit], np.float32(0.0))


@rule
def think(view: Any, seat: int, policy: Any, layers: Any, first: int, end: int) -> None:
    """Write the logits of actions `first` to before `end`, and all values, for a seat that has this view."""
    most = len(policy.learned)
    players = int(view.players)
    seen = len(layers.inputs) - 2 * most
    observe(view, seat, layers.inputs[:seen])
    for k in range(most):
        layers.inputs[seen + k] = 1.0 if k == seat else 0.0
        layers.inputs[seen + most + k] = 1.0 if k == players - 1 else 0.0
    add_layer(layers.inputs, policy.first, policy.first_bias, layers.hidden, 0, len(layers.hidden))
    cut_negative(layers.hidden)
    add_layer(layers.hidden, policy.second, policy.second_bias, layers.deep, 0, len(layers.deep))
    cut_negative(layers.deep)
    outputs = len(layers.out)
    add_layer(layers.deep, policy.last, policy.last_bias, layers.out, first, end)
    add_layer(layers.deep, policy.last, policy.last_bias, layers.out, outputs - most, outputs)


@compiled
def consult(views: Any, seat: int, policy: Any, layers: Any) -> None:
    """`think` about all actions, for the only view of an array."""
    think(views[0], seat, policy, layers, 0, len(layers.out) - len(policy.learned))
