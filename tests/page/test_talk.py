"""Chat appears as a bubble at the speaker's seat; absence is shown where people look, on phones and on the TV."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from playwright.sync_api import Browser, expect
from tests.page.player import ISLAND, PLANK, PUSH
from tests.page.sailor import LAPTOP, PHONE, TV, aboard, axe, elsewhere, go_on, sit_down, take_place
from tests.page.test_seats import LONGEST, OUTSIDE
from tests.server.launcher import SERVE, ServerProcess

from tribord.client import Client
from tribord.core.words import Words
from tribord.server.phrase import PHRASES, SITUATIONS

LINE = "Attention, la planche est glissante et les requins n’ont pas encore déjeuné, paraît-il !"


async def _meet(url: str, game: str, name: str = "Zoé") -> tuple[Client, Client]:
    """Two people at a table that has begun."""
    one = await Client.create(url, game, "Anne", 3, seats=["me", "open", "mousse"])
    other = await Client.join(url, one.id, name)
    async with one, other:
        await other.do("sit", seat=1)
        await other.do("ready")
        await one.do("start")
    return again(one), again(other)


def again(client: Client) -> Client:
    """The same guest on a new connection."""
    return Client(client.url, client.id, client.secret)


async def _say(client: Client, **said: Any) -> None:
    async with client:
        await client.do("chat", **said)


@contextmanager
def present(client: Client, then: Callable[[Client], Coroutine[Any, Any, None]] | None = None) -> Iterator[None]:
    """An idle client at the table, for a while."""
    there, leave = Event(), Event()

    async def stay() -> None:
        async with again(client) as mine:
            if then:
                await then(mine)
            there.set()
            while not leave.is_set():
                await asyncio.sleep(0.05)

    thread = Thread(target=lambda: asyncio.run(stay()))
    thread.start()
    assert there.wait(20)
    try:
        yield
    finally:
        leave.set()
        thread.join()


@pytest.mark.parametrize("game", [PUSH, "sauve-qui-peut"])
def test_what_is_said_stands_at_the_seat_on_phone_and_tv_and_passes(
    server: ServerProcess, browser: Browser, game: str
) -> None:
    one, other = elsewhere(_meet(server.url, game, LONGEST))
    with aboard(browser, PHONE) as page, aboard(browser, TV) as room:
        take_place(page, server.url, one, game)
        room.goto(f"{server.url}/#/tv/{one.id}")
        room.locator(".tv-crew li").nth(1).wait_for()
        page.locator("[data-seat='1']").wait_for()
        for screen, seat in ((page, ".seat-strip li"), (room, ".tv-crew li")):
            elsewhere(_say(again(other), line=LINE))  # for each: it passes after some seconds
            bubble = screen.locator(seat).nth(1).locator(".bubble")
            expect(bubble).to_have_text(LINE)
            expect(screen.locator(".bubble")).to_have_count(1)
            assert screen.evaluate(OUTSIDE, ".bubble") == [False, []]
            whole = "(e) => e.getBoundingClientRect().bottom <= innerHeight && e.scrollHeight <= e.clientHeight + 2"
            assert bubble.evaluate(whole)
            size = bubble.evaluate("(e) => parseFloat(getComputedStyle(e).fontSize)")
            assert size >= 24 or screen is page
            assert not axe(screen)
        elsewhere(_say(again(other), phrase="hello"))
        expect(page.locator(".bubble")).to_have_text("Ohé, tout le monde\u202f!")
        page.get_by_role("tab").nth(1).tap()  # newest first in the drawer
        expect(page.locator(".talk li").first).to_contain_text("Ohé")
        expect(page.locator(".talk li").nth(1)).to_contain_text(LINE)
        expect(page.locator(".bubble")).to_have_count(0, timeout=12_000)
        expect(room.locator(".bubble")).to_have_count(0)


def test_what_is_said_to_some_reaches_no_other_screen(server: ServerProcess, browser: Browser) -> None:
    one, other = elsewhere(_meet(server.url, PUSH))
    with aboard(browser, PHONE) as page, aboard(browser, TV) as room:
        take_place(page, server.url, one, PUSH)
        room.goto(f"{server.url}/#/tv/{one.id}")
        room.locator(".tv-crew li").nth(1).wait_for()
        page.locator("[data-seat='1']").wait_for()
        elsewhere(_say(again(other), line="entre nous", to=[0]))
        expect(page.locator(".bubble")).to_have_text("entre nous")
        assert not room.locator(".bubble").count()


@pytest.fixture
def hasty(tmp_path: Path) -> Iterator[ServerProcess]:
    """A server where a guest who leaves counts as away at once."""
    program = f"from tribord.server import live_table; live_table.AWAY_SECONDS = 0.0; {SERVE}"
    with ServerProcess(tmp_path, "--limits", "0", program=program) as serving:
        yield serving


def test_an_absent_player_who_must_decide_is_named_and_a_bot_can_play(hasty: ServerProcess, browser: Browser) -> None:
    server = hasty
    one, other = elsewhere(_meet(server.url, PUSH, LONGEST))
    with (
        aboard(browser, PHONE, "en") as page,
        aboard(browser, TV, "en") as room,
        aboard(browser, LAPTOP, "fr") as french,
    ):
        for screen in (page, room, french):
            screen.clock.install()
        with present(other):
            take_place(page, server.url, one, PUSH)
            room.goto(f"{server.url}/#/tv/{one.id}")
            french.goto(f"{server.url}/#/watch/{one.id}")
            page.locator("[data-pirate='3']").tap()
            page.locator(".act .primary").tap()
            expect(page.locator("[data-seat='1']")).to_contain_text("choosing")
            page.wait_for_timeout(4500)
            assert not page.locator(".absent").count()
        early = f"{LONGEST} is away. After a minute, a bot can play."
        expect(page.locator(".absent")).to_contain_text(early, timeout=20_000)
        expect(room.locator(".tv-turn")).to_have_text(early)
        expect(french.locator(".absent")).to_contain_text(f"{LONGEST} n’est plus là. Après une minute")
        assert not page.locator(".absent button").count()
        for screen in (page, room, french):
            screen.clock.fast_forward(62_000)
        said = f"{LONGEST} is away. Wait, or let a bot play."
        expect(page.locator(".absent")).to_contain_text(said, timeout=20_000)
        expect(room.locator(".tv-turn")).to_have_text(said)
        expect(french.locator(".absent")).to_contain_text(f"{LONGEST} n’est plus là")
        assert not french.locator(".absent button").count()
        expect(page.locator(".seat-strip li.away")).to_have_count(1)
        for screen in (page, room, french):
            assert not axe(screen)
            assert screen.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.locator(".absent button").tap()
        expect(page.locator(".absent")).to_have_count(0)
        expect(page.locator("[data-seat='1']")).to_contain_text("a bot is playing")


def test_planning_phrases_are_offered_where_all_play_together(server: ServerProcess, browser: Browser) -> None:
    words = Words("en")
    with aboard(browser, PHONE, "en") as page:
        for game, offered in ((ISLAND, True), (PUSH, False)):
            sit_down(page, server.url, game, 2)
            page.get_by_role("tab").nth(1).tap()
            page.locator(".phrases button").first.wait_for()
            shown = page.locator(".phrases button").all_inner_texts()
            for name in SITUATIONS["planning"]:
                assert (words.say(PHRASES[name]) in shown) is offered
            assert not any(words.say(PHRASES[name]) in shown for name in SITUATIONS["out"])


def test_players_who_are_out_cheer_from_the_rigging_or_skip_to_the_end(server: ServerProcess, browser: Browser) -> None:
    async def begin() -> Client:
        """Until we are out while the others play on."""
        for _table in range(30):
            client = await Client.create(server.url, PLANK, "Anne", 5, seats=["me", "open", *["mousse"] * 3])
            other = await Client.join(server.url, client.id, "Zoé")
            async with client, other:
                await other.do("sit", seat=1)
                await other.do("ready")
                await client.do("start")

                async def follow(mine: Client) -> None:
                    await go_on(mine, until=lambda _turn: _out(mine, 0))

                playing = asyncio.gather(follow(client), follow(other))
                while not playing.done() and not client.over and not _out(client, 0):
                    await asyncio.sleep(0.02)
                playing.cancel()
                await asyncio.gather(playing, return_exceptions=True)
                for _moment in range(100):  # bots end the round; then it waits for Zoé, if she lives
                    if client.over or client.match["to_act"] == [1]:
                        break
                    await asyncio.sleep(0.05)
                if not client.over and _out(client, 0):
                    return again(client)
        raise AssertionError("nobody is ever out")

    client = elsewhere(begin())
    with aboard(browser, PHONE, "en") as page:
        take_place(page, server.url, client, PLANK)
        page.locator(".rigging").wait_for()
        assert not axe(page)
        page.locator(".rigging button", has_text="Sharks, dinner is ready!").tap()
        expect(page.locator(".seat-strip li").first.locator(".bubble")).to_have_text("Sharks, dinner is ready!")
        expect(page.locator(".rigging button", has_text="Skip to end")).to_be_visible()


def _out(client: Client, seat: int) -> bool:
    view = next(iter((client.match or {"views": {}})["views"].values()), {"crews": []})
    return any(crew["seat"] == seat and crew["dead"] == 3 for crew in view["crews"])
