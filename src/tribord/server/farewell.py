"""The farewell: what a server does when it's told to stop, before the program that runs it ends its connections."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable
from typing import Any

from tribord.server.hub import Hub


def say_farewell_on_signals(hub: Hub, drain: float) -> None:
    """When the server is told to stop, sockets are closed with what they asked for committed and answered.

    The server that runs us would cut them off at once; it gets the signal a moment later. Before that, for `drain`
    seconds, this worker isn't ready and takes no new tables, while everything else goes on.
    """
    if threading.current_thread() is not threading.main_thread():
        return  # signals go to the main thread: outside the main thread, the caller stops the server in another way
    loop = asyncio.get_running_loop()
    asked: set[int] = set()
    for number in (signal.SIGTERM, signal.SIGINT):
        before = signal.getsignal(number)
        if not callable(before) or before is signal.default_int_handler:
            continue

        def on_signal(number: int, frame: Any, before: Callable[..., Any] = before) -> None:
            if number in asked:  # asked twice: at once. Ctrl-C reaches us directly, then our parent sends SIGTERM
                before(number, frame)
            asked.add(number)
            if not hub.draining:
                hub.draining = True
                loop.call_soon_threadsafe(lambda: hub.spawn(part(number, frame)))

        async def part(number: int, frame: Any, before: Callable[..., Any] = before) -> None:
            await asyncio.sleep(drain)
            await hub.farewell()
            before(number, frame)

        signal.signal(number, on_signal)
