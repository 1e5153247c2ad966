"""The picture of Walk the Plank: the ship, the plank, the sea with the Locker, and the cards of every crew."""

from __future__ import annotations

from functools import partial
from math import ceil
from pathlib import Path
from textwrap import wrap
from typing import Any

from tribord.core import art
from tribord.core.picture import Picture
from tribord.core.words import _, _n
from tribord.games.walk_the_plank.actions import CREW_IDS

DECK, SHIP, TILE = 358, 410, 200
SEA, SHORE = 412, 590
CARD_AT = (1062, 22, 196, 286)  # the card that needs a target

SHAPES, COLOURS = art.read(Path(__file__).parent)
GAP, SAG = 26, 9  # before each tile, and how much lower it hangs than the one before
HULL, MAST, TOP = 186, 82, 10  # how deep, where, and how high


class Drawing(Picture):
    """The match as it is drawn."""

    def headline(self) -> str:
        """The round, and whose turn it is or who has won."""
        view, words = self.view, self.words
        if view["over"]:
            return self.ending()
        fields = {"round": view["round"], "rounds": view["rounds"]}
        said = words.say(_("Round {round} of {rounds}") if view["rounds"] else _("Round {round}"), **fields)
        if view["to_play"]:
            aim = _("{crew}: choose the target of card {slot}.")
            return f"{said}. {words.say(aim, crew=view['to_play'], slot=view['slot'])}"
        if view["phase"] == "choosing":
            choosing = _("Everyone is choosing three cards.")
            return f"{said}. {words.say(choosing)}"
        return said

    def ending(self) -> str:
        """Who has won."""
        view, words = self.view, self.words
        alive = [crew for crew in view["crews"] if crew["dead"] < 3]
        pirates = sum(3 - crew["dead"] for crew in alive)
        if not alive:
            return words.say(_("Everyone has drowned: no one wins."))
        if len(alive) > 1 and pirates > 2:  # W18 was not met: the limit ended it
            return words.say(_("Round {round} was the last one: no one wins."), round=view["rounds"])
        if len(alive) > 1:
            shared = _("{crews} share the victory: each has one pirate left.")
            return words.say(shared, crews=", ".join(words.name("crew", crew["crew"]) for crew in alive))
        won = _n("{crew} wins with {pirates} pirate alive.", "{crew} wins with {pirates} pirates alive.", "pirates")
        return words.say(won, crew=alive[0]["crew"], pirates=pirates)

    def board(self) -> str:
        """The scene, then the crews round the table."""
        pen, crews = self.pen, self.view["crews"]
        gap, width = 8, min(330, (pen.WIDTH - 16) / len(crews) - 8)
        left = (pen.WIDTH - len(crews) * (width + gap) + gap) / 2
        return "".join(
            [
                pen.sea(0, SEA, pen.WIDTH, SHORE - SEA),
                self.locker(),
                self.ship(),
                self.plank(),
                *(self.crowd(space) for space in range(4)),
                self.rail(),
                self.aimed(),
                pen.box(-4, SHORE, pen.WIDTH + 8, pen.HEIGHT - SHORE + 8, pen.PAPER, width=4, r=0),
                *(pen.put(self.crew(crew, width), left + k * (width + gap), SHORE + 9) for k, crew in enumerate(crews)),
            ]
        )

    # -- the scene -----------------------------------------------------------------------------------------------------

    def ship(self) -> str:
        """The ship, and the Captain's flag aloft."""
        pen, parts, skull = self.pen, SHAPES["ship"], SHAPES["skull"]

        def part(name: str, width: float, fill: str = "none", opacity: float = 1) -> str:
            shape = pen.path(parts[name], x=SHIP, y=DECK, h=HULL, far=-20, m=MAST, t=TOP)
            return str(pen.line(shape, width, fill=fill, opacity=opacity))

        bones = pen.line(skull["crossed"], 5, pen.BONE) + pen.line(skull["bone"], 0, fill=pen.BONE)
        captain = pen.token("bone") + pen.face(3) + pen.hat() + pen.line(parts["spyglass"], 3.5, fill=pen.YELLOW)
        ports = [pen.path(port, x=SHIP, y=DECK, h=HULL) for port in parts["ports"]]
        return "".join(
            [
                part("stays", 2, opacity=0.6),
                part("mast", 3.5, pen.WOOD),
                part("flag", 4, pen.BLACK),
                pen.put(bones + pen.line(skull["sockets"], 5, pen.BLACK), MAST + SHIP * 0.27, TOP + 20, 1.15),
                pen.put(captain, MAST, TOP + 78, 0.5),
                part("nest", 4, pen.WOOD) + part("staves", 2, opacity=0.55),
                part("hull", 4, pen.WOOD_DARK) + part("seams", 2, opacity=0.55),
                *(pen.line(port, 2.5, fill=pen.PORT) for port in ports),
                part("deck", 4, pen.WOOD) + part("board", 2, opacity=0.55),
            ]
        )

    def rail(self) -> str:
        """The rail, in front of everyone aboard."""
        pen, parts = self.pen, SHAPES["ship"]
        posts = "".join(pen.path(parts["post"], x=x, y=DECK) for x in range(14, SHIP - 24, 46))
        return str(pen.line(posts, 3, opacity=0.75) + pen.line(pen.path(parts["rail"], x=SHIP, y=DECK, far=-20), 6))

    def plank(self) -> str:
        """The tiles in place."""
        pen, parts, width, drawn = self.pen, SHAPES["tile"], TILE - GAP, []
        lash, board, grain, plate = (
            pen.path(parts[name], w=width, g=GAP, s=SAG) for name in ("lash", "board", "grain", "plate")
        )
        for tile in range(self.view["plank"], 0, -1):
            one = [
                pen.line(lash, 5, pen.SAIL),
                pen.line(board, 4, fill=pen.WOOD),
                pen.line(grain, 2, opacity=0.5),
                pen.oval(9, 8, 2.4) + pen.oval(width - 10, 8, 2.4),
                pen.line(plate, 3, fill=pen.SAIL),
                pen.text(width / 2, 27, str(tile), 26, "middle", bold=True),
            ]
            drawn.append(pen.put("".join(one), SHIP + (tile - 1) * TILE + GAP / 2, DECK + tile * SAG))
        return "".join(drawn)

    def locker(self) -> str:
        """Davy Jones' Locker, and how many it holds."""
        pen, dead = self.pen, sum(crew["dead"] for crew in self.view["crews"])
        parts = SHAPES["locker"]
        chest = (
            pen.line(parts["lid"], 4, fill=pen.WOOD)
            + pen.line(parts["straps"], 6, pen.YELLOW)
            + pen.line(parts["chest"], 4, fill=pen.WOOD_DARK)
            + pen.line(parts["hoops"], 6, pen.YELLOW)
            + pen.line(parts["dark"], 0, fill=pen.INK)
            + pen.line(parts["lock"], 4, fill=pen.YELLOW)
        )
        return pen.put(chest + (pen.badge(52, -46, str(dead), 22) if dead else ""), 1160, 528, 1.1)

    def crowd(self, space: int) -> str:
        """Everyone on the ship or on a tile, as large as there's room for, the front rows full."""
        here = []
        for crew in self.view["crews"]:
            before = crew["dead"] + sum(crew["pirates"][:space])
            here += [(crew["crew"], before + k) for k in range(crew["pirates"][space])]
        centre, width = (SHIP + (space - 0.5) * TILE, TILE - 8) if space else (SHIP * 0.5, SHIP - 16)
        scale, row, rows = _fit(len(here), width)
        apart = min(84 * scale + 6, width / row)
        drawn = []
        for k, (crew, who) in enumerate(here):
            back, place = divmod(len(here) - 1 - k, row)
            in_row = len(here) - back * row if back == rows - 1 else row
            x = centre + (in_row - 1 - place - (in_row - 1) / 2) * apart + (9 * scale if back % 2 else 0)
            drawn.append(self.pen.put(self.figure(crew, who), x, DECK + space * SAG - 6 - back * 62 * scale, scale))
        return "".join(drawn)

    def figure(self, crew: str, who: int) -> str:
        """A pirate standing on (0, 0)."""
        pen, parts = self.pen, SHAPES["pirate"]
        legs = pen.line(parts["legs"], 9) + pen.line(parts["shoes"], 3.5, fill=pen.WOOD_DARK)
        return legs + pen.line(parts["arms"]["stands"], 8) + pen.put(self.head(crew, who), 0, -66)

    def head(self, crew: str, who: int) -> str:
        """Token, face, and what each of the three of a crew wears."""
        pen, parts = self.pen, SHAPES["pirate"]
        x, y, r = parts["pompon"]
        worn = (
            pen.line(parts["tricorne"], 3.5, fill=pen.BLACK) + pen.line(parts["bones"], 3.5, pen.BONE),
            pen.line(parts["scarf"], 3.5, fill=pen.SAIL) + pen.line(parts["dots"], 6),
            pen.line(parts["cap"], 3.5, fill=pen.WOOD)
            + pen.line(parts["ribs"], 2.5)
            + pen.oval(x, y, r, fill=pen.SAIL, width=3.5),
        )[who % 3]
        return pen.token(crew) + pen.face((CREW_IDS.index(crew) * 2 + who) % 6 + 1) + worn

    # -- the cards -----------------------------------------------------------------------------------------------------

    def aimed(self) -> str:
        """The card whose turn has come, large."""
        pen, view = self.pen, self.view
        crew = next((crew for crew in view["crews"] if crew["crew"] == view["to_play"]), None)
        card = next((c.get("card") for c in crew["cards"] if c["slot"] == view["slot"]), None) if crew else None
        if not crew or not card:
            return ""
        x, y, width, height = CARD_AT
        middle, colour = x + width / 2, pen.CREWS[crew["crew"]]
        name = wrap(self.words.name("card", card), 13)
        return "".join(
            [
                pen.box(x, y, width, height, pen.CARD, width=4, r=12),
                pen.box(x + 9, y + 9, width - 18, height - 18, "none", colour, 4, 8),
                pen.put(pen.token(crew["crew"], 6), x + 40, y + 42, 0.44),
                pen.text(x + width - 24, y + 54, str(view["slot"]), 36, "end", bold=True),
                pen.put(self.picture(card, crew["crew"]), middle, y + 130, 2.1),
                *(
                    pen.text(middle, y + height - 24 - 28 * k, row, 26, "middle", bold=True, room=width - 30)
                    for k, row in enumerate(reversed(name))
                ),
            ]
        )

    def card(self, laid: dict[str, Any], crew: str) -> str:
        """A card on the table, 70 × 88: its picture or its back; the viewer's face-down cards have a dashed edge."""
        pen, card, up = self.pen, laid.get("card"), laid["face"] == "up"
        if card is None:
            hatching = "".join(f"M{x} 8V80" for x in range(10, 66, 7))
            return (
                pen.box(0, 0, 70, 88, pen.CARD, r=6)
                + pen.line(hatching, 1.5, opacity=0.45)
                + pen.put(pen.token(crew, 6), 35, 44, 0.42)
            )
        now = crew == self.view["to_play"] and laid["slot"] == self.view["slot"]
        edge = pen.box(0, 0, 70, 88, pen.CARD, pen.ACCENT if now else pen.INK, 5 if now else 3, 6, "" if up else "8 5")
        return edge + pen.put(self.picture(card, crew), 35, 44, 0.98) + self.skull_of(card, 60, 78)

    def skull_of(self, card: str, x: float, y: float) -> str:
        """The mark of a skull card, at a corner."""
        if card not in self.view["skulls"]:
            return ""
        pen, parts = self.pen, SHAPES["skull"]
        eyes = "".join(pen.oval(at, down, r) for at, down, r in parts["eyes"]) + pen.line(parts["teeth"], 2)
        return str(pen.put(pen.line(parts["bone"], 2, fill=pen.IVORY) + eyes, x, y, 1.1))

    def man(self, crew: str, x: float, y: float, size: float) -> str:
        """Someone on a card; without a crew, anyone."""
        pen = self.pen
        if crew:
            drawn = pen.token(crew, 7) + pen.line(SHAPES["gaze"], 8)
        else:
            drawn = pen.oval(0, 0, 42, fill=pen.IVORY, width=8) + pen.text(0, 21, "?", 60, "middle", bold=True)
        return pen.put(drawn, x, y, size)

    def picture(self, card: str, crew: str) -> str:
        """What a card does, within a square of 60 around (0, 0)."""
        pen = self.pen
        sorts = {
            "side": partial(pen.line, width=5),
            "line": partial(pen.line, width=3.5),
            "rope": partial(pen.line, width=3.5),
            "way": partial(pen.line, width=4.5, stroke=pen.ACCENT),
            "wave": partial(pen.line, width=4, stroke=pen.SEA),
            "wood": partial(pen.line, width=2.5, fill=pen.WOOD),
            "hull": partial(pen.line, width=2.5, fill=pen.WOOD_DARK),
            "gap": partial(pen.line, width=2.5, dashes="4 4"),
            "drop": partial(pen.line, width=0, fill=pen.BLUE),
            "burst": partial(pen.line, width=2.5, fill=pen.YELLOW),
            "own": partial(self.man, crew),
        }
        anyone = partial(self.man, "")
        return "".join(sorts.get(sort, anyone)(*drawn) for sort, *drawn in SHAPES["cards"][card])

    # -- the crews -----------------------------------------------------------------------------------------------------

    def crew(self, crew: dict[str, Any], width: float) -> str:
        """A crew: who is alive, whether it has the Favour, its three cards, and those that lie aside."""
        pen, view, colour = self.pen, self.view, crew["crew"]
        choosing = view["phase"] == "choosing" and crew["dead"] < 3 and colour not in view["chosen"]
        deciding = colour == view["to_play"] or choosing
        favoured = colour == view["favour"]
        drawn = [
            pen.box(0, 0, width, 268, pen.CARD, pen.ACCENT if deciding else pen.INK, 5 if deciding else 2.5, 12),
            pen.put(pen.token(colour, 6), 32, 34, 0.46),
            pen.text(
                62, 43, self.words.say("{crew}", crew=colour), 28, bold=deciding, room=width - (118 if favoured else 72)
            ),
            pen.put(self.favour(), width - 32, 30) if favoured else "",
        ]
        for k in range(3):
            dead = k < crew["dead"]
            drawn.append(pen.put(self.head(colour, k), 36 + k * 54, 96, 0.46, opacity=0.25 if dead else 1))
            if dead:
                drawn.append(pen.line(f"M{22 + k * 54} 82l28 28m0-28l-28 28", 5, pen.INK_SOFT))
        for slot in range(1, 4):
            x = 14 + (slot - 1) * 77
            laid = next((card for card in crew["cards"] if card["slot"] == slot), None)
            place = pen.box(0, 0, 70, 88, "none", pen.INK_SOFT, 1.5, 6, "5 5")
            drawn.append(pen.put(self.card(laid, colour) if laid else place, x, 132))
        for k, card in enumerate(crew["aside"]):
            drawn.append(pen.put(self.lying_aside(card, colour), 14 + k * 77, 226))
        return pen.put("".join(drawn), 0, 0, opacity=0.5 if crew["dead"] == 3 else 1)

    def lying_aside(self, card: str, crew: str) -> str:
        """A skull card that rests for a round."""
        pen = self.pen
        return (
            pen.box(0, 0, 70, 36, pen.PAPER_DEEP, pen.INK_SOFT, 2, 6)
            + pen.put(self.picture(card, crew), 22, 18, 0.52)
            + self.skull_of(card, 54, 17)
        )

    def favour(self) -> str:
        """The Captain's Favour: a medal with his hat."""
        pen, parts = self.pen, SHAPES["favour"]
        outer, inner = parts["rims"]
        medal = pen.oval(0, 0, outer, fill=pen.YELLOW, width=3.5) + pen.oval(0, 0, inner, fill="none", width=1.5)
        return str(pen.line(parts["ribbon"], 3, fill=pen.RED) + medal + pen.line(parts["crown"], 0, fill=pen.BLACK))


def _fit(count: int, width: float) -> tuple[float, int, int]:
    """How large everyone is, how many stand in a row, and how many rows there are, so that all fit."""
    scale = 0.98
    while True:
        row = max(1, int(width / (78 * scale)))
        rows = ceil(count / row)
        most = 1 if scale > 0.75 else 2 if scale > 0.6 else 3
        if rows <= most or scale < 0.4:
            return scale, row, rows
        scale -= 0.04
