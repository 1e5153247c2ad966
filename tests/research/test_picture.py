"""Pictures: complete, legible without the machine's fonts, the same every time, and without secrets."""

import io
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from fontTools.ttLib import TTFont
from PIL import Image

from tribord import PUBLIC, Match, game_ids, load
from tribord.core.words import LANGUAGES
from tribord.research import picture
from tribord.testing.conformance import setups

TABLES = [(game, players) for game in game_ids() for players in range(load(game).players[0], load(game).players[1] + 1)]
SEALING = [game for game in game_ids() if "sealed" in {field.name for field in load(game).fields}]
FONTS = Path(picture.__file__).parent / "fonts"
SVG = "{http://www.w3.org/2000/svg}"


def moments(game: str, players: int, at_random) -> Iterator[Match]:
    """A moment of a random match under every set of options; at least one beginning, middle and end."""
    ways = [setup for setup in setups(load(game)) if setup.players == players]
    for seed, steps in enumerate((0, 3, 11, 40, 10_000, *[17] * (len(ways) - 5))):
        yield at_random(ways[seed % len(ways)].match(seed), seed, steps)


def glyphs(name):
    return set(map(chr, TTFont(FONTS / name).getBestCmap()))


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_every_moment_is_a_whole_picture(game, players, at_random):
    known = glyphs("atkinson-hyperlegible-400.ttf") & glyphs("atkinson-hyperlegible-700.ttf")
    for match in moments(game, players, at_random):
        for seat in (PUBLIC, 0):
            drawn = {language: picture.svg(match.game, match.view(seat), language) for language in LANGUAGES}
            for text in drawn.values():
                root = ElementTree.fromstring(text)
                assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("640", "480", "0 0 1280 960")
                assert match.game.title in root.findtext(f"{SVG}title")
                said = "".join("".join(line.itertext()) for line in root.iter(f"{SVG}text"))
                assert set(said) <= known, "a sign that our fonts do not have"
                assert not re.search(r"\b(nan|None|inf)\b|\{", text), "no number, or not filled in"
            assert len(set(drawn.values())) == len(LANGUAGES)


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_pixels_show_the_picture(game, players, at_random):
    match = at_random(load(game).match(players, seed=1), 1, 6)
    pixels = picture.rgb(match.game, match.view())
    assert (pixels.shape, pixels.dtype) == ((480, 640, 3), np.uint8)
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 100
    sea_or_paper = np.all(pixels == pixels[60, 320], axis=2).mean()
    assert sea_or_paper < 0.9, "a blank sheet"


@pytest.mark.parametrize("game", game_ids())
def test_the_words_are_seen_without_the_fonts_of_the_machine(game, at_random):
    match = at_random(load(game).match(seed=2), 2, 5)
    english, french = (picture.rgb(match.game, match.view(), language=language) for language in ("en", "fr"))
    assert not np.array_equal(english[:40, 300:], french[:40, 300:]), "the headline says the same, or nothing"


@pytest.mark.parametrize("game", game_ids())
def test_a_view_may_be_given_in_every_form(game, at_random):
    match = at_random(load(game).match(seed=3), 3, 9)
    seen = match.view_state(0)
    forms = (match.view(0), seen, seen.tobytes())
    assert len({picture.svg(match.game, form) for form in forms}) == 1
    assert len({picture.png(match.game, form) for form in forms}) == 1


@pytest.mark.parametrize("height", [120, 481, 720])
def test_a_picture_has_the_height_that_is_asked_for(height):
    game = load("faut-pas-pousser")
    assert picture.rgb(game, game.match(seed=0).view(), height).shape == (height, round(height * 4 / 3), 3)


@pytest.mark.parametrize("game", game_ids())
def test_pixels_are_those_of_the_png(game, at_random):
    match = at_random(load(game).match(seed=4), 4, 15)
    with Image.open(io.BytesIO(picture.png(match.game, match.view()))) as image:
        pixels = picture.rgb(match.game, match.view())
        assert np.array_equal(pixels, np.array(image.convert("RGB")))
    assert "#{:02x}{:02x}{:02x}".format(*pixels[4, 4]) == picture.PAPER
    pixels[4, 4] = 0  # they belong to the caller


# -- secrets -----------------------------------------------------------------------------------------------------------


def two_worlds(game, players, at_random) -> tuple[Match, Match, int]:
    """Two matches that differ only in what one seat has sealed, and that seat."""
    match = load(game).match(players, seed=5)
    for step in range(200):  # on to the first sealed choice
        if len(match.to_act) > 1:
            break
        at_random(match, step, 1)
    other = match.fork()
    seat = match.to_act[0]
    choices = match.legal(seat)
    match.play(seat, choices[0])
    other.play(seat, choices[-1])
    return match, other, seat


@pytest.mark.parametrize(("game", "players"), [table for table in TABLES if table[0] in SEALING])
def test_a_picture_never_shows_what_another_seat_has_sealed(game, players, at_random):
    match, other, secretive = two_worlds(game, players, at_random)
    for seat in (PUBLIC, *range(players)):
        same = picture.svg(match.game, match.view(seat)) == picture.svg(match.game, other.view(seat))
        assert same == (seat != secretive)
    assert picture.svg(match.game, match.state) != picture.svg(match.game, other.state)


# -- a game without a drawing ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", game_ids())
def test_a_game_without_a_picture_has_its_text_board(game, at_random, monkeypatch):
    match = at_random(load(game).match(seed=6), 6, 8)
    monkeypatch.setitem(vars(match.game), "picture", None)
    drawn = picture.svg(match.game, match.view(), "fr")
    lines = ["".join(line.itertext()) for line in ElementTree.fromstring(drawn).iter(f"{SVG}text")]
    board = match.game.text.board(match.view(), match.game.words("fr")).replace("\u202f", "\u00a0")
    assert lines == [*filter(None, board.split("\n")), match.game.title.replace("\u202f", "\u00a0")]
    assert set(board) - {"\n"} <= glyphs("dejavu-sans-mono.ttf")
    assert len(np.unique(picture.rgb(match.game, match.view()).reshape(-1, 3), axis=0)) > 20
