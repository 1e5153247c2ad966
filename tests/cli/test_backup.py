"""`tribord backup`: a copy that a server can start from."""

import asyncio
import sqlite3
import subprocess
import sys
import time

from tribord.server.store import IndexEntry, Row, chained, connect


def run(*args, command="backup"):
    command = [sys.executable, "-m", "tribord.cli", command, *map(str, args), "--lang", "en"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


async def write(path, rows):
    store = connect(str(path))
    await store.open()
    before = b""
    for seq in range(rows):
        entry = IndexEntry("t", "CODE23", "faut-pas-pousser", False, "open", None, time.time(), b"{}")
        row = chained(Row("t", seq, "chat", b"{}", time.time()), before)
        await store.append(row, entry)
        before = row.hash
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


def test_a_check_names_the_table_that_is_damaged(tmp_path):
    path = tmp_path / "store.sqlite3"
    asyncio.run(write(path, 0))
    done = run("--store", path, command="check")
    assert (done.returncode, done.stderr) == (0, "") and "no table yet" in done.stdout
    asyncio.run(write(path, 5))
    done = run("--store", path, command="check")
    assert (done.returncode, done.stderr) == (0, "") and "1 table" in done.stdout
    with sqlite3.connect(path) as store:
        store.execute("UPDATE journal SET at = 1 WHERE seq = 3")
    done = run("--store", path, command="check")
    assert (done.returncode, done.stdout) == (2, "") and "Table t is damaged at row 3" in done.stderr


def test_postgresql_has_its_own_way(tmp_path):
    done = run("--store", "postgresql://nobody@127.0.0.1:1/none", tmp_path / "copy")
    assert done.returncode == 2 and "pg_dump" in done.stderr
