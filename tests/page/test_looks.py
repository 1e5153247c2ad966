"""What people saw at a glance in pictures of every screen: paint that leaks, old answers, words cut off."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.page.player import PLANK, PUSH, SAVE
from tests.page.sailor import PHONE, aboard, drawn, sit_down
from tests.server.launcher import ServerProcess

from tribord import game_ids

SOURCE = Path(__file__).parents[2] / "src" / "tribord"
CUT_OFF = """(seat, names) => names.filter((name) => {
  seat.textContent = name;
  return seat.scrollWidth > seat.parentElement.clientWidth;
})"""
RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
CLASSES = re.compile(r'class=(?:"([^"]*)"|\$\{`([^`]*)`\})')


def test_no_screen_paints_the_pieces_of_a_board() -> None:
    painted = {
        selector.strip()[1:]
        for sheet in (SOURCE / "server" / "client").rglob("*.css")
        if sheet.parent.name != "drawing"
        for selectors, said in RULE.findall(sheet.read_text(encoding="utf-8"))
        if re.search(r"\b(?:fill|stroke):", said)
        for selector in selectors.split(",")
    }
    for module in SOURCE.glob("games/*/client/*.js"):
        used = {word for said in CLASSES.findall(module.read_text(encoding="utf-8")) for word in " ".join(said).split()}
        assert not used & painted, module


def test_the_answer_to_a_touch_goes_when_the_next_touch_does_something(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, PHONE, "fr", at=server.url, newcomer=True) as page:
        page.locator(".learn button.chip, .learn button.quiet").first.tap()
        other = page.locator("[data-pirate]:not([aria-disabled], [data-suggested])").first
        page.locator("[data-suggested]").wait_for()
        for _time in range(2):
            other.tap()
            expect(page.locator(".notice")).to_contain_text("pour l’instant, essayez ceci")
            page.locator("[data-suggested]").tap()
            expect(page.locator(".notice")).to_be_hidden()
            page.get_by_role("button", name="Retour").tap()
        other.tap()
        page.goto(f"{server.url}/#/puzzles")
        page.locator(".puzzle-list").first.wait_for()
        expect(page.locator(".notice")).to_be_hidden()


@pytest.mark.parametrize("language", ["fr", "en"])
def test_the_rule_below_the_button_is_cited_in_whole_sentences(
    server: ServerProcess, browser: Browser, language: str
) -> None:
    with aboard(browser, PHONE, language) as page:
        sit_down(page, server.url, PUSH, players=2)
        play_the_first_pirate(page)
        cited = page.locator(".cite")
        assert cited.inner_text().endswith(".")
        assert cited.evaluate("(cited) => cited.scrollHeight <= cited.clientHeight + 1")


def play_the_first_pirate(page: Page) -> None:
    """Until there is a plank to play on."""
    page.locator("[data-pirate]:not([aria-disabled])").first.tap()
    page.locator(".act .primary").tap()
    page.locator("[data-card]:not([aria-disabled])").first.wait_for()
    drawn(page)


@pytest.mark.parametrize("players", [4, 6])
def test_names_stand_above_the_board_of_a_phone_in_full(server: ServerProcess, browser: Browser, players: int) -> None:
    with aboard(browser, PHONE) as page:
        sit_down(page, server.url, SAVE, players=players)
        seat = page.locator(".seat-strip .seat-name").first
        assert seat.evaluate(CUT_OFF, page.request.get(f"{server.url}/page/house.json").json()["names"]) == []


@pytest.mark.parametrize(("language", "rank"), [("fr", "capitaine"), ("en", "mousse")])
def test_the_ranks_of_three_bots_stand_there_in_full(
    server: ServerProcess, browser: Browser, language: str, rank: str
) -> None:
    with aboard(browser, PHONE, language) as page:
        sit_down(page, server.url, PUSH, players=4, others=rank)
        for said in page.locator(".seat-strip small").all():
            assert said.evaluate("(said) => said.scrollWidth <= said.clientWidth"), said.inner_text()


def test_the_numbers_of_a_variant_stay_on_one_line(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, PHONE, at=f"{server.url}/#/new/ile-aux-pirates") as page:
        expect(page.locator(".variants label")).to_have_count(2)
        assert "3\u2060–\u206010\u00a0min" in page.locator(".variants").inner_text()


def test_the_guide_marks_a_piece_on_the_board_as_clearly_as_a_card(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, PHONE, at=server.url, newcomer=True) as page:
        page.locator(".learn button.chip, .learn button.quiet").first.tap()
        for marked in ("[data-pirate]", ".act .primary", "[data-card]"):
            page.locator(f"{marked}[data-suggested]").tap()
        ring = page.locator("svg [data-suggested] rect").first
        style = ring.evaluate("(ring) => [getComputedStyle(ring).stroke, getComputedStyle(ring).strokeDasharray]")
        gold = (
            "getComputedStyle(document.querySelector('[data-suggested]').closest('svg')).getPropertyValue('--yellow')"
        )
        assert style == [rgb(page.evaluate(gold)), "none"]


def test_a_card_that_is_explained_stays_in_sight(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, PHONE, at=server.url, newcomer=True, speed=1) as page:
        card = page.locator(".game-card").nth(game_ids().index(PLANK))
        card.locator(".learn button.chip, .learn button.quiet").first.tap()
        for _card in range(3):
            touched = page.locator("[data-card][data-suggested]").element_handle()
            touched.tap()
            page.wait_for_function("(touched) => !touched.hasAttribute('data-suggested')", arg=touched)  # it moves on
        page.locator(".act .primary[data-suggested]").tap()
        page.locator(".lines .because").wait_for()
        page.wait_for_timeout(600)  # the card turns
        assert page.locator(".w-bill").evaluate(
            "(bill) => bill.getBoundingClientRect().top >= bill.closest('.scene-area').getBoundingClientRect().top - 1"
        )


def rgb(colour: str) -> str:
    """A colour as the browser says it."""
    return f"rgb({', '.join(str(int(colour.strip()[k : k + 2], 16)) for k in (1, 3, 5))})"
