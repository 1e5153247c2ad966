"""Batches on the card: the matches of `core.batch.Batch` in a GPU's memory, for learners on the GPU.

A step plays one action in every match, rolls the dice, and writes the seats to act, their observations and masks, and
the rewards. The arrays stay on the card; torch, JAX, CuPy and Numba read them without a copy. For the same seed and
actions everything is byte for byte what the CPU's batch writes. docs/gpu.md says more.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from tribord.core.batch import ONE_EACH, Turns, drawn_seats, mark, refusal_in
from tribord.core.bits import lowest_bit
from tribord.core.chance import seed_stream
from tribord.core.game import Game
from tribord.core.record import CHANCE, States
from tribord.core.refusal import BadOption, IllegalAction
from tribord.core.verbs import apply, initial, observe, outcome, roll, sample, to_act, view
from tribord.lab.cuda import aligned, our_way, places, toolkit, transplant
from tribord.lab.cuda_types import WORD, as_bytes, as_state, words
from tribord.lab.dlpack import CUDA, capsule

THREADS = 128  # per block
BEGIN, PLAY, LOOK = range(
    3
)  # what a step does: start every match, play an action in each, or only say what they wait for

# For programmers, so only in English.
BAD_OBSERVATION = "“observation” is float32 or uint8, not {given}."
TOO_MANY = "{matches} matches take {needed} MB on the card, and {free} MB are free. Ask for fewer, or for uint8."
NO_MATCHES = "A batch has at least one match, not {matches}."

# Bound when a kernel is made, as in `lab.cuda`.
cuda: Any = None
int32: Any = None
uint32: Any = None
state_in: Any = None
floats_to: Any = None
ROOM = 0
WORDS = 0
BYTES = 0  # whether observations are bytes


# -- kernels ----------------------------------------------------------------------------------------------------------


def _play(
    settings: Any, seed: int, begins: bool, auto_reset: int, cooperative: int, drawn: int, states: Any, rngs: Any,
    seats: Any, actions: Any, scores: Any, wins: Any, rewards: Any, over: Any,
) -> None:  # fmt: skip
    """`core.batch.begin`, or what `advance_each` plays after the check: every thread has a match."""
    i = cuda.grid(1)
    if i >= seats.shape[0]:
        return
    room = cuda.local.array(WORDS, uint32)
    rng = cuda.local.array(4, uint32)
    out = cuda.local.array(ROOM, int32)
    state = state_in(room)
    seat = int32(seats[i])
    action = int32(actions[i])
    for k in range(rewards.shape[1]):
        rewards[i, k] = 0
    ends = False
    playing = begins or seat >= 0
    if begins:
        seed_stream(rng, seed, i)
    elif playing:
        for k in range(WORDS):
            room[k] = states[i, k]
        for k in range(4):
            rng[k] = rngs[i, k]
    changes = playing
    renewed = begins
    while playing:
        cuda.syncwarp()  # threads from different branches continue together
        if begins:
            initial(state, settings[0])
            begins = False
        else:
            apply(state, seat, action, None)
        asked = to_act(state)
        if asked != 0:
            seat = int32(lowest_bit(asked))
            if (drawn >> seat) & 1:
                action = int32(sample(state, seat, rng, out))
            else:
                playing = False
        elif outcome(state, scores[i], wins[i]) == 0:
            seat = int32(CHANCE)
            action = int32(roll(state, rng, out))
        else:
            seat = int32(-1)
            if not renewed:
                ends = True
                _reward(wins[i], cooperative, rewards[i])
            begins = auto_reset != 0 and not renewed
            renewed = True
            playing = begins
    over[i] = ends or seat < 0
    if changes:
        seats[i] = seat
        for k in range(WORDS):
            states[i, k] = room[k]
        for k in range(4):
            rngs[i, k] = rng[k]


def _show(states: Any, seats: Any, mask: Any, observation: Any) -> None:
    """Write what every seat to act may do and sees: in its own kernel, because it fits the caches better."""
    i = cuda.grid(1)
    if i >= seats.shape[0]:
        return
    room = cuda.local.array(WORDS, uint32)
    out = cuda.local.array(ROOM, int32)
    state = state_in(room)
    seat = int32(seats[i])
    if seat >= 0:
        for k in range(WORDS):
            room[k] = states[i, k]
        mark(state, seat, mask[i], out)
        cuda.syncwarp()
        view(state, seat)
        if BYTES:
            observe(state, seat, floats_to(observation[i]))
        else:
            observe(state, seat, observation[i])
    else:
        for k in range(mask.shape[1]):
            mask[i, k] = 0
        for k in range(observation.shape[1]):
            observation[i, k] = 0


def _reward(wins: Any, cooperative: int, rewards: Any) -> None:
    """`core.batch.reward_seats`."""
    winners = 0
    for seat in range(rewards.shape[0]):
        winners += wins[seat]
    if cooperative or winners == 0:
        winners = 1
    for seat in range(rewards.shape[0]):
        rewards[seat] = wins[seat] / winners


def _check(seats: Any, actions: Any, mask: Any, bad: Any) -> None:
    """Find the first match whose action isn't legal."""
    i = cuda.grid(1)
    if i < seats.shape[0] and seats[i] >= 0:
        if not (0 <= actions[i] < mask.shape[1] and mask[i, actions[i]]):
            cuda.atomic.min(bad, 0, i)


def _sample(states: Any, rngs: Any, seats: Any, actions: Any) -> None:
    """`core.batch.sample_each`."""
    i = cuda.grid(1)
    if i >= seats.shape[0]:
        return
    room = cuda.local.array(WORDS, uint32)
    rng = cuda.local.array(4, uint32)
    out = cuda.local.array(ROOM, int32)
    seat = int32(seats[i])
    action = int32(-1)
    if seat >= 0:
        for k in range(WORDS):
            room[k] = states[i, k]
        for k in range(4):
            rng[k] = rngs[i, k]
        action = int32(sample(state_in(room), seat, rng, out))
        for k in range(4):
            rngs[i, k] = rng[k]
    actions[i] = action


# -- what Python sees -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BatchKernels:
    """What runs on the card for a game."""

    play: Any
    show: Any
    check: Any
    sample: Any
    apart: frozenset[str]


@cache
def kernels(game: Game, in_bytes: bool) -> BatchKernels:
    """The kernels of a game's batches, with observations as bytes or floats."""
    numba = importlib.import_module("numba")
    grown = transplant(
        game, state_in=as_state(numba.from_dtype(aligned(game.dtype))), floats_to=as_bytes(), WORDS=words(game),
        BYTES=int(in_bytes),
    )  # fmt: skip
    play, show, check, sampling = (grown.kernel(function) for function in (_play, _show, _check, _sample))
    return BatchKernels(play, show, check, sampling, grown.apart())


@cache
def _card_array() -> Any:
    """The class of our arrays on the card."""
    found: Any = importlib.import_module("numba.cuda.cudadrv.devicearray")

    class CardArray(found.DeviceNDArray):  # type: ignore[misc]
        """An array of Numba's that also supports DLPack."""

        def __dlpack__(self, **_wishes: Any) -> Any:
            return capsule(self.__cuda_array_interface__["data"][0], self, self.__dlpack_device__())

        def __dlpack_device__(self) -> tuple[int, int]:
            return CUDA, int(toolkit().get_current_device().id)

    return CardArray


def _array(shape: int | tuple[int, ...], dtype: Any) -> Any:
    """An array of zeros on the card, in which neighbouring matches are neighbours."""
    plain = toolkit().device_array(shape, dtype, order="F")
    driver: Any = importlib.import_module("numba.cuda.cudadrv.driver")
    driver.device_memset(plain, 0, plain.nbytes)
    return _card_array()(plain.shape, plain.strides, plain.dtype, gpu_data=plain.gpu_data)


class CudaBatch:
    """Matches of one game side by side on the card; the arrays of `Turns` are refilled by each step.

    `observation` is “float32”, as on the CPU, or “uint8”: the same numbers in steps of 1/255, a quarter of the bytes.
    Without `check` an illegal action isn't noticed, and nothing waits for the card. Seats in `uniform` are played by
    the batch itself, as on the CPU.
    """

    def __init__(
        self,
        game: Game,
        matches: int,
        players: int,
        seed: int = 0,
        options: Mapping[str, Any] | None = None,
        auto_reset: bool = False,
        uniform: Iterable[int] = (),
        observation: str = "float32",
        check: bool = True,
    ):
        if observation not in ("float32", "uint8"):
            raise BadOption("bad-observation", BAD_OBSERVATION, given=observation)
        if matches < 1:
            raise BadOption("no-matches", NO_MATCHES, matches=matches)
        self.game = game
        self.matches = matches
        self.players = players
        self.settings = game.settings(players, options, research=True)
        self.auto_reset = auto_reset
        self.check = check
        self.drawn = drawn_seats(players, uniform)
        self._tools = toolkit()
        self._refuse_too_many(np.dtype(observation).itemsize)
        self._kernels = kernels(game, observation == "uint8")
        self.states = _array((matches, words(game)), np.uint32)
        """The states in words, on the card; `home` brings them here as records."""
        self.rngs = _array((matches, 4), np.uint32)
        self.scores = _array((matches, game.players[1]), np.int32)
        self.wins = _array((matches, game.players[1]), np.int32)
        self._actions = _array(matches, np.int32)
        self._turns = Turns(
            seats=_array(matches, np.int32),
            observation=_array((matches, game.observation), observation),
            action_mask=_array((matches, game.actions), np.int8),
            rewards=_array((matches, players), np.float32),
            over=_array(matches, np.bool_),
        )
        given = np.zeros(1, game.options_dtype)
        given[0] = self.settings
        self._given = self._tools.to_device(given)
        self.reset(seed)

    def reset(self, seed: int = 0) -> None:
        """Begin all matches again, each on its own stream of the seed."""
        self._play(True, self._actions, int(seed))
        self.turns()

    def turns(self) -> Turns:
        """What every match waits for now: arrays on the card, which the next step fills again."""
        turns = self._turns
        self._launch(self._kernels.show, self.states, turns.seats, turns.action_mask, turns.observation)
        return turns

    def sample(self) -> Any:
        """A uniform legal action for every match that goes on, -1 for the others: on the card, refilled each time."""
        self._launch(self._kernels.sample, self.states, self.rngs, self._turns.seats, self._actions)
        return self._actions

    def advance(self, actions: Any) -> Turns:
        """Play one action in every match that goes on: an array of whole numbers, on the card or here.

        With `check` an illegal action refuses the whole step and changes nothing.
        """
        actions = self._as_actions(actions)
        if self.check:
            self._refuse_illegal(actions)
        self._play(False, actions)
        return self.turns()

    def home(self) -> States:
        """The states, copied to this machine."""
        raw = np.ascontiguousarray(self.states.copy_to_host()).view(np.uint8)
        packed = np.ascontiguousarray(raw[:, places(self.game.dtype, aligned(self.game.dtype))])
        return packed.view(self.game.dtype)[:, 0].view(np.recarray)

    def _play(self, begins: bool, actions: Any, seed: int = 0) -> None:
        turns = self._turns
        self._launch(
            self._kernels.play, self._given, seed, begins, int(self.auto_reset), int(self.game.cooperative), self.drawn,
            self.states, self.rngs, turns.seats, actions, self.scores, self.wins, turns.rewards, turns.over,
        )  # fmt: skip

    def _launch(self, kernel: Any, *given: Any) -> None:
        with our_way(self._kernels.apart):
            kernel[(self.matches + THREADS - 1) // THREADS, THREADS](*given)

    def _as_actions(self, actions: Any) -> Any:
        if not hasattr(actions, "__cuda_array_interface__"):
            actions = np.ascontiguousarray(actions)
        if tuple(actions.shape) != (self.matches,) or np.dtype(_typestr(actions)).kind not in "iu":
            given = f"{actions.dtype} with shape {tuple(actions.shape)}"
            raise IllegalAction("one-each", ONE_EACH, matches=self.matches, given=given)
        return self._tools.to_device(actions) if isinstance(actions, np.ndarray) else self._tools.as_cuda_array(actions)

    def _refuse_illegal(self, actions: Any) -> None:
        bad = self._tools.to_device(np.full(1, self.matches, np.int32))
        self._launch(self._kernels.check, self._turns.seats, actions, self._turns.action_mask, bad)
        found = int(bad.copy_to_host()[0])
        if found < self.matches:
            seats: Any = self._turns.seats
            seat, action = int(seats.copy_to_host()[found]), int(actions.copy_to_host()[found])
            raise refusal_in(self.game, self.home()[found], found, seat, action)

    def _refuse_too_many(self, width: int) -> None:
        game = self.game
        row = WORD * words(game) + 8 * game.players[1] + width * game.observation + game.actions + 4 * self.players + 32
        free = self._tools.current_context().get_memory_info().free
        if self.matches * row > free:
            raise BadOption(
                "too-many-matches", TOO_MANY, matches=self.matches, needed=self.matches * row >> 20, free=free >> 20
            )


def _typestr(actions: Any) -> str:
    shown = getattr(actions, "__cuda_array_interface__", None)
    return str(shown["typestr"] if shown else actions.dtype.str)
