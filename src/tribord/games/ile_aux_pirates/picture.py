"""The picture of L'Île aux Pirates: the castle, the path of sixteen squares, the ship, the dice and the crews."""

from __future__ import annotations

from math import ceil
from pathlib import Path

from tribord.core import art
from tribord.core.picture import Picture
from tribord.core.words import _, _n
from tribord.games.ile_aux_pirates.actions import COLOUR_IDS, PAWN_IDS
from tribord.games.ile_aux_pirates.state import CASTLE, CHILDREN, SHIP

XY = tuple[float, float]
Spot = tuple[float, float, float]  # x, y of the feet, and how large

SHAPES, COLOURS = art.read(Path(__file__).parent)
GRASS, SAND, LEAF, STONE, ROCK, WALL, COAT, WALKWAY, POND, HILL, BEARD, NAPE, HOOK = (
    COLOURS[f"ile-{name}"]
    for name in (
        "grass",
        "sand",
        "leaf",
        "stone",
        "rock",
        "wall",
        "coat",
        "walkway",
        "pond",
        "hill",
        "beard",
        "nape",
        "hook",
    )
)

GROWN, SHORE = 1.25, 690  # the page's wide map, a quarter larger
MAP = SHAPES["maps"]["wide"]
COAST: list[XY] = MAP["coast"]
CASTLE_AT: Spot = MAP["castle"]
SHIP_AT: Spot = MAP["ship"]
GATE: XY = (CASTLE_AT[0] + 78 * CASTLE_AT[2], CASTLE_AT[1] - 40 * CASTLE_AT[2])
ROUND: float = MAP["round"]
INLAND: list[XY] = [(510 + (x - 510) * 0.95, 274 + (y - 274) * 0.91) for x, y in COAST]

ENDED = {
    "won": _("All the children are aboard: everyone wins."),
    "lost": _("The ship is in the wrong hands: everyone loses."),
    "out-of-turns": _("There are no turns left: everyone loses."),
}


class Drawing(Picture):
    """The match as it is drawn."""

    def headline(self) -> str:
        """Whose turn it is and how many turns are left, or how the match ended."""
        view, words = self.view, self.words
        if view["over"]:
            return words.say(ENDED[view["phase"]])
        said = []
        if view["turn"] is not None:
            text = _("It’s {colour}’s turn.") if view["game"] == "strategic" else _("It’s {player}’s turn.")
            said.append(words.say(text, colour=view["turn"], player=view["turn"]))
        if "turns_left" in view:
            said.append(words.say(_n("{turns} turn left.", "{turns} turns left.", "turns"), turns=view["turns_left"]))
        return " ".join(said)

    def board(self) -> str:
        """The island, then the dice and the crews."""
        pen = self.pen
        island = self.land() + self.ship() + self.pawns(aboard=True) + self.hull() + self.pawns(aboard=False)
        island += self.numbers()
        return "".join(
            [
                pen.sea(0, 0, pen.WIDTH, SHORE),
                pen.put(island, 0, 0, GROWN),
                pen.box(-4, SHORE, pen.WIDTH + 8, pen.HEIGHT - SHORE + 8, pen.PAPER, width=4, r=0),
                self.dice(),
                self.crews(),
            ]
        )

    # -- what lies still -----------------------------------------------------------------------------------------------

    def land(self) -> str:
        """The island with its path and squares."""
        pen, coast, path = self.pen, curve(COAST, closed=True), curve([GATE, *MAP["squares"], MAP["gangway"][0]])
        gangway = "M" + "L".join(f"{x} {y}" for x, y in MAP["gangway"])
        shoals = ((46, pen.FOAM, 0.45), (42, pen.SEA, 1), (26, pen.FOAM, 0.6), (22, pen.SEA, 1))
        drawn = [pen.line(coast, width, colour, opacity=opacity) for width, colour, opacity in shoals]
        drawn += [
            pen.line(coast, 4, fill=SAND),
            pen.line(curve(INLAND, closed=True), 0, fill=GRASS),
            pen.put(self.pond(), *MAP["pond"]),
            *(pen.put(pen.line(SHAPES["tuft"], 2, opacity=0.4), *at) for at in MAP["tufts"]),
            *(pen.put(self.hill(), *at) for at in MAP["hills"]),
            *(pen.put(self.bush(), *at) for at in MAP["bushes"]),
            *(pen.put(self.palm(), *at) for at in MAP["palms"]),
            pen.line(path, 31),
            pen.line(path, 26, WALKWAY),
            pen.put(self.castle(), *CASTLE_AT),
            f'<path d="{gangway}" fill="none" stroke="{pen.WOOD}" stroke-width="18"/>',
            f'<path d="{gangway}" fill="none" stroke="{pen.INK}" stroke-width="18" stroke-dasharray="2.5 9"/>',
        ]
        for x, y in MAP["squares"]:
            drawn.append(pen.oval(x, y + 5, ROUND + 2, ROUND * 0.86))
            drawn.append(pen.oval(x, y, ROUND, ROUND * 0.84, STONE, width=3.5))
        return "".join(drawn)

    def numbers(self) -> str:
        """The numbers of the squares, drawn over everything that stands on them."""
        return "".join(
            self.pen.text(x, y + ROUND * 0.84 - 5, str(k), 24, "middle", bold=True, halo=STONE)
            for k, (x, y) in enumerate(MAP["squares"], 1)
        )

    def palm(self) -> str:
        pen, palm = self.pen, SHAPES["palm"]
        tree = pen.line(palm["trunk"], 3, fill=pen.WOOD) + pen.line(palm["frond"], 3, fill=LEAF)
        return tree + pen.line(palm["ridge"], 2, opacity=0.55)

    def hill(self) -> str:
        pen, hill = self.pen, SHAPES["hill"]
        return pen.line(hill["slope"], 3.5, fill=HILL) + pen.line(hill["hatch"], 2, opacity=0.55)

    def bush(self) -> str:
        pen, bush = self.pen, SHAPES["bush"]
        return pen.line(bush["leaves"], 3, fill=LEAF) + pen.line(bush["ridge"], 2, opacity=0.55)

    def pond(self) -> str:
        pen, pond = self.pen, SHAPES["pond"]
        return pen.line(pond["water"], 3, fill=POND) + pen.line(pond["ripple"], 2, pen.FOAM)

    def castle(self) -> str:
        """Two towers, a wall with battlements, a gate that stands open."""
        pen, parts = self.pen, SHAPES["castle"]
        return "".join(
            [
                pen.line(parts["rock"], 4, fill=ROCK),
                pen.line(parts["wall"], 3.5, fill=WALL),
                *(pen.line(tower, 3.5, fill=WALL) for tower in parts["towers"]),
                pen.line(parts["stones"], 2, opacity=0.55),
                pen.line(parts["slit"], 6, pen.PORT),
                pen.line(parts["roof"], 3.5, fill=pen.RED),
                pen.line(parts["pole"], 4),
                pen.line(parts["jolly"], 3, fill=pen.BLACK),
                pen.line(parts["bones"], 4, pen.BONE),
                pen.line(parts["gate"], 3, fill=pen.PORT),
                pen.line(parts["door"], 3, fill=pen.WOOD_DARK),
                pen.line(parts["terrace"], 3.5, fill=STONE),
                pen.line(parts["flags"], 2, opacity=0.55),
            ]
        )

    def ship(self) -> str:
        """The ship: sails are set when she leaves, and the flag says who has her."""
        pen, parts, phase = self.pen, SHAPES["vessel"], self.view["phase"]
        canvas = parts["set" if phase == "won" else "furled"]
        flag = pen.line(parts["ensign"], 3, fill=pen.BLUE)
        if phase in ("lost", "out-of-turns"):
            flag = pen.line(parts["jolly"], 3, fill=pen.BLACK) + pen.line(parts["bones"], 4, pen.BONE)
        drawn = [
            pen.line(parts["mast"], 7, pen.WOOD_DARK),
            *(pen.line(sail, 3.5, fill=pen.SAIL) for sail in canvas),
            pen.line(parts["gaskets"], 2, opacity=0.55) if phase != "won" else "",
            pen.line(parts["spar"], 5, pen.WOOD_DARK),
            flag,
            pen.line(parts["rope"], 1.8, opacity=0.7),
            pen.line(parts["deck"], 3.5, fill=pen.WOOD),
        ]
        return pen.put("".join(drawn), *SHIP_AT)

    def hull(self) -> str:
        """The near side of the ship, in front of the pawns on deck."""
        pen, parts = self.pen, SHAPES["vessel"]
        ports = "".join(pen.box(x, y, 20, 16, pen.PORT, width=2, r=3) for x, y in parts["ports"])
        side = pen.line(parts["hull"], 4, fill=pen.WOOD_DARK) + pen.line(parts["seam"], 2, opacity=0.55)
        return pen.put(side + ports + pen.line(parts["foam"], 4, pen.FOAM), *SHIP_AT)

    # -- who is where --------------------------------------------------------------------------------------------------

    def pawns(self, aboard: bool) -> str:
        """The pawns on the ship, or all others; pawns further down stand in front."""
        spots = [(self.spot(pawn, at), pawn) for pawn, at in self.view["pawns"].items() if (at == SHIP) == aboard]
        drawn = []
        for (x, y, size), pawn in sorted(spots, key=lambda one: one[0][1]):
            foot = "" if aboard else self.pen.oval(0, 0, 26, 7, opacity=0.22)
            drawn.append(self.pen.put(foot + self.pawn(pawn), x, y, size))
        return "".join(drawn)

    def spot(self, pawn: str, at: int) -> Spot:
        """Where a pawn stands, and how large it is there."""
        many, k = len(self.view["pawns"]) > 5, PAWN_IDS.index(pawn)
        if at in (CASTLE, SHIP):
            x, y, scale = CASTLE_AT if at == CASTLE else SHIP_AT
            dx, dy, size = _on_castle(k, many) if at == CASTLE else _on_ship(k, many)
            return x + dx * scale, y + dy * scale, size * scale
        here = [other for other, place in self.view["pawns"].items() if place == at]
        dx, dy, size = _circle(len(here))[here.index(pawn)]
        x, y = MAP["squares"][at - 1]
        return x + dx * MAP["grown"], y + dy * MAP["grown"], size * MAP["grown"]

    def pawn(self, pawn: str) -> str:
        return self.pirate(pawn) if pawn.startswith("pirate") else self.child(pawn)

    def child(self, pawn: str) -> str:
        """A child: its body is its crew's shape; the two of a crew differ by their hair."""
        pen, parts = self.pen, SHAPES["child"]
        crew, _dash, which = pawn.partition("-")
        hair = parts["hair"][int(which) - 1 if crew == "brown" else 2 if which == "1" else 1]
        colour = COLOURS[f"ile-hair-{hair['colour']}"]
        return "".join(
            [
                pen.line(parts["limbs"], 6),
                pen.put(pen.token(crew, 6.5), 0, -29, 0.5),
                pen.line(hair["behind"], 2.6, fill=colour) if "behind" in hair else "",
                self.round(parts["head"], fill=pen.SKIN, width=3),
                pen.line(hair["above"], 2.6, fill=colour),
                *map(self.round, parts["eyes"]),
                pen.line(parts["smiles"][(int(which) + 1) % 2], 2.6),
            ]
        )

    def round(self, circle: list[float], fill: str = "", width: float = 0) -> str:
        """A circle of a shape."""
        x, y, r = circle
        return str(self.pen.oval(x, y, r, fill=fill or self.pen.INK, width=width))

    def pirate(self, pawn: str) -> str:
        """A pirate: his face and force, or his back if the force must be remembered."""
        pen, parts, who = self.pen, SHAPES["pirate"], PAWN_IDS.index(pawn) - CHILDREN
        legs = pen.line(parts["legs"], 6)
        if who == 1:
            legs = pen.line(parts["leg"], 6) + pen.line(parts["peg"], 2.5, fill=pen.WOOD)
        hook = pen.line(parts["hook"], 8.5) + pen.line(parts["hook"], 4, HOOK) if who == 2 else ""
        limbs = legs + pen.line(parts["raised" if who == 2 else "arms"], 6) + hook
        body = limbs + pen.line(parts["coat"], 3.5, fill=COAT)
        if pawn not in self.view["shown"]:
            riddle = pen.text(0, -17, "?", 28, "middle", bold=True, fill=pen.BONE)
            nape = "".join(self.round(ear, pen.SKIN, 2.5) for ear in parts["ears"]) + self.round(parts["head"], NAPE, 3)
            nape += pen.line(parts["strands"], 1.8, opacity=0.7) + pen.line(parts["bow"], 2.2, fill=pen.RED)
            return body + nape + self.pirates_hat(pawn) + riddle
        face = parts["faces"][who]
        smile = pen.line(face["smile"], 2.6, pen.SKIN if who == 2 else pen.INK)
        marks = [
            pen.line(face["patch"], 2, fill=pen.INK) if "patch" in face else "",
            smile if who != 2 else "",
            pen.line(face["beard"], 2, fill=BEARD) if "beard" in face else "",
            *map(self.round, face["eyes"]),
            smile if who == 2 else "",
        ]
        head = self.round(parts["head"], pen.SKIN, 3) + "".join(marks) + self.pirates_hat(pawn)
        return body + head + pen.badge(0, -28, str(self.view["forces"][pawn]), 16)

    def pirates_hat(self, pawn: str) -> str:
        """What a pirate is known by, from in front and from behind."""
        pen, parts = self.pen, SHAPES["pirate"]
        if pawn == "pirate-1":
            return pen.line(parts["tricorne"], 2.5, fill=pen.BLACK) + pen.line(parts["bones"], 4, pen.BONE)
        if pawn == "pirate-2":
            return pen.line(parts["tall-hat"], 2.5, fill=pen.BLACK) + pen.line(parts["feather"], 2.5, fill=pen.YELLOW)
        return pen.line(parts["scarf"], 3, fill=pen.RED)

    # -- dice and crews ------------------------------------------------------------------------------------------------

    def dice(self) -> str:
        """The dice that are left, and which pawns they're for."""
        pen, view = self.pen, self.view
        high, child = pen.HEIGHT - SHORE, f"{view['turn']}-1" if view["turn"] in COLOUR_IDS else "brown-1"
        drawn = [
            pen.box(16, SHORE + 14, 470, high - 28, pen.WOOD, width=4, r=14),
            pen.box(28, SHORE + 26, 446, high - 52, pen.PAPER_DEEP, width=2.5, r=8),
        ]
        for k, die in enumerate(view["dice"]):
            pips = "".join(pen.oval(x, y, SHAPES["die"]["pip"]) for x, y in SHAPES["die"]["pips"][die])
            cube = (
                pen.box(-40, -40, 80, 80, pen.CARD, width=4, r=16)
                + pen.line(SHAPES["die"]["shade"], 2, opacity=0.3)
                + pips
            )
            drawn.append(pen.put(cube, 84 + k * 92, SHORE + high / 2))
        for k in range(view["pirate_dice"] + view["child_dice"]):
            x = 358 + k * 45
            if k < view["pirate_dice"]:
                drawn.append(pen.put(pen.hat(), x, SHORE + high / 2 + 30, 0.62))
            else:
                drawn.append(pen.put(self.child(child), x, SHORE + high / 2 + 32, 0.74))
        return "".join(drawn)

    def crews(self) -> str:
        """How many of each crew are aboard, and the force of the pirates aboard."""
        pen, pawns = self.pen, self.view["pawns"]
        cards = []
        for crew in (*COLOUR_IDS, "brown"):
            team = [at for pawn, at in pawns.items() if pawn.startswith(crew)]
            if team:
                cards.append((pen.token(crew), f"{team.count(SHIP)}/{len(team)}", crew == self.view["turn"]))
        force = sum(self.view["forces"].get(pawn, 0) for pawn, at in pawns.items() if at == SHIP)
        cards.append((pen.put(pen.hat(), 0, 46, 1.2), str(force), False))
        left, width, high = 496, min(240, 772 / len(cards)), pen.HEIGHT - SHORE - 28
        drawn = []
        for k, (sign, said, deciding) in enumerate(cards):
            edge = (pen.ACCENT, 5) if deciding else (pen.PAPER_DEEP, 3)
            card = pen.box(4, 0, width - 8, high, pen.CARD, *edge, 12) + pen.put(sign, width / 2, 58, 0.8)
            said = pen.text(width / 2, high - 24, said, 36, "middle", bold=True)
            drawn.append(pen.put(card + said, left + k * width, SHORE + 14))
        return "".join(drawn)


def _circle(count: int) -> list[Spot]:
    """Where pawns that share a square stand, and how large; none of them on its number."""
    crowds = SHAPES["crowds"]
    if count <= len(crowds["few"]):
        few: list[Spot] = crowds["few"][count - 1]
        return few
    form = next(form for form in crowds["more"] if count <= form["most"])
    columns, rows = form["columns"], ceil(count / form["columns"])
    return [
        ((k % columns - (columns - 1) / 2) * form["across"], 7 - (rows - 1 - k // columns) * form["down"], form["size"])
        for k in range(count)
    ]


def _on_castle(k: int, many: bool) -> Spot:
    """Every pawn has its own place in the castle: children before the wall, pirates on top of it."""
    if k >= CHILDREN:
        return ((k - 13) * 36 - 4, -120, 0.6) if many else (-4, -120, 0.7)
    if not many:
        return (-62 + k * 58, -4, 0.78)
    return (-96 + k * 28.5, -28, 0.56) if k < 6 else (-90 + (k - 6) * 33.6, 2, 0.56)


def _on_ship(k: int, many: bool) -> Spot:
    """On the ship, behind her bulwark: children amidships, pirates aft."""
    places = SHAPES["aboard"]["many" if many else "few"]
    spot: Spot = places["pirates"][k - CHILDREN] if k >= CHILDREN else places["children"][k]
    return spot


def curve(points: list[XY], closed: bool = False) -> str:
    """A calm curve through points."""
    n = len(points)

    def at(k: int) -> XY:
        return points[k % n] if closed else points[min(max(k, 0), n - 1)]

    path = f"M{at(0)[0]:.1f} {at(0)[1]:.1f}"
    for k in range(n if closed else n - 1):
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = at(k - 1), at(k), at(k + 1), at(k + 2)
        path += f"C{bx + (cx - ax) / 6:.1f} {by + (cy - ay) / 6:.1f} "
        path += f"{cx - (dx - bx) / 6:.1f} {cy - (dy - by) / 6:.1f} {cx:.1f} {cy:.1f}"
    return f"{path}Z" if closed else path
