"""The state of Walk the Plank. The pirates of a crew are one number: two bits per space, so 0 is a crew that is out."""

from tribord.core import sealed
from tribord.core.record import Field
from tribord.games.walk_the_plank.actions import ACTIONS

CREWS = 5
SLOTS = 3
SHIP = 0
SEA = 4  # the space of a pirate that leaves the plank in events, whatever its length
NONE, HIDDEN = -1, -2  # no card; a card that this view doesn't show
FAVOUR, CHOOSING, RESOLVING, OVER = range(4)
LAST_ROUND = 10_000  # the highest limit (W20); without a limit the count stops here

FIELDS = (
    Field("players", "number of players; crew i belongs to seat i", 3, CREWS),
    Field("phase", "giving the Favour, choosing cards, resolving them, over", 0, OVER),
    Field("plank", "number of tiles of the plank (W1)", 1, 3),
    Field("favour", "seat that holds the Captain's Favour (W3); 0 while nobody does", 0, CREWS - 1),
    Field("round_number", "number of the round, the first is 1", 1, LAST_ROUND),
    Field("rounds", "the last round (W20); 0 no limit", 0, LAST_ROUND),
    Field("skulls", "the skull cards (W7), bit c for card c", 0, 1023),
    Field("pirates", "living pirates of each crew: bits 0-1 count those on the ship, 2-3 on tile 1, …", 0, 255, CREWS),
    Field("aside", "skull cards lying face up before each crew (W7), bit c for card c", 0, 1023, CREWS),
    Field("program", "cards each crew has laid this round; -1 none or void, -2 hidden", HIDDEN, 9, (CREWS, SLOTS),
          seen="owner, and all once turned up"),
    Field("slot", "slot being resolved (W5), 0 outside of that", 0, SLOTS - 1),
    Field("seat", "seat whose card is being resolved (W5), 0 outside of that", 0, CREWS - 1),
    *sealed.fields(CREWS, ACTIONS),
)  # fmt: skip
