"""The picture of Walk the Plank: the ship, the plank, the sea with the Locker, and the cards of every crew."""

from __future__ import annotations

from functools import partial
from math import ceil
from textwrap import wrap
from typing import Any

from tribord.core.picture import Picture
from tribord.core.words import _, _n
from tribord.games.walk_the_plank.actions import CREW_IDS

DECK, SHIP, TILE = 372, 410, 200
SEA, SHORE = 412, 590
CARD_AT = (1062, 22, 196, 286)  # the card that is being aimed

ARMS = "M-36-58q-14 6-14 22M36-58q14 6 14 22"
BURST = "M18-22l3 10 9-5-4 10 6 6-9 1 2 11-8-7-7 8 0-10-9-2 8-6-4-9 9 3Z"
SKULL = "M-9-2a9 9 0 1 1 18 0q0 5-4 7v5H-5V5q-4-2-4-7Z"


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
            aim = _("It is for {crew} to aim their card {slot}.")
            return f"{said}. {words.say(aim, crew=view['to_play'], slot=view['slot'])}"
        if view["phase"] == "choosing":
            return f"{said}. {words.say(_('First everybody lays three cards.'))}"
        return said

    def ending(self) -> str:
        """Who has won."""
        view, words = self.view, self.words
        alive = [crew for crew in view["crews"] if crew["dead"] < 3]
        pirates = sum(3 - crew["dead"] for crew in alive)
        if not alive:
            return words.say(_("Everyone has drowned: nobody wins."))
        if len(alive) > 1 and pirates > 2:  # W18 was not met: the limit ended it
            limit = _n("{round} round is played: nobody wins.", "{round} rounds are played: nobody wins.", "round")
            return words.say(limit, round=view["rounds"])
        won = _n("{crew} win with {pirates} living pirate.", "{crew} win with {pirates} living pirates.", "pirates")
        return words.say(won, crew=", ".join(words.name("crew", crew["crew"]) for crew in alive), pirates=pirates)

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
        pen = self.pen
        flag = "M70 16q46-12 86 2t72-2v66q-32 12-72 2t-86-2Z"
        skull = pen.line("M-15-9L15 11M15-9L-15 11", 5, pen.BONE) + pen.line(SKULL, 0, fill=pen.BONE)
        skull += pen.line("M-4-2h.1M4-2h.1", 5)
        return (
            pen.line(f"M64 40L290 {DECK - 30}M64 40L-40 {DECK - 110}", 2, opacity=0.6)
            + pen.line(f"M58 {DECK}L60 10H68L70 {DECK}Z", 3.5, fill=pen.WOOD)
            + pen.line(flag, 4, fill=pen.INK)
            + pen.put(skull, 150, 50, 1.35)
            + pen.stern(SHIP, DECK, 186)
            + pen.line(f"M-20 {DECK - 7}H{SHIP + 6}V{DECK + 12}H-20Z", 4, fill=pen.WOOD)
        )

    def rail(self) -> str:
        """The rail stands before whoever is aboard."""
        posts = "".join(f"M{x} {DECK - 29}q-7 10 0 22M{x} {DECK - 29}q7 10 0 22" for x in range(14, SHIP - 30, 48))
        return self.pen.line(posts, 3, opacity=0.6) + self.pen.line(
            f"M-20 {DECK - 32}H{SHIP - 24}q9 0 9 7V{DECK - 7}", 5
        )

    def plank(self) -> str:
        """The tiles that are out."""
        pen, drawn = self.pen, []
        for tile in range(self.view["plank"], 0, -1):
            x = SHIP - 4 + (tile - 1) * TILE
            drawn += [
                pen.line(f"M{x} {DECK - 7}h{TILE - 6}l6 30h-{TILE}Z", 4, fill=pen.WOOD),
                pen.line(f"M{x + 14} {DECK + 4}h60m30 0h70M{x + 22} {DECK + 14}h40m92 0h36", 2, opacity=0.5),
                pen.line(f"M{x + TILE // 2 - 20} {DECK - 1}h40v34q-20 9-40 0Z", 3, fill=pen.SAIL),
                pen.text(x + TILE / 2, DECK + 28, str(tile), 28, "middle", bold=True),
            ]
        return "".join(drawn)

    def locker(self) -> str:
        """Davy Jones' Locker, and how many it holds."""
        pen, dead = self.pen, sum(crew["dead"] for crew in self.view["crews"])
        chest = (
            pen.line("M-60-20Q-56-54 0-54Q56-54 60-20Z", 4, fill=pen.WOOD)
            + pen.line("M-60-14H60L54 26H-54Z", 4, fill=pen.WOOD_DARK)
            + pen.line("M-34-50Q-38-36-38-20M34-50Q38-36 38-20M-38-14l2 40M38-14l-2 40", 6, pen.YELLOW)
            + pen.line("M-58-20H58V-12H-58Z", 0, fill=pen.INK)
            + pen.line("M-9-8H9V8Q0 14-9 8Z", 4, fill=pen.YELLOW)
        )
        return pen.put(chest + (pen.badge(52, -46, str(dead), 22) if dead else ""), 1160, 528, 1.1)

    def crowd(self, space: int) -> str:
        """Everybody on the ship or on a tile: as large as there is room, the rows in front full."""
        here = []
        for crew in self.view["crews"]:
            before = crew["dead"] + sum(crew["pirates"][:space])
            here += [(crew["crew"], before + k) for k in range(crew["pirates"][space])]
        centre, width = (SHIP - 4 + (space - 0.5) * TILE, TILE - 4) if space else (SHIP * 0.5, SHIP - 16)
        scale, row, rows = _fit(len(here), width)
        apart = min(84 * scale + 6, width / row)
        drawn = []
        for k, (crew, who) in enumerate(here):
            back, place = divmod(len(here) - 1 - k, row)
            in_row = len(here) - back * row if back == rows - 1 else row
            x = centre + (in_row - 1 - place - (in_row - 1) / 2) * apart + (9 * scale if back % 2 else 0)
            drawn.append(self.pen.put(self.figure(crew, who), x, DECK - 8 - back * 62 * scale, scale))
        return "".join(drawn)

    def figure(self, crew: str, who: int) -> str:
        """A pirate standing on (0, 0)."""
        pen = self.pen
        shoes = "M-22-12h15v6q8 1 8 6h-23ZM6-12h15v6q8 1 8 6H6Z"
        legs = pen.line("M-14-30V-6M14-30V-6", 9) + pen.line(shoes, 3.5, fill=pen.WOOD_DARK) + pen.line(ARMS, 8)
        return legs + pen.put(self.head(crew, who), 0, -66)

    def head(self, crew: str, who: int) -> str:
        """Token, face, and what each of the three of a crew wears."""
        pen = self.pen
        worn = (
            pen.put(pen.hat(), 0, 4, 0.94),
            pen.line("M-30-13C-29-46 29-46 30-13C14-22-14-22-30-13ZM29-17l14-8-2 9 9 5-16 3Z", 3.5, fill=pen.SAIL)
            + pen.line("M-13-28h.1M1-33h.1M15-27h.1M2-23h.1", 6),
            pen.line("M-29-16C-27-50 25-52 29-16ZM-31-18Q0-30 31-18V-9Q0-21-31-9Z", 3.5, fill=pen.WOOD)
            + pen.oval(0, -47, 8, fill=pen.SAIL, width=3.5),
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
        """A card on the table, 70 × 88: its picture, or its back; one's own that lies face down has a dashed edge."""
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
        pen = self.pen
        eyes = pen.oval(-3.6, -2, 2.4) + pen.oval(3.6, -2, 2.4) + pen.line("M-2 6v4M2 6v4", 2)
        return pen.put(pen.line(SKULL, 2, fill=pen.CARD) + eyes, x, y, 1.1)

    def man(self, crew: str, x: float, y: float, size: float = 0.27) -> str:
        """Somebody on a card; without a crew, anybody."""
        pen = self.pen
        if crew:
            drawn = pen.token(crew, 7) + pen.line("M-13-8v6M13-8v6M-12 14Q0 22 12 14", 8)
        else:
            drawn = pen.oval(0, 0, 42, fill=pen.CARD, width=8) + pen.text(0, 21, "?", 60, "middle", bold=True)
        return pen.put(drawn, x, y, size)

    def picture(self, card: str, crew: str) -> str:
        """What a card does, within a square of 60 around (0, 0)."""
        pen = self.pen
        own, other = partial(self.man, crew), partial(self.man, "")
        way, wave = partial(pen.line, width=4.5, stroke=pen.ACCENT), partial(pen.line, width=4, stroke=pen.SEA)
        wood, hull = (partial(pen.line, width=2.5, fill=colour) for colour in (pen.WOOD, pen.WOOD_DARK))
        board = wood("M-28 20H28V26H-28Z")
        if card.startswith("shove"):
            sides = {
                "shove-left": "M-6-28l-9 8 9 8",
                "shove-right": "M6-28l9 8-9 8",
                "shove-anyone": "M-9-28l-9 8 9 8M9-28l9 8-9 8",
            }
            return pen.line(sides[card], 5) + board + pen.line("M-8 6h9M-8 0h8", 3.5) + own(-16, 6) + other(13, 6)
        if card in ("extend", "retract"):
            ship = hull("M-30-4H-14V24H-30Z") + wood("M-14 2H6V11H-14Z") + wave("M-10 24q5-5 10 0t10 0 10 0 10 0")
            if card == "extend":
                return ship + wood("M6 2H26V11H6Z") + way("M0-16h24M19-22l7 6-7 6")
            return ship + pen.line("M6 2H26V11H6Z", 2.5, dashes="4 4") + way("M26-16H2M8-22l-7 6 7 6")
        if card == "drag":
            water = wave("M-28 25q7-6 14 0t14 0 14 0 14 0")
            rope = pen.line("M-18-12Q-4-4 12-12", 3.5)
            return rope + other(-16, -12) + own(13, -12) + way("M-22 10H20M14 4l8 6-8 6") + water
        if card == "pull":
            rope = pen.line("M-12-12Q4-4 18-12", 3.5)
            return (
                rope + own(-13, -12) + other(16, -12) + way("M22 10H-20M-14 4l-8 6 8 6") + hull("M-28 20H28L22 29H-24Z")
            )
        if card == "run":
            legs = pen.line("M-3-2l-11 8M3-2l9 4 1 8", 3.5)
            return legs + own(0, -12, 0.32) + way("M-22 20H22M-16 14l-8 6 8 6M16 14l8 6-8 6")
        if card == "charge":
            burst = pen.line(BURST, 2.5, fill=pen.YELLOW)
            return pen.line("M-29-12h12M-27-2h9M-29 8h12", 3.5) + own(-4, -2, 0.34) + burst + board
        tears = pen.line("M-10-26q-5 7 0 9t0-9M28-28q-5 7 0 9t0-9", 0, fill=pen.CREWS["blue"])
        back = way("M-16-12l-9 8 9 8M-6-12l-9 8 9 8")
        return own(11, -6, 0.36) + tears + back + hull("M-28 20H-4L-8 29H-28Z") + wood("M-4 20H28V25H-4Z")

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
        pen = self.pen
        ribbon = "M-9 8l-7 22 9-4 5 8 3-20M9 8l7 22-9-4-5 8-3-20"
        crown = "M-11 3C-9-3-6-4-5-3C-4-11 4-11 5-3C6-4 9-3 11 3C6 0-6 0-11 3Z"
        medal = pen.oval(0, 0, 19, fill=pen.YELLOW, width=3.5) + pen.oval(0, 0, 14, fill="none", width=1.5)
        return pen.line(ribbon, 3, fill=pen.ACCENT) + medal + pen.line(crown, 0, fill=pen.INK)


def _fit(count: int, width: float) -> tuple[float, int, int]:
    """How large everybody is, how many stand in a row, and in how many rows, so that all have room."""
    scale = 0.98
    while True:
        row = max(1, int(width / (78 * scale)))
        rows = ceil(count / row)
        most = 1 if scale > 0.75 else 2 if scale > 0.6 else 3
        if rows <= most or scale < 0.4:
            return scale, row, rows
        scale -= 0.04
