"""The seats: who plays, whose turn it is, who is away; a tap on a player shows what everyone may know."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from tests.page.onlooker import NOTES, notes
from tests.page.player import PLAYERS, PUSH, Player
from tests.page.sailor import LAPTOP, PHONE, TV, aboard, axe, keep, press_until, sit_down
from tests.server.launcher import ServerProcess

from tribord import game_ids, load

LONGEST = "Barthélemy-de-la-Tortue!"  # 24 letters
STANDING = """
board.standing = (view, seat) => [{ label: "Cartes", value: 3 + seat }, { label: "Points", value: 40 }];
"""
SMALL, SIDE = (320, 568), (740, 360)

# What sticks out of the screen, and which letters of the seats leave their boxes.
OUTSIDE = """(selector) => {
  const out = [...document.querySelectorAll(selector)].filter((element) => {
    const { left, right, width } = element.getBoundingClientRect();
    return width > 0 && (left < -0.5 || right > innerWidth + 0.5);
  });
  return [document.documentElement.scrollWidth > innerWidth, out.map((element) => element.className)];
}"""


def with_standing(page: Page) -> None:
    """Let every board say something about its players, whatever the game."""

    def append(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text() + STANDING)

    page.route("**/games/*/board.js", append)


def sit(page: Page, url: str, game: str, players: int, nickname: str = LONGEST) -> str:
    """A table of one person with bots, started; its id."""
    seats = ["me", *["mousse"] * (players - 1)]
    wanted: dict[str, Any] = {"game": game, "nickname": nickname, "players": players, "seats": seats}
    credentials = page.request.post(f"{url}/api/tables", data=wanted).json() | {"game": game, "since": 0}
    keep(page, credentials)
    page.goto(f"{url}/#/table/{credentials['table']}")
    page.locator(".lobby .primary").click()
    page.locator("#must").wait_for()
    return str(credentials["table"])


@pytest.mark.parametrize("size", [PHONE, SMALL, pytest.param(SIDE, marks=pytest.mark.long), LAPTOP])
@pytest.mark.parametrize("game", game_ids())
def test_the_seats_are_there_and_fit(server: ServerProcess, browser: Browser, game: str, size: tuple[int, int]) -> None:
    with aboard(browser, size) as page:
        with_standing(page)
        players = load(game).players[1]
        sit(page, server.url, game, players)
        chips = page.locator(".seat-chip")
        expect(chips).to_have_count(players)
        expect(chips.first).to_contain_text(LONGEST)
        expect(page.locator(".seat-chip[aria-current]").first).to_be_visible()
        for seat in (0, players - 1):
            chips.nth(seat).click()
            panel = page.get_by_role("dialog")
            expect(panel).to_contain_text("Cartes")
            expect(panel.locator("dd").first).to_have_text(str(3 + seat))
            assert page.evaluate(OUTSIDE, ".seat-strip *") == [False, []]
        if size == PHONE:
            assert not axe(page)
        page.get_by_role("dialog").get_by_role("button", name="Fermer").click()
        expect(page.get_by_role("dialog")).to_have_count(0)
        heights = [box["height"] for chip in chips.all() if (box := chip.bounding_box())]
        assert min(heights) >= 24


def test_the_panel_is_reached_and_left_by_keyboard(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, LAPTOP, "en") as page:
        with_standing(page)
        sit(page, server.url, "faut-pas-pousser", 4, "Anne")
        press_until(page, "[data-seat='2']")
        page.keyboard.press("Enter")
        panel = page.get_by_role("dialog")
        expect(panel).to_be_focused()
        expect(panel).to_contain_text("Ship’s boy (easy)")
        page.keyboard.press("Escape")
        expect(panel).to_have_count(0)
        expect(page.locator("[data-seat='2']")).to_be_focused()


@pytest.mark.parametrize("game", game_ids())
def test_the_tv_shows_every_player_with_what_everyone_may_know(
    server: ServerProcess, browser: Browser, game: str
) -> None:
    with aboard(browser, LAPTOP) as page:
        table = sit(page, server.url, game, load(game).players[1])
        with aboard(browser, TV) as room:
            with_standing(room)
            room.goto(f"{server.url}/#/tv/{table}")
            room.locator(".tv-board svg > *").first.wait_for()
            seats = room.locator(".tv-crew li")
            expect(seats).to_have_count(load(game).players[1])
            expect(seats.first).to_contain_text(LONGEST)
            expect(seats.nth(1)).to_contain_text("Cartes")
            assert room.evaluate(OUTSIDE, ".tv-crew *") == [False, []]
            letters = "(e) => parseFloat(getComputedStyle(e).fontSize)"
            assert seats.first.locator("dd").first.evaluate(letters) >= 24  # three metres from a screen of a metre
            fits(room)
            assert not axe(room)
            with aboard(browser, TV) as plain:  # and with what the board itself says
                plain.goto(f"{server.url}/#/tv/{table}")
                plain.locator(".tv-board svg > *").first.wait_for()
                fits(plain)


def fits(room: Page) -> None:
    """The crew and the whole board are on the screen, no line is cut, the drawing keeps its shape."""
    bottom = "(e) => e.getBoundingClientRect().bottom <= innerHeight + 1"
    assert room.locator(".tv-crew").evaluate(bottom) and room.locator(".tv-board").evaluate(bottom)
    cut = "(e) => e.scrollHeight > e.clientHeight + 2 || e.scrollWidth > e.clientWidth + 2"
    for part in room.locator(".tv-crew li, .tv-crew .seat-name, .tv-crew .standing").all():
        assert not part.evaluate(cut), part.inner_text()
    form = """(e) => {
      const [, , width, height] = e.querySelector("svg").getAttribute("viewBox").split(" ").map(Number);
      return (e.clientWidth / e.clientHeight) / (width / height);
    }"""
    assert 0.97 < room.locator(".tv-board").evaluate(form) < 1.03


def test_while_a_turn_is_shown_its_player_is_marked(server: ServerProcess, browser: Browser) -> None:
    with (
        aboard(browser, PHONE, "en", speed=8, first=NOTES) as page,
        aboard(browser, TV, "en", speed=8, first=NOTES) as tv,
    ):
        player = Player(page, PUSH)
        sit_down(page, server.url, PUSH, 4, start=False)
        tv.goto(page.url.replace("/table/", "/tv/"))
        tv.locator(".tv-seats").wait_for()
        page.locator(".lobby .primary").click()
        for _decision in range(2):
            page.locator("#must").wait_for()
            player.decide()
        page.locator("#must").wait_for()
        for screen in (page, tv):
            told = [line for line in notes(screen)["lines"] if line["kind"] in ("enters", "passes")]
            marked = [(line["acting"], line["text"].split()[0].replace("You", "Anne")) for line in told]
            assert len({name for _acting, name in marked}) == 4
            assert all(acting == [name] for acting, name in marked), marked


def test_a_game_with_a_silent_board_still_says_who_plays(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, PHONE, "en") as page:
        page.route(
            "**/games/*/board.js",
            lambda route: route.fulfill(
                response=(answer := route.fetch()), body=answer.text() + "\ndelete board.standing;\n"
            ),
        )
        sit(page, server.url, "faut-pas-pousser", PLAYERS["faut-pas-pousser"], "Anne")
        page.locator("[data-seat='0']").tap()
        panel = page.get_by_role("dialog")
        expect(panel).to_contain_text("Anne")
        expect(panel).to_contain_text("Blue")
