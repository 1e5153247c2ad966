"""Every screen × phone, laptop, TV, 4K × French, English × day, night, into a folder for people to look at.

`make screenshots`, or `python -m tests.page.screenshots [FOLDER]`.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page
from tests.page.sailor import LAPTOP, PHONE, TV, aboard, chromium, sit_down
from tests.serving import Serving

from tribord import game_ids

SIZES = {"phone": PHONE, "laptop": LAPTOP, "tv": TV, "4k": (3840, 2160)}


def take(page: Page, folder: Path, screen: str, full: bool = False) -> None:
    """One picture."""
    page.wait_for_timeout(150)
    page.screenshot(path=folder / f"{screen}.png", full_page=full)


def tour(browser: Browser, url: str, size: tuple[int, int], language: str, theme: str, folder: Path) -> None:
    """Through all the screens at one size, in one language and theme."""
    folder.mkdir(parents=True, exist_ok=True)
    with aboard(browser, url, size, language, theme) as page:
        page.locator(".game-card").first.wait_for()
        take(page, folder, "1-harbour", full=True)
        page.locator(".top button").last.click()
        take(page, folder, "2-settings")
        page.locator("dialog .primary").click()
        page.goto(f"{url}/#/new/faut-pas-pousser")
        page.locator("summary").click()
        take(page, folder, "3-set-up", full=True)
        page.locator("form .primary").click()
        page.locator(".code").wait_for()
        take(page, folder, "4-lobby", full=True)
        look(page, f"{url}/#/tv/{page.url.rpartition('/')[2]}", ".tv-seats", folder, "10-tv-before")
        sit_down(page, url)
        page.locator("[data-pirate='4']").click()
        take(page, folder, "5-picking")
        page.locator(".act .primary").click()
        for turn in range(6):
            page.locator(".card:not([disabled]), .result").first.wait_for()
            if page.locator("[data-pirate]:not([disabled])").count():
                page.locator("[data-pirate]:not([disabled])").last.click()
                page.locator("[data-card]:not([disabled])").last.click()
                if turn == 2:
                    take(page, folder, "6-aiming")
                page.locator("[data-slot]").nth(1).click()
            else:
                page.locator("[data-pass]").click()
            if turn == 2:
                page.wait_for_timeout(300)
                take(page, folder, "7-aimed")
            version = page.locator(".table-screen").get_attribute("data-version")
            page.locator(".act .primary").click()
            page.locator(f".table-screen:not([data-version='{version}'])").wait_for()
            if turn == 3:
                page.locator("#tab-rules").click()
                take(page, folder, "8-rules")
                page.locator("#tab-rules").click()
        page.locator(".result").wait_for()
        page.locator(".moments").wait_for()
        take(page, folder, "9-result", full=True)
        over = page.url.rpartition("/")[2]
        sit_down(page, url)
        going = page.url.rpartition("/")[2]
        page.locator(".top button").first.click()
        page.locator(".company button", has_text=re.compile("autre appareil|another device")).click()
        page.locator(".moving img").wait_for()
        take(page, folder, "11-company")
        page.locator(".company .primary").click()
        look(page, f"{url}/#/tv/{going}", ".tv-board .piece", folder, "12-tv")
        look(page, f"{url}/#/tv/{over}", ".tv-result", folder, "13-tv-after")
        look(page, f"{url}/#/watch/{going}", ".watching", folder, "14-watching")
        look(page, f"{url}/#/replay/{over}/12", ".replay-controls", folder, "15-replay")
        page.locator(".replay-buttons button").last.click()
        page.locator(".moments").wait_for()
        take(page, folder, "16-replay-end", full=True)
        look(page, f"{url}/#/replay", ".dropping", folder, "17-match-file")
        sit_down(page, url, players=2, others="me")
        take(page, folder, "18-curtain")
        for game in game_ids():
            page.goto(f"{url}/#/rules/{game}")
            page.locator(".example").first.wait_for()
            take(page, folder, f"19-rules-{game}", full=True)
            page.locator(".foreword button").click()
            page.locator(".howto[open]").wait_for()
            for step in range(page.locator(".dots li").count()):
                take(page, folder, f"20-howto-{game}-{step + 1}")
                page.locator(".howto .primary").click()
        look(page, f"{url}/#/NOSUCH", "[role=alert] >> visible=true", folder, "21-no-such-table")
        look(page, f"{url}/page/offline.html", "section", folder, "22-out-of-reach")


def look(page: Page, address: str, there: str, folder: Path, screen: str) -> None:
    """A picture of the screen at an address."""
    page.goto(address)
    page.locator(there).first.wait_for()
    take(page, folder, screen)


def main() -> None:
    """Take them all."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "screenshots")
    with tempfile.TemporaryDirectory() as room, Serving(Path(room), "--limits", "0") as server, chromium() as browser:
        for name, size in SIZES.items():
            for language in ("fr", "en"):
                for theme in ("light", "dark"):
                    tour(browser, server.url, size, language, theme, folder / f"{name}-{language}-{theme}")
    print(f"{len(list(folder.rglob('*.png')))} pictures in {folder}")


if __name__ == "__main__":
    main()
