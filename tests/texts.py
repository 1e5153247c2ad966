"""Texts: everything people read in the program, room by room, in one language."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from tribord.testing.catalogue import rooms

STARTED = "tribord.webmanifest"
BOTH = "both"
ROOMS = {room.name: room for room in rooms()}  # "house", "page", and every game by its id


@dataclass(frozen=True)
class Text:
    """A text as it's written, with its placeholders."""

    source: str
    said: str

    def __str__(self) -> str:
        return f"{self.source}: “{self.said}”"


@dataclass(frozen=True)
class Counted:
    """Which placeholder a message with a plural counts, and whether it has a sentence of its own for none."""

    field: str
    has_none: bool


@dataclass(frozen=True)
class Message:
    """A message of the catalogue: its forms in each language, one or (with a plural) two."""

    forms: dict[str, tuple[str, ...]]
    counted: Counted | None

    def __str__(self) -> str:
        return self.forms["en"][0]


FROM_PAGE = Counted("count", has_none=False)  # the page's ngettext


def texts(room: str, language: str) -> list[Text]:
    """All texts of a room: its messages, and a game's stories and rulebook."""
    home = ROOMS[room].home
    found = [Text("message", form) for message in messages(room) for form in message.forms[language]]
    if room == "page":
        found += [text for name in ("index.html", "offline.html") for text in _still(home / name, language)]
        found.append(Text(STARTED, _halves(_description(home / STARTED))[language]))
    if home.parent.name == "games":
        found += [text for path in sorted(home.glob("client/*.json")) for text in _stories(path, language)]
        found += _rulebook(home / f"RULES.{language}.md")
    return found


@cache
def messages(room: str) -> list[Message]:
    """The messages of a room."""
    known = _counted(room)
    return [
        Message({"en": forms, "fr": _forms(message.string)}, known.get(forms, FROM_PAGE) if len(forms) > 1 else None)
        for message in ROOMS[room].translations()
        if message.id and (forms := _forms(message.id))
    ]


def _counted(room: str) -> dict[tuple[str, ...], Counted]:
    """What the messages with a plural in a room's Python count, by their English forms."""
    found: dict[tuple[str, ...], Counted] = {}
    for folder in ROOMS[room].sources:
        for path in folder.rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "_n":
                    one, many, field = (_constant(argument) for argument in node.args[:3])
                    found[one, many] = Counted(field, len(node.args) > 3)
    return found


def _constant(node: ast.expr) -> str:
    assert isinstance(node, ast.Constant) and isinstance(node.value, str), ast.dump(node)
    return node.value


def _forms(found: object) -> tuple[str, ...]:
    return (found,) if isinstance(found, str) else tuple(found)  # type: ignore[arg-type]


class _Still(HTMLParser):
    """The texts of a page that no script writes, each with its language; « Oui. Yes. » is in both, French first."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[tuple[str, str]] = []
        self.inside: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the language, and what the page says about itself."""
        given = dict(attrs)
        if tag not in ("meta", "link", "img"):
            self.inside.append((tag, given.get("lang") or (self.inside[-1][1] if self.inside else "")))
        if given.get("name") == "description":
            self.said.append((BOTH, given["content"] or ""))

    def handle_endtag(self, tag: str) -> None:
        """Leave the element."""
        self.inside.pop()

    def handle_data(self, data: str) -> None:
        """Keep what people read: in a section of one language, or in both."""
        if data.strip() and self.inside and self.inside[-1][0] not in ("script", "style"):
            ours = "section" in (tag for tag, _language in self.inside)
            self.said.append((self.inside[-1][1] if ours else BOTH, data.strip()))


def _still(path: Path, language: str) -> Iterator[Text]:
    """The texts of an HTML file in one language."""
    page = _Still()
    page.feed(path.read_text(encoding="utf-8"))
    for ours, said in page.said:
        if ours == BOTH:
            yield Text(path.name, _halves(said)[language])
        elif ours == language:
            yield Text(path.name, said)


def _description(path: Path) -> str:
    return str(json.loads(path.read_text(encoding="utf-8"))["description"])


def _halves(said: str) -> dict[str, str]:
    """The sentences of a text in both languages; a name alone is the same in both."""
    sentences = re.split(r"(?<=\.) ", said)
    assert len(sentences) <= 2, said
    return {"fr": sentences[0], "en": sentences[-1]}


def _stories(path: Path, language: str) -> Iterator[Text]:
    for said in _said(json.loads(path.read_text(encoding="utf-8")), language):
        yield Text(path.name, said)


def _said(found: Any, language: str, ours: bool = False) -> Iterator[str]:
    """The strings below the key of a language, wherever it stands in a story."""
    if isinstance(found, str):
        if ours:
            yield found
    elif isinstance(found, list):
        for one in found:
            yield from _said(one, language, ours)
    elif isinstance(found, dict):
        for key, value in found.items():
            yield from _said(value, language, ours or key == language)


def _rulebook(path: Path) -> list[Text]:
    """A rulebook, paragraph by paragraph, each on one line and without marks."""
    paragraphs = re.split(r"\n\s*\n|\n(?=- |#)", path.read_text(encoding="utf-8"))
    plain = (re.sub(r"\n +|\n", " ", re.sub(r"`[^`]*`|\*", "", paragraph)).strip("# -") for paragraph in paragraphs)
    return [Text(path.name, said) for said in plain if said]
