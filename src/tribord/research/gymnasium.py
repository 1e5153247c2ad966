"""Gymnasium: every game of Tribord as an environment of one seat, alone or by the thousand.

    import gymnasium
    import tribord.research.gymnasium  # registers tribord/WalkThePlank-v0 and the others

    gymnasium.make("tribord/WalkThePlank-v0", players=4, seat=0, opponents="matelot")
    gymnasium.make_vec("tribord/FautPasPousser-v0", num_envs=4096, players=4, opponents="random")

No game is named here: whatever `tribord.load` finds is registered. One driver in compiled code steps one match or
thousands, opponents included; it comes back to Python only where a bot decides that is not compiled. docs/gymnasium.md
says what Gymnasium's words mean here.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import gymnasium
import numpy as np
from gymnasium import Env, logger
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.spaces import Box, Dict, Discrete, Space
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from tribord.bots import Bot, ranks, seat_bot
from tribord.bots.lookahead import ROLLOUT_DEPTH, evaluate_each
from tribord.bots.solver import TEMPERATURES, is_solved
from tribord.core import refusal
from tribord.core.batch import (
    Mask,
    as_actions,
    copy_mask,
    mark,
    observe_match,
    refusal_in,
    reward_seats,
    sample_each,
    settle,
)
from tribord.core.chance import below, bits, seed_stream
from tribord.core.compiled import compiled, rule
from tribord.core.engine import Legal
from tribord.core.game import Game, games, load
from tribord.core.record import Floats, Ints, State, States
from tribord.core.refusal import BadOption, IllegalAction
from tribord.core.verbs import apply, initial, legal, sample, view

Observation = dict[str, Any]

SELF, RANDOM = "self", "random"
LOOKAHEADS = {"mousse": (3, 1), "matelot": (0, 24)}  # the ranks that are compiled: candidates (0: all) and samples
MOST = 1000.0  # Gymnasium wants bounds of observations; ours are between 0 and 1, nearly all
MOST_BEGINNINGS = 1000  # matches that end before a seat has decided anything, in a row, before that is an error

# For programmers, and so in English alone, as Gymnasium is.
NO_SUCH_SEAT = "The seat is 0 to {last}, or None for a random one in every match, not {seat}."
OPPONENTS = "Opponents are one of {known}, or a list with one for each of the {players} seats, not {given}."
NOT_COMPILED = "A vector environment of {title} has the opponents {known}, not {given}."
WHAT_FOLLOWS = "{sentence} The match ends here with -1. The action mask tells what is legal."
RESET_FIRST = "{sentence} Call reset() first."
NEVER_ASKED = "Seat {seat} of {title} has nothing to decide with these options: {matches} matches ended without it."
NO_RENDER_MODE = "“{mode}” is not a render mode. Known: {known}."
NO_AUTORESET = "A vector environment begins matches anew in the same step or in the next one, not {mode}."

# How a match goes on: what the numbers in `Workspace.how` mean.
OPPONENT, CANDIDATES, SAMPLES, DEPTH, TOGETHER, SEAT, RENEW = range(7)
STOP, UNIFORM, LOOKAHEAD = range(3)  # opponents: decided outside, uniformly at random, or by one-ply lookahead
ANY_SEAT, AWAITED = -1, -2  # the learner's seat: a random one in every match, or whoever must decide
NEVER, SAME_STEP, NEXT_STEP = range(3)  # when a match that is over begins anew
BEGIN = np.zeros(0, np.int64)  # no actions: all matches begin


class Workspace(NamedTuple):
    """What compiled code needs besides the states: settings, what is known of each match, and scratch arrays."""

    how: Ints
    mine: Ints  # for each match the learner's seat
    seats: Ints  # for each match the seat that must decide; -1 when it is over
    rngs: Ints
    scores: Ints
    wins: Ints
    mask: Mask  # what is legal, to check actions by
    out: Ints
    actions: Ints
    weights: Ints
    luck: Ints
    values: NDArray[np.float64]


class StepResult(NamedTuple):
    """What a step returns: for every match the learner's observation, action mask and reward."""

    observation: Floats
    action_mask: Mask
    reward: NDArray[np.float64]
    over: NDArray[np.bool_]
    seat: Ints  # the learner's; playing all seats, the one that must decide
    rewards: Floats  # of all seats
    final: Floats  # what was seen last where a match ended and has begun anew


@rule
def look_ahead(spare: States, seat: int, work: Workspace, seed: int, decisions: int) -> int:
    """What `tribord.bots.lookahead.Lookahead` decides in spare[0], a view."""
    actions, rng, values = work.actions, work.luck, work.values
    n = legal(spare[0], seat, actions)
    seed_stream(rng, seed, decisions)
    size = int(work.how[CANDIDATES])
    if size == 0 or size > n:
        size = n
    if size < n:
        for k in range(size):
            other = k + below(rng, n - k)
            one = actions[k]
            actions[k] = actions[other]
            actions[other] = one
    if size == 1:
        return int(actions[0])
    evaluate_each(
        spare, seat, actions, size, 0, int(work.how[SAMPLES]), int(work.how[DEPTH]), seed * 1_000_003 + decisions,
        rng, work.out, work.weights, values,
    )  # fmt: skip
    best = 0
    for k in range(1, size):
        if values[k] > values[best]:
            best = k
    return int(actions[best])


@rule
def go_on(states: States, spare: States, work: Workspace, i: int, seat: int) -> int:
    """Let the opponents of match i decide, first `seat`, until the learner must; who must then, -1 is nobody."""
    mine = work.mine[i]
    while seat >= 0 and seat != mine:
        if work.how[OPPONENT] == UNIFORM:
            action = sample(states[i], seat, work.rngs[i], work.out)
        else:
            spare[0] = states[i]
            view(spare[0], seat)
            action = look_ahead(spare, seat, work, bits(work.rngs[i]), 0)
        apply(states[i], seat, action, None)
        seat = settle(states[i], work.rngs[i], work.scores[i], work.wins[i], work.out)
    return seat


@rule
def begin_anew(states: States, spare: States, settings: State, work: Workspace, i: int) -> int:
    """Begin match i, and again where it ends before the learner was asked; who must decide first, -1 is nobody."""
    seat = -1
    for _attempt in range(MOST_BEGINNINGS):
        initial(states[i], settings)
        work.mine[i] = work.how[SEAT]
        if work.how[SEAT] == ANY_SEAT:
            work.mine[i] = below(work.rngs[i], int(settings.players))
        seat = settle(states[i], work.rngs[i], work.scores[i], work.wins[i], work.out)
        if work.how[OPPONENT] != STOP:
            seat = go_on(states, spare, work, i, seat)
        if seat >= 0:
            break
    return seat


@compiled
def play_on(
    states: States, spare: States, settings: State, work: Workspace, actions: Ints, seed: int, result: StepResult
) -> int:
    """Play one action in every match, let the others decide, and write what the learner sees; -1 when all went well.

    Without actions all matches begin, each on its own stream of the seed. Otherwise the number of the first match that
    came to nothing: an action that is not legal, and then nothing was played; or a learner that is never asked.
    """
    mask = work.mask
    seats = work.seats
    beginning = len(actions) == 0
    opposed = work.how[OPPONENT] != STOP  # asked here, because passing the workspace takes as long as a rule
    if not beginning:
        for i in range(len(states)):
            if seats[i] >= 0 and not (0 <= actions[i] < mask.shape[1] and mask[i, actions[i]]):
                return i
    for i in range(len(states)):
        result.reward[i] = 0.0
        result.over[i] = False
        result.rewards[i, :] = 0.0
        if beginning:
            seed_stream(work.rngs[i], seed, i)
        if beginning or seats[i] < 0:
            seat = begin_anew(states, spare, settings, work, i)
            if seat < 0:
                return i
        else:
            who = seats[i]
            apply(states[i], who, actions[i], None)
            seat = settle(states[i], work.rngs[i], work.scores[i], work.wins[i], work.out)
            if opposed:
                seat = go_on(states, spare, work, i, seat)
            if seat < 0:
                if work.mine[i] >= 0:
                    who = work.mine[i]
                result.over[i] = True
                reward_seats(work.wins[i], work.how[TOGETHER] == 1, result.rewards[i])
                result.reward[i] = result.rewards[i, who]
                result.seat[i] = who
                if work.how[RENEW] == SAME_STEP:
                    observe_match(states, spare, who, i, result.final[i])
                    seat = begin_anew(states, spare, settings, work, i)
                    if seat < 0:
                        return i
                else:
                    observe_match(states, spare, who, i, result.observation[i])
        seats[i] = seat
        if seat >= 0:
            mark(states[i], seat, mask[i], work.out)
            result.seat[i] = work.mine[i] if work.mine[i] >= 0 else seat
            if work.mine[i] < 0 or seat == work.mine[i]:
                observe_match(states, spare, seat, i, result.observation[i])
        else:
            mask[i, :] = 0
        copy_mask(mask[i], result.action_mask[i])
    return -1


class Matches:
    """Matches in which a learner has a seat: what one environment and a vector of them have in common."""

    def __init__(
        self,
        game: str | Game,
        players: int | None,
        options: Mapping[str, Any] | None,
        matches: int,
        opponent: str | None,
        seat: int,
        renew: int,
    ):
        self.game = game if isinstance(game, Game) else load(game)
        self.players = self.game.players[0] if players is None else players
        self.settings = self.game.settings(self.players, options, research=True)
        self.states = self.game.states(matches)
        self.spare = self.game.states(2)
        how = np.zeros(7, np.int64)
        how[TOGETHER], how[SEAT], how[RENEW] = self.game.cooperative, seat, renew
        if opponent in LOOKAHEADS:
            how[OPPONENT] = LOOKAHEAD
            how[CANDIDATES], how[SAMPLES] = LOOKAHEADS[opponent]
            how[DEPTH] = 0 if self.game.cooperative else ROLLOUT_DEPTH
        else:
            how[OPPONENT] = UNIFORM if opponent == RANDOM else STOP
        n, actions, seats = matches, self.game.actions, self.game.players[1]
        self.work = Workspace(
            how=how,
            mine=np.zeros(n, np.int64),
            seats=np.full(n, -1, np.int64),
            rngs=np.zeros((n, 4), np.int64),
            scores=np.zeros((n, seats), np.int64),
            wins=np.zeros((n, seats), np.int64),
            mask=np.zeros((n, actions), np.int8),
            out=np.zeros(max(actions, self.game.chances), np.int64),
            actions=np.zeros(actions, np.int64),
            weights=np.zeros(max(1, self.game.chances), np.int64),
            luck=np.zeros(4, np.int64),
            values=np.zeros(actions),
        )

    def room(self) -> StepResult:
        """New arrays for the result of a step."""
        n = len(self.states)
        return StepResult(
            np.zeros((n, self.game.observation), np.float32),
            np.zeros((n, self.game.actions), np.int8),
            np.zeros(n, np.float64),
            np.zeros(n, np.bool_),
            np.zeros(n, np.int64),
            np.zeros((n, self.players), np.float32),
            np.zeros((n if self.work.how[RENEW] == SAME_STEP else 0, self.game.observation), np.float32),
        )

    def begin(self, seed: int, result: StepResult) -> None:
        """Begin all matches."""
        if self._play(BEGIN, seed, result) >= 0:
            seat = int(self.work.how[SEAT])
            raise BadOption("never-asked", NEVER_ASKED, seat=seat, title=self.game.title, matches=MOST_BEGINNINGS)

    def play(self, actions: Ints, result: StepResult) -> None:
        """Play one action in every match; refuses the whole step where one is not legal."""
        bad = self._play(actions, 0, result)
        if bad >= 0:
            seat, action = int(self.work.seats[bad]), int(actions[bad])
            raise refusal_in(self.game, self.states[bad], bad, seat, action)

    def _play(self, actions: Ints, seed: int, result: StepResult) -> int:
        return int(play_on(self.states, self.spare, self.settings, self.work, actions, seed, result))

    def spaces(self) -> tuple[Dict, Discrete]:
        """What a learner sees and may do."""
        sees: dict[str, Space[Any]] = {
            "observation": Box(-MOST, MOST, (self.game.observation,), np.float32),
            "action_mask": Box(0, 1, (self.game.actions,), np.int8),
        }
        return Dict(sees), Discrete(self.game.actions)


def compiled_opponents(game: Game) -> tuple[str, ...]:
    """The opponents that are compiled: where a rank plays by the solution of a game, it is not among them."""
    return (RANDOM, *(rank for rank in LOOKAHEADS if rank not in TEMPERATURES or not is_solved(game)))


def _check_seat(seat: int | None, players: int) -> int:
    if seat is None:
        return ANY_SEAT
    if isinstance(seat, bool) or not isinstance(seat, int | np.integer) or not 0 <= seat < players:
        raise BadOption("no-such-seat", NO_SUCH_SEAT, last=players - 1, seat=seat)
    return int(seat)


class SeatEnv(Env[Observation, Any]):
    """One seat of a match; the others are bots of choice, and decide inside `step`.

    An illegal action ends the match with -1; with `strict` it raises and changes nothing.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        game: str | Game,
        players: int | None = None,
        seat: int | None = 0,
        opponents: str | Bot | Sequence[str | Bot] = RANDOM,
        options: Mapping[str, Any] | None = None,
        clock: float | None = None,
        strict: bool = False,
        render_mode: str | None = None,
    ):
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(NO_RENDER_MODE.format(mode=render_mode, known=", ".join(self.metadata["render_modes"])))
        self.render_mode = render_mode
        self.game = game if isinstance(game, Game) else load(game)
        self.players = self.game.players[0] if players is None else players
        self.game.settings(self.players, options)  # refuses before seats are counted
        self.seat = _check_seat(seat, self.players)
        self.clock = clock
        self.strict = strict
        self.opponents = self._seated(opponents)
        others = [who for at, who in enumerate(self.opponents) if at != self.seat]
        alike = all(who == others[0] and who in compiled_opponents(self.game) for who in others)
        opponent = str(others[0]) if others and alike and clock is None else None  # None: they are asked one by one
        self.matches = Matches(self.game, self.players, options, 1, opponent, self.seat, NEVER)
        self.observation_space, self.action_space = self.matches.spaces()
        self._bots: dict[int, Bot] = {}
        self._over = True  # or not begun

    def _seated(self, opponents: Any) -> list[str | Bot]:
        """The opponent in every seat, the learner's own included, which is not asked."""
        named = (RANDOM, *ranks())
        listed = list(opponents) if isinstance(opponents, list | tuple) else [opponents] * self.players
        for who in listed:
            if not (who in named if isinstance(who, str) else hasattr(who, "decide")) or len(listed) != self.players:
                known = ", ".join(named)
                raise BadOption("bad-opponents", OPPONENTS, known=known, players=self.players, given=opponents)
        return listed

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a match; there is nothing to choose with `options` that was not chosen when this was made."""
        super().reset(seed=seed)
        self._bots = {}
        how = self.matches.work.how
        how[SEAT] = int(self.np_random.integers(self.players)) if self.seat == ANY_SEAT else self.seat
        result = self.matches.room()
        for _attempt in range(MOST_BEGINNINGS):
            self.matches.begin(int(self.np_random.integers(1 << 62)), result)
            self._ask_bots(result)
            self._over = bool(result.over[0])
            if not self._over:
                return self._observation(result), self._info(result)
        raise BadOption(
            "never-asked", NEVER_ASKED, seat=int(how[SEAT]), title=self.game.title, matches=MOST_BEGINNINGS
        )  # fmt: skip

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play an action; then the others play until the seat must decide again, or the match is over."""
        if self._over:
            raise ResetNeeded(RESET_FIRST.format(sentence=IllegalAction("match-over", refusal.MATCH_OVER)))
        result = self.matches.room()
        try:
            number = self._number(action)
            self.matches.play(np.array([number]), result)
        except IllegalAction as refused:
            return self._refused(refused)
        self._ask_bots(result)
        self._over = bool(result.over[0])
        return self._observation(result), float(result.reward[0]), self._over, False, self._info(result)

    def _number(self, action: Any) -> int:
        """An action of the action space as a number; refuses anything else, strict or not."""
        try:
            number = operator.index(action.item() if isinstance(action, np.ndarray) else action)
        except (TypeError, ValueError):
            number = -1
        if not 0 <= number < self.game.actions:
            raise InvalidAction(self._spoken(IllegalAction("not-an-action", refusal.NOT_AN_ACTION, action=action)))
        return number

    def _refused(self, refused: IllegalAction) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """What becomes of an illegal action, which changed nothing."""
        reason = refused.__cause__ if isinstance(refused.__cause__, IllegalAction) else refused
        sentence = self._spoken(reason)
        if self.strict:
            raise InvalidAction(sentence) from None
        logger.warn("%s", WHAT_FOLLOWS.format(sentence=sentence))
        self._over = True
        seat = int(self.matches.work.mine[0])
        seen = self.game.observe(self.game.view_of(self.matches.states[0], seat), seat)
        observation = {"observation": seen, "action_mask": np.zeros(self.game.actions, np.int8)}
        return observation, -1.0, True, False, {"seat": seat, "refusal": sentence}

    def _spoken(self, refused: IllegalAction) -> str:
        refused.speak = self.game.words
        return str(refused)

    def _ask_bots(self, result: StepResult) -> None:
        """Let bots decide until it is the learner's turn, or the match is over."""
        work = self.matches.work
        mine = int(work.mine[0])
        while (seat := int(work.seats[0])) >= 0 and seat != mine:
            who = self.opponents[seat]
            if who == RANDOM:
                action = np.empty(1, np.int64)
                sample_each(self.matches.states, work.seats, work.rngs, work.out, action)
            else:
                if seat not in self._bots:
                    luck = int(self.np_random.integers(1 << 31))
                    self._bots[seat] = seat_bot(who, self.game, luck) if isinstance(who, str) else who
                seen = self.game.view_of(self.matches.states[0], seat)
                choices = Legal(seat, np.flatnonzero(work.mask[0]).tolist())
                action = np.array([int(self._bots[seat].decide(seen, choices, self.clock))])
            self.matches.play(action, result)

    def action_masks(self) -> NDArray[np.bool_]:
        """What is legal now, by the name under which sb3-contrib's MaskablePPO asks for it."""
        return self.matches.work.mask[0] == 1

    def _observation(self, result: StepResult) -> Observation:
        return {"observation": result.observation[0], "action_mask": result.action_mask[0]}

    def _info(self, result: StepResult) -> dict[str, Any]:
        """The learner's seat; and at the end the share of the victory and the points of every seat."""
        info: dict[str, Any] = {"seat": int(self.matches.work.mine[0])}
        if self._over:
            info["rewards"] = result.rewards[0]
            info["scores"] = self.matches.work.scores[0, : self.players].copy()
        return info

    def render(self) -> Any:
        """What the seat sees: as text (`ansi`) or as a picture (`rgb_array`)."""
        if self.render_mode is None:
            logger.warn("You are calling render method without specifying any render mode.")
            return None
        seen = self.game.view_of(self.matches.states[0], int(self.matches.work.mine[0]))
        if self.render_mode == "rgb_array":
            from tribord.research import picture

            return picture.rgb(self.game, seen)
        return self.game.text.board(self.game.describe(seen), self.game.words("en"))


class SeatVectorEnv(VectorEnv[Observation, Any, Any]):
    """Thousands of matches, one seat each, in one compiled call; with `opponents="self"` the learner plays all seats.

    An illegal action refuses the whole step and changes nothing. Without `copy` the arrays that come back are the same
    in every step, filled anew: faster, and to be used before the next step.
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        players: int | None = None,
        seat: int | None = 0,
        opponents: str = RANDOM,
        options: Mapping[str, Any] | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        copy: bool = True,
    ):
        self.game = game if isinstance(game, Game) else load(game)
        self.num_envs = num_envs
        self.players = self.game.players[0] if players is None else players
        mode = AutoresetMode(autoreset_mode)
        if mode is AutoresetMode.DISABLED:
            raise BadOption("no-autoreset", NO_AUTORESET, mode=mode.value)
        self.metadata = {"autoreset_mode": mode, "render_modes": []}
        known = (SELF, *compiled_opponents(self.game))
        if opponents not in known:
            raise BadOption(
                "not-compiled", NOT_COMPILED, title=self.game.title, known=", ".join(known), given=opponents
            )  # fmt: skip
        self.game.settings(self.players, options)
        mine = AWAITED if opponents == SELF else _check_seat(seat, self.players)
        renew = SAME_STEP if mode is AutoresetMode.SAME_STEP else NEXT_STEP
        self.matches = Matches(self.game, self.players, options, num_envs, opponents, mine, renew)
        self.single_observation_space, self.single_action_space = self.matches.spaces()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.copy = copy
        self._room = self.matches.room()
        self._nothing_legal = np.broadcast_to(np.int8(0), (num_envs, self.game.actions))
        self._samples = np.zeros((num_envs, 4), np.int64)
        self._begun = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin all matches, each on its own stream of the seed; there is nothing to choose with `options`."""
        super().reset(seed=seed)
        result = self._result()
        luck = int(self.np_random.integers(1 << 62))
        self.matches.begin(luck, result)
        self._samples[:] = self.np_random.integers(1, 1 << 32, (self.num_envs, 4))
        self._begun = True
        return self._observation(result), {"seat": result.seat, "rewards": result.rewards}

    def step(self, actions: Any) -> tuple[Observation, Any, Any, Any, dict[str, Any]]:
        """Play one action in every match; where a match begins anew in this step, its action is not looked at."""
        if not self._begun:
            raise ResetNeeded(RESET_FIRST.format(sentence="No match has begun."))
        result = self._result()
        try:
            self.matches.play(as_actions(actions, self.num_envs), result)
        except IllegalAction as refused:
            because = f" {refused.__cause__}" if refused.__cause__ else ""
            raise InvalidAction(f"{refused}{because}") from None
        info: dict[str, Any] = {"seat": result.seat, "rewards": result.rewards}
        if self.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP:
            info["final_obs"] = {"observation": result.final, "action_mask": self._nothing_legal}
            info["_final_obs"] = result.over
        return self._observation(result), result.reward, result.over, np.zeros(self.num_envs, np.bool_), info

    def sample(self) -> Ints:
        """A uniform legal action for every match: what a random agent does; 0 where a match is over."""
        actions = np.empty(self.num_envs, np.int64)
        work = self.matches.work
        sample_each(self.matches.states, work.seats, self._samples, work.out, actions)
        return np.maximum(actions, 0, out=actions)

    def _result(self) -> StepResult:
        return self.matches.room() if self.copy else self._room

    def _observation(self, result: StepResult) -> Observation:
        return {"observation": result.observation, "action_mask": result.action_mask}


# -- registering ------------------------------------------------------------------------------------------------------


def env_id(game: Game) -> str:
    """The id of a game in Gymnasium.

    >>> env_id(load("faut-pas-pousser"))
    'tribord/FautPasPousser-v0'
    """
    return f"tribord/{game.id.replace('-', ' ').title().replace(' ', '')}-v0"


def register() -> None:
    """Make every game known to Gymnasium, once."""
    for game in games():
        if env_id(game) not in gymnasium.registry:
            gymnasium.register(
                env_id(game),
                entry_point=f"{__name__}:SeatEnv",
                vector_entry_point=f"{__name__}:SeatVectorEnv",
                kwargs={"game": game.id},
            )


register()
