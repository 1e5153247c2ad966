"""What can happen in Faut pas pousser: every kind of event and its fields. `text` says each in words."""

from tribord.core.event import Kinds

KINDS = Kinds()
CHOSEN = KINDS.add("chosen", "crew")
NEUTRAL_BACK = KINDS.add("neutral-back", "crew")
NEUTRAL_CARD = KINDS.add("neutral-card", "crew pirate")
NEUTRAL_PASS = KINDS.add("neutral-pass", "crew")
LOTS = KINDS.add("lots", "crew")
INSTALLED = KINDS.add("installed", "crew pirate slot")
FIRST = KINDS.add("first", "crew")
PASSES = KINDS.add("passes", "crew")
MOVES = KINDS.add("moves", "crew card owner pirate slot goal")
STAYS = KINDS.add("stays", "crew card owner pirate slot")
ENTERS = KINDS.add("enters", "crew pirate first lead slot")
FALLS = KINDS.add("falls", "crew pirate pile")
LAST_ROUND = KINDS.add("last-round")
COUNTING = KINDS.add("counting")
SCORES = KINDS.add("scores", "crew pirate slot points")
CAPTAIN = KINDS.add("captain", "crew")
WINS = KINDS.add("wins", "crew points")
SHARES = KINDS.add("shares", "crew points")

RARE = ("lots", "shares")  # kinds of event that a few matches may lack
