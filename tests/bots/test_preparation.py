"""Preparation: what a table wants comes first, nothing is done twice, failures block nobody."""

from __future__ import annotations

import stat
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tribord import load
from tribord.bots import lookahead, preparation, seat_bot, solver
from tribord.bots.lookahead import Lookahead
from tribord.bots.preparation import LOOKAHEAD, RULES, SEARCH, SOLUTION, Preparation, every_task, locked, tasks_of

ILE, WTP = "ile-aux-pirates", "walk-the-plank"
PATIENCE = 20.0


class Workshop:
    """Stands in for the processes: a task is done once a file has its name; its start is in a log."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch):
        self.folder = folder
        self.log = folder / "log"
        self.log.touch()
        self.used: list[tuple[str, str]] = []
        self.complaints: list[str] = []
        self.program = folder / "python"
        self.script(f'while [ ! -e "{folder}/$game-$kind" ]; do sleep 0.02; done; echo $game $kind')
        monkeypatch.setattr(preparation.sys, "executable", str(self.program))
        monkeypatch.setattr(preparation, "use", self.used.append)
        monkeypatch.setattr(preparation, "PLACES", 2)
        monkeypatch.setattr(preparation, "LOOK_SECONDS", 0.05)
        monkeypatch.setenv("TRIBORD_CACHE", str(folder / "cache"))

    def script(self, work: str) -> None:
        self.program.write_text(f"#!/bin/sh\nwhile read game kind; do echo $game $kind >> {self.log}; {work}; done\n")
        self.program.chmod(self.program.stat().st_mode | stat.S_IXUSR)

    def begun(self) -> list[tuple[str, ...]]:
        return [tuple(line.split()) for line in self.log.read_text().splitlines()]

    def finish(self, game: str, kind: str) -> None:
        (self.folder / f"{game}-{kind}").touch()

    def open(self) -> Preparation:
        found = Preparation(self.complaints.append)
        found.start()
        return found


@pytest.fixture
def workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workshop:
    return Workshop(tmp_path, monkeypatch)


@pytest.fixture
def running() -> Iterator[Callable[[Preparation], Preparation]]:
    started: list[Preparation] = []
    yield lambda found: (started.append(found), found)[1]
    for found in started:
        found.stop()


def wait_for(condition: Callable[[], Any]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_a_rank_needs_what_it_decides_with():
    def kinds(game_id: str, *ranks: str, **options: str) -> list[str]:
        game = load(game_id)
        return [kind for _game, kind in tasks_of(game, ranks, game.settings(3, options))]

    assert kinds(WTP, "mousse") == [RULES]
    assert kinds(WTP, "matelot") == [LOOKAHEAD, RULES]
    assert kinds(WTP, "capitaine@2", "mousse") == [SEARCH, RULES]
    assert kinds("faut-pas-pousser", "bosco") == [SEARCH, LOOKAHEAD, RULES]  # every other time it decides as a matelot
    assert kinds(ILE, "capitaine", "matelot") == [SOLUTION, RULES]
    assert kinds(ILE, "capitaine", "matelot", game="strategic") == [SEARCH, LOOKAHEAD, RULES]


def test_two_processes_do_everything_and_load_nothing_that_nobody_wants(workshop, running):
    everything = every_task()
    found = running(workshop.open())
    wait_for(lambda: len(workshop.begun()) == 2)
    assert len({game for game, _kind in workshop.begun()}) == 2  # each its own game
    assert found.progress() == (0, len(everything))
    for task in everything:
        workshop.finish(*task)
    wait_for(lambda: found.progress() == (len(everything), len(everything)))
    assert sorted(workshop.begun()) == sorted(everything)
    assert workshop.used == []


def test_what_is_wanted_comes_first_and_ends_what_is_not(workshop, running):
    found = running(workshop.open())
    wait_for(lambda: len(workshop.begun()) == 2)
    begun = workshop.begun()
    wanted = [task for task in every_task() if task[0] not in {game for game, _kind in begun}][-3:-1]
    assert not found.want(wanted)
    wait_for(lambda: len(workshop.begun()) == 4)
    assert sorted(workshop.begun()[2:]) == sorted(wanted)
    workshop.finish(*wanted[0])
    wait_for(lambda: workshop.used == [wanted[0]])
    assert not found.want(wanted)
    workshop.finish(*wanted[1])
    wait_for(lambda: found.want(wanted))
    assert sorted(workshop.used) == sorted(wanted)
    wait_for(lambda: len(workshop.begun()) == 6)  # and then what was postponed
    for task in every_task():
        workshop.finish(*task)
    wait_for(lambda: found.progress() == (len(every_task()),) * 2)


def test_what_is_wanted_comes_first_even_where_a_process_is_about_to_begin_something_else(
    workshop, running, monkeypatch
):
    gate = threading.Event()
    monkeypatch.setattr(preparation, "is_kept", lambda task: not gate.wait(PATIENCE))
    found = running(workshop.open())
    wait_for(lambda: all(worker.task for worker in found._workers))
    games = {worker.game for worker in found._workers}
    wanted = [task for task in every_task() if task[0] not in games][:2]
    assert not found.want(wanted)
    gate.set()
    wait_for(lambda: len(workshop.begun()) == 2)
    assert sorted(workshop.begun()) == sorted(wanted)


def test_nothing_begins_after_the_end(workshop, monkeypatch):
    gate = threading.Event()
    monkeypatch.setattr(preparation, "is_kept", lambda task: not gate.wait(PATIENCE))
    found = workshop.open()
    wait_for(lambda: all(worker.task for worker in found._workers))
    threading.Timer(0.2, gate.set).start()
    found.stop()
    assert not any(worker.thread.is_alive() for worker in found._workers)
    assert workshop.begun() == []


def test_what_is_under_way_already_is_not_begun_again_when_it_is_wanted(workshop, running):
    found = running(workshop.open())
    wait_for(lambda: len(workshop.begun()) == 2)
    (wanted,) = workshop.begun()[:1]
    assert not found.want([wanted])
    workshop.finish(*wanted)
    wait_for(lambda: found.want([wanted]))
    assert workshop.used == [wanted]
    assert workshop.begun().count(wanted) == 1


def test_what_is_kept_needs_no_process(workshop, running, monkeypatch):
    monkeypatch.setattr(preparation, "is_kept", lambda task: True)
    found = running(workshop.open())
    wait_for(lambda: found.progress() == (len(every_task()),) * 2)
    wait_for(lambda: found.want([(WTP, SEARCH)]))
    assert workshop.begun() == []
    assert workshop.used == [(WTP, SEARCH)]


def test_what_failed_before_anybody_wanted_it_is_not_tried_again(workshop, running):
    workshop.script(f'case "$game $kind" in "{WTP} {SEARCH}") exit 3;; *) echo $game $kind;; esac')
    found = running(workshop.open())
    wait_for(lambda: found.progress() == (len(every_task()),) * 2)
    wait_for(lambda: found.want([(WTP, SEARCH), (WTP, RULES)]))
    assert [line for line in workshop.complaints if line] == [f"preparing {WTP} {SEARCH} failed"]


@pytest.mark.parametrize("work", ["exit 3", "kill -9 $$"])
def test_what_fails_is_complained_of_and_waited_for_no_longer(workshop, running, work):
    workshop.script(f'case "$game $kind" in "{WTP} {SEARCH}") {work};; *) echo $game $kind;; esac')
    found = running(workshop.open())
    wait_for(lambda: found.want([(WTP, SEARCH), (WTP, RULES)]))
    wait_for(lambda: found.progress() == (len(every_task()),) * 2)
    assert [line for line in workshop.complaints if line] == [f"preparing {WTP} {SEARCH} failed"]
    assert workshop.used == [(WTP, RULES)]


def test_what_was_interrupted_has_not_failed(workshop, running):
    mark = workshop.folder / "interrupted"
    workshop.script(f"[ -e {mark} ] || {{ touch {mark}; kill -INT $$; sleep 9; }}; echo $game $kind")
    found = running(workshop.open())
    wait_for(lambda: found.want([(WTP, SEARCH)]))
    assert mark.exists()
    assert not any(workshop.complaints)


def test_without_another_process_it_is_done_here(workshop, running, monkeypatch):
    made: list[Any] = []
    monkeypatch.setattr(preparation, "make", made.append)
    workshop.program.unlink()
    found = running(workshop.open())
    wait_for(lambda: found.want([(WTP, RULES)]))
    assert (WTP, RULES) in made
    assert workshop.used == [(WTP, RULES)]


def test_several_servers_share_two_places_and_wanted_tasks_need_none(workshop, running):
    first, second = running(workshop.open()), running(workshop.open())
    wait_for(lambda: len(workshop.begun()) == 2)
    time.sleep(0.3)
    assert len(workshop.begun()) == 2
    wanted = (WTP, RULES)
    assert wanted not in workshop.begun()
    second.want([wanted])
    wait_for(lambda: workshop.begun()[2:] == [wanted])
    for task in every_task():
        workshop.finish(*task)
    wait_for(lambda: first.progress() == second.progress() == (len(every_task()),) * 2)


def test_what_never_began_can_be_stopped(workshop):
    Preparation(workshop.complaints.append).stop()
    assert workshop.begun() == []


def test_a_lock_has_one_holder(tmp_path):
    path = tmp_path / "folder" / "lock"
    got = threading.Event()

    def hold() -> None:
        with locked(path):
            got.set()

    with locked(path) as mine:
        assert mine
        with locked(path, wait=False) as theirs:
            assert not theirs
        other = threading.Thread(target=hold)
        other.start()
        assert not got.wait(0.1)
    other.join(PATIENCE)
    assert got.is_set()


def test_a_result_is_kept_for_one_version_and_processor(tmp_path, monkeypatch):
    monkeypatch.setenv("TRIBORD_CACHE", str(tmp_path))
    used: list[Any] = []
    monkeypatch.setattr(preparation, "use", used.append)
    task = (WTP, RULES)
    assert not preparation.is_kept(task)
    preparation.make(task)
    assert preparation.is_kept(task)
    preparation.make(task)
    assert used == [task]
    monkeypatch.setattr(preparation, "machine", lambda: "another processor")
    assert not preparation.is_kept(task)
    preparation.make(task)
    assert used == [task, task]


@pytest.mark.parametrize("task", [task for task in every_task() if task[0] == ILE], ids=" ".join)
def test_a_task_leaves_nothing_to_load(task):
    preparation.make(task)
    preparation.use(task)
    game = load(ILE)
    loaded = {SEARCH: preparation.tree.search, LOOKAHEAD: lookahead.evaluate_actions, RULES: preparation.engine.ask}
    if task[1] == SOLUTION:
        assert solver.loaded(game) is not None
    else:
        assert loaded[task[1]].is_loaded(game.dtype)


# -- meanwhile --------------------------------------------------------------------------------------------------------


@pytest.fixture
def unprepared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is compiled or solved, and nothing must be."""
    monkeypatch.setattr("tribord.core.compiled.Driver.is_loaded", lambda driver, dtype: False)
    monkeypatch.setattr("tribord.core.compiled.Driver.__call__", None)


def opening(game_id: str) -> tuple[Any, Any]:
    match = load(game_id).match(seed=3)
    seat = match.to_act[0]
    return match.view_state(seat), match.legal(seat)


def test_judgement_in_time_is_the_same_interpreted_as_compiled(monkeypatch):
    for game_id in ("sauve-qui-peut", ILE):
        view, legal = opening(game_id)
        compiled = [Lookahead(load(game_id), seed, 0, 24).decide(view, legal) for seed in range(5)]
        with monkeypatch.context() as patched:
            patched.setattr("tribord.core.compiled.Driver.is_loaded", lambda driver, dtype: False)
            patched.setattr(lookahead, "LIGHT", 60.0)
            bots = [Lookahead(load(game_id), seed, 0, 24, wait=False) for seed in range(5)]
            assert [bot.decide(view, legal) for bot in bots] == compiled
            assert not any(bot.light for bot in bots)


@pytest.mark.usefixtures("unprepared")
def test_lookahead_out_of_time_takes_the_best_of_what_it_has_seen(monkeypatch):
    view, legal = opening(WTP)
    monkeypatch.setattr(lookahead, "LIGHT", 0.1)
    bot = Lookahead(load(WTP), 1, 0, 24, wait=False)
    before = time.monotonic()
    assert bot.decide(view, legal) in legal
    assert bot.light
    assert time.monotonic() - before < 5  # all 720 programs would take longer
    chosen = {Lookahead(load(WTP), seed, 0, 24, wait=False).decide(view, legal) for seed in range(4)}
    assert len(chosen) > 1  # not always those that are listed first
    looked: list[int] = []

    def spied(driver: Any, seat: int, actions: Any, first: int = 0, samples: int = 0) -> Any:
        looked.extend(actions.tolist())
        return np.array([float(actions[0] == looked[min(3, len(looked) - 1)] and len(looked) == 4)])

    monkeypatch.setattr(bot, "_values", spied)
    monkeypatch.setattr(lookahead.time, "perf_counter", lambda: float(len(looked) >= 8))
    assert bot.decide(view, legal) == looked[3]
    assert len(looked) == 8
    looked.clear()
    monkeypatch.setattr(bot, "_values", lambda *asked: spied(*asked) * 0)
    assert bot.decide(view, legal) == looked[0] != legal[0]  # of equals the first it saw


@pytest.mark.usefixtures("unprepared")
@pytest.mark.parametrize("game_id", [ILE, WTP, "faut-pas-pousser", "sauve-qui-peut"])
def test_every_rank_decides_at_once_and_says_when_it_did_so_lightly(game_id):
    view, legal = opening(game_id)
    for rank, light in (("mousse", False), ("capitaine", True)):
        bot = seat_bot(rank, load(game_id), 1, wait=False)
        before = time.monotonic()
        assert bot.decide(view, legal) in legal
        assert bot.light is light
        assert time.monotonic() - before < 5
