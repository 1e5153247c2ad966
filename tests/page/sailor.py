"""A sailor: a person at a browser who only plays what the page shows."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import Any, TypeVar

from playwright.sync_api import Browser, Page, expect, sync_playwright
from tests.page.chromium import NONE, find

from tribord import game_ids, load
from tribord.client import Client, Turn
from tribord.client.http import ask
from tribord.server.page import card

T = TypeVar("T")

expect.set_options(timeout=15_000)  # as for everything else here

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
# Letters without hinting, as phones draw them: otherwise a headless shell sets text a few points wider than Chromium.
FLAGS = ["--no-sandbox", "--font-render-hinting=none"]
DRAWN = ["--disable-gpu"]
# Everything is laid out, moved and composed, but no pixel is filled: where things move, that halves the work.
# On a busy machine the watchdog would end the process that does it.
UNDRAWN = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-gl-drawing-for-tests"]
UNDRAWN += ["--disable-gpu-watchdog"]
EXAMINE = """async (within) => {
  const look = async (theme, runOnly) => {
    document.documentElement.dataset.theme = theme;
    const { violations } = await axe.run(within || document, { runOnly, resultTypes: ["violations"] });
    return violations.map(({ id, nodes }) => `${theme}: ${id}: ${nodes.slice(0, 4)
      .map(({ target, any }) => `${target.join(" ")} ${any.map(({ message }) => message).join()}`).join(" | ")}`);
  };
  const { theme } = document.documentElement.dataset;
  const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  const colours = { type: "rule", values: ["color-contrast", "link-in-text-block"] };
  const other = await look(theme === "dark" ? "light" : "dark", colours);
  return [...(await look(theme, rules)), ...other];
}"""
PHONE, LAPTOP, TV = (360, 740), (1280, 800), (1920, 1080)


@contextmanager
def chromium(drawn: bool = True) -> Iterator[Browser]:
    """A running Chromium. If nobody looks at its pictures, they needn't be drawn."""
    path = find()
    assert path, NONE
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS + (DRAWN if drawn else UNDRAWN))
        try:
            yield browser
        finally:
            browser.close()


def lessons() -> list[str]:
    """What a device remembers about How to play: every game and variant it has shown."""
    variants = {game: (card(load(game))["about"] or {}).get("variants", []) for game in game_ids()}
    return [*variants, *(f"{game}/{one['id']}" for game, several in variants.items() for one in several)]


@contextmanager
def aboard(
    browser: Browser,
    size: tuple[int, int] = PHONE,
    language: str = "fr",
    theme: str = "light",
    speed: float = 0,
    troubled: bool = False,
    newcomer: bool = False,
    workers: bool = False,
    first: str = "",
    at: str = "",
    refusals: tuple[str, ...] = ("404",),
) -> Iterator[Page]:
    """A page at this size, language, theme and speed (0: nothing moves), opened at an address or nowhere yet. Its
    errors fail the test, unless trouble is expected or it's one of these refusals. Optionally How to play is shown,
    service workers run, and a script comes first."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, locale=language, has_touch=size[0] < 500, bypass_csp=False,
        service_workers="allow" if workers else "block",
    )  # fmt: skip
    seen = [] if newcomer else lessons()
    said = json.dumps(
        {"language": language, "theme": theme, "speed": speed, "sound": False, "nickname": "Anne", "seen": seen}
    )
    context.add_init_script(f"localStorage['tribord.settings'] ??= {json.dumps(said)}")
    if first:
        context.add_init_script(first)
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(error.stack or str(error)))
    # The browser reports every refusal as an error. If something isn't there (404), say, the page tells people itself.
    page.on(
        "console",
        lambda m: wrong.append(m.text) if m.type == "error" and not any(one in m.text for one in refusals) else None,
    )
    page.set_default_timeout(15_000)
    try:
        if at:
            page.goto(at)
        yield page
        assert troubled or not wrong, wrong
    finally:
        context.close()


def keep(page: Page, *credentials: dict[str, Any]) -> None:
    """Let the device remember its seats at tables, as it does when someone sits down."""
    said = json.dumps(credentials)
    if page.url == "about:blank":  # there is nothing yet that could remember it
        page.add_init_script(f"localStorage['tribord.credentials'] ??= {json.dumps(said)}")
    else:
        page.evaluate("(said) => localStorage.setItem('tribord.credentials', said)", said)


def sit_down(
    page: Page,
    url: str,
    game: str = "faut-pas-pousser",
    players: int = 4,
    others: str = "mousse",
    options: dict[str, object] | None = None,
    start: bool = True,
) -> None:
    """Sit down at a new table, against bots that decide at once (or others: "me", on this device too), and begin."""
    seats = ["me", *[others] * (players - 1)]
    wanted = {"game": game, "nickname": "Anne", "players": players, "seats": seats, "options": options or {}}
    credentials = page.request.post(f"{url}/api/tables", data=wanted).json() | {"game": game, "since": 0}
    keep(page, credentials)
    page.goto(f"{url}/#/table/{credentials['table']}")
    page.locator(".lobby .primary").wait_for()
    if not start:
        return
    page.locator(".lobby .primary").click()
    page.locator(".decision .must, .curtain").first.wait_for()


def version_of(page: Page) -> str:
    """The version of the match that is on the screen."""
    return page.locator(".table-screen").get_attribute("data-version") or ""


def drawn(page: Page) -> None:
    """Wait until the change is on the screen: the page draws in the next frame, however long the machine takes."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))")


def back(page: Page) -> None:
    """Wait until the connection is back: the page retries after pauses of up to ten seconds (LONGEST_WAIT)."""
    expect(page.locator(".banner")).to_have_count(0, timeout=20_000)


def moved_on(page: Page, version: str) -> None:
    """Wait until the match has moved on from a version, after a decision was sent.

    Others may have chosen in secret meanwhile, so a new version doesn't mean that our decision has arrived; but from
    the next frame on the page offers nothing until it has.
    """
    drawn(page)
    page.locator(f".table-screen:not([data-version='{version}'])").wait_for()


def press_until(page: Page, selector: str) -> None:
    """Press Tab until this has the focus; not at all if it already has."""
    page.locator(selector).first.wait_for()
    drawn(page)  # the page may move the focus there by itself
    for _press in range(60):
        if page.evaluate("(selector) => document.activeElement?.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not reach {selector}")


def axe(page: Page, within: str = "") -> list[str]:
    """What axe-core finds wrong on the screen, by day and by night, or only within an element where the rest is as it
    was. Themes differ only in their style sheets, so in the other one the rules about colours are enough.
    """
    if page.evaluate("typeof axe") == "undefined":
        # As an expression, not as a script element: the page's content policy would rightly refuse that.
        page.evaluate(AXE.read_text(encoding="utf-8"))
    return list(page.evaluate(EXAMINE, within))


def elsewhere(work: Coroutine[Any, Any, T]) -> T:
    """Run something beside the browser, which needs this thread for itself."""
    with ThreadPoolExecutor(1) as beside:
        return beside.submit(asyncio.run, work).result()


Stop = Callable[[Turn], bool]


async def play(
    url: str,
    game: str,
    seats: list[str],
    decisions: int = 10_000,
    pause: float = 0,
    until: Stop = lambda _turn: False,
    **more: Any,
) -> Client:
    """Play a match for our seats: to the end, for this many decisions, or until a wanted turn."""
    client = await Client.create(url, game, "Anne", len(seats), seats=seats, **more)
    async with client:
        await client.do("start")
        await go_on(client, decisions, pause, until)
    return client


async def decided(match: Callable[[], Coroutine[Any, Any, list[Client]]]) -> list[Client]:
    """Play matches until one has a turn that decided it, by any player; few have none."""
    for _match in range(5):
        people = await match()
        if (await ask(f"{people[0].url}/api/tables/{people[0].id}/moments"))["moments"]:
            return people
    raise AssertionError("nothing ever decides a match")


async def play_decided(url: str, game: str, seats: list[str]) -> Client:
    """Play a match to the end, with some turn that decided it."""

    async def match() -> list[Client]:
        return [await play(url, game, seats)]

    return (await decided(match))[0]


async def go_on(client: Client, decisions: int = 10_000, pause: float = 0, until: Stop = lambda _turn: False) -> None:
    """Play on for this client."""
    async for turn in client.turns():
        if decisions == 0 or until(turn):
            return
        decisions -= 1
        await client.act(turn.seat, turn.legal[len(turn.legal) // 2], turn.version)
        await asyncio.sleep(pause)


def play_on(url: str, *pages: Page) -> None:
    """Take all remaining decisions for the people at these pages, who look on."""
    kept = [json.loads(page.evaluate("localStorage['tribord.credentials']"))[0] for page in pages]

    async def finish() -> None:
        async with AsyncExitStack() as stack:
            clients = [await stack.enter_async_context(Client(url, one["table"], one["secret"])) for one in kept]
            await asyncio.gather(*[go_on(client) for client in clients])

    elsewhere(finish())


def credentials_of(client: Client, game: str) -> dict[str, Any]:
    """What the page keeps about a seat at a table."""
    return {"table": client.id, "code": "-", "guest": 0, "secret": client.secret, "game": game, "since": 0}


def take_place(page: Page, url: str, client: Client, game: str) -> None:
    """Sit down in the browser where a client sat."""
    keep(page, credentials_of(client, game))
    page.goto(f"{url}/#/table/{client.id}")
