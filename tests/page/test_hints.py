"""Hints at the table: three choices with chances, the best drawn on the board, by touch and by keyboard."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.page.player import ISLAND, PLANK, PUSH, SAVE
from tests.page.sailor import (
    LAPTOP,
    PHONE,
    aboard,
    axe,
    drawn,
    elsewhere,
    moved_on,
    play,
    press_until,
    sit_down,
    take_place,
    version_of,
)
from tests.server.launcher import ServerProcess

from tribord import load
from tribord.client import Turn

HINT = ".ask-hint"
THINKING = 60_000  # milliseconds: here nothing is compiled


def ask(page: Page) -> None:
    """Ask for a hint, and wait for it."""
    page.locator(HINT).click()
    page.locator(".hints").wait_for(timeout=THINKING)


def test_a_hint_is_read_and_played_by_touch(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, PHONE) as page:
        sit_down(page, server.url, PUSH, players=2)
        ask(page)
        choices = page.locator(".suggestion")
        expect(choices).to_have_count(3)
        expect(choices.first).to_have_attribute("aria-pressed", "true")
        expect(choices.first).to_contain_text(re.compile(r"\d+\s%\sde chances de gagner"))
        expect(choices.first).to_contain_text(re.compile(r"\d+\s% à\s\d+\s%|presque exactement"))
        assert not axe(page)
        choices.nth(1).click()
        expect(choices.nth(1)).to_have_attribute("aria-pressed", "true")
        version = version_of(page)
        page.locator(".act .primary").click()  # the suggestion is laid out and ready to play
        moved_on(page, version)
        expect(page.locator(".hints")).to_have_count(0)


@pytest.mark.parametrize(("language", "words"), [("en", "that you all win"), ("fr", "de chances de tous gagner")])
def test_a_hint_is_read_and_played_by_keyboard(
    server: ServerProcess, browser: Browser, language: str, words: str
) -> None:
    with aboard(browser, LAPTOP, language) as page:
        sit_down(page, server.url, ISLAND, players=2, others="me", options={"game": "strategic"})
        press_until(page, HINT)
        page.keyboard.press("Enter")
        page.locator(".hints").wait_for(timeout=THINKING)
        expect(page.locator(".suggestion").first).to_contain_text(words)
        expect(page.locator(HINT)).to_be_focused()
        for _time in range(2):  # away, and back at once
            page.keyboard.press("Enter")
            drawn(page)
        expect(page.locator(".hints")).to_have_count(1)
        version = version_of(page)
        press_until(page, ".act .primary:not([disabled])")
        page.keyboard.press("Enter")
        moved_on(page, version)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_on_a_small_phone_the_words_of_a_hint_do_not_overlap(
    server: ServerProcess, browser: Browser, language: str
) -> None:
    with aboard(browser, (320, 640), language) as page:
        sit_down(page, server.url, ISLAND, players=2, options={"game": "strategic"})
        ask(page)
        apart = """(row) => {
          const [said, range] = ["span", "small"].map((part) => row.querySelector(part));
          range.textContent = "presque exactement"; // the longest there is
          const [left, right] = [said, range].map((part) => part.getBoundingClientRect());
          const overlap = left.left + said.scrollWidth > right.left && left.bottom > right.top;
          return !overlap && right.right <= row.getBoundingClientRect().right;
        }"""
        assert page.locator(".suggestion").count() == 3
        assert all(row.evaluate(apart) for row in page.locator(".suggestion").all())


DRAWING = "document.querySelector('svg.scene').innerHTML"
GHOSTS = {PUSH: ".table-cards.ghost", PLANK: ".w-ghost", SAVE: ".sqp-piece.preview", ISLAND: ".ghost"}


@pytest.mark.parametrize("game", [PUSH, PLANK, SAVE, ISLAND])
def test_a_hint_is_drawn_on_the_board_and_says_what_comes_then(
    server: ServerProcess, browser: Browser, game: str
) -> None:
    with aboard(browser, PHONE, "en") as page:
        options = {"game": "strategic"} if game == ISLAND else {}
        sit_down(page, server.url, game, players=2 if game in (PUSH, ISLAND) else 3, options=options)
        page.locator(HINT).wait_for()
        before = page.evaluate(DRAWING)
        expect(page.locator(GHOSTS[game])).to_have_count(0)
        ask(page)
        expect(page.locator(GHOSTS[game]).first).to_be_attached()
        first = page.evaluate(DRAWING)
        assert first != before
        expect(page.locator(".follows")).to_have_text(re.compile(r"(Then, most likely:|What comes then) \S.*\."))
        page.locator(".suggestion").nth(1).click()
        expect(page.locator(".suggestion").nth(1)).to_have_attribute("aria-pressed", "true")
        page.wait_for_function(f"([before, first]) => ![before, first].includes({DRAWING})", arg=[before, first])
        assert not axe(page)


@pytest.mark.parametrize(("phase", "wanted"), [("leak", "cap"), ("leak", "vote"), ("overboard", "vote")])
def test_a_hinted_vote_is_drawn_over_the_dial(server: ServerProcess, browser: Browser, phase: str, wanted: str) -> None:
    game = load(SAVE)

    def legal(turn: Turn) -> list[int]:
        return [action for action in turn.legal if game.notation(action).startswith(wanted)]

    def there(turn: Turn) -> bool:
        return turn.view["phase"] == phase and len(turn.legal) > 1 and bool(legal(turn))

    action: int | None = None

    def until(turn: Turn) -> bool:
        nonlocal action
        if there(turn):
            action = legal(turn)[-1]
        return there(turn)

    for _match in range(20):  # in some no one has to go overboard
        anne = elsewhere(play(server.url, SAVE, ["me", "mousse", "mousse"], until=until))
        if action is not None:
            break
    value = {"mean": 0.4, "low": 0.3, "high": 0.5}
    hint = {"version": 0, "seat": 0, "exact": False, "suggestions": [{"action": action, "value": value, "line": []}]}
    with aboard(browser, PHONE, "en", at=server.url) as page:
        page.route("**/hint*", lambda route: route.fulfill(json=hint))
        take_place(page, server.url, anne, SAVE)
        ask(page)
        ghost = page.locator(".sqp-dial.ghost")
        expect(ghost).to_have_count(1)
        sign = {"cap": "path", "leak": "text.vote", "overboard": "g"}[wanted if wanted == "cap" else phase]
        expect(ghost.locator(sign).first).to_be_attached()
        page.locator(".act button", has_text="Back").click()
        expect(ghost).to_have_count(0)


def test_a_touch_on_the_board_puts_the_hint_away(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, LAPTOP, "en") as page:
        sit_down(page, server.url, PUSH, players=2)
        ask(page)
        page.locator(".act button", has_text="Back").click()
        expect(page.locator(".hints")).to_have_count(0)
        expect(page.locator(HINT)).to_have_attribute("aria-expanded", "false")


def test_the_host_turns_hints_off_and_everyone_sees_it(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, LAPTOP, "en", at=f"{server.url}/#/new/{PUSH}") as page:
        page.locator("details summary").click()
        page.locator("input[name=hints]").uncheck()
        page.locator("form .primary").click()
        expect(page.locator(".lobby")).to_contain_text("No hints at this table.")
        table = page.url.rpartition("/")[2]
        with aboard(browser, PHONE, "fr", at=f"{server.url}/#/watch/{table}") as guest:
            expect(guest.locator(".lobby")).to_contain_text("Pas de conseils à cette table.")
        page.locator(".lobby .primary").click()
        page.locator(".act .primary").wait_for()
        expect(page.locator(HINT)).to_have_count(0)
