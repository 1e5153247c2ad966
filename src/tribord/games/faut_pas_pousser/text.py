"""The words of Faut pas pousser: what happened, what may be done, why not, and the board as text."""

from __future__ import annotations

from typing import Any

from tribord.core.event import Kinds
from tribord.core.record import State
from tribord.core.words import Words, _, _n
from tribord.games.faut_pas_pousser import actions

KINDS = Kinds()
CHOSEN = KINDS.add("chosen", "crew", _("{crew} have picked a pirate, face down."))
NEUTRAL_BACK = KINDS.add(
    "neutral-back", "crew", _("{crew} turn up “Non merci !”: it goes back into the pile, third from the top.")
)
NEUTRAL_CARD = KINDS.add("neutral-card", "crew pirate", _("{crew}, whom nobody plays, turn up {pirate}."))
NEUTRAL_PASS = KINDS.add("neutral-pass", "crew", _("{crew} turn up “Non merci !” and pass."))
LOTS = KINDS.add("lots", "crew", _("Lots are drawn: {crew} lie to the left of their equal."))
INSTALLED = KINDS.add("installed", "crew pirate slot", _("{pirate} {crew_of} stands in slot {slot}."))
FIRST = KINDS.add("first", "crew", _("{crew} stand furthest right and play first."))
PASSES = KINDS.add("passes", "crew", _("{crew} say “Non merci !” and pass."))
MOVES = KINDS.add(
    "moves",
    "crew card owner pirate slot goal",
    _("{crew} play {card}: {pirate} {owner_of} goes from slot {slot} to slot {goal}."),
)
STAYS = KINDS.add(
    "stays", "crew card owner pirate slot", _("{crew} play {card}: {pirate} {owner_of} stays in slot {slot}.")
)
FALLS = KINDS.add("falls", "crew pirate pile", _("{pirate} {crew_of} falls into the sea: pile {pile}."))
ENTERS = KINDS.add("enters", "crew pirate slot", _("{pirate} {crew_of} steps onto the plank, in slot {slot}."))
SCORES = KINDS.add(
    "scores", "crew pirate slot points", _("{pirate} {crew_of} has held on in slot {slot}: {points} points.")
)
CAPTAIN = KINDS.add("captain", "crew", _("The Captain {crew_of} is still standing: 2 points more."))
WINS = KINDS.add(
    "wins", "crew points", _n("{crew} win with {points} point.", "{crew} win with {points} points.", "points")
)
SHARES = KINDS.add(
    "shares",
    "crew points",
    _n("{crew} share the victory with {points} point.", "{crew} share the victory with {points} points.", "points"),
)

_CREWS = (_("the Blues"), _("the Greens"), _("the Reds"), _("the Yellows"))
_OF_CREWS = (_("of the Blues"), _("of the Greens"), _("of the Reds"), _("of the Yellows"))
_IDS = ("blue", "green", "red", "yellow")

NAMES: dict[str, dict[Any, str]] = {
    "crew": dict(enumerate(_CREWS)) | dict(zip(_IDS, _CREWS)),
    "crew_of": dict(enumerate(_OF_CREWS)),
    "owner_of": dict(enumerate(_OF_CREWS)),
    "pirate": {
        1: _("the Captain"),
        2: _("pirate 2"),
        3: _("pirate 3"),
        4: _("pirate 4"),
        5: _("pirate 5"),
        6: _("pirate 6"),
    },
    "card": {-1: "−1", -2: "−2", -3: "−3", 1: "+1", 2: "+2"},
    "kind": {
        "pick": _("pick a pirate"),
        "turn": _("a pirate and an action"),
        "pass": _("Non merci ! (pass)"),
    },
    "order": {
        "action-first": _("the action first, then the pirate"),
        "pirate-first": _("the pirate first, then the action"),
    },
}

PART_ORDER = ("kind", "order", "pirate", "card", "slot")
LISTED: dict[str, str] = {}
ASK = {
    "kind": _("What do you play?"),
    "order": _("In which order?"),
    "pirate": _("Which pirate?"),
    "card": _("Which action card?"),
    "slot": _("On the pirate in which slot, when the action resolves?"),
}

ENDINGS = {"end": _("All cards are played.")}

REFUSALS = {
    "pick-first": (3, _("First everybody picks one pirate for the installation.")),
    "picked": (3, _("The installation is over: play a pirate and an action, or “Non merci !”.")),
    "pass-gone": (7, _("“Non merci !” has been played already: every card is played once.")),
    "pirate-gone": (7, _("{pirate} has been played already: every card is played once.")),
    "card-gone": (7, _("The card {card} has been played already: every card is played once.")),
}


def sentence(parts: dict[str, Any]) -> str:
    """The sentence of an action."""
    if parts["kind"] == "pick":
        return _("pick {pirate} for the installation")
    if parts["kind"] == "pass":
        return _("say “Non merci !” and pass")
    if parts["order"] == "action-first":
        return _("play {card} on slot {slot}, then {pirate} enters")
    return _("{pirate} enters, then {card} on slot {slot}")


def why_not(view: State, seat: int, action: int) -> tuple[str, dict[str, Any]]:
    """Why a seat that must decide may not play this action."""
    parts = actions.parts(action)
    if int(view.sealing):
        return "pick-first", {}
    if parts["kind"] == "pick":
        return "picked", {}
    if parts["kind"] == "pass":
        return "pass-gone", {}
    if not int(view.pirates[seat]) >> (parts["pirate"] - 1) & 1:
        return "pirate-gone", {"pirate": parts["pirate"]}
    return "card-gone", {"card": parts["card"]}


def board(view: dict[str, Any], words: Words, plain: bool = False) -> str:
    """The board as text: the plank over the sea, the piles, and what each crew has left."""

    def tag(pirate: dict[str, Any]) -> str:
        name = words.translate(_SHORT[pirate["crew"]])
        return f"{name} {'★' if pirate['pirate'] == 1 and not plain else ''}{pirate['pirate']}"

    plank = [tag(p) for p in view["plank"]] or ["–"] * 4
    lines = []
    if plain:
        slots = "; ".join(words.say(_("slot {slot} {pirate}"), slot=k + 1, pirate=t) for k, t in enumerate(plank))
        lines.append(words.say(_("Plank from the ship to the sea: {slots}."), slots=slots))
        for k, pile in enumerate(view["piles"]):
            if pile:
                lines.append(words.say(_("Pile {pile}: {pirates}."), pile=k + 1, pirates=", ".join(map(tag, pile))))
    else:
        width = max(len(t) for t in plank) + 2
        lines += [
            " " * 9 + " ".join(f"{k + 1:^{width}}" for k in range(4)),
            "▒▒▒▒▒▒▒▒ " + " ".join(f"{t:^{width}}" for t in plank),
            "▒▒▒▒▒▒▒▒" + "═" * ((width + 1) * 4 + 1) + "╗",
            "▒▒▒▒▒▒▒" + "~" * ((width + 1) * 4 + 6),
        ]
        for k, pile in enumerate(view["piles"]):
            lines.append(f"  {k + 1} pt  " + "  ".join(map(tag, pile)))
    for crew in view["crews"]:
        left = " ".join(map(str, crew["pirates"]))
        cards = " ".join(words.name("card", c) for c in crew["cards"])
        pass_card = words.translate(_("Non merci !")) if crew["pass"] else ""
        mark = "" if plain else "▶ " if view["to_play"] == crew["crew"] else "  "
        lines.append(
            mark
            + words.say(
                _("{crew}: pirates {pirates}; actions {cards} {pass_card}; {points} pts"),
                crew=crew["crew"], pirates=left or "–", cards=cards or "–", pass_card=pass_card, points=crew["points"],
            )
        )  # fmt: skip
    return "\n".join(lines)


_SHORT = {"blue": _("blue"), "green": _("green"), "red": _("red"), "yellow": _("yellow")}
