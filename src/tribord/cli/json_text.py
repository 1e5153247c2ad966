"""JSON for standard output: what it quotes may come from a file, and mustn't steer the terminal that shows it."""

from __future__ import annotations

import json
from typing import Any

from tribord.core.words import steers


def json_text(value: Any, indent: int | None = None) -> str:
    r"""Return a value as JSON in which characters that steer a terminal are written out.

    >>> print(json_text(["Zoé", "\x9b2J\x7f", "\U000e0001"]))
    ["Zoé", "\u009b2J\u007f", "\udb40\udc01"]
    """
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return "".join(_written(sign) if steers(sign) and sign != "\n" else sign for sign in text)


def _written(sign: str) -> str:
    """The escape sequence of a character; json writes out all but DEL."""
    return r"\u007f" if sign == "\x7f" else json.dumps(sign)[1:-1]
