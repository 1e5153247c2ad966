"""Kraken: row for treasure, and land before the kraken wakes. Rules K1–K6, see RULES.en.md."""

from tribord.core.game import Game
from tribord.core.option import Flag
from tribord.core.words import _

GAME = Game(
    package=__name__,
    title="Kraken",
    letter="K",
    version=1,
    players=(2, 4),
    options=(Flag("hungry", "K6", _("A hungry kraken: it wakes on a 2 as well.")),),
)
