"""Pictures: a match as SVG, PNG or pixels, for notebooks, papers and videos of training.

A game draws itself in its `picture.py`, with the pen it is handed (`PEN`); a game without one has its text board
written in ink on parchment. The hand is the page's (`server/client/drawing`): ink contour, flat colour, no gradients,
no shadows; every sign carries its own colours, so that many pictures can stand in one notebook and none dresses
another. The same view gives the same bytes on every machine: pixels are written in our own fonts, never in the
machine's.

>>> from tribord import load
>>> game = load("walk-the-plank")
>>> rgb(game, game.match(4, seed=7).view_state()).shape
(480, 640, 3)
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from tribord.core.game import Game
from tribord.core.record import State
from tribord.core.words import Words

View = State | bytes | Mapping[str, Any]
Pixels = npt.NDArray[np.uint8]

WIDTH, HEIGHT = 1280, 876  # what a game has for its drawing: the sheet without its headline
SIZE = (640, 480)  # of the picture, unless told otherwise; drawn twice as fine
_HEAD = 2 * SIZE[1] - HEIGHT  # the headline
_FONTS = sorted(str(font) for font in (Path(__file__).parent / "fonts").glob("*.ttf"))
_LETTERS = "'Atkinson Hyperlegible', 'Helvetica Neue', Arial, sans-serif"
_SIGNS = "'DejaVu Sans Mono', Menlo, Consolas, monospace"

PAPER, DEEP_PAPER, CARD = "#f4ead5", "#ead9b8", "#fbf5e6"
INK, SOFT_INK, BONE = "#1d2a36", "#5b6670", "#f7f3e8"
SEA, DEEP_SEA, FOAM = "#1f5f6b", "#17474f", "#cfe5df"
WOOD, DARK_WOOD, SAIL = "#9a6b3f", "#6f4a2a", "#e8dabb"
SKIN, ACCENT, GOLD = "#f2cfa5", "#b8402f", "#d69a1f"
CREWS = {
    "blue": "#2f6db3", "green": "#3f8f5a", "red": "#b8402f", "yellow": "#d69a1f", "lilac": "#7d5aa6", "bone": BONE,
    "brown": "#93602f",
}  # fmt: skip

# Every crew has a shape as well as a colour, within a radius of 46 around (0, 0).
SHAPES = {
    "blue": "M0-44A44 44 0 1 1 0 44A44 44 0 1 1 0-44Z",
    "green": "M0-46L45-13L30 41H-30L-45-13Z",
    "red": "M0-52L48 0L0 50L-48 0Z",
    "yellow": "M-30-42H30Q41-42 41-31V31Q41 42 30 42H-30Q-41 42-41 31V-31Q-41-42-30-42Z",
    "lilac": "M-24-44H24L47 0L24 44H-24L-47 0Z",
    "bone": "M0-52L50 38H-50Z",
    "brown": "M-40 44V-6A40 40 0 0 1 40-6V44Z",
}
HAT = "M-52-26C-46-40-34-40-30-38C-24-62 24-62 30-38C34-40 46-40 52-26C30-34-30-34-52-26Z"


# -- the pen -----------------------------------------------------------------------------------------------------------


def number(value: float) -> str:
    """A length, short and always written alike.

    >>> number(2.0), number(1 / 3), number(-0.001)
    ('2', '0.33', '0')
    """
    return f"{round(value, 2) + 0.0:g}"


def line(d: str, width: float = 4, stroke: str = INK, fill: str = "none", opacity: float = 1, dashes: str = "") -> str:
    """A path: the contour in ink, and what it encloses in a flat colour."""
    more = f' opacity="{number(opacity)}"' if opacity != 1 else ""
    more += f' stroke-dasharray="{dashes}"' if dashes else ""
    stroked = (
        f' stroke="{stroke}" stroke-width="{number(width)}" stroke-linejoin="round" stroke-linecap="round"'
        if width
        else ""
    )
    return f'<path d="{d}" fill="{fill}"{stroked}{more}/>'


def box(x: float, y: float, w: float, h: float, fill: str = CARD, stroke: str = INK, width: float = 3, r: float = 8,
        dashes: str = "") -> str:  # fmt: skip
    """A rectangle with rounded corners."""
    edge = f' stroke="{stroke}" stroke-width="{number(width)}"' if width else ""
    edge += f' stroke-dasharray="{dashes}"' if dashes else ""
    corner = f' rx="{number(r)}"' if r else ""
    return (
        f'<rect x="{number(x)}" y="{number(y)}" width="{number(w)}" height="{number(h)}"{corner} fill="{fill}"{edge}/>'
    )


def oval(x: float, y: float, rx: float, ry: float | None = None, fill: str = INK, stroke: str = INK, width: float = 0,
         opacity: float = 1) -> str:  # fmt: skip
    """A circle, or an ellipse."""
    edge = f' stroke="{stroke}" stroke-width="{number(width)}"' if width else ""
    more = f' opacity="{number(opacity)}"' if opacity != 1 else ""
    lengths = f'cx="{number(x)}" cy="{number(y)}" rx="{number(rx)}" ry="{number(rx if ry is None else ry)}"'
    return f'<ellipse {lengths} fill="{fill}"{edge}{more}/>'


def put(drawn: str, x: float, y: float, scale: float = 1, turn: float = 0, opacity: float = 1) -> str:
    """Something drawn around (0, 0), put somewhere."""
    moved = f"translate({number(x)} {number(y)})"
    moved += f" rotate({number(turn)})" if turn else ""
    moved += f" scale({number(scale)})" if scale != 1 else ""
    more = f' opacity="{number(opacity)}"' if opacity != 1 else ""
    return f'<g transform="{moved}"{more}>{drawn}</g>'


def text(x: float, y: float, said: str, size: float = 28, anchor: str = "start", bold: bool = False, fill: str = INK,
         room: float = 0, halo: str = "") -> str:  # fmt: skip
    """A line of text, smaller where it has too little room."""
    if not said:
        return ""
    if room:
        size = min(size, room / (len(said) * (0.55 if bold else 0.5)))
    weight = ' font-weight="700"' if bold else ""
    edge = f' stroke="{halo}" stroke-width="6" stroke-linejoin="round" paint-order="stroke"' if halo else ""
    place = f'x="{number(x)}" y="{number(y)}" font-size="{number(size)}" text-anchor="{anchor}"'
    # Fonts know the space that does not break; the narrow one of French typography few of them do.
    return f'<text {place}{weight} fill="{fill}"{edge}>{escape(said.replace(chr(0x202F), chr(0xA0)))}</text>'


# -- people ------------------------------------------------------------------------------------------------------------


def token(crew: str, width: float = 4) -> str:
    """The sign of a crew."""
    return line(SHAPES[crew], width, fill=CREWS[crew])


_DOT = oval(-10, -3, 3.4)
_EYES = (
    _DOT + line("M6-8l9 9m0-9l-9 9", 3.4),
    _DOT + oval(10, -3, 3.4) + line("M-16-12l9 2M16-12l-9 2", 3.4),
    _DOT + line("M2-9h17q1 12-8 13-9-1-9-13zM2-9L-25-15M19-9l5-4", 2, fill=INK),
    line("M-15-2q5-6 10 0M5-2q5-6 10 0", 3.4),
    oval(-9, -4, 7, fill=CARD, width=2) + oval(10, -4, 7, fill=CARD, width=2) + oval(-7, -3, 3) + oval(7, -3, 3),
    line("M-15-6h10M6-8l9 9m0-9l-9 9", 3.4) + oval(-10, -2, 3),
)
_MOUTHS = (
    "M-14 10Q0 24 14 10", "M-10 14H12", "M-13 9Q0 25 13 9ZM-3 16v5", "M-14 9Q0 28 14 9Z",
    "M-6 14a6 5 0 1 0 12 0a6 5 0 1 0-12 0", "M-13 15Q0 6 13 14",
)  # fmt: skip


def face(value: int) -> str:
    """A face, a little stupid, never gory; each of six is another."""
    k = (value - 1) % 6
    return oval(0, 2, 27, fill=SKIN, width=3.5) + _EYES[k] + line(_MOUTHS[k], 3.4)


def hat() -> str:
    """The hat of a captain."""
    return line(HAT, 2.5, fill=INK) + line("M-8-46l16 8m0-8l-16 8", 4, BONE)


def badge(x: float, y: float, said: str, r: float = 16) -> str:
    """A number on a button."""
    return oval(x, y, r, fill=BONE, width=3.5) + text(x, y + r * 0.44, said, r * 1.25, "middle", bold=True)


# -- sea and ship ------------------------------------------------------------------------------------------------------


def sea(x: float, y: float, width: float, height: float, gap: float = 36) -> str:
    """Rows of the same swell."""
    rows, row, at = [], 0, y + gap * 0.55
    while at < y + height - 8:
        start = x - 80 + (row % 3) * 27
        swell = f"M{number(start)} {number(at)}" + "q20-9 40 0t40 0" * (int(width / 80) + 2)
        rows.append(line(swell, 2, FOAM, opacity=0.26 if row % 3 == 1 else 0.38))
        row, at = row + 1, at + gap
    return box(x, y, width, height, SEA, width=0, r=0) + "".join(rows)


def stern(x: float, y: float, depth: float) -> str:
    """A ship whose deck lies at y, reaching from the left edge to x."""
    seams = "".join(
        line(f"M-10 {number(y + depth * p - 6)}Q{number(x / 2)} {number(y + depth * p + 8)} "
             f"{number(x - 6 - p * 26)} {number(y + depth * p - 4)}", 2, opacity=0.55)
        for p in (0.2, 0.42, 0.64, 0.84)
    )  # fmt: skip
    hull = (
        f"M-20 {number(y)}H{number(x)}Q{number(x + 6)} {number(y + depth * 0.4)} {number(x - 34)} "
        f"{number(y + depth * 0.88)}Q{number(x / 2)} {number(y + depth * 1.08)} -20 {number(y + depth)}Z"
    )
    ports = "".join(box(x * p, y + depth * 0.36, x * 0.14, depth * 0.13, INK, width=2, r=3) for p in (0.24, 0.56))
    return line(hull, 4, fill=DARK_WOOD) + seams + ports


PEN = SimpleNamespace(
    PAPER=PAPER, DEEP_PAPER=DEEP_PAPER, CARD=CARD, INK=INK, SOFT_INK=SOFT_INK, BONE=BONE, SEA=SEA, DEEP_SEA=DEEP_SEA,
    FOAM=FOAM, WOOD=WOOD, DARK_WOOD=DARK_WOOD, SAIL=SAIL, SKIN=SKIN, ACCENT=ACCENT, GOLD=GOLD, CREWS=CREWS,
    SHAPES=SHAPES, WIDTH=WIDTH, HEIGHT=HEIGHT, number=number, line=line, box=box, oval=oval, put=put, text=text,
    token=token, face=face, hat=hat, badge=badge, sea=sea, stern=stern,
)  # fmt: skip


# -- the sheet -------------------------------------------------------------------------------------------------------


def svg(game: Game, view: View, language: str = "en") -> str:
    """A state, a view (each as a record, as bytes, or described) as a standalone SVG.

    Whoever may not see everything is shown a view: `match.view(seat)`, or `game.view_of(state, seat)`.
    """
    seen = view if isinstance(view, Mapping) else game.describe(view)
    words = game.words(language)
    drawing = game.picture(seen, words, PEN) if game.picture else None
    said = drawing.headline() if drawing else ""
    drawn = drawing.board() if drawing else _text_board(game, seen, words)
    width, height = SIZE
    title = text(32, 57, game.title, 42, bold=True)
    room = WIDTH - 100 - len(game.title) * 25
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT + _HEAD}" font-family="{_LETTERS}" role="img">'
        f"<title>{escape(game.title)}{escape(f': {said}') if said else ''}</title>"
        + box(0, 0, WIDTH, HEIGHT + _HEAD, PAPER, width=0, r=0)
        + put(drawn, 0, _HEAD)
        + box(-4, -4, WIDTH + 8, _HEAD + 4, PAPER, r=0)
        + title
        + text(WIDTH - 32, 56, said, 32, "end", room=room)
        + "</svg>"
    )


def _text_board(game: Game, view: Mapping[str, Any], words: Words) -> str:
    """The text board of a game that has no picture: every sign in its column."""
    rows = game.text.board(view, words).split("\n")
    size = min(36.0, (WIDTH - 120) / (0.602 * max(map(len, rows))), (HEIGHT - 100) / (1.17 * len(rows)))
    lines = "".join(text(60, 50 + (k + 1) * size * 1.17, row, size) for k, row in enumerate(rows))
    frame = box(20, 20, WIDTH - 40, HEIGHT - 40, "none", DEEP_PAPER, 6)
    return f'{frame}<g font-family="{_SIGNS}" xml:space="preserve">{lines}</g>'


def png(game: Game, view: View, height: int = SIZE[1], language: str = "en") -> bytes:
    """The picture as a PNG, four wide to three high."""
    import resvg_py

    drawn = svg(game, view, language)
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=drawn,
            width=width_of(height),
            height=height,
            skip_system_fonts=True,
            font_files=_FONTS,
            sans_serif_family="Atkinson Hyperlegible",
            monospace_family="DejaVu Sans Mono",
        )
    )


def rgb(game: Game, view: View, height: int = SIZE[1], language: str = "en") -> Pixels:
    """The picture as pixels: height × width × 3, as `render()` gives them elsewhere."""
    from PIL import Image

    with Image.open(BytesIO(png(game, view, height, language))) as picture:
        return np.array(picture.convert("RGB"))


def width_of(height: int) -> int:
    """How wide a picture is that is so high.

    >>> width_of(480)
    640
    """
    return round(height * SIZE[0] / SIZE[1])
