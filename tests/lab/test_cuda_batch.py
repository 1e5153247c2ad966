"""Batches on a GPU: byte for byte those of the CPU, read by torch, JAX and CuPy without a copy; and what is refused.

Without a card the same kernels run in Python, one thread after the other, with the rules as rewritten for the card.
"""

import operator
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from tests.lab.test_cuda import TABLES, Paper, Word, checked, gpu, has_card, place

from tribord import BadOption, IllegalAction, Refusal, load
from tribord.core.batch import Batch
from tribord.lab import cuda, cuda_batch, cuda_narrow
from tribord.lab.cuda_batch import CudaBatch
from tribord.lab.cuda_types import in_bits, in_bytes, words

MATCHES, STEPS = 700, 90


def home(array):
    return array.copy_to_host()


@pytest.mark.parametrize("alone", [False, True])
@pytest.mark.parametrize("auto_reset", [False, True])
@pytest.mark.parametrize(("name", "players", "options"), TABLES)
@pytest.mark.filterwarnings("ignore:.*Grid size")
@gpu
def test_every_step_on_the_card_is_byte_for_byte_that_of_the_cpu(name, players, options, auto_reset, alone):
    game = load(name)
    uniform = range(1, players) if alone else ()
    ours = Batch(game, MATCHES, players, 5, options, auto_reset, uniform)
    theirs = CudaBatch(game, MATCHES, players, 5, options, auto_reset, uniform)
    small = CudaBatch(game, MATCHES, players, 5, options, auto_reset, uniform, observation="uint8", mask="bits")
    same_steps(ours, theirs, small, STEPS, to_the_end=alone)
    assert theirs.home().tobytes() == ours.states.tobytes()
    assert np.array_equal(home(theirs.scores), ours.scores)
    for batch in (ours, theirs, small):
        batch.reset(6)
    same_steps(ours, theirs, small, 3)


def same_steps(ours, theirs, small, steps, to_the_end=False):
    """This many steps, or more until a match ends: all three must see the same."""
    turns, found, compact = ours.turns(), theirs.turns(), small.turns()
    ended = False
    for step in range(20 * steps):
        if step >= steps and (ended or not to_the_end):
            break
        assert home(found.seats).tolist() == turns.seats.tolist()
        for field in ("observation", "action_mask", "rewards", "over"):
            assert home(getattr(found, field)).tobytes() == getattr(turns, field).tobytes(), field
        assert np.array_equal(home(compact.observation), in_bytes(turns.observation))
        assert np.array_equal(home(compact.action_mask), in_bits(turns.action_mask))
        ended |= turns.over.any()
        actions = ours.sample()
        assert home(theirs.sample()).tolist() == home(small.sample()).tolist() == actions.tolist()
        turns, found, compact = ours.advance(actions, out=turns), theirs.advance(actions), small.advance(actions)
    assert ended or not to_the_end


class Floats:
    """A column of an array to which a rule writes floats, in Python."""

    def __init__(self, array, column):
        self.column = array[:, column]

    def __len__(self):
        return len(self.column)

    def __setitem__(self, k, value):
        self.column[k] = value


class Bytes(Floats):
    """The same for bytes."""

    def __setitem__(self, k, value):
        self.column[k] = in_bytes(np.array([value], np.float32))[0]


def bits(actions):
    class Bits(Floats):
        """The same for a mask, a bit an action."""

        def __len__(self):
            return actions

        def __getitem__(self, k):
            assert 0 <= k < actions
            return int(self.column[k >> 3]) >> (k & 7) & 1

        def __setitem__(self, k, value):
            assert 0 <= k < actions and value in (0, 1)
            self.column[k >> 3] = int(self.column[k >> 3]) & ~(1 << (k & 7)) | value << (k & 7)

    return Bits


class Room(np.ndarray):
    """A thread's own memory; a number read from it is Python's, which doesn't overflow."""

    def __getitem__(self, k):
        found = super().__getitem__(k)
        return found.item() if isinstance(found, np.generic) else found


class PaperCard(Paper):
    """A card without a GPU, one thread after the other."""

    thread = 0
    grid = staticmethod(lambda _axes: PaperCard.thread)
    syncwarp = staticmethod(lambda: None)
    threadIdx = SimpleNamespace(x=0)
    atomic = SimpleNamespace(min=lambda array, k, number: array.__setitem__(k, min(array[k], number)))
    local = shared = SimpleNamespace(
        array=lambda n, kind: np.zeros(n, {Word: np.uint32, Small: np.int64}.get(kind, kind)).view(Room)
    )


class Small(int):
    """A number of the card: what has 32 bits there must fit them."""

    def __new__(cls, number):
        assert -(1 << 31) <= int(number) < 1 << 31
        return int(number)


def read_as(dtype, room):
    return np.asarray(room).view(np.uint8)[: dtype.itemsize].view(dtype).view(np.recarray)[0]


@pytest.mark.parametrize(
    ("entry", "packed", "collected"),
    [(np.float32, False, True), (np.float32, True, False), (np.uint8, True, True), (np.uint8, False, False)],
)
@pytest.mark.parametrize(("name", "players", "options"), TABLES)
def test_the_kernels_in_python_are_byte_for_byte_the_batch(
    name, players, options, entry, packed, collected, monkeypatch
):
    monkeypatch.setattr(cuda_batch, "LONG_ROW" if collected else "SHARED", 0)
    game = load(name)
    wide = cuda.aligned(game.dtype)
    compact = entry is np.uint8
    operations = {"_" + name: checked(meant) for name, meant in cuda_narrow.OPERATORS.values()}
    operations |= {"_not": operator.invert, "_place": place, "int": int}
    known = {
        "cuda": PaperCard, "int32": Small, "uint8": np.uint8, "uint32": Word, "uint64": int,
        "ROOM": max(game.actions, game.chances), "WORDS": words(game), "state_in": partial(read_as, wide),
        "bits_to": bits(game.actions), "floats_to": Bytes if compact else Floats,
    }  # fmt: skip
    known |= cuda_batch.written(game, np.dtype(entry), "bits" if packed else "bytes") | {"FLOAT": entry}
    assert known["COLLECTED"] == collected
    grown = cuda.Transplant(game.rules, known, operations)
    kernels = (cuda_batch._play, cuda_batch._show, cuda_batch._sample, cuda_batch._check)
    play, show, sample, check = map(grown.kernel, kernels)
    matches, uniform = 2, range(1, players)  # so that matches end within some steps
    ours = Batch(game, matches, players, 5, options, auto_reset=True, uniform=uniform)
    settings = np.zeros(1, game.options_dtype).view(np.recarray)
    settings[0] = ours.settings
    states, rngs = np.zeros((matches, words(game)), np.uint32), np.zeros((matches, 4), np.uint32)
    seats, actions, over = np.zeros(matches, np.int32), np.zeros(matches, np.int32), np.zeros(matches, np.bool_)
    scores, wins = np.zeros((2, matches, game.players[1]), np.int32)
    mask = np.zeros_like(in_bits(ours.turns().action_mask) if packed else ours.turns().action_mask)
    rewards, seen = np.zeros((matches, players), np.float32), np.zeros((matches, game.observation), entry)

    def launch(kernel, *given):
        for PaperCard.thread in range(matches):
            kernel(*given)

    def step(begins):
        launch(
            play, settings, 5, begins, 1, int(game.cooperative), ours.drawn, states, rngs, seats, actions, scores, wins,
            rewards, over,
        )  # fmt: skip
        launch(show, states, seats, mask, seen)

    step(True)
    turns = ours.turns()
    ended = 0
    for _step in range(300):
        assert seats.tolist() == turns.seats.tolist()
        assert np.array_equal(seen, in_bytes(turns.observation) if compact else turns.observation)
        assert np.array_equal(mask, in_bits(turns.action_mask) if packed else turns.action_mask)
        for found, field in ((rewards, "rewards"), (over, "over")):
            assert found.tobytes() == getattr(turns, field).tobytes(), field
        launch(sample, states, rngs, seats, actions)
        assert actions.tolist() == ours.sample().tolist()
        for wrong, expected in ((actions, matches), (turns.action_mask.argmin(1), 0), (actions - [0, 10_000], 1)):
            launch(check, seats, wrong, mask, bad := np.full(1, matches, np.int32))
            assert bad[0] == expected or turns.action_mask.all(1).any()
        turns = ours.advance(actions, out=turns)
        step(False)
        ended += int(over.sum())
        if ended > 1:
            break
    assert ended or players == 1
    raw = states.view(np.uint8)[:, cuda.places(game.dtype, wide)]
    assert raw.tobytes() == ours.states.tobytes()


@gpu
@pytest.mark.parametrize("mask", ["bytes", "bits"])
@pytest.mark.filterwarnings("ignore:.*Grid size")
def test_an_illegal_action_refuses_the_whole_step_and_changes_nothing(mask):
    batch = CudaBatch(load("walk-the-plank"), 50, 4, seed=1, mask=mask)
    before = batch.home().tobytes()
    actions = home(batch.sample())
    actions[7] = 819
    with pytest.raises(IllegalAction, match="Match 7 of the batch"):
        batch.advance(actions)
    assert batch.home().tobytes() == before
    with pytest.raises(IllegalAction, match="as many whole numbers"):
        batch.advance(actions[:-1])


@pytest.mark.filterwarnings("ignore:.*Grid size")
@pytest.mark.parametrize("library", ["numpy", pytest.param("torch", marks=gpu), pytest.param("jax.numpy", marks=gpu)])
def test_a_line_unpacks_a_mask(library):
    arrays = pytest.importorskip(library)
    game = load("walk-the-plank")
    mask = Batch(game, 64, 4, seed=1).turns().action_mask
    words, places = in_bits(mask), arrays.arange(32)
    if library != "numpy":
        read = partial(arrays.as_tensor, device="cuda") if library == "torch" else arrays.asarray
        words, places = read(CudaBatch(game, 64, 4, seed=1, mask="bits").turns().action_mask), read(places)
    unpacked = (words[:, :, None] >> places & 1).reshape(64, -1)[:, : game.actions]
    assert unpacked.tolist() == mask.tolist()


def address(array):
    if hasattr(array, "data_ptr"):
        return array.data_ptr()
    return array.unsafe_buffer_pointer() if hasattr(array, "unsafe_buffer_pointer") else array.data.ptr


@gpu
@pytest.mark.filterwarnings("ignore:.*Grid size")
@pytest.mark.parametrize("library", ["torch", "torch.utils.dlpack", "cupy", "jax.dlpack", "jax.numpy"])
def test_libraries_read_the_arrays_where_they_are(library):
    module = pytest.importorskip(library)
    if library == "torch":
        read = partial(module.as_tensor, device="cuda")
    elif library == "jax.numpy":
        read = module.asarray
    else:
        read = module.from_dlpack
    turns = CudaBatch(load("faut-pas-pousser"), 64, 4, seed=1).turns()
    for array in (turns.observation, turns.action_mask, turns.seats, turns.rewards):
        seen = read(array)
        assert np.array_equal(np.asarray(seen.get() if hasattr(seen, "get") else seen.tolist()), home(array))
        assert address(seen) == array.__cuda_array_interface__["data"][0]


@gpu
@pytest.mark.filterwarnings("ignore:.*Grid size")
def test_opponents_may_be_a_callable_on_the_card():
    torch = pytest.importorskip("torch")
    batch = CudaBatch(load("faut-pas-pousser"), 500, 4, seed=1)

    def lowest(mask, _seats):
        return mask.int().argmax(1)

    def highest(mask, _seats):
        return mask.shape[1] - 1 - mask.flip(1).int().argmax(1)

    turns = batch.turns()
    mask, seats = (torch.as_tensor(array, device="cuda") for array in (turns.action_mask, turns.seats))
    while (seats >= 0).any():
        batch.advance(torch.where(seats == 2, lowest(mask, seats), highest(mask, seats)))
    assert home(batch.scores).sum(axis=1).min() >= 90


@gpu
def test_more_matches_than_the_card_holds_are_refused_in_words():
    with pytest.raises(BadOption, match="Ask for fewer"):
        CudaBatch(load("walk-the-plank"), 10**9, 4)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"observation": "int4"}, "float32 or uint8, not int4"),
        ({"mask": "words"}, "bytes or bits, not words"),
        ({"matches": 0}, "at least one match, not 0"),
    ],
)
def test_what_no_card_could_do_is_refused_before_a_card_is_looked_for(wrong, sentence):
    with pytest.raises(BadOption, match=sentence):
        CudaBatch(load("walk-the-plank"), **({"matches": 10, "players": 4} | wrong))


@pytest.mark.parametrize(("form", "needed"), [({}, 199), ({"observation": "uint8", "mask": "bits"}, 50)])
def test_too_little_memory_is_refused_with_figures(monkeypatch, form, needed):
    free = SimpleNamespace(get_memory_info=lambda: SimpleNamespace(free=5 << 20))
    monkeypatch.setattr("tribord.lab.cuda_batch.toolkit", lambda: SimpleNamespace(current_context=lambda: free))
    sentence = rf"100000 matches take {needed} MB on the card, and 5 MB are free\. Ask for fewer, or for"
    with pytest.raises(BadOption, match=sentence):
        CudaBatch(load("walk-the-plank"), 100_000, 4, **form)


def test_memory_that_runs_out_after_the_check_is_refused_with_figures_too(monkeypatch):
    class CudaAPIError(Exception):
        code = 2

    def fail(*_given, **_more):
        raise CudaAPIError

    free = SimpleNamespace(get_memory_info=lambda: SimpleNamespace(free=500 << 20))
    tools = SimpleNamespace(current_context=lambda: free, device_array=fail)
    monkeypatch.setattr("tribord.lab.cuda_batch.toolkit", lambda: tools)
    for name in ("players_of", "writers_of"):
        monkeypatch.setattr(f"tribord.lab.cuda_batch.{name}", lambda *_given: None)
    with pytest.raises(BadOption, match=r"take 199 MB on the card, and 500 MB are free\. Ask for fewer"):
        CudaBatch(load("walk-the-plank"), 100_000, 4)
    monkeypatch.setattr(CudaAPIError, "code", 700)
    with pytest.raises(CudaAPIError):
        CudaBatch(load("walk-the-plank"), 100_000, 4)


@pytest.mark.skipif(has_card(), reason="there is a card")
def test_without_a_card_a_sentence_says_what_is_missing():
    with pytest.raises(Refusal, match="GPU"):
        CudaBatch(load("walk-the-plank"), 10, 4)
