"""What if: someone plays on from a moment of a match on the page, to the end, and compares the results."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.page.player import ISLAND, PUSH, SAVE, Player
from tests.page.sailor import LAPTOP, PHONE, aboard, axe, elsewhere, play, press_until
from tests.server.launcher import ServerProcess

from tribord.client import Client
from tribord.client.http import ask

SEATS = {PUSH: ["me", "mousse"], SAVE: ["me", "mousse", "mousse"], ISLAND: ["me"]}
WORDS = {
    "en": {
        "on": "Play from here", "title": "What if…?", "as-was": "As it was", "redealt": "Dealt again",
        "original": "Original game", "part": "They differ from step", "from": "From step",
    },
    "fr": {
        "on": "Rejouer d’ici", "title": "Et si… ?", "as-was": "Comme c’était", "redealt": "Redistribué",
        "original": "Partie d’origine", "part": "Les deux parties se séparent à l’étape", "from": "Depuis l’étape",
    },
}  # fmt: skip


def played(server: ServerProcess, game: str) -> Client:
    """A client after its match."""
    return elsewhere(play(server.url, game, SEATS[game]))


def steps(server: ServerProcess, client: Client) -> int:
    """How many steps a match has."""
    return int(elsewhere(ask(f"{server.url}/api/tables/{client.id}/replay"))["total"]) - 1


def finish(page: Page, game: str) -> None:
    """Play the branch on the page to its end."""
    player = Player(page, game)
    page.reload()
    while player.asked():
        if curtain := player.any(".curtain button"):
            player.touch(curtain)
            continue
        player.decide()


@pytest.mark.parametrize(
    ("language", "size", "game", "redealt"),
    [("en", LAPTOP, PUSH, False), ("fr", PHONE, PUSH, True), ("fr", LAPTOP, ISLAND, False), ("en", PHONE, SAVE, False)],
)
def test_someone_plays_on_from_a_moment_to_the_end_and_compares(
    server: ServerProcess, browser: Browser, language: str, size: tuple[int, int], game: str, redealt: bool
) -> None:
    words, anne = WORDS[language], played(server, game)
    place = 1 if redealt else max(1, steps(server, anne) * 3 // 4)  # the bot has chosen in secret, and Anne hasn't
    with aboard(browser, size, language, at=f"{server.url}/#/replay/{anne.id}/{place}") as page:
        page.get_by_role("button", name=words["on"]).click()
        dialog = page.get_by_role("dialog", name=words["title"])
        expect(dialog).to_contain_text(str(place))
        assert not axe(page)
        expect(dialog).to_have_attribute("aria-busy", "false")
        if redealt:
            expect(dialog.get_by_role("radio", name=words["as-was"])).to_be_checked()
            dialog.get_by_role("radio", name=words["redealt"]).check()
            assert not axe(page)
        dialog.locator(".primary").click()
        page.wait_for_url(re.compile("#/table/"))
        branch = elsewhere(ask(f"{server.url}/api/tables/{page.url.rsplit('/', 1)[1]}"))["branch"]
        assert branch == {"original": anne.id, "place": place, "redealt": redealt}
        expect(page.locator(".banners")).to_contain_text(words["title"])
        assert not axe(page)
        finish(page, game)
        comparison = page.locator(".result .comparison")
        expect(comparison).to_contain_text(words["original"])
        expect(comparison.locator("tbody tr")).to_have_count(2)
        expect(comparison.locator("tr[aria-current] th")).to_contain_text(f"{words['from']} {place}")
        expect(page.locator(".banners")).not_to_contain_text(words["title"])
        assert not axe(page)
        comparison.get_by_role("link", name=words["original"]).click()
        page.locator(f".replay .comparison a:has-text('{words['from']} {place}')").click()  # and back to the branch
        page.locator(".replay[data-at] .comparison").first.wait_for()
        expect(page.locator(".replay .comparison tr[aria-current]").first).to_be_visible()


def test_all_of_it_is_done_by_keyboard(server: ServerProcess, browser: Browser) -> None:
    anne = played(server, PUSH)
    with aboard(browser, LAPTOP, "en", at=f"{server.url}/#/replay/{anne.id}/10") as page:
        press_until(page, ".play-on button")
        page.keyboard.press("Enter")
        press_until(page, "dialog.branch select")
        page.keyboard.press("ArrowDown")
        press_until(page, "dialog.branch .primary")
        page.keyboard.press("Enter")
        page.wait_for_url(re.compile("#/table/"))
        branch = page.url.rsplit("/", 1)[1]
        told = elsewhere(ask(f"{server.url}/api/tables/{branch}"))
        assert told["branch"] == {"original": anne.id, "place": 10, "redealt": False}
        assert [seat["guest"] for seat in told["seats"]] == [None, 0]


def test_you_cannot_play_on_from_the_end(server: ServerProcess, browser: Browser) -> None:
    anne = played(server, PUSH)
    with aboard(browser, LAPTOP, "en", at=f"{server.url}/#/replay/{anne.id}/{steps(server, anne)}") as page:
        page.locator(".replay .result").wait_for()
        assert not page.locator(".play-on").count()
        page.goto(f"{server.url}/#/replay/{anne.id}/{steps(server, anne)}/branch")
        page.locator(".replay .result").wait_for()
        assert not page.locator("dialog.branch").count()


def test_others_watch_a_branch_by_its_link(server: ServerProcess, browser: Browser) -> None:
    anne = played(server, PUSH)
    with aboard(browser, LAPTOP, "en", at=f"{server.url}/#/replay/{anne.id}/10/branch") as page:
        page.locator("dialog.branch .primary").click()
        page.wait_for_url(re.compile("#/table/"))
        branch = page.url.rsplit("/", 1)[1]
        with aboard(browser, PHONE, "fr", at=f"{server.url}/#/watch/{branch}") as other:
            expect(other.locator(".banners")).to_contain_text("Et si… ?")
            other.goto(f"{server.url}/#/replay/{anne.id}")
            expect(other.locator(".comparison")).to_contain_text("encore en cours")
            assert not axe(other)
