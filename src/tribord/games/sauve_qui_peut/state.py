"""The state of Sauve qui peut !. People of one crew in one place are one number: sailors + 8 × helmsmen."""

from tribord.core import sealed
from tribord.core.record import Field
from tribord.games.sauve_qui_peut.actions import ACTIONS

BOATS = 7
CREWS = 6
DRAWING_FIRST, PLACING, LEAK, OVERBOARD, ADVANCE, LEAVING, BOARDING, OVER = range(8)

NO_BOAT, SUNK, LANDED, SHIP_ROW = -1, 0, 1, 4  # rows; a boat at sea is in row 2, 3 or 4
NOBODY = -1  # turn: no single seat decides

FIELDS = (
    Field("players", "number of players; crew i belongs to seat i", 3, 6),
    Field("phase", "drawing first, placing, voting on a leak, overboard, an advance; leaving, boarding, over", 0, OVER),
    Field("rows", "row of each lane's boat: 4 at the ship … 1 landed; 0 sunk, -1 none (S1)", NO_BOAT, SHIP_ROW, BOATS),
    Field("leaks", "leaks of each boat at sea; 0 once it has landed or sunk (S3)", 0, 6, BOATS),
    Field("people", "people of each crew in each boat; those in a landed boat are ashore", 0, 21, (BOATS, CREWS)),
    Field("waiting", "people of each crew still on deck (S5)", 0, 21, CREWS),
    Field("drowned", "people each crew has lost", 0, 21, CREWS),
    Field("between", "each crew's person between boats: 0 none, else lane left × 2 + helmsman + 1 (S16)", 0, 14, CREWS),
    Field("tokens", "priority tokens of each crew, in plain sight", 0, 3, CREWS),
    Field("baton", "seat that holds the captain's baton", 0, 5),
    Field("turn", "seat that places, decides after a vote, leaves or boards; -1 no single seat", NOBODY, 5),
    Field("boat", "lane of the full boat whose people vote who goes overboard (S12); -1 none", -1, 6),
    Field("targets", "bitmask of what the seat in turn may decide on after a vote (S7-S9); 0 no decision", 0, 127),
    Field("by_rule", "why that seat decides: 7 the only cap, 8 nothing but caps, 9 a tie; 0 no decision", 0, 9),
    *sealed.fields(CREWS, ACTIONS),
)  # fmt: skip
