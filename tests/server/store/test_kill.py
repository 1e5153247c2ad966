"""kill -9 of a writing process: everything acknowledged is there afterwards, and nothing is half there."""

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.server.postgres import database_of_its_own, server_of_its_own  # noqa: F401
from tests.server.store.test_store import either_store, on_a_loop, opened  # noqa: F401

WRITER = """
import asyncio, os, sys, time
from tribord.server.store import IndexEntry, Row, connect

async def play(store, table):
    seq = 0
    while True:
        body = f"{table} {seq}".encode() * 20
        entry = IndexEntry(table, table, "g", True, "open", None, seq, body)
        await store.append(Row(table, seq, "act", body, 1.0), entry)
        os.write(1, f"{table} {seq}\\n".encode())
        seq += 1

async def main(address, life):
    store = connect(address)
    await store.open()
    await asyncio.gather(*(play(store, f"{life}.{n}") for n in range(20)))

asyncio.run(main(*sys.argv[1:]))
"""


def live_and_die(address, life, seconds):
    """Let a writer write, kill it, and return what was acknowledged: table → last row."""
    with subprocess.Popen([sys.executable, "-c", WRITER, address, str(life)], stdout=subprocess.PIPE) as writer:
        first = writer.stdout.readline()
        time.sleep(seconds)
        writer.send_signal(signal.SIGKILL)
        told = first + writer.stdout.read()
    assert writer.returncode == -signal.SIGKILL
    return {table: int(seq) for table, seq in (line.split() for line in told.decode().splitlines())}


@pytest.mark.parametrize("lives", [3, pytest.param(50, marks=pytest.mark.long)])
@on_a_loop
async def test_what_was_acknowledged_before_kill_9_is_there(address, lives):
    rng = random.Random(lives)
    told = {}
    for life in range(lives):
        told |= live_and_die(address, life, rng.uniform(0.0, 0.3))
    assert len(told) >= lives
    async with opened(address) as store:
        for entry in await store.open_tables(limit=10_000):
            table, rows = entry.table, await store.read(entry.table)
            assert [r.seq for r in rows] == list(range(len(rows)))
            assert [r.body for r in rows] == [f"{table} {seq}".encode() * 20 for seq in range(len(rows))]
            assert len(rows) > told.pop(table, -1)
            assert entry.touched == len(rows) - 1 and entry.summary == rows[-1].body
    assert not told


def test_the_writer_process_of_a_killed_server_ends_too(tmp_path):
    address = f"sqlite:///{tmp_path}/tables.db"
    with subprocess.Popen([sys.executable, "-c", WRITER, address, "0"], stdout=subprocess.PIPE) as writer:
        writer.stdout.readline()
        (process,) = Path(f"/proc/{writer.pid}/task/{writer.pid}/children").read_text().split()
        writer.send_signal(signal.SIGKILL)
        writer.stdout.read()
    patience = time.monotonic() + 20
    while Path(f"/proc/{process}").exists():
        assert time.monotonic() < patience, "it still runs"
        time.sleep(0.01)
