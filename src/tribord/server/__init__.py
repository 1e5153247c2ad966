"""The table server: live matches that survive crashes and lost connections."""
