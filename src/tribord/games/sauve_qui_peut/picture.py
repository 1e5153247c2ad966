"""The picture of Sauve qui peut !: the lanes between the ship that sinks and the islands, and the crews beside them."""

from __future__ import annotations

from math import cos, pi, sin
from pathlib import Path
from typing import Any

from tribord.core import art
from tribord.core.picture import Picture
from tribord.core.words import _n
from tribord.games.sauve_qui_peut.state import LANDED, SHIP_ROW
from tribord.games.sauve_qui_peut.text import PHASES

SHAPES, COLOURS = art.read(Path(__file__).parent)
ROCK, LEAF, HOLD, RIM, FELT, BAND, BRAID, HOLE, GLINT = (
    COLOURS[f"sqp-{name}"] for name in ("rock", "leaf", "hold", "wheel", "felt", "band", "braid", "hole", "glint")
)

SHIP, LEFT, BEACH, COAST = 58, 126, 804, 968  # where the ship ends, boats begin, islands begin, and the sea ends
STERN, BOW, SEAT = -150, 160, 43  # of a boat, in its own units around the middle of its waterline
FOOT = 58  # below the crews

WHEEL = "".join(
    f"M{30 * cos(k * pi / 4):.1f} {30 * sin(k * pi / 4):.1f}L{76 * cos(k * pi / 4):.1f} {76 * sin(k * pi / 4):.1f}"
    for k in range(8)
)
FACES = {"sailor": (2, 5, 1, 6, 4), "helmsman": (3, 4)}


class Drawing(Picture):
    """The match as it is drawn."""

    def headline(self) -> str:
        """What is to be decided and by whom, or who has won."""
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
            sentence = _n("{crew} win with {points} point.", "{crew} win with {points} points.", "points")
        else:
            sentence = _n(
                "{crew} share the victory with {points} point.",
                "{crew} share the victory with {points} points.",
                "points",
            )
        return words.say(sentence, crew=", ".join(winners), points=points)

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
        """The ship that goes down, along the left edge."""
        pen, high = self.pen, self.pen.HEIGHT
        drawn = [
            pen.line(
                f"M-20-10H{SHIP - 8}Q{SHIP + 14} {high / 2:g} {SHIP - 12} {high + 20}H-20Z", 4, fill=pen.WOOD_DARK
            ),
            pen.line(f"M14-10Q22 {high / 2:g} 10 {high + 20}M46-10Q58 {high / 2:g} 42 {high + 20}", 2, opacity=0.55),
        ]
        for k in range(len(self.view["boats"])):
            y = pen.number((k + 0.5) * self.depth)
            drawn.append(pen.oval(30, (k + 0.5) * self.depth, 12))
            drawn.append(pen.line(f"M{SHIP - 10} {y}h22q8 0 8 10v8", 5))
        return "".join(drawn)

    def rows(self) -> str:
        """How far away the islands are."""
        bow = LEFT + (BOW - STERN) * self.scale + 10
        lines = "".join(f"M{self.pen.number(bow + k * self.stride)} 10V{self.pen.HEIGHT - 10}" for k in range(3))
        return self.pen.line(lines, 3, self.pen.FOAM, opacity=0.5, dashes="2 15")

    def islands(self) -> str:
        """The islands, and what somebody is worth who gets there."""
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
        if island == "centre":
            rock = "M0 0l18-44l22 12l18-30l34 62z"
            grown = "".join(
                pen.put(pen.line(rock, 3.5, fill=ROCK), BEACH + 56, y, 0.7) for y in (top + 62, bottom - 12)
            )
        else:
            grown = self.palm(BEACH + 66, top + 76, 0.8) + self.palm(BEACH + 140, bottom - 10, 0.8)
        return (
            pen.line(_shore(BEACH - 16, COAST + 90, top - 3, bottom + 3), 3, pen.FOAM, opacity=0.6)
            + pen.line(_shore(BEACH, COAST + 90, top + 3, bottom - 3), 4, fill=pen.SAIL)
            + grown
            + pen.put(sign, BEACH + 94, middle)
        )

    def palm(self, x: float, y: float, size: float) -> str:
        pen = self.pen
        leaf = (
            "M0-58Q-22-78-44-58Q-22-62 0-58ZM0-58Q-14-90-36-88Q-12-78 0-58ZM0-58Q6-92 30-88Q8-78 0-58Z"
            "M0-58Q24-76 44-54Q22-60 0-58ZM0-58Q16-56 24-36Q8-48 0-58ZM0-58Q-14-56-22-38Q-8-50 0-58Z"
        )
        trunk = pen.line("M-5 0Q2-32-4-58L4-60Q12-30 7 0Z", 3, fill=pen.WOOD)
        return pen.put(trunk + pen.line(leaf, 3, fill=LEAF), x, y, size)

    # -- boats and people ----------------------------------------------------------------------------------------------

    def boat(self, k: int, boat: dict[str, Any]) -> str:
        """A boat with its people and leaks, and who has just left it."""
        pen, lane = self.pen, boat["lane"]
        if boat["where"] == "sunk":
            x, y = self.at(k, SHIP_ROW)
            return pen.put(self.side(lane, pen.INK), x, y + 14 * self.scale, self.scale * 0.94, 8, 0.3)
        x, y = self.at(k, max(boat["row"], LANDED))
        meant = lane == self.view["full_boat"] or lane in self.view["targets"]
        swimmers = [crew for crew in self.view["crews"] if crew.get("between", {}).get("lane") == lane]
        drawn = [pen.line("M-140-30Q0-42 140-36L120-4H-118Z", 3, fill=HOLD), self.aboard(boat)]
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
        pen = self.pen
        hull = "M-148-28Q-150-22-148-16Q-144 14-112 16H106Q140 12 160-44Q142-28 126-25H-148Z"
        return (
            pen.line(hull, 4 if edge == pen.INK else 6, edge, pen.WOOD if lane % 2 else pen.WOOD_DARK)
            + pen.line("M-143-9H128", 2, opacity=0.5)
            + pen.oval(-119, -5, 17, fill=pen.BONE, width=3.5)
            + pen.text(-119, 4, str(lane), 26, "middle", bold=True)
            + pen.text(-92, 5, self.words.name("boat", lane), 25, fill=pen.CARD)
            + pen.line("M-152 17" + "q10-7 20 0t20 0" * 7, 4, pen.FOAM)
        )

    def leak(self) -> str:
        """Water that comes where somebody could sit."""
        pen = self.pen
        return pen.line("M-4-4Q-6-28-17-28M0-4V-36M4-4Q6-28 17-28", 5, pen.FOAM) + pen.put(self.hole(), 0, 4)

    def hole(self) -> str:
        """The hole itself, as it lies in the box."""
        pen = self.pen
        return pen.oval(0, 0, 15, fill=HOLE, width=3.5) + pen.line("M-7 1a7 6 0 1 1 7 6", 3, GLINT)

    def wheel(self) -> str:
        """A helmsman's wheel."""
        pen, ring = self.pen, "none"
        wood = RIM
        dark = pen.line(WHEEL, 15) + pen.oval(0, 0, 57, fill=ring, width=19)
        return dark + pen.oval(0, 0, 57, fill=ring, stroke=wood, width=10) + pen.line(WHEEL, 7, wood)

    def person(self, crew: str, kind: str, nth: int, wheel: bool = True) -> str:
        """A sailor, small, with a pompon; a helmsman, large, before his wheel. Without a crew, anybody."""
        pen, large = self.pen, kind == "helmsman"
        token = pen.token(crew) if crew else pen.oval(0, 0, 44, fill=pen.BONE, width=4)
        body = token + pen.face(FACES[kind][nth % len(FACES[kind])]) + self.hat(kind)
        return self.wheel() + body if large and wheel else body

    def hat(self, kind: str) -> str:
        """All that stays of who is lost."""
        pen = self.pen
        if kind == "helmsman":
            felt = "M-42-22Q-30-30-25-32Q-24-60 0-60Q24-60 25-32Q30-30 42-22Q0-34-42-22Z"
            return pen.line(felt, 3, fill=FELT) + pen.line("M-25-34Q0-42 25-34", 6, pen.YELLOW)
        cloth = pen.line("M-25-26Q-32-46-12-50H12Q32-46 25-26Q0-34-25-26Z", 3, fill=pen.BONE)
        return cloth + pen.line("M-25-27Q0-36 25-27", 6, BAND) + pen.oval(0, -52, 8, fill=pen.ACCENT, width=3)

    def cap(self) -> str:
        """The captain's cap, as a dial shows it and as one pays for it."""
        pen = self.pen
        crown = pen.line("M-38 4Q-46-24-24-30Q0-42 24-30Q46-24 38 4Z", 4, fill=pen.BONE)
        peak = pen.line("M-38 4Q0-8 38 4Q40 14 30 20Q0 4-30 20Q-40 14-38 4Z", 4, fill=pen.INK)
        return crown + peak + pen.line("M0-26v18M-8-20h16M-10-12q0 8 10 8t10-8", 5, BRAID)

    # -- the crews -----------------------------------------------------------------------------------------------------

    def crew(self, crew: dict[str, Any], height: float) -> str:
        """A crew: its dial, its points, its caps, and whom it has on deck or has lost."""
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
        """The dial with which a crew votes: hidden from whoever may not know it."""
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
        pen = self.pen
        stick = pen.box(-5, -30, 10, 60, pen.WOOD_DARK, r=4) + pen.line("M-5-10L5-16M-5 2L5-4M-5 14L5 8", 3, pen.GOLD)
        return stick + pen.oval(0, -32, 9, fill=pen.GOLD, width=3) + pen.oval(0, 30, 6, fill=pen.GOLD, width=3)

    def box_of_leaks(self) -> str:
        """The leaks that are still in the box."""
        pen, y = self.pen, self.pen.HEIGHT - FOOT / 2
        number = pen.text(COAST + 62, y + 12, str(self.view["leaks_left"]), 34, bold=True)
        return pen.put(self.hole(), COAST + 36, y, 1.15) + number


def _shore(x: float, right: float, top: float, bottom: float) -> str:
    """Around an island that goes on beyond the edge."""
    h = bottom - top
    return (
        f"M{right:g} {top:.1f}H{x + 46:g}Q{x + 12:g} {top + 4:.1f} {x + 8:g} {top + h * 0.2:.1f}"
        f"Q{x - 8:g} {top + h * 0.36:.1f} {x + 6:g} {top + h * 0.5:.1f}"
        f"Q{x + 16:g} {top + h * 0.66:.1f} {x + 2:g} {top + h * 0.8:.1f}"
        f"Q{x + 8:g} {bottom - 2:.1f} {x + 48:g} {bottom:.1f}H{right:g}Z"
    )
