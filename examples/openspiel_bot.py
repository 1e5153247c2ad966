"""OpenSpiel's own players as bots: its MCTS, and its information-set MCTS for games with hidden information.

    tribord arena faut-pas-pousser --bots capitaine,py:examples.openspiel_bot:MCTS --players 4 --clock 0.5 --matches 80
    tribord arena walk-the-plank --bots capitaine,py:examples.openspiel_bot:ISMCTS --players 3 --clock 0.5 --matches 60

They think as long as the clock says, on Tribord's compiled rules. PlainMCTS and PlainISMCTS use OpenSpiel's own
rollouts. Needs the extra `research`. docs/openspiel.md says how strong they are.
"""

import sys
import time
from contextlib import suppress
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

from tribord import Game
from tribord.core.chance import stream
from tribord.core.engine import Legal
from tribord.core.record import State
from tribord.research.openspiel import OpenSpielGame, OpenSpielState, Rollouts, open_game

MARGIN = 0.004  # seconds of the clock for everything else
SECONDS = 1.0  # per decision, without a clock
MEMORY = 1000  # megabytes of OpenSpiel's tree


class OutOfTime(Exception):
    """The time is up. OpenSpiel's Python searches count simulations; this exception stops them."""


class TimedMCTS(mcts.MCTSBot):
    """OpenSpiel's MCTS in Python, by the clock."""

    def search_until(self, state: OpenSpielState, moment: float) -> int:
        self._moment = moment
        with suppress(OutOfTime):
            self.mcts_search(state)
        return self._root.best_child().action

    def _apply_tree_policy(self, root: mcts.SearchNode, state: OpenSpielState) -> tuple:
        self._root = root
        if root.explore_count > 1 and time.monotonic() >= self._moment:
            raise OutOfTime
        return super()._apply_tree_policy(root, state)


class Numbers(list):
    """A list of numbers that OpenSpiel deep-copies: a shallow copy is enough."""

    def __deepcopy__(self, memo: dict) -> list:
        return list(self)


class TimedISMCTS(ismcts.ISMCTSBot):
    """OpenSpiel's information-set MCTS in Python, by the clock. The one in C++ cannot guess in games in Python.

    Nodes are named by the bytes of a view and actions are copied as numbers: the same search, several times faster.
    """

    def search_until(self, state: OpenSpielState, moment: float) -> int:
        self._moment = moment
        with suppress(OutOfTime):
            self.run_search(state)
        actions, odds = zip(*self.get_final_policy(state, self._root_node), strict=True)
        return int(self._random_state.choice(actions, p=odds))

    def sample_root_state(self, state: OpenSpielState) -> OpenSpielState:
        if self._root_node.total_visits > 0 and time.monotonic() >= self._moment:
            raise OutOfTime
        return super().sample_root_state(state)

    def get_state_key(self, state: OpenSpielState) -> tuple[int, bytes]:
        seat = state.current_player()
        return seat, state.seen(seat)

    def check_expand(self, node: ismcts.ISMCTSNode, legal_actions: list[int]) -> int:
        return super().check_expand(node, Numbers(legal_actions))


class FastMCTS:
    """OpenSpiel's MCTS in C++, with its own rollouts."""

    def __init__(self, game: OpenSpielGame, explore: float, seed: int):
        self.game, self.explore, self.seed = game, explore, seed

    def search_until(self, state: OpenSpielState, moment: float) -> int:
        rollouts = pyspiel.RandomRolloutEvaluator(1, self.seed)
        seconds, simulations = max(moment - time.monotonic(), 0.001), -1
        while simulations < 2:  # before the second simulation there is nothing to choose from
            bot = pyspiel.MCTSBot(
                self.game, rollouts, self.explore, 2, MEMORY, solve=True, seed=self.seed, verbose=False,
                max_wall_clock_time=seconds,
            )  # fmt: skip
            root = bot.mcts_search(state)  # `step` lets go of Python's lock, and games in Python need it
            seconds, simulations = 2 * seconds, root.explore_count
        return root.best_child().action


class Player:
    """What the bots share: from a view to an OpenSpiel state, and from there to an action."""

    explore: float  # the UCT constant: the best of those tried

    def __init__(self, game: Game, seed: int):
        game.speed_up()
        self.game = game
        self.table: OpenSpielGame | None = None  # with the number of players in the first view
        self.luck = stream(seed)
        self.seed = seed & 0x7FFFFFFF

    def decide(self, view: State, legal: Legal, clock: float | None) -> int:
        until = time.monotonic() + (clock or SECONDS) - MARGIN
        if len(legal) == 1:
            return legal[0]
        self.seed = (self.seed * 1103515245 + 12345) & 0x7FFFFFFF  # a different one for every decision
        self.table = self.table or open_game(self.game, int(view.players), simultaneous=False)
        state = self.table.state_seen(view, legal.seat, self.luck)
        return self.searcher(self.table, np.random.RandomState(self.seed)).search_until(state, until)

    def rollouts(self, luck: np.random.RandomState) -> Any:
        return Rollouts(1, self.seed)

    def searcher(self, game: OpenSpielGame, luck: np.random.RandomState) -> Any:
        raise NotImplementedError


class MCTS(Player):
    explore = 1.0

    def searcher(self, game: OpenSpielGame, luck: np.random.RandomState) -> Any:
        return TimedMCTS(game, self.explore, sys.maxsize, self.rollouts(luck), random_state=luck)


class PlainMCTS(MCTS):
    def searcher(self, game: OpenSpielGame, luck: np.random.RandomState) -> Any:
        return FastMCTS(game, self.explore, self.seed)


class ISMCTS(Player):
    explore = 0.4

    def __init__(self, game: Game, seed: int):
        super().__init__(game, seed)
        sort = open_game(game, game.players[0], simultaneous=False).get_type()
        if sort.information == pyspiel.GameType.Information.PERFECT_INFORMATION:
            sys.exit(f"{game.title} hides nothing: OpenSpiel's information-set MCTS doesn't play it, MCTS does.")

    def searcher(self, game: OpenSpielGame, luck: np.random.RandomState) -> Any:
        bot = TimedISMCTS(game, self.rollouts(luck), self.explore, sys.maxsize, random_state=luck)
        bot.set_resampler(lambda state, seat: state.resample_from_infostate(seat, luck.random_sample))
        return bot


class PlainISMCTS(ISMCTS):
    def rollouts(self, luck: np.random.RandomState) -> Any:
        return mcts.RandomRolloutEvaluator(1, luck)
