"""What can happen in Walk the Plank: every kind of event and its fields. `text` says each in words."""

from tribord.core.event import Kinds

KINDS = Kinds()
RECEIVES = KINDS.add("receives", "crew")
CHOSEN = KINDS.add("chosen", "crew")
REVEALS = KINDS.add("reveals", "crew slot card")
NO_EFFECT = KINDS.add("no-effect", "crew card why")
SHOVES = KINDS.add("shoves", "crew victim space goal")
EXTENDS = KINDS.add("extends", "crew plank")
RETRACTS = KINDS.add("retracts", "crew plank")
DRAGS = KINDS.add("drags", "crew victim space goal")
PULLS = KINDS.add("pulls", "crew victim space goal")
RUNS = KINDS.add("runs", "crew space goal")
FLEES = KINDS.add("flees", "crew space goal")
CHARGES = KINDS.add("charges", "crew space goal")
PUSHES = KINDS.add("pushes", "crew victim space goal")
DROWNS = KINDS.add("drowns", "crew left")
OUT = KINDS.add("out", "crew")
LAST_CARDS = KINDS.add("last-round", "round")
ASIDE = KINDS.add("aside", "crew card")
NEW_ROUND = KINDS.add("new-round", "crew round")
WINS = KINDS.add("wins", "crew pirates")
SHARES = KINDS.add("shares", "crew pirates")
NO_WINNER = KINDS.add("no-winner")
LIMIT = KINDS.add("limit", "round")

RARE = ("no-winner",)  # few random matches drown everyone

# Why a card has no effect (W6).
NO_NEIGHBOUR, NOT_LEFT, NOT_RIGHT, NO_COMPANY, NO_COMPANY_OFF_SHIP, LONG_PLANK, SHORT_PLANK, ALL_ABOARD, NO_RUN_UP = (
    range(9)
)
