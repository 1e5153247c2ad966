"""Bots: they get a view and the legal actions, and decide; they never see the state."""

from tribord.bots.bot import Bot, Mixture, rank_below, rank_of, ranks, seat_bot

__all__ = ["Bot", "Mixture", "rank_below", "rank_of", "ranks", "seat_bot"]
