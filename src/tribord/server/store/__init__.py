"""The store: every table of the server as an append-only journal of rows, and a small index of the tables."""

from tribord.server.store.chain import chained
from tribord.server.store.home import Home
from tribord.server.store.inspection import Inspection, inspect
from tribord.server.store.moderation import AuditEntry, Ban
from tribord.server.store.refusal import CodeTaken, Conflict, Damaged, LaterStore, Unavailable
from tribord.server.store.row import IndexEntry, Row
from tribord.server.store.store import Store
from tribord.server.store.url import connect

__all__ = [
    "AuditEntry",
    "Ban",
    "CodeTaken",
    "Conflict",
    "Damaged",
    "Home",
    "IndexEntry",
    "Inspection",
    "LaterStore",
    "Row",
    "Store",
    "Unavailable",
    "chained",
    "connect",
    "inspect",
]  # fmt: skip
