"""Pictures: draw a match as SVG, PNG or pixels, for notebooks, papers and training videos.

A game draws itself in its `picture.py` with the functions of `PEN`; without that file, its text board is written in ink
on parchment. Pictures have the page's style, colours and shapes (`core/art.py`): ink contours and flat colours, no
gradients, no shadows. Every element carries its own colours, so pictures in one notebook don't restyle each other. The
same view gives the same bytes on every machine: pixels use our own fonts, never the machine's.

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

from tribord.core.art import COLOURS, SHAPES, path
from tribord.core.game import Game
from tribord.core.record import State
from tribord.core.words import Words

View = State | bytes | Mapping[str, Any]
Pixels = npt.NDArray[np.uint8]

WIDTH, HEIGHT = 1280, 876  # the sheet a game draws on, without the headline
SIZE = (640, 480)  # default size of the picture, rendered at double resolution
_HEAD = 2 * SIZE[1] - HEIGHT  # the headline
_FONTS = sorted(str(font) for font in (Path(__file__).parent / "fonts").glob("*.ttf"))
_LETTERS = "'Atkinson Hyperlegible', 'Helvetica Neue', Arial, sans-serif"
_SIGNS = "'DejaVu Sans Mono', Menlo, Consolas, monospace"

CREWS = {crew: COLOURS[crew] for crew in SHAPES["crews"]}
INK, CARD, PAPER = COLOURS["ink"], COLOURS["card"], COLOURS["paper"]


# -- the pen -----------------------------------------------------------------------------------------------------------


def number(value: float) -> str:
    """A length in a short canonical form.

    >>> number(2.0), number(1 / 3), number(-0.001)
    ('2', '0.33', '0')
    """
    return f"{round(value, 2) + 0.0:g}"


def line(d: str, width: float = 4, stroke: str = INK, fill: str = "none", opacity: float = 1, dashes: str = "") -> str:
    """A path with an ink contour and a flat fill."""
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
    """A circle or an ellipse."""
    edge = f' stroke="{stroke}" stroke-width="{number(width)}"' if width else ""
    more = f' opacity="{number(opacity)}"' if opacity != 1 else ""
    lengths = f'cx="{number(x)}" cy="{number(y)}" rx="{number(rx)}" ry="{number(rx if ry is None else ry)}"'
    return f'<ellipse {lengths} fill="{fill}"{edge}{more}/>'


def put(drawn: str, x: float, y: float, scale: float = 1, turn: float = 0, opacity: float = 1) -> str:
    """Move, turn or scale a drawing made around (0, 0)."""
    moved = f"translate({number(x)} {number(y)})"
    moved += f" rotate({number(turn)})" if turn else ""
    moved += f" scale({number(scale)})" if scale != 1 else ""
    more = f' opacity="{number(opacity)}"' if opacity != 1 else ""
    return f'<g transform="{moved}"{more}>{drawn}</g>'


def text(x: float, y: float, said: str, size: float = 28, anchor: str = "start", bold: bool = False, fill: str = INK,
         room: float = 0, halo: str = "") -> str:  # fmt: skip
    """A line of text, shrunk to fit its room."""
    if not said:
        return ""
    if room:
        size = min(size, room / (len(said) * (0.55 if bold else 0.5)))
    weight = ' font-weight="700"' if bold else ""
    edge = f' stroke="{halo}" stroke-width="6" stroke-linejoin="round" paint-order="stroke"' if halo else ""
    place = f'x="{number(x)}" y="{number(y)}" font-size="{number(size)}" text-anchor="{anchor}"'
    # Fonts have the no-break space, but few have the narrow one of French typography.
    return f'<text {place}{weight} fill="{fill}"{edge}>{escape(said.replace(chr(0x202F), chr(0xA0)))}</text>'


# -- people ------------------------------------------------------------------------------------------------------------


def token(crew: str, width: float = 4) -> str:
    """The sign of a crew."""
    return line(SHAPES["crews"][crew], width, fill=CREWS[crew])


def face(value: int) -> str:
    """A face, a little silly, never gory; there are six."""
    x, y, r = SHAPES["head"]
    look = SHAPES["faces"][(value - 1) % len(SHAPES["faces"])]
    return "".join(
        [
            oval(x, y, r, fill=COLOURS["skin"], width=3.5),
            *(oval(x, y, r, fill=COLOURS["ivory"], width=2) for x, y, r in look.get("eyes", ())),
            line(look["line"], 3.4) if "line" in look else "",
            line(look["patch"], 2, fill=INK) if "patch" in look else "",
            *(oval(x, y, r) for x, y, r in look.get("dots", ())),
            line(look["mouth"], 3.4),
        ]
    )


def hat() -> str:
    """The hat of a captain."""
    return line(SHAPES["hat"], 2.5, fill=INK) + line(SHAPES["crossbones"], 4, COLOURS["bone"])


def badge(x: float, y: float, said: str, r: float = 16) -> str:
    """A number on a button."""
    return oval(x, y, r, fill=COLOURS["bone"], width=3.5) + text(x, y + r * 0.44, said, r * 1.25, "middle", bold=True)


# -- sea and ship ------------------------------------------------------------------------------------------------------


def sea(x: float, y: float, width: float, height: float, gap: float = 36) -> str:
    """Rows of the same wave."""
    rows, row, at = [], 0, y + gap * 0.55
    while at < y + height - 8:
        start = x - 80 + (row % 3) * 27
        swell = f"M{number(start)} {number(at)}" + SHAPES["swell"] * (int(width / 80) + 2)
        rows.append(line(swell, 2, COLOURS["foam"], opacity=0.26 if row % 3 == 1 else 0.38))
        row, at = row + 1, at + gap
    return box(x, y, width, height, COLOURS["sea"], width=0, r=0) + "".join(rows)


def stern(x: float, y: float, depth: float) -> str:
    """A ship from the left edge to x, with its deck at y."""
    parts = SHAPES["stern"]

    def part(shape: str, width: float, fill: str = "none", opacity: float = 1) -> str:
        return line(path(shape, x=x, y=y, h=depth), width, fill=fill, opacity=opacity)

    seams = "".join(part(seam, 2, opacity=0.55) for seam in parts["seams"])
    ports = "".join(part(port, 2, COLOURS["port"]) for port in parts["ports"])
    aloft = part(parts["mast"], 5) + part(parts["pennant"], 4, COLOURS["sail"])
    return aloft + part(parts["hull"], 4, COLOURS["wood-dark"]) + seams + part(parts["rail"], 4) + ports


PEN = SimpleNamespace(
    **{name.upper().replace("-", "_"): colour for name, colour in COLOURS.items()},
    CREWS=CREWS, SHAPES=SHAPES, WIDTH=WIDTH, HEIGHT=HEIGHT, number=number, line=line, box=box, oval=oval, put=put,
    text=text, path=path, token=token, face=face, hat=hat, badge=badge, sea=sea, stern=stern,
)  # fmt: skip


# -- the sheet -------------------------------------------------------------------------------------------------------


def svg(game: Game, view: View, language: str = "en") -> str:
    """Draw a state or a view (a record, bytes, or a description) as a standalone SVG.

    To hide secrets, pass a view: `match.view(seat)`, or `game.view_of(state, seat)`.
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
    """The text board of a game without a picture, every character in its column."""
    rows = game.text.board(view, words).split("\n")
    size = min(36.0, (WIDTH - 120) / (0.602 * max(map(len, rows))), (HEIGHT - 100) / (1.17 * len(rows)))
    lines = "".join(text(60, 50 + (k + 1) * size * 1.17, row, size) for k, row in enumerate(rows))
    frame = box(20, 20, WIDTH - 40, HEIGHT - 40, "none", COLOURS["paper-deep"], 6)
    return f'{frame}<g font-family="{_SIGNS}" xml:space="preserve">{lines}</g>'


def png(game: Game, view: View, height: int = SIZE[1], language: str = "en") -> bytes:
    """The picture as a PNG with an aspect ratio of 4:3."""
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
    """The picture as pixels, height × width × 3, like the usual `render()`."""
    from PIL import Image

    with Image.open(BytesIO(png(game, view, height, language))) as picture:
        return np.array(picture.convert("RGB"))


def width_of(height: int) -> int:
    """The width of a picture of this height.

    >>> width_of(480)
    640
    """
    return round(height * SIZE[0] / SIZE[1])
