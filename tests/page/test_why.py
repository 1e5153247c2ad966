"""A tap on something that can't be chosen gets an answer: the game's reason and its rule, or whose turn it is."""

from __future__ import annotations

import re
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playwright.sync_api import Browser, Page, expect
from tests.page.player import ISLAND, PUSH
from tests.page.sailor import LAPTOP, PHONE, aboard, drawn, elsewhere, sit_down
from tests.server.launcher import ServerProcess

from tribord import game_ids, load
from tribord.client import Client
from tribord.core.chance import below, stream
from tribord.core.match import Match
from tribord.core.refusal import IllegalAction
from tribord.core.words import LANGUAGES, Words
from tribord.server import book
from tribord.server.page import actions

GENERAL = ("not-legal", "not-an-action", "not-your-turn")

# Which actions would the page ask about, for every value it knows that can't be chosen, after these touches?
ASKED = """async ([legal, touches]) => {
  const { Choice, flat } = await import("/page/choice.js");
  let choice = new Choice(legal, cards);
  const all = cards.map(({ parts }) => flat(parts));
  const named = [...new Set(all.flatMap(Object.keys))];
  for (const touch of touches) {
    const open = named.flatMap((part) => choice.values(part).map((value) => [part, value]));
    if (open.length) choice = choice.pick(...open[touch % open.length]);
  }
  return named.flatMap((part) => [...new Set(all.map((parts) => parts[part]))].flatMap((value) => {
    if (value === undefined || choice.offers(part, value)) return [];
    return [[part, value, choice.nearest(part, value)]];
  }));
}"""


def position(game: str, seed: int, steps: int) -> Match:
    """Somewhere in a random match where someone must decide."""
    known = load(game)
    rng = stream(seed)
    least, most = known.players
    options = {"game": "strategic"} if game == ISLAND and seed % 2 else {}
    players = min(least + below(rng, most - least + 1), 4)
    match = known.match(players, f"{seed:08}", options)
    for _step in range(steps):
        seat = match.to_act[below(rng, len(match.to_act))]
        before = match.fork()
        match.play(seat, match.legal(seat)[below(rng, len(match.legal(seat)))])
        if match.over:
            return before
    return match


@pytest.fixture(scope="module")
def page(server: ServerProcess, browser: Browser) -> Any:
    with aboard(browser, at=server.url) as opened:
        yield opened


@pytest.mark.parametrize("game", game_ids())
def test_whatever_cannot_be_chosen_has_a_reason_of_the_game_and_a_rule(page: Page, game: str) -> None:
    reasons: set[str] = set()
    page.evaluate("(cards) => void (globalThis.cards = cards)", actions(load(game)))

    @settings(max_examples=25, deadline=None)
    @given(st.integers(0, 10_000), st.integers(0, 60), st.lists(st.integers(0, 1000), max_size=2))
    def check(seed: int, steps: int, touches: list[int]) -> None:
        match = position(game, seed, steps)
        seat = match.to_act[0]
        for part, value, action in page.evaluate(ASKED, [match.legal(seat), touches]):
            assert action is not None, (part, value)
            with pytest.raises(IllegalAction) as refused:
                match.check(seat, action)
            why = refused.value
            assert why.code not in GENERAL and why.rule, (part, value, why.code)
            said = {language: why.say(Words(language), cited=False) for language in LANGUAGES}
            assert said["fr"] != said["en"] and "{" not in said["fr"] + said["en"], said
            for language in LANGUAGES:
                assert book.rules(game, language)[why.rule]
            reasons.add(why.code)

    check()
    assert len(reasons) >= 3, reasons  # the positions were not all alike


def test_the_server_explains_to_the_seat_alone_and_plays_nothing(server: ServerProcess) -> None:
    elsewhere(_explained(server.url))


async def _explained(url: str) -> None:
    anne = await Client.create(url, PUSH, "Anne", players=2)
    zoe = await Client.join(url, anne.id, "Zoé")
    async with anne, zoe, httpx.AsyncClient(base_url=f"{url}/api/tables/{anne.id}") as http:

        async def ask(action: str, seat: int | None, secret: str | None) -> Any:
            query = "" if seat is None else f"?seat={seat}"
            header = {"authorization": f"Bearer {secret}"} if secret else {}
            return (await http.get(f"refused/{action}{query}", headers=header)).json()

        assert (await ask("0", 0, anne.secret))["code"] == "not-started"
        await zoe.do("sit", seat=1)
        await zoe.do("ready")
        await anne.do("start")
        assert await ask("pick 4", 0, anne.secret) == {"refused": None}
        told = (await ask("6 -1@2", 0, anne.secret))["refused"]
        assert (told["code"], told["rule"]) == ("pick-first", "F3")
        assert "F3" not in told["en"] + told["fr"]
        await anne.act(0, "pick 4")
        assert (await ask("pick 4", 0, anne.secret))["refused"]["code"] == "already-sealed"
        # Whatever Zoé asks, the answer is the same as if Anne had picked another pirate, or nobody had asked.
        assert await ask("pick 4", 1, zoe.secret) == {"refused": None}
        assert (await ask("pick 4", 0, zoe.secret))["code"] == "not-your-seat"
        assert (await ask("pick 4", 0, None))["code"] == "wrong-secret"
        assert (await ask("pick 4", None, anne.secret))["code"] == "not-your-seat"
        assert (await ask("nonsense", 0, anne.secret))["code"] == "not-an-action"
        assert (await ask("9999999", 0, anne.secret))["code"] == "not-an-action"
        assert anne.match is not None and anne.match["version"] == 1


def test_the_plain_board_answers_a_tap_on_what_is_greyed(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, PHONE, "en", at=server.url) as page:
        page.route("**/page/house.json", lambda route: route.fulfill(json=_boardless(route.fetch().json())))
        page.reload()
        sit_down(page, server.url, PUSH, 2)
        page.locator(".options button").first.tap()
        page.locator(".act .primary:not([disabled])").tap()
        page.locator(".options button[aria-disabled]").first.tap(force=True)
        expect(page.locator(".notice")).to_contain_text("The plank is full")
        page.locator(".notice button", has_text="F3").tap()
        expect(page.locator("#drawer")).to_be_visible()


def _boardless(house: dict[str, Any]) -> dict[str, Any]:
    return house | {"games": [game | {"board": False} for game in house["games"]]}


def test_a_tap_out_of_turn_says_whose_turn_it_is(server: ServerProcess, browser: Browser) -> None:
    with aboard(browser, LAPTOP, "en") as page:
        sit_down(page, server.url, PUSH, 2)
        page.evaluate(
            """async () => {
              const { why } = await import("/page/screens/why.js");
              const table = { info: { status: "playing", seats: [] }, match: { to_act: [1] }, called: () => "Zoé" };
              const at = (more) => ({ board: {}, table, seat: 0, desk: { choice: null, scene: {} }, ...more });
              globalThis.tap = (more) => why(at(more), "pirate", 3);
            }"""
        )
        page.evaluate("tap({ playing: true })")
        drawn(page)
        expect(page.locator(".notice")).to_be_hidden()
        page.evaluate("tap({})")
        expect(page.locator(".notice")).to_have_text(re.compile("It’s Zoé’s turn."))
