"""The progress bar: how many matches are played and how long the others will take. Only shown in a terminal."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


@contextmanager
def progress_bar(label: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on standard error during work: call it with the number done and the total. Ctrl-C ends the work."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(label, total=None)
        with _interrupts() as check:

            def progress(done: int, total: int) -> None:
                check()
                bar.update(task, completed=done, total=total)

            yield progress


@contextmanager
def _interrupts() -> Iterator[Callable[[], None]]:
    """A check that raises KeyboardInterrupt after Ctrl-C.

    Python drops an exception that is raised in a callback from compiled code or in a finaliser, and with it the Ctrl-C:
    so it's remembered too.
    """
    interrupted = False

    def interrupt(_number: int, _frame: object) -> None:
        nonlocal interrupted
        interrupted = True
        raise KeyboardInterrupt

    def check() -> None:
        if interrupted:
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, interrupt)
    try:
        yield check
    finally:
        signal.signal(signal.SIGINT, before)
