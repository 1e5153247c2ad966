"""The table server: live matches that nothing can lose."""
