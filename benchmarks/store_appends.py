"""Durable appends per second: many callers, each at its own table, each waiting for its commit.

    python benchmarks/store_appends.py [STORE] [--callers 500] [--seconds 3]

STORE is a path or an address; without one, a SQLite file in a temporary folder of the working directory, because
/tmp may be memory. The first line is the yardstick: how often this disk syncs one small write. Prints JSON.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import tempfile
import time
import uuid
from pathlib import Path

from tribord.server.store import IndexEntry, Row, Store, chained, connect

BODY = json.dumps({"seat": 3, "action": "pick 12", "client": "0f8fad5b-d9cb-469f-a165-70867728950e", "pad": "x" * 60})
SUMMARY = json.dumps({"title": "A table in the sun", "seats": ["Anne", "Mary", None, "Jack"], "pad": "x" * 60})


def syncs(folder: Path, seconds: float = 0.5) -> float:
    """Writes of one page with fsync, per second."""
    with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
        count, begin = 0, time.perf_counter()
        while time.perf_counter() - begin < seconds:
            file.write(bytes(4096))
            os.fsync(file.fileno())
            count += 1
        return count / (time.perf_counter() - begin)


async def play(store: Store, until: float, waits: list[float]) -> None:
    """One table: append, wait for the commit, append the next."""
    table, seq, before = uuid.uuid4().hex, 0, b""
    body, summary = BODY.encode(), SUMMARY.encode()
    while (now := time.perf_counter()) < until:
        at = time.time()
        entry = IndexEntry(table, table[:10], "walk-the-plank", False, "playing", at + 30, at, summary)
        row = chained(Row(table, seq, "act", body, at), before)
        await store.append(row, entry)
        waits.append(time.perf_counter() - now)
        seq, before = seq + 1, row.hash


async def measure(address: str, callers: int, seconds: float) -> dict[str, float]:
    """Appends per second, and how long callers waited."""
    store = connect(address)
    await store.open()
    waits: list[float] = []
    begin = time.perf_counter()
    await asyncio.gather(*(play(store, begin + seconds, waits) for _ in range(callers)))
    spent = time.perf_counter() - begin
    await store.close()
    waits.sort()
    return {
        "callers": callers,
        "appends_per_s": round(len(waits) / spent),
        "p50_ms": round(waits[len(waits) // 2] * 1000, 2),
        "p99_ms": round(waits[len(waits) * 99 // 100] * 1000, 2),
    }


def main() -> None:
    """Measure with one caller and with many."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("store", nargs="?")
    parser.add_argument("--callers", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=3.0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        address = given.store or str(Path(folder) / "tables.db")
        print(json.dumps({"syncs_per_s": round(syncs(Path(folder)))}))
        for callers in (1, given.callers):
            print(json.dumps(asyncio.run(measure(address, callers, given.seconds))))


if __name__ == "__main__":
    main()
