"""Origins: which pages may talk to the server. Programs send no origin; browsers always do, and pages cannot lie."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.requests import HTTPConnection


def welcome(connection: HTTPConnection, origins: tuple[str, ...]) -> bool:
    """Whether whoever asks may: a program, our own page, or a page that was named."""
    origin = connection.headers.get("origin")
    if origin is None or "*" in origins or origin in origins:
        return True
    try:
        return urlsplit(origin).netloc.lower() == connection.headers.get("host", "?").lower()
    except ValueError:
        return False
