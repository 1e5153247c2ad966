"""All cores: work that is spread over processes and comes back in order, the same whatever their number."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import TypeVar

from tribord.core.refusal import Refusal
from tribord.core.words import _

Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 4  # tasks per process that are handed out before the first must be back

WORKER_DIED = _("One of the processes that played was ended from outside, perhaps for want of memory.")


def all_cores() -> int:
    """How many cores there are for us."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def spread(work: Callable[[Item], Result], items: Iterable[Item], jobs: int) -> Iterator[Result]:
    """The results of all the work, in order. One job works in this very process."""
    if jobs == 1:
        yield from map(work, items)
        return
    # Processes that start from nothing: a copy of one with compiled code and threads in it may hang.
    pool = ProcessPoolExecutor(jobs, get_context("spawn"))
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
    finally:
        pool.shutdown(cancel_futures=True)
