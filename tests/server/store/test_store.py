"""The store's contract, on a real SQLite file and on a real PostgreSQL."""

import asyncio
import functools
import sqlite3
import sys
import time
from contextlib import asynccontextmanager, closing

import psycopg
import pytest
from tests.server.postgres import database_of_its_own, server_of_its_own  # noqa: F401

from tribord import BadOption, Refusal
from tribord.core.words import Words
from tribord.server.store import (
    CodeTaken,
    Conflict,
    IndexEntry,
    LaterStore,
    Row,
    Unavailable,
    analyses,
    chained,
    connect,
)
from tribord.server.store.migration import Migration, migrations


def on_a_loop(test):
    """Run an async test on an event loop of its own."""

    @functools.wraps(test)
    def run(*arguments, **fixtures):
        asyncio.run(test(*arguments, **fixtures))

    return run


def row(table, seq, body=b"{}", kind="act", at=1.5):
    return Row(table, seq, kind, body, at)


def entry(table, status="open", due=None, touched=1.5, public=True, summary=b"[]", code=None):
    return IndexEntry(table, code or f"code-{table}", "walk-the-plank", public, status, due, touched, summary)


async def fill(store, table, rows=1, **fields):
    for seq in range(rows):
        await store.append(row(table, seq), entry(table, **fields))


@asynccontextmanager
async def opened(address):
    store = connect(address)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


async def seqs(store, table):
    return [r.seq for r in await store.read(table)]


async def all_answers(*appends):
    return await asyncio.gather(*appends, return_exceptions=True)


@pytest.fixture(name="address", params=["sqlite", "postgresql"])
def either_store(request, tmp_path):
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/tables.db"
    return request.getfixturevalue("postgres_url")


def execute(address, statement):
    """Something done to the database behind the store's back."""
    if address.startswith("sqlite"):
        with closing(sqlite3.connect(address.removeprefix("sqlite:///"), isolation_level=None)) as connection:
            return connection.execute(statement).fetchall()
    with psycopg.connect(address, autocommit=True) as connection:
        cursor = connection.execute(statement)
        return cursor.fetchall() if cursor.description else []


# Rows and entries


@on_a_loop
async def test_the_first_key_is_kept_for_every_worker_and_after_a_restart(address):
    async with opened(address) as store:
        kept = await asyncio.gather(*[store.keep_key(bytes([k] * 32)) for k in range(4)])
        assert len(set(kept)) == 1 and len(kept[0]) == 32
    async with opened(address) as store:
        assert await store.keep_key(bytes(32)) == kept[0]


@on_a_loop
async def test_rows_come_back_as_they_were_in_order(address):
    rows = [
        row("t", 0, '{"name":"Zoé « la Rousse »"}'.encode(), "create", time.time()),
        row("t", 1, bytes(range(256)), "act", 0.1),
        row("t", 2, b"", "chat", 1e12),
    ]
    for seq in range(3):
        rows[seq] = chained(rows[seq], rows[seq - 1].hash if seq else b"")
    async with opened(address) as store:
        for r in rows:
            await store.append(r, entry("t"))
        await fill(store, "other", 2)
        assert await store.read("t") == rows
        assert await store.read("t", 0, rows[0].hash) == rows[1:]
        assert await store.read("t", 2, rows[2].hash) == []
        assert await store.read("nowhere") == []
    async with opened(address) as store:
        assert await store.read("t") == rows


@on_a_loop
async def test_the_entry_is_the_one_of_the_last_append(address):
    first = entry("t", "open", None, 1.0, True, b'{"seats":0}')
    last = IndexEntry("t", "WXYZ", "faut-pas-pousser", False, "over", 17.25, 2.0, b"\xff\x00")
    async with opened(address) as store:
        assert await store.index_entry("t") is None
        await store.append(row("t", 0), first)
        assert await store.index_entry("t") == first
        await store.append(row("t", 1), last)
        assert await store.index_entry("t") == last
        assert isinstance((await store.index_entry("t")).public, bool)


@on_a_loop
async def test_a_table_is_found_by_its_code(address):
    async with opened(address) as store:
        await fill(store, "t", 2)
        assert await store.find("code-t") == "t"
        assert await store.find("code-T") is None
        await store.append(row("t", 2), entry("t", code="new"))
        assert await store.find("new") == "t" and await store.find("code-t") is None


@on_a_loop
async def test_rows_of_one_table_may_be_handed_over_without_waiting(address):
    async with opened(address) as store:
        assert await all_answers(*(store.append(row("t", n), entry("t", touched=n)) for n in range(30))) == [None] * 30
        assert await seqs(store, "t") == list(range(30))
        assert (await store.index_entry("t")).touched == 29


# Conflicts


@on_a_loop
async def test_a_taken_number_is_a_conflict_and_changes_nothing(address):
    async with opened(address) as store:
        await fill(store, "t", 3)
        for seq in (0, 1, 2):
            with pytest.raises(Conflict) as conflict:
                await store.append(row("t", seq, b"late"), entry("t", "over", summary=b"late", code="late"))
            assert (conflict.value.table, conflict.value.seq) == ("t", seq)
        assert [r.body for r in await store.read("t")] == [b"{}"] * 3
        assert await store.index_entry("t") == entry("t")


@on_a_loop
async def test_a_gap_is_a_conflict(address):
    async with opened(address) as store:
        await fill(store, "t", 2)
        for table, seq in (("t", 3), ("t", -1), ("nowhere", 1), ("nowhere", 7)):
            with pytest.raises(Conflict):
                await store.append(row(table, seq), entry(table))
        assert await seqs(store, "t") == [0, 1] and await store.index_entry("nowhere") is None


@on_a_loop
async def test_a_row_that_shares_a_commit_with_a_conflict_is_kept(address):
    async with opened(address) as store:
        await fill(store, "t", 2)
        answers = await all_answers(
            *(store.append(row(f"before{n}", 0), entry(f"before{n}")) for n in range(5)),
            store.append(row("t", 1, b"late"), entry("t")),
            store.append(row("t", 2, b"right"), entry("t")),
            store.append(row("t", 2, b"twice"), entry("t")),
            store.append(row("t", 3, b"next"), entry("t")),
            *(store.append(row(f"after{n}", 0), entry(f"after{n}")) for n in range(5)),
        )
        assert [type(a) for a in answers[5:9]] == [Conflict, type(None), Conflict, type(None)]
        assert answers[:5] + answers[9:] == [None] * 10
        assert [r.body for r in await store.read("t")] == [b"{}", b"{}", b"right", b"next"]
        assert await seqs(store, "after4") == [0]


@on_a_loop
async def test_hundreds_of_appends_at_once_are_kept_each_or_refused_each(address):
    async with opened(address) as store:
        names = [f"t{n}" for n in range(300)]
        await all_answers(*(store.append(row(name, 0), entry(name)) for name in names))
        for seq in (1, 2):
            next_rows = [row(name, seq + 1 if name == "t7" else seq) for name in names]
            answers = await all_answers(*(store.append(r, entry(r.table)) for r in next_rows))
            assert [name for name, answer in zip(names, answers) if answer is not None] == ["t7"]
            assert isinstance(answers[7], Conflict)
        assert await seqs(store, "t6") == [0, 1, 2] and await seqs(store, "t7") == [0]


@on_a_loop
async def test_a_code_that_another_table_has_is_refused(address):
    async with opened(address) as store:
        await fill(store, "t")
        await fill(store, "u")
        answers = await all_answers(
            store.append(row("new", 0), entry("new", code="code-t")),
            store.append(row("u", 1), entry("u", code="code-t")),
            store.append(row("t", 1), entry("t")),
        )
        assert [type(a) for a in answers] == [CodeTaken, CodeTaken, type(None)]
        assert await store.find("code-t") == "t" and await store.read("new") == []
        assert await seqs(store, "u") == [0]
        await store.append(row("new", 0), entry("new", code="another"))


@on_a_loop
async def test_what_the_database_refuses_spoils_nothing_for_others(address):
    async with opened(address) as store:
        answers = await all_answers(
            store.append(row("a", 0), entry("a")),
            store.append(row("bad", 0), entry("bad", status="nonsense")),
            store.append(row("worse", 0, body=None), entry("worse")),
            store.append(row("b", 0), entry("b")),
        )
        assert answers[0] is answers[3] is None
        assert isinstance(answers[1], Exception) and isinstance(answers[2], Exception)
        assert await seqs(store, "a") == await seqs(store, "b") == [0]
        for table in ("bad", "worse"):
            assert await store.index_entry(table) is None and await store.read(table) == []


@on_a_loop
async def test_two_workers_race_for_every_number_and_nothing_is_lost(address):
    kept, conflicts = [], 0

    async def play(store, name, table):
        nonlocal conflicts
        done = 0
        while done < 15:
            seq = len(await store.read(table))
            body = f"{name}/{done}".encode()
            try:
                await store.append(row(table, seq, body), entry(table))
            except Conflict:
                conflicts += 1
            else:
                kept.append((table, seq, body))
                done += 1

    async with opened(address) as one, opened(address) as two:
        async with asyncio.timeout(60):
            await asyncio.gather(
                *(
                    play(store, f"{n}{m}", table)
                    for n, store in enumerate((one, two))
                    for m in (0, 1)
                    for table in "xyz"
                )
            )
        journal = [(r.table, r.seq, r.body) for table in "xyz" for r in await one.read(table)]
    assert conflicts > 0
    assert sorted(kept) == sorted(journal) and len(journal) == 2 * 2 * 3 * 15
    for table in "xyz":
        assert [seq for t, seq, _ in journal if t == table] == list(range(60))


# Lists


@on_a_loop
async def test_open_tables_are_public_and_open_and_newest_first(address):
    async with opened(address) as store:
        for n in range(5):
            await fill(store, f"t{n}", touched=10.0 * n)
        await fill(store, "secret", public=False, touched=99)
        await fill(store, "playing", status="playing", touched=99)
        await fill(store, "over", status="over", touched=99)
        await store.append(row("t1", 1), entry("t1", touched=70))
        assert [e.table for e in await store.open_tables()] == ["t1", "t4", "t3", "t2", "t0"]
        assert await store.open_tables(limit=1) == [entry("t1", touched=70)]
        await store.append(row("t1", 2), entry("t1", "playing", touched=80))
        assert [e.table for e in await store.open_tables(limit=2)] == ["t4", "t3"]


@on_a_loop
async def test_due_tables_come_longest_due_first(address):
    async with opened(address) as store:
        await fill(store, "never")
        for n in (3, 1, 2):
            await fill(store, f"t{n}", status="playing", due=float(n))
        assert await store.due(0.5) == []
        assert await store.due(2.0) == ["t1", "t2"]
        assert await store.due(9.0) == ["t1", "t2", "t3"]
        assert await store.due(9.0, limit=1) == ["t1"]
        await store.append(row("t1", 1), entry("t1", "playing", due=None))
        assert await store.due(9.0) == ["t2", "t3"]


@on_a_loop
async def test_purge_takes_idle_tables_that_are_not_being_played_or_those_that_are(address):
    async with opened(address) as store:
        await fill(store, "old", 3, status="over", touched=10)
        await fill(store, "waiting", 2, touched=10)
        await fill(store, "playing", 2, status="playing", touched=10)
        await fill(store, "fresh", 2, status="over", touched=20)
        assert await store.purge(20) == 2
        assert await store.purge(20) == 0
        for table in ("old", "waiting"):
            assert await store.index_entry(table) is None and await store.read(table) == []
        for table in ("playing", "fresh"):
            assert await seqs(store, table) == [0, 1]
        await fill(store, "unfinished", 2, status="playing", touched=19)
        assert await store.purge(19, unfinished=True) == 1
        assert await store.purge(19, unfinished=True) == 0
        assert await store.index_entry("playing") is None and await store.read("playing") == []
        assert await seqs(store, "unfinished") == await seqs(store, "fresh") == [0, 1]
        with pytest.raises(Conflict):  # a worker that still has the table in memory finds out
            await store.append(row("old", 3), entry("old"))
        await fill(store, "old")
        await fill(store, "another", code="code-waiting")


@on_a_loop
async def test_an_analysis_of_an_old_format_does_not_count_and_is_replaced(address, monkeypatch):
    async with opened(address) as store:
        await fill(store, "old", touched=10, status="over")
        monkeypatch.setattr(analyses, "FORMAT", 0)  # as it was kept before there were formats
        await store.keep_analysis("old", b"first")
        assert await store.analysis("old") == b"first"
        monkeypatch.undo()
        assert await store.analysis("old") is None
        await store.keep_analysis("old", b"second")
        await store.keep_analysis("old", b"third")
        assert await store.analysis("old") == b"second"


@on_a_loop
async def test_an_analysis_is_kept_once_and_goes_with_its_table(address):
    async with opened(address) as store:
        await fill(store, "old", touched=10, status="over")
        await store.keep_analysis("old", b"first")
        await store.keep_analysis("old", b"second")
        await store.keep_analysis("never-there", b"third")
    async with opened(address) as store:
        assert await store.analysis("old") == b"first"
        assert await store.analysis("never-there") is None
        await store.purge(20)
        assert await store.analysis("old") is None


@on_a_loop
async def test_branches_are_found_from_their_original_and_go_with_their_own_table(address):
    async with opened(address) as store:
        for number in range(3):
            await fill(store, f"branch{number}", code=f"code{number}", touched=10 + number, status="over")
            for _twice in range(2):
                await store.keep_branch(f"branch{number}", "the-original")  # which may be gone by now
        await store.keep_branch("never-there", "the-original")
    async with opened(address) as store:
        found = [table for table, _summary in await store.branches("the-original", 9)]
        assert found == ["branch2", "branch1", "branch0"]
        assert [table for table, _summary in await store.branches("the-original", 1)] == ["branch2"]
        assert await store.branches("branch0", 9) == []
        await store.purge(12)
        assert [table for table, _summary in await store.branches("the-original", 9)] == ["branch2"]


@on_a_loop
async def test_purge_takes_more_than_fit_in_one_transaction_while_others_append(address):
    async with opened(address) as store:
        await all_answers(*(store.append(row(f"t{n}", 0), entry(f"t{n}", "over")) for n in range(450)))
        purged, *answers = await asyncio.gather(
            store.purge(5), *(store.append(row(f"u{n}", 0), entry(f"u{n}", touched=9)) for n in range(50))
        )
        assert purged == 450 and answers == [None] * 50
        assert execute(address, "SELECT count(*) FROM journal") == [(50,)]


# Probing


@on_a_loop
async def test_a_probe_reads_and_writes_and_changes_no_table(address):
    async with opened(address) as store:
        await fill(store, "t", 2)
        before = await store.read("t"), await store.index_entry("t")
        await asyncio.gather(*(store.probe() for _ in range(20)), store.append(row("u", 0), entry("u")))
        assert (await store.read("t"), await store.index_entry("t")) == before
    with pytest.raises(Unavailable):
        await store.probe()


# Opening and closing


@on_a_loop
async def test_close_writes_what_was_accepted(address):
    async with opened(address) as store:
        appends = [asyncio.create_task(store.append(row(f"t{n}", 0), entry(f"t{n}"))) for n in range(100)]
        await asyncio.sleep(0)  # now all are accepted
    assert await asyncio.gather(*appends) == [None] * 100
    async with opened(address) as store:
        assert len(await store.open_tables(limit=200)) == 100


@on_a_loop
async def test_a_closed_store_says_so_and_can_be_opened_again(address):
    store = connect(address)
    with pytest.raises(Unavailable):
        await store.read("t")
    await store.open()
    await fill(store, "t")
    await store.close()
    await store.close()
    with pytest.raises(Unavailable):
        await store.append(row("t", 1), entry("t"))
    with pytest.raises(Unavailable):
        await store.read("t")
    await store.open()
    await store.append(row("t", 1), entry("t"))
    assert await seqs(store, "t") == [0, 1]
    await store.close()


@on_a_loop
async def test_a_caller_who_goes_away_leaves_the_others_alone(address):
    async with opened(address) as store:
        tasks = [asyncio.create_task(store.append(row(f"t{n}", 0), entry(f"t{n}"))) for n in range(20)]
        await asyncio.sleep(0)
        for task in tasks[::2]:
            task.cancel()
        answers = await all_answers(*tasks)
        assert answers[1::2] == [None] * 10
        await fill(store, "next")
        assert all([await seqs(store, f"t{n}") == [0] for n in range(1, 20, 2)])


@on_a_loop
async def test_a_row_that_cannot_be_written_leaves_the_others_alone(address):
    async with opened(address) as store:
        for bad in (1 << 63, 1 << 64):
            rows = [row(f"{bad}.{n}", bad if n == 5 else 0) for n in range(9)]
            answers = await all_answers(*(store.append(r, entry(r.table)) for r in rows))
            assert isinstance(answers[5], Exception) and answers[:5] + answers[6:] == [None] * 8
        await fill(store, "next")


@on_a_loop
async def test_only_so_many_appends_are_accepted_at_a_time(address, monkeypatch):
    module = "sqlite" if address.startswith("sqlite") else "postgresql"
    monkeypatch.setattr(f"tribord.server.store.{module}.WAITING", 7)
    accepted, most = [], 0
    async with opened(address) as store:
        hand_over = store._writer.append

        def watch(*appended):
            nonlocal most
            accepted.append(hand_over(*appended))
            most = max(most, sum(not answer.done() for answer in accepted))
            return accepted[-1]

        monkeypatch.setattr(store._writer, "append", watch)
        answers = await all_answers(*(store.append(row(f"t{n}", 0), entry(f"t{n}")) for n in range(100)))
    assert answers == [None] * 100 and len(accepted) == 100 and most == 7


# Migrations


@on_a_loop
async def test_several_workers_may_open_an_empty_store_at_once(address):
    stores = [connect(address) for _ in range(6)]
    await asyncio.gather(*(store.open() for store in stores))
    await asyncio.gather(*(fill(store, f"t{n}", 2) for n, store in enumerate(stores)))
    assert len(await stores[0].open_tables()) == 6
    await asyncio.gather(*(store.close() for store in stores))
    names = [(step.version, step.name) for step in migrations("sqlite")]
    assert execute(address, "SELECT version, name FROM schema_version ORDER BY version") == names


def more(steps, *sql):
    """The migrations of a later version of the program."""
    return lambda dialect: [
        *steps(dialect),
        *(Migration(len(steps(dialect)) + 1 + n, "x", s) for n, s in enumerate(sql)),
    ]


@on_a_loop
async def test_an_existing_store_is_brought_up_to_date_and_keeps_its_tables(address, monkeypatch):
    async with opened(address) as store:
        await fill(store, "t", 3)
    later = more(
        migrations,
        "ALTER TABLE entry ADD COLUMN note TEXT;\nUPDATE entry SET note = 'one; two';",
        "CREATE TABLE x (y INT);",
    )
    monkeypatch.setattr("tribord.server.store.migration.migrations", later)
    for _ in range(2):
        async with opened(address) as store:
            assert await seqs(store, "t") == [0, 1, 2]
    assert execute(address, "SELECT note FROM entry") == [("one; two",)]
    assert execute(address, "SELECT max(version) FROM schema_version") == [(later("sqlite")[-1].version,)]


@on_a_loop
async def test_a_migration_that_fails_leaves_the_store_as_it_was(address, monkeypatch):
    async with opened(address) as store:
        await fill(store, "t")
    with monkeypatch.context() as patch:
        broken = more(migrations, "DROP TABLE journal;\nSELECT * FROM nonsense;")
        patch.setattr("tribord.server.store.migration.migrations", broken)
        with pytest.raises(Refusal) as refused:
            await connect(address).open()
        assert refused.value.code == "not-opened" and "nonsense" in str(refused.value)
    async with opened(address) as store:
        assert await seqs(store, "t") == [0]


@on_a_loop
async def test_a_store_of_a_later_version_is_refused_and_untouched(address):
    async with opened(address) as store:
        await fill(store, "t")
    execute(address, "INSERT INTO schema_version VALUES (99, 'future')")
    with pytest.raises(LaterStore) as refused:
        await connect(address).open()
    assert "99" in str(refused.value) and "Update" in str(refused.value)
    assert execute(address, "SELECT count(*) FROM journal") == [(1,)]


# Addresses


@pytest.mark.parametrize(
    "address",
    [
        "",
        "sqlite://",
        "sqlite:///",
        "mysql://host/db",
        "http://x",
        "sqlite:///:memory:",
        ":memory:",
        "file:x?mode=memory",
    ],
)
def test_what_is_no_store_is_refused_with_a_sentence(address):
    with pytest.raises(BadOption) as refused:
        connect(address)
    assert refused.value.code == "bad-store" and str(refused.value).endswith((".", "…"))
    assert refused.value.say(Words("fr"))


@pytest.mark.parametrize("address", ["mysql://anne:bonny@host/db", "postgresql://anne:bonny@host:port:5/db?x=1"])
def test_a_refused_address_does_not_repeat_its_password(address):
    with pytest.raises(BadOption) as refused:
        connect(address)
    assert "bonny" not in str(refused.value)


def test_without_the_driver_a_postgresql_store_is_refused_with_the_remedy(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(BadOption) as refused:
        connect("postgresql://localhost/tables")
    assert refused.value.code == "no-driver" and "pip install" in str(refused.value)


@on_a_loop
async def test_a_bare_path_and_a_url_name_the_same_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    async with opened("sqlite:///new/tables.db") as store:
        await fill(store, "t")
    for same in ("new/tables.db", str(tmp_path / "new/tables.db"), f"sqlite:///{tmp_path}/new/tables.db"):
        async with opened(same) as store:
            assert await seqs(store, "t") == [0]
