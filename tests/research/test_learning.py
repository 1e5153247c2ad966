"""What a learner needs: correct pages, examples that run, and a net that learns and joins the arena."""

import importlib
import runpy
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from tribord import BadOption, game_ids, load
from tribord.bots.python import find_bot, make_bot
from tribord.core.chance import below, stream
from tribord.lab.arena import arena

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def learn(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    module = importlib.import_module("learn")
    monkeypatch.setattr(module, "MEASURED", 400)
    monkeypatch.setattr(module, "POINTS", 2)
    return module


def learnt_bot(game, net, file, monkeypatch):
    np.savez(file, *net.weights)
    monkeypatch.setenv("LEARNT_NET", str(file))
    return make_bot(find_bot("py:examples.learnt_bot:LearntBot"), game, 1)


# -- learning ----------------------------------------------------------------------------------------------------------


def test_a_few_rounds_make_a_net_better_beyond_doubt_and_the_arena_says_so_too(learn, tmp_path, monkeypatch):
    game = load("faut-pas-pousser")
    net, curve = learn.train(game, 4, rounds=12, seed=1, progress=lambda matches, shares: None)
    assert [matches for matches, _shares in curve] == [0, 256, 12 * 256]
    for (before, doubt), (after, still) in zip(curve[0][1], curve[-1][1], strict=True):
        assert after - still > before + doubt
        assert after - still > 0.25
    np.savez(tmp_path / "net.npz", *net.weights)
    learn.draw_curve(curve, game, 4, tmp_path / "curve.svg")
    assert "<svg" in (tmp_path / "curve.svg").read_text(encoding="utf-8")
    learnt = "py:examples.learnt_bot:LearntBot"
    monkeypatch.setenv("LEARNT_NET", str(tmp_path / "net.npz"))
    told = arena(game, ["mousse", learnt], players=4, matches=80, seed=1, jobs=1)
    mousse, ours = told["standings"]
    assert not any(ours["faults"].values()), ours["fault"]
    assert told["alone"][learnt]["mousse"]["low"] > 0.25
    assert ours["win_share"]["low"] > mousse["win_share"]["high"]


def test_the_same_seed_learns_the_same(learn):
    game = load("faut-pas-pousser")
    nets = [learn.train(game, 2, rounds=2, seed=seed, progress=lambda *point: None)[0] for seed in (3, 3, 4)]
    first, same, other = (np.concatenate([weight.ravel() for weight in net.weights]) for net in nets)
    assert np.array_equal(first, same) and not np.array_equal(first, other)


def test_a_step_follows_the_gradient(learn, monkeypatch):
    """Numerically; few units, so that none changes sign within the small step."""
    luck = np.random.default_rng(1)
    monkeypatch.setattr(learn, "HIDDEN", 8)
    net = learn.Net(6, 5, luck)
    net.weights = [luck.normal(0, 0.5, weight.shape) for weight in net.weights]
    seen, mask = luck.normal(size=(20, 6)), luck.random((20, 5)) < 0.7
    mask[:, 0] = True
    actions, shares = np.array([luck.choice(np.flatnonzero(row)) for row in mask]), luck.random(20)

    def expected():
        return (net.forward(seen, mask)[0] @ net.weights[4] + net.weights[5])[:, 0]

    advantage = shares - expected()
    advantage /= advantage.std() + 1e-6  # a constant of the step

    def loss():
        odds = net.forward(seen, mask)[1]
        entropy = -(odds * np.log(np.maximum(odds, 1e-12))).sum(axis=1)
        chosen = np.log(odds[np.arange(20), actions])
        return (-advantage * chosen - learn.ENTROPY_BONUS * entropy + (expected() - shares) ** 2 / 2).mean()

    found = []
    net.descend = lambda gradients, pace: found.extend(gradients)
    net.learn(seen, mask, actions, shares, learning_rate=0.1)
    for weight, gradient in zip(net.weights, found, strict=True):
        for at in np.ndindex(weight.shape):
            kept, ends = weight[at], []
            for little in (1e-5, -1e-5):
                weight[at] = kept + little
                ends.append(loss())
            weight[at] = kept
            assert gradient[at] == pytest.approx((ends[0] - ends[1]) / 2e-5, abs=1e-6)


@pytest.mark.parametrize("name", game_ids())
def test_the_bot_sees_in_the_arena_what_the_net_saw_in_the_batch(name, learn, tmp_path, monkeypatch):
    game = load(name)
    players = game.players[1]
    luck, rng = np.random.default_rng(2), stream(5)
    net = learn.Net(game.observation + players, game.actions, luck)
    net.weights = [weight + luck.normal(0, 0.05, weight.shape) for weight in net.weights]
    match = game.match(players, seed=5)
    player = learnt_bot(game, net, tmp_path / "net.npz", monkeypatch)
    for _step in range(60):
        if match.over:
            break
        seat = match.to_act[-1]
        legal = match.legal(seat)
        mask = np.zeros((1, game.actions), bool)
        mask[0, legal] = True
        floats = game.observe(match.view_state(seat), seat)
        seen = learn.with_seat(floats[None], np.array([seat]), players)
        assert player.decide(match.view_state(seat), legal, None) == int(net.forward(seen, mask)[1].argmax())
        match.play(seat, legal[below(rng, len(legal))])


def test_a_net_that_learnt_something_else_is_refused(learn, tmp_path, monkeypatch):
    game, other = load("faut-pas-pousser"), load("walk-the-plank")
    net = learn.Net(game.observation + 4, game.actions, np.random.default_rng(1))
    with pytest.raises(BadOption, match="has not learnt Walk the Plank"):
        learnt_bot(other, net, tmp_path / "net.npz", monkeypatch)
    match = game.match(2, seed=1)
    with pytest.raises(ValueError, match="has learnt to play with 4"):
        learnt_bot(game, net, tmp_path / "net.npz", monkeypatch).decide(match.view_state(0), match.legal(0), None)


# -- a random agent in OpenSpiel ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", game_ids())
@pytest.mark.parametrize("way", [[], ["--turns"]], ids=["simultaneous", "turns"])
def test_the_openspiel_example_runs(name, way, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["openspiel_random.py", name, "--matches", "3", *way])
    runpy.run_path(str(EXAMPLES / "openspiel_random.py"), run_name="__main__")
    means = [float(line.split()[2]) for line in capsys.readouterr().out.splitlines()]
    assert len(means) == load(name).players[0]
    assert all(0 <= mean <= 1 for mean in means) and sum(means) < len(means) + 0.001


# -- what the pages say ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", game_ids())
def test_the_history_includes_the_current_version(name):
    game = load(name)
    assert list(game.versions) == list(range(1, game.version + 1))
    assert f"{game.actions} actions, {game.observation} floats" in game.versions[game.version]


@pytest.mark.parametrize(
    ("name", "stretch", "each", "round_table"),
    [("faut-pas-pousser", "pirates", 6, 4), ("walk-the-plank", "pirates", 4, 3), ("sauve-qui-peut", "points", 1, 3)],
)
def test_observations_count_crews_from_ones_own(name, stretch, each, round_table):
    game = load(name)
    names = [row[0] for row in game.layout]
    start = sum(row[1] for row in game.layout[: names.index(stretch)])
    match, rng, told_apart = game.match(game.players[0], seed=2), stream(2), False
    while not match.over:
        rows = []
        for seat in range(match.players):
            floats = game.observe(match.view_state(seat), seat)[start : start + each * round_table]
            rows.append(np.roll(floats.reshape(round_table, each), seat, axis=0))
        assert all(np.array_equal(row, rows[0]) for row in rows)
        told_apart = told_apart or len(np.unique(rows[0], axis=0)) == round_table
        seat = match.to_act[0]
        match.play(seat, match.legal(seat)[below(rng, len(match.legal(seat)))])
    assert told_apart


def test_in_the_island_all_seats_see_the_same_except_who_looks():
    game = load("ile-aux-pirates")
    match = game.match(4, seed=1)
    rows = np.array([game.observe(match.view_state(seat), seat) for seat in range(4)])
    differ = np.flatnonzero((rows != rows[0]).any(axis=0))
    assert differ.tolist() == [302, 303, 304, 305]


def test_a_batch_of_a_game_restarts_where_asked():
    batch = load("faut-pas-pousser").batch(10, players=2, seed=1, auto_reset=True)
    for _step in range(14):
        turns = batch.advance(batch.sample())
    assert turns.over.all() and (turns.seats >= 0).all()
