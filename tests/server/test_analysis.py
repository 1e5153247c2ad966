"""The analysis of a match: made after its end while someone waits, and kept with the table."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest
from tests.server.aboard import Ship, afloat

from tribord.bots.preparation import SEARCH, make

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
        async with asyncio.timeout(240), afloat(store, **settings) as ship:
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
    async with httpx.AsyncClient(base_url=ship.url, timeout=200) as client:
        answer = await client.post(f"/api/tables/{table}/analysis")
        assert answer.status_code == 200, answer.text
        return [json.loads(line) for line in answer.text.splitlines()]


async def gone(process: Any) -> None:
    """Wait until a process has ended."""
    async with asyncio.timeout(30):
        while True:
            try:
                os.killpg(process.pid, 0)
            except ProcessLookupError:
                return
            await asyncio.sleep(0.05)


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


def test_when_nobody_waits_any_more_the_analysis_ends(tmp_path):
    async def story(ship: Ship) -> None:
        table = await finished(ship)
        async with (
            httpx.AsyncClient(base_url=ship.url, timeout=60) as client,
            client.stream("POST", f"/api/tables/{table}/analysis") as answer,
        ):
            lines = answer.aiter_lines()
            assert json.loads(await anext(lines)) == {"done": 0, "of": 0}
            assert json.loads(await anext(lines))["done"] == 1
            process = ship.analyst.process
            assert process is not None and os.getpriority(os.PRIO_PROCESS, process.pid) == 10
        await gone(process)
        assert (await ship.ask("GET", f"/api/tables/{table}/analysis")).json()["code"] == "not-analysed"

    sail(story, tmp_path / "t.sqlite3", analysis=60.0)


def test_everyone_who_waits_for_the_same_match_gets_what_the_first_has_found(tmp_path):
    async def story(ship: Ship) -> None:
        table = await finished(ship)
        (*_one, first), (*_other, second) = await asyncio.gather(analyse(ship, table), analyse(ship, table))
        assert first == second and min(len(_one), len(_other)) == 1

    sail(story, tmp_path / "t.sqlite3", analysis=2.0)
