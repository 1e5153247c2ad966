"""Nets as opponents: named by their file, they play what the bot of the net plays, or are refused in words."""

import copy
import importlib.util
import pickle

import gymnasium
import numpy as np
import pytest
from tests.lab.test_train import a_policy

from tribord import BadFile, BadOption, Refusal, load
from tribord.bots.net import NetBot, NetPolicy
from tribord.core.batch import Batch
from tribord.core.engine import Legal
from tribord.core.net import write_policy
from tribord.research.gymnasium import env_id
from tribord.research.opponents import Opponents

torch_is_here = importlib.util.find_spec("torch") is not None


def a_net(folder, name, players):
    write_policy(folder / "net.npz", a_policy(load(name), players), load(name))
    return folder / "net.npz"


def line_of(name, players, opponents):
    env = gymnasium.make_vec(env_id(load(name)), num_envs=5, players=players, seat=1, opponents=opponents)
    seen, info = env.reset(seed=3)
    line = []
    for _step in range(40):
        actions = seen["action_mask"].argmax(axis=1)
        seen, rewards, _over, _cut, info = env.step(actions)
        line += [seen["observation"].tobytes(), rewards.tolist(), info["scores"].tolist()]
    return line


@pytest.mark.parametrize(("name", "players"), [("faut-pas-pousser", 3), ("sauve-qui-peut", 4)])
def test_a_net_named_by_its_file_or_folder_plays_what_its_bot_plays(name, players, tmp_path, monkeypatch):
    file = a_net(tmp_path, name, players)
    monkeypatch.setenv("TRIBORD_NET", str(file))
    bots = line_of(name, players, "py:tribord.bots.net:NetBot")
    assert line_of(name, players, f"net:{file}") == bots
    assert line_of(name, players, {0: f"net:{tmp_path}", **dict.fromkeys(range(2, players), NetBot)}) == bots
    assert line_of(name, players, "random") != bots


def test_a_net_decides_and_evaluates_many_matches_as_one(tmp_path, monkeypatch):
    game, file = load("sauve-qui-peut"), a_net(tmp_path, "sauve-qui-peut", 4)
    monkeypatch.setenv("TRIBORD_NET", str(file))
    net, bot, batch = NetPolicy(file, game, 4), NetBot(game, 0), Batch(game, 30, 4, seed=2)
    for _step in range(25):
        batch.step(batch.sample())
    seats = batch.seats.copy()
    seats[::7] = -1
    actions, values = (
        net.decide_each(batch.states, seats, batch.legal().view(np.int8)),
        net.value_each(batch.states, seats),
    )
    for match, seat in enumerate(seats.tolist()):
        if seat < 0:
            assert actions[match] == -1 and values[match] == 0
            continue
        view = game.view_of(batch.states[match], seat)
        assert actions[match] == bot.decide(view, Legal(seat, np.flatnonzero(batch.legal()[match]).tolist()))
        assert values[match] == pytest.approx(bot.value(view, seat), abs=1e-6)
    twin = pickle.loads(pickle.dumps(net))
    assert copy.deepcopy(net) is net and (twin.value_each(batch.states, seats) == values).all()


def test_seats_that_a_dict_leaves_out_are_random(tmp_path):
    game, file = load("faut-pas-pousser"), a_net(tmp_path, "faut-pas-pousser", 4)
    opponents = Opponents(game, 4, {2: f"net:{file}", 1: "mousse"})
    assert [type(who) for who in opponents.seats] == [str, str, NetPolicy, str]
    assert opponents.seats[::3] == ["random", "random"] and opponents.outside
    for wrong in ({4: "mousse"}, {"seat_1": "mousse"}, {1: "admiral"}):
        with pytest.raises(BadOption, match="or in a dict by seat, not"):
            Opponents(game, 4, wrong)


@pytest.mark.parametrize("make", [gymnasium.make, gymnasium.make_vec])
def test_nets_that_cannot_play_here_are_refused_and_told_what_to_do(make, tmp_path):
    file = a_net(tmp_path, "faut-pas-pousser", 4)
    game = "tribord/FautPasPousser-v1"
    with pytest.raises(BadFile, match=r"nothing\.npz” doesn’t exist\. Name a net\.npz"):
        make(game, players=4, opponents=f"net:{tmp_path}/nothing.npz")
    with pytest.raises(BadFile, match=r"is for faut-pas-pousser version 1\. Train one for walk-the-plank version 1"):
        make("tribord/WalkThePlank-v1", players=4, opponents=f"net:{file}")
    with pytest.raises(BadOption, match=r"learned to play with 4 players, not 3\. Train one for 3"):
        make(game, players=3, opponents={1: f"net:{file}"})
    (tmp_path / "rubbish.npz").write_bytes(b"rubbish")
    with pytest.raises(BadFile, match="There’s no net in"):
        make(game, players=4, opponents=f"net:{tmp_path}/rubbish.npz")
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadFile, match="doesn’t exist"):
        make(game, players=4, opponents=f"net:{tmp_path}/empty")


def test_a_net_of_older_rules_is_refused(tmp_path, monkeypatch):
    game = load("faut-pas-pousser")
    file = a_net(tmp_path, game.id, 4)
    with np.load(file) as kept:
        np.savez(file, **{**kept, "version": np.array(game.version - 1)})
    with pytest.raises(BadFile, match=r"version 0\. Train one for faut-pas-pousser version 1"):
        Opponents(game, 4, f"net:{file}")


@pytest.mark.skipif(torch_is_here, reason="torch is installed")
def test_without_torch_a_checkpoint_is_refused_and_the_net_beside_it_recommended(tmp_path):
    (tmp_path / "checkpoint.pt").write_bytes(b"")
    with pytest.raises(Refusal, match=r"tribord\[learn\], or name the net.npz beside it"):
        Opponents(load("faut-pas-pousser"), 4, f"net:{tmp_path}/checkpoint.pt")


@pytest.mark.skipif(not torch_is_here, reason="needs the extra learn")
def test_a_checkpoint_plays_as_the_net_beside_it(tmp_path, monkeypatch):
    from tribord.lab import train

    for name, value in (("ROLLOUT", 8), ("MINIBATCHES", 2), ("MEASURED", 20), ("HIDDEN", (16, 16))):
        monkeypatch.setattr(train, name, value)
    game = load("faut-pas-pousser")
    train.train(game, 2, 9, tmp_path, matches=20, updates=1)
    exact, kept = (NetPolicy(tmp_path / file, game, 2) for file in ("checkpoint.pt", "net.npz"))
    for weights, halves in zip(exact.policy, kept.policy, strict=True):
        assert weights == pytest.approx(halves, abs=1e-3)
    Opponents(game, 2, f"net:{tmp_path}/checkpoint.pt")
    with pytest.raises(BadFile, match="Train one for walk-the-plank"):
        Opponents(load("walk-the-plank"), 3, f"net:{tmp_path}/checkpoint.pt")
    (tmp_path / "checkpoint.pt").write_bytes(b"rubbish")
    with pytest.raises(BadFile, match="isn’t a checkpoint of `tribord train`, or it’s damaged"):
        Opponents(game, 2, f"net:{tmp_path}/checkpoint.pt")
