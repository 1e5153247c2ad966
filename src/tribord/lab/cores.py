"""All cores: spread work over processes; results come back in order, the same for any number of them."""

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

INTERRUPTS_ARE_OURS = (signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches every process; only the parent should handle it
AHEAD = 4  # tasks handed out per process before the first result is needed

WORKER_DIED = _("A process that played was killed, possibly out of memory.")


class Spread(Protocol):
    """A way to run work elsewhere: yields all results in order, computed only shortly before they are needed."""

    def __call__(self, work: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[Result]:
        """Run the work on each item."""


def all_cores() -> int:
    """The number of cores available to this process."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def spread(work: Callable[[Item], Result], items: Sequence[Item], jobs: int) -> Iterator[Result]:
    """Spread over this many processes. One job runs in this process."""
    jobs = min(jobs, len(items))
    if jobs <= 1:
        yield from map(work, items)
        return
    # Fresh processes: a fork of one with compiled code and threads may hang.
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
    except (KeyboardInterrupt, GeneratorExit):  # don't wait for matches that are no longer wanted
        for child in active_children():
            if child not in before:
                child.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def spread_compiled(work: Callable[[Item], Result], items: Sequence[Item], threads: int) -> Iterator[Result]:
    """Spread over this many threads of this process: compiled code releases the GIL."""
    waiting: deque[Future[Result]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        for item in items:
            waiting.append(pool.submit(work, item))
            if len(waiting) > 2 * threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
