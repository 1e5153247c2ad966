"""Secrets: random, long, kept only as hashes, compared in constant time."""

from __future__ import annotations

import hashlib
import hmac
import secrets

CODE_LENGTH = 6
_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # without the ones that are read as others


def new_secret() -> str:
    """A secret nobody can guess."""
    return secrets.token_urlsafe(24)


def new_table() -> str:
    """The id of a table: the secret link to it, unless it is public."""
    return secrets.token_urlsafe(12)


def new_code() -> str:
    """A short code that can be read out across a room."""
    return "".join(secrets.choice(_LETTERS) for _k in range(CODE_LENGTH))


def digest(secret: str) -> str:
    """What is kept of a secret. It is long and random, so a fast hash is enough."""
    return hashlib.sha256(secret.encode()).hexdigest()


def matches(secret: str, kept: str) -> bool:
    """Whether a secret is the one that was kept, in a time that does not tell."""
    return hmac.compare_digest(digest(secret), kept)


def is_code(name: str) -> bool:
    """Whether a name is a short code, as against the id of a table."""
    return len(name) == CODE_LENGTH and all(letter in _LETTERS for letter in name.upper())


def may_be_table(name: str) -> bool:
    """Whether a name is one that a table can have at all."""
    return len(name) <= 64 and name.isascii() and name.replace("-", "").replace("_", "").isalnum()
