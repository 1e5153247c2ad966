"""What happens at a table while someone decides: their hand stays, and nothing is revealed too early."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from tests.page.narrator import Case, tell
from tests.page.player import PLANK, PLAYERS, SHORT, Player
from tests.page.sailor import LAPTOP, PHONE, aboard, drawn, keep, sit_down
from tests.server.launcher import ServerProcess

from tribord import game_ids, load
from tribord.server.page import CLIENT, game_words

ROOTS = {"faut-pas-pousser": "fpp", "ile-aux-pirates": "ile", "sauve-qui-peut": "sqp", "walk-the-plank": "w-"}


def meet(host: Page, guest: Page, url: str, game: str, players: int) -> None:
    """Two people at one table: the host sits and starts, the guest comes by the code."""
    seats = ["me", "open", *["mousse"] * (players - 2)]
    wanted = {"game": game, "nickname": "Anne", "players": players, "seats": seats}
    credentials = host.request.post(f"{url}/api/tables", data=wanted).json() | {"game": game, "since": 0}
    keep(host, credentials)
    host.goto(f"{url}/#/table/{credentials['table']}")
    guest.goto(f"{url}/#/{credentials['code']}")
    guest.get_by_role("button", name="Come aboard").click()
    guest.locator(".lobby").wait_for()
    host.locator(".lobby .primary:not([disabled])").click()


def test_your_hand_stays_while_others_seal_their_choices(server: ServerProcess, browser: Browser) -> None:
    with (
        aboard(browser, LAPTOP, "en", speed=0.5) as host,
        aboard(browser, LAPTOP, "en") as guest,
    ):
        meet(host, guest, server.url, "faut-pas-pousser", 2)
        host.locator("[data-pirate='4']").click()
        host.locator("[data-pirate='5']").focus()
        host.evaluate("globalThis.held = document.querySelector(\"[data-pirate='5']\")")
        version = host.locator(".table-screen").get_attribute("data-version")
        guest.locator("[data-pirate='2']").click()
        guest.locator(".act .primary").click()
        expect(host.locator(".table-screen")).not_to_have_attribute("data-version", str(version))
        assert host.evaluate("held.isConnected && document.activeElement === held && !held.disabled")
        expect(host.locator("[data-pirate='4'].on")).to_have_count(1)
        expect(host.locator(".act .primary")).to_be_enabled()


# The log, what is on the screen, and whether that goes on: all from the same moment.
LOG_AND_BOARD = """() => [
  [...document.querySelectorAll(".log li")].map((line) => line.innerText),
  document.querySelector(".must.narrated")?.innerText ?? "",
  [...document.querySelectorAll(".act button")].some(({ innerText }) => innerText === "Catch up"),
]"""


def test_the_log_follows_the_board(server: ServerProcess, browser: Browser) -> None:
    """Cards are turned up and played one after the other: the log never has what the board hasn't shown."""
    with aboard(browser, LAPTOP, "en", speed=0.5) as page:
        player = Player(page, PLANK)
        sit_down(page, server.url, PLANK, 3)
        for card in ("extend", "run", "charge"):  # the first asks for no decision: others follow at once
            page.locator(f".w-card[data-card='{card}']:not([disabled])").click()
        page.locator(".act .primary").click()
        page.locator(".must", has_text=re.compile(r"turns? up card\s1")).wait_for()
        ahead = 0  # how much further the match is than the board, at most
        for _look in range(100):
            told, now, playing = page.evaluate(LOG_AND_BOARD)
            if not playing:
                break
            assert any(line.startswith(now) for line in told[:2]), (
                now,
                told,
            )  # what needs no words may have come after
            ahead = max(ahead, sum(len(message.get("events", ())) for message in player.messages) - len(told))
            page.wait_for_timeout(20)
        assert ahead > 0


def test_the_first_throw_is_seen(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, LAPTOP, "en", speed=0.5) as page:
        sit_down(page, server.url, "ile-aux-pirates", 2)
        expect(page.locator(".decision .must")).to_contain_text("roll")
        expect(page.get_by_role("button", name="Catch up")).to_be_visible()


def test_a_decision_does_not_wait_for_the_look_ahead(server: ServerProcess, browser: Browser) -> None:
    """The preview is slow, the person isn't: the match goes on, without errors in the console."""
    with aboard(browser, PHONE) as page:
        held: list[Route] = []

        def hold(route: Route) -> None:
            held.append(route)

        page.route("**/preview/**", hold)
        sit_down(page, server.url)
        page.locator("[data-pirate='4']").tap()
        page.locator(".act .primary").tap()
        page.locator("[data-card]:not([aria-disabled])").first.wait_for()
        page.locator("[data-pirate]:not([aria-disabled])").first.tap()
        page.locator("[data-card]:not([aria-disabled])").first.tap()
        page.locator("[data-slot]").first.tap()
        version = page.locator(".table-screen").get_attribute("data-version")
        page.locator(".act .primary").tap()
        expect(page.locator(".table-screen")).not_to_have_attribute("data-version", str(version))
        assert held
        for route in held:
            route.continue_()  # the server would refuse now: 409, an error in the console
        page.wait_for_timeout(300)


def test_the_rule_is_cited_whole(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, PHONE) as page:
        sit_down(page, server.url)
        cited = page.locator(".cite")
        rule = cited.locator("b").inner_text()
        words = json.loads(page.request.get(f"{server.url}/games/faut-pas-pousser/words/fr.json").text())
        said = re.sub(r" ?\*\([^)]*\)\*|[*`]", "", words["rules"][rule])
        assert " ".join(str(cited.text_content()).split()) == " ".join(f"{rule} {said}".split())
        lines = cited.evaluate("(e) => e.clientHeight / parseFloat(getComputedStyle(e).lineHeight)")
        assert lines < 2.6
        cited.tap()
        expect(page.locator(f"#rule-{rule}.cited")).to_be_visible()


@pytest.mark.parametrize("language", ["fr", "en"])
def test_every_value_of_every_option_has_a_name(language: str) -> None:
    """`base` and `strategic` are words of the code: in set-up you read the game's own."""
    for game_id in game_ids():
        game = load(game_id)
        folder = CLIENT.parent.parent / "games" / game_id.replace("-", "_") / "client"
        plain = json.loads((folder / "setup.json").read_text(encoding="utf-8"))
        named = game_words(game, language)["names"].get("card", {})
        for option in game.options:
            for value in getattr(option, "values", ()):
                assert plain.get(option.name, {}).get(language, {}).get("values", {}).get(value) or named.get(value), (
                    game_id, option.name, value,
                )  # fmt: skip


@pytest.mark.parametrize("game_id", game_ids())
def test_a_board_s_style_sheet_is_about_that_board_alone(game_id: str) -> None:
    folder = CLIENT.parent.parent / "games" / game_id.replace("-", "_") / "client"
    sheet = re.sub(r"/\*.*?\*/", "", (folder / "board.css").read_text(encoding="utf-8"), flags=re.S)
    sheet = re.sub(r"@keyframes[^{]+\{(?:[^{}]*\{[^{}]*\})*\s*\}", "", sheet)
    selectors = [one.strip() for head in re.findall(r"([^{};]+)\{", sheet) for one in re.split(r",(?![^(]*\))", head)]
    loose = [
        one for one in selectors
        if f".{ROOTS[game_id]}" not in one and not one.startswith("@") and not re.fullmatch(r":root\S*", one)
    ]  # fmt: skip
    assert len(selectors) > 30 and not loose


def test_a_match_file_is_found_from_the_harbour(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, PHONE, at=server.url) as page:
        page.get_by_role("link", name="Regarder la partie").tap()
        expect(page.locator(".dropping")).to_be_visible()


def test_the_log_is_one_stop_for_the_keyboard(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, LAPTOP, "en") as page:
        sit_down(page, server.url, "ile-aux-pirates", 2)
        page.locator(".log .rule-link").first.wait_for()
        assert page.locator(".log [tabindex='0']").count() == 1
        page.locator(".log [tabindex='0']").focus()
        page.keyboard.press("ArrowDown")
        assert page.evaluate("document.activeElement?.matches('.log .rule-link[tabindex=\"-1\"]')") == (
            page.locator(".log .rule-link").count() > 1
        )


PLACES = """() => {
  const box = (selector) => document.querySelector(selector)?.getBoundingClientRect();
  const [scene, decision, hand, act, title] = [".scene-area", ".decision", ".hand-area", ".act", ".top h1"].map(box);
  const root = document.documentElement;
  return {
    covered: hand.bottom - act.top, beside: decision.left - scene.right, below: decision.top - scene.bottom,
    title: title.height / parseFloat(getComputedStyle(document.querySelector(".top h1")).fontSize),
    sideways: root.scrollWidth - innerWidth, scene: scene.height,
    button: parseFloat(getComputedStyle(document.querySelector(".act .primary")).fontSize),
  };
}"""


@pytest.mark.parametrize("game_id", game_ids())
def test_the_smallest_phone_upright_and_on_its_side_and_the_largest_screen(
    server: ServerProcess, browser: Browser, game_id: str
) -> None:
    with aboard(browser, (320, 568)) as page:
        sit_down(page, server.url, game_id, load(game_id).players[1])
        page.locator(".act .primary").wait_for()
        small = page.evaluate(PLACES)
        assert small["covered"] <= 0 and small["sideways"] <= 0 and small["below"] >= -1 and small["scene"] > 100, small
        assert small["title"] < 2, small  # one line
        page.set_viewport_size({"width": 740, "height": 360})
        drawn(page)
        lying = page.evaluate(PLACES)
        assert lying["covered"] <= 0 and lying["sideways"] <= 0 and lying["beside"] >= -1 and lying["scene"] > 280, (
            lying
        )
        page.set_viewport_size({"width": 3840, "height": 2160})
        drawn(page)
        large = page.evaluate(PLACES)
        assert large["button"] > 30 and large["covered"] <= 0 and large["scene"] > 1000, large


def test_the_board_is_still_there_when_the_match_is_over(server: ServerProcess, browser: Browser) -> None:
    """The result is long; you scroll to it, and it doesn't squeeze the last scene away."""
    with aboard(browser, LAPTOP, "en") as page:
        player = Player(page, PLANK)
        sit_down(page, server.url, PLANK, 3, options={"rounds": 1})
        while player.asked():
            player.decide()
        expect(page.locator(".result")).to_be_visible()
        box = page.locator(".scene-area").bounding_box()
        assert box and box["height"] > 250, box


@pytest.mark.parametrize("game", game_ids())
def test_a_screen_reader_announces_what_happens(server: ServerProcess, browser: Browser, game: str) -> None:
    with aboard(browser, LAPTOP, "en") as page:
        player = Player(page, game)
        sit_down(page, server.url, game, PLAYERS[game], options=SHORT[game])
        heard = page.locator("#polite[aria-live=polite]")
        for _decision in range(3):
            if not player.asked():
                break
            player.decide()
        player.asked()
        player.alone()
        events = [m["events"] for m in player.messages if m.get("events")][-1]
        people = [seat["name"] for seat in next(m["table"] for m in player.messages if m.get("table"))["seats"]]
        told = tell(load(game), "en", [Case(event["kind"], event["fields"], people, 0) for event in events])
        happened = [said[:1].upper() + said[1:] if said else event["en"] for said, event in zip(told, events)]
        assert " ".join(heard.inner_text().split()) == " ".join(" ".join(happened).split())
        for said, line in zip(reversed(happened), page.locator(".log li").all_inner_texts(), strict=False):
            assert " ".join(line.split()).startswith(" ".join(said.split()))  # and in the log, the latest first


def test_reduced_motion_means_no_motion(server: ServerProcess, browser: Browser) -> None:
    """The same throw that others watch (test_the_first_throw_is_seen) has happened at once."""
    with aboard(browser, LAPTOP, "en", speed=0.5) as page:
        page.emulate_media(reduced_motion="reduce")
        sit_down(page, server.url, "ile-aux-pirates", 1)
        expect(page.locator("#must")).to_be_visible(timeout=1000)
        expect(page.get_by_role("button", name="Catch up")).to_have_count(0)


def test_a_shared_screen_is_silent_until_someone_asks(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, LAPTOP, "en") as page:
        sit_down(page, server.url)
        page.evaluate("localStorage['tribord.settings'] = JSON.stringify({ language: 'en', sound: true, speed: 0 })")
        page.goto(f"{server.url}/#/tv/{page.url.rpartition('/')[2]}")
        page.reload()
        sound = page.locator(".tv button", has_text="Sound")
        expect(sound).to_have_attribute("aria-pressed", "false")
        sound.click()
        expect(sound).to_have_attribute("aria-pressed", "true")
