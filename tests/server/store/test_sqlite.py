"""The SQLite store: durability, full disks, other processes with the file, and backups while it writes."""

import asyncio
import os
import resource
import signal
import sqlite3
import stat
import time
from contextlib import closing, suppress
from pathlib import Path

import pytest
import uvloop
from tests.server.store.test_store import all_answers, entry, execute, fill, on_a_loop, opened, row, seqs

from tribord import Refusal
from tribord.core.words import Words
from tribord.server.store import Unavailable, chained, connect, inspect, sqlite, sqlite_writer
from tribord.server.store.sqlite_writer_process import WriterProcess


@pytest.fixture
def path(tmp_path):
    return tmp_path / "tables.db"


@on_a_loop
async def test_every_commit_is_synced_and_the_file_is_private(path):
    async with opened(str(path)) as store:
        await fill(store, "t")
        with closing(WriterProcess(str(path), 1.0).connection) as writer:  # these settings belong to the connection
            assert writer.execute("PRAGMA synchronous").fetchone() == (2,)
            assert writer.execute("PRAGMA foreign_keys").fetchone() == (1,)
            assert writer.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        for file in (path, path.with_name("tables.db-wal")):
            assert stat.S_IMODE(file.stat().st_mode) == 0o600


@on_a_loop
async def test_many_callers_share_a_commit(path):
    async with opened(str(path)) as store:
        await fill(store, "t")
        before = commits(path)
        assert await all_answers(*(store.append(row(f"t{n}", 0), entry(f"t{n}")) for n in range(500))) == [None] * 500
        assert 1 <= commits(path) - before <= 2


def commits(path):
    """How many commits the write-ahead log holds: the last page of each has the size of the store after it."""
    log = path.with_name(path.name + "-wal").read_bytes()
    page = int.from_bytes(log[8:12], "big")
    return sum(log[at + 4 : at + 8] != bytes(4) for at in range(32, len(log), 24 + page))


@on_a_loop
async def test_a_writer_that_dies_is_replaced_and_its_callers_learn_it(path):
    async with opened(str(path)) as store:
        await fill(store, "t")
        for life in range(3):
            first = store._writer.process
            os.kill(first.pid, signal.SIGSTOP)  # so that it dies in the middle of appends
            appends = [asyncio.create_task(store.append(row(f"{life}.{n}", 0), entry(f"{life}.{n}"))) for n in range(9)]
            purge = asyncio.create_task(store.purge(0))
            await asyncio.sleep(0.05)
            os.kill(first.pid, signal.SIGKILL)
            assert {type(answer) for answer in await all_answers(*appends)} == {Unavailable}
            assert await purge == 0  # it hadn't been handed over yet
            assert store._writer.process.pid != first.pid
            for n in range(9):
                assert await seqs(store, f"{life}.{n}") == []
            await fill(store, f"{life}.0")
        assert await seqs(store, "t") == [0]


@pytest.mark.parametrize("loop", [asyncio.new_event_loop, uvloop.new_event_loop])
def test_a_writer_that_dies_idle_is_replaced_on_either_event_loop(path, loop):
    async def story():
        async with opened(str(path)) as store:
            await fill(store, "t")
            for seq in (1, 2, 3):
                first = store._writer.process
                os.kill(first.pid, signal.SIGKILL)
                if seq > 1:  # otherwise the event loop may not have noticed yet
                    await first.wait()
                with suppress(Unavailable):
                    await store.append(row("t", seq), entry("t"))
                if len(await store.read("t")) == seq:
                    assert seq == 1  # a writer known to be dead loses nothing
                    await store.append(row("t", seq), entry("t"))
                assert store._writer.process.pid != first.pid
            await store.probe()
            assert await seqs(store, "t") == [0, 1, 2, 3]

    with asyncio.Runner(loop_factory=loop) as runner:
        runner.run(story())


@pytest.mark.parametrize("loop", [asyncio.new_event_loop, uvloop.new_event_loop])
def test_a_writer_that_hangs_is_replaced_on_either_event_loop(path, loop, monkeypatch):
    async def story():
        async with opened(str(path)) as store:
            await fill(store, "t")
            hung = store._writer.process
            os.kill(hung.pid, signal.SIGSTOP)
            monkeypatch.setattr(sqlite_writer, "ANSWER_SECONDS", 0.2)
            async with asyncio.timeout(30):
                with pytest.raises(Unavailable):
                    await store.append(row("t", 1), entry("t"))
                await hung.wait()
            assert hung.returncode == -signal.SIGKILL
            monkeypatch.setattr(sqlite_writer, "ANSWER_SECONDS", 30.0)
            await store.append(row("t", 1), entry("t"))  # by another one
            await store.probe()
            assert await seqs(store, "t") == [0, 1]
            hung = store._writer.process
            os.kill(hung.pid, signal.SIGSTOP)
            monkeypatch.setattr(sqlite_writer, "ANSWER_SECONDS", 0.2)
        async with asyncio.timeout(30):  # nobody waits for one that hangs at the end either
            await hung.wait()

    with asyncio.Runner(loop_factory=loop) as runner:
        runner.run(story())


@on_a_loop
async def test_a_writer_stays_when_its_group_is_told_to_stop(path):
    async with opened(str(path)) as store:
        await fill(store, "t")
        first = store._writer.process.pid
        for stop in (signal.SIGINT, signal.SIGTERM):  # a terminal and systemd signal every process
            os.kill(first, stop)
        await fill(store, "u")
        assert store._writer.process.pid == first


@on_a_loop
async def test_a_full_disk_reaches_the_caller_and_the_store_goes_on(path):
    async with opened(str(path)) as store:
        await fill(store, "t")
        writer = store._writer.process.pid
        before = resource.prlimit(writer, resource.RLIMIT_FSIZE)
        wal = path.with_name("tables.db-wal")
        try:
            resource.prlimit(writer, resource.RLIMIT_FSIZE, (wal.stat().st_size + 20_000, before[1]))
            answers = await all_answers(
                store.append(row("t", 1, bytes(100_000)), entry("t")), store.append(row("u", 0), entry("u"))
            )
            assert [type(a) for a in answers] == [Unavailable, Unavailable]
            resource.prlimit(writer, resource.RLIMIT_FSIZE, (0, before[1]))
            with pytest.raises(Unavailable):
                await store.probe()
            assert await seqs(store, "t") == [0] and await store.index_entry("u") is None
        finally:
            resource.prlimit(writer, resource.RLIMIT_FSIZE, before)
        await store.probe()
        await store.append(row("t", 1, bytes(100_000)), entry("t"))
        await fill(store, "u")
    async with opened(str(path)) as store:
        assert await seqs(store, "t") == [0, 1] and await seqs(store, "u") == [0]


@on_a_loop
async def test_another_process_with_the_file_is_waited_for_off_the_event_loop(path):
    async with opened(str(path)) as store:
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            append = asyncio.create_task(store.append(row("t", 0), entry("t")))
            longest, begin = 0.0, time.perf_counter()
            while time.perf_counter() - begin < 0.5:
                turn = time.perf_counter()
                assert await store.read("t") == []  # readers never wait for a writer
                await asyncio.sleep(0.01)
                longest = max(longest, time.perf_counter() - turn)
            assert not append.done() and longest < 0.4
            other.execute("COMMIT")
        await append
        assert await seqs(store, "t") == [0]


@on_a_loop
async def test_a_file_locked_for_too_long_is_said(path, monkeypatch):
    monkeypatch.setattr("tribord.server.store.sqlite.BUSY_SECONDS", 0.1)
    async with opened(str(path)) as store:
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(Unavailable) as refused:
                await store.append(row("t", 0), entry("t"))
            assert "locked" in str(refused.value)
            with pytest.raises(Unavailable):
                await store.purge(9)
        await fill(store, "t")


@on_a_loop
async def test_a_file_that_is_no_store_is_refused(path, tmp_path):
    path.write_bytes(b"This is a letter, not a database. " * 200)
    for place in (path, tmp_path, path / "below"):
        with pytest.raises(Refusal) as refused:
            await connect(str(place)).open()
        assert refused.value.code == "not-opened"
    assert path.read_bytes().startswith(b"This is a letter")


@on_a_loop
async def test_a_backup_while_writing_is_a_whole_store(path, tmp_path):
    kept = dict.fromkeys((f"t{n}" for n in range(20)), -1)
    stop = False

    async def play(store, table):
        while not stop:
            await store.append(row(table, kept[table] + 1, os.urandom(50)), entry(table))
            kept[table] += 1

    copies = [tmp_path / f"copy{n}.db" for n in range(3)]
    before = []
    async with opened(str(path)) as store:
        players = [asyncio.create_task(play(store, table)) for table in kept]
        while min(kept.values()) < 0:  # a slow disk takes its time
            await asyncio.sleep(0.01)
        for copy in copies:
            await asyncio.sleep(0.1)
            before.append(dict(kept))
            await store.backup(copy)
        stop = True
        await asyncio.gather(*players)
        originals = {table: await store.read(table) for table in kept}
    for copy, least in zip(copies, before):
        async with opened(str(copy)) as store:
            for table, original in originals.items():
                rows = await store.read(table)
                assert rows == original[: len(rows)] and len(rows) > least[table] >= 0
                await store.append(row(table, len(rows)), entry(table))  # the index goes with it
        assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert not list(tmp_path.glob("*.partial*"))


@on_a_loop
async def test_a_backup_is_private_from_its_first_byte(path, tmp_path, monkeypatch):
    folder, modes, connected = tmp_path / "backups", [], sqlite._connect
    folder.mkdir()

    def look(file):
        modes.extend(stat.S_IMODE(there.stat().st_mode) for there in folder.iterdir())
        return connected(file)

    async with opened(str(path)) as store:
        await fill(store, "t")
        monkeypatch.setattr(sqlite, "_connect", look)
        before = os.umask(0)
        try:
            await store.backup(folder / "copy.db")
        finally:
            os.umask(before)
        look(path).close()
    assert len(modes) > 2 and set(modes) == {0o600}


@on_a_loop
async def test_a_damaged_backup_is_refused_and_replaces_no_good_one(path, tmp_path):
    copy = tmp_path / "copy.db"
    async with opened(str(path)) as store:
        await store.append(chained(row("t", 0), b""), entry("t"))
        await store.backup(copy)
        good = copy.read_bytes()
        execute(f"sqlite:///{path}", "UPDATE journal SET at = 2")
        with pytest.raises(Refusal) as refused:
            await store.backup(copy)
    assert refused.value.code == "backup-damaged" and refused.value.say(Words("fr"))
    assert copy.read_bytes() == good
    damaged = tmp_path / "copy.db.damaged"
    assert stat.S_IMODE(damaged.stat().st_mode) == 0o600 and not list(tmp_path.glob("*.partial*"))


@on_a_loop
async def test_a_store_of_an_earlier_release_can_be_backed_up_before_its_upgrade(tmp_path):
    old = Path(__file__).parent.parent / "data" / "store-0.1.0.sqlite3"
    await connect(str(old)).backup(tmp_path / "copy.db")
    async with opened(str(tmp_path / "copy.db")) as store:
        assert (await inspect(store)).tables > 5


@on_a_loop
async def test_a_backup_replaces_an_older_one_whole_or_not_at_all(path, tmp_path):
    copy = tmp_path / "copy.db"
    async with opened(str(path)) as store:
        await fill(store, "t", 2)
        await store.backup(copy)
        await store.append(row("t", 2), entry("t"))
        await store.backup(copy)
        for place in (path, tmp_path / "nowhere" / "copy.db", tmp_path):
            with pytest.raises(Refusal):
                await store.backup(place)
        assert await seqs(store, "t") == [0, 1, 2]
    async with opened(str(copy)) as store:
        assert await seqs(store, "t") == [0, 1, 2]
