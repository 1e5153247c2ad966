"""Retention: what the server deletes for its age, if the operator wants that."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from tribord.server import log
from tribord.server.recurring import recur
from tribord.server.settings import Settings

if TYPE_CHECKING:
    from tribord.server.hub import Hub

PURGE_SECONDS = 3_600.0
DAY = 86_400
UNFINISHED = 4  # matches that were never finished stay this many times longer, unless the operator says otherwise


def retain(hub: Hub, settings: Settings) -> None:
    """From now on delete once an hour what is too old."""
    unfinished = settings.retain_unfinished_days
    if unfinished is None:
        unfinished = UNFINISHED * settings.retain_days

    async def forget(before: float) -> None:
        await hub.store.forget(before)  # the audit log contains addresses

    async def purge(before: float) -> None:
        if gone := await hub.store.purge(before):
            log.info("purged", tables=gone)

    async def purge_unfinished(before: float) -> None:
        if gone := await hub.store.purge(before, unfinished=True):
            log.info("purged", unfinished=gone)

    deleted = ((forget, settings.audit_days), (purge, settings.retain_days), (purge_unfinished, unfinished))
    for delete, days in deleted:
        if days:
            hub.spawn(_hourly(hub, delete, days))


async def _hourly(hub: Hub, delete: Callable[[float], Awaitable[None]], days: float) -> None:
    """Delete by age once an hour.

    Only if the clock hasn't jumped for an hour: setting it wrong for a moment mustn't cost anyone a table.
    """

    async def work() -> None:
        if time.monotonic() - hub.pulse.last_jump() >= PURGE_SECONDS:
            await delete(time.time() - days * DAY)

    await recur(work, lambda: PURGE_SECONDS)
