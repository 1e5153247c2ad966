"""The ways to be at a table, in a real Chromium: TV, watching, one device for several, two languages, another device.

Undo, a killed server; and after the match the result, the replay, the match file, the rematch.
"""

from __future__ import annotations

import asyncio
import json
import re
import signal
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, WebSocket, expect
from tests.page.sailor import (
    LAPTOP,
    PHONE,
    TV,
    aboard,
    axe,
    back,
    elsewhere,
    go_on,
    play,
    play_decided,
    sit_down,
    take_place,
    version_of,
)
from tests.server.launcher import SERVE, ServerProcess

from tribord.client import Client
from tribord.client.http import ask
from tribord.core.journal import provenance, verify

PUSH, PLANK = "faut-pas-pousser", "walk-the-plank"


@pytest.fixture(scope="module")
def finished(server: ServerProcess) -> Client:
    """A finished match with a turn that decided it."""
    return elsewhere(play_decided(server.url, PUSH, ["me", "mousse"]))


async def twins(url: str, game: str, players: int) -> list[Client]:
    """Two running matches that look the same to everyone: both have had the same draws."""
    found: dict[str, Client] = {}
    for _table in range(30):
        client = await Client.create(url, game, "Anne", players, seats=["me"] * players)
        async with client:
            await client.do("start")
            look = json.dumps(client.match and client.match["views"]["-1"])
        if look in found:
            return [found[look], client]
        found[look] = client
    raise AssertionError("no two matches begin alike")


async def decide(client: Client, seat: int, action: str) -> None:
    """Decide for a seat of a client that was there before."""
    async with Client(client.url, client.id, client.secret) as again:
        await again.act(seat, action)


def shown(page: Page, *names: str) -> str:
    """Everything in the page except its table's names and lit's marks: two pages that show the same are equal."""
    text = page.locator("body").inner_html()
    for name in names:
        text = text.replace(name, "…")
    return re.sub(r"\?lit\$\d+\$|<!--.*?-->", "", text)


def heard(page: Page) -> list[dict[str, Any]]:
    """The messages that this page gets over its socket from now on."""
    messages: list[dict[str, Any]] = []
    page.on("websocket", lambda ws: ws.on("framereceived", lambda frame: messages.append(json.loads(frame))))
    return messages


def hidden_cards(view: dict[str, Any]) -> list[dict[str, Any]]:
    """The cards of a view of Walk the Plank that lie face down."""
    return [card for crew in view["crews"] for card in crew["cards"] if card["face"] == "down"]


# -- the TV ---------------------------------------------------------------------------------------------------------


def test_the_tv_sees_a_whole_match_and_no_secret(server: ServerProcess, browser: Browser) -> None:
    host = elsewhere(Client.create(server.url, PLANK, "Anne", 3, seats=["me", "me", "open"], options={"rounds": 4}))
    with aboard(browser, TV) as page:
        messages = heard(page)
        page.goto(f"{server.url}/#/tv/{host.id}")
        expect(page.locator(".tv-invite .qr")).to_be_visible()
        code = page.locator(".code").inner_text()

        async def match() -> None:
            zoe = await Client.join(server.url, code, "Zoé")
            async with host, zoe:
                await zoe.do("sit", seat=2)
                await zoe.do("ready")
                await host.do("start")
                await asyncio.gather(go_on(host, pause=0.02), go_on(zoe, pause=0.02))

        elsewhere(match())
        expect(page.locator(".tv-result .w-sheet, .tv-result .sheet-table").first).to_be_visible()
        expect(page.locator(".tv-invite")).to_have_count(0)
        assert page.locator(".tv .hand-area, .tv .act, .tv form, .tv input").count() == 0  # it takes no commands
    matches = [message["match"] for message in messages if message.get("match")]
    assert len(matches) > 20
    down = 0
    for told in matches:
        assert told["views"].keys() == {"-1"} and told["legal"] == {} and "private" not in told
        if not told["outcome"]:
            cards = hidden_cards(told["views"]["-1"])
            down += len(cards)
            assert all("card" not in card for card in cards)
    assert down > 50  # and there was something to hide


@pytest.mark.parametrize(
    ("game", "seats", "one", "other"),
    [(PUSH, 2, "pick 3", "pick 5"), (PLANK, 3, "program drag pull run", "program extend charge retract")],
)
def test_what_the_tv_draws_does_not_depend_on_a_secret(
    server: ServerProcess, browser: Browser, game: str, seats: int, one: str, other: str
) -> None:
    drawn = []
    for table, choice in zip(elsewhere(twins(server.url, game, seats)), (one, other)):
        elsewhere(decide(table, 0, choice))
        with aboard(browser, TV, at=f"{server.url}/#/tv/{table.id}") as page:
            page.locator(".tv-board svg > *").first.wait_for()
            page.wait_for_timeout(150)
            drawn.append(shown(page, table.id))
    assert drawn[0] == drawn[1]


def test_the_tv_follows_into_the_rematch(server: ServerProcess, browser: Browser) -> None:
    done = elsewhere(play(server.url, PUSH, ["me", "mousse"]))
    with aboard(browser, TV, "en", at=f"{server.url}/#/tv/{done.id}") as page:
        expect(page.locator(".tv-result")).to_be_visible()

        async def again() -> None:
            async with Client(server.url, done.id, done.secret) as host:
                await host.do("rematch")

        elsewhere(again())
        expect(page.locator(".tv-seats")).to_contain_text("Anne")
        assert done.id not in page.url and "/tv/" in page.url


# -- several on one device ------------------------------------------------------------------------------------------


def lay(page: Page, cards: list[str]) -> None:
    """Choose three cards at Walk the Plank, and lay them."""
    for card in cards:
        page.locator(f".w-card[data-card='{card}']").tap()
    page.locator(".act .primary:not([disabled])").tap()


def test_one_device_for_all_with_a_curtain_before_each_secret(server: ServerProcess, browser: Browser) -> None:
    behind = []
    choices = ["drag", "pull", "run"], ["extend", "charge", "retract"]
    for table, cards in zip(elsewhere(twins(server.url, PLANK, 3)), choices):
        with aboard(browser, PHONE) as page:
            take_place(page, server.url, table, PLANK)
            expect(page.locator(".curtain h2")).to_have_text("Les Bleus")
            page.locator(".curtain .primary").tap()
            lay(page, cards)
            expect(page.locator(".curtain h2")).to_have_text("Les Verts")
            assert page.locator(".w-card").count() == 0  # nobody's hand while the device changes hands
            page.get_by_role("tab", name="En mots").tap()
            expect(page.locator(".in-words")).not_to_be_empty()
            behind.append(shown(page, table.id))
    assert behind[0] == behind[1]  # Blue's cards make no difference to the page


def test_on_one_device_what_is_no_secret_needs_no_curtain(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, PHONE) as page:
        sit_down(page, server.url, PUSH, 2, others="me")
        for pirate in ("3", "5"):
            page.locator(".curtain .primary").tap()
            page.locator(f"[data-pirate='{pirate}']").tap()
            page.locator(".act .primary").tap()
        for who in ("Les Verts", "Les Bleus"):  # Green stands further right and begins
            expect(page.locator(".must b")).to_contain_text(who)
            expect(page.locator(".curtain")).to_have_count(0)
            page.locator("[data-pirate]:not([aria-disabled])").first.tap()
            page.locator("[data-card]:not([aria-disabled])").first.tap()
            page.locator("[data-slot]").first.tap()
            page.locator(".act .primary").tap()


def test_on_one_device_votes_fall_behind_the_curtain_and_boarding_does_not(
    server: ServerProcess, browser: Browser
) -> None:
    boarding = elsewhere(play(server.url, "sauve-qui-peut", ["me"] * 3, 20))
    with aboard(browser, PHONE) as page:
        take_place(page, server.url, boarding, "sauve-qui-peut")
        expect(page.locator(".must b")).to_be_visible()
        expect(page.locator(".curtain")).to_have_count(0)
        elsewhere(last_aboard(boarding))
        expect(page.locator(".curtain h2")).to_have_text("Les Bleus")
        expect(page.locator(".hand-area button")).to_have_count(0)
        page.locator(".curtain .primary").tap()
        expect(page.locator(".must b")).to_contain_text("Les Bleus")


async def last_aboard(client: Client) -> None:
    """Take the last decision before the first vote."""
    async with Client(client.url, client.id, client.secret) as again:
        await go_on(again, 1)


# -- two devices ----------------------------------------------------------------------------------------------------


def test_two_languages_through_sealed_choices(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, PHONE, "fr") as anne, aboard(browser, PHONE, "en") as zoe:
        table = elsewhere(Client.create(server.url, PLANK, "Anne", 3, seats=["me", "open", "mousse"]))
        take_place(anne, server.url, table, PLANK)
        zoe.goto(f"{server.url}/#/{anne.locator('.code').inner_text()}")
        zoe.locator("form input").fill("Zoé")
        zoe.get_by_role("button", name="Come aboard").tap()
        expect(
            anne.get_by_role("button", name="Commencer", exact=True)
        ).to_be_enabled()  # the server has it: the page may go
        messages = heard(zoe)
        zoe.reload()
        anne.get_by_role("button", name="Commencer").tap()
        lay(anne, ["drag", "pull", "run"])
        expect(anne.locator(".must")).to_contain_text("Zoé (les Verts) choisit")
        assert not any(card.get("card") for m in messages if m.get("match") for card in foreign(m["match"]))
        assert not zoe.locator(".w-card[disabled]").count()
        lay(zoe, ["extend", "charge", "shove-left"])
        anne.get_by_role("tab", name="Journal").tap()
        zoe.get_by_role("tab", name="Log").tap()
        expect(anne.locator(".log")).to_contain_text("Zoé a posé trois cartes")
        expect(zoe.locator(".log")).to_contain_text("Anne has placed three cards")


def foreign(match: dict[str, Any]) -> list[dict[str, Any]]:
    """The other crews' cards that lie face down in Green's view."""
    view = match["views"].get("1", {"crews": []})
    return [card for card in hidden_cards({"crews": [c for c in view["crews"] if c["crew"] != "green"]})]


def test_a_decision_is_taken_back_when_both_agree(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, PHONE, "fr") as anne, aboard(browser, LAPTOP, "en") as zoe:

        async def begin() -> tuple[Client, Client]:
            first = await Client.create(server.url, PUSH, "Anne", 2)
            second = await Client.join(server.url, first.id, "Zoé")
            async with first, second:
                await second.do("sit", seat=1)
                await second.do("ready")
                await first.do("start")
                await first.act(0, "pick 3")
                await second.act(1, "pick 5")  # Green stands further right and begins
                await second.act(1, "6 -1@2")
            return first, second

        one, other = elsewhere(begin())
        take_place(anne, server.url, one, PUSH)
        take_place(zoe, server.url, other, PUSH)
        version = zoe.locator(".table-screen").get_attribute("data-version") or ""

        def ask() -> None:
            zoe.get_by_role("button", name="Table").click()
            zoe.get_by_role("button", name="Take back my choice").click()

        ask()
        expect(zoe.locator(".asked")).to_contain_text("Waiting for: Anne")
        expect(anne.locator(".asked")).to_contain_text("Zoé demande à annuler son choix")
        anne.get_by_role("button", name="Refuser").tap()
        expect(zoe.locator(".asked")).to_have_count(0)
        expect(zoe.locator(".table-screen")).to_have_attribute("data-version", version)
        ask()
        anne.get_by_role("button", name="Accepter").tap()
        expect(zoe.locator(".asked")).to_have_count(0)
        expect(zoe.locator("[data-pirate='6']:not([aria-disabled])")).to_have_count(1)  # hers to decide again
        expect(anne.locator(".must")).to_contain_text("Zoé")


@pytest.mark.parametrize("language", ["fr", "en"])
def test_a_transfer_with_a_lost_response_is_tried_again(server: ServerProcess, browser: Browser, language: str) -> None:
    async def begin() -> tuple[Client, str]:
        host = await Client.create(server.url, PUSH, "Anne", 2, seats=["me", "mousse"])
        asked = await ask(f"{server.url}/api/tables/{host.id}/transfers", {}, host.secret)
        return host, asked["transfer"]

    host, code = elsewhere(begin())
    with (
        aboard(browser, LAPTOP) as old,
        aboard(browser, PHONE, language, troubled=True) as new,
    ):
        take_place(old, server.url, host, PUSH)

        def lose(route: Route) -> None:
            route.fetch()
            route.abort()

        new.route("**/guests", lose, times=1)
        new.goto(f"{server.url}/#/transfer/{host.id}/{code}")
        expect(new.get_by_role("alert")).to_contain_text(
            {"fr": "Votre place est à l’abri", "en": "Your seat is safe"}[language]
        )
        assert not axe(new)
        expect(old.get_by_role("button", name="Commencer")).to_be_enabled()  # still there
        new.get_by_role("button", name={"fr": "Réessayer", "en": "Try again"}[language]).tap()
        new.wait_for_url("**/#/table/**")
        old.wait_for_url("**/#/watch/**")


def test_another_device_takes_the_place(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, LAPTOP) as old, aboard(browser, PHONE) as new:
        sit_down(old, server.url, players=2)
        old.get_by_role("button", name="Table").click()
        old.get_by_role("button", name="Changer d’appareil").click()
        link = old.locator(".transfer img").get_attribute("src") or ""
        hash_ = re.search(r"%23(.*)$", link)
        assert hash_
        new.goto(f"{server.url}/#{hash_[1].replace('%2F', '/')}")
        expect(new.locator("[data-pirate]:not([aria-disabled])")).to_have_count(6)
        assert "/table/" in new.url
        expect(old.locator(".watching")).to_be_visible()
        assert "/watch/" in old.url and old.evaluate("localStorage['tribord.credentials']") == "[]"


def test_a_bot_plays_on_and_the_seat_is_taken_back(tmp_path: Path, browser: Browser) -> None:
    program = f"from tribord.server import live_table; live_table.AWAY_SECONDS = 0.0; {SERVE}"
    with ServerProcess(tmp_path, "--limits", "0", program=program) as server:
        _let_bots_play(server, browser)


def _let_bots_play(server: ServerProcess, browser: Browser) -> None:
    async def begin() -> Client:
        host = await Client.create(server.url, PUSH, "Anne", 2)
        zoe = await Client.join(server.url, host.id, "Zoé")
        async with host, zoe:
            await zoe.do("sit", seat=1)
            await zoe.do("ready")
            await host.do("start")
        return host

    with aboard(browser, PHONE) as page:
        page.clock.install()
        take_place(page, server.url, elsewhere(begin()), PUSH)
        page.get_by_role("button", name="Table").tap()
        page.locator("input[name=nickname]").fill("Capitaine Anne")
        page.get_by_role("button", name="Renommer").tap()
        expect(page.locator(".company-seats")).to_contain_text("Capitaine Anne")
        expect(page.locator(".company-seats")).to_contain_text("pas là")  # Zoé
        version = page.locator(".table-screen").get_attribute("data-version")
        page.get_by_role("button", name="Mettre un robot").tap()
        page.get_by_role("button", name="Terminé").tap()
        expect(page.locator(".table-screen")).not_to_have_attribute("data-version", str(version))  # a bot thinks too
        page.locator(".act").get_by_role("button", name="Reprendre ma place").tap()
        expect(page.locator(".must")).to_contain_text("Zoé")  # the bot has picked for us, she has not
        page.get_by_role("button", name="Table").tap()
        expect(page.locator(".company")).to_contain_text("Si quelqu’un s’absente une minute")
        hers = page.locator(".company-seats li", has_text="Zoé").get_by_role("button", name="Mettre un robot")
        assert not hers.count()
        page.clock.fast_forward(62_000)
        hers.tap()
        page.get_by_role("button", name="Terminé").tap()
        page.locator(".piece.standing").first.wait_for()  # nobody stands there before all have picked


def test_when_the_host_is_away_seated_players_see_it(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, PHONE) as page:
        page.clock.install()

        async def join() -> Client:
            host = await Client.create(server.url, PUSH, "Anne", 2)
            zoe = await Client.join(server.url, host.id, "Zoé")
            async with zoe:
                await zoe.do("sit", seat=1)
            return zoe

        take_place(page, server.url, elsewhere(join()), PUSH)
        expect(page.get_by_role("button", name="Attendez-moi")).to_be_visible()
        expect(page.locator(".lobby small", has_text="pas là")).to_be_visible()  # a moment after we joined
        expect(page.locator(".banner")).to_have_count(0)
        page.clock.fast_forward(62_000)
        expect(page.locator(".banner")).to_contain_text("Anne, l’hôte, n’est plus là")
        expect(page.get_by_role("button", name="Commencer")).to_be_visible()


def test_a_clock_runs_down_for_all_to_see(server: ServerProcess, browser: Browser) -> None:
    clock = {"per": "decision", "seconds": 90, "rank": "mousse"}
    table = elsewhere(play(server.url, PUSH, ["me", "mousse"], 1, clock=clock))
    with aboard(browser, TV) as page:
        page.clock.install()
        page.goto(f"{server.url}/#/tv/{table.id}")
        first = page.locator(".clock b").inner_text()
        page.clock.fast_forward(60_000)  # it starts only when the events before it were shown: 1.5 s each
        expect(page.locator(".clock b")).not_to_have_text(first)
        seconds = int(page.locator(".clock b").inner_text().split()[0])
        assert 0 < seconds < int(first.split()[0]) <= 90


@pytest.mark.parametrize("language", ["fr", "en"])
def test_a_server_that_slept_says_that_time_starts_again(tmp_path: Path, browser: Browser, language: str) -> None:
    with ServerProcess(tmp_path, "--limits", "0") as server, aboard(browser, PHONE, language) as page:
        clock = {"per": "decision", "seconds": 90, "rank": "mousse"}
        take_place(page, server.url, elsewhere(play(server.url, PUSH, ["me", "mousse"], 1, clock=clock)), PUSH)
        page.locator(".clock b").wait_for()
        server.process.send_signal(signal.SIGSTOP)  # type: ignore[union-attr]
        page.wait_for_timeout(4_500)  # the sleep itself
        server.process.send_signal(signal.SIGCONT)  # type: ignore[union-attr]
        said = {"fr": "Tout le monde retrouve son temps", "en": "Everyone’s time starts over"}[language]
        expect(page.locator(".notice")).to_contain_text(said)
        expect(page.locator(".clock b")).to_be_visible()


def test_a_killed_server_is_a_pause_for_tv_and_phone(tmp_path: Path, browser: Browser) -> None:
    with (
        ServerProcess(tmp_path, "--limits", "0") as serving,
        aboard(browser, PHONE, troubled=True) as phone,
        aboard(browser, TV, troubled=True) as tv,
    ):
        sit_down(phone, serving.url)
        tv.goto(f"{serving.url}/#/tv/{phone.url.rpartition('/')[2]}")
        expect(tv.locator(".tv-turn")).to_contain_text("Anne")
        phone.locator("[data-pirate='4']").tap()
        serving.stop(signal.SIGKILL)
        expect(phone.locator(".banner")).to_be_visible()
        expect(tv.locator(".banner")).to_be_visible()
        phone.locator(".act .primary").tap()  # sent while the server is down
        serving.start()
        back(phone)
        back(tv)
        expect(phone.locator("[data-pirate='4'].gone")).to_have_count(1)
        # All have picked, the bots have played, and now everything waits for us. A question alone isn't enough: after
        # reconnecting the page asks again until the choice it resends is acknowledged.
        phone.locator(".table-screen:has(.piece.standing) #must").wait_for()
        tv.locator(f"[data-version='{version_of(phone)}'] .piece.standing").first.wait_for()


@pytest.mark.parametrize("what", ["board.js", "piece.js", "board.css", "words/fr.json", "actions.json"])
def test_what_a_dying_server_kept_back_is_asked_for_until_it_comes(
    server: ServerProcess, browser: Browser, what: str
) -> None:
    with aboard(browser, TV, troubled=True) as page:
        failed: list[str] = []
        page.on("requestfailed", lambda request: failed.append(request.url))
        page.route(f"**/games/{PUSH}/{what}", lambda route: route.abort("connectionrefused"), times=1)
        sit_down(page, server.url, players=2)
        expect(page.locator("[data-pirate='4']")).to_be_visible()
        assert failed == [f"{server.url}/games/{PUSH}/{what}"]
        expect(page.locator(f"link[href='/games/{PUSH}/board.css']")).to_have_count(1)


# -- after the match ------------------------------------------------------------------------------------------------


def test_a_replay_goes_to_the_end_and_back(server: ServerProcess, browser: Browser, finished: Client) -> None:
    with aboard(browser, LAPTOP, "en", at=f"{server.url}/#/replay/{finished.id}") as page:
        step = page.locator(".replay")
        on, back = page.get_by_role("button", name="Step forward"), page.get_by_role("button", name="Step back")
        expect(step).to_have_attribute("data-at", "0")
        start = page.locator("svg.scene").inner_html()
        last = int(page.locator("input[type=range]").get_attribute("max") or 0)
        assert last > 20
        seen = []
        for place in range(1, last + 1):
            on.click()
            expect(step).to_have_attribute("data-at", str(place))
            seen.append(page.locator("svg.scene").inner_html())
        expect(page.locator(".result .sheet-table")).to_be_visible()
        expect(page.locator(".moments li")).not_to_have_count(0)
        for place in range(last - 1, 0, -1):
            back.click()
            expect(step).to_have_attribute("data-at", str(place))
            assert pieces(page.locator("svg.scene").inner_html()) == pieces(seen[place - 1])
        back.click()
        expect(step).to_have_attribute("data-at", "0")
        assert pieces(page.locator("svg.scene").inner_html()) == pieces(start)
        page.get_by_role("button", name="Watch", exact=True).click()
        expect(step).not_to_have_attribute("data-at", "0")
        page.get_by_role("button", name="Pause").click()
        page.keyboard.press("End")
        expect(step).to_have_attribute("data-at", str(last))


def pieces(drawing: str) -> list[str]:
    """Where everything is in a drawing: marks of a move or a splash only show when going forwards."""
    return re.findall(r"translate\([^)]*\) rotate\([^)]*\) scale\([^)]*\)", drawing)


def test_a_replay_is_fair_until_all_is_open(server: ServerProcess, browser: Browser, finished: Client) -> None:
    with aboard(browser, LAPTOP, "en", at=f"{server.url}/#/replay/{finished.id}/1") as page:
        expect(page.locator(".must")).to_contain_text("in secret")
        eyes = page.get_by_label("Seen by")
        bots = [seat["seat"] for seat in finished.table["seats"] if seat["rank"]]
        told = eyes.locator("option").all_inner_texts()[1:-1]
        assert bots and [seat for seat, text in enumerate(told) if "ship’s boy" in text] == bots
        eyes.select_option("all")
        expect(page.locator(".must")).to_contain_text(re.compile("Pick (pirate [1-6]|the Captain)"))


def test_the_result_leads_into_the_replay_and_the_file_comes_back(
    server: ServerProcess, browser: Browser, finished: Client, tmp_path: Path
) -> None:
    with aboard(browser, LAPTOP, "en") as page:
        take_place(page, server.url, finished, PUSH)
        page.locator(".dice summary").click()
        expect(page.locator(".dice code")).to_have_count(4)  # hash, seed, what the host added, digest
        noted = page.locator(".dice code").last.inner_text()
        with page.expect_download() as download:
            page.get_by_role("button", name="Save the game").click()
        download.value.save_as(tmp_path / "match.json")
        assert verify(tmp_path / "match.json", noted) == []  # as the browser wrote it
        assert provenance(tmp_path / "match.json").signer is not None
        page.locator(".moments a").first.click()
        expect(page.locator(".replay")).not_to_have_attribute("data-at", "0")
        page.goto(f"{server.url}/#/replay")
        page.locator("input[type=file]").set_input_files(tmp_path / "match.json")
        expect(page.locator(".replay")).to_have_attribute("data-at", "0")
        assert finished.id not in page.url  # another table, made of the file
        expect(page.locator("svg.scene")).to_contain_text("Anne")
        page.goto(f"{server.url}/#/tv/{page.url.split('/replay/')[1].split('/')[0]}")
        expect(page.locator(".replay svg.scene")).to_contain_text(
            "Anne"
        )  # nobody ever sat there: the file has the names
        page.goto(f"{server.url}/#/replay")
        (tmp_path / "letter.json").write_text("Dear Anne")
        page.locator("input[type=file]").set_input_files(tmp_path / "letter.json")
        expect(page.get_by_role("alert").first).to_contain_text("letter.json")


def test_a_rematch_needs_no_new_connection(server: ServerProcess, browser: Browser) -> None:
    done = elsewhere(play(server.url, PUSH, ["me", "mousse"]))
    with aboard(browser, PHONE) as page:
        sockets: list[str] = []
        page.on("websocket", lambda socket: sockets.append(socket.url))
        take_place(page, server.url, done, PUSH)
        page.get_by_role("button", name="Revanche").tap()
        expect(page.locator("[data-pirate]:not([aria-disabled])")).to_have_count(6)
        assert done.id not in page.url and len(sockets) == 1


def test_an_address_that_is_asked_for_twice_at_once_is_one_screen(server: ServerProcess, browser: Browser) -> None:
    """As when the address changes while the page is still being fetched."""
    done = elsewhere(play(server.url, PUSH, ["me", "mousse"]))
    with aboard(browser, PHONE, at=server.url) as page:
        opened: list[WebSocket] = []
        page.on("websocket", lambda socket: opened.insert(0, socket))
        page.locator(".cover").first.wait_for()
        page.evaluate(
            "address => { location.hash = address; dispatchEvent(new HashChangeEvent('hashchange')) }",
            f"/watch/{done.id}",
        )
        page.locator(".result").wait_for()
        assert len(opened) == 1


def test_there_and_back_again_before_the_page_was_there_is_one_screen(server: ServerProcess, browser: Browser) -> None:
    """Two screens of one address were requested, and only the last may stay."""
    done = elsewhere(play(server.url, PUSH, ["me", "mousse"]))
    with aboard(browser, PHONE, at=server.url) as page:
        opened: list[WebSocket] = []
        page.on("websocket", lambda socket: opened.insert(0, socket))
        page.locator(".cover").first.wait_for()
        page.evaluate(
            """address => {
                for (const hash of [address, "/", address]) {
                    location.hash = hash;
                    dispatchEvent(new HashChangeEvent("hashchange"));
                }
            }""",
            f"/watch/{done.id}",
        )
        page.locator(".result").wait_for()  # both sockets were requested long before
        for _look in range(300):  # until it's done: 15 seconds, as for everything else here
            if [socket.is_closed() for socket in opened].count(False) == 1:
                break
            page.wait_for_timeout(50)
        else:
            raise AssertionError(f"{len(opened)} sockets were opened, and more than one stayed open")


def test_an_address_that_stayed_behind_can_be_visited_again(server: ServerProcess, browser: Browser) -> None:
    """A replay changes its address with every step, without navigating; going back to its beginning navigates."""
    done = elsewhere(play(server.url, PUSH, ["me", "mousse"]))
    with aboard(browser, PHONE) as page:
        page.goto(f"{server.url}/#/replay/{done.id}")
        page.locator(".replay[data-at='0']").wait_for()
        page.keyboard.press("ArrowRight")
        page.locator(".replay[data-at='1']").wait_for()
        page.evaluate("address => { location.hash = address }", f"/replay/{done.id}")
        page.locator(".replay[data-at='0']").wait_for()


# -- for everyone ---------------------------------------------------------------------------------------------------


def test_axe_finds_nothing_on_the_tv_and_after(server: ServerProcess, browser: Browser, finished: Client) -> None:
    found: dict[str, list[str]] = {}
    clock = {"per": "decision", "seconds": 600, "rank": "mousse"}
    waits = elsewhere(Client.create(server.url, PUSH, "Anne", 3, seats=["me", "mousse", "open"]))
    runs = elsewhere(play(server.url, PUSH, ["me", "mousse"], 2, clock=clock))
    with aboard(browser, TV) as page:
        for name, address, there in (
            ("TV before", f"tv/{waits.id}", ".tv-seats"), ("TV", f"tv/{runs.id}", ".tv-board .piece"),
            ("TV after", f"tv/{finished.id}", ".tv-result"), ("watching", f"watch/{runs.id}", ".watching"),
            ("replay", f"replay/{finished.id}/9", ".replay-controls"), ("match file", "replay", ".dropping"),
        ):  # fmt: skip
            page.goto(f"{server.url}/#/{address}")
            page.locator(there).first.wait_for()
            found[name] = axe(page)
        page.goto(f"{server.url}/#/replay/{finished.id}")
        page.locator(".replay-controls").wait_for()
        page.keyboard.press("End")
        page.locator(".moments").wait_for()
        found["replay's end"] = axe(page)
    with aboard(browser, PHONE) as page:
        sit_down(page, server.url, players=2, others="me")
        found["curtain"] = axe(page)
        page.get_by_role("button", name="Table").tap()
        page.get_by_role("button", name="Changer d’appareil").tap()
        page.locator(".transfer img").wait_for()
        found["company"] = axe(page)
    assert not any(found.values()), {screen: wrong for screen, wrong in found.items() if wrong}
