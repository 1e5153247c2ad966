"""Undo: the log forgets what was taken back, on every screen; you're asked first if it affects others."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.page.gathering import taking_back
from tests.page.player import ISLAND
from tests.page.sailor import LAPTOP, PHONE, TV, aboard, axe, back, elsewhere, take_place
from tests.server.launcher import ServerProcess

from tribord.client import Client

LOG = """() => [...document.querySelectorAll('.log:not(.talk) li, .tv-log li')]
  .map((line) => line.innerText.replace(/\\s[A-Z]\\d+$/, "").trim())"""
CUT = """() => {
  const Line = WebSocket;
  const lines = [];
  let down = false;
  globalThis.WebSocket = class extends Line {
    constructor(...address) {
      super(...address);
      lines.push(this);
      if (down) this.close();
    }
  };
  globalThis.cut = () => { down = true; lines.forEach((line) => line.close()); };
  globalThis.mend = () => { down = false; };
}"""


async def _two(url: str) -> tuple[Client, Client]:
    """Two people at L'Île after some decisions; it's Anne's turn."""
    one = await Client.create(url, ISLAND, "Anne", 2)
    other = await Client.join(url, one.id, "Zoé")
    async with one, other:
        await other.do("sit", seat=1)
        await other.do("ready")
        await one.do("start")
        decisions = 0
        while decisions < 7 or one._turn() is None:
            await one._until(lambda: one._turn() is not None or one.match["to_act"] == [1])
            await other._until(lambda: other.version >= one.version)
            turn = one._turn() or other._turn()
            assert turn is not None
            await (one if turn.seat == 0 else other).act(turn.seat, turn.legal[0], turn.version)
            await one._until(lambda played=turn.version: one.match["version"] > played)
            decisions += 1
    return again(one), again(other)


def again(client: Client) -> Client:
    """The same guest on a new connection: one that was closed stays closed."""
    return Client(client.url, client.id, client.secret)


async def _decide(one: Client) -> int:
    """Anne's next decision, always the same one; returns the version of the match after it."""
    async with one:
        turn = one._turn()
        assert turn is not None
        await one.act(turn.seat, turn.legal[0], turn.version)
        return int(one.match["version"])


async def _agree(other: Client) -> None:
    async with other:
        await other.do("undo")


async def _version(client: Client) -> int:
    async with client:
        return int(client.match["version"])


def told(page: Page) -> list[str]:
    """The log, its latest line first."""
    return list(page.evaluate(LOG))


def shows(page: Page, version: int) -> None:
    page.locator(f"[data-version='{version}']").wait_for()


def test_the_log_forgets_what_was_undone_live_after_a_reload_and_after_a_gap(
    server: ServerProcess, browser: Browser
) -> None:
    one, other = elsewhere(_two(server.url))
    with (
        aboard(browser, LAPTOP, "en") as anne,
        aboard(browser, LAPTOP, "en", troubled=True, at=server.url) as zoe,
        aboard(browser, TV, "en") as room,
    ):
        take_place(anne, server.url, one, ISLAND)
        heard: list[str] = []
        zoe.on("websocket", lambda line: line.on("framereceived", lambda frame: heard.append(json.loads(frame)["t"])))
        zoe.evaluate(CUT)
        take_place(zoe, server.url, other, ISLAND)
        room.goto(f"{server.url}/#/tv/{one.id}")
        version = elsewhere(_version(again(one)))
        for page in (anne, zoe, room):
            shows(page, version)
        before, hers, rooms = told(anne), told(zoe), told(room)
        later = elsewhere(_decide(again(one)))
        shows(zoe, later)
        zoe.evaluate("cut()")  # she misses that it is taken back
        expect(zoe.locator(".banner")).to_be_visible()
        shows(anne, later)
        shows(room, later)
        during = told(anne)
        assert len(during) > len(before)
        anne.get_by_role("button", name="Table", exact=True).click()
        anne.get_by_role("button", name="Take back my choice").click()
        expect(anne.locator(".asked")).to_contain_text("Zoé")
        elsewhere(_agree(again(other)))
        shows(anne, version)
        shows(room, version)
        for page in (anne, room):
            expect(page.locator(".notice")).to_contain_text("Any dice or draws will come out the same")
        assert told(anne) == before
        assert told(room) == rooms
        zoe.evaluate("mend()")
        back(zoe)
        shows(zoe, version)
        assert "gap" in heard
        assert told(zoe) == hers
        for page, known in ((anne, before), (zoe, hers)):
            page.reload()
            shows(page, version)
            expect(page.locator(".log li").first).to_be_visible()
            assert told(page) == known
        assert elsewhere(_decide(again(one))) == later  # the same decision again: the same dice
        shows(anne, later)
        assert told(anne) == during


def test_an_owner_is_asked_even_while_a_bot_plays_for_them(server: ServerProcess, browser: Browser) -> None:
    async def ask(one: Client, other: Client) -> int:
        async with one, other:
            await other.do("replace", seat=1)
            turn = one._turn()
            assert turn is not None
            await one.act(turn.seat, turn.legal[0], turn.version)
            while one.match["undo"] is None:  # the bot's decision may come between
                await one._until(lambda: one._turn() is not None)
                await one.do("undo")
            return int(one.match["undo"]["place"])

    one, other = elsewhere(_two(server.url))
    place = elsewhere(ask(again(one), again(other)))
    with aboard(browser, PHONE, "en") as zoe:
        take_place(zoe, server.url, other, ISLAND)
        expect(zoe.locator(".asked")).to_contain_text("Anne wants to take a choice back.")
        zoe.get_by_role("button", name="Agree").tap()
        shows(zoe, place)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Anne wants to take a choice back. Waiting for: Zoé."),
        ("fr", "Anne demande à annuler son choix. Accord attendu : Zoé."),
    ],
)
def test_the_room_sees_why_it_waits_for_an_answer(
    server: ServerProcess, browser: Browser, language: str, said: str
) -> None:
    asked = elsewhere(taking_back(server.url))
    with aboard(browser, TV, language, at=f"{server.url}/#/tv/{asked.anne.id}") as room:
        expect(room.locator(".tv-turn [role=status]")).to_have_text(said.replace(" :", "\xa0:"))
        elsewhere(_agree(asked.zoe))
        expect(room.locator(".tv-turn")).not_to_contain_text("Zoé")


def test_undoing_what_others_did_asks_first_and_shows_what_would_go(server: ServerProcess, browser: Browser) -> None:
    async def begin() -> Client:
        client = await Client.create(server.url, ISLAND, "Anne", 3, seats=["me", "mousse", "mousse"])
        async with client:
            await client.do("start")
            async for turn in client.turns():
                if turn.version > 8:
                    break
                await client.act(turn.seat, turn.legal[0], turn.version)
        return client

    client = elsewhere(begin())
    with aboard(browser, PHONE, "en") as page:
        take_place(page, server.url, client, ISLAND)
        page.locator("#must").wait_for()
        version = page.locator(".table-screen").get_attribute("data-version")
        found: dict[str, Any] = page.request.get(
            f"{server.url}/api/tables/{client.id}/undo", headers={"authorization": f"Bearer {client.secret}"}
        ).json()
        others = {seat for seat in found["seats"] if seat != 0}
        assert others, "nobody has decided since: the match is too short for this test"
        page.get_by_role("button", name="Table", exact=True).tap()
        page.get_by_role("button", name="Take back my choice").tap()
        dialog = page.locator("dialog.undo[open]")
        expect(dialog).to_contain_text("what others have chosen since")
        expect(dialog).to_contain_text("Any dice or draws will come out the same")
        assert dialog.locator("li").count() > 1
        assert not axe(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.get_by_role("button", name="Keep it").tap()
        expect(dialog).to_have_count(0)
        expect(page.locator(".table-screen")).to_have_attribute("data-version", str(version))
        page.get_by_role("button", name="Table", exact=True).tap()
        page.get_by_role("button", name="Take back my choice").tap()
        page.get_by_role("button", name="Take it back", exact=True).tap()
        expect(page.locator(".table-screen")).to_have_attribute("data-version", str(found["place"]))
        expect(page.locator("#must")).to_be_visible()


def test_ones_own_last_decision_is_taken_back_without_a_question(server: ServerProcess, browser: Browser) -> None:
    async def begin() -> Client:
        client = await Client.create(server.url, ISLAND, "Anne", 2, seats=["me", "mousse"])
        async with client:
            await client.do("start")
            async for turn in client.turns():  # until the first of our dice is used and the next waits
                mine = len(turn.view["dice"])
                await client.act(turn.seat, turn.legal[0], turn.version)
                if mine == 3 and client._turn() is not None:
                    break
        return client

    client = elsewhere(begin())
    with aboard(browser, PHONE, "en") as page:
        take_place(page, server.url, client, ISLAND)
        page.locator("#must").wait_for()
        version = page.locator(".table-screen").get_attribute("data-version") or "0"
        page.get_by_role("button", name="Table", exact=True).tap()
        page.get_by_role("button", name="Take back my choice").tap()
        expect(page.locator(".table-screen")).to_have_attribute("data-version", str(int(version) - 1))
        expect(page.locator("dialog.undo")).to_have_count(0)


@pytest.mark.parametrize("language", ["fr", "en"])
def test_what_cannot_be_taken_back_says_why(server: ServerProcess, browser: Browser, language: str) -> None:
    async def begin() -> Client:
        client = await Client.create(server.url, "faut-pas-pousser", "Anne", 2, seats=["me", "mousse"])
        async with client:
            await client.do("start")
            async for turn in client.turns():
                await client.act(turn.seat, turn.legal[0], turn.version)
                break
        return client

    client = elsewhere(begin())
    with aboard(browser, PHONE, language, troubled=True) as page:
        take_place(page, server.url, client, "faut-pas-pousser")
        page.locator("#must").wait_for()
        page.locator(".top button", has_text="Table").tap()
        page.locator(".company > button").first.tap()
        said = {"fr": "Vous avez pu apprendre un secret", "en": "You may have learned a secret"}[language]
        expect(page.locator(".notice")).to_contain_text(said)
