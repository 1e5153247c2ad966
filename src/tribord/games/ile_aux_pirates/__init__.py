"""L'Île aux Pirates: the children run for the ship, and all win or all lose. Rules I1–I19, see RULES.en.md."""

from tribord.core.game import Game
from tribord.core.option import Choice, Flag, Limit, SeatOrChance
from tribord.core.words import _

GAME = Game(
    package=__name__,
    title="L’Île aux Pirates",
    letter="I",
    version=1,
    players=(1, 6),
    options=(
        Choice(
            "game",
            "I6",
            _("The base game (1 to 6 players, three children, one pirate) or the strategic game (1 to 4 players)."),
            "base",
            values=("base", "strategic"),
        ),
        Flag("memory", "I11", _("Strategic: the pirates lie face down, and their forces must be remembered."), True),
        Flag("hard", "I17", _("Strategic, hard: a pirate who loses a duel stays where he is.")),
        Flag("harder", "I18", _("Strategic, harder: a fourth brown child is to be brought home.")),
        SeatOrChance("first", "I12", _("Strategic: the seat that starts, or chance.")),
        Limit("turns", "I19", _("The match is lost after so many turns."), research=200),
    ),
    cooperative=True,
)
