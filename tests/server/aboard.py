"""People at the tables of a server that runs in the test's own event loop, on a real socket."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import count
from typing import Any

import httpx
from tests.server.launcher import in_this_loop
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tribord.server.analysis import Analyst
from tribord.server.hub import Hub

PATIENCE = 20.0
_ids = count(1)


DONE = ("update", "ack")  # the answers to a command that was carried out


class Ship:
    """The server, and how to reach it."""

    def __init__(self, port: int, hub: Hub, analyst: Analyst | None = None):
        self.analyst = analyst
        self.port = port
        self.url = f"http://127.0.0.1:{port}"
        self.hub = hub

    async def ask(self, method: str, path: str, **options: Any) -> httpx.Response:
        """An HTTP request."""
        async with httpx.AsyncClient(base_url=self.url, timeout=PATIENCE) as client:
            return await client.request(method, path, **options)

    async def create(self, game: str = "ile-aux-pirates", seats: str = "me open", **more: Any) -> dict[str, Any]:
        """A new table; the host's credentials."""
        new = {"game": game, "nickname": "Anne", "players": len(seats.split()), "seats": seats.split(), **more}
        answer = await self.ask("POST", "/api/tables", json=new)
        assert answer.status_code == 201, answer.text
        return answer.json()

    async def join(self, table: str, nickname: str = "Mary") -> dict[str, Any]:
        """A guest's credentials."""
        answer = await self.ask("POST", f"/api/tables/{table}/guests", json={"nickname": nickname})
        assert answer.status_code == 201, answer.text
        return answer.json()

    @asynccontextmanager
    async def mate(self, credentials: dict[str, Any], seen: int | None = None) -> AsyncIterator[Mate]:
        """A client connected to a table; without a secret in the credentials it watches."""
        async with connect(f"ws://127.0.0.1:{self.port}/socket", compression=None) as socket:
            mate = Mate(socket)
            hello = {"t": "hello", "protocol": 2, "table": credentials["table"], "secret": credentials.get("secret")}
            await mate.say(hello | {"seen": seen})
            await mate.until(lambda message: message["t"] in ("sync", "gap") and "table" in message)
            yield mate


class Mate:
    """A client at a socket: keeps what it received."""

    def __init__(self, socket: ClientConnection):
        self.socket = socket
        self.heard: list[dict[str, Any]] = []
        self.table: dict[str, Any] = {}
        self.match: dict[str, Any] | None = None
        self.version = -1

    async def say(self, message: dict[str, Any] | str) -> None:
        """Send a message as it is."""
        await self.socket.send(message if isinstance(message, str) else json.dumps(message))

    async def hear(self) -> dict[str, Any]:
        """The next message. Versions have no gaps."""
        async with asyncio.timeout(PATIENCE):
            message: dict[str, Any] = json.loads(await self.socket.recv())
        self.heard.append(message)
        if message["t"] == "update":
            assert message["v"] == self.version + 1, (message, self.version)
        if message["t"] in ("update", "sync", "gap"):
            self.version = message["v"]
            self.table = message.get("table") or self.table
            self.match = message.get("match") or self.match
        return message

    async def until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Listen until a message comes."""
        while not wanted(message := await self.hear()):
            pass
        return message

    async def do(self, what: str, id: str | None = None, **fields: Any) -> dict[str, Any]:
        """Send a command; the answer: an update, an acknowledgement, or a refusal."""
        id = id or f"c{next(_ids)}"
        await self.say({"t": what, "id": id, **fields})
        return await self.until(lambda message: message.get("id") == id)

    async def must(self, what: str, **fields: Any) -> dict[str, Any]:
        """Send a command that is acknowledged."""
        answer = await self.do(what, **fields)
        assert answer["t"] in DONE, answer
        return answer

    async def closed(self) -> int:
        """Listen to the end; the close code."""
        try:
            while True:
                await self.hear()
        except ConnectionClosed as end:
            assert end.rcvd is not None
            return int(end.rcvd.code)

    async def play(self, own: Callable[[dict[str, Any]], bool] = lambda match: bool(match["legal"])) -> None:
        """Play whatever is possible until the match is over."""
        while not (self.match and self.match["outcome"]):
            if self.match and own(self.match):
                seat, legal = next(iter(self.match["legal"].items()))
                answer = await self.do(
                    "act", seat=int(seat), action=legal[self.version % len(legal)], version=self.match["version"]
                )
                assert answer["t"] in DONE or answer["code"] in ("stale", "not-your-turn", "match-over"), answer
            else:
                await self.hear()


@asynccontextmanager
async def afloat(store: object, **settings: Any) -> AsyncIterator[Ship]:
    """A server that runs in the test's own event loop, for the length of a block."""
    async with in_this_loop(store, **settings) as (port, app):
        yield Ship(port, app.state.hub, app.state.analyst)
