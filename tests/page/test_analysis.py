"""How did it go? The analysis on the page: progress, graph, moments, two lenses, and the way into the replay."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.page.player import PUSH, SAVE
from tests.page.sailor import LAPTOP, PHONE, aboard, axe, elsewhere, play, press_until, take_place
from tests.server.launcher import ServerProcess

from tribord import load
from tribord.bots.preparation import SEARCH, make
from tribord.client import Client

PATIENCE = 110_000  # milliseconds; a server ends it before that
ASK = ".ask-analysis"


@pytest.fixture(scope="module", name="server")
def analysing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server whose analyses are short."""
    for game in (PUSH, SAVE):
        make((game, SEARCH))  # analyses are never interpreted
    with ServerProcess(tmp_path_factory.mktemp("page"), "--limits", "0", "--analysis-seconds", "3") as serving:
        yield serving


@pytest.fixture(scope="module")
def anne(server: ServerProcess) -> Client:
    """A client after its match."""
    return elsewhere(play(server.url, PUSH, ["me", "mousse"]))


@pytest.fixture(scope="module")
def table(anne: Client) -> str:
    """Where they have played."""
    return anne.id


def report(page: Page) -> None:
    """Wait for the analysis."""
    page.locator(".analysis h2").wait_for(timeout=PATIENCE)


def test_someone_stops_an_analysis_and_has_it_made_later(server: ServerProcess, browser: Browser, table: str) -> None:
    with aboard(browser, PHONE, "fr", at=f"{server.url}/#/replay/{table}") as page:
        page.locator(ASK).click()
        page.locator(".analysis progress").wait_for()
        page.get_by_role("button", name="Arrêter").click()
        page.locator(ASK).click()
        report(page)
        expect(page.locator(".analysis")).to_contain_text("À essayer la prochaine fois")
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE[0]  # nothing reaches beyond the phone
        assert page.evaluate("(parts => parts.scrollWidth <= parts.clientWidth)(document.querySelector('.parts'))")
        assert not axe(page)


def test_the_graph_leads_into_the_replay_by_keyboard(server: ServerProcess, browser: Browser, table: str) -> None:
    with aboard(browser, LAPTOP, "en", at=f"{server.url}/#/replay/{table}") as page:
        press_until(page, ASK)
        page.keyboard.press("Enter")
        report(page)
        press_until(page, ".graph input")
        page.keyboard.press("End")
        last = int(page.locator(".graph input").get_attribute("max") or 0)
        expect(page.locator(".table-screen")).to_have_attribute("data-at", str(last))
        page.keyboard.press("ArrowLeft")
        expect(page.locator(".table-screen")).to_have_attribute("data-at", str(last - 1))
        said = page.locator(".graph input").get_attribute("aria-valuetext") or ""
        assert re.fullmatch(r"Step \d+: Anne \d+%, [^,]+ \d+%", said), said
        moment = page.locator(".analysis ol a").first
        place = (moment.get_attribute("href") or "").rpartition("/")[2]
        moment.focus()
        page.keyboard.press("Enter")
        expect(page.locator(".table-screen")).to_have_attribute("data-at", place)
        page.locator(".lenses label").last.click()
        expect(page.locator(".lenses input").last).to_be_checked()
        for row in page.locator(".parts tbody tr").all():
            cells = [cell.split() for cell in row.locator("td").all_inner_texts()[:-1]]
            start, *changes, result = [int(cell[0].replace("−", "-")) for cell in cells]
            assert start + sum(changes) == result
            assert all(re.fullmatch(r"±\d+", cell[1]) for cell in cells if len(cell) > 1)
            assert sum(len(cell) > 1 for cell in cells) >= 2
        bands = page.locator(".graph .band").evaluate_all("those => those.map(one => one.getBBox().height)")
        assert len(bands) == 2 and all(height > 5 for height in bands)
        expect(page.locator(".analysis")).to_contain_text("how uncertain they are")


def test_going_from_the_result_to_the_replay_does_not_interrupt_the_analysis(
    server: ServerProcess, browser: Browser
) -> None:
    fresh = elsewhere(play(server.url, PUSH, ["me", "mousse"]))
    with aboard(browser, PHONE, "en", at=server.url) as page:
        take_place(page, server.url, fresh, PUSH)
        page.locator(ASK).click()
        page.locator(".analysis progress").wait_for()
        page.get_by_role("link", name="Look again").click()
        page.locator(".replay[data-at]").wait_for()
        expect(page.locator(ASK)).to_have_count(0)
        report(page)


def test_players_learn_from_their_own_choices(server: ServerProcess, browser: Browser, anne: Client) -> None:
    with aboard(browser, PHONE, "en", at=server.url) as page:
        take_place(page, server.url, anne, PUSH)
        page.locator(ASK).click()
        report(page)
        expect(page.locator(".parts .own th")).to_have_text("Anne")
        for lens in page.locator(".lenses label").all():
            lens.click()
            for said in page.locator(".analysis ol.errors li").all_inner_texts():
                assert re.match(r"Step \d+, Anne", said), said
        page.locator(".analysis .read a").click()
        page.locator(".replay[data-at]").wait_for()
        report(page)  # it's the same match, and nobody waits again


@pytest.mark.parametrize(
    ("language", "most", "chose", "best"),
    [
        ("en", "That was the best choice.", "chose:", "Best:"),
        ("fr", "C’était le meilleur choix.", "choisit", "Le mieux"),
    ],
)
def test_the_step_that_is_looked_at_says_what_its_choice_and_the_best_one_were_worth(
    server: ServerProcess, browser: Browser, table: str, language: str, most: str, chose: str, best: str
) -> None:
    with aboard(browser, PHONE, language, at=f"{server.url}/#/replay/{table}") as page:
        page.locator(ASK).click()
        report(page)
        found = page.request.get(f"{server.url}/api/tables/{table}/analysis").json()
        game = load(PUSH)
        words = game.words(language)
        differs = False
        for decision in [each for each in found["decisions"] if each["knew"]][:6]:
            page.evaluate("place => { location.hash = place }", f"#/replay/{table}/{decision['place'] + 1}")
            expect(page.locator(".replay")).to_have_attribute("data-at", str(decision["place"] + 1))
            for lens, label in zip(("knew", "hindsight"), page.locator(".lenses label").all()):
                label.click()
                told = page.locator(".weighed")
                expect(told).to_contain_text(chose)
                expect(told).to_contain_text(game.say_action(decision["number"], words))
                expect(told).to_contain_text(re.compile(rf"\b{round(100 * decision[lens]['chosen']['mean'])}\s?%"))
                if decision[lens]["best"]["number"] == decision["number"]:
                    expect(told).to_contain_text(most)
                    continue
                differs = True
                expect(told).to_contain_text(best)
                expect(told).to_contain_text(game.say_action(decision[lens]["best"]["number"], words))
        assert differs


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_decisive_moment_is_tried_differently(
    server: ServerProcess, browser: Browser, anne: Client, language: str
) -> None:
    said = {"en": "Try it differently", "fr": "Essayer autrement"}[language]
    with aboard(browser, PHONE, language) as page:
        take_place(page, server.url, anne, PUSH)
        page.locator(".result").wait_for()
        page.locator(ASK).click()
        report(page)
        moments = page.locator(".analysis ol").first.locator("li")
        links = moments.get_by_role("link", name=said)
        assert links.count() == moments.count() > 0
        place = int(re.findall(r"/(\d+)/branch", links.first.get_attribute("href") or "")[0])
        links.first.click()
        page.locator("dialog.branch").wait_for()
        expect(page.locator(".table-screen")).to_have_attribute("data-at", str(place))
        page.locator("dialog.branch .primary").click()
        page.wait_for_url(re.compile("#/table/"))
        page.goto(f"{server.url}/#/replay/{anne.id}")
        chance = {"en": "chance of winning there", "fr": "chances de gagner alors"}[language]
        expect(page.locator(".comparison")).to_contain_text(re.compile(chance + r".*\d+.?%"))
        assert not axe(page)


async def promising(url: str) -> Client:
    """A match of Sauve qui peut ! in which Anne makes two promises, keeps the first and breaks the second."""
    game, promised = load(SAVE), {"leak": 0, "advance": 0}
    client = await Client.create(url, SAVE, "Anne", 3, seats=["me", "mousse", "mousse"])
    async with client:
        await client.do("start")
        async for turn in client.turns():
            action = turn.legal[len(turn.legal) // 2]
            boats = [each for each in turn.legal if re.fullmatch(r"vote [1-7]", game.notation(each))]
            vote = turn.view["phase"]
            if boats and promised.get(vote) == 0:
                lane = promised[vote] = int(game.notation(boats[0])[-1])
                await client.do("offer", seat=0, offer={"kind": "promise", "vote": vote, "lane": lane})
                action = boats[0] if vote == "leak" else boats[1]
            await client.act(turn.seat, action, turn.version)
    assert all(promised.values()), promised
    return client


@pytest.mark.parametrize(("size", "language"), [(PHONE, "fr"), (LAPTOP, "en")])
def test_promises_are_shown_with_what_they_were_worth(
    server: ServerProcess, browser: Browser, size: tuple[int, int], language: str
) -> None:
    client = elsewhere(promising(server.url))
    with aboard(browser, size, language) as page:
        take_place(page, server.url, client, SAVE)
        page.locator(".result").wait_for()
        page.locator(ASK).click()
        report(page)
        kept, broken = page.locator(".analysis ul li").all_inner_texts()[-2:]
        worth = {
            "fr": r"( : \d+ points? de chances (gagné|perdu)s?|. Cela n’a pas vraiment compté)\.$",
            "en": r"(: that (gained|cost) \d+ points? of winning chance|. That made no clear difference)\.$",
        }[language]
        words = {"fr": ("tenue", "rompue"), "en": ("Kept", "Broken")}[language]
        for word, said in zip(words, (kept, broken), strict=True):
            assert re.search(word + worth, said.replace("\xa0", " ").strip()), said
        place = int(re.findall(r"\d+", page.locator(".analysis ul a").first.get_attribute("href") or "")[-1])
        page.locator(".analysis ul a").first.click()
        expect(page.locator(".replay")).to_have_attribute("data-at", str(place))
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
        assert not axe(page)
