"""Store addresses: from text to a store."""

from __future__ import annotations

from pathlib import Path

from tribord.core.refusal import BadOption
from tribord.server.store.refusal import BAD_POSTGRESQL, BAD_STORE, IN_MEMORY, NO_DRIVER
from tribord.server.store.sqlite import SqliteStore
from tribord.server.store.store import Store


def connect(url: str) -> Store:
    """The store at `sqlite:///path` (four slashes for an absolute path), a bare path, or `postgresql://…`."""
    if url.startswith(("postgresql://", "postgres://")):
        return _postgresql(url)
    path = url.removeprefix("sqlite:///")
    if not path or "://" in path or "\0" in path:
        raise BadOption("bad-store", BAD_STORE, url=_without_password(url))
    if path == ":memory:" or path.startswith("file:"):
        raise BadOption("bad-store", IN_MEMORY)
    return SqliteStore(Path(path))


def _postgresql(url: str) -> Store:
    try:  # load the driver only if it's used
        import psycopg

        from tribord.server.store.postgresql import PostgresqlStore
    except ImportError as missing:
        raise BadOption("no-driver", NO_DRIVER) from missing
    try:
        return PostgresqlStore(url)
    except psycopg.ProgrammingError as error:
        raise BadOption("bad-store", BAD_POSTGRESQL, reason=_without_password(str(error).strip())) from None


def _without_password(text: str) -> str:
    """An address without its secrets: everything between scheme and host is left out."""
    scheme, slashes, rest = text.partition("://")
    return f"{scheme}://…@{rest.rpartition('@')[2]}" if slashes and "@" in rest else text
