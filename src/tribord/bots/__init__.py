"""Bots: they get a view and what is legal, and decide; they never see the state."""

from tribord.bots.bot import Bot, Hasty, rank_below, rank_of, ranks, seat_bot

__all__ = ["Bot", "Hasty", "rank_below", "rank_of", "ranks", "seat_bot"]
