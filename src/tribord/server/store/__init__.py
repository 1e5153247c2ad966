"""The store: every table of the server as an append-only journal of rows, and a small index of the tables."""

from tribord.server.store.refusal import CodeTaken, Conflict, LaterStore, Unavailable
from tribord.server.store.row import IndexEntry, Row
from tribord.server.store.store import Store
from tribord.server.store.url import connect

__all__ = ["CodeTaken", "Conflict", "IndexEntry", "LaterStore", "Row", "Store", "Unavailable", "connect"]
