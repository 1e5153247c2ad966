"""A picture: how a game draws itself with the pen it is given."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tribord.core.words import Words


@dataclass(frozen=True)
class Picture(ABC):
    """A view to draw. A game that draws itself has its own `Drawing` in its `picture.py`."""

    view: Mapping[str, Any]
    words: Words
    pen: Any  # `tribord.research.picture.PEN`: colours, paths and signs

    @abstractmethod
    def headline(self) -> str:
        """Where the match stands, in a sentence or two."""

    @abstractmethod
    def board(self) -> str:
        """The board and the crews, as the inside of an SVG."""
