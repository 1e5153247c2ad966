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
from tribord.lab.cuda import Transplant, aligned, our_way, places, toolkit, transplant
from tribord.lab.cuda_types import BITS, WORD, as_bits, as_bytes, as_floats, as_state, words
from tribord.lab.dlpack import CUDA, capsule

THREADS = 128  # per block
SHARED = 48 << 10  # bytes of shared memory that every card gives to a block
LONG_ROW = 1 << 9  # bytes; shorter rows of floats are written faster where they belong (docs/gpu.md)
BEGIN, PLAY, LOOK = range(
    3
)  # what a step does: start every match, play an action in each, or only say what they wait for

# For programmers, so only in English.
BAD_OBSERVATION = "“observation” is float32 or uint8, not {given}."
BAD_MASK = "“mask” is bytes or bits, not {given}."
TOO_MANY = (
    "{matches} matches take {needed} MB on the card, and {free} MB are free. Ask for fewer, or for uint8 and bits."
)
OUT_OF_MEMORY = 2  # of the driver's errors
NO_MATCHES = "A batch has at least one match, not {matches}."

# Bound when a kernel is made, as in `lab.cuda`.
cuda: Any = None
int32: Any = None
uint8: Any = None
uint32: Any = None
uint64: Any = None
state_in: Any = None
floats_to: Any = None
bits_to: Any = None
FLOAT: Any = None  # the type of an observation's entries
ROOM = 0
WORDS = 0
ACTIONS = 0
FLOATS = 0  # in an observation
MASK = 0  # words of a mask; 0 if it is in bytes
MAY = 1  # room for them, in bytes
COLLECTED = 0  # whether the threads of a block collect their observations in shared memory
ABREAST = 1  # how many do


# -- kernels ----------------------------------------------------------------------------------------------------------


def _play(
    settings: Any, seed: int, begins: bool, auto_reset: int, cooperative: int, drawn: int, states: Any, rngs: Any,
    seats: Any, actions: Any, scores: Any, wins: Any, rewards: Any, over: Any,
) -> None:  # fmt: skip
    """`core.batch.begin`, or what `advance_each` plays after the check: every thread has a match."""
    i = uint32(cuda.grid(1))
    if i >= seats.shape[0]:
        return
    room = cuda.local.array(WORDS, uint32)
    rng = cuda.local.array(4, uint32)
    out = cuda.local.array(ROOM, int32)
    state = state_in(room)
    seat = int32(seats[i])
    action = int32(actions[i])
    for k in range(rewards.shape[1]):
        rewards[i, uint32(k)] = 0
    ends = False
    playing = begins or seat >= 0
    if begins:
        seed_stream(rng, seed, i)
    elif playing:
        for k in range(WORDS):
            room[uint32(k)] = states[i, uint32(k)]
        for k in range(4):
            rng[uint32(k)] = rngs[i, uint32(k)]
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
            states[i, uint32(k)] = room[uint32(k)]
        for k in range(4):
            rngs[i, uint32(k)] = rng[uint32(k)]


def _show(states: Any, seats: Any, mask: Any, observation: Any) -> None:
    """Write what every seat to act may do and sees: in its own kernel, because it fits the caches better.

    A rule writes zeros first, then the rest, each thread elsewhere. Between the two the row would leave the caches for
    memory and come back. So rows are collected in shared memory, a column a thread, and written once.
    """
    i = uint32(cuda.grid(1))
    if i >= seats.shape[0]:
        return
    room = cuda.local.array(WORDS, uint32)
    out = cuda.local.array(ROOM, int32)
    may = cuda.local.array((MAY, 1), uint8)
    seen = cuda.shared.array((FLOATS, ABREAST), FLOAT)
    column = uint32(cuda.threadIdx.x)
    state = state_in(room)
    seat = int32(seats[i])
    for k in range(4 * MASK):
        may[uint32(k), 0] = 0
    if seat >= 0:
        for k in range(WORDS):
            room[uint32(k)] = states[i, uint32(k)]
        if MASK:
            mark(state, seat, bits_to(may, uint32(0)), out)
        else:
            mark(state, seat, mask[i], out)
        cuda.syncwarp()
        view(state, seat)
        if COLLECTED:
            observe(state, seat, floats_to(seen, column))
        else:
            observe(state, seat, floats_to(observation.T, i))
    else:
        for k in range(0 if MASK else mask.shape[1]):
            mask[i, uint32(k)] = 0
        for k in range(FLOATS):
            if COLLECTED:
                seen[uint32(k), column] = 0
            else:
                observation[i, uint32(k)] = 0
    cuda.syncwarp()
    for k in range(MASK):
        byte = uint32(4 * k)
        highest = (int32(may[byte + 3, 0]) ^ 128) - 128  # with the word's sign
        mask[i, uint32(k)] = int32(may[byte, 0] | may[byte + 1, 0] << 8 | may[byte + 2, 0] << 16 | highest << 24)
    if COLLECTED:
        k = uint64(0)
        while k < uint64(FLOATS):
            observation[i, k] = seen[k, column]
            k = uint64(k + uint64(1))


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
    i = uint32(cuda.grid(1))
    if i < seats.shape[0] and seats[i] >= 0:
        action = actions[i]
        legal = 0
        if 0 <= action < ACTIONS:
            legal = (mask[i, action >> 5] >> (action & 31)) & 1 if MASK else mask[i, action]
        if not legal:
            cuda.atomic.min(bad, 0, i)


def _sample(states: Any, rngs: Any, seats: Any, actions: Any) -> None:
    """`core.batch.sample_each`."""
    i = uint32(cuda.grid(1))
    if i >= seats.shape[0]:
        return
    room = cuda.local.array(WORDS, uint32)
    rng = cuda.local.array(4, uint32)
    out = cuda.local.array(ROOM, int32)
    seat = int32(seats[i])
    action = int32(-1)
    if seat >= 0:
        for k in range(WORDS):
            room[uint32(k)] = states[i, uint32(k)]
        for k in range(4):
            rng[uint32(k)] = rngs[i, uint32(k)]
        action = int32(sample(state_in(room), seat, rng, out))
        for k in range(4):
            rngs[i, uint32(k)] = rng[uint32(k)]
    actions[i] = action


# -- what Python sees -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Players:
    """The kernels that play a game."""

    play: Any
    sample: Any
    apart: frozenset[str]


@dataclass(frozen=True)
class Writers:
    """The kernels that write observations and masks in some form, or read them."""

    show: Any
    check: Any
    apart: frozenset[str]
    threads: int
    """Per block of `show`."""


@cache
def players_of(game: Game) -> Players:
    """The kernels that play a game."""
    grown = _transplant(game)
    return Players(grown.kernel(_play), grown.kernel(_sample), grown.apart())


@cache
def writers_of(game: Game, observation: str, mask: str) -> Writers:
    """The kernels for a form of observations and masks."""
    numba = importlib.import_module("numba")
    entry = np.dtype(observation)
    constants = written(game, entry, mask)
    grown = _transplant(
        game, floats_to=as_bytes() if entry == np.uint8 else as_floats(), bits_to=as_bits(game.actions),
        uint8=numba.uint8, FLOAT=numba.from_dtype(entry), **constants,
    )  # fmt: skip
    threads = constants["ABREAST"] if constants["COLLECTED"] else THREADS
    return Writers(grown.kernel(_show), grown.kernel(_check), grown.apart(), threads)


def written(game: Game, entry: np.dtype[Any], mask: str) -> dict[str, int]:
    """The constants of kernels that write observations with such entries, and masks in “bytes” or “bits”."""
    packed = _mask_words(game) if mask == "bits" else 0
    row = entry.itemsize * game.observation
    threads = abreast(row) if entry == np.uint8 or row >= LONG_ROW else 0
    return {
        "ACTIONS": game.actions, "FLOATS": game.observation, "MASK": packed, "MAY": max(WORD * packed, 1),
        "COLLECTED": int(threads > 0), "ABREAST": max(threads, 1),
    }  # fmt: skip


def _transplant(game: Game, **constants: Any) -> Transplant:
    numba = importlib.import_module("numba")
    state_in = as_state(numba.from_dtype(aligned(game.dtype)))
    return transplant(game, state_in=state_in, WORDS=words(game), **constants)


def _mask_words(game: Game) -> int:
    return -(-game.actions // BITS)


def abreast(row: int) -> int:
    """How many threads of a block have room for rows of this many bytes in shared memory; 0 if too few do.

    >>> abreast(101), abreast(1124), abreast(5000)
    (128, 32, 0)
    """
    return next((threads for threads in (128, 64, 32) if threads * row <= SHARED), 0)


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


def ran_out(error: BaseException) -> bool:
    """Whether memory ran out, here or on the card: numba-cuda raises an error of its own with the driver's code."""
    if isinstance(error, MemoryError):
        return True
    return type(error).__name__ == "CudaAPIError" and int(getattr(error, "code", 0)) == OUT_OF_MEMORY


def _array(shape: int | tuple[int, ...], dtype: Any) -> Any:
    """An array of zeros on the card, in which neighbouring matches are neighbours."""
    plain = toolkit().device_array(shape, dtype, order="F")
    driver: Any = importlib.import_module("numba.cuda.cudadrv.driver")
    driver.device_memset(plain, 0, plain.nbytes)
    return _card_array()(plain.shape, plain.strides, plain.dtype, gpu_data=plain.gpu_data)


class CudaBatch:
    """Matches of one game side by side on the card; the arrays of `Turns` are refilled by each step.

    `observation` is “float32”, as on the CPU, or “uint8”: the same numbers in steps of 1/255, a quarter of the bytes.
    `mask` is “bytes”, as on the CPU, or “bits”: 32 actions in each word of int32, the first in the lowest bit.
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
        mask: str = "bytes",
    ):
        if observation not in ("float32", "uint8"):
            raise BadOption("bad-observation", BAD_OBSERVATION, given=observation)
        if mask not in ("bytes", "bits"):
            raise BadOption("bad-mask", BAD_MASK, given=mask)
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
        shape, kind = (_mask_words(game), np.int32) if mask == "bits" else (game.actions, np.int8)
        written = np.dtype(observation).itemsize * game.observation + np.dtype(kind).itemsize * shape
        self._refuse_too_many(written)
        self._players = players_of(game)
        self._writers = writers_of(game, observation, mask)
        try:
            self._make_room(observation, kind, shape)
        except Exception as error:
            if ran_out(error):  # others use the card too
                raise self._too_many(written) from None
            raise
        self.reset(seed)

    def _make_room(self, observation: str, kind: Any, shape: int) -> None:
        """Arrays on the card."""
        game, matches, players = self.game, self.matches, self.players
        self.states = _array((matches, words(game)), np.uint32)
        """The states in words, on the card; `home` brings them here as records."""
        self.rngs = _array((matches, 4), np.uint32)
        self.scores = _array((matches, game.players[1]), np.int32)
        self.wins = _array((matches, game.players[1]), np.int32)
        self._actions = _array(matches, np.int32)
        self._turns = Turns(
            seats=_array(matches, np.int32),
            observation=_array((matches, game.observation), observation),
            action_mask=_array((matches, shape), kind),
            rewards=_array((matches, players), np.float32),
            over=_array(matches, np.bool_),
        )
        given = np.zeros(1, game.options_dtype)
        given[0] = self.settings
        self._given = self._tools.to_device(given)

    def reset(self, seed: int = 0) -> None:
        """Begin all matches again, each on its own stream of the seed."""
        self._play(True, self._actions, int(seed))
        self.turns()

    def turns(self) -> Turns:
        """What every match waits for now: arrays on the card, which the next step fills again."""
        turns = self._turns
        with our_way(self._writers.apart):
            threads = self._writers.threads
            self._writers.show[-(-self.matches // threads), threads](
                self.states, turns.seats, turns.action_mask, turns.observation
            )
        return turns

    def sample(self) -> Any:
        """A uniform legal action for every match that goes on, -1 for the others: on the card, refilled each time."""
        self._launch(self._players.sample, self.states, self.rngs, self._turns.seats, self._actions)
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
            self._players.play, self._given, seed, begins, int(self.auto_reset), int(self.game.cooperative), self.drawn,
            self.states, self.rngs, turns.seats, actions, self.scores, self.wins, turns.rewards, turns.over,
        )  # fmt: skip

    def _launch(self, kernel: Any, *given: Any) -> None:
        with our_way(self._players.apart):
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
        self._launch(self._writers.check, self._turns.seats, actions, self._turns.action_mask, bad)
        found = int(bad.copy_to_host()[0])
        if found < self.matches:
            seats: Any = self._turns.seats
            seat, action = int(seats.copy_to_host()[found]), int(actions.copy_to_host()[found])
            raise refusal_in(self.game, self.home()[found], found, seat, action)

    def _refuse_too_many(self, written: int) -> None:
        if self.matches * self._row(written) > self._free():
            raise self._too_many(written)

    def _too_many(self, written: int) -> BadOption:
        needed = self.matches * self._row(written) >> 20
        return BadOption("too-many-matches", TOO_MANY, matches=self.matches, needed=needed, free=self._free() >> 20)

    def _row(self, written: int) -> int:
        return WORD * words(self.game) + 8 * self.game.players[1] + written + 4 * self.players + 32

    def _free(self) -> int:
        return int(self._tools.current_context().get_memory_info().free)


def _typestr(actions: Any) -> str:
    shown = getattr(actions, "__cuda_array_interface__", None)
    return str(shown["typestr"] if shown else actions.dtype.str)
