"""PettingZoo: every game of Tribord as an AEC and as a Parallel environment.

    from tribord.research import pettingzoo

    env = pettingzoo.env("sauve-qui-peut", players=5)
    env = pettingzoo.parallel_env("faut-pas-pousser", players=4, options={"age": [2, 0, 1, 3]})

No game is named here: whatever `tribord.load` finds is an environment. A step is one call of compiled code, which
plays, throws the dice and writes what is seen next. docs/pettingzoo.md says what PettingZoo's words mean here.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.env import AECIterable
from pettingzoo.utils.env_logger import EnvLogger

from tribord.core import refusal
from tribord.core.batch import Mask, mark, observe_match
from tribord.core.bits import lowest_bit
from tribord.core.chance import seed_stream
from tribord.core.compiled import compiled, interpreted
from tribord.core.game import Game, load
from tribord.core.match import why_not
from tribord.core.record import CHANCE, PUBLIC, Floats, Ints, States
from tribord.core.refusal import IllegalAction
from tribord.core.verbs import apply, outcome, roll, to_act

Observation = dict[str, Any]
Step = tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]

# Where things are in the numbers that go to compiled code and back: one array, because each costs as much as a rule.
MOST_SEATS = 16
LUCK, ACTIONS, SCORES, WINS, WHY, SEED, MATCH, ROOM = 0, 4, 20, 36, 52, 53, 54, 55
NOW, VIEW, OPENING = 0, 1, 2  # the states that go with them: the match, room for a view of it, how it begins

LARGEST = (1 << 63) - 1  # seed
MOST = 1000.0  # PettingZoo wants bounds of observations; ours are between 0 and 1, nearly all

# For programmers, and so in English alone, as PettingZoo is.
NO_RESET = "reset() needs to be called before {what}."
NOT_STEPPED = "need to call step() or reset() in a loop over `agent_iter`"
NO_ACTION = "{agent} must decide now, and there is no action for it."
NO_RENDER_MODE = "“{mode}” is not a render mode. Known: {known}."
WHAT_FOLLOWS = "{agent}: {sentence} The match ends here. The action mask tells what is legal."
RESET_FIRST = "{sentence} Should reset() first."


@compiled
def turn(states: States, seats: int, numbers: Ints, floats: Floats, masks: Mask) -> int:
    """Let the seats in the bitmask act, throw the dice, and write what is seen; who must decide then, 0 is nobody.

    No seats: a match begins. With one row for observations only the first of those who must decide is served, with more
    every seat. An illegal action changes nothing: ~seat comes back. For ~seat, one seat looks and nobody acts.
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


class Playing:
    """One match after another of a game: what the two kinds of environment have in common."""

    metadata: dict[str, Any]
    agents: list[str]
    _alone = False  # whether there is room for one observation, of whoever decides next
    _begun = False

    def __init__(
        self,
        game: str | Game,
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
        max_cycles: int | None = None,
    ):
        self.game = game if isinstance(game, Game) else load(game)
        self.players = self.game.players[0] if players is None else players
        settings = self.game.settings(self.players, options, research=True)
        self.options = self.game.options_of(settings)
        self.max_cycles = max_cycles
        self.metadata = {
            "name": f"{self.game.id.replace('-', '_')}_v{self.game.version}",
            "render_modes": ["human", "ansi", "rgb_array", "svg"],
            "is_parallelizable": False,
            "render_fps": 2,
        }
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(NO_RENDER_MODE.format(mode=render_mode, known=", ".join(self.metadata["render_modes"])))
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(self.players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {agent: self._sees() for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(self.game.actions) for agent in self.possible_agents}
        self.state_space = Box(-MOST, MOST, (self.players * self.game.observation,), np.float32)
        self._states: States = np.zeros(3, self.game.dtype)
        self.game.rules.initial(self._states[OPENING], settings)  # no chance in it, so it is the same for every match
        self._numbers = np.zeros(ROOM + self.game.engine.room, np.int64)
        rows = 1 if self._alone else self.players
        self._floats = np.zeros((rows, self.game.observation), np.float32)
        self._masks = np.zeros((rows, self.game.actions), np.int8)
        self._numbers[SEED] = np.random.SeedSequence().generate_state(1, np.uint64)[0] >> 1
        self._ready()

    def _sees(self) -> Dict:
        """A space of its own for every agent, because spaces are seeded apart."""
        parts: dict[str, Space[Any]] = {
            "observation": Box(-MOST, MOST, (self.game.observation,), np.float32),
            "action_mask": Box(0, 1, (self.game.actions,), np.int8),
        }
        return Dict(parts)

    def _ready(self) -> None:
        """Have the rules for this game at hand, loaded from the cache or compiled when they are first called."""
        self._turn = turn.interpret if interpreted() else turn.dispatcher(self.game.dtype)

    def __getstate__(self) -> dict[str, Any]:
        return {name: thing for name, thing in self.__dict__.items() if name != "_turn"} | {"game": self.game.id}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self.game = load(kept["game"])
        self._ready()

    # -- asking -----------------------------------------------------------------------------------------------------

    def observation_space(self, agent: str) -> Dict:
        """The floats of the game's layout, and which actions are legal."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """The actions of the game, by number."""
        return self.action_spaces[agent]

    def state(self) -> Floats:
        """What all seats see, one after another: for critics that may know everything."""
        self._must_have_begun("state")
        return np.concatenate([self._look(seat) for seat in range(self.players)])

    def render(self) -> Any:
        """What the public sees: as text (`ansi`), printed (`human`), as a picture (`svg`, `rgb_array`)."""
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
        """Nothing is held that would have to be given back."""

    def _look(self, seat: int) -> Floats:
        """What a seat sees."""
        floats = np.zeros((1, self._floats.shape[1]), np.float32)
        self._turn(self._states, ~seat, self._numbers, floats, self._masks)
        return floats[0]

    def _shares(self) -> dict[str, float]:
        """The part of the victory that every seat has in the end; in a cooperative game all of it, or nothing."""
        wins = self._numbers[WINS : WINS + self.players].tolist()
        winners = 1 if self.game.cooperative else sum(wins)
        return {agent: win / winners if win else 0.0 for agent, win in zip(self.possible_agents, wins)}

    def _ends(self) -> dict[str, dict[str, Any]]:
        """What there is to know of the end of a match: why it ended, and the points."""
        reason = list(self.game.text.ENDINGS)[int(self._numbers[WHY]) - 1]
        scores = self._numbers[SCORES : SCORES + self.players].tolist()
        return {agent: {"reason": reason, "score": score} for agent, score in zip(self.possible_agents, scores)}

    def _must_have_begun(self, what: str) -> None:
        if not self._begun:
            raise AssertionError(NO_RESET.format(what=what))

    # -- playing ----------------------------------------------------------------------------------------------------

    def _begin(self, seed: int | None) -> int:
        """The next match on its own stream of the seed; who must decide first, as a bitmask."""
        if seed is not None:
            self._numbers[SEED], self._numbers[MATCH] = int(seed) & LARGEST, 0
        elif self._begun:
            self._numbers[MATCH] += 1
        self._begun = True
        self.agents = self.possible_agents[:]
        return int(self._turn(self._states, 0, self._numbers, self._floats, self._masks))

    def _take(self, seat: int, action: Any) -> None:
        """Note an action of a seat; refuses what is outside the action space, as an assertion of PettingZoo's would."""
        try:
            number = operator.index(action)
        except TypeError:
            number = -1
        if not 0 <= number < self._masks.shape[1]:
            raise AssertionError(self._spoken(IllegalAction("not-an-action", refusal.NOT_AN_ACTION, action=action)))
        self._numbers[ACTIONS + seat] = number

    def _why_not(self, seat: int) -> str:
        """Why a seat may not do what it wanted to, and the rule."""
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
    """One seat after another. Sealed choices are made by seat, and nobody sees them before all are made.

    Strict, an illegal action raises and changes nothing; otherwise it ends the match, as PettingZoo's wrapper does.
    What PettingZoo's wrappers check is checked here: they would take longer than the match.
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
    ):
        super().__init__(game, players, options, render_mode, max_cycles)
        self.strict = strict
        self._over = True  # or not begun
        self._steps = 0
        # The agent whose turn it is, by the bitmask of those who must decide.
        self._first = [self.possible_agents[lowest_bit(mask or 1)] for mask in range(1 << self.players)]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match; without a seed, the next on the stream of the last one. There is nothing else to choose."""
        acting = self._begin(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._decided = dict.fromkeys(self.agents, 0)
        self._over = False
        self._steps += 1
        self.agent_selection = self._first[acting]
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        """What a seat sees, and what it may do where it is its turn."""
        if not self._over and agent == self.agent_selection:
            return {"observation": self._floats[0].copy(), "action_mask": self._masks[0].copy()}
        self._must_have_begun("observe")
        return {"observation": self._look(self._seats[agent]), "action_mask": np.zeros(self._masks.shape[1], np.int8)}

    def step(self, action: Any) -> None:
        """Play the action of the seat whose turn it is, and throw the dice that follow."""
        if self._over:
            self._step_dead(action)
            return
        agent = self.agent_selection
        seat = self._seats[agent]
        self._take(seat, action)
        acting = self._turn(self._states, 1 << seat, self._numbers, self._floats, self._masks)
        self._steps += 1
        if acting > 0:
            self.agent_selection = self._first[acting]
            if self.max_cycles is not None:
                self._decided[agent] += 1
                if self._decided[self.agent_selection] >= self.max_cycles:
                    self._end(dict.fromkeys(self.agents, 0.0), truncated=True)
        elif acting == 0:
            self.infos = self._ends()
            self._end(self._shares(), terminated=True)
        else:
            self._refuse(seat)
        if self.render_mode == "human":
            self.render()

    def _end(self, rewards: dict[str, float], terminated: bool = False, truncated: bool = False) -> None:
        """All are through; each has a last look, by seat."""
        self.rewards = rewards
        self._cumulative_rewards = dict(rewards)  # nothing before the end
        self.terminations = dict.fromkeys(self.agents, terminated)
        self.truncations = dict.fromkeys(self.agents, truncated)
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
        """The last step of a seat in a match that is over, which is no action."""
        self._must_have_begun("step")
        self._steps += 1
        if self.agents:
            self._was_dead_step(action)
        elif self.strict:
            raise AssertionError(self._over_already())
        else:
            self._warn(self._over_already())

    def agent_iter(self, max_iter: int = 2**63) -> AgentIterator:
        """Whose turn it is, until all are through."""
        self._must_have_begun("agent_iter()")
        return AgentIterator(self, max_iter)


class AgentIterator(AECIterable):  # type: ignore[misc]
    """Whose turn it is, again and again; wants a step in between, as PettingZoo's own does."""

    def __iter__(self) -> Iterator[str]:
        env, before = self.env, -1
        for _ in range(self.max_iter):
            if not env.agents:
                return
            assert env._steps != before, NOT_STEPPED
            before = env._steps
            yield env.agent_selection


class ParallelMatch(Playing, ParallelEnv):  # type: ignore[misc]
    """All who must decide act at once: sealed choices as they are meant. What the others bring is not looked at."""

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin a match; without a seed, the next on the stream of the last one. There is nothing else to choose."""
        self._acting = self._begin(seed)
        self._steps = 0
        if self.render_mode == "human":
            self.render()
        return self._observations(), {agent: {} for agent in self.agents}

    def step(self, actions: Mapping[str, Any]) -> Step:
        """Play the actions of all who must decide, and throw the dice that follow."""
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
            rewards, infos = self._shares(), self._ends()
        over = acting <= 0
        late = acting < 0 or (not over and self.max_cycles is not None and self._steps >= self.max_cycles)
        self._acting = acting
        if over or late:
            self.agents = []
            self._masks[:] = 0
        if self.render_mode == "human":
            self.render()
        return self._observations(), rewards, dict.fromkeys(agents, over), dict.fromkeys(agents, late), infos

    def _refuse(self, rewards: dict[str, float], infos: dict[str, dict[str, Any]]) -> None:
        """Every seat that wanted something illegal loses; the others have nothing of it."""
        for seat, agent in enumerate(self.possible_agents):
            if self._acting >> seat & 1 and not self._masks[seat, self._numbers[ACTIONS + seat]]:
                sentence = self._why_not(seat)
                self._warn(WHAT_FOLLOWS.format(agent=agent, sentence=sentence))
                rewards[agent] = -1.0
                infos[agent]["refusal"] = sentence

    def _observations(self) -> dict[str, Observation]:
        """What all seats see, in arrays of their own."""
        floats, masks = self._floats.copy(), self._masks.copy()
        return {
            agent: {"observation": floats[seat], "action_mask": masks[seat]}
            for seat, agent in enumerate(self.possible_agents)
        }


def env(
    game: str | Game,
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
    render_mode: str | None = None,
    max_cycles: int | None = None,
) -> AECMatch:
    """An AEC environment. An illegal action ends the match: -1 for who tried it, 0 for the others."""
    return AECMatch(game, players, options, render_mode, max_cycles, strict=False)


raw_env = AECMatch
parallel_env = ParallelMatch
