"""Measure the page in a real Chromium: bytes of a first visit, time to play, smoothness, and server time.

    python benchmarks/page.py [--runs 3] [--only bytes playable frames server]

- bytes: transferred on a first visit, headers included, to the harbour and to a table of each game
- playable: a phone with a quarter of this machine's speed and a slow mobile line (1.6 Mbit/s, 150 ms) opens a table;
  milliseconds from the link to the first possible choice
- frames: per second during the busiest step of each game's "how to play", on the same slow phone
- server: milliseconds to answer every request of one view of the page

The baseline of each is a plain static page of the same server in the same run: the offline page.
Prints JSON, and a readable table to stderr.
"""

from __future__ import annotations

import argparse
import json
import platform
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx

sys.path.insert(0, str(Path(__file__).parents[1]))

from playwright.sync_api import Browser, CDPSession, Page
from tests.page.sailor import chromium
from tests.server.launcher import ServerProcess

from tribord import game_ids, load
from tribord.server import book

PLAIN = "/page/offline.html"
AIM = 200_000  # bytes of a first visit
SLOWER = 4  # times, than this machine
LINE = {"latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 0.75e6 / 8, "offline": False}
PHONE = {"width": 360, "height": 740}
CHOOSABLE = ".decision .act, .decision .hand-area button:not([disabled]), .scene [role=button]"
FRAMES = """
(seconds) => new Promise((done) => {
  const at = [];
  const frame = (now) => {
    at.push(now);
    if (now - at[0] < seconds * 1000) requestAnimationFrame(frame);
    else done(at);
  };
  requestAnimationFrame(frame);
})
"""


@contextmanager
def visitor(browser: Browser, slow: bool = False, seen: bool = True) -> Iterator[tuple[Page, CDPSession]]:
    """A new visitor, optionally on a slow phone."""
    context = browser.new_context(viewport=PHONE, locale="fr", has_touch=True, service_workers="block")
    settings = {"language": "fr", "theme": "light", "speed": 1, "sound": False, "seen": game_ids() if seen else []}
    context.add_init_script(f"localStorage['tribord.settings'] ??= {json.dumps(json.dumps(settings))}")
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    if slow:
        session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        session.send("Network.emulateNetworkConditions", LINE)
    try:
        yield page, session
    finally:
        context.close()


def table_of(server: str, game: str) -> dict[str, Any]:
    """A table with one person among bots, after the start of the match."""
    players = min(max(4, load(game).players[0]), load(game).players[1])
    wanted = {"game": game, "nickname": "Anne", "players": players, "seats": ["me", *["mousse"] * (players - 1)]}
    return httpx.post(f"{server}/api/tables", json=wanted).json() | {"game": game, "since": 0}


def sit(page: Page, credentials: dict[str, Any]) -> None:
    """Store the table's credentials on the visitor's device, as after an invitation."""
    said = json.dumps(json.dumps([credentials]))
    page.context.add_init_script(f"localStorage['tribord.credentials'] ??= {said}")


# -- what is measured -----------------------------------------------------------------------------------------------


def weigh(browser: Browser, url: str, credentials: dict[str, Any] | None = None, wanted: str = ".cover svg") -> int:
    """The bytes of a first visit, until the network is idle."""
    with visitor(browser) as (page, session):
        arrived: list[int] = []
        session.on("Network.loadingFinished", lambda told: arrived.append(int(told["encodedDataLength"])))
        if credentials:
            sit(page, credentials)
        page.goto(url)
        page.locator(wanted).first.wait_for()
        if credentials:
            page.locator(".lobby .primary").click()
            page.locator(CHOOSABLE).first.wait_for()
        page.wait_for_timeout(800)
        return sum(arrived)


def weights(browser: Browser, server: str) -> dict[str, int]:
    """Bytes, of the plain page, the harbour, and a table of each game."""
    found = {"plain": weigh(browser, server + PLAIN, wanted="main"), "harbour": weigh(browser, server)}
    for game in game_ids():
        credentials = table_of(server, game)
        address = f"{server}/#/table/{credentials['table']}"
        found[f"table of {game}"] = weigh(browser, address, credentials, ".lobby .primary")
    return found


def opened(browser: Browser, url: str, wanted: str, credentials: dict[str, Any] | None = None) -> float:
    """Milliseconds from the link until an element appears, on the slow phone."""
    with visitor(browser, slow=True) as (page, _session):
        if credentials:
            sit(page, credentials)
        start = time.perf_counter()
        page.goto(url, wait_until="commit")
        page.locator(wanted).first.wait_for(timeout=60_000)
        return (time.perf_counter() - start) * 1000


def begun(browser: Browser, server: str, game: str) -> dict[str, Any]:
    """A table with a running match, from a page that is then closed."""
    credentials = table_of(server, game)
    with visitor(browser) as (page, _session):
        sit(page, credentials)
        page.goto(f"{server}/#/table/{credentials['table']}")
        page.locator(".lobby .primary").click()
        page.locator(CHOOSABLE).first.wait_for()
    return credentials


def waits(browser: Browser, server: str, runs: int) -> dict[str, float]:
    """Milliseconds until someone can play, the median of several runs."""
    found = {"plain": [opened(browser, server + PLAIN, "main") for _run in range(runs)]}
    found["harbour"] = [opened(browser, server, ".game-card .primary") for _run in range(runs)]
    for game in game_ids():
        credentials = begun(browser, server, game)
        address = f"{server}/#/table/{credentials['table']}"
        found[f"table of {game}"] = [opened(browser, address, CHOOSABLE, credentials) for _run in range(runs)]
    return {what: round(statistics.median(each)) for what, each in found.items()}


def smooth(page: Page, seconds: float) -> dict[str, float]:
    """Frames per second, and the slowest frame in milliseconds."""
    at = page.evaluate(FRAMES, seconds)
    gaps = [b - a for a, b in pairwise(at)]
    return {"per_second": round(1000 * len(gaps) / (at[-1] - at[0]), 1), "slowest_ms": round(max(gaps), 1)}


def frames(browser: Browser, server: str) -> dict[str, dict[str, float]]:
    """The smoothness of the busiest step of each game's "how to play" on the slow phone."""
    found = {}
    with visitor(browser) as (page, session):
        page.goto(server + PLAIN)
        session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        found["plain"] = smooth(page, 2)
    for game in game_ids():
        steps = book.stories(load(game), "howto.json")
        busiest = max(range(len(steps)), key=lambda step: len(steps[step]["events"]))
        with visitor(browser) as (page, session):
            page.goto(f"{server}/#/new/{game}")
            page.locator("main .chip").first.click()
            for _step in range(busiest):
                page.locator(".howto .primary").click()
            page.locator(".howto .picture").wait_for()
            page.locator(".howto .again").click()
            session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
            found[game] = smooth(page, 3) | {"events": len(steps[busiest]["events"])}
    return found


def serving(server: str, runs: int) -> dict[str, float]:
    """Milliseconds to answer every request of a view, one after the other."""
    with httpx.Client(base_url=server) as client:
        index = client.get("/").text
        files = ["/", "/page/words/fr.json", *re.findall(r'<link rel="[^"]+" href="([^"]+)"', index)]
        files += [f"/games/{game}/cover.js" for game in game_ids()]

        def ask(paths: list[str], tags: dict[str, str]) -> float:
            start = time.perf_counter()
            for path in paths:
                client.get(path, headers={"if-none-match": tags[path]} if path in tags else {})
            return (time.perf_counter() - start) * 1000

        known = {path: client.get(path).headers["etag"] for path in files}
        runs *= 10
        return {
            "requests": len(files),
            "plain": round(statistics.median(ask([PLAIN], {}) for _run in range(runs)), 2),
            "first_view": round(statistics.median(ask(files, {}) for _run in range(runs)), 2),
            "next_view": round(statistics.median(ask(files, known) for _run in range(runs)), 2),
        }


# -- what is said ---------------------------------------------------------------------------------------------------


def show(found: dict[str, Any]) -> str:
    """The findings as a table, each with its ratio to the plain page."""
    lines = []

    def line(what: str, value: float, unit: str, yardstick: float, note: str = "") -> None:
        lines.append(f"  {what:28} {value:>10,.0f} {unit:5} {value / yardstick:>8.1f} × the plain page  {note}")

    for title, unit in (("bytes", "bytes"), ("playable", "ms")):
        if title in found:
            lines.append(f"{title}:")
            for what, value in found[title].items():
                note = f"over the aim of {AIM:,}" if unit == "bytes" and value > AIM else ""
                line(what, value, unit, found[title]["plain"], note)
    if "frames" in found:
        lines.append("frames per second, on a phone with a quarter of this speed:")
        for what, value in found["frames"].items():
            slowest = f"slowest {value['slowest_ms']} ms"
            line(what, value["per_second"], "fps", found["frames"]["plain"]["per_second"], slowest)
    if "server" in found:
        lines.append(f"server time for the {found['server']['requests']} requests of a view, one after the other:")
        for what in ("plain", "first_view", "next_view"):
            line(what.replace("_", " "), found["server"][what], "ms", found["server"]["plain"])
    return "\n".join(lines)


def main() -> None:
    """Measure, and print JSON and a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--only", nargs="*", default=["bytes", "playable", "frames", "server"])
    asked = parser.parse_args()
    found: dict[str, Any] = {"machine": platform.processor() or platform.machine(), "runs": asked.runs}
    with (
        tempfile.TemporaryDirectory() as room,
        ServerProcess(Path(room), "--limits", "0") as server,
        chromium() as browser,
    ):
        found["chromium"] = browser.version
        if "bytes" in asked.only:
            found["bytes"] = weights(browser, server.url)
        if "playable" in asked.only:
            found["playable"] = waits(browser, server.url, asked.runs)
        if "frames" in asked.only:
            found["frames"] = frames(browser, server.url)
        if "server" in asked.only:
            found["server"] = serving(server.url, asked.runs)
    print(show(found), file=sys.stderr)
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
