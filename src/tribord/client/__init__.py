"""A client of the table server: enough for a bot over the network, and an example for other languages.

>>> from tribord.client import Client
>>> Client("http://127.0.0.1:8420", "a-table", "its-secret").version
0
"""

from tribord.client.client import Client
from tribord.client.contribution import DiceNotice, DiceWarning
from tribord.client.refusal import Refused
from tribord.client.turn import Turn

__all__ = ["Client", "DiceNotice", "DiceWarning", "Refused", "Turn"]
