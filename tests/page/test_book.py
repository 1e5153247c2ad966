"""The book in the page: rules with examples that are true, how to play, help that is found; installable, offline."""

from __future__ import annotations

import json
import re
import signal
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.page.sailor import LAPTOP, PHONE, aboard, axe, drawn, elsewhere, play, sit_down, take_place
from tests.server.launcher import ServerProcess

from tribord import IllegalAction, game_ids, load
from tribord.core.tip import tips
from tribord.server import book
from tribord.server.page import CLIENT, card

GAME = "faut-pas-pousser"
PLAIN = "/page/offline.html"
SMALL, LYING, ZOOMED = (320, 640), (740, 360), (640, 400)


# -- what the book says ---------------------------------------------------------------------------------------------


def shape(view: Any) -> Any:
    """The keys of a description, as deep as they don't depend on the position."""
    return set(view) - {"turns_left"}


@pytest.mark.parametrize("name", ["examples.json", "howto.json"])
@pytest.mark.parametrize("game_id", game_ids())
def test_stories_are_played_by_the_rules_and_describe_real_positions(game_id: str, name: str) -> None:
    game = load(game_id)
    passages = book.stories(game, name)
    assert len(passages) >= 3
    real = shape(game.match(game.players[1], seed=1).view())
    for passage in passages:
        assert shape(passage["before"]) == shape(passage["after"]) == real
        assert passage["before"] != passage["after"] or not passage["events"] or name == "howto.json"
        for event in passage["events"]:
            assert event["rule"] in book.rules(game_id, "en")


@pytest.mark.parametrize("game_id", game_ids())
def test_examples_are_about_rules_and_the_first_steps_are_few(game_id: str) -> None:
    examples = book.stories(load(game_id), "examples.json")
    assert {example["rule"] for example in examples} <= book.rules(game_id, "fr").keys()
    assert len({example["rule"] for example in examples}) >= 3
    assert all(4 <= len(steps) <= 6 for steps in lessons_of(game_id).values())


def lessons_of(game_id: str) -> dict[str, list[dict[str, Any]]]:
    """The steps of how to play, by variant."""
    game = load(game_id)
    steps = book.stories(game, "howto.json")
    variants = variants_of(game_id) or [{"id": "", "options": {}}]
    played = [game.options_of(game.settings(game.players[0], step["options"])) for step in steps]
    return {
        one["id"]: [step for step, options in zip(steps, played) if one["options"].items() <= options.items()]
        for one in variants
    }


def variants_of(game_id: str) -> list[dict[str, Any]]:
    """The games in a game's box."""
    return (card(load(game_id))["about"] or {}).get("variants", [])


def test_a_story_that_breaks_a_rule_is_refused() -> None:
    told = {"players": 4, "passages": [{"play": ["0 pick 3", "0 pick 4"], "fr": "", "en": ""}]}
    with pytest.raises(IllegalAction):
        book.play_story(load(GAME), told)
    with pytest.raises(ValueError, match="chance cannot"):
        book.play_story(load("ile-aux-pirates"), {"players": 4, "passages": [{"play": ["chance first 3"]}]})


def test_every_rule_is_in_a_section_and_every_section_has_words_in_both_languages() -> None:
    for game_id in game_ids():
        french, english = book.contents(game_id, "fr"), book.contents(game_id, "en")
        assert [section["rules"] for section in french] == [section["rules"] for section in english]
        assert all(section["title"] for section in french + english)
        assert french[0]["text"] and not french[0]["rules"]


@pytest.mark.parametrize("game_id", game_ids())
def test_french_is_set_as_french_is(game_id: str) -> None:
    def french(data: Any, inside: bool = False) -> Iterator[str]:
        if isinstance(data, str) and inside:
            yield data
        elif isinstance(data, dict):
            for key, value in data.items():
                yield from french(value, inside or key == "fr")
        elif isinstance(data, list):
            for value in data:
                yield from french(value, inside)

    files = sorted((load(game_id).folder / "client").glob("*.json"))
    assert len(files) >= 4
    for text in (text for file in files for text in french(json.loads(file.read_text(encoding="utf-8")))):
        assert not re.search(r"'| [:;!?»]|« |[^\u00a0\d]:|[^\u202f\s][;!?]", text), text


# -- the rulebook ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game_id", game_ids())
def test_the_rulebook_draws_its_examples_and_sets_them_in_motion(
    server: ServerProcess, browser: Browser, game_id: str
) -> None:
    with aboard(browser, LAPTOP, at=f"{server.url}/#/rules/{game_id}") as page:
        figures = page.locator(".example")
        expect(figures).to_have_count(len(book.stories(load(game_id), "examples.json")))
        expect(page.locator(".rules > div")).to_have_count(len(book.rules(game_id, "fr")))
        first = figures.first
        before = first.locator("svg").inner_html()
        assert len(before) > 2000
        first.get_by_role("button", name="Montrer").click()
        expect(first.get_by_role("button", name="Revoir")).to_be_visible()
        page.wait_for_timeout(300)
        assert places(first.locator("svg").inner_html()) != places(before)


def places(drawn: str) -> list[str]:
    """Where things are in a drawing."""
    return re.findall(r"translate\([^)]*\)", drawn) + re.findall(r">([^<>]+)<", drawn)


def test_a_rule_has_an_address(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, PHONE, "en", at=f"{server.url}/#/rules/{GAME}/F19") as page:
        expect(page.locator("#rule-F19.cited")).to_be_in_viewport()
        expect(page.locator("#rule-F19")).to_be_focused()
        page.locator("#rule-F18").get_by_role("link", name="F10").click()
        expect(page.locator("#rule-F10")).to_be_in_viewport()


def test_a_number_at_the_table_opens_the_rule(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, PHONE) as page:
        sit_down(page, server.url)
        page.locator(".cite").tap()
        expect(page.locator("#rule-F3.cited")).to_be_in_viewport()
        page.locator("[data-pirate='4']").tap()
        page.locator(".act .primary").tap()
        page.locator(
            "[data-card]:not([aria-disabled])"
        ).first.wait_for()  # ours to play: nothing more comes into the log
        page.get_by_role("tab", name="Journal").tap()
        links = page.locator(".log .rule-link")
        links.nth(3).wait_for()
        assert links.count() > 5 and page.locator(".log .rule-link[tabindex='0']").count() == 1
        links.first.focus()
        page.keyboard.press("ArrowDown")
        expect(links.nth(1)).to_be_focused()
        number = links.nth(1).inner_text()
        page.keyboard.press("Enter")
        expect(page.locator(f"#rule-{number}.cited")).to_be_in_viewport()
        page.locator("#rule-F9 summary").click()
        expect(page.locator("#rule-F9 .example svg")).to_be_visible()


# -- how to play ----------------------------------------------------------------------------------------------------


def test_a_newcomer_is_shown_how_to_play_once(server: ServerProcess, browser: Browser) -> None:
    titles = [step["en"]["title"] for step in book.stories(load(GAME), "howto.json")]
    with aboard(browser, PHONE, "en", newcomer=True, at=server.url) as page:
        page.locator(".game-card .primary").first.tap()
        dialog = page.get_by_role("dialog")
        expect(dialog.get_by_role("heading", level=3)).to_have_text(titles[0])
        dialog.get_by_role("button", name="Next").tap()
        expect(dialog.get_by_role("heading", level=3)).to_have_text(titles[1])
        dialog.get_by_role("button", name="Skip").tap()
        expect(dialog).to_have_count(0)
        page.reload()
        page.locator("[data-pirate]:not([aria-disabled])").first.wait_for()
        assert page.get_by_role("dialog").count() == 0


def test_on_a_phone_the_pictures_name_every_crew_in_full(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, PHONE, newcomer=True, at=server.url) as page:
        page.locator(".game-card .primary").first.tap()
        lines = page.locator(".howto .crew-line")
        lines.first.wait_for()
        named = lines.evaluate_all(
            "all => all.map((a) => [...a.querySelectorAll('.who')].map((w) => w.textContent).join(' '))"
        )
        assert sorted(named) == ["Les Bleus", "Les Jaunes", "Les Rouges", "Les Verts"]
        right, left = "(w) => w.getBBox().x + w.getBBox().width", "a.querySelector('.points').getBBox().x"
        ends = f"Math.max(...[...a.querySelectorAll('.who')].map({right}))"
        assert all(lines.evaluate_all(f"all => all.map((a) => {ends} < {left})"))


def test_what_happens_waits_until_a_newcomer_has_read_how_to_play(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, LAPTOP, newcomer=True, speed=4) as page:
        sit_down(page, server.url)
        page.locator(".howto[open]").wait_for()
        expect(page.locator(".table-screen:not([data-version='0'])")).to_have_count(1)  # the bots have picked
        page.wait_for_timeout(500)
        expect(page.locator(".log li")).to_have_count(0)
        page.locator(".howto header button").click()
        expect(page.locator(".log li")).to_have_count(3)


def test_where_a_clock_runs_how_to_play_is_offered_and_does_not_open(server: ServerProcess, browser: Browser) -> None:
    clock = {"per": "decision", "seconds": 90, "rank": "mousse"}
    with aboard(browser, PHONE, newcomer=True) as page:
        table = elsewhere(play(server.url, GAME, ["me", "mousse"], 0, clock=clock))
        take_place(page, server.url, table, GAME)
        offer = page.locator(".asked")
        expect(offer).to_contain_text("Première partie")
        assert page.get_by_role("dialog").count() == 0
        page.locator("[data-pirate='4']").tap()  # nothing stands before the board
        expect(page.locator("[data-pirate='4']")).to_have_attribute("aria-pressed", "true")
        page.reload()
        offer.get_by_role("button", name="Comment jouer").tap()
        page.locator(".howto[open]").wait_for()
        expect(offer).to_have_count(0)
        page.reload()
        page.locator("[data-pirate]").first.wait_for()
        expect(offer).to_have_count(0)


@pytest.mark.parametrize("game_id", game_ids())
def test_the_first_steps_by_keyboard(server: ServerProcess, browser: Browser, game_id: str) -> None:
    steps = len(next(iter(lessons_of(game_id).values())))
    with aboard(browser, LAPTOP, at=f"{server.url}/#/new/{game_id}") as page:
        page.get_by_role("button", name="Comment jouer").focus()
        page.keyboard.press("Enter")
        here = page.locator(".dots .here")
        expect(here).to_have_count(1)
        titles = []
        for step in range(steps):
            expect(page.locator(".dots li").nth(step)).to_have_class("here")
            titles.append(page.locator(".howto h3").inner_text())
            page.keyboard.press("ArrowRight")  # stays at the last
        assert len(set(titles)) == steps
        tip = page.locator(".howto .tip")
        known = [f"Astuce : {each['fr']}" for each in tips(load(game_id)) if each["variant"] in ("", "base")]
        known = [each.replace("\u00a0", " ") for each in known]
        said = [tip.inner_text()]
        page.keyboard.press("ArrowLeft")
        expect(page.locator(".howto h3")).to_have_text(titles[-2])
        expect(tip).to_have_count(0)  # it's the last step's
        page.keyboard.press("ArrowRight")
        expect(tip).to_contain_text(said[0])  # and stays while the lesson is open
        for _opened in known[1:]:
            page.keyboard.press("Escape")
            page.get_by_role("button", name="Comment jouer").press("Enter")
            for step in range(steps):
                expect(page.locator(".dots li").nth(step)).to_have_class("here")
                page.keyboard.press("ArrowRight")
            said.append(tip.inner_text())
        assert sorted(each.replace("\u00a0", " ") for each in said) == sorted(known)  # another one each time
        page.keyboard.press("Enter")  # the button has kept the focus
        expect(page.locator(".howto")).to_have_count(0)


# -- the harbour, set-up and settings -------------------------------------------------------------------------------


def test_an_option_matters_only_where_it_does(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, PHONE, at=f"{server.url}/#/new/ile-aux-pirates") as page:
        page.locator("summary").tap()
        expect(page.get_by_text("Forces cachées", exact=True)).to_have_count(0)
        page.get_by_label("Jeu stratégique").check(force=True)
        expect(page.get_by_text("Forces cachées", exact=True)).to_be_visible()
        expect(page.get_by_text("Sur la feuille", exact=False).first).to_be_visible()


def test_tables_are_forgotten_when_someone_confirms_it(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, PHONE, "en") as page:
        sit_down(page, server.url)
        page.goto(f"{server.url}/#/")
        expect(page.locator(".plain-list .line")).to_have_count(1)
        page.get_by_role("button", name="Settings").tap()
        page.get_by_role("button", name="Forget", exact=True).tap()
        page.get_by_role("button", name="Forget them all").tap()
        expect(page.get_by_text("This device remembers no tables.")).to_be_visible()
        assert page.evaluate("localStorage.getItem('tribord.credentials')") == "[]"


# -- for everyone ---------------------------------------------------------------------------------------------------


EXAMINED = ("rules of", "how to play")


def screens(page: Page, url: str) -> Iterator[str]:
    """Through the screens of the book and the harbour; the name of each while it is shown."""
    page.locator(".game-card").first.wait_for()
    yield "harbour"
    page.locator(".ways button").last.click()
    page.locator("dialog[open]").wait_for()
    yield "settings"
    page.keyboard.press("Escape")
    for game_id in game_ids():
        page.goto(f"{url}/#/rules/{game_id}")
        page.locator(".example").first.wait_for()
        yield f"rules of {game_id}"
        page.locator(".foreword button").last.click()
        page.locator(".howto[open]").wait_for()
        yield f"how to play {game_id}"
        page.locator(".howto .primary").click()
        drawn(page)
        yield f"how to play {game_id}, second step"
        page.keyboard.press("Escape")
        page.goto(f"{url}/#/new/{game_id}")
        page.locator("form").wait_for()
        if not page.locator("details[open]").count():
            page.locator("summary").click()
        yield f"set-up of {game_id}"
    page.goto(f"{url}/#/NOSUCH")
    page.get_by_role("alert").first.wait_for()
    yield "no such table"


def test_axe_finds_nothing_in_the_book(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, PHONE, at=server.url) as page:
        # The rules and How to play are examined in test_axe.py, step by step and in both languages.
        found = {screen: axe(page) for screen in screens(page, server.url) if not screen.startswith(EXAMINED)}
    assert len(found) == len(game_ids()) + 3
    assert not any(found.values()), {screen: wrong for screen, wrong in found.items() if wrong}


@pytest.mark.parametrize("size", [SMALL, LYING, ZOOMED], ids=["small phone", "phone on its side", "200 %"])
def test_nothing_is_lost_where_there_is_little_room(
    server: ServerProcess, browser: Browser, size: tuple[int, int]
) -> None:
    with aboard(browser, size, at=server.url) as page:
        for screen in screens(page, server.url):
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= size[0], f"{screen} is {wide} wide"
            if page.locator(".howto[open]").count():
                for button in page.locator(".howto footer .primary, .howto header button").all():
                    expect(button).to_be_in_viewport(ratio=0.95)


def test_parts_of_the_page_go_without_the_headers_of_documents(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, PHONE) as page:
        headers = {
            path: page.request.get(server.url + path).headers
            for path in ("/", "/worker.js", PLAIN, "/page/icon.svg", "/page/main.js", "/page/page.css")
        }
    for path, given in headers.items():
        assert ("content-security-policy" in given) == (path not in ("/page/main.js", "/page/page.css")), path
        assert given["x-content-type-options"] == "nosniff"


# -- installed, and out of reach ------------------------------------------------------------------------------------


def test_the_manifest_names_icons_of_the_size_it_says(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, PHONE) as page:
        manifest = page.request.get(f"{server.url}/page/tribord.webmanifest")
        assert manifest.headers["content-type"] == "application/manifest+json"
        for icon in manifest.json()["icons"]:
            body = page.request.get(server.url + icon["src"]).body()
            if icon["type"] == "image/png":
                width, height = struct.unpack(">II", body[16:24])
                assert icon["sizes"] == f"{width}x{height}"


def kept(page: Page) -> list[str]:
    """The addresses that the service worker has cached."""
    asked = "caches.open('tribord').then((cache) => cache.keys()).then((all) => all.map((request) => request.url))"
    return [re.sub(r"^\w+://[^/]+", "", address) for address in page.evaluate(asked)]


def test_out_of_reach_there_is_a_page_and_back_in_reach_the_newest(tmp_path: Path, browser: Browser) -> None:
    with (
        ServerProcess(tmp_path, "--limits", "0") as serving,
        aboard(browser, PHONE, "en", troubled=True, workers=True, at=serving.url) as page,
    ):
        page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
        sit_down(page, serving.url, players=2)
        address = page.url
        page.reload()  # this time through the service worker
        page.locator("[data-pirate]").first.wait_for()
        for _look in range(300):  # caching goes on in parallel, and nobody waits for it
            if {"/page/main.js", f"/games/{GAME}/board.js"} <= set(kept(page)):
                break
            page.wait_for_timeout(50)
        else:
            raise AssertionError(f"only these are kept: {kept(page)}")
        assert all(re.match(r"/(page|games)/[^?]*$", path) for path in kept(page)), kept(page)
        serving.stop(signal.SIGKILL)
        page.reload()
        expect(page.get_by_role("heading", name="No land in sight")).to_be_visible()
        expect(page.get_by_role("heading", name="Pas de terre en vue")).to_be_visible()
        assert page.locator("main > section").first.get_attribute("lang") == "en"
        assert axe(page) == []
        serving.start()
        page.get_by_role("button", name="Try again").tap()
        page.locator("[data-pirate]").first.wait_for()
        assert page.url == address
        style = (CLIENT / "page.css").read_text(encoding="utf-8")
        assert page.evaluate("fetch('/page/page.css').then((a) => a.text())") == style
