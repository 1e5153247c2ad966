"""The Back button and Escape close whatever is open, the topmost first, before they leave the table."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.page.sailor import LAPTOP, PHONE, aboard, drawn, elsewhere, play, sit_down
from tests.server.launcher import ServerProcess

Press = Callable[[Page], object]
WAYS: dict[str, Press] = {
    "back": lambda page: page.evaluate("history.back()"),
    "escape": lambda page: page.keyboard.press("Escape"),
}
# What can be open at a table: how to open it, and how it looks.
THINGS = {
    "log": ("[role=tab] >> nth=0", "#drawer"),
    "talk": ("[role=tab] >> nth=1", "#drawer"),
    "rule": (".cite", "#drawer"),
    "player": ("[data-seat='1']", ".seat-panel"),
    "table": (".top button >> text=Table", ".company[open]"),
    "settings": (".top button >> text=Settings", "dialog.sheet[open]"),
}


def close(page: Page, press: Press) -> None:
    """The browser tells the page a moment later that it went back."""
    press(page)
    drawn(page)


@pytest.mark.parametrize("way", WAYS)
def test_what_is_open_closes_and_the_table_stays(server: ServerProcess, browser: Browser, way: str) -> None:
    with aboard(browser, PHONE, "en", at=server.url) as page:
        sit_down(page, server.url, players=2)
        table = page.url
        for opener, shown in [*THINGS.values()] * 2:
            page.locator(opener).first.tap()
            expect(page.locator(shown)).to_be_visible()
            close(page, WAYS[way])
            expect(page.locator(shown)).to_have_count(0)
            assert page.url == table
            expect(page.locator("#must")).to_be_visible()


def test_things_on_top_of_each_other_close_one_by_one_and_then_back_leaves(
    server: ServerProcess, browser: Browser
) -> None:
    with aboard(browser, PHONE, "en", at=server.url) as page:
        sit_down(page, server.url, players=2)
        page.locator("[role=tab]").first.tap()
        page.locator("[data-seat='1']").tap()
        page.get_by_role("button", name="Table", exact=True).tap()
        expect(page.locator(".company[open]")).to_be_visible()
        close(page, WAYS["back"])
        expect(page.locator(".company")).to_have_count(0)
        expect(page.locator(".seat-panel")).to_be_visible()
        close(page, WAYS["back"])
        expect(page.locator(".seat-panel")).to_have_count(0)
        expect(page.locator("#drawer")).to_be_visible()
        page.get_by_role("button", name="Close").tap()
        expect(page.locator("#drawer")).to_have_count(0)
        drawn(page)
        page.go_back()
        expect(page.locator(".harbour")).to_be_visible()


def test_after_leaving_with_something_open_one_step_leads_back(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, PHONE, "en", at=server.url) as page:
        sit_down(page, server.url, players=2)
        table = page.url
        page.locator("[role=tab]").first.tap()
        expect(page.locator("#drawer")).to_be_visible()
        page.locator(".brand").tap()
        expect(page.locator(".harbour")).to_be_visible()
        page.go_back()
        expect(page.locator("#must")).to_be_visible()
        assert page.url == table
        page.evaluate("history.back()")  # nothing is open any more, so no press of the button is lost
        expect(page.locator(".harbour")).to_be_visible()


def test_a_link_that_is_followed_while_something_closes_leads_there(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, PHONE, "en", at=server.url) as page:
        page.locator("a[href='#/rules/faut-pas-pousser']").tap()
        page.locator(".foreword").get_by_role("button", name="How to play").tap()
        expect(page.locator(".howto[open]")).to_be_visible()
        page.evaluate("() => { document.querySelector('.howto').close(); location.hash = '#/new/walk-the-plank'; }")
        expect(page.locator("form.set-up")).to_be_visible()
        drawn(page)
        page.wait_for_timeout(300)
        assert page.url.endswith("#/new/walk-the-plank")
        page.go_back()
        expect(page.locator(".rulebook")).to_be_visible()
        page.evaluate("history.back()")  # it's closed now, so no press is lost
        expect(page.locator(".harbour")).to_be_visible()


def test_after_a_reload_no_press_is_lost(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, PHONE, "en", at=server.url) as page:
        sit_down(page, server.url, players=2)
        page.locator("[role=tab]").first.tap()
        expect(page.locator("#drawer")).to_be_visible()
        page.reload()
        expect(page.locator("#must")).to_be_visible()
        drawn(page)
        page.evaluate("history.back()")
        expect(page.locator(".harbour")).to_be_visible()


def test_a_replay_that_goes_on_behind_the_settings_stays_where_it_is(server: ServerProcess, browser: Browser) -> None:
    over = elsewhere(play(server.url, "faut-pas-pousser", ["me", "mousse"]))
    with aboard(browser, LAPTOP, "en", at=server.url) as page:
        page.goto(f"{server.url}/#/replay/{over.id}/2")
        page.locator(".replay-controls").wait_for()
        page.get_by_role("button", name="Settings").first.click()
        expect(page.locator("dialog.sheet[open]")).to_be_visible()
        page.evaluate("import('/page/app.js').then(({ app, stay }) => stay(app.place.replace(/2$/, '5')))")
        close(page, WAYS["back"])
        expect(page.locator("dialog.sheet")).to_have_count(0)
        assert page.url.endswith("/5")


def test_on_a_wide_screen_the_column_is_no_obstacle(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, LAPTOP, "en", at=server.url) as page:
        sit_down(page, server.url, players=2)
        page.locator("[role=tab]").nth(2).click()
        drawn(page)
        page.go_back()
        expect(page.locator(".harbour")).to_be_visible()
