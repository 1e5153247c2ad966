"""Garbage collection, timed by connections: here little else leaves reference cycles.

Python's own schedule counts new objects, and a busy server has many that soon go by themselves: it would scan all of
them, thousands of times, to find nothing.
"""

from __future__ import annotations

import gc
import time

ENDED = 250  # connections and requests, some megabytes at most
SECONDS = 60.0
OLDEST = 30  # minutes; a full collection takes tenths of a second with hundreds of tables


class Collector:
    """Decide when to run the garbage collector."""

    def __init__(self) -> None:
        self.ended = 0
        self.looks = 0
        self.looked = time.monotonic()

    def take_over(self) -> None:
        """Freeze what is loaded so far and turn automatic collection off."""
        gc.collect()
        gc.freeze()
        gc.disable()

    def count(self) -> None:
        """Count a connection or request that has ended, and collect after enough of them."""
        self.ended += 1
        if self.ended >= ENDED:
            self.ended = 0
            gc.collect(0)

    def tick(self) -> None:
        """Collect once a minute in any case, older generations included; rarely everything."""
        if time.monotonic() - self.looked > SECONDS:
            self.looked = time.monotonic()
            self.looks += 1
            gc.collect(1 if self.looks % OLDEST else 2)


collector = Collector()
"""The collector of this process: there is one, as there is one memory."""
