"""Gymnasium: play one seat of any Tribord game, in one match or thousands at once.

    import gymnasium
    import tribord.research.gymnasium  # registers tribord/WalkThePlank-v1 and the others

    gymnasium.make("tribord/WalkThePlank-v1", players=4, seat=0, opponents="matelot")
    gymnasium.make_vec("tribord/FautPasPousser-v1", num_envs=4096, players=4, opponents="random")

No game is named here: every game that `tribord.load` finds is registered. One compiled driver steps one match or
thousands, opponents included; it returns to Python only for bots that aren't compiled. docs/gymnasium.md says what
Gymnasium's terms mean here.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import gymnasium
import numpy as np
from gymnasium import Env, logger
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from tribord.bots.lookahead import evaluate_each
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
from tribord.core.game import Game, games, load
from tribord.core.memory import check_memory
from tribord.core.record import Floats, Ints, State, States
from tribord.core.refusal import BadOption, IllegalAction
from tribord.core.verbs import apply, initial, legal, sample, view
from tribord.research.buffers import Buffers
from tribord.research.clone import Clonable
from tribord.research.form import KEYS, ZEROS, Form
from tribord.research.opponents import RANDOM, SELF, STOP, UNIFORM, Opponent, Opponents
from tribord.research.reward import SHARE, reward_of
from tribord.research.shaping import NO_SEAT, Potential, Shaper, Shaping

Observation = Any  # a dict, or a vector: see `Form`

MOST_BEGINNINGS = 1000  # consecutive matches that may end before the seat has decided anything

# For programmers, so only in English, like Gymnasium.
NO_SUCH_SEAT = "The seat is 0 to {last}, or None for a random one in every match, not {seat}."
WHAT_FOLLOWS = "{sentence} The match ends here with -1. The action mask tells what is legal."
RESET_FIRST = "{sentence} Call reset() first."
NEVER_ASKED = "Seat {seat} of {title} has nothing to decide with these options: {matches} matches ended without it."
NO_RENDER_MODE = "“{mode}” is not a render mode. Known: {known}."
OVER_ALREADY = "Match {match} is over. Reset it: reset(options={{'reset_mask': …}}), with True for what restarts."
BAD_MASK = "“reset_mask” is an array of {matches} bools with at least one True, not {given}."

# Indices into `Workspace.how`, which says how matches go on.
DEPTH, TOGETHER, SEAT, RENEW, STRICT, REPLY = range(6)
ANY_SEAT, AWAITED = -1, -2  # the learner's seat: a random one in every match, or the one to act
NEVER, SAME_STEP, NEXT_STEP = range(3)  # when a finished match restarts
RENEWS = {AutoresetMode.DISABLED: NEVER, AutoresetMode.SAME_STEP: SAME_STEP, AutoresetMode.NEXT_STEP: NEXT_STEP}
BEGIN = np.zeros(0, np.int64)  # no actions: start matches
SAME_LUCK = -1  # instead of a seed: a match that starts goes on in the stream it has


class Workspace(NamedTuple):
    """What compiled code needs besides the states: settings, data of each match, and scratch arrays."""

    how: Ints
    kinds: Ints  # for each seat how its opponent decides
    candidates: Ints  # and for one-ply lookahead, how many actions it looks at
    samples: Ints  # and how many samples it takes of each
    mine: Ints  # for each match the learner's seat
    seats: Ints  # for each match the seat to act; -1 when it's over
    shown: Ints  # for each match the seat whose observation was written
    chosen: NDArray[np.bool_]  # which matches a reset is for, or a reply by opponents
    games: Ints  # for each place how many matches have started there
    unasked: Ints  # for each place how many of them have started since the learner could last act
    rngs: Ints
    scores: Ints
    wins: Ints
    mask: Mask  # the legal actions, to check actions against
    out: Ints
    actions: Ints
    weights: Ints
    luck: Ints
    values: NDArray[np.float64]
    final: Floats  # the last observation of a match that ended and restarted


class StepResult(NamedTuple):
    """What a step returns: for every match the learner's observation, action mask and reward."""

    observation: Floats
    action_mask: Mask
    reward: NDArray[np.float64]
    over: NDArray[np.bool_]
    seat: Ints  # the learner's seat; in self-play, the seat to act
    rewards: Floats  # of all seats
    scores: Ints  # of all seats, if a match ended
    last: Ints  # the learner's seat in the match that ended
    illegal: NDArray[np.bool_]  # whether the action was illegal and ended the match


@rule
def look_ahead(spare: States, seat: int, work: Workspace, seed: int, decisions: int) -> int:
    """The decision of `tribord.bots.lookahead.Lookahead` in spare[0], a view."""
    actions, rng, values = work.actions, work.luck, work.values
    n = legal(spare[0], seat, actions)
    seed_stream(rng, seed, decisions)
    size = int(work.candidates[seat])
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
        spare, seat, actions, size, 0, int(work.samples[seat]), int(work.how[DEPTH]), seed * 1_000_003 + decisions,
        rng, work.out, work.weights, values,
    )  # fmt: skip
    best = 0
    for k in range(1, size):
        if values[k] > values[best]:
            best = k
    return int(actions[best])


@rule
def go_on(states: States, spare: States, work: Workspace, i: int, seat: int) -> int:
    """Let the opponents of match i act, `seat` first, until the learner must; returns the seat to act, or -1."""
    mine = work.mine[i]
    while seat >= 0 and seat != mine and work.kinds[seat] != STOP:
        if work.kinds[seat] == UNIFORM:
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
    """Start match i, again if it ends before the learner could act; returns the first seat to act, or -1."""
    seat = -1
    for _attempt in range(MOST_BEGINNINGS):
        initial(states[i], settings)
        work.mine[i] = work.how[SEAT]
        if work.how[SEAT] == ANY_SEAT:
            work.mine[i] = below(work.rngs[i], int(settings.players))
        seat = settle(states[i], work.rngs[i], work.scores[i], work.wins[i], work.out)
        work.games[i] += 1
        work.unasked[i] += 1
        if work.how[SEAT] != AWAITED:
            seat = go_on(states, spare, work, i, seat)
        if seat >= 0 or work.unasked[i] > MOST_BEGINNINGS:
            break
    return seat


@compiled
def play_on(
    states: States, spare: States, settings: State, work: Workspace, actions: Ints, seed: int, result: StepResult
) -> int:
    """Play one action in every match, let the others act, and write what the learner sees; returns -1 on success.

    Without actions the matches in `work.chosen` start, each on its own stream of the seed; the others stay as they are.
    On failure, returns the number of the first match with a refused action (then nothing was played) or with a learner
    that never gets to act. A REPLY goes on with the same result: the actions are those of opponents, in the matches in
    `work.chosen` alone.
    """
    mask = work.mask
    seats = work.seats
    beginning = len(actions) == 0
    opposed = work.how[SEAT] != AWAITED  # checked here, because passing the workspace takes as long as a rule
    strict = work.how[STRICT] == 1
    reply = work.how[REPLY] == 1
    if not beginning and not reply:
        for i in range(len(states)):
            if seats[i] >= 0:
                known = 0 <= actions[i] < mask.shape[1]
                if not known or (strict and mask[i, actions[i]] == 0):
                    return i
    for i in range(len(states)):
        if reply:
            if not work.chosen[i]:
                continue
        else:
            result.reward[i] = 0.0
            result.over[i] = False
            result.illegal[i] = False
            result.rewards[i, :] = 0.0
            result.scores[i, :] = 0
        seat = seats[i]
        if beginning:
            if work.chosen[i]:
                if seed != SAME_LUCK:
                    seed_stream(work.rngs[i], seed, i)
                seat = begin_anew(states, spare, settings, work, i)
                if seat < 0:
                    return i
        elif seat < 0:
            seat = begin_anew(states, spare, settings, work, i)
            if seat < 0:
                return i
        else:
            who = seat
            legal = mask[i, actions[i]] == 1
            seat = -1
            if legal:
                apply(states[i], who, actions[i], None)
                seat = settle(states[i], work.rngs[i], work.scores[i], work.wins[i], work.out)
                if opposed:
                    seat = go_on(states, spare, work, i, seat)
            if seat < 0 and work.unasked[i] > 0:  # opponents have ended it before the learner could act
                seat = begin_anew(states, spare, settings, work, i)
                if seat < 0:
                    return i
            elif seat < 0:
                if work.mine[i] >= 0:
                    who = work.mine[i]
                result.over[i] = True
                if legal:
                    reward_seats(work.wins[i], work.how[TOGETHER] == 1, result.rewards[i])
                    for other in range(result.scores.shape[1]):
                        result.scores[i, other] = work.scores[i, other]
                else:
                    result.illegal[i] = True
                    result.rewards[i, who] = -1.0
                result.reward[i] = result.rewards[i, who]
                result.last[i] = who
                work.shown[i] = who
                if work.how[RENEW] == SAME_STEP:
                    observe_match(states, spare, who, i, work.final[i])
                    seat = begin_anew(states, spare, settings, work, i)
                    if seat < 0:
                        return i
        seats[i] = seat
        if seat >= 0:
            mark(states[i], seat, mask[i], work.out)
            work.shown[i] = work.mine[i] if work.mine[i] >= 0 else seat
        else:
            mask[i, :] = 0
        if seat == work.shown[i]:
            work.unasked[i] = 0
        if seat < 0 or seat == work.shown[i]:
            observe_match(states, spare, work.shown[i], i, result.observation[i])
        result.seat[i] = work.shown[i]
        copy_mask(mask[i], result.action_mask[i])
    return -1


class Matches:
    """Matches with a learner's seat: what one environment and a vector of them share."""

    def __init__(
        self,
        game: str | Game,
        players: int | None,
        options: Mapping[str, Any] | None,
        matches: int,
        opponents: Opponents,
        seat: int,
        renew: int,
        strict: bool = True,
        reward: str = SHARE,
        shaping: Shaping | Potential | None = None,
    ):
        self.game = game if isinstance(game, Game) else load(game)
        self.players = self.game.players[0] if players is None else players
        self.settings = self.game.settings(self.players, options, research=True)
        floats = 4 * self.game.observation * (2 if renew == SAME_STEP else 1)
        bots = opponents.memory(seat)
        check_memory(matches, self.game.state_bytes + 2 * self.game.actions + floats + bots)
        self.states = self.game.states(matches)
        self.spare = self.game.states(2)
        self.opponents = opponents
        self.buffers = Buffers()
        self.reward = reward
        reward_of(reward, self.game)  # refuses an unknown one
        if shaping is not None and seat == AWAITED:
            raise BadOption("no-seat", NO_SEAT)
        self.shaper = None if shaping is None else Shaper(shaping, self.game, self.players, matches, options)
        how = np.zeros(6, np.int64)
        how[TOGETHER], how[SEAT], how[RENEW], how[STRICT] = self.game.cooperative, seat, renew, strict
        how[DEPTH] = opponents.depth
        n, actions, seats = matches, self.game.actions, self.game.players[1]
        self.work = Workspace(
            how=how,
            kinds=opponents.kinds,
            candidates=opponents.candidates,
            samples=opponents.samples,
            mine=np.zeros(n, np.int64),
            seats=np.full(n, -1, np.int64),
            shown=np.zeros(n, np.int64),
            chosen=np.ones(n, np.bool_),
            games=np.zeros(n, np.int64),
            unasked=np.zeros(n, np.int64),
            rngs=np.zeros((n, 4), np.int64),
            scores=np.zeros((n, seats), np.int64),
            wins=np.zeros((n, seats), np.int64),
            mask=np.zeros((n, actions), np.int8),
            out=np.zeros(max(actions, self.game.chances), np.int64),
            actions=np.zeros(actions, np.int64),
            weights=np.zeros(max(1, self.game.chances), np.int64),
            luck=np.zeros(4, np.int64),
            values=np.zeros(actions),
            final=np.zeros((n if renew == SAME_STEP else 0, self.game.observation), np.float32),
        )

    def room(self) -> StepResult:
        """New arrays for the result of a step, which writes them whole."""
        n = len(self.states)
        return StepResult(
            self.buffers.take((n, self.game.observation), np.float32),
            self.buffers.take((n, self.game.actions), np.int8),
            np.zeros(n, np.float64),
            np.zeros(n, np.bool_),
            np.zeros(n, np.int64),
            np.zeros((n, self.players), np.float32),
            np.zeros((n, self.players), np.int64),
            np.zeros(n, np.int64),
            np.zeros(n, np.bool_),
        )

    def begin(self, seed: int, result: StepResult, which: NDArray[np.bool_] | bool = True) -> None:
        """Start all matches, or some, each on its own stream of the seed; with SAME_LUCK on the stream it has."""
        self.work.chosen[:] = which
        self.work.unasked[self.work.chosen] = 0
        if seed != SAME_LUCK and self.opponents.outside:
            self.work.games[self.work.chosen] = 0
            self.opponents.begin(np.flatnonzero(self.work.chosen).tolist(), seed)
        if self._play(BEGIN, seed, result) >= 0:
            raise self._never_asked()
        self._answer(result)
        if self.shaper:
            self.shaper.begin(self.states, self.work.seats, result.observation)

    def _never_asked(self) -> BadOption:
        seat = int(self.work.how[SEAT])
        return BadOption("never-asked", NEVER_ASKED, seat=seat, title=self.game.title, matches=MOST_BEGINNINGS)

    def play(self, actions: Ints, result: StepResult) -> None:
        """Play one action in every match. Refuses the whole step if one is illegal."""
        playing = self.work.seats >= 0
        bad = self._play(actions, 0, result)
        if bad >= 0:
            seat, action = int(self.work.seats[bad]), int(actions[bad])
            raise refusal_in(self.game, self.states[bad], bad, seat, action)
        self._answer(result)
        if self.reward != SHARE:
            ended = np.flatnonzero(result.over & ~result.illegal)
            worth = reward_of(self.reward, self.game)(result.rewards[ended], result.scores[ended])
            result.rewards[ended] = worth
            result.reward[ended] = worth[np.arange(len(ended)), result.last[ended]]
        if self.shaper:
            self.shaper.shape(
                result.reward, playing, result.over, self.states, self.work.seats, result.observation
            )  # fmt: skip

    def _answer(self, result: StepResult) -> None:
        """Let opponents in Python act until every match waits for the learner or is over."""
        work = self.work
        while self.opponents.outside and (waiting := (work.seats >= 0) & (work.seats != work.mine)).any():
            actions = self.opponents.decide(self.states, work.seats, waiting, work.mask, work.games)
            work.chosen[:] = waiting
            work.how[REPLY] = 1
            bad = self._play(actions, 0, result)
            work.how[REPLY] = 0
            if bad >= 0:
                raise self._never_asked()

    def _play(self, actions: Ints, seed: int, result: StepResult) -> int:
        return int(play_on(self.states, self.spare, self.settings, self.work, actions, seed, result))


def _check_seat(seat: int | None, players: int) -> int:
    if seat is None:
        return ANY_SEAT
    if isinstance(seat, bool) or not isinstance(seat, int | np.integer) or not 0 <= seat < players:
        raise BadOption("no-such-seat", NO_SUCH_SEAT, last=players - 1, seat=seat)
    return int(seat)


class SeatEnv(Clonable, Env[Observation, Any]):
    """One seat of a match, against bots of your choice that act inside `step`.

    An illegal action ends the match with reward -1; with `strict` it raises and changes nothing.
    """

    _position = ("matches", "_over", "_np_random", "_np_random_seed")
    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        game: str | Game,
        players: int | None = None,
        seat: int | None = 0,
        opponents: Opponent | Sequence[Opponent] = RANDOM,
        options: Mapping[str, Any] | None = None,
        clock: float | None = None,
        strict: bool = False,
        render_mode: str | None = None,
        keys: tuple[str, str] = KEYS,
        flat: bool = False,
        idle: str = ZEROS,
        reward: str = SHARE,
        shaping: Shaping | Potential | None = None,
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
        self.form = Form(keys, flat, idle)
        others = Opponents(self.game, self.players, opponents, clock, alone=True, options=options)
        self.matches = Matches(self.game, self.players, options, 1, others, self.seat, NEVER, True, reward, shaping)
        self.observation_space, self.action_space = self.form.space(self.game), Discrete(self.game.actions)
        self._over = True  # or not started

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start a match. `options` are unused: the game's options are set when the environment is made."""
        super().reset(seed=seed)
        self._over = True
        how = self.matches.work.how
        how[SEAT] = int(self.np_random.integers(self.players)) if self.seat == ANY_SEAT else self.seat
        result = self.matches.room()
        self.matches.begin(int(self.np_random.integers(1 << 62)), result)
        self._over = False
        return self._observation(result), self._info(result)

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play an action; the others then play until the seat must act again or the match ends."""
        if self._over:
            raise ResetNeeded(RESET_FIRST.format(sentence=IllegalAction("match-over", refusal.MATCH_OVER)))
        result = self.matches.room()
        number = self._number(action)
        if not self.matches.work.mask[0, number]:
            seat = int(self.matches.work.seats[0])
            return self._refused(refusal_in(self.game, self.matches.states[0], 0, seat, number))
        self._over = True  # where an opponent fails, a reset must follow
        self.matches.play(np.array([number]), result)
        self._over = bool(result.over[0])
        return self._observation(result), float(result.reward[0]), self._over, False, self._info(result)

    def _number(self, action: Any) -> int:
        """An action of the action space as an integer. Refuses anything else, strict or not."""
        try:
            number = operator.index(action.item() if isinstance(action, np.ndarray) else action)
        except (TypeError, ValueError):
            number = -1
        if not 0 <= number < self.game.actions:
            raise InvalidAction(self._spoken(IllegalAction("not-an-action", refusal.NOT_AN_ACTION, action=action)))
        return number

    def _refused(self, refused: IllegalAction) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """The result of an illegal action, which changed nothing."""
        reason = refused.__cause__ if isinstance(refused.__cause__, IllegalAction) else refused
        sentence = self._spoken(reason)
        if self.strict:
            raise InvalidAction(sentence) from None
        logger.warn("%s", WHAT_FOLLOWS.format(sentence=sentence))
        self._over = True
        seat = int(self.matches.work.mine[0])
        seen = self.game.observe(self.game.view_of(self.matches.states[0], seat), seat)
        mask = self.form.resting(self.game)
        told = {"seat": seat, "action_mask": mask, "refusal": sentence}
        shaped = float(self.matches.shaper.now[0]) if self.matches.shaper else 0.0  # over, so what follows is worth 0
        return self.form.seen(seen, mask), -1.0 - shaped, True, False, told

    def _spoken(self, refused: IllegalAction) -> str:
        refused.speak = self.game.words
        return str(refused)

    def action_masks(self) -> NDArray[np.bool_]:
        """The current action mask, under the name that sb3-contrib's MaskablePPO calls."""
        return self.matches.work.mask[0] == 1

    def _observation(self, result: StepResult) -> Observation:
        mask = result.action_mask[0]
        return self.form.seen(result.observation[0], self.form.rest(mask) if self._over else mask)

    def _info(self, result: StepResult) -> dict[str, Any]:
        """The learner's seat and, at the end, every seat's share of the victory and points."""
        info: dict[str, Any] = {"seat": int(self.matches.work.mine[0]), "action_mask": result.action_mask[0]}
        if self._over:
            info["rewards"] = result.rewards[0]
            info["scores"] = result.scores[0]
        return info

    def render(self) -> Any:
        """The seat's view, as text (`ansi`) or as a picture (`rgb_array`)."""
        if self.render_mode is None:
            logger.warn("You are calling render method without specifying any render mode.")
            return None
        seen = self.game.view_of(self.matches.states[0], int(self.matches.work.mine[0]))
        if self.render_mode == "rgb_array":
            from tribord.research import picture

            return picture.rgb(self.game, seen)
        return self.game.text.board(self.game.describe(seen), self.game.words("en"))


class SeatVectorEnv(Clonable, VectorEnv[Observation, Any, Any]):
    """Thousands of matches, one seat each, in one compiled call. With `opponents="self"` the learner plays all seats.

    An illegal action refuses the whole step and changes nothing; without `strict` it ends its match with -1. Without
    `copy` every step overwrites and returns the same arrays, which is faster; use them before the next step.
    """

    _position = ("matches", "_samples", "_begun", "_np_random", "_np_random_seed")

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        players: int | None = None,
        seat: int | None = 0,
        opponents: Opponent | Sequence[Opponent] = RANDOM,
        options: Mapping[str, Any] | None = None,
        clock: float | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        copy: bool = True,
        strict: bool = True,
        keys: tuple[str, str] = KEYS,
        flat: bool = False,
        idle: str = ZEROS,
        reward: str = SHARE,
        shaping: Shaping | Potential | None = None,
    ):
        self.game = game if isinstance(game, Game) else load(game)
        self.num_envs = num_envs
        self.players = self.game.players[0] if players is None else players
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"autoreset_mode": self.autoreset_mode, "render_modes": []}
        self.game.settings(self.players, options)  # refuses before seats are counted
        others = Opponents(self.game, self.players, opponents, clock, options=options)
        mine = AWAITED if isinstance(opponents, str) and opponents == SELF else _check_seat(seat, self.players)
        renew = RENEWS[self.autoreset_mode]
        self.matches = Matches(self.game, self.players, options, num_envs, others, mine, renew, strict, reward, shaping)
        self.form = Form(keys, flat, idle)
        self.single_observation_space = self.form.space(self.game)
        self.single_action_space = Discrete(self.game.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.copy = copy
        self._room = self.matches.room()
        self._flat = self._vectors()
        self._resting = self.form.resting(self.game)
        self._resting.flags.writeable = False  # many share it
        self._samples = np.zeros((num_envs, 4), np.int64)
        self._begun = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start all matches, each on its own stream of the seed, or those in `options["reset_mask"]` alone.

        With a mask the other matches stay as they are. Without a seed too, the new matches are the ones that an
        automatic restart would have started.
        """
        chosen = (options or {}).get("reset_mask")
        which = np.ones(self.num_envs, np.bool_) if chosen is None else self._mask(chosen)
        if seed is not None or chosen is None:
            super().reset(seed=seed)
            luck = int(self.np_random.integers(1 << 62))
            self._samples[which] = self.np_random.integers(1, 1 << 32, (self.num_envs, 4))[which]
        else:
            luck = SAME_LUCK
        result = self._result()
        self.matches.begin(luck, result, which)
        self._begun = True
        return self._observation(result), self._info(result)

    def _mask(self, chosen: Any) -> NDArray[np.bool_]:
        """Which matches a reset is for."""
        mask = np.asarray(chosen)
        if mask.shape != (self.num_envs,) or mask.dtype != np.bool_ or not mask.any():
            given = "none" if mask.dtype == np.bool_ and not mask.any() else f"{mask.dtype} with shape {mask.shape}"
            raise ValueError(BAD_MASK.format(matches=self.num_envs, given=given))
        if not self._begun:
            raise ResetNeeded(RESET_FIRST.format(sentence="No match has begun."))
        return mask

    def step(self, actions: Any) -> tuple[Observation, Any, Any, Any, dict[str, Any]]:
        """Play one action in every match. The action of a match that restarts in this step is ignored."""
        if not self._begun:
            raise ResetNeeded(RESET_FIRST.format(sentence="No match has begun."))
        if self.autoreset_mode is AutoresetMode.DISABLED and (over := self.matches.work.seats < 0).any():
            raise ResetNeeded(OVER_ALREADY.format(match=int(over.argmax())))
        result = self._result()
        self._begun = False  # where an opponent fails, a reset must follow
        try:
            self.matches.play(as_actions(actions, self.num_envs), result)
        except IllegalAction as refused:
            self._begun = refused.code != "opponent"
            because = f" {refused.__cause__}" if refused.__cause__ else ""
            raise InvalidAction(f"{refused}{because}") from None
        self._begun = True
        info = self._info(result)
        if self.autoreset_mode is AutoresetMode.SAME_STEP:
            info |= self._final(result)
        return self._observation(result), result.reward, result.over, np.zeros(self.num_envs, np.bool_), info

    def _info(self, result: StepResult) -> dict[str, Any]:
        """The learner's seats; if a match ended, also every seat's share of the victory and points."""
        info: dict[str, Any] = {
            "seat": result.seat, "action_mask": result.action_mask, "rewards": result.rewards, "scores": result.scores
        }  # fmt: skip
        return info if self.matches.work.how[STRICT] else info | {"illegal": result.illegal}

    def _final(self, result: StepResult) -> dict[str, Any]:
        """The last observation and info of the matches that ended and restarted, in Gymnasium's form."""
        ended = np.flatnonzero(result.over)
        if not len(ended):
            return {}
        last = np.full(self.num_envs, None, object)
        for i, seen in zip(ended.tolist(), self.matches.work.final[ended]):
            last[i] = self.form.seen(seen, self._resting)
        masks = np.broadcast_to(self._resting, result.action_mask.shape)
        about = self._info(result) | {"seat": result.last, "action_mask": masks}
        about |= {f"_{name}": result.over for name in about}
        return {"final_obs": last, "_final_obs": result.over, "final_info": about, "_final_info": result.over}

    def sample(self) -> Ints:
        """A uniformly random legal action for every match; 0 if it is over."""
        actions = np.empty(self.num_envs, np.int64)
        work = self.matches.work
        sample_each(self.matches.states, work.seats, self._samples, work.out, actions)
        return np.maximum(actions, 0, out=actions)

    def _result(self) -> StepResult:
        return self.matches.room() if self.copy else self._room

    def _observation(self, result: StepResult) -> Observation:
        self.form.rest(result.action_mask, self.matches.work.seats < 0)
        return self.form.seen(result.observation, result.action_mask, self._vectors() if self.copy else self._flat)

    def _vectors(self) -> Floats | None:
        """Room for one vector for each match, in the form that has them."""
        width = self.game.observation + self.game.actions
        return self.matches.buffers.take((self.num_envs, width), np.float32) if self.form.flat else None


# -- registering ------------------------------------------------------------------------------------------------------


def env_id(game: Game) -> str:
    """The Gymnasium id of a game.

    >>> env_id(load("faut-pas-pousser"))
    'tribord/FautPasPousser-v1'
    """
    return f"tribord/{game.id.replace('-', ' ').title().replace(' ', '')}-v{game.version}"


def register() -> None:
    """Register every game with Gymnasium, once."""
    for game in games():
        if env_id(game) not in gymnasium.registry:
            gymnasium.register(
                env_id(game),
                entry_point=f"{__name__}:SeatEnv",
                vector_entry_point=f"{__name__}:SeatVectorEnv",
                kwargs={"game": game.id},
            )


register()
