"""The words of Walk the Plank: events, actions, refusals, and the board as text."""

from __future__ import annotations

from typing import Any

from tribord.core.record import State
from tribord.core.words import Phrase, Sentence, Words, _, _n
from tribord.games.walk_the_plank import actions
from tribord.games.walk_the_plank.actions import CARDS, CREW_IDS, FIRST_TARGET, KIND_OF_CARD, SHOVE_LEFT
from tribord.games.walk_the_plank.events import (
    ALL_ABOARD,
    LONG_PLANK,
    NO_COMPANY,
    NO_COMPANY_OFF_SHIP,
    NO_NEIGHBOUR,
    NO_RUN_UP,
    NOT_LEFT,
    NOT_RIGHT,
    SHORT_PLANK,
)
from tribord.games.walk_the_plank.rules import ALLOWED, MET, OWN, card_to_aim, hand, meeting, shoved

SENTENCES = {
    "receives": Sentence(
        _("{crew} gets the Captain’s Favour and starts."),
        named=_("{name} gets the Captain’s Favour and starts."),
        you=_("You get the Captain’s Favour and start."),
    ),
    "chosen": Sentence(
        _("{crew} has placed three cards, face down."),
        named=_("{name} has placed three cards, face down."),
        you=_("You have placed three cards, face down."),
    ),
    "reveals": Sentence(
        _("{crew} turns up card {slot}: “{card}”."),
        named=_("{name} turns up card {slot}: “{card}”."),
        you=_("You turn up card {slot}: “{card}”."),
    ),
    "no-effect": Sentence(_("“{card}” has no effect: {why}.")),
    "shoves": Sentence(
        _("A {crew} pirate shoves a {victim} pirate {space_from} {goal_to}."),
        named=_("{name} shoves {victim_pirate} {space_from} {goal_to}."),
        you=_("You shove {victim_pirate} {space_from} {goal_to}."),
    ),
    "extends": Sentence(
        _("{crew} extends the plank: it has {plank} tiles."),
        named=_("{name} extends the plank: it has {plank} tiles."),
        you=_("You extend the plank: it has {plank} tiles."),
    ),
    "retracts": Sentence(
        _n(
            "{crew} retracts the plank: it has {plank} tile.",
            "{crew} retracts the plank: it has {plank} tiles.",
            "plank",
        ),
        named=_n(
            "{name} retracts the plank: it has {plank} tile.",
            "{name} retracts the plank: it has {plank} tiles.",
            "plank",
        ),
        you=_n("You retract the plank: it has {plank} tile.", "You retract the plank: it has {plank} tiles.", "plank"),
    ),
    "drags": Sentence(
        _("A {crew} pirate drags a {victim} pirate along {space_from} {goal_to}."),
        named=_("{name} drags {victim_pirate} along {space_from} {goal_to}."),
        you=_("You drag {victim_pirate} along {space_from} {goal_to}."),
    ),
    "pulls": Sentence(
        _("A {crew} pirate pulls a {victim} pirate along {space_from} {goal_to}."),
        named=_("{name} pulls {victim_pirate} along {space_from} {goal_to}."),
        you=_("You pull {victim_pirate} along {space_from} {goal_to}."),
    ),
    "runs": Sentence(
        _("A {crew} pirate runs {space_from} {goal_to}."),
        named=_("{crew_pirate} runs {space_from} {goal_to}."),
    ),
    "flees": Sentence(
        _("A {crew} pirate doesn’t want to die and goes {space_from} {goal_to}."),
        named=_("{crew_pirate} doesn’t want to die and goes {space_from} {goal_to}."),
    ),
    "charges": Sentence(
        _("A {crew} pirate charges {space_from} {goal_to}."),
        named=_("{crew_pirate} charges {space_from} {goal_to}."),
    ),
    "pushes": Sentence(
        _("The charge shoves a {victim} pirate {space_from} {goal_to}."),
        named=_("The charge shoves {victim_pirate} {space_from} {goal_to}."),
    ),
    "drowns": Sentence(
        _n(
            "A {crew} pirate sinks to Davy Jones’ Locker: {left} left.",
            "A {crew} pirate sinks to Davy Jones’ Locker: {left} left.",
            "left",
            _("A {crew} pirate sinks to Davy Jones’ Locker. It was the last one."),
        ),
        named=_n(
            "{crew_pirate} sinks to Davy Jones’ Locker: {left} left.",
            "{crew_pirate} sinks to Davy Jones’ Locker: {left} left.",
            "left",
            _("{crew_pirate} sinks to Davy Jones’ Locker. It was the last one."),
        ),
    ),
    "out": Sentence(
        _("{crew} is out and climbs into the rigging. The hidden cards stay hidden."),
        named=_("{name} is out and climbs into the rigging. Their hidden cards stay hidden."),
        you=_("You’re out! Off into the rigging with you. Your hidden cards stay hidden."),
    ),
    "last-round": Sentence(_("The Captain has seen enough: this round is the last.")),
    "aside": Sentence(
        _("{crew_of} “{card}” stays aside for the next round."),
        named=_("{name_of} “{card}” stays aside for the next round."),
        you=_("Your “{card}” stays aside for the next round."),
    ),
    "new-round": Sentence(
        _("Round {round}: the Captain’s Favour passes on, and {crew} starts."),
        named=_("Round {round}: the Captain’s Favour passes {name_to}, who starts."),
        you=_("Round {round}: the Captain’s Favour passes {name_to}. You start."),
    ),
    "wins": Sentence(
        _n("{crew} wins with {pirates} pirate alive.", "{crew} wins with {pirates} pirates alive.", "pirates"),
        named=_n("{name} wins with {pirates} pirate alive.", "{name} wins with {pirates} pirates alive.", "pirates"),
        you=_n("You win with {pirates} pirate alive!", "You win with {pirates} pirates alive!", "pirates"),
    ),
    "shares": Sentence(
        _("{crew} shares the victory: each has one pirate left."),
        named=_("{name} shares the victory: each has one pirate left."),
        you=_("You share the victory: each has one pirate left."),
    ),
    "no-winner": Sentence(_("Everyone has drowned: no one wins.")),
    "limit": Sentence(_("Round {round} was the last one: no one wins.")),
}

PEOPLE = ("crew", "victim")  # event fields that hold a seat
PHRASES = {
    "pirate": Phrase(
        yours=_("your pirate"),
        theirs=_("{name_of} pirate"),
        crews=_("a {name} pirate"),
        own=_("a pirate of their own"),
        your_own=_("a pirate of your own"),
    )
}

_CREWS = (_("Blue"), _("Green"), _("Red"), _("Yellow"), _("Lilac"))
_OF_CREWS = (_("Blue’s"), _("Green’s"), _("Red’s"), _("Yellow’s"), _("Lilac’s"))
_CARDS = (
    _("Shove Left"),
    _("Shove Right"),
    _("Shove Anyone"),
    _("Extend the Plank"),
    _("Retract the Plank"),
    _("Drag to Sea"),
    _("Pull to Ship"),
    _("Run"),
    _("I Don’t Want to Die"),
    _("Charge"),
)
_WHY = {
    NO_NEIGHBOUR: _("there’s no neighbour left to shove"),
    NOT_LEFT: _("the left neighbour has no pirate on the same space"),
    NOT_RIGHT: _("the right neighbour has no pirate on the same space"),
    NO_COMPANY: _("no other pirate stands on the same space"),
    NO_COMPANY_OFF_SHIP: _("no other pirate stands on the same tile"),
    LONG_PLANK: _("the plank already has three tiles"),
    SHORT_PLANK: _("the plank has only one tile left"),
    ALL_ABOARD: _("there’s no pirate to bring back aboard"),
    NO_RUN_UP: _("a charge needs a run-up, so it never works as card 1"),
}


def _both(ids: tuple[str, ...], names: tuple[str, ...]) -> dict[Any, str]:
    """Names by number, as events have them, and by id, as actions and views have them."""
    return dict(enumerate(names)) | dict(zip(ids, names))


NAMES: dict[str, dict[Any, str]] = {
    "crew": _both(CREW_IDS, _CREWS),
    "crew_of": _both(CREW_IDS, _OF_CREWS),
    "victim": _both(CREW_IDS, _CREWS) | {"nobody": _("no one")},
    "victim_of": _both(CREW_IDS, _OF_CREWS),
    "card": _both(CARDS, _CARDS),
    "why": _WHY,
    "space": {0: _("the ship"), 1: _("tile 1"), 2: _("tile 2"), 3: _("tile 3")},
    "space_on": {0: _("on the ship"), 1: _("on tile 1"), 2: _("on tile 2"), 3: _("on tile 3")},
    "space_from": {0: _("from the ship"), 1: _("from tile 1"), 2: _("from tile 2"), 3: _("from tile 3")},
    "goal_to": {
        0: _("back to the ship"),
        1: _("onto tile 1"),
        2: _("onto tile 2"),
        3: _("onto tile 3"),
        4: _("into the sea"),
    },
    "way": {"ship": _("toward the ship"), "sea": _("toward the sea")},
    "steps": {1: _("one space"), 2: _("two spaces")},
    "kind": {
        "program": _("choose three cards"),
        "shove": _("shove"),
        "drag": _("drag to sea"),
        "pull": _("pull to ship"),
        "run": _("run"),
        "flee": _("go back toward the ship"),
        "charge": _("charge"),
    },
}

PART_ORDER = ("kind", "cards", "space", "way", "steps", "victim")
LISTED = {"cards": "card"}
ASK = {
    "kind": _("What do you do?"),
    "cards": _("Which three cards, in which order?"),
    "cards.0": _("Which card first?"),
    "cards.1": _("Which card second?"),
    "cards.2": _("Which card third?"),
    "space": _("From which space?"),
    "way": _("Which way?"),
    "steps": _("How far?"),
    "victim": _("Which crew’s pirate?"),
}

ENDINGS = {
    "end": _("The Captain has his crew."),
    "nobody": _("No one is left alive."),
    "limit": _("The last round is over."),
}

_NO_PIRATE = _("You have no pirate {space_on}: choose another space.")
_NO_VICTIM = _("There’s no {victim} pirate {space_on}: choose another target.")
_ALONE = _("Your only pirate {space_on} can’t do that to itself: choose another target.")

REFUSALS = {
    "choose-first": (4, _("The round hasn’t begun: choose your three cards first.")),
    "aside": (7, _("“{card}” is a skull card and stays aside this round: choose another card.")),
    "laid": (4, _("Your cards are down for this round: choose the target of “{card}”.")),
    "other-card": (5, _("It’s the turn of “{card}”: choose its target.")),
    "shove-no-pirate": (10, _NO_PIRATE),
    "shove-no-victim": (10, _NO_VICTIM),
    "not-left": (10, _("“Shove Left” only hits your neighbour to the left: {victim}.")),
    "not-right": (10, _("“Shove Right” only hits your neighbour to the right: {victim}.")),
    "shove-alone": (11, _ALONE),
    "drag-no-pirate": (13, _NO_PIRATE),
    "drag-no-victim": (13, _NO_VICTIM),
    "drag-alone": (13, _ALONE),
    "pull-no-pirate": (14, _NO_PIRATE),
    "pull-no-victim": (14, _NO_VICTIM),
    "pull-alone": (14, _ALONE),
    "pull-on-ship": (14, _("No one can pull on the ship: choose a pirate on the plank.")),
    "run-no-pirate": (15, _NO_PIRATE),
    "run-on-ship": (15, _("From the ship a pirate can only run toward the sea.")),
    "flee-no-pirate": (16, _NO_PIRATE),
    "flee-on-ship": (16, _("A pirate on the ship is already safe: choose one on the plank.")),
    "flee-one-step": (16, _("From tile 1 the ship is one space away: choose one space.")),
    "charge-no-pirate": (17, _NO_PIRATE),
    "charge-no-victim": (17, _("The charge {space_from} doesn’t meet a {victim} pirate: choose another target.")),
    "charge-must-push": (17, _("The charge {space_from} meets someone: choose who gets shoved.")),
}


def sentence(parts: dict[str, Any]) -> str:
    """The sentence of an action."""
    return {
        "program": _("play {card1}, then {card2}, then {card3}"),
        "shove": _("shove a {victim} pirate {space_on}"),
        "drag": _("drag a {victim} pirate along {space_from} toward the sea"),
        "pull": _("pull a {victim} pirate along {space_from} toward the ship"),
        "run": _("run {space_from} {way}"),
        "flee": _("go back {steps} {space_from}"),
        "charge": _("charge {space_from} without shoving anyone")
        if parts.get("victim") == "nobody"
        else _("charge {space_from} and shove a {victim} pirate"),
    }[parts["kind"]]


def stakes(kind: str, fields: dict[str, int]) -> tuple[int, int]:
    """Which crew an event affects, and whether it helps (1), hurts (-1) or settles nothing (0)."""
    return fields.get("crew", 0), {"drowns": -1, "out": -1, "flees": 1}.get(kind, 0)


def why_not(view: State, seat: int, action: int) -> tuple[str, dict[str, Any]]:
    """Why a seat that must decide may not play this action."""
    parts = actions.parts(action)
    kind = parts["kind"]
    if int(view.sealing):
        if kind != "program":
            return "choose-first", {}
        return "aside", {"card": next(card for card in parts["cards"] if not hand(view, seat) >> CARDS.index(card) & 1)}
    card = card_to_aim(view)
    if kind == "program":
        return "laid", {"card": card}
    if kind != KIND_OF_CARD[card]:
        return "other-card", {"card": card}
    target = action - int(FIRST_TARGET[card])
    unmet = next(c for c in (OWN, ALLOWED, MET) if not int(meeting(view, seat, card, c)) >> target & 1)
    if unmet == OWN:
        return f"{kind}-no-pirate", parts
    if unmet == ALLOWED:
        if kind == "shove":
            return "not-left" if card == SHOVE_LEFT else "not-right", {"victim": int(shoved(view, seat, card))}
        return f"{kind}-on-ship", parts
    if kind == "flee":
        return "flee-one-step", parts
    if parts["victim"] == "nobody":
        return "charge-must-push", parts
    alone = parts["victim"] == CREW_IDS[seat] and kind != "charge"
    return f"{kind}-alone" if alone else f"{kind}-no-victim", parts


def board(view: dict[str, Any], words: Words, plain: bool = False) -> str:
    """The board as text: who stands where on the ship and the plank, and the cards on the table."""
    return "\n".join(_plain_board(view, words) if plain else _drawn_board(view, words))


def _heading(view: dict[str, Any], words: Words) -> str:
    if view["favour"] is None:
        return words.say(_("Round {round}."), round=view["round"])
    return words.say(_("Round {round}. The Captain’s Favour: {crew}."), round=view["round"], crew=view["favour"])


def _plain_board(view: dict[str, Any], words: Words) -> list[str]:
    tiles = _n("The plank has {plank} tile.", "The plank has {plank} tiles.", "plank")
    lines = [_heading(view, words), words.say(tiles, plank=view["plank"])]
    pause = words.translate(_("; "))
    for crew in view["crews"]:
        places = [f"{count} {words.name('space_on', space)}" for space, count in enumerate(crew["pirates"]) if count]
        drowned = _n("{dead} drowned", "{dead} drowned", "dead")
        dead = [words.say(drowned, dead=crew["dead"])] if crew["dead"] else []
        line = words.say(_("{crew}: {pirates}."), crew=crew["crew"], pirates=", ".join(places + dead))
        if crew["cards"]:
            cards = (f"{card['slot']} {_plain_card(card, words)}" for card in crew["cards"])
            line += " " + words.say(_("Cards: {cards}."), cards=pause.join(cards))
        if crew["aside"]:
            aside = (words.name("card", card) for card in crew["aside"])
            line += " " + words.say(_("Aside: {cards}."), cards=pause.join(aside))
        lines.append(line)
    if view["to_play"]:
        aim = _("{crew}: choose the target of card {slot}.")
        lines.append(words.say(aim, crew=view["to_play"], slot=view["slot"]))
    return lines


def _plain_card(card: dict[str, Any], words: Words) -> str:
    if card["face"] == "up":
        return words.name("card", card["card"])
    return words.say(_("{card}, face down"), card=card["card"]) if "card" in card else words.translate(_("face down"))


def _drawn_board(view: dict[str, Any], words: Words) -> list[str]:
    plank = view["plank"]
    names = {crew["crew"]: words.say("{crew}", crew=crew["crew"]) for crew in view["crews"]}
    margin = max(map(len, names.values())) + 4
    ship, sea = words.translate(_("ship")), words.translate(_("sea"))
    tiles = "".join(f"{tile if tile <= plank else '':^7}" for tile in (1, 2, 3))
    lines = [_heading(view, words), "", " " * margin + f"{ship:^9}{tiles}  {sea}"]
    for crew in view["crews"]:
        mark = "▶ " if view["to_play"] == crew["crew"] else "  "
        on_ship, *on_tiles = ("●" * count for count in crew["pirates"])
        row = f"{on_ship:^9}" + "".join(f"{here:^7}" for here in on_tiles)
        lines.append(f"{mark}{names[crew['crew']]}".ljust(margin) + f"{row}  {'×' * crew['dead']}")
    lines += [" " * margin + "▒" * 9 + "══════╤" * (plank - 1) + "══════╗" + "~" * (7 * (3 - plank) + 7), ""]
    for crew in view["crews"]:
        if crew["cards"]:
            lines += _flow("  " + names[crew["crew"]], [_drawn_card(card, words) for card in crew["cards"]], margin)
        if crew["aside"]:
            head = words.translate(_("aside:"))
            head = " " * margin + head if crew["cards"] else f"  {names[crew['crew']]}".ljust(margin) + head
            lines += _flow(head, [words.name("card", card) for card in crew["aside"]], margin)
    return [line.rstrip() for line in lines]


def _drawn_card(card: dict[str, Any], words: Words) -> str:
    """A laid card: its name, in brackets while it lies face down, or a back."""
    if card["face"] == "up":
        return words.name("card", card["card"])
    return f"[{words.name('card', card['card'])}]" if "card" in card else "[▒▒▒]"


def _flow(head: str, pieces: list[str], margin: int) -> list[str]:
    """A heading and what follows it, in as many lines of 78 columns as needed."""
    lines = [head.ljust(margin - 1)]
    for k, piece in enumerate(pieces):
        joint = " · " if k else " "
        if len(lines[-1]) + len(joint) + len(piece) <= 78:
            lines[-1] += joint + piece
        else:
            lines.append(" " * margin + piece)
    return lines
