"""The relay: forward a socket that reached another worker to its table's home, and the answers back. That way every
worker serves every table, with a detour. Clients that know the home's address avoid it.
"""

from __future__ import annotations

import asyncio
import secrets
from contextlib import suppress
from typing import Any

from starlette.requests import HTTPConnection
from starlette.types import Receive, Send
from starlette.websockets import WebSocket
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tribord.server import limit
from tribord.server.live_table import GOING
from tribord.server.store import Home

RELAYED = "x-tribord-relayed"  # the home's id, which only workers know, then the client's address and host
OPEN_SECONDS = 2.0
# Between two pings to the home, and for its answer: a client gets our own pings, and wouldn't notice that the home
# hangs.
PING_SECONDS = 5.0
LARGEST = 16 * 1024 * 1024
UNSPOKEN = (1005, 1006, 1015)  # close codes that are never sent: the home has died, and another will serve


class Unreachable(Exception):
    """The home doesn't answer: it has died or is stopping."""


async def relay(
    websocket: WebSocket, receive: Receive, send: Send, home: Home, hello: str, ending: asyncio.Future[int]
) -> int:
    """Carry a socket to its table's home, with its first message; returns the close code of the side that ends first.

    `ending`: when this worker ends it, with which code.
    """
    headers = {RELAYED: f"{home.id} {limit.address(websocket)} {websocket.headers.get('host', '')}"}
    try:
        async with asyncio.timeout(OPEN_SECONDS):
            there = await connect(
                f"ws://{home.address}/socket", additional_headers=headers, compression=None, proxy=None,
                max_size=LARGEST, ping_interval=PING_SECONDS, ping_timeout=PING_SECONDS,
            )  # fmt: skip
    except (OSError, TimeoutError, InvalidHandshake) as error:
        raise Unreachable from error
    async with there:
        try:
            await there.send(hello)
        except ConnectionClosed as error:
            raise Unreachable from error
        outward, homeward = asyncio.ensure_future(_out(there, send)), asyncio.ensure_future(_home(receive, there))
        try:
            ends: set[asyncio.Future[Any]] = {outward, homeward, ending}
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for carrier in (outward, homeward):
                carrier.cancel()
            await asyncio.gather(outward, homeward, return_exceptions=True)
    if ending.done():
        return ending.result()
    code = there.close_code
    return GOING if code is None or code in UNSPOKEN else code


async def _out(there: ClientConnection, send: Send) -> None:
    with suppress(ConnectionClosed, RuntimeError):
        async for message in there:
            text = message if isinstance(message, str) else message.decode()
            await send({"type": "websocket.send", "text": text})


async def _home(receive: Receive, there: ClientConnection) -> None:
    with suppress(ConnectionClosed):
        while (message := await receive())["type"] != "websocket.disconnect":
            text = message.get("text")
            await there.send(message["bytes"] if text is None else text)


def is_from(relayed: str, worker: str) -> bool:
    """Whether a header is from a worker that relays a socket to this one."""
    return bool(worker) and secrets.compare_digest(relayed.partition(" ")[0].encode(), worker.encode())


def client_of(connection: HTTPConnection, worker: str) -> tuple[str, str]:
    """The address and host of a client, also of one who was relayed here by a worker."""
    relayed = connection.headers.get(RELAYED, "")
    if is_from(relayed, worker):
        _worker, address, host = relayed.split(" ", 2)
        return address, host
    return limit.address(connection), connection.headers.get("host", "")
