"""Before the match and about the table: joining with a code, filling the seats, sending someone away, quick phrases."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.page.sailor import LAPTOP, PHONE, aboard, axe, elsewhere, play, sit_down, take_place
from tests.server.launcher import ServerProcess

from tribord.client import Client
from tribord.core.words import Words
from tribord.server.phrase import PHRASES, SITUATIONS

PUSH = "faut-pas-pousser"
SMALLEST = (320, 568)


def fits(page: Page) -> bool:
    """Whether nothing is wider than the screen."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize("size", [SMALLEST, PHONE])
def test_the_lobby_fits_and_bots_take_the_free_seats(
    server: ServerProcess, browser: Browser, size: tuple[int, int], language: str
) -> None:
    with aboard(browser, size, language, at=f"{server.url}/#/new/{PUSH}") as page:
        page.locator(".set-up .primary").wait_for()
        assert fits(page)
        page.locator(".set-up .primary").click()
        expect(page.locator(".lobby [role=status]")).to_contain_text("3")
        assert fits(page)
        page.locator(".lobby-seat select").nth(1).select_option("matelot")
        expect(page.locator(".lobby-seat small").nth(1)).to_have_text("matelot" if language == "fr" else "deckhand")
        expect(page.locator(".lobby-seat b").first).not_to_have_text(re.compile("atelot|eckhand|libre|free"))
        page.get_by_role("button", name=re.compile("Commencer avec 2 robots|Start with 2 bots")).click()
        expect(page.locator("[data-pirate]:not([aria-disabled])")).to_have_count(6)
        assert fits(page)


@pytest.mark.parametrize("language", ["fr", "en"])
def test_nothing_is_too_wide_before_the_fonts_have_come(server: ServerProcess, browser: Browser, language: str) -> None:
    with aboard(browser, SMALLEST, language, troubled=True, at=server.url) as page:
        page.route("**/*.woff2", lambda route: route.abort())
        page.reload()
        page.locator(".by-code button").wait_for()
        assert page.evaluate("[...document.fonts].every((font) => font.status !== 'loaded')")
        assert fits(page)
        card, button = (page.locator(part).first.bounding_box() for part in (".welcome", ".by-code button"))
        assert card and button and button["x"] + button["width"] < card["x"] + card["width"]


def test_playing_at_once_means_playing_against_the_usual_bots(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, PHONE, at=server.url) as page:
        page.locator(".game-card .primary").first.tap()
        page.get_by_role("button", name="Table").tap()
        expect(page.locator(".company-seats li").nth(1)).to_have_text(
            re.compile(r"\S+ \(les Verts\)\s+robot · matelot")
        )


def test_a_mistyped_code_can_be_typed_again(server: ServerProcess, browser: Browser) -> None:
    table = elsewhere(Client.create(server.url, PUSH, "Zoé", 2))
    with aboard(browser, PHONE, at=f"{server.url}/#/NOSUCH") as page:
        expect(page.get_by_role("alert").first).to_have_text("Cette table n’existe pas. Vérifiez son code.")
        assert not axe(page)
        page.get_by_label("Code de la table").fill(table.id)
        page.get_by_role("button", name="Monter à bord").tap()
        expect(page.get_by_text("Zoé vous garde une place.")).to_be_visible()


@pytest.mark.parametrize("begun", [False, True])
def test_the_host_sends_someone_away_and_is_asked_first(server: ServerProcess, browser: Browser, begun: bool) -> None:
    async def meet() -> tuple[Client, Client]:
        host = await Client.create(server.url, PUSH, "Anne", 2)
        guest = await Client.join(server.url, host.id, "Zoé")
        async with host, guest:
            await guest.do("sit", seat=1)
            await guest.do("ready")
            if begun:
                await host.do("start")
        return host, guest

    host, guest = elsewhere(meet())
    with aboard(browser, PHONE, "fr") as anne, aboard(browser, LAPTOP, "en") as zoe:
        take_place(anne, server.url, host, PUSH)
        take_place(zoe, server.url, guest, PUSH)
        zoe.get_by_role("button", name="Table").click()
        expect(zoe.get_by_role("dialog").get_by_role("button", name="Remove")).to_have_count(0)
        anne.get_by_role("button", name="Table").tap()
        dialog = anne.get_by_role("dialog")
        dialog.get_by_role("button", name="Retirer", exact=True).tap()
        question = dialog.get_by_role("alert")
        expect(question).to_contain_text("Retirer Zoé pour de bon ?" if begun else "Retirer Zoé de cette table ?")
        assert not axe(anne)
        question.get_by_role("button", name="Annuler").tap()
        expect(question).to_have_count(0)
        expect(dialog.locator(".company-seats")).to_contain_text("Zoé")
        dialog.get_by_role("button", name="Retirer", exact=True).tap()
        question.get_by_role("button", name="Retirer").tap()
        expect(dialog.locator(".company-seats")).not_to_contain_text("Zoé")
        expect(dialog.locator(".company-seats li").nth(1)).to_contain_text("robot" if begun else "libre")
        zoe.locator(".harbour").wait_for()
        expect(zoe.locator(".notice")).to_contain_text("The host has removed you from this table")
        assert zoe.evaluate("localStorage['tribord.credentials']") == "[]"


@pytest.mark.parametrize("language", ["fr", "en"])
def test_quick_phrases_are_said_as_they_are_written(server: ServerProcess, browser: Browser, language: str) -> None:
    with aboard(browser, PHONE, language) as page:
        sit_down(page, server.url)
        page.locator("#tab-chat").tap()
        words = Words(language)
        apart = {name for names in SITUATIONS.values() for name in names}
        said = [words.say(phrase) for name, phrase in PHRASES.items() if name not in apart]
        expect(page.locator(".phrases button")).to_have_text(said)
        page.locator(".phrases button").first.tap()
        expect(page.locator(".talk li")).to_have_text(f"Anne {words.say(PHRASES['hello'])}")


def test_the_harbour_leads_back_to_ones_table_and_to_tables_that_wait(server: ServerProcess, browser: Browser) -> None:
    waits = elsewhere(Client.create(server.url, "walk-the-plank", "Zoé", 3, public=True))
    with aboard(browser, PHONE, "en") as page:
        sit_down(page, server.url)
        mine = page.url.rpartition("/")[2]
        page.goto(f"{server.url}/#/")
        page.locator("[aria-labelledby=continue] a").tap()
        page.locator("#must").wait_for()
        assert page.url.endswith(mine)
        page.goto(f"{server.url}/#/")
        page.locator("[aria-labelledby=public] a", has_text="at Zoé’s table").tap()
        page.get_by_role("button", name="Come aboard").tap()
        expect(page.locator(".lobby [role=status]")).to_have_text("You’re aboard. Zoé starts the game.")
        assert waits.id in page.url


def test_credentials_kept_by_an_earlier_page_still_open_the_table(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, PHONE, "en") as page:
        sit_down(page, server.url)
        page.evaluate(
            "() => { localStorage['tribord.berths'] = localStorage['tribord.credentials'];"
            " delete localStorage['tribord.credentials']; }"
        )
        page.goto(f"{server.url}/#/")
        page.reload()
        page.locator("[aria-labelledby=continue] a").tap()
        page.locator("#must").wait_for()
        page.goto(f"{server.url}/#/")
        page.get_by_role("button", name=re.compile("^Forget table")).tap()  # and then it is forgotten under both names
        assert page.evaluate("[localStorage['tribord.credentials'], localStorage['tribord.berths']]") == ["[]", None]


def test_a_result_is_shared_by_its_link(server: ServerProcess, browser: Browser) -> None:
    over = elsewhere(play(server.url, PUSH, ["me", "mousse"]))
    with aboard(browser, PHONE, "en") as page:
        take_place(page, server.url, over, PUSH)
        noted = "document.documentElement.dataset.shared"
        page.evaluate(f"() => {{ navigator.share = async (what) => {{ {noted} = what.url }} }}")
        page.get_by_role("button", name="Share").tap()
        page.locator("html[data-shared]").wait_for()
        page.goto(page.locator("html").get_attribute("data-shared") or "")
        expect(page.locator(".replay")).to_have_attribute("data-at", "0")


def test_an_invitation_that_is_not_sent_after_all_is_no_error(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, PHONE, "en") as page:
        sit_down(page, server.url, PUSH, 2, start=False)
        page.evaluate(
            "() => { navigator.share = async () => { document.documentElement.dataset.asked = 'yes';"
            " throw new DOMException('Share canceled', 'AbortError'); } }"
        )
        page.evaluate("import('/page/app.js').then(({ app }) => app.redraw())")
        page.get_by_role("button", name="Share").tap()
        page.locator("html[data-asked]").wait_for()
        expect(page.locator(".notice")).to_be_hidden()


@pytest.mark.parametrize(
    ("language", "said"), [("fr", "Connexion perdue. Réessayez."), ("en", "Connection lost. Try again.")]
)
def test_what_goes_wrong_is_said_in_our_words(
    server: ServerProcess, browser: Browser, language: str, said: str
) -> None:
    with aboard(browser, PHONE, language, troubled=True, at=server.url) as page:
        page.locator(".game-card").first.wait_for()
        page.evaluate("setTimeout(() => Promise.reject(new TypeError('Failed to fetch')))")
        expect(page.locator(".notice")).to_contain_text(said)
        assert page.evaluate(
            "import('/page/http.js').then(({ Refused, sorry }) => sorry(new Refused({ fr: 'Non.', en: 'No.' })))"
        ) == ("Non." if language == "fr" else "No.")
        assert page.evaluate("import('/page/words.js').then(({ held }) => held('Il a 2 points, de 3 à 4 fois.'))") == (
            "Il a\u00a02\u00a0points, de\u00a03 à\u00a04\u00a0fois."
            if language == "fr"
            else "Il a\u00a02 points, de\u00a03 à\u00a04 fois."
        )
