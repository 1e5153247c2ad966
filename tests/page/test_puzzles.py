"""Puzzles on the page: solved by keyboard in either language, and one of each game by touch."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.page.sailor import LAPTOP, PHONE, aboard, axe, drawn, press_until
from tests.server.launcher import ServerProcess

from tribord import game_ids, load
from tribord.bots.puzzle import Outlook, Puzzle, puzzle, puzzles
from tribord.core.reason import reasons as core_reasons
from tribord.server import guide

RIGHT = {"fr": "C’est le meilleur choix", "en": "That’s the best choice"}
WRONG = {"fr": "Il y a mieux", "en": "There’s a better choice"}
READY = ".act .primary:not([disabled])"


def selectors(each: Puzzle, action: int) -> list[str]:
    """What to touch for an action, in order: guided matches know each board's selectors."""
    touch = next(iter(guide.lessons(each.game).values()))["touch"]
    parts = {part.partition(".")[0]: value for part, value in each.game.steps(action)}
    order = [part for part in touch if part != "kind" or len(parts) == 1]
    if parts.get("order") == "action-first":
        order.sort(key=["card", "slot", "pirate"].index)
    return [f".table-screen {touch[part]}".format(value=parts[part], action=action) for part in order if part in parts]


def answer(page: Page, each: Puzzle, action: int, by_key: bool = False) -> None:
    """Choose an action on the board and in the hand, part by part, and answer with it."""
    for selector in selectors(each, action):
        if by_key:
            press_until(page, selector)
            page.keyboard.press("Enter")
        else:
            page.locator(selector).first.tap()
        drawn(page)
    if by_key:
        press_until(page, READY)
        page.keyboard.press("Enter")
    else:
        page.locator(READY).tap()
    page.locator(".answered").wait_for()
    drawn(page)


def consequences(outlook: Outlook) -> int:
    """How many events an outlook tells."""
    return len(outlook.at_once) + len(outlook.likely) + len(outlook.spared)


def held(text: str) -> str:
    """A text without regard to which of its spaces may break."""
    return " ".join(text.replace("\u00a0", " ").split())


def solved(page: Page) -> dict[str, bool]:
    """What this device remembers of puzzles."""
    return dict(json.loads(page.evaluate("localStorage['tribord.settings']")).get("puzzles", {}))


@pytest.mark.parametrize("language", ["fr", "en"])
def test_the_puzzle_of_the_day_is_solved_by_keyboard(server: ServerProcess, browser: Browser, language: str) -> None:
    with aboard(browser, LAPTOP, language, at=server.url) as page:
        press_until(page, "a[href='#/puzzles']")
        page.keyboard.press("Enter")
        press_until(page, ".daily a")
        page.keyboard.press("Enter")
        page.locator(".table-screen.puzzle").wait_for()
        _, game, number = page.url.partition("#/")[2].split("/")
        each = puzzle(load(game), int(number))
        answer(page, each, each.best.action, by_key=True)
        expect(page.locator(".answered h2")).to_contain_text(RIGHT[language])
        expect(page.locator(".answered h2")).to_be_focused()
        said = each.game.say_action(each.best.action, each.game.words(language))
        expect(page.locator(".answered .what")).to_have_text([said])
        assert solved(page) == {f"{game}/{number}": True}
        assert not axe(page)
        press_until(page, ".answered a")
        page.keyboard.press("Enter")
        expect(page.locator(".daily .mark")).to_have_text("✓")


@pytest.mark.parametrize("game", game_ids())
def test_a_wrong_answer_shows_what_is_better_and_only_the_first_counts(
    server: ServerProcess, browser: Browser, game: str
) -> None:
    each = puzzles(load(game))[0]
    wrong = each.suggestions[-1].action
    with aboard(browser, PHONE, "fr", at=f"{server.url}/#/puzzles/{game}/1") as page:
        page.locator("#must").wait_for()
        expect(page.locator(".leads-to")).to_have_count(0)  # not before the answer
        assert not axe(page)
        answer(page, each, wrong)
        expect(page.locator(".answered h2")).to_contain_text(WRONG["fr"])
        words = each.game.words("fr")
        said = [each.game.say_action(action, words) for action in (each.best.action, wrong)]
        expect(page.locator(".answered .what")).to_have_text(said)
        told = page.locator(".answered .leads-to li")
        assert told.count() == sum(map(consequences, (each.outlook(each.best.action), each.outlook(wrong))))
        reasons = page.locator(".answered .leads-to small").all_inner_texts()
        assert reasons and len(set(reasons)) == len(reasons)  # each is given once
        known = {held(each["fr"]) for each in core_reasons(each.game).values()}
        assert {held(reason) for reason in reasons} <= known
        assert not axe(page)
        page.locator(".answered button").tap()
        answer(page, each, each.best.action)
        expect(page.locator(".answered h2")).to_contain_text(RIGHT["fr"])
        assert solved(page) == {f"{game}/1": False}
        page.goto(f"{server.url}/#/puzzles")
        expect(page.locator(f"a[href='#/puzzles/{game}/1'] .mark").last).to_have_text("✗")
        assert not axe(page)


def test_the_list_has_every_puzzle(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, PHONE, "en", at=f"{server.url}/#/puzzles") as page:
        expect(page.locator(".puzzle-list a")).to_have_count(sum(len(puzzles(load(game))) for game in game_ids()))


def test_the_usual_order_of_the_seats_is_not_shown_as_a_rule(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, PHONE, "en", at=f"{server.url}/#/puzzles/faut-pas-pousser/1") as page:
        page.locator(".table-screen.puzzle").wait_for()
        expect(page.get_by_text("Rules of this game")).to_have_count(0)


def test_a_house_without_puzzles_shows_no_way_to_them(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, LAPTOP, "en") as page:
        page.route(
            "**/page/house.json",
            lambda route: route.fulfill(
                json=(house := route.fetch().json()) | {"games": [game | {"puzzles": 0} for game in house["games"]]}
            ),
        )
        page.goto(server.url)
        page.locator(".game-card").first.wait_for()
        expect(page.locator("a[href='#/puzzles']")).to_have_count(0)


def test_on_a_phone_the_reason_is_told_to_you(server: ServerProcess, browser: Browser) -> None:
    each = puzzle(load("walk-the-plank"), 1)
    with aboard(browser, PHONE, "en", at=f"{server.url}/#/puzzles/walk-the-plank/1") as page:
        page.locator("#must").wait_for()
        answer(page, each, each.suggestions[1].action)
        told = page.locator(".answered .leads-to li").all_inner_texts()
        assert any(line.startswith("3% instead of 72%: Your pirate sinks to Davy Jones’ Locker") for line in told)
        assert any(line.startswith("44% instead of 3%: Your pirate sinks") for line in told)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
