"""Metrics for the server's operator, without anything about a single table."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.server.aboard import Ship, afloat

from tribord.server import metrics
from tribord.server.metrics import STEP


@pytest.fixture(autouse=True)
def from_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counters belong to the process: subtract what other tests counted."""
    monkeypatch.setenv("TRIBORD_INTERPRETED", "1")
    for name in ("_counters", "_gauges"):
        monkeypatch.setattr(metrics, name, getattr(metrics, name).copy())
        getattr(metrics, name).clear()
    monkeypatch.setattr(metrics, "_histograms", type(metrics._histograms)())


def sail(story: Any, store: Path, **settings: Any) -> None:
    """Run a story on a server of its own."""

    async def voyage() -> None:
        async with asyncio.timeout(60), afloat(store, **settings) as ship:
            await story(ship)

    asyncio.run(voyage())


def test_numbers_are_whole_however_large():
    metrics.count("requests", 123_456_789, status="2xx")
    metrics.observe("request_seconds", 0.125)
    shown = metrics.exposition()
    assert 'tribord_requests_total{status="2xx"} 123456789\n' in shown
    assert "tribord_request_seconds_sum 0.125\ntribord_request_seconds_count 1\n" in shown


def test_what_happens_at_tables_is_shown_in_steps():
    metrics.gauge("tables_live", lambda: STEP + 1.0)
    before = metrics.exposition()
    for _k in range(STEP - 1):
        metrics.count("rows")
        metrics.observe("bot_seconds", 0.5)
        assert metrics.exposition() == before
    metrics.count("rows")
    metrics.observe("bot_seconds", 0.5)
    assert f"tribord_rows_total {STEP}\n" in metrics.exposition()
    assert f"tribord_bot_seconds_sum {STEP // 2}\ntribord_bot_seconds_count {STEP}\n" in metrics.exposition()
    assert f"tribord_tables_live {STEP}\n" in metrics.exposition()


def test_a_histogram_counts_what_took_no_longer_than_each_bound():
    for seconds in (0.0001, 0.0002, 0.3, 99.0):
        metrics.observe("request_seconds", seconds)
    lines = metrics.exposition().splitlines()
    assert "# TYPE tribord_request_seconds histogram" in lines
    buckets = [line for line in lines if "_bucket" in line]
    assert len(buckets) == len(metrics.BUCKETS) + 1
    assert buckets[:2] == [
        'tribord_request_seconds_bucket{le="0.0001"} 1',
        'tribord_request_seconds_bucket{le="0.00025"} 2',
    ]
    assert 'tribord_request_seconds_bucket{le="0.25"} 2' in buckets
    assert 'tribord_request_seconds_bucket{le="0.5"} 3' in buckets
    assert buckets[-2:] == ['tribord_request_seconds_bucket{le="10"} 3', 'tribord_request_seconds_bucket{le="+Inf"} 4']
    assert "tribord_request_seconds_count 4" in lines


def test_commands_commits_broadcasts_and_bots_are_timed_and_refusals_are_not(tmp_path):
    """Each counts acknowledged decisions once, by a person or a bot; refusals don't measure speed."""

    async def story(ship: Ship) -> None:
        host = await ship.create("ile-aux-pirates", "me mousse")
        async with ship.mate(host) as anne:
            assert (await anne.do("act", seat=0, action=0))["code"] == "not-started"
            assert not metrics._histograms["command_seconds"].times
            await anne.must("start")
            await anne.play()
            for _k in range(STEP):
                await anne.must("chat", line="Ohé")
            times = {name: histogram.times for name, histogram in metrics._histograms.items()}
            assert times["command_seconds"] == sum(m.get("id") is not None and m["t"] == "update" for m in anne.heard)
            assert times["broadcast_seconds"] == anne.version - 1  # the first row had no recipients
            assert times["commit_seconds"] == anne.version
            assert times["bot_seconds"] >= times["commit_seconds"] - times["command_seconds"] - 1 > 0
            shown = (await ship.ask("GET", "/metrics")).text
            for name in ("command_seconds", "commit_seconds", "broadcast_seconds", "request_seconds"):
                assert f'tribord_{name}_bucket{{le="+Inf"}}' in shown

    sail(story, tmp_path / "tables.sqlite3")


def test_a_decision_and_a_private_offer_change_nothing_that_is_shown(tmp_path):
    """Apart from requests and sockets, which are not about tables."""

    async def shown(ship: Ship) -> list[str]:
        lines = (await ship.ask("GET", "/metrics")).text.splitlines()
        return [line for line in lines if not any(f"tribord_{name}" in line for name in metrics.EXACT)]

    async def story(ship: Ship) -> None:
        host = await ship.create("sauve-qui-peut", "me me me")
        async with ship.mate(host) as anne:
            before = await shown(ship)
            await anne.must("start")
            await anne.must("offer", seat=2, offer={"kind": "promise", "vote": "leak", "lane": 3}, to=[0])
            seat, legal = next(iter(anne.match["legal"].items()))
            await anne.must("act", seat=int(seat), action=legal[0])
            assert (await anne.do("act", seat=int(seat), action=99_999))["t"] == "refused"
            assert await shown(ship) == before

    sail(story, tmp_path / "tables.sqlite3")


@pytest.mark.parametrize("header", ["x-forwarded-for", "forwarded", "x-real-ip", "via"])
def test_another_machine_reads_them_only_where_they_were_opened(tmp_path, header):
    async def closed(ship: Ship) -> None:
        assert (await ship.ask("GET", "/metrics")).status_code == 200
        answer = await ship.ask("GET", "/metrics", headers={header: "203.0.113.5"})
        assert (answer.status_code, answer.json()["code"]) == (403, "local-only")
        assert "tribord_" not in answer.text

    async def opened(ship: Ship) -> None:
        assert (await ship.ask("GET", "/metrics", headers={header: "203.0.113.5"})).status_code == 200

    sail(closed, tmp_path / "tables.sqlite3")
    sail(opened, tmp_path / "tables.sqlite3", public_metrics=True)


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:8420", 200), ("localhost", 200), ("LOCALHOST:9", 200), ("[::1]:8420", 200), ("127.1.2.3", 200),
        ("play.example", 403), ("rebound.example:8420", 403), ("192.168.1.5:8420", 403), ("[::1", 403), ("", 403),
        ("localhost.play.example", 403), ("play.example@127.0.0.2.play.example", 403),
    ],
)  # fmt: skip
def test_a_proxy_that_adds_no_header_and_a_page_by_a_rebound_name_are_told_nothing(tmp_path, host, status):
    async def story(ship: Ship) -> None:
        answer = await ship.ask("GET", "/metrics", headers={"host": host})
        assert (answer.status_code, "tribord_" in answer.text) == (status, status == 200)

    sail(story, tmp_path / "tables.sqlite3")
