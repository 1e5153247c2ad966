"""Origins: which pages may talk to the server. Programs send no origin; browsers always do, and pages cannot lie."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.requests import HTTPConnection


def welcome(connection: HTTPConnection, origins: tuple[str, ...], port: int = 0) -> bool:
    """Whether this request is allowed: from a program, our own page, or a page of a named origin.

    Our own page is at the host that was asked; or at the `port` that all workers share, and asks this one at its own.
    """
    origin = connection.headers.get("origin")
    if origin is None or "*" in origins or origin in origins:
        return True
    try:
        page, asked = urlsplit(origin), urlsplit(f"//{connection.headers.get('host', '?')}")
        return page.netloc.lower() == asked.netloc.lower() or (port, page.hostname) == (page.port or 80, asked.hostname)
    except ValueError:
        return False
