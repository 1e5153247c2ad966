"""What can happen in Kraken: every kind of event and its fields. `text` says each in words."""

from tribord.core.event import Kinds

KINDS = Kinds()
FISHES = KINDS.add("fishes", "crew die boat")
WAKES = KINDS.add("wakes", "crew die lost")
LANDS = KINDS.add("lands", "crew boat hold")
WINS = KINDS.add("wins", "crew hold")
