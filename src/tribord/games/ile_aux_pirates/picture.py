"""The picture of L'Île aux Pirates: the castle, the path of sixteen squares, the ship, the dice and the crews."""

from __future__ import annotations

from math import ceil
from pathlib import Path

from tribord.core import art
from tribord.core.picture import Picture
from tribord.core.words import _, _n
from tribord.games.ile_aux_pirates.actions import COLOUR_IDS, PAWN_IDS
from tribord.games.ile_aux_pirates.state import CASTLE, CHILDREN, SHIP

Point = tuple[float, float]
Spot = tuple[float, float, float]  # x, y of the feet, and how large

SHAPES, COLOURS = art.read(Path(__file__).parent)
GRASS, SAND, LEAF, STONE, ROCK, WALL, COAT, TRAIL, HILL, HAIR_OF_BEARDS, NAPE = (
    COLOURS[f"ile-{name}"]
    for name in ("grass", "sand", "leaf", "stone", "rock", "wall", "coat", "trail", "hill", "beard", "nape")
)
HAIR = tuple(COLOURS[f"ile-hair-{name}"] for name in ("dark", "black", "red", "fair"))

# The map, as on the page; drawn a quarter larger.
GROWN, SHORE = 1.25, 690
COAST: list[Point] = [
    (14, 200), (40, 90), (130, 34), (300, 40), (440, 22), (600, 34), (760, 20), (900, 36), (996, 110), (1012, 220),
    (960, 316), (860, 350), (750, 336), (674, 372), (664, 440), (640, 500), (530, 526), (400, 508), (260, 522),
    (120, 506), (30, 420), (8, 310),
]  # fmt: skip
INLAND: list[Point] = [(510 + (x - 510) * 0.95, 274 + (y - 274) * 0.91) for x, y in COAST]
SQUARES: list[Point] = [
    (300, 268), (336, 172), (434, 118), (544, 134), (652, 114), (762, 122), (868, 126), (936, 202), (856, 264),
    (748, 244), (640, 276), (532, 254), (426, 296), (376, 398), (470, 460), (584, 440),
]  # fmt: skip
ROUND = 47
CASTLE_AT: Spot = (138, 318, 1.15)
SHIP_AT: Spot = (838, 462, 1.05)
GATE: Point = (228, 272)
GANGWAY: list[Point] = [(622, 448), (690, 430)]
PALMS: list[Spot] = [
    (596, 194, 0.9), (706, 190, 0.8), (296, 468, 1), (346, 494, 0.8), (812, 196, 0.85), (480, 200, 0.8),
    (972, 150, 0.7), (92, 446, 0.8), (890, 330, 0.7),
]  # fmt: skip
HILLS: list[Spot] = [(190, 470, 1.15), (640, 208, 0.7), (470, 384, 0.66)]
BUSHES: list[Spot] = [
    (372, 236, 1), (256, 400, 0.9), (386, 60, 0.8), (700, 52, 0.8), (930, 90, 0.9), (520, 500, 0.9), (300, 350, 0.8),
]  # fmt: skip

TRICORNE = "M-30-72C-26-82-19-84-16-82C-12-100 12-100 16-82C19-84 26-82 30-72C18-78-18-78-30-72Z"
TALL_HAT = "M-17-72L-13-101Q0-107 13-101L17-72ZM-27-71Q0-82 27-71L25-66Q0-75-25-66Z"
SCARF = "M-19-66C-20-92 20-92 19-66C8-73-8-73-19-66ZM17-70l15-3-6 9 7 6-14 0z"
PATCH = "M1-69h13q1 10-6 11-7-1-7-11zM1-69l-18-4M14-69l4-2"
MOUSTACHE = "M-12-55q6-4 12 0q6-4 12 0q-4 5-12 3q-8 2-12-3z"
BEARD = "M-17-60Q-14-38 0-40Q14-38 17-60Q8-52 0-54Q-8-52-17-60Z"

PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


ENDED = {
    "won": _("All the children are aboard: everybody has won."),
    "lost": _("The ship is in the wrong hands: everybody has lost."),
    "out-of-turns": _("The turns are used up: everybody has lost."),
}


class Drawing(Picture):
    """The match as it is drawn."""

    def headline(self) -> str:
        """Whose turn it is and how many are left, or how it ended."""
        view, words = self.view, self.words
        if view["over"]:
            return words.say(ENDED[view["phase"]])
        said = []
        if view["turn"] is not None:
            text = _("It is {colour}'s turn.") if view["game"] == "strategic" else _("It is {player}'s turn.")
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
        pen, coast, path = self.pen, curve(COAST, closed=True), curve([GATE, *SQUARES, GANGWAY[0]])
        gangway = "M" + "L".join(f"{x} {y}" for x, y in GANGWAY)
        shoals = ((46, pen.FOAM, 0.45), (42, pen.SEA, 1), (26, pen.FOAM, 0.6), (22, pen.SEA, 1))
        drawn = [pen.line(coast, width, colour, opacity=opacity) for width, colour, opacity in shoals]
        drawn += [
            pen.line(coast, 4, fill=SAND),
            pen.line(curve(INLAND, closed=True), 0, fill=GRASS),
            *(pen.put(self.hill(), *at) for at in HILLS),
            *(pen.put(self.bush(), *at) for at in BUSHES),
            *(pen.put(self.palm(), *at) for at in PALMS),
            pen.line(path, 31),
            pen.line(path, 26, TRAIL),
            pen.put(self.castle(), *CASTLE_AT),
            f'<path d="{gangway}" fill="none" stroke="{pen.WOOD}" stroke-width="18"/>',
            f'<path d="{gangway}" fill="none" stroke="{pen.INK}" stroke-width="18" stroke-dasharray="2.5 9"/>',
        ]
        for x, y in SQUARES:
            drawn.append(pen.oval(x, y + 5, ROUND + 2, ROUND * 0.86))
            drawn.append(pen.oval(x, y, ROUND, ROUND * 0.84, STONE, width=3.5))
        return "".join(drawn)

    def numbers(self) -> str:
        """The numbers of the squares: they lie on whatever stands before them."""
        return "".join(
            self.pen.text(x, y + ROUND * 0.84 - 5, str(k), 24, "middle", bold=True, halo=STONE)
            for k, (x, y) in enumerate(SQUARES, 1)
        )

    def palm(self) -> str:
        pen = self.pen
        frond = "M2-48Q-22-66-36-44Q-16-52 2-46Q-10-40-18-24Q0-42 3-46Q10-36 22-26Q16-42 4-47Q22-52 38-40Q24-66 2-48Z"
        return pen.line("M-4 0Q2-26-2-48L5-48Q8-24 5 0Z", 3, fill=pen.WOOD) + pen.line(frond, 3, fill=LEAF)

    def hill(self) -> str:
        pen = self.pen
        slope = pen.line("M-66 0Q-40-14-24-50Q-14-66-2-46Q8-30 20-40Q32-46 40-26Q50-6 68 0Z", 3.5, fill=HILL)
        return slope + pen.line("M-2-44l8 20M6-34l8 16M-10-52l18 46M22-38l12 26M30-36l14 28", 2, opacity=0.55)

    def bush(self) -> str:
        pen = self.pen
        leaves = pen.line("M-24 0Q-34-14-20-20Q-16-34 0-28Q14-36 20-20Q34-14 24 0Z", 3, fill=LEAF)
        return leaves + pen.line("M-10-8q4-8 10-8M6-6q4-6 9-6", 2, opacity=0.55)

    def castle(self) -> str:
        """Two towers, a wall with battlements, a gate that stands open."""
        pen = self.pen
        stones = "M-98-120h12M-80-98h10M-96-74h12M66-128h12M80-104h12M64-72h12M-48-104h14M-20-64h12M14-100h12M30-60h10"
        return "".join(
            [
                pen.line("M-118 12Q-124-20-108-44L-104-80H100Q116-40 116-10Q118 14 70 16Q-60 22-118 12Z", 4, fill=ROCK),
                pen.line("M-72-118v-14h18v14h18v-14h18v14h18v-14h18v14h18v-14h18v14h18V-46H-72Z", 3.5, fill=WALL),
                pen.line("M-106-44V-142h-6v-24h12v10h10v-10h12v10h10v-10h12v24h-6v98Z", 3.5, fill=WALL),
                pen.line("M56-44V-150h-6v-24h12v10h10v-10h12v10h10v-10h12v24h-6V-44Z", 3.5, fill=WALL),
                pen.line(stones, 2, opacity=0.55),
                pen.line("M-84-126v14M82-134v14", 6),
                pen.line("M-112-166L-84-204L-56-166Z", 3.5, fill=pen.ACCENT),
                pen.line("M78-174v-40", 4),
                pen.line("M78-212q20-6 38 2q-6 10 0 20q-18-8-38-2z", 3, fill=pen.INK),
                pen.line("M88-206l16 8m0-8l-16 8", 4, pen.BONE),
                pen.line("M60-40V-66A18 18 0 0 1 96-66V-40Z", 3, fill=pen.INK),
                pen.line("M-112-34Q0-52 112-34Q122 10 60 12Q-60 18-112 8Q-122-12-112-34Z", 3.5, fill=STONE),
            ]
        )

    def ship(self) -> str:
        """The ship: sails are set when she leaves, and the flag says who has her."""
        pen, phase = self.pen, self.view["phase"]
        if phase == "won":
            canvas = (
                "M-84-116Q-36-106 12-116Q6-92 16-62Q-36-48-90-62Q-78-92-84-116Z"
                "M24-100Q56-92 90-100Q84-84 92-62Q56-54 20-62Q30-84 24-100Z"
            )
        else:
            canvas = (
                "M-86-116Q-36-106 16-116Q20-104 12-98Q-36-88-82-98Q-90-106-86-116Z"
                "M20-100Q56-92 92-100Q96-88 88-84Q56-76 24-84Q16-90 20-100Z"
            )
        flag = pen.line("M-36-136q24-8 46 2l-12 11l12 11q-22-10-46-2z", 3, fill=pen.CREWS["blue"])
        if phase in ("lost", "out-of-turns"):
            flag = pen.line("M-36-136q28-10 54 2q-7 15 0 30q-26-12-54-2z", 3, fill=pen.INK)
            flag += pen.line("M-20-126l20 11m0-11l-20 11", 4, pen.BONE)
        drawn = (
            pen.line("M-36-10V-138M52-40V-110", 7, pen.WOOD_DARK)
            + pen.line(canvas, 3.5, fill=pen.SAIL)
            + pen.line("M-90-118H20M16-102H96", 5, pen.WOOD_DARK)
            + flag
            + pen.line("M-36-124L-128-20M52-106L126-44M-36-90L52-104", 1.8, opacity=0.7)
            + pen.line("M-128-20Q-60-6 44-8L48-32Q100-34 136-46L130-4H-112Z", 3.5, fill=pen.WOOD)
        )
        return pen.put(drawn, *SHIP_AT)

    def hull(self) -> str:
        """The near side of the ship, before who stands on deck."""
        pen = self.pen
        side = "M-146-30Q-128-10-60-4Q10 0 50-4L52-26Q104-28 140-42Q142 20 112 56Q0 74-92 56Q-128 26-146-30Z"
        ports = "".join(
            pen.box(x, y, 20, 16, pen.INK, width=2, r=3) for x, y in ((-66, 14), (-20, 18), (26, 17), (72, 10))
        )
        seams = pen.line("M-128 6Q0 26 132 4M-112 30Q0 48 126 28", 2, opacity=0.55)
        foam = pen.line("M-112 52q14 10 28 4t28 8t30-2t30 4t30-4t30 0t30-6", 4, pen.FOAM)
        return pen.put(pen.line(side, 4, fill=pen.WOOD_DARK) + seams + ports + foam, *SHIP_AT)

    # -- who is where --------------------------------------------------------------------------------------------------

    def pawns(self, aboard: bool) -> str:
        """Everybody on the ship, or everybody else; who stands further down stands in front."""
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
        x, y = SQUARES[at - 1]
        return x + dx, y + dy, size

    def pawn(self, pawn: str) -> str:
        return self.pirate(pawn) if pawn.startswith("pirate") else self.child(pawn)

    def child(self, pawn: str) -> str:
        """A child: its body is its crew's shape; the two of a crew differ by their hair."""
        pen = self.pen
        crew, _dash, which = pawn.partition("-")
        k = int(which) - 1 if crew == "brown" else 2 if which == "1" else 1
        behind = (
            "",
            "M-18-66q-12 6-9 22q8 0 9-8zM18-66q12 6 9 22q-8 0-9-8z",
            "",
            "M10-78q18-2 15 16q-8-2-12-10z",
        )[k]
        above = (
            "M-17-64C-20-84 20-84 17-64C10-72-8-72-17-64Z",
            "M-17-62C-20-82 20-82 17-62C8-74-8-74-17-62Z",
            "M-16-66C-18-78-6-84 0-78C4-86 18-82 16-66C12-72 4-70 0-73C-4-70-12-72-16-66Z",
            "M-17-63C-19-84 19-84 17-63C14-73-14-73-17-63Z",
        )[k]
        return (
            pen.line("M-8-12L-11-1h-5M8-12L11-1h5M-19-36l-9 8M19-36l9 8", 6)
            + pen.put(pen.token(crew, 6.5), 0, -29, 0.5)
            + (pen.line(behind, 2.6, fill=HAIR[k]) if behind else "")
            + pen.oval(0, -61, 16.5, fill=pen.SKIN, width=3)
            + pen.line(above, 2.6, fill=HAIR[k])
            + pen.oval(-6, -61, 2.4)
            + pen.oval(6, -61, 2.4)
            + pen.line("M-6-54q6 6 12 0", 2.6)
        )

    def pirate(self, pawn: str) -> str:
        """A pirate: his face and force, or his back where the force is to be remembered."""
        pen = self.pen
        limbs = pen.line("M-10-8V-1h-7M10-8V-1h7M-24-34l-9 14M24-34l9 14", 6)
        body = limbs + pen.line("M-15-50Q-30-34-27-9Q0-3 27-9Q30-34 15-50Z", 3.5, fill=COAT)
        if pawn not in self.view["shown"]:
            riddle = pen.text(0, -17, "?", 28, "middle", bold=True, fill=pen.BONE)
            return body + pen.oval(0, -62, 18, fill=NAPE, width=3) + self.pirates_hat(pawn) + riddle
        eyes = pen.oval(-6, -63, 2.6) + (pen.oval(6, -63, 2.6) if pawn != "pirate-1" else "")
        marks = {
            "pirate-1": pen.line(PATCH, 2, fill=pen.INK) + pen.line("M-8-52q8 5 15-2", 2.6),
            "pirate-2": pen.line("M-7-51h13", 2.6) + pen.line(MOUSTACHE, 2, fill=HAIR_OF_BEARDS),
            "pirate-3": pen.line(BEARD, 2, fill=HAIR_OF_BEARDS),
        }
        head = pen.oval(0, -62, 18, fill=pen.SKIN, width=3) + marks[pawn] + eyes + self.pirates_hat(pawn)
        return body + head + pen.badge(0, -28, str(self.view["forces"][pawn]), 16)

    def pirates_hat(self, pawn: str) -> str:
        """What a pirate is known by, from in front and from behind."""
        pen = self.pen
        if pawn == "pirate-1":
            return pen.line(TRICORNE, 2.5, fill=pen.INK) + pen.line("M-5-88l10 6m0-6l-10 6", 4, pen.BONE)
        if pawn == "pirate-2":
            feather = pen.line("M10-98q14-18 22-8q-4 12-20 14z", 2.5, fill=pen.YELLOW)
            return pen.line(TALL_HAT, 2.5, fill=pen.INK) + feather
        return pen.line(SCARF, 3, fill=pen.ACCENT)

    # -- dice and crews ------------------------------------------------------------------------------------------------

    def dice(self) -> str:
        """The dice that are left, and whom they are for."""
        pen, view = self.pen, self.view
        high, child = pen.HEIGHT - SHORE, f"{view['turn']}-1" if view["turn"] in COLOUR_IDS else "brown-1"
        drawn = [
            pen.box(16, SHORE + 14, 470, high - 28, pen.WOOD, width=4, r=14),
            pen.box(28, SHORE + 26, 446, high - 52, pen.PAPER_DEEP, width=2.5, r=8),
        ]
        for k, die in enumerate(view["dice"]):
            pips = "".join(pen.oval(x * 21, y * 21, 8.5) for x, y in PIPS[die])
            cube = pen.box(-40, -40, 80, 80, pen.CARD, width=4, r=16) + pips
            drawn.append(pen.put(cube, 84 + k * 92, SHORE + high / 2))
        for k in range(view["pirate_dice"] + view["child_dice"]):
            x = 358 + k * 45
            if k < view["pirate_dice"]:
                drawn.append(pen.put(pen.hat(), x, SHORE + high / 2 + 30, 0.62))
            else:
                drawn.append(pen.put(self.child(child), x, SHORE + high / 2 + 32, 0.74))
        return "".join(drawn)

    def crews(self) -> str:
        """How many of each crew are aboard, and how strong the pirates are who are."""
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
    """So many share a square: where each stands, and how large; nobody on the number."""
    if count == 1:
        return [(0, 3, 1)]
    if count == 2:
        return [(-21, 1, 0.86), (21, 5, 0.86)]
    if count == 3:
        return [(0, -19, 0.74), (-25, 6, 0.74), (25, 6, 0.74)]
    columns = 2 if count <= 4 else 3 if count <= 9 else 5
    rows = ceil(count / columns)
    size = 0.68 if count <= 4 else 0.58 if count <= 6 else 0.5 if count <= 9 else 0.42
    across, down = {2: 44, 3: 33, 5: 22}[columns], 36 if count <= 4 else 32 if rows == 2 else 26
    return [
        ((k % columns - (columns - 1) / 2) * across, 7 - (rows - 1 - k // columns) * down, size) for k in range(count)
    ]


def _on_castle(k: int, many: bool) -> Spot:
    """On the castle everybody has a place of their own: children before the wall, pirates on top of it."""
    if k >= CHILDREN:
        return ((k - 13) * 36 - 4, -120, 0.6) if many else (-4, -120, 0.7)
    if not many:
        return (-62 + k * 58, -4, 0.78)
    return (-96 + k * 28.5, -28, 0.56) if k < 6 else (-90 + (k - 6) * 33.6, 2, 0.56)


def _on_ship(k: int, many: bool) -> Spot:
    """On the ship, behind her bulwark: children amidships, pirates aft."""
    if k >= CHILDREN:
        return (62 + (k - 12) * 31, -22, 0.54) if many else (94, -26, 0.68)
    return (-98 + k % 6 * 26 + (13 if k < 6 else 0), -7 if k < 6 else 9, 0.54) if many else (-82 + k * 50, -12, 0.72)


def curve(points: list[Point], closed: bool = False) -> str:
    """A calm curve through points."""
    n = len(points)

    def at(k: int) -> Point:
        return points[k % n] if closed else points[min(max(k, 0), n - 1)]

    path = f"M{at(0)[0]:.1f} {at(0)[1]:.1f}"
    for k in range(n if closed else n - 1):
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = at(k - 1), at(k), at(k + 1), at(k + 2)
        path += f"C{bx + (cx - ax) / 6:.1f} {by + (cy - ay) / 6:.1f} "
        path += f"{cx - (dx - bx) / 6:.1f} {cy - (dy - by) / 6:.1f} {cx:.1f} {cy:.1f}"
    return f"{path}Z" if closed else path
