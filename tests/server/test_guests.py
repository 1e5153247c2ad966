"""Guests and their secrets: a lost response locks no one out."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, cast

import pytest
from tests.server.aboard import Mate, Ship, afloat
from tests.server.launcher import ServerProcess, serving
from websockets.asyncio.client import connect

from tribord.server import guests
from tribord.server.hub import Hub


def sail(story: Callable[[Ship, ServerProcess], Awaitable[None]], folder: Path) -> None:
    """Run a story on a server in a process of its own."""

    async def voyage() -> None:
        server = ServerProcess(folder, "--limits", "0")
        async with asyncio.timeout(120), serving(server):
            await story(Ship(server.port, cast("Hub", None)), server)

    asyncio.run(voyage())


async def lose(ship: Ship, path: str, body: dict[str, Any], secret: str, done: Callable[[], Awaitable[Any]]) -> None:
    """Ask, and lose the response: the connection breaks after the server has carried it out, and before we read."""
    _reader, writer = await asyncio.open_connection("127.0.0.1", ship.port)
    text = json.dumps(body)
    head = f"POST {path} HTTP/1.1\r\nhost: 127.0.0.1:{ship.port}\r\ncontent-type: application/json\r\n"
    writer.write(f"{head}authorization: Bearer {secret}\r\ncontent-length: {len(text)}\r\n\r\n{text}".encode())
    await done()
    writer.transport.abort()


async def refusal(ship: Ship, credentials: dict[str, Any]) -> str:
    """The code with which a hello is refused."""
    async with connect(f"ws://127.0.0.1:{ship.port}/socket") as socket:
        mate = Mate(socket)
        hello = {"t": "hello", "protocol": 2, "table": credentials["table"], "secret": credentials["secret"]}
        await mate.say(hello)
        return str((await mate.hear()).get("code"))


@pytest.mark.parametrize("way", ["secrets", "transfers"])
@pytest.mark.parametrize("killed", [False, True])
def test_a_lost_response_changes_nothing_for_a_guest(tmp_path, way, killed):
    async def story(ship: Ship, server: ServerProcess) -> None:
        host = await ship.create()
        path, bearer = f"/api/tables/{host['table']}", {"authorization": f"Bearer {host['secret']}"}
        asks, body = f"{path}/secrets", {}
        if way == "transfers":
            asks = f"{path}/guests"
            body = {"transfer": (await ship.ask("POST", f"{path}/transfers", headers=bearer)).json()["transfer"]}
        async with ship.mate(host) as anne:
            await lose(ship, asks, body, host["secret"], lambda: anne.until(lambda m: m.get("kind") == "new-secret"))
            await anne.must("chat", line="still here")
        if killed:  # unused secrets are in the journal too
            server.kill()
            await asyncio.to_thread(server.start)
        async with ship.mate(host) as anne:
            answer = await ship.ask("POST", asks, json=body, headers=bearer)  # once more, with the same code
            assert answer.status_code == 201, answer.text
            new = answer.json()
            await anne.must("chat", line="and still here")
            async with ship.mate(new) as there:
                assert there.heard[0]["guest"] == 0
                assert await anne.closed() == 4001 and "wrong-secret" in [m.get("code") for m in anne.heard]
                await there.must("chat", line="here now")
        assert await refusal(ship, host) == "wrong-secret"
        again = await ship.ask("POST", asks, json=body, headers=bearer)
        assert (again.status_code, again.json()["code"]) == (
            403,
            f"wrong-{'secret' if way == 'secrets' else 'transfer'}",
        )

    sail(story, tmp_path)


@pytest.mark.parametrize("killed", [False, True])
def test_a_join_with_a_lost_response_leaves_no_ghost_at_the_table(tmp_path, killed):
    async def story(ship: Ship, server: ServerProcess) -> None:
        host = await ship.create(seats="me open open")
        path, body = f"/api/tables/{host['table']}/guests", {"nickname": "Mary", "id": "5a" * 16}
        async with ship.mate(host) as anne:
            await lose(ship, path, body, "", lambda: anne.until(lambda m: m.get("kind") == "join"))
        if killed:
            server.kill()
            await asyncio.to_thread(server.start)
        answers = [await ship.ask("POST", path, json=body) for _k in range(2)]
        answers += await asyncio.gather(*(ship.ask("POST", path, json=body) for _k in range(5)))
        assert {answer.status_code for answer in answers} == {201}
        (mary,) = {answer.text for answer in answers}
        mary = json.loads(mary)
        assert (mary["guest"], mary["seat"]) == (1, 1)
        async with ship.mate(mary) as there:
            assert [guest["nickname"] for guest in there.table["guests"]] == ["Anne", "Mary"]
            assert [seat["guest"] for seat in there.table["seats"]] == [0, 1, None]
        other = (await ship.ask("POST", path, json=body | {"id": "5b" * 16})).json()  # someone else
        assert (other["guest"], other["seat"]) == (2, 2) and other["secret"] != mary["secret"]
        weak = await ship.ask("POST", path, json=body | {"id": "1"})
        assert (weak.status_code, weak.json()["code"]) == (422, "not-a-message")

    sail(story, tmp_path)


def test_the_id_of_a_join_opens_nothing_once_the_secret_was_changed(tmp_path):
    async def story(ship: Ship, server: ServerProcess) -> None:
        host = await ship.create(seats="me open open")
        path, body = f"/api/tables/{host['table']}", {"nickname": "Mary", "id": "5a" * 16}
        mary = (await ship.ask("POST", f"{path}/guests", json=body)).json()
        bearer = {"authorization": f"Bearer {mary['secret']}"}
        new = (await ship.ask("POST", f"{path}/secrets", headers=bearer)).json()
        async with ship.mate(new):
            pass
        stranger = (await ship.ask("POST", f"{path}/guests", json=body)).json()
        assert stranger["guest"] == 2

    sail(story, tmp_path)


def test_a_repeated_creation_makes_one_table(tmp_path):
    async def story(ship: Ship, server: ServerProcess) -> None:
        first = await ship.create(public=True, id="7c" * 16)
        server.kill()
        await asyncio.to_thread(server.start)
        assert await ship.create(public=True, id="7c" * 16) == first
        assert len((await ship.ask("GET", "/api/tables")).json()["tables"]) == 1
        async with ship.mate(first) as anne:
            assert anne.heard[0]["guest"] == 0
        assert (await ship.create(public=True, id="7d" * 16))["table"] != first["table"]

    sail(story, tmp_path)


@pytest.mark.parametrize("hours", [0, 1, -1])
def test_a_transfer_code_lives_ten_minutes_whatever_the_wall_clock_is_set_to(tmp_path, monkeypatch, hours):
    class Time:  # as this one module sees it
        jump = passed = 0.0

        def time(self) -> float:
            return time.time() + self.jump + self.passed

        def monotonic(self) -> float:
            return time.monotonic() + self.passed

    clocks = Time()

    async def story(ship: Ship) -> None:
        host = await ship.create()
        path, bearer = f"/api/tables/{host['table']}", {"authorization": f"Bearer {host['secret']}"}
        code = (await ship.ask("POST", f"{path}/transfers", headers=bearer)).json()["transfer"]
        clocks.jump = 3600.0 * hours
        ship.hub.live_tables.clear()  # also where the table was read again since
        for passed, status in ((500.0, 201), (guests.TRANSFER_SECONDS + 1.0, 403)):
            clocks.passed = passed
            answer = await ship.ask("POST", f"{path}/guests", json={"transfer": code})
            assert answer.status_code == status
        clocks.passed = 0.0
        ship.hub.guests.expiry.clear()  # another worker, or after a restart: by the wall clock, and never longer
        answer = await ship.ask("POST", f"{path}/guests", json={"transfer": code})
        assert answer.status_code == (403 if hours else 201)

    async def voyage() -> None:
        async with asyncio.timeout(60), afloat(tmp_path / "tables.sqlite3") as ship:
            monkeypatch.setattr(guests, "time", clocks)
            await story(ship)

    asyncio.run(voyage())


@pytest.mark.parametrize("use", ["secrets", "transfers"])
def test_asking_with_a_new_secret_is_using_it(tmp_path, use):
    async def story(ship: Ship, server: ServerProcess) -> None:
        host = await ship.create()
        path = f"/api/tables/{host['table']}"
        async with ship.mate(host) as old:
            bearer = {"authorization": f"Bearer {host['secret']}"}
            new = (await ship.ask("POST", f"{path}/secrets", headers=bearer)).json()
            bearer = {"authorization": f"Bearer {new['secret']}"}
            assert (await ship.ask("POST", f"{path}/{use}", headers=bearer)).status_code == 201
            assert await old.closed() == 4001
        assert await refusal(ship, host) == "wrong-secret"

    sail(story, tmp_path)


def test_only_the_last_new_secret_counts_and_removing_a_guest_ends_all_of_theirs(tmp_path):
    async def story(ship: Ship, server: ServerProcess) -> None:
        host = await ship.create()
        mary = await ship.join(host["table"])
        path, bearer = f"/api/tables/{host['table']}/secrets", {"authorization": f"Bearer {mary['secret']}"}
        first, last = [(await ship.ask("POST", path, headers=bearer)).json() for _k in range(2)]
        assert await refusal(ship, first) == "wrong-secret"
        async with ship.mate(host) as anne:
            await anne.must("remove", guest=1)
        for credentials in (mary, first, last):
            assert await refusal(ship, credentials) == "wrong-secret"

    sail(story, tmp_path)
