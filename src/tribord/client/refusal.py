"""The server's refusals."""

from __future__ import annotations

from tribord.server import messages

# Nothing was done; the same can be asked again a little later.
LATER = frozenset({"too-often", "store-gone", "restarting"})


class Refused(Exception):
    """The server's refusal: a stable code, a sentence in each language, the rule, and how long to wait if that helps.

    It has changed nothing.
    """

    def __init__(self, message: messages.Refused):
        detail = f": {message.detail}" if message.detail else ""
        super().__init__(f"{message.en} [{message.code}{detail}]")
        self.code = message.code
        self.fr = message.fr
        self.en = message.en
        self.rule = message.rule
        self.limit = message.limit
        self.seconds = message.seconds
        self.detail = message.detail

    @property
    def later(self) -> bool:
        """Whether the same can be asked again after `seconds`."""
        return self.code in LATER
