"""Starting: if a server can't start, one sentence says why, and the exit code isn't 0."""

from __future__ import annotations

import asyncio
import json
import socket
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from tests.server.port import free_port
from tests.server.postgres import database_of_its_own, server_of_its_own  # noqa: F401

from tribord.core.refusal import Refusal
from tribord.server import own_port, startup
from tribord.server.app import build
from tribord.server.settings import Settings
from tribord.server.store import connect


def serve(*options: object, lang: str = "en") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tribord.cli", "serve", *map(str, options), "--lang", lang]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


def refused(*options: object, lang: str = "en") -> str:
    """The sentence with which a server refuses to start."""
    ended = serve(*options, lang=lang)
    assert ended.returncode == 2 and ended.stdout == "", (ended.returncode, ended.stderr)
    (sentence,) = ended.stderr.splitlines()
    return sentence


@pytest.fixture
def taken():
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening.getsockname()[1]


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_port_that_is_taken_is_named_and_the_store_is_left_alone(tmp_path, taken, lang):
    store = tmp_path / "tables.sqlite3"
    sentence = refused("--port", taken, "--store", store, lang=lang)
    assert str(taken) in sentence and "--port" in sentence
    assert not store.exists()


def test_an_address_that_is_not_ours_is_named(tmp_path):
    sentence = refused("--host", "203.0.113.7", "--store", tmp_path / "tables.sqlite3")
    assert "203.0.113.7" in sentence and "--host" in sentence


def later(store: Path) -> None:
    async def make() -> None:
        made = connect(str(store))
        await made.open()
        await made.close()

    asyncio.run(make())
    with closing(sqlite3.connect(store)) as database, database:
        database.execute("INSERT INTO schema_version VALUES (99, 'from the future')")


def test_a_store_of_a_later_version_is_refused_and_left_as_it_is(tmp_path):
    store = tmp_path / "tables.sqlite3"
    later(store)
    before = store.read_bytes()
    assert "Update Tribord" in refused("--store", store, "--port", free_port())
    assert store.read_bytes() == before


def test_a_file_that_is_no_store_is_refused(tmp_path):
    store = tmp_path / "notes.txt"
    store.write_text("Not a database, but some lines that someone may still need.\n" * 50)
    sentence = refused("--store", store, "--port", free_port())
    assert "notes.txt" in sentence and "file is not a database" in sentence
    assert store.read_text().startswith("Not a database")


@pytest.mark.parametrize("workers", [1, 2])
def test_a_database_that_is_away_is_named_without_its_password(workers):
    sentence = refused(
        "--store", f"postgresql://anne:parrot@127.0.0.1:{free_port()}/tables?connect_timeout=2", "--workers", workers,
        "--port", free_port(),
    )  # fmt: skip
    assert "127.0.0.1/tables" in sentence and "parrot" not in sentence


def test_a_database_of_a_later_version_is_refused(postgres_url):
    async def make() -> None:
        made = connect(postgres_url)
        await made.open()
        await made.close()

    asyncio.run(make())
    with psycopg.connect(postgres_url, autocommit=True) as database:
        database.execute("INSERT INTO schema_version VALUES (99, 'from the future')")
    assert "Update Tribord" in refused("--store", postgres_url, "--workers", 2, "--port", free_port())


def test_what_is_only_found_out_by_a_worker_is_in_its_log_as_a_sentence(tmp_path):
    """Someone else took it between the check and the start."""
    store = tmp_path / "tables.sqlite3"
    later(store)
    program = """if True:
        import sys, uvicorn
        from tribord.server.settings import Settings, publish
        publish(Settings(store=sys.argv[1], prepare=False))
        uvicorn.run("tribord.server.app:build", factory=True, port=int(sys.argv[2]))
    """
    command = [sys.executable, "-c", program, str(store), str(free_port())]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert ended.returncode != 0
    lines = [json.loads(line) for line in ended.stderr.splitlines() if line.startswith("{")]
    (told,) = [line for line in lines if line["message"] == "not started"]
    assert told["level"] == "error" and told["code"] == "later-store" and "Update Tribord" in told["reason"]
    assert "Traceback" not in ended.stderr


def test_a_worker_without_a_port_of_its_own_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(own_port.socket, "create_server", lambda *_args, **_options: _raise(OSError(98, "in use")))
    app = build(Settings(store=str(tmp_path / "tables.sqlite3"), workers=2, port=9, prepare=False))

    async def start() -> None:
        async with app.router.lifespan_context(app):
            pass

    with pytest.raises(Refusal) as found:
        asyncio.run(start())
    assert found.value.code == "no-port"


def _raise(error: Exception) -> None:
    raise error


def test_looking_takes_nothing(tmp_path):
    settings = Settings(store=str(tmp_path / "tables.sqlite3"), port=free_port())
    startup.check(settings)
    startup.check(settings)  # neither the port nor the store is held
