"""The command line: a table in the terminal, match files, and commands for machines."""

from tribord.cli.app import app, main

__all__ = ["app", "main"]
