"""Learning: the net is what it says, learns the same from the same seed, and learns something."""

import numpy as np
import pytest

from tribord import load
from tribord.core.net import Net, promise, read_net
from tribord.lab import learn as learning
from tribord.lab.learn import learn, unlearnt

GAME = load("faut-pas-pousser")


@pytest.fixture
def short(monkeypatch):
    """Rounds of a few matches."""
    monkeypatch.setattr(learning, "ROUND", 100)


def test_a_promise_is_two_layers():
    net, rng = unlearnt(GAME, 2, 5), np.random.default_rng(5)
    true = rng.permutation(300)[:30]
    hidden = np.maximum(net.rows[1, true].sum(axis=0) + net.bias[1], 0)
    padded = np.concatenate([[0, 0, 0], true, np.zeros(net.bias.shape[1], int)])  # with room for sums
    assert promise(*net, 1, padded, 3, 30) == pytest.approx(float(hidden @ net.last[1]), rel=1e-4)


def test_the_same_seed_learns_the_same(short):
    told = []
    first = learn(GAME, 3, 300, 7, lambda matches, loss: told.append((matches, loss)))
    again = learn(GAME, 3, 300, 7)
    other = learn(GAME, 3, 300, 8)
    careless = learn(GAME, 3, 300, 7, whim=0.5)
    assert [matches for matches, _loss in told] == [100, 200, 300]
    assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))
    assert not np.array_equal(first.rows, other.rows)
    assert not np.array_equal(first.rows, careless.rows)


def test_what_is_learnt_forecasts_better_than_nothing(short):
    """Three seats that hope for the same have a cross entropy of ln 3."""
    told = []
    learn(GAME, 3, 600, 1, lambda matches, loss: told.append(loss))
    assert told[-1] < 0.95 * np.log(3)


def test_the_command_keeps_the_other_tables(short, tmp_path, monkeypatch, capsys):
    before = read_net(GAME.folder)
    (tmp_path / "net.npz").write_bytes((GAME.folder / "net.npz").read_bytes())
    command = f"learn faut-pas-pousser --players 3 --matches 100 --seed 2 --to {tmp_path}"
    monkeypatch.setattr("sys.argv", command.split())
    learning.main()
    after = read_net(tmp_path)
    assert isinstance(after, Net) and "100 matches" in capsys.readouterr().out
    assert np.array_equal(after.rows[[0, 2]], before.rows[[0, 2]])
    assert not np.array_equal(after.rows[1], before.rows[1])


def test_compiled_code_is_not_taken_for_another_net(tmp_path, monkeypatch):
    from tribord.core import compiled

    (tmp_path / "net.npz").write_bytes(b"one")
    monkeypatch.setitem(compiled._folder_by_dtype, GAME.dtype, tmp_path)
    first = compiled.cache_folder(GAME.dtype, GAME.folder / "bot.py")
    (tmp_path / "net.npz").write_bytes(b"another")
    assert compiled.cache_folder(GAME.dtype, GAME.folder / "bot.py") != first
