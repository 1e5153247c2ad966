"""The people at a table: their names in both languages, joining in two steps, a rematch."""

from __future__ import annotations

import asyncio
import json
import re

import pytest
from playwright.sync_api import Browser, Page, Route, WebSocketRoute, expect
from tests.page.sailor import (
    LAPTOP,
    PHONE,
    TV,
    aboard,
    axe,
    credentials_of,
    elsewhere,
    go_on,
    keep,
    play,
    sit_down,
    take_place,
)
from tests.server.launcher import ServerProcess

from tribord.client import Client
from tribord.server.name import FIRST_NAMES

PUSH, PLANK, ISLAND = "faut-pas-pousser", "walk-the-plank", "ile-aux-pirates"
LONGEST = "Wilhelmina-Marguerite Wx"  # 24 letters, broad ones
SIZES = [PHONE, LAPTOP, TV]
OVERFLOW = """() => [...document.querySelectorAll("main *")].filter((part) => {
    const box = part.getBoundingClientRect();
    const hidden = part.closest("svg, .unseen, option") || !box.width;
    const cut = part.tagName === "INPUT" && part.scrollWidth > part.clientWidth + 1;
    return !hidden && (cut || box.right > innerWidth + 1);
}).map((part) => part.outerHTML.slice(0, 120))"""

ALL_CONTRIBUTED = """async (table) =>
    (await (await fetch(`/api/tables/${table}`)).json()).guests.every(({ commitment }) => commitment)"""
COMMITTED = """async (table) => (await (await fetch(`/api/tables/${table}`)).json()).guests[1].commitment"""


def fits(page: Page) -> bool:
    """Whether nothing sticks out of the screen, and no name out of its field."""
    found = page.evaluate(OVERFLOW)
    assert found == [], found
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def pick(page: Page, pirate: int) -> None:
    """Pick a pirate at the start of Faut pas pousser."""
    page.locator(f"[data-pirate='{pirate}']").click()
    page.locator(".act .primary:not([disabled])").click()


# -- names ----------------------------------------------------------------------------------------------------------


def test_a_new_device_has_a_name_and_so_has_every_bot(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, LAPTOP, "en", at=server.url) as page:
        nobody = json.dumps({"language": "en", "speed": 0, "sound": False, "nickname": "", "seen": [PUSH]})
        page.evaluate("(said) => (localStorage['tribord.settings'] = said)", nobody)
        page.reload()
        page.locator(".game-card .primary").first.click()
        page.get_by_role("button", name="Table").click()
        rows = page.locator(".company-seats li").all_inner_texts()
        names = [row.partition(" (")[0] for row in rows]
        assert len(set(names)) == 4 and set(names) <= set(FIRST_NAMES)
        assert all(re.search("bot · deckhand", row) for row in rows[1:])
        kept = json.loads(page.evaluate("localStorage['tribord.settings']"))["nickname"]
        assert kept == names[0]  # and keeps it at the next table


def test_what_happens_is_narrated_with_you_and_with_names(server: ServerProcess, browser: Browser) -> None:
    table = elsewhere(Client.create(server.url, PUSH, "Anne", 2))
    with (
        aboard(browser, PHONE, "fr") as anne,
        aboard(browser, LAPTOP, "en") as zoe,
        aboard(browser, TV, "fr") as tv,
    ):
        take_place(anne, server.url, table, PUSH)
        zoe.goto(f"{server.url}/#/{anne.locator('.code').inner_text()}")
        zoe.locator(".join input").fill("Zoé")
        zoe.locator(".join .primary").click()
        tv.goto(f"{server.url}/#/tv/{table.id}")
        anne.get_by_role("button", name="Commencer", exact=True).tap()
        pick(anne, 5)
        pick(zoe, 2)
        anne.get_by_role("tab", name="Journal").tap()
        for page, said in (
            (anne, ["Vous avez choisi un pirate", "Zoé a choisi un pirate", "Votre pirate 5 se place"]),
            (zoe, ["Anne has picked a pirate", "You have picked a pirate", "Anne’s pirate 5 stands", "Your pirate 2"]),
            (tv, ["Anne a choisi un pirate", "Zoé a choisi un pirate", "Le pirate 5 d’Anne", "Le pirate 2 de Zoé"]),
        ):
            log = page.locator(".log, .tv-log")
            for sentence in said:
                expect(log).to_contain_text(re.compile(sentence.replace(" ", r"\s")))
        assert not axe(tv)


def test_everyone_who_shares_a_device_is_asked_for_a_name(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, PHONE, at=f"{server.url}/#/new/{PUSH}") as page:
        page.get_by_label("2", exact=True).check()
        page.locator(".seat select").nth(1).select_option("me")
        name = page.get_by_label("Nom : Les Verts")
        assert name.input_value() in FIRST_NAMES  # in a hurry you needn't type
        name.fill("Lison")
        assert not axe(page)
        page.get_by_role("button", name="Jouer", exact=True).tap()
        for who, pirate in (("Anne", 3), ("Lison", 5)):
            expect(page.locator(".curtain h2")).to_have_text(who)
            page.locator(".curtain .primary").tap()
            pick(page, pirate)
        expect(page.locator(".must b")).to_contain_text("Lison")
        page.get_by_role("tab", name="Journal").tap()
        expect(page.locator(".log")).to_contain_text("Anne a choisi un pirate")  # here nobody is “you”
        expect(page.locator(".log")).to_contain_text(re.compile(r"Le pirate\s5 de Lison"))


def test_someone_else_at_a_guests_device_sits_down_with_a_name(server: ServerProcess, browser: Browser) -> None:
    table = elsewhere(Client.create(server.url, PUSH, "Anne", 3))
    with aboard(browser, PHONE, "en", at=f"{server.url}/#/{table.id}") as page:
        page.locator(".join input").fill("Zoé")
        page.locator(".join .primary").tap()
        page.get_by_role("button", name="Add someone here").tap()
        page.get_by_label("Who plays here?").fill("Lison")
        page.get_by_role("button", name="Sit down").tap()
        expect(page.locator(".lobby-seat input")).to_have_count(2)
        page.get_by_label("Name", exact=True).fill("Lili")
        page.get_by_label("Name", exact=True).blur()
        expect(page.locator(".lobby-seat small").nth(2)).to_have_text("with Zoé")
        page.reload()
        expect(page.get_by_label("Name", exact=True)).to_have_value("Lili")
        assert not axe(page)


@pytest.mark.parametrize("size", SIZES, ids=["phone", "laptop", "tv"])
def test_the_longest_names_fit_everywhere(server: ServerProcess, browser: Browser, size: tuple[int, int]) -> None:
    others = [LONGEST.replace("x", letter) for letter in "yz"]

    async def crowded() -> Client:
        names = ["", others[0], ""]
        host = await Client.create(server.url, PUSH, LONGEST, 3, seats=["me", "me", "open"], names=names, public=True)
        await Client.join(server.url, host.id, others[1])
        return host

    table = elsewhere(crowded())
    for language in ("fr", "en"):
        with aboard(browser, size, language, at=f"{server.url}/#/{table.id}") as page:
            page.locator(".join input").fill(LONGEST)
            page.locator(".join .primary").click()
            page.locator("#taken").wait_for()
            assert fits(page)
            take_place(page, server.url, table, PUSH)
            expect(page.locator(".lobby-seat")).to_have_count(3)
            assert fits(page)
            page.goto(f"{server.url}/#/")
            page.locator("[aria-labelledby=continue] .state").wait_for()
            assert fits(page)
    with aboard(browser, size, "fr") as page:
        take_place(page, server.url, table, PUSH)
        page.get_by_role("button", name="Commencer", exact=True).click()
        expect(page.locator(".curtain h2")).to_have_text(LONGEST)
        assert fits(page)
        page.locator(".curtain .primary").click()
        pick(page, 4)
        expect(page.locator(".curtain h2")).to_have_text(others[0])
        page.goto(f"{server.url}/#/")
        expect(page.locator("[aria-labelledby=continue] .state")).to_contain_text(others[0])
        assert fits(page)


# -- joining --------------------------------------------------------------------------------------------------------


def test_joining_is_a_code_and_a_name_and_the_host_only_starts(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, LAPTOP, "fr") as host, aboard(browser, PHONE, "en", at=server.url) as guest:
        host.goto(f"{server.url}/#/new/{PUSH}")
        host.get_by_label("2", exact=True).check()
        host.get_by_role("button", name="Ouvrir et inviter").click()
        code = host.locator(".code").inner_text()
        guest.get_by_label("Table code").fill(code)
        guest.get_by_role("button", name="Come aboard").tap()
        name = guest.get_by_label("Your name")
        expect(name).to_have_value(re.compile("|".join(FIRST_NAMES)))  # this device's own, Anne, is the host's
        name.fill("anne")
        guest.get_by_role("button", name="Come aboard").tap()
        expect(guest.get_by_role("alert").first).to_have_text("anne is already aboard. Choose another name.")
        assert not axe(guest)
        name.fill("Zoé")
        guest.get_by_role("button", name="Come aboard").tap()
        expect(guest.locator(".lobby [role=status]")).to_have_text("You’re aboard. Anne starts the game.")
        expect(host.locator(".lobby-seat").nth(1)).to_contain_text("Zoé")
        guest.get_by_role("button", name="Wait for me").tap()
        expect(host.get_by_role("button", name="Commencer", exact=True)).to_be_disabled()
        expect(host.locator(".lobby [role=status]")).to_have_text("On attend Zoé.")
        guest.get_by_role("button", name="I’m ready").tap()
        host.get_by_role("button", name="Commencer", exact=True).click()
        for page in (host, guest):
            expect(page.locator("[data-pirate]:not([disabled])")).to_have_count(6)


def test_after_a_lost_response_you_are_at_the_table_only_once(server: ServerProcess, browser: Browser) -> None:
    table = elsewhere(Client.create(server.url, PUSH, "Anne", 3, seats=["me", "open", "open"]))
    lost = []

    def lose(route: Route) -> None:
        if len(lost) < 2:
            lost.append(route.fetch().status)  # the server has done it
            route.abort()
        else:
            route.continue_()

    with aboard(browser, PHONE, "en", troubled=True) as guest:
        guest.route("**/guests", lose)
        guest.goto(f"{server.url}/#/{table.id}")
        guest.get_by_label("Your name").fill("Zoé")
        guest.get_by_role("button", name="Come aboard").tap()
        expect(guest.locator(".lobby-seat").nth(1).get_by_label("Your name")).to_have_value("Zoé")
        shown = guest.request.get(f"{server.url}/api/tables/{table.id}").json()
        assert lost == [201, 201] and [one["nickname"] for one in shown["guests"]] == ["Anne", "Zoé"]


def test_a_table_refused_by_a_server_that_restarts_is_asked_for_again(server: ServerProcess, browser: Browser) -> None:
    restarting = {"t": "refused", "code": "restarting", "fr": "…", "en": "The server is restarting."}
    refused = []

    def refuse(route: Route) -> None:
        if route.request.method == "POST" and not refused:
            refused.append(route.request.url)
            route.fulfill(status=503, json=restarting)
        else:
            route.continue_()

    with aboard(browser, PHONE, "en", troubled=True, at=server.url) as page:
        page.route("**/api/tables", refuse)
        page.locator(".game-card .primary").first.tap()
        page.locator(".lobby, .table-screen").first.wait_for()
        assert len(refused) == 1


def test_at_a_full_table_a_newcomer_learns_it_and_watches(server: ServerProcess, browser: Browser) -> None:
    full = elsewhere(Client.create(server.url, PUSH, "Anne", 2, seats=["me", "mousse"]))
    with aboard(browser, PHONE, "fr", at=f"{server.url}/#/{full.id}") as page:
        expect(page.locator("main p").first).to_contain_text("Toutes les places sont prises.")
        page.locator(".join .primary").tap()
        expect(page.locator(".lobby [role=status]")).to_have_text(
            re.compile("Toutes les places sont prises.+Vous regardez")
        )
        expect(page.get_by_role("button", name="S’asseoir ici")).to_have_count(0)


def test_changing_seats_is_a_tap(server: ServerProcess, browser: Browser) -> None:
    table = elsewhere(Client.create(server.url, PUSH, "Anne", 3))
    with aboard(browser, PHONE, "en", at=f"{server.url}/#/{table.id}") as page:
        page.locator(".join input").fill("Zoé")
        page.locator(".join .primary").tap()
        expect(page.locator(".lobby-seat").nth(1).locator("input")).to_have_value("Zoé")
        page.get_by_role("button", name="Sit here").tap()
        expect(page.locator(".lobby-seat").nth(2).locator("input")).to_have_value("Zoé")
        expect(page.locator(".lobby-seat").nth(1)).to_contain_text("free")


# -- once more ------------------------------------------------------------------------------------------------------


async def finished(url: str, game: str, **more: object) -> tuple[Client, Client]:
    """A match of two people that is over."""
    host = await Client.create(url, game, "Anne", 2, **more)
    guest = await Client.join(url, host.id, "Zoé")
    async with host, guest:
        await host.do("start")
        await asyncio.gather(go_on(host), go_on(guest))
    return host, guest


def test_a_rematch_begins_at_once_with_the_same_people(server: ServerProcess, browser: Browser) -> None:
    host, guest = elsewhere(finished(server.url, PUSH))
    with aboard(browser, PHONE, "fr") as anne, aboard(browser, LAPTOP, "en") as zoe:
        take_place(zoe, server.url, guest, PUSH)
        expect(zoe.locator(".result")).to_contain_text("Anne can start a rematch.")
        take_place(anne, server.url, host, PUSH)
        expect(anne.get_by_role("button", name="Changer quelque chose")).to_be_visible()
        anne.wait_for_function(ALL_CONTRIBUTED, arg=host.id)
        anne.get_by_role("button", name="Revanche").tap()
        for page in (anne, zoe):
            expect(page.locator("[data-pirate]:not([disabled])")).to_have_count(6)
            assert host.id not in page.url and page.locator(".lobby").count() == 0
            expect(page.locator(".notice")).to_be_hidden()
        table = anne.request.get(f"{server.url}/api/tables/{anne.url.rpartition('/')[2]}").json()
        assert len(table["contributions"]) == 2 and None not in table["contributions"]


def test_something_can_be_changed_before_the_rematch(server: ServerProcess, browser: Browser) -> None:
    host = elsewhere(play(server.url, PUSH, ["me", "mousse"]))
    with aboard(browser, PHONE, "en") as page:
        take_place(page, server.url, host, PUSH)
        bot = page.locator(".seat-name").nth(1).inner_text()
        page.get_by_role("button", name="Change something").tap()
        expect(page.locator(".lobby-seat").first).to_contain_text(bot)  # the same, one seat further
        page.locator(".lobby-seat select").first.select_option("bosco")
        expect(page.locator(".lobby-seat small").first).to_have_text("boatswain")
        page.get_by_role("button", name="Start", exact=True).tap()
        expect(page.locator("[data-pirate]:not([disabled])")).to_have_count(6)


def test_in_a_cooperative_game_it_is_no_revenge_and_a_player_who_is_away_is_waited_for(
    server: ServerProcess, browser: Browser
) -> None:
    host, _guest = elsewhere(finished(server.url, ISLAND, options={"turns": 3}))
    with aboard(browser, PHONE, "fr") as anne:
        take_place(anne, server.url, host, ISLAND)
        expect(anne.locator(".result")).to_contain_text("Pas là pour l’instant : Zoé.")
        assert not axe(anne)
        expect(anne.get_by_role("button", name="Revanche")).to_have_count(0)
        anne.get_by_role("button", name="Refaire une partie").tap()
        expect(anne.locator(".lobby-seat", has_text="Zoé").locator("small")).to_have_text("pas là")
        anne.get_by_role("button", name="Commencer", exact=True).tap()
        anne.locator(".table-screen").wait_for()


# -- the harbour ----------------------------------------------------------------------------------------------------


def test_continue_says_whose_turn_it_is_and_what_is_over_is_a_replay(server: ServerProcess, browser: Browser) -> None:
    mine = elsewhere(play(server.url, PUSH, ["me", "mousse"], 2))
    over = elsewhere(play(server.url, PUSH, ["me", "mousse"]))

    async def others() -> Client:
        host = await Client.create(server.url, PUSH, "Anne", 2)
        guest = await Client.join(server.url, host.id, "Zoé")
        async with host, guest:
            await host.do("start")
            turn = await anext(host.turns())
            await host.act(turn.seat, turn.legal[0])
        return host

    theirs = elsewhere(others())
    with aboard(browser, LAPTOP, "en", at=server.url) as page:
        kept = [
            {"table": one.id, "code": code, "guest": 0, "secret": one.secret, "game": PUSH, "since": 0}
            for one, code in ((theirs, "THEIRS"), (over, "OVER"), (mine, "MINE"))
        ]
        keep(page, *kept)
        page.reload()
        running = page.locator("[aria-labelledby=continue] li")
        expect(running).to_have_count(2)
        expect(running.nth(0)).to_contain_text("Your turn")  # tables that wait for us come first
        expect(running.nth(0)).to_contain_text("MINE")
        expect(running.nth(1)).to_contain_text("Zoé is choosing…")
        assert not axe(page)
        page.locator("[aria-labelledby=replays] a", has_text="OVER").click()
        expect(page.locator(".replay")).to_be_visible()


@pytest.mark.parametrize("language", ["fr", "en"])
def test_on_a_laptop_every_game_can_be_played_without_scrolling(
    server: ServerProcess, browser: Browser, language: str
) -> None:
    with aboard(browser, LAPTOP, language, at=server.url) as page:
        page.locator(".game-card").nth(3).wait_for()
        for button in page.locator(".game-card .row > *").all():
            box = button.bounding_box()
            assert box and box["y"] + box["height"] <= LAPTOP[1], box
        sit_down(page, server.url)
        page.goto(f"{server.url}/#/")
        page.locator("[aria-labelledby=continue] .state").wait_for()
        for button in page.locator(".game-card .primary").all():
            box = button.bounding_box()
            assert box and box["y"] + box["height"] <= LAPTOP[1], box  # also where there is something to continue


def test_the_page_adds_to_the_dice_and_looks_whether_they_have_it(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, LAPTOP, "en") as page:
        sit_down(page, server.url, PUSH, 2)
        expect(page.locator(".notice")).to_be_hidden()
        table = page.request.get(f"{server.url}/api/tables/{page.url.rpartition('/')[2]}").json()
        assert re.fullmatch("[0-9a-f]{64}", table["contributions"][0]) and table["contributions"][1] is None


def test_a_player_who_was_removed_leaves_no_doubt_about_the_dice(server: ServerProcess, browser: Browser) -> None:
    async def story() -> Client:
        host = await Client.create(server.url, PUSH, "Anne", 2)
        async with host, await Client.join(server.url, host.id, "Zoé") as guest:
            await guest.do("ready")  # after what it adds to the dice
            await host.do("start")
            assert None not in host.table["contributions"]
            await host.do("remove", guest=guest.guest)
        return host

    host = elsewhere(story())
    with aboard(browser, LAPTOP, "en") as page:
        take_place(page, server.url, host, PUSH)
        expect(page.locator("[data-pirate]:not([disabled])").first).to_be_visible()
        page.evaluate("() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
        assert page.locator(".notice").is_hidden()


@pytest.mark.parametrize(
    "forged",
    [
        {"contributions": ["0" * 64, None]},
        {"contributions": []},
        {"commitment": "0" * 64},
        {"contributions": [None, "0" * 64]},
    ],
)
def test_a_server_that_leaves_out_what_was_added_is_found_out(
    server: ServerProcess, browser: Browser, forged: dict[str, object]
) -> None:
    def forge(socket: WebSocketRoute) -> None:
        def pass_on(text: str | bytes) -> None:
            message = json.loads(text)
            if (message.get("table") or {}).get("status") == "playing":
                message["table"] |= forged
            socket.send(json.dumps(message))

        socket.connect_to_server().on_message(pass_on)

    with aboard(browser, LAPTOP, "en") as page:
        page.route_web_socket("**/socket", forge)
        sit_down(page, server.url, PUSH, 2)
        expect(page.locator(".notice")).to_contain_text("don’t match what your devices agreed on")


@pytest.mark.parametrize("there", [True, False])
def test_a_device_that_was_cut_off_at_the_start_learns_that_it_added_nothing(
    server: ServerProcess, browser: Browser, there: bool
) -> None:
    async def board() -> tuple[Client, Client]:
        host = await Client.create(server.url, PUSH, "Anne", 2)
        return host, await Client.join(server.url, host.id, "Zoé")

    async def start() -> None:
        async with Client(server.url, host.id, host.secret) as anne:
            await anne._until(lambda: (1 in anne.present) == there and bool(anne.table["guests"][0]["commitment"]))
            await anne.do("start")

    async def finish() -> None:
        async with Client(server.url, host.id, host.secret) as anne, Client(server.url, host.id, guest.secret) as zoe:
            await asyncio.gather(go_on(anne), go_on(zoe))

    host, guest = elsewhere(board())
    without = "The draws in this game were fixed without your device"
    with aboard(browser, LAPTOP, "en") as page:
        keep(page, credentials_of(guest, PUSH) | {"guest": 1})
        page.goto(f"{server.url}/#/table/{host.id}")
        page.wait_for_function(COMMITTED, arg=host.id)
        if not there:
            page.goto(f"{server.url}/#/")
        elsewhere(start())
        page.goto(f"{server.url}/#/table/{host.id}")
        expect(page.locator("[data-pirate]:not([disabled])")).to_have_count(6)
        if there:
            expect(page.locator(".notice")).to_be_hidden()
        else:
            expect(page.locator(".notice")).to_contain_text(without)
        elsewhere(finish())
        page.reload()  # what it has added, or not, is still known then
        expect(page.locator(".dice")).to_contain_text("yours too" if there else without)
        expect(page.locator(".dice")).not_to_contain_text(without if there else "yours too")


def test_a_device_that_is_silent_about_the_dice_puts_the_start_off_once(
    server: ServerProcess, browser: Browser
) -> None:
    kept: list[str] = []

    def hold_back(socket: WebSocketRoute) -> None:
        there = socket.connect_to_server()

        def pass_on(text: str | bytes) -> None:
            if json.loads(text)["t"] == "reveal" and not kept:
                kept.append(str(text))
            else:
                there.send(text)

        socket.on_message(pass_on)

    with aboard(browser, LAPTOP, "fr") as host, aboard(browser, PHONE, "en") as guest:
        guest.route_web_socket("**/socket", hold_back)
        seats = {"game": PUSH, "nickname": "Anne", "players": 2, "seats": ["me", "open"]}
        credentials = host.request.post(f"{server.url}/api/tables", data=seats).json() | {"game": PUSH, "since": 0}
        keep(host, credentials)
        host.goto(f"{server.url}/#/table/{credentials['table']}")
        guest.goto(f"{server.url}/#/{credentials['code']}")
        guest.get_by_label("Your name").fill("Zoé")
        guest.get_by_role("button", name="Come aboard").tap()
        guest.locator(".lobby").wait_for()
        host.wait_for_function(ALL_CONTRIBUTED, arg=credentials["table"])
        start = host.get_by_role("button", name="Commencer", exact=True)
        start.click()
        silent = "La partie n’a pas pu commencer : un appareil ne répond pas (Zoé). Relancez-la."
        expect(host.locator(".notice")).to_contain_text(silent)
        expect(guest.locator(".notice")).to_contain_text("Your device did answer, but the server says it didn’t.")
        host.wait_for_function(ALL_CONTRIBUTED, arg=credentials["table"])  # to something else
        start.click()
        for page in (host, guest):
            expect(page.locator("[data-pirate]:not([disabled])")).to_have_count(6)
        table = host.request.get(f"{server.url}/api/tables/{credentials['table']}").json()
        assert None not in table["contributions"]
        assert json.loads(kept[0])["value"] not in table["contributions"]
