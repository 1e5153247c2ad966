"""The words of Sauve qui peut !: what happened, what may be done, why not, and the board as text."""

from __future__ import annotations

from textwrap import wrap
from typing import Any

from tribord.core.event import Kinds
from tribord.core.record import State
from tribord.core.words import Words, _, _n
from tribord.games.sauve_qui_peut import actions
from tribord.games.sauve_qui_peut.state import BOARDING, LANDED, LEAVING, NO_BOAT, OVERBOARD, PLACING, SHIP_ROW, SUNK

Reason = tuple[str, dict[str, Any]]  # of a refusal: its code and the fields of its sentence

KINDS = Kinds()
FIRST = KINDS.add("first", "crew", _("Chance gives the captain’s baton to {crew}."))
PLACED = KINDS.add("placed", "crew person boat", _("{crew} put {person} aboard {boat}."))
BATON = KINDS.add("baton", "crew", _("A new round: {crew} hold the captain’s baton."))
NO_LEAK = KINDS.add("no-leak", "", _("All the leaks are in the boats: no boat gets one in this round."))
VOTED = KINDS.add("voted", "crew", _("{crew} have voted, in secret."))
VOTES_BOAT = KINDS.add("votes-boat", "crew boat", _("{crew} vote for {boat}."))
VOTES_CREW = KINDS.add(
    "votes-crew",
    "crew target votes",
    _n("{crew} name {target}: {votes} vote.", "{crew} name {target}: {votes} votes.", "votes"),
)
SHOWS_CAP = KINDS.add(
    "shows-cap",
    "crew tokens",
    _n(
        "{crew} show the captain’s cap and have {tokens} token left.",
        "{crew} show the captain’s cap and have {tokens} tokens left.",
        "tokens",
    ),
)
CAPS_CANCEL = KINDS.add("caps-cancel", "", _("The caps cancel each other: only the other votes count."))
ONE_CAP = KINDS.add("one-cap", "crew", _("The only cap decides, whatever the votes: {crew} choose."))
ALL_CAPS = KINDS.add("all-caps", "crew", _("Nothing but caps: {crew}, who hold the baton, choose."))
TIE = KINDS.add("tie", "crew", _("A tie: {crew}, who hold the baton, choose."))
DECIDES_BOAT = KINDS.add("decides-boat", "crew boat", _("{crew} choose {boat}."))
DECIDES_CREW = KINDS.add("decides-crew", "crew target", _("{crew} choose {target}."))
FULL = KINDS.add("full", "boat", _("{boat} is full: somebody aboard must make room for the leak."))
THROWN = KINDS.add("thrown", "crew person boat", _("{boat}: {crew} lose {person}, thrown overboard."))
LEAKS = KINDS.add("leaks", "boat leaks", _n("{boat} now has {leaks} leak.", "{boat} now has {leaks} leaks.", "leaks"))
SINKS = KINDS.add("sinks", "boat", _("{boat} has more leaks than people, and sinks."))
DROWN = KINDS.add(
    "drown",
    "crew people boat",
    _n("{crew} lose {people} person with {boat}.", "{crew} lose {people} people with {boat}.", "people"),
)
ADVANCES = KINDS.add("advances", "boat row", _("{boat} advances to row {row}."))
LANDS = KINDS.add("lands", "boat island", _("{boat} has reached {island}."))
SCORES = KINDS.add(
    "scores",
    "crew people points",
    _n(
        "{crew} bring {people} person ashore: {points} points.",
        "{crew} bring {people} people ashore: {points} points.",
        "people",
    ),
)
LEAVES = KINDS.add("leaves", "crew person boat", _("{crew} take {person} out of {boat}."))
SKIPPED = KINDS.add("skipped", "crew", _("{crew} have nobody who can change boats."))
BOARDS = KINDS.add("boards", "crew person boat", _("{crew} bring {person} aboard {boat}."))
DROWNS = KINDS.add("drowns", "crew person", _("No boat has a seat left: {crew} lose {person} to the sea."))
WINS = KINDS.add(
    "wins", "crew points", _n("{crew} win with {points} point.", "{crew} win with {points} points.", "points")
)
SHARES = KINDS.add(
    "shares",
    "crew points",
    _n("{crew} share the victory with {points} point.", "{crew} share the victory with {points} points.", "points"),
)

_CREWS = (_("the Blues"), _("the Greens"), _("the Reds"), _("the Yellows"), _("the Lilacs"), _("the Ivories"))
_CREW_NAMES: dict[Any, str] = dict(enumerate(_CREWS)) | dict(zip(actions.CREW_IDS, _CREWS))
_PERSONS: dict[Any, str] = {0: _("a sailor"), 1: _("a helmsman"), "sailor": _("a sailor"), "helmsman": _("a helmsman")}
_BOATS = dict(zip(actions.LANES, ("Babette", "Colette", "Dorine", "Fanchon", "Ginette", "Lison", "Margot")))
_ISLANDS = (_("the left island"), _("the centre island"), _("the right island"))

NAMES: dict[str, dict[Any, str]] = {
    "crew": _CREW_NAMES,
    "target": _CREW_NAMES,
    "person": _PERSONS,
    "boat": _BOATS,
    "lane": {lane: f"{name} ({lane})" for lane, name in _BOATS.items()},
    "island": dict(enumerate(_ISLANDS)) | dict(zip(("left", "centre", "right"), _ISLANDS)),
    "kind": {
        "place": _("put somebody aboard"),
        "vote": _("vote"),
        "cap": _("show the captain’s cap"),
        "decide": _("choose"),
        "leave": _("take somebody out of a boat"),
        "board": _("board a boat"),
    },
}

PART_ORDER = ("kind", "person", "lane", "crew")
LISTED: dict[str, str] = {}
ASK = {
    "kind": _("What do you do?"),
    "person": _("Who?"),
    "lane": _("Which boat?"),
    "crew": _("Which crew?"),
}

RARE = ("no-leak",)  # fifteen leaks at sea at once: no random match gets there

ENDINGS = {
    "no-boat": _("No boat is at sea any more."),
    "nobody": _("Nobody is at sea any more."),
}

REFUSALS = {
    "no-boat": (1, _("There is no boat in lane {number}.")),
    "none-waiting": (2, _("You have already placed everybody of that kind.")),
    "place-first": (5, _("Everybody is still on deck: put your people aboard the boats first.")),
    "no-free-seat": (5, _("{lane} has no free seat.")),
    "vote-now": (6, _("A vote is on: name your choice, or show the captain’s cap.")),
    "no-token": (6, _("You have no token left to pay for the captain’s cap.")),
    "decide-now": (7, _("The vote is over, and the last word is yours: choose.")),
    "not-tied": (9, _("The choice is between those with the most votes.")),
    "name-a-boat": (11, _("This vote is about a boat, not about a crew.")),
    "name-a-crew": (12, _("This vote is about who goes overboard: name a crew.")),
    "not-aboard": (12, _("{crew} have nobody in that boat.")),
    "sunk": (13, _("{lane} has sunk.")),
    "landed": (14, _("{lane} has landed: nothing can happen to it any more.")),
    "leave-now": (16, _("Now everybody takes one person out of a boat.")),
    "already-left": (16, _("Somebody has already left {lane} in this round.")),
    "none-aboard": (16, _("You have nobody of that kind in {lane}.")),
    "board-now": (17, _("Your person between boats has to board one.")),
    "just-left": (17, _("Your person has just left {lane} and must board another boat.")),
    "no-seat-to-board": (17, _("{lane} has no seat left to board.")),
}


def sentence(parts: dict[str, Any]) -> str:
    """The sentence of an action."""
    kind = parts["kind"]
    if kind == "place":
        return _("put {person} aboard {lane}")
    if kind == "cap":
        return _("show the captain’s cap")
    if kind == "vote":
        return _("name {crew} to go overboard") if "crew" in parts else _("vote for {lane}")
    if kind == "decide":
        return _("choose {crew} to go overboard") if "crew" in parts else _("choose {lane}")
    if kind == "leave":
        return _("take {person} out of {lane}")
    return _("board {lane}")


def why_not(view: State, seat: int, action: int) -> Reason:
    """Why a seat that must decide may not play this action."""
    parts = actions.parts(action)
    phase, kind = int(view.phase), parts["kind"]
    if int(view.sealing):
        if kind not in ("vote", "cap"):
            return "vote-now", {}
        return ("no-token", {}) if kind == "cap" else _bad_target(phase, parts, view)
    if int(view.targets):
        return ("decide-now", {}) if kind != "decide" else _bad_target(phase, parts, view)
    asked = {PLACING: "place", LEAVING: "leave", BOARDING: "board"}[phase]
    if kind != asked:
        return f"{asked}-{'first' if phase == PLACING else 'now'}", {}
    return _out_of_play(view, parts["lane"]) or _bad_move(phase, parts, view, seat)


def _out_of_play(view: State, lane: int) -> Reason | None:
    """Why a boat can no longer be named, if so."""
    row = int(view.rows[lane - 1])
    if row == NO_BOAT:
        return "no-boat", {"number": lane}
    if row == SUNK:
        return "sunk", {"lane": lane}
    return ("landed", {"lane": lane}) if row == LANDED else None


def _bad_target(phase: int, parts: dict[str, Any], view: State) -> Reason:
    """Why a vote or a decision may not name this."""
    if phase == OVERBOARD:
        if "lane" in parts:
            return "name-a-crew", {}
        if not view.people[int(view.boat), actions.CREW_IDS.index(parts["crew"])]:
            return "not-aboard", {"crew": parts["crew"]}
        return "not-tied", {}
    if "crew" in parts:
        return "name-a-boat", {}
    return _out_of_play(view, parts["lane"]) or ("not-tied", {})


def _bad_move(phase: int, parts: dict[str, Any], view: State, seat: int) -> Reason:
    """Why a person may not be placed in, taken out of, or brought aboard a boat at sea."""
    lane = parts["lane"]
    if phase == PLACING:
        on_deck = int(view.waiting[seat])
        some = on_deck & 7 if parts["person"] == "sailor" else on_deck >> 3
        return ("no-free-seat", {"lane": lane}) if some else ("none-waiting", {})
    if phase == LEAVING:
        left = [(int(code) - 1) // 2 + 1 for code in view.between if code]
        return ("already-left" if lane in left else "none-aboard"), {"lane": lane}
    left_lane = (int(view.between[seat]) - 1) // 2 + 1
    return ("just-left" if lane == left_lane else "no-seat-to-board"), {"lane": lane}


def board(view: dict[str, Any], words: Words, plain: bool = False) -> str:
    """The board as text: the boats between ship and islands, seat by seat, and what each crew has."""
    lines = [_boat_line(boat, words) for boat in view["boats"]] if plain else _drawing(view, words)
    for crew in view["crews"]:
        told = _crew_line(crew, view["baton"], words)
        mark = "▶ " if crew["crew"] in (view["turn"], *view["voting"]) else "  "
        lines += [told] if plain else wrap(told, 78, initial_indent=mark, subsequent_indent="    ")
    supply = _n("{leaks} leak left in the box.", "{leaks} leaks left in the box.", "leaks")
    lines.append(words.say(supply, leaks=view["leaks_left"]))
    lines.append(words.say(PHASES[view["phase"]], boat=view["full_boat"], crew=view["turn"]))
    return "\n".join(lines)


PHASES = {
    "drawing-first": _("Chance decides who holds the captain’s baton first."),
    "placing": _("{crew} put people aboard."),
    "leak": _("The question: which boat gets a leak?"),
    "overboard": _("The question: who goes overboard from {boat}?"),
    "advance": _("The question: which boat advances?"),
    "leaving": _("{crew} take somebody out of a boat."),
    "boarding": _("{crew} board another boat."),
    "over": _("The match is over."),
}
_BETWEEN = _("; ")
_WIDTH = 15  # of a row in the drawing: six seats of two signs, the hull, a space
# The initials differ in both languages: they stand for the crews in the drawing.
_COLOURS = dict(zip(actions.CREW_IDS, (_("Blue"), _("Green"), _("Red"), _("Yellow"), _("Lilac"), _("Ivory"))))


def _drawing(view: dict[str, Any], words: Words) -> list[str]:
    """One line per lane, from the ship on the left to the island on the right, with its points."""
    heads = [words.say(_("row {row}"), row=row) for row in range(SHIP_ROW, 0, -1)]
    lines = [" " * 10 + "".join(f"{head:^{_WIDTH}}" for head in heads).rstrip()]
    sunk = words.translate(_(" sunk "))
    for boat in view["boats"]:
        sea = ["~" * (_WIDTH - 1) + " "] * SHIP_ROW
        if boat["where"] == "sunk":
            sea[0] = f"{sunk:~^{_WIDTH - 1}} "
        else:
            sea[SHIP_ROW - boat["row"]] = f"[{_seats(boat, words):<12}] "
        label = f"{boat['lane']} {words.name('boat', boat['lane'])}"
        lines.append(f"{label:<10}{''.join(sea)}▲ {boat['worth']['sailor']}/{boat['worth']['helmsman']}")
    lines.append(words.say(_("R: a red sailor; R*: a helmsman; o: a leak; ·: a free seat; ▲: points.")))
    return lines


def _seats(boat: dict[str, Any], words: Words) -> str:
    """The seats of a boat, two signs each."""
    taken = ""
    for crew, people in boat["people"].items():
        initial = words.translate(_COLOURS[crew])[0]
        taken += f"{initial}*" * people["helmsmen"] + f"{initial} " * people["sailors"]
    return taken + "o " * boat["leaks"] + "· " * boat["free"]


def _boat_line(boat: dict[str, Any], words: Words) -> str:
    """A boat as a sentence."""
    crews = [f"{words.name('crew', crew)} {_people(people, words)}" for crew, people in boat["people"].items()]
    aboard = words.translate(_BETWEEN).join(crews) or words.translate(_("nobody"))
    where = {"lane": boat["lane"], "island": boat["island"], "row": boat["row"], "aboard": aboard}
    if boat["where"] == "sunk":
        return words.say(_("{lane}: sunk."), **where)
    if boat["where"] == "landed":
        return words.say(_("{lane}: landed on {island}. Ashore: {aboard}."), **where)
    return words.say(
        _("{lane}: row {row}, bound for {island}. Aboard: {aboard}. Leaks: {leaks}. Free seats: {free}."),
        leaks=boat["leaks"], free=boat["free"], **where,
    )  # fmt: skip


def _people(people: dict[str, int], words: Words) -> str:
    """People of one crew in one place: “2 sailors, 1 helmsman”."""
    counts = []
    if people["sailors"]:
        counts.append(words.say(_n("{sailors} sailor", "{sailors} sailors", "sailors"), **people))
    if people["helmsmen"]:
        counts.append(words.say(_n("{helmsmen} helmsman", "{helmsmen} helmsmen", "helmsmen"), **people))
    return ", ".join(counts) or words.translate(_("nobody"))


def _crew_line(crew: dict[str, Any], baton: str, words: Words) -> str:
    """A crew as a sentence: points, tokens, and people who are in no boat."""
    told = [words.say(_n("{points} point", "{points} points", "points"), points=crew["points"])]
    told.append(words.say(_n("{tokens} token", "{tokens} tokens", "tokens"), tokens=crew["tokens"]))
    if any(crew["waiting"].values()):
        told.append(words.say(_("{people} on deck"), people=_people(crew["waiting"], words)))
    if any(crew["drowned"].values()):
        told.append(words.say(_("{people} drowned"), people=_people(crew["drowned"], words)))
    if "between" in crew:
        told.append(words.translate(_("{person} between boats, out of {boat}")).format(
            person=words.name("person", crew["between"]["person"]), boat=words.name("boat", crew["between"]["lane"]),
        ))  # fmt: skip
    if crew["crew"] == baton:
        told.append(words.translate(_("the captain’s baton")))
    return words.say(_("{crew}: {told}."), crew=crew["crew"], told=words.translate(_BETWEEN).join(told))
