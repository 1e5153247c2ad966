"""All cores: work that is spread over processes and comes back in order, the same whatever their number."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import active_children, get_context
from typing import Protocol, TypeVar

from tribord.core.refusal import Refusal
from tribord.core.words import _

Item = TypeVar("Item")
Result = TypeVar("Result")

INTERRUPTS_ARE_OURS = (signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches every process, and one is to answer it
AHEAD = 4  # tasks per process that are handed out before the first must be back

WORKER_DIED = _("One of the processes that played was ended from outside, perhaps for want of memory.")


class Spread(Protocol):
    """A way to get work done elsewhere: the results of all of it, in order, not much before they are wanted."""

    def __call__(self, work: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[Result]:
        """Do the work with each of the items."""


def all_cores() -> int:
    """How many cores there are for us."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def spread(work: Callable[[Item], Result], items: Sequence[Item], jobs: int) -> Iterator[Result]:
    """Over so many processes. One job works in this very process."""
    jobs = min(jobs, len(items))
    if jobs <= 1:
        yield from map(work, items)
        return
    # Processes that start from nothing: a copy of one with compiled code and threads in it may hang.
    before = active_children()
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), initializer=signal.signal, initargs=INTERRUPTS_ARE_OURS)
    waiting: deque[Future[Result]] = deque()
    try:
        for item in items:
            waiting.append(pool.submit(work, item))
            if len(waiting) >= AHEAD * jobs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenProcessPool:
        raise Refusal("worker-died", WORKER_DIED) from None
    except (KeyboardInterrupt, GeneratorExit):  # nobody waits for matches that are not wanted any more
        for child in active_children():
            if child not in before:
                child.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def spread_compiled(work: Callable[[Item], Result], items: Sequence[Item], threads: int) -> Iterator[Result]:
    """Over so many threads of this process: compiled code lets the others run."""
    waiting: deque[Future[Result]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        for item in items:
            waiting.append(pool.submit(work, item))
            if len(waiting) > 2 * threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
