"""The state of Faut pas pousser. A pirate is one number: crew × 8 + value, so 0 is nobody."""

from tribord.core import sealed
from tribord.core.record import Field
from tribord.games.faut_pas_pousser.actions import ACTIONS

CREWS = 4
CREW_IDS = ("blue", "green", "red", "yellow")
PICKING, TURNING_UP, DRAWING_LOTS, PLAYING, OVER = range(5)

FIELDS = (
    Field("players", "number of players; crew i belongs to seat i, the crews beyond are neutral (F15)", 2, 4),
    Field("phase", "picking, turning up neutral pirates, drawing lots between them, playing, over", 0, OVER),
    Field("age", "place of each seat in the age order, 0 the youngest (F4)", 0, 3, shape=CREWS),
    Field("pirates", "pirates each crew has yet to play: bit v-1 for value v", 0, 63, shape=CREWS),
    Field("cards", "cards each crew has yet to play: bits 0-4 are -1 -2 -3 +1 +2, bit 5 Non merci !", 0, 63, CREWS),
    Field("plank", "the pirate in each slot, slot 1 first", 0, 30, shape=4),
    Field("falls", "how many pirates have fallen into the sea", 0, 20),
    Field("fallen", "the fallen pirates in order; four make a pile (F11)", 0, 30, shape=20),
    Field("installed", "value each crew brings to the installation; 0 while unknown, and once installed", 0, 6, CREWS),
    Field("left", "the neutral crew that lots put left of its equal, until installed (F16); 0 none", 0, 3),
    Field("order", "the crews in their order of play (F5, F17)", 0, 3, shape=CREWS),
    Field("turn", "turns played, of 24", 0, 24),
    Field("pass_in", "a neutral crew's Non merci ! is its pass_in-th card from now (F16); 0 not known", 0, 3, CREWS),
    *sealed.fields(CREWS, ACTIONS),
)  # fmt: skip
