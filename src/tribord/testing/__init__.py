"""Testing: the conformance kit for games, ours and yours."""

from tribord.testing.conformance import check_game

__all__ = ["check_game"]
