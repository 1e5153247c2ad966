"""The one way to start a server for a test: in a process of its own, or in the test's event loop. Loopback only."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any

import uvicorn
from starlette.applications import Starlette
from tests.server.port import free_port

from tribord.server.app import build
from tribord.server.http_protocol import HttpProtocol
from tribord.server.settings import Settings
from tribord.server.socket_protocol import SocketProtocol

PATIENCE = 60.0  # seconds a server may take to start, on a busy machine
SERVE = "import sys; from tribord.cli import main; sys.argv[1:1] = ['serve']; main()"
INVALID_TEXT = "Invalid UTF-8 sequence received from client."  # uvicorn's words; it then disconnects the sender


class ServerProcess:
    """`tribord serve` as a process, which can be stopped, killed and started again on the same port and store.

    Its rules are interpreted, so that nothing is compiled; with a `cache` they are compiled into that folder. Another
    `python` runs it in the given environment, and in none of ours; another `program` starts it.
    """

    def __init__(
        self,
        folder: Path,
        *options: object,
        store: str | None = None,
        cache: Path | None = None,
        compiled: bool = False,
        program: str = SERVE,
        python: Path | str = sys.executable,
        environment: Mapping[str, str] = os.environ,
    ):
        self.folder = folder
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.store = store or str(folder / "tables.sqlite3")
        self.log = folder / f"server-{self.port}.log"
        self.process: subprocess.Popen[bytes] | None = None
        self.options = options
        self._start = (python, "-c", program, "--port", self.port, "--store", self.store, "--pace", 0)
        interpreted = "0" if cache or compiled else "1"
        self._environment = {**environment, "TRIBORD_INTERPRETED": interpreted}
        if cache:
            self._environment["TRIBORD_CACHE"] = str(cache)

    @property
    def pid(self) -> int:
        """The process that was started: the server, or the parent of the workers."""
        assert self.process is not None
        return self.process.pid

    def start(self) -> None:
        """Start it, and wait until it answers."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [str(part) for part in (*self._start, *self.options)], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                start_new_session=True, env=self._environment, cwd=self.folder,
            )  # fmt: skip
        until = time.monotonic() + PATIENCE
        while not self.answers():
            assert self.process.poll() is None, self.said()
            assert time.monotonic() < until, f"the server did not start: {self.said()}"
            time.sleep(0.03)

    def answers(self) -> bool:
        """Whether it reports that it's well."""
        with suppress(OSError), urllib.request.urlopen(f"{self.url}/healthz", timeout=5) as answer:
            return json.load(answer)["status"] == "ok"
        return False

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """End it gracefully, or with SIGKILL it and all it has started; returns its exit status."""
        assert self.process is not None
        if how is signal.SIGKILL:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, how)
        else:
            self.process.send_signal(how)
        return self.process.wait(30)

    def kill(self) -> None:
        """kill -9, if it was started at all."""
        if self.process is not None:
            self.stop(signal.SIGKILL)
            self.process = None

    def workers(self) -> list[int]:
        """The processes that serve, where there are several."""
        found = []
        for pid in Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split():
            with suppress(FileNotFoundError, ProcessLookupError):  # it has just died
                if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes():
                    found.append(int(pid))
        return found

    def memory(self) -> float:
        """Its resident memory in MB."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) / 1024

    def said(self) -> str:
        """Its log."""
        return self.log.read_text(errors="replace")

    def failures(self) -> list[str]:
        """What its log shouldn't contain: errors, and lines that aren't JSON."""
        lines = self.said().splitlines()
        return [ln for ln in lines if not ln.startswith("{") or ('"level": "error"' in ln and INVALID_TEXT not in ln)]

    def __enter__(self) -> ServerProcess:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()


@asynccontextmanager
async def serving(*servers: ServerProcess) -> AsyncIterator[None]:
    """Run server processes for the length of a block of asynchronous code."""
    try:
        for server in servers:
            await asyncio.to_thread(server.start)
        yield
    finally:
        for server in servers:
            server.kill()


@asynccontextmanager
async def in_this_loop(store: object, **settings: Any) -> AsyncIterator[tuple[int, Starlette]]:
    """A server on a real socket in the test's own event loop, so that the test can look inside: its port and app."""
    chosen: dict[str, Any] = {"pace": 0, "limits": 0, "prepare": False, **settings}
    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    app = build(Settings(store=str(store), port=port, **chosen))
    config = uvicorn.Config(
        app,
        http=HttpProtocol,
        ws=SocketProtocol,
        log_config=None,
        lifespan="on",
        ws_max_size=65_536,
        timeout_graceful_shutdown=3,
        server_header=False,
    )
    server = uvicorn.Server(config)
    running = asyncio.ensure_future(server.serve([listening]))
    try:
        async with asyncio.timeout(PATIENCE):
            while not server.started:
                if running.done():
                    await running
                await asyncio.sleep(0.01)
        yield port, app
    finally:
        server.should_exit = True
        await running
        assert not server.lifespan.should_exit, "the server failed to start, or to close what it had opened"
