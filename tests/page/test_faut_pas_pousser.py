"""Faut pas pousser in a real Chromium: you see who did what and why, and the preview is right."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from tests.page.sailor import LAPTOP, PHONE, aboard, drawn, moved_on, sit_down, version_of
from tests.server.launcher import ServerProcess

from tribord import load
from tribord.server import outgoing

GAME = load("faut-pas-pousser")
PIRATE, CARD = "[data-pirate]:not([aria-disabled])", "[data-card]:not([aria-disabled])"
NB = "\u00a0"


def begin(page: Page, url: str, others: str = "mousse") -> None:
    """The installation is over, and it is our turn."""
    sit_down(page, url, others=others)
    page.locator("[data-pirate='4']").click()
    play(page)


def play(page: Page) -> None:
    """Send what was chosen, and wait for our next turn."""
    version = version_of(page)
    page.locator(".act .primary:not([disabled])").click()
    moved_on(page, version)
    page.locator("#must").wait_for()


def middle(what: Locator) -> float:
    """Where something is, from left to right."""
    box = what.bounding_box()
    assert box
    return box["x"] + box["width"] / 2


# -- deciding ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_the_slots_of_the_plank_are_numbered_as_the_words_count_them(
    server: ServerProcess, browser: Browser, size: tuple[int, int]
) -> None:
    with aboard(browser, size) as page:
        begin(page, server.url)
        places = page.locator(".spot .place")
        expect(places).to_have_text(["1", "2", "3", "4"])
        page.locator(CARD).first.click()
        for slot in range(4):
            target = page.locator("[data-slot]").nth(slot)
            assert (target.get_attribute("aria-label") or "").startswith(f"Emplacement{NB}{slot + 1}{NB}: ")
            assert abs(middle(target) - middle(places.nth(slot))) < 2
        page.locator("[data-slot='3']").click()
        expect(page.locator(".spot.aimed .place")).to_have_text("3")
        page.locator(PIRATE).first.click()
        expect(page.locator("#must")).to_contain_text(f"l’emplacement{NB}3")


def test_an_arrow_leads_from_where_its_pirate_was_to_where_it_is_seen(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser) as page:
        begin(page, server.url)
        for _turn in range(4):
            page.locator(CARD).first.click()
            page.locator("[data-slot='2']").click()  # every card moves the pirate there
            page.locator(PIRATE).first.click()
            for order in (1, 0):
                page.locator(".order button").nth(order).click()
                drawn(page)  # the preview of the other order is gone
                page.locator(".arrow-head.at-sea").wait_for()
                if not page.locator(".target.aimed").count():  # with the pirate first, another may stand there
                    page.locator("[data-slot='2']").click()
                head, tail, aimed = (
                    page.locator(what) for what in (".arrow-head:not(.at-sea)", ".arrow-tail", ".target.aimed")
                )
                head.wait_for()
                assert abs(middle(head) - middle(aimed.locator("rect"))) < 2
                assert tail.get_attribute("data-of") == aimed.get_attribute("data-of")
                apart = abs(middle(tail.locator(".crew")) - middle(page.locator(".spot .place").nth(1)))
                assert apart < 2 or abs(middle(head) - middle(page.locator(".spot .place").nth(1))) < 2
                fallen = page.locator(".piece.swims").count()
                pool = page.locator(".pool ellipse").nth(fallen // 4).bounding_box()
                assert pool and pool["x"] < middle(page.locator(".arrow-head.at-sea")) < pool["x"] + pool["width"]
            play(page)


def test_a_touched_pirate_stays_the_one_that_is_moved(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser) as page:
        begin(page, server.url)
        target = page.locator("[data-slot='3']")
        of = target.get_attribute("data-of")
        target.click()  # before any card: the target, then how far
        expect(page.locator("#must")).to_contain_text("la carte qui déplace")
        page.locator("[data-card='-1']").click()
        page.locator(PIRATE).first.click()
        expect(page.locator(".target.aimed")).to_have_attribute("data-of", of or "")
        pirate_first, action_first = page.locator(".order button").all()
        pirate_first.click()
        expect(page.locator(".target.aimed")).to_have_count(0)  # the entry may push it elsewhere: choose again
        expect(page.locator("#must")).to_contain_text("Touchez le pirate")
        page.locator(".arrow-head.at-sea").wait_for()
        again = page.locator("[data-slot='2']")
        of = again.get_attribute("data-of") or ""
        again.click()
        action_first.click()
        on_the_plank = page.locator(f".target[data-of='{of}']")
        if on_the_plank.count():
            expect(on_the_plank).to_have_class(re.compile("aimed"))
        else:  # it was the newcomer, who isn't on the plank yet
            expect(page.locator(".target.aimed")).to_have_count(0)


def test_a_card_that_does_nothing_says_why(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser) as page:
        begin(page, server.url)
        page.locator("[data-card='-1']").click()
        page.locator("[data-slot='1']").click()
        expect(page.locator(".vain")).to_have_text(f"sans effet{NB}: déjà contre le navire")
        expect(page.locator(".cite b")).to_have_text("F9")
        page.locator("[data-slot='2']").click()
        expect(page.locator(".vain")).to_have_count(0)


def test_the_rule_below_the_button_is_that_of_the_last_touch(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser) as page:
        sit_down(page, server.url)
        cited = page.locator(".cite b")
        expect(cited).to_have_text("F3")
        page.locator("[data-pirate='4']").click()
        play(page)
        for touched, rule in (
            ("", "F6"),
            ("[data-pass]", "F7"),
            (PIRATE, "F10"),
            (CARD, "F9"),
            ("[data-slot='2']", "F9"),
            (".order [aria-pressed=false]", "F8"),
        ):
            if touched:
                page.locator(touched).first.click()
            expect(cited).to_have_text(rule)


def test_non_merci_is_offered_once(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser) as page:
        begin(page, server.url)
        expect(page.locator("#must")).to_contain_text("Non merci")
        page.locator("[data-pass]").click()
        play(page)
        expect(page.locator("#must")).to_have_text(re.compile("carte action.$"))


def test_whatever_cannot_be_played_says_why_when_it_is_tapped(server: ServerProcess, browser: Browser) -> None:
    """A slot before anyone stands there, a pirate and a card that are gone, a second pass, and anything out of turn."""
    with aboard(browser) as page:
        sit_down(page, server.url)

        def refused(what: str, reason: str, rule: str) -> None:
            page.locator(what).click(force=True)  # as with a finger, on a disabled element too
            expect(page.locator(".notice")).to_contain_text(reason)
            expect(page.locator(".notice button", has_text=rule)).to_have_count(1)

        refused("[data-closed='2']", "choisissez d’abord un pirate", "F3")
        refused("[data-card='1']", "choisissez d’abord un pirate", "F3")
        refused("[data-pass]", "choisissez d’abord un pirate", "F3")
        page.locator("[data-pirate='4']").click()
        play(page)
        refused("[data-pirate='4']", f"Vous avez déjà joué le pirate{NB}4", "F7")
        page.locator("[data-pass]").click()
        play(page)
        refused("[data-pass]", "Vous avez déjà joué", "F7")
        page.locator("[data-card='1']").click()
        page.locator("[data-slot='1']").click()
        page.locator("[data-pirate='5']").click()
        play(page)
        refused("[data-card='1']", "Vous avez déjà joué la carte +1", "F7")


def test_out_of_turn_a_tap_says_whose_turn_it_is(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser) as page:
        sit_down(page, server.url, players=2, others="me")
        page.locator(".curtain .primary").click()
        page.locator("[data-pirate='4']").click()
        page.locator(".act .primary").click()
        page.locator(".curtain .primary").click()
        page.locator("[data-pirate='2']").click()
        play(page)
        expect(page.locator("#must b")).not_to_have_text("")  # the cards shown belong to the player to act
        assert not page.locator(".fpp-hand .card[aria-disabled]:not(.gone)").count()


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_the_board_stays_where_it_is_while_one_chooses(
    server: ServerProcess, browser: Browser, size: tuple[int, int]
) -> None:
    with aboard(browser, size) as page:
        begin(page, server.url)
        before = page.locator("svg.scene").bounding_box()
        page.locator(PIRATE).first.click()
        page.locator(CARD).first.click()
        page.locator("[data-slot='2']").click()
        expect(page.locator(".order")).to_be_visible()
        assert page.locator("svg.scene").bounding_box() == before


def test_the_look_ahead_shows_the_sum_of_the_entry(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser) as page:
        begin(page, server.url)
        page.locator(PIRATE).first.click()
        value = int(page.locator("[data-pirate].on").get_attribute("data-pirate") or 0)
        page.locator(".sum").wait_for()
        numbers = [int(number) for number in page.locator(".sum .worn").all_text_contents()]
        assert numbers[0] == value
        lead = numbers[0] - numbers[1]
        slot = min(max(lead, 0), 3) + 1
        written = (page.locator(".sum > text").last.text_content() or "").replace("−", "-")
        assert re.findall(r"-?\d", written) == [str(lead)]
        expect(page.locator(".sum .plate text")).to_have_text(str(slot))
        crew = page.locator(".piece.newcomer")
        assert abs(middle(crew.locator(".crew")) - middle(page.locator(".spot .place").nth(slot - 1))) < 2


# -- what is shown of every event -------------------------------------------------------------------------------------

DRAW = """async ([start, acts, shape]) => {
  const { boardOf } = await import("/page/boards.js");
  const { learn } = await import("/page/words.js");
  const { render } = await import("/page/lit.js");
  await learn("faut-pas-pousser");
  const board = await boardOf("faut-pas-pousser");
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  let scene = board.scene(start, -1);
  const draw = (event) => {
    const name = (seat) => `Seat ${seat}`;
    render(board.draw({ scene, event, turn: [], choice: null, seat: -1, shape, preview: null, name }), svg);
    const pieces = [...svg.querySelectorAll(".piece")].map((piece) => piece.style.transform);
    return svg.innerHTML.replace(/<!--.*?-->/g, "") + pieces.join();
  };
  const texts = (selector) => [...svg.querySelectorAll(selector)].map((found) => found.textContent.trim());
  const told = [];
  const apart = [];
  let before = draw(null);
  for (const { events, view } of acts) {
    for (const event of events) {
      const step = board.step(scene, event);
      scene = step.scene;
      const after = draw(event);
      told.push({
        kind: event.kind, fields: event.fields, changed: after !== before, drawn: svg.textContent,
        big: Boolean(step.cue?.big), focus: Boolean(step.cue?.focus), sound: step.cue?.sound ?? "",
        whose: texts(".whose text"), sum: texts(".sum text"), points: texts(".crew-line .points"),
        won: texts(".won, .gain"), lit: svg.querySelectorAll(".counted").length,
      });
      before = after;
    }
    const last = scene;
    scene = board.scene(view, -1);
    for (const part of ["plank", "piles", "crews", "phase", "winners", "picked"]) {
      const plain = (value) => JSON.stringify(value, (name, inner) => (name === "pass_in" ? undefined : inner));
      if (plain(last[part]) !== plain(scene[part])) apart.push([part, last[part], scene[part]]);
    }
    before = draw(null);
  }
  return { told, apart };
}"""


def random_acts(players: int, seed: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A random match as a spectator gets it."""
    match, rng = GAME.match(players, seed=seed), np.random.default_rng(seed)
    start, acts = match.view(-1), []
    while not match.over:
        seat, before = match.to_act[0], len(match.steps)
        match.play(seat, int(rng.choice(match.legal(seat))))
        events = [outgoing.render_event(GAME, event) for step in match.steps[before:] for event in step.events]
        acts.append({"events": events, "view": match.view(-1)})
    return start, acts


@pytest.fixture(scope="module")
def gallery(server: ServerProcess, browser: Browser) -> Iterator[Page]:
    """A page that can draw the board."""
    with aboard(browser, language="en", at=server.url) as page:
        page.locator(".game-card").first.wait_for()
        yield page


MATCHES = [(4, 1), (3, 2), (2, 3), (2, 16)]


@pytest.mark.parametrize("shape", ["tall", "wide"])
@pytest.mark.parametrize(("players", "seed"), MATCHES)
def test_every_event_changes_what_is_drawn(gallery: Page, players: int, seed: int, shape: str) -> None:
    shown = gallery.evaluate(DRAW, [*random_acts(players, seed), shape])
    assert [one for one in shown["told"] if not one["changed"]] == []
    assert all(one["sound"] for one in shown["told"])


def test_those_matches_have_every_kind_of_event() -> None:
    told = {e["kind"] for players, seed in MATCHES for act in random_acts(players, seed)[1] for e in act["events"]}
    assert told >= {kind.name for kind in GAME.events.KINDS} - {"shares"}


@pytest.mark.parametrize(("players", "seed"), MATCHES)
def test_event_by_event_the_drawing_arrives_where_the_view_is(gallery: Page, players: int, seed: int) -> None:
    assert gallery.evaluate(DRAW, [*random_acts(players, seed), "tall"])["apart"] == []


def test_a_turn_shows_who_which_card_where_to_and_what_it_is_worth(gallery: Page) -> None:
    for one in gallery.evaluate(DRAW, [*random_acts(4, 1), "tall"])["told"]:
        fields, plain = one["fields"], " ".join(one["sum"]).replace("−", "-")
        if one["kind"] in ("enters", "moves", "stays", "passes", "falls"):
            assert one["whose"], one
        if one["kind"] in ("enters", "moves", "stays", "passes"):
            assert one["whose"] == [f"Seat {fields['crew']}"]
        if one["kind"] == "enters":
            assert re.findall(r"-?\d", plain.replace("- ", " ")) == [
                str(fields[part]) for part in ("pirate", "first", "lead", "slot")
            ]
            assert fields["lead"] == fields["pirate"] - fields["first"]
        if one["kind"] in ("moves", "stays"):
            goal = fields.get("goal", fields["slot"])
            assert [int(n) for n in re.findall(r"-?\d", plain.replace("+ ", "").replace("- ", "-"))] == [
                fields["slot"], fields["card"], fields["slot"] + fields["card"], goal,
            ]  # fmt: skip
            assert goal == min(max(fields["slot"] + fields["card"], 1), 4)
        if one["kind"] == "stays":
            assert "no effect: already" in one["drawn"]
        if one["kind"] == "falls":
            assert one["won"] == [f"+{fields['pile']}"] * 2  # in the water, and beside the total
            assert one["big"] and one["focus"]
        if one["kind"] == "last-round":
            assert one["big"] and "Last round!" in one["drawn"]


def test_totals_rise_pirate_by_pirate_until_the_end(gallery: Page) -> None:
    start, acts = random_acts(4, 1)
    told = gallery.evaluate(DRAW, [start, acts, "wide"])["told"]
    totals = [0, 0, 0, 0]
    for one in told:
        gained = {"falls": one["fields"].get("pile", 0), "scores": one["fields"].get("points", 0), "captain": 2}
        totals[one["fields"].get("crew", 0)] += gained.get(one["kind"], 0)
        if one["kind"] in gained:
            assert one["points"] == [str(total) for total in totals]
        if one["kind"] in ("scores", "captain"):
            assert one["lit"] == 1
    assert totals == [crew["points"] for crew in acts[-1]["view"]["crews"]]
    assert "Non merci !" in told[-1]["drawn"]  # the shark has had enough
