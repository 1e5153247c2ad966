"""Time that jumps: a bot gets no seat because of sleep or a clock change."""

from __future__ import annotations

import asyncio
import math
import os
import signal
import time
from pathlib import Path
from typing import cast

import pytest
from tests.server.aboard import Ship, afloat
from tests.server.launcher import SERVE, ServerProcess, serving

from tribord.core.chance import commitment_to
from tribord.server import live_table, scheduler, table
from tribord.server.clock import GRACE
from tribord.server.hub import Hub
from tribord.server.pulse import JUMP_SECONDS, Pulse

SECONDS = 60  # for a decision
CLOCK = {"per": "decision", "seconds": SECONDS, "rank": "mousse"}


@pytest.mark.parametrize(
    ("wall", "steady", "jumps"),
    [
        (1.0, 1.0, False),
        (0.0, 0.0, False),
        (-1.0, 1.0, False),  # nudged
        (3600.0, 0.5, True),  # suspended: only the wall clock went on
        (3600.0, 3600.0, True),  # stopped: both went on
        (1.0, JUMP_SECONDS + 1, True),  # the loop did not run
        (-3600.0, 1.0, True),  # set back
    ],
)
def test_a_pulse_notices_sleep_and_a_clock_that_is_set(monkeypatch, wall, steady, jumps):
    monkeypatch.setattr(time, "time", lambda: 1_000_000.0)
    monkeypatch.setattr(time, "monotonic", lambda: 500.0)
    pulse = Pulse()
    assert pulse.last_jump() == 500.0
    monkeypatch.setattr(time, "time", lambda: 1_000_000.0 + wall)
    monkeypatch.setattr(time, "monotonic", lambda: 500.0 + steady)
    assert pulse.last_jump() == (500.0 + steady if jumps else 500.0)
    assert pulse.last_jump() == pulse.jumped  # noticed once


@pytest.mark.parametrize("hours", [1, -1])
@pytest.mark.parametrize("asked", [False, True])
@pytest.mark.parametrize("per", ["decision", "match"])
def test_a_clock_that_is_set_gives_everyone_their_time_again(tmp_path, monkeypatch, hours, asked, per):
    monkeypatch.setenv("TRIBORD_INTERPRETED", "1")
    monkeypatch.setattr(scheduler, "GRACE", 0.0)  # no grace for tables new in memory

    async def story() -> None:
        async with asyncio.timeout(60), afloat(tmp_path / "tables.sqlite3") as ship:
            host = await ship.create("walk-the-plank", "me me me", clock={**CLOCK, "per": per})
            async with ship.mate(host) as anne:
                await anne.must("start")
                live = ship.hub.live_tables[host["table"]]
                live.seen[7] = live.attentive = time.monotonic() - 10 * live_table.AWAY_SECONDS
                real = time.time
                monkeypatch.setattr(time, "time", lambda: real() + 3600 * hours)
                if asked:  # the first request finds corrected clocks
                    seat, legal = next(iter(anne.match["legal"].items()))
                    await anne.must("act", seat=int(seat), action=legal[0])
                kinds = ["start", "resume", "act"] if asked else ["start", "resume"]
                await _heard(anne, kinds[-1])
                told = dict.fromkeys(m["kind"] for m in anne.heard if m["t"] == "update")
                assert list(told) == kinds  # a machine that stalls may resume twice
                left = [until - time.time() for until in anne.match["deadlines"].values()]
                assert len(left) == (2 if asked else 3)
                assert all(SECONDS - 20 < seconds <= SECONDS for seconds in left)
                assert not any(seat["rank"] for seat in anne.table["seats"])
                assert not live.away(7)  # and nobody is away who couldn't come
            before = live.table.clock
        async with afloat(tmp_path / "tables.sqlite3") as ship:  # the journal says the same
            assert (await ship.hub.live(host["table"])).table.clock == before

    asyncio.run(story())


async def _heard(mate, kind: str) -> None:
    while kind not in [message.get("kind") for message in mate.heard]:
        await mate.hear()


@pytest.mark.parametrize("hours", [1, -1])
def test_an_empty_table_gives_everyone_their_time_again_too(tmp_path, monkeypatch, hours):
    monkeypatch.setenv("TRIBORD_INTERPRETED", "1")
    monkeypatch.setattr(scheduler, "GRACE", 0.0)

    async def story() -> None:
        async with asyncio.timeout(60), afloat(tmp_path / "tables.sqlite3") as ship:
            host = await ship.create("walk-the-plank", "me me me", clock=CLOCK)
            async with ship.mate(host) as anne:
                await anne.must("start")
            live = ship.hub.live_tables.pop(host["table"])  # as after a minute without anyone
            live.alarm.cancel()
            real = time.time
            monkeypatch.setattr(time, "time", lambda: real() + 3600 * hours)
            while not math.isfinite(ship.hub.pulse.before):  # until that is noticed
                await asyncio.sleep(0.01)
            live = await ship.hub.live(host["table"])
            while live.table.last.kind == "start":
                await asyncio.sleep(0.01)
            assert live.table.last.kind == "resume" and not any(seat.rank for seat in live.table.seats)
            left = [until - time.time() for until in live.table.clock.deadlines().values()]
            assert len(left) == 3 and all(SECONDS - 20 < seconds <= SECONDS for seconds in left)

    asyncio.run(story())


@pytest.mark.parametrize("hours", [1, -1])
def test_a_clock_that_is_set_while_the_dice_are_revealed_changes_nothing(tmp_path, monkeypatch, hours):
    monkeypatch.setenv("TRIBORD_INTERPRETED", "1")
    monkeypatch.setattr(table, "REVEAL_SECONDS", 2.0)

    async def story() -> None:
        async with asyncio.timeout(30), afloat(tmp_path / "tables.sqlite3") as ship:
            host = await ship.create(seats="me mousse")
            async with ship.mate(host) as anne:
                await anne.must("contribute", commitment=commitment_to("0a" * 32))
                started = time.monotonic()
                await anne.must("start")
                real = time.time
                monkeypatch.setattr(time, "time", lambda: real() + 3600 * hours)
                await _heard(anne, "silent")
                assert time.monotonic() - started > 1.5

    asyncio.run(story())


def test_a_server_that_slept_over_a_deadline_lets_the_player_decide(tmp_path: Path):
    program = f"from tribord.server import clock, table; clock.EVENT_SECONDS = 0.0; {SERVE}"

    async def story() -> None:
        server = ServerProcess(tmp_path, "--limits", "0", program=program)
        async with asyncio.timeout(120), serving(server):
            ship = Ship(server.port, cast("Hub", None))
            host = await ship.create("walk-the-plank", "me me me", clock={**CLOCK, "seconds": 5})
            async with ship.mate(host) as anne:
                await anne.must("start")
                os.kill(server.pid, signal.SIGSTOP)
                try:
                    while time.time() < max(anne.match["deadlines"].values()) + 1:  # the sleep itself
                        await asyncio.sleep(0.2)
                finally:
                    os.kill(server.pid, signal.SIGCONT)
                woken = await anne.until(lambda m: m["t"] == "update")
                assert woken["kind"] == "resume" and "by" not in woken
                assert all(until >= woken["at"] + GRACE for until in woken["match"]["deadlines"].values())
                seat, legal = next(iter(woken["match"]["legal"].items()))
                await anne.must("act", seat=int(seat), action=legal[0])
                assert not any(seat["rank"] for seat in anne.table["seats"])

    asyncio.run(story())
