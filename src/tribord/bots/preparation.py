"""Preparation: compile and solve what bots need for their full strength, in background processes.

A task is a game and the part of it to prepare. Two processes work on the tasks and keep the results on disk, with a
mark when they are complete. Tasks that a table is waiting for come first: if both processes are busy with others, one
is stopped and its task goes back into the queue. Wanted results are then loaded into this process for its bots.

Servers on one machine share the disk: a task runs in one process at a time, and at most two processes work on tasks
without a waiting table.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable
from contextlib import ExitStack, suppress
from pathlib import Path

from tribord.bots import lookahead, tree
from tribord.bots.bot import rank_of, share_below
from tribord.bots.frozen import FROZEN
from tribord.bots.lookahead import Lookahead
from tribord.bots.search import Search
from tribord.bots.solver import TEMPERATURES, at_hand, check_solved, is_solved, kept_at, solution, solve
from tribord.core import engine
from tribord.core.compiled import Driver, cache_home, interpreted, machine
from tribord.core.file_lock import locked
from tribord.core.game import Game, games, load
from tribord.core.record import State
from tribord.core.refusal import BadOption

SEARCH, SOLUTION, LOOKAHEAD, RULES = "search", "solution", "lookahead", "rules"
PLACES = max(1, min(2, os.cpu_count() or 1))  # processes at work
NICE = 5  # people who are playing come first
STOP_SECONDS = 5.0
LOOK_SECONDS = 0.5  # how often to check for a free slot, or for a task that another process has done

Task = tuple[str, str]  # a game's id, and what of it


def every_task() -> list[Task]:
    """All tasks; those that take longest and help most come first."""
    return [
        (game.id, kind)
        for game in games()
        for kind in (SEARCH, SOLUTION, LOOKAHEAD, RULES)
        if kind != SOLUTION or is_solved(game)
    ]


def tasks_of(game: Game, ranks: Iterable[str], settings: State) -> list[Task]:
    """The tasks that bring bots of these ranks to full strength, and those that speed up the match itself."""
    kinds = set()
    for rank in {rank_of(name)[0] for name in ranks}:
        if (rank in TEMPERATURES or rank in FROZEN) and _solves(game, settings):
            kinds.add(SOLUTION)
        elif rank == "matelot":
            kinds.add(LOOKAHEAD)
        elif rank != "mousse":  # a mousse evaluates three actions, fast enough without a compiler
            kinds |= {SEARCH, LOOKAHEAD} if share_below(game, rank) else {SEARCH}
    return [(game.id, kind) for kind in (SOLUTION, SEARCH, LOOKAHEAD) if kind in kinds] + [(game.id, RULES)]


def _solves(game: Game, settings: State) -> bool:
    try:
        check_solved(game, settings)
    except BadOption:
        return False
    return True


# -- one task ---------------------------------------------------------------------------------------------------------


def is_kept(task: Task) -> bool:
    """Whether a task's result is on disk, made by these versions for this processor."""
    try:
        return _mark(task).read_text(encoding="utf-8") == machine()
    except OSError:
        return False


def make(task: Task) -> None:
    """Do a task in this process and keep the result on disk, unless another process has done it."""
    mark = _mark(task)
    mark.parent.mkdir(parents=True, exist_ok=True)
    with locked(mark.with_suffix(".lock")):
        if not is_kept(task):
            use(task)
            mark.write_text(machine(), encoding="utf-8")


def use(task: Task) -> None:
    """Load a task's result into this process, which takes tenths of a second, or do the task if it isn't kept."""
    game, kind = load(task[0]), task[1]
    match = game.match(seed=1)
    seat = match.to_act[0]
    view, legal = match.view_state(seat), match.legal(seat)
    if kind == RULES:
        game.speed_up()
    elif kind == SEARCH:
        Search(game, iterations=1).decide(view, legal)
    elif kind == LOOKAHEAD:
        Lookahead(game, 0, candidates=2, samples=1).decide(view, legal)
    else:
        if at_hand(game) is None:
            solve(game)
        solution(game).action_values(view)


def _mark(task: Task) -> Path:
    """The file that says that a task is done."""
    game, kind = load(task[0]), task[1]
    if kind == SOLUTION:
        return kept_at(game).with_suffix(".made")
    driver: Driver = {SEARCH: tree.search, LOOKAHEAD: lookahead.evaluate_actions, RULES: engine.ask}[kind]
    return driver.folder(game.dtype) / f"{driver.__name__}.made"


# -- all of them ------------------------------------------------------------------------------------------------------


class Preparation:
    """Does tasks in the background: wanted ones first, which it also loads, then (`everything`) all others.

    `notice` is called from another thread when a wanted task is settled, with a message if it failed.
    """

    def __init__(self, notice: Callable[[str], None] = lambda complaint: None, everything: bool = True):
        self.notice = notice
        self._change = threading.Condition()
        self._todo: list[Task] = every_task() if everything and not interpreted() else []
        self._known = set(self._todo)
        self._wanted: set[Task] = set()
        self._kept: set[Task] = set()
        self._settled: set[Task] = set()  # loaded or given up: no reason to wait for it
        self._workers = [Worker(self) for _place in range(PLACES)]
        self._stopped = False

    def start(self) -> None:
        """Start the workers."""
        for worker in self._workers:
            worker.thread.start()

    def stop(self) -> None:
        """Stop the workers, if they were started."""
        with self._change:
            self._stopped = True
            self._change.notify_all()
            for worker in self._workers:
                worker.drop()
        for worker in self._workers:
            if worker.thread.is_alive():
                worker.thread.join(STOP_SECONDS)

    def want(self, tasks: Iterable[Task]) -> bool:
        """Do these first and load them. Returns whether all of them are settled already."""
        asked = list(tasks)
        if interpreted() or self._settled.issuperset(asked):
            return True
        with self._change:
            new = [task for task in asked if task not in self._wanted | self._settled]  # what failed is not tried again
            self._wanted.update(new)
            self._known.update(new)
            at_work = [worker.task for worker in self._workers]
            self._todo = [task for task in self._todo if task not in new]
            self._todo += [task for task in new if task not in at_work]
            self._todo.sort(key=lambda task: task not in self._wanted)
            if new:
                self._make_room()
                self._change.notify_all()
        return False

    def _make_room(self) -> None:
        """Stop work that can wait, as long as a wanted task lacks a worker."""
        idle = sum(worker.task is None for worker in self._workers)
        missing = sum(task in self._wanted for task in self._todo) - idle
        for worker in self._workers:
            if missing > 0 and worker.task is not None and worker.task not in self._wanted:
                worker.drop()
                missing -= 1

    def progress(self) -> tuple[int, int]:
        """The number of tasks done, and of all tasks."""
        with self._change:
            return len(self._kept), len(self._known)

    # -- for the workers ----------------------------------------------------------------------------------------------

    def take(self, worker: Worker) -> Task | None:
        """Wait for the next task for a worker; None when stopping."""
        with self._change:
            idle = not self._todo
        if idle:
            worker.rest()
        with self._change:
            while not self._todo and not self._stopped:
                self._change.wait()
            if self._stopped:
                return None
            taken = {other.game for other in self._workers if other is not worker}
            # Rules that were compiled once need not be again for another driver, as long as the process is the same.
            worker.task = min(
                self._todo, key=lambda task: (task not in self._wanted, task[0] != worker.game, task[0] in taken)
            )
            self._todo.remove(worker.task)
            worker.game = worker.task[0]
            if worker.process is None:
                worker.dropped = False
            return worker.task

    def put_back(self, worker: Worker, wait: float = 0.0) -> None:
        """Put back a task that wasn't done, perhaps to try again after a while."""
        with self._change:
            assert worker.task is not None
            self._todo.append(worker.task)
            self._todo.sort(key=lambda task: task not in self._wanted)
            worker.task = None
            if wait and not self._stopped:
                self._change.wait(wait)

    def is_wanted(self, task: Task) -> bool:
        """Whether a table is waiting for a task."""
        with self._change:
            return task in self._wanted

    def settle(self, worker: Worker, complaint: str = "") -> None:
        """Record that a task is done or impossible."""
        with self._change:
            assert worker.task is not None
            task, worker.task = worker.task, None
            self._kept.add(task)
            noticed = task in self._wanted or bool(complaint)
            if noticed:
                self._settled.add(task)
        if noticed:
            self.notice(complaint)


class Worker:
    """A thread that takes tasks, and the process that does them for it."""

    def __init__(self, home: Preparation):
        self.home = home
        self.task: Task | None = None  # at work on
        self.game = ""  # that the process works on, or did last
        self.process: subprocess.Popen[str] | None = None
        self.dropped = False  # the process is to end, or not to begin
        self.thread = threading.Thread(target=self._run, name="preparation", daemon=True)

    def drop(self) -> None:
        """Stop work on a task that can wait."""
        self.dropped = True
        if self.process is not None:
            self.process.kill()

    def rest(self) -> None:
        """Let the process end, since there is nothing to do for now."""
        if self.process is not None:
            with self.process, suppress(OSError):
                assert self.process.stdin
                self.process.stdin.close()
            self.process = None
            self.game = ""

    def _run(self) -> None:
        while (task := self.home.take(self)) is not None:
            try:
                self._do(task)
            except Exception as error:  # this thread must live on for the other tasks
                self.home.settle(self, f"{' '.join(task)}: {error!r}")
        self.rest()

    def _do(self, task: Task) -> None:
        with ExitStack() as held:
            if not is_kept(task):
                if not self.home.is_wanted(task) and not _find_place(held):
                    self.home.put_back(self, LOOK_SECONDS)
                    return
                if not self._make_elsewhere(task):
                    return
        if self.home.is_wanted(task):
            use(task)
        self.home.settle(self)

    def _make_elsewhere(self, task: Task) -> bool:
        """Have the process do a task; returns whether it did."""
        try:
            if self.process is None:
                self.process = subprocess.Popen(
                    [sys.executable, "-m", "tribord.bots.preparation"], env=_environment(), text=True,
                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                )  # fmt: skip
        except OSError:  # no other process can be started
            make(task)
            return True
        if not self.dropped and self._ask(self.process, task):
            return True
        process = self.process
        process.kill()
        self.rest()
        if self.dropped or process.returncode == -signal.SIGINT:  # Ctrl+C reaches everyone: our parent will stop us
            self.home.put_back(self)
        else:
            self.home.settle(self, f"preparing {' '.join(task)} failed")
        return False

    def _ask(self, process: subprocess.Popen[str], task: Task) -> bool:
        assert process.stdin and process.stdout
        line = " ".join(task) + "\n"
        try:
            process.stdin.write(line)
            process.stdin.flush()
        except OSError:
            return False
        return any(answer == line for answer in process.stdout)


def _find_place(held: ExitStack) -> bool:
    """Take one of the slots that the servers on this machine share, if one is free."""
    return any(held.enter_context(locked(cache_home() / f"place-{k}.lock", wait=False)) for k in range(PLACES))


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "TRIBORD_INTERPRETED"}


def main() -> None:
    """Do the tasks that arrive, one per line."""
    if hasattr(os, "nice"):
        os.nice(NICE)
    for line in sys.stdin:
        game, kind = line.split()
        make((game, kind))
        print(game, kind, flush=True)


if __name__ == "__main__":
    main()
