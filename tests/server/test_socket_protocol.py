"""The shorter way out of a WebSocket: frames of every size, in order, and a peer that doesn't read is noticed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
import uvicorn
import uvloop
from tests.server.harness import soon
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tribord.server.socket_protocol import AHEAD, EXTENSION, SocketProtocol

App = Callable[[SocketProtocol, Any, Any], Awaitable[None]]


@asynccontextmanager
async def connected(app: App) -> AsyncIterator[ClientConnection]:
    """A client of a server that speaks through the protocol."""

    async def asgi(scope: Any, receive: Any, send: Any) -> None:
        assert (await receive())["type"] == "websocket.connect"
        await send({"type": "websocket.accept"})
        await app(scope["extensions"][EXTENSION]["transport"], receive, send)

    config = uvicorn.Config(
        asgi, host="127.0.0.1", port=0, ws=SocketProtocol, ws_per_message_deflate=False, log_level="error",
        lifespan="off",
    )  # fmt: skip
    server = uvicorn.Server(config)
    running = asyncio.ensure_future(server.serve())
    try:
        await soon(lambda: server.started)
        port = server.servers[0].sockets[0].getsockname()[1]
        async with connect(f"ws://127.0.0.1:{port}/", max_size=None, proxy=None) as client:
            yield client
    finally:
        server.should_exit = True
        await running


@pytest.mark.parametrize("length", [0, 1, 125, 126, 127, 65_535, 65_536, 200_000])
def test_a_text_of_any_length_arrives_as_it_is(length):
    async def app(line: SocketProtocol, receive: Any, send: Any) -> None:
        line.say(b"x" * length)
        await receive()

    async def story() -> None:
        async with connected(app) as client:
            assert await client.recv() == "x" * length

    asyncio.run(story())


def test_what_is_said_comes_in_order_and_before_the_end():
    async def app(line: SocketProtocol, receive: Any, send: Any) -> None:
        for number in range(20):
            line.say(str(number).encode())
        await send({"type": "websocket.send", "text": "the usual way"})
        line.say(b"and again")
        await send({"type": "websocket.close", "code": 4001})
        line.say(b"too late")
        await receive()

    async def story() -> None:
        heard: list[Any] = []
        async with connected(app) as client:
            with pytest.raises(ConnectionClosed) as end:
                while True:
                    heard.append(await client.recv())
        assert heard == [*map(str, range(20)), "the usual way", "and again"]
        assert end.value.rcvd is not None and end.value.rcvd.code == 4001

    asyncio.run(story())


def test_a_client_that_does_not_read_is_not_ready_until_it_does():
    caught_up: list[bool] = []

    async def app(line: SocketProtocol, receive: Any, send: Any) -> None:
        line.on_writable = lambda: caught_up.append(line.ready)
        for _megabyte in range(64):
            line.say(b"x" * 1_000_000)
            await asyncio.sleep(0)
        assert not line.ready
        await receive()

    async def story() -> None:
        async with connected(app) as client:
            for _megabyte in range(64):
                await client.recv()
            await soon(lambda: caught_up == [True])

    asyncio.run(story())


def test_a_sender_who_is_far_ahead_has_to_wait():
    async def story() -> None:
        go, waiting = asyncio.Event(), list[int]()

        async def app(line: SocketProtocol, receive: Any, send: Any) -> None:
            await soon(lambda: line.read_paused)
            waiting.append(line.queue.qsize())
            await go.wait()
            for number in range(50):
                assert (await receive())["text"] == str(number)
            line.say(b"all of them")
            await receive()

        async with connected(app) as client:
            for number in range(50):
                await client.send(str(number))
                await asyncio.sleep(0.001)  # each in a packet of its own
            go.set()
            assert await client.recv() == "all of them"
        assert AHEAD < waiting[0] < 50

    asyncio.run(story())


def test_what_is_said_to_a_connection_that_broke_is_dropped():
    """The transport knows it before the protocol does, and uvloop's then refuses to write."""
    wrong: list[dict[str, Any]] = []

    async def app(line: SocketProtocol, receive: Any, send: Any) -> None:
        line.loop.set_exception_handler(lambda _loop, context: wrong.append(context))
        line.transport.abort()
        line.say(b"late")
        await receive()

    async def story() -> None:
        async with connected(app) as client:
            with pytest.raises(ConnectionClosed):
                await client.recv()

    uvloop.run(story())
    assert wrong == []
