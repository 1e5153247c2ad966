"""What can happen in L'Île aux Pirates: every kind of event and its fields. `text` has a sentence for each."""

from tribord.core.event import Kinds

KINDS = Kinds()
FORCE = KINDS.add("force", "pawn force")
FACE_DOWN = KINDS.add("face-down")
STARTS = KINDS.add("starts", "colour")
LAST_TURN = KINDS.add("last-turn")
THROWS = KINDS.add("throws", "colour one two three")
THROWS_ALONE = KINDS.add("throws-alone", "player hue one two three")
THROWS_BASE = KINDS.add("throws-base", "player one two three")
THROWS_TWO = KINDS.add("throws-two", "player one two")
LEAVES_CASTLE = KINDS.add("leaves-castle", "pawn die goal")
MOVES = KINDS.add("moves", "pawn die start goal")
BOARDS = KINDS.add("boards", "pawn die")
CAPTURED = KINDS.add("captured", "pawn square")
SAFE = KINDS.add("safe", "square")
SHOWS = KINDS.add("shows", "pawn force")
DUEL = KINDS.add("duel", "square force children")
STANDOFF = KINDS.add("standoff", "square")
HOLDS = KINDS.add("holds", "square")
SENT_BACK = KINDS.add("sent-back", "pawn square owner")
DIE_LOST = KINDS.add("die-lost", "die why")
SHIP_HELD = KINDS.add("ship-held", "force children")
SHIP_TAKEN = KINDS.add("ship-taken", "force children")
PIRATE_FIRST = KINDS.add("pirate-first")
ESCAPED = KINDS.add("escaped")
HOME = KINDS.add("home", "children")
LATE = KINDS.add("late")

# Random play hardly ever gets that far.
RARE = ("throws-two", "safe", "holds", "die-lost", "ship-held", "escaped", "home")
