"""The state of L'Île aux Pirates. Pawns are numbered: 4 brown children, 2 in each of 4 colours, 3 pirates.

Nothing is secret in this game: everyone may see every field.
"""

from tribord.core.record import Field

COLOURS = 4
CHILDREN = 12
PIRATES = 3
PAWNS = CHILDREN + PIRATES
OUT, CASTLE, SHIP = -1, 0, 17

# Sets of pawns are bitmasks: bit p is pawn p.
BROWN_CHILDREN = 0b1111
COLOURED_CHILDREN = 0b1111_1111_0000
ALL_CHILDREN = (1 << CHILDREN) - 1
ALL_PIRATES = 0b111 << CHILDREN

NOBODY = 15  # the owner of a pawn that belongs to no single player
ALL_ABOARD, ALL_SENT_BACK, NO_CHILD_LEFT = range(3)  # why no pawn can take a die

DRAWING_FORCES, DRAWING_FIRST, THROWING, MOVING, WON, LOST, OUT_OF_TURNS = range(7)

FIELDS = (
    Field("players", "number of players", 1, 6),
    Field("strategic", "1 in the strategic game, 0 in the base game"),
    Field("hard", "1 when a pirate who loses a duel stays (I17)"),
    Field("memory", "1 when forces lie face down on the table (I11): for display only, nothing is hidden"),
    Field("phase", "drawing forces, drawing who starts, throwing, moving, won, lost, out of turns", 0, OUT_OF_TURNS),
    Field("turn", "seat whose turn it is; alone, the colour (I10); `players` until chance decides (I12)", 0, 5),
    Field("at", "where each pawn is: 0 castle, 1-16 squares, 17 ship, -1 not in play", OUT, SHIP, shape=PAWNS),
    Field("force", "force of each pirate figure; 0 before it is drawn, or not in play", 0, 4, shape=PIRATES),
    Field("dice", "dice still to use, ascending, then 0", 0, 6, shape=3),
    Field("pirate_dice", "dice still to use on a pirate", 0, 1),
    Field("child_dice", "dice still to use on children", 0, 2),
    Field("spent", "pawns that have moved or been sent back this turn (I2, I5): bitmask", 0, (1 << PAWNS) - 1),
    Field("shown", "pirate figures turned up by the last move (I11): bitmask; 0 without memory", 0, 7),
    Field("turns_left", "turns left under the limit (I19); 0 without a limit", 0, 10_000),
)
