"""Variants: a game with several offers them side by side, each with its own lesson."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect
from tests.page.sailor import LAPTOP, PHONE, aboard
from tests.page.test_book import lessons_of, variants_of
from tests.server.launcher import ServerProcess

from tribord import BadOption, game_ids, load
from tribord.core.words import LANGUAGES

ISLAND = "ile-aux-pirates"


@pytest.mark.parametrize("game_id", game_ids())
def test_a_variant_is_a_game_that_can_be_played_by_as_many_as_it_says(game_id: str) -> None:
    game = load(game_id)
    for variant in variants_of(game_id):
        least, most = variant["players"]
        for players in (least, most):
            game.match(players, options=variant["options"])
        with pytest.raises(BadOption):
            game.match(most + 1, options=variant["options"])
        assert variant["minutes"][0] < variant["minutes"][1]
        assert all(variant[language]["title"] and variant[language]["text"] for language in LANGUAGES)


def test_I15_the_lesson_of_the_strategic_game_shows_how_the_ship_is_lost_and_held() -> None:
    base, strategic = lessons_of(ISLAND).values()
    told = {event["kind"]: event["rule"] for step in strategic for event in step["events"]}
    assert told["ship-taken"] == told["ship-held"] == "I15"
    assert "duel" in told and not {"duel", "ship-taken"} & {event["kind"] for step in base for event in step["events"]}


@pytest.mark.parametrize(("place", "pawns", "lesson"), [(0, 4, "Jeu de base"), (1, 14, "Jeu stratégique")])
def test_both_are_played_from_the_harbour_and_a_newcomer_gets_the_lesson_of_each(
    server: ServerProcess, browser: Browser, place: int, pawns: int, lesson: str
) -> None:
    with aboard(browser, PHONE, "fr", newcomer=True, at=server.url) as page:
        card = page.locator(".game-card", has=page.get_by_role("heading", name="L’Île aux Pirates"))
        expect(card.locator(".primary")).to_have_count(2)
        boxes = [button.bounding_box() for button in card.locator(".primary").all()]
        assert boxes[0] and boxes[1] and boxes[0]["y"] == boxes[1]["y"]  # side by side
        card.locator(".primary").nth(place).tap()
        expect(page.locator(".howto h2")).to_contain_text(lesson)
        page.locator(".howto header button").tap()
        page.locator("#must").wait_for()
        expect(page.locator(".scene [data-piece]")).to_have_count(pawns)


def test_after_one_lesson_the_other_is_still_shown(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, PHONE, "en", newcomer=True, at=server.url) as page:
        for place, lesson in enumerate(("Base game", "Strategic game")):
            page.get_by_role("button", name="Play L’Île aux Pirates against bots now").nth(place).tap()
            expect(page.locator(".howto h2")).to_contain_text(lesson)
            page.locator(".howto header button").tap()
            page.locator("#must").wait_for()
            page.goto(f"{server.url}/#/")
        page.get_by_role("button", name="Play L’Île aux Pirates against bots now").nth(1).tap()
        page.locator("#must").wait_for()
        expect(page.locator(".howto")).to_have_count(0)


def test_set_up_offers_both_and_as_many_players_as_each_has(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, LAPTOP, "en", at=f"{server.url}/#/new/{ISLAND}") as page:
        counts = page.get_by_role("group", name="How many players?").get_by_role("radio")
        expect(counts).to_have_count(6)
        counts.nth(5).check(force=True)
        page.get_by_label("Strategic game").check(force=True)
        expect(counts).to_have_count(4)
        expect(counts.nth(3)).to_be_checked()
        page.get_by_role("button", name="How to play").click()
        expect(page.locator(".howto h2")).to_contain_text("Strategic game")
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Open and invite").click()
        expect(page.locator(".lobby .facts")).to_contain_text("Strategic game")
