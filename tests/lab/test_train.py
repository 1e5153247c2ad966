"""The trainer learns, keeps what it needs to resume, and its nets run in compiled code; impossible requests are
refused.

Training itself is tested where torch is installed, in small runs on the CPU.
"""

import csv
import importlib.util

import numpy as np
import pytest

from tribord import BadOption, Refusal, load
from tribord.bots.net import NetBot
from tribord.core.engine import Legal
from tribord.core.net import Policy, read_policy, write_policy
from tribord.core.refusal import BadFile
from tribord.lab import train as lab

torch_is_here = importlib.util.find_spec("torch") is not None
with_torch = pytest.mark.skipif(not torch_is_here, reason="needs the extra learn")


@pytest.fixture
def small(monkeypatch):
    for name, value in (("ROLLOUT", 32), ("MINIBATCHES", 4), ("EVERY", 2), ("MEASURED", 60), ("LEAGUE", 3)):
        monkeypatch.setattr(lab, name, value)
    monkeypatch.setattr(lab, "HIDDEN", (32, 32))
    if torch_is_here:
        lab.library().set_num_threads(1)


def a_policy(game, players, seed=1):
    rng = np.random.default_rng(seed)
    shapes = [(game.observation + players, 12), (12,), (12, 10), (10,), (10, game.actions + 1), (game.actions + 1,)]
    return Policy(*(rng.normal(0, 0.3, shape).astype(np.float32) for shape in shapes))


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
        expected = by_hand(policy, np.concatenate([game.observe(view, int(seat)), np.eye(4)[seat]]))
        assert bot.decide(view, legal) == max(legal, key=lambda action: expected[action])
        assert np.allclose(bot._out, expected, atol=1e-4)
        assert bot.value(view, int(seat)) == pytest.approx(expected[-1], abs=1e-4)


def test_a_net_plays_only_what_it_has_learned(tmp_path, monkeypatch):
    game, other = load("sauve-qui-peut"), load("walk-the-plank")
    write_policy(tmp_path / "net.npz", a_policy(game, 4), game)
    with pytest.raises(BadFile, match=r"is for sauve-qui-peut version 1\. Train one for walk-the-plank"):
        read_policy(tmp_path / "net.npz", other)
    with pytest.raises(BadFile, match="no net"):
        read_policy(tmp_path / "nothing.npz", game)
    (tmp_path / "rubbish.npz").write_bytes(b"rubbish")
    with pytest.raises(BadFile, match="no net"):
        read_policy(tmp_path / "rubbish.npz", game)
    monkeypatch.setenv("TRIBORD_NET", str(tmp_path / "net.npz"))
    batch = game.batch(1, 3, seed=2)
    with pytest.raises(BadOption, match="play with 4 players, not 3"):
        NetBot(game, 0).decide(batch.states[0], Legal(int(batch.seats[0]), [0]))


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
    run = lab.Run(game.id, game.version, 2, {}, 1)
    trainer = lab.Trainer(game, run, "cpu", 20)
    torch = trainer.torch
    trainer.matches = 1
    seats = [torch.tensor([seat]) for seat in (0, 1, 0, 1, 1)]
    value = [torch.tensor([worth]) for worth in (0.1, 0.2, 0.4, 0.5, 0.3)]
    rewards = [torch.zeros((1, 2)) for _step in seats]
    rewards[3] = torch.tensor([[0.0, 1.0]])
    over = [torch.tensor([step == 3]) for step in range(5)]
    advantage, known = trainer._advantages(seats, value, rewards, over)
    assert [bool(one) for one in known] == [True, True, True, True, False]
    decay = lab.DECAY
    expected = [0.3 - decay * 0.4, 0.3 + decay * 0.5, -0.4, 0.5, 0.0]
    assert [float(one) for one in advantage] == pytest.approx(expected)


@with_torch
@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"game": "walk-the-plank"}, "another game"),
        ({"players": 3}, "another players"),
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
        with pytest.raises(Refusal, match="--device cpu"):
            lab.train(game, 4, 0.001, tmp_path / "run", device="cuda")


@pytest.mark.skipif(torch_is_here, reason="torch is installed")
def test_without_torch_a_sentence_says_what_to_install(tmp_path):
    with pytest.raises(Refusal, match=r"tribord\[learn\]"):
        lab.train(load("faut-pas-pousser"), 4, 0.001, tmp_path / "run")
