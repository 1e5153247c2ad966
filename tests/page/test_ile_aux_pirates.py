"""L'Île aux Pirates in a real Chromium: whole matches by touch and by keyboard, previews, what is shown, axe."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.page.narrator import Case, tell
from tests.page.sailor import (
    LAPTOP,
    PHONE,
    TV,
    aboard,
    axe,
    drawn,
    elsewhere,
    keep,
    moved_on,
    play,
    press_until,
    sit_down,
    take_place,
    version_of,
)
from tests.server.launcher import ServerProcess

from tribord import Match, load
from tribord.client import Client

GAME = "ile-aux-pirates"
MOST = 80  # decisions of one person in a match: the base game has 17 turns at most (I9)
STRATEGIC = {"game": "strategic"}
MAY = ".ile-hand:not(.idle) [data-pawn]:not([aria-disabled])"  # the pawns in our hand that may move


def sail(page: Page, url: str, players: int, options: dict[str, Any] | None = None) -> None:
    """Sit down with bots at a table of this game, by these options, and begin."""
    sit_down(page, url, GAME, players, options=options)


def waiting(page: Page) -> str:
    """Wait until it is our turn or the match is over: "turn" or "over"."""
    page.locator(f"{MAY}, .result").first.wait_for()
    return "over" if page.locator(".result").count() else "turn"


def places(page: Page) -> dict[str, int]:
    """Where every pawn stands on the drawing."""
    pieces = page.locator("[data-piece]").all()
    return {str(p.get_attribute("data-piece")): int(str(p.get_attribute("data-at"))) for p in pieces}


def check_the_end(page: Page) -> None:
    """The sheet says in words what the drawing shows."""
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
    together = page.locator(".together").inner_text().replace("\u00a0", " ")
    assert f"{aboard_ship} " in together if aboard_ship else re.search("No child|Aucun enfant", together)
    expect(page.locator(".vessel .ensign")).to_have_count(0 if taken(at, aboard_ship, together) else 1)


def taken(at: dict[str, int], children: int, together: str) -> bool:
    """Whether the pirates have the ship: in the base game who is first (I8), else the stronger side (I15)."""
    if all(place != 17 for pawn, place in at.items() if pawn.startswith("pirate")):
        return False
    force = re.search(r"force (\d+)", together)
    return force is None or int(force[1]) >= children


def unlike(url: str) -> Client:
    """A table of the base game with a roll of ours that isn't three of a kind: that would leave no choice."""
    for _table in range(20):  # 1 in 36 throws
        table = elsewhere(play(url, GAME, ["me"], 0))
        if table.match and len(set(table.match["views"]["0"]["dice"])) > 1:
            return table
    raise AssertionError("three dice alike, twenty times")


# Whether the turn in which a pawn was moved goes on, and is ours.
SAME_TURN = """(pawn) => Boolean(document.querySelector(".ile-hand:not(.idle)")
  && document.querySelector(`.pawn.spent[data-piece="${pawn}"]`))"""


def tap_head(page: Page, pawn: str) -> None:
    """Tap a pawn on the drawing, in the face: that's the part you see if others stand in front of it."""
    box = page.locator(f"[data-piece='{pawn}'] .figure circle").first.bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    drawn(page)


def test_a_whole_base_match_by_touch_on_a_phone(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, PHONE) as page:
        sail(page, server.url, 2)
        decisions = 0
        while waiting(page) == "turn" and decisions < MOST:
            version, before = version_of(page), places(page)
            # On the drawing: the first pawn that may move, then the first die.
            tap_head(page, str(page.locator(".pawn.may").first.get_attribute("data-piece")))
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
        page.get_by_role("button", name="Refaire une partie").tap()
        expect(page.locator(".result")).to_have_count(0)
        assert waiting(page) == "turn"


def test_a_whole_strategic_match_by_keyboard_alone(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, LAPTOP, "en") as page:
        sail(page, server.url, 2, STRATEGIC | {"turns": 8})
        decisions = 0
        while waiting(page) == "turn" and decisions < MOST:
            version = version_of(page)
            press_until(page, MAY)
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
        assert 1 <= decisions <= 12  # four turns of three dice, unless it was lost before (I19)
        check_the_end(page)


def test_the_squares_are_one_stop_for_the_keyboard(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, LAPTOP) as page:
        sail(page, server.url, 1)
        waiting(page)
        for pawn in ("brown-1", "brown-2"):  # so that there are two squares, or one and the castle, to choose from
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
        squares = page.locator("[data-place][role]")
        assert squares.count() >= 2
        expect(page.locator("[data-place][tabindex='0']")).to_have_count(1)
        press_until(page, "[data-place][role]")
        expect(squares.first).to_be_focused()
        page.keyboard.press("ArrowRight")
        expect(squares.nth(1)).to_be_focused()
        page.keyboard.press(" ")
        expect(page.locator("[data-pawn][aria-pressed='true']")).to_have_count(1)
        expect(squares.nth(1)).to_have_attribute("aria-pressed", "true")


def test_a_pawn_where_the_move_leads_makes_room(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, LAPTOP) as page:
        sail(page, server.url, 1, STRATEGIC)
        view = Match(load(GAME), 1, seed=1, options=STRATEGIC).view(0)
        view["pawns"] |= {"brown-1": 3}
        before, after = page.evaluate(ROOM, [view, DUEL[:1]])
    assert before != after


def test_a_choice_can_be_changed_and_taken_back_before_it_is_sent(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, PHONE) as page:
        take_place(page, server.url, unlike(server.url), GAME)
        waiting(page)
        for pawn in ("brown-1", "brown-2"):
            tap_head(page, pawn)
            expect(page.locator(f"[data-pawn='{pawn}']")).to_have_attribute("aria-pressed", "true")
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
        expect(page.locator("[data-pawn='brown-3']")).to_have_attribute("aria-disabled", "true")  # I2: another pawn


def test_pirates_are_looked_at_until_someone_moves_and_then_remembered(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, LAPTOP) as page:
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
    with aboard(browser, LAPTOP) as page:
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

# What the board draws and says about a choice that would lead to these events, with memory and without.
LOOK_AHEAD = """async ([view, events]) => {
  const { board } = await import("/games/ile-aux-pirates/board.js");
  const { render } = await import("/page/lit.js");
  const { Choice } = await import("/page/choice.js");
  const cards = [{ parts: { kind: "move", die: 3, pawn: "pirate-1" }, notation: "", fr: "takes", en: "takes" }];
  const said = events.map((event) => ({ ...event, rule: "I1", fr: event.kind, en: event.kind }));
  return Object.fromEntries([true, false].map((memory) => {
    const scene = board.scene({ ...view, memory, shown: memory ? [] : ["pirate-1"] }, 0);
    const scenes = [scene];
    const desk = { scene, choice: new Choice([0], cards).pick("die", 3), seat: 0, shape: "wide", name: () => "",
      pick() {}, back() {}, preview: { events: said, scenes, fate: [] } };
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const hand = document.createElement("div");
    render(board.draw(desk), svg);
    render(board.hand(desk), hand);
    const seen = [...svg.querySelectorAll(".force")].map((force) => force.textContent).join("");
    return [memory, { ghosts: svg.querySelectorAll(".ghost").length, back: svg.querySelectorAll(".arrow.back").length,
      seen, outlook: hand.querySelector(".outlook").textContent }];
  }));
}"""


# Where the child on square 3 stands, without and with a move that leads there.
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
      preview: { events: ahead, scenes: [scene], fate: [] } }), svg);
    return svg.querySelector("[data-piece='brown-1']").style.transform;
  });
}"""


def test_looking_ahead_is_no_look_at_the_forces(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, LAPTOP, "en") as page:
        sail(page, server.url, 1, STRATEGIC)
        view = Match(load(GAME), 1, seed=1, options=STRATEGIC).view(0)
        view["pawns"] |= {"brown-1": 3}
        view["forces"] |= {"pirate-1": 4}
        looks = page.evaluate(LOOK_AHEAD, [view, DUEL])
    remembered, told = looks["true"], looks["false"]
    assert (remembered["ghosts"], remembered["back"], remembered["seen"]) == (1, 0, "")
    assert remembered["outlook"] == "takes. A duel on square 3: do you remember the forces?"
    assert (told["ghosts"], told["back"]) == (1, 1) and "4" in told["seen"]
    assert told["outlook"] == "takes. duel sent-back"


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


def test_what_moves_ends_where_the_match_is(server: ServerProcess, browser: Browser) -> None:
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
    with aboard(browser, LAPTOP) as page:
        sail(page, server.url, 1)
        wrong, kinds = page.evaluate(STEPS, told)
    assert not wrong
    assert {"throws", "throws-base", "moves", "leaves-castle", "duel", "shows", "sent-back"} <= set(kinds)


# -- a tap always answers ---------------------------------------------------------------------------------------------


def noticed(page: Page, words: str, rule: str) -> None:
    """A notice says this and cites this rule; close it, because it covers part of the board."""
    expect(page.locator(".notice")).to_contain_text(words)
    expect(page.locator(".notice")).to_contain_text(rule)
    page.locator(".notice .quiet").tap()
    drawn(page)


@pytest.mark.parametrize("size", [PHONE, (390, 844)])
def test_tapping_a_pawn_selects_that_pawn_in_a_full_castle_too(
    server: ServerProcess, browser: Browser, size: tuple[int, int]
) -> None:
    with aboard(browser, size, "en") as page:
        sail(page, server.url, 4, STRATEGIC | {"first": 0})
        waiting(page)
        mine = ["brown-1", "brown-2", "brown-3", "blue-1", "blue-2", "pirate-1", "pirate-2", "pirate-3"]
        assert set(places(page).values()) == {0}
        for pawn in mine:
            tap_head(page, pawn)
            expect(page.locator(".pawn.meant")).to_have_attribute("data-piece", pawn)
            expect(page.locator(f"[data-pawn='{pawn}']")).to_have_attribute("aria-pressed", "true")
        tap_head(page, "red-1")
        expect(page.locator(".pawn.meant")).to_have_attribute("data-piece", "pirate-3")  # what was chosen stays


def test_every_refused_tap_says_why_and_cites_its_rule(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, PHONE, "en") as page:
        sail(page, server.url, 4, STRATEGIC | {"first": 0})
        waiting(page)
        tap_head(page, "red-1")
        noticed(page, "Ruby isn’t yours", "I12")
        page.locator("[data-place='9']").tap()
        noticed(page, "No one stands on square 9", "I2")
        page.locator("[data-place='17']").tap()
        noticed(page, "No one is aboard yet", "I2")
        version = version_of(page)
        tap_head(page, "brown-1")
        die = page.locator("[data-die]").last
        value = die.get_attribute("data-die")
        alone = page.locator(f"[data-die='{value}']").count() == 1
        die.tap()
        page.locator(".act .primary").tap()
        moved_on(page, version)
        waiting(page)
        tap_head(page, "brown-1")
        noticed(page, "Hazel has already moved", "I2")
        page.locator("[data-pawn='brown-1']").tap(force=True)
        noticed(page, "Hazel has already moved", "I2")
        if alone:
            page.locator(f"[data-used='{value}']").tap()
            noticed(page, f"There’s no {value} left", "I2")
        version = version_of(page)
        tap_head(page, "pirate-1")
        page.locator("[data-die]").first.tap()
        page.locator(".act .primary").tap()
        moved_on(page, version)
        if page.locator("[data-piece='pirate-2'][data-at='0']").count():
            tap_head(page, "pirate-2")
            noticed(page, "A pirate has already moved", "I12")


def test_the_rule_shown_is_the_one_that_applies(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, LAPTOP, "en") as page:
        sail(page, server.url, 1)
        waiting(page)
        expect(page.locator(".cite b")).to_have_text("I2")
        page.locator("[data-pawn='brown-1']").click()
        page.locator("[data-die]").first.click()
        page.locator(".ghost").wait_for()
        expect(page.locator(".cite b")).to_have_text("I1")  # no pirate near, so I7 doesn't matter
        view = Match(load(GAME), 1, seed=1).view(0)
        told = [
            [{"kind": "moves", "rule": "I1"}, {"kind": "captured", "rule": "I7"}],
            [{"kind": "boards", "rule": "I1"}, {"kind": "escaped", "rule": "I8"}],
            [{"kind": "moves", "rule": "I1"}, {"kind": "die-lost", "rule": "I16"}],
        ]
        assert page.evaluate(CITED, [view, told]) == ["I7", "I8", "I16"]


# The rule cited for a move with these consequences.
CITED = """async ([view, told]) => {
  const { board } = await import("/games/ile-aux-pirates/board.js");
  const { Choice } = await import("/page/choice.js");
  const choice = new Choice([0], [{ parts: { kind: "move", die: 3, pawn: "brown-1" }, fr: "", en: "" }]);
  const scene = board.scene(view, 0);
  const whole = (event) => ({ fields: { pawn: 0 }, fr: "", en: "", ...event });
  return told.map((events) => board.rule(choice, scene, { scenes: [], fate: [], events: events.map(whole) }));
}"""


def test_a_move_that_loses_for_certain_says_so_before_it_is_played(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, PHONE, "en") as page:
        sail(page, server.url, 1)
        for _decision in range(MOST):  # the pirate takes the largest die of each turn: soon he can board
            waiting(page)
            if page.locator("[data-pawn='pirate-1']:not([aria-disabled])").count():
                page.locator("[data-pawn='pirate-1']").tap()
                page.locator("[data-die]").last.tap()
            else:
                page.locator(MAY).first.tap()
                page.locator("[data-die]").first.tap()
            page.locator(".ghost").first.wait_for()
            if page.locator(".warning").count():
                break
            version = version_of(page)
            page.locator(".act .primary").tap()
            moved_on(page, version)
        warning = page.locator(".warning").inner_text()
        assert warning.endswith("(I8)") and "loses the game: the pirate boards before the third child" in warning
        expect(page.locator(".cite b")).to_have_text("I8")
        expect(page.locator(".act .primary")).to_have_text("Move anyway")
        assert not axe(page)


# The text above the button, and on it, for a losing move: in the game with memory and without.
WARNED = """async ([view, children, memory, shown]) => {
  const { board } = await import("/games/ile-aux-pirates/board.js");
  const { Choice } = await import("/page/choice.js");
  const cards = [{ parts: { kind: "move", die: 3, pawn: "pirate-1" }, fr: "", en: "" }];
  const choice = new Choice([0], cards).pick("die", 3);
  const scene = board.scene({ ...view, memory, shown }, 0);
  const end = { kind: "ship-taken", rule: "I15", fields: { force: 4, children }, fr: "4", en: "4" };
  const boards = { kind: "boards", rule: "I1", fields: { pawn: 12, die: 3 }, fr: "", en: "" };
  const preview = { events: [boards, end], scenes: [scene], fate: [end] };
  const warned = board.warn({ scene, choice, preview });
  return [warned, board.rule(choice, scene, preview), board.ask(choice, scene, preview)];
}"""


def test_a_warning_reveals_nothing_that_must_be_remembered(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, LAPTOP, "en") as page:
        sail(page, server.url, 1, STRATEGIC)
        view = Match(load(GAME), 1, seed=1, options=STRATEGIC).view(0)
        view["forces"] = {"pirate-1": 4, "pirate-2": 2, "pirate-3": 3}
        warned, rule, asked = page.evaluate(WARNED, [view, 2, True, []])  # 2, 3 or 4: lost in any case
        assert warned == ("This loses the game: only 2 children are aboard, and that isn’t enough. (I15)")
        assert rule == "I15" and "remember" not in asked and "4" not in asked
        warned, rule, asked = page.evaluate(WARNED, [view, 3, True, []])  # a 2 would be harmless: do you remember?
        assert warned == "" and rule == "I15" and "will the children aboard outnumber his force?" in asked
        warned, rule, asked = page.evaluate(WARNED, [view, 3, False, ["pirate-1", "pirate-2", "pirate-3"]])
        assert warned.startswith("This loses the game") and rule == "I15"


# -- what you see and read --------------------------------------------------------------------------------------------

# For each kind of event: whether the drawing changes, and its cue.
SEEN = """async ([view, events]) => {
  const { board } = await import("/games/ile-aux-pirates/board.js");
  const { render } = await import("/page/lit.js");
  const draw = (scene, shape) => {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const desk = { scene, choice: null, seat: 0, shape, name: String, pick() {}, back() {}, why() {}, preview: null };
    render(board.draw(desk), svg);
    return svg.innerHTML + [...svg.querySelectorAll("[data-piece]")].map((piece) => piece.style.transform);
  };
  return events.map((event) => {
    const before = board.scene(view, 0);
    const { scene, cue } = board.step(before, event);
    const focus = cue.focus && ["wide", "tall"].map((shape) => [cue.focus(shape), board.size[shape]]);
    return { kind: event.kind, changed: ["wide", "tall"].every((shape) => draw(before, shape) !== draw(scene, shape)),
      brief: Boolean(board.brief?.includes(event.kind)), big: Boolean(cue.big), roll: Boolean(cue.roll), focus };
  });
}"""
BIG = {
    "captured", "safe", "duel", "sent-back", "last-turn", "ship-held", "ship-taken", "pirate-first", "escaped", "home",
    "late",
}  # fmt: skip


def test_every_kind_of_event_is_seen_and_said_and_what_matters_is_a_scene(
    server: ServerProcess, browser: Browser
) -> None:
    game = load(GAME)
    view = Match(game, 2, seed=1, options=STRATEGIC | {"first": 0}).view(0)
    view["pawns"] |= {"brown-1": 3, "pirate-1": 3, "brown-2": 15}
    view |= {"shown": [], "dice": [1, 2, 3], "forces": {"pirate-1": 0, "pirate-2": 3, "pirate-3": 4}}
    usual = {"pawn": 0, "die": 2, "goal": 5, "start": 3, "square": 3, "force": 2, "children": 1, "colour": 1, "hue": 2}
    usual |= {"player": 1, "one": 4, "two": 5, "three": 6, "owner": 0, "why": 0}
    events = [
        {"kind": k.name, "rule": "I1", "fields": {field: usual[field] for field in k.fields}, "fr": "", "en": ""}
        for k in game.events.KINDS
    ]
    for event in events:
        if event["kind"] in ("force", "shows"):
            event["fields"]["pawn"] = 12
    with aboard(browser, LAPTOP) as page:
        sail(page, server.url, 1)
        seen = page.evaluate(SEEN, [view, events])
    assert {one["kind"] for one in seen if not one["changed"]} <= {"face-down"}  # the forces stay up for a look
    assert not any(one["brief"] for one in seen)  # each has its line
    assert {one["kind"] for one in seen if one["big"]} == BIG
    assert {one["kind"] for one in seen if one["roll"]} == {
        "throws", "throws-alone", "throws-base", "throws-two",
    }  # fmt: skip
    for one in seen:
        for (x, y), (width, height) in one["focus"] or []:
            assert 0 < x < width and 0 < y < height, one


SHAKE = """(g) => dispatchEvent(new DeviceMotionEvent("devicemotion", { acceleration: { x: g, y: 0, z: 0 } }))"""
ROLLS: dict[str, Callable[[Page], object]] = {
    "tap": lambda page: page.locator(".tray").tap(),
    "button": lambda page: page.get_by_role("button", name="Roll!").tap(),
    "shake": lambda page: page.evaluate(SHAKE, 30),
}


@pytest.mark.parametrize("way", ROLLS)
def test_your_dice_wait_for_you_to_roll_them(server: ServerProcess, browser: Browser, way: str) -> None:
    with aboard(browser, PHONE, "en", speed=1) as page:
        sail(page, server.url, 1)
        expect(page.locator(".die-spot .waits")).to_have_count(3)
        expect(page.locator("[data-die]")).to_have_count(0)
        expect(page.get_by_role("button", name="Roll!")).to_be_visible()
        page.evaluate(SHAKE, 3)  # someone only lifts the phone
        expect(page.locator(".die-spot .waits")).to_have_count(3)
        ROLLS[way](page)
        expect(page.locator(".die-spot .waits")).to_have_count(0)
        expect(page.locator(".die-spot .rolling")).to_have_count(3)
        page.locator("[data-die]").first.wait_for()


def test_dice_roll_by_themselves_if_you_want(server: ServerProcess, browser: Browser) -> None:
    rolls = """localStorage["tribord.settings"] = JSON.stringify({
      ...JSON.parse(localStorage["tribord.settings"]), rolls: true });"""
    with aboard(browser, PHONE, "en", speed=1, first=rolls) as page:
        sail(page, server.url, 1)
        page.locator("[data-die]").first.wait_for(timeout=5_000)  # otherwise they'd wait for six seconds


SAID = {
    "en": [
        "Anne rolls for Green: 1, 2 and 3.", "Lison’s Olive goes back to the castle.",
        "your Indigo goes back to the castle.", "Hazel goes back to the castle.",
    ],
    "fr": [
        "Anne lance pour les Verts : 1, 2 et 3.", "Olive de Lison retourne au château.",
        "votre Indigo retourne au château.", "Noisette retourne au château.",
    ],
}  # fmt: skip


@pytest.mark.parametrize("language", SAID)
def test_narration_says_whose_child_goes_back(language: str) -> None:
    people = ["Anne", "Lison"]
    told = [Case("throws-alone", {"player": 0, "hue": 1, "one": 1, "two": 2, "three": 3}, people)]
    told += [
        Case("sent-back", {"pawn": p, "square": 3, "owner": owner}, people, 0) for p, owner in ((6, 1), (4, 0), (0, 15))
    ]
    said = [one and one.replace("\u00a0", " ") for one in tell(load(GAME), language, told)]
    assert said == SAID[language]


# -- together ---------------------------------------------------------------------------------------------------------


@contextmanager
def pair(
    server: ServerProcess, browser: Browser, options: dict[str, Any] | None = None
) -> Iterator[tuple[Page, Page, Page]]:
    """Anne, whose turn it is, on a phone, Zoé on a laptop, and the TV, at one table."""
    wanted = {"game": GAME, "nickname": "Anne", "players": 2, "seats": ["me", "open"], "options": options or {}}
    with (
        aboard(browser, PHONE, "en") as anne,
        aboard(browser, LAPTOP, "en") as zoe,
        aboard(browser, TV, "fr") as tv,
    ):
        host = anne.request.post(f"{server.url}/api/tables", data=wanted).json()
        guest = zoe.request.post(f"{server.url}/api/tables/{host['table']}/guests", data={"nickname": "Zoé"}).json()
        elsewhere(sit(server.url, host, guest))
        for page, credentials in ((anne, host), (zoe, guest)):
            credentials |= {"game": GAME, "since": 0}
            keep(page, credentials)
            page.goto(f"{server.url}/#/table/{host['table']}")
        tv.goto(f"{server.url}/#/tv/{host['table']}")
        tv.locator("[data-piece]").first.wait_for()
        zoe.locator("[data-piece]").first.wait_for()
        waiting(anne)
        yield anne, zoe, tv


async def sit(url: str, host: dict[str, Any], guest: dict[str, Any]) -> None:
    """Let the guest sit down, and begin."""
    async with Client(url, host["table"], host["secret"]) as anne, Client(url, host["table"], guest["secret"]) as zoe:
        await zoe.do("sit", seat=1)
        await zoe.do("ready")
        await anne.do("start")


def test_everyone_sees_the_move_that_someone_considers(server: ServerProcess, browser: Browser) -> None:
    with pair(server, browser) as (anne, zoe, tv):
        tap_head(anne, "brown-2")
        for page in (zoe, tv):
            expect(page.locator(".thought .halo")).to_have_count(1)
            expect(page.locator(".thought .slip text")).to_have_text("Anne\u202f?")
            expect(page.locator(".thought .ghost")).to_have_count(0)
        anne.locator("[data-die]").first.tap()
        for page in (zoe, tv):
            expect(page.locator(".thought .ghost")).to_have_count(1)
        expect(anne.locator(".thought")).to_have_count(0)  # the player to act has a ghost too
        anne.get_by_role("button", name="Back", exact=True).tap()
        anne.get_by_role("button", name="Back", exact=True).tap()
        for page in (zoe, tv):
            expect(page.locator(".thought")).to_have_count(0)
        tap_head(anne, "brown-2")
        anne.locator("[data-die]").first.tap()
        expect(tv.locator(".thought .ghost")).to_have_count(1)
        version = version_of(anne)
        anne.locator(".act .primary").tap()
        moved_on(anne, version)
        for page in (zoe, tv):
            expect(page.locator(".thought")).to_have_count(0)  # it is decided


def test_anyone_can_point_at_a_pawn_or_a_square(server: ServerProcess, browser: Browser) -> None:
    with pair(server, browser) as (anne, zoe, tv):
        zoe.locator("[data-place='7']").click()
        for page in (anne, zoe, tv):
            expect(page.locator(".ping .slip text")).to_have_text("Zoé")
        expect(anne.locator("#polite")).to_have_text("Zoé points at this: square 7.")
        zoe.locator("[data-pawn='pirate-1']").click()  # in the hand, out of turn
        expect(anne.locator("#polite")).to_have_text("Zoé points at this: Eyepatch.")
        expect(anne.locator(".ping")).to_have_count(1)  # a hand points at one thing only
        expect(anne.locator(".ping")).to_have_count(0, timeout=15_000)  # and not for ever
        box = anne.locator("[data-place='12']").bounding_box()
        assert box is not None
        anne.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        anne.mouse.down()  # on your own turn a long press points, and chooses nothing
        expect(zoe.locator(".ping .slip text")).to_have_text("Anne")
        anne.mouse.up()
        expect(anne.locator(".notice")).to_be_hidden()
        press_until(zoe, "[data-place][role]")
        zoe.keyboard.press("ArrowRight")
        zoe.keyboard.press("Enter")
        expect(anne.locator("#polite")).to_have_text("Zoé points at this: square 1.")
        assert not axe(zoe)


def test_axe_finds_nothing(server: ServerProcess, browser: Browser) -> None:
    found: dict[str, list[str]] = {}
    with aboard(browser, PHONE) as page:
        sail(page, server.url, 2, STRATEGIC | {"turns": 2, "first": 0})
        waiting(page)
        found["turn"] = axe(page)
        while waiting(page) == "turn":
            version = version_of(page)
            page.locator(MAY).first.tap()
            drawn(page)
            if page.locator(".act .primary[disabled]").count():
                page.locator("[data-die]").first.tap()
            page.locator(".ghost").first.wait_for()
            if "looking ahead" not in found:
                found["looking ahead"] = axe(page)
            page.locator(".act .primary").tap()
            moved_on(page, version)
        found["result"] = axe(page)
        expect(page.locator(".ile-sheet tbody tr")).to_have_count(6)
    assert not any(found.values()), {screen: wrong for screen, wrong in found.items() if wrong}
