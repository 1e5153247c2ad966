"""Tribord: four pirate board games by their exact rules.

>>> import tribord
>>> match = tribord.load("faut-pas-pousser").match(players=4, seed=7)
>>> match.to_act
[0, 1, 2, 3]
"""

from tribord.core.chance import Dice
from tribord.core.event import Event
from tribord.core.game import Game, game_ids, load
from tribord.core.match import Match, Outcome
from tribord.core.record import CHANCE, PUBLIC
from tribord.core.refusal import BadFile, BadOption, IllegalAction, Refusal, UnknownGame

__version__ = "0.1.0"
__all__ = [
    "CHANCE",
    "PUBLIC",
    "BadFile",
    "BadOption",
    "Dice",
    "Event",
    "Game",
    "IllegalAction",
    "Match",
    "Outcome",
    "Refusal",
    "UnknownGame",
    "game_ids",
    "load",
]
