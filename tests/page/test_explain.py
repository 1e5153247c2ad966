"""Explain everything: a switch after which every event comes with its reason and its rule, on every screen."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.page.player import PLANK, PUSH
from tests.page.sailor import LAPTOP, PHONE, TV, aboard, axe, drawn, elsewhere, play, sit_down
from tests.server.launcher import ServerProcess

from tribord import load
from tribord.core.reason import reasons

# Keeps what screen readers are given: each line makes way for the next.
OVERHEAR = """() => {
  window.heard = [];
  const polite = document.querySelector("#polite");
  const listen = () => heard.push(polite.textContent.replace(/[\\u00a0\\u202f]/g, " "));
  new MutationObserver(listen).observe(polite, { childList: true, subtree: true, characterData: true });
}"""


def plain(text: str) -> str:
    """Text as it was written: the page keeps numbers beside their words, and “!” beside its sentence."""
    return text.replace("\u00a0", " ").replace("\u202f", " ")


def said(game: str, language: str) -> set[str]:
    """All the reasons of a game."""
    return {plain(one[language]) for one in reasons(load(game)).values()}


def switch_on(page: Page) -> None:
    """Turn the switch in the settings on."""
    page.evaluate("document.dispatchEvent(new Event('tribord-settings'))")
    page.locator("input[name=explain]").first.check(force=True)
    page.locator("dialog .primary").click()


@pytest.mark.parametrize(("size", "language"), [(PHONE, "fr"), (LAPTOP, "en")])
def test_every_line_and_every_entry_of_the_log_has_its_reason_and_rule(
    server: ServerProcess, browser: Browser, size: tuple[int, int], language: str
) -> None:
    with aboard(browser, size, language, at=server.url) as page:
        switch_on(page)
        page.reload()  # this device remembers it
        assert json.loads(page.evaluate("localStorage['tribord.settings']"))["explain"] is True
        sit_down(page, server.url, PUSH, 2)
        page.evaluate(OVERHEAR)
        page.locator(".hand-area button").first.click()
        page.locator(".act .primary:not([disabled])").click()
        if size == PHONE:
            page.locator("#tab-log").click()
        expect(page.locator(".log small.because").first).to_be_visible()
        known = said(PUSH, language)
        reasons_of_entries = (
            "all => all.map(li => [...li.querySelectorAll('small.because')].map(small => small.innerText))"
        )
        entries = page.locator(".log li").evaluate_all(reasons_of_entries)  # read at one go: bots play on
        found = [[plain(text) for text in entry] for entry in entries]
        assert all(len(entry) == 1 for entry in found), found
        assert {text for (text,) in found} <= known, found
        assert page.wait_for_function(
            "known => heard.some(line => known.some(one => line.includes(one)))", arg=[*known]
        )
        assert not axe(page)


def test_each_event_is_shown_with_its_reason_for_as_long_as_both_take_to_read(
    server: ServerProcess, browser: Browser
) -> None:
    with aboard(browser, PHONE, "en", speed=1, at=server.url) as page:
        switch_on(page)
        lasting = page.evaluate(
            """async () => {
              const { Stage, reading } = await import("/page/stage.js");
              const { learn, because } = await import("/page/words.js");
              const { settings } = await import("/page/settings.js");
              await learn("walk-the-plank");
              const event = { kind: "chosen", rule: "W4", fields: {}, fr: "Trois cartes.", en: "Three cards." };
              const stage = new Stage({ brief: ["chosen"], step: (scene) => ({ scene }) }, () => {});
              const on = [stage.wordless(event), stage.lasts(event, {}), reading(`Three cards. ${because(event)}`)];
              settings.explain = false;
              return [on, [stage.wordless(event), stage.lasts(event, {})]];
            }"""
        )
        (wordless, ms, both), (silent, brief) = lasting
        assert not wordless and ms == both > 2000
        assert silent and brief == 600


def test_the_panel_and_the_tv_explain_what_they_show(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, PHONE, "en", speed=0.5, at=server.url) as phone, aboard(
        browser, TV, "fr", speed=0.5, at=server.url
    ) as tv:  # fmt: skip
        for page in (phone, tv):
            switch_on(page)
        sit_down(phone, server.url, PLANK, 3, start=False)
        tv.goto(f"{server.url}/#/tv/{phone.url.rpartition('/')[2]}")
        tv.locator(".tv-seats").wait_for()
        phone.locator(".lobby .primary").click()
        shown = phone.locator(".lines .because")
        expect(shown).to_contain_text("Captain’s Favour")
        expect(tv.locator(".because").first).to_contain_text("Faveur du Capitaine")
        shown.locator(".rule-link").click()
        expect(phone.locator("#drawer #rule-W3.cited")).to_be_visible()


def test_the_switch_beside_the_rules_works_at_once_and_a_game_without_reasons_cites_the_rule(
    server: ServerProcess, browser: Browser
) -> None:
    with aboard(browser, LAPTOP, "en", at=server.url) as page:
        sit_down(page, server.url, PUSH, 2)
        expect(page.locator(".log small.because")).to_have_count(0)
        page.locator("#tab-rules").click()
        page.locator("[aria-pressed=false]", has_text="Explain everything").click()
        expect(page.locator("[aria-pressed=true]", has_text="Explain everything")).to_be_visible()
        drawn(page)
        told = page.evaluate(
            """async () => {
              const { because, gameWords } = await import("/page/words.js");
              gameWords().reasons = {};
              return because({ kind: "falls", rule: "F11" });
            }"""
        )
        assert re.match(r"The first four pirates to fall make pile\u00a01", told) and "*" not in told


@pytest.mark.parametrize(("size", "language"), [(PHONE, "fr"), (LAPTOP, "en")])
def test_a_replay_explains_every_step_in_its_log_and_aloud(
    server: ServerProcess, browser: Browser, size: tuple[int, int], language: str
) -> None:
    table = elsewhere(play(server.url, PUSH, ["me", "mousse"])).id
    with aboard(browser, size, language, at=f"{server.url}/#/replay/{table}/1") as page:
        because = page.locator(".replay-log small.because")
        page.locator(".replay-log li").first.wait_for()
        expect(because).to_have_count(0)
        switch_on(page)
        page.evaluate(OVERHEAR)
        page.get_by_label({"fr": "Avancer d’une étape", "en": "Step forward"}[language]).click()
        known = said(PUSH, language)
        entries = "all => all.map(li => ['.event-line', 'small.because'].map(one => li.querySelectorAll(one).length))"
        counted = page.locator(".replay-log li").evaluate_all(entries)
        assert sum(told for told, _why in counted) > 20 and all(told == why for told, why in counted), counted
        found = {re.sub(r" F\d+$", "", plain(text)) for text in because.all_inner_texts()}
        assert found <= known and len(found) > 3, found - known
        assert all(re.search(r" F\d+$", text) for text in because.all_inner_texts())
        for _step in range(6):  # some steps are decisions that nobody saw
            page.keyboard.press("ArrowRight")
            drawn(page)
        assert page.wait_for_function(
            "known => heard.some(line => known.some(one => line.includes(one)))", arg=[*known]
        )
        assert page.evaluate("document.documentElement.scrollWidth") == size[0]
        assert not axe(page)


def test_the_log_of_a_puzzle_is_explained(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, LAPTOP, "en", at=f"{server.url}/#/puzzles/{PLANK}/1") as page:
        entries = page.locator(".aside .log li")
        entries.first.wait_for()
        switch_on(page)
        expect(page.locator(".aside .log small.because")).to_have_count(entries.count())
        found = {re.sub(r" W\d+$", "", plain(text)) for text in page.locator(".because").all_inner_texts()}
        assert found <= said(PLANK, "en"), found
