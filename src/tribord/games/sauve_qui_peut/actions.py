"""The actions of Sauve qui peut !: place, vote for a boat or a crew, show the cap, decide, leave a boat, board one.

Notation: `place sailor 3` · `vote 4` · `vote red` · `cap` · `decide 4` · `decide red` · `leave helmsman 2` · `board 5`.
"""

from typing import Any

from tribord.core.compiled import rule

LANES = (1, 2, 3, 4, 5, 6, 7)
CREW_IDS = ("blue", "green", "red", "yellow", "lilac", "bone")
PERSONS = ("sailor", "helmsman")
SAILOR, HELMSMAN = 0, 1

PLACE = 0  # + person × 7 + lane
VOTE_BOAT = 14  # + lane
VOTE_CREW = 21  # + crew
CAP = 27
DECIDE_BOAT = 28  # + lane
DECIDE_CREW = 35  # + crew
LEAVE = 41  # + person × 7 + lane
BOARD = 55  # + lane
ACTIONS = 62

CHANCES = 6  # chance gives the baton to one of the seats (S4)


@rule
def person_of(action: int) -> int:
    """The person, SAILOR or HELMSMAN, that an action places or takes out."""
    return (action if action < VOTE_BOAT else action - LEAVE) // 7


@rule
def lane_of(action: int) -> int:
    """The lane (0..6) of an action that places, takes out or boards."""
    if action >= BOARD:
        return action - BOARD
    return (action if action < VOTE_BOAT else action - LEAVE) % 7


@rule
def target_of(action: int) -> int:
    """The lane (0..6) or crew (0..5) that a vote or a decision names."""
    if action >= DECIDE_CREW:
        return action - DECIDE_CREW
    if action >= DECIDE_BOAT:
        return action - DECIDE_BOAT
    if action >= VOTE_CREW:
        return action - VOTE_CREW
    return action - VOTE_BOAT


def parts(action: int) -> dict[str, Any]:
    """An action as a dict.

    >>> parts(parse("leave helmsman 2"))
    {'kind': 'leave', 'person': 'helmsman', 'lane': 2}
    >>> parts(parse("vote red"))
    {'kind': 'vote', 'crew': 'red'}
    """
    if action == CAP:
        return {"kind": "cap"}
    if action >= BOARD:
        return {"kind": "board", "lane": lane_of(action) + 1}
    if action < VOTE_BOAT or action >= LEAVE:
        kind = "place" if action < VOTE_BOAT else "leave"
        return {"kind": kind, "person": PERSONS[person_of(action)], "lane": lane_of(action) + 1}
    kind = "vote" if action < CAP else "decide"
    if VOTE_CREW <= action < CAP or action >= DECIDE_CREW:
        return {"kind": kind, "crew": CREW_IDS[target_of(action)]}
    return {"kind": kind, "lane": target_of(action) + 1}


def number(given: dict[str, Any]) -> int:
    """The action with these parts."""
    kind = given["kind"]
    if kind == "cap":
        return CAP
    if kind == "board":
        return BOARD + LANES.index(given["lane"])
    if kind in ("place", "leave"):
        first = PLACE if kind == "place" else LEAVE
        return first + PERSONS.index(given["person"]) * 7 + LANES.index(given["lane"])
    boat, crew = {"vote": (VOTE_BOAT, VOTE_CREW), "decide": (DECIDE_BOAT, DECIDE_CREW)}[kind]
    if "crew" in given:
        return crew + CREW_IDS.index(given["crew"])
    return boat + LANES.index(given["lane"])


def notation(action: int) -> str:
    """An action as text."""
    return " ".join(str(value) for value in parts(action).values())


def parse(text: str) -> int:
    """The action written as `text`."""
    kind, *rest = text.split()
    target: dict[str, Any] = {"kind": kind}
    for word in rest:
        if word.isdecimal():
            target["lane"] = int(word)
        else:
            target["crew" if word in CREW_IDS else "person"] = word
    found = number(target)
    if notation(found) != " ".join(text.split()):
        raise ValueError(text)
    return found


def chance_notation(outcome: int) -> str:
    """A chance outcome as text: `baton 2`, the seat that holds it first."""
    return f"baton {outcome}"


def parse_chance(text: str) -> int:
    """The chance outcome written as `text`."""
    return [chance_notation(seat) for seat in range(CHANCES)].index(text)
