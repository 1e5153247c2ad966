"""The server's limits: rates, sizes, origins, headers, logs, health, metrics, and a graceful end."""

from __future__ import annotations

import asyncio
import json
import math
import re
import signal
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.server.aboard import Mate, Ship, afloat
from tests.server.launcher import ServerProcess
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from tribord.core.refusal import IllegalAction
from tribord.server import app, hub, limit, log, metrics, response, retention
from tribord.server.limit import Limits, RateLimit, TooOften
from tribord.server.store import IndexEntry, Row, Unavailable
from tribord.server.store.moderation import AuditEntry, Ban


@pytest.fixture(autouse=True)
def no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots decide interpreted: nobody waits for a compiler here."""
    monkeypatch.setenv("TRIBORD_INTERPRETED", "1")


def sail(story: Any, store: object, **settings: Any) -> None:
    """Run a story on a server of its own."""

    async def voyage() -> None:
        async with asyncio.timeout(60), afloat(store, **settings) as ship:
            await story(ship)

    asyncio.run(voyage())


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "tables.sqlite3"


# -- limits ---------------------------------------------------------------------------------------------------------


def test_a_limit_gives_a_burst_then_so_many_per_second(monkeypatch):
    now = 100.0
    monkeypatch.setattr(limit.time, "monotonic", lambda: now)
    limits, often = Limits(), RateLimit("often", 3, 0.5)
    for _k in range(3):
        limits.take(often, "me")
    with pytest.raises(TooOften) as refused:
        limits.take(often, "me")
    assert (refused.value.limit, refused.value.seconds) == ("often", 2.0)
    limits.take(often, "you")
    now += 2.0
    limits.take(often, "me")
    with pytest.raises(TooOften):
        limits.take(often, "me")


def test_limits_forget_the_longest_unused_and_can_be_widened_or_off(monkeypatch):
    monkeypatch.setattr(limit, "MOST_REMEMBERED", 10)
    limits = Limits(2.0)
    for k in range(50):
        limits.take(RateLimit("l", 1, 1), str(k))
    assert len(limits._buckets) == 10
    limits.take(RateLimit("l", 1, 1), "49")
    with pytest.raises(TooOften):
        limits.take(RateLimit("l", 1, 1), "49")
    for _k in range(1_000):
        Limits(0).take(RateLimit("l", 1, 1), "x")


@pytest.mark.parametrize("name", ["8HBXEV", "y4yZ4St2wf5eGUgR"])
def test_guessing_often_means_waiting_even_for_tables_that_exist(name):
    limits = Limits()
    for _k in range(int(limit.GUESS.burst)):
        with pytest.raises(IllegalAction), limits.guessing("me", name):
            raise IllegalAction("no-such-table", "none")
    with pytest.raises(TooOften), limits.guessing("me", name):
        pass
    with limits.guessing("you", name):
        pass


@pytest.mark.parametrize("refusal", [None, IllegalAction("full", "full"), Unavailable("the disk")], ids=str)
def test_a_code_that_is_right_costs_nothing(refusal):
    limits = Limits()
    for _k in range(3 * int(limit.GUESS.burst)):
        with suppress(IllegalAction, Unavailable), limits.guessing("me", "8HBXEV"):
            if refusal is not None:
                raise refusal


def test_many_guesses_at_once_are_no_more_than_many_in_turn(store, monkeypatch):
    async def story(ship: Ship) -> None:
        looked, go = 0, asyncio.Event()

        async def find(_code: str) -> None:
            nonlocal looked
            looked += 1
            await go.wait()

        monkeypatch.setattr(ship.hub.store, "find", find)
        async with httpx.AsyncClient(base_url=ship.url, timeout=30) as client:
            asked = [
                asyncio.ensure_future(client.get(f"/api/tables/AAAA{one}{other}"))
                for one in "ABCDEFGH"
                for other in "ABCDEFGH"
            ]
            while sum(answer.done() for answer in asked) < len(asked) - limit.GUESS.burst:
                await asyncio.sleep(0.01)
            assert looked <= limit.GUESS.burst + 1
            go.set()
            answers = [answer.status_code for answer in await asyncio.gather(*asked)]
        assert set(answers) == {404, 429} and answers.count(404) == looked

    sail(story, store, limits=1)


def test_the_code_of_a_table_expires_after_its_match_and_its_id_does_not(store, monkeypatch):
    async def story(ship: Ship) -> None:
        host = await ship.create("ile-aux-pirates", "me me")
        id_, code = host["table"], host["code"]
        monkeypatch.setattr(hub, "CODE_SECONDS", -60.0)  # long ago

        async def status(name: str, part: str = "") -> int:
            return (await ship.ask("GET", f"/api/tables/{name}{part}")).status_code

        assert await status(code) == 200
        async with ship.mate(host) as anne:
            await anne.must("start")
            assert await status(code) == 200
            await anne.play()
            assert (await status(code), await status(code, "/replay")) == (404, 404)
            assert [await status(id_, part) for part in ("", "/replay", "/match")] == [200, 200, 200]
            assert (await ship.ask("POST", f"/api/tables/{code}/guests", json={"nickname": "X"})).status_code == 404
        async with ship.mate(host):  # its people come back with the id
            pass
        monkeypatch.setattr(hub, "CODE_SECONDS", 60.0)
        assert await status(code) == 200

    sail(story, store)


@pytest.mark.parametrize(
    ("host", "who"),
    [("192.0.2.7", "192.0.2.7"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
     ("::ffff:192.0.2.7", "192.0.2.7"), ("testclient", "testclient")],
)  # fmt: skip
def test_an_address_is_who_is_asking_and_a_whole_network_for_ipv6(host, who):
    from starlette.requests import HTTPConnection

    assert limit.address(HTTPConnection({"type": "http", "client": (host, 1), "headers": []})) == who


def test_limits_say_which_and_how_long_over_http(store):
    async def story(ship: Ship) -> None:
        new = {"game": "ile-aux-pirates", "nickname": "Anne", "players": 2}
        answers = [await ship.ask("POST", "/api/tables", json=new) for _k in range(int(limit.CREATE.burst) + 1)]
        assert [answer.status_code for answer in answers] == [201] * int(limit.CREATE.burst) + [429]
        last = answers[-1]
        assert last.json()["limit"] == "create" and 0 < last.json()["seconds"] <= 6
        assert int(last.headers["retry-after"]) >= last.json()["seconds"]
        assert last.json()["fr"] != last.json()["en"]

    sail(story, store, limits=1.0)


def test_limits_say_which_and_how_long_on_the_socket_and_rubbish_is_cut_off(store):
    async def story(ship: Ship) -> None:
        host = await ship.create()
        async with ship.mate(host) as anne:
            answers = [await anne.do("chat", line="x") for _k in range(int(limit.CHAT.burst) + 1)]
            assert [answer["t"] for answer in answers] == ["update"] * int(limit.CHAT.burst) + ["refused"]
            assert answers[-1]["limit"] == "chat" and 0 < answers[-1]["seconds"] <= 2
            for _k in range(200):
                await anne.say("{rubbish")
            assert await anne.closed() == 4002
            assert anne.heard[-1]["limit"] == "rubbish"
        async with ship.mate({"table": host["table"]}) as screen:
            for _k in range(200):
                await screen.say({"t": "chat", "id": "x", "line": "let me in"})
            assert await screen.closed() == 4002
            assert {m["code"] for m in screen.heard if m["t"] == "refused"} == {"only-watching", "too-often"}

    sail(story, store, limits=1.0)


# -- sizes and rubbish ----------------------------------------------------------------------------------------------


def test_what_is_too_large_is_refused_and_what_is_far_too_large_closed(store):
    async def story(ship: Ship) -> None:
        host = await ship.create()
        async with ship.mate(host) as anne:
            await anne.say(json.dumps({"t": "chat", "id": "x", "line": "y" * 9_000}))
            assert (await anne.until(lambda m: m["t"] == "refused"))["code"] == "too-long"
            await anne.must("chat", line="[" * 100)
            for depth in (50, 960, 990, 1_100):
                nested = "[" * depth + "]" * depth
                await anne.say(f'{{"t":"act","id":"deep","seat":0,"action":{{"kind":{nested}}}}}')
                assert (await anne.until(lambda m: m["t"] == "refused"))["code"] == "too-deep"
            await anne.say("z" * 70_000)
            assert await anne.closed() == 1009
        large = await ship.ask("POST", "/api/tables", content=b"[" * 20_000)
        assert (large.status_code, large.json()["code"]) == (413, "too-large")
        deep = await ship.ask("POST", "/api/tables", content=b"[" * 10_000)
        assert (deep.status_code, deep.json()["code"]) == (422, "too-deep")

    sail(story, store)


def test_many_refused_at_once_do_not_make_a_reader_slow(store):
    async def story(ship: Ship) -> None:
        host = await ship.create()
        async with ship.mate(host) as anne:
            for k in range(600):
                await anne.say({"t": "start", "id": str(k)})
            await anne.until(lambda m: m.get("id") == "599")
            await anne.must("chat", line="still here")

    sail(story, store)


@pytest.mark.parametrize(
    ("hello", "code", "close"),
    [("rubbish", "not-understood", 4001),
     ({"t": "hello", "protocol": 99, "table": "x"}, "protocol", 4001),
     ({"t": "hello", "protocol": 2, "table": "nowhere"}, "no-such-table", 4001),
     ({"t": "hello", "protocol": 2, "table": "\u0000"}, "no-such-table", 4001),
     ({"t": "hello", "protocol": 2, "table": "TABLE", "secret": "wrong"}, "wrong-secret", 4001),
     ({"t": "chat", "id": "1", "line": "first?"}, "not-understood", 4001)],
)  # fmt: skip
def test_a_hello_that_is_none_is_answered_and_closed(store, hello, code, close):
    async def story(ship: Ship) -> None:
        host = await ship.create()
        async with connect(f"ws://127.0.0.1:{ship.port}/socket") as socket:
            mate = Mate(socket)
            await mate.say(json.loads(json.dumps(hello).replace("TABLE", host["table"])))
            assert await mate.closed() == close
            assert mate.heard[-1]["code"] == code

    sail(story, store)


def test_a_client_of_an_earlier_protocol_is_asked_to_reload_or_update(store):
    """Also when it says so on a connection that is open already."""

    async def story(ship: Ship) -> None:
        host = await ship.create()
        hello = {"t": "hello", "protocol": 1, "table": host["table"], "secret": host["secret"]}
        async with connect(f"ws://127.0.0.1:{ship.port}/socket") as socket, ship.mate(host) as anne:
            for mate in (Mate(socket), anne):
                await mate.say(hello)
                assert await mate.closed() == 4001
                assert mate.heard[-1] == {
                    "t": "refused", "code": "protocol",
                    "en": "The page and the server have different versions."
                    " Reload the page, or update your program.",
                    "fr": "La page et le serveur n’ont pas la même version."
                    " Rechargez la page, ou mettez votre programme à jour.",
                    "detail": "protocol 2, not 1",
                }  # fmt: skip

    sail(story, store)


def test_a_silent_client_is_not_waited_for(store, monkeypatch):
    monkeypatch.setattr("tribord.server.connection.HELLO_SECONDS", 0.1)

    async def story(ship: Ship) -> None:
        async with connect(f"ws://127.0.0.1:{ship.port}/socket") as socket:
            assert await Mate(socket).closed() == 4000

    sail(story, store)


# -- origins and headers --------------------------------------------------------------------------------------------


def test_pages_of_other_origins_may_not_connect_nor_create(store):
    async def story(ship: Ship) -> None:
        url = f"ws://127.0.0.1:{ship.port}/socket"
        for origin in ("https://evil.example", "null", "http://127.0.0.1:1", "http://[bad"):
            with pytest.raises(InvalidStatus):
                async with connect(url, origin=origin):
                    pass
            new = {"game": "ile-aux-pirates", "nickname": "Anne", "players": 2}
            answer = await ship.ask("POST", "/api/tables", json=new, headers={"origin": origin})
            assert (answer.status_code, answer.json()["code"]) == (403, "foreign")
            assert "access-control-allow-origin" not in answer.headers
        for origin in (ship.url, "https://friend.example"):
            async with connect(url, origin=origin):
                pass
            answer = await ship.ask("POST", "/api/tables", json=new, headers={"origin": origin})
            assert answer.status_code == 201

    sail(story, store, origins=("https://friend.example",))


def test_a_handshake_from_another_origin_is_answered_with_403(store):
    async def story(ship: Ship) -> None:
        with pytest.raises(InvalidStatus) as refused:
            async with connect(f"ws://127.0.0.1:{ship.port}/socket", origin="https://evil.example"):
                pass
        assert refused.value.response.status_code == 403

    sail(story, store)


FRIEND, STRANGER = "https://friend.example", "https://evil.example"


@pytest.mark.parametrize("origins", [(FRIEND,), ("*",), ()])
def test_pages_of_origins_that_were_named_can_use_the_api_and_read_the_answers(store, origins):
    async def story(ship: Ship) -> None:
        for origin in (FRIEND, STRANGER):
            may = "*" in origins or origin in origins
            shown = "*" if "*" in origins else origin
            asks = {
                "access-control-request-method": "POST",
                "access-control-request-headers": "authorization,content-type",
            }
            before = await ship.ask("OPTIONS", "/api/tables", headers={"origin": origin, **asks})
            assert before.status_code == (200 if may else 403)
            assert before.headers.get("access-control-allow-origin") == (shown if may else None)
            if may:
                assert "POST" in before.headers["access-control-allow-methods"]
                assert "authorization" in before.headers["access-control-allow-headers"].lower()
            new = {"game": "ile-aux-pirates", "nickname": "Anne", "players": 2}
            for method, path, body, status in (
                ("POST", "/api/tables", new, 201),
                ("GET", "/api/games", None, 200),
                ("GET", "/api/tables/none", None, 404),
            ):
                answer = await ship.ask(method, path, json=body, headers={"origin": origin})
                assert answer.status_code == (status if may or method == "GET" else 403)
                assert answer.headers.get("access-control-allow-origin") == (shown if may else None)
                assert "access-control-allow-credentials" not in answer.headers
                assert answer.headers["content-security-policy"] == response.HEADERS["content-security-policy"]
        own = await ship.ask("POST", "/api/tables", json=new, headers={"origin": ship.url})
        assert own.status_code == 201

    sail(story, store, origins=origins)


@pytest.mark.parametrize("extra", [{"colour": "pink"}, {"protocol": 2}])
def test_fields_that_are_not_known_are_refused(store, extra):
    async def story(ship: Ship) -> None:
        new = {"game": "ile-aux-pirates", "nickname": "Anne", "players": 2} | extra
        answer = await ship.ask("POST", "/api/tables", json=new)
        assert (answer.status_code, answer.json()["code"]) == (422, "not-a-message")
        async with ship.mate(await ship.create()) as anne:
            assert (await anne.do("chat", line="x", **extra))["code"] == "not-understood"

    sail(story, store)


def test_every_answer_has_the_headers_also_refusals_and_failures(store, monkeypatch):
    async def story(ship: Ship) -> None:
        host = await ship.create()

        async def fails() -> Any:
            raise ZeroDivisionError(host["table"])

        monkeypatch.setattr(ship.hub.store, "open_tables", fails)
        wanted = {
            ("GET", "/healthz"): 200, ("GET", "/readyz"): 200, ("GET", "/metrics"): 200, ("GET", "/nothing"): 404,
            ("GET", "/api/games/none/actions"): 404, ("GET", "/api/games/walk-the-plank/rules/de"): 404,
            ("DELETE", "/api/tables"): 405, ("POST", "/api/tables"): 422, ("GET", "/api/tables/%00"): 404,
            ("GET", "/api/tables/"): 404, ("GET", "/api/tables"): 500, ("HEAD", "/api/games"): 200,
            ("GET", "/api/games"): 200,
            ("GET", "/api/games/walk-the-plank/rules/fr"): 200, ("GET", "/api/games/walk-the-plank/actions"): 200,
        }  # fmt: skip
        for (method, path), status in wanted.items():
            answer = await ship.ask(method, path)
            assert answer.status_code == status, (path, answer.text)
            missing = {n for n, v in response.HEADERS.items() if n != "cache-control" and answer.headers.get(n) != v}
            assert not missing and "cache-control" in answer.headers and "server" not in answer.headers
            if status >= 400:
                assert answer.json()["fr"] and answer.json()["en"]
        policy = response.HEADERS["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy and "*" not in policy

    sail(story, store)


# -- logs, health, metrics ------------------------------------------------------------------------------------------


def test_what_libraries_log_is_structured_and_without_what_exceptions_say(capfd):
    import logging

    log.adopt_libraries()
    try:
        raise KeyError("a-secret")
    except KeyError:
        logging.getLogger("uvicorn.error").exception("Exception in ASGI application\n")
    logging.getLogger("uvicorn.error").warning("Invalid %s", "thing")
    logging.getLogger("tribord.server.store").warning("of table %s", "a-secret")
    for _k in range(5):
        logging.getLogger("uvicorn.error").warning("again and again")
    lines = [json.loads(line) for line in capfd.readouterr().err.splitlines()]
    assert [line["message"] for line in lines] == [
        "Exception in ASGI application", "Invalid thing", "of table %s", "again and again"
    ]  # fmt: skip
    assert lines[0]["error"] == "KeyError" and "test_guard.py" in lines[0]["where"][-1]
    assert "a-secret" not in json.dumps(lines)


def test_no_secret_and_no_table_stands_in_the_log(store, capfd, monkeypatch):
    monkeypatch.setenv(log.VARIABLE, "debug")
    known: list[str] = []

    async def story(ship: Ship) -> None:
        host = await ship.create()
        known.extend([host["table"], host["code"], host["secret"]])
        path = f"/api/tables/{host['table']}"
        await ship.ask("GET", path)
        await ship.ask("POST", f"{path}/transfers", headers={"authorization": f"Bearer {host['secret']}"})
        async with ship.mate(host) as anne:
            await anne.must("chat", line="a private word")

            async def fails(*_row: Any) -> None:
                raise ZeroDivisionError(host["secret"])

            monkeypatch.setattr(ship.hub.store, "append", fails)
            await anne.say({"t": "chat", "id": "x", "line": "x"})
            assert await anne.closed() == 1001
        assert (await ship.ask("POST", f"{path}/guests", json={"nickname": "Mary"})).status_code == 500
        monkeypatch.undo()

        async def gone(*_what: Any) -> None:
            raise Unavailable("the disk")

        monkeypatch.setattr(ship.hub.store, "append", gone)
        assert (await ship.ask("POST", f"{path}/guests", json={"nickname": "Mary"})).status_code == 503

    sail(story, store)
    written = capfd.readouterr().err
    assert '"route": "/api/tables/{name}"' in written and "ZeroDivisionError" in written and "the disk" in written
    assert all(json.loads(line)["message"] for line in written.splitlines())
    for word in (*known, "a private word"):
        assert word not in written


def test_readiness_fails_when_the_store_does_and_liveness_does_not(store, monkeypatch):
    async def story(ship: Ship) -> None:
        async def gone() -> None:
            raise Unavailable("the disk")

        async def stuck() -> None:
            await asyncio.sleep(10)

        assert (await ship.ask("GET", "/readyz")).json()["status"] == "ok"
        monkeypatch.setattr(app, "READY_SECONDS", 0.1)
        for fails in (gone, stuck):
            monkeypatch.setattr(ship.hub.store, "probe", fails)
            answer = await ship.ask("GET", "/readyz")
            assert answer.status_code == 503 and answer.headers["retry-after"]
            assert "disk" not in answer.text
            assert (await ship.ask("GET", "/healthz")).json()["status"] == "ok"

    sail(story, store)


def test_metrics_count(store):
    async def story(ship: Ship) -> None:
        host = await ship.create()
        async with ship.mate(host) as anne:
            await anne.must("chat", line="one")
            await asyncio.gather(*(anne.say({"t": "chat", "id": f"x{k}", "line": "x"}) for k in range(metrics.STEP)))
            await anne.until(lambda message: message.get("id") == f"x{metrics.STEP - 1}")
            shown = (await ship.ask("GET", "/metrics")).text
            assert "tribord_sockets 1\n" in shown
            assert re.search(r"tribord_rows_total \d+\n", shown)

    sail(story, store)


def test_a_client_that_leaves_in_the_middle_of_a_body_is_not_a_failure(store, capfd):
    async def story(ship: Ship) -> None:
        _reader, writer = await asyncio.open_connection("127.0.0.1", ship.port)
        writer.write(b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{")
        await writer.drain()
        writer.close()
        while 'status="4xx"' not in (shown := (await ship.ask("GET", "/metrics")).text):
            await asyncio.sleep(0.01)
        assert 'status="5xx"' not in shown

    metrics._counters.clear()
    sail(story, store)
    assert not [line for line in capfd.readouterr().err.splitlines() if json.loads(line)["level"] == "error"]


@pytest.mark.parametrize("per", ["decision\n", "match\n", "\ndecision"])
def test_a_word_with_a_line_end_is_another_word(store, per):
    async def story(ship: Ship) -> None:
        new = {"game": "ile-aux-pirates", "nickname": "Anne", "players": 2, "clock": {"per": per, "seconds": 60}}
        answer = await ship.ask("POST", "/api/tables", json=new)
        assert (answer.status_code, answer.json()["code"]) == (422, "not-a-message")

    sail(story, store)


@pytest.mark.parametrize("age", [["0", "1"], "9" * 5_000, ["9" * 5_000, 0]])
def test_an_option_that_is_none_is_refused(store, age):
    async def story(ship: Ship) -> None:
        new = {"game": "faut-pas-pousser", "nickname": "Anne", "players": 2, "options": {"age": age}}
        answer = await ship.ask("POST", "/api/tables", json=new)
        assert (answer.status_code, answer.json()["code"]) == (422, "bad-option")

    sail(story, store)


def test_old_tables_are_deleted_when_asked_for(store, monkeypatch):
    monkeypatch.setattr(retention, "PURGE_SECONDS", 0.1)

    async def story(ship: Ship) -> None:
        await ship.create()
        while await ship.hub.store.tables():
            await asyncio.sleep(0.05)

    sail(story, store, retain_days=1e-9)


@pytest.mark.parametrize(
    ("days", "goes"),
    [((1, None), False), ((0.25, None), True), ((1, 0), False), ((1, 1.5), True), ((0, 1.5), True), ((0.25, 0), False)],
)
def test_a_match_that_nobody_finished_is_deleted_after_a_longer_time(tmp_path, monkeypatch, days, goes):
    monkeypatch.setattr(retention, "PURGE_SECONDS", 0.05)
    retain, unfinished = days

    async def story(ship: Ship) -> None:
        purge, asked = ship.hub.store.purge, []

        async def noted(before: float, unfinished: bool = False) -> int:
            gone = await purge(before, unfinished)
            asked.append(unfinished)
            return gone

        now = time.time()
        for seq, (age, kept) in enumerate(((2, "playing"), (0, "playing"))):
            table = IndexEntry(f"t{seq}", f"CODE2{seq}", "g", False, kept, None, now - age * 86_400, b"{}")
            await ship.hub.store.append(Row(f"t{seq}", 0, "create", b"{}", now), table)
        monkeypatch.setattr(ship.hub.store, "purge", noted)
        wanted = set([False] * bool(retain) + [True] * (unfinished != 0))
        while set(asked) != wanted or len(asked) < 3:
            await asyncio.sleep(0.02)
        assert await ship.hub.store.tables() == (["t1"] if goes else ["t0", "t1"])

    sail(story, tmp_path / "t.sqlite3", retain_days=retain, retain_unfinished_days=unfinished)


def test_a_clock_that_is_set_wrong_for_a_moment_deletes_nothing(store, monkeypatch):
    real, purged = time.time, asyncio.Event()
    monkeypatch.setattr(retention, "PURGE_SECONDS", 0.5)

    async def story(ship: Ship) -> None:
        old = await ship.create()
        await ship.hub.store.note(AuditEntry(real(), "mute", "guest 0"))
        await ship.hub.store.ban(Ban("203.0.113.9", real(), real() + 86_400, ""))
        purge = ship.hub.store.purge

        async def noted(before: float, unfinished: bool = False) -> int:
            purged.set()
            return await purge(before, unfinished)

        monkeypatch.setattr(ship.hub.store, "purge", noted)
        monkeypatch.setattr(time, "time", lambda: real() + 400 * 86_400)
        while not math.isfinite(ship.hub.pulse.before):  # until that is noticed
            await asyncio.sleep(0.01)
        monkeypatch.setattr(time, "time", real)
        await purged.wait()  # by the corrected clock
        assert await ship.hub.store.tables() == [old["table"]]
        assert await ship.hub.store.audit("mute") and await ship.hub.store.bans()

    sail(story, store, retain_days=30, audit_days=30)


# -- the end --------------------------------------------------------------------------------------------------------


def test_a_server_told_to_stop_commits_answers_and_says_good_bye(tmp_path):
    with ServerProcess(tmp_path) as serving:

        async def story() -> dict[str, Any]:
            ship = Ship(serving.port, None)  # type: ignore[arg-type]
            host = await ship.create("walk-the-plank", "me mousse mousse")
            async with ship.mate(host) as anne, ship.mate({"table": host["table"]}) as screen:
                await anne.must("start")
                legal = anne.match["legal"]["0"]
                await anne.say({"t": "act", "id": "last", "seat": 0, "action": legal[0]})
                serving.process.send_signal(signal.SIGTERM)
                assert await screen.closed() == 1001
                assert await anne.closed() == 1001
                return host | {"acked": any(m.get("id") == "last" for m in anne.heard),
                               "action": legal[0], "v": anne.version}  # fmt: skip

        host = asyncio.run(story())
        assert serving.process.wait(20) in (0, -signal.SIGTERM)
        assert "Traceback" not in serving.log.read_text()
        serving.start()

        async def later() -> None:
            ship = Ship(serving.port, None)  # type: ignore[arg-type]
            async with ship.mate(host, host["v"]) as anne:
                assert anne.heard[-1]["t"] == "gap"
                answer = await anne.do("act", id="last", seat=0, action=host["action"])
                assert not host["acked"] or answer["t"] == "ack"

        asyncio.run(later())
        with httpx.Client() as client:
            assert client.get(f"{serving.url}/healthz").status_code == 200


def test_good_bye_waits_for_the_answer_to_a_command_in_hand(store, monkeypatch):
    async def story(ship: Ship) -> None:
        host = await ship.create("walk-the-plank", "me mousse mousse")
        async with ship.mate(host) as anne:
            await anne.must("start")
            legal = anne.match["legal"]["0"]
            begun, written, append = asyncio.Event(), asyncio.Event(), ship.hub.store.append

            async def slowly(row: Any, entry: Any) -> None:
                if b'"last"' in row.body:
                    begun.set()
                    await written.wait()
                await append(row, entry)

            monkeypatch.setattr(ship.hub.store, "append", slowly)
            await anne.say({"t": "act", "id": "last", "seat": 0, "action": legal[0]})
            await begun.wait()
            leaving = asyncio.ensure_future(ship.hub.farewell())
            await asyncio.sleep(0.1)
            assert not leaving.done()
            written.set()
            assert await anne.closed() == 1001
            assert any(heard.get("id") == "last" for heard in anne.heard)
            await leaving

    sail(story, store)


def test_a_hundred_messages_that_are_no_text_are_one_line_in_the_log(tmp_path):
    async def story(port: int) -> None:
        async with connect(f"ws://127.0.0.1:{port}/socket", proxy=None) as fine:
            for _k in range(100):
                async with connect(f"ws://127.0.0.1:{port}/socket", proxy=None) as bad:
                    bad.transport.write(bytes((0x81, 0x82, 0, 0, 0, 0)) + b"\xff\xfe")
                    await bad.wait_closed()
                    assert bad.close_code == 1007
            await fine.send('{"t": "hello", "protocol": 2, "table": "nowhere"}')
            assert json.loads(await fine.recv())["code"] == "no-such-table"

    with ServerProcess(tmp_path, "--limits", "0") as serving:
        asyncio.run(story(serving.port))
    lines = [json.loads(line) for line in serving.log.read_text().splitlines()]
    assert sum("UTF-8" in line["message"] for line in lines) == 1


def test_a_thousand_refused_commands_at_once_are_all_answered(store):
    async def story(ship: Ship) -> None:
        host = await ship.create(seats="me open")
        async with ship.mate(host) as anne:
            for k in range(1_000):
                await anne.say({"t": "start", "id": f"s{k}"})
            answers = [await anne.until(lambda message: "id" in message) for _k in range(1_000)]
            assert [answer["id"] for answer in answers] == [f"s{k}" for k in range(1_000)]
            assert {answer["code"] for answer in answers} == {"seat-open"}

    sail(story, store, limits=0)
