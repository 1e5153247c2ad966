"""Run the same rules on a GPU: each thread plays one match after another, with the random streams of the CPU.

The rules aren't rewritten. Every rule that a game's verbs reach is compiled again as a device function, from the same
Python code: only the names it calls are rebound, and its integers have 32 bits, because a GPU has no others in
hardware. A few functions of core that use 64 bits on the CPU, to count bits and draw random bits, have twins here. A
match is a function of the seed and its number, so its final state is byte for byte that of the CPU.

Only this module and those beside it (`cuda_…`) use CUDA. They need the extra `gpu` and an NVIDIA card.
"""

from __future__ import annotations

import dis
import importlib
import importlib.util
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from types import FunctionType, SimpleNamespace
from typing import Any

import numpy as np

from tribord.core import bits, chance, verbs
from tribord.core.bits import lowest_bit
from tribord.core.chance import seed_stream
from tribord.core.engine import MOST_SEATS
from tribord.core.game import Game
from tribord.core.record import CHANCE, Ints, State, States
from tribord.core.refusal import BadOption, Refusal
from tribord.core.verbs import apply, initial, outcome, roll, sample, to_act
from tribord.core.words import _
from tribord.lab.cuda_narrow import arithmetic, narrow
from tribord.lab.guide import choose
from tribord.lab.simulate import Sample
from tribord.lab.tally import Tally

NOT_INSTALLED = _("A GPU needs the package “numba-cuda”: install tribord[gpu].")
NO_GPU = _("No GPU can be used here ({reason}). Install the driver of your NVIDIA card, or use the CPU.")
OLD_DRIVER = _("The driver of this GPU doesn’t suit numba-cuda ({reason}). Update the NVIDIA driver, or use the CPU.")
NO_ROOM = _("{free} MB are free on the GPU, and a launch takes {needed} MB. Close what else uses it, or use the CPU.")

KERNELS = (__name__, "tribord.lab.cuda_batch")  # modules written for the card: integers have the width they say
THREADS = 128  # per block
BLOCKS = 16  # in flight on each multiprocessor; more would wait, and matches are handed out one by one anyway
LONG = 300  # Python instructions from which a function is too long to inline
REGISTERS = 32  # per thread: few enough that all threads fit; guided play gets twice that
PORTION = 1 << 22  # matches in one launch, if the card has room for them
# What CUDA's errors say where a driver is too old for the compiler, or for the card.
UNSUITABLE = ("UNSUPPORTED_PTX", "DRIVER_MISMATCH", "INSUFFICIENT_DRIVER", "too old", "not supported by the driver")
TABLES = 4 + 2 * MOST_SEATS  # counts per match: length, winners, margin, reason; per seat score and win
NEAR = 128  # values counted in a block's shared memory
FAR = 1 << 18  # values that can be counted: the longest match of any game is shorter
LOWEST = -16  # the lowest countable value

FUNCTION = re.compile(r"^(define linkonce_odr [^\n]*?\d([a-z_]+)B\dv[^\n]*\))\s*\{", re.MULTILINE)  # in LLVM IR

# Bound when a kernel is made: nothing from CUDA is imported earlier.
cuda: Any = None
int32: Any = None
uint32: Any = None
uint64: Any = None
STATE: Any = None
ROOM = 0
BEST_OF = 0


# -- kernels ----------------------------------------------------------------------------------------------------------


def _play(
    settings: Any, seed: int, first: int, matches: int, counter: Any, keep: int, states: Any, scores: Any, wins: Any,
    lengths: Any, reasons: Any,
) -> None:  # fmt: skip
    """Each thread takes a match, plays it to its end and takes the next, until none is left."""
    scratch = cuda.local.array(2 if BEST_OF else 1, STATE)
    rng = cuda.local.array(4, uint32)
    out = cuda.local.array(ROOM, int32)
    points = cuda.local.array(MOST_SEATS, int32)
    won = cuda.local.array(MOST_SEATS, int32)
    state = scratch[0]
    length = -1
    match = 0
    seat = int32(CHANCE)
    action = int32(0)
    while True:
        cuda.syncwarp()
        if length < 0:
            match = cuda.atomic.add(counter, 0, 1)
            if match >= matches:
                break
            length = 0
            seed_stream(rng, seed, first + match)
            initial(state, settings[0])
        mask = to_act(state)
        if mask != 0:
            seat = lowest_bit(mask)
            if BEST_OF:
                action = int32(choose(scratch, seat, BEST_OF, rng, out))
            else:
                action = int32(sample(state, seat, rng, out))
            length += 1
        else:
            why = outcome(state, points, won)
            if why != 0:
                for k in range(scores.shape[1]):
                    scores[match, k] = points[k]
                    wins[match, k] = won[k]
                lengths[match] = length
                reasons[match] = why
                if keep:
                    states[match] = scratch[0]
                length = -1
            seat = int32(CHANCE)
            action = int32(roll(state, rng, out)) if why == 0 else int32(0)
        cuda.syncwarp()  # threads from different branches continue together
        if length >= 0:
            apply(state, seat, action, None)


def _count(matches: int, cooperative: int, scores: Any, wins: Any, lengths: Any, reasons: Any, tables: Any) -> None:
    """Count what the tally counts. Common values go to the block's shared memory, which is added up at the end."""
    near = cuda.shared.array((TABLES, NEAR), int32)
    for k in range(cuda.threadIdx.x, TABLES * NEAR, cuda.blockDim.x):
        near[k // NEAR, k % NEAR] = 0
    cuda.syncthreads()
    players = scores.shape[1]
    for match in range(cuda.grid(1), matches, cuda.gridsize(1)):
        best = -FAR
        second = -FAR
        winners = 0
        for seat in range(players):
            winners += wins[match, seat]
            if scores[match, seat] > best:
                second = best
                best = scores[match, seat]
            elif scores[match, seat] > second:
                second = scores[match, seat]
        for table in range(4 + 2 * players):
            if table == 0:
                value = int(lengths[match])
            elif table == 1:
                value = int(winners)
            elif table == 2:
                value = int(best - second) if players > 1 else 0
            elif table == 3:
                value = int(reasons[match])
            elif table < 4 + players:
                value = int(scores[match, table - 4])
            else:
                value = int(wins[match, table - 4 - players])
                if not cooperative:
                    value *= winners
            value = min(max(value - LOWEST, 0), FAR - 1)
            if value < NEAR:
                cuda.atomic.add(near, (table, value), 1)
            else:
                cuda.atomic.add(tables, (table, value), 1)
    cuda.syncthreads()
    for k in range(cuda.threadIdx.x, TABLES * NEAR, cuda.blockDim.x):
        if near[k // NEAR, k % NEAR]:
            cuda.atomic.add(tables, (k // NEAR, k % NEAR), near[k // NEAR, k % NEAR])


def _pack(states: Any, places: Any, packed: Any) -> None:
    """Copy the bytes at these places from each state, which converts the card's record layout to ours."""
    size = packed.shape[1]
    for k in range(cuda.grid(1), packed.shape[0] * size, cuda.gridsize(1)):
        packed[k // size, k % size] = states[k // size, places[k % size]]


# -- twins of functions of core, in 32 bits ---------------------------------------------------------------------------


def _random_bits(rng: Any) -> int:
    """`chance.bits`: xoshiro128++."""
    a = rng[0]
    b = rng[1]
    c = rng[2]
    d = rng[3]
    t = uint32(a + d)
    result = uint32(uint32((t << 7) | (t >> 25)) + a)
    c = uint32(c ^ a)
    d = uint32(d ^ b)
    rng[1] = uint32(b ^ c)
    rng[0] = uint32(a ^ d)
    rng[2] = uint32(c ^ uint32(b << 9))
    rng[3] = uint32((d << 11) | (d >> 21))
    return result


def _below(rng: Any, n: int) -> int:
    """`chance.below`: a 32-bit product with its high word."""
    top = uint32(n)
    product = uint64(_random_bits(rng)) * uint64(top)
    if uint32(product) < top:
        floor = uint32(uint32(-int32(top)) % top)
        while uint32(product) < floor:
            product = uint64(_random_bits(rng)) * uint64(top)
    return int32(product >> 32)


def _count_bits(mask: int) -> int:
    return int32(cuda.popc(uint32(mask)))


def _lowest_bit(mask: int) -> int:
    return int32(int32(cuda.ffs(uint32(mask))) - 1)


def _nth_bit(mask: int, n: int) -> int:
    rest = uint32(mask)
    for _k in range(int32(n)):
        rest = uint32(rest & uint32(rest - uint32(1)))
    return int32(int32(cuda.ffs(rest)) - 1)


def _bit_in(_table: Any, mask: int, k: int) -> int:
    return int32((int32(mask) >> int32(k)) & int32(1))


TWINS: dict[Any, Any] = {
    chance.bits: _random_bits,
    chance.below: _below,
    bits.count_bits: _count_bits,
    bits.lowest_bit: _lowest_bit,
    bits.nth_bit: _nth_bit,
    bits.bit_in: _bit_in,
}


# -- binding ----------------------------------------------------------------------------------------------------------


def narrowed(thing: Any) -> Any:
    """A table of integers in the narrowest type that holds them, to save cache.

    >>> narrowed(np.array([-1, 100])).dtype, narrowed(np.array([1, 200])).dtype
    (dtype('int8'), dtype('int16'))
    """
    if isinstance(thing, np.ndarray) and thing.dtype == np.int64:
        for width in (np.int8, np.int16, np.int32):
            if np.iinfo(width).min <= thing.min() and thing.max() <= np.iinfo(width).max:
                return thing.astype(width)
    return thing


class Transplant:
    """Turns the functions of a game's rules into device functions: the same code with rebound names."""

    def __init__(self, rules: SimpleNamespace, constants: dict[str, Any], operations: dict[str, Any]):
        self.rules = rules
        self.constants = constants
        self.operations = operations
        self._grown: dict[Any, Any] = {}

    def __call__(self, function: Any) -> Any:
        """The device function for one of ours."""
        if function not in self._grown:
            twin, names = self._copy(function)
            self._grown[function] = self.constants["cuda"].jit(twin, device=True)
            self._bind(function, names)
        return self._grown[function]

    def kernel(self, function: Any, **options: Any) -> Any:
        """A kernel that calls such functions. Launch it within `our_way`."""
        twin, names = self._copy(function)
        self._bind(function, names)
        return self.constants["cuda"].jit(twin, **options)

    def apart(self) -> frozenset[str]:
        """The names of functions that are long, including all they call, and called from several places."""
        calls = Counter[Any]()
        for function in self._grown:
            calls.update(self._called(function))
        ours = [function for function in self._grown if function not in TWINS.values()]
        return frozenset(f.__name__ for f in ours if calls[f] > 1 and self._weight(f) >= LONG)

    def _called(self, function: Any) -> list[Any]:
        """The functions that a function calls, with repetition."""
        named = [step.argval for step in dis.get_instructions(function) if step.opname == "LOAD_GLOBAL"]
        found = [self._meant(name, function.__globals__.get(name)) for name in named]
        return [called for called in found if called in self._grown]

    def _weight(self, function: Any) -> int:
        return len(list(dis.get_instructions(function))) + sum(map(self._weight, self._called(function)))

    def _meant(self, name: str, called: Any) -> Any:
        """What a name refers to: the game's own verb, or a twin."""
        is_verb = isinstance(called, FunctionType) and called.__module__ == verbs.__name__ and hasattr(verbs, name)
        if is_verb or hasattr(called, "default"):
            called = getattr(self.rules, name, getattr(called, "default", called))
        return TWINS.get(called, called) if isinstance(called, FunctionType) else None

    def _copy(self, function: Any) -> tuple[Any, dict[str, Any]]:
        names = {name: narrowed(thing) for name, thing in function.__globals__.items()}
        names |= {name: thing for name, thing in self.constants.items() if name in names}
        code = function.__code__
        if function.__module__ not in (*KERNELS, chance.__name__):
            code, numbers = narrow(function)
            names |= numbers | self.operations
        twin = FunctionType(code, names, function.__name__, function.__defaults__)
        twin.__module__ = function.__module__
        return twin, names

    def _bind(self, function: Any, names: dict[str, Any]) -> None:
        for name in function.__code__.co_names:
            called = self._meant(name, names.get(name))
            if called is not None:
                names[name] = self(called)


def _nothing() -> None:
    """A kernel, to see whether the driver takes what the compiler makes."""


def no_gpu(error: Exception) -> Refusal:
    """What to do about an error of the driver, or of CUDA's libraries."""
    reason = " ".join(str(error).split())[:200].rstrip(" .:") or type(error).__name__
    if any(sign in reason for sign in UNSUITABLE):
        return Refusal("old-driver", OLD_DRIVER, reason=reason)
    return Refusal("no-gpu", NO_GPU, reason=reason)


@cache
def toolkit() -> Any:
    """Numba's CUDA with a working card, or a refusal that says what is missing."""
    if importlib.util.find_spec("numba_cuda") is None:
        raise Refusal("not-installed", NOT_INSTALLED)
    for gone, still in (("row_stack", "vstack"), ("trapz", "trapezoid"), ("in1d", "isin")):
        if not hasattr(np, gone):  # numba-cuda refers to them at import, and NumPy 2.5 has dropped them
            setattr(np, gone, getattr(np, still))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # hide numba-cuda's own deprecation warnings
            found = importlib.import_module("numba.cuda")
            found.current_context()
            found.jit("void()")(_nothing)  # compiled and loaded now: an old driver only fails at this
    except Exception as error:  # any error of the driver, or of CUDA's libraries
        raise no_gpu(error) from None
    return found


@contextmanager
def our_way(apart: frozenset[str]) -> Iterator[None]:
    """Patch the compiler where numba-cuda lacks an option.

    Tables go to global memory: constant memory serves one address at a time, and here each thread looks up another.
    Functions named in `apart` aren't inlined: diverged threads of a warp then wait for fewer instructions, because all
    of the code fits the cache.
    """

    def mark(found: re.Match[str]) -> str:
        return f"{found[1]} noinline\n{{" if found[2] in apart else found[0]

    compiler: Any = importlib.import_module("numba.cuda.cudadrv.nvvm")
    compile_ir: Callable[..., Any] = compiler.compile_ir
    space = compiler.ADDRSPACE_CONSTANT
    compiler.compile_ir = lambda codes, **options: compile_ir([FUNCTION.sub(mark, code) for code in codes], **options)
    compiler.ADDRSPACE_CONSTANT = compiler.ADDRSPACE_GLOBAL
    try:
        yield
    finally:
        compiler.compile_ir = compile_ir
        compiler.ADDRSPACE_CONSTANT = space


def aligned(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The same fields at aligned addresses, the only ones a GPU can read.

    >>> aligned(np.dtype([("a", "i1"), ("b", "i2")])).itemsize
    4
    """
    return np.dtype([(name, dtype[name].base, dtype[name].shape) for name in dtype.names or ()], align=True)


def places(dtype: np.dtype[Any], wide: np.dtype[Any]) -> Ints:
    """The place of each byte of a record in the other layout (little-endian in wider numbers).

    >>> packed = np.dtype([("a", "i1"), ("b", "i2", 2)])
    >>> places(packed, aligned(packed)).tolist()
    [0, 2, 3, 4, 5]
    """
    found = []
    for name in dtype.names or ():
        narrow, room = dtype[name].base.itemsize, wide[name].base.itemsize
        for k in range(dtype[name].itemsize // narrow):
            found += [wide.fields[name][1] + k * room + byte for byte in range(narrow)]  # type: ignore[index]
    return np.array(found, np.int64)


@dataclass(frozen=True)
class Kernels:
    """The compiled kernels of a game, with their launch parameters."""

    play: Any
    count: Any
    pack: Any
    dtype: np.dtype[Any]
    blocks: int
    apart: frozenset[str]


def transplant(game: Game, **constants: Any) -> Transplant:
    """A game's rules as device functions; `constants` are bound beside those that every kernel knows."""
    numba = importlib.import_module("numba")
    known = {
        "cuda": toolkit(), "int32": numba.int32, "uint32": numba.uint32, "uint64": numba.uint64,
        "STATE": numba.from_dtype(aligned(game.dtype)), "ROOM": max(game.actions, game.chances),
    }  # fmt: skip
    return Transplant(game.rules, known | constants, arithmetic())


@cache
def kernels(game: Game, best_of: int) -> Kernels:
    """The kernels of a game: uniform with `best_of` 0, otherwise guided."""
    grown = transplant(game, BEST_OF=best_of)
    blocks = BLOCKS * toolkit().get_current_device().MULTIPROCESSOR_COUNT
    play = grown.kernel(_play, max_registers=2 * REGISTERS if best_of else REGISTERS)
    return Kernels(play, grown.kernel(_count), grown.kernel(_pack), aligned(game.dtype), blocks, grown.apart())


class Portion:
    """The matches of one launch, on the card."""

    def __init__(self, game: Game, settings: State, matches: int, seed: int, first: int, best_of: int, keep: bool):
        tools = toolkit()
        self.game = game
        self.matches = matches
        self.kernels = kernels(game, best_of)
        players = int(settings.players)
        self.states = tools.device_array(matches if keep else 1, self.kernels.dtype)
        self.scores = tools.device_array((matches, players), np.int32)
        self.wins = tools.device_array((matches, players), np.int32)
        self.lengths = tools.device_array(matches, np.int32)
        self.reasons = tools.device_array(matches, np.int32)
        counter = tools.to_device(np.zeros(1, np.int32))
        given = np.zeros(1, game.options_dtype)
        given[0] = settings
        with our_way(self.kernels.apart):
            self.kernels.play[self.kernels.blocks, THREADS](
                tools.to_device(given), seed, first, matches, counter, int(keep), self.states, self.scores, self.wins,
                self.lengths, self.reasons,
            )  # fmt: skip

    def count(self, tables: Any) -> None:
        """Count these matches on the card."""
        self.kernels.count[self.kernels.blocks, THREADS](
            self.matches, int(self.game.cooperative), self.scores, self.wins, self.lengths, self.reasons, tables
        )

    def packed(self) -> Any:
        """The bytes of the final states."""
        tools = toolkit()
        found = tools.device_array((self.matches, self.game.state_bytes), np.uint8)
        spots = tools.to_device(places(self.game.dtype, self.kernels.dtype))
        raw = self.states.view(np.uint8).reshape(self.matches, self.kernels.dtype.itemsize)
        self.kernels.pack[self.kernels.blocks, THREADS](raw, spots, found)
        return found.copy_to_host()

    def sample(self) -> Sample:
        """Copy these matches to the host."""
        seats = self.game.players[1]
        scores, wins = np.zeros((self.matches, seats), np.int64), np.zeros((self.matches, seats), np.int64)
        scores[:, : self.scores.shape[1]] = self.scores.copy_to_host()
        wins[:, : self.wins.shape[1]] = self.wins.copy_to_host()
        states: States = self.packed().view(self.game.dtype)[:, 0].view(np.recarray)
        return Sample(states, scores, wins, self.lengths.copy_to_host().astype(np.int64))


def card() -> str:
    """The name of the card."""
    name = toolkit().get_current_device().name
    return name.decode() if isinstance(name, bytes) else str(name)


def play_on_card(game: Game, settings: State, matches: int, seed: int, first: int = 0, best_of: int = 0) -> Sample:
    """`play_out` on the card (or `play_guided`, with `best_of`): the same matches, byte for byte."""
    return Portion(game, settings, matches, seed, first, best_of, True).sample()


def portion_size(tools: Any, game: Game, players: int, states: bool) -> int:
    """How many matches a launch may have with the memory that is free. Refuses if it isn't enough for one block."""
    row = 8 * players + 8 + (aligned(game.dtype).itemsize + game.state_bytes if states else 0)
    free = int(tools.current_context().get_memory_info().free)
    if THREADS * row > free // 2:
        raise BadOption("no-room", NO_ROOM, needed=max(1, 2 * THREADS * row >> 20), free=free >> 20)
    return min(PORTION, free // 2 // row)


def play_and_count(
    game: Game, settings: State, matches: int, seed: int, tally: Tally, best_of: int = 0, states: bool = True
) -> Iterator[bytes]:
    """Play matches in portions, count them on the card into the tally, and yield the bytes of their final states.

    Without `states` only the counts leave the card, and every portion yields empty bytes.
    """
    tools = toolkit()
    tables = tools.to_device(np.zeros((TABLES, FAR), np.int32))
    size = portion_size(tools, game, int(settings.players), states)
    for first in range(0, matches, size):
        portion = Portion(game, settings, min(size, matches - first), seed, first, best_of, states)
        portion.count(tables)
        add(tally, tables.copy_to_host(), portion.matches)
        tables.copy_to_device(np.zeros((TABLES, FAR), np.int32))
        yield portion.packed().tobytes() if states else b""


def add(tally: Tally, tables: Any, matches: int) -> None:
    """Add the card's counts to a tally."""
    found = [Counter({int(k) + LOWEST: int(table[k]) for k in np.flatnonzero(table)}) for table in tables]
    tally.matches += matches
    tally.actions += sum(length * times for length, times in found[0].items())
    tally.lengths += found[0]
    tally.winners += found[1]
    if tally.players > 1 and not tally.game.cooperative:
        tally.margins += found[2]
    tally.reasons += found[3]
    for seat in range(tally.players):
        tally.scores[seat] += found[4 + seat]
        tally.wins[seat] += found[4 + tally.players + seat]
