"""Simulation: one digest for one seed, interpreted, compiled, on any cores; bots; what happens; files; the report."""

import csv
import json
import os
import re
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest

from tribord import BadFile, BadOption, game_ids, load
from tribord.cli import main
from tribord.core.words import Words
from tribord.lab import simulate as simulation
from tribord.lab.event_counts import CREDIT, LOWEST, MATCHES, OWNED, TIMES, UNIT, actors, count_match, no_events
from tribord.lab.interval import mean_of, share_of
from tribord.lab.report import choices, event_lines, things, write_report
from tribord.lab.simulate import simulate
from tribord.lab.tally import Tally

FPP = load("faut-pas-pousser")

CODE = """
import json, sys
from tribord import load
from tribord.lab.simulate import simulate
print(json.dumps(simulate(load(sys.argv[1]), int(sys.argv[2]), 12, 5)))
"""


@pytest.mark.parametrize("game", game_ids())
def test_the_digest_is_the_same_interpreted_and_compiled(game):
    players = load(game).players[0]
    run = subprocess.run(
        [sys.executable, "-c", CODE, game, str(players)],
        env=os.environ | {"TRIBORD_INTERPRETED": "1"}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    slow, fast = json.loads(run.stdout), simulate(load(game), players, 12, 5)
    for field in ("digest", "actions", "score_mean", "win_share", "length_mean", "options"):
        assert slow[field] == fast[field]


@pytest.mark.parametrize("game", game_ids())
def test_the_digest_is_the_same_at_any_thread_count(game, monkeypatch):
    monkeypatch.setattr(simulation, "CHUNK", 64)
    digests = {simulate(load(game), load(game).players[0], 500, 5, threads=t)["digest"] for t in (1, 2, 5)}
    assert len(digests) == 1
    monkeypatch.setattr(simulation, "CHUNK", 100)
    assert simulate(load(game), load(game).players[0], 500, 5)["digest"] in digests


def test_another_seed_is_another_sample_and_a_longer_run_begins_the_same():
    game = load("faut-pas-pousser")
    one, other = simulate(game, 4, 100, 1), simulate(game, 4, 100, 2)
    assert one["digest"] != other["digest"]
    settings = game.settings(4)
    short, long = simulation.play_out(game, settings, 10, 1), simulation.play_out(game, settings, 20, 1)
    assert short.states.tobytes() == long.states[:10].tobytes()


def test_win_shares_add_up_to_one():
    assert sum(simulate(load("faut-pas-pousser"), 3, 1000, 1)["win_share"]) == pytest.approx(1)


@pytest.mark.parametrize("wrong", [{"matches": 0}, {"matches": -5}, {"threads": 0}, {"seed": 1 << 63}])
def test_what_cannot_be_is_refused(wrong):
    with pytest.raises(BadOption):
        simulate(load("faut-pas-pousser"), **({"players": 4, "matches": 10} | wrong))


# -- figures ----------------------------------------------------------------------------------------------------------


def test_figures_are_those_of_the_matches_one_by_one():
    sample = simulation.play_out(FPP, FPP.settings(3, research=True), 500, 4)
    found = simulate(FPP, 3, 500, 4)
    winners = sample.wins.sum(axis=1)
    for seat in range(3):
        score = mean_of(sample.scores[:, seat]).as_dict()
        share = share_of(sample.wins[:, seat] / winners).as_dict()
        assert found["score_mean"][seat] == score["mean"]
        assert found["score_interval"][seat] == pytest.approx([score["low"], score["high"]], abs=2e-6)
        assert found["win_share"][seat] == share["mean"]
        assert found["win_share_interval"][seat] == pytest.approx([share["low"], share["high"]], abs=2e-6)
    assert found["shared"] == int((winners > 1).sum()) and found["reasons"] == {"end": 500}
    lengths = sorted(sample.lengths.tolist())
    assert found["length"] == {"least": lengths[0], "median": lengths[249], "most": lengths[-1]}


# -- bots -------------------------------------------------------------------------------------------------------------


def test_any_mix_of_bots_is_the_same_on_any_number_of_processes():
    mix = ["mousse", "uniform", "matelot"]
    one, two = (simulate(FPP, 3, 12, 1, threads=n, bots=mix) for n in (1, 2))
    for field in one.keys() - {"seconds", "actions_per_second"}:
        assert one[field] == two[field]
    assert one["bots"] == mix and one["win_share"][2] == max(one["win_share"])
    assert simulate(FPP, 3, 12, 2, bots=mix)["digest"] != one["digest"]


def test_one_bot_plays_all_seats_and_uniform_play_is_compiled():
    assert simulate(FPP, 2, 3, 1, bots=["mousse"])["bots"] == ["mousse", "mousse"]
    assert simulate(FPP, 2, 50, 1, bots=["uniform"])["digest"] == simulate(FPP, 2, 50, 1)["digest"]


@pytest.mark.parametrize("bots", [["mousse", "mousse"], ["mousse"] * 5, ["amiral"], ["cmd:"], [""]])
def test_bots_that_do_not_fit_the_seats_are_refused(bots):
    with pytest.raises(BadOption):
        simulate(FPP, 3, 2, 1, bots=bots)


# -- what happens -----------------------------------------------------------------------------------------------------


def told(game, players, matches, seed, **more):
    tally = Tally(game, players, counting=True)
    return simulate(game, players, matches, seed, tally=tally, **more), tally


def test_telling_changes_no_match_and_counts_the_same_interpreted_and_compiled(monkeypatch):
    fast, compiled = told(FPP, 4, 30, 5, threads=2)
    assert fast["digest"] == simulate(FPP, 4, 30, 5)["digest"]
    monkeypatch.setenv("TRIBORD_INTERPRETED", "1")
    slow, interpreted = told(FPP, 4, 30, 5)
    assert slow["digest"] == fast["digest"]
    for field in ("kinds", "values", "actions", "lost"):
        assert (getattr(compiled.event_counts, field) == getattr(interpreted.event_counts, field)).all()


def test_victories_in_the_event_counts_are_those_of_the_seats():
    found, tally = told(FPP, 4, 400, 5)
    numbers = {kind.name: number for number, kind in enumerate(FPP.events.KINDS)}
    wins, shares = (tally.event_counts.kinds[numbers[name]] for name in ("wins", "shares"))
    assert wins[CREDIT] == wins[OWNED] * UNIT == wins[TIMES] * UNIT
    assert wins[MATCHES] + shares[MATCHES] == 400 and shares[MATCHES] == found["shared"]
    assert (wins[CREDIT] + shares[CREDIT]) / UNIT == pytest.approx(400)
    assert tally.event_counts.actions[:, 0].sum() == found["actions"]


def test_a_match_is_counted_event_by_event():
    match = load("sauve-qui-peut").match(3, seed=5)
    rng = np.random.default_rng(3)
    while not match.over:
        seat = match.to_act[0]
        match.play(seat, int(rng.choice(match.legal(seat))))
    found = no_events(match.game)
    count_match(match, found)
    winners = match.outcome.winners
    happened = Counter(event.kind for event in match.events)
    owners = actors(match.game)
    for number, kind in enumerate(match.game.events.KINDS):
        mine = [event for event in match.events if event.kind == kind.name]
        assert found.kinds[number, TIMES] == happened[kind.name]
        assert found.kinds[number, MATCHES] == (kind.name in happened)
        if owners[number] >= 0:
            won = sum(list(event.fields.values())[owners[number]] in winners for event in mine)
            assert found.kinds[number, CREDIT] == won * UNIT // len(winners)
        for place, name in enumerate(kind.fields):
            for value, times in Counter(event.fields[name] for event in mine).items():
                assert found.values[number, place, value - LOWEST, TIMES] == times


@pytest.mark.parametrize("name", game_ids())
def test_every_game_has_a_report_in_both_languages_without_a_hook(name, monkeypatch):
    monkeypatch.setenv("TRIBORD_INTERPRETED", "1")
    game = load(name)
    _found, tally = told(game, game.players[0], 3, 1)
    for language in ("fr", "en"):
        words = game.words(language)
        assert all("{" not in line.name and line.times for line in event_lines(tally, words))
        assert all(len(lines) > 1 for lines in choices(tally, words).values())
    assert things(tally, game.words("fr"))
    assert int(tally.event_counts.lost[0]) == 0


# -- files ------------------------------------------------------------------------------------------------------------


def rows_of(file):
    if file.suffix == ".parquet":
        from pyarrow import parquet

        table = parquet.read_table(file)
        assert json.loads(table.schema.metadata[b"tribord"])["seed"] == 1
        return [[int(x) if isinstance(x, bool) else x for x in row.values()] for row in table.to_pylist()]
    if file.suffix == ".json":
        content = json.loads(file.read_text())
        assert content["seed"] == 1
        return [[int(x) if isinstance(x, bool) else x for x in row.values()] for row in content["matches"]]
    return [
        [int(x) if x.lstrip("-").isdecimal() else x for x in row]
        for row in list(csv.reader(file.read_text().splitlines()))[1:]
    ]


def test_every_format_holds_the_same_matches(tmp_path, monkeypatch):
    monkeypatch.setattr(simulation, "CHUNK", 16)
    found = {}
    for suffix in ("parquet", "csv", "json"):
        file = tmp_path / f"matches.{suffix}"
        result = simulate(FPP, 3, 40, 1, threads=2, to=file)
        found[suffix] = rows_of(file)
    assert found["parquet"] == found["csv"] == found["json"]
    rows = found["csv"]
    assert [row[0] for row in rows] == list(range(40))
    assert sum(row[1] for row in rows) == result["actions"] and {row[2] for row in rows} == {"end"}
    assert [sum(row[3 + seat] for row in rows) / 40 for seat in range(3)] == pytest.approx(result["score_mean"])
    assert sum(sum(row[6:9]) > 1 for row in rows) == result["shared"]
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".csv", ".json", ".parquet"]


def test_a_file_is_never_overwritten_and_never_half_there(tmp_path):
    file = tmp_path / "matches.csv"
    file.write_text("mine")
    with pytest.raises(BadOption, match="already exists"):
        simulate(FPP, 2, 5, 1, to=file)
    assert file.read_text() == "mine"
    with pytest.raises(BadOption, match="must end in"):
        simulate(FPP, 2, 5, 1, to=tmp_path / "matches.xlsx")
    with pytest.raises(BadFile, match="couldn’t be written"):
        simulate(FPP, 2, 5, 1, to=tmp_path / "nowhere" / "matches.csv")

    def stop(_done, _all):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        simulate(FPP, 2, 5, 1, to=tmp_path / "other.json", progress=stop)
    assert [path.name for path in tmp_path.iterdir()] == ["matches.csv"]


# -- the report -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "language"), [("faut-pas-pousser", "fr"), ("ile-aux-pirates", "en")])
def test_a_report_is_a_page_with_its_pictures(tmp_path, name, language, monkeypatch):
    monkeypatch.setenv("TRIBORD_INTERPRETED", "1")
    folder = tmp_path / "report"
    status = main(
        ["simulate", name, "--players", "2", "--matches", "6", "--seed", "3", "--jobs", "1", "--report", str(folder)]
        + ["--lang", language]
    )
    assert status == 0
    page = (folder / "index.html").read_text(encoding="utf-8")
    assert f'<html lang="{language}">' in page and load(name).title in page.replace("&#x27;", "'")
    pictures = set(re.findall(r'src="([^"]+)"', page))
    assert pictures == {path.name for path in folder.glob("*.svg")} and len(pictures) > 3
    assert "length.svg" in pictures and ("seats.svg" in pictures) != load(name).cooperative
    assert "--players 2 --matches 6 --seed 3 --report report" in page
    figures = json.loads((folder / "figures.json").read_text(encoding="utf-8"))
    assert figures["matches"] == 6 and figures["choices"] and figures["events"]
    assert main(["simulate", name, "--report", str(folder)]) == 2
    assert main(["simulate", name, "--report", str(folder / "index.html")]) == 2


def test_a_report_says_whether_a_seat_is_better(tmp_path):
    """One seat knows how to play: the report names it."""
    result, tally = told(FPP, 2, 40, 1, bots=["matelot", "uniform"])
    write_report(tmp_path / "unfair", result, tally, Words("en"))
    assert "Seat 0 (matelot) wins most often" in (tmp_path / "unfair" / "index.html").read_text(encoding="utf-8")
