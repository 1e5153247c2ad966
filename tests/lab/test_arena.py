"""The arena: fair line-ups, honest intervals, the same result on any number of cores and after any interruption."""

import json
import os
import signal
import statistics
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from tribord import BadFile, BadOption, Refusal, load
from tribord.bots import Mixture, rank_below, seat_bot
from tribord.cli.arena import tell
from tribord.cli.speech import Speech
from tribord.lab import arena as arena_module
from tribord.lab import contest
from tribord.lab.arena import arena, schedule
from tribord.lab.contest import Played, terms
from tribord.lab.cores import spread
from tribord.lab.interval import mean_of, share_of, student
from tribord.lab.ledger import Ledger
from tribord.lab.lineup import EVERYBODY, LADDER, PAIRS, crews, seatings
from tribord.lab.plot import check_picture, plot_arena
from tribord.lab.rating import places, ratings

FPP, ILE = load("faut-pas-pousser"), load("ile-aux-pirates")


def steady(result):
    """A result without what varies from run to run."""
    kept = json.loads(json.dumps(result))
    del kept["seconds"]
    for standing in kept["standings"]:
        del standing["seconds_per_decision"]
    return kept


@pytest.fixture(scope="module")
def result():
    return arena(FPP, ["mousse", "matelot"], 2, 16, 1, jobs=1)


# -- line-ups ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("meet", [EVERYBODY, PAIRS])
@pytest.mark.parametrize("players", [2, 3, 4, 6])
@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_in_every_round_every_bot_holds_every_seat_equally_often(count, players, meet):
    bots = ["a", "b", "c", "d", "e"][:count]
    for number in range(3):
        tables = [s for crew in crews(bots, players, meet) for s in seatings(crew, 7, number)]
        held = Counter((bot, seat) for seats in tables for seat, bot in enumerate(seats))
        assert set(held) == {(bot, seat) for bot in bots for seat in range(players)}
        assert len(set(held.values())) == 1
        assert len(set(tables)) == len(tables)


def test_two_bots_play_one_against_all_the_others_both_ways():
    for crew, alone in zip(crews(["a", "b"], 4), "ab"):
        tables = list(seatings(crew, 1, 0))
        assert sorted(table.index(alone) for table in tables) == [0, 1, 2, 3]
        assert all(table.count(alone) == 1 for table in tables)


def test_the_order_round_the_table_differs_from_round_to_round():
    orders = {next(seatings(("a", "b", "c", "d"), 1, number)) for number in range(30)}
    assert len(orders) > 10


def test_a_longer_arena_begins_like_a_shorter_one():
    agreed = terms(FPP, 4, None, 3)
    first = [f for f, _k in zip(schedule(FPP, ["mousse", "matelot"], agreed, False), range(20))]
    assert [f.number for f in first] == list(range(20))
    assert [f.round for f in first] == [0] * 8 + [1] * 8 + [2] * 4


# -- intervals --------------------------------------------------------------------------------------------------------


def test_student_quantiles_are_those_of_the_tables():
    for degrees, right in ((1, 12.706), (2, 4.303), (3, 3.182), (5, 2.571), (9, 2.262), (30, 2.042), (500, 1.965)):
        assert student(degrees) == pytest.approx(right, abs=0.015)


def test_intervals_hold_the_truth_as_often_as_they_say():
    """Rounds of four correlated matches: clustered intervals cover, those of independent matches would not."""
    rng = np.random.default_rng(1)
    means = shares = naive = 0
    for _trial in range(600):
        luck = rng.random(25) < 0.4
        rounds = [np.where(rng.random(4) < 0.8, lucky, rng.random(4) < 0.4) for lucky in luck]
        averages = [float(np.mean(r)) for r in rounds]
        share, mean = share_of(averages, 4), mean_of(averages)
        shares += share.low <= 0.4 <= share.high
        means += mean.low <= 0.4 <= mean.high
        single = [float(x) for r in rounds for x in r]
        reach = 1.96 * statistics.stdev(single) / len(single) ** 0.5
        naive += abs(statistics.mean(single) - 0.4) <= reach
    assert 0.92 <= shares / 600 <= 0.98
    assert 0.91 <= means / 600 <= 0.98
    assert naive / 600 < 0.85


def test_a_perfect_record_is_not_a_certainty():
    always = share_of([1.0] * 10, 8)
    assert always.high == 1 and 0.6 < always.low < 0.75
    assert share_of([0.0] * 10).low == 0
    assert 0 < share_of([0.5]).low < 0.5 < share_of([0.5]).high < 1
    assert mean_of([3.0]).as_dict() == {"mean": 3.0, "low": None, "high": None}


# -- results ----------------------------------------------------------------------------------------------------------


def test_shares_add_up_and_the_sailor_is_stronger_than_the_boy(result):
    mousse, matelot = result["standings"]
    assert mousse["seats"] == matelot["seats"] == 16
    assert mousse["win_share"]["mean"] + matelot["win_share"]["mean"] == pytest.approx(1)
    assert matelot["win_share"]["low"] > 0.5 > mousse["win_share"]["high"]
    assert matelot["rating"]["mu"] > mousse["rating"]["mu"]
    assert result["cross"]["mousse"]["matelot"]["mean"] == pytest.approx(
        1 - result["cross"]["matelot"]["mousse"]["mean"]
    )
    assert result["alone"]["matelot"]["mousse"]["mean"] == matelot["win_share"]["mean"]
    assert all(standing["faults"] == {"crash": 0, "late": 0, "rubbish": 0} for standing in result["standings"])
    assert result["reproducible"] and result["rounds"] == 8 and result["matches_per_round"] == 2


def test_the_same_seed_gives_the_same_result_on_any_number_of_processes(result):
    assert steady(arena(FPP, ["mousse", "matelot"], 2, 16, 1, jobs=2)) == steady(result)
    assert arena(FPP, ["mousse", "matelot"], 2, 16, 2, jobs=1)["digest"] != result["digest"]


def test_on_a_ladder_each_bot_is_alone_among_those_below():
    result = arena(load("faut-pas-pousser"), ["matelot", "mousse", "uniform"], 3, 12, seed=3, meet=LADDER, jobs=1)
    assert result["meet"] == LADDER and result["matches_per_round"] == 6 and result["rounds"] == 2
    assert {a: list(row) for a, row in result["alone"].items()} == {
        "matelot": ["mousse"],
        "mousse": ["uniform"],
        "uniform": [],
    }
    assert result["alone"]["matelot"]["mousse"]["mean"] is not None
    for name in ("matelot", "mousse"):
        seats = [
            seats.index(name)
            for crew in crews(result["bots"], 3, LADDER)
            if crew[0] == name
            for seats in seatings(crew, 3, 0)
        ]
        assert sorted(seats) == [0, 1, 2]


def test_before_it_is_timed_all_that_a_bot_may_do_is_done_once(monkeypatch):
    """A mixture is two bots: compiling either mustn't count as thinking, and a plain bot mustn't be asked again."""
    asked = Counter()

    class Counting:
        def __init__(self, name):
            self.name = name

        def decide(self, view, legal, clock=None):
            asked[self.name] += 1
            return 0

    bots = {"plain": Counting("plain"), "mixture": Mixture(Counting("long"), Counting("brief"), 0.5, 1)}
    monkeypatch.setattr(contest, "seat_bot", lambda name, game: bots[name])
    monkeypatch.setattr(contest, "_warmed", set())
    agreed = terms(FPP, 4, None, 1)
    for name in ("plain", "mixture", "mixture"):
        contest._warm(agreed, name)
    assert asked == {"plain": 1, "long": 1, "brief": 1}


def test_a_rank_may_think_so_many_times_as_long():
    usual, longer = (seat_bot(name, FPP) for name in ("capitaine", "capitaine@2"))
    assert (usual.iterations, longer.iterations) == (3000, 6000)
    usual, longer = (seat_bot(name, FPP).bot for name in ("bosco", "bosco@2"))
    assert (usual.iterations, longer.iterations) == (300, 600)
    result = arena(FPP, ["bosco@0.05", "bosco@0.1"], 2, 2, 3, jobs=1)
    assert [standing["bot"] for standing in result["standings"]] == ["bosco@0.05", "bosco@0.1"]
    agreed = terms(FPP, 2, None, 1, clock=0.5)
    assert (agreed.clock_of("bosco@3"), agreed.allowed("bosco@3")) == (1.5, 2.25)
    assert (agreed.clock_of("cmd:./mine@3"), agreed.allowed("cmd:./mine@3")) == (0.5, 0.75)
    assert rank_below("capitaine@2") == "bosco"


def test_a_cooperative_game_pairs_bots_by_seed():
    found = arena(ILE, ["mousse", "matelot"], 2, 40, 1, jobs=1)
    mousse, matelot = found["standings"]
    assert mousse["matches"] == matelot["matches"] == found["rounds"] == 20
    difference = found["paired"]["matelot"]["mousse"]
    assert difference["difference"]["mean"] == pytest.approx(matelot["win_share"]["mean"] - mousse["win_share"]["mean"])
    assert difference["only_this"] - difference["only_other"] == round(20 * difference["difference"]["mean"])
    assert "rating" not in matelot and found["fair"] is None


def test_shared_victories_are_fractions_and_places_follow_victory_then_points():
    match = Played(0, 0, ["a", "b", "b", "a"], [9, 4, 4, 1], [1, 2], "end", 4, [1] * 4, [0.0] * 4, [{}] * 4, [""] * 4)
    assert [arena_module.credit(match, seat) for seat in range(4)] == [0, 0.5, 0.5, 0]
    assert places(match) == [2, 0, 0, 3]
    found = arena_module.summary(FPP, ["a", "b"], [match], 1)
    assert [s["win_share"]["mean"] for s in found["standings"]] == [0, 0.5]
    assert found["cross"]["b"]["a"]["mean"] == 1


def test_a_bot_that_always_wins_is_rated_higher_and_equals_are_rated_equal():
    def won(number, winners):
        return Played(number, number, ["a", "b"], [1, 1], winners, "end", 2, [1, 1], [0.0, 0.0])

    better = ratings(["a", "b"], [won(n, [0]) for n in range(10)])
    assert better["a"]["ordinal"] > better["b"]["ordinal"]
    same = ratings(["a", "b"], [won(n, [0, 1]) for n in range(10)])
    assert same["a"] == same["b"]


# -- resuming ---------------------------------------------------------------------------------------------------------


def test_finished_matches_are_not_played_again(tmp_path, result, monkeypatch):
    file = tmp_path / "arena.jsonl"
    first = arena(FPP, ["mousse", "matelot"], 2, 6, 1, jobs=1, to=file)
    assert first["matches"] == 6 and len(file.read_text().splitlines()) == 7
    numbers = []
    play = arena_module.play
    monkeypatch.setattr(
        arena_module, "play", lambda agreed, fixture: numbers.append(fixture.number) or play(agreed, fixture)
    )
    again = arena(FPP, ["mousse", "matelot"], 2, 16, 1, jobs=1, to=file)
    assert numbers == list(range(6, 16))
    assert steady(again) == steady(result)
    numbers.clear()
    fewer = arena(FPP, ["mousse", "matelot"], 2, 6, 1, jobs=1, to=file)
    assert numbers == [] and fewer["digest"] == first["digest"]


@pytest.mark.parametrize("left", [1, 30, 250])
def test_a_half_written_last_line_is_noticed_and_played_again(tmp_path, result, left):
    file = tmp_path / "arena.jsonl"
    arena(FPP, ["mousse", "matelot"], 2, 4, 1, jobs=1, to=file)
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join(lines[:4]) + lines[4][: min(left, len(lines[4]) - 1)])
    noticed = []
    again = arena(FPP, ["mousse", "matelot"], 2, 16, 1, jobs=1, to=file, notice=lambda: noticed.append(True))
    assert noticed == [True]
    assert again["digest"] == result["digest"]
    assert [json.loads(line)["number"] for line in file.read_text().splitlines()[1:]] == list(range(16))


def test_a_file_cut_short_in_its_first_line_starts_over(tmp_path):
    file = tmp_path / "arena.jsonl"
    one = arena(FPP, ["mousse", "matelot"], 2, 2, 1, jobs=1, to=file)
    file.write_text(file.read_text()[:25])
    assert arena(FPP, ["mousse", "matelot"], 2, 2, 1, jobs=1, to=file)["digest"] == one["digest"]
    assert len(file.read_text().splitlines()) == 3


def test_a_file_of_something_else_is_refused_and_left_alone(tmp_path):
    file = tmp_path / "arena.jsonl"
    arena(FPP, ["mousse", "matelot"], 2, 2, 1, jobs=1, to=file)
    before = file.read_text()
    with pytest.raises(BadFile, match="seed"):
        arena(FPP, ["mousse", "matelot"], 2, 2, 9, jobs=1, to=file)
    with pytest.raises(BadFile, match="bots"):
        arena(FPP, ["matelot", "mousse"], 2, 2, 1, jobs=1, to=file)
    assert file.read_text() == before
    file.write_text(before.replace('{"number": 0', '{"numb', 1))
    with pytest.raises(BadFile, match="Line 2"):
        arena(FPP, ["mousse", "matelot"], 2, 2, 1, jobs=1, to=file)
    swapped = before.replace('["mousse", "matelot"], "scores"', '["matelot", "mousse"], "scores"', 1)
    assert swapped != before
    file.write_text(swapped)
    with pytest.raises(BadFile, match="damaged"):
        arena(FPP, ["mousse", "matelot"], 2, 2, 1, jobs=1, to=file)
    for text in ("my diary\n", "my diary", "[1]\n", '{"tribord": 1}\n'):
        file.write_text(text)
        with pytest.raises(BadFile, match="isn’t a file of arena matches"):
            arena(FPP, ["mousse", "matelot"], 2, 2, 1, jobs=1, to=file)
        assert file.read_text() == text
    with pytest.raises(BadFile, match="couldn’t be written"):
        arena(FPP, ["mousse", "matelot"], 2, 2, 1, jobs=1, to=tmp_path / "nowhere" / "a.jsonl")
    with pytest.raises(BadFile, match="couldn’t be written"):
        arena(FPP, ["mousse", "matelot"], 2, 2, 1, jobs=1, log=tmp_path / "nowhere" / "log")
    with pytest.raises(BadFile, match="couldn’t be written"):
        check_picture(tmp_path / "nowhere" / "a.png")


def test_a_ledger_has_one_writer(tmp_path):
    file = tmp_path / "arena.jsonl"
    with Ledger(file, {"seed": 1}) as ledger:
        ledger._file.write('{"number": 0')  # half a line, which another run would delete
        ledger._file.flush()
        before = file.read_bytes()
        with pytest.raises(BadFile, match="Another arena is writing"):
            Ledger(file, {"seed": 1})
        assert file.read_bytes() == before
    with Ledger(file, {"seed": 1}) as again:
        assert again.cut_short


def test_a_process_that_is_killed_is_a_sentence():
    with pytest.raises(Refusal, match="was killed"):
        list(spread(os._exit, [3, 3], 2))


@pytest.mark.parametrize("moment", [signal.SIGKILL, signal.SIGINT])
def test_an_arena_that_is_killed_goes_on_where_it_was(tmp_path, result, moment):
    file = tmp_path / "arena.jsonl"
    arguments = ["arena", FPP.id, "--bots", "mousse,matelot", "--players", "2", "--seed", "1", "--to", str(file)]
    command = [sys.executable, "-m", "tribord.cli", *arguments, "--matches", "5000", "--jobs", "1", "--json"]
    heard = signal.signal(signal.SIGINT, signal.SIG_DFL)  # ignored when tests run in the background
    try:
        running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    finally:
        signal.signal(signal.SIGINT, heard)
    try:
        until = time.monotonic() + 60
        while time.monotonic() < until and not (file.exists() and file.read_bytes().count(b"\n") > 3):
            time.sleep(0.05)
        running.send_signal(moment)
        out, err = running.communicate(timeout=60)
    finally:
        if running.poll() is None:  # or its remains would fail other tests
            running.kill()
            running.communicate()
    assert out == "" and "Traceback" not in err
    assert running.returncode == (130 if moment == signal.SIGINT else -signal.SIGKILL)
    assert ("to continue from" in err or "pour continuer" in err) == (moment == signal.SIGINT)
    assert arena(FPP, ["mousse", "matelot"], 2, 16, 1, jobs=1, to=file)["digest"] == result["digest"]


# -- plots, refusals --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", [".png", ".svg"])
def test_plots_are_the_same_every_time(tmp_path, result, suffix):
    pictures = []
    for name in "ab":
        file = tmp_path / (name + suffix)
        plot_arena(result, file, FPP.words("fr"))
        pictures.append(file.read_bytes())
    assert pictures[0] == pictures[1]
    assert pictures[0].startswith(b"\x89PNG" if suffix == ".png" else b"<?xml")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"bots": ["matelot"]}, "two bots"),
        ({"bots": []}, "two bots"),
        ({"bots": ["matelot", "matelot"]}, "twice"),
        ({"bots": ["matelot", "amiral"]}, "amiral"),
        ({"bots": ["matelot", "amiral@2"]}, "amiral"),
        ({"bots": ["matelot", "matelot@2"]}, "doesn’t search"),
        ({"bots": ["matelot", "bosco@0"]}, "times as long"),
        ({"bots": ["matelot", "bosco@1000"]}, "times as long"),
        ({"bots": ["matelot", "cmd:"]}, "doesn’t name a program"),
        ({"bots": ["matelot", "cmd:'"]}, "doesn’t name a program"),
        ({"bots": ["matelot", "cmd:no-such-program-here --fast"]}, "no-such-program-here"),
        ({"players": 9}, "2 to 4 players"),
        ({"matches": 0}, "at least 1"),
        ({"jobs": 0}, "at least 1"),
        ({"clock": 0.0}, "clock"),
        ({"clock": -1.0}, "clock"),
        ({"clock": float("nan")}, "clock"),
        ({"clock": 1e9}, "clock"),
        ({"patience": 0.0}, "clock"),
        ({"options": {"wind": 3}}, "wind"),
        ({"seed": 1 << 63}, "63 bits"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(change, sentence):
    given = {"bots": ["mousse", "matelot"], "players": 2, "matches": 2, "seed": 1, "jobs": 1} | change
    with pytest.raises(BadOption, match=sentence) as refused:
        arena(FPP, **given)
    assert refused.value.say(FPP.words("fr")) != str(refused.value)


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "openskill.models", None)
    with pytest.raises(Refusal, match=r"openskill.*tribord\[lab\]"):
        arena(FPP, ["mousse", "matelot"], 2, 2, 1, jobs=1)


def test_the_page_of_the_arena_describes_every_field(result):
    page = (Path(__file__).parents[2] / "docs" / "arena.md").read_text(encoding="utf-8")
    found = {*result, *result["standings"][0], *result["standings"][0]["rating"], "difference", "only_this", "paired"}
    assert {field for field in found if f"`{field}`" not in page and f'"{field}"' not in page} == set()


# -- without the extra `lab` -------------------------------------------------------------------------------------------


def test_without_the_extra_lab_there_is_everything_but_ratings(result, monkeypatch, capsys):
    for package in ("openskill", "openskill.models", "matplotlib", "pyarrow"):
        monkeypatch.setitem(sys.modules, package, None)
    bare = arena(FPP, ["mousse", "matelot"], 2, 16, 1, jobs=1)
    whole = steady(result)
    for standing in whole["standings"]:
        del standing["rating"]
    assert steady(bare) == whole
    tell(bare, FPP, Speech("en"))
    said = capsys.readouterr().out
    assert "No ratings: for those, install tribord[lab]." in said and "rating  " not in said
    with pytest.raises(Refusal, match=r"needs the package “matplotlib”: install tribord\[lab\]"):
        check_picture(Path("standings.svg"))
