"""The table server under load: acknowledged durable actions per second, how long they take, and what a table costs.

    python benchmarks/server_load [--tables 100 500 2000] [--store sqlite postgresql] [--workers 1 2] [--seconds 10]
                                  [--only yardstick load memory age idle analysis]

The server is a real process, and this one plays against it as all its people: every seat has its own socket and plays
random legal actions, in a mix of the four games, match after match. The yardstick is the most that uvicorn can do on
this machine: a WebSocket echo, in the same run with the same client.

Every load is measured twice. At full speed a seat acts as soon as it has its turn and the answer to its last action,
with a bounded number of pending actions: that gives actions per second. Then actions are due at random moments, at a
rate the server can bear, and wait from the moment they're due: that gives honest latencies.

Prints one JSON, and tables for people to stderr.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import random
import shutil
import sys
import tempfile
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import uvicorn
import uvloop
from crowd import LONGEST, Load, Player, percentiles, some_at_a_time
from process import echo_server, store, table_server
from wire import HOST, Wire, wire

import tribord
from tribord.core.journal import to_dict


async def measure_yardstick(seconds: float, sockets: int, most: int, folder: Path) -> dict[str, Any]:
    """Echoes per second, with many sockets and as many pending messages as in the loads."""
    message = b'{"t":"act","seat":2,"action":117,"version":64,"id":"1234567"}'
    waits: list[float] = []
    idle: deque[Wire] = deque()
    sent: dict[Wire, float] = {}

    def say() -> None:
        speaker = idle.popleft()
        sent[speaker] = time.perf_counter()
        speaker.send(message)

    async def add(_number: int) -> None:
        speaker = await wire(server.port, lambda _echo: heard(speaker))
        idle.append(speaker)

    def heard(speaker: Wire) -> None:
        waits.append(time.perf_counter() - sent.pop(speaker))
        idle.append(speaker)
        say()

    with echo_server(folder) as server:
        await server.answers()
        await some_at_a_time(add, list(range(sockets)))
        for _ in range(min(most, sockets - 1)):
            say()
        await asyncio.sleep(seconds / 3)
        waits.clear()
        began, used, own = time.perf_counter(), server.seconds(), time.process_time()
        await asyncio.sleep(seconds)
        spent = time.perf_counter() - began
        return {
            "echoes_per_s": round(len(waits) / spent), **percentiles(waits), "sockets": sockets, "under_way": most,
            "server_us_per_echo": round((server.seconds() - used) / len(waits) * 1e6),
            "client_us_per_echo": round((time.process_time() - own) / len(waits) * 1e6),
        }  # fmt: skip


@asynccontextmanager
async def crowded(
    given: argparse.Namespace, folder: Path, kind: str = "sqlite", workers: int = 1
) -> AsyncIterator[Load]:
    """A table server on an empty store, and the people who will put load on it."""
    with store(kind, folder) as address, table_server(address, workers, folder) as server:
        await server.answers()
        yield Load(server, given.under_way)


async def measure_load(kind: str, workers: int, tables: int, given: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """One load on one kind of store: at full speed, then at a rate the server can bear."""
    async with crowded(given, folder, kind, workers) as load:
        await load.seat(tables)
        full = await load.play(given.seconds)
        rate = given.rate or 0.7 * full["actions_per_s"]
        paced = await load.play(given.seconds, rate)
        await load.close()
        return {
            "store": kind, "workers": workers, "tables": tables, "sockets": sum(party.size for party in load.parties),
            **full, "paced": {"due_per_s": round(rate), **paced}, "server_mb": load.server.kilobytes() // 1024,
        }  # fmt: skip


async def measure_memory(tables: int, given: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """What a table in the middle of a match holds in memory: alone, and with its sockets open."""
    async with crowded(given, folder) as load:

        async def some(count: int) -> None:
            for begin in range(0, count, 50):  # never many sockets at once, so that only tables remain
                parties = await load.seat(min(50, count - begin))
                await load.decide(parties, 8)
                await load.leave(parties)

        await some(min(100, tables))
        before = load.server.kilobytes()
        await some(tables)
        between = load.server.kilobytes()
        kept = load.parties[-tables:]
        await some_at_a_time(Player.connect, [player for party in kept for player in party.players])
        await asyncio.sleep(1)
        sockets = sum(party.size for party in kept)
        result = {
            "tables": tables, "sockets": sockets,
            "kb_per_idle_table": round((between - before) / tables, 1),
            "kb_per_socket": round((load.server.kilobytes() - between) / sockets, 1),
        }  # fmt: skip
        await load.leave(kept)
        load.web.close()
    return result


async def measure_age(given: argparse.Namespace, folder: Path) -> list[dict[str, Any]]:
    """What an action costs as a match grows older."""
    async with crowded(given, folder) as load:
        parties = await load.seat(min(60, given.idle), LONGEST)
        await load.decide(parties, 5)
        bands = []
        for band in range(5):
            report = await load.decide(parties, 30)
            bands.append({"decisions": f"{5 + 30 * band} to {35 + 30 * band}", **_cost(report)})
        await load.close()
    return bands


async def measure_idle(idle: int, given: argparse.Namespace, folder: Path) -> list[dict[str, Any]]:
    """What an action costs at busy tables beside idle ones with open sockets."""
    async with crowded(given, folder) as load:
        busy = await load.seat(min(60, given.idle), LONGEST)
        await load.decide(busy, 5)
        results = []
        for beside in (0, idle):
            await load.seat(beside)
            results.append({"idle_tables": beside, **_cost(await load.decide(busy, 60))})
        await load.close()
    return results


async def measure_analysis(given: argparse.Namespace, folder: Path) -> list[dict[str, Any]]:
    """Measure how long decisions take at half speed, with and without an analysis beside them."""
    async with crowded(given, folder) as load:
        await load.seat(min(given.tables))
        full = await load.play(given.seconds)
        results = []
        for seed, beside in enumerate((False, True, False, True)):
            if beside:
                begun = asyncio.Event()
                content = json.loads(await load.web.ask("POST", "/api/matches", finished_match(seed)))
                analysing = asyncio.create_task(analyse(load.port, content["table"], begun))
                await asyncio.wait_for(begun.wait(), 60)
            report = await load.play(given.seconds, full["actions_per_s"] / 2)
            if beside:
                if analysing.done():
                    raise RuntimeError("The analysis ended before the load did. Ask for fewer seconds.")
                await analysing  # the server would go on without us, beside the next load
            results.append({"analysis": beside, **_cost(report)})
        await load.close()
    return results


def finished_match(seed: int) -> dict[str, Any]:
    """Play a match at random and return its match file."""
    match = tribord.load("sauve-qui-peut").match(players=4, seed=seed)
    choices = random.Random(seed)
    while not match.over:
        seat = match.to_act[0]
        match.play(seat, choices.choice(match.legal(seat)))
    return to_dict(match)


async def analyse(port: int, table: str, begun: asyncio.Event) -> None:
    """Ask for an analysis once its code is compiled, and read its progress to the end."""
    head = f"Host: {HOST}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    while not begun.is_set():
        reader, writer = await asyncio.open_connection(HOST, port)
        try:
            writer.write(f"POST /api/tables/{table}/analysis HTTP/1.1\r\n{head}".encode())
            if b" 200 " in await reader.readline():
                begun.set()
            while await reader.read(65_536):
                pass
        finally:
            writer.close()
        await asyncio.sleep(0.5)


def _cost(report: dict[str, Any]) -> dict[str, Any]:
    return {name: report[name] for name in ("actions_per_s", "p50_ms", "p99_ms", "server_us_per_action")}


# -- results --------------------------------------------------------------------------------------------------------


def print_table(title: str, lines: list[dict[str, Any]]) -> None:
    """A table for people."""
    heads = [name for name in lines[0] if not isinstance(lines[0][name], dict)]
    cells = [heads, *([str(line[name]) for name in heads] for line in lines)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(heads))]
    print(f"\n{title}", file=sys.stderr)
    for row in cells:
        print("  ".join(cell.rjust(width) for cell, width in zip(row, widths)), file=sys.stderr, flush=True)


async def measure(given: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Everything that was requested."""
    result: dict[str, Any] = {
        "machine": {
            "processors": os.cpu_count(), "python": platform.python_version(), "uvicorn": uvicorn.__version__,
            "load_average": [round(load, 2) for load in os.getloadavg()],
        }
    }  # fmt: skip
    if "yardstick" in given.only:
        sockets = round(3.1 * max(given.tables))
        result["yardstick"] = await measure_yardstick(given.seconds, sockets, given.under_way, folder)
        print_table("Yardstick: uvicorn echoes", [result["yardstick"]])
    if "load" in given.only:
        result["loads"] = []
        for kind in given.store:
            for workers in given.workers if kind == "postgresql" else [1]:
                for tables in given.tables:
                    line = await measure_load(kind, workers, tables, given, folder)
                    if "yardstick" in result:
                        line["of_yardstick"] = round(line["actions_per_s"] / result["yardstick"]["echoes_per_s"], 3)
                    result["loads"].append(line)
                    print_table("Full speed", [line])
                    print_table("Paced", [line["paced"]])
    if "memory" in given.only:
        result["memory"] = await measure_memory(given.idle, given, folder)
        print_table("Memory", [result["memory"]])
    if "age" in given.only:
        result["age"] = await measure_age(given, folder)
        print_table("Cost by the age of the match", result["age"])
    if "idle" in given.only:
        result["idle"] = await measure_idle(given.idle, given, folder)
        print_table("Cost beside idle tables", result["idle"])
    if "analysis" in given.only:
        result["analysis"] = await measure_analysis(given, folder)
        print_table("Beside an analysis", result["analysis"])
    return result


PARTS = ("yardstick", "load", "memory", "age", "idle", "analysis")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, nargs="+", default=[100, 500, 2000])
    parser.add_argument("--store", nargs="+", choices=("sqlite", "postgresql"), default=["sqlite", "postgresql"])
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2], help="with PostgreSQL")
    parser.add_argument("--seconds", type=float, default=10.0, help="of each measurement")
    parser.add_argument("--under-way", type=int, default=64, help="actions under way at once at full speed")
    parser.add_argument("--rate", type=float, help="actions due per second when paced, instead of 0.7 of full speed")
    parser.add_argument("--idle", type=int, default=1000, help="idle tables, in the parts memory and idle")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    given = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix=".load-", dir=Path.cwd()))  # /tmp may be memory
    try:
        print(json.dumps(uvloop.run(measure(given, folder)), indent=1))
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
