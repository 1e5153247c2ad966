"""Tables know their rules: stores of earlier releases are upgraded, tables with other rules are never folded."""

import asyncio
import functools
import json
import shutil
import sqlite3
import time
from pathlib import Path

import psycopg
import pytest
from tests.server.aboard import afloat
from tests.server.postgres import database_of_its_own, server_of_its_own  # noqa: F401
from websockets.asyncio.client import connect

from tribord.core import signature
from tribord.core.chance import commitment_to
from tribord.core.journal import to_dict
from tribord.server.store.migration import migrations

DATA = Path(__file__).parent / "data"
EXPECTED = json.loads((DATA / "store-0.1.0.json").read_text(encoding="utf-8"))
TABLES = {what: known for what, known in EXPECTED.items() if what != "secrets"}
FILE = json.loads((DATA / "match-0.1.0.json").read_text(encoding="utf-8"))


def in_a_loop(test):
    """Run a test in an event loop of its own, for a minute and a half at most."""

    @functools.wraps(test)
    def run(*args, **known):
        asyncio.run(asyncio.wait_for(test(*args, **known), 90))

    return run


@pytest.fixture
def old_store(tmp_path):
    """The store as release 0.1.0 left it: every game, every kind of row."""
    return Path(shutil.copy(DATA / "store-0.1.0.sqlite3", tmp_path / "tables.sqlite3"))


def rows_of(path, kind):
    with sqlite3.connect(path) as store:
        found = store.execute("SELECT body FROM journal WHERE kind = ?", (kind,)).fetchall()
    return [json.loads(body) for (body,) in found]


async def same_tables(ship):
    """Every table of the old store is the same table, its match byte for byte the same match."""
    for what, known in TABLES.items():
        answer = await ship.ask("GET", f"/api/tables/{known['id']}")
        guests = [guest | {"commitment": None, "muted": False} for guest in known["table"]["guests"]]
        since = {"game_version": 1, "guests": guests, "hints": what != "import", "guide": None, "branch": None}
        since |= {"contributions": [], "revealing": [], "rematch_commitment": None}
        shown = {name: value for name, value in answer.json().items() if name != "home"}  # that is the server's
        assert shown == known["table"] | since, what
        table = (await ship.hub.live(known["id"])).table
        match = to_dict(table.match) if table.match else None
        if match:  # its files didn't have the rank yet
            for line in match["journal"]:
                line.pop("rank", None)
        assert match == known["match"], what


@in_a_loop
async def test_a_store_of_release_0_1_0_is_upgraded(old_store):
    async with afloat(old_store) as ship:
        await same_tables(ship)
        guest = {
            "table": TABLES["playing ile-aux-pirates"]["id"],
            "secret": EXPECTED["secrets"]["playing ile-aux-pirates"],
        }
        async with ship.mate(guest) as mary:  # and goes on
            await mary.must("chat", line="Where were we?")
    assert {body["game_version"] for body in rows_of(old_store, "create")} == {1}
    acts = rows_of(old_store, "act")
    assert acts and all(isinstance(body["action"], str) for body in acts)


@in_a_loop
@pytest.mark.parametrize(
    ("seq", "body"), [(0, "{"), (0, "{}"), (1, '{"by":1}'), (3, '{"seat":0,"action":"pick 99"}'), (3, "\xff")]
)
async def test_a_damaged_row_of_release_0_1_0_closes_its_table_alone(old_store, seq, body, capfd):
    async with afloat(old_store):
        pass  # it is upgraded
    bad, good = (TABLES[what]["id"] for what in ("playing faut-pas-pousser", "playing ile-aux-pirates"))
    with sqlite3.connect(old_store) as store:
        store.execute("UPDATE journal SET body = ? WHERE table_id = ? AND seq = ?", (body.encode("latin-1"), bad, seq))
    async with afloat(old_store) as ship:
        for _attempt in range(2):
            answer = await ship.ask("GET", f"/api/tables/{bad}")
            assert (answer.status_code, answer.json()["code"]) == (409, "damaged")
        assert (await ship.ask("GET", f"/api/tables/{good}")).status_code == 200
    written = [json.loads(line) for line in capfd.readouterr().err.splitlines()]
    assert [line["row"] for line in written if line["level"] == "error"] == [seq]


@in_a_loop
async def test_a_store_of_release_0_1_0_in_postgresql_is_upgraded(old_store, postgres_url):
    with psycopg.connect(postgres_url) as target, sqlite3.connect(old_store) as source:
        first = migrations("postgresql")[0]
        target.execute("CREATE TABLE schema_version (version INTEGER PRIMARY KEY, name TEXT NOT NULL)")
        target.execute(first.sql.encode())
        target.execute("INSERT INTO schema_version VALUES (1, %s)", (first.name,))
        for entry in source.execute(
            "SELECT table_id, seq, code, game, public, status, due, touched, summary FROM entry"
        ):
            shown = [*entry[:4], bool(entry[4]), *entry[5:]]
            target.execute("INSERT INTO entry VALUES (%s,%s,%s,%s,%s,%s,%s,%s,%s,'before',now())", shown)
        for row in source.execute("SELECT table_id, seq, kind, body, at FROM journal"):
            target.execute("INSERT INTO journal VALUES (%s,%s,%s,%s,%s,0)", row)
    async with afloat(postgres_url) as ship:
        await same_tables(ship)


def of_other_rules(path, table, version, at=None):
    """Make a table one of another version of its game."""
    with sqlite3.connect(path) as store:
        store.execute(
            "UPDATE journal SET body = CAST(json_set(CAST(body AS TEXT), '$.game_version', ?) AS BLOB)"
            " WHERE table_id = ? AND kind = 'create'",
            (version, table),
        )
        if at is not None:
            store.execute("UPDATE journal SET at = ? WHERE table_id = ?", (at, table))
        store.execute("UPDATE journal SET hash = x'' WHERE table_id = ?", (table,))  # these rows are new


async def finished(ship):
    """A match with dice, an undo and a new name, played to its end by two people: its table and its file."""
    anne = await ship.create("ile-aux-pirates", "me open")
    mary = await ship.join(anne["table"])
    async with ship.mate(anne) as a, ship.mate(mary) as m:
        await m.must("contribute", commitment=commitment_to("a1" * 32))
        await a.must("start")
        await m.must("reveal", value="a1" * 32)
        await a.until(lambda _heard: a.match is not None)
        first, other = (a, m) if a.match["legal"] else (m, a)
        seat, legal = next(iter(first.match["legal"].items()))
        await first.must("act", seat=int(seat), action=legal[0])
        await first.must("undo")
        assert "undone" in await other.must("undo")
        await m.must("rename", nickname="Marie")
        await asyncio.gather(a.play(), m.play())
    return anne["table"], (await ship.ask("GET", f"/api/tables/{anne['table']}/match")).json()


@pytest.mark.parametrize(("version", "code"), [(0, "older-rules"), (2, "newer-rules")])
@in_a_loop
async def test_a_table_of_other_rules_is_read_and_exported_but_never_folded(tmp_path, version, code):
    path = tmp_path / "tables.sqlite3"
    async with afloat(path) as ship:
        table, file = await finished(ship)
    of_other_rules(path, table, version)
    async with afloat(path) as ship:
        answer = await ship.ask("GET", f"/api/tables/{table}")
        assert answer.status_code == 409 and answer.json()["code"] == code
        assert f"rules of L’Île aux Pirates: version {version}, and this is version 1" in answer.json()["en"]
        answer = await ship.ask("GET", f"/api/tables/{table}/match")
        again = answer.json()
        assert again["contributions"] == [None, "a1" * 32]
        assert signature.holds(again) and again["signature"]["signer"] == file["signature"]["signer"]
        # draws, undo, outcome, state: without the rules
        assert again == file | {"game_version": version, "signature": again["signature"]}
        for path_of in ("replay", "moments", "board/fr"):
            assert (await ship.ask("GET", f"/api/tables/{table}/{path_of}")).json()["code"] == code
        joined = await ship.ask("POST", f"/api/tables/{table}/guests", json={"nickname": "Jo"})
        assert joined.status_code == 409 and joined.json()["code"] == code
        async with connect(f"ws://127.0.0.1:{ship.port}/socket") as socket:
            await socket.send(json.dumps({"t": "hello", "protocol": 2, "table": table}))
            assert json.loads(await socket.recv())["code"] == code
        assert not ship.hub.live_tables


@in_a_loop
async def test_an_unfinished_table_of_other_rules_keeps_its_secrets_for_a_day(tmp_path):
    """A worker of the other release may still serve it."""
    path = tmp_path / "tables.sqlite3"
    async with afloat(path) as ship:
        anne = await ship.create("faut-pas-pousser", "me open")
        await ship.join(anne["table"])
        async with ship.mate(anne) as a:
            await a.must("start")
            await a.must("act", seat=0, action="pick 3")
    of_other_rules(path, anne["table"], 0)
    async with afloat(path) as ship:
        for what in ("", "/match"):
            answer = await ship.ask("GET", f"/api/tables/{anne['table']}{what}")
            assert answer.status_code == 409 and answer.json()["code"] == "still-played"
            assert "pick 3" not in answer.text
    of_other_rules(path, anne["table"], 0, at=time.time() - 2 * 86_400)
    async with afloat(path) as ship:
        file = (await ship.ask("GET", f"/api/tables/{anne['table']}/match")).json()
        assert [line["action"] for line in file["journal"]] == ["pick 3"] and file["outcome"] is None


@in_a_loop
async def test_a_table_of_other_rules_still_says_what_was_offered(tmp_path):
    path = tmp_path / "tables.sqlite3"
    promise = {"kind": "promise", "vote": "leak", "lane": 3}
    async with afloat(path) as ship:
        anne = await ship.create("sauve-qui-peut", "me open open")
        for _guest in range(2):
            await ship.join(anne["table"])
        async with ship.mate(anne) as a:
            await a.must("start")
            await a.must("offer", seat=0, offer=promise)
        table = (await ship.hub.live(anne["table"])).table
        file = to_dict(table.match, table.offers)
    assert file["offers"] == [{"seat": 0, "offer": promise, "version": len(file["journal"])}]
    of_other_rules(path, anne["table"], 0, at=time.time() - 2 * 86_400)
    async with afloat(path) as ship:
        again = (await ship.ask("GET", f"/api/tables/{anne['table']}/match")).json()
        assert again["offers"] == file["offers"]


@in_a_loop
async def test_a_file_of_other_rules_becomes_a_table_to_read(tmp_path):
    older = FILE | {"game_version": 0}
    async with afloat(tmp_path / "tables.sqlite3") as ship:
        answer = await ship.ask("POST", "/api/matches", json=older)
        assert answer.status_code == 201, answer.text
        for name in answer.json().values():  # by id and by code
            assert (await ship.ask("GET", f"/api/tables/{name}")).json()["code"] == "older-rules"
            assert (await ship.ask("GET", f"/api/tables/{name}/match")).json() == older
        absent = await ship.ask("POST", "/api/matches", json=FILE | {"game": "kraken"})
        shown = (await ship.ask("GET", f"/api/tables/{absent.json()['table']}")).json()
        assert shown["code"] == "not-installed" and "kraken" in shown["fr"]
        unread = await ship.ask("POST", "/api/matches", json=older | {"journal": [{"seat": 7, "action": "pick 1"}]})
        assert unread.status_code == 422 and unread.json()["code"] == "bad-field"


@in_a_loop
async def test_a_file_of_release_0_1_0_is_still_replayed(tmp_path):
    async with afloat(tmp_path / "tables.sqlite3") as ship:
        got = (await ship.ask("POST", "/api/matches", json=FILE)).json()
        assert (await ship.ask("GET", f"/api/tables/{got['table']}/match")).json() == FILE
