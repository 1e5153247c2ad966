"""The drawing of Walk the Plank, scene by scene: every event is seen, no card covers its effect, names are whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from tests.page.sailor import LAPTOP, PHONE, TV, aboard
from tests.server.launcher import ServerProcess

from tribord import Match, load
from tribord.core.chance import below, stream

GAME = load("walk-the-plank")
LARGE_PHONE = (390, 844)
SIZES = [PHONE, LARGE_PHONE, (320, 568), LAPTOP]
NAMES = [  # 24 letters each, with and without a place to break them
    "Barthélemy-de-la-Tortue!",
    "Bartholomewtheunsinkable",
    "Jean-Baptiste de Rivoire",
    "Anne Bonny la Terrifiant",
    "WWWWWWWWWWWWWWWWWWWWWWWW",
]

# A separate board in the page: `show(scene)` draws a scene as spectators see it.
EASEL = """async (names) => {
  const { board } = await import("/games/walk-the-plank/board.js");
  const { html, render } = await import("/page/lit.js");
  const { learn } = await import("/page/words.js");
  await learn("walk-the-plank");
  const style = document.createElement("link");
  Object.assign(style, { rel: "stylesheet", href: "/games/walk-the-plank/board.css" });
  document.head.append(style);
  await new Promise((done) => (style.onload = done));
  document.body.replaceChildren();
  const shape = innerWidth > 800 ? "wide" : "tall";
  globalThis.board = board;
  globalThis.show = (scene) => {
    const [width, height] = board.size[shape];
    const desk = { scene, choice: null, seat: -1, shape, name: (seat) => names[seat], preview: null, why: () => {} };
    const box = `0 0 ${width} ${height}`;
    render(html`<svg class=${`scene ${shape}`} viewBox=${box}>${board.draw(desk)}</svg>`, document.body);
  };
  const box = (element) => element.getBoundingClientRect();
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const all = (selector) => [...document.querySelectorAll(selector)];
  globalThis.wrong = (scene) => {
    const bill = document.querySelector(".w-bill");
    const found = [];
    for (const piece of bill ? all(".w-piece:not(.w-sunk), .w-afloat, .w-aloft:not(.w-below), .w-panel") : [])
      if (meet(box(bill), box(piece))) found.push(`the playbill covers ${piece.getAttribute("class")}`);
    const edges = [0, 1, 2, 3].map((space) => all(".w-piece.w-stands").filter(({ dataset }) => {
      const at = scene.pirates[dataset.crew][dataset.key.slice(-1)];
      return at === space;
    }).map((piece) => box(piece.querySelector(".crew"))));
    for (const [space, here] of edges.entries()) {
      const beyond = edges.slice(space + 1).flat();
      const [last, next] = [Math.max(...here.map((b) => b.right)), Math.min(...beyond.map((b) => b.left))];
      if (here.length && beyond.length && last > next)
        found.push(`pirates of space ${space} stand among those of the next`);
    }
    const frame = bill && box(bill.querySelector(".w-border"));
    for (const text of all(".w-bill text"))
      if (box(text).left < frame.left || box(text).right > frame.right || box(text).bottom > frame.bottom)
        found.push(`“${text.textContent}” leaves the playbill`);
    return found;
  };
}"""


def matches(players: int, **options: Any) -> Iterator[tuple[Match, list[dict[str, Any]]]]:
    """Random matches, as the public sees them: each update with its events and the views before and after."""
    for seed in range(3):
        match, rng, told = GAME.match(players, f"{seed:08}", options), stream(seed), []
        while not match.over:
            seat = match.to_act[0]
            legal, before = match.legal(seat), match.view()
            events = match.play(seat, legal[below(rng, len(legal))])
            said = [{"kind": event.kind, "rule": event.rule, "fields": event.fields} for event in events]
            told.append({"before": before, "events": said, "after": match.view()})
        yield match, told


@pytest.fixture(scope="module")
def easels(server: ServerProcess, browser: Browser) -> Iterator[Callable[[tuple[int, int]], Page]]:
    """A page of each size with nothing but a drawing, which every test draws again."""
    with ExitStack() as stack:

        @cache
        def easel(size: tuple[int, int]) -> Page:
            page = stack.enter_context(aboard(browser, size, "fr", at=server.url))
            page.evaluate(EASEL, NAMES)
            return page

        yield easel


@pytest.fixture
def easel(easels: Callable[[tuple[int, int]], Page], size: tuple[int, int]) -> Page:
    """The page of this size."""
    return easels(size)


# What changes with each event; and whether the drawing agrees with the view at the end of an update.
FOLLOW = """(told) => {
  const seen = {};
  const wrong = [];
  const where = (pirates) => Object.values(pirates).map((spaces) => spaces.map((space) => Math.min(space, 5)).sort());
  const gist = ({ pirates, plank, favour, round, out, last, cheers }) =>
    JSON.stringify([where(pirates), plank, favour, round, out.toSorted(), last, cheers]);
  for (const { before, events, after } of told) {
    let scene = board.scene(before, -1);
    for (const event of events) {
      const { scene: next, cue } = board.step(scene, event);
      const changed = JSON.stringify(next) !== JSON.stringify(scene);
      (seen[event.kind] ??= { times: 0, changed: 0, big: 0, brief: board.brief.includes(event.kind) }).times++;
      seen[event.kind].changed += changed;
      seen[event.kind].big += Boolean(cue.big);
      const looks = cue.focus ? [...cue.focus("wide"), ...cue.focus("tall")] : [];
      if (!looks.every(Number.isFinite)) wrong.push(`${event.kind}: no place to look at`);
      scene = next;
    }
    const [drawn, is] = [gist(scene), gist(board.scene(after, -1))];
    if (drawn !== is) wrong.push(`${events.map(({ kind }) => kind)}: ${drawn} is ${is}`);
  }
  return [seen, wrong];
}"""


@pytest.mark.parametrize("size", [LAPTOP])
def test_every_event_changes_what_is_drawn_and_the_drawing_stays_true(easel: Page) -> None:
    told = [happening for players in (3, 5) for _match, happenings in matches(players) for happening in happenings]
    told += [happening for _match, happenings in matches(3, rounds=1) for happening in happenings]
    seen, wrong = easel.evaluate(FOLLOW, told)
    assert not wrong
    assert seen.keys() == {kind.name for kind in GAME.events.KINDS} - {"receives", "no-winner"}
    assert {kind for kind, found in seen.items() if found["changed"] < found["times"]} <= {"wins", "shares"}
    big = {kind for kind, found in seen.items() if found["big"] == found["times"]}
    assert big == {"drowns", "out", "last-round", "wins", "shares", "limit"}
    last = told[-1]["after"] | {"favour": None}
    for kind, fields in (("receives", {"crew": 1}), ("no-winner", {})):
        event = {"kind": kind, "rule": "W3", "fields": fields}
        first = easel.evaluate("(view) => ({ ...board.scene(view, -1), cheers: null })", last)
        before, after = first, easel.evaluate("([scene, event]) => board.step(scene, event).scene", [first, event])
        assert before != after


LOOK = """(told) => {
  const found = new Map();
  for (const { before, events } of told) {
    let scene = board.scene(before, -1);
    for (const event of events) {
      scene = board.step(scene, event).scene;
      show(scene);
      for (const fault of wrong(scene)) found.set(fault, `${event.kind} ${JSON.stringify(event.fields)}`);
    }
  }
  return [...found];
}"""


@pytest.mark.parametrize("size", [PHONE, LARGE_PHONE, LAPTOP])
@pytest.mark.parametrize("players", [3, 5])
def test_the_playbill_covers_nobody_and_tiles_are_apart(easel: Page, players: int) -> None:
    _match, told = next(matches(players))
    assert sum(len(happening["events"]) for happening in told) > 60
    assert easel.evaluate(LOOK, told) == []


WHOLE = """(names) => [...document.querySelectorAll(".w-panel")].flatMap((panel) => {
  const box = panel.querySelector(".w-plaque").getBoundingClientRect();
  const lines = [...panel.querySelectorAll(".w-who")];
  const [said, bare] = [lines.map((line) => line.textContent), (text) => text.replace(/[ -]/gu, "")];
  const name = names.find((name) => bare(name) === bare(said.join("")));
  const atSpace = name?.charAt(said[0].length) === " ";
  const hyphened = said.length === 1 || atSpace || /[^\\p{L}]$/u.test(said[0]);
  const wrong = name && hyphened ? [] : [`${said} is nobody's name, or broken without a hyphen`];
  for (const line of lines) {
    const { left, right, bottom } = line.getBoundingClientRect();
    if (left < box.left || right > box.right || bottom > box.bottom) wrong.push(`${line.textContent} leaves its panel`);
  }
  return wrong;
})"""


@pytest.mark.parametrize("size", [*SIZES, TV])
@pytest.mark.parametrize("players", [3, 5])
def test_names_of_24_letters_are_whole(easel: Page, players: int) -> None:
    easel.evaluate("(view) => show(board.scene(view, -1))", GAME.match(players, seed=1).view())
    assert easel.locator(".w-panel").count() == players
    assert easel.evaluate(WHOLE, NAMES) == []


@pytest.mark.parametrize("size", [LARGE_PHONE, LAPTOP])
def test_a_card_without_effect_says_why_on_the_board(easel: Page) -> None:
    told = [happening for _match, happenings in matches(3) for happening in happenings]
    shown: set[str] = set()
    for before, events in ((happening["before"], happening["events"]) for happening in told):
        if all(event["kind"] != "no-effect" for event in events):
            continue
        easel.evaluate("(view) => void (globalThis.scene = board.scene(view, -1))", before)
        for event in events:
            easel.evaluate("(event) => show((globalThis.scene = board.step(scene, event).scene))", event)
            if event["kind"] == "no-effect":
                shown.add(" ".join(easel.locator(".w-said").all_text_contents()))
    assert len(shown) > 2 and all(said.startswith("Sans effet\u00a0: ") and said.endswith(".") for said in shown), shown


@pytest.mark.parametrize("size", [LARGE_PHONE, LAPTOP])
def test_losers_sit_in_the_rigging_and_the_kept_are_celebrated(easel: Page) -> None:
    match, told = next(matches(5))
    easel.evaluate("(view) => show(board.scene(view, -1))", told[0]["before"])
    assert easel.locator(".w-aloft:not(.w-below)").count() == 0
    easel.evaluate("(view) => show(board.scene(view, -1))", match.view())
    outcome = match.outcome
    assert outcome is not None
    assert easel.locator(".w-aloft:not(.w-below)").count() == 5 - len(outcome.winners)
    assert easel.locator(".w-hops").count() == sum(3 - crew["dead"] for crew in match.view()["crews"])
    assert easel.locator(".w-verdict .w-owner").all_text_contents() == [NAMES[seat] for seat in outcome.winners]
    assert easel.locator(".w-joke").count() == 1
