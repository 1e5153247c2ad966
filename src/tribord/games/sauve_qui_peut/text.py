"""The words of Sauve qui peut !: what happened, what may be done, why not, and the board as text."""

from __future__ import annotations

from textwrap import wrap
from typing import Any

from tribord.core.record import State
from tribord.core.words import Phrase, Sentence, Words, _, _n
from tribord.games.sauve_qui_peut import actions, rules
from tribord.games.sauve_qui_peut.state import BOARDING, LEAVING, NO_BOAT, OVERBOARD, PLACING, SHIP_ROW, SUNK

WhyRefused = tuple[str, dict[str, Any]]  # of a refusal: its code and the fields of its sentence

SENTENCES = {
    "first": Sentence(
        _("By luck, {crew} gets the captain’s baton."),
        named=_("By luck, {name} gets the captain’s baton."),
        you=_("By luck, you get the captain’s baton."),
    ),
    "placed": Sentence(
        _("{crew} puts {person} aboard {boat}."),
        named=_("{name} puts {person} aboard {boat}."),
        you=_("You put {person} aboard {boat}."),
    ),
    "baton": Sentence(
        _("New round: {crew} holds the baton."),
        named=_("New round: {name} holds the baton."),
        you=_("New round: you hold the baton."),
    ),
    "last-boat": Sentence(_("Only {boat} is still at sea: this may be the last round!")),
    "two-boats": Sentence(_("Only {boat} and {other} are left: this may be the last round!")),
    "last-round": Sentence(_("Last round! {boat} lands or sinks.")),
    "no-leak": Sentence(_("All fifteen leaks are in the boats: no boat springs a leak this round.")),
    "votes-boat": Sentence(
        _("{crew} votes for {boat}."),
        named=_("{name} votes for {boat}."),
        you=_("You vote for {boat}."),
    ),
    "votes-crew": Sentence(
        _n("{crew} votes against {target}: {votes} vote.", "{crew} votes against {target}: {votes} votes.", "votes"),
        named=_n(
            "{name} votes against {target_people}: {votes} vote.",
            "{name} votes against {target_people}: {votes} votes.",
            "votes",
        ),
        you=_n(
            "You vote against {target_people}: {votes} vote.",
            "You vote against {target_people}: {votes} votes.",
            "votes",
        ),
    ),
    "shows-cap": Sentence(
        _("{crew} shows the captain’s cap."),
        named=_("{name} shows the captain’s cap."),
        you=_("You show the captain’s cap."),
    ),
    "caps-cancel": Sentence(_("{caps} caps cancel each other out: only the other votes count.")),
    "most-boat": Sentence(_("{boat} has the most votes: {votes} of {all}.")),
    "most-crew": Sentence(
        _("{crew} has the most votes: {votes} of {all}."),
        named=_("{name} has the most votes: {votes} of {all}."),
        you=_("You have the most votes: {votes} of {all}."),
    ),
    "only-boat": Sentence(_("{boat} is the only boat at sea: there’s nothing to decide.")),
    "one-cap": Sentence(
        _("Only one cap: {crew} decides!"),
        named=_("Only one cap: {name} decides!"),
        you=_("Only one cap: you decide!"),
    ),
    "all-caps": Sentence(
        _("Nothing but caps: {crew} holds the baton and decides."),
        named=_("Nothing but caps: {name} holds the baton and decides."),
        you=_("Nothing but caps: you hold the baton and decide."),
    ),
    "tie": Sentence(
        _("A tie, {votes} each: {crew} holds the baton and decides."),
        named=_("A tie, {votes} each: {name} holds the baton and decides."),
        you=_("A tie, {votes} each: you hold the baton and decide."),
    ),
    "decides-boat": Sentence(
        _("{crew} chooses {boat}."),
        named=_("{name} chooses {boat}."),
        you=_("You choose {boat}."),
    ),
    "decides-crew": Sentence(
        _("{crew} chooses {target}."),
        named=_("{name} chooses {target_people}."),
        you=_("You choose {target_people}."),
    ),
    "full": Sentence(_("{boat} is full: someone must make room for the leak.")),
    "alone": Sentence(_("There’s only one crew in {boat}: no vote needed.")),
    "thrown": Sentence(
        _("Splash! {crew} loses {person} from {boat}."),
        named=_("Splash! {name} loses {person} from {boat}."),
        you=_("Splash! You lose {person} from {boat}."),
    ),
    "leaks": Sentence(_n("{boat} now has {leaks} leak.", "{boat} now has {leaks} leaks.", "leaks")),
    "sinks": Sentence(_("{boat} has more leaks than people and sinks.")),
    "drown": Sentence(
        _("{crew} loses {people} with {boat}."),
        named=_("{name} loses {people} with {boat}."),
        you=_("{boat} sinks with {people_yours}."),
    ),
    "advances": Sentence(_("{boat} advances to row {row}.")),
    "lands": Sentence(_("{boat} lands on {island}!")),
    "scores": Sentence(
        _("{crew} brings {person} ashore: {points} points."),
        named=_("{name} brings {person} ashore: {points} points."),
        you=_("You bring {person} ashore: {points} points."),
    ),
    "leaves": Sentence(
        _("{crew} takes {person} out of {boat}."),
        named=_("{name} takes {person} out of {boat}."),
        you=_("You take {person} out of {boat}."),
    ),
    "stuck": Sentence(
        _("{crew} stays put: only one person may leave each boat."),
        named=_("{name} stays put: only one person may leave each boat."),
        you=_("You stay put: only one person may leave each boat."),
    ),
    "boards": Sentence(
        _("{crew} brings {person} aboard {boat}."),
        named=_("{name} brings {person} aboard {boat}."),
        you=_("You bring {person} aboard {boat}."),
    ),
    "drowns": Sentence(
        _("No seat left: {crew} loses {person} to the sea."),
        named=_("No seat left: {name} loses {person} to the sea."),
        you=_("No seat left: you lose {person} to the sea."),
    ),
    "wins": Sentence(
        _n("{crew} wins with {points} point.", "{crew} wins with {points} points.", "points"),
        named=_n("{name} wins with {points} point.", "{name} wins with {points} points.", "points"),
        you=_n("You win with {points} point!", "You win with {points} points!", "points"),
    ),
    "shares": Sentence(
        _n(
            "{crew} shares the victory with {points} point.",
            "{crew} shares the victory with {points} points.",
            "points",
            _("{crew} shares the victory without a single point."),
        ),
        named=_n(
            "{name} shares the victory with {points} point.",
            "{name} shares the victory with {points} points.",
            "points",
            _("{name} shares the victory without a single point."),
        ),
        you=_n(
            "You share the victory with {points} point.",
            "You share the victory with {points} points.",
            "points",
            _("You share the victory without a single point."),
        ),
    ),
}

PEOPLE = ("crew", "target")  # fields of events that hold a seat
PHRASES = {
    "people": Phrase(
        yours=_("you"), theirs="{name}", crews="{name}", own=_("their own crew"), your_own=_("your own crew")
    )
}

_CREWS = (_("Blue"), _("Green"), _("Red"), _("Yellow"), _("Lilac"), _("Ivory"))
_TO_CREWS = (
    _("to Blue"),
    _("to Green"),
    _("to Red"),
    _("to Yellow"),
    _("to Lilac"),
    _("to Ivory"),
)
_CREW_NAMES: dict[Any, str] = dict(enumerate(_CREWS)) | dict(zip(actions.CREW_IDS, _CREWS))
_PERSONS: dict[Any, str] = {0: _("a sailor"), 1: _("a helmsman"), "sailor": _("a sailor"), "helmsman": _("a helmsman")}
_BOATS = dict(zip(actions.LANES, ("Babette", "Colette", "Dorine", "Fanchon", "Ginette", "Lison", "Margot")))
# How many go down with a boat: six seats are the most there are.
_PEOPLE = (_("one person"), _("two people"), _("three people"), _("four people"), _("five people"), _("six people"))
_YOURS = (
    _("one of yours"),
    _("two of yours"),
    _("three of yours"),
    _("four of yours"),
    _("five of yours"),
    _("six of yours"),
)
_ISLANDS = (_("the left island"), _("the centre island"), _("the right island"))

NAMES: dict[str, dict[Any, str]] = {
    "crew": _CREW_NAMES,
    "crew_to": dict(enumerate(_TO_CREWS)) | dict(zip(actions.CREW_IDS, _TO_CREWS)),
    "target": _CREW_NAMES,
    "person": _PERSONS,
    "people": dict(enumerate(_PEOPLE, 1)),
    "people_yours": dict(enumerate(_YOURS, 1)),
    "boat": _BOATS,
    "other": _BOATS,
    "lane": {lane: f"{name} ({lane})" for lane, name in _BOATS.items()},
    "island": dict(enumerate(_ISLANDS)) | dict(zip(("left", "centre", "right"), _ISLANDS)),
    "kind": {
        "place": _("put someone aboard"),
        "vote": _("vote"),
        "cap": _("show the captain’s cap"),
        "decide": _("choose"),
        "leave": _("take someone out of a boat"),
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

ENDINGS = {
    "no-boat": _("There’s no boat left at sea."),
    "nobody": _("There’s no one left at sea."),
}

REFUSALS = {
    "no-boat": (1, _("There’s no boat in lane {number}: choose another one.")),
    "none-waiting": (2, _("You’ve put all of those aboard: choose someone else.")),
    "place-first": (5, _("Your people are still on deck: put them into the boats first.")),
    "no-free-seat": (5, _("{lane} has no free seat: choose another boat.")),
    "vote-now": (6, _("It’s time to vote: choose a target, or show the captain’s cap.")),
    "no-token": (6, _("You have no token left for the captain’s cap: choose a target.")),
    "decide-by-cap": (7, _("Yours is the only cap: choose a target.")),
    "decide-by-baton": (8, _("Nothing but caps, and you hold the baton: choose a target.")),
    "decide-the-tie": (9, _("It’s a tie, and you hold the baton: choose a target.")),
    "not-tied": (9, _("It’s a tie: choose one of those with the most votes.")),
    "name-a-boat": (11, _("This vote is about a boat: choose a boat.")),
    "name-a-crew": (12, _("This vote is about who goes overboard: choose a crew.")),
    "not-aboard": (12, _("{crew} has no one in that boat: choose a crew that does.")),
    "sunk": (13, _("{lane} has sunk: choose another boat.")),
    "landed": (14, _("{lane} has landed and is safe: choose another boat.")),
    "leave-now": (16, _("First take one of your people out of a boat.")),
    "already-left": (16, _("Someone has already left {lane} this round: choose another boat.")),
    "nobody-there": (16, _("You have no one in {lane}: choose another boat.")),
    "none-aboard": (16, _("You have no one of that kind in {lane}: choose someone else.")),
    "board-now": (17, _("Your swimmer needs a boat: choose one.")),
    "just-left": (17, _("Your swimmer has just left {lane}: choose another boat.")),
    "no-seat-to-board": (17, _("{lane} has no free seat: choose another boat.")),
}
DECIDE = {7: "decide-by-cap", 8: "decide-by-baton", 9: "decide-the-tie"}  # by the rule that gives someone the last word


def sentence(parts: dict[str, Any]) -> str:
    """The sentence of an action."""
    kind = parts["kind"]
    if kind == "place":
        return _("put {person} aboard {lane}")
    if kind == "cap":
        return _("show the captain’s cap")
    if kind == "vote":
        return _("vote against {crew}") if "crew" in parts else _("vote for {lane}")
    if kind == "decide":
        return _("choose {crew}") if "crew" in parts else _("choose {lane}")
    if kind == "leave":
        return _("take {person} out of {lane}")
    return _("board {lane}")


def stakes(kind: str, fields: dict[str, int]) -> tuple[int, int]:
    """The crew an event affects, and whether for better (1) or worse (-1); 0 if it settles nothing."""
    return fields.get("crew", 0), {"thrown": -1, "drown": -1, "drowns": -1, "scores": 1}.get(kind, 0)


def why_not(view: State, seat: int, action: int) -> WhyRefused:
    """Why a seat that must decide may not play this action."""
    parts = actions.parts(action)
    phase, kind = int(view.phase), parts["kind"]
    if int(view.sealing):
        if kind not in ("vote", "cap"):
            return "vote-now", {}
        return ("no-token", {}) if kind == "cap" else _bad_target(phase, parts, view)
    if int(view.targets):
        return (DECIDE[int(view.by_rule)], {}) if kind != "decide" else _bad_target(phase, parts, view)
    asked = {PLACING: "place", LEAVING: "leave", BOARDING: "board"}[phase]
    if kind != asked:
        return f"{asked}-{'first' if phase == PLACING else 'now'}", {}
    lane, conditions = parts["lane"], _conditions(view, seat, phase)
    place = action - rules.first_choice(view)
    return _out_of_play(view, lane) or next(
        (code, {"lane": lane}) for met_by, code in conditions if not met_by >> place & 1
    )


def _conditions(view: State, seat: int, phase: int) -> tuple[tuple[int, str], ...]:
    """The conditions on a boat to place a person in (S5), take one out of (S16) or bring one aboard (S17).

    A condition is the set of actions that meet it, and the refusal of those that don't.
    """
    seats = rules.boats_with_a_seat(view)
    if phase == PLACING:
        return (rules.on_deck(view, seat), "none-waiting"), (rules.either(seats), "no-free-seat")
    if phase == LEAVING:
        return (
            (~rules.either(rules.lanes_left(view)), "already-left"),
            (rules.either(rules.boats_at_sea_with(view, seat)), "nobody-there"),
            (rules.aboard(view, seat), "none-aboard"),
        )
    return (~(1 << rules.lane_left(view, seat)), "just-left"), (seats, "no-seat-to-board")


def _out_of_play(view: State, lane: int) -> WhyRefused | None:
    """Why a boat can't be chosen any more; None if it can."""
    row = int(view.rows[lane - 1])
    if row == NO_BOAT:
        return "no-boat", {"number": lane}
    if row == SUNK:
        return "sunk", {"lane": lane}
    return None if rules.at_sea(view, lane - 1) else ("landed", {"lane": lane})


def _bad_target(phase: int, parts: dict[str, Any], view: State) -> WhyRefused:
    """Why a vote or a decision may not choose this target."""
    if phase == OVERBOARD:
        if "lane" in parts:
            return "name-a-crew", {}
        if not rules.eligible(view) >> actions.CREW_IDS.index(parts["crew"]) & 1:
            return "not-aboard", {"crew": parts["crew"]}
        return "not-tied", {}
    if "crew" in parts:
        return "name-a-boat", {}
    return _out_of_play(view, parts["lane"]) or ("not-tied", {})


def board(view: dict[str, Any], words: Words, plain: bool = False) -> str:
    """The board as text: the boats between ship and islands, seat by seat, and what each crew has."""
    lines = [_boat_line(boat, words) for boat in view["boats"]] if plain else _drawing(view, words)
    for crew in view["crews"]:
        told = _crew_line(crew, view["baton"], words)
        mark = "▶ " if crew["crew"] in (view["turn"], *view["voting"]) else "  "
        lines += [told] if plain else wrap(told, 78, initial_indent=mark, subsequent_indent="    ")
    supply = _n(
        "{leaks} leak left in the box.", "{leaks} leaks left in the box.", "leaks", _("No leak is left in the box.")
    )
    lines.append(words.say(supply, leaks=view["leaks_left"]))
    lines.append(words.say(PHASES[view["phase"]], boat=view["full_boat"], crew=view["turn"]))
    return "\n".join(lines)


PHASES = {
    "drawing-first": _("Chance decides who holds the captain’s baton first."),
    "placing": _("{crew} puts people aboard."),
    "leak": _("Which boat gets a leak?"),
    "overboard": _("{boat} is full: who goes overboard?"),
    "advance": _("Which boat advances?"),
    "leaving": _("{crew} takes someone out of a boat."),
    "boarding": _("{crew} boards another boat."),
    "over": _("The game is over."),
}
_BETWEEN = _("; ")
_WIDTH = 15  # of a row in the drawing: six seats of two signs, the hull, a space
_INITIALS = _("BGRYLI")  # of the crews in the drawing: no two share one, in either language


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
        initial = words.translate(_INITIALS)[actions.CREW_IDS.index(crew)]
        taken += f"{initial}*" * people["helmsmen"] + f"{initial} " * people["sailors"]
    return taken + "o " * boat["leaks"] + "· " * boat["free"]


def _boat_line(boat: dict[str, Any], words: Words) -> str:
    """A boat as a sentence."""
    crews = [f"{words.name('crew', crew)} ({_people(people, words)})" for crew, people in boat["people"].items()]
    aboard = words.translate(_BETWEEN).join(crews) or words.translate(_("no one"))
    where = {"lane": boat["lane"], "island": boat["island"], "row": boat["row"], "aboard": aboard}
    if boat["where"] == "sunk":
        return words.say(_("{lane}: sunk."), **where)
    if boat["where"] == "landed":
        return words.say(_("{lane}: landed on {island}. Ashore: {aboard}."), **where)
    leaking = words.say(_n("{leaks} leak", "{leaks} leaks", "leaks", _("no leak")), leaks=boat["leaks"])
    room = words.say(_n("{free} free seat", "{free} free seats", "free", _("no free seat")), free=boat["free"])
    said = _("{lane}: row {row}, bound for {island}. Aboard: {aboard}. {leaking}, {room}.")
    return words.say(said, leaking=leaking, room=_inside(room), **where)


def _people(people: dict[str, int], words: Words) -> str:
    """People of one crew in one place: “2 sailors, 1 helmsman”."""
    counts = []
    if people["sailors"]:
        counts.append(words.say(_n("{sailors} sailor", "{sailors} sailors", "sailors"), **people))
    if people["helmsmen"]:
        counts.append(words.say(_n("{helmsmen} helmsman", "{helmsmen} helmsmen", "helmsmen"), **people))
    return ", ".join(counts) or words.translate(_("no one"))


def _crew_line(crew: dict[str, Any], baton: str, words: Words) -> str:
    """A crew as a sentence: points, tokens, and people who are in no boat."""
    told = [words.say(_n("{points} point", "{points} points", "points", _("no points")), points=crew["points"])]
    tokens = _n("{tokens} token", "{tokens} tokens", "tokens", _("no token left"))
    told.append(words.say(tokens, tokens=crew["tokens"]))
    if any(crew["waiting"].values()):
        told.append(words.say(_("on deck: {people}"), people=_people(crew["waiting"], words)))
    if any(crew["drowned"].values()):
        told.append(words.say(_("drowned: {people}"), people=_people(crew["drowned"], words)))
    if "between" in crew:
        told.append(words.translate(_("{person} changing boats, just left {boat}")).format(
            person=words.name("person", crew["between"]["person"]), boat=words.name("boat", crew["between"]["lane"]),
        ))  # fmt: skip
    if crew["crew"] == baton:
        told.append(words.translate(_("the captain’s baton")))
    return words.say(_("{crew}: {told}."), crew=crew["crew"], told=words.translate(_BETWEEN).join(map(_inside, told)))


def _inside(said: str) -> str:
    """Something said, as it stands inside a sentence."""
    return said[:1].lower() + said[1:]
