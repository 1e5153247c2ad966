"""PettingZoo: play any Tribord game as an AEC or a Parallel environment.

    from tribord.research import pettingzoo

    env = pettingzoo.env("sauve-qui-peut", players=5)
    env = walk_the_plank_v1.env(players=4)  # from tribord.research.pettingzoo import walk_the_plank_v1
    env = pettingzoo.parallel_env("faut-pas-pousser", players=4, options={"age": [2, 0, 1, 3]})

No game is named here: every game that `tribord.load` finds is an environment. A step is one call of compiled code,
which plays, rolls the dice and writes the next observation. docs/pettingzoo.md says what PettingZoo's terms mean here.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.env import AECIterable
from pettingzoo.utils.env_logger import EnvLogger

from tribord.core import refusal
from tribord.core.batch import Mask, mark, observe_match
from tribord.core.bits import lowest_bit
from tribord.core.chance import seed_stream
from tribord.core.compiled import compiled, interpreted
from tribord.core.game import Game, games, load
from tribord.core.match import why_not
from tribord.core.record import CHANCE, PUBLIC, Floats, Ints, States
from tribord.core.refusal import IllegalAction
from tribord.core.verbs import apply, outcome, roll, to_act
from tribord.research.clone import Clonable
from tribord.research.form import KEYS, MOST, ZEROS, Form
from tribord.research.reward import SHARE, reward_of

Observation = Any  # a dict, or a vector: see `Form`
Stepped = tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]

# Indices into the numbers passed to compiled code and back: one array, because each costs as much as a rule.
MOST_SEATS = 16
LUCK, ACTIONS, SCORES, WINS, WHY, SEED, MATCH, ROOM = 0, 4, 20, 36, 52, 53, 54, 55
NOW, VIEW, OPENING = 0, 1, 2  # indices into the states: the match, a view of it, its opening

LARGEST = (1 << 63) - 1  # seed

# For programmers, so only in English, like PettingZoo.
NO_RESET = "reset() needs to be called before {what}."
NOT_STEPPED = "need to call step() or reset() in a loop over `agent_iter`"
NO_ACTION = "{agent} must decide now, and there is no action for it."
NO_RENDER_MODE = "“{mode}” is not a render mode. Known: {known}."
WHAT_FOLLOWS = "{agent}: {sentence} The match ends here. The action mask tells what is legal."
RESET_FIRST = "{sentence} Should reset() first."


@compiled
def turn(states: States, seats: int, numbers: Ints, floats: Floats, masks: Mask) -> int:
    """Let the seats in the bitmask act, roll the dice, and write observations; returns the seats to act next.

    Without seats, a match starts. With one row for observations only the first seat to act gets one, with more rows
    every seat does. An illegal action changes nothing and returns ~seat. Given ~seat, that seat only observes.
    """
    state = states[NOW]
    if seats < 0:
        observe_match(states, states[VIEW:], ~seats, NOW, floats[0])
        return 0
    if seats == 0:
        states[NOW] = states[OPENING]
        seed_stream(numbers[LUCK:ACTIONS], int(numbers[SEED]), int(numbers[MATCH]))
    alone = len(floats) == 1
    for seat in range(MOST_SEATS):
        if seats >> seat & 1:
            action = int(numbers[ACTIONS + seat])
            if action < 0 or action >= masks.shape[1] or masks[0 if alone else seat, action] == 0:
                return ~seat
    for seat in range(MOST_SEATS):
        if seats >> seat & 1:
            apply(state, seat, int(numbers[ACTIONS + seat]), None)
    out = numbers[ROOM:]
    acting = to_act(state)
    while acting == 0:
        numbers[WHY] = outcome(state, numbers[SCORES:WINS], numbers[WINS:WHY])
        if numbers[WHY]:
            break
        apply(state, CHANCE, roll(state, numbers[LUCK:ACTIONS], out), None)
        acting = to_act(state)
    first = lowest_bit(acting) if alone and acting else 0
    for row in range(len(floats)):
        seat = first + row
        if acting >> seat & 1:
            mark(state, seat, masks[row], out)
        else:
            masks[row, :] = 0
        observe_match(states, states[VIEW:], seat, NOW, floats[row])
    return acting


class Playing(Clonable):
    """One match after another of a game: what the two kinds of environment share."""

    metadata: dict[str, Any]
    agents: list[str]
    _position = (
        "agents", "rewards", "_cumulative_rewards", "terminations", "truncations", "infos", "agent_selection",
        "_skip_agent_selection", "_decided", "_over", "_steps", "_acting", "_begun", "_states", "_numbers", "_floats",
        "_masks",
    )  # fmt: skip
    _alone = False  # whether there is only one observation, for the next seat to act
    _begun = False

    def __init__(
        self,
        game: str | Game,
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
        max_cycles: int | None = None,
        keys: tuple[str, str] = KEYS,
        flat: bool = False,
        idle: str = ZEROS,
        reward: str = SHARE,
    ):
        self.form = Form(keys, flat, idle)
        self.game = game if isinstance(game, Game) else load(game)
        self.players = self.game.players[0] if players is None else players
        settings = self.game.settings(self.players, options, research=True)
        self.options = self.game.options_of(settings)
        self.reward = reward
        reward_of(reward, self.game)  # refuses an unknown one
        self.max_cycles = max_cycles
        self.metadata = {
            "name": module_name(self.game),
            "render_modes": ["human", "ansi", "rgb_array", "svg"],
            "is_parallelizable": False,
            "render_fps": 2,
        }
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(NO_RENDER_MODE.format(mode=render_mode, known=", ".join(self.metadata["render_modes"])))
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(self.players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {agent: self.form.space(self.game) for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(self.game.actions) for agent in self.possible_agents}
        self.state_space = Box(-MOST, MOST, (self.players * self.game.observation,), np.float32)
        self._states: States = np.zeros(3, self.game.dtype)
        self.game.rules.initial(self._states[OPENING], settings)  # free of chance, so the same for every match
        self._numbers = np.zeros(ROOM + self.game.engine.room, np.int64)
        rows = 1 if self._alone else self.players
        self._floats = np.zeros((rows, self.game.observation), np.float32)
        self._masks = np.zeros((rows, self.game.actions), np.int8)
        self._resting = self.form.resting(self.game)
        self._numbers[SEED] = np.random.SeedSequence().generate_state(1, np.uint64)[0] >> 1
        self._ready()

    def _ready(self) -> None:
        """The game's rules, loaded from the cache or compiled at the first call."""
        self._turn = turn.interpret if interpreted() else turn.dispatcher(self.game.dtype)

    def __getstate__(self) -> dict[str, Any]:
        return {name: thing for name, thing in self.__dict__.items() if name != "_turn"}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._ready()

    # -- asking -----------------------------------------------------------------------------------------------------

    def observation_space(self, agent: str) -> Any:
        """The floats of the game's layout, and the action mask."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """The game's actions as integers."""
        return self.action_spaces[agent]

    def state(self) -> Floats:
        """The concatenated observations of all seats, for centralized critics."""
        self._must_have_begun("state")
        return np.concatenate([self._look(seat) for seat in range(self.players)])

    def render(self) -> Any:
        """The public view: as text (`ansi`), printed (`human`), or as a picture (`svg`, `rgb_array`)."""
        self._must_have_begun("render")
        if self.render_mode is None:
            gymnasium.logger.warn("You are calling render method without specifying any render mode.")
            return None
        seen = self.game.view_of(self._states[NOW], PUBLIC)
        if self.render_mode == "svg":
            from tribord.research import picture

            return picture.svg(self.game, seen)
        if self.render_mode == "rgb_array":
            from tribord.research import picture

            return picture.rgb(self.game, seen)
        board = self.game.text.board(self.game.describe(seen), self.game.words("en"))
        return board if self.render_mode == "ansi" else print(board)

    def close(self) -> None:
        """Do nothing: there are no resources to release."""

    def _look(self, seat: int) -> Floats:
        """A seat's observation."""
        floats = np.zeros((1, self._floats.shape[1]), np.float32)
        self._turn(self._states, ~seat, self._numbers, floats, self._masks)
        return floats[0]

    def _worth(self) -> dict[str, float]:
        """The reward of every seat at the end."""
        wins = self._numbers[WINS : WINS + self.players]
        shares = wins / (1 if self.game.cooperative else max(1, int(wins.sum())))
        worth = reward_of(self.reward, self.game)(shares, self._numbers[SCORES : SCORES + self.players])
        return dict(zip(self.possible_agents, map(float, worth)))

    def _ends(self) -> dict[str, dict[str, Any]]:
        """Why the match ended, and the points."""
        reason = list(self.game.text.ENDINGS)[int(self._numbers[WHY]) - 1]
        scores = self._numbers[SCORES : SCORES + self.players].tolist()
        return {agent: {"reason": reason, "score": score} for agent, score in zip(self.possible_agents, scores)}

    def _must_have_begun(self, what: str) -> None:
        if not self._begun:
            raise AssertionError(NO_RESET.format(what=what))

    # -- playing ----------------------------------------------------------------------------------------------------

    def _begin(self, seed: int | None) -> int:
        """Start the next match on its own stream of the seed; returns the seats to act, as a bitmask."""
        if seed is not None:
            self._numbers[SEED], self._numbers[MATCH] = int(seed) & LARGEST, 0
        elif self._begun:
            self._numbers[MATCH] += 1
        self._begun = True
        self.agents = self.possible_agents[:]
        return int(self._turn(self._states, 0, self._numbers, self._floats, self._masks))

    def _take(self, seat: int, action: Any) -> None:
        """Record a seat's action. Outside the action space it raises AssertionError, as PettingZoo does."""
        try:
            number = operator.index(action)
        except TypeError:
            number = -1
        if not 0 <= number < self._masks.shape[1]:
            raise AssertionError(self._spoken(IllegalAction("not-an-action", refusal.NOT_AN_ACTION, action=action)))
        self._numbers[ACTIONS + seat] = number

    def _why_not(self, seat: int) -> str:
        """Why the seat's action is illegal, with the rule."""
        seen = self.game.view_of(self._states[NOW], seat)
        return self._spoken(why_not(self.game, seen, seat, int(self._numbers[ACTIONS + seat])))

    def _spoken(self, refused: IllegalAction) -> str:
        refused.speak = self.game.words
        return str(refused)

    def _over_already(self) -> str:
        return RESET_FIRST.format(sentence=self._spoken(IllegalAction("match-over", refusal.MATCH_OVER)))

    def _warn(self, sentence: str) -> None:
        EnvLogger.get_logger().warning(sentence)


class AECMatch(Playing, AECEnv):  # type: ignore[misc]
    """One seat after another. Sealed choices are made in seat order and stay hidden until all are made.

    With `strict` an illegal action raises and changes nothing; otherwise it ends the match, as PettingZoo's wrapper
    does. PettingZoo's wrappers would take longer than the match, so their checks are made here.
    """

    _alone = True

    def __init__(
        self,
        game: str | Game,
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
        max_cycles: int | None = None,
        strict: bool = True,
        keys: tuple[str, str] = KEYS,
        flat: bool = False,
        idle: str = ZEROS,
        reward: str = SHARE,
    ):
        super().__init__(game, players, options, render_mode, max_cycles, keys, flat, idle, reward)
        self.strict = strict
        self._over = True  # or not begun
        self._steps = 0
        # The agent to act, by the bitmask of the seats to act.
        self._first = [self.possible_agents[lowest_bit(mask or 1)] for mask in range(1 << self.players)]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match; without a seed, the next on the stream of the last one. There is nothing else to choose."""
        acting = self._begin(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {"action_mask": self._resting.copy()} for agent in self.agents}
        self._skip_agent_selection = None
        self._decided = dict.fromkeys(self.agents, 0)
        self._over = False
        self._steps += 1
        self.agent_selection = self._first[acting]
        self.infos[self.agent_selection]["action_mask"] = self._masks[0].copy()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        """A seat's observation, with its action mask if it's to act."""
        if not self._over and agent == self.agent_selection:
            return self.form.seen(self._floats[0].copy(), self._masks[0].copy())
        self._must_have_begun("observe")
        return self.form.seen(self._look(self._seats[agent]), self._resting.copy())

    def step(self, action: Any) -> None:
        """Play the action of the seat to act, and the dice rolls that follow."""
        if self._over:
            self._step_dead(action)
            return
        agent = self.agent_selection
        seat = self._seats[agent]
        self._take(seat, action)
        acting = self._turn(self._states, 1 << seat, self._numbers, self._floats, self._masks)
        self._steps += 1
        if acting > 0:
            self.infos[agent]["action_mask"] = self._resting.copy()
            self.agent_selection = self._first[acting]
            self.infos[self.agent_selection]["action_mask"] = self._masks[0].copy()
            if self.max_cycles is not None:
                self._decided[agent] += 1
                if self._decided[self.agent_selection] >= self.max_cycles:
                    self._end(dict.fromkeys(self.agents, 0.0), truncated=True)
        elif acting == 0:
            self.infos = self._ends()
            self._end(self._worth(), terminated=True)
        else:
            self._refuse(seat)
        if self.render_mode == "human":
            self.render()

    def _end(self, rewards: dict[str, float], terminated: bool = False, truncated: bool = False) -> None:
        """End the match: every agent gets a last observation, in seat order."""
        self.rewards = rewards
        self._cumulative_rewards = dict(rewards)  # rewards before the end are 0
        self.terminations = dict.fromkeys(self.agents, terminated)
        self.truncations = dict.fromkeys(self.agents, truncated)
        for info in self.infos.values():
            info["action_mask"] = self._resting.copy()
        self._over = True
        self._deads_step_first()

    def _refuse(self, seat: int) -> None:
        sentence = self._why_not(seat)
        if self.strict:
            raise AssertionError(sentence)
        agent = self.possible_agents[seat]
        self._warn(WHAT_FOLLOWS.format(agent=agent, sentence=sentence))
        self.infos[agent]["refusal"] = sentence
        self._end(dict.fromkeys(self.agents, 0.0) | {agent: -1.0}, terminated=True, truncated=True)

    def _step_dead(self, action: Any) -> None:
        """The last step of an agent after the match, without an action."""
        self._must_have_begun("step")
        self._steps += 1
        if self.agents:
            self._was_dead_step(action)
        elif self.strict:
            raise AssertionError(self._over_already())
        else:
            self._warn(self._over_already())

    def agent_iter(self, max_iter: int = 2**63) -> AgentIterator:
        """Iterate over the agents to act, until the match is over for all."""
        self._must_have_begun("agent_iter()")
        return AgentIterator(self, max_iter)


class AgentIterator(AECIterable):  # type: ignore[misc]
    """Yields the agent to act; requires a step in between, as PettingZoo's does."""

    def __iter__(self) -> Iterator[str]:
        env, before = self.env, -1
        for _ in range(self.max_iter):
            if not env.agents:
                return
            assert env._steps != before, NOT_STEPPED
            before = env._steps
            yield env.agent_selection


class ParallelMatch(Playing, ParallelEnv):  # type: ignore[misc]
    """All seats to act decide at once: sealed choices take one step. Actions of other seats are ignored."""

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin a match; without a seed, the next on the stream of the last one. There is nothing else to choose."""
        self._acting = self._begin(seed)
        self._steps = 0
        if self.render_mode == "human":
            self.render()
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        return self._observations(infos), infos

    def step(self, actions: Mapping[str, Any]) -> Stepped:
        """Play the actions of all seats to act, and the dice rolls that follow."""
        self._must_have_begun("step")
        agents = self.agents
        if not agents:
            self._warn(self._over_already())
            return {}, {}, {}, {}, {}
        for seat, agent in enumerate(agents):
            if self._acting >> seat & 1:
                if actions.get(agent) is None:
                    raise AssertionError(NO_ACTION.format(agent=agent))
                self._take(seat, actions[agent])
        acting = self._turn(self._states, self._acting, self._numbers, self._floats, self._masks)
        self._steps += 1
        rewards = dict.fromkeys(agents, 0.0)
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        if acting < 0:
            self._refuse(rewards, infos)
        elif acting == 0:
            rewards, infos = self._worth(), self._ends()
        over = acting <= 0
        late = acting < 0 or (not over and self.max_cycles is not None and self._steps >= self.max_cycles)
        self._acting = acting
        if over or late:
            self.agents = []
            self._masks[:] = 0
        if self.render_mode == "human":
            self.render()
        seen = self._observations(infos)
        return seen, rewards, dict.fromkeys(agents, over), dict.fromkeys(agents, late), infos

    def _refuse(self, rewards: dict[str, float], infos: dict[str, dict[str, Any]]) -> None:
        """Every seat with an illegal action gets -1; the others get 0."""
        for seat, agent in enumerate(self.possible_agents):
            if self._acting >> seat & 1 and not self._masks[seat, self._numbers[ACTIONS + seat]]:
                sentence = self._why_not(seat)
                self._warn(WHAT_FOLLOWS.format(agent=agent, sentence=sentence))
                rewards[agent] = -1.0
                infos[agent]["refusal"] = sentence

    def _observations(self, infos: dict[str, dict[str, Any]]) -> dict[str, Observation]:
        """What all seats see, in arrays of their own; the masks also go into `infos`."""
        floats, masks = self._floats.copy(), self._masks.copy()
        acting = max(0, self._acting) if self.agents else 0
        seen = {}
        for seat, agent in enumerate(self.possible_agents):
            if not acting >> seat & 1:
                self.form.rest(masks[seat])
            infos[agent]["action_mask"] = masks[seat]
            seen[agent] = self.form.seen(floats[seat], masks[seat])
        return seen


def env(
    game: str | Game,
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
    render_mode: str | None = None,
    max_cycles: int | None = None,
    keys: tuple[str, str] = KEYS,
    flat: bool = False,
    idle: str = ZEROS,
    reward: str = SHARE,
) -> AECMatch:
    """Make an AEC environment. An illegal action ends the match: -1 for its agent, 0 for the others."""
    return AECMatch(game, players, options, render_mode, max_cycles, False, keys, flat, idle, reward)


raw_env = AECMatch
parallel_env = ParallelMatch


# -- a module for each game -------------------------------------------------------------------------------------------


def module_name(game: Game) -> str:
    """The name of a game's module, spelled as PettingZoo's own.

    >>> module_name(load("walk-the-plank"))
    'walk_the_plank_v1'
    """
    return f"{game.id.replace('-', '_')}_v{game.version}"


def register() -> None:
    """Make a module for every game: `from tribord.research.pettingzoo import walk_the_plank_v1`."""
    for game in games():
        module = ModuleType(f"{__name__}.{module_name(game)}", f"{game.title} in PettingZoo.")
        makers: dict[str, Callable[..., Any]] = {"env": env, "raw_env": raw_env, "parallel_env": parallel_env}
        vars(module).update({name: partial(maker, game.id) for name, maker in makers.items()})
        sys.modules[module.__name__] = module
        globals()[module_name(game)] = module


if TYPE_CHECKING:

    def __getattr__(name: str) -> ModuleType:
        """Return the module of a game, which type checkers can't find: it's made by `register`."""


register()
