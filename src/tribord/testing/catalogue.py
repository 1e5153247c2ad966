"""Translation catalogues: extract the messages from the code, merge them into the .po files, compile the .mo files.

Run `python -m tribord.testing.catalogue [house | page | GAME …]`, or `make messages` for all. English is written in the
code; every message has a French translation. `problems()` finds missing, unused and damaged ones.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po, write_po

import tribord
from tribord import load
from tribord.core.source import own_ids
from tribord.core.words import placeholders

LANGUAGE = "fr"
_KEYWORDS = {"_": None, "_n": (1, 2), "ngettext": (1, 2)}
_CALL = re.compile(r"""\b(_|ngettext)\(\s*("(?:[^"\\]|\\.)*")(?:,\s*("(?:[^"\\]|\\.)*"))?""")
_STILL = datetime(2026, 1, 1, tzinfo=UTC)  # catalogues change with the messages, not with the date
_PACKAGE = Path(tribord.__file__).parent


def _from_javascript(file: IO[bytes], *_given: object, **_options: object) -> Iterator[tuple[int, str, Any, list[str]]]:
    """The messages in a module of the page: always in double quotes, directly in the call.

    Babel's own extractor misses those in a template beside an object or another template.
    """
    text = file.read().decode()
    for call in _CALL.finditer(text):
        name, first, second = call.groups()
        line = text.count("\n", 0, call.start()) + 1
        if name == "_":
            yield line, "_", json.loads(first), []
        elif second:
            yield line, "ngettext", (json.loads(first), json.loads(second)), []


_METHODS: Any = [("**.py", "python"), ("vendor/**.js", "ignore"), ("**.js", _from_javascript)]


@dataclass(frozen=True)
class Room:
    """A part of Tribord with its own catalogue: where its messages are written and where they are translated."""

    name: str
    sources: tuple[Path, ...]
    home: Path
    apart: tuple[str, ...] = ()  # subfolders with their own catalogue

    @property
    def po(self) -> Path:
        """The catalogue for translators."""
        return self.home / "locale" / LANGUAGE / "LC_MESSAGES" / "tribord.po"

    @property
    def mo(self) -> Path:
        """The compiled catalogue."""
        return self.po.with_suffix(".mo")

    def messages(self) -> Catalog:
        """The messages in the sources."""
        template = _catalogue()
        for source in self.sources:
            found = extract_from_dir(source, _METHODS, keywords=_KEYWORDS)
            for filename, _line, message, comments, context in sorted(found, key=lambda f: (f[0], f[1])):
                if not set(Path(filename).parts) & set(self.apart):
                    template.add(
                        message, None, [(f"{source.name}/{filename}", 0)], auto_comments=comments, context=context
                    )
        return template

    def translations(self) -> Catalog:
        """The existing translations."""
        if not self.po.exists():
            return _catalogue()
        with self.po.open("rb") as file:
            return read_po(file, locale=LANGUAGE)


def room(name: str) -> Room:
    """The core ("house"), the page ("page"), or a game by its id."""
    if name == "page":
        client = _PACKAGE / "server" / "client"
        return Room(name, (client,), client)
    if name == "house":
        sources = tuple(_PACKAGE / part for part in ("core", "bots", "lab", "research", "server", "cli"))
        return Room(name, sources, _PACKAGE / "core", apart=("client",))
    folder = load(name).folder
    return Room(name, (folder,), folder)


def rooms() -> list[Room]:
    """Every part of Tribord with messages. Name games of other packages explicitly."""
    return [room(name) for name in ("house", "page", *own_ids())]


def refresh(place: Room) -> Catalog:
    """Merge the messages of the code into the catalogue and compile it."""
    catalogue = place.translations()
    catalogue.update(place.messages(), no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    catalogue.creation_date = catalogue.revision_date = _STILL
    place.po.parent.mkdir(parents=True, exist_ok=True)
    with place.po.open("wb") as file:
        write_po(file, catalogue, omit_header=False, include_lineno=False, width=120, sort_by_file=True)
    with place.mo.open("wb") as file:
        write_mo(file, catalogue)
    return catalogue


def problems(place: Room) -> list[str]:
    """Problems of a catalogue: missing or unused messages, no translation, different placeholders, a stale .mo."""
    wanted = {_key(m.id): m for m in place.messages() if m.id}
    there = {_key(m.id): m for m in place.translations() if m.id}
    found = [f"missing: {key!r}" for key in wanted.keys() - there.keys()]
    found += [f"unused: {key!r}" for key in there.keys() - wanted.keys()]
    for key, message in there.items():
        texts = message.string if isinstance(message.string, tuple | list) else (message.string,)
        if message.fuzzy or not all(texts):
            found.append(f"not translated: {key!r}")
        originals = message.id if isinstance(message.id, tuple | list) else (message.id,)
        # Stems, because French may use {crew_of} for English {crew}.
        allowed = {name.split("_")[0] for original in originals for name in placeholders(original)}
        for text in texts:
            if text and {name.split("_")[0] for name in placeholders(text)} != allowed:
                found.append(f"other placeholders: {key!r} / {text!r}")
    if not place.mo.exists():
        return [*found, f"no compiled catalogue {place.mo.name}: run `make messages`"]
    with place.mo.open("rb") as file:
        compiled = {_key(m.id): _key(m.string) for m in read_mo(file) if m.id}
    if compiled != {key: _key(m.string) for key, m in there.items() if any(m.string)}:
        found.append("the compiled catalogue is stale: run `make messages`")
    return found


def _catalogue() -> Catalog:
    return Catalog(
        locale=LANGUAGE, project="Tribord", version=tribord.__version__, copyright_holder="The Tribord developers",
        header_comment="# French words of Tribord.", creation_date=_STILL, revision_date=_STILL, fuzzy=False,
        msgid_bugs_address="-", last_translator="The Tribord developers", language_team="French",
    )  # fmt: skip


def _key(message_id: object) -> object:
    return tuple(message_id) if isinstance(message_id, list) else message_id


def main() -> None:
    """Update the catalogues named on the command line, or all of them."""
    for place in [room(name) for name in sys.argv[1:]] or rooms():
        catalogue = refresh(place)
        blank = sum(1 for m in catalogue if m.id and not (all(m.string) if isinstance(m.string, tuple) else m.string))
        print(f"{place.name}: {len(catalogue)} messages, {blank} to translate in {place.po}")


if __name__ == "__main__":
    main()
