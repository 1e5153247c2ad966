"""Every screen × phone, laptop, TV, 4K × French, English × day, night, into a folder for people to look at.

`make screenshots`, or `python -m tests.page.screenshots [FOLDER [house | GAME]]` for the screens of all or of one game.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from playwright.sync_api import Browser, Page
from tests.page.gathering import Gathering, alone, archived, branches, meet, taking_back
from tests.page.moment import MOMENTS, Moment, find
from tests.page.player import ISLAND, PLANK, PUSH, READY, SAVE, TARGETS, Player
from tests.page.sailor import LAPTOP, PHONE, TV, aboard, chromium, elsewhere, play_decided, sit_down, take_place
from tests.page.test_puzzles import selectors
from tests.page.test_undo import CUT
from tests.server.launcher import ServerProcess

from tribord import game_ids, load
from tribord.bots.puzzle import puzzle
from tribord.client import Client
from tribord.server import guide

SIZES = {"phone": PHONE, "laptop": LAPTOP, "tv": TV, "4k": (3840, 2160)}
LANGUAGES, THEMES = ("fr", "en"), ("light", "dark")
THINKING = 110_000  # milliseconds for a hint or an analysis
HINTED = ("playing", "shoving", "placing", "strategic")  # the moments at which someone asks for a hint
LED = 3  # decisions that a newcomer takes before the camera
# What a newcomer could touch instead of what the guide suggests, and what nobody can choose now.
OFFERED = {
    PUSH: "[data-pirate]:not([aria-disabled])",
    PLANK: ".w-card:not([aria-disabled='true'])",
    SAVE: TARGETS,
    ISLAND: "[data-pawn]:not([aria-disabled])",
}
REFUSALS = ("404", "409")  # of a table that doesn't exist, and of one with other rules: both are screens
REFUSED = ".table-screen .hand-area [aria-disabled='true'], .table-screen .scene [aria-disabled='true']"


class Tour:
    """Through the screens at one size, in one language and theme."""

    def __init__(self, page: Page, url: str, folder: Path, wanted: str):
        self.page, self.url, self.folder, self.wanted = page, url, folder, wanted
        self.everything = wanted in ("", "house")
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
        self.look("#/puzzles", ".puzzle-list", "house-13-puzzles", full=True)

    def company(self, playing: Gathering, before: Gathering) -> None:
        """Screens about other people: joining, waiting, muting, reporting, being away."""
        page = self.page
        self.look(f"#/{before.anne.id}", "main form", "house-16-people-1-join")
        take_place(page, self.url, before.zoe, before.game)
        page.locator(".lobby").wait_for()
        self.take("house-16-people-2-lobby-of-a-guest", full=True)
        page.clock.install()
        take_place(page, self.url, playing.anne, playing.game)
        page.locator(".top button").first.click()
        self.take("house-16-people-3-company")
        page.locator(".powers button").first.click()
        page.locator(".company-seats small", has_text=re.compile("parole|muted")).wait_for()
        self.take("house-16-people-4-muted")
        page.locator(".powers button").first.click()
        page.locator(".powers button", has_text=re.compile("Signaler|Report")).click()
        self.take("house-16-people-5-report")
        page.locator(".company .primary").click()
        page.clock.fast_forward(5_000)
        page.locator(".absent").wait_for()
        self.take("house-16-people-6-away")
        page.clock.fast_forward(62_000)
        page.locator(".absent button").wait_for()
        self.take("house-16-people-7-away-for-long")
        page.goto(f"{self.url}/#/tv/{playing.anne.id}")
        page.locator(".tv-board svg > *").first.wait_for()
        page.clock.fast_forward(5_000)
        page.locator(".tv-turn strong").wait_for()
        self.take("house-16-people-8-away-tv")

    def undo(self, asked: Gathering, mine: Client) -> None:
        """Someone wants to take a decision back."""
        page = self.page
        for name, client in (("asking", asked.anne), ("asked", asked.zoe)):
            take_place(page, self.url, client, asked.game)
            page.reload()  # the table is the same, but not whose device this is
            page.locator(".asked").first.wait_for()
            self.take(f"house-15-undo-1-{name}")
        self.look(f"#/tv/{asked.anne.id}", ".tv-board svg > *", "house-15-undo-2-tv")
        take_place(page, self.url, mine, ISLAND)
        page.locator("#must").wait_for()
        page.locator(".top button").first.click()
        page.locator(".company > button").first.click()
        self.take("house-15-undo-3-question")

    def lost(self, table: Client) -> None:
        """Without a connection, at the table and on the TV."""
        page = self.page
        page.goto(self.url)
        page.locator(".game-card").first.wait_for()
        page.evaluate(CUT)
        for name, address, there in (
            ("table", f"#/watch/{table.id}", ".watching"),
            ("tv", f"#/tv/{table.id}", ".tv-board"),
        ):
            page.evaluate("mend()")
            page.evaluate("(address) => { location.hash = address; }", address)
            page.locator(there).first.wait_for()
            page.evaluate("cut()")
            page.locator(".banner").wait_for()
            self.take(f"house-11-lost-{name}")
        page.reload()

    def archive(self, table: str) -> None:
        """A match of older rules."""
        self.look(f"#/archive/{table}", ".written", "house-12-archive", full=True)

    def what_if(self, original: Client, going: Client, over: Client) -> None:
        """A branch: the question, the banner, the comparison."""
        page = self.page
        self.look(f"#/replay/{original.id}/6/branch", "dialog.branch[aria-busy=false]", "house-14-branch-1-question")
        page.locator("dialog.branch button").first.click()
        take_place(page, self.url, going, PUSH)
        page.locator("#must").wait_for()
        self.take("house-14-branch-2-going-on")
        take_place(page, self.url, over, PUSH)
        page.locator(".result .comparison").wait_for()
        self.take("house-14-branch-3-result", full=True)
        self.look(f"#/replay/{original.id}", ".comparison", "house-14-branch-4-original", full=True)

    def touches(self, moment: Moment, table: Client) -> None:
        """What can't be chosen says why; what happened since one's last turn."""
        page, name = self.page, f"{moment.game}-2-{moment.name}"
        if self.wanted not in name:
            return
        take_place(page, self.url, table, moment.game)
        page.locator("#must").wait_for()
        if page.locator(REFUSED).count():
            page.locator(REFUSED).first.dispatch_event("click")
            page.locator(".notice").wait_for()
            self.take(f"{name}-5-refused")
        if page.locator(".since").count():
            page.locator(".since").click()
            self.take(f"{name}-6-since")
        if moment.name in HINTED:
            page.reload()
            page.locator(".ask-hint").click()
            page.locator(".hints").wait_for(timeout=THINKING)
            self.take(f"{name}-7-hint")

    def guided(self, game: str) -> None:
        """The beginning of every guided match, and the answer to a wrong touch."""
        page = self.page
        for number, lesson in enumerate(guide.lessons(load(game))):
            name = f"{game}-5-guided-{lesson}"
            if self.wanted not in name:
                continue
            page.goto(f"{self.url}/#/")
            card = page.locator(".game-card").nth(game_ids().index(game))
            card.locator(".learn button.chip, .learn button.quiet").nth(number).click()
            page.locator("[data-suggested]").wait_for()
            self.take(f"{name}-1")
            other = page.locator(", ".join(f"{one}:not([data-suggested])" for one in OFFERED[game].split(", ")))
            if other.count():
                other.first.click()
                self.take(f"{name}-1-wrong")
            for decision in range(LED):
                while page.locator("[data-suggested]").count():
                    marked = page.locator("[data-suggested]").first
                    deciding = marked.evaluate("(marked) => marked.matches('.act .primary')")
                    marked.click()
                    page.wait_for_timeout(200)
                    if deciding:
                        break
                page.locator("[data-suggested]").first.wait_for()
                self.take(f"{name}-{decision + 2}")

    def puzzle(self, game: str) -> None:
        """A puzzle, and the explanation after a wrong answer."""
        name, first = f"{game}-6-puzzle", puzzle(load(game), 1)
        if self.wanted not in name:
            return
        self.look(f"#/puzzles/{game}/1", "#must", f"{name}-1")
        for selector in selectors(first, first.suggestions[-1].action):
            self.page.locator(selector).first.click()
        self.page.locator(READY).click()
        self.page.locator(".answered").wait_for()
        self.take(f"{name}-2-answer")
        self.take(f"{name}-3-answer-whole", full=True)

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
        self.page.locator(".ask-analysis").click()
        self.page.locator(".analysis h2").wait_for(timeout=THINKING)
        self.take(f"{name}-replay-analysis", full=True)

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


class Fleet:
    """All tables that are looked at: every size, language and theme shows the same."""

    def __init__(self, url: str):
        self.moments = {moment.name: find(url, moment) for moment in MOMENTS}
        self.over = {
            game: elsewhere(play_decided(url, game, ["me", *["mousse"] * (load(game).players[0] or 1)]))
            for game in game_ids()
        }
        self.playing, self.before = elsewhere(meet(url)), elsewhere(meet(url, start=False))
        self.asked, self.mine = elsewhere(taking_back(url)), elsewhere(alone(url, ISLAND))
        self.original = elsewhere(play_decided(url, PUSH, ["me", "mousse"]))
        self.going, self.finished = elsewhere(branches(url, self.original))
        self.archive = elsewhere(archived(url))


def steps(tour: Tour, fleet: Fleet) -> list[Callable[[], None]]:
    """What is taken, in order. Screens with a clock of their own come last."""
    own = [
        tour.house,
        lambda: tour.undo(fleet.asked, fleet.mine),
        lambda: tour.what_if(fleet.original, fleet.going, fleet.finished),
        lambda: tour.archive(fleet.archive),
        lambda: tour.lost(fleet.playing.anne),
    ]
    moments = [
        partial(take, moment, fleet.moments[moment.name]) for moment in MOMENTS for take in (tour.moment, tour.touches)
    ]
    games = [
        part
        for game in game_ids()
        for part in (
            partial(tour.after, game, fleet.over[game]),
            partial(tour.book, game),
            partial(tour.guided, game),
            partial(tour.puzzle, game),
        )
    ]
    people = [partial(tour.company, fleet.playing, fleet.before)]
    return [*(own if tour.everything else []), *moments, *games, *(people if tour.everything else [])]


def tours(browser: Browser, url: str, folder: Path, wanted: str) -> None:
    """All sizes, languages and themes, of the same tables."""
    fleet = Fleet(url)
    for name, size in SIZES.items():
        for language in LANGUAGES:
            for theme in THEMES:
                with aboard(browser, size, language, theme, at=url, refusals=REFUSALS) as page:
                    tour = Tour(page, url, folder / f"{name}-{language}-{theme}", wanted)
                    for step in steps(tour, fleet):
                        step()


def main() -> None:
    """Take them all."""
    folder, wanted = Path((sys.argv + ["screenshots"])[1]), "".join(sys.argv[2:3])
    with (
        tempfile.TemporaryDirectory() as room,
        ServerProcess(Path(room), "--limits", "0", "--analysis-seconds", "3") as server,
        chromium() as browser,
    ):
        tours(browser, server.url, folder, wanted)
    print(f"{len(list(folder.rglob('*.png')))} pictures in {folder}")


if __name__ == "__main__":
    main()
