"""The wire: a WebSocket and HTTP from the client's side, as cheap as possible."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import msgspec

HOST = "127.0.0.1"
UPGRADE = (
    f"GET /socket HTTP/1.1\r\nHost: {HOST}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dHJpYm9yZCB0cmlib3JkIQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
).encode()
KEPT_SECONDS = 2.0  # idle HTTP connections are reused; uvicorn closes them after 5
PATIENCE = 60.0  # seconds to wait for anything that must come


class Wire(asyncio.Protocol):
    """A WebSocket from the client's side: just enough to load a server, and cheap for this process."""

    def __init__(self, heard: Callable[[memoryview], None]):
        self.heard = heard
        self.open = asyncio.get_running_loop().create_future()
        self.closed = asyncio.get_running_loop().create_future()
        self._rest = b""

    def connection_made(self, transport: Any) -> None:
        """Ask for a WebSocket."""
        self.transport = transport
        transport.write(UPGRADE)

    def connection_lost(self, error: Exception | None) -> None:
        """The other side has gone."""
        self.closed.set_result(None)
        if not self.open.done():
            self.open.set_exception(ConnectionResetError("no WebSocket"))

    def data_received(self, data: bytes) -> None:
        """Split the received bytes into frames."""
        data = self._rest + data if self._rest else data
        start = 0
        if not self.open.done():
            start = data.find(b"\r\n\r\n") + 4
            if start < 4:
                self._rest = data
                return
            if not data.startswith(b"HTTP/1.1 101"):
                self.transport.close()
                return
            self.open.set_result(None)
        view = memoryview(data)
        while len(data) - start >= 2:
            length, body = data[start + 1], start + 2
            if length >= 126:
                body += 2 if length == 126 else 8
                length = int.from_bytes(data[start + 2 : body])
            if len(data) < body + length:
                break
            self._frame(data[start] & 15, view[body : body + length])
            start = body + length
        self._rest = data[start:]

    def _frame(self, kind: int, content: memoryview) -> None:
        if kind == 9:  # a ping
            self._write(0x8A, bytes(content))
        elif kind != 8:
            self.heard(content)

    def send(self, message: bytes) -> None:
        """Send a text."""
        self._write(0x81, message)

    def _write(self, head: int, content: bytes) -> None:
        if self.transport.is_closing():
            return
        length = len(content)
        size = bytes([head, 0x80 | length]) if length < 126 else bytes([head, 0xFE]) + length.to_bytes(2)
        self.transport.write(size + b"\0\0\0\0" + content)  # masked with zeros, which is a mask too

    async def close(self) -> None:
        """Say good-bye."""
        if not self.closed.done():
            self._write(0x88, b"\x03\xe8")
            self.transport.close()
        await self.closed


async def wire(port: int, heard: Callable[[memoryview], None]) -> Wire:
    """An open socket."""
    _transport, made = await asyncio.get_running_loop().create_connection(lambda: Wire(heard), HOST, port)
    await asyncio.wait_for(made.open, PATIENCE)
    return made


class Web:
    """HTTP requests over connections that stay open."""

    def __init__(self, port: int):
        self.port = port
        self._idle: list[tuple[float, asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def ask(self, method: str, path: str, content: Any = None) -> bytes:
        """The body of the answer."""
        reader, writer = self._used() or await asyncio.open_connection(HOST, self.port)
        body = msgspec.json.encode(content) if content is not None else b""
        writer.write(f"{method} {path} HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        answer = await reader.readexactly(int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0]))
        self._idle.append((time.monotonic(), reader, writer))
        if not head.startswith(b"http/1.1 2"):
            raise ConnectionError(answer.decode())
        return answer

    def _used(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        """The last used connection, unless it's so old that the server may be closing it."""
        if not self._idle:
            return None
        since, reader, writer = self._idle.pop()
        if time.monotonic() - since < KEPT_SECONDS:
            return reader, writer
        writer.close()
        self.close()
        return None

    def close(self) -> None:
        """Close the connections."""
        while self._idle:
            self._idle.pop()[-1].close()
