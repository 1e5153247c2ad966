"""What the server refused."""

from __future__ import annotations

from tribord.server import messages

LATER = frozenset({"too-often", "store-gone"})  # nothing was done, and the same may be asked again a little later


class Refused(Exception):
    """The server's refusal: a stable code, a sentence in each language, the rule, and how long to wait if that helps.

    It has changed nothing.
    """

    def __init__(self, message: messages.Refused):
        super().__init__(f"{message.en} [{message.code}]")
        self.code = message.code
        self.fr = message.fr
        self.en = message.en
        self.rule = message.rule
        self.limit = message.limit
        self.seconds = message.seconds

    @property
    def later(self) -> bool:
        """Whether the same can be asked again after `seconds`."""
        return self.code in LATER
