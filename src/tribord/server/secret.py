"""Secrets: random, long, kept only as hashes, compared in constant time."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets

CODE_LENGTH = 6
_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # without lookalikes


def new_secret() -> str:
    """Return a new random secret."""
    return secrets.token_urlsafe(24)


def new_table() -> str:
    """Return a new table id; unless the table is public, it's the secret link."""
    return _no_option(secrets.token_urlsafe(12))


def repeated_secret(key: bytes, table: str, id: str) -> str:
    """The secret of a guest who joins with an id of their own: the same whenever they ask.

    It's as random as the id, which the server doesn't keep, and nobody can compute it without the server's key.
    """
    return _derived(key, "secret", table, id)


def repeated_table(key: bytes, id: str) -> str:
    """The id of the table that someone creates under an id of their own."""
    return _no_option(_derived(key, "table", id)[:16])


def _no_option(id: str) -> str:
    """Make sure that an id doesn't begin with a hyphen: a command would take it for an option."""
    return "_" + id[1:] if id.startswith("-") else id


def _derived(key: bytes, *of: str) -> str:
    return base64.urlsafe_b64encode(hmac.digest(key, "\n".join(of).encode(), "sha256")[:24]).decode()


def new_code() -> str:
    """Return a new short code that can be read out across a room."""
    return "".join(secrets.choice(_LETTERS) for _k in range(CODE_LENGTH))


def digest(secret: str) -> str:
    """Return the hash that is stored of a secret. Secrets are long and random, so a fast hash is enough."""
    return hashlib.sha256(secret.encode()).hexdigest()


def matches(secret: str, kept: str) -> bool:
    """Whether a secret has this digest, compared in constant time."""
    return hmac.compare_digest(digest(secret), kept)


def is_code(name: str) -> bool:
    """Whether a name is a short code rather than a table id."""
    return len(name) == CODE_LENGTH and all(letter in _LETTERS for letter in name.upper())


def may_be_table(name: str) -> bool:
    """Whether a name has the form of a table id or code."""
    return len(name) <= 64 and name.isascii() and name.replace("-", "").replace("_", "").isalnum()
