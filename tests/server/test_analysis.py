"""The analysis of a match: made after its end while someone waits, and kept with the table."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from tests.server.aboard import Ship, afloat

from tribord import IllegalAction, load
from tribord.bots.preparation import SEARCH, make
from tribord.server import analysis
from tribord.server.analysis import Analyst

PUSH = "faut-pas-pousser"


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """What analyses need, because they're never interpreted."""
    make((PUSH, SEARCH))


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is compiled for these."""
    monkeypatch.setenv("TRIBORD_INTERPRETED", "1")


def sail(story: Callable[[Ship], Awaitable[None]], store: object, **settings: Any) -> None:
    """Run a story on a server of its own."""

    async def voyage() -> None:
        async with asyncio.timeout(900), afloat(store, **settings) as ship:
            await story(ship)

    asyncio.run(voyage())


async def finished(ship: Ship) -> str:
    """A table whose match is over."""
    host = await ship.create(PUSH, "me mousse")
    async with ship.mate(host) as anne:
        await anne.must("start")
        await anne.play()
    return str(host["table"])


async def analyse(ship: Ship, table: str) -> list[dict[str, Any]]:
    """The lines of an analysis, to its end."""
    async with httpx.AsyncClient(base_url=ship.url, timeout=800) as client:
        answer = await client.post(f"/api/tables/{table}/analysis")
        assert answer.status_code == 200, answer.text
        return [json.loads(line) for line in answer.text.splitlines()]


@pytest.fixture
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """The analyst gets its share of a busy machine: on one that never rests, it would wait until it is too late."""
    code = "import os; from tribord.lab import analyst as a; a.step_back = lambda: os.setpgid(0, 0); a.main()"
    monkeypatch.setattr(analysis, "COMMAND", (sys.executable, "-c", code))
    monkeypatch.setattr(analysis, "LATEST", 700.0)


async def gone(process: Any) -> None:
    """Wait until a process has ended."""
    async with asyncio.timeout(30):
        while True:
            try:
                os.killpg(process.pid, 0)
            except ProcessLookupError:
                return
            await asyncio.sleep(0.05)


@pytest.mark.usefixtures("unhurried")
def test_an_analysis_is_sent_with_its_progress_and_kept_over_a_restart(tmp_path):
    kept: dict[str, Any] = {}

    async def first(ship: Ship) -> None:
        kept["table"] = table = await finished(ship)
        assert (await ship.ask("GET", f"/api/tables/{table}/analysis")).json()["code"] == "not-analysed"
        *progress, last = await analyse(ship, table)
        done = [line["done"] for line in progress]
        assert done == sorted(done) and progress[-1]["done"] == progress[-1]["of"]
        kept["analysis"] = found = last["analysis"]
        journal = (await ship.ask("GET", f"/api/tables/{table}/match")).json()["journal"]
        assert len(found["series"]) == len(journal) + 1
        for seat in found["seats"]:
            parts = seat["prior"] + sum(seat[name]["mean"] for name in ("luck", "skill", "others"))
            assert parts == pytest.approx(seat["result"], abs=1e-9)
        for language in ("fr", "en"):
            words = found["words"][language]
            assert [one["place"] for one in words["moments"]] == [one["place"] for one in found["moments"]]
            assert set(words["errors"]) == {"knew", "hindsight"}

    async def second(ship: Ship) -> None:
        assert (await ship.ask("GET", f"/api/tables/{kept['table']}/analysis")).json() == kept["analysis"]
        (*_begun, last) = await analyse(ship, kept["table"])
        assert last["analysis"] == kept["analysis"] and len(_begun) == 1

    sail(first, tmp_path / "t.sqlite3", analysis=3.0)
    sail(second, tmp_path / "t.sqlite3", analysis=3.0)


def test_a_match_in_progress_is_not_analysed(tmp_path):
    async def story(ship: Ship) -> None:
        host = await ship.create(PUSH, "me mousse")
        async with ship.mate(host) as anne:
            for begun in (False, True):
                if begun:
                    await anne.must("start")
                for method in ("GET", "POST"):
                    answer = await ship.ask(method, f"/api/tables/{host['table']}/analysis")
                    assert (answer.status_code, answer.json()["code"]) == (409, "not-over")

    sail(story, tmp_path / "t.sqlite3")


def test_when_nobody_has_waited_for_a_while_the_analysis_ends(tmp_path, monkeypatch):
    monkeypatch.setattr(analysis, "ALONE", 0.2)

    async def story(ship: Ship) -> None:
        table = await finished(ship)
        async with (
            # While all cores are busy, an analyst gets next to nothing.
            httpx.AsyncClient(base_url=ship.url, timeout=600) as client,
            client.stream("POST", f"/api/tables/{table}/analysis") as answer,
        ):
            lines = answer.aiter_lines()
            assert json.loads(await anext(lines)) == {"done": 0, "of": 0}
            assert json.loads(await anext(lines))["done"] == 1
            process = ship.analyst.process
            assert process is not None and os.getpgid(process.pid) == process.pid
            if hasattr(os, "SCHED_IDLE"):
                assert os.sched_getscheduler(process.pid) == os.SCHED_IDLE
            if (ours := Path("/proc/self/autogroup")).exists():  # otherwise the priority only counts among its own
                assert Path(f"/proc/{process.pid}/autogroup").read_text() == ours.read_text()
        await gone(process)
        assert (await ship.ask("GET", f"/api/tables/{table}/analysis")).json()["code"] == "not-analysed"

    sail(story, tmp_path / "t.sqlite3", analysis=60.0)


@pytest.mark.usefixtures("unhurried")
def test_everyone_who_waits_for_the_same_match_gets_what_the_first_has_found(tmp_path):
    async def story(ship: Ship) -> None:
        table = await finished(ship)
        (*_one, first), (*_other, second) = await asyncio.gather(analyse(ship, table), analyse(ship, table))
        assert first == second and "analysis" in first

    sail(story, tmp_path / "t.sqlite3", analysis=2.0)


# Pretends to be an analyst: reports one step, and the analysis as soon as a file is there.
PATIENT = """
import json, os, sys, time
os.setpgid(0, 0)
asked = json.load(sys.stdin)
print(json.dumps({"done": 1, "of": 2}), flush=True)
while not os.path.exists(%r):
    time.sleep(0.01)
print(json.dumps({"analysis": {"game": asked["match"]["game"]}}), flush=True)
"""


@pytest.fixture
def patient(tmp_path, monkeypatch):
    """An analyst that works until this file is there."""
    file = tmp_path / "done"
    monkeypatch.setattr(analysis, "COMMAND", (sys.executable, "-c", PATIENT % str(file)))
    return file


async def glance(ship: Ship, table: str) -> Any:
    """Ask for an analysis, see it begin, and leave; the process."""
    async with (
        httpx.AsyncClient(base_url=ship.url, timeout=60) as client,
        client.stream("POST", f"/api/tables/{table}/analysis") as answer,
    ):
        async for line in answer.aiter_lines():
            if json.loads(line)["done"]:
                return ship.analyst.process
    raise AssertionError("it has not begun")


def test_the_analysis_goes_on_while_someone_goes_from_the_result_to_the_replay(tmp_path, patient):
    async def story(ship: Ship) -> None:
        table = await finished(ship)
        process = await glance(ship, table)
        assert await glance(ship, table) is process is not None  # they come back to the same one
        patient.touch()
        async with asyncio.timeout(30):  # and it's kept even if nobody does
            while (await ship.ask("GET", f"/api/tables/{table}/analysis")).status_code != 200:
                await asyncio.sleep(0.02)
        (_begun, last) = await analyse(ship, table)
        assert last == {"analysis": {"game": PUSH}}

    sail(story, tmp_path / "t.sqlite3")


def test_an_analysis_nobody_waits_for_gives_way_to_another(tmp_path, patient):
    async def story(ship: Ship) -> None:
        first, second = await finished(ship), await finished(ship)
        process = await glance(ship, first)
        assert await glance(ship, second) is not process
        await gone(process)

    sail(story, tmp_path / "t.sqlite3")


def test_analyses_end_with_the_server(tmp_path, patient):
    kept: list[Any] = []

    async def story(ship: Ship) -> None:
        kept.append(await glance(ship, await finished(ship)))

    sail(story, tmp_path / "t.sqlite3")
    asyncio.run(gone(kept[0]))


@pytest.mark.skipif(not hasattr(os, "SCHED_IDLE"), reason="Linux ranks processes like that")
def test_an_analyst_leaves_a_core_alone_and_takes_what_nobody_wants():
    def after(forbid: str) -> list[Any]:
        tell = "[len(os.sched_getaffinity(0)), os.sched_getscheduler(0) == os.SCHED_IDLE, os.nice(0)]"
        code = f"import os; from tribord.lab.analyst import step_back; {forbid}; step_back(); print(json.dumps({tell}))"
        done = subprocess.run([sys.executable, "-c", f"import json; {code}"], capture_output=True, check=True)
        found: list[Any] = json.loads(done.stdout)
        return found

    cores = max(1, len(os.sched_getaffinity(0)) - 1)
    assert after("pass")[:2] == [cores, True]
    assert after("os.sched_setscheduler = lambda *_all: os.stat('/none')") == [cores, False, 19]


def test_a_server_too_busy_for_a_good_analysis_says_so_and_keeps_nothing(tmp_path, monkeypatch):
    async def story(ship: Ship) -> None:
        table = await finished(ship)
        monkeypatch.setattr(analysis, "LATEST", -59.5)  # it is late before it has begun
        *_begun, last = await analyse(ship, table)
        assert last["refused"]["code"] == "too-busy" and "too busy" in last["refused"]["en"]
        assert ship.analyst.process is None
        assert (await ship.ask("GET", f"/api/tables/{table}/analysis")).json()["code"] == "not-analysed"

    sail(story, tmp_path / "t.sqlite3", analysis=60.0)


def test_in_the_first_minute_an_analysis_is_refused_in_its_own_words():
    preparer = SimpleNamespace(prepare_hints=lambda table: False)
    with pytest.raises(IllegalAction, match="analysis") as refused:
        Analyst(None, preparer, 40).check(None)
    assert refused.value.code == "preparing"
    assert "l’analyse" in refused.value.say(load(PUSH).words("fr")).lower()


@pytest.mark.parametrize("loop", ["asyncio", "uvloop"])
def test_an_analyst_begins_and_ends_on_every_event_loop(loop, monkeypatch):
    running = pytest.importorskip(loop)
    working = "import os, subprocess, time; os.setpgid(0, 0); subprocess.Popen(['sleep', '60']); print(1, flush=True)"

    async def story(code: str, wait: bool) -> None:
        monkeypatch.setattr(analysis, "COMMAND", (sys.executable, "-c", f"{code}; time.sleep(60)"))
        process = await analysis._begin()
        if wait:
            assert process.stdout is not None and await process.stdout.readline() == b"1\n"
        analysis._end(process)
        assert await asyncio.wait_for(process.wait(), 30) < 0
        await gone(process)

    running.run(story(working, wait=True))
    running.run(story("import time", wait=False))  # it has no group yet


def test_on_windows_an_analyst_ends_with_all_it_has_started(monkeypatch):
    run: list[list[str]] = []
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(subprocess, "Popen", lambda command, **_more: run.append(command))
    monkeypatch.delattr(os, "killpg")
    analysis._end(SimpleNamespace(pid=1234))
    assert run == [["taskkill", "/F", "/T", "/PID", "1234"]]
