"""`tribord backup`: a copy that a server can start from."""

import asyncio
import subprocess
import sys
import time

from tribord.server.store import IndexEntry, Row, connect


def run(*args):
    command = [sys.executable, "-m", "tribord.cli", "backup", *map(str, args), "--lang", "en"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


async def write(path, rows):
    store = connect(str(path))
    await store.open()
    for seq in range(rows):
        entry = IndexEntry("t", "CODE23", "faut-pas-pousser", False, "open", None, time.time(), b"{}")
        await store.append(Row("t", seq, "chat", b"{}", time.time()), entry)
    await store.close()


async def read(path):
    store = connect(str(path))
    await store.open()
    rows = await store.read("t")
    await store.close()
    return rows


def test_a_backup_holds_what_the_store_holds(tmp_path):
    asyncio.run(write(tmp_path / "store.sqlite3", 5))
    done = run("--store", tmp_path / "store.sqlite3", tmp_path / "copy.sqlite3")
    assert (done.returncode, done.stderr) == (0, "")
    assert [row.seq for row in asyncio.run(read(tmp_path / "copy.sqlite3"))] == [0, 1, 2, 3, 4]


def test_a_store_that_is_not_there_is_refused_and_not_made(tmp_path):
    done = run("--store", tmp_path / "nothing.sqlite3", tmp_path / "copy.sqlite3")
    assert done.returncode == 2 and "There is no store" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_postgresql_has_its_own_way(tmp_path):
    done = run("--store", "postgresql://nobody@127.0.0.1:1/none", tmp_path / "copy")
    assert done.returncode == 2 and "pg_dump" in done.stderr
