"""The collector of what holds itself in memory. Here that is connections, and little else, so it counts those.

Python's own rhythm counts new objects, of which a busy server has many that soon go by themselves: it would look at all
of them, thousands of times, to find nothing.
"""

from __future__ import annotations

import gc
import time

ENDED = 250  # connections and requests, some megabytes at most
SECONDS = 60.0
OLDEST = 30  # minutes; to look at everything takes tenths of a second where there are hundreds of tables


class Collector:
    """Decides when to look."""

    def __init__(self) -> None:
        self.ended = 0
        self.looks = 0
        self.looked = time.monotonic()

    def take_over(self) -> None:
        """What is loaded by now stays, and from here on only we say when to look."""
        gc.collect()
        gc.freeze()
        gc.disable()

    def count(self) -> None:
        """A connection or a request has ended; thousands may knock in a moment and be refused."""
        self.ended += 1
        if self.ended >= ENDED:
            self.ended = 0
            gc.collect(0)

    def tick(self) -> None:
        """Once a minute look in any case, also at what was still in use at an earlier look; seldom at everything."""
        if time.monotonic() - self.looked > SECONDS:
            self.looked = time.monotonic()
            self.looks += 1
            gc.collect(1 if self.looks % OLDEST else 2)


collector = Collector()
"""The collector of this process: there is one, as there is one memory."""
