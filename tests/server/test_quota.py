"""Quotas: a full record and a full store refuse clearly, and running matches go on."""

import asyncio
import random
import subprocess
import sys

import pytest
from tests.server.aboard import afloat
from tests.server.harness import soon
from tests.server.postgres import database_of_its_own, server_of_its_own  # noqa: F401
from tests.server.store.test_store import entry, execute, fill, opened, row

from tribord.core.chance import commitment_to
from tribord.core.words import LANGUAGES
from tribord.server import quota, ruling, scheduler, table
from tribord.server.store import AuditEntry

NEW = {"game": "ile-aux-pirates", "nickname": "Anne", "players": 2}


@pytest.fixture(name="store", params=["sqlite", "postgresql"])
def either_store(request, tmp_path):
    return tmp_path / "tables.sqlite3" if request.param == "sqlite" else request.getfixturevalue("postgres_url")


def run(story):
    async def voyage():
        async with asyncio.timeout(60):
            await story()

    asyncio.run(voyage())


def test_a_record_that_is_full_refuses_and_keeps_the_other_half_for_the_match(store, monkeypatch):
    async def story():
        async with afloat(store) as ship:
            host, other = await ship.create("faut-pas-pousser", "me me"), await ship.create()
            async with ship.mate(host) as anne, ship.mate(other) as mary:
                await anne.must("start")
                monkeypatch.setattr(quota, "MOST_ROWS", 12)
                while (answer := await anne.do("chat", line="Ohé"))["t"] == "update":
                    pass
                assert answer["code"] == "table-full" and all(answer[language] for language in LANGUAGES)
                assert anne.version == 6
                path = f"/api/tables/{host['table']}/guests"
                assert (await ship.ask("POST", path, json={"nickname": "Mary"})).json()["code"] == "table-full"
                while answer["t"] == "update" or anne.version == 6:
                    seat, legal = next(iter(anne.match["legal"].items()))
                    answer = await anne.do("act", seat=int(seat), action=legal[0])
                assert answer["code"] == "table-full" and anne.version == 12
                await mary.must("chat", line="We have room")
            assert len(await ship.hub.store.read(host["table"])) == 12

    run(story)


ADDED = "0a" * 32


def test_nobody_keeps_a_match_from_beginning_by_filling_the_record(store, monkeypatch, capfd):
    monkeypatch.setattr(quota, "MOST_ROWS", 40)
    monkeypatch.setattr(table, "REVEAL_SECONDS", 0.3)

    async def story():
        async with afloat(store) as ship:
            host = await ship.create(seats="me open")
            async with ship.mate(host) as anne, ship.mate(await ship.join(host["table"])) as mary:
                await mary.must("stand", seat=1)
                await anne.must("contribute", commitment=commitment_to(ADDED))
                while (answer := await mary.do("contribute", commitment=commitment_to("1b" * 32)))["t"] == "update":
                    pass
                assert answer["code"] == "table-full"
                await anne.until(lambda message: message.get("v") == 20)
                await anne.must("start", rank="mousse")
                silent = await anne.until(lambda message: message.get("kind") == "silent")
                assert silent["table"]["status"] == "open" and silent["table"]["revealing"] == []
                await anne.must("start", rank="mousse")
                assert anne.table["status"] == "playing"

        async with afloat(store) as ship:
            host = await ship.create(seats="me mousse")
            async with ship.mate(host) as anne:
                await anne.must("contribute", commitment=commitment_to(ADDED))
                monkeypatch.setattr(quota, "MOST_ROWS", 2 * (anne.version + 1))
                await anne.must("start")
                await anne.must("reveal", value=ADDED)
                assert anne.table["contributions"] == [ADDED, None]

    run(story)
    assert '"level": "error"' not in capfd.readouterr().err


def test_a_table_that_is_full_when_a_device_is_silent_breaks_nothing(store, monkeypatch, capfd):
    monkeypatch.setattr(table, "REVEAL_SECONDS", 0.3)

    async def story():
        async with afloat(store) as ship:
            host = await ship.create(seats="me mousse")
            async with ship.mate(host) as anne:
                await anne.must("contribute", commitment=commitment_to(ADDED))
                await anne.must("start")
                monkeypatch.setattr(scheduler, "is_full", lambda _table: False)  # as just before it was
                monkeypatch.setattr(quota, "MOST_ROWS", anne.version)
                rung = []
                monkeypatch.setattr(ship.hub.scheduler, "tend", rung.append)
                await soon(lambda: rung)

    run(story)
    assert '"level": "error"' not in capfd.readouterr().err


def test_a_guest_commits_to_something_else_so_often_and_no_more(store, monkeypatch):
    monkeypatch.setattr(ruling, "MOST_COMMITMENTS", 3)

    async def story():
        async with afloat(store) as ship:
            host = await ship.create(seats="me open")
            async with ship.mate(host) as anne, ship.mate(await ship.join(host["table"])) as mary:
                for digit in "012":
                    await mary.must("contribute", commitment=commitment_to(digit * 64))
                answer = await mary.do("contribute", commitment=commitment_to("3" * 64))
                assert answer["code"] == "enough-commitments" and all(answer[language] for language in LANGUAGES)
                await anne.must("contribute", commitment=commitment_to(ADDED))

    run(story)


def test_bots_and_clocks_rest_at_a_table_that_is_full(store, monkeypatch, capfd):
    monkeypatch.setenv("TRIBORD_INTERPRETED", "1")
    monkeypatch.setattr(scheduler, "SWEEP_SECONDS", 0.1)
    monkeypatch.setattr(quota, "MOST_ROWS", 12)

    async def story():
        async with afloat(store) as ship:
            host = await ship.create("walk-the-plank", "mousse mousse mousse")
            async with ship.mate(host) as anne:
                await anne.must("start")
                await soon(lambda: ship.hub.live_tables[host["table"]].table.seq == 11)
                await soon(lambda: ship.hub.live_tables[host["table"]].bots is None)
            assert anne.match["outcome"] is None
            assert await ship.hub.store.due(9e9) == []

    run(story)
    assert '"level": "error"' not in capfd.readouterr().err


def test_a_store_at_its_quota_takes_no_new_table_and_the_others_go_on(store):
    async def story():
        async with afloat(store, quota=10**9) as ship:
            host = await ship.create()
        async with afloat(store, quota=1) as ship:
            answer = await ship.ask("POST", "/api/tables", json=NEW)
            assert answer.status_code == 409 and answer.json()["code"] == "store-full"
            assert all(answer.json()[language] for language in LANGUAGES)
            assert len(await ship.hub.store.tables()) == 1
            async with ship.mate(host) as anne:
                await anne.must("chat", line="We go on")
            await ship.join(host["table"])

    run(story)


def test_a_creation_that_is_repeated_is_answered_although_the_store_is_full_by_now(store):
    async def story():
        async with afloat(store, quota=10**9) as ship:
            first = await ship.create(id="7c" * 16)
        async with afloat(store, quota=1) as ship:
            again = await ship.create(id="7c" * 16)
            assert (again["table"], again["secret"]) == (first["table"], first["secret"])
            answer = await ship.ask("POST", "/api/tables", json={**NEW, "id": "7d" * 16})
            assert answer.json()["code"] == "store-full"

    run(story)


def test_deleted_tables_make_room(store, monkeypatch):
    postgresql = pytest.importorskip("tribord.server.store.postgresql")
    monkeypatch.setattr(postgresql, "SIZE_SECONDS", 0.0)

    async def story():
        async with opened(str(store)) as kept:
            empty = await kept.size()
            for table in range(30):
                await fill(kept, f"t{table}", 3, summary=random.randbytes(10_000))
            grown = await kept.size()
            await kept.purge(9e9)
            assert grown > empty + 300_000 and await kept.size() < empty + 50_000

    run(story)


def test_analyses_branches_and_the_audit_log_count(store, monkeypatch):
    postgresql = pytest.importorskip("tribord.server.store.postgresql")
    monkeypatch.setattr(postgresql, "SIZE_SECONDS", 0.0)

    async def story():
        async with opened(str(store)) as kept:
            for table in ("one", "two"):
                await fill(kept, table)
            sizes = [await kept.size()]
            await kept.keep_analysis("one", random.randbytes(100_000))
            sizes.append(await kept.size())
            for number in range(100):
                await kept.note(AuditEntry(1.0, "import", "visitor", details={"file": f"{number:x>1000}"}))
            sizes.append(await kept.size())
            assert sizes[1] > sizes[0] + 90_000 and sizes[2] > sizes[1] + 90_000

    run(story)


def test_the_size_of_a_large_database_is_estimated_from_a_part(postgres_url, monkeypatch):
    postgresql = pytest.importorskip("tribord.server.store.postgresql")

    async def story():
        async with opened(postgres_url) as kept:
            for table in range(20):
                await kept.append(row(f"t{table}", 0), entry(f"t{table}"))
            execute(
                postgres_url,
                "INSERT INTO journal SELECT 't' || n % 20, n, 'act', repeat('x', 500)::bytea, 0, 0, ''"
                " FROM generate_series(100, 20000) AS n",
            )
            exact = int(execute(postgres_url, postgresql._size(10_000_000))[0][0])
            assert exact > 20_000 * 500
            estimates = [int(execute(postgres_url, postgresql._size(400))[0][0]) for _try in range(9)]
            assert 0.8 * exact < sorted(estimates)[4] < 1.2 * exact
            before = await kept.size()
            execute(postgres_url, "DELETE FROM journal")
            assert await kept.size() == before  # it isn't asked for every table
            monkeypatch.setattr(postgresql, "SIZE_SECONDS", 0.0)
            await kept.purge(0)
            assert await kept.size() < exact / 100

    run(story)


@pytest.mark.parametrize("size", ["much", "20", "0GB", "-1GB", "1.5GB"])
def test_a_quota_that_is_no_size_is_refused(size):
    command = [sys.executable, "-m", "tribord.cli", "serve", f"--quota={size}", "--lang", "en"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2 and "isn’t a size" in done.stderr
