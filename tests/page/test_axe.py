"""axe-core on every screen of every game, on a phone, by day and by night: nothing to be found."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page
from tests.page.moment import MOMENTS, find
from tests.page.player import Player
from tests.page.sailor import LAPTOP, PHONE, TV, aboard, axe, elsewhere, play_decided, take_place
from tests.server.launcher import ServerProcess

from tribord import game_ids, load


class Examiner:
    """Goes from screen to screen and keeps what axe finds."""

    def __init__(self, page: Page, url: str):
        self.page, self.url = page, url
        self.found: dict[str, list[str]] = {}

    def look(self, screen: str, address: str = "", there: str = "", within: str = "") -> None:
        """Examine the screen, or the one at an address once something is there, or what is within an element."""
        if address:
            self.page.goto(f"{self.url}/{address}")
            self.page.locator(there).first.wait_for()
        if wrong := axe(self.page, within):
            self.found[screen] = wrong


@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize("game", game_ids())
def test_axe_finds_nothing_on_any_screen(server: ServerProcess, browser: Browser, game: str, language: str) -> None:
    over = elsewhere(play_decided(server.url, game, ["me", *["mousse"] * load(game).players[0]]))
    with aboard(browser, PHONE, language) as page:
        examiner = Examiner(page, server.url)
        examiner.look("set-up", f"#/new/{game}", "form .primary")
        for moment in (moment for moment in MOMENTS if moment.game == game):
            table = find(server.url, moment)
            take_place(page, server.url, table, game)
            page.locator("#must").wait_for()
            examiner.look(moment.name)
            Player(page, game).choose()
            page.wait_for_timeout(150)  # the preview comes from the server
            examiner.look(f"{moment.name}, chosen")
            examiner.look(f"{moment.name}, watched", f"#/watch/{table.id}", ".watching")
        take_place(page, server.url, over, game)
        page.locator(".moments").wait_for()
        examiner.look("result")
        examiner.look("replay", f"#/replay/{over.id}/9", ".replay-controls")
        examiner.look("rules", f"#/rules/{game}", ".example")
        page.locator(".foreword button").last.click()
        page.locator(".howto[open]").wait_for()
        for step in range(page.locator(".dots li").count()):
            # The page beneath stays the same, and with all its examples it's long.
            examiner.look(f"how to play {step + 1}", within=".howto" if step else "")
            page.locator(".howto .primary").click()
        found = examiner.found
    # The words on the larger screens are those of the phone: one language on each is enough.
    with aboard(browser, TV if language == "fr" else LAPTOP, language) as page:
        examiner = Examiner(page, server.url)
        if language == "fr":
            examiner.look("TV", f"#/tv/{table.id}", ".tv-board svg > *")
            examiner.look("TV after", f"#/tv/{over.id}", ".tv-result")
        else:
            take_place(page, server.url, table, game)
            page.locator("#must").wait_for()
            examiner.look("laptop")
        found |= examiner.found
    assert not found


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_colour_that_is_wrong_in_one_theme_is_found_in_either(
    server: ServerProcess, browser: Browser, theme: str
) -> None:
    with aboard(browser, PHONE, theme=theme, at=server.url) as page:
        page.locator("h1").wait_for()
        assert axe(page) == []
        page.evaluate("() => { document.querySelector('h1').style.color = 'light-dark(black, #111)' }")
        (found,) = axe(page)
        assert found.startswith("dark: color-contrast: h1")
        assert axe(page, within="header, main") == [found]
        assert page.evaluate("document.documentElement.dataset.theme") == theme
