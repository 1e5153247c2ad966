"""The picture of Sauve qui peut !: the lanes between the ship that sinks and the islands, and the crews beside them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tribord.core import art
from tribord.core.picture import Picture
from tribord.core.words import _, _n
from tribord.games.sauve_qui_peut.state import LANDED, SHIP_ROW
from tribord.games.sauve_qui_peut.text import PHASES

SHAPES, COLOURS = art.read(Path(__file__).parent)
ROCK, LEAF, HOLD, RIM, FELT, BAND, BRAID, HOLE, GLINT = (
    COLOURS[f"sqp-{name}"] for name in ("rock", "leaf", "hold", "wheel", "felt", "band", "braid", "hole", "glint")
)

SHIP, LEFT, BEACH, COAST = 58, 126, 804, 968  # where the ship ends, boats begin, islands begin, and the sea ends
STERN, BOW, SEAT = (SHAPES["boat"][name] for name in ("stern", "bow", "seat"))
FOOT = 58  # below the crews


class Drawing(Picture):
    """The match as it is drawn."""

    def headline(self) -> str:
        """The current question and who decides it, or who has won."""
        view, words = self.view, self.words
        if view["over"]:
            return self.ending()
        asked = words.say(PHASES[view["phase"]], crew=view["turn"], boat=view["full_boat"])
        return f"{asked} ({words.name('crew', view['turn'])})" if view["targets"] else asked

    def ending(self) -> str:
        """Who has won."""
        view, words = self.view, self.words
        points = max(crew["points"] for crew in view["crews"])
        winners = [words.name("crew", crew["crew"]) for crew in view["crews"] if crew["points"] == points]
        if len(winners) == 1:
            sentence = _n("{crew} wins with {points} point.", "{crew} wins with {points} points.", "points")
            return words.say(sentence, crew=winners[0], points=points)
        sentence = _n(
            "{crews} share the victory with {points} point.",
            "{crews} share the victory with {points} points.",
            "points",
            _("{crews} share the victory without a single point."),
        )
        return words.say(sentence, crews=", ".join(winners), points=points)

    def board(self) -> str:
        """The sea, then the crews."""
        pen, crews = self.pen, self.view["crews"]
        height = min(190, (pen.HEIGHT - FOOT - 6) / len(crews))
        return "".join(
            [
                pen.sea(0, 0, COAST, pen.HEIGHT),
                self.ship(),
                self.rows(),
                self.islands(),
                *(self.boat(k, boat) for k, boat in enumerate(self.view["boats"])),
                pen.box(COAST, -8, pen.WIDTH - COAST + 8, pen.HEIGHT + 16, pen.PAPER, width=4, r=0),
                *(pen.put(self.crew(crew, height - 8), COAST + 10, 10 + k * height) for k, crew in enumerate(crews)),
                self.box_of_leaks(),
            ]
        )

    # -- the sea -------------------------------------------------------------------------------------------------------

    @property
    def depth(self) -> float:
        """Of a lane."""
        return float(self.pen.HEIGHT - 8) / len(self.view["boats"])

    @property
    def scale(self) -> float:
        """Of boats and people."""
        return min(1.24, self.depth / 106)

    @property
    def stride(self) -> float:
        """From a row to the next."""
        return (BEACH + 30 - LEFT - (BOW - STERN) * self.scale) / 3

    def at(self, k: int, row: int) -> tuple[float, float]:
        """The middle of a boat's waterline."""
        return LEFT - STERN * self.scale + (SHIP_ROW - row) * self.stride, (k + 1) * self.depth + 4 - 20 * self.scale

    def ship(self) -> str:
        """The sinking ship, along the left edge."""
        pen, high = self.pen, self.pen.HEIGHT
        parts, wood = SHAPES["ship"], pen.WOOD_DARK
        drawn = [pen.line(pen.path(parts["hull"], x=SHIP, t=-10, h=high, far=-20), 4, fill=wood)]
        drawn += [pen.line(pen.path(parts["seam"], x=x, t=-10, h=high), 2, opacity=0.55) for x in (12, 44)]
        for k in range(len(self.view["boats"])):
            y = (k + 0.5) * self.depth
            drawn.append(pen.oval(30, y, 12, fill=pen.PORT, width=2))
            drawn.append(pen.line(pen.path(parts["davit"], x=SHIP, y=y - 0.1 * self.depth, w=24), 5))
            drawn.append(pen.line(pen.path(parts["wash"], x=SHIP, y=(k + 0.82) * self.depth), 4, pen.FOAM, opacity=0.8))
        return "".join(drawn)

    def rows(self) -> str:
        """How far away the islands are."""
        bow = LEFT + (BOW - STERN) * self.scale + 10
        lines = "".join(f"M{self.pen.number(bow + k * self.stride)} 10V{self.pen.HEIGHT - 10}" for k in range(3))
        return self.pen.line(lines, 3, self.pen.FOAM, opacity=0.5, dashes="2 15")

    def islands(self) -> str:
        """The islands, and the points for landing there."""
        drawn = []
        for island in ("left", "centre", "right"):
            lanes = [k for k, boat in enumerate(self.view["boats"]) if boat["island"] == island]
            if lanes:
                worth = self.view["boats"][lanes[0]]["worth"]
                drawn.append(self.island(island, lanes[0] * self.depth + 8, (lanes[-1] + 1) * self.depth - 4, worth))
        return "".join(drawn)

    def island(self, island: str, top: float, bottom: float, worth: dict[str, int]) -> str:
        pen, middle = self.pen, (top + bottom) / 2
        sign = (
            pen.line("M0 30V78", 9)
            + pen.box(-62, -54, 124, 104, pen.BONE, width=4, r=7)
            + pen.put(self.person("", "sailor", 0), -30, -22, 0.4)
            + pen.text(30, -14, str(worth["sailor"]), 38, "middle", bold=True)
            + pen.put(self.person("", "helmsman", 0), -30, 26, 0.32)
            + pen.text(30, 37, str(worth["helmsman"]), 38, "middle", bold=True)
        )
        green = pen.line(self.shore(BEACH + 76, top + 17, bottom - 17), 3, fill=pen.GREEN, opacity=0.9)
        grown = self.palm(BEACH + 66, top + 76, 0.8) + self.palm(BEACH + 140, bottom - 10, 0.8)
        if island == "centre":
            green = pen.line(self.shore(BEACH + 76, top + 17, bottom - 17), 2, dashes="3 9")
            rocks = [pen.line(rock, 3.5, fill=ROCK) for rock in SHAPES["island"]["rocks"]]
            grown = pen.put(rocks[0], BEACH + 40, top + 62) + pen.put(rocks[2], BEACH + 86, bottom - 12, 0.7)
        return (
            pen.line(self.shore(BEACH - 16, top - 3, bottom + 3), 3, pen.FOAM, opacity=0.6)
            + pen.line(self.shore(BEACH, top + 3, bottom - 3), 4, fill=pen.SAIL)
            + green
            + grown
            + pen.put(sign, BEACH + 94, middle)
        )

    def shore(self, x: float, top: float, bottom: float) -> str:
        """Around an island that goes on behind the crews."""
        return str(self.pen.path(SHAPES["island"]["shore"], x=x, r=COAST + 90, t=top, h=bottom - top))

    def palm(self, x: float, y: float, size: float) -> str:
        pen, parts = self.pen, SHAPES["island"]
        tree = pen.line(parts["trunk"], 3, fill=pen.WOOD) + pen.line(parts["leaf"], 3, fill=LEAF)
        nuts = "".join(pen.oval(at, down, r, fill=pen.WOOD_DARK, width=2) for at, down, r in parts["nuts"])
        return str(pen.put(tree + nuts, x, y, size))

    # -- boats and people ----------------------------------------------------------------------------------------------

    def boat(self, k: int, boat: dict[str, Any]) -> str:
        """A boat with its people and leaks, and the people who have just left it."""
        pen, lane = self.pen, boat["lane"]
        if boat["where"] == "sunk":
            x, y = self.at(k, SHIP_ROW)
            return pen.put(self.side(lane, pen.INK), x, y + 14 * self.scale, self.scale * 0.94, 8, 0.3)
        x, y = self.at(k, max(boat["row"], LANDED))
        meant = lane == self.view["full_boat"] or lane in self.view["targets"]
        swimmers = [crew for crew in self.view["crews"] if crew.get("between", {}).get("lane") == lane]
        drawn = [pen.line(SHAPES["boat"]["hold"], 3, fill=HOLD), self.aboard(boat)]
        drawn.append(self.side(lane, pen.LANTERN if meant else pen.INK))
        for nth, crew in enumerate(swimmers):
            ripple = pen.line("M-54 18q13-11 27 0t27 0t27 0t27 0", 7, pen.FOAM)
            person = self.person(crew["crew"], crew["between"]["person"], 0)
            drawn.append(pen.put(person + ripple, STERN - 18 - nth * 40, -6, 0.42))
        return pen.put("".join(drawn), x, y, self.scale)

    def aboard(self, boat: dict[str, Any]) -> str:
        """Seat by seat: helmsmen, sailors, leaks, free places."""
        pen, held = self.pen, []
        for crew, people in boat["people"].items():
            held += [(crew, "helmsman", k) for k in range(people["helmsmen"])]
            held += [(crew, "sailor", k) for k in range(people["sailors"])]
        places = [(k - 2.5) * SEAT for k in range(6)]
        drawn = [pen.put(self.wheel(), x, -44, 0.4) for x, who in zip(places, held) if who[1] == "helmsman"]
        for x, (crew, kind, k) in zip(places, held):
            drawn.append(pen.put(self.person(crew, kind, k, wheel=False), x, -44 if kind == "helmsman" else -39, 0.43))
        for x in places[len(held) : len(held) + boat["leaks"]]:
            drawn.append(pen.put(self.leak(), x, -30))
        for x in places[len(held) + boat["leaks"] :][: boat["free"]]:
            drawn.append(pen.put(pen.oval(0, 0, 15, fill="none", stroke=pen.BONE, width=2.5), x, -38, opacity=0.55))
        return "".join(drawn)

    def side(self, lane: int, edge: str) -> str:
        """The side of a boat, before its people: its number, its name."""
        pen, parts = self.pen, SHAPES["boat"]
        x, y, r = parts["disc"]
        return (
            pen.line(parts["hull"], 4 if edge == pen.INK else 6, edge, pen.WOOD if lane % 2 else pen.WOOD_DARK)
            + pen.line(parts["seam"], 2, opacity=0.5)
            + pen.oval(x, y, r, fill=pen.BONE, width=3.5)
            + pen.text(x, 4, str(lane), 26, "middle", bold=True)
            + pen.text(-92, 5, self.words.name("boat", lane), 25, fill=pen.CARD)
            + pen.line(parts["foam"], 4, pen.FOAM)
        )

    def leak(self) -> str:
        """Water that comes up where someone could sit."""
        pen = self.pen
        water = pen.line(SHAPES["leak"]["jet"], 5, pen.FOAM)
        drops = "".join(pen.oval(x, y, r, fill=pen.FOAM) for x, y, r in SHAPES["leak"]["drops"])
        return str(water + pen.put(self.hole(), 0, 4) + drops)

    def hole(self) -> str:
        """The hole itself, as it lies in the box."""
        pen = self.pen
        x, y, r = SHAPES["leak"]["hole"]
        return str(pen.oval(x, y, r, fill=HOLE, width=3.5) + pen.line(SHAPES["leak"]["glint"], 3, GLINT))

    def wheel(self) -> str:
        """A helmsman's wheel."""
        pen, spokes, rim = self.pen, SHAPES["people"]["spokes"], SHAPES["people"]["rim"]
        dark = pen.line(spokes, 15) + pen.oval(0, 0, rim, fill="none", width=19)
        return str(dark + pen.oval(0, 0, rim, fill="none", stroke=RIM, width=10) + pen.line(spokes, 7, RIM))

    def person(self, crew: str, kind: str, nth: int, wheel: bool = True) -> str:
        """A sailor, small, with a pompon; a helmsman, large, before his wheel. Without a crew, it's anyone."""
        pen, large, faces = self.pen, kind == "helmsman", SHAPES["people"]["faces"][kind]
        token = pen.token(crew) if crew else pen.oval(0, 0, 44, fill=pen.BONE, width=4)
        body = token + pen.face(faces[nth % len(faces)]) + self.hat(kind)
        return self.wheel() + body if large and wheel else body

    def hat(self, kind: str) -> str:
        """All that stays of a lost person."""
        pen, parts = self.pen, SHAPES["people"]
        if kind == "helmsman":
            return str(pen.line(parts["felt"], 3, fill=FELT) + pen.line(parts["cord"], 6, pen.YELLOW))
        x, y, r = parts["pompon"]
        cloth = pen.line(parts["cloth"], 3, fill=pen.BONE) + pen.line(parts["band"], 6, BAND)
        return str(cloth + pen.oval(x, y, r, fill=pen.RED, width=3))

    def cap(self) -> str:
        """The captain's cap, as a dial shows it, and as the sign for a token."""
        pen, parts = self.pen, SHAPES["cap"]
        crown = pen.line(parts["crown"], 4, fill=pen.BONE) + pen.line(parts["peak"], 4, fill=pen.BLACK)
        return str(crown + pen.line(parts["anchor"], 5, BRAID))

    # -- the crews -----------------------------------------------------------------------------------------------------

    def crew(self, crew: dict[str, Any], height: float) -> str:
        """A crew: its dial, its points, its caps, and its people on deck or lost."""
        pen, view, colour = self.pen, self.view, crew["crew"]
        deciding = colour in (view["turn"], *view["voting"])
        named = colour in view["targets"]
        edge = pen.ACCENT if deciding else pen.YELLOW if named else pen.PAPER_DEEP
        foot, width = height - 30, pen.WIDTH - COAST - 20
        drawn = [
            pen.box(0, 0, width, height, pen.CARD, edge, 5 if deciding or named else 2.5, 12),
            pen.put(self.dial(colour), 48, height / 2, min(1.1, height / 104)),
            pen.text(98, 40, self.words.say("{crew}", crew=colour), 28, bold=deciding, room=164),
            pen.text(width - 14, height / 2 + 22, str(crew["points"]), 42, "end", bold=True),
            pen.put(self.baton(), width - 20, 29, 0.52, 14) if colour == view["baton"] else "",
            pen.put(self.cap(), 114, foot, 0.4),
            pen.text(134, foot + 10, str(crew["tokens"]), 28, bold=True),
        ]
        waiting = any(crew["waiting"].values())
        people, x = crew["waiting" if waiting else "drowned"], 180.0
        for kind, count in (("sailor", people["sailors"]), ("helmsman", people["helmsmen"])):
            if count:
                ripple = pen.line("M-33-16q11-9 22 0t22 0t22 0", 6, pen.SEA)
                lost = pen.put(self.hat(kind) + ripple, 0, 17, 0.44)
                drawn.append(pen.put(pen.put(self.person(colour, kind, 0), 0, 0, 0.34) if waiting else lost, x, foot))
                drawn.append(pen.text(x + 21, foot + 10, str(count), 28, bold=True))
                x += 62
        return "".join(drawn)

    def dial(self, crew: str) -> str:
        """The dial a crew votes with: hidden from those who mustn't see it."""
        pen, view = self.pen, self.view
        if crew not in view["voted"]:
            asked = pen.badge(22, 20, "?", 15) if crew in view["voting"] else ""
            return pen.put(pen.token(crew) + pen.face(1), 0, 0, 0.62) + asked
        vote = view["votes"].get(crew)
        disc = pen.oval(0, 0, 34, fill=pen.CREWS[crew], width=4)
        if vote is None:
            return disc + pen.oval(0, 0, 23) + pen.line("M-10 0l8 9l13-17", 5, pen.BONE)
        return disc + pen.oval(0, 0, 24, fill=pen.BONE, width=3) + self.vote_sign(vote)

    def vote_sign(self, vote: str) -> str:
        pen, target = self.pen, vote.rpartition(" ")[2]
        if target == "cap":
            return pen.put(self.cap(), 0, 3, 0.48)
        if target.isdecimal():
            return pen.text(0, 11, target, 32, "middle", bold=True)
        return pen.put(pen.token(target, 6), 0, 0, 0.36)

    def baton(self) -> str:
        pen, parts = self.pen, SHAPES["baton"]
        x, y, width, height, round_ = parts["stick"]
        stick = pen.box(x, y, width, height, pen.WOOD_DARK, r=round_) + pen.line(parts["ribbon"], 3, pen.GOLD)
        return str(stick + "".join(pen.oval(*at, r, fill=pen.GOLD, width=3) for *at, r in parts["knobs"]))

    def box_of_leaks(self) -> str:
        """The leaks that are still in the box."""
        pen, y = self.pen, self.pen.HEIGHT - FOOT / 2
        number = pen.text(COAST + 62, y + 12, str(self.view["leaks_left"]), 34, bold=True)
        return pen.put(self.hole(), COAST + 36, y, 1.15) + number
