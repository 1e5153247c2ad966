"""Whole matches of every game in a real Chromium: two languages, a TV, a killed server; and all on one device."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.page.player import ISLAND, PLAYERS, SHORT, Player
from tests.page.sailor import LAPTOP, PHONE, TV, aboard, back, keep, play_on, sit_down
from tests.server.launcher import ServerProcess

from tribord import Match, game_ids
from tribord.core import journal

MOST = 400  # decisions of all who are at a browser, in the longest match
ENOUGH = 12  # of them by hand, if the rest is only looked at: the others play whole matches by hand


def meet(host: Page, guest: Page, url: str, game: str) -> str:
    """Two people at a table of a game, with bots in the other seats: the id of the table."""
    seats = ["me", "open", *["mousse"] * (PLAYERS[game] - 2)]
    wanted = {"game": game, "nickname": "Anne", "players": len(seats), "seats": seats, "options": SHORT[game]}
    credentials = host.request.post(f"{url}/api/tables", data=wanted).json() | {"game": game, "since": 0}
    keep(host, credentials)
    host.goto(f"{url}/#/table/{credentials['table']}")
    guest.goto(f"{url}/#/{credentials['code']}")
    guest.locator("form input").fill("Zoé")
    guest.get_by_role("button", name="Come aboard").click()
    guest.locator(".lobby").wait_for()
    return str(credentials["table"])


def truths(page: Page, url: str, table: str, seats: int) -> list[list[dict[str, Any]]]:
    """What the public (last) and every seat may know about a finished match, for each entry of its journal."""
    content = page.request.get(f"{url}/api/tables/{table}/match").json()
    match, problems = journal.audit_content(content, Path("match.json"))
    assert not problems
    again = Match(match.game, match.players, options=match.options)
    views = []
    entries = match.journal
    again.restart()
    for entry in [None, *entries]:
        if entry:
            again.follow(entry)
        views.append([again.view(seat) for seat in [*range(seats), -1]])
    return views


def plain(view: Any) -> Any:
    """As it is after a journey."""
    return json.loads(json.dumps(view, default=int))


@pytest.mark.parametrize("game", game_ids())
def test_two_languages_and_a_tv_through_a_killed_server(game: str, tmp_path: Path, browser: Browser) -> None:
    with (
        ServerProcess(tmp_path, "--limits", "0") as serving,
        aboard(browser, PHONE, "fr", troubled=True) as first,
        aboard(browser, LAPTOP, "en", troubled=True) as second,
        aboard(browser, TV, "fr", troubled=True) as screen,
    ):
        anne, zoe, tv = Player(first, game), Player(second, game), Player(screen, game)
        table = meet(first, second, serving.url, game)
        screen.goto(f"{serving.url}/#/tv/{table}")
        expect(screen.locator(".tv-seats")).to_contain_text("Zoé")
        first.get_by_role("button", name="Commencer").tap()
        decisions, killed = 0, False
        while decisions < ENOUGH:
            for page in (first, second):
                page.locator(".decision").wait_for()
            for player in (anne, zoe):
                if not player.page.locator("#must").count() or player.page.locator(".result").count():
                    continue
                decisions += 1
                if killed or decisions < 5:
                    player.decide()
                    continue
                killed = True
                player.choose()
                before = player.answers
                serving.stop(signal.SIGKILL)
                for page in (first, second, screen):
                    expect(page.locator(".banner")).to_be_visible()
                player.touch(player.page.locator(".act .primary:not([disabled])"))  # sent while the server is down
                serving.start()
                player.answered(before)  # and carried out once, when it's back
                for page in (first, second, screen):
                    back(page)
            if first.locator(".result").count():
                break
            first.wait_for_timeout(20)
        assert killed
        play_on(serving.url, first, second)
        for page in (first, second):
            expect(page.locator(".result")).to_be_visible()
        expect(screen.locator(".tv-result")).to_be_visible()
        assert screen.locator(".tv .hand-area, .tv .act, .tv form, .tv input").count() == 0  # it takes no commands
        expect(first.get_by_role("tab", name="Journal")).to_be_visible()
        expect(second.locator(".tabs, .aside").get_by_text("Log").first).to_be_visible()

        known = plain(truths(first, serving.url, table, 2))
        secrets = 0
        for player, seat in ((anne, 0), (zoe, 1), (tv, -1)):
            assert len(player.told) > 8
            for told in player.told:
                views = known[told["version"]]
                assert told["views"] == {str(seat): views[seat]}
                assert told["legal"].keys() <= {str(seat)} and "private" not in told
                secrets += views[0] != views[-1] or views[1] != views[-1]
        assert secrets or game == ISLAND  # and something was hidden; on the island nothing is (I11)


@pytest.mark.parametrize("game", game_ids())
def test_a_whole_match_on_one_device(game: str, server: ServerProcess, browser: Browser) -> None:
    """Before every secret the device changes hands, and meanwhile the page contains nobody's hand."""
    with aboard(browser, PHONE) as page:
        player = Player(page, game)
        sit_down(page, server.url, game, PLAYERS[game], others="me", options=SHORT[game])
        hands: list[str] = []
        for _decision in range(MOST):
            if not player.asked():
                break
            if page.locator(".curtain").count():
                assert not page.locator(".hand-area button, .act").count()
                hands.append(page.locator(".curtain h2").inner_text())
                player.touch(page.locator(".curtain .primary"))
                continue
            player.decide()
        expect(page.locator(".result")).to_be_visible()
        assert len(set(hands)) == (0 if game == ISLAND else PLAYERS[game]), hands
