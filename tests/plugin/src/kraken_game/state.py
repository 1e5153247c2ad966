"""The state of Kraken."""

from tribord.core.record import Field

BOATS = 4
GOAL = 20  # treasures
BOAT_IDS = ("blue", "green", "red", "yellow")

FIELDS = (
    Field("players", "number of players; boat i belongs to seat i", 2, BOATS),
    Field("hungry", "whether the kraken wakes on a 2 as well (K6)"),
    Field("turn", "the seat whose turn it is", 0, BOATS - 1),
    Field("rolled", "what the die shows; 0 before it's rolled", 0, 6),
    Field("boat", "treasures in the boat, not safe yet", 0, GOAL + 5),
    Field("hold", "treasures that each seat has brought home", 0, GOAL + 5, shape=BOATS),
)
