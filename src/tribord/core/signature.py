"""Signatures of match files: a digest of a file's whole content, and the key of the server that signs it.

The commitment to the seed is published before a match and can't cover what happens in it. The digest covers the whole
file, names and times included, so if you've noted it you recognize the file. A signature says which server gave it
out.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

from tribord.core import ed25519

FIELD = "signature"
_EXACT = 2**53  # whole numbers below are the same in every language


class Signer:
    """A server's key. Its public half identifies the server."""

    def __init__(self, secret: bytes):
        self._secret = secret
        self.public = ed25519.public_key(secret).hex()

    def sign(self, content: dict[str, Any]) -> dict[str, Any]:
        """The content of a match file with this server's signature."""
        value = ed25519.sign(self._secret, _message(content)).hex()
        return {**content, FIELD: {"signer": self.public, "value": value}}


def holds(content: dict[str, Any]) -> bool:
    """Whether the signature in a match file was made for this content."""
    signer, value = (bytes.fromhex(content[FIELD][name]) for name in ("signer", "value"))
    return ed25519.holds(signer, _message(content), value)


def well_formed(signature: Any) -> bool:
    """Whether this has the form of a signature."""
    lengths = {"signer": 64, "value": 128}
    if not isinstance(signature, dict) or signature.keys() != lengths.keys():
        return False
    return all(is_hex(signature[name], length) for name, length in lengths.items())


def is_hex(value: Any, length: int) -> bool:
    """Whether this is text of this many hexadecimal digits.

    >>> is_hex("0a", 2), is_hex("0A", 2), is_hex(12, 2)
    (True, False, False)
    """
    return isinstance(value, str) and bool(re.fullmatch(f"[0-9a-f]{{{length}}}", value))


def carried(content: dict[str, Any], again: dict[str, Any]) -> dict[str, Any]:
    """A match file that was written again, with its signature if the content is still the same."""
    plain = {name: value for name, value in again.items() if name != FIELD}
    same = FIELD in content and digest(content) == digest(plain)
    return {**plain, FIELD: content[FIELD]} if same else plain


def digest(content: dict[str, Any]) -> str:
    """SHA-256 of everything a match file says except its signature, however it is laid out.

    >>> digest({"names": ["Anne"], "tribord": 1.0}) == digest({"tribord": 1, "names": ["Anne"], "signature": {}})
    True
    """
    said = json.loads(json.dumps({**content, FIELD: None}), parse_float=_number)
    del said[FIELD]
    text = json.dumps(said, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def fingerprint(public: str) -> str:
    """A short form of a public key, for people to compare.

    >>> fingerprint("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
    '21fe 31df a154 a261 626b'
    """
    short = hashlib.sha256(bytes.fromhex(public)).hexdigest()[:20]
    return " ".join(short[start : start + 4] for start in range(0, 20, 4))


def _message(content: dict[str, Any]) -> bytes:
    return f"tribord:match:{digest(content)}".encode()


def _number(text: str) -> int | float:
    """A whole number as such: a browser that saves a file writes 3 for 3.0."""
    value = float(text)
    return int(value) if value.is_integer() and abs(value) < _EXACT else value
