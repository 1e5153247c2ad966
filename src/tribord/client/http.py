"""Asking the server over HTTP, with the standard library, in a thread."""

from __future__ import annotations

import asyncio
import http.client
import random
import urllib.error
import urllib.request
from typing import Any

import msgspec

from tribord.client.refusal import Refused
from tribord.server import messages

SECONDS = 30.0
TRIES = 5  # of requests with an id, when the answer is lost


async def ask(url: str, body: Any = None, secret: str | None = None) -> Any:
    """GET a URL, or POST a body to it; raise `Refused` if the server refuses."""
    headers = {"content-type": "application/json"}
    if secret is not None:
        headers["authorization"] = f"Bearer {secret}"
    content = None if body is None else msgspec.json.encode(body)
    return msgspec.json.decode(await asyncio.to_thread(_ask, urllib.request.Request(url, content, headers)))


async def ask_once(url: str, body: messages.NewTable | messages.Join) -> Any:
    """POST a body with an id, again if the answer is lost: the server carries it out once."""
    for attempt in range(1, TRIES + 1):
        try:
            return await ask(url, body)
        except Refused as refused:
            if refused.code != "restarting" or attempt == TRIES:  # else another worker may take it
                raise
        except urllib.error.HTTPError:
            raise
        except (OSError, http.client.HTTPException) as error:
            reached = not isinstance(getattr(error, "reason", error), ConnectionRefusedError)
            if attempt == TRIES or not reached:
                raise
        await asyncio.sleep(random.uniform(0, 0.1 * 2**attempt))
    raise AssertionError("the last attempt returns or raises")


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
