"""Trajectories: the decisions of the matches that are simulated, with what was seen, legal, chosen and won."""

import json

import numpy as np
import pyarrow.parquet
import pytest

from tribord import BadFile, BadOption, game_ids, load
from tribord.cli import main
from tribord.core.batch import Batch
from tribord.lab.simulate import simulate


def columns(path):
    table = pyarrow.parquet.read_table(path)
    wide = {name: np.stack(table[name].to_numpy()) for name in ("observation", "action_mask")}
    plain = {name: table[name].to_numpy() for name in table.column_names if name not in wide}
    return wide | plain, json.loads(table.schema.metadata[b"tribord"])


@pytest.mark.parametrize("name", game_ids())
def test_random_matches_are_those_of_a_batch_decision_by_decision(name, tmp_path):
    game, options = load(name), {"turns": 10} if name == "ile-aux-pirates" else {}
    plain = simulate(game, 3, 70, 5, options, to=tmp_path / "matches.parquet")
    told = simulate(game, 3, 70, 5, options, threads=2, trajectories=tmp_path / "t.parquet")
    assert told["digest"] == plain["digest"]
    found, about = columns(tmp_path / "t.parquet")
    assert about["game"] == name and about["seed"] == 5
    batch = Batch(game, 70, 3, 5, options)
    turns, rows = batch.turns(), [[] for _match in range(70)]
    while not turns.over.all():
        actions = batch.sample()
        for i in np.flatnonzero(~turns.over):
            rows[i].append((turns.seats[i], actions[i], turns.observation[i].tobytes(), turns.action_mask[i].tolist()))
        turns = batch.advance(actions)
    assert np.bincount(found["match"]).tolist() == [len(of) for of in rows]
    seats, decided, seen, masks = zip(*(row for of in rows for row in of), strict=True)
    assert (found["seat"] == seats).all() and (found["action"] == decided).all()
    assert [row.tobytes() for row in found["observation"]] == list(seen)
    assert (found["action_mask"] == np.array(masks, bool)).all()
    assert found["step"].tolist() == [k for of in rows for k in range(len(of))]
    matches = pyarrow.parquet.read_table(tmp_path / "matches.parquet").to_pylist()
    for match, seat, share, score, reason in zip(
        *(found[key] for key in ("match", "seat", "share", "score", "reason")), strict=True
    ):
        end = matches[match]
        won = [end[f"won_{other}"] for other in range(3)]
        assert score == end[f"score_{seat}"] and reason == end["reason"]
        assert share == pytest.approx(won[seat] / (1 if game.cooperative else max(1, sum(won))))
    ends = {}
    for k, (match, seat) in enumerate(zip(found["match"], found["seat"], strict=True)):
        ends[match, seat] = k
    assert np.flatnonzero(found["last"]).tolist() == sorted(ends.values())


@pytest.mark.parametrize("name", ["faut-pas-pousser", "walk-the-plank"])
def test_matches_of_bots_are_written_too(name, tmp_path):
    game = load(name)
    plain = simulate(game, 3, 6, 2, bots=["mousse", "uniform", "matelot"])
    told = simulate(game, 3, 6, 2, bots=["mousse", "uniform", "matelot"], trajectories=tmp_path / "t.parquet")
    assert told["digest"] == plain["digest"]
    found, about = columns(tmp_path / "t.parquet")
    assert about["bots"] == ["mousse", "uniform", "matelot"] and len(found["match"]) == told["actions"]
    assert found["action_mask"][np.arange(len(found["action"])), found["action"]].all()
    assert found["last"].sum() <= 18 and set(np.unique(found["seat"])) == {0, 1, 2}
    shares = [found["share"][(found["match"] == match) & found["last"]].sum() for match in range(6)]
    assert max(shares) <= 1.0001


def test_files_of_trajectories_that_cannot_be(tmp_path):
    game = load("faut-pas-pousser")
    (tmp_path / "there.parquet").write_bytes(b"")
    for file, refused in (("t.csv", BadOption), ("there.parquet", BadOption), ("no/t.parquet", BadFile)):
        with pytest.raises(refused):
            simulate(game, 2, 4, trajectories=tmp_path / file)
    with pytest.raises(BadOption, match="Guided matches have no trajectories"):
        simulate(game, 2, 4, best_of=2, trajectories=tmp_path / "t.parquet")
    assert [path.name for path in tmp_path.iterdir()] == ["there.parquet"]


def test_the_command_writes_them(tmp_path, capsys):
    file = tmp_path / "t.parquet"
    asked = ["simulate", "faut-pas-pousser", "--matches", "3", "--jobs", "1", "--trajectories", str(file)]
    assert not main(asked) and str(file) in capsys.readouterr().out.replace("\n", "")
    assert pyarrow.parquet.read_table(file).num_rows == 3 * 28
