"""The page while bots are prepared: the harbour says so, and so does a table where they play lighter."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect
from tests.page.sailor import TV, aboard, axe, drawn, sit_down
from tests.server.launcher import ServerProcess

from tribord.bots import ranks

SAID = {
    "en": ("The bots are getting ready… You can already start.", "The bots are still getting ready"),
    "fr": ("Les robots se préparent… Vous pouvez déjà commencer.", "Les robots se préparent encore"),
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server that has compiled nothing yet."""
    folder = tmp_path_factory.mktemp("cold")
    with ServerProcess(folder, "--limits", "0", cache=folder / "cache") as serving:
        yield serving


@pytest.mark.parametrize("language", SAID)
def test_harbour_table_and_tv_say_that_bots_get_ready(server: ServerProcess, browser: Browser, language: str) -> None:
    getting_ready, preparing = SAID[language]
    with aboard(browser, language=language, at=server.url) as page:
        expect(page.locator(".preparing")).to_contain_text(getting_ready)
        found = page.request.get(f"{server.url}/api/bots").json()
        assert page.locator(".preparing progress").get_attribute("max") == str(found["of"])
        assert axe(page) == []
        sit_down(page, server.url, "walk-the-plank", 3, "capitaine")
        expect(page.locator(".banner")).to_contain_text(preparing)
        assert axe(page) == []
        table = page.url.rpartition("/")[2]
        with aboard(browser, TV, language, at=f"{server.url}/#/tv/{table}") as screen:
            expect(screen.locator(".banner")).to_contain_text(preparing)
            expect(screen.locator(".tv-board .scene")).to_be_visible()


def test_where_nothing_is_to_be_prepared_nothing_is_said(tmp_path, browser: Browser) -> None:
    with ServerProcess(tmp_path, "--limits", "0") as interpreted, aboard(browser, at=interpreted.url) as page:
        with page.expect_response("**/api/bots"):
            page.reload()
        assert page.request.get(f"{interpreted.url}/api/bots").json() == {
            "prepared": 0,
            "of": 0,
            "ranks": list(ranks()),
        }
        expect(page.locator(".game-card").first).to_be_visible()
        drawn(page)
        assert page.locator(".preparing").count() == 0
