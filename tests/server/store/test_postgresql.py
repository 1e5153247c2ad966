"""The PostgreSQL store: several workers, and a server that goes away at the worst moment."""

import asyncio
from contextlib import asynccontextmanager
from pathlib import Path

import psycopg
import pytest
from tests.server.postgres import database_of_its_own, server_of_its_own  # noqa: F401
from tests.server.store.test_chain import write
from tests.server.store.test_store import all_answers, entry, execute, fill, on_a_loop, opened, row, seqs

from tribord import Refusal
from tribord.server.store import Conflict, Home, Unavailable, chained, connect


async def until(condition, seconds=20.0):
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.01)


def port_of(url):
    return psycopg.conninfo.conninfo_to_dict(url)["port"]


def set_for_all(url, setting):
    execute(url, f"ALTER DATABASE {psycopg.conninfo.conninfo_to_dict(url)['dbname']} SET {setting}")


# Hearing each other


@on_a_loop
async def test_a_worker_hears_what_others_append_to_its_tables_and_nothing_else(postgres_url):
    heard = []
    async with opened(postgres_url) as one, opened(postgres_url) as two:
        await one.listen(lambda table, seq, _row: heard.append((table, seq)))
        await fill(one, "mine", 3)
        await fill(one, "end")
        await fill(two, "theirs", 2)
        await one.append(row("theirs", 2), entry("theirs"))
        await two.append(row("theirs", 3), entry("theirs"))
        await two.append(row("mine", 3), entry("mine"))
        with pytest.raises(Conflict):
            await two.append(row("mine", 3), entry("mine"))
        await two.append(row("end", 1), entry("end"))
        await until(lambda: ("end", 1) in heard)
        assert heard == [("mine", 3), ("end", 1)]


@on_a_loop
async def test_a_row_is_there_when_it_is_heard(postgres_url):
    found = []
    async with opened(postgres_url) as one, opened(postgres_url) as two:

        async def look(table, seq, told):
            found.append((await one.read(table))[seq] == told)

        loop = asyncio.get_running_loop()
        await one.listen(lambda table, seq, told: loop.create_task(look(table, seq, told)))
        for n in range(10):
            last = await write(two, f"t{n}", 5, await write(one, f"t{n}", 1), first=1)
        await two.append(chained(row("t9", 6, '{"line": "Ohé\\nà bord"}'.encode()), last), entry("t9"))
        await until(lambda: len(found) == 51)
        assert all(found)


@on_a_loop
async def test_a_large_row_is_heard_of_and_read(postgres_url):
    heard = []
    async with opened(postgres_url) as one, opened(postgres_url) as two:
        await one.listen(lambda *told: heard.append(told))
        await fill(one, "large")
        await two.append(row("large", 1, b'"' + b"x" * 100_000 + b'"'), entry("large"))
        await until(lambda: heard == [("large", 1, None)])


@on_a_loop
async def test_a_mistake_in_hearing_does_not_end_it(postgres_url, caplog):
    heard = []

    def hear(table, seq, _row):
        heard.append(seq)
        if seq == 1:
            raise ValueError("a mistake")

    async with opened(postgres_url) as one, opened(postgres_url) as two:
        await one.listen(hear)
        await fill(one, "t")
        for seq in (1, 2):
            await two.append(row("t", seq), entry("t"))
        await until(lambda: heard == [1, 2])
    assert "a mistake" in caplog.text


@on_a_loop
async def test_what_was_missed_while_disconnected_is_heard_afterwards(postgres, postgres_url):
    heard = []
    async with Proxy(port_of(postgres_url)) as proxy:
        through = postgres_url.replace(f":{port_of(postgres_url)}/", f":{proxy.port}/")
        async with opened(through) as one, opened(postgres_url) as two:
            await fill(one, "mine")
            await fill(one, "visited")
            await one.listen(lambda table, seq, _row: heard.append((table, seq)))
            await proxy.refuse()
            await fill(two, "theirs", 4)
            await two.append(row("visited", 1), entry("visited"))
            await asyncio.sleep(0.2)
            assert heard == []
            proxy.accept()
            await until(lambda: ("visited", 1) in heard)
            assert not any(table in ("mine", "theirs") for table, _ in heard)
            await two.append(row("visited", 2), entry("visited"))
            await until(lambda: ("visited", 2) in heard)


@on_a_loop
async def test_workers_that_meet_at_many_tables_do_not_wait_in_a_circle(postgres_url):
    for plan in ("hashjoin", "mergejoin", "seqscan"):  # the plan of a store with many tables: one by one, as given
        set_for_all(postgres_url, f"enable_{plan} = off")
    async with opened(postgres_url) as one, opened(postgres_url) as two:
        tables = [f"t{n}" for n in range(60)]
        await asyncio.gather(*(fill(one, table) for table in tables))
        for seq in range(1, 15):
            answers = await all_answers(
                *(one.append(row(table, seq), entry(table)) for table in tables),
                *(two.append(row(table, seq), entry(table)) for table in reversed(tables)),
            )
            assert sum(a is None for a in answers) == 60 == sum(isinstance(a, Conflict) for a in answers)
        new = [f"n{n}" for n in range(60)]
        answers = await all_answers(
            *(one.append(row(table, 0), entry(table)) for table in new),
            *(two.append(row(table, 0), entry(table)) for table in reversed(new)),
        )
        assert sum(a is None for a in answers) == 60 == sum(isinstance(a, Conflict) for a in answers)
    assert execute(postgres_url, "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()") == [(0,)]


# Going away and coming back


@pytest.mark.parametrize("how", ["fast", "immediate"])
@on_a_loop
async def test_a_restart_under_play_loses_nothing(postgres, postgres_url, how):
    kept, stop, heard = {}, False, set()

    async def play(store, table):
        await fill(other, table, 1)  # its home is there, so it hears about the rest
        kept[table], seq = 0, 1
        while not stop:
            await store.append(row(table, seq, f"{table} {seq}".encode()), entry(table))
            kept[table] = seq
            seq += 1

    async def look(store):
        while not stop:
            for table, least in list(kept.items()):
                assert len(await store.read(table)) > least
            await asyncio.sleep(0.01)

    async with opened(postgres_url) as store, opened(postgres_url) as other:
        await other.listen(lambda table, seq, _row: heard.add((table, seq)))
        players = [asyncio.create_task(play(store, f"t{n}")) for n in range(10)]
        players.append(asyncio.create_task(look(other)))
        await until(lambda: len(kept) == 10)
        for _ in range(2):
            await asyncio.to_thread(postgres.stop, how)
            before = dict(kept)
            await asyncio.sleep(0.1)
            await asyncio.to_thread(postgres.start)
            await until(
                lambda before=before: (
                    any(player.done() for player in players)
                    or all(kept[table] > last + 1 for table, last in before.items())
                )
            )
            for player in players:
                if player.done():
                    player.result()  # a player who failed says why
        stop = True
        await asyncio.gather(*players)
        for table, last in kept.items():
            rows = (await other.read(table))[1:]
            assert [r.body for r in rows] == [f"{table} {n}".encode() for n in range(1, last + 1)]
        await until(lambda: heard >= set(kept.items()))


@on_a_loop
async def test_a_server_that_stays_away_is_said_and_its_return_is_noticed(postgres, postgres_url, monkeypatch):
    monkeypatch.setattr("tribord.server.store.postgresql_pool.PATIENCE", 0.3)
    async with opened(postgres_url) as store:
        await fill(store, "t")
        await store.read("t")
        await asyncio.to_thread(postgres.stop)
        try:
            answers = await all_answers(store.append(row("t", 1), entry("t")), store.read("t"), store.due(1.0))
            assert [type(a) for a in answers] == [Unavailable] * 3
            with pytest.raises(Refusal) as refused:
                await connect(postgres_url).open()
            assert refused.value.code == "not-opened"
        finally:
            await asyncio.to_thread(postgres.start)
        await store.append(row("t", 1), entry("t"))
        assert await seqs(store, "t") == [0, 1]


@on_a_loop
async def test_a_connection_that_the_server_ends_is_opened_again(postgres_url):
    async with opened(postgres_url) as store:
        tries = []

        async def work(connection):
            tries.append(connection)
            if len(tries) == 1:
                await connection.execute("SELECT pg_terminate_backend(pg_backend_pid())")
            return "done"

        assert await store._reading.run(work) == "done"
        assert len(tries) == 2 and tries[0].closed
        everyone = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tribord'"
        for seq in range(3):
            await store.append(row("t", seq), entry("t"))
            assert await seqs(store, "t") == list(range(seq + 1))
            assert execute(postgres_url, everyone)


class Proxy:
    """A connection to PostgreSQL that can be cut at a chosen moment."""

    def __init__(self, port):
        self.upstream = port
        self.cut = None  # "before" the server gets an append, or "after" it has committed, before anyone hears of it
        self.cuts = 0
        self.appending = False
        self.refusing = False
        self.wires = set()

    async def __aenter__(self):
        self.server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self.server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_):
        await self.refuse()
        self.server.close()
        await self.server.wait_closed()

    async def refuse(self):
        self.refusing = True
        for writer in list(self.wires):
            writer.transport.abort()

    def accept(self):
        self.refusing = False

    @asynccontextmanager
    async def _wire(self, writer):
        self.wires.add(writer)
        try:
            yield
        finally:
            self.wires.discard(writer)
            writer.transport.abort()

    async def _serve(self, client_reader, client_writer):
        if self.refusing:
            client_writer.transport.abort()
            return
        server_reader, server_writer = await asyncio.open_connection("127.0.0.1", self.upstream)
        async with self._wire(client_writer), self._wire(server_writer):
            pumps = [
                asyncio.create_task(self._pump(client_reader, server_writer, "before")),
                asyncio.create_task(self._pump(server_reader, client_writer, "after")),
            ]
            await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
            for pump in pumps:
                pump.cancel()
            await asyncio.gather(*pumps, return_exceptions=True)

    async def _pump(self, reader, writer, place):
        while data := await reader.read(65536):
            appending = place == "after" and self.appending
            if place == "before":
                self.appending = appending = b"INSERT INTO journal" in data
            if self.cut == place and appending:
                self.cut = None
                self.cuts += 1
                return
            writer.write(data)
            await writer.drain()


@pytest.mark.parametrize("cut", ["before", "after"])
@on_a_loop
async def test_a_commit_with_a_lost_answer_is_looked_up(postgres_url, cut):
    async with Proxy(port_of(postgres_url)) as proxy:
        through = postgres_url.replace(f":{port_of(postgres_url)}/", f":{proxy.port}/")
        async with opened(through) as store, opened(postgres_url) as other:
            await fill(store, "t", 2)
            await fill(other, "u", 2)
            proxy.cut = cut
            answers = await all_answers(
                store.append(row("t", 2, b"mine"), entry("t")),
                store.append(row("new", 0, b"mine"), entry("new")),
                store.append(row("u", 1, b"late"), entry("u")),
                store.append(row("t", 3, b"next"), entry("t")),
                store.append(row("t", 3, b"twice"), entry("t")),
            )
            assert proxy.cuts == 1
            assert [type(a) for a in answers] == [type(None), type(None), Conflict, type(None), Conflict]
            assert [r.body for r in await other.read("t")] == [b"{}", b"{}", b"mine", b"next"]
            assert [r.body for r in await other.read("new")] == [b"mine"]


@on_a_loop
async def test_a_lost_answer_is_found_behind_rows_of_another_worker(postgres_url):
    async with Proxy(port_of(postgres_url)) as proxy:
        through = postgres_url.replace(f":{port_of(postgres_url)}/", f":{proxy.port}/")
        async with opened(through) as store, opened(postgres_url) as other:
            await fill(store, "t")
            proxy.cut = "after"
            append = asyncio.create_task(store.append(row("t", 1, b"mine"), entry("t")))
            await until(lambda: proxy.cuts)
            await proxy.refuse()
            await other.append(row("t", 2, b"theirs"), entry("t"))
            assert not append.done()
            proxy.accept()
            await append
            assert [r.body for r in await store.read("t")] == [b"{}", b"mine", b"theirs"]


# Locks of others


@asynccontextmanager
async def locked(url, table):
    """Someone has locked a table's entry, and doesn't go on."""
    async with await psycopg.AsyncConnection.connect(url) as other:
        await other.execute("SELECT FROM entry WHERE table_id = %s FOR UPDATE", (table,))
        yield


@on_a_loop
async def test_an_entry_that_someone_has_locked_delays_the_others_for_a_moment(postgres_url):
    async with opened(postgres_url) as store:
        for table in "tuv":
            await fill(store, table)
        async with locked(postgres_url, "t"), asyncio.timeout(10):
            answers = await all_answers(*(store.append(row(table, 1), entry(table)) for table in "utv"))
            assert [type(a) for a in answers] == [type(None), Unavailable, type(None)]
            answers = await all_answers(store.append(row("t", 1), entry("t")), store.append(row("w", 0), entry("w")))
            assert [type(a) for a in answers] == [Unavailable, type(None)]
            assert type((await all_answers(store.append(row("t", 1), entry("t"))))[0]) is Unavailable
        await store.append(row("t", 1), entry("t"))
        assert [await seqs(store, table) for table in "tuvw"] == [[0, 1], [0, 1], [0, 1], [0]]


@on_a_loop
async def test_a_lease_is_renewed_while_every_reader_waits_for_a_lock(postgres_url):
    async with opened(postgres_url) as gone, opened(postgres_url) as store:
        await fill(gone, "t")
        home = Home(store.worker, "127.0.0.1:8421", "//{host}:8421/")
        await store.renew(home, 3.0)
        async with locked(postgres_url, "t"):
            claims = [asyncio.create_task(store.home("t")) for _reader in range(8)]
            waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%claimed%'"
            while len(await asyncio.to_thread(execute, postgres_url, waiting)) < 4:
                await asyncio.sleep(0.01)
            async with asyncio.timeout(0.9):
                assert await store.renew(home, 3.0)
            async with asyncio.timeout(10):
                assert {type(a) for a in await all_answers(*claims)} == {Unavailable}
        assert await store.home("t") is None


@on_a_loop
async def test_the_database_ends_what_hangs_unless_its_address_says_otherwise(postgres_url):
    async def shown(pool, *settings):
        return [(await pool.ask(f"SHOW {setting}"))[0][0] for setting in settings]

    async with opened(f"{postgres_url}?options=-c%20lock_timeout%3D7s") as store:
        for pool in (store._reading, store._writing, store._renewing):
            assert await shown(pool, "statement_timeout", "idle_in_transaction_session_timeout") == ["30s", "3s"]
            assert await shown(pool, "lock_timeout", "tcp_keepalives_idle") == ["7s", "5"]
    inspecting = connect(postgres_url)
    await inspecting.open(reading=True)
    assert await shown(inspecting._reading, "statement_timeout", "lock_timeout") == ["0", "1s"]
    await inspecting.close()


# The rest


@on_a_loop
async def test_a_database_that_can_only_be_read_fails_the_probe(postgres_url, monkeypatch):
    monkeypatch.setattr("tribord.server.store.postgresql_pool.PATIENCE", 0.1)
    async with opened(postgres_url) as store:
        set_for_all(postgres_url, "default_transaction_read_only = on")  # for connections that are made from now on
        assert await store.find("code") is None
        with pytest.raises(Unavailable):
            await store.probe()


@on_a_loop
async def test_a_database_that_does_not_sync_is_overruled(postgres_url):
    set_for_all(postgres_url, "synchronous_commit = off")
    async with opened(postgres_url) as store:
        assert execute(postgres_url, "SHOW synchronous_commit") == [("off",)]
        assert await store._writing.ask("SHOW synchronous_commit") == [("on",)]


@on_a_loop
async def test_a_row_of_a_release_without_hashes_is_not_taken(postgres_url):
    async with opened(postgres_url) as store:
        await fill(store, "t")
        with psycopg.connect(postgres_url) as earlier, pytest.raises(psycopg.errors.NotNullViolation):
            earlier.execute("INSERT INTO journal (table_id, seq, kind, body, at, stamp) VALUES ('t', 1, 'x', '', 1, 1)")
        assert await seqs(store, "t") == [0]


@on_a_loop
async def test_a_backup_is_refused_and_pg_dump_named(postgres_url):
    async with opened(postgres_url) as store:
        with pytest.raises(Refusal) as refused:
            await store.backup(Path("copy"))
    assert "pg_dump" in str(refused.value)


@on_a_loop
async def test_a_database_that_is_not_there_is_refused_without_the_password(postgres_url):
    nowhere = postgres_url.replace("tribord@", "tribord:bonny@") + "_nowhere"
    with pytest.raises(Refusal) as refused:
        await connect(nowhere).open()
    assert "_nowhere" in str(refused.value) and "bonny" not in str(refused.value)


@on_a_loop
async def test_what_the_database_cannot_do_is_unavailable_and_no_other_error(postgres_url):
    async with opened(postgres_url) as store:
        execute(postgres_url, "ALTER TABLE ban RENAME TO lost")
        with pytest.raises(Unavailable):
            await store.bans()
        with pytest.raises(Unavailable):
            await store.unban("203.0.113.9")


FULL_DISK = """
CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = 'disk_full'; END $$;
CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON worker EXECUTE FUNCTION full_disk()
"""


@on_a_loop
@pytest.mark.parametrize("leased", [True, False])
async def test_who_asks_whether_the_store_is_well_has_written_to_it(postgres_url, leased):
    async with opened(postgres_url) as store:
        home = Home(store.worker, "127.0.0.1:8421", "//{host}:8421/")
        if leased:
            await store.renew(home, 3.0)
        await store.probe()
        before = execute(postgres_url, "SELECT xmin::text, until FROM worker")
        await store.probe()
        ((written, until),) = execute(postgres_url, "SELECT xmin::text, until FROM worker")
        assert (written, until) != before[0] and until == before[0][1]
        assert await store.renew(home, 3.0) == leased  # a probe is no lease
        await asyncio.gather(*[store.probe() for _time in range(9)])
        ((after, _until),) = execute(postgres_url, "SELECT xmin::text, until FROM worker")
        assert int(after) <= int(written) + 3  # one write for all who ask at once
        execute(postgres_url, FULL_DISK)
        with pytest.raises(Unavailable):
            await store.probe()
