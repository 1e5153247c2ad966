"""The trainer learns, keeps what it needs to resume, and its nets run in compiled code; impossible requests are
refused.

Training itself is tested where torch is installed, in small runs on the CPU.
"""

import csv
import importlib.util
from types import SimpleNamespace

import numpy as np
import pytest

from tribord import BadOption, Refusal, game_ids, load
from tribord.bots.net import NetBot, NetSearch
from tribord.cli.seating import seat_people
from tribord.core import memory
from tribord.core.engine import Legal
from tribord.core.net import Policy, read_policy, write_policy
from tribord.core.refusal import BadFile
from tribord.lab import train as lab
from tribord.lab.arena import arena
from tribord.lab.simulate import simulate

torch_is_here = importlib.util.find_spec("torch") is not None
with_torch = pytest.mark.skipif(not torch_is_here, reason="needs the extra learn")


@pytest.fixture
def small(monkeypatch):
    for name, value in (("ROLLOUT", 32), ("MINIBATCHES", 4), ("EVERY", 2), ("MEASURED", 60), ("LEAGUE", 3)):
        monkeypatch.setattr(lab, name, value)
    monkeypatch.setattr(lab, "HIDDEN", (32, 32))
    if torch_is_here:
        lab.library().set_num_threads(1)


def a_policy(game, *players, seed=1):
    """A net that has learned nothing, for these numbers of players."""
    rng = np.random.default_rng(seed)
    outputs = game.actions + game.players[1]
    shapes = [(lab.inputs_of(game), 12), (12,), (12, 10), (10,), (10, outputs), (outputs,)]
    weights = [rng.normal(0, 0.3, shape).astype(np.float32) for shape in shapes]
    return Policy(*weights, np.isin(np.arange(game.players[1]) + 1, players).astype(np.int8))


def by_hand(policy, inputs):
    hidden = np.maximum(inputs @ policy.first + policy.first_bias, 0)
    return np.maximum(hidden @ policy.second + policy.second_bias, 0) @ policy.last + policy.last_bias


@pytest.mark.parametrize("name", ["sauve-qui-peut", "walk-the-plank"])
def test_a_net_in_compiled_code_says_what_its_weights_say(name, tmp_path, monkeypatch):
    game = load(name)
    write_policy(tmp_path / "net.npz", a_policy(game, 4), game)
    monkeypatch.setenv("TRIBORD_NET", str(tmp_path / "net.npz"))
    policy, bot = read_policy(tmp_path / "net.npz", game), NetBot(game, 0)
    batch = game.batch(10, 4, seed=2)
    for _step in range(30):
        batch.step(batch.sample())
    for match, seat in enumerate(batch.seats):
        view = game.view_of(batch.states[match], int(seat))
        legal = Legal(int(seat), np.flatnonzero(batch.legal()[match]).tolist())
        who = np.eye(game.players[1])[[seat, 3]]  # the seat, and four players
        expected = by_hand(policy, np.concatenate([game.observe(view, int(seat)), *who]))
        assert bot.decide(view, legal) == max(legal, key=lambda action: expected[action])
        assert np.allclose(bot._layers.out, expected, atol=1e-4)
        assert bot.value(view, int(seat)) == pytest.approx(expected[game.actions], abs=1e-4)


def test_a_net_is_searched_in_the_arena(tmp_path, monkeypatch):
    game = load("walk-the-plank")
    write_policy(tmp_path / "net.npz", a_policy(game, 3), game)
    monkeypatch.setenv("TRIBORD_NET", str(tmp_path / "net.npz"))
    match = game.match(3, seed=1)
    seat = match.to_act[0]
    view, legal = match.view_state(seat), match.legal(seat)
    assert NetSearch(game, 5).decide(view, legal) == NetSearch(game, 5).decide(view, legal) in legal
    result = arena(game, ["mousse", NetSearch], players=3, matches=6, seed=1, jobs=1)
    assert result["bots"] == ["mousse", "net-search"]


def test_a_net_plays_only_what_it_has_learned(tmp_path, monkeypatch):
    game, other = load("sauve-qui-peut"), load("walk-the-plank")
    write_policy(tmp_path / "net.npz", a_policy(game, 4, 5), game)
    with pytest.raises(BadFile, match=r"is for sauve-qui-peut version 1\. Train one for walk-the-plank"):
        read_policy(tmp_path / "net.npz", other)
    with pytest.raises(BadFile, match="no net"):
        read_policy(tmp_path / "nothing.npz", game)
    (tmp_path / "rubbish.npz").write_bytes(b"rubbish")
    with pytest.raises(BadFile, match="no net"):
        read_policy(tmp_path / "rubbish.npz", game)
    monkeypatch.setenv("TRIBORD_NET", str(tmp_path / "net.npz"))
    batch = game.batch(1, 3, seed=2)
    with pytest.raises(BadOption, match=r"play with 4, 5 players, not 3\. Train one for 3"):
        NetBot(game, 0).decide(batch.states[0], Legal(int(batch.seats[0]), [0]))


def test_a_net_plays_only_with_the_options_it_has_learned(tmp_path):
    game, file = load("ile-aux-pirates"), tmp_path / "net.npz"
    hard = {"game": "strategic", "hard": True}
    write_policy(file, a_policy(game, 2, 3), game, hard)
    read_policy(file, game, 3, hard | {"first": 1, "turns": 30})  # who begins and how long is no other game
    read_policy(file, game, 3, {"game": "strategic", "hard": "on"})
    for options, sentence in (
        (None, "with game=strategic, not with game=base"),
        (hard | {"memory": False}, "with memory=on, not with memory=off"),
        ({"game": "strategic"}, "with hard=on, not with hard=off"),
    ):
        with pytest.raises(BadOption, match=f"learned the game {sentence}. Train one with these options"):
            read_policy(file, game, 3, options)
        with pytest.raises(BadOption, match=sentence):
            arena(game, [f"net:{file}", "uniform"], 3, 3, options=options)
    write_policy(file, a_policy(game, 2), game)
    read_policy(file, game, 2)


@pytest.mark.parametrize("part", ["first_bias", "second", "second_bias", "last", "learned"])
def test_a_net_whose_layers_do_not_fit_is_refused(part, tmp_path):
    """Compiled code would read beyond them."""
    game, file = load("faut-pas-pousser"), tmp_path / "net.npz"
    policy = a_policy(game, 4)
    for wrong in (getattr(policy, part)[:-1], getattr(policy, part)[None]):
        write_policy(file, policy._replace(**{part: wrong}), game)
        with pytest.raises(BadFile, match="There’s no net in"):
            read_policy(file, game)


def test_nets_meet_in_the_arena_by_their_files(tmp_path):
    game = load("faut-pas-pousser")
    for name, seed in (("monday", 1), ("tuesday", 2)):
        (tmp_path / name).mkdir()
        write_policy(tmp_path / name / "net.npz", a_policy(game, 2, 4, seed=seed), game)
    bots = [f"net:{tmp_path}/monday", f"net:{tmp_path}/tuesday/net.npz", "uniform"]
    result = arena(game, bots, players=4, matches=12, seed=1, jobs=1)
    assert result["bots"] == bots and not any(any(bot["faults"].values()) for bot in result["standings"])
    shares = [bot["win_share"]["mean"] for bot in result["standings"]]
    assert shares[0] != shares[1]
    played = simulate(game, 4, 3, 1, bots=[bots[0], "uniform", bots[1], "uniform"])
    assert played["matches"] == 3
    for wrong, sentence in (
        ({"players": 3}, "play with 2, 4 players, not 3"),
        ({"bots": [f"net:{tmp_path}/sunday", "uniform"]}, "sunday” doesn’t exist"),
    ):
        with pytest.raises(Refusal, match=sentence):
            arena(game, **{"bots": bots, "players": 4, "matches": 12} | wrong)


def test_a_net_plays_in_the_terminal_where_it_has_learned_to(tmp_path):
    game = load("faut-pas-pousser")
    write_policy(tmp_path / "net.npz", a_policy(game, 4), game)
    bots = seat_people(game.match(4, seed=1), [0], f"net:{tmp_path}").bots()
    match = game.match(4, seed=1)
    assert sorted(bots) == [1, 2, 3]
    bots[2].decide(match.view_state(2), match.legal(2))
    assert bots[2].decisions == 1 and not bots[2].faults
    with pytest.raises(BadOption, match="play with 4 players, not 2"):
        seat_people(game.match(2, seed=1), [0], f"net:{tmp_path}")


def test_the_net_of_every_game_stays_below_a_megabyte_at_full_size(tmp_path):
    for name in game_ids():
        game = load(name)
        outputs = game.actions + game.players[1]
        sizes = (lab.inputs_of(game), *lab.HIDDEN, outputs)
        rng = np.random.default_rng(1)
        parts = [rng.normal(0, 0.3, size) for k in range(3) for size in ((sizes[k], sizes[k + 1]), (sizes[k + 1],))]
        learned = np.ones(game.players[1], np.int8)
        write_policy(tmp_path / "net.npz", Policy(*(part.astype(np.float32) for part in parts), learned), game)
        assert (tmp_path / "net.npz").stat().st_size < 1_000_000, name


@with_torch
def test_torch_and_compiled_code_say_the_same(small, tmp_path):
    game = load("sauve-qui-peut")
    trainer = lab.Trainer(game, lab.Run(game.id, game.version, [3, 5], {}, 1), "cpu", 20)
    for _step in range(12):
        trainer.table.play(trainer.draw((~trainer.table.mask).float() * -1e9))
    table, torch = trainer.table, trainer.torch
    with torch.no_grad():
        odds, values = trainer.think(trainer.net, table.observation, table.seats, table.players, table.mask)
    bot = NetBot(game, policy=trainer.policy())
    states = [state for batch in table._batches for state in batch.states]
    for match, (state, seat) in enumerate(zip(states, table.seats.tolist(), strict=True)):
        bot.consult(game.view_of(state, seat), seat)
        mask = table.mask[match]
        logits = torch.tensor(bot._layers.out[: game.actions]).masked_fill(~mask, -1e9).log_softmax(0)
        assert torch.allclose(logits[mask], odds[match][mask], atol=0.01)  # observations in steps of 1/255
        assert bot._layers.out[game.actions :].tolist() == pytest.approx(values[match].tolist(), abs=0.01)


@with_torch
def test_a_small_run_learns_and_goes_on(small, tmp_path):
    game = load("faut-pas-pousser")
    run = lab.train(game, 4, 9, tmp_path, matches=40, seed=1, updates=5)
    assert run.updates == 5 and run.decisions == 5 * 40 * 32
    with (tmp_path / "curve.csv").open(encoding="utf-8") as file:
        curve = list(csv.DictReader(file))
    assert len(curve) == len(run.curve)
    assert (tmp_path / "net.npz").stat().st_size < 1_000_000
    again = lab.train(game, 4, 9, tmp_path, matches=40, seed=1, resume=True, updates=1)
    assert again.updates == 6 and repr(again.curve[: len(run.curve)]) == repr(run.curve)


@with_torch
def test_what_a_seat_learns_from_is_its_own_next_value(small):
    game = load("faut-pas-pousser")
    trainer = lab.Trainer(game, lab.Run(game.id, game.version, [2], {}, 1), "cpu", 20)
    torch = trainer.torch
    seats = [torch.tensor([seat]) for seat in (0, 1, 0, 1, 1)]
    value = [torch.tensor([worth]) for worth in (0.1, 0.2, 0.4, 0.5, 0.3)]
    rewards = [torch.zeros((1, 4)) for _step in seats]
    rewards[3] = torch.tensor([[0.0, 1.0, 0.0, 0.0]])
    over = [torch.tensor([step == 3]) for step in range(5)]
    advantage, target, known = trainer._advantages(seats, value, rewards, over)
    assert [one[0, :2].tolist() for one in known] == [[True, True]] * 4 + [[False, False]]
    decay = lab.DECAY
    expected = [0.3 - decay * 0.4, 0.3 + decay * 0.5, -0.4, 0.5, 0.0]
    assert [float(one) for one in advantage] == pytest.approx(expected)
    assert target[2][0, :2].tolist() == pytest.approx([0.0, 0.5 + decay * 0.5])  # the other's too
    assert target[3][0, :2].tolist() == pytest.approx([0.0, 1.0])


@with_torch
def test_values_go_round_from_the_seat_that_decides(small):
    game = load("faut-pas-pousser")
    trainer = lab.Trainer(game, lab.Run(game.id, game.version, [2, 3, 4], {}, 1), "cpu", 21)
    torch = trainer.torch
    by_seat = torch.tensor([[0.1, 0.2, 0.3, 0.4], [0.5, 0.2, 0.3, 9.0], [0.6, 0.4, 9.0, 9.0]])
    seats, players = torch.tensor([3, 1, 1]), torch.tensor([4, 3, 2])
    by_place = trainer.turned(by_seat, seats, players, back=True)
    expected = [[0.4, 0.1, 0.2, 0.3], [0.2, 0.3, 0.5], [0.4, 0.6]]
    for row, values in zip(by_place.tolist(), expected, strict=True):
        assert row[: len(values)] == pytest.approx(values)
    there = torch.arange(4) < players[:, None]
    assert torch.equal(trainer.turned(by_place, seats, players)[there], by_seat[there])


@with_torch
def test_one_net_learns_the_game_with_every_number_of_players(small, tmp_path):
    game = load("faut-pas-pousser")
    run = lab.train(game, None, 9, tmp_path, matches=42, seed=1, updates=2)
    assert run.players == [2, 3, 4] and run.decisions == 2 * 42 * 32
    assert read_policy(tmp_path / "net.npz", game).learned.tolist() == [0, 1, 1, 1]
    table = lab.SideBySide(game, 42, run.players, 5, {}, "cpu", auto_reset=True)
    assert table.players.tolist() == [2] * 14 + [3] * 14 + [4] * 14
    assert bool((table.seats < table.players).all())


def test_every_number_of_players_that_the_options_allow_is_learned():
    assert lab.player_counts(load("sauve-qui-peut"), None) == [3, 4, 5, 6]
    assert lab.player_counts(load("ile-aux-pirates"), {"game": "strategic"}) == [1, 2, 3, 4]


@with_torch
@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"game": "walk-the-plank"}, "another game"),
        ({"players": [3, 4]}, "another players"),
        ({"options": {"age": [1, 0, 2, 3]}}, "another options"),
    ],
)
def test_a_checkpoint_of_another_run_is_refused(small, tmp_path, wrong, sentence):
    lab.train(load("faut-pas-pousser"), 4, 0.001, tmp_path, matches=20)
    game = load(wrong.get("game", "faut-pas-pousser"))
    before = (tmp_path / "checkpoint.pt").read_bytes()
    with pytest.raises(BadFile, match=sentence):
        lab.train(game, wrong.get("players", 4), 0.001, tmp_path, options=wrong.get("options"), matches=20, resume=True)
    with pytest.raises(BadFile, match="already"):
        lab.train(game, 4, 0.001, tmp_path, matches=20)
    assert (tmp_path / "checkpoint.pt").read_bytes() == before
    (tmp_path / "checkpoint.pt").write_bytes(b"rubbish")
    with pytest.raises(BadFile, match="can’t be read"):
        lab.train(game, 4, 0.001, tmp_path, matches=20, resume=True)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"device": "abacus"}, "no device “abacus”"),
        ({"minutes": 0}, "more than 0 minutes"),
        ({"matches": 3}, "at least 20 matches"),
        ({"players": 9}, "players"),
        ({"players": [4, 9]}, "players"),
    ],
)
def test_what_cannot_be_trained_is_refused_before_anything_is_written(tmp_path, wrong, sentence):
    given = {"players": 4, "minutes": 0.01, "folder": tmp_path / "run"} | wrong
    with pytest.raises(Refusal, match=sentence):
        lab.train(load("faut-pas-pousser"), **given)
    assert not (tmp_path / "run").exists()


@with_torch
def test_nothing_is_resumed_that_never_began_and_no_card_is_no_card(small, tmp_path):
    game = load("faut-pas-pousser")
    with pytest.raises(BadFile, match="Leave out --resume"):
        lab.train(game, 4, 0.001, tmp_path, resume=True)
    if not lab.library().cuda.is_available():
        with pytest.raises(Refusal, match="or use “cpu”"):
            lab.train(game, 4, 0.001, tmp_path / "run", device="cuda")


@pytest.mark.skipif(torch_is_here, reason="torch is installed")
def test_without_torch_a_sentence_says_what_to_install(tmp_path):
    with pytest.raises(Refusal, match=r"tribord\[learn\]"):
        lab.train(load("faut-pas-pousser"), 4, 0.001, tmp_path / "run")


# -- machines and checkpoints that don't suit: only the call to torch or to the driver is made up ----------------------


def a_torch(monkeypatch, fails=None, free=1 << 40, kept=None):
    """A torch whose driver answers so."""

    def init():
        raise RuntimeError(fails)

    cuda = SimpleNamespace(is_available=lambda: fails is None, init=init, mem_get_info=lambda: (free, free))
    torch = SimpleNamespace(cuda=cuda, OutOfMemoryError=OutOfMemory, load=lambda *_given, **_more: kept)
    monkeypatch.setattr(lab, "library", lambda: torch)


class OutOfMemory(RuntimeError):
    """As torch's."""


class CudaAPIError(Exception):
    """As numba-cuda's."""

    code = 2


@pytest.mark.parametrize(
    ("fails", "sentence"),
    [
        (
            "Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU and installed a driver",
            r"GPU here \(Found no NVIDIA driver on your system\)\. Install the NVIDIA driver .* use “cpu”",
        ),
        (
            "Torch not compiled with CUDA enabled",
            r"\(Torch not compiled with CUDA enabled\)\. Install .* a torch for CUDA",
        ),
        (
            "The NVIDIA driver on your system is too old (found version 11040). Please update your GPU driver",
            r"The NVIDIA driver is too old for this torch .*11040.*\. Update the driver, or use “cpu”",
        ),
    ],
)
def test_a_card_or_driver_that_torch_cannot_use_is_refused_with_what_to_do(fails, sentence, tmp_path, monkeypatch):
    a_torch(monkeypatch, fails)
    with pytest.raises(Refusal, match=sentence):
        lab.train(load("faut-pas-pousser"), 4, 1, tmp_path / "run", device="cuda")
    assert not (tmp_path / "run").exists()


@pytest.mark.skipif(importlib.util.find_spec("numba_cuda") is not None, reason="numba-cuda is installed")
def test_a_card_without_numba_cuda_is_refused_before_anything_is_written(tmp_path, monkeypatch):
    a_torch(monkeypatch)
    with pytest.raises(Refusal, match=r"install tribord\[gpu\]"):
        lab.train(load("faut-pas-pousser"), 4, 1, tmp_path / "run", device="cuda")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_more_matches_than_the_memory_holds_are_refused_with_figures(device, tmp_path, monkeypatch):
    a_torch(monkeypatch, free=3 << 20)
    monkeypatch.setattr("tribord.lab.cuda.toolkit", lambda: None)
    (tmp_path / "meminfo").write_text("MemTotal: 99999 kB\nMemAvailable:    3072 kB\n", encoding="ascii")
    monkeypatch.setattr(memory, "MEMORY", tmp_path / "meminfo")
    with pytest.raises(
        BadOption, match=r"1000 matches take about \d{2,} MB on this device, and 3 MB are free\. Ask for f"
    ):
        lab.train(load("faut-pas-pousser"), 4, 1, tmp_path / "run", device=device, matches=1000)
    assert not (tmp_path / "run").exists()


def test_a_system_that_does_not_tell_its_memory_is_trusted(tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "MEMORY", tmp_path / "nothing")
    lab.check_memory(None, load("walk-the-plank"), 10**9, "cpu")


@pytest.mark.parametrize("error", [OutOfMemory, MemoryError, CudaAPIError])
def test_memory_that_runs_out_in_between_is_a_sentence_too(error, tmp_path, monkeypatch):
    a_torch(monkeypatch)

    def fail(*_given):
        raise error

    monkeypatch.setattr(lab, "Trainer", fail)
    with pytest.raises(
        BadOption, match=r"20 matches were too many for this device’s memory\. Ask for fewer, with --re"
    ):
        lab.train(load("faut-pas-pousser"), 4, 1, tmp_path, matches=20)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"game": "walk-the-plank"}, "another game: walk-the-plank, not faut-pas-pousser. Choose another folder"),
        ({"version": 99}, "another version: 99, not 1. Choose another folder"),
        ({"players": [2]}, r"another players: \[2\], not \[4\]. Choose another folder"),
        (None, "can’t be read. Begin again in another folder"),
    ],
)
def test_a_checkpoint_of_another_game_version_or_table_is_refused(wrong, sentence, tmp_path, monkeypatch):
    mine = {"game": "faut-pas-pousser", "version": 1, "players": [4], "options": {}}
    a_torch(monkeypatch, kept=wrong and {"run": mine | wrong})
    (tmp_path / "checkpoint.pt").write_bytes(b"kept")
    with pytest.raises(BadFile, match=sentence):
        lab.train(load("faut-pas-pousser"), 4, 1, tmp_path, resume=True)
    assert [path.name for path in tmp_path.iterdir()] == ["checkpoint.pt"]


def test_the_net_of_older_rules_is_refused(tmp_path, monkeypatch):
    game = load("sauve-qui-peut")
    write_policy(tmp_path / "net.npz", a_policy(game, 4), game)
    with np.load(tmp_path / "net.npz") as kept:
        np.savez(tmp_path / "net.npz", **{**kept, "version": np.array(0)})
    monkeypatch.setenv("TRIBORD_NET", str(tmp_path / "net.npz"))
    with pytest.raises(BadFile, match=r"version 0\. Train one for sauve-qui-peut version 1"):
        NetBot(game, 0)
