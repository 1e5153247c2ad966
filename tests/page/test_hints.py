"""Hints at the table: three choices with chances, the best drawn on the board, by touch and by keyboard."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.page.player import ISLAND, PUSH
from tests.page.sailor import LAPTOP, PHONE, aboard, axe, drawn, moved_on, press_until, sit_down, version_of
from tests.server.launcher import ServerProcess

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
