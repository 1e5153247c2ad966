"""What people say at a table: text that can be read by others, and quick phrases in the reader's own language."""

from __future__ import annotations

import unicodedata

from tribord.core.words import _

PHRASES = {
    "hello": _("Ahoy, everyone!"),
    "ready": _("Ready when you are."),
    "your-turn": _("Your turn, sailor."),
    "one-moment": _("One moment, please."),
    "well-played": _("Well played!"),
    "ouch": _("Ouch."),
    "sorry": _("No hard feelings."),
    "thanks": _("Thank you!"),
    "revenge": _("I’ll remember that."),
    "again": _("Once more?"),
    "good-match": _("A fine match."),
    "good-bye": _("Fair winds!"),
    "cheer": _("Go on, give them a push!"),
    "bravo": _("Bravo from the rigging!"),
    "jeer": _("Sharks, dinner is ready!"),
    "splash": _("Splash!"),
    "boo": _("Boo!"),
    "view": _("Lovely view from up here."),
    "small-to-pirate": _("Give the small one to the pirate!"),
    "big-to-child": _("Give the big one to a child!"),
    "last-first": _("Let’s move the one at the back."),
    "together": _("Let’s stay together."),
    "careful": _("Watch out for the pirate!"),
    "think": _("Wait, let’s think."),
    "good-idea": _("Good idea!"),
    "too-risky": _("Too risky!"),
}

# Where a phrase is offered, if not everywhere: to a player who is out of the match and looks on, and in games that are
# played together, for planning. It can be said anywhere all the same.
SITUATIONS = {
    "out": ("cheer", "bravo", "jeer", "splash", "boo", "view"),
    "planning": (
        "small-to-pirate", "big-to-child", "last-first", "together", "careful", "think", "good-idea", "too-risky",
    ),
}  # fmt: skip


def legible(text: str, most: int) -> str:
    """Text as it may be shown: composed, on one line, without control or direction characters; "" if nothing is left.

    >>> legible("  Anne\\u202e \\n Bonny ", 24)
    'Anne Bonny'
    """
    kept = []
    for character in unicodedata.normalize("NFC", text):
        category = unicodedata.category(character)
        if category[0] == "Z" or category == "Cc":
            kept.append(" ")
        elif category[0] != "C":
            kept.append(character)
    return " ".join("".join(kept).split())[:most].strip()
