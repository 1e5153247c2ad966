"""The glossary in docs/glossary.md: texts use its words, and none of those it rules out. Neither do the guides."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.texts import ROOMS, texts

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "glossary.md"
GUIDES = sorted({*ROOT.glob("docs/*.md"), ROOT / "README.md"} - {PAGE})


@dataclass(frozen=True)
class Rejected:
    """A word that texts of some rooms don't use, except in some phrases."""

    word: str
    language: str
    kept: tuple[str, ...]
    rooms: tuple[str, ...]
    instead: str

    def found(self, text: str) -> bool:
        """Whether a text has the word. It may begin a sentence; a capital letter within it is another word."""
        for other in (r"\{\w+\}", *map(_pattern, self.kept)):
            text = re.sub(other, "", text)
        return bool(re.search(_pattern(self.word), text))


def _pattern(words: str) -> str:
    first, rest = words[0], words[1:]
    return rf"(?<![\w-])[{first}{first.upper()}]{re.escape(rest)}(?![\w-])"


def tables() -> Iterator[tuple[list[str], list[str]]]:
    """The rows of every table on the page, each with its heading."""
    heading: list[str] = []
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if not cells:
            heading = []
        elif not heading:
            heading = cells
        elif set(line) != set("| -"):
            yield heading, cells


def rejected() -> list[Rejected]:
    """Every word that the page leaves out."""
    found = []
    for heading, cells in tables():
        row = dict(zip(heading, cells))
        rooms = _rooms(row["where"])
        for language, name in (("en", "English"), ("fr", "French")):
            words, kept = re.match(r"([^(]*)(?:\((.*)\))?$", row[f"not in {name}"]).groups()  # type: ignore[union-attr]
            phrases = tuple(phrase.strip() for phrase in (kept or "").split(",") if phrase.strip())
            for word in filter(None, (word.strip() for word in words.split(","))):
                found.append(Rejected(word, language, phrases, rooms, row.get(name, "")))
    return found


def _rooms(where: str) -> tuple[str, ...]:
    """The rooms that a cell of the last column means."""
    games = tuple(room for room in ROOMS if room not in ("page", "house"))
    named = {"everywhere": tuple(ROOMS), "games": games}
    return tuple(room for word in where.split(", ") for room in named.get(word, (word,)))


@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_no_text_says_a_rejected_word(room: str, language: str) -> None:
    ours = [word for word in rejected() if word.language == language and room in word.rooms]
    found = [
        f"not “{word.word}” but “{word.instead}” in {text}"
        for text in texts(room, language)
        for word in ours
        if word.found(text.said)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.stem)
def test_no_guide_says_a_rejected_word(guide: Path) -> None:
    prose = without_code(guide.read_text(encoding="utf-8"))
    ours = [word for word in rejected() if word.language == "en" and set(word.rooms) >= set(ROOMS)]
    found = [
        f"not “{word.word}” but “{word.instead}” in {guide.name}: {line.strip()}"
        for line in prose.splitlines()
        for word in ours
        if word.found(line)
    ]
    assert not found, "\n".join(found)


def without_code(text: str) -> str:
    """A page without its code (blocks, spans, links' addresses) and without tables of words that are retired there."""
    text = re.sub(r"^\|[^\n]*\| instead of \|.*?\n\n", "", text, flags=re.DOTALL | re.MULTILINE)
    plain = re.sub(r"^( *)```.*?^\1```", "", text, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"`[^`\n]*`|(?<=\])\([^)]*\)|<[^>\n]*>", "", plain)


def test_the_glossary_is_read_and_would_find_what_it_looks_for() -> None:
    known = {(word.word, word.language): word for word in rejected()}
    assert {room for word in known.values() for room in word.rooms} == set(ROOMS)
    assert known["pendule", "fr"].found("La pendule tourne.") and not known["pendule", "fr"].found("Les pendules")
    assert known["match", "en"].found("The match is over.") and not known["match", "en"].found("Save the match file")
    assert known["les bleus", "fr"].found("Les bleus jouent.") and not known["les bleus", "fr"].found("Les Bleus")
    assert known["whoever", "en"].found("Whoever it is") and known["the Blues", "en"].rooms == tuple(ROOMS)
