"""A whole match of every game in WebKit, which iPhones have, and in Firefox: touching what the page offers."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.page.player import ISLAND, PLANK, PLAYERS, PUSH, SAVE, SHORT
from tests.page.sailor import credentials_of, lessons
from tests.page.webdriver import BROWSERS, Window
from tests.server.launcher import ServerProcess

from tribord import game_ids
from tribord.client import Client

pytestmark = pytest.mark.long

SIZE = (500, 900)  # MiniBrowser's own bars take some of it, and it can't be narrower
MOST = 1500  # touches
OPEN = ":not([disabled], [aria-disabled='true'], [aria-pressed='true'])"
# What decides, in the order in which people touch it.
PARTS = {
    PUSH: ["[data-pirate]", "[data-card]", "[data-slot]", "[data-pass]"],
    PLANK: [".w-aim", ".w-card"],
    SAVE: [".sqp-hand :is([data-lane], [data-crew])", "[data-person]"],
    ISLAND: [".hand-area [data-pawn]", "[data-die]"],
}
SEVERAL = ".w-card"  # of which more than one is wanted
LISTEN = """(() => {
  window.wrong = [];
  addEventListener("error", (event) => wrong.push(String(event.message)));
  addEventListener("unhandledrejection", (event) => wrong.push(String(event.reason)));
  const said = console.error;
  console.error = (...all) => { wrong.push(all.map(String).join(" ")); said(...all); };
  return true;
})()"""
STATE = """(() => {
  const there = (selector) => Boolean(document.querySelector(selector));
  return there(".result") ? "over" : there("#drawer") ? "drawer" : there(".curtain .primary") ? "curtain"
    : there(".act .primary:not([disabled])") && there("#must") ? "ready" : there("#must") ? "open" : "";
})()"""


@pytest.fixture(scope="module", params=BROWSERS)
def window(request: pytest.FixtureRequest) -> Iterator[Window]:
    with BROWSERS[request.param](SIZE) as opened:
        yield opened


async def begun(url: str, game: str) -> Client:
    """A table where a match has just begun."""
    seats = ["me", *["mousse"] * (PLAYERS[game] - 1)]
    client = await Client.create(url, game, "Anne", len(seats), seats=seats, options=SHORT[game])
    async with client:
        await client.do("start")
    return client


def sit(window: Window, url: str, client: Client, game: str, language: str) -> None:
    """Take a seat: nothing moves, and everything that goes wrong is noted."""
    said = {"language": language, "theme": "light", "speed": 0, "sound": False, "nickname": "Anne", "seen": lessons()}
    kept = {"tribord.settings": said, "tribord.credentials": [credentials_of(client, game)]}
    window.goto(f"{url}/")
    for key, value in kept.items():
        window.evaluate(f"(localStorage[{json.dumps(key)}] = {json.dumps(json.dumps(value))})")
    window.goto(f"{url}/?again#/")
    window.wait("document.querySelector('.game-card')")
    window.evaluate(LISTEN)  # the games' boards are fetched after this
    window.evaluate(f"(location.hash = {json.dumps(f'#/table/{client.id}')})")
    window.wait("document.querySelector('svg.scene > *')")


def picture(window: Window, name: str) -> None:
    """Keep a picture if $PICTURES is set: look at them now and then."""
    if folder := os.environ.get("PICTURES"):
        Path(folder).mkdir(parents=True, exist_ok=True)
        window.screenshot(Path(folder) / f"{name}.png")


def chosen(window: Window, part: str) -> bool:
    """Whether a part of the decision needs no more touches."""
    pressed = json.dumps(f"{part}[aria-pressed='true']")
    return part != SEVERAL and bool(window.evaluate(f"document.querySelector({pressed}) !== null"))


def play(window: Window, game: str) -> int:
    """Play to the end without reading anything; returns the number of touches."""
    touches, stuck = 0, time.monotonic()
    while touches < MOST:
        state = window.evaluate(STATE)
        if state == "over":
            return touches
        if state == "drawer":  # a late touch, when something else was there
            wanted = [".tabs ~ .close, .aside .close"]
        elif state == "curtain":
            wanted = [".curtain .primary"]
        elif state == "ready":
            wanted = [".act .primary:not([disabled])"]
        else:
            wanted = [part + OPEN for part in PARTS[game] if not chosen(window, part)] if state == "open" else []
        if any(window.tap(selector) for selector in wanted):
            touches, stuck = touches + 1, time.monotonic()
        elif time.monotonic() - stuck > 30:
            picture(window, f"{game}-stuck")
            raise AssertionError(f"nothing can be touched: {window.evaluate('document.body.innerText')}")
        else:
            time.sleep(0.03)
    raise AssertionError("the match does not end")


@pytest.mark.parametrize("game", game_ids())
def test_a_match_is_played_to_its_end(
    server: ServerProcess, window: Window, game: str, request: pytest.FixtureRequest
) -> None:
    language = "fr" if game in (PUSH, ISLAND) else "en"
    client = asyncio.run(begun(server.url, game))
    sit(window, server.url, client, game, language)
    window.wait(STATE)
    name = request.node.callspec.id
    picture(window, f"{name}-board")
    drawn: dict[str, Any] = window.evaluate(
        "(({ width, height }) => ({ width, height }))(document.querySelector('svg.scene').getBoundingClientRect())"
    )
    assert drawn["width"] > 300 and drawn["height"] > 150, drawn
    assert play(window, game) > 4
    picture(window, f"{name}-result")
    assert window.evaluate("document.querySelector('.result h2').innerText.length") > 5
    assert window.evaluate("document.querySelectorAll('.result .sheet-table tbody tr').length") >= 2
    assert window.evaluate("document.querySelector('.finale .pirate, .finale .gull') !== null")
    assert window.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert window.evaluate("window.wrong") == []
