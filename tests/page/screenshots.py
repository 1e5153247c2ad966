"""Every screen × phone, laptop, TV, 4K × French, English × day, night, into a folder for people to look at.

`make screenshots`, or `python -m tests.page.screenshots [FOLDER [house | GAME]]` for the screens of all or of one game.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page
from tests.page.moment import MOMENTS, Moment, find
from tests.page.player import PUSH, Player
from tests.page.sailor import LAPTOP, PHONE, TV, aboard, chromium, elsewhere, play_decided, sit_down, take_place
from tests.server.launcher import ServerProcess

from tribord import game_ids, load
from tribord.client import Client

SIZES = {"phone": PHONE, "laptop": LAPTOP, "tv": TV, "4k": (3840, 2160)}


class Tour:
    """Through the screens at one size, in one language and theme."""

    def __init__(self, page: Page, url: str, folder: Path, wanted: str):
        self.page, self.url, self.folder, self.wanted = page, url, folder, wanted
        folder.mkdir(parents=True, exist_ok=True)

    def take(self, screen: str, full: bool = False) -> None:
        """One picture."""
        if self.wanted in screen:
            self.page.wait_for_timeout(150)
            self.page.screenshot(path=self.folder / f"{screen}.png", full_page=full)

    def look(self, address: str, there: str, screen: str, full: bool = False) -> None:
        """A picture of the screen at an address."""
        if self.wanted in screen:
            self.page.goto(f"{self.url}/{address}")
            self.page.locator(there).first.wait_for()
            self.take(screen, full)

    def house(self) -> None:
        """The screens that don't depend on the game."""
        page = self.page
        page.locator(".game-card").first.wait_for()
        self.take("house-01-harbour", full=True)
        page.locator(".top button").last.click()
        self.take("house-02-settings")
        page.locator("dialog .primary").click()
        page.goto(f"{self.url}/#/new/{PUSH}")
        page.locator("form .primary").click()
        page.locator(".code").wait_for()
        self.take("house-03-lobby", full=True)
        self.look(f"#/tv/{page.url.rpartition('/')[2]}", ".tv-seats", "house-04-tv-before")
        sit_down(page, self.url)
        page.locator(".top button").first.click()
        page.locator(".company button", has_text=re.compile("appareil|device")).click()
        page.locator(".transfer img").wait_for()
        self.take("house-05-company")
        page.locator(".company .primary").click()
        for tab in ("log", "chat", "rules", "words"):
            if page.locator(f"#tab-{tab}:visible").count():
                page.locator(f"#tab-{tab}").click()
                self.take(f"house-06-{tab}")
                page.locator(f"#tab-{tab}").click()
        sit_down(page, self.url, players=2, others="me")
        self.take("house-07-curtain")
        self.look("#/replay", ".dropping", "house-08-match-file")
        self.look("#/NOSUCH", "[role=alert] >> visible=true", "house-09-no-such-table")
        self.look("page/offline.html", "section", "house-10-out-of-reach")

    def moment(self, moment: Moment, table: Client) -> None:
        """A decision: before a touch, when it's ready to send, for spectators, and on the TV."""
        name = f"{moment.game}-2-{moment.name}"
        if self.wanted not in name:
            return
        take_place(self.page, self.url, table, moment.game)
        self.page.locator("#must").wait_for()
        self.take(f"{name}-1")
        Player(self.page, moment.game).choose()
        self.page.wait_for_timeout(200)  # the preview comes from the server
        self.take(f"{name}-2")
        self.look(f"#/watch/{table.id}", ".watching", f"{name}-3-watching")
        self.look(f"#/tv/{table.id}", ".tv-board svg > *", f"{name}-4-tv")

    def after(self, game: str, table: Client) -> None:
        """The result, for players and on the TV; the replay."""
        name = f"{game}-3"
        if self.wanted not in name:
            return
        take_place(self.page, self.url, table, game)
        self.page.locator(".moments").wait_for()
        self.take(f"{name}-result", full=True)
        self.look(f"#/tv/{table.id}", ".tv-result", f"{name}-result-tv")
        self.look(f"#/replay/{table.id}/12", ".replay-controls", f"{name}-replay")
        self.page.locator(".replay-buttons button").last.click()
        self.page.locator(".moments").wait_for()
        self.take(f"{name}-replay-end", full=True)

    def book(self, game: str) -> None:
        """The set-up, the rules, and how to play."""
        name = f"{game}-4"
        if self.wanted not in name:
            return
        self.page.goto(f"{self.url}/#/new/{game}")
        self.page.locator("form summary").click()
        self.take(f"{game}-1-set-up", full=True)
        self.look(f"#/rules/{game}", ".example", f"{name}-rules", full=True)
        self.page.locator(".foreword button").last.click()
        self.page.locator(".howto[open]").wait_for()
        for step in range(self.page.locator(".dots li").count()):
            self.take(f"{name}-howto-{step + 1}")
            self.page.locator(".howto .primary").click()


def tours(browser: Browser, url: str, folder: Path, wanted: str) -> None:
    """All sizes, languages and themes, of the same tables."""
    going = {moment.name: find(url, moment) for moment in MOMENTS}
    over = {
        game: elsewhere(play_decided(url, game, ["me", *["mousse"] * (load(game).players[0] or 1)]))
        for game in game_ids()
    }
    for name, size in SIZES.items():
        for language in ("fr", "en"):
            for theme in ("light", "dark"):
                with aboard(browser, size, language, theme, at=url) as page:
                    tour = Tour(page, url, folder / f"{name}-{language}-{theme}", wanted)
                    if wanted in ("", "house"):
                        tour.house()
                    for moment in MOMENTS:
                        tour.moment(moment, going[moment.name])
                    for game in game_ids():
                        tour.after(game, over[game])
                        tour.book(game)


def main() -> None:
    """Take them all."""
    folder, wanted = Path((sys.argv + ["screenshots"])[1]), "".join(sys.argv[2:3])
    with (
        tempfile.TemporaryDirectory() as room,
        ServerProcess(Path(room), "--limits", "0") as server,
        chromium() as browser,
    ):
        tours(browser, server.url, folder, wanted)
    print(f"{len(list(folder.rglob('*.png')))} pictures in {folder}")


if __name__ == "__main__":
    main()
