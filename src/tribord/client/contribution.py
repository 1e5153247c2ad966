"""A client's contribution to the dice, and whether they have it: docs/protocol.md, “Adding to the dice”."""

from __future__ import annotations

import hashlib
import secrets
import warnings
from typing import Any

LEFT_OUT = "the match has begun without what this client added to the dice"
OTHER_DICE = "the server has changed the hash of its seed since this client added to the dice"
OTHER_VALUE = "a guest has added something else to the dice than they had committed to"
FOR_A_BOT = "the server has added to the dice itself, in the name of a bot"
SILENCED = "the server calls this client silent about the dice, but it answered: it lies, or the connection is slow"
NOTHING_ADDED = "this client added nothing to the dice: it wasn't connected at the start"
IN_OUR_NAME = "this client wasn't connected at the start, and something else was added to the dice in its name"
OTHER_SEED = "the seed isn't the one whose hash the server has shown before the match"


class DiceWarning(UserWarning):
    """The dice of a match aren't those its players agreed on: the server may have chosen them."""


class DiceNotice(UserWarning):
    """Nothing of this client is in the dice of a match, so it can't tell whether someone chose them."""


class Contribution:
    """To the dice of one table: the commitment that was shown, and the value that was added after that."""

    def __init__(self) -> None:
        self.commitment = ""  # of the server's seed, as it was before anything was added
        self.value: str | None = None  # what we have committed to; None: nothing
        self.doubt: str | None = None  # why the dice can't be trusted
        self.absence: str | None = None  # why ours isn't in the dice, if that may have happened by chance
        self.revealed = False
        self._skipped = False  # the match was started without asking for ours, though we were there
        self._others: dict[int, str] = {}  # guest: what they had committed to before we revealed our value
        self._early = False  # we were there before the match began

    def commit(self, commitment: str) -> str:
        """Note the server's commitment, draw our contribution, and commit to it."""
        self.commitment, self.value, self._early = commitment, secrets.token_hex(32), True
        self.revealed = False
        return commitment_to(self.value)

    def is_in(self, commitment: str) -> bool:
        """Whether a commitment is to our value."""
        return self.value is not None and commitment_to(self.value) == commitment

    def reveal(self, table: dict[str, Any], guest: int | None, arrived: bool) -> str | None:
        """The value, once the match is started and everyone has committed to theirs; None: it isn't asked for."""
        if self.value is None or self.revealed or guest not in table["revealing"]:
            own = next((one["commitment"] for one in table["guests"] if one["guest"] == guest), None)
            self._skipped |= bool(table["revealing"]) and own is None and not arrived
            return None
        self.revealed = True
        self._others = {one["guest"]: one["commitment"] for one in table["guests"] if one["commitment"]}
        return self.value

    def look(self, table: dict[str, Any], match: dict[str, Any] | None, seats: list[int]) -> None:
        """Compare the dice that a table shows with our notes, and warn once if they differ."""
        self._early |= table["status"] == "open"
        if self.doubt is None and table["status"] != "open":
            self.doubt = self._compare(table, match or {}, seats)
            if self.doubt is not None:
                warnings.warn(DiceWarning(self.doubt), stacklevel=2)
            elif self.absence is None and seats and (absence := self._missing(table, seats[0])):
                self.absence = absence
                warnings.warn(DiceNotice(absence), stacklevel=2)

    def called_silent(self) -> None:
        """The server says that we didn't reveal our value: warn if we did."""
        if self.revealed:
            warnings.warn(DiceWarning(SILENCED), stacklevel=2)

    def _missing(self, table: dict[str, Any], seat: int) -> str | None:
        added = (table.get("contributions") or [None] * len(table["seats"]))[seat]
        if self.value is None or self.value == added:
            return None
        return NOTHING_ADDED if added is None else IN_OUR_NAME

    def _compare(self, table: dict[str, Any], match: dict[str, Any], seats: list[int]) -> str | None:
        added = table.get("contributions") or [None] * len(table["seats"])
        if self.commitment and table["commitment"] != self.commitment:
            return OTHER_DICE
        # A client that was away when the match was started has added nothing. That may be chance.
        if self.value is not None and (self.revealed or self._skipped) and seats and self.value != added[seats[0]]:
            return LEFT_OUT
        # Latecomers can't tell a bot from a removed player.
        early, self._early = self._early, False
        if early and any(seat["guest"] is None and added[seat["seat"]] for seat in table["seats"]):
            return FOR_A_BOT
        committed = {*self._others.values()}
        if early and committed and committed != {commitment_to(value) for value in added if value}:
            return OTHER_VALUE
        if "seed" in match and commitment_to(match["seed"]) != table["commitment"]:
            return OTHER_SEED
        return None


def commitment_to(value: str) -> str:
    """The hash that fixes a value and reveals nothing about it."""
    return hashlib.sha256(f"tribord:{value}".encode()).hexdigest()
