"""Locks on files, held against other processes on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows: work may be done twice there, and comes to the same
    fcntl = None  # type: ignore[assignment]


@contextmanager
def locked(path: Path, wait: bool = True) -> Iterator[bool]:
    """Lock a file against other processes. Without `wait`, return whether that worked."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        try:
            if fcntl is not None:
                fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            yield False
        else:
            yield True
