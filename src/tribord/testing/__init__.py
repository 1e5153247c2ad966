"""Testing: the conformance kit that every game passes, ours and other people's."""

from tribord.testing.conformance import check_game

__all__ = ["check_game"]
