"""The GPU: the same matches byte for byte, and the same counts; without one, a sentence."""

import importlib
import importlib.util
import json
import operator
from types import SimpleNamespace

import numpy as np
import pytest

from tribord import BadOption, Refusal, game_ids, load
from tribord.core.bits import lowest_bit
from tribord.core.chance import stream
from tribord.core.record import CHANCE
from tribord.core.verbs import apply, evaluate, initial, outcome, roll, sample, to_act
from tribord.lab import cuda, cuda_narrow
from tribord.lab.guide import play_guided
from tribord.lab.simulate import play_out, simulate
from tribord.lab.tally import Tally


def has_card() -> bool:
    """Whether a GPU can be used here."""
    try:
        cuda.toolkit()
    except Refusal:
        return False
    return True


gpu = pytest.mark.skipif(not has_card(), reason="needs the extra gpu and an NVIDIA card")

TABLES = [
    ("faut-pas-pousser", 2, {}),
    ("faut-pas-pousser", 3, {"age": [2, 0, 1]}),
    ("faut-pas-pousser", 4, {}),
    ("walk-the-plank", 3, {"rounds": 7}),
    ("walk-the-plank", 4, {"skulls": ["run"]}),
    ("walk-the-plank", 5, {}),
    ("sauve-qui-peut", 3, {"boats": "players+1"}),
    ("sauve-qui-peut", 4, {"first": 2}),
    ("sauve-qui-peut", 6, {}),
    ("ile-aux-pirates", 1, {}),
    ("ile-aux-pirates", 6, {"turns": 9}),
    ("ile-aux-pirates", 1, {"game": "strategic"}),
    ("ile-aux-pirates", 3, {"game": "strategic", "memory": False, "hard": True}),
    ("ile-aux-pirates", 4, {"game": "strategic", "harder": True}),
]


def same(one, other):
    assert one.states.tobytes() == other.states.tobytes()
    for field in ("scores", "wins", "lengths"):
        assert np.array_equal(getattr(one, field), getattr(other, field))


@gpu
@pytest.mark.parametrize(("name", "players", "options"), TABLES)
def test_a_uniform_match_on_the_card_is_byte_for_byte_that_of_the_cpu(name, players, options):
    game = load(name)
    settings = game.settings(players, options, research=True)
    first = (1 << 32) - 2000  # the numbers of matches pass 32 bits
    same(cuda.play_on_card(game, settings, 5000, 11, first), play_out(game, settings, 5000, 11, first))


@gpu
@pytest.mark.parametrize(("name", "players", "options"), TABLES)
@pytest.mark.parametrize("best_of", [3])
def test_a_guided_match_on_the_card_is_byte_for_byte_that_of_the_cpu(name, players, options, best_of):
    game = load(name)
    settings = game.settings(players, options, research=True)
    same(cuda.play_on_card(game, settings, 2000, 12, 7, best_of), play_guided(game, settings, 2000, 12, 7, best_of))


def _judge(states, seats, values):
    for k in range(len(seats)):
        values[k] = evaluate(states[k], seats[k])


@gpu
@pytest.mark.filterwarnings("ignore:.*Grid size")
@pytest.mark.parametrize("name", game_ids())
def test_judgements_on_the_card_are_those_of_python_to_the_last_bit(name):
    game = load(name)
    card = cuda.toolkit()
    states = np.zeros(1000, cuda.aligned(game.dtype))
    seats, expected, given = np.zeros(1000, np.int64), np.zeros(1000), np.zeros(1000)
    rng, out, weights = stream(4), np.zeros(game.actions, np.int64), np.zeros(game.chances, np.int64)
    scores, wins = np.zeros((2, game.players[1]), np.int64)
    k = 0
    while k < 1000:
        state = game.states(1)[0]
        initial(state, game.settings(game.players[1], research=True))
        while k < 1000 and outcome(state, scores, wins) == 0:
            if to_act(state):
                seats[k] = lowest_bit(to_act(state))
                apply(state, int(seats[k]), sample(state, int(seats[k]), rng, out), None)
                states[k], expected[k] = tuple(state), evaluate(state, int(seats[k]))
                k += 1
            else:
                apply(state, CHANCE, roll(state, rng, weights), None)
    grown = cuda.transplant(game)
    kernel = grown.kernel(_judge)
    with cuda.our_way(grown.apart()):
        kernel[1, 1](card.to_device(states), card.to_device(seats), found := card.to_device(given))
    assert np.array_equal(found.copy_to_host(), expected)
    assert len(set(expected)) > 10


@gpu
@pytest.mark.parametrize(("name", "players", "options"), TABLES)
def test_counts_on_the_card_are_those_of_the_cpu(name, players, options, monkeypatch):
    monkeypatch.setattr(cuda, "PORTION", 700)
    found = [simulate(load(name), players, 2000, 3, options, device=device) for device in ("cpu", "cuda")]
    for result in found:
        for field in ("seconds", "actions_per_second", "device"):
            result.pop(field)
    assert found[0] == found[1]


@gpu
def test_nothing_but_counts_need_leave_the_card():
    game = load("sauve-qui-peut")
    settings = game.settings(4, research=True)
    tally = Tally(game, 4)
    assert list(cuda.play_and_count(game, settings, 1000, 5, tally, states=False)) == [b""]
    assert tally.as_dict() == {key: simulate(game, 4, 1000, 5)[key] for key in tally.as_dict()}


def checked(operation):
    """An operation as the card would do it, if its result fits 32 bits."""

    def result(*numbers):
        found = operation(*(int(x) if isinstance(x, np.integer) else x for x in numbers))
        assert isinstance(found, float) or -(1 << 31) <= found < 1 << 31
        return found

    return result


def place(number):
    assert number >= 0, "a list is indexed from its end"
    return int(number)


class Word:
    """A number of 32 bits without a sign."""

    def __new__(cls, number):
        return int(number) & 0xFFFFFFFF


class Paper:
    """A card without a GPU: its functions stay Python."""

    jit = staticmethod(lambda function, **_options: function)
    popc = staticmethod(int.bit_count)
    ffs = staticmethod(lambda number: (number & -number).bit_length())


@pytest.mark.parametrize(("name", "players", "options"), TABLES)
def test_the_rules_for_the_card_are_the_rules_and_their_numbers_fit_32_bits(name, players, options):
    game = load(name)
    wide = {"int32": int, "uint32": Word, "uint64": int}
    operations = {"_" + name: checked(meant) for name, meant in cuda_narrow.OPERATORS.values()}
    operations |= {"_not": operator.invert, "_place": place, "int": int}
    grown = cuda.Transplant(game.rules, {"cuda": Paper, **wide}, operations)
    ours = (initial, to_act, sample, roll, apply, outcome, evaluate)
    card = [grown(getattr(game.rules, verb.__name__, getattr(verb, "default", None))) for verb in ours]
    assert played(game, players, options, *card) == played(game, players, options, *ours)


def played(game, players, options, initial, to_act, sample, roll, apply, outcome, evaluate):
    """Two matches by these verbs: every state's evaluation, and the final states."""
    rng, out, weights = stream(8), np.zeros(game.actions, np.int64), np.zeros(game.chances, np.int64)
    scores, wins = np.zeros((2, game.players[1]), np.int64)
    found = []
    for _match in range(2):
        state = game.states(1)[0]
        initial(state, game.settings(players, options, research=True))
        while outcome(state, scores, wins) == 0:
            mask = int(to_act(state))
            seat = lowest_bit(mask) if mask else CHANCE
            apply(state, seat, sample(state, seat, rng, out) if mask else roll(state, rng, weights), None)
            if mask:
                found.append(evaluate(state, seat))
        found.append(state.tobytes())
    return found


@pytest.mark.skipif(has_card(), reason="there is a GPU")
def test_without_a_gpu_the_command_says_what_is_missing(capsys):
    main = importlib.import_module("tribord.cli").main
    assert main(["simulate", "faut-pas-pousser", "--device", "cuda", "--matches", "10", "--lang", "en"]) != 0
    said = capsys.readouterr().err
    missing = importlib.util.find_spec("numba_cuda") is None
    assert ("install tribord[gpu]" in said) if missing else ("NVIDIA card" in said and "use the CPU" in said)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"device": "abacus"}, "Unknown device “abacus”"),
        ({"device": "cuda", "bots": ["mousse"]}, "“bots” needs the CPU"),
        ({"best_of": -1}, "at least 0"),
        ({"best_of": 2, "bots": ["mousse"]}, "either “best-of” or “bots”"),
    ],
)
def test_what_a_device_cannot_do_is_refused(wrong, sentence):
    with pytest.raises(Refusal, match=sentence):
        simulate(load("faut-pas-pousser"), 4, 10, **wrong)


class Driver:
    """Numba's CUDA with a driver that fails so, or with so much free memory."""

    def __init__(self, context="", loading="", free=0):
        self.context, self.loading, self.free = context, loading, free

    def current_context(self):
        if self.context:
            raise RuntimeError(self.context)
        return SimpleNamespace(get_memory_info=lambda: SimpleNamespace(free=self.free))

    def jit(self, signature):
        def load(kernel):
            if self.loading:
                raise RuntimeError(self.loading)

        return load


@pytest.mark.parametrize(
    ("driver", "sentence"),
    [
        (
            Driver(context="Error at driver init:\nCUDA driver library cannot be found.\n:"),
            r"^No GPU can be used here \(Error at driver init: .* cannot be found\)\. Install the driver of",
        ),
        (
            Driver(loading="[222] Call to cuModuleLoadDataEx results in CUDA_ERROR_UNSUPPORTED_PTX_VERSION"),
            r"^The driver of this GPU doesn’t suit numba-cuda \(.*PTX_VERSION\)\. Update the NVIDIA driver, or",
        ),
        (
            Driver(context="Call to cuInit: CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"),
            "Update the NVIDIA driver, or use the CPU",
        ),
    ],
)
def test_a_driver_that_is_missing_or_too_old_is_refused_with_what_to_do(driver, sentence, monkeypatch):
    monkeypatch.setattr(cuda.importlib.util, "find_spec", lambda name: name)
    monkeypatch.setattr(cuda.importlib, "import_module", lambda name: driver)
    cuda.toolkit.cache_clear()
    try:
        with pytest.raises(Refusal, match=sentence):
            cuda.toolkit()
    finally:
        cuda.toolkit.cache_clear()


def test_a_launch_has_as_many_matches_as_fit_and_too_little_memory_is_refused():
    game = load("walk-the-plank")
    assert cuda.portion_size(Driver(free=1 << 40), game, 4, True) == cuda.PORTION
    some = cuda.portion_size(Driver(free=1 << 28), game, 4, True)
    assert cuda.THREADS < some < cuda.PORTION and some < cuda.portion_size(Driver(free=1 << 28), game, 4, False)
    with pytest.raises(
        BadOption, match=r"^0 MB are free on the GPU, and a launch takes 1 MB\. Close what else uses it"
    ):
        cuda.portion_size(Driver(free=1000), game, 4, True)


@pytest.mark.parametrize("name", game_ids())
def test_guided_play_is_better_than_uniform_play_or_as_good(name):
    game = load(name)
    players = game.players[0]
    settings = game.settings(players, research=True)
    uniform, guided = play_out(game, settings, 400, 1), play_guided(game, settings, 400, 1, best_of=6)
    assert uniform.states.tobytes() != guided.states.tobytes()
    if game.cooperative:
        assert guided.wins.mean() > uniform.wins.mean()
    same(guided, play_guided(game, settings, 400, 1, best_of=6))


def test_one_look_is_uniform_play():
    game = load("sauve-qui-peut")
    settings = game.settings(3, research=True)
    same(play_guided(game, settings, 200, 9, best_of=1), play_out(game, settings, 200, 9))


def test_guided_matches_from_the_command(capsys):
    main = importlib.import_module("tribord.cli").main
    assert main(["simulate", "faut-pas-pousser", "--best-of", "2", "--matches", "50", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["bots"][0] == "guided:2"
