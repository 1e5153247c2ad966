"""The hub and its store: what becomes of a command if the store fails, a row is deleted, or another worker is first."""

from __future__ import annotations

import asyncio
import json
import signal
import sqlite3
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, closing
from pathlib import Path
from typing import Any

import pytest
from tests.server.aboard import Mate, Ship, afloat
from tests.server.harness import soon
from tests.server.launcher import ServerProcess
from tests.server.postgres import database_of_its_own, server_of_its_own  # noqa: F401
from tests.server.store.test_store import execute
from websockets.exceptions import ConnectionClosed

from tribord.core.journal import audit_content
from tribord.server import metrics, quarantine, scheduler
from tribord.server.store import Unavailable


@pytest.fixture(autouse=True)
def no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots decide interpreted: nobody waits for a compiler here."""
    monkeypatch.setenv("TRIBORD_INTERPRETED", "1")
    monkeypatch.setattr(scheduler, "SWEEP_SECONDS", 0.3)
    monkeypatch.setattr(scheduler, "RETRY_SECONDS", 0.1)


def sail(story: Callable[..., Awaitable[None]], store: object, ships: int = 1, **settings: Any) -> None:
    """Run a story on one server, or several with the same store."""

    async def voyage() -> None:
        async with asyncio.timeout(60), AsyncExitStack() as stack:
            await story(*[await stack.enter_async_context(afloat(store, **settings)) for _k in range(ships)])

    asyncio.run(voyage())


class Fickle:
    """A store with appends that fail on demand: before the row is kept, or after."""

    def __init__(self, ship: Ship):
        self.store = ship.hub.store
        self.append = self.store.append
        self.read = self.store.read

    def fail(self, kept: bool, unreadable: bool = False) -> None:
        async def append(*row: Any) -> None:
            if kept:
                await self.append(*row)
            raise Unavailable("the disk is full")

        async def read(*what: Any) -> Any:
            raise Unavailable("the disk is gone")

        self.store.append = append
        self.store.read = read if unreadable else self.read

    def recover(self) -> None:
        self.store.append, self.store.read = self.append, self.read


@pytest.mark.parametrize("kept", [False, True], ids=["lost", "kept"])
@pytest.mark.parametrize("unreadable", [False, True], ids=["readable", "unreadable"])
def test_a_commit_that_fails_is_not_broadcast_and_the_same_command_is_done_once_in_the_end(tmp_path, kept, unreadable):
    async def story(ship: Ship) -> None:
        host = await ship.create()
        fickle = Fickle(ship)
        async with ship.mate(host) as anne, ship.mate({"table": host["table"]}) as screen:
            await anne.must("chat", line="before")
            fickle.fail(kept, unreadable)
            answer = await anne.do("chat", id="x", line="Now")
            assert answer["code"] == "store-gone" and "disk" not in answer["en"]
            if unreadable:
                assert (await anne.do("chat", id="y", line="never"))["code"] == "store-gone"
            await asyncio.sleep(0.05)
            fickle.recover()
            answer = await anne.do("chat", id="x", line="Now")
            assert answer["t"] == "update"
            await anne.must("chat", line="after")
            await screen.until(lambda m: m.get("said", {}).get("line") == "after")
        lines = [m["said"]["line"] for m in screen.heard if m.get("kind") == "chat"]
        assert lines == ["before", "Now", "after"]

    sail(story, tmp_path / "tables.sqlite3")


def test_a_row_that_was_kept_although_its_commit_failed_is_broadcast_without_a_request(tmp_path):
    async def story(ship: Ship) -> None:
        host = await ship.create("walk-the-plank", "me mousse mousse")
        async with ship.mate(host) as anne:
            fickle = Fickle(ship)
            fickle.fail(kept=True)
            assert (await anne.do("start"))["code"] == "store-gone"
            fickle.recover()
            await anne.until(lambda m: m.get("kind") == "start")
            await anne.until(lambda m: m.get("kind") == "act" and m.get("by") is None)  # and the bots are at work

    sail(story, tmp_path / "tables.sqlite3")


def test_bots_go_on_when_the_store_comes_back(tmp_path):
    async def story(ship: Ship) -> None:
        host = await ship.create("walk-the-plank", "mousse mousse mousse")
        async with ship.mate(host) as anne:
            await anne.must("start")
            fickle = Fickle(ship)
            fickle.fail(kept=False)
            await asyncio.sleep(0.5)
            fickle.recover()
            await anne.play()

    sail(story, tmp_path / "tables.sqlite3", pace=0.01)


def test_a_table_that_cannot_be_read_does_not_stop_the_watch(tmp_path, capfd):
    async def story(ship: Ship) -> None:
        bad = await ship.create("walk-the-plank", "mousse mousse mousse")
        good = await ship.create("walk-the-plank", "mousse mousse mousse")
        for host in (bad, good):
            async with ship.mate(host) as anne:
                await anne.must("start")
        for name in list(ship.hub.live_tables):
            live = ship.hub.live_tables.pop(name)
            live.bots.cancel()
        read = ship.hub.store.read

        async def spoilt(table: str, *known: Any) -> Any:
            if table == bad["table"]:
                raise KeyError(table)
            return await read(table, *known)

        ship.hub.store.read = spoilt
        ship.hub.scheduler.pace = 0
        while (await ship.hub.store.index_entry(good["table"])).status != "over":
            await asyncio.sleep(0.05)
        while bad["table"] not in ship.hub.scheduler.hopeless:
            await asyncio.sleep(0.05)
        assert bad["table"] not in capfd.readouterr().err

    sail(story, tmp_path / "tables.sqlite3", pace=0.2)


def damage(store: object, table: str) -> None:
    """Lose a row of a table."""
    address = str(store) if str(store).startswith("postgres") else f"sqlite:///{store}"
    execute(address, f"DELETE FROM journal WHERE table_id = '{table}' AND seq = 1")


@pytest.mark.parametrize("address", ["sqlite", "postgresql"])
def test_a_damaged_table_is_refused_and_the_others_go_on(address, tmp_path, request, capfd):
    store = tmp_path / "tables.sqlite3" if address == "sqlite" else request.getfixturevalue("postgres_url")
    known: list[dict[str, Any]] = []

    async def before(ship: Ship) -> None:
        for _table in range(2):
            known.append(host := await ship.create("walk-the-plank", "me mousse mousse"))
            async with ship.mate(host) as anne:
                await anne.must("start")

    async def after(ship: Ship) -> None:
        bad, good = known
        for _attempt in range(2):
            answer = await ship.ask("GET", f"/api/tables/{bad['table']}")
            assert answer.status_code == 409 and answer.json()["code"] == "damaged"
            assert "backup" in answer.json()["en"] and answer.json()["fr"]
            with pytest.raises(ConnectionClosed) as closed:
                async with ship.mate(bad):
                    pass
            assert closed.value.rcvd and closed.value.rcvd.code == 4001
        async with ship.mate(good) as anne:
            await anne.play()
        assert "tribord_tables_damaged_total 1" in (await ship.ask("GET", "/metrics")).text

    metrics._counters.clear()
    sail(before, store)
    damage(store, known[0]["table"])
    sail(after, store)
    written = [json.loads(line) for line in capfd.readouterr().err.splitlines()]
    assert [line["row"] for line in written if line["message"] == "table damaged"] == [1]
    assert known[0]["table"] not in str(written)


@pytest.mark.parametrize("address", ["sqlite", "postgresql"])
def test_a_table_that_was_repaired_opens_again_after_a_while(address, tmp_path, request, monkeypatch, capfd):
    store = tmp_path / "tables.sqlite3" if address == "sqlite" else request.getfixturevalue("postgres_url")
    url = f"sqlite:///{store}" if address == "sqlite" else str(store)

    async def story(ship: Ship) -> None:
        host = await ship.create("walk-the-plank", "me mousse mousse")
        async with ship.mate(host) as anne:
            await anne.must("start")
        table = f"table_id = '{host['table']}' AND seq = 1"
        ship.hub.live_tables.pop(host["table"])

        async def code() -> str | None:
            return (await ship.ask("GET", f"/api/tables/{host['table']}")).json().get("code")

        execute(url, f"UPDATE journal SET at = -at WHERE {table}")
        assert await code() == "damaged"
        monkeypatch.setattr(quarantine, "SECONDS", 0.0)
        execute(url, f"UPDATE journal SET at = -at WHERE {table}")
        assert await code() == "damaged"  # it isn't read every time
        ship.hub.quarantine._tables = {host["table"]: (1, time.monotonic())}  # a minute later
        async with ship.mate(host) as anne:
            await anne.play()
        ship.hub.live_tables.pop(host["table"])
        execute(url, f"UPDATE journal SET at = -at WHERE {table}")
        assert [await code() for _attempt in range(3)] == ["damaged"] * 3  # and each is told once

    sail(story, store)
    told = [json.loads(line)["message"] for line in capfd.readouterr().err.splitlines()]
    seen = [line for line in told if line in ("table damaged", "table repaired")]  # the sweep may look at it too
    assert seen == ["table damaged", "table repaired", "table damaged"]


def test_pages_that_cannot_be_read_end_nothing_that_the_server_does_in_the_background(tmp_path, monkeypatch, capfd):
    path = tmp_path / "tables.sqlite3"

    async def before(ship: Ship) -> None:
        await ship.create()

    async def after(ship: Ship) -> None:
        monkeypatch.setattr(scheduler, "IDLE_SECONDS", 0.0)
        host = await ship.create()
        await soon(lambda: not ship.hub.live_tables)  # idle tables still leave the memory
        async with ship.mate(host) as anne:
            await anne.must("chat", line="We go on")
        with pytest.raises(Unavailable):
            await ship.hub.store.due(9e9)

    sail(before, path)
    with closing(sqlite3.connect(path)) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'entry_due'").fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    content = bytearray(path.read_bytes())
    content[(page - 1) * size : page * size] = bytes(size)
    path.write_bytes(content)
    sail(after, path)
    written = [json.loads(line) for line in capfd.readouterr().err.splitlines()]
    failed = [line["error"] for line in written if line["level"] == "error"]
    assert len(failed) == 1 and "DatabaseError" in failed[0]


def test_players_at_a_table_that_turns_out_to_be_damaged_learn_it(postgres_url):
    async def story(one: Ship, two: Ship) -> None:
        bad, good = await one.create(), await one.create()
        async with one.mate(bad) as anne, one.mate(good) as mary:
            await anne.must("chat", line="one")
            async with two.mate(bad) as late:
                await late.must("chat", line="two")
            await anne.until(lambda message: message.get("kind") == "chat" and message["by"] == 0 and anne.version == 3)
            execute(postgres_url, f"UPDATE journal SET at = 1 WHERE table_id = '{bad['table']}' AND seq = 2")
            two.hub.live_tables.clear()  # it has to read
            assert (await two.ask("GET", f"/api/tables/{bad['table']}")).json()["code"] == "damaged"
            execute(postgres_url, f"UPDATE entry SET seq = 9 WHERE table_id = '{bad['table']}'")
            assert (await anne.do("chat", line="three"))["code"] == "damaged"
            assert await anne.closed() == 4001
            await mary.must("chat", line="We go on")

    sail(story, postgres_url, ships=2)


def test_a_table_deleted_for_its_age_is_closed_to_its_guests(tmp_path):
    async def story(ship: Ship) -> None:
        host = await ship.create()
        async with ship.mate(host) as anne:
            assert await ship.hub.store.purge(9e9) == 1
            assert (await anne.do("chat", line="hello?"))["code"] == "no-such-table"
            assert await anne.closed() == 4001
        assert (await ship.ask("GET", f"/api/tables/{host['table']}")).status_code == 404

    sail(story, tmp_path / "tables.sqlite3")


# -- several workers ------------------------------------------------------------------------------------------------


def test_people_at_two_workers_play_a_match_together_and_bots_move_once(postgres_url):
    async def story(one: Ship, two: Ship) -> None:
        host = await one.create("walk-the-plank", "me open mousse mousse")
        guest = await two.join(host["code"])
        async with one.mate(host) as anne, two.mate(guest) as mary, two.mate(host) as phone:
            await mary.must("sit", seat=1)
            await mary.must("ready")
            while not anne.table["seats"][1]["ready"]:
                await anne.hear()
            await anne.must("start")
            listening = asyncio.ensure_future(phone.play(lambda match: False))
            await asyncio.gather(anne.play(), mary.play())
            await listening
        told = {m["v"]: m["at"] for m in anne.heard if m["t"] == "update"}
        also = {m["v"]: m["at"] for m in phone.heard if m["t"] == "update"}
        assert {v: told[v] for v in told.keys() & also.keys()} == {v: also[v] for v in told.keys() & also.keys()}
        rows = await one.hub.store.read(host["table"])
        assert [row.seq for row in rows] == list(range(len(rows)))
        file = (await two.ask("GET", f"/api/tables/{host['table']}/match")).json()
        assert not audit_content(file, Path("match file"))[1]
        for ship in (one, two):
            signer = (await ship.ask("GET", "/api/signer")).json()["signer"]
            assert signer == file["signature"]["signer"]  # all workers have one key

    sail(story, postgres_url, 2)


def test_chat_from_many_guests_at_two_workers_arrives_in_one_order(postgres_url):
    async def story(one: Ship, two: Ship) -> None:
        host = await one.create()
        guest = await two.join(host["table"])
        async with one.mate(host) as anne, two.mate(guest) as mary:

            async def speak(mate: Mate, name: str) -> None:
                for k in range(25):
                    await mate.must("chat", id=f"{name}{k}", line=f"{name} {k}", **({"to": [0]} if k % 5 == 0 else {}))

            await asyncio.gather(speak(anne, "Anne"), speak(mary, "Mary"))
            for mate in (anne, mary):
                await mate.must("chat", line="done")
            for mate in (anne, mary):
                while sum(1 for m in mate.heard if m.get("said", {}).get("line") == "done") < 2:
                    await mate.hear()
        spoken = [[m["said"]["line"] for m in mate.heard if m.get("kind") == "chat"] for mate in (anne, mary)]
        private = {f"Anne {k}" for k in range(0, 25, 5)}
        assert len(spoken[0]) == 52 and [line for line in spoken[0] if line not in private] == spoken[1]

    sail(story, postgres_url, 2)


def test_a_secret_that_is_revoked_at_one_worker_opens_nothing_at_the_other(postgres_url):
    async def story(one: Ship, two: Ship) -> None:
        host = await one.create()
        async with two.mate(host) as old:
            bearer = {"authorization": f"Bearer {host['secret']}"}
            new = (await one.ask("POST", f"/api/tables/{host['table']}/secrets", headers=bearer)).json()
            async with one.mate(new):
                assert await old.closed() == 4001
            async with two.mate(new) as anne:
                await anne.must("chat", line="I")

    sail(story, postgres_url, 2)


def test_a_home_that_has_not_heard_of_a_revocation_learns_of_it_by_the_new_secret(postgres_url):
    async def story(one: Ship, two: Ship) -> None:
        host = await one.create()
        async with one.mate(host) as old:
            one.hub.refresh = _deaf
            bearer = {"authorization": f"Bearer {host['secret']}"}
            new = (await two.ask("POST", f"/api/tables/{host['table']}/secrets", headers=bearer)).json()
            async with two.mate(new):  # its client is relayed to the home, which then reads the rows it missed
                assert await old.closed() == 4001
        rows = await one.hub.store.read(host["table"])
        assert [row.kind for row in rows] == ["create", "new-secret", "secret"]
        assert execute(postgres_url, "SELECT worker FROM entry") == [(one.hub.store.worker,)]  # the home wrote it

    sail(story, postgres_url, 2)


async def _deaf(*_anything: Any) -> None:
    """Hears nothing."""


def test_a_rematch_asked_for_at_two_workers_at_once_is_one_table(postgres_url):
    async def story(one: Ship, two: Ship) -> None:
        host = await one.create(seats="mousse mousse", public=True)
        async with one.mate(host) as anne, two.mate(host) as phone:
            await anne.must("start")
            await asyncio.gather(anne.play(), phone.play())
            answers = await asyncio.gather(anne.do("rematch"), phone.do("rematch"))
            assert sorted(answer["t"] for answer in answers) == ["refused", "update"]
        assert len((await two.ask("GET", "/api/tables")).json()["tables"]) == 1

    sail(story, postgres_url, 2)


def test_another_worker_takes_over_when_the_home_is_gone(postgres_url):
    async def story(one: Ship, two: Ship) -> None:
        host = await one.create("walk-the-plank", "mousse mousse mousse")
        async with one.mate(host) as anne:
            await anne.must("start")
        live = one.hub.live_tables.pop(host["table"])  # as if that worker had died
        live.bots.cancel()
        two.hub.scheduler.pace = 0
        while (await two.hub.store.index_entry(host["table"])).status != "over":
            await asyncio.sleep(0.05)

    sail(story, postgres_url, 2, pace=0.1)


def test_workers_told_to_stop_all_say_good_bye_and_start_again_with_everything(tmp_path, postgres_url):
    async def meet(port: int, host: dict[str, Any]) -> list[int]:
        ship = Ship(port, None)  # type: ignore[arg-type]
        host.update(await ship.create())
        async with AsyncExitStack() as stack:
            mates = [await stack.enter_async_context(ship.mate(host)) for _k in range(6)]
            host["v"] = (await mates[0].must("chat", id="x", line="Ahoy"))["v"]
            serving.process.send_signal(signal.SIGTERM)
            return [await mate.closed() for mate in mates]

    async def meet_again(port: int, host: dict[str, Any]) -> dict[str, Any]:
        async with Ship(port, None).mate(host) as anne:  # type: ignore[arg-type]
            return await anne.do("chat", id="x", line="Ahoy")

    host: dict[str, Any] = {}
    with ServerProcess(tmp_path, "--workers", "2", store=postgres_url) as serving:
        assert asyncio.run(meet(serving.port, host)) == [1001] * 6
        serving.process.wait(20)
        serving.start()
        assert asyncio.run(meet_again(serving.port, host)) == {"t": "ack", "id": "x", "v": host["v"]}
        assert serving.stop() is not None
    assert "Traceback" not in serving.log.read_text()
