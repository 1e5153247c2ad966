"""Recurring work: what the server does again and again, whatever came of it the last time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from tribord.server import log
from tribord.server.store import Conflict, Unavailable


async def recur(work: Callable[[], Awaitable[None]], pause: Callable[[], float]) -> None:
    """Do something forever, after a pause of this many seconds each. What fails is logged, and tried again.

    Only the first of several failures of one kind in a row is logged, so that a damaged store doesn't flood the log.
    """
    logged: type[Exception] | None = None
    while True:
        await asyncio.sleep(pause())
        try:
            await work()
        except Exception as error:
            if type(error) is not logged:
                away = isinstance(error, Conflict | Unavailable)
                log.failure("store unavailable" if away else "task failed", error)
            logged = type(error)
        else:
            logged = None
