"""Solved games: the exact value of every position, kept on disk, and a bot that plays by these values.

To solve a game, give its folder a module `solution` (SHAPE, STAGE, STATES, LEVELS, covers, check_settings,
position, sweep, action_values, state_value) and a module `policy` (choose, evaluate, play). Solving takes some seconds
and happens once, in another process. The table is kept beside the compiled code, in a folder named after a hash of the
rules, so a change of the rules invalidates it.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tribord.bots.lookahead import Lookahead
from tribord.core.bits import lowest_bit
from tribord.core.chance import stream
from tribord.core.compiled import cache_folder
from tribord.core.engine import Legal
from tribord.core.game import Game, games, load
from tribord.core.match import legal_actions
from tribord.core.record import State
from tribord.core.refusal import NOT_LEGAL, BadOption, IllegalAction, Refusal
from tribord.core.words import _

NOT_SOLVED = _("{title} isn’t solved. These are: {known}.")
SOLVING_FAILED = _("{title} couldn’t be solved: {reason}")

# The softmax temperature of each rank: an action that costs this much winning chance is e times less likely than the
# best one.
TEMPERATURES = {"matelot": 0.04, "bosco": 0.02, "capitaine": 0.0}

THREADS = 2  # that solve a game
_DIGEST = hashlib.sha256().digest_size
_solutions: dict[str, Solution] = {}


class Solution:
    """The probability of winning in every position of a solved game, under best play."""

    def __init__(self, game: Game, table: NDArray[np.float64]):
        self.game = game
        self.table = table
        self.module = _module(game, "solution")
        self.policy = _module(game, "policy")

    def value(self, view: State) -> float:
        """The probability of winning from this state."""
        values = self.action_values(view)
        return max(values) if values else float(self.module.state_value(view, self.table))

    def action_values(self, view: State, legal: Sequence[int] | None = None) -> list[float]:
        """The probability of winning after each of these actions, or after each legal one in ascending order."""
        if not self.module.covers(view):
            raise BadOption("not-solved", NOT_SOLVED, title=self.game.title, known=_known())
        possible = _legal(self.game, view)
        wanted = possible if legal is None else list(legal)
        for action in wanted:
            if action not in possible:
                raise IllegalAction("not-legal", NOT_LEGAL, action=action)
        states = self.game.states(self.module.LEVELS)
        states[0] = view
        values = np.zeros(len(wanted))
        if wanted:
            self.module.action_values(states, self.table, np.array(wanted, np.int64), values)
        return values.tolist()


def is_solved(game: Game) -> bool:
    """Whether this game has a solution, at least for some of its options."""
    return importlib.util.find_spec(f"{game.package}.solution") is not None


def covers(game: Game, view: State) -> bool:
    """Whether the match in this view is solved."""
    return is_solved(game) and bool(_module(game, "solution").covers(view))


def check_solved(game: Game, settings: State) -> None:
    """Refuse a game, or options of it, without a solution."""
    if not is_solved(game):
        raise BadOption("not-solved", NOT_SOLVED, title=game.title, known=_known())
    try:
        _module(game, "solution").check_settings(settings)
    except BadOption as refused:
        refused.speak = game.words
        raise


def solution(game: Game) -> Solution:
    """The solution of a game, from memory, from disk, or solved now, which takes some seconds."""
    found = at_hand(game)
    if found is None:
        done = subprocess.run(_command(game), env=_environment(), capture_output=True, text=True, check=False)
        found = at_hand(game)
        if found is None:
            reason = (done.stderr.strip().splitlines() or [str(done.returncode)])[-1]
            raise Refusal("solving-failed", SOLVING_FAILED, title=game.title, reason=reason)
    return found


def at_hand(game: Game) -> Solution | None:
    """The solution of a game if it is in memory or on disk."""
    found = _solutions.get(game.id)
    if found is None:
        table = read(kept_at(game), _module(game, "solution").SHAPE)
        if table is not None:
            found = _solutions[game.id] = Solution(game, table)
    return found


def loaded(game: Game) -> Solution | None:
    """The solution of a game if both the table and the compiled code that reads it are in memory."""
    found = _solutions.get(game.id)
    return found if found and found.module.action_values.is_loaded(game.dtype) else None


class SolvedBot:
    """A bot that samples actions from a softmax of their exact values; at temperature 0 it takes the best.

    Without a solution (yet), `otherwise` decides.
    """

    def __init__(self, game: Game, seed: int, temperature: float = 0.0, otherwise: Any = None, wait: bool = True):
        self.game = game
        self.seed = seed
        self.temperature = temperature
        self.decisions = 0
        self.light = False
        self.otherwise = otherwise or Lookahead(game, seed, candidates=0, samples=1)
        self._find = solution if wait else loaded

    def decide(self, view: State, legal: Legal, clock: float | None = None) -> int:
        """An action by its exact value. The clock is for `otherwise`, which decides when there is no solution."""
        self.decisions += 1
        covered = covers(self.game, view)
        found = self._find(self.game) if covered else None
        if found is None:
            action = int(self.otherwise.decide(view, legal, clock))
            self.light = covered or self.otherwise.light
            return action
        self.light = False
        values = np.array(found.action_values(view))
        rng = stream(self.seed, self.decisions)
        return legal[found.policy.choose(values, len(values), self.temperature, rng)]


def kept_at(game: Game) -> Path:
    """The file of a game's table, beside the compiled code, named after a hash of the sources behind it."""
    return cache_folder(game.dtype, Path(str(_module(game, "solution").__file__))) / "solution"


def read(path: Path, shape: tuple[int, ...]) -> NDArray[np.float64] | None:
    """The table in a file, which begins with its SHA-256. None if the file is missing or damaged."""
    try:
        kept = path.read_bytes()
    except OSError:
        return None
    digest, numbers = kept[:_DIGEST], kept[_DIGEST:]
    if hashlib.sha256(numbers).digest() != digest or len(numbers) != 8 * int(np.prod(shape)):
        return None
    return np.frombuffer(bytearray(numbers), "<f8").reshape(shape)


def write(path: Path, table: NDArray[np.float64]) -> None:
    """Write a table atomically."""
    numbers = table.astype("<f8").tobytes()
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        draft.write_bytes(hashlib.sha256(numbers).digest() + numbers)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def solve(game: Game) -> Solution:
    """Solve a game in this process and keep the table. The rows of a stage are independent, so threads share them."""
    module = _module(game, "solution")
    table = np.zeros(module.SHAPE)
    rooms = [game.states(module.LEVELS) for _thread in range(THREADS)]
    with ThreadPoolExecutor(THREADS) as threads:
        for first in range(0, len(table), module.STAGE):
            cuts = [first + module.STAGE * k // THREADS for k in range(THREADS + 1)]
            list(threads.map(module.sweep, rooms, [table] * THREADS, cuts[:-1], cuts[1:]))
    write(kept_at(game), table)
    return Solution(game, table)


def _command(game: Game) -> list[str]:
    return [sys.executable, "-c", "from tribord.bots.solver import main; main()", game.id]


def _environment() -> dict[str, str]:
    """Solve in compiled code even if the rules run interpreted, because that would take hours."""
    return {name: value for name, value in os.environ.items() if name != "TRIBORD_INTERPRETED"}


def _legal(game: Game, view: State) -> list[int]:
    """The legal actions of the seat to act."""
    seats = int(game.rules.to_act(view))
    return legal_actions(game, view, lowest_bit(seats)) if seats else []


def _module(game: Game, noun: str) -> ModuleType:
    return importlib.import_module(f"{game.package}.{noun}")


def _known() -> str:
    return ", ".join(game.id for game in games() if is_solved(game))


def main(args: Iterable[str] = ()) -> None:
    """Solve the games named on the command line at low priority, and compile the code that reads the tables."""
    if hasattr(os, "nice"):
        os.nice(10)
    for name in args or sys.argv[1:]:
        game = load(name)
        found = at_hand(game) or solve(game)
        match = game.match(seed=1)
        found.action_values(match.view_state(match.to_act[0]))
