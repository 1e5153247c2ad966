"""Puzzles over HTTP: only the seat's view gets out, and the values only after an answer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest
from tests.server.aboard import Ship, afloat

from tribord import game_ids, load
from tribord.bots.puzzle import daily, puzzles, today
from tribord.server import limit

PLANK = "walk-the-plank"


def sail(story: Callable[[Ship], Awaitable[None]], store: object, **settings: Any) -> None:
    """Run a story on a server of its own."""

    async def voyage() -> None:
        async with asyncio.timeout(120), afloat(store, **settings) as ship:
            await story(ship)

    asyncio.run(voyage())


async def get(ship: Ship, path: str, status: int = 200) -> Any:
    answer = await ship.ask("GET", f"/api/puzzles{path}")
    assert answer.status_code == status, answer.text
    return answer.json()


async def solve(ship: Ship, game: str, number: int, action: object, status: int = 201) -> Any:
    answer = await ship.ask("POST", f"/api/puzzles/{game}/{number}", json={"action": action})
    assert answer.status_code == status, answer.text
    return answer.json()


def test_the_list_has_the_puzzle_of_the_day_and_every_game(tmp_path):
    async def story(ship: Ship) -> None:
        found = await get(ship, "")
        wanted = daily(today())
        assert (found["daily"]["game"], found["daily"]["number"]) == (wanted.game.id, wanted.number)
        assert [each["game"] for each in found["games"]] == game_ids()
        for each in found["games"]:
            assert [one["number"] for one in each["puzzles"]] == list(range(1, len(puzzles(load(each["game"]))) + 1))

    sail(story, tmp_path / "t.sqlite3")


@pytest.mark.parametrize("game", game_ids())
def test_only_the_seats_view_leaves(tmp_path, game):
    """A puzzle shows neither hidden information nor the best choice."""

    async def story(ship: Ship) -> None:
        for each in puzzles(load(game))[:8]:
            shown = await get(ship, f"/{game}/{each.number}")
            assert set(shown) == {
                "game", "number", "level", "players", "options", "seat", "view", "legal", "events", "words",
            }  # fmt: skip
            assert shown["view"] == each.match.view(each.seat)
            assert shown["legal"] == list(each.legal) == sorted(each.legal)

    sail(story, tmp_path / "t.sqlite3")


def outline(outlook: Any) -> Any:
    """An outlook as it is written beside the puzzle; its events are told in both languages."""

    def written(event: Any) -> list[Any]:
        assert event["fr"] and event["en"] and event["fr"] != event["en"]
        return [event["rule"], event["kind"], *event["fields"].values()]

    return {
        name: [
            written(each) if name == "at_once" else [each["share"], each["otherwise"], *written(each["event"])]
            for each in those
        ]
        for name, those in outlook.items()
    }


@pytest.mark.parametrize("game", game_ids())
def test_an_answer_comes_with_its_value(tmp_path, game):
    async def story(ship: Ship) -> None:
        each = puzzles(load(game))[0]
        for choice in each.choices:
            for notation in choice["actions"]:
                told = await solve(ship, game, 1, notation)
                right = choice is each.choices[0]
                assert told["right"] is right
                assert told["chosen"]["action"] == load(game).action(notation)
                assert told["chosen"]["value"] == choice["value"]
                assert told["best"]["value"] == each.choices[0]["value"]
                assert (told["best"] == told["chosen"]) is right
                assert outline(told["chosen"]["outlook"]) == choice["outlook"]
                assert outline(told["best"]["outlook"]) == each.choices[0]["outlook"]
                assert told["ranks"] == each.ranks and told["exact"] is each.exact
        assert (await solve(ship, game, 1, each.best.action))["right"]  # by its number too

    sail(story, tmp_path / "t.sqlite3", limits=0)


def test_what_an_action_leads_to_and_why_another_cannot_be_played(tmp_path):
    async def story(ship: Ship) -> None:
        game = load("ile-aux-pirates")
        each = puzzles(game)[0]
        legal = each.legal[0]
        assert (await get(ship, f"/{game.id}/1/preview/{legal}"))["events"]
        assert (await get(ship, f"/{game.id}/1/refused/{legal}")) == {"refused": None}
        illegal = next(action for action in range(game.actions) if action not in each.legal)
        refused = (await get(ship, f"/{game.id}/1/refused/{illegal}"))["refused"]
        assert refused["fr"] and refused["en"]
        await get(ship, f"/{game.id}/1/preview/{illegal}", 409)
        before = await get(ship, f"/{game.id}/1")
        assert (await solve(ship, game.id, 1, illegal, 409))["code"] == refused["code"]
        assert await get(ship, f"/{game.id}/1") == before

    sail(story, tmp_path / "t.sqlite3")


@pytest.mark.parametrize(
    "path", ["/no-such-game/1", f"/{PLANK}/0", f"/{PLANK}/9999", f"/{PLANK}/x", f"/{PLANK}/99999999999"]
)
def test_a_puzzle_that_does_not_exist_is_not_found(tmp_path, path):
    async def story(ship: Ship) -> None:
        assert (await get(ship, path, 404))["en"]

    sail(story, tmp_path / "t.sqlite3")


def test_puzzles_are_limited_like_everything_that_is_read(tmp_path):
    async def story(ship: Ship) -> None:
        async with httpx.AsyncClient(base_url=ship.url, timeout=60) as client:
            asked = [client.get(f"/api/puzzles/{PLANK}/1") for _k in range(40)]
            answers = await asyncio.gather(*asked)
        assert {answer.status_code for answer in answers} == {200, 429}
        assert {answer.json()["limit"] for answer in answers if answer.status_code == 429} == {limit.READ.name}

    sail(story, tmp_path / "t.sqlite3", limits=0.1)
