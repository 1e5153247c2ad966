"""Archives: matches played with rules that aren't installed here. They can be read and saved, never replayed.

A rule change makes a new version of a game, and the same decisions would then lead to another match. So a match file or
a stored table of another version isn't followed: it is shown as it was written, in the game's notation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tribord.core.game import PLAYER, load
from tribord.core.refusal import BadFile, UnknownGame
from tribord.core.words import Words, _

OLDER_RULES = _(
    "This game was played with older rules of {title}: version {theirs}, and this is version {ours}. You can read it"
    " and save it, but not replay it."
)
NEWER_RULES = _(
    "This game was played with newer rules of {title}: version {theirs}, and this is version {ours}. Update Tribord"
    " to replay it."
)
NOT_INSTALLED = _(
    "This game was played with rules that aren’t installed here: “{game}”."
    " You can read it and save it, but not replay it."
)
DECIDED = _("{who}: {what}")
DRAWN = _("luck: {what}")
WON = _("Won by: {names}. Points: {scores}.")
NOBODY_WON = _("No one won. Points: {scores}.")
UNFINISHED = _("The game wasn’t finished.")


@dataclass(frozen=True)
class Archive:
    """A match as its file describes it."""

    content: dict[str, Any]
    hosted: bool = False  # all of it was played at tables of this server, which can vouch for it

    @property
    def names(self) -> list[str]:
        """Who played; empty if unknown."""
        given = self.content["names"]
        return [given[seat] if seat < len(given) else "" for seat in range(self.content["players"])]

    def lines(self, words: Words) -> list[str]:
        """The decisions and draws in order, in the game's notation, and how it ended."""
        who = [name or words.say(PLAYER, number=seat + 1) for seat, name in enumerate(self.names)]
        told = [
            words.say(DRAWN, what=line["chance"]) if "chance" in line
            else words.say(DECIDED, who=who[line["seat"]], what=line["action"])
            for line in self.content["journal"]
        ]  # fmt: skip
        return [*told, self._ending(who, words)]

    def _ending(self, who: list[str], words: Words) -> str:
        ended = self.content["outcome"]
        if ended is None:
            return words.say(UNFINISHED)
        scores = ", ".join(map(str, ended["scores"]))
        if not ended["winners"]:
            return words.say(NOBODY_WON, scores=scores)
        return words.say(WON, names=", ".join(who[seat] for seat in ended["winners"]), scores=scores)


class OtherRules(BadFile):
    """A match with rules that aren't installed, as far as it can be read."""

    def __init__(self, refusal: tuple[str, str, dict[str, Any]], archive: Archive):
        code, message, fields = refusal
        super().__init__(code, message, **fields)
        self.archive = archive


def other_rules(game: str, version: int) -> tuple[str, str, dict[str, Any]] | None:
    """Why a match of this game and version can't be replayed here (code, message, fields); None if it can."""
    try:
        ours = load(game)
    except UnknownGame:
        return "not-installed", NOT_INSTALLED, {"game": game}
    if version == ours.version:
        return None
    code, message = ("older-rules", OLDER_RULES) if version < ours.version else ("newer-rules", NEWER_RULES)
    return code, message, {"theirs": version, "title": ours.title, "ours": ours.version}
