"""Recurring work goes on whatever fails, and the log tells each failure once."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress

from tribord.server.recurring import recur
from tribord.server.store import Unavailable

FAILURES = [Unavailable("the disk is gone"), Unavailable("still"), ValueError(), ValueError(), None, ValueError()]


def test_what_fails_is_logged_once_and_tried_again(capfd):
    left = list(FAILURES)

    async def work() -> None:
        if not left:
            raise asyncio.CancelledError
        if (failure := left.pop(0)) is not None:
            raise failure

    with suppress(asyncio.CancelledError):
        asyncio.run(recur(work, lambda: 0.0))
    written = [json.loads(line) for line in capfd.readouterr().err.splitlines()]
    assert [line["message"] for line in written] == ["store unavailable", "task failed", "task failed"]
