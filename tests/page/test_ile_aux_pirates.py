"""L'Île aux Pirates in a real Chromium: whole matches by touch and by keyboard, the look ahead, what is shown, axe."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.page.sailor import (
    LAPTOP,
    PHONE,
    aboard,
    axe,
    drawn,
    elsewhere,
    moved_on,
    play,
    press_until,
    sit_down,
    take_place,
    version_of,
)
from tests.serving import Serving

from tribord import Match, load
from tribord.client import Client

GAME = "ile-aux-pirates"
MOST = 80  # decisions of one person in a match: the base game has 17 turns at most (I9)
STRATEGIC = {"game": "strategic"}


def sail(page: Page, url: str, players: int, options: dict[str, Any] | None = None) -> None:
    """Sit down with bots at a table of this game, by these options, and begin."""
    sit_down(page, url, GAME, players, options=options)


def waiting(page: Page) -> str:
    """Wait until it is our turn or the match is over: "turn" or "over"."""
    page.locator("[data-pawn]:not([disabled]), .result").first.wait_for()
    return "over" if page.locator(".result").count() else "turn"


def places(page: Page) -> dict[str, int]:
    """Where every pawn stands on the drawing."""
    pieces = page.locator("[data-piece]").all()
    return {str(p.get_attribute("data-piece")): int(str(p.get_attribute("data-at"))) for p in pieces}


def check_the_end(page: Page) -> None:
    """The sheet says of everybody together what the drawing shows."""
    at = places(page)
    aboard_ship = sum(place == 17 for pawn, place in at.items() if not pawn.startswith("pirate"))
    children = sum(not pawn.startswith("pirate") for pawn in at)
    won = aboard_ship == children
    verdict = page.locator(".result h2").inner_text()  # nobody wins or loses alone
    assert ("gagné" in verdict or "won" in verdict) == won and ("perdu" in verdict or "lost" in verdict) != won, (
        verdict,
        at,
    )
    assert "ensemble" in verdict or "together" in verdict
    together = page.locator(".together").inner_text()
    assert f"{aboard_ship} " in together
    expect(page.locator(".vessel .ensign")).to_have_count(0 if taken(at, aboard_ship, together) else 1)


def taken(at: dict[str, int], children: int, together: str) -> bool:
    """Whether the pirates have the ship: in the base game who is first (I8), else whoever is more (I15)."""
    if all(place != 17 for pawn, place in at.items() if pawn.startswith("pirate")):
        return False
    force = re.search(r"force (?:of|de) (\d+)", together)
    return force is None or int(force[1]) >= children


def unlike(url: str) -> Client:
    """A table of the base game at which we have thrown dice that are not all the same: three alike leave no choice."""
    for _table in range(20):  # 1 in 36 throws
        table = elsewhere(play(url, GAME, ["me"], 0))
        if table.match and len(set(table.match["views"]["0"]["dice"])) > 1:
            return table
    raise AssertionError("three dice alike, twenty times")


# Whether the turn in which a pawn was moved goes on, and is ours.
SAME_TURN = """(pawn) => Boolean(document.querySelector(".player.turn.mine")
  && document.querySelector(`.pawn.spent[data-piece="${pawn}"]`))"""


def test_a_whole_base_match_by_touch_on_a_phone(server: Serving, browser: Browser) -> None:
    with aboard(browser, server.url, PHONE) as page:
        sail(page, server.url, 2)
        decisions = 0
        while waiting(page) == "turn" and decisions < MOST:
            version, before = version_of(page), places(page)
            # On the drawing: the castle or the square that is furthest from the ship, then the first die.
            page.locator("[data-place]").first.tap()
            if page.locator("[data-die][aria-pressed='true']").count() == 0:
                page.locator("[data-die]").first.tap()
            page.locator(".ghost").first.wait_for()
            button = page.locator(".act .primary")
            expect(button).to_be_enabled()
            pawn = str(page.locator(".pawn.meant").get_attribute("data-piece"))
            die = int(str(page.locator("[data-die][aria-pressed='true']").first.get_attribute("data-die")))
            button.tap()
            moved_on(page, version)
            decisions += 1
            if page.evaluate(SAME_TURN, pawn):
                goal = min(17, before[pawn] + die)
                assert places(page)[pawn] in ((goal, 0) if goal == before["pirate-1"] else (goal,))  # I1, I7
        assert 3 <= decisions < MOST
        check_the_end(page)
        page.get_by_role("button", name="Revanche").tap()
        expect(page.locator(".result")).to_have_count(0)
        assert waiting(page) == "turn"


def test_a_whole_strategic_match_by_keyboard_alone(server: Serving, browser: Browser) -> None:
    with aboard(browser, server.url, LAPTOP, "en") as page:
        sail(page, server.url, 2, STRATEGIC | {"turns": 8})
        decisions = 0
        while waiting(page) == "turn" and decisions < MOST:
            version = version_of(page)
            press_until(page, "[data-pawn]:not([disabled])")
            page.keyboard.press("Enter")
            drawn(page)
            if page.locator(".act .primary:not([disabled])").count() == 0:
                press_until(page, "[data-die]")
                page.keyboard.press(" ")
            page.locator(".ghost").first.wait_for()
            press_until(page, ".act .primary:not([disabled])")
            page.keyboard.press("Enter")
            moved_on(page, version)
            decisions += 1
        assert 1 <= decisions <= 12  # four turns of three dice, if it was not lost before (I19)
        check_the_end(page)


def test_the_squares_are_one_stop_for_the_keyboard(server: Serving, browser: Browser) -> None:
    with aboard(browser, server.url, LAPTOP) as page:
        sail(page, server.url, 1)
        waiting(page)
        for pawn in ("brown-1", "brown-2"):  # so that two squares, or one and the castle, are to be chosen from
            version = version_of(page)
            page.locator(f"[data-pawn='{pawn}']").click()
            page.locator("[data-die]").first.click()
            page.locator(".act .primary").click()
            moved_on(page, version)
        version = version_of(page)
        page.locator("[data-pawn='pirate-1']").click()
        page.locator(".act .primary").click()
        moved_on(page, version)
        waiting(page)
        squares = page.locator("[data-place]")
        assert squares.count() >= 2
        expect(page.locator("[data-place][tabindex='0']")).to_have_count(1)
        press_until(page, "[data-place]")
        expect(squares.first).to_be_focused()
        page.keyboard.press("ArrowRight")
        expect(squares.nth(1)).to_be_focused()
        page.keyboard.press(" ")
        expect(page.locator("[data-pawn][aria-pressed='true']")).to_have_count(1)
        expect(squares.nth(1)).to_have_attribute("aria-pressed", "true")


def test_who_stands_where_the_move_leads_makes_room(server: Serving, browser: Browser) -> None:
    with aboard(browser, server.url, LAPTOP) as page:
        sail(page, server.url, 1, STRATEGIC)
        view = Match(load(GAME), 1, seed=1, options=STRATEGIC).view(0)
        view["pawns"] |= {"brown-1": 3}
        before, after = page.evaluate(ROOM, [view, DUEL[:1]])
    assert before != after


def test_a_choice_can_be_changed_and_taken_back_before_it_is_sent(server: Serving, browser: Browser) -> None:
    with aboard(browser, server.url, PHONE) as page:
        take_place(page, server.url, unlike(server.url), GAME)
        waiting(page)
        castle = page.locator("[data-place='0']")
        castle.tap()
        expect(page.locator("[data-pawn='brown-1']")).to_have_attribute("aria-pressed", "true")
        castle.tap()  # again: the next one there
        expect(page.locator("[data-pawn='brown-2']")).to_have_attribute("aria-pressed", "true")
        dice = page.locator("[data-die]")
        dice.last.tap()
        expect(page.locator(".ghost")).to_have_count(1)
        page.get_by_role("button", name="Retour", exact=True).tap()
        expect(page.locator(".ghost")).to_have_count(0)
        expect(page.locator("[data-pawn='brown-2']")).to_have_attribute("aria-pressed", "true")
        page.locator("[data-pawn='brown-3']").tap()
        die = int(str(dice.last.get_attribute("data-die")))
        dice.last.tap()
        page.locator(".ghost").wait_for()
        version = version_of(page)
        page.locator(".act .primary").tap()
        moved_on(page, version)
        assert places(page) == {"brown-1": 0, "brown-2": 0, "brown-3": die, "pirate-1": 0}
        expect(page.locator("[data-pawn='brown-3']")).to_be_disabled()  # I2: every die for another pawn


def test_pirates_are_looked_at_until_somebody_moves_and_then_remembered(server: Serving, browser: Browser) -> None:
    with aboard(browser, server.url, LAPTOP) as page:
        sail(page, server.url, 1, STRATEGIC)
        waiting(page)
        expect(page.locator(".pawn .rogue.front")).to_have_count(3)
        assert sorted(page.locator(".pawn .rogue.front .force").all_text_contents()) == ["2", "3", "4"]
        expect(page.locator(".remember")).to_have_count(1)
        page.locator("[data-pawn='brown-1']").click()
        page.locator("[data-die]").first.click()
        page.locator(".ghost").wait_for()
        page.locator(".act .primary").click()
        expect(page.locator(".pawn .rogue.back")).to_have_count(3)
        expect(page.locator(".remember")).to_have_count(0)
    with aboard(browser, server.url, LAPTOP) as page:
        sail(page, server.url, 1, STRATEGIC | {"memory": False})
        waiting(page)
        page.locator("[data-pawn='brown-1']").click()
        page.locator("[data-die]").first.click()
        page.locator(".ghost").wait_for()
        version = version_of(page)
        page.locator(".act .primary").click()
        moved_on(page, version)
        expect(page.locator(".pawn .rogue.front")).to_have_count(3)


DUEL = [
    {"kind": "leaves-castle", "fields": {"pawn": 12, "die": 3, "goal": 3}},
    {"kind": "shows", "fields": {"pawn": 12, "force": 4}},
    {"kind": "duel", "fields": {"square": 3, "force": 4, "children": 1}},
    {"kind": "sent-back", "fields": {"pawn": 0, "square": 3}},
]

# What the board draws and says of a choice that would lead to these events, with memory and without.
LOOK_AHEAD = """async ([view, events]) => {
  const { board } = await import("/games/ile-aux-pirates/board.js");
  const { render } = await import("/page/lit.js");
  const { Choice } = await import("/page/choice.js");
  const cards = [{ parts: { kind: "move", die: 3, pawn: "pirate-1" }, notation: "", fr: "", en: "" }];
  const said = events.map((event) => ({ ...event, rule: "I1", fr: event.kind, en: event.kind }));
  return Object.fromEntries([true, false].map((memory) => {
    const scene = board.scene({ ...view, memory, shown: memory ? [] : ["pirate-1"] }, 0);
    const scenes = [scene];
    const desk = { scene, choice: new Choice([0], cards).pick("die", 3), seat: 0, shape: "wide", name: () => "",
      pick() {}, back() {}, foreseen: { events: said, scenes } };
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const hand = document.createElement("div");
    render(board.draw(desk), svg);
    render(board.hand(desk), hand);
    const seen = [...svg.querySelectorAll(".force")].map((force) => force.textContent).join("");
    return [memory, { ghosts: svg.querySelectorAll(".ghost").length, back: svg.querySelectorAll(".arrow.back").length,
      seen, outlook: hand.querySelector(".outlook").textContent }];
  }));
}"""


# Where the child on square 3 stands without a move that leads there, and with one.
ROOM = """async ([view, events]) => {
  const { board } = await import("/games/ile-aux-pirates/board.js");
  const { render } = await import("/page/lit.js");
  const { Choice } = await import("/page/choice.js");
  const cards = [{ parts: { kind: "move", die: 3, pawn: "pirate-1" }, notation: "", fr: "", en: "" }];
  const scene = board.scene(view, 0);
  return [[], events].map((ahead) => {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const choice = new Choice([0], cards);
    render(board.draw({ scene, choice, seat: 0, shape: "wide", name: () => "", pick() {}, back() {},
      foreseen: { events: ahead, scenes: [scene] } }), svg);
    return svg.querySelector("[data-piece='brown-1']").style.transform;
  });
}"""


def test_looking_ahead_is_no_look_at_the_forces(server: Serving, browser: Browser) -> None:
    with aboard(browser, server.url, LAPTOP, "en") as page:
        sail(page, server.url, 1, STRATEGIC)
        view = Match(load(GAME), 1, seed=1, options=STRATEGIC).view(0)
        view["pawns"] |= {"brown-1": 3}
        view["forces"] |= {"pirate-1": 4}
        looks = page.evaluate(LOOK_AHEAD, [view, DUEL])
    remembered, told = looks["true"], looks["false"]
    assert (remembered["ghosts"], remembered["back"], remembered["seen"]) == (1, 0, "")
    assert remembered["outlook"] == "A duel on square 3: do you remember the forces?"
    assert (told["ghosts"], told["back"]) == (1, 1) and "4" in told["seen"]
    assert told["outlook"] == "duel sent-back"


# The scene that the events lead to, step by step, beside the scene of the view that follows them.
STEPS = """async (told) => {
  const { board } = await import("/games/ile-aux-pirates/board.js");
  const wrong = [];
  let kinds = new Set();
  for (const [before, events, after] of told) {
    let scene = board.scene(before, 0);
    for (const event of events) {
      scene = board.step(scene, event).scene;
      kinds.add(event.kind);
    }
    const truth = board.scene(after, 0);
    for (const part of ["pawns", "dice", "turn", "spent", "pirateDice", "childDice", "phase", "shown", "forces"]) {
      const plain = (value) => JSON.stringify(Array.isArray(value) ? [...new Set(value)].sort() : value);
      if (after.over && part !== "pawns" && part !== "phase") continue;
      const [mine, true_] = [scene[part], truth[part]];
      if (plain(mine) !== plain(true_)) wrong.push([part, mine, true_, events.map((event) => event.kind)]);
    }
  }
  return [wrong.slice(0, 3), [...kinds]];
}"""


def test_what_moves_ends_where_the_match_is(server: Serving, browser: Browser) -> None:
    game = load(GAME)
    told: list[Any] = []
    for seed in range(6):
        strategic = {"game": "strategic", "hard": seed == 3, "memory": seed != 4, "turns": 30}
        match = Match(game, 1 + seed % 4, seed=seed, options=strategic if seed < 5 else {})
        chance = random.Random(seed)
        while not match.over:
            before = match.view()
            seat = match.to_act[0]
            events = match.play(seat, chance.choice(match.legal(seat)))
            told.append([before, [{"kind": e.kind, "fields": e.fields} for e in events], match.view()])
    with aboard(browser, server.url, LAPTOP) as page:
        sail(page, server.url, 1)
        wrong, kinds = page.evaluate(STEPS, told)
    assert not wrong
    assert {"throws", "throws-base", "moves", "leaves-castle", "duel", "shows", "sent-back"} <= set(kinds)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(server: Serving, browser: Browser, theme: str) -> None:
    found: dict[str, list[str]] = {}
    with aboard(browser, server.url, PHONE, theme=theme) as page:
        sail(page, server.url, 2, STRATEGIC | {"turns": 2, "first": 0})
        waiting(page)
        found["turn"] = axe(page)
        while waiting(page) == "turn":
            version = version_of(page)
            page.locator("[data-pawn]:not([disabled])").first.tap()
            drawn(page)
            if page.locator(".act .primary[disabled]").count():
                page.locator("[data-die]").first.tap()
            page.locator(".ghost").first.wait_for()
            found.setdefault("looking ahead", axe(page))
            page.locator(".act .primary").tap()
            moved_on(page, version)
        found["result"] = axe(page)
        expect(page.locator(".ile-sheet tbody tr")).to_have_count(6)
    assert not any(found.values()), {screen: wrong for screen, wrong in found.items() if wrong}
