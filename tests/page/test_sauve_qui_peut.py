"""The board of Sauve qui peut ! in a real Chromium: whole matches by touch and by keyboard, offers, motion, axe."""

from __future__ import annotations

import json
import random

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from tests.page.sailor import LAPTOP, PHONE, aboard, axe, sit_down
from tests.serving import Serving

from tribord import Match, load

GAME = "sauve-qui-peut"
SHORT = {"boats": "players+1"}  # four boats for three players: at most twelve rounds (S20)
TARGETS = ".sqp-hand [data-lane]:not([disabled]), .sqp-hand [data-crew]:not([disabled])"


class Player:
    """Somebody at a table, who hears when the server answers: bots decide at once, so a changed table says nothing."""

    def __init__(self, page: Page):
        self.page = page
        self.answers = 0
        page.on("websocket", lambda socket: socket.on("framereceived", self._hear))

    def _hear(self, frame: str | bytes) -> None:
        message = json.loads(frame)
        self.answers += message["t"] in ("happened", "ack", "refused") and "id" in message

    def asked(self) -> bool:
        """Wait until it is our turn (True) or the match is over (False)."""
        self.page.locator(f"{TARGETS}, .result").first.wait_for()
        return not self.page.locator(".result").count()

    def touch(self, what: Locator) -> None:
        """With a finger where the page has none but fingers, else with the mouse."""
        if self.page.viewport_size == {"width": PHONE[0], "height": PHONE[1]}:
            what.tap()
        else:
            what.click()

    def touched(self) -> None:
        """Where a boat was touched with several of our people, say who."""
        self.page.wait_for_timeout(40)  # until the touch is drawn
        if self.page.locator(".act .primary[disabled]").count():
            self.touch(self.page.locator("[data-person]:not([disabled])").first)

    def send(self, by_key: bool = False) -> None:
        """Press the button, and wait for the answer to be drawn."""
        before = self.answers
        expect(self.page.locator(".act .primary")).to_be_enabled()
        if by_key:
            self.page.keyboard.press("Enter")
        else:
            self.touch(self.page.locator(".act .primary"))
        for _moment in range(500):
            if self.answers > before:
                break
            self.page.wait_for_timeout(10)
        self.page.wait_for_timeout(40)


def test_a_whole_match_by_touch_on_a_phone(server: Serving, browser: Browser) -> None:
    with aboard(browser, server.url, PHONE) as page:
        player = Player(page)
        sit_down(page, server.url, GAME, players=3, options=SHORT)
        kinds: set[str] = set()
        capped = False
        while player.asked():
            boats = page.locator("[data-boat]")  # in the drawing
            button = page.locator(".act .primary")
            cap = page.locator("[data-cap]:not([disabled])")
            if cap.count() and not capped:
                cap.tap()
                capped = True
            elif page.locator("[data-crew]:not([disabled])").count():
                page.locator("[data-crew]:not([disabled])").first.tap()
            else:
                boats.nth(len(kinds) % boats.count()).tap()
            player.touched()
            expect(button).to_be_enabled()
            kinds.add(button.inner_text())
            player.send()
        assert {"Embarquer", "Voter", "Montrer le bonnet", "Faire sortir", "Monter"} <= kinds
        expect(page.locator(".sheet-table tbody tr")).to_have_count(3)
        totals = [int(text) for text in page.locator(".sheet-table .sum").all_inner_texts()]
        assert totals == sorted(totals, reverse=True)
        in_the_drawing = [int(text) for text in page.locator(".sqp-crew .points").all_text_contents()]
        assert sorted(in_the_drawing) == sorted(totals)
        page.wait_for_load_state("networkidle")  # the decisive moments are there
        page.evaluate("scrollTo(0, document.body.scrollHeight)")  # and nothing lies half under the tabs
        page.wait_for_timeout(100)
        assert axe(page) == []


def press_until(page: Page, selector: str) -> None:
    """Go with Tab until what has the focus is this; nowhere where it has it already."""
    page.locator(selector).first.wait_for()
    page.wait_for_timeout(40)
    for _press in range(60):
        if page.evaluate("(selector) => document.activeElement?.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not reach {selector}")


def test_a_whole_match_by_keyboard_alone(server: Serving, browser: Browser) -> None:
    with aboard(browser, server.url, LAPTOP, "en", "dark") as page:
        player = Player(page)
        sit_down(page, server.url, GAME, players=3, options=SHORT)
        decisions = 0
        while player.asked():
            # The first decisions on the drawing itself, the others where the hand is.
            press_until(page, "[data-boat]" if decisions < 4 else TARGETS)
            page.keyboard.press("Enter" if decisions % 2 else " ")
            page.wait_for_timeout(30)
            if page.locator(".act .primary[disabled]").count():
                press_until(page, "[data-person]:not([disabled])")
                page.keyboard.press("Enter")
            press_until(page, ".act .primary:not([disabled])")
            player.send(by_key=True)
            decisions += 1
        assert decisions >= 7  # everybody was placed (S2, S5), at least
        expect(page.locator(".sheet-table")).to_be_visible()
        assert axe(page) == []


def test_a_promise_is_in_the_log_and_the_result_says_whether_it_was_kept(server: Serving, browser: Browser) -> None:
    with aboard(browser, server.url, LAPTOP, "en") as page:
        player = Player(page)
        sit_down(page, server.url, GAME, players=3, options=SHORT)
        promised = 0
        while player.asked():
            lane = "1"
            if promised < 2 and page.locator(".must", has_text="which boat gets a leak").count():
                page.get_by_role("button", name="Offer…").click()
                lane = page.locator(TARGETS).first.get_attribute("data-lane") or ""
                form = page.locator(".sqp-offer")
                form.locator("[name=lane]").select_option(lane)
                form.get_by_role("button").click()
                promised += 1
                expect(page.locator(".talk .offered")).to_have_count(promised)
                page.get_by_role("tab", name="Log").click()
                expect(page.locator(".log .offered").first).to_contain_text("promise: the leak for")
                # The first promise is kept, the second is not.
                page.locator(TARGETS).nth(promised - 1).click()
            else:
                page.locator(TARGETS).first.click()
            player.touched()
            player.send()
        assert promised == 2
        fates = page.locator(".sqp-kept li b")
        expect(fates).to_have_text(["✓ Kept.", "✗ Broken."])


def told(match: Match, events: list) -> list[dict]:
    """Events as the page gets them."""
    return [{"kind": e.kind, "rule": e.rule, "fields": e.fields, "fr": "", "en": ""} for e in events]


def played(players: int, seed: int) -> list[dict]:
    """A random match as the stage sees it: the events of each decision and the view after it."""
    dice, match = random.Random(seed), Match(load(GAME), players, seed)
    acts = [{"events": [], "view": match.view()}]
    while not match.over:
        seat = dice.choice(match.to_act)
        events = match.play(seat, dice.choice(match.legal(seat)))
        acts.append({"events": told(match, events), "view": match.view()})
    return acts


STEPS = """async (acts) => {
  const { board } = await import("/games/sauve-qui-peut/board.js");
  const facts = ({ boats, crews, deck, drowned, afloat, baton, leaksLeft }) => JSON.stringify({
    boats: boats.map(({ lane, where, row, seats }) => [lane, where, row, seats]), baton, leaksLeft,
    crews: crews.map(({ crew, tokens, points, between }) => [crew, tokens, points, between]),
    deck: [...deck].sort(), drowned: Object.keys(drowned).sort(), afloat: Object.keys(afloat),
  });
  const wrong = [];
  let scene = board.scene(acts[0].view, -1);
  for (const { events, view } of acts.slice(1)) {
    for (const event of events) scene = board.step(scene, event).scene;
    const stepped = facts(scene);
    scene = board.scene(view, -1);
    if (facts(scene) !== stepped) wrong.push([events.map((event) => event.kind).join(), stepped, facts(scene)]);
  }
  return wrong.slice(0, 2);
}"""


def test_what_is_played_on_the_stage_ends_where_the_view_is(server: Serving, browser: Browser) -> None:
    seen: set[str] = set()
    with aboard(browser, server.url, LAPTOP) as page:
        for players in (3, 4, 5, 6):
            acts = played(players, seed=players)
            seen |= {event["kind"] for act in acts for event in act["events"]}
            assert page.evaluate(STEPS, json.loads(json.dumps(acts, default=int))) == []
    everything = {kind.name for kind in load(GAME).text.KINDS}
    assert everything - seen <= {"first", "no-leak", "all-caps", "shares", "wins"}  # chance, and what is rare


def test_the_votes_flip_together_and_are_seen(server: Serving, browser: Browser) -> None:
    with aboard(browser, server.url, PHONE, speed=4) as page:
        player = Player(page)
        sit_down(page, server.url, GAME, players=3, options=SHORT)
        for _decision in range(40):
            player.asked()
            voting = page.locator("[data-cap]").count()
            page.locator(TARGETS).last.tap()
            player.touched()
            player.send()
            if voting:
                expect(page.locator(".sqp-dial.shown")).to_have_count(3)
                return
        raise AssertionError("no vote in forty decisions")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(server: Serving, browser: Browser, theme: str) -> None:
    found: dict[str, list[str]] = {}
    with aboard(browser, server.url, PHONE, theme=theme) as page:
        player = Player(page)
        sit_down(page, server.url, GAME, players=6)
        player.asked()
        found["placing"] = axe(page)
        page.locator(".parley").tap()
        page.locator(".sqp-offer").wait_for()
        found["offer"] = axe(page)
        page.get_by_role("tab", name="Paroles").tap()
        for _decision in range(8):
            player.asked()
            if page.locator("[data-cap]").count():
                found["vote"] = axe(page)
                break
            page.locator(TARGETS).first.tap()
            player.touched()
            player.send()
    assert "vote" in found
    assert not any(found.values()), {screen: wrong for screen, wrong in found.items() if wrong}
