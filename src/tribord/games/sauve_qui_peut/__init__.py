"""Sauve qui peut !: the ship sinks, the boats leak, and a vote decides who swims. Rules S1–S22, see RULES.en.md."""

from tribord.core.game import Game
from tribord.core.option import Choice, SeatOrChance
from tribord.core.words import _

GAME = Game(
    package=__name__,
    title="Sauve qui peut\u202f!",
    letter="S",
    version=1,
    players=(3, 6),
    options=(
        Choice(
            "boats",
            "S1",
            _("All seven boats, or one more than there are players."),
            "seven",
            None,
            ("seven", "players+1"),
        ),
        SeatOrChance(
            "first", "S4", _("Who holds the captain’s baton first: a player you choose, or chance."), "random"
        ),
    ),
)
