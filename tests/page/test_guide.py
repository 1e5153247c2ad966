"""A guided match: a newcomer follows the marks to the end, by keyboard, in either language."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.page.player import PLANK, PUSH
from tests.page.sailor import LAPTOP, PHONE, aboard, axe, drawn, press_until, version_of
from tests.server.launcher import ServerProcess

from tribord import game_ids, load
from tribord.core.game import Game
from tribord.server import guide

LESSONS = [(load(game), name) for game in game_ids() for name in guide.lessons(load(game))]
SUGGESTED = "[data-suggested]"
# The shortest in both languages, every other in one; `make test-long` has the rest.
SPOKEN = [(game, name, language) for game, name in LESSONS for language in ("fr", "en")]
AT_ONCE = [one for k, one in enumerate(SPOKEN) if one[0].id == PLANK or k % 4 in (0, 3)]
LATER = [one for one in SPOKEN if one not in AT_ONCE]
# What the guide marks is on the screen, and nothing covers it.
UNCOVERED = """(marked) => {
  const { left, right, top, bottom } = marked.getBoundingClientRect();
  const found = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return marked === found || marked.contains(found) || Boolean(found?.contains(marked));
}"""


def begin(page: Page, game: Game, name: str) -> None:
    """The way from the harbour into a guided match."""
    place = list(guide.lessons(game)).index(name)
    card = page.locator(".game-card").nth(game_ids().index(game.id))
    card.locator(".learn button.chip, .learn button.quiet").nth(place).click()
    page.locator(SUGGESTED).wait_for()


def follow(page: Page, steps: int = 400) -> int:
    """Follow the marks with the keyboard until the guide is finished; returns the number of decisions."""
    decided = 0
    for _step in range(steps):
        page.locator(f"{SUGGESTED}, .result, .guide .chip").first.wait_for()
        if page.locator(".result, .guide .chip").count():
            return decided
        press_until(page, SUGGESTED)
        deciding = page.evaluate("document.activeElement.matches('.act .primary')")
        version = version_of(page)
        page.keyboard.press("Enter")
        drawn(page)
        if deciding:
            decided += 1
            page.locator(f".table-screen:not([data-version='{version}'])").first.wait_for()
        drawn(page)
    raise AssertionError("the guided match does not end")


def taught(browser: Browser, url: str, game: Game, name: str, language: str) -> None:
    with aboard(browser, LAPTOP, language, at=url, newcomer=True) as page:
        page.set_default_timeout(30_000)
        begin(page, game, name)
        lesson = guide.lessons(game)[name]
        first, last = lesson["passages"][0], lesson["passages"][-1]
        expect(page.locator(".guide h2")).to_contain_text(first[language]["title"] if "fr" in first else "")
        expect(page.locator("dialog")).to_have_count(0)  # the guide teaches: nothing else opens by itself
        assert not axe(page)
        assert follow(page) == len(guide.line(game, name)[lesson["seat"]])
        expect(page.locator(".guide h2")).to_have_text(last[language]["title"])
        if lesson.get("alone"):
            page.locator(".guide .chip").click()
            expect(page.locator(".guide")).to_have_count(0)
            expect(page.locator("#must")).to_be_visible()  # the match goes on


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory):  # type: ignore[no-untyped-def]
    """A server whose bots decide at once."""
    with ServerProcess(tmp_path_factory.mktemp("guide"), "--limits", "0", "--pace", "0") as serving:
        yield serving


@pytest.mark.parametrize(("game", "name", "language"), AT_ONCE, ids=lambda one: getattr(one, "id", one))
def test_a_newcomer_completes_the_guided_match_by_keyboard(
    quick: ServerProcess, browser: Browser, game: Game, name: str, language: str
) -> None:
    taught(browser, quick.url, game, name, language)


@pytest.mark.long
@pytest.mark.parametrize(("game", "name", "language"), LATER, ids=lambda one: getattr(one, "id", one))
def test_so_does_one_of_every_other_game_in_the_other_language(
    quick: ServerProcess, browser: Browser, game: Game, name: str, language: str
) -> None:
    taught(browser, quick.url, game, name, language)


def test_a_wrong_touch_explains_itself_and_the_match_can_be_left_and_resumed(
    quick: ServerProcess, browser: Browser
) -> None:
    with aboard(browser, PHONE, "en", at=quick.url, newcomer=True) as page:
        game = load(PLANK)
        begin(page, game, "first")
        table = page.url
        assert page.evaluate(UNCOVERED, page.locator(SUGGESTED).element_handle())
        page.locator("[data-card=drag]").tap()  # the rules allow it, but the guide wants something else
        expect(page.locator(".notice")).to_contain_text("The rules allow that. But for now, try this")
        page.locator("[data-card=run]").tap()  # a likely mistake
        expect(page.locator(".notice")).to_contain_text("Run takes your pirate toward the sea and shoves no one.")
        expect(page.locator(".notice")).to_contain_text("Try this: Play Shove Right")
        expect(page.locator(".notice button", has_text="W4")).to_be_visible()
        expect(page.locator("[aria-pressed=true][data-card]")).to_have_count(0)
        page.locator("[data-card=shove-right]").tap()
        expect(page.locator("[data-card=charge]")).to_have_attribute("data-suggested", "")
        page.goto(f"{quick.url}/#/")
        page.locator(".game-card").nth(game_ids().index(PLANK)).locator(".learn button.quiet").first.click()
        expect(page.locator(SUGGESTED)).to_be_visible()
        assert page.url == table  # the same match goes on
        for card in ("shove-right", "charge", "pull"):
            assert page.evaluate(UNCOVERED, page.locator(SUGGESTED).element_handle()), card
            page.locator(f"[data-card={card}]{SUGGESTED}").tap()
        page.locator(f".act .primary{SUGGESTED}").tap()
        expect(page.locator(".guide h2")).to_contain_text("Step 2 of 7")
        page.locator(".guide .quiet").tap()
        expect(page.locator(f".guide, {SUGGESTED}")).to_have_count(0)
        assert json.loads(page.evaluate("localStorage['tribord.settings']"))["guided"] == {
            PLANK: table.rpartition("/")[2]
        }


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_answer_to_a_wrong_touch_does_not_cover_what_the_guide_marks(
    quick: ServerProcess, browser: Browser, language: str
) -> None:
    with aboard(browser, PHONE, language, at=quick.url, newcomer=True) as page:
        begin(page, load(PUSH), "first")
        for marked in ("[data-pirate='4']", ".act .primary", "[data-card='-2']"):
            page.locator(f"{marked}{SUGGESTED}").tap()
        on_board = page.locator(f".scene {SUGGESTED}")
        on_board.wait_for()
        page.locator("[data-pirate='6']").tap()  # the guide wants another one, and first a place on the plank
        expect(page.locator(".notice")).to_be_visible()
        drawn(page)
        assert page.evaluate(UNCOVERED, on_board.element_handle())
        on_board.tap()
        expect(on_board).to_have_count(0)


@pytest.mark.parametrize(("game", "name"), [(game, name) for game, name in LESSONS if game.id in (PLANK, PUSH)])
def test_on_a_phone_nothing_ever_covers_what_the_guide_marks(
    quick: ServerProcess, browser: Browser, game: Game, name: str
) -> None:
    with aboard(browser, PHONE, "fr", at=quick.url, newcomer=True) as page:
        begin(page, game, name)
        for _tap in range(200):
            page.locator(f"{SUGGESTED}, .result, .guide .chip").first.wait_for()
            if page.locator(".result, .guide .chip").count():
                return
            marked = page.locator(SUGGESTED).first
            told = page.locator(".guide h2").inner_text()
            assert page.evaluate(UNCOVERED, marked.element_handle()), told
            deciding, version = marked.evaluate("(marked) => marked.matches('.act .primary')"), version_of(page)
            marked.tap()
            drawn(page)
            if deciding:
                page.locator(f".table-screen:not([data-version='{version}'])").first.wait_for()
                drawn(page)
        raise AssertionError("the guided match does not end")


def test_a_game_without_a_guide_offers_none(quick: ServerProcess, browser: Browser) -> None:
    with aboard(browser, LAPTOP, "en", newcomer=True) as page:
        page.route(
            "**/page/house.json",
            lambda route: route.fulfill(
                json=(house := route.fetch().json()) | {"games": [game | {"guides": []} for game in house["games"]]}
            ),
        )
        page.goto(quick.url)
        page.locator(".game-card").first.wait_for()
        expect(page.get_by_text("Learn by playing")).to_have_count(0)
