"""The page in a real Chromium against a real server: whole matches, by touch, by keyboard; axe on every screen."""

from __future__ import annotations

import signal
from pathlib import Path

from playwright.sync_api import Browser, Page, expect
from tests.page.sailor import LAPTOP, PHONE, aboard, axe, back, drawn, moved_on, press_until, sit_down, version_of
from tests.server.launcher import ServerProcess

GAME = "Faut pas pousser"


def play_now(page: Page, title: str = GAME) -> None:
    page.locator(".game-card", has_text=title).locator(".primary").click()
    page.locator(".decision .must").first.wait_for()


def waiting(page: Page) -> str:
    """Wait until it is our turn or the match is over: "turn" or "over"."""
    page.locator(".card:not([aria-disabled]), .options button, .result").first.wait_for()
    return "over" if page.locator(".result").count() else "turn"


def touch_a_turn(page: Page) -> None:
    """One decision by touch: the first pirate, the first card, the first place on the plank; at last the pass."""
    pirates = page.locator("[data-pirate]:not([aria-disabled])")
    cards = page.locator("[data-card]:not([aria-disabled])")
    if not pirates.count():
        page.locator("[data-pass]").tap()
    else:
        pirates.first.tap()
        if cards.count():
            cards.first.tap()
            page.locator("[data-slot]").first.tap()
    button = page.locator(".act .primary")
    expect(button).to_be_enabled()
    button.tap()


def test_a_whole_match_by_touch_on_a_phone(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, PHONE) as page:
        sit_down(page, server.url)
        decisions = 0
        while waiting(page) == "turn" and decisions < 12:
            version = version_of(page)
            touch_a_turn(page)
            moved_on(page, version)
            decisions += 1
        assert decisions == 7  # a pick, five pairs and a pass (F3, F7)
        expect(page.locator(".sheet-table tbody tr")).to_have_count(4)
        totals = [int(text) for text in page.locator(".sheet-table .sum").all_inner_texts()]
        assert sum(totals) in (90, 92, 94, 96, 98)  # F12
        page.get_by_role("button", name="Revanche").tap()
        expect(page.locator(".pirate-card:not(.gone)")).to_have_count(6)


def test_a_whole_match_by_keyboard_alone(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, LAPTOP, "en") as page:
        sit_down(page, server.url)
        decisions = 0
        while waiting(page) == "turn" and decisions < 12:
            version = version_of(page)
            if page.locator("[data-pirate]:not([aria-disabled])").count():
                press_until(page, "[data-pirate]:not([aria-disabled])")
                page.keyboard.press("Enter")
                if page.locator("[data-card]:not([aria-disabled])").count():
                    press_until(page, "[data-card]:not([aria-disabled])")
                    page.keyboard.press(" ")
                    press_until(page, "[data-slot]")
                    page.keyboard.press("Enter")
            else:
                press_until(page, "[data-pass]")
                page.keyboard.press("Enter")
            press_until(page, ".act .primary:not([disabled])")
            page.keyboard.press("Enter")
            moved_on(page, version)
            decisions += 1
        assert decisions == 7
        expect(page.locator(".sheet-table")).to_be_visible()


def test_a_refresh_keeps_the_place_and_the_secret_stays_out_of_the_address(
    server: ServerProcess, browser: Browser
) -> None:
    with aboard(browser, PHONE, at=server.url) as page:
        play_now(page)
        waiting(page)
        address = page.url
        secret = page.evaluate("JSON.parse(localStorage.getItem('tribord.credentials'))[0].secret")
        page.reload()
        waiting(page)
        assert page.url == address and secret not in address
        assert page.locator("[data-pirate]:not([aria-disabled])").count() == 6


def test_a_game_without_a_board_is_played_part_by_part(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, PHONE, at=server.url) as page:
        page.route("**/page/house.json", lambda route: route.fulfill(json=_boardless(route.fetch().json())))
        page.reload()
        sit_down(page, server.url)
        for _decision in range(3):
            assert waiting(page) == "turn"
            version = version_of(page)
            for _part in range(6):  # what is asked, answered by the first that is offered
                if not page.locator(".options button:not([aria-disabled])").count():
                    break
                page.locator(".options button:not([aria-disabled])").first.tap()
                drawn(page)
            page.locator(".act .primary:not([disabled])").tap()
            moved_on(page, version)


def _boardless(house: dict) -> dict:
    return house | {"games": [game | {"board": False} for game in house["games"]]}


def test_two_people_meet_by_code(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, LAPTOP, "fr", at=server.url) as host, aboard(browser, PHONE, "en") as guest:
        host.locator(".game-card", has_text=GAME).locator("a[href^='#/new']").click()
        host.get_by_label("2", exact=True).check()
        host.get_by_role("button", name="Ouvrir et inviter").click()
        code = host.locator(".code").inner_text()
        guest.goto(f"{server.url}/#/{code}")
        guest.locator("form input").fill("Zoé")
        guest.get_by_role("button", name="Come aboard").tap()
        host.get_by_role("button", name="Commencer").click()
        for page in (host, guest):
            waiting(page)
            page.locator("[data-pirate='4']").click()
            page.locator(".act .primary").click()
        expect(guest.locator(".log li, .must")).not_to_have_count(0)
        expect(host.locator(".piece.standing")).to_have_count(4)
        expect(guest.locator(".piece.standing")).to_have_count(4)


def test_axe_finds_nothing(server: ServerProcess, browser: Browser) -> None:
    found: dict[str, list[str]] = {}
    with aboard(browser, PHONE, at=server.url) as page:
        page.locator(".game-card").first.wait_for()
        found["harbour"] = axe(page)
        page.get_by_role("button", name="Réglages").tap()
        found["settings"] = axe(page)
        page.get_by_role("button", name="Terminé").tap()
        page.locator(".game-card", has_text=GAME).locator("a[href^='#/new']").tap()
        page.locator("summary").tap()
        found["set-up"] = axe(page)
        page.get_by_role("button", name="Ouvrir et inviter").tap()
        page.locator(".code").wait_for()
        found["lobby"] = axe(page)
        page.goto(f"{server.url}/#/NOSUCH")
        page.get_by_role("alert").first.wait_for()
        found["no table"] = axe(page)
        sit_down(page, server.url, players=2)
        waiting(page)
        found["table"] = axe(page)
        for drawer in ("Journal", "Discussion", "Règles", "En mots"):
            page.get_by_role("tab", name=drawer).tap()
            found[drawer] = axe(page)
        page.get_by_role("tab", name="En mots").tap()
        while waiting(page) == "turn":
            version = version_of(page)
            touch_a_turn(page)
            moved_on(page, version)
        found["result"] = axe(page)
    assert not any(found.values()), {screen: wrong for screen, wrong in found.items() if wrong}


def test_a_server_that_is_killed_is_a_pause(tmp_path: Path, browser: Browser) -> None:
    with (
        ServerProcess(tmp_path, "--limits", "0") as serving,
        aboard(browser, PHONE, troubled=True) as page,
    ):
        sit_down(page, serving.url)
        waiting(page)
        page.locator("[data-pirate='4']").tap()
        serving.stop(signal.SIGKILL)
        expect(page.locator(".banner")).to_be_visible()
        page.locator(".act .primary").tap()  # sent while the server is down
        serving.start()
        back(page)
        expect(page.locator("[data-pirate='4'].gone")).to_have_count(1)  # and carried out once, when it's back
        assert waiting(page) == "turn"


def test_two_on_one_device_do_not_see_each_other_choose(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, PHONE) as page:
        sit_down(page, server.url, players=2, others="me")
        for pirate in ("3", "5"):
            expect(page.locator(".curtain")).to_be_visible()
            assert page.locator(".card").count() == 0  # nobody's hand while the device changes hands
            page.locator(".curtain .primary").tap()
            assert page.locator(".card.on").count() == 0
            page.locator(f"[data-pirate='{pirate}']").tap()
            page.locator(".act .primary").tap()
        expect(page.locator(".piece.standing")).to_have_count(4)  # two of the players', two of the neutral crews'
