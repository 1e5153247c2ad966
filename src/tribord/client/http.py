"""Asking the server over HTTP, with the standard library, in a thread."""

from __future__ import annotations

import asyncio
import urllib.error
import urllib.request
from typing import Any

import msgspec

from tribord.client.refusal import Refused
from tribord.server import messages

SECONDS = 30.0


async def ask(url: str, body: Any = None, secret: str | None = None) -> Any:
    """GET an address, or POST a body to it; what the server refuses is raised as `Refused`."""
    headers = {"content-type": "application/json"}
    if secret is not None:
        headers["authorization"] = f"Bearer {secret}"
    content = None if body is None else msgspec.json.encode(body)
    return msgspec.json.decode(await asyncio.to_thread(_ask, urllib.request.Request(url, content, headers)))


def _ask(request: urllib.request.Request) -> bytes:
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as response:
            return bytes(response.read())
    except urllib.error.HTTPError as error:
        with error:
            content = error.read()
        try:
            refused = msgspec.json.decode(content, type=messages.Refused)
        except msgspec.DecodeError:
            raise error from None  # not the table server: a proxy, or another site
        raise Refused(refused) from None
