"""The picture of Faut pas pousser: ship and plank above the sea, the five piles in it, and what each crew has left."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tribord.core import art
from tribord.core.picture import Picture
from tribord.core.words import _, _n
from tribord.games.faut_pas_pousser.actions import CARDS
from tribord.games.faut_pas_pousser.rules import TURNS, WORTH
from tribord.games.faut_pas_pousser.state import CREW_IDS

SHAPES, _COLOURS = art.read(Path(__file__).parent)

DECK, SHIP, THICK = 248, 222, 38
SLOT, STEP = 330, 190  # the first slot of the plank, and from each to the next
SEA, SHORE = 336, 606
POOL, POOLS_APART, POOL_AT = 330, 206, 446
ROW = 65


class Drawing(Picture):
    """The match as it is drawn."""

    def headline(self) -> str:
        """Whose turn it is and its number, or who has won."""
        view, words = self.view, self.words
        if view["over"]:
            return self.ending()
        deciding = ", ".join(words.name("crew", crew) for crew in self.deciding())
        said = [words.say(_("Waiting for: {crews}."), crews=deciding)] if deciding else []
        return " ".join([*said, f"{view['turn'] + 1}/{TURNS}"] if view["phase"] == "playing" else said)

    def ending(self) -> str:
        """Who has won."""
        view, words = self.view, self.words
        seated = [crew for crew in view["crews"] if crew["seat"] is not None]
        points = max(crew["points"] for crew in seated)
        winners = [crew["crew"] for crew in seated if crew["points"] == points]
        if len(winners) == 1:
            sentence = _n("{crew} wins with {points} point.", "{crew} wins with {points} points.", "points")
            return words.say(sentence, crew=winners[0], points=points)
        sentence = _n(
            "{crews} share the victory with {points} point.",
            "{crews} share the victory with {points} points.",
            "points",
        )
        return words.say(sentence, crews=", ".join(words.name("crew", crew) for crew in winners), points=points)

    def deciding(self) -> list[str]:
        """Who must decide."""
        view = self.view
        if view["phase"] == "picking":
            return [crew for crew in CREW_IDS[: view["players"]] if crew not in view["picked"]]
        return [view["to_play"]] if view["to_play"] else []

    def board(self) -> str:
        """The board, then the crews in their order of play."""
        pen, crews = self.pen, self.view["crews"]
        if self.view["order"]:
            crews = sorted(crews, key=lambda crew: self.view["order"].index(crew["crew"]))
        return "".join(
            [
                pen.sea(0, SEA, pen.WIDTH, SHORE - SEA),
                pen.stern(SHIP, DECK - 10, 230),
                self.plank(),
                *(self.pool(k) for k in range(5)),
                pen.box(-4, SHORE, pen.WIDTH + 8, pen.HEIGHT - SHORE + 8, pen.PAPER, width=4, r=0),
                *(pen.put(self.crew(crew), 0, SHORE + 6 + k * ROW) for k, crew in enumerate(crews)),
            ]
        )

    def plank(self) -> str:
        """Four slots, what each scores, and who stands there."""
        pen, end = self.pen, SLOT + 3 * STEP + 110
        drawn = [pen.line(pen.path(SHAPES["plank"], a=SHIP - 12, b=end, y=DECK, h=THICK), 4, fill=pen.WOOD)]
        for k, points in enumerate(WORTH):
            x = SLOT + k * STEP
            drawn += [
                pen.line(pen.path(SHAPES["grain"], x=x, y=DECK, h=THICK), 2, opacity=0.5),
                pen.box(x - 23, DECK + 5, 46, THICK - 10, pen.WOOD_DARK, width=2, r=5),
                pen.text(x, DECK + THICK / 2 + 10, str(k + 1), 28, "middle", bold=True, fill=pen.BONE),
                pen.text(x, DECK + THICK + 34, self.words.say(_("{points} pts"), points=points), 28, "middle"),
            ]
        for k, one in enumerate(self.view["plank"]):
            drawn.append(pen.put(self.pirate(one, 18), SLOT + k * STEP, DECK - 66, 1.4))
        return "".join(drawn)

    def pirate(self, one: dict[str, Any], badge: int) -> str:
        """A pirate with its value; the Captain wears the hat."""
        pen, value = self.pen, one["pirate"]
        worn = pen.hat() if value == 1 else ""
        return pen.token(one["crew"]) + pen.face(value) + worn + pen.badge(33, -33, str(value), badge)

    def pool(self, k: int) -> str:
        """A pile in the sea, two by two, and what each of them is worth."""
        pen, piles, x = self.pen, self.view["piles"], POOL + k * POOLS_APART
        filling = len(piles[k]) < 4 and (k == 0 or len(piles[k - 1]) == 4)
        drawn = [pen.oval(x, POOL_AT, 94, 84, pen.SEA_DEEP, pen.FOAM, 5 if filling else 2.5)]
        for nth, one in enumerate(piles[k]):
            here, down = x + (nth % 2 - 0.5) * 82, POOL_AT + (nth // 2 - 0.5) * 72
            drawn.append(pen.oval(here, down + 32, 28, 6, "none", pen.FOAM, 2.3, opacity=0.7))
            drawn.append(pen.put(self.pirate(one, 24), here, down, 0.66))
        worth = self.words.say(_("{points} pt") if k == 0 else _("{points} pts"), points=k + 1)
        return "".join(drawn) + pen.text(x, POOL_AT + 124, worth, 30, "middle", bold=True, fill=pen.BONE)

    def crew(self, crew: dict[str, Any]) -> str:
        """A row for a crew: its name, the pirates and cards it still has, its points or its pick."""
        pen, words, colour = self.pen, self.words, crew["crew"]
        deciding = colour in self.deciding()
        drawn = [
            pen.box(12, 2, pen.WIDTH - 24, ROW - 5, pen.CARD, pen.ACCENT, 5, 12) if deciding else "",
            pen.put(pen.token(colour, 6), 48, ROW / 2, 0.46),
            pen.text(84, ROW / 2 + 9, words.say("{crew}", crew=colour), 28, bold=deciding, room=170),
        ]
        drawn += [self.chip(colour, value, value in crew["pirates"], 282 + value * 54 - 54) for value in range(1, 7)]
        if crew["seat"] is not None:  # neutral crews have no actions (F16)
            drawn += [
                self.card(words.name("card", card), card in crew["cards"], 634 + k * 66) for k, card in enumerate(CARDS)
            ]
        drawn.append(self.card("Non merci !", crew["pass"], 1012, 148))
        if "pass_in" in crew:  # how deep it lies in a neutral crew's pile
            drawn.append(pen.badge(1088, ROW / 2 - 14, str(crew["pass_in"]), 16))
        return "".join(drawn) + self.standing(crew)

    def chip(self, crew: str, value: int, held: bool, x: float) -> str:
        """A pirate that is still in hand, or its empty place."""
        pen = self.pen
        if not held:
            return pen.oval(x, ROW / 2, 20, fill="none", stroke=pen.INK_SOFT, width=1.5, opacity=0.45)
        ink = pen.INK if crew == "yellow" else pen.BONE
        said = pen.text(x, ROW / 2 + 9.5, str(value), 27, "middle", bold=True, fill=ink)
        return pen.oval(x, ROW / 2, 22, fill=pen.CREWS[crew], width=3) + said

    def card(self, said: str, held: bool, x: float, width: float = 56) -> str:
        """A card that is still in hand, or its empty place."""
        pen, left = self.pen, x - width / 2
        if not held:
            return pen.put(
                pen.box(left + 2, ROW / 2 - 20, width - 4, 40, "none", pen.INK_SOFT, 1.5, 6), 0, 0, opacity=0.45
            )
        said = pen.text(x, ROW / 2 + 9.5, said, 27, "middle", bold=True, room=width - 10)
        return pen.box(left, ROW / 2 - 23, width, 46, pen.CARD, width=3, r=6) + said

    def standing(self, crew: dict[str, Any]) -> str:
        """A crew's points; before that its pick, face down unless the viewer may see it."""
        pen, view, colour, x = self.pen, self.view, crew["crew"], 1194
        known = view["picks"].get(colour) or view["revealed"].get(colour)
        paper = pen.box(x - 21, ROW / 2 - 26, 42, 52, pen.CARD, width=3, r=6)
        if known:
            return paper + pen.text(x, ROW / 2 + 10, str(known), 28, "middle", bold=True)
        if colour in view["picked"]:
            hatching = "".join(f"M{x - 21 + 6 * k} {ROW // 2 - 19}v40" for k in range(1, 7))
            return paper + pen.line(hatching, 1.5, opacity=0.5) + pen.put(pen.token(colour, 6), x, ROW / 2, 0.26)
        if crew["seat"] is None:
            return pen.text(x, ROW / 2 + 9, self.words.translate(_("neutral")), 26, "middle", fill=pen.INK_SOFT)
        return pen.text(1248, ROW / 2 + 12, str(crew["points"]), 36, "end", bold=True)
