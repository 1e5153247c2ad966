"""What people say at a table: text that can be read by others, and quick phrases in the reader's own language."""

from __future__ import annotations

import unicodedata

from tribord.core.words import _

PHRASES = {
    "hello": _("Ahoy, everybody!"),
    "ready": _("Ready when you are."),
    "your-turn": _("Your turn, sailor."),
    "one-moment": _("One moment, please."),
    "well-played": _("Well played!"),
    "ouch": _("Ouch."),
    "sorry": _("No hard feelings."),
    "thanks": _("Thank you!"),
    "revenge": _("I shall remember that."),
    "again": _("Once more?"),
    "good-match": _("A fine match."),
    "good-bye": _("Fair winds!"),
}


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
