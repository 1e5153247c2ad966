"""A turn: what a seat needs to know to decide."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Turn:
    """A seat of ours must decide: what it sees, the numbers of the actions it may play, and the match version."""

    seat: int
    version: int
    view: dict[str, Any]
    legal: list[int]
