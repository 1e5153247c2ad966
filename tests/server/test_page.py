"""What the page asks of the server besides its files: QR codes, without holding up others."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import segno
from tests.server.aboard import Ship, afloat

from tribord.server import limit, page

LINK = "/page/qr.svg?text=https://play.example.org/%23y4yZ4St2wf5eGUgR"


@pytest.fixture(autouse=True)
def nothing_kept() -> None:
    """Codes are kept by the process: each test begins without any."""
    page.qr.cache_clear()


def sail(story: Any, store: Path, **settings: Any) -> None:
    """Run a story on a server of its own."""

    async def voyage() -> None:
        async with asyncio.timeout(60), afloat(store, **settings) as ship:
            await story(ship)

    asyncio.run(voyage())


def test_a_code_is_drawn_once_and_then_kept(tmp_path, monkeypatch):
    drawn = []
    make = segno.make
    monkeypatch.setattr(segno, "make", lambda text, **how: drawn.append(text) or make(text, **how))

    async def story(ship: Ship) -> None:
        answers = [await ship.ask("GET", LINK) for _k in range(3)]
        assert [answer.status_code for answer in answers] == [200] * 3
        assert answers[0].headers["content-type"] == "image/svg+xml" and answers[0].text == answers[2].text
        etag = {"if-none-match": answers[0].headers["etag"]}
        assert (await ship.ask("GET", LINK, headers=etag)).status_code == 304

    sail(story, tmp_path / "tables.sqlite3")
    assert drawn == ["https://play.example.org/#y4yZ4St2wf5eGUgR"]


def test_others_are_answered_while_a_code_is_drawn(tmp_path, monkeypatch):
    begun, done, make = threading.Event(), threading.Event(), segno.make

    def slowly(text: str, **how: Any) -> Any:
        begun.set()
        assert done.wait(10)
        return make(text, **how)

    monkeypatch.setattr(segno, "make", slowly)

    async def story(ship: Ship) -> None:
        asked = [asyncio.ensure_future(ship.ask("GET", f"{LINK}{k}")) for k in range(40)]
        await asyncio.to_thread(begun.wait, 10)
        async with asyncio.timeout(5):
            host = await ship.create()
            async with ship.mate(host) as anne:
                await anne.must("chat", line="nobody holds me up")
            # The threads that others need stay free too.
            assert await asyncio.to_thread(lambda: "free") == "free"
        done.set()
        assert {answer.status_code for answer in await asyncio.gather(*asked)} == {200}

    sail(story, tmp_path / "tables.sqlite3")


def test_codes_have_a_limit_of_their_own(tmp_path, monkeypatch):
    async def story(ship: Ship) -> None:
        monkeypatch.setattr(limit, "time", SimpleNamespace(monotonic=lambda: 0.0))  # no new tokens come
        answers = [await ship.ask("GET", LINK) for _k in range(int(limit.QR.burst) + 1)]
        assert {answer.status_code for answer in answers[:-1]} == {200}
        refused = answers[-1]
        assert (refused.status_code, refused.json()["limit"]) == (429, "qr")

    sail(story, tmp_path / "tables.sqlite3", limits=1)


@pytest.mark.parametrize("text", ["", "x" * (page.LONGEST_QR + 1), "é" * (page.LONGEST_QR // 2 + 1)])
def test_a_text_that_is_none_or_too_long_is_refused(tmp_path, text):
    async def story(ship: Ship) -> None:
        answer = await ship.ask("GET", "/page/qr.svg", params={"text": text})
        assert (answer.status_code, answer.json()["code"]) == (422, "bad-text")

    sail(story, tmp_path / "tables.sqlite3")
