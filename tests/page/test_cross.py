"""The ✕ that closes something never covers its text, however narrow the screen and however far it is scrolled."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.page.sailor import aboard, axe, keep, sit_down
from tests.server.launcher import ServerProcess

# Letters that lie under a button, of those that are on the screen.
COVERED = """(within) => {
  const covered = [];
  const root = document.querySelector(within);
  const seen = root.getBoundingClientRect();
  const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    if (!node.data.trim() || node.parentElement.closest("button, .unseen")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      const middle = (box.top + box.bottom) / 2;
      if (!box.width || middle < Math.max(0, seen.top) || middle > Math.min(innerHeight, seen.bottom)) continue;
      for (let x = box.left + 1; x < box.right; x += 6) {
        const there = document.elementFromPoint(x, middle);
        if (there?.closest("button")?.innerText === "✕") covered.push(node.data.trim());
      }
    }
  }
  return covered;
}"""


@pytest.mark.parametrize("width", [320, 390])
def test_no_cross_covers_text(server: ServerProcess, browser: Browser, width: int) -> None:
    with aboard(browser, (width, 700), "fr") as page:
        sit_down(page, server.url, players=2)
        for tab in range(4):
            page.get_by_role("tab").nth(tab).click()
            expect(page.locator("#drawer")).to_be_visible()
            for scrolled in (0, 37, 150, 10_000):
                page.locator("#drawer").evaluate("(e, y) => e.scrollTo(0, y)", scrolled)
                assert not page.evaluate(COVERED, "#drawer")
        page.get_by_role("button", name="Fermer").click()
        page.locator("[data-seat='0']").click()
        expect(page.locator(".seat-panel")).to_be_visible()
        assert not page.evaluate(COVERED, ".seat-panel")
        page.get_by_role("button", name="Fermer").click()
        say(
            page,
            "Une phrase assez longue pour plusieurs lignes d’un petit téléphone, et bien plus encore.",
            "F7",
        )
        assert not page.evaluate(COVERED, ".notice")
        assert not axe(page)
        page.get_by_role("button", name="Règle F7").click()
        expect(page.locator("#drawer")).to_contain_text("F7")
        expect(page.locator(".notice")).to_be_hidden()


def say(page: Page, text: str, rule: str) -> None:
    page.evaluate("([text, rule]) => import('/page/app.js').then(({ notice }) => notice(text, rule))", [text, rule])
    expect(page.locator(".notice")).to_be_visible()


def test_the_hint_for_a_first_match_fits(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, (320, 640), "fr", newcomer=True) as page:
        wanted = {
            "game": "faut-pas-pousser", "nickname": "Anne", "players": 2, "seats": ["me", "mousse"],
            "clock": {"per": "decision", "seconds": 600},
        }  # fmt: skip
        credentials = page.request.post(f"{server.url}/api/tables", data=wanted).json()
        credentials |= {"game": wanted["game"], "since": 0}
        keep(page, credentials)
        page.goto(f"{server.url}/#/table/{credentials['table']}")
        page.locator(".lobby .primary").click()
        expect(page.locator(".hint")).to_be_visible()
        assert not page.evaluate(COVERED, ".hint")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
