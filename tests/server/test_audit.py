"""The audit log: who used a power over others, what was reported, and no secrets."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from tests.server.aboard import Ship, afloat
from tests.server.launcher import ServerProcess, serving
from tests.server.postgres import database_of_its_own, server_of_its_own  # noqa: F401
from tests.server.test_ban import coming

from tribord.server import live_table, retention
from tribord.server.store import AuditEntry, Unavailable
from tribord.server.store import connect as store_at

HOST, GUEST = "203.0.113.5", "203.0.113.6"


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty store of each kind."""
    return str(tmp_path / "t.sqlite3") if request.param == "sqlite" else request.getfixturevalue("postgres_url")


def sail(story: Callable[[Ship], Awaitable[None]], store: object, **settings: Any) -> None:
    """Run a story on a server of its own."""

    async def voyage() -> None:
        async with asyncio.timeout(60), afloat(store, **settings) as ship:
            await story(ship)

    asyncio.run(voyage())


def said(entry: AuditEntry) -> tuple[str, str, str, str]:
    """What an entry says first."""
    return entry.what, entry.actor, entry.table, entry.address


def test_what_a_host_does_to_others_is_noted_with_who_and_where(store, monkeypatch):
    async def story(ship: Ship) -> None:
        host = await ship.create("faut-pas-pousser", "me open open")
        mary, jack = await ship.join(host["table"], "Mary"), await ship.join(host["table"], "Jack")
        async with coming(ship, host, HOST) as anne, coming(ship, mary, GUEST) as guest:
            await anne.until(lambda message: message["t"] == "sync")
            await guest.until(lambda message: message["t"] == "sync")
            await anne.must("mute", guest=1)
            await anne.must("mute", guest=1, muted=False)
            await anne.must("rename", guest=1, nickname="Marie")
            await anne.must("rename", nickname="Annette")  # yourself: no power over others
            await anne.must("start")
            monkeypatch.setattr(live_table, "AWAY_SECONDS", -1.0)
            await anne.must("replace", seat=2)
            await anne.must("replace", seat=0)
            assert (await guest.do("remove", guest=0))["t"] == "refused"
            removed = {"t": "remove", "id": "once", "guest": jack["guest"]}
            for _twice in range(2):
                await anne.say(removed)
                await anne.until(lambda message: message.get("id") == "once")
        entries = await ship.hub.store.audit()
        assert [said(entry) for entry in entries] == [
            (what, "guest 0", host["table"], HOST) for what in ("mute", "mute", "rename", "replace", "remove")
        ]
        assert [entry.details for entry in entries] == [
            {"guest": 1, "nickname": "Mary", "muted": True},
            {"guest": 1, "nickname": "Mary", "muted": False},
            {"guest": 1, "nickname": "Mary", "named": "Marie"},
            {"guest": 2, "nickname": "Jack", "seat": 2, "rank": "matelot"},
            {"guest": 2, "nickname": "Jack"},
        ]
        secrets = [host["secret"], mary["secret"], jack["secret"], ship.hub.live_tables[host["table"]].table.seed]
        assert not [secret for secret in secrets if secret in str(entries)]

    sail(story, store)


def test_a_report_reaches_the_operator_once_with_what_the_reporter_has_read(store):
    async def story(ship: Ship) -> None:
        host = await ship.create("faut-pas-pousser", "me open open")
        mary, jack = await ship.join(host["table"], "Mary"), await ship.join(host["table"], "Jack")
        async with (
            coming(ship, host, HOST) as anne,
            coming(ship, mary, GUEST) as rude,
            ship.mate(jack) as other,
        ):
            await anne.until(lambda message: message["t"] == "sync")
            await rude.until(lambda message: message["t"] == "sync")
            await rude.must("chat", line="You fools")
            await rude.must("chat", line="between us", to=[2])
            await other.until(lambda message: (message.get("said") or {}).get("line") == "between us")
            before = other.version
            answer = await anne.must("report", guest=1, reason="talk", id="r1")
            assert (await anne.do("report", guest=1, reason="talk", id="r1")) == {
                "t": "ack",
                "id": "r1",
                "v": answer["v"],
            }
            again = await anne.do("report", guest=1, reason="nickname")
            assert (again["code"], "Mary" in again["fr"]) == ("reported", True)
            assert (await anne.do("report", guest=0, reason="talk"))["code"] == "yourself"
            assert (await anne.do("report", guest=9, reason="talk"))["code"] == "no-such-guest"
            assert (await anne.do("report", guest=1, reason="boredom"))["code"] == "not-understood"
            await other.must("chat", line="Ahoy")
            assert other.version == before + 1  # nobody else hears of it
            await other.must("report", guest=1, reason="behaviour")
        first, second = await ship.hub.store.audit("report")
        assert said(first) == ("report", "guest 0", host["table"], HOST)
        assert first.details == {
            "reason": "talk", "guest": 1, "nickname": "Mary", "seats": [1], "address": GUEST, "said": ["You fools"],
        }  # fmt: skip
        assert (second.actor, second.details["said"]) == ("guest 2", ["You fools", "between us"])

    sail(story, store)


def test_an_insult_is_not_hidden_by_harmless_lines_nor_by_leaving(store):
    async def story(ship: Ship) -> None:
        host = await ship.create("faut-pas-pousser", "me open open")
        mary, jack = await ship.join(host["table"], "Mary"), await ship.join(host["table"], "Rude Jack")
        async with coming(ship, host, HOST) as anne:
            await anne.until(lambda message: message["t"] == "sync")
            async with coming(ship, mary, GUEST) as rude:
                await rude.until(lambda message: message["t"] == "sync")
                for line in ("You fools", "hi", "hi", "hi"):
                    await rude.must("chat", line=line)
            await anne.until(lambda message: message["t"] == "presence" and message["guests"] == [0])
            await anne.must("report", guest=1, reason="talk")
            await anne.must("report", guest=jack["guest"], reason="nickname")  # who never connected
        mary_said, jack_said = await ship.hub.store.audit("report")
        assert mary_said.details["said"] == ["You fools", "hi", "hi", "hi"]
        assert (mary_said.details["address"], jack_said.details["address"]) == (GUEST, "127.0.0.1")

    sail(story, store)


def test_a_report_that_is_acknowledged_survives_kill_9(tmp_path):
    server = ServerProcess(tmp_path, "--limits", 0)

    async def story() -> None:
        async with serving(server):
            ship = Ship(server.port, None)
            host = await ship.create()
            await ship.join(host["table"])
            async with ship.mate(host) as anne:
                await anne.must("report", guest=1, reason="nickname", id="r1")
                server.kill()
            await asyncio.to_thread(server.start)
            async with ship.mate(host) as anne:
                assert (await anne.do("report", guest=1, reason="nickname", id="r1"))["t"] == "ack"
        place = store_at(server.store)
        await place.open(reading=True)
        assert [entry.what for entry in await place.audit()] == ["report"]
        await place.close()

    asyncio.run(story())


def test_a_report_that_cannot_be_kept_is_not_acknowledged(tmp_path, monkeypatch):
    async def story(ship: Ship) -> None:
        host = await ship.create()
        await ship.join(host["table"])
        async with ship.mate(host) as anne:

            async def away(entry: AuditEntry) -> None:
                raise Unavailable("the disk is full")

            with monkeypatch.context() as patch:
                patch.setattr(ship.hub.store, "note", away)
                assert (await anne.do("report", guest=1, reason="talk", id="r1"))["code"] == "store-gone"
                await anne.must("mute", guest=1)  # it's in the table's journal: the log says what is missing here
            await anne.must("report", guest=1, reason="talk", id="r1")
        assert [entry.what for entry in await ship.hub.store.audit()] == ["report"]

    sail(story, tmp_path / "t.sqlite3")


def test_reports_are_limited(tmp_path):
    async def story(ship: Ship) -> None:
        host = await ship.create()
        for _k in range(6):
            await ship.join(host["table"])
        async with ship.mate(host) as anne:
            for guest in range(1, 6):
                await anne.must("report", guest=guest, reason="talk")
            refused = await anne.do("report", guest=6, reason="talk")
            assert (refused["code"], refused["limit"]) == ("too-often", "report")
            await anne.must("chat", line="Talk goes on")

    sail(story, tmp_path / "t.sqlite3", limits=1)


def test_imports_and_attempts_to_get_in_too_often_are_noted_now_and_then(store):
    async def story(ship: Ship) -> None:
        host = await ship.create(seats="mousse mousse")
        async with ship.mate(host) as anne:
            await anne.must("start")
            await anne.play()
        file = (await ship.ask("GET", f"/api/tables/{host['table']}/match")).json()
        headers = {"x-forwarded-for": HOST}
        taken = (await ship.ask("POST", "/api/matches", json=file, headers=headers)).json()
        for address in (HOST, GUEST):
            for _guess in range(30):
                await ship.ask("GET", "/api/tables/AAAAAA", headers={"x-forwarded-for": address})
        async with asyncio.timeout(20):
            while len(await ship.hub.store.audit()) < 3:  # they are written a moment later
                await asyncio.sleep(0.02)
        entries = await ship.hub.store.audit()
        assert [said(entry) for entry in entries] == [
            ("import", "visitor", taken["table"], HOST),
            ("limit", "visitor", "", HOST),
            ("limit", "visitor", "", GUEST),
        ]
        assert entries[1].details == {"limit": "guess"}

    sail(story, store, limits=1)


def test_sealed_choices_and_dice_are_not_in_the_log(tmp_path):
    async def story(ship: Ship) -> None:
        host = await ship.create("faut-pas-pousser", "me me")
        async with ship.mate(host) as anne:
            await anne.must("start")
            await anne.must("act", seat=0, action="pick 3")
            await anne.must("act", seat=1, action="pick 5")
        assert await ship.hub.store.audit() == []

    sail(story, tmp_path / "t.sqlite3")


def test_a_server_deletes_old_entries_by_itself(tmp_path, monkeypatch):
    monkeypatch.setattr(retention, "PURGE_SECONDS", 0.1)
    store = tmp_path / "t.sqlite3"

    async def story() -> None:
        place = store_at(str(store))
        await place.open()
        await place.note(AuditEntry(100.0, "mute", "guest 0"))
        await place.close()
        async with asyncio.timeout(60), afloat(store, audit_days=1) as ship:
            while await ship.hub.store.audit():
                await asyncio.sleep(0.02)

    asyncio.run(story())
