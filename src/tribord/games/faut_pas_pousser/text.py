"""The words of Faut pas pousser: events, actions, refusals, and the board as text."""

from __future__ import annotations

from typing import Any

from tribord.core.record import State
from tribord.core.words import Phrase, Sentence, Words, _, _n
from tribord.games.faut_pas_pousser import actions
from tribord.games.faut_pas_pousser.rules import ALL_SIX, WORTH, pirates_to_play, single_choices
from tribord.games.faut_pas_pousser.state import CREW_IDS

SENTENCES = {
    "chosen": Sentence(
        _("{crew} has picked a pirate, face down."),
        named=_("{name} has picked a pirate, face down."),
        you=_("You have picked a pirate, face down."),
    ),
    "neutral-back": Sentence(_("{crew} turns up “Non merci !”: it goes back into the pile, third from the top.")),
    "neutral-card": Sentence(_("No one plays {crew}: up comes {pirate}.")),
    "neutral-pass": Sentence(_("{crew} turns up “Non merci !” and passes.")),
    "lots": Sentence(_("A tie! By luck, {crew} stands nearer the ship.")),
    "installed": Sentence(
        _("{crew_of} {pirate_bare} stands in slot {slot}."),
        named=_("{crew_pirate} stands in slot {slot}."),
    ),
    "first": Sentence(
        _("{crew} plays first: no other player is nearer the sea."),
        named=_("{name} plays first: no other player is nearer the sea."),
        you=_("You play first: no other player is nearer the sea."),
    ),
    "passes": Sentence(
        _("{crew} says “Non merci !” and passes."),
        named=_("{name} says “Non merci !” and passes."),
        you=_("You say “Non merci !” and pass."),
    ),
    "moves": Sentence(
        _("{crew} plays {card}: {owner_of} {pirate_bare} goes from slot {slot} to slot {goal}."),
        named=_("{name} plays {card}: {owner_pirate} goes from slot {slot} to slot {goal}."),
        you=_("You play {card}: {owner_pirate} goes from slot {slot} to slot {goal}."),
    ),
    "stays": Sentence(
        _("{crew} plays {card}: no effect, {owner_of} {pirate_bare} is already {slot_end}."),
        named=_("{name} plays {card}: no effect, {owner_pirate} is already {slot_end}."),
        you=_("You play {card}: no effect, {owner_pirate} is already {slot_end}."),
    ),
    "enters": Sentence(
        _("{crew} plays {pirate}: {pirate_value} − {first} = {lead}, so slot {slot}."),
        named=_("{name} plays {pirate}: {pirate_value} − {first} = {lead}, so slot {slot}."),
        you=_("You play {pirate}: {pirate_value} − {first} = {lead}, so slot {slot}."),
    ),
    "falls": Sentence(
        _("{crew_of} {pirate_bare} falls into the sea: pile {pile}."),  # nobody wins points for a neutral crew (F19)
        named=_n(
            "{crew_pirate} falls into the sea: {pile} point.",
            "{crew_pirate} falls into the sea: {pile} points.",
            "pile",
        ),
        you=_n(
            "{crew_pirate} falls into the sea: {pile} point.",
            "{crew_pirate} falls into the sea: {pile} points.",
            "pile",
        ),
    ),
    "last-round": Sentence(_("Last round: everyone has one turn left!")),
    "counting": Sentence(_("All the cards are played. Who’s still standing?")),
    "scores": Sentence(
        _("{crew_of} {pirate_bare} still holds slot {slot}: {points} points."),
        named=_("{crew_pirate} still holds slot {slot}: {points} points."),
    ),
    "captain": Sentence(
        _("{crew_of} Captain is still standing: 2 more points."),
        named=_("{name_of} Captain is still standing: 2 more points."),
        you=_("Your Captain is still standing: 2 more points."),
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
        ),
        named=_n(
            "{name} shares the victory with {points} point.",
            "{name} shares the victory with {points} points.",
            "points",
        ),
        you=_n("You share the victory with {points} point.", "You share the victory with {points} points.", "points"),
    ),
}

PEOPLE = ("crew", "owner")  # event fields that hold a seat; from `players` on, a crew that nobody plays
PHRASES = {
    "pirate": Phrase(
        yours="{pirate_yours}",
        theirs=_("{name_of} {pirate_bare}"),
        crews=_("{name_of} {pirate_bare}"),
        own="{pirate_own}",
    )
}

_CREWS = (_("Blue"), _("Green"), _("Red"), _("Yellow"))
_OF_CREWS = (_("Blue’s"), _("Green’s"), _("Red’s"), _("Yellow’s"))
_COLOURS = (_("blue"), _("green"), _("red"), _("yellow"))


def _each_crew(words: tuple[str, ...]) -> dict[Any, str]:
    """A word for every crew, by its number (events) and by its id (views)."""
    return dict(enumerate(words)) | dict(zip(CREW_IDS, words))


NAMES: dict[str, dict[Any, str]] = {
    "crew": _each_crew(_CREWS),
    "crew_of": _each_crew(_OF_CREWS),
    "owner_of": _each_crew(_OF_CREWS),
    "colour": _each_crew(_COLOURS),
    "pirate": {
        1: _("the Captain"),
        2: _("pirate 2"),
        3: _("pirate 3"),
        4: _("pirate 4"),
        5: _("pirate 5"),
        6: _("pirate 6"),
    },
    "pirate_bare": {
        1: _("Captain"),
        2: _("pirate 2"),
        3: _("pirate 3"),
        4: _("pirate 4"),
        5: _("pirate 5"),
        6: _("pirate 6"),
    },
    "pirate_value": {value: str(value) for value in (1, 2, 3, 4, 5, 6)},
    "pirate_yours": {
        1: _("your Captain"),
        2: _("your pirate 2"),
        3: _("your pirate 3"),
        4: _("your pirate 4"),
        5: _("your pirate 5"),
        6: _("your pirate 6"),
    },
    "pirate_own": {
        1: _("their own Captain"),
        2: _("their own pirate 2"),
        3: _("their own pirate 3"),
        4: _("their own pirate 4"),
        5: _("their own pirate 5"),
        6: _("their own pirate 6"),
    },
    "slot_end": {1: _("next to the ship"), 4: _("at the end of the plank")},
    "lead": {lead: f"−{-lead}" for lead in range(-5, 0)},
    "card": {-1: "−1", -2: "−2", -3: "−3", 1: "+1", 2: "+2"},
    "card_aloud": {-1: _("minus 1"), -2: _("minus 2"), -3: _("minus 3"), 1: _("plus 1"), 2: _("plus 2")},
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
    "slot": _("On which slot does the card act?"),
}

ENDINGS = {"end": _("All the cards are played.")}

REFUSALS = {
    "pick-first": (3, _("The plank is still empty: pick a pirate first, in secret.")),
    "picked": (3, _("The plank is full: play a pirate and an action card, or “Non merci !”.")),
    "pass-gone": (7, _("You’ve already played “Non merci !”: play a pirate and an action card.")),
    "pirate-gone": (7, _("You’ve already played {pirate}: choose another pirate.")),
    "card-gone": (7, _("You’ve already played the card {card}: choose another one.")),
}


def sentence(parts: dict[str, Any]) -> str:
    """The sentence of an action."""
    if parts["kind"] == "pick":
        return _("pick {pirate}")
    if parts["kind"] == "pass":
        return _("say “Non merci !” and pass")
    if parts["order"] == "action-first":
        return _("play {card} on slot {slot}, then {pirate} steps on")
    return _("{pirate} steps on, then {card} on slot {slot}")


def stakes(kind: str, fields: dict[str, int]) -> tuple[int, int]:
    """Which crew an event affects, and whether it helps (1), hurts (-1) or settles nothing (0)."""
    if kind == "moves":
        return fields["owner"], 1 if fields["goal"] < fields["slot"] else -1
    return fields.get("crew", 0), {"enters": 1, "falls": -1, "scores": 1, "captain": 1}.get(kind, 0)


def why_not(view: State, seat: int, action: int) -> tuple[str, dict[str, Any]]:
    """Why a seat that must decide may not play this action."""
    parts = actions.parts(action)
    if parts["kind"] != "pick" and single_choices(view, seat) & ALL_SIX:
        return "pick-first", {}
    if parts["kind"] == "pick":
        return "picked", {}
    if parts["kind"] == "pass":
        return "pass-gone", {}
    if not pirates_to_play(view, seat) >> (parts["pirate"] - 1) & 1:
        return "pirate-gone", {"pirate": parts["pirate"]}
    return "card-gone", {"card": parts["card"]}


def board(view: dict[str, Any], words: Words, plain: bool = False) -> str:
    """The board as text: a drawing, or with `plain` short sentences to be read aloud."""
    if plain:
        lines = [*_say_plank(view, words), *_say_sea(view, words), *_say_crews(view, words)]
    else:
        lines = [*_draw_plank(view, words), *_draw_sea(view, words), *_draw_crews(view, words)]
    lines += [
        words.say(_("{crew}: “Non merci !” is card {place} of the pile."), crew=crew["crew"], place=crew["pass_in"])
        for crew in view["crews"]
        if "pass_in" in crew
    ]
    return "\n".join(line.rstrip() for line in lines)


def _in_order_of_play(view: dict[str, Any]) -> list[dict[str, Any]]:
    crews: list[dict[str, Any]] = view["crews"]
    return sorted(crews, key=lambda crew: view["order"].index(crew["crew"])) if view["order"] else crews


def _to_decide(view: dict[str, Any]) -> list[str]:
    if view["phase"] == "picking":
        return [crew for crew in CREW_IDS[: view["players"]] if crew not in view["picked"]]
    return [view["to_play"]] if view["to_play"] else []


# The drawing


def _draw_plank(view: dict[str, Any], words: Words) -> list[str]:
    ship = "▓" * 8
    cards = [f"{_tag(pirate, words):^9}" for pirate in view["plank"]]
    return [
        " " * len(ship) + _by_slot(1, 2, 3, 4),
        ship + " ┌─────────┐" * len(cards),
        ship + "".join(f" │{card}│" for card in cards),
        ship + ("═╧═════════╧" if cards else "════════════") * 4 + "══╗",
        ship + _by_slot(*WORTH) + "    " + words.translate(_("points at the end")),
    ]


def _by_slot(*numbers: int) -> str:
    return "".join(f" {number:^11}" for number in numbers)


def _draw_sea(view: dict[str, Any], words: Words) -> list[str]:
    title = _n("pile {pile}: {points} pt", "pile {pile}: {points} pts", "points")
    columns = []
    for k, pile in enumerate(view["piles"], 1):
        tags = [_tag(pirate, words) for pirate in pile] + ["·"] * (4 - len(pile))
        columns.append([words.say(title, pile=k, points=k), *tags])
    return ["▓" * 8 + "~" * 68, *("  " + "".join(f"{cell:<15}" for cell in row) for row in zip(*columns)), ""]


def _tag(pirate: dict[str, Any], words: Words) -> str:
    """A pirate in a few letters; the Captain has a star."""
    star = "★" if pirate["pirate"] == 1 else ""
    return f"{words.name('colour', pirate['crew'])} {pirate['pirate']}{star}"


def _draw_crews(view: dict[str, Any], words: Words) -> list[str]:
    titles = [_("pirates"), _("actions"), _("Non merci !"), _("points")]
    rows = [["", *map(words.translate, titles)]]
    for crew in _in_order_of_play(view):
        arrow = "▶ " if crew["crew"] in _to_decide(view) else "  "
        pirates = [str(value) if value in crew["pirates"] else "·" for value in (1, 2, 3, 4, 5, 6)]
        cards = [words.name("card", card) if card in crew["cards"] else "· " for card in actions.CARDS]
        rows.append(
            [
                arrow + words.say("{crew}", crew=crew["crew"]),
                " ".join(pirates),
                " ".join(cards),
                words.translate(_("yes")) if crew["pass"] else "·",
                _standing(crew, view, words),
            ]
        )
    widths = (17, 15, 18, 15, 0)
    return ["".join(f"{cell:<{width}}" for cell, width in zip(row, widths)) for row in rows]


def _standing(crew: dict[str, Any], view: dict[str, Any], words: Words) -> str:
    """A crew's points, or what is known of its pick; a neutral crew scores nothing (F19)."""
    if crew["seat"] is None:
        return words.translate(_("neutral"))
    if crew["crew"] in view["picks"]:
        return words.translate(_("picked")) + f" {view['picks'][crew['crew']]}"
    return words.translate(_("picked")) if crew["crew"] in view["picked"] else str(crew["points"])


# The reading aloud


def _say_plank(view: dict[str, Any], words: Words) -> list[str]:
    if not view["plank"]:
        return [words.say(_("No one stands on the plank yet."))]
    slot_by_slot = [
        words.say(_("Slot {slot}: {crew_of} {pirate_bare}."), slot=slot, **pirate)
        for slot, pirate in enumerate(view["plank"], 1)
    ]
    return [words.say(_("The plank, from the ship to the sea.")), *slot_by_slot]


def _say_sea(view: dict[str, Any], words: Words) -> list[str]:
    if not view["piles"][0]:
        return [words.say(_("No one has fallen into the sea yet."))]
    sentence = _n(
        "Pile {pile}, {points} point each: {pirates}.", "Pile {pile}, {points} points each: {pirates}.", "points"
    )
    return [
        words.say(sentence, pile=k, points=k, pirates=", ".join(_name(pirate, words) for pirate in pile))
        for k, pile in enumerate(view["piles"], 1)
        if pile
    ]


def _name(pirate: dict[str, Any], words: Words) -> str:
    forms = {form: words.name(form, pirate["pirate"]) for form in ("pirate", "pirate_bare")}
    return words.translate(_("{crew_of} {pirate_bare}")).format(crew_of=words.name("crew_of", pirate["crew"]), **forms)


def _say_crews(view: dict[str, Any], words: Words) -> list[str]:
    lines = [words.say(_("The crews, in their order of play."))] if view["order"] else []
    for crew in _in_order_of_play(view):
        said = [_say_standing(crew, view, words)]
        if crew["pirates"]:
            said.append(words.say(_("Pirates left: {pirates}."), pirates=", ".join(map(str, crew["pirates"]))))
        if crew["cards"]:
            cards = ", ".join(words.name("card_aloud", card) for card in crew["cards"])
            said.append(words.say(_("Actions left: {cards}."), cards=cards))
        if crew["pass"]:
            said.append(words.say(_("“Non merci !” is still to come.")))
        lines.append(" ".join(said))
    decide = [words.name("crew", crew) for crew in _to_decide(view)]
    return [*lines, words.say(_("Waiting for: {crews}."), crews=", ".join(decide))] if decide else lines


def _say_standing(crew: dict[str, Any], view: dict[str, Any], words: Words) -> str:
    if crew["seat"] is None:
        return words.say(_("No one plays {crew}."), crew=crew["crew"])
    if crew["crew"] in view["picks"]:
        return words.say(_("{crew} has picked {pirate}."), crew=crew["crew"], pirate=view["picks"][crew["crew"]])
    if crew["crew"] in view["picked"]:
        return words.say(_("{crew} has picked."), crew=crew["crew"])
    sentence = _n("{crew} has {points} point.", "{crew} has {points} points.", "points", _("{crew} has no points yet."))
    return words.say(sentence, crew=crew["crew"], points=crew["points"])
