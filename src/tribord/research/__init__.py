"""Tribord's games in other research libraries: one thin adapter per library, for every game."""
