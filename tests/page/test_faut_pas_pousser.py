"""Faut pas pousser in a real Chromium: the plank says which slot is which, and the look ahead tells the truth."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from tests.page.sailor import LAPTOP, PHONE, aboard, drawn, moved_on, sit_down, version_of
from tests.serving import Serving

PIRATE, CARD = "[data-pirate]:not([disabled])", "[data-card]:not([disabled])"


def begin(page: Page, url: str) -> None:
    """The installation is over, and it is our turn."""
    sit_down(page, url)
    page.locator("[data-pirate='4']").click()
    play(page)


def play(page: Page) -> None:
    """Send what was chosen, and wait for our next turn."""
    version = version_of(page)
    page.locator(".act .primary:not([disabled])").click()
    moved_on(page, version)
    page.locator("#must").wait_for()


def middle(what: Locator) -> float:
    """Where something is, from left to right."""
    box = what.bounding_box()
    assert box
    return box["x"] + box["width"] / 2


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_the_slots_of_the_plank_are_numbered_as_the_words_count_them(
    server: Serving, browser: Browser, size: tuple[int, int]
) -> None:
    with aboard(browser, server.url, size) as page:
        begin(page, server.url)
        places = page.locator(".spot .place")
        expect(places).to_have_text(["1", "2", "3", "4"])
        page.locator(CARD).first.click()
        for slot in range(4):
            target = page.locator("[data-slot]").nth(slot)
            assert (target.get_attribute("aria-label") or "").startswith(f"Emplacement\u00a0{slot + 1}\u00a0: ")
            assert abs(middle(target) - middle(places.nth(slot))) < 2
        page.locator("[data-slot='3']").click()
        expect(page.locator(".spot.aimed .place")).to_have_text("3")
        page.locator(PIRATE).first.click()
        expect(page.locator("#must")).to_contain_text("l’emplacement\u00a03")


def test_an_arrow_ends_where_its_pirate_is_seen(server: Serving, browser: Browser) -> None:
    with aboard(browser, server.url) as page:
        begin(page, server.url)
        for _turn in range(4):
            page.locator(CARD).first.click()
            page.locator("[data-slot='2']").click()  # every card moves whoever stands there
            page.locator(PIRATE).first.click()
            for order in (1, 0):
                page.locator(".order button").nth(order).click()
                drawn(page)  # the look ahead of the other order is gone
                page.locator(".arrow-head.at-sea").wait_for()
                head = page.locator(".arrow-head:not(.at-sea)")
                assert abs(middle(head) - middle(page.locator(".target.aimed rect"))) < 2
                fallen = page.locator(".piece.swims").count()
                pool = page.locator(".pool ellipse").nth(fallen // 4).bounding_box()
                assert pool and pool["x"] < middle(page.locator(".arrow-head.at-sea")) < pool["x"] + pool["width"]
            play(page)


def test_a_card_that_does_nothing_says_so(server: Serving, browser: Browser) -> None:
    with aboard(browser, server.url) as page:
        begin(page, server.url)
        page.locator("[data-card='-1']").click()
        page.locator("[data-slot='1']").click()
        expect(page.locator(".vain")).to_have_text("sans effet")
        page.locator("[data-slot='2']").click()
        expect(page.locator(".vain")).to_have_count(0)


def test_non_merci_is_offered_once(server: Serving, browser: Browser) -> None:
    with aboard(browser, server.url) as page:
        begin(page, server.url)
        expect(page.locator("#must")).to_contain_text("Non merci")
        page.locator("[data-pass]").click()
        play(page)
        expect(page.locator("#must")).to_have_text(re.compile("carte action.$"))


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_the_board_stays_where_it_is_while_one_chooses(
    server: Serving, browser: Browser, size: tuple[int, int]
) -> None:
    with aboard(browser, server.url, size) as page:
        begin(page, server.url)
        before = page.locator("svg.scene").bounding_box()
        page.locator(PIRATE).first.click()
        page.locator(CARD).first.click()
        page.locator("[data-slot='2']").click()
        expect(page.locator(".order")).to_be_visible()
        assert page.locator("svg.scene").bounding_box() == before
