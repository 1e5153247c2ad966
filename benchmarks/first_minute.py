"""Measure the first minute on a machine that has compiled nothing: how soon people can play, and at full strength.

    python benchmarks/first_minute.py [--ranks matelot capitaine] [--games …] [--clone]

For every game and rank a server starts with an empty cache. It measures seconds

- page: from the start of the server until it serves the page
- action: from a bot's first turn to its action, at a table that is created as soon as the page is there
- strength: from the creation of that table until its bots play at full strength

The baseline is the same with everything compiled, in the same run; the ratio is cold to warm. With --clone the
repository is cloned first and `make play` installs and opens it: seconds from the clone to the page, installed
megabytes, and `make play` once more as the baseline.

Prints JSON, and a readable table to stderr.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import httpx

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.server import aboard
from tests.server.aboard import Mate
from tests.server.launcher import ServerProcess
from websockets.asyncio.client import connect

from tribord import game_ids, load
from tribord.bots import ranks

ROOT = Path(__file__).parents[1]
NOTHING_SAID = 1.0  # seconds after an action in which a table would report a light decision
aboard.PATIENCE = 600.0
VARIANTS: list[tuple[str, dict[str, str]]] = [(game, {}) for game in game_ids()]
VARIANTS.append(("ile-aux-pirates", {"game": "strategic"}))


async def first_match(server: ServerProcess, game_id: str, rank: str, options: dict[str, str]) -> dict[str, float]:
    """Play with bots of a rank, and measure how soon they act and how soon all are at full strength."""
    players = load(game_id).players[0] + 1
    new = {"game": game_id, "nickname": "Anne", "players": players, "options": options}
    async with httpx.AsyncClient(base_url=server.url, timeout=60) as client:
        created = time.monotonic()
        host = (await client.post("/api/tables", json=new | {"seats": ["me", *[rank] * (players - 1)]})).json()
    async with connect(f"ws://127.0.0.1:{server.port}/socket", compression=None) as socket:
        anne = Mate(socket)
        await anne.say({"t": "hello", "protocol": 2, "table": host["table"], "secret": host["secret"]})
        await anne.must("start")
        turn = time.monotonic()
        while not any(m.get("kind") == "act" and m.get("by") is None for m in anne.heard):
            if anne.match and anne.match["to_act"] == [0]:
                await anne.must("act", seat=0, action=anne.match["legal"]["0"][0])
                turn = time.monotonic()
            else:
                await anne.hear()
        acted = time.monotonic()
        try:
            async with asyncio.timeout(NOTHING_SAID):
                await anne.until(lambda message: message.get("preparing", False))
        except TimeoutError:
            strong = acted
        else:
            await anne.until(lambda message: message["t"] == "presence" and not message.get("preparing"))
            strong = time.monotonic()
    return {"action": acted - turn, "strength": strong - created}


def measure(folder: Path, cache: Path, game_id: str, rank: str, options: dict[str, str]) -> dict[str, float]:
    """One server and one table."""
    folder.mkdir()
    server = ServerProcess(folder, "--limits", "0", cache=cache)
    started = time.monotonic()
    with server:
        httpx.get(server.url).raise_for_status()
        page = time.monotonic() - started
        return {"page": page, **asyncio.run(first_match(server, game_id, rank, options))}


def prepare(folder: Path, cache: Path) -> float:
    """The seconds a server takes to prepare everything."""
    folder.mkdir()
    with ServerProcess(folder, cache=cache) as server:
        started = time.monotonic()
        while (found := httpx.get(f"{server.url}/api/bots").json())["prepared"] < found["of"]:
            time.sleep(0.2)
        return time.monotonic() - started


def clone_and_play(folder: Path) -> dict[str, float]:
    """Clone, install and open the page; then open it once more."""
    place = folder / "clone"
    environment = {**os.environ, "TRIBORD_NO_BROWSER": "1", "TRIBORD_CACHE": str(folder / "cache")}
    environment |= {"XDG_DATA_HOME": str(folder), "PYTHONPATH": ""}
    started = time.monotonic()
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(place)], check=True)
    first = play(place, environment) - started
    used = sum(f.stat().st_size for f in (place / ".venv").rglob("*") if f.is_file() and not f.is_symlink())
    started = time.monotonic()
    return {"clone_to_page": first, "page_again": play(place, environment) - started, "megabytes": used / 1e6}


def play(place: Path, environment: dict[str, str]) -> float:
    """Run `make play` until its page is there; returns the time."""
    with (place.parent / "play.log").open("w+") as log:
        process = subprocess.Popen(["make", "play"], cwd=place, env=environment, stdout=log, start_new_session=True)
        try:
            while process.poll() is None:
                log.seek(0)
                address = next((word for word in log.read().split() if word.startswith("http://")), "")
                try:
                    if address:
                        urllib.request.urlopen(address.replace("0.0.0.0", "127.0.0.1"), timeout=5).close()
                        return time.monotonic()
                except (urllib.error.URLError, OSError):
                    pass
                time.sleep(0.05)
            raise SystemExit(f"make play ended with {process.returncode}")
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGINT)
                process.wait(30)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ranks", nargs="+", default=["matelot", "capitaine"], choices=ranks())
    parser.add_argument("--games", nargs="+", default=game_ids(), choices=game_ids())
    parser.add_argument("--clone", action="store_true", help="clone and install first")
    chosen = parser.parse_args()
    tasks = [(game, rank, options) for game, options in VARIANTS for rank in chosen.ranks if game in chosen.games]
    found: dict[str, Any] = {"machine": f"{platform.machine()}, {os.cpu_count()} processors", "first_minute": []}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if chosen.clone:
            found["make_play"] = clone_and_play(folder)
        cold = [measure(folder / f"cold{k}", folder / f"cache{k}", *task) for k, task in enumerate(tasks)]
        found["prepare_everything"] = prepare(folder / "everything", folder / "warm")
        warm = [measure(folder / f"warm{k}", folder / "warm", *task) for k, task in enumerate(tasks)]
    for (game, rank, options), before, after in zip(tasks, cold, warm, strict=True):
        ratio = {name: before[name] / after[name] for name in before}
        row = {"game": " ".join([game, *options.values()]), "rank": rank, "cold": before, "warm": after, "ratio": ratio}
        found["first_minute"].append(row)
    print(json.dumps(found, indent=1))
    show(found)


def show(found: dict[str, Any]) -> None:
    """The readable table."""
    print(f"{'':38}{'page':>16}{'action':>16}{'strength':>16}", file=sys.stderr)
    for row in found["first_minute"]:
        cells = (f"{row['cold'][name]:6.2f} s {row['ratio'][name]:5.1f}×" for name in row["cold"])
        print(f"{row['game']:27} {row['rank']:10}" + "".join(f"{cell:>16}" for cell in cells), file=sys.stderr)
    print(f"everything prepared after {found['prepare_everything']:.1f} s", file=sys.stderr)
    if "make_play" in found:
        print(
            "make play: " + ", ".join(f"{name} {value:.1f}" for name, value in found["make_play"].items()),
            file=sys.stderr,
        )


if __name__ == "__main__":
    main()
