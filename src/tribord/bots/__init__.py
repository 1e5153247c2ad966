"""Bots: they get a view and decide; they never see the state."""

from tribord.bots.bot import Bot, ranks, seat_bot

__all__ = ["Bot", "ranks", "seat_bot"]
