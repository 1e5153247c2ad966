"""Preparing: compile what the bots need in other processes, open tables first.

Nobody waits for it. Until it's done bots play lighter, and the table says so.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import lru_cache

import msgspec

from tribord.bots import ranks
from tribord.bots.preparation import Preparation, Task, tasks_of
from tribord.core.game import load
from tribord.server import log
from tribord.server.collector import collector
from tribord.server.messages import encode
from tribord.server.table import OVER, Table


class Preparer:
    """Prepare the bots of a server."""

    def __init__(self) -> None:
        self._preparation = Preparation(self._settled)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._changed: Callable[[], None] = lambda: None

    def start(self, changed: Callable[[], None]) -> None:
        """Begin, and call `changed` on the event loop whenever something that was wanted is there."""
        self._loop, self._changed = asyncio.get_running_loop(), changed
        self._preparation.start()
        collector.take_over()

    async def stop(self) -> None:
        """Stop the processes."""
        self._loop = None
        await asyncio.to_thread(self._preparation.stop)

    def prepare(self, table: Table) -> bool:
        """Prepare a table's bots first; return whether they already play at full strength."""
        if table.status == OVER:
            return True
        ours = frozenset(seat.rank for seat in table.seats if seat.rank in ranks())
        settings = table.settings
        return self._preparation.want(_tasks(table.game.id, ours, settings["players"], encode(settings["options"])))

    def prepare_hints(self, table: Table) -> bool:
        """Prepare a captain for hints at a table; return whether it's ready."""
        settings = table.settings
        captain = frozenset({"capitaine"})
        return self._preparation.want(_tasks(table.game.id, captain, settings["players"], encode(settings["options"])))

    def progress(self) -> tuple[int, int]:
        """Return how many parts are prepared, and of how many."""
        return self._preparation.progress()

    def _settled(self, complaint: str) -> None:
        """Called in another thread when something is ready or has failed."""
        if complaint:
            log.line("warning", "bots stay lighter", reason=complaint)
        if (loop := self._loop) is not None:  # which `stop` may drop at any moment
            loop.call_soon_threadsafe(self._changed)


@lru_cache(256)
def _tasks(game_id: str, ours: frozenset[str | None], players: int, options: bytes) -> tuple[Task, ...]:
    game = load(game_id)
    return tuple(tasks_of(game, filter(None, ours), game.settings(players, msgspec.json.decode(options))))
