"""A real server for tests: `tribord serve` as a process of its own, on a free port of the loopback."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

from tests.server.port import free_port


class Serving:
    """A server that can be stopped, killed and started again on the same port and store.

    Its rules are interpreted, so that nothing is compiled; with a `cache` they are compiled into that folder. Another
    `python` runs it in the environment that is given, and in none of ours.
    """

    def __init__(
        self,
        folder: Path,
        *options: str,
        store: str | None = None,
        cache: Path | None = None,
        python: Path | str = sys.executable,
        environment: Mapping[str, str] = os.environ,
    ):
        self.folder = folder
        self.python = str(python)
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = folder / "server.log"
        self.options = ("--store", store or str(folder / "tables.sqlite3"), "--pace", "0", *options)
        self.environment = {**environment, **({"TRIBORD_CACHE": str(cache)} if cache else {"TRIBORD_INTERPRETED": "1"})}
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until it answers."""
        command = [self.python, "-m", "tribord.cli", "serve", "--port", str(self.port), *self.options]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
                env=self.environment, cwd=self.folder,
            )  # fmt: skip
        until = time.monotonic() + 60
        while time.monotonic() < until:
            assert self.process.poll() is None, self.log.read_text()
            try:
                with urllib.request.urlopen(f"{self.url}/healthz", timeout=5) as answer:
                    assert json.load(answer)["status"] == "ok"
                    return
            except OSError:
                time.sleep(0.05)
        raise TimeoutError(self.log.read_text())

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """End it gracefully, or with SIGKILL it and all it has started; returns its exit status."""
        assert self.process is not None
        if how is signal.SIGKILL:
            os.killpg(self.process.pid, how)
        else:
            self.process.send_signal(how)
        return self.process.wait(30)

    def __enter__(self) -> Serving:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process is not None and self.process.poll() is None:
            self.stop(signal.SIGKILL)
