"""Walk the Plank: the worst pirates of the crew shove each other into the sea. Rules W1–W20, see RULES.en.md."""

from tribord.core.game import Game
from tribord.core.option import Limit, Subset
from tribord.core.words import _
from tribord.games.walk_the_plank.actions import CARDS

GAME = Game(
    package=__name__,
    title="Walk the Plank",
    letter="W",
    version=1,
    players=(3, 5),
    options=(
        Subset(
            "skulls",
            "W7",
            _("The skull cards: once played, they stay aside for a round."),
            default=("shove-anyone", "retract", "drag", "charge"),
            values=CARDS,
        ),
        Limit("rounds", "W20", _("The last round: after it the game ends without a winner. 0: no limit."), research=60),
    ),
)
