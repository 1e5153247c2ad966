"""The chain: a row changed behind the store's back is noticed when its table is read, and affects no other table."""

import sqlite3

import pytest
from tests.server.postgres import database_of_its_own, server_of_its_own  # noqa: F401
from tests.server.store.test_store import either_store, entry, execute, fill, on_a_loop, opened, row  # noqa: F401

from tribord import Refusal
from tribord.server.store import Damaged, chained, connect, inspect
from tribord.server.store.migration import migrations

HURT = "UPDATE journal SET {} WHERE table_id = 'hurt' AND seq = 2"
DAMAGE = {
    "a flipped byte in the body": HURT.format("body = '{\"n\": 7}'"),
    "another kind": HURT.format("kind = 'chat'"),
    "another time": HURT.format("at = 1.25"),
    "another hash": HURT.format("hash = 'no hash'"),
    "no hash": HURT.format("hash = ''"),
    "no first row": "DELETE FROM journal WHERE table_id = 'hurt' AND seq = 0",
    "a missing row": "DELETE FROM journal WHERE table_id = 'hurt' AND seq = 2",
    "no last row": "DELETE FROM journal WHERE table_id = 'hurt' AND seq = 4",
    "no rows": "DELETE FROM journal WHERE table_id = 'hurt'",
    "rows that end too late": "UPDATE entry SET seq = 3 WHERE table_id = 'hurt'",
    "a row of another table": "UPDATE journal SET (body, hash) = (SELECT body, hash FROM journal AS other"
    " WHERE other.table_id = 'well' AND other.seq = 2) WHERE table_id = 'hurt' AND seq = 2",
    "two rows swapped": "UPDATE journal SET (body, hash) = (SELECT body, hash FROM journal AS other"
    " WHERE other.table_id = 'hurt' AND other.seq = 3 - journal.seq) WHERE table_id = 'hurt' AND seq IN (1, 2)",
}


async def write(store, table, rows, before=b"", first=0):
    """Append rows as a server does, each with its hash; the last hash."""
    for seq in range(first, first + rows):
        kept = chained(row(table, seq, f'{{"{table}": {seq}}}'.encode()), before)
        await store.append(kept, entry(table))
        before = kept.hash
    return before


def bytes_of(address, statement):
    """PostgreSQL and SQLite both take text where these columns hold bytes, but SQLite keeps it as text."""
    if not address.startswith("sqlite"):
        return statement
    return (
        statement.replace("body = '", "body = CAST('").replace("7}'", "7}' AS BLOB)").replace("hash = ''", "hash = x''")
    )


@pytest.mark.parametrize("damage", DAMAGE)
@on_a_loop
async def test_damage_is_found_where_it_is_and_other_tables_are_well(address, damage):
    async with opened(address) as store:
        await write(store, "well", 5)
        await write(store, "hurt", 5)
        assert (await inspect(store)).whole
        execute(address, bytes_of(address, DAMAGE[damage]))
        with pytest.raises(Damaged) as refused:
            await store.read("hurt")
        assert refused.value.table == "hurt" and 0 <= refused.value.seq <= 5
        assert len(await store.read("well")) == 5
        found = await inspect(store)
        assert [damaged.table for damaged in found.damaged] == ["hurt"] and (found.tables, found.rows) == (2, 5)


@on_a_loop
async def test_rows_without_a_table_are_found(address):
    async with opened(address) as store:
        await write(store, "well", 1)
        await write(store, "lost", 2)
        if not address.startswith("sqlite"):
            execute(address, "ALTER TABLE journal DROP CONSTRAINT journal_table_id_fkey")
        execute(address, "DELETE FROM entry WHERE table_id = 'lost'")
        assert [damaged.table for damaged in (await inspect(store)).damaged] == ["lost"]


@on_a_loop
async def test_what_is_read_later_is_held_against_what_is_known(address):
    async with opened(address) as store:
        known = (await write(store, "hurt", 3), 2)
        await write(store, "hurt", 2, known[0], 3)
        assert [r.seq for r in await store.read("hurt", known[1], known[0])] == [3, 4]
        assert await store.read("hurt", 9, b"more than is there") == []
        with pytest.raises(Damaged):
            await store.read("hurt", known[1], b"another history")


@on_a_loop
async def test_rows_older_than_the_chain_are_taken_and_covered_by_the_next(address):
    async with opened(address) as store:
        await fill(store, "hurt", 3)  # as a store of an earlier release has them
        rows = await store.read("hurt")
        assert [r.seq for r in rows] == [0, 1, 2]
        await write(store, "hurt", 2, rows[-1].hash, 3)
        assert len(await store.read("hurt")) == 5
        execute(address, bytes_of(address, DAMAGE["a flipped byte in the body"]))
        with pytest.raises(Damaged):
            await store.read("hurt")


@on_a_loop
async def test_reading_does_not_change_a_store_of_an_earlier_version(address, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr("tribord.server.store.migration.migrations", lambda dialect: migrations(dialect)[:4])
        async with opened(address):
            pass
    for _ in range(2):
        with pytest.raises(Refusal) as refused:
            await connect(address).open(reading=True)
        assert refused.value.code == "earlier-store"


@on_a_loop
async def test_reading_does_not_create_a_missing_store(tmp_path):
    with pytest.raises(Refusal) as refused:
        await connect(str(tmp_path / "nothing.db")).open(reading=True)
    assert refused.value.code == "not-opened" and not list(tmp_path.iterdir())


@on_a_loop
async def test_pages_that_sqlite_cannot_read_are_damage(tmp_path):
    path = tmp_path / "tables.db"
    async with opened(str(path)) as store:
        for table in range(40):
            await write(store, f"t{table}", 30)
    with sqlite3.connect(path) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'journal'").fetchone()
        size = connection.execute("PRAGMA page_size").fetchone()[0]
    content = bytearray(path.read_bytes())
    content[(page - 1) * size : page * size] = bytes(size)
    path.write_bytes(content)
    store = connect(str(path))
    await store.open(reading=True)
    with pytest.raises(Damaged):
        await store.read("t1")
    assert (await inspect(store)).flaws
    await store.close()
