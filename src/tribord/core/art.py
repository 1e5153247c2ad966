"""Colours and shapes by name: the page, the pictures and the charts all read them from the same two kinds of file.

- `palette.json`: a name and its colour, or its colours by day and by night. The page has each as a CSS variable.
- `shapes.js`: paths and measures. It is a module to the page, and its value is JSON.

Tribord's are in this folder. A game may have both in its `client/`, where `read` finds them for its `picture.py`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_SUM = re.compile(r"\{([^}]*)\}")
_TERM = re.compile(r"([+-]?[\d.]*)([a-z]*)")


def palette(file: Path) -> dict[str, tuple[str, str]]:
    """Every colour of a palette, by day and by night."""
    named = json.loads(file.read_text(encoding="utf-8"))
    return {name: (is_, is_) if isinstance(is_, str) else (is_[0], is_[1]) for name, is_ in named.items()}


def shapes(file: Path) -> dict[str, Any]:
    """The value of a `shapes.js`: the JSON behind its equals sign."""
    written = file.read_text(encoding="utf-8")
    return dict(json.loads(written[written.index("= {") + 2 :].rstrip().removesuffix(";")))


def read(folder: Path) -> tuple[dict[str, Any], dict[str, str]]:
    """A game's shapes, and its colours by day, from its `client/`; none without such a file."""
    client = folder / "client"
    colours = palette(client / "palette.json") if (client / "palette.json").exists() else {}
    return shapes(client / "shapes.js") if (client / "shapes.js").exists() else {}, by_day(colours)


def by_day(colours: Mapping[str, tuple[str, str]]) -> dict[str, str]:
    """The colours of a palette without a night."""
    return {name: day for name, (day, _night) in colours.items()}


def css(colours: Mapping[str, tuple[str, str]]) -> str:
    """The colours as variables of a style sheet: night if the reader chose it, or if the system did and the reader
    didn't.

    >>> print(css({"sky": ("#fff", "#000"), "red": ("#f00", "#f00")}))
    :root { --sky: #fff; --red: #f00; }
    :root[data-theme="dark"] { --sky: #000; }
    @media (prefers-color-scheme: dark) { :root:not([data-theme="light"]) { --sky: #000; } }
    """
    day = " ".join(f"--{name}: {day};" for name, (day, _night) in colours.items())
    night = " ".join(f"--{name}: {night};" for name, (day, night) in colours.items() if night != day)
    return (
        f":root {{ {day} }}\n"
        f':root[data-theme="dark"] {{ {night} }}\n'
        f'@media (prefers-color-scheme: dark) {{ :root:not([data-theme="light"]) {{ {night} }} }}'
    )


def path(shape: str, **lengths: float) -> str:
    """A shape with its lengths filled in, as `path` in the page's `drawing/path.js` does.

    >>> path("M{x-4} 2H{.5x}q{-x} {y+.4h-1}", x=10, y=5, h=100)
    'M6 2H5q-10 44'
    """

    def total(found: re.Match[str]) -> str:
        terms = (term.groups() for term in _TERM.finditer(found[1]) if term[0])
        value = sum(_factor(times, bool(name)) * (lengths[name] if name else 1) for times, name in terms)
        return f"{round(value, 2) + 0.0:g}"

    return _SUM.sub(total, shape)


def _factor(written: str, of_a_length: bool) -> float:
    return float(f"{written}1") if of_a_length and written in ("", "+", "-") else float(written)


PALETTE = palette(Path(__file__).with_name("palette.json"))
COLOURS = by_day(PALETTE)
SHAPES_FILE = Path(__file__).with_name("shapes.js")
SHAPES = shapes(SHAPES_FILE)
