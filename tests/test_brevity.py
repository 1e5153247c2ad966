"""Brevity: a button says what it does in three words, and what players read has twenty words to a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from tests.texts import ROOMS, messages, texts

from tribord.core.words import LANGUAGES

WORDS_OF_A_BUTTON = 3
WORDS_OF_A_SENTENCE = 20
PLAYERS = tuple(room for room in ROOMS if room != "house")

# Buttons may be longer for these reasons.
LONGER = {
    "How to play: {variant}": "it names a variant",
    "Puzzle of the day": "its name",
    "Start with {count} bot": "a number, and what it counts",
    "Take back my choice": "at the table, “Take it back” wouldn’t say what",
}
# Sentences that list what there is. By how they begin.
LISTS = (
    "À trois, les barques partent dans les couloirs",
    "Chaque équipage a aussi cinq cartes action",
    "Each crew also has five action cards",
    "Lanes 1 and 2 lead to the left island",
    "Les couloirs 1 et 2 vont à l’île de gauche",
    "Chaque joueur a trois pirates, tous sur le navire",
    "Each player has three pirates, all on the ship",
    "With three players the boats start in lanes",
)

_MARKED = re.compile(r"""\b(?:_|ngettext)\(\s*"((?:[^"\\]|\\.)*)\"""")


def words(text: str) -> int:
    """How many words a text has; a placeholder is one."""
    return sum(bool(re.search(r"\w", word)) for word in text.split())


def sentences(text: str) -> list[str]:
    """The sentences of a text, without its remarks in brackets about rulings."""
    plain = re.sub(r"\s*\((?:ruling|décision)[^)]*\)", "", text)
    return re.split(r"(?<=[.!?…])[»”]?\s+(?=\W*[A-ZÀÂÇÉÈÊÎÔŒ])", plain)


def buttons(template: str) -> Iterator[str]:
    """The messages on the buttons of a module, and on the links that look like buttons."""
    for tag in re.finditer(r"<(button|a)\b", template):
        head = _end_of_tag(template, tag.end())
        inside = template[head : template.index(f"</{tag[1]}>", head)]
        if tag[1] == "button" or "button" in template[tag.end() : head]:
            aside = re.sub(r"aria-label=\$\{[^}]*\}\)?\}|<small>.*?</small>", "", inside)
            yield from _MARKED.findall(aside)


def _end_of_tag(template: str, at: int) -> int:
    """Where the content of an element begins, after attributes that may be expressions with “>” in them."""
    while template[at] != ">":
        if template.startswith("${", at):
            depth = 0
            while True:
                depth += {"{": 1, "}": -1}.get(template[at], 0)
                at += 1
                if not depth and template[at - 1] == "}":
                    break
        elif template[at] == '"':
            at = template.index('"', at + 1) + 1
        else:
            at += 1
    return at + 1


@cache
def labels() -> dict[str, str]:
    """Every message on a button, and the module it's in."""
    found = {}
    for room in PLAYERS:
        for path in sorted(ROOMS[room].home.rglob("*.js")):
            if "vendor" not in path.parts:
                found |= dict.fromkeys(buttons(path.read_text(encoding="utf-8")), path.name)
                found |= dict.fromkeys(verbs(path), path.name)
    return found


def verbs(path: Path) -> Iterator[str]:
    """The words for the button that carries out a decision, from a board’s function `verb`."""
    body = re.search(r"\bfunction verb\([^)]*\) \{(.*?)\n\}", path.read_text(encoding="utf-8"), re.DOTALL)
    if body:
        yield from _MARKED.findall(body[1])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_button_has_three_words_at_most(language: str) -> None:
    known = labels()
    said = {message.forms["en"][0]: message.forms[language] for room in PLAYERS for message in messages(room)}
    long = [
        f"“{form}” in {known[english]}"
        for english in known
        for form in said[english]
        if words(form) > WORDS_OF_A_BUTTON and english not in LONGER
    ]
    assert not long, "\n".join(long)
    assert {"Sit here", "Start my turn", "Play from here", "Get a hint", "Show {count} more"} <= known.keys()


@pytest.mark.parametrize("room", PLAYERS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_for_players_has_twenty_words_at_most(room: str, language: str) -> None:
    long = [
        f"{words(sentence)} words in {text.source}: “{sentence}”"
        for text in texts(room, language)
        for sentence in sentences(text.said)
        if words(sentence) > WORDS_OF_A_SENTENCE and not sentence.startswith(LISTS)
    ]
    assert not long, "\n".join(long)


def test_what_may_be_longer_is_still_said() -> None:
    said = [text.said for room in PLAYERS for language in LANGUAGES for text in texts(room, language)]
    assert all(any(known in text for text in said) for known in LISTS)
    assert LONGER.keys() <= labels().keys()
