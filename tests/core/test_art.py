"""Every colour and shape has one definition, which the page and the pictures both read."""

import json
import re
import subprocess
from pathlib import Path

import pytest
from tests.page.narrator import NODE

from tribord import game_ids, load
from tribord.core import art
from tribord.server.page import CLIENT, palette

HEX, FUNCTION = r"#[0-9a-f]{3,8}\b", r"\b(?:rgb|rgba|hsl|hsla|hwb|lab|lch|oklab|oklch)\(\s*\d[^)]*\)"
NAMED = r"\b(?:fill|stroke|color|background)[\"']?\s*[:=]\s*[\"']?(?:white|black|red|green|blue|gr[ae]y|gold)\b"
COLOUR = re.compile(f"{HEX}|{FUNCTION}|{NAMED}", re.IGNORECASE)
PATH = re.compile(r"""["'`](M-?\d[^"'`]{14,})["'`]""")
USED = re.compile(r"var\(--([a-z][a-z-]*)")

# Where a colour must be written out, and why.
WRITTEN_OUT = {
    "page.css": [
        "rgb(12 20 27 / 0.6)",  # older browsers hand no variable to ::backdrop
        "background: white",  # a camera reads a QR code on plain white
    ],
}

GAMES = [load(game) for game in game_ids()]
PAGE = [file for file in CLIENT.rglob("*") if file.suffix in (".css", ".js") and "vendor" not in file.parts]
BOARDS = [file for game in GAMES for file in (game.folder / "client").rglob("*") if file.suffix in (".css", ".js")]
PICTURES = [game.folder / "picture.py" for game in GAMES] + [CLIENT.parents[1] / "research" / "picture.py"]


def name(file: Path) -> str:
    return "/".join(file.parts[-3:])


@pytest.mark.parametrize("file", [*PAGE, *BOARDS, *PICTURES], ids=name)
def test_a_colour_is_written_out_only_in_a_palette(file):
    written = COLOUR.findall(file.read_text(encoding="utf-8"))
    assert written == WRITTEN_OUT.get(file.name, [])


@pytest.mark.parametrize("file", [CLIENT / "icon.svg", CLIENT / "index.html", CLIENT / "offline.html"], ids=name)
def test_what_is_shown_without_a_style_sheet_has_the_colours_of_the_house(file):
    colours = {colour for pair in art.PALETTE.values() for colour in pair}
    assert set(re.findall(HEX, file.read_text(encoding="utf-8"))) <= colours


def test_no_two_palettes_name_the_same_colour():
    files = [game.folder / "client" / "palette.json" for game in GAMES]
    names = [*art.PALETTE, *(name for file in files if file.exists() for name in art.palette(file))]
    assert len(names) == len(set(names))


def test_every_variable_of_the_page_that_is_a_colour_is_in_a_palette():
    style = palette()
    known = set(re.findall(r"--([a-z-]+):", style))
    written = [file.read_text(encoding="utf-8") for file in (*PAGE, *BOARDS)]
    local = {found for text in written for found in re.findall(r"--([a-z][a-z-]*)\b[\"']?\s*[:,]", text)}
    used = {found for text in written for found in USED.findall(text)}
    assert used - local <= known
    assert set(art.PALETTE) <= used, "nobody wears it"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_shape_is_not_written_twice(game):
    """A path that a picture draws is in no file of the page except `shapes.js`."""
    house = json.dumps(art.SHAPES)
    boards = [file for file in (game.folder / "client").rglob("*.js") if file.name != "shapes.js"]
    page = "".join(file.read_text(encoding="utf-8") for file in (*boards, *CLIENT.glob("drawing/*.js")))
    drawn = PATH.findall((game.folder / "picture.py").read_text(encoding="utf-8"))
    assert not [shape for shape in drawn if shape in page or shape in house]


def test_the_page_fills_in_lengths_as_python_does(tmp_path):
    shapes = [art.SHAPES["stern"]["hull"], "M{x-4} 2H{.5x}q{-x} {y+.4h-1}", "{-.333x}{+y}"]
    lengths = {"x": 10, "y": 5.25, "h": 99}
    asked = f"import {{ path }} from {json.dumps((CLIENT / 'drawing' / 'path.js').as_uri())}; "
    asked += f"console.log(JSON.stringify({json.dumps(shapes)}.map((shape) => path(shape, {json.dumps(lengths)}))))"
    script = tmp_path / "path.mjs"
    script.write_text(asked, encoding="utf-8")
    said = subprocess.run([NODE, script], capture_output=True, text=True, check=True).stdout
    assert json.loads(said) == [art.path(shape, **lengths) for shape in shapes]
