"""Responses: JSON, the headers that all of them have, and what refusals and errors become."""

from __future__ import annotations

import math
from typing import Any

from msgspec import Raw
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from tribord.core.archive import OtherRules
from tribord.core.refusal import IllegalAction, Refusal, UnknownGame
from tribord.core.words import _
from tribord.server import log, metrics
from tribord.server.ban import Banned
from tribord.server.connection import STORE_GONE
from tribord.server.hub import Restarting
from tribord.server.limit import TooOften
from tribord.server.messages import encode
from tribord.server.outgoing import refused
from tribord.server.quota import Full
from tribord.server.store import Damaged

GONE = 499  # a status that no one gets to see

NO_PAGE = _("There’s nothing at this address.")
NO_METHOD = _("You can’t do that at this address.")
BAD_REQUEST = _("The server didn’t understand this request.")
BROKEN = _("Something went wrong on the server, and it’s been logged. Try again.")

POLICY = "content-security-policy"
HEADERS = {
    POLICY: "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; media-src 'self'; manifest-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cache-control": "no-store",
}


# Only documents obey these. Scripts, styles and fonts come by the dozen and go without.
FOR_DOCUMENTS = {
    POLICY, "x-frame-options", "cross-origin-opener-policy", "permissions-policy", "referrer-policy",
}  # fmt: skip


class TooLarge(Refusal):
    """The request body is too large."""


class Foreign(Refusal):
    """The request comes from a foreign page, or from a machine that may not ask this."""


def answer(content: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A JSON response."""
    return Response(encode(content), status, headers, "application/json")


async def on_refusal(request: Request, refusal: Exception) -> Response:
    """Answer a refusal with its status and its sentence in both languages."""
    assert isinstance(refusal, Refusal)
    metrics.count("limited" if isinstance(refusal, TooOften) else "refused")
    status, headers = 422, {}
    if isinstance(refusal, TooOften):
        status, headers = 429, {"retry-after": str(math.ceil(refusal.seconds))}
    elif isinstance(refusal, Restarting):
        # On a new connection another worker may answer.
        status, headers = 503, {"retry-after": "1", "connection": "close"}
    elif isinstance(refusal, TooLarge):
        status = 413
    elif refusal.code in ("no-such-table", "no-such-puzzle") or (
        isinstance(refusal, UnknownGame) and request.method != "POST"
    ):
        status = 404
    elif isinstance(refusal, Foreign | Banned) or refusal.code in ("wrong-secret", "wrong-transfer"):
        status = 403
    elif isinstance(refusal, IllegalAction | OtherRules | Damaged | Full):
        status = 409
    return answer(Raw(refused(refusal)), status, headers)


async def on_store(request: Request, error: Exception) -> Response:
    """The store can't be reached."""
    log.failure("store unavailable", error)
    return answer(Raw(refused(Refusal("store-gone", STORE_GONE))), 503, {"retry-after": "2"})


async def on_http(request: Request, error: Exception) -> Response:
    """Answer an unknown page, an unknown method or a malformed request."""
    assert isinstance(error, HTTPException)
    code, sentence = {404: ("no-such-page", NO_PAGE), 405: ("no-such-method", NO_METHOD)}.get(
        error.status_code, ("bad-request", BAD_REQUEST)
    )
    return answer(Raw(refused(Refusal(code, sentence))), error.status_code, dict(error.headers or {}))


async def on_gone(request: Request, error: Exception) -> Response:
    """The client left in the middle of its request body: no one is there to answer, and nothing is broken."""
    return Response(status_code=GONE)


async def on_failure(request: Request, error: Exception) -> Response:
    """Answer an unexpected error; uvicorn logs it."""
    return answer(Raw(refused(Refusal("broken", BROKEN))), 500, HEADERS)
