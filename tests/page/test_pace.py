"""People can follow the bots: every line stays long enough to read, on every screen, and no bot runs ahead. The short
matches run at eight times the speed, with an eighth of every limit; `make test-long` plays whole matches at normal
speed.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.page.onlooker import NOTES, notes
from tests.page.player import PLANK, PUSH, SAVE, Player
from tests.page.sailor import LAPTOP, PHONE, TV, aboard, sit_down
from tests.server.launcher import ServerProcess

from tribord import game_ids
from tribord.server.audience import PATIENCE_SECONDS

FAST = 8
PLAYERS = {PUSH: 4, PLANK: 4, SAVE: 4, "ile-aux-pirates": 4}
OPTIONS: dict[str, dict[str, Any]] = {PUSH: {}, PLANK: {}, SAVE: {}, "ile-aux-pirates": {}}
BRIEF = re.compile(r"brief: \[(.*?)\]", re.DOTALL)
CLIENTS = Path("src/tribord/games")
SLACK = 20  # milliseconds between what a timer promises and what a clock says


def reading(line: str) -> float:
    """How many milliseconds a line must stay at normal speed: 0.9 s and 0.2 s for each word beyond four."""
    words = [word for word in line.split() if re.search(r"\w", word)]
    return 900 + 200 * max(0, len(words) - 4)


def wordless(game: str) -> set[str]:
    """The kinds of events that the board shows without a line."""
    source = (CLIENTS / game.replace("-", "_") / "client" / "board.js").read_text(encoding="utf-8")
    found = BRIEF.search(source)
    return set(re.findall(r'"([^"]+)"', found[1])) if found else set()


@pytest.fixture(scope="module")
def paced(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with bots that wait for the screens."""
    with ServerProcess(tmp_path_factory.mktemp("pace"), "--limits", "0", "--pace", "0.1") as serving:
        yield serving


@contextmanager
def watched(browser: Browser, server: ServerProcess, game: str, speed: float) -> Iterator[tuple[Player, list[Page]]]:
    """Someone plays with three bots on a phone, while a laptop and a TV watch; all three are recorded."""
    with ExitStack() as stack:
        sizes = [(PHONE, "fr"), (LAPTOP, "en"), (TV, "fr")]
        pages = [
            stack.enter_context(aboard(browser, size, language, speed=speed, first=NOTES)) for size, language in sizes
        ]
        for page in pages:
            page.set_default_timeout(40_000)
        phone, laptop, tv = pages
        player = Player(phone, game)
        sit_down(phone, server.url, game, PLAYERS[game], others="mousse", options=OPTIONS[game], start=False)
        table = phone.url.rpartition("/")[2]
        laptop.goto(f"{server.url}/#/watch/{table}")
        tv.goto(f"{server.url}/#/tv/{table}")
        laptop.locator(".lobby").wait_for()
        tv.locator(".tv-seats").wait_for()
        phone.locator(".lobby .primary").click()
        yield player, pages


def play(player: Player, lines: float) -> bool:
    """Play until the match is over (True) or this many lines were shown (False)."""
    while len(notes(player.page)["lines"]) < lines:
        player.page.locator("#must, .result").first.wait_for()
        if player.page.locator(".result").count():
            return True
        player.decide()
    return False


def hold_to_account(page: Page, game: str, speed: float) -> tuple[int, int]:
    """Every line was readable, and no event is missing; returns the number of lines and their median time."""
    noted = notes(page)
    lines = [line for line in noted["lines"] if line["to"] is not None]
    short = [
        (line["text"], line["to"] - line["from"])
        for line in lines
        if line["to"] - line["from"] < reading(line["text"]) / speed - SLACK
    ]
    assert not short, short[:5]
    told = [kind for heard in noted["heard"] for kind in heard["events"] if kind not in wordless(game)]
    shown = [line["kind"] for line in noted["lines"]]
    assert shown == told[: len(shown)], (shown, told)
    stays = sorted(line["to"] - line["from"] for line in lines)
    return len(shown), stays[len(stays) // 2]


def waits(pages: list[Page]) -> list[int]:
    """For each action of a bot, its milliseconds after the last screen had reported the version before."""
    noted = [notes(page) for page in pages]
    done = [{v: min(r["at"] for r in seen["reported"] if r["v"] >= v) for v in reports(seen)} for seen in noted]
    acts = [[heard for heard in seen["heard"] if heard["bot"]] for seen in noted]  # each has its own versions
    return [
        act[0]["at"] - max(screen.get(own["v"] - 1, math.inf) for own, screen in zip(act, done)) for act in zip(*acts)
    ]


def reports(noted: dict[str, list[dict[str, Any]]]) -> range:
    """The versions up to the last that a screen has reported."""
    return range(max((report["v"] for report in noted["reported"]), default=0) + 1)


@pytest.mark.parametrize("game", game_ids())
def test_every_line_of_the_bots_can_be_read_on_phone_laptop_and_tv(
    game: str, paced: ServerProcess, browser: Browser
) -> None:
    with watched(browser, paced, game, FAST) as (player, pages):
        play(player, 20)
        for page in pages:
            lines, _median = hold_to_account(page, game, FAST)
            assert lines > 8
        waited = waits(pages)
        assert len(waited) > 3 and min(waited) >= 0, waited


@pytest.mark.long
@pytest.mark.parametrize("game", game_ids())
def test_a_whole_match_at_normal_speed(game: str, paced: ServerProcess, browser: Browser) -> None:
    with watched(browser, paced, game, 1) as (player, pages):
        started = time.monotonic()
        player.page.set_default_timeout(400_000)  # players who are out of Walk the Plank look on until the end
        assert play(player, math.inf)
        expect(pages[1].locator(".result")).to_be_visible()
        expect(pages[2].locator(".tv-result")).to_be_visible()
        found = [hold_to_account(page, game, 1) for page in pages]
        for page, (lines, _median) in zip(pages, found):
            kinds = [kind for heard in notes(page)["heard"] for kind in heard["events"] if kind not in wordless(game)]
            assert lines == len(kinds)  # to the last one
        waited = waits(pages)
        assert min(waited) >= 0, waited
        print(f"{game}: {time.monotonic() - started:.0f} s, {len(waited)} acts of bots, lines and median ms: {found}")


def test_a_frozen_screen_delays_the_table_by_no_more_than_the_limit(paced: ServerProcess, browser: Browser) -> None:
    with watched(browser, paced, PUSH, FAST) as (player, pages):
        phone, laptop, tv = pages
        phone.locator("#must").wait_for()
        frozen = tv.context.new_cdp_session(tv)
        frozen.send("Page.setWebLifecycleState", {"state": "frozen"})
        player.decide()
        play(player, 25)
        waited = waits([phone, laptop])
        late = [wait for wait in waited if wait > 1_500]
        assert len(waited) > 3 and len(late) <= 1 and max(waited) < PATIENCE_SECONDS * 1000 + 1_500, waited
        frozen.send("Page.setWebLifecycleState", {"state": "active"})


HIDDEN = """(() => {
  Object.defineProperty(document, "hidden", { get: () => true });
  Object.defineProperty(document, "visibilityState", { get: () => "hidden" });
})();"""


@pytest.mark.parametrize("look", ["in the background", "without motion"])
def test_nobody_waits_for_a_screen_that_shows_nothing(paced: ServerProcess, browser: Browser, look: str) -> None:
    hidden = look == "in the background"
    with aboard(browser, PHONE, "fr", speed=0.5, first=(HIDDEN if hidden else "") + NOTES) as page:
        if not hidden:
            page.emulate_media(reduced_motion="reduce")
        player = Player(page, PUSH)
        sit_down(page, paced.url, PUSH, 4)
        page.locator("#must").wait_for()
        player.decide()
        page.locator("#must").wait_for()
        player.decide()
        page.locator("#must").wait_for()
        noted = notes(page)
        assert not [line for line in noted["lines"] if line["text"]]
        heard = [heard["at"] for heard in noted["heard"] if heard["bot"]]
        gaps = [later - sooner for sooner, later in pairwise(heard)]
        assert len(gaps) > 3 and sorted(gaps)[len(gaps) // 2] < 600, gaps  # at half speed a turn takes many seconds


def test_a_tap_moves_to_the_next_beat_and_the_button_to_the_end(paced: ServerProcess, browser: Browser) -> None:
    with watched(browser, paced, PUSH, 0.5) as (player, pages):
        phone = pages[0]
        phone.locator("#must").wait_for()
        player.decide()  # everyone has picked: the installation is a turn of several lines
        phone.locator(".must.narrated").first.wait_for()
        first = phone.locator(".must.narrated").get_attribute("data-beat")
        phone.locator(".scene-area svg").click(position={"x": 5, "y": 5})
        expect(phone.locator(f".must.narrated:not([data-beat='{first}'])")).to_be_visible(timeout=1_000)
        phone.get_by_role("button", name="Tout passer").click()
        expect(phone.get_by_role("button", name="Tout passer")).to_have_count(0, timeout=1_000)


def test_since_your_last_turn_is_shown_again_in_words_and_pictures(paced: ServerProcess, browser: Browser) -> None:
    with aboard(browser, PHONE, "en", speed=FAST) as page:
        page.set_default_timeout(40_000)
        player = Player(page, PUSH)
        sit_down(page, paced.url, PUSH, 4)
        page.locator("#must").wait_for()
        player.alone()
        player.decide()
        page.locator("#must").wait_for()
        own = max(place for place, message in enumerate(player.messages) if message.get("by") == 0)
        since = [message["events"] for message in player.messages[own + 1 :] if message.get("events")]
        told = sum(len(events) for events in since)
        page.locator(".since").click()
        expect(page.locator(".recap li")).to_have_count(len(since))
        expect(page.locator(".recap li p")).to_have_count(told)
        expect(page.locator(".recap .replayed svg.scene")).to_have_count(len(since))
        page.locator(".replayed").first.click()
        page.go_back()
        expect(page.locator(".recap")).to_have_count(0)
        page.reload()  # the pictures are gone with the page, the words aren't
        page.locator(".since").click()
        expect(page.locator(".recap li p")).to_have_count(told)
        page.keyboard.press("Escape")
        player.decide()
        expect(page.locator(".since")).to_have_count(0)  # what we have seen and answered isn't shown again
