"""Mute, report and ban on the page: in both languages, by touch and by keyboard, shown to the right people."""

from __future__ import annotations

import time
from pathlib import Path

from playwright.sync_api import Browser, Page, expect
from tests.page.player import ISLAND
from tests.page.sailor import LAPTOP, PHONE, aboard, axe, elsewhere, press_until, take_place
from tests.server.launcher import ServerProcess

from tribord.client import Client
from tribord.server.store import AuditEntry, Ban, connect


async def meet(url: str) -> tuple[Client, Client]:
    """A host and a guest at a match that has begun."""
    host = await Client.create(url, ISLAND, "Anne", 2)
    guest = await Client.join(url, host.id, "Zoé")
    async with host, guest:
        await host.do("start")
    return host, guest


def sit(page: Page, server: ServerProcess, client: Client) -> None:
    """Be at the table, in the browser where a client was."""
    take_place(page, server.url, client, ISLAND)
    page.locator(".table-screen .decision").wait_for()


def row(page: Page, name: str):  # type: ignore[no-untyped-def]
    """A guest's line in the list of people."""
    return page.locator(".company-seats li").filter(has_text=name)


async def reports(store: str) -> list[AuditEntry]:
    """What the operator reads."""
    place = connect(store)
    await place.open(reading=True)
    try:
        return await place.audit("report")
    finally:
        await place.close()


def test_a_host_mutes_by_touch_and_the_guest_sees_it(server: ServerProcess, browser: Browser) -> None:
    host, guest = elsewhere(meet(server.url))
    with aboard(browser, PHONE, "fr") as anne, aboard(browser, LAPTOP, "en") as zoe:
        sit(anne, server, host)
        sit(zoe, server, guest)
        zoe.get_by_role("tab", name="Chat").click()
        zoe.get_by_label("Write something").fill("You fools")
        zoe.get_by_role("button", name="Send", exact=True).click()
        expect(zoe.locator(".talk")).to_contain_text("You fools")
        anne.get_by_role("button", name="Table").tap()
        row(anne, "Zoé").get_by_role("button", name="Couper la parole").tap()
        expect(row(anne, "Zoé")).to_contain_text("sans la parole")
        assert not axe(anne)
        expect(zoe.locator(".notice")).to_contain_text("The host has muted you")
        expect(zoe.locator(".drawer [role=status]")).to_contain_text("You can play on, but not chat")
        expect(zoe.locator(".say, .phrases")).to_have_count(0)
        expect(zoe.locator(".talk")).to_contain_text("The host has muted Zoé.")
        expect(zoe.locator(".bubble")).not_to_contain_text("muted")
        zoe.get_by_role("button", name="Table").click()
        expect(zoe.get_by_role("dialog").get_by_label("Your name")).to_have_count(0)
        expect(zoe.get_by_role("dialog").get_by_role("button", name="Mute")).to_have_count(0)
        assert not axe(zoe)
        zoe.keyboard.press("Escape")
        row(anne, "Zoé").get_by_role("button", name="Rendre la parole").tap()
        expect(zoe.get_by_label("Write something")).to_be_visible()
        expect(zoe.locator(".notice")).to_contain_text("You can chat again.")


def test_a_guest_reports_someone_by_keyboard_and_the_operator_has_it(server: ServerProcess, browser: Browser) -> None:
    host, guest = elsewhere(meet(server.url))
    with aboard(browser, LAPTOP, "en") as zoe:
        sit(zoe, server, guest)
        zoe.get_by_role("button", name="Table").press("Enter")
        press_until(zoe, ".company .powers button")
        zoe.keyboard.press("Enter")
        question = zoe.get_by_role("dialog").get_by_role("alert")
        expect(question).to_contain_text("Report Anne to the person who runs this server?")
        expect(question).to_be_focused()
        assert not axe(zoe)
        zoe.keyboard.press("Tab")
        expect(question.get_by_role("button", name="Their name")).to_be_focused()
        zoe.keyboard.press("Enter")
        expect(zoe.locator(".notice")).to_contain_text("Thanks!")
        expect(row(zoe, "Anne")).to_contain_text("reported")
        expect(row(zoe, "Anne").get_by_role("button")).to_have_count(0)
    (entry,) = [entry for entry in elsewhere(reports(server.store)) if entry.table == host.id]
    assert (entry.actor, entry.details["nickname"], entry.details["reason"]) == ("guest 1", "Anne", "nickname")
    assert (entry.address, entry.details["guest"]) == ("127.0.0.1", 0)


def test_a_report_is_asked_for_and_can_be_taken_back_by_touch(server: ServerProcess, browser: Browser) -> None:
    host, _guest = elsewhere(meet(server.url))
    with aboard(browser, PHONE, "fr") as anne:
        sit(anne, server, host)
        anne.get_by_role("button", name="Table").tap()
        row(anne, "Zoé").get_by_role("button", name="Signaler…").tap()
        question = anne.get_by_role("dialog").get_by_role("alert")
        expect(question.get_by_role("button")).to_have_text(["Son nom", "Ses messages", "Son comportement", "Annuler"])
        assert not axe(anne)
        question.get_by_role("button", name="Annuler").tap()
        expect(question).to_have_count(0)
        expect(row(anne, "Zoé").get_by_role("button", name="Signaler…")).to_be_visible()


def test_a_banned_visitor_reads_why(browser: Browser, tmp_path: Path) -> None:
    async def ban(store: str) -> None:
        place = connect(store)
        await place.open(reading=True)
        await place.ban(Ban("127.0.0.1", time.time()))
        await place.close()

    with ServerProcess(tmp_path, "--limits", "0") as server:
        host, _guest = elsewhere(meet(server.url))
        with aboard(browser, PHONE, "fr", troubled=True) as anne:
            sit(anne, server, host)
            elsewhere(ban(server.store))
            expect(anne.locator(".banner")).to_contain_text("Ce serveur est fermé à votre réseau")
            assert not axe(anne)
            anne.goto(f"{server.url}/#/")
            anne.locator(".game-card .primary").first.tap()
            expect(anne.locator(".notice")).to_contain_text("Ce serveur est fermé à votre réseau")
            anne.goto(f"{server.url}/#/{host.id}")
            expect(anne.locator("main [role=alert]")).to_contain_text("Ce serveur est fermé à votre réseau")
