"""The processes that are measured: the table server on a store, and the yardstick."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from wire import HOST, PATIENCE


class Process:
    """A server as the machine sees it, with the processes it has started."""

    def __init__(self, command: list[str], port: int, log: Path):
        self.port = port
        self.log = log
        with log.open("wb") as output:
            self._process = subprocess.Popen(command, stdout=output, stderr=output)

    @property
    def pid(self) -> int:
        """The first process."""
        return self._process.pid

    def family(self) -> list[int]:
        """All its processes."""
        found, new = [], [self.pid]
        while new:
            pid = new.pop()
            found.append(pid)
            for children in Path(f"/proc/{pid}/task").glob("*/children"):
                new += [int(child) for child in children.read_text().split()]
        return found

    def seconds(self) -> float:
        """Seconds of processor time it has used, including children that have ended."""
        used = 0.0
        for pid in self.family():
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            used += sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
        return used

    def kilobytes(self) -> int:
        """Resident memory."""
        pages = sum(int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in self.family())
        return pages * os.sysconf("SC_PAGE_SIZE") // 1024

    async def answers(self) -> None:
        """Wait until it answers, has finished compiling in the background, and is idle with all its workers."""
        end = time.monotonic() + 5 * PATIENCE
        while time.monotonic() < end:
            if self._process.poll() is not None:
                break
            try:
                if await asyncio.to_thread(self._is_prepared) and await self._rests():
                    return
            except OSError:
                pass
            await asyncio.sleep(0.1)
        raise TimeoutError(f"no server at port {self.port}: {self.log.read_text()[-2000:]}")

    async def _rests(self) -> bool:
        """Whether it's idle: workers that start later than the first would miss their share of the tables."""
        used = self.seconds()
        await asyncio.sleep(1)
        return self.seconds() - used < 0.1

    def _is_prepared(self) -> bool:
        connection = http.client.HTTPConnection(HOST, self.port, timeout=5)
        try:
            connection.request("GET", "/api/bots")
            answer = connection.getresponse()
            found = json.loads(answer.read()) if answer.status == http.HTTPStatus.OK else {}
            return bool(found.get("prepared", 0) >= found.get("of", 0))  # the yardstick prepares nothing
        except http.client.HTTPException:
            return True
        finally:
            connection.close()

    def stop(self) -> None:
        """Ask it to end."""
        self._process.terminate()
        try:
            self._process.wait(15)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def free_port() -> int:
    """An unused port."""
    with socket.socket() as free:
        free.bind((HOST, 0))
        return int(free.getsockname()[1])


@contextmanager
def table_server(store: str, workers: int, folder: Path) -> Iterator[Process]:
    """The table server, without limits."""
    port = free_port()
    command = [sys.executable, "-m", "tribord.cli", "serve", "--port", str(port), "--store", store]
    command += ["--workers", str(workers), "--pace", "0", "--limits", "0"]
    process = Process(command, port, folder / "server.log")
    try:
        yield process
    finally:
        process.stop()


@contextmanager
def echo_server(folder: Path) -> Iterator[Process]:
    """The yardstick."""
    port = free_port()
    process = Process([sys.executable, str(Path(__file__).with_name("echo.py")), str(port)], port, folder / "echo.log")
    try:
        yield process
    finally:
        process.stop()


@contextmanager
def store(kind: str, folder: Path) -> Iterator[str]:
    """The address of an empty, durable store."""
    if kind != "postgresql":
        with tempfile.TemporaryDirectory(dir=folder) as place:
            yield str(Path(place) / "tables.sqlite3")
        return
    sys.path.insert(0, str(Path(__file__).parents[2]))
    from tests.server.postgres import Postgres

    class Durable(Postgres):
        """One that syncs, as in production."""

        def start(self) -> None:
            options = f"-p {self.port} -k {self.folder} -c listen_addresses={HOST} -c max_connections=60"
            self._call("pg_ctl", "-D", self.data, "-l", self.folder / "log", "-o", options, "-w", "-t", "60", "start")

    server = Durable()
    try:
        yield server.url()
    finally:
        server.remove()
