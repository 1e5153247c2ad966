"""Learning: the net is valid, learns the same from the same seed, and learns something."""

import numpy as np
import pytest

from tribord import load
from tribord.core.net import Net, forward, read_net
from tribord.lab import learn as learning
from tribord.lab.learn import initial_net, learn

GAME = load("faut-pas-pousser")


@pytest.fixture
def short(monkeypatch):
    """Rounds of a few matches."""
    monkeypatch.setattr(learning, "ROUND", 100)


def test_a_promise_is_two_layers():
    net, rng = initial_net(GAME, 2, 5), np.random.default_rng(5)
    true = rng.permutation(300)[:30]
    hidden = np.maximum(net.rows[1, true].sum(axis=0) + net.bias[1], 0)
    padded = np.concatenate([[0, 0, 0], true, np.zeros(net.bias.shape[1], int)])  # with room for sums
    assert forward(*net, 1, padded, 3, 30) == pytest.approx(float(hidden @ net.last[1]), rel=1e-4)


def test_the_same_seed_learns_the_same(short):
    told = []
    first = learn(GAME, 3, 300, 7, lambda matches, loss: told.append((matches, loss)))
    again = learn(GAME, 3, 300, 7)
    other = learn(GAME, 3, 300, 8)
    careless = learn(GAME, 3, 300, 7, epsilon=0.5)
    assert [matches for matches, _loss in told] == [100, 200, 300]
    assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))
    assert not np.array_equal(first.rows, other.rows)
    assert not np.array_equal(first.rows, careless.rows)


def test_what_is_learnt_forecasts_better_than_nothing(short):
    """Three seats of the same value have a cross entropy of ln 3."""
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


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("nope --players 3", "There’s no game “nope”"),
        ("walk-the-plank --players 3", "Walk the Plank has no `features`"),
        ("faut-pas-pousser --players 9", "2 to 4 players, not 9"),
        ("faut-pas-pousser --players 4 --matches 0", "at least one match, not 0"),
        ("faut-pas-pousser --players 4 --epsilon 3", "between 0 and 1, not 3.0"),
        ("faut-pas-pousser --players 4 --epsilon nan", "between 0 and 1, not nan"),
        ("faut-pas-pousser --players 4 --to /there/is/no/such", "The folder “/there/is/no/such” doesn’t exist"),
    ],
)
def test_what_cannot_be_learnt_is_refused_and_the_net_stays(command, sentence, monkeypatch, capsys):
    before = (GAME.folder / "net.npz").read_bytes()
    monkeypatch.setattr("sys.argv", ["learn", *command.split()])
    with pytest.raises(SystemExit) as ended:
        learning.main()
    assert ended.value.code == 2 and sentence in capsys.readouterr().err
    assert (GAME.folder / "net.npz").read_bytes() == before


def test_compiled_code_is_not_taken_for_another_net(tmp_path, monkeypatch):
    from tribord.core import compiled

    (tmp_path / "net.npz").write_bytes(b"one")
    monkeypatch.setitem(compiled._folder_by_dtype, GAME.dtype, tmp_path)
    first = compiled.cache_folder(GAME.dtype, GAME.folder / "bot.py")
    (tmp_path / "net.npz").write_bytes(b"another")
    assert compiled.cache_folder(GAME.dtype, GAME.folder / "bot.py") != first
