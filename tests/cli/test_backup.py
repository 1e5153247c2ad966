"""`tribord backup`: a copy that a server can start from."""

import asyncio
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

from tests.server.aboard import Ship
from tests.server.harness import soon
from tests.server.launcher import ServerProcess

from tribord.cli.backup import rotate
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


def test_of_dated_backups_the_newest_good_ones_stay(tmp_path):
    store, folder = tmp_path / "tables.sqlite3", tmp_path / "backups"
    asyncio.run(write(store, 3))
    folder.mkdir()
    names = [f"tables-2026010{day}T060000Z.sqlite3{kind}" for day in (1, 2, 3, 4) for kind in ("", ".damaged")]
    others = ["tables.sqlite3", "notes.txt", "tables-old.sqlite3", "other-20260101T060000Z.sqlite3"]
    for name in (*names, *others, "tables-20260101T060000Z.sqlite3.partial"):
        (folder / name).touch()
    done = run("--store", store, "--keep", 3, folder)
    assert (done.returncode, done.stderr) == (0, "") and "checked" in done.stdout
    left = {path.name for path in folder.iterdir()}
    (new,) = left - set(names) - set(others)
    assert left == {new, names[4], names[6], names[7], *others}
    assert [row.seq for row in asyncio.run(read(folder / new))] == [0, 1, 2]


def test_a_folder_that_starts_empty_loses_no_backup_before_it_has_enough(tmp_path):
    names = [f"tables-2026010{day}T060000Z.sqlite3" for day in range(1, 6)]
    for made, name in enumerate(names, 1):
        (tmp_path / name).touch()
        rotate(tmp_path, "tables", 3)
        assert sorted(path.name for path in tmp_path.iterdir()) == names[max(0, made - 3) : made]


def test_a_damaged_backup_is_reported_and_pushes_no_good_one_out(tmp_path):
    store, folder = tmp_path / "tables.sqlite3", tmp_path / "backups"
    asyncio.run(write(store, 3))
    assert run("--store", store, "--keep", 1, folder).returncode == 0
    (good,) = folder.iterdir()
    with sqlite3.connect(store) as damaged:
        damaged.execute("DELETE FROM journal WHERE seq = 1")
    done = run("--store", store, "--keep", 1, folder)
    assert done.returncode == 2 and "damaged" in done.stderr
    assert good.exists() and len(list(folder.glob("*.damaged"))) == 1


def test_backups_go_on_until_told_to_stop(tmp_path):
    store, folder = tmp_path / "tables.sqlite3", tmp_path / "backups"
    asyncio.run(write(store, 3))
    command = [sys.executable, "-m", "tribord.cli", "backup", "--store", store, "--every", "1s", "--keep", "2", folder]
    with subprocess.Popen([*map(str, command), "--lang", "en"], stdout=subprocess.PIPE, text=True) as running:
        copies = [running.stdout.readline().split(": ")[1].strip() for _ in range(3)]
        assert len(set(copies)) == 3 and sorted(copies) == copies
        running.send_signal(signal.SIGINT)
        assert running.wait(20) == 130
    assert len(list(folder.glob("*.sqlite3"))) <= 3 and Path(copies[-1]).exists()
    assert not Path(copies[0]).exists()


def test_a_time_or_place_that_is_none_is_refused(tmp_path):
    store = tmp_path / "tables.sqlite3"
    asyncio.run(write(store, 1))
    for time_between in ("soon", "6", "0h", "-1h", "1w"):
        done = run("--store", store, f"--every={time_between}", tmp_path / "backups")
        assert done.returncode == 2 and "isn’t a time" in done.stderr
    done = run("--store", store, "--keep", 2, store)
    assert done.returncode == 2 and "folder" in done.stderr


def test_a_backup_made_under_load_is_restored_and_played_on(tmp_path):
    copy, hosts, said = tmp_path / "backup.sqlite3", [], {}

    async def talk(ship, host):
        async with ship.mate(host) as anne:
            while True:
                await anne.must("chat", line="Ohé")
                said[host["table"]] = said.get(host["table"], 0) + 1

    async def load(server):
        ship = Ship(server.port, None)
        for _table in range(5):
            hosts.append(await ship.create())
        talking = [asyncio.create_task(talk(ship, host)) for host in hosts]
        await soon(lambda: len(said) == 5)
        for _copy in range(3):
            before = dict(said)
            done = await asyncio.to_thread(run, "--store", server.store, copy)
            assert (done.returncode, done.stderr) == (0, "")
        after = dict(said)
        await soon(lambda: all(said[table] > after[table] + 3 for table in said))  # which the backup does not have
        for task in talking:
            task.cancel()
        await asyncio.gather(*talking, return_exceptions=True)
        return before

    async def go_on(server, before):
        ship = Ship(server.port, None)
        for host in hosts:
            async with ship.mate(host) as anne:
                heard = next(line for line in anne.heard if line["t"] == "sync")["v"]
                assert before[host["table"]] < heard < said[host["table"]]
                await anne.must("chat", line="Where were we?")

    server = ServerProcess(tmp_path, "--limits", 0)
    try:
        server.start()
        before = asyncio.run(load(server))
        server.kill()
        for beside in ("-wal", "-shm"):
            Path(server.store + beside).unlink(missing_ok=True)
        shutil.copy(copy, server.store)
        server.start()
        asyncio.run(go_on(server, before))
        assert run("--store", server.store, command="check").returncode == 0
    finally:
        server.kill()


def test_a_store_that_is_not_there_is_refused_and_not_made(tmp_path):
    done = run("--store", tmp_path / "nothing.sqlite3", tmp_path / "copy.sqlite3")
    assert done.returncode == 2 and "There’s no store" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_check_names_the_table_that_is_damaged(tmp_path):
    path = tmp_path / "store.sqlite3"
    asyncio.run(write(path, 0))
    done = run("--store", path, command="check")
    assert (done.returncode, done.stderr) == (0, "") and "no tables yet" in done.stdout
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
