"""The words of L'Île aux Pirates: what happened, what may be done, why not, and the board as text."""

from __future__ import annotations

from typing import Any

from tribord.core.record import State
from tribord.core.refusal import BadOption
from tribord.core.words import Phrase, Sentence, Words, _, _n
from tribord.games.ile_aux_pirates.actions import COLOUR_IDS, PAWN_IDS, die_of, pawn_of
from tribord.games.ile_aux_pirates.rules import ashore, children_of, dice_left
from tribord.games.ile_aux_pirates.state import (
    ALL_ABOARD,
    ALL_SENT_BACK,
    CASTLE,
    CHILDREN,
    COLOURS,
    NO_CHILD_LEFT,
    SHIP,
)

SENTENCES = {
    "force": Sentence(_("{pawn_name} has force {force}.")),
    "face-down": Sentence(_("The pirates turn their backs: remember who’s who.")),
    "starts": Sentence(
        _("By luck, {colour} starts."), named=_("By luck, {name} starts."), you=_("By luck, you start.")
    ),
    "last-turn": Sentence(_("Dawn is near: this is the last turn!")),
    "throws": Sentence(
        _("{colour} rolls {one}, {two} and {three}."),
        named=_("{name} rolls {one}, {two} and {three}."),
        you=_("You roll {one}, {two} and {three}."),
    ),
    "throws-alone": Sentence(
        _("{player} rolls for {hue}: {one}, {two} and {three}."),
        named=_("{name} rolls for {hue}: {one}, {two} and {three}."),
        you=_("You roll for {hue}: {one}, {two} and {three}."),
    ),
    "throws-base": Sentence(
        _("{player} rolls {one}, {two} and {three}."),
        named=_("{name} rolls {one}, {two} and {three}."),
        you=_("You roll {one}, {two} and {three}."),
    ),
    "throws-two": Sentence(
        _("{player} rolls two dice: {one} and {two}."),
        named=_("{name} rolls two dice: {one} and {two}."),
        you=_("You roll two dice: {one} and {two}."),
    ),
    "leaves-castle": Sentence(_("{pawn_name} slips out to square {goal}.")),
    "moves": Sentence(_("{pawn_name} takes the {die} and runs to square {goal}.")),
    "boards": Sentence(_("{pawn_name} takes the {die} and boards the ship.")),
    "captured": Sentence(_("{pawn_name} is caught on square {square}: back to the castle!")),
    "safe": Sentence(_("Three children together on square {square}: too many for the pirate!")),
    "shows": Sentence(_("{pawn_name} turns round: force {force}.")),
    "duel": Sentence(
        _n(
            "Duel on square {square}: force {force} against {children} child.",
            "Duel on square {square}: force {force} against {children} children.",
            "children",
        ),
    ),
    "standoff": Sentence(_("It’s a tie: everyone stays on square {square}.")),
    "holds": Sentence(_("The children are stronger, but in the hard game the pirates stay on square {square}.")),
    "sent-back": Sentence(
        _("{pawn_name} goes back to the castle."),
        named=_("{owner_pawn} goes back to the castle."),
    ),
    "die-lost": Sentence(_("No one can take the {die}: {why}.")),
    "ship-held": Sentence(_("On the ship, {children} children hold out against force {force}.")),
    "ship-taken": Sentence(
        _n(
            "On the ship, force {force} meets {children} child: the pirates take the ship, and everyone loses.",
            "On the ship, force {force} meets {children} children: the pirates take the ship, and everyone loses.",
            "children",
            _("On the ship, force {force} meets no child at all: the pirates take the ship, and everyone loses."),
        ),
    ),
    "pirate-first": Sentence(_("The pirate is aboard before the third child: everyone loses.")),
    "escaped": Sentence(_("The third child is aboard. Anchors aweigh, everyone wins!")),
    "home": Sentence(_("All {children} children are aboard. Anchors aweigh, everyone wins!")),
    "late": Sentence(_("The sun rises after the last turn: everyone loses.")),
}

# Fields of events that hold a seat. An owner without one (NOBODY, or a colour that nobody plays) has no name.
PEOPLE = ("colour", "player", "owner")
PHRASES = {
    "pawn": Phrase(yours=_("your {pawn_name}"), theirs=_("{name_of} {pawn_name}"), crews="{pawn_name}"),
}

_COLOURS = (_("Blue"), _("Green"), _("Red"), _("Yellow"))
# Every nickname has its colour.
_CHILDREN = (
    _("Hazel"), _("Cocoa"), _("Toffee"), _("Nutmeg"),
    _("Indigo"), _("Azure"), _("Olive"), _("Basil"), _("Ruby"), _("Garnet"), _("Saffron"), _("Lemon"),
)  # fmt: skip
_CHILDREN_IN_COLOUR = (
    _("Hazel (brown)"), _("Cocoa (brown)"), _("Toffee (brown)"), _("Nutmeg (brown)"),
    _("Indigo (blue)"), _("Azure (blue)"), _("Olive (green)"), _("Basil (green)"),
    _("Ruby (red)"), _("Garnet (red)"), _("Saffron (yellow)"), _("Lemon (yellow)"),
)  # fmt: skip
_PIRATES = (_("Eyepatch"), _("Pegleg"), _("Hookhand"))
_PIRATES_IN_BLACK = (_("Eyepatch (pirate)"), _("Pegleg (pirate)"), _("Hookhand (pirate)"))
_TO_COLOURS = (_("to Blue"), _("to Green"), _("to Red"), _("to Yellow"))
_PLAYERS = (_("player 1"), _("player 2"), _("player 3"), _("player 4"), _("player 5"), _("player 6"))
_TO_PLAYERS = (
    _("to player 1"), _("to player 2"), _("to player 3"), _("to player 4"), _("to player 5"), _("to player 6"),
)  # fmt: skip

NAMES: dict[str, dict[Any, str]] = {
    "colour": dict(enumerate(_COLOURS)) | dict(zip(COLOUR_IDS, _COLOURS)),
    "colour_to": dict(zip(COLOUR_IDS, _TO_COLOURS)),
    "player": dict(enumerate(_PLAYERS)),
    "player_to": dict(enumerate(_TO_PLAYERS)),
    "pawn": dict(zip(PAWN_IDS, _CHILDREN_IN_COLOUR + _PIRATES_IN_BLACK)),
    "pawn_name": dict(enumerate(_CHILDREN + _PIRATES)) | dict(zip(PAWN_IDS, _CHILDREN + _PIRATES)),
    "hue": dict(enumerate(_COLOURS)),
    "why": {
        ALL_ABOARD: _("every pirate is aboard"),
        ALL_SENT_BACK: _("the pirates ashore were sent back this turn"),
        NO_CHILD_LEFT: _("no child may move any more"),
    },
    "kind": {"move": _("move a pawn")},
}

# What players may point at, to plan together.
POINTS = {"pawn": PAWN_IDS, "square": range(CASTLE, SHIP + 1)}

PART_ORDER = ("kind", "die", "pawn")
LISTED: dict[str, str] = {}
ASK = {
    "kind": _("What do you do?"),
    "die": _("Which die?"),
    "pawn": _("Which pawn takes it?"),
}

ENDINGS = {
    "won": _("All the children are aboard, and the pirates are left with the washing-up."),
    "lost": _("The ship is in the wrong hands, and the children are peeling potatoes."),
    "limit": _("The sun is up, and the pirates have found everyone."),
}

REFUSALS = {
    "no-such-die": (2, _("There’s no {die} left: choose another die.")),
    "not-in-base": (6, _("{pawn_name} isn’t in the base game: choose a brown child or the pirate.")),
    "fourth-brown": (18, _("{pawn_name} plays only with the option “A fourth child”: choose another pawn.")),
    "aboard": (1, _("{pawn_name} is already aboard: choose another pawn.")),
    "sent-back": (5, _("{pawn_name} has just been sent back and waits for the next turn: choose another pawn.")),
    "moved": (2, _("{pawn_name} has already moved this turn: choose another pawn.")),
    "one-pirate": (12, _("A pirate has already moved: the other dice are for children.")),
    "two-children": (12, _("Two children have already moved: the last die is for a pirate.")),
    "pirates-die": (6, _("The children’s dice are used: the last die is for the pirate.")),
    "not-yours": (12, _("{pawn_name} isn’t yours: first bring both your own children aboard.")),
    "neutral-first": (13, _("{pawn_name} belongs to another player: first help the neutral children aboard.")),
}

TOO_MANY = _("The strategic game is for 1 to 4 players, not {players}.")
STRATEGIC_ONLY = _("The option “{option}” is only for the strategic game.")
YOUNGEST_STARTS = _("In the base game the youngest starts: leave out “first”.")


def sentence(parts: dict[str, Any]) -> str:
    """The sentence of an action."""
    return _("{pawn} takes the {die}")


def stakes(kind: str, fields: dict[str, int]) -> tuple[int, int]:
    """Whether an event is for better (1) or worse (-1) for everyone; 0 if it settles nothing."""
    if kind in ("leaves-castle", "moves", "boards"):
        return 0, 1 if fields["pawn"] < CHILDREN else -1
    if kind == "sent-back":
        return 0, -1 if fields["pawn"] < CHILDREN else 1
    return 0, {"captured": -1, "pirate-first": -1, "ship-taken": -1, "late": -1, "escaped": 1, "home": 1}.get(kind, 0)


def check_settings(settings: State) -> None:
    """I6, I10, I17, I18: which options go together."""
    players = int(settings.players)
    if settings.game:
        if players > COLOURS:
            raise BadOption("too-many", TOO_MANY, "I10", players=players)
        return
    if settings.hard:
        raise BadOption("strategic-only", STRATEGIC_ONLY, "I17", option="hard")
    if settings.harder:
        raise BadOption("strategic-only", STRATEGIC_ONLY, "I18", option="harder")
    if int(settings.first) != players:  # that is "random"
        raise BadOption("youngest-starts", YOUNGEST_STARTS, "I6")


def why_not(view: State, seat: int, action: int) -> tuple[str, dict[str, Any]]:
    """Why a seat that must decide may not play this action."""
    die, pawn = die_of(action), pawn_of(action)
    place, here = int(view.at[pawn]), ashore(view)
    who = {"pawn": PAWN_IDS[pawn]}
    if not dice_left(view) >> (die - 1) & 1:
        return "no-such-die", {"die": die}
    if not here >> pawn & 1:
        if place == SHIP:
            return "aboard", who
        return ("fourth-brown" if view.strategic else "not-in-base"), who
    if int(view.spent) >> pawn & 1:  # a pawn that has moved has left the castle, so one that's there was sent back
        return ("sent-back" if place == CASTLE else "moved"), who
    if pawn >= CHILDREN:
        return "one-pirate", {}
    if not view.child_dice:
        return ("two-children" if view.strategic else "pirates-die"), {}
    return ("not-yours" if here & children_of(int(view.turn)) else "neutral-first"), who


def board(view: dict[str, Any], words: Words, plain: bool = False) -> str:
    """The board as text: the way from the castle to the ship, each pawn in a lane of its own, and the dice."""
    lines = [*_places(view, words), _forces(view, words)] if plain else _lanes(view, words)
    if view["dice"]:
        dice = ", ".join(map(str, view["dice"]))
        if view["pirate_dice"] and view["child_dice"]:
            text = _("Dice left: {dice}, one of them for a pirate.")
        elif view["pirate_dice"]:
            text = _("Dice left: {dice}, for a pirate.")
        else:
            text = _("Dice left: {dice}, for children.")
        lines.append(words.say(text, dice=dice))
    if view["turn"] is not None:
        text = _("It’s {colour}’s turn.") if view["game"] == "strategic" else _("It’s {player}’s turn.")
        lines.append(words.say(text, colour=view["turn"], player=view["turn"]))
    if "turns_left" in view:
        lines.append(words.say(_n("{turns} turn left.", "{turns} turns left.", "turns"), turns=view["turns_left"]))
    return "\n".join(lines)


def _places(view: dict[str, Any], words: Words) -> list[str]:
    """Who is where, place by place, in short sentences."""
    lines = []
    for place in range(CASTLE, SHIP + 1):
        names = ", ".join(words.name("pawn", pawn) for pawn, at in view["pawns"].items() if at == place)
        if place == CASTLE:
            lines.append(words.say(_("In the castle: {pawns}."), pawns=names or words.translate(_("no one"))))
        elif place == SHIP:
            lines.append(words.say(_("On the ship: {pawns}."), pawns=names or words.translate(_("no one"))))
        elif names:
            lines.append(words.say(_("Square {square}: {pawns}."), square=place, pawns=names))
    return lines


def _lanes(view: dict[str, Any], words: Words) -> list[str]:
    """A lane for each pawn: a child is a dot, a pirate his force, or “?” if it must be remembered."""
    places = [words.translate(_("castle")), *map(str, range(1, SHIP)), words.translate(_("ship"))]
    label = max(len(words.name("pawn", pawn)) for pawn in view["pawns"])
    lines = [" " * label + "".join(f" {place}" for place in places)]
    for pawn, at in view["pawns"].items():
        mark = "●"
        if pawn.startswith("pirate"):
            mark = str(view["forces"][pawn]) if pawn in view["shown"] else "?"
        lane = "".join(f"{mark if k == at else '·':>{len(place) + 1}}" for k, place in enumerate(places))
        lines.append(f"{words.name('pawn', pawn):<{label}}{lane}")
    return lines


def _forces(view: dict[str, Any], words: Words) -> str:
    """The forces in sight: with memory on, those in the last duel or aboard."""
    seen = []
    for pirate, force in view["forces"].items():
        if pirate in view["shown"]:
            seen.append(words.say(_("{pawn_name} has force {force}"), pawn=pirate, force=force))
        else:
            seen.append(words.say(_("{pawn_name} has turned his back"), pawn=pirate))
    return ", ".join(seen) + "." if seen else words.say(_("The forces aren’t drawn yet."))
