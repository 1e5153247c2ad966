"""The tutorials, followed to the letter: their files are written, their commands run, their output compared.

Numbers in the output may differ: they change with the strength of the bots. Output after `...` isn't compared.
Blocks of `sh` are what a reader does once, such as installing Tribord; tests/test_release.py has that.
"""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.server.port import free_port

ROOT = Path(__file__).parent.parent
PAGES = sorted((ROOT / "docs" / "tutorials").glob("*.md"))
BLOCK = re.compile(r"(?:^Save this as `([\w./-]+)`:\n\n)?^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PORT = "8420"


class Reader:
    """A reader who follows a tutorial in an empty folder of a clone."""

    def __init__(self, clone: Path):
        (clone / "tests").symlink_to(ROOT / "tests")
        self.folder = clone / "my-bots"
        self.folder.mkdir()
        self.installed = clone / "installed"
        self.port = str(free_port())
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        self.environment = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT / "src"), "TRIBORD_LANG": "en"}
        self.environment |= {"COLUMNS": "200", "LC_ALL": "C.UTF-8", "NO_COLOR": "1"}
        self.servers: list[subprocess.Popen[bytes]] = []

    def follow(self, page: str) -> int:
        """Do what the page says; returns how many files and commands it has."""
        done = 0
        for file, language, content in BLOCK.findall(page.replace(PORT, self.port)):
            if file:
                (self.folder / file).parent.mkdir(parents=True, exist_ok=True)
                (self.folder / file).write_text(content, encoding="utf-8")
                done += 1
            elif language == "console":
                for command, expected in re.findall(r"^\$ ([^\n]*)\n((?:(?!\$ )[^\n]*\n)*)", content, re.MULTILINE):
                    if command.endswith(" &"):
                        self.serve(command.removesuffix(" &"))
                    elif command.startswith("pip install --quiet --editable "):
                        self.install(command.rsplit(" ", 1)[1])
                    else:
                        self.run(command, expected)
                    done += 1
        return done

    def run(self, command: str, expected: str) -> None:
        """Type a command, and compare what it prints."""
        answer = subprocess.run(
            ["bash", "-c", command], cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=300,
            check=False,
        )  # fmt: skip
        assert answer.returncode == 0, f"{command}\n{answer.stdout}{answer.stderr}"
        wanted, printed = plain(expected), plain(answer.stdout)
        if wanted and wanted[-1] == "...":
            printed = [*printed[: len(wanted) - 1], "..."]
        assert printed == wanted, command

    def install(self, package: str) -> None:
        """Install a package for this reader alone; its code is found where it's edited."""
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
        subprocess.run([*pip, "--target", self.installed, self.folder / package], check=True)
        found = [self.folder / package / "src", self.installed, ROOT / "src"]
        self.environment["PYTHONPATH"] = os.pathsep.join(map(str, found))

    def serve(self, command: str) -> None:
        """Start a server, and wait until it answers."""
        with (self.folder / "server.log").open("wb") as log:
            server = subprocess.Popen(
                ["bash", "-c", f"exec {command}"], cwd=self.folder, env=self.environment, stdout=log, stderr=log,
                stdin=subprocess.DEVNULL, start_new_session=True,
            )  # fmt: skip
        self.servers.append(server)
        for _attempt in range(1200):
            with socket.socket() as line:
                if line.connect_ex(("127.0.0.1", int(self.port))) == 0:
                    return
            time.sleep(0.05)
        raise TimeoutError((self.folder / "server.log").read_text())

    def leave(self) -> None:
        """End what was started."""
        for server in self.servers:
            os.killpg(server.pid, signal.SIGKILL)
            server.wait()


def plain(output: str) -> list[str]:
    """The lines of an output, alike where only figures and spaces differ."""
    return [re.sub(r"[\d.]+\d|\d+", "N", " ".join(line.split())).replace("[ ", "[") for line in output.splitlines()]


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[Reader]:
    """A reader in an empty folder."""
    reader = Reader(tmp_path)
    yield reader
    reader.leave()


def test_the_first_game_is_quoted_as_it_is() -> None:
    page = (ROOT / "docs" / "tutorials" / "first-game.md").read_text(encoding="utf-8")
    files = [path for path in (ROOT / "tests" / "plugin").rglob("*") if path.suffix in (".py", ".toml")]
    source = " ".join(" ".join(path.read_text(encoding="utf-8").split()) for path in files)
    quoted = [content for _file, language, content in BLOCK.findall(page) if language in ("python", "toml")]
    assert len(quoted) > 5
    assert not [content for content in quoted if " ".join(content.split()) not in source]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_tutorial_can_be_followed(page: Path, reader: Reader) -> None:
    assert reader.follow(page.read_text(encoding="utf-8")) > 1
