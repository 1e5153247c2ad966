"""Minari: every seat's view of a match is an episode, and says what the same match in Gymnasium says."""

import importlib
import json

import gymnasium
import numpy as np
import pytest

from tribord import BadOption, Refusal, game_ids, load
from tribord.cli import main
from tribord.lab.simulate import simulate
from tribord.research import minari as ours
from tribord.research import pettingzoo
from tribord.research.minari import Episodes

try:
    import minari
except ImportError:
    minari = None
with_minari = pytest.mark.skipif(minari is None, reason="needs the extra minari")


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "datasets"))
    return tmp_path / "datasets"


@with_minari
@pytest.mark.parametrize("name", game_ids())
def test_episodes_are_what_a_seat_saw_and_did_in_the_matches_of_the_same_command(name, tmp_path):
    import pyarrow.parquet

    game, options, players = load(name), {"turns": 10} if name == "ile-aux-pirates" else {}, 3
    plain = simulate(game, players, 9, 5, options)
    told = simulate(
        game, players, 9, 5, options, threads=2, trajectories=tmp_path / "t.parquet",
        recorder=Episodes(f"{name}/random-v0", game, players, options),
    )  # fmt: skip
    assert told["digest"] == plain["digest"]
    dataset = minari.load_dataset(f"{name}/random-v0")
    table = pyarrow.parquet.read_table(tmp_path / "t.parquet")
    rows = {key: np.stack(table[key].to_numpy()) for key in ("match", "seat", "observation", "action_mask", "action")}
    about = list(dataset.storage.get_episode_metadata(range(len(dataset))))
    assert dataset.total_steps == told["actions"] == sum(len(episode) for episode in dataset)
    assert dataset.observation_space == gymnasium.make(f"tribord/{name.title().replace('-', '')}-v1").observation_space
    wins = np.zeros(players)
    for episode, of in zip(dataset, about, strict=True):
        mine = (rows["match"] == of["match"]) & (rows["seat"] == of["seat"])
        assert (episode.actions == rows["action"][mine]).all()
        assert (episode.observations["observation"][:-1] == rows["observation"][mine]).all()
        assert (episode.observations["action_mask"][:-1] == rows["action_mask"][mine]).all()
        assert not episode.observations["action_mask"][-1].any() and episode.observations["observation"][-1].any()
        assert episode.terminations.tolist() == [False] * (len(episode) - 1) + [True]
        assert not episode.truncations.any() and not episode.rewards[:-1].any()
        assert {of["reason"]} <= {*game.text.ENDINGS}
        wins[of["seat"]] += episode.rewards[-1]
    assert wins / 9 == pytest.approx(told["win_share"], abs=1e-4)


@with_minari
def test_the_environment_of_a_dataset_is_the_table_and_episodes_end_with_what_the_seats_see_there():
    game, ages = load("faut-pas-pousser"), {"age": [1, 0, 3, 2]}  # four players: no dice, so actions are a match
    simulate(game, 4, 3, 1, ages, recorder=Episodes("oldest-v0", game, 4, ages))
    dataset = minari.load_dataset("oldest-v0")
    env = dataset.recover_environment(opponents="mousse")
    assert env.unwrapped.players == 4 and env.unwrapped.matches.game is game
    assert game.options_of(env.unwrapped.matches.settings)["age"] == [1, 0, 3, 2]
    for match in range(3):
        episodes = [dataset[4 * match + seat] for seat in range(4)]
        table, taken = pettingzoo.raw_env(game, 4, ages), [0] * 4
        table.reset(seed=9)
        while not any(table.terminations.values()):
            seat = table.possible_agents.index(table.agent_selection)
            seen = table.observe(table.agent_selection)
            assert (seen["observation"] == episodes[seat].observations["observation"][taken[seat]]).all()
            table.step(episodes[seat].actions[taken[seat]])
            taken[seat] += 1
        for seat, agent in enumerate(table.possible_agents):
            assert (table.observe(agent)["observation"] == episodes[seat].observations["observation"][-1]).all()
            assert table.rewards[agent] == episodes[seat].rewards[-1]


@with_minari
def test_a_dataset_leaves_the_environments_that_others_make_as_they_were():
    game = load("faut-pas-pousser")
    registered = gymnasium.spec("tribord/FautPasPousser-v1").kwargs
    simulate(game, 2, 1, 1, recorder=Episodes("plank-v0", game, 2))
    assert gymnasium.spec("tribord/FautPasPousser-v1").kwargs == registered == {"game": "faut-pas-pousser"}
    assert gymnasium.make("tribord/FautPasPousser-v1", players=4).unwrapped.seat == 0


@with_minari
def test_other_rewards_and_the_matches_of_bots():
    game = load("faut-pas-pousser")
    recorder = Episodes("plank/mousse-v1", game, 2, bots=["mousse"], reward="margin")
    simulate(game, 2, 4, 1, bots=["mousse"], recorder=recorder)
    dataset = minari.load_dataset("plank/mousse-v1")
    ends = np.array([episode.rewards[-1] for episode in dataset]).reshape(4, 2)
    assert (ends[:, 0] == -ends[:, 1]).all() and np.abs(ends).max() > 1
    assert dataset.storage.metadata["algorithm_name"] == "mousse"


@with_minari
def test_the_command_keeps_a_dataset_and_never_overwrites_one(capsys, home):
    asked = [
        "simulate",
        "faut-pas-pousser",
        "--players",
        "2",
        "--matches",
        "3",
        "--jobs",
        "1",
        "--minari",
        "plank/any-v0",
    ]
    assert not main([*asked, "--json"])
    assert json.loads(capsys.readouterr().out)["matches"] == 3
    assert len(minari.load_dataset("plank/any-v0")) == 6
    assert main(asked) and "There’s already a Minari dataset “plank/any-v0”" in capsys.readouterr().err.replace(
        "\n", " "
    )
    assert [path.name for path in (home / "plank").iterdir() if path.is_dir()] == ["any-v0"]


@with_minari
def test_what_cannot_be_a_dataset_is_refused_and_a_failure_leaves_nothing(home):
    game = load("faut-pas-pousser")
    for wrong in ("../etc", "a b-v0", "", "plank/any", "/plank-v0"):
        with pytest.raises(BadOption, match=r"can’t name a Minari dataset\. Write it like walk"):
            Episodes(wrong, game, 2)
    with pytest.raises(BadOption, match="Guided matches have no trajectories"):
        simulate(game, 2, 4, best_of=2, recorder=Episodes("plank-v0", game, 2))

    def fail(done, of):
        raise RuntimeError

    with pytest.raises(RuntimeError):
        simulate(game, 2, 4, recorder=Episodes("plank-v0", game, 2), progress=fail)
    assert not [path for path in home.rglob("*") if path.is_file()]
    late = Episodes("plank-v0", game, 2)
    simulate(game, 2, 4, recorder=Episodes("plank-v0", game, 2))
    with pytest.raises(BadOption, match="There’s already a Minari dataset “plank-v0”"):
        simulate(game, 2, 4, recorder=late)
    assert [path.name for path in home.iterdir()] == ["plank-v0"] and len(minari.load_dataset("plank-v0")) == 8


@pytest.mark.parametrize("package", ["minari", pytest.param("PIL", marks=with_minari)])
def test_without_what_it_needs_a_sentence_says_what_to_install(package, monkeypatch):
    found = importlib.import_module

    def missing(module):
        if module == package:
            raise ModuleNotFoundError(f"No module named '{module}'", name=module)
        return found(module)

    monkeypatch.setattr(ours.importlib, "import_module", missing)
    with pytest.raises(Refusal, match=rf"need the package “{package}”: install tribord\[minari\]"):
        Episodes("plank-v0", load("faut-pas-pousser"), 2)
