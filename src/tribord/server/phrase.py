"""Quick phrases: what one says at a table without typing, in the reader's own language."""

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
