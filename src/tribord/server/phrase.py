"""What people say at a table: visible text, and quick phrases in the reader's language."""

from __future__ import annotations

import unicodedata

from tribord.core.words import _

PHRASES = {
    "hello": _("Ahoy, everyone!"),
    "ready": _("Ready when you are."),
    "your-turn": _("Your turn, matey!"),
    "one-moment": _("One moment, please."),
    "well-played": _("Well played!"),
    "ouch": _("Ouch."),
    "sorry": _("No hard feelings."),
    "thanks": _("Thank you!"),
    "revenge": _("I’ll remember that."),
    "again": _("Once more?"),
    "good-match": _("Great game!"),
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
# played together, for planning. You can still say it anywhere.
SITUATIONS = {
    "out": ("cheer", "bravo", "jeer", "splash", "boo", "view"),
    "planning": (
        "small-to-pirate", "big-to-child", "last-first", "together", "careful", "think", "good-idea", "too-risky",
    ),
}  # fmt: skip


# Letters, signs and marks that show nothing: Hangul fillers, the empty Braille cell, a notehead without a note, joiners
# and selectors. The two selectors that emoji need are kept.
BLANK = {
    *(0x115F, 0x1160, 0x2800, 0x3164, 0xFFA0, 0x1D159), *(0x034F, 0x17B4, 0x17B5, 0x16FE4), *range(0x180B, 0x1810),
    *range(0xFE00, 0xFE0E), *range(0xE0100, 0xE01F0),
}  # fmt: skip


def legible(text: str, most: int) -> str:
    """Text as it may be shown: composed, on one line, without control, direction or blank characters.

    "" if nothing is left that can be seen: accents alone can't, they need something to stand on.

    >>> legible("  Anne\\u202e \\n Bonny ", 24)
    'Anne Bonny'
    """
    kept = []
    for character in unicodedata.normalize("NFC", text):
        category = unicodedata.category(character)
        if category[0] == "Z" or category == "Cc":
            kept.append(" ")
        elif category[0] != "C" and ord(character) not in BLANK:
            kept.append(character)
    shown = " ".join("".join(kept).split())[:most].strip()
    return shown if any(unicodedata.category(character)[0] in "LNPS" for character in shown) else ""
