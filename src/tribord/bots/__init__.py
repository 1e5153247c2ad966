"""Bots: a bot gets its seat's view and the legal actions, and picks one. It never sees the full state."""

from tribord.bots.bot import Bot, Mixture, is_rank, rank_below, rank_of, ranks, seat_bot

__all__ = ["Bot", "Mixture", "is_rank", "rank_below", "rank_of", "ranks", "seat_bot"]
