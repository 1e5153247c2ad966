"""Faut pas pousser: four pirates stand on a plank, and a fifth always wants to join. Rules F1–F19: RULES.en.md."""

from tribord.core.game import Game
from tribord.core.option import Order
from tribord.core.words import _

GAME = Game(
    package=__name__,
    title="Faut pas pousser",
    letter="F",
    version=1,
    players=(2, 4),
    options=(Order("age", "F4", _("Seats from the youngest player to the oldest. Empty: in seat order.")),),
)
