"""Workers and tables: what a decision and a table cost as both grow, and how soon a dead worker's tables are back.

    python benchmarks/scale.py [--workers 1 2 4 8] [--tables 100 1000 10000] [--busy 100] [--seconds 6] [--each]

A real server on a real PostgreSQL. This process plays `--busy` of the tables at full speed; the others were left in the
middle of a match, like most tables of a site. With `--each` that's per worker, and so are the pending actions: the load
grows with the server, as it does on a site. CPU is that of all workers together, without the database. Memory per table
is the growth of the workers' memory; the yardstick of every line is one worker in the same run. Then all workers are
restarted one after the other, at a third of that speed; finally one worker is killed (-9), and everyone at its tables
reconnects.

Prints JSON, and tables for people to stderr.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import uvloop

sys.path.insert(0, str(Path(__file__).parent / "server_load"))

from crowd import Load, Party, some_at_a_time
from process import Process, store, table_server

TAKEOVER_SECONDS = 30.0
AT_ONCE = 50  # idle tables being set up, with sockets open only meanwhile


def workers_of(server: Process) -> list[int]:
    """The processes that serve, where there are several."""
    found = []
    for pid in server.family()[1:]:
        with suppress(OSError):
            if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes():
                found.append(pid)
    return found


async def leave_idle(load: Load, tables: int) -> None:
    """More tables, each left after a few decisions."""
    for begin in range(0, tables, AT_ONCE):
        parties = await load.seat(min(AT_ONCE, tables - begin))
        await load.decide(parties, 3)
        await load.leave(parties)
        del load.parties[-len(parties) :]


async def take_over(load: Load, server: Process) -> dict[str, Any]:
    """Kill one worker; how long until everyone is back at its tables."""
    players = [player for party in load.parties for player in party.players]
    os.kill(workers_of(server)[0], signal.SIGKILL)
    began = time.perf_counter()
    await asyncio.sleep(0.5)
    lost = [player for player in players if player.wire.closed.done()]
    waits: list[float] = []

    async def come_back(player: Any) -> None:
        player.port = server.port  # any worker will do
        while time.perf_counter() - began < TAKEOVER_SECONDS:
            with suppress(OSError):
                await player.connect()
                while player.match is None and not player.wire.closed.done():
                    await asyncio.sleep(0.02)
                if player.match is not None:
                    waits.append(time.perf_counter() - began)
                    return
            await asyncio.sleep(0.1)

    await some_at_a_time(come_back, lost)
    return {"sockets_lost": len(lost), "back": len(waits), "last_back_s": round(max(waits, default=0.0), 2)}


async def roll(load: Load, server: Process, rate: float) -> dict[str, Any]:
    """Restart all workers one after the other while everyone plays; how long a decision took, reconnecting too."""
    before = set(workers_of(server))
    os.kill(server.pid, signal.SIGHUP)
    report = await load.play_on(lambda: len(found := workers_of(server)) == len(before) and not before & {*found}, rate)
    restarted = len(before - {*workers_of(server)})
    return {"restarted": restarted, "rolling_p50_ms": report["p50_ms"], "rolling_p99_ms": report["p99_ms"]}


async def measure(workers: int, tables: int, given: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """One size of server with one number of tables."""
    with store("postgresql", folder) as address, table_server(address, workers, folder) as server:
        await server.answers()
        factor = workers if given.each else 1
        load = Load(server, given.under_way * factor)
        busy = min(given.busy * factor, tables)
        await leave_idle(load, AT_ONCE)  # the first ones load shared code
        empty = server.kilobytes()
        await leave_idle(load, tables - busy)
        grown = server.kilobytes()
        parties: list[Party] = await load.seat(busy)
        report = await load.play(given.seconds)
        homes = Counter(party.players[0].port for party in parties)
        line = {
            "workers": workers, "tables": tables, "busy": busy,
            "server_us_per_action": report["server_us_per_action"], "actions_per_s": report["actions_per_s"],
            "p99_ms": report["p99_ms"], "kb_per_idle_table": round((grown - empty) / max(1, tables - busy), 1),
            "server_mb": server.kilobytes() // 1024, "tables_per_home": sorted(homes.values()),
        }  # fmt: skip
        if workers > 1:
            line |= await roll(load, server, report["actions_per_s"] / 3)
            line |= await take_over(load, server)
        return line


async def run(given: argparse.Namespace, folder: Path) -> list[dict[str, Any]]:
    """Everything that was requested."""
    lines: list[dict[str, Any]] = []
    for tables in given.tables:
        alone = 0
        for workers in given.workers:
            line = await measure(workers, tables, given, folder)
            alone = alone or line["server_us_per_action"]
            line["of_first"] = round(line["server_us_per_action"] / alone, 2)
            lines.append(line)
            print(json.dumps(line), file=sys.stderr, flush=True)
    return lines


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4, 8])
    parser.add_argument("--tables", type=int, nargs="+", default=[100, 1000, 10_000])
    parser.add_argument("--busy", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=6.0)
    parser.add_argument("--under-way", type=int, default=64)
    parser.add_argument("--each", action="store_true", help="busy tables and actions under way for each worker")
    given = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix=".scale-", dir=Path.cwd()))  # /tmp may be memory
    try:
        print(json.dumps(uvloop.run(run(given, folder)), indent=1))
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
