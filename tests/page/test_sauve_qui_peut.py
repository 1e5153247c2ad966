"""The board of Sauve qui peut ! in a real Chromium: whole matches by touch and by keyboard, offers, motion, axe."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from playwright.sync_api import Browser, expect
from tests.page.player import READY, SAVE, SHORT, TARGETS, Player
from tests.page.sailor import LAPTOP, PHONE, aboard, axe, drawn, press_until, sit_down
from tests.server.launcher import ServerProcess

from tribord import Match, load

PERSON = "[data-person]:not([aria-disabled])"


def who(player: Player) -> None:
    """Where a boat was touched with several of our people, say who."""
    if not player.any(READY):
        player.touch(player.page.locator(PERSON).first)


def test_a_whole_match_by_touch_on_a_phone(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, PHONE) as page:
        player = Player(page, SAVE)
        sit_down(page, server.url, SAVE, players=3, options=SHORT[SAVE])
        kinds: set[str] = set()
        capped = False
        while player.asked():
            boats = page.locator("[data-boat]:not([aria-disabled])")  # in the drawing
            button = page.locator(".act .primary")
            cap = page.locator("[data-cap]:not([aria-disabled])")
            if cap.count() and not capped:
                player.touch(cap)
                capped = True
            elif crew := player.any("[data-crew]:not([aria-disabled])"):
                player.touch(crew)
            else:
                player.touch(boats.nth(len(kinds) % boats.count()))
            who(player)
            expect(button).to_be_enabled()
            kinds.add(button.inner_text())
            player.send()
        assert {"Embarquer", "Voter", "Montrer le bonnet", "Sortir", "Monter"} <= kinds
        expect(page.locator(".sheet-table tbody tr")).to_have_count(3)
        totals = [int(text) for text in page.locator(".sheet-table .sum").all_inner_texts()]
        assert totals == sorted(totals, reverse=True)
        in_the_drawing = [int(text) for text in page.locator(".sqp-crew .points").all_text_contents()]
        assert sorted(in_the_drawing) == sorted(totals)
        page.wait_for_load_state("networkidle")  # the decisive moments are there
        page.evaluate("scrollTo(0, document.body.scrollHeight)")  # and nothing lies half under the tabs
        drawn(page)
        assert axe(page) == []


def test_a_whole_match_by_keyboard_alone(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, LAPTOP, "en", "dark") as page:
        player = Player(page, SAVE)
        sit_down(page, server.url, SAVE, players=3, options=SHORT[SAVE])
        decisions = 0
        while player.asked():
            # The first decisions on the drawing itself, the others where the hand is.
            press_until(page, "[data-boat]:not([aria-disabled])" if decisions < 4 else TARGETS)
            page.keyboard.press("Enter" if decisions % 2 else " ")
            drawn(page)
            if not player.any(READY):
                press_until(page, PERSON)
                page.keyboard.press("Enter")
            press_until(page, READY)
            player.send(by_key=True)
            decisions += 1
        assert decisions >= 7  # everybody was placed (S2, S5), at least
        expect(page.locator(".sheet-table")).to_be_visible()
        assert axe(page) == []


def test_a_promise_is_in_the_log_and_the_result_says_whether_it_was_kept(
    server: ServerProcess, browser: Browser
) -> None:
    with aboard(browser, LAPTOP, "en") as page:
        player = Player(page, SAVE)
        sit_down(page, server.url, SAVE, players=3, options=SHORT[SAVE])
        promised = remembered = 0
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
                expect(page.locator(".log .offered").first).to_contain_text("promises to vote for a leak in")
                expect(page.locator(".sqp-said.promise")).to_have_count(1)  # and at the crew, for this round
                # The first promise is kept, the second is not.
                player.touch(page.locator(TARGETS).nth(promised - 1))
            else:
                player.touch(page.locator(TARGETS).first)
            who(player)
            player.send()
            remembered += page.locator(".last-vote").count() > 0  # though nothing has moved
        assert promised == 2 and remembered
        fates = page.locator(".sqp-kept li b")
        expect(fates).to_have_text(["✓ Kept.", "✗ Broken."])


def told(match: Match, events: list) -> list[dict]:
    """Events as the page gets them."""
    fr, en = match.game.words("fr"), match.game.words("en")
    return [
        {
            "kind": e.kind,
            "rule": e.rule,
            "fields": e.fields,
            "fr": match.game.say_event(e, fr),
            "en": match.game.say_event(e, en),
        }
        for e in events
    ]


def played(players: int, seed: int) -> list[dict]:
    """A random match as the stage sees it: the events of each decision and the view after it."""
    dice, match = random.Random(seed), Match(load(SAVE), players, seed)
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


def test_what_is_played_on_the_stage_ends_where_the_view_is(server: ServerProcess, browser: Browser) -> None:
    seen: set[str] = set()
    with aboard(browser, LAPTOP, at=server.url) as page:
        for players, seed in ((3, 3), (4, 4), (5, 4), (6, 3)):
            acts = played(players, seed)
            seen |= {event["kind"] for act in acts for event in act["events"]}
            assert page.evaluate(STEPS, json.loads(json.dumps(acts, default=int))) == []
    everything = {kind.name for kind in load(SAVE).events.KINDS}
    assert everything - seen <= {"first", "no-leak", "all-caps", "shares"}  # chance, and what is rare


LAST_VOTES = """async (acts) => {
  const { board } = await import("/games/sauve-qui-peut/board.js");
  const said = (scene) => scene.crews.map(({ lastVote }) => lastVote && (lastVote.lane ?? lastVote.crew ?? "cap"));
  const told = [];
  let scene = board.scene(acts[0].view, -1);
  for (const { events, view } of acts.slice(1)) {
    for (const event of events) scene = board.step(scene, event).scene;
    scene = board.scene(view, -1);
    told.push(said(scene));
  }
  const early = acts.findIndex(({ events }) => events.some(({ kind }) => kind === "baton"));
  return [told, said(board.scene(acts[early].view, -1))];
}"""


def test_the_last_votes_are_seen_until_the_next_are_turned_up(server: ServerProcess, browser: Browser) -> None:
    acts = json.loads(json.dumps(played(4, seed=4), default=int))
    crews = ["blue", "green", "red", "yellow", "lilac", "bone"]
    last: list[int | str | None] = [None] * 4
    expected = []
    for act in acts[1:]:
        votes = {
            e["fields"]["crew"]: e for e in act["events"] if e["kind"] in ("votes-boat", "votes-crew", "shows-cap")
        }
        if votes:
            last = [None] * 4
        for crew, vote in votes.items():
            fields = vote["fields"]
            named = {"votes-boat": fields.get("boat"), "votes-crew": crews[fields.get("target", 0)], "shows-cap": "cap"}
            last[crew] = named[vote["kind"]]
        expected.append(last)
    with aboard(browser, LAPTOP, at=server.url) as page:
        told, before = page.evaluate(LAST_VOTES, acts)
    assert told == expected
    assert before == [None] * 4  # whoever goes back in a replay is not told of votes that were still to come


DRAWN = """async ({ view, log, seat, part, shape = "wide" }) => {
  const { board } = await import("/games/sauve-qui-peut/board.js");
  const { html, render, svg } = await import("/page/lit.js");
  const { learn } = await import("/page/words.js");
  await learn("sauve-qui-peut");
  const still = { choice: null, name: String, pick() {}, back() {}, preview: null };
  const desk = { ...still, scene: board.scene(view, seat), seat, shape, log };
  const there = document.createElement("div");
  render(part === "hand" ? board.hand(desk) : html`<svg>${board.draw(desk)}</svg>`, there);
  const said = [...there.querySelectorAll(".sqp-said")].map((each) => each.getAttribute("aria-label"));
  return [there.textContent.replace(/\\s+/g, " "), said];
}"""


def offered(seat: int, offer: dict[str, Any], **more: Any) -> dict[str, Any]:
    """An offer as the log has it."""
    return {"kind": "offer", "at": 0, "said": {"seat": seat, "offer": offer, **more}}


@pytest.mark.parametrize("shape", ["wide", "tall"])
def test_the_offers_of_this_round_are_on_the_board(server: ServerProcess, browser: Browser, shape: str) -> None:
    log = [
        offered(1, {"kind": "promise", "vote": "leak", "lane": 1}),
        {
            "kind": "act",
            "at": 0,
            "events": [{"kind": "baton", "rule": "S19", "fields": {"crew": 1}, "fr": "", "en": ""}],
        },
        offered(0, {"kind": "promise", "vote": "leak", "lane": 3}),
        offered(1, {"kind": "ask", "vote": "overboard", "crew": "red"}),
        offered(2, {"kind": "alliance", "crew": "blue"}, to=[0]),
    ]
    acts = json.loads(json.dumps(played(3, seed=3), default=int))
    with aboard(browser, LAPTOP, "en", at=server.url) as page:
        given = {"view": acts[30]["view"], "log": log, "shape": shape}
        _text, own = page.evaluate(DRAWN, given | {"seat": 0})
        _text, public = page.evaluate(DRAWN, given | {"seat": -1})
        _text, nothing = page.evaluate(DRAWN, {"view": acts[30]["view"], "seat": 0, "shape": shape})
    everybody = ["Blue promises to vote for a leak in Dorine (3).", "Green asks for votes against Red."]
    assert own == [*everybody, "Red proposes an alliance to Blue for this round."]
    assert public == everybody  # what was said apart is not for the room
    assert nothing == []


def test_how_one_stands_agrees_in_number(server: ServerProcess, browser: Browser) -> None:
    standing: dict[int, str] = {}
    with aboard(browser, PHONE, at=server.url) as page:
        for act in json.loads(json.dumps(played(3, seed=8), default=int)):
            lost = sum(act["view"]["crews"][0]["drowned"].values())
            if act["view"]["phase"] != "over" and lost not in standing and not act["view"]["voted"]:
                standing[lost] = page.evaluate(DRAWN, {"view": act["view"], "seat": 0, "part": "hand"})[0]
    assert "noyé" not in standing[0]
    assert "1 noyé" in standing[1] and "noyés" not in standing[1]
    assert "2 noyés" in standing[2]


# What is seen only while it moves is noted when it is drawn: whoever looks now and then may miss it.
NOTE = """() => {
  const noted = document.documentElement.dataset;
  noted.most = 0;
  const look = () => (noted.most = Math.max(noted.most, document.querySelectorAll(".sqp-dial.shown").length));
  new MutationObserver(look).observe(document.body, { attributes: true, childList: true, subtree: true });
}"""


def test_the_votes_flip_together_and_are_seen(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, PHONE, speed=4) as page:
        player = Player(page, SAVE)
        sit_down(page, server.url, SAVE, players=3, options=SHORT[SAVE])
        for _decision in range(40):
            player.asked()
            voting = page.locator("[data-cap]").count()
            player.touch(page.locator(TARGETS).last)
            who(player)
            if voting:
                page.evaluate(NOTE)
            player.send()
            if voting:
                expect(page.locator("html")).to_have_attribute("data-most", "3", timeout=15_000)
                return
        raise AssertionError("no vote in forty decisions")


def test_axe_finds_nothing(server: ServerProcess, browser: Browser) -> None:
    found: dict[str, list[str]] = {}
    with aboard(browser, PHONE) as page:
        player = Player(page, SAVE)
        sit_down(page, server.url, SAVE, players=6)
        player.asked()
        found["placing"] = axe(page)
        page.locator(".parley").tap()
        page.locator(".sqp-offer").wait_for()
        found["offer"] = axe(page)
        page.get_by_role("tab", name="Discussion").tap()
        for _decision in range(8):
            player.asked()
            if page.locator("[data-cap]").count():
                found["vote"] = axe(page)
                break
            player.decide()
    assert "vote" in found
    assert not any(found.values()), {screen: wrong for screen, wrong in found.items() if wrong}
