"""Tribord: four pirate board games by their exact rules.

>>> import tribord
>>> match = tribord.load("faut-pas-pousser").match(players=4, seed=7)
>>> match.to_act
[0, 1, 2, 3]
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tribord.core.chance import Dice
from tribord.core.event import Event
from tribord.core.game import Game, game_ids, load
from tribord.core.match import Match, Outcome
from tribord.core.record import CHANCE, PUBLIC
from tribord.core.refusal import BadFile, BadOption, IllegalAction, Refusal, UnknownGame

if TYPE_CHECKING:
    from tribord.bots import Bot, seat_bot
    from tribord.bots.search import Search
    from tribord.core.batch import Batch
    from tribord.lab.arena import arena

__version__ = "0.1.0"
__all__ = [
    "CHANCE",
    "PUBLIC",
    "BadFile",
    "BadOption",
    "Batch",
    "Bot",
    "Dice",
    "Event",
    "Game",
    "IllegalAction",
    "Match",
    "Outcome",
    "Refusal",
    "Search",
    "UnknownGame",
    "arena",
    "game_ids",
    "load",
    "seat_bot",
]

# Loaded on first use: a match between people needs no bots, and `import tribord` stays fast.
_LATER = {
    "Batch": "tribord.core.batch",
    "Bot": "tribord.bots",
    "Search": "tribord.bots.search",
    "arena": "tribord.lab.arena",
    "seat_bot": "tribord.bots",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(_LATER[name]), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
