"""The end of a match on the page: the ranking, the joke, the finale, the counting of the sheet, long names."""

from __future__ import annotations

import asyncio
import json
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.page.player import ISLAND, PLANK, PUSH, SAVE
from tests.page.sailor import LAPTOP, PHONE, TV, aboard, axe, decided, elsewhere, go_on, play, sit_down, take_place
from tests.server.launcher import ServerProcess

from tribord import game_ids, load
from tribord.client import Client
from tribord.core.tip import tips
from tribord.core.words import LANGUAGES
from tribord.server.page import jokes

LONG = [
    "Bartholomew-Anne-Bonny-X", "Wilhelmina Montgomery-Wu", "MMMMMMMMMMMMMMMMMMMMMMMM", "Jean-Baptiste de l’Étang",
    "Guillemette Wwwwwwwwwwww", "Maximiliane von Fünfhaus",
]  # fmt: skip
MOST = {PUSH: 4, PLANK: 5, SAVE: 6, ISLAND: 4}
OPTIONS: dict[str, dict[str, Any]] = {PLANK: {"rounds": 6}, ISLAND: {"game": "strategic", "turns": 16}}
SITUATIONS = {
    PUSH: {"won", "shared", "second", "lost", "watched", "watched-shared"},
    PLANK: {"won", "shared", "lost", "nobody", "watched", "watched-shared"},
    SAVE: {"won", "shared", "second", "lost", "watched", "watched-shared"},
    ISLAND: {"won", "lost"},
}

# Parts of the ending outside their box: sheets, cells, names (with a title if they're cut), texts.
OUTSIDE = """(root) => {
  const found = [];
  const box = document.querySelector(root).getBoundingClientRect();
  const right = Math.min(box.right, innerWidth);
  const tv = root.startsWith('.tv');
  const whole = document.documentElement.scrollWidth;
  if (whole > innerWidth) found.push('the page is ' + whole);
  const parts = 'h2, p, .scroll, .sheet, table, th, td, .sheet-name, li, a, small, button';
  for (const e of document.querySelectorAll(`${root} :is(${parts})`)) {
    if (e.closest('.unseen')) continue;
    const r = e.getBoundingClientRect();
    if (!r.width) continue;
    const what = `${e.tagName}.${e.className}: ${e.textContent.trim().slice(0, 40)}`;
    if (r.left < -0.5 || r.right > right + 0.5) found.push(`${what} reaches to ${r.left}–${r.right} of ${right}`);
    if (tv && (r.top < -0.5 || r.bottom > innerHeight + 0.5)) found.push(`${what} reaches down to ${r.bottom}`);
    const over = e.scrollWidth - e.clientWidth;
    if (e.matches('.scroll, .sheet, h2, p') && over > 1) found.push(`${what} is ${over} too wide`);
    if (e.matches('.sheet-name') && !e.title) found.push(`${what} has no title`);
  }
  return found;
}"""


async def among_people(url: str, game: str, names: list[str]) -> list[Client]:
    """A whole match of people with these names."""
    seats = ["me", *["open"] * (len(names) - 1)]
    host = await Client.create(url, game, names[0], len(names), seats=seats, options=OPTIONS.get(game, {}))
    async with host:
        assert host.table is not None
        others = [await Client.join(url, host.table["code"], name) for name in names[1:]]
        for seat, other in enumerate(others, 1):
            await other.__aenter__()
            assert other.table is not None and other.guest is not None
            if other.table["seats"][seat]["guest"] != other.guest:
                await other.do("sit", seat=seat)
            await other.do("ready")
        await host.do("start")
        await asyncio.gather(*[go_on(one) for one in (host, *others)])
        for other in others:
            await other.__aexit__(None, None, None)
    return [host, *others]


@pytest.fixture(scope="module")
def ended(server: ServerProcess) -> dict[str, list[Client]]:
    """A finished match of each game, with as many people and as long names as possible."""

    def match(game: str) -> list[Client]:
        return elsewhere(decided(lambda: among_people(server.url, game, LONG[: MOST[game]])))

    return {game: match(game) for game in game_ids()}


@pytest.mark.parametrize("game", game_ids())
def test_long_names_fit_on_phone_and_tv(
    server: ServerProcess, browser: Browser, ended: dict[str, list[Client]], game: str
) -> None:
    for language in LANGUAGES:
        with aboard(browser, PHONE, language) as page:
            take_place(page, server.url, ended[game][0], game)
            page.locator(".moments").wait_for()
            assert page.evaluate(OUTSIDE, ".result") == []
            titles = page.locator(".sheet-name").evaluate_all("(names) => names.map((name) => name.title)")
            assert set(titles) == set(LONG[: MOST[game]])
    with aboard(browser, TV, "en", at=f"{server.url}/#/tv/{ended[game][0].id}") as page:
        page.locator(".tv-result .sheet-table").wait_for()
        assert page.evaluate(OUTSIDE, ".tv-result") == []
        letters = page.locator(".tv-result :is(h2, p, td, .sheet-name)").evaluate_all(
            "(all) => Math.min(...all.map((one) => parseFloat(getComputedStyle(one).fontSize)))"
        )
        assert letters >= 24  # of 1080 lines: readable from the sofa


def place_in(outcome: dict[str, Any], seat: int) -> str:
    """The verdict that a seat should read, worked out again."""
    winners, scores = outcome["winners"], outcome["scores"]
    if not winners:
        return "No one wins."
    if seat in winners:
        return "You win!" if len(winners) == 1 else "You share the victory!"
    rest = [score for other, score in enumerate(scores) if other not in winners]
    if len(rest) > 1 and len(set(rest)) == 1:
        return ""  # all the others are equal: then it names the winner
    place = len(winners) + sum(score > scores[seat] for score in rest)
    word = ["", "second", "third", "fourth", "fifth", "sixth"][place]
    return f"You share {word} place." if rest.count(scores[seat]) > 1 else f"You came {word}."


@pytest.mark.parametrize("game", [PUSH, PLANK, SAVE])
def test_everyone_reads_their_own_place_and_their_row_stands_out(
    server: ServerProcess, browser: Browser, ended: dict[str, list[Client]], game: str
) -> None:
    with aboard(browser, PHONE, "en") as page:
        for seat, client in enumerate(ended[game]):
            take_place(page, server.url, client, game)
            page.reload()
            page.locator(".result .sheet-table").wait_for()
            assert client.match is not None
            expected = place_in(client.match["outcome"], seat)
            said = page.locator(".result h2").inner_text()
            assert said == expected if expected else "wins" in said or "share the victory" in said
            expect(page.locator(".sheet-name.own")).to_have_attribute("title", LONG[seat])
            expect(page.locator(".sheet-name.own")).to_have_count(1)
            own, other = page.evaluate(
                "() => ['tr:has(.own)', 'tbody tr:not(:has(.own))']"
                ".map((row) => getComputedStyle(document.querySelector('.sheet-table ' + row)).backgroundColor)"
            )
            assert own != other
            expect(page.locator(".joke")).not_to_be_empty()


def test_players_get_different_jokes_and_the_same_ones_again(
    server: ServerProcess, browser: Browser, ended: dict[str, list[Client]]
) -> None:
    lost = [client for seat, client in enumerate(ended[SAVE]) if seat not in client.match["outcome"]["winners"]]  # type: ignore[index]
    heard = []
    with aboard(browser, PHONE, "en") as page:
        for client in [*lost, *lost]:
            take_place(page, server.url, client, SAVE)
            page.reload()
            heard.append(page.locator(".joke").inner_text())
    assert heard[: len(lost)] == heard[len(lost) :]
    assert len(set(heard)) > 1
    known = {line for lines in jokes(load(SAVE), "en").values() for line in lines}
    assert set(heard) <= known


@pytest.mark.parametrize("game", game_ids())
def test_there_is_a_joke_for_every_situation_in_both_languages(game: str) -> None:
    said = {language: jokes(load(game), language) for language in LANGUAGES}
    assert said["en"].keys() == said["fr"].keys() == SITUATIONS[game]
    for situation, lines in said["en"].items():
        french = said["fr"][situation]
        assert len(lines) == len(french) >= 3
        for english, other in zip(lines, french):
            assert ("{winner}" in english) == ("{winner}" in other)
            assert english != other and max(len(english.split()), len(other.split())) <= 20
            assert not any(f" {mark}" in other for mark in ":;!?»"), other  # spaces that do not break


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", [SAVE, ISLAND])
def test_the_result_has_one_tip_about_what_was_played(
    server: ServerProcess,
    browser: Browser,
    ended: dict[str, list[Client]],
    game: str,
    language: str,
    size: tuple[int, int],
) -> None:
    known = [each[language] for each in tips(load(game)) if each["variant"] in ("", "strategic")]
    known = [each.replace("\u00a0", " ") for each in known]
    with aboard(browser, size, language) as page:
        take_place(page, server.url, ended[game][0], game)
        page.locator(".result .tip").wait_for()
        said = page.locator(".result .tip").inner_text()
        word, _colon, sentence = said.partition(":")
        assert word.strip() == {"en": "Tip", "fr": "Astuce"}[language]
        assert sentence.replace("\u00a0", " ").strip() in known
        page.reload()
        expect(page.locator(".result .tip")).to_have_text(said)  # the same one for the same match


# -- counting -------------------------------------------------------------------------------------------------------


def last_turn(page: Page, url: str) -> None:
    """A two-player match of Faut pas pousser with one decision left, to take here."""

    async def nearly() -> Client:
        left = {"turns": 0}

        def stop(turn: Any) -> bool:
            left["turns"] += 1
            return left["turns"] > 6  # a pick and six turns

        return await play(url, PUSH, ["me", "mousse"], until=stop)

    take_place(page, url, elsewhere(nearly()), PUSH)
    page.locator("#must").wait_for()


def finish(page: Page) -> None:
    """Take the last decision: any legal action."""
    pirate = page.locator("[data-pirate]:not([disabled], [aria-disabled=true])")
    if pirate.count():
        pirate.first.tap()
        page.locator("[data-card]:not([disabled], [aria-disabled=true])").first.tap()
        page.locator("[data-slot]").first.press("Enter")
    else:
        page.locator("[data-pass]").tap()
    page.locator(".act .primary:not([disabled])").tap()


TOTALS = "() => [...document.querySelectorAll('.result .sum')].map((sum) => Number(sum.innerText))"


def test_the_result_waits_for_the_stage_and_the_sheet_is_counted(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, PHONE, "en", speed=4) as page:
        last_turn(page, server.url)
        finish(page)
        expect(page.locator(".decision .act")).to_contain_text("Catch up")  # the last events are played,
        expect(page.locator(".result")).to_have_count(0)
        page.locator(".result").wait_for(timeout=60_000)  # and only then the winner is announced
        expect(page.locator(".result .sheet")).to_have_attribute("aria-busy", "true")
        seen = [page.evaluate(TOTALS)]
        while page.locator(".result .sheet[aria-busy]").count():
            seen.append(page.evaluate(TOTALS))
            page.wait_for_timeout(20)
        final = page.evaluate(TOTALS)
        assert seen[0] != final and all(a <= b for before, after in pairwise(seen) for a, b in zip(before, after))
        points = json.loads(page.evaluate("() => JSON.stringify([...document.querySelectorAll('.result tbody tr')].map("
            "(row) => [...row.querySelectorAll('td')].map((cell) => Number(cell.innerText) || 0)))"))  # fmt: skip
        assert [sum(cells[:-1]) for cells in points] == [cells[-1] for cells in points] == final
        assert not page.locator("[data-count], [data-counted]").count()


def test_a_tap_ends_the_counting(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, PHONE, "en", speed=0.5) as page:
        last_turn(page, server.url)
        finish(page)
        page.get_by_role("button", name="Catch up").tap()
        page.locator(".result .sheet[aria-busy]").wait_for()
        before = page.evaluate(TOTALS)
        page.locator(".result h2").tap()
        expect(page.locator(".result .sheet[aria-busy]")).to_have_count(0)
        assert page.evaluate(TOTALS) != before


def test_nothing_moves_where_nothing_should(server: ServerProcess, browser: Browser) -> None:
    moving = "() => document.getAnimations().filter((a) => a.effect.target.closest('.finale')).length"
    with aboard(browser, PHONE, "en", speed=1) as page:
        page.emulate_media(reduced_motion="reduce")
        last_turn(page, server.url)
        finish(page)
        page.locator(".result .sheet").wait_for()
        expect(page.locator(".result .sheet[aria-busy]")).to_have_count(0)
        assert page.evaluate(moving) == 0
        page.emulate_media(reduced_motion="no-preference")
        assert page.evaluate(moving) > 10  # otherwise the test would prove nothing


def test_latecomers_find_the_sheet_counted(
    server: ServerProcess, browser: Browser, ended: dict[str, list[Client]]
) -> None:
    with aboard(browser, PHONE, "en", speed=1) as page:
        take_place(page, server.url, ended[PUSH][0], PUSH)
        page.locator(".result .sheet").wait_for()
        expect(page.locator(".result .sheet[aria-busy]")).to_have_count(0)


SOUNDS = """() => {
  window.heard = [];
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...given) {
    window.heard.push(this.type);
    return start.apply(this, given);
  };
}"""


@pytest.mark.parametrize("sound", [True, False])
def test_the_end_is_heard_where_sound_is_on(server: ServerProcess, browser: Browser, sound: bool) -> None:
    with aboard(browser, PHONE, "en", at=server.url) as page:
        said = json.loads(page.evaluate("localStorage['tribord.settings']")) | {"sound": sound}
        page.evaluate("(said) => (localStorage['tribord.settings'] = said)", json.dumps(said))
        page.reload()
        last_turn(page, server.url)
        page.evaluate(SOUNDS)
        finish(page)
        page.locator(".result").wait_for()
        page.wait_for_timeout(300)
        assert ("sawtooth" in page.evaluate("window.heard")) == sound  # horns: nothing else has that voice


def test_axe_finds_nothing_in_an_ending(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, PHONE, "en") as page:
        sit_down(page, server.url, ISLAND, 1, options={"turns": 1})
        while not page.locator(".result").count():
            page.locator("[data-pawn]:not([disabled], [aria-disabled=true]), .result").first.wait_for()
            if page.locator(".result").count():
                break
            page.locator("[data-pawn]:not([disabled], [aria-disabled=true])").first.tap()
            if not page.locator(".act .primary:not([disabled])").count():
                page.locator("[data-die]").first.tap()
            page.locator(".act .primary:not([disabled])").tap()
            page.wait_for_timeout(100)
        page.locator(".finale-frame").wait_for()
        assert axe(page) == []
