"""The screen: terminal output and input, in colour, in black and white, or for a screen reader."""

from __future__ import annotations

import os
import sys
import textwrap
from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.text import Text

from tribord.core.game import Game
from tribord.core.words import Words, _

MORE = _("Enter for more, q to stop:")
WIPED = _("(The lines above are out of sight now.)")

# Ids of crews, pawns and boats that name a colour are shown in it; their names say it too.
COLOURS = {
    "blue": "bright_blue",
    "green": "green",
    "red": "red",
    "yellow": "yellow",
    "lilac": "magenta",
    "bone": "bright_white",
    "brown": "orange4",
}
COLUMNS_FROM = 13  # longer lists use columns, so that a question always fits on a screen


class Quit(Exception):
    """Someone wants to leave."""


class Screen:
    """One terminal. Plain means: no colour, no drawing, nothing ever erased."""

    def __init__(self, plain: bool = False):
        self.plain = plain or os.environ.get("TERM") == "dumb"
        self.console = Console(
            color_system=None if self.plain else "auto", markup=False, highlight=False, emoji=False, soft_wrap=True
        )
        self._dyes: list[tuple[str, list[str]]] = []

    @property
    def erasable(self) -> bool:
        """Whether the screen can be cleared."""
        return self.console.is_terminal and not self.plain

    def dress(self, game: Game, words: Words) -> None:
        """Show the game's coloured names in their colour from now on."""
        spoken: dict[str, set[str]] = {}
        for names in game.names.values():
            for key, name in names.items():
                colour = str(key).partition("-")[0]
                if colour in COLOURS:
                    spoken.setdefault(colour, {words.translate(colour)}).add(words.translate(name))
        self._dyes = [(COLOURS[colour], sorted(names, key=len, reverse=True)) for colour, names in spoken.items()]

    # -- showing ----------------------------------------------------------------------------------------------------

    def show(self, text: str = "", style: str = "") -> None:
        """A text as it is, with the coloured names in their colour."""
        line = Text(text, style)
        for dye, names in self._dyes:
            line.highlight_words(names, dye, case_sensitive=False)
        self.console.print(line)

    def heading(self, text: str) -> None:
        """What the next lines are about."""
        self.console.print()
        if self.plain:
            self.console.print(text)
        else:
            self.console.print(Text(f"── {text} " + "─" * max(0, 74 - len(text)), "bold"))

    def show_event(self, rule: str, sentence: str) -> None:
        """A line of the log, with the rule it follows from."""
        self.show(f"{rule:<4} {sentence}")

    def menu(self, question: str, offers: Sequence[tuple[str, str]]) -> None:
        """A question and its answers: what to type, and what it means (nothing if it's obvious)."""
        self.show(question, "bold")
        lines = [f"{token:>4}  {label}" for token, label in offers if label]
        if len(lines) < len(offers):
            lines = ["    " + "  ".join(token for token, _label in offers)]
        elif len(lines) >= COLUMNS_FROM:
            lines = _columns(lines)
        for line in lines:
            self.show(line)

    def page(self, lines: Iterable[str], words: Words) -> None:
        """A long text, a screenful at a time if someone can turn the page."""
        wide = max(20, self.console.width - 1)
        rows = [row for line in lines for row in textwrap.wrap(line, wide, subsequent_indent="     ") or [""]]
        height = max(5, self.console.height - 2)
        paged = self.console.is_terminal and sys.stdin.isatty()
        for number, row in enumerate(rows, 1):
            self.show(row)
            if paged and number % height == 0 and number < len(rows) and self.ask(words.say(MORE)).lower() == "q":
                break

    def wipe(self, words: Words) -> None:
        """Clear what was shown."""
        if self.erasable:
            self.console.file.write("\x1b[H\x1b[2J\x1b[3J")  # the page, and what has scrolled off it
            self.console.file.flush()
        else:
            self.console.print("\n" * 60)
            self.console.print(words.say(WIPED))

    # -- asking -----------------------------------------------------------------------------------------------------

    def ask(self, prompt: str) -> str:
        """One line from the keyboard; EOFError at the end of the input. (No line history: it would reveal secrets.)"""
        self.console.print(Text(f"{prompt} ", "bold"), end="")
        line = sys.stdin.readline()
        if not line:
            self.console.print()
            raise EOFError
        if not sys.stdin.isatty():  # nobody has typed it, so nobody has seen it
            self.console.print(Text(line.strip()))
        return line.strip()


def _columns(lines: list[str]) -> list[str]:
    width = max(map(len, lines)) + 2
    across = max(1, 78 // width)
    down = -(-len(lines) // across)
    return ["".join(f"{line:<{width}}" for line in lines[row::down]).rstrip() for row in range(down)]
