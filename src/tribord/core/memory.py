"""Memory: refuse more matches than this machine has room for, before the system kills the program that asked."""

from __future__ import annotations

from pathlib import Path

from tribord.core.refusal import BadOption

MEMORY = Path("/proc/meminfo")  # on Linux

# For programmers, so only in English.
NO_MEMORY = "{matches} matches take about {needed} MB of memory, and {free} MB are free. Ask for fewer."


def free_memory() -> int | None:
    """The free bytes of this machine; None where the system doesn't tell."""
    try:
        lines = MEMORY.read_text(encoding="ascii").splitlines()
        told = dict(line.split(":", 1) for line in lines if ":" in line)
        return int(told["MemAvailable"].split()[0]) << 10
    except (OSError, KeyError, ValueError):
        return None


def check_memory(matches: int, row: int) -> None:
    """Refuse matches of `row` bytes each if they don't fit. A system that doesn't tell what is free is trusted."""
    needed, free = matches * row, free_memory()
    if free is not None and needed > free:
        raise BadOption("no-memory", NO_MEMORY, matches=matches, needed=needed >> 20, free=free >> 20)
