"""A player: a person at a browser who plays any game to the end, touching what the page offers."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect
from tests.page.sailor import PHONE, drawn

PUSH, PLANK, SAVE, ISLAND = "faut-pas-pousser", "walk-the-plank", "sauve-qui-peut", "ile-aux-pirates"
PLAYERS = {PUSH: 2, PLANK: 3, SAVE: 3, ISLAND: 2}
# As short as the rules allow, and with all their secrets.
SHORT: dict[str, dict[str, Any]] = {
    PUSH: {},
    PLANK: {"rounds": 4},
    SAVE: {"boats": "players+1"},  # four boats for three players: at most twelve rounds (S20)
    ISLAND: {"game": "strategic", "turns": 8},
}
BLOODTHIRSTY = ("drag", "retract", "charge", "shove-anyone", "run", "shove-left", "shove-right", "extend", "pull")
TARGETS = ".sqp-hand [data-lane]:not([aria-disabled]), .sqp-hand [data-crew]:not([aria-disabled])"
READY = ".act .primary:not([disabled])"


class Player:
    """A person at a table who notices the server's answers: bots decide at once, so a changed table proves nothing."""

    def __init__(self, page: Page, game: str):
        self.page, self.game = page, game
        self.messages: list[dict[str, Any]] = []
        self.answers = 0
        page.on("websocket", lambda socket: socket.on("framereceived", self._hear))

    def _hear(self, frame: str | bytes) -> None:
        message = json.loads(frame)
        self.messages.append(message)
        self.answers += message["t"] in ("update", "ack", "refused") and "id" in message

    def asked(self) -> bool:
        """Wait until it is our turn (True) or the match is over (False)."""
        self.page.locator("#must, .curtain, .result").first.wait_for()
        return not self.page.locator(".result").count()

    def alone(self) -> None:
        """Wait until nobody else must decide: in a sealed choice it's our turn while others still choose."""
        for _moment in range(1500):
            states = [message["match"] for message in self.messages if message.get("match")]
            if states and states[-1]["to_act"] in ([], [0]):
                break
            self.page.wait_for_timeout(10)
        else:
            raise AssertionError("the others do not decide")
        drawn(self.page)

    def touch(self, what: Locator) -> None:
        """With a finger if the page only has touch, otherwise with the mouse."""
        if self.page.viewport_size == {"width": PHONE[0], "height": PHONE[1]}:
            what.tap()
        else:
            what.click()
        drawn(self.page)

    def choose(self) -> None:
        """Touch one part after the other until there is something to send."""
        _CHOOSE[self.game](self)

    def send(self, by_key: bool = False) -> None:
        """Press the button, and wait for the answer to be drawn."""
        before = self.answers
        expect(self.page.locator(".act .primary")).to_be_enabled()
        if by_key:
            self.page.keyboard.press("Enter")
        else:
            self.touch(self.page.locator(READY))
        self.answered(before)

    def answered(self, before: int) -> None:
        """Wait for one more answer; a lost connection may only be tried again after ten seconds."""
        for _moment in range(3000):
            if self.answers > before:
                break
            self.page.wait_for_timeout(10)
        else:
            raise AssertionError("the server does not answer")
        drawn(self.page)

    def decide(self) -> None:
        """A whole decision."""
        self.choose()
        self.send()

    def any(self, selector: str) -> Locator | None:
        """The first thing of a kind."""
        found = self.page.locator(selector)
        return found.first if found.count() else None

    @property
    def told(self) -> list[dict[str, Any]]:
        """The match, each time the server sent it."""
        return [message["match"] for message in self.messages if message.get("match")]


def _push(player: Player) -> None:
    """A pirate, a card, a place on the plank; at last the pass."""
    pirate = player.any("[data-pirate]:not([aria-disabled])")
    player.touch(pirate or player.page.locator("[data-pass]"))
    if card := player.any("[data-card]:not([aria-disabled])"):
        player.touch(card)
        player.touch(player.page.locator("[data-slot]").first)


def _plank(player: Player) -> None:
    """The three deadliest cards of the hand, or the last target they offer: a match shouldn't take all day."""
    if player.any(".w-aim"):
        if not player.any(READY):  # else there is only one way
            player.touch(player.page.locator(".w-aim").last)
        return
    hand = [
        card.get_attribute("data-card") for card in player.page.locator(".w-card:not([aria-disabled='true'])").all()
    ]
    for card in [card for card in BLOODTHIRSTY if card in hand][:3]:
        player.touch(player.page.locator(f".w-card[data-card='{card}']"))


def _save(player: Player) -> None:
    """A boat or a crew; if several of our people are in the boat, one of them."""
    player.touch(player.page.locator(TARGETS).first)
    if not player.any(READY):
        player.touch(player.page.locator("[data-person]:not([aria-disabled])").first)


def _island(player: Player) -> None:
    """A pawn and a die."""
    player.touch(player.page.locator("[data-pawn]:not([aria-disabled])").first)
    if not player.any(READY):
        player.touch(player.page.locator("[data-die]").first)


_CHOOSE: dict[str, Callable[[Player], None]] = {PUSH: _push, PLANK: _plank, SAVE: _save, ISLAND: _island}
