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
        Flag(
            "memory",
            "I11",
            _("Strategic game: the pirates turn their backs, and you have to remember their forces."),
            True,
        ),
        Flag("hard", "I17", _("Strategic game, hard: a pirate who loses a duel stays where he is.")),
        Flag("harder", "I18", _("Strategic game, a fourth child: one more brown child to save.")),
        SeatOrChance("first", "I12", _("Strategic game: a player you choose starts, or chance decides.")),
        Limit("turns", "I19", _("Everyone loses after this many turns."), research=200),
    ),
    cooperative=True,
)
