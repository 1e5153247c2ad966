"""Gestures over real sockets: what someone considers or points at is shown to the others, and stored nowhere."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.server.aboard import Mate, Ship, afloat
from tests.server.postgres import database_of_its_own, server_of_its_own  # noqa: F401

from tribord import load
from tribord.core.game import game_ids
from tribord.server import live_table
from tribord.server.limit import GESTURE

ISLAND = "ile-aux-pirates"


def sail(story: Callable[..., Awaitable[None]], store: object, ships: int = 1, **settings: Any) -> None:
    """Run a story on one server, or several with the same store."""

    async def voyage() -> None:
        async with asyncio.timeout(60), AsyncExitStack() as stack:
            await story(*[await stack.enter_async_context(afloat(store, **settings)) for _k in range(ships)])

    asyncio.run(voyage())


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "tables.sqlite3"


@asynccontextmanager
async def together(ship: Ship, other: Ship | None = None, game: str = ISLAND) -> AsyncIterator[tuple[Mate, Mate, Mate]]:
    """Anne, whose turn it is, Mary beside her (at another worker, if there is one), and a screen."""
    host = await ship.create(game, "me open" if game == ISLAND else "me open mousse")
    guest = await ship.join(host["table"])
    there = other or ship
    async with ship.mate(host) as anne, there.mate(guest) as mary, there.mate({"table": host["table"]}) as screen:
        await mary.must("sit", seat=1)
        await mary.must("ready")
        await anne.must("start")
        for mate in (mary, screen):
            await mate.until(lambda message: message.get("kind") == "start")
        yield anne, mary, screen


async def shown(mate: Mate, kind: str) -> dict[str, Any]:
    """The next gesture of a kind that a client gets."""
    return await mate.until(lambda message: message["t"] == kind)


def dice(mate: Mate) -> list[int]:
    """The dice on the table."""
    assert mate.match is not None
    view: dict[str, Any] = next(iter(mate.match["views"].values()))
    return view["dice"]


def test_everyone_else_sees_what_someone_considers(store):
    async def story(ship: Ship) -> None:
        async with together(ship) as (anne, mary, screen):
            die = dice(anne)[0]
            await anne.say({"t": "consider", "id": "1", "seat": 0, "parts": {"pawn": "brown-1"}})
            for mate in (mary, screen):
                seen = await shown(mate, "considered")
                assert seen == {"t": "considered", "guest": 0, "seat": 0, "version": 1, "parts": {"pawn": "brown-1"}}
            await anne.say({"t": "consider", "id": "2", "seat": 0, "parts": {"pawn": "brown-1", "die": die}})
            seen = await shown(mary, "considered")
            assert [(event["kind"], event["fields"]["goal"]) for event in seen["events"]] == [("leaves-castle", die)]
            assert seen["events"][0]["fr"] and seen["events"][0]["en"]
            await anne.say({"t": "consider", "id": "3", "seat": 0})
            assert (await shown(mary, "considered")).get("parts") is None
            assert not any(message["t"] == "considered" for message in anne.heard)

    sail(story, store)


def test_any_player_points_and_everyone_else_sees_it(store):
    async def story(ship: Ship) -> None:
        async with together(ship) as (anne, mary, screen):
            await mary.say({"t": "point", "id": "1", "sort": "square", "value": 7})
            await mary.say({"t": "point", "id": "2", "sort": "pawn", "value": "pirate-1"})
            for mate in (anne, screen):
                assert await shown(mate, "pointed") == {"t": "pointed", "guest": 1, "sort": "square", "value": 7}
                assert (await shown(mate, "pointed"))["value"] == "pirate-1"

    sail(story, store)


def test_a_gesture_is_kept_nowhere(store):
    async def story(ship: Ship) -> None:
        async with together(ship) as (anne, mary, _screen):
            table = ship.hub.live_tables[anne.table["id"]].table
            await anne.say({"t": "consider", "id": "1", "seat": 0, "parts": {"pawn": "brown-1"}})
            await anne.say({"t": "point", "id": "2", "sort": "square", "value": 3})
            await shown(mary, "pointed")
            assert ship.hub.live_tables[anne.table["id"]].table is table  # not a row more
            rows = await ship.hub.store.read(table.id, -1)
            assert not any(b"brown-1" in row.body for row in rows) and len(rows) == table.seq + 1

    sail(story, store)


WRONG = [
    ({"t": "consider", "seat": 1, "parts": {}}, "not-your-seat"),
    ({"t": "consider", "seat": 9, "parts": {}}, "not-your-seat"),
    ({"t": "consider", "seat": 0, "parts": {"pawn": "blue-1"}}, "not-possible"),
    ({"t": "consider", "seat": 0, "parts": {"line": "Ohé"}}, "not-possible"),
    ({"t": "consider", "seat": 0, "parts": {"pawn": ["brown-1"]}}, "not-understood"),
    ({"t": "consider", "seat": 0, "parts": {"pawn": "x" * 33}}, "not-understood"),
    ({"t": "consider", "seat": 0, "parts": {f"p{k}": k for k in range(9)}}, "not-understood"),
    ({"t": "consider", "seat": 0, "parts": {}, "line": "Ohé"}, "not-understood"),
    ({"t": "point", "sort": "square", "value": 18}, "no-such-thing"),
    ({"t": "point", "sort": "square", "value": "Ohé"}, "no-such-thing"),
    ({"t": "point", "sort": "words", "value": 1}, "no-such-thing"),
    ({"t": "point", "sort": "pawn", "value": None}, "not-understood"),
    ({"t": "point", "sort": "pawn", "value": True}, "not-understood"),
]


@pytest.mark.parametrize(("message", "code"), WRONG)
def test_what_the_game_does_not_have_is_refused(store, message, code):
    async def story(ship: Ship) -> None:
        async with together(ship) as (anne, mary, _screen):
            refused = await anne.do(message["t"], **{k: v for k, v in message.items() if k != "t"})
            assert (refused["t"], refused["code"]) == ("refused", code)
            await anne.must("chat", phrase="hello")  # and the connection is as good as before
            await mary.until(lambda heard: heard.get("kind") == "chat")
            assert not any(heard["t"] in ("considered", "pointed") for heard in mary.heard)

    sail(story, store)


def test_nobody_considers_out_of_turn_or_after_the_match(store):
    async def story(ship: Ship) -> None:
        async with together(ship) as (anne, mary, _screen):
            refused = await mary.do("consider", seat=1, parts={"pawn": "brown-1"})
            assert refused["code"] == "not-possible"
            await asyncio.gather(anne.play(), mary.play())
            assert (await anne.do("point", sort="square", value=1))["code"] == "match-over"

    sail(story, store)


def test_before_the_match_nobody_points(store):
    async def story(ship: Ship) -> None:
        async with ship.mate(await ship.create()) as anne:
            assert (await anne.do("point", sort="square", value=1))["code"] == "not-started"

    sail(story, store)


def test_spectators_and_guests_without_a_seat_make_no_gestures(store):
    async def story(ship: Ship) -> None:
        async with together(ship) as (anne, _mary, screen):
            assert (await screen.do("point", sort="square", value=1))["code"] == "only-watching"
            async with ship.mate(await ship.join(anne.table["id"], "Jack")) as jack:
                assert (await jack.do("point", sort="square", value=1))["code"] == "only-players"

    sail(story, store)


@pytest.mark.parametrize("game", [game for game in game_ids() if not load(game).cooperative])
def test_where_people_play_against_each_other_gestures_are_refused(store, game):
    async def story(ship: Ship) -> None:
        async with together(ship, game=game) as (anne, mary, _screen):
            assert anne.match is not None
            legal = next(iter(anne.match["legal"].values()), [0])
            parts = dict(load(game).steps(legal[0])[:1])
            assert (await anne.do("consider", seat=0, parts=parts))["code"] == "not-together"
            assert (await anne.do("point", sort="crew", value=1))["code"] == "not-together"
            await anne.must("chat", phrase="hello")
            await mary.until(lambda heard: heard.get("kind") == "chat")
            assert not any(heard["t"] in ("considered", "pointed") for heard in mary.heard)

    sail(story, store)


def test_gestures_have_a_limit_of_their_own(store):
    async def story(ship: Ship) -> None:
        async with together(ship) as (anne, mary, _screen):
            for k in range(int(GESTURE.burst)):
                await anne.say({"t": "point", "id": f"p{k}", "sort": "square", "value": 1})
            refused = await anne.do("point", sort="square", value=1)
            assert (refused["code"], refused["limit"]) == ("too-often", "gesture") and refused["seconds"] > 0
            await anne.must("chat", phrase="hello")
            await mary.until(lambda heard: heard.get("kind") == "chat")
            pings = sum(heard["t"] == "pointed" for heard in mary.heard)
            assert pings <= GESTURE.burst

    sail(story, store, limits=1)


class SlowLine:
    """The connection to a client that doesn't read."""

    ready = False

    def say(self, text: bytes) -> None:
        raise AssertionError("it isn't ready")


def test_a_slow_reader_misses_gestures_and_not_the_match():
    async def story() -> None:
        socket = live_table.Socket(SlowLine())
        for _k in range(live_table.DEPTH):
            socket.show(b"ping")
        assert len(socket.waiting) == live_table.DEPTH // 2 and not socket.ending.done()
        for _k in range(live_table.DEPTH // 2):
            socket.send(b"update")
        assert not socket.slow

    asyncio.run(story())


def test_gestures_reach_those_who_are_at_another_worker(postgres_url):
    async def story(one: Ship, two: Ship) -> None:
        async with together(one, two) as (anne, mary, screen):
            await anne.say({"t": "consider", "id": "1", "seat": 0, "parts": {"pawn": "pirate-1"}})
            assert (await shown(mary, "considered"))["parts"] == {"pawn": "pirate-1"}
            await mary.say({"t": "point", "id": "2", "sort": "pawn", "value": "brown-3"})
            assert (await shown(anne, "pointed"))["guest"] == 1
            assert (await shown(screen, "pointed"))["value"] == "brown-3"

    sail(story, postgres_url, 2)
