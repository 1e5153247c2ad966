"""A match played with older rules: the page shows what was written, and saves it."""

import json
import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import expect
from tests.page.sailor import LAPTOP, PHONE, aboard

FILE = json.loads((Path(__file__).parents[1] / "server" / "data" / "match-0.1.0.json").read_text(encoding="utf-8"))


def imported(server, **changes):
    """The table of a match file."""
    request = urllib.request.Request(
        f"{server.url}/api/matches",
        json.dumps(FILE | changes).encode(),
        {"content-type": "application/json"},
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


@pytest.mark.parametrize(
    ("size", "language", "said"), [(PHONE, "fr", "anciennes règles"), (LAPTOP, "en", "older rules")]
)
def test_a_match_of_older_rules_is_read_and_saved(server, browser, size, language, said):
    table = imported(server, game_version=0)
    for address in (f"replay/{table['table']}", table["code"], f"table/{table['table']}", f"tv/{table['table']}"):
        with aboard(browser, size, language, troubled=True, at=f"{server.url}/#/{address}") as page:
            expect(page.get_by_role("status").filter(has_text=said)).to_be_visible()
            lines = page.locator(".written li")
            expect(lines).to_have_count(len(FILE["journal"]))
            first = FILE["journal"][0]
            expect(lines.first).to_contain_text(f"{FILE['names'][first['seat']]} {first['action']}")
    with aboard(browser, size, language, troubled=True, at=f"{server.url}/#/archive/{table['table']}") as page:
        with page.expect_download() as saved:
            page.locator("button.primary").click()
        assert json.loads(Path(saved.value.path()).read_text(encoding="utf-8")) == FILE | {"game_version": 0}


def test_a_game_that_is_not_installed_is_named(server, browser):
    table = imported(server, game="kraken")["table"]
    with aboard(browser, language="en", troubled=True, at=f"{server.url}/#/replay/{table}") as page:
        expect(page.get_by_role("status").filter(has_text="“kraken”")).to_be_visible()


def test_a_match_with_installed_rules_is_replayed(server, browser):
    table = imported(server)["table"]
    with aboard(browser, language="en", at=f"{server.url}/#/archive/{table}") as page:
        expect(page).to_have_url(f"{server.url}/#/replay/{table}")
