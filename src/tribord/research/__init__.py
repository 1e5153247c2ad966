"""Tribord's games in other people's laboratories: one thin adapter for each library, for every game."""
