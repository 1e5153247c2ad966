"""Hints: from a seat's own view, only for its guest, and only if the host allows them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from tests.server.aboard import Ship, afloat


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is compiled for these."""
    monkeypatch.setenv("TRIBORD_INTERPRETED", "1")


def sail(story: Callable[[Ship], Awaitable[None]], store: object, **settings: Any) -> None:
    """Run a story on a server of its own."""

    async def voyage() -> None:
        async with asyncio.timeout(120), afloat(store, **settings) as ship:
            await story(ship)

    asyncio.run(voyage())


async def ask(ship: Ship, credentials: dict[str, Any], seat: int = 0) -> Any:
    """The response to a guest who asks for a hint."""
    bearer = {"authorization": f"Bearer {credentials['secret']}"}
    return await ship.ask("GET", f"/api/tables/{credentials['table']}/hint?seat={seat}", headers=bearer)


async def refusal(ship: Ship, credentials: dict[str, Any], seat: int = 0) -> str:
    """The code with which a hint is refused."""
    answer = await ask(ship, credentials, seat)
    assert answer.status_code in (403, 409, 429), answer.text
    return str(answer.json()["code"])


def test_a_hint_has_the_best_choices_of_the_seat_that_asks(tmp_path):
    async def story(ship: Ship) -> None:
        host = await ship.create("faut-pas-pousser", "me me")
        async with ship.mate(host) as anne:
            await anne.must("start")
            found = (await ask(ship, host)).json()
            assert found["seat"] == 0 and found["version"] == anne.match["version"]
            assert 1 < len(found["suggestions"]) <= 3
            means = [each["value"]["mean"] for each in found["suggestions"]]
            assert means == sorted(means, reverse=True)
            for each in found["suggestions"]:
                assert each["action"] in anne.match["legal"]["0"]
                assert each["value"]["low"] <= each["value"]["mean"] <= each["value"]["high"]

    sail(story, tmp_path / "t.sqlite3")


def test_a_hint_does_not_change_by_a_byte_with_what_others_hide(tmp_path):
    """Two tables that look the same to Anne: at each, Mary has picked another pirate, face down."""

    async def story(ship: Ship) -> None:
        hints, views, truths = [], [], []
        for picked in (0, -1):
            host = await ship.create("faut-pas-pousser", "me open")
            guest = await ship.join(host["table"])
            async with ship.mate(host) as anne, ship.mate(guest) as mary:
                await anne.must("start")
                await mary.until(lambda message: bool((message.get("match") or {}).get("legal")))
                await mary.must("act", seat=1, action=mary.match["legal"]["1"][picked])
                answer = await ask(ship, host)
                assert answer.status_code == 200, answer.text
                hints.append(answer.content)
                match = (await ship.hub.find(host["table"])).table.match
                views.append(match.view_state(0).tobytes())
                truths.append(match.state.tobytes())
        assert truths[0] != truths[1] and views[0] == views[1]
        assert hints[0] == hints[1]

    sail(story, tmp_path / "t.sqlite3")


def test_nobody_else_hears_of_a_hint(tmp_path):
    async def story(ship: Ship) -> None:
        host = await ship.create("walk-the-plank", "me open mousse")
        guest = await ship.join(host["table"])
        async with ship.mate(host) as anne, ship.mate(guest) as mary:
            await anne.must("start")
            assert (await ask(ship, host)).status_code == 200
            await anne.must("chat", line="Well…")
            heard = await mary.until(lambda message: message.get("kind") == "chat")
            kinds = [message.get("kind") for message in mary.heard if message["t"] == "update"]
            assert heard["said"]["line"] == "Well…" and kinds in (["start", "chat"], ["start", "act", "chat"])
            assert await refusal(ship, guest, 0) == "not-your-seat"
            assert await refusal(ship, {**guest, "secret": "x"}, 1) == "wrong-secret"

    sail(story, tmp_path / "t.sqlite3")


def test_where_the_host_has_turned_hints_off_the_server_refuses_them(tmp_path):
    async def story(ship: Ship) -> None:
        host = await ship.create("faut-pas-pousser", "me mousse", hints=False)
        async with ship.mate(host) as anne:
            assert anne.table["hints"] is False
            await anne.must("start")
            answer = await ask(ship, host)
            assert (answer.status_code, answer.json()["code"]) == (409, "hints-off")
            assert answer.json()["fr"].startswith("L’hôte")
            await anne.play()
            await anne.must("rematch")
            rematch = (await ship.ask("GET", f"/api/tables/{anne.table['rematch']}")).json()
            assert rematch["hints"] is False

    sail(story, tmp_path / "t.sqlite3")


def test_a_hint_is_for_a_decision_of_ones_own(tmp_path):
    async def story(ship: Ship) -> None:
        host = await ship.create("ile-aux-pirates", "me open")
        guest = await ship.join(host["table"])
        assert await refusal(ship, host) == "not-begun"
        async with ship.mate(host) as anne, ship.mate(guest) as mary:
            await anne.must("start")
            waiting = 1 - anne.match["to_act"][0]
            assert await refusal(ship, (host, guest)[waiting], waiting) == "not-your-turn"
            acting = 1 - waiting
            await (anne, mary)[acting].must("replace", seat=acting)
            assert await refusal(ship, (host, guest)[acting], acting) in ("bot-plays", "not-your-turn")

    sail(story, tmp_path / "t.sqlite3")


def test_hints_are_limited_per_guest(tmp_path):
    async def story(ship: Ship) -> None:
        host = await ship.create("faut-pas-pousser", "me mousse")
        async with ship.mate(host) as anne:
            await anne.must("start")
            codes = [(await ask(ship, host)).status_code for _time in range(3)]
            assert codes[0] == 200 and codes[-1] == 429
            assert (await ask(ship, host)).json()["limit"] == "hint"

    sail(story, tmp_path / "t.sqlite3", limits=0.1)
