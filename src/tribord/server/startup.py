"""Startup: check what could keep a server from starting, while the operator is watching.

uvicorn would begin, log a traceback and give up, in every worker.
"""

from __future__ import annotations

import asyncio
import errno
import socket

from tribord.core.refusal import Refusal
from tribord.core.words import _
from tribord.server.own_port import family
from tribord.server.settings import Settings
from tribord.server.store import connect

PORT_TAKEN = _("Another program is using port {port}. Choose another with --port.")
NOT_BOUND = _("“{host}” port {port} can’t be listened on: {reason}. Choose another with --host and --port.")


def check(settings: Settings) -> None:
    """Refuse an address or a store that the server can't use; bring the store up to date."""
    _listen(settings)
    with connect(settings.store).claim():
        asyncio.run(_open(settings))


def _listen(settings: Settings) -> None:
    try:
        socket.create_server((settings.host, settings.port), family=family(settings.host)).close()
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise Refusal("port-taken", PORT_TAKEN, port=settings.port) from None
        reason = error.strerror or str(error)
        raise Refusal("not-bound", NOT_BOUND, host=settings.host, port=settings.port, reason=reason) from None


async def _open(settings: Settings) -> None:
    store = connect(settings.store)
    await store.open()
    await store.close()
