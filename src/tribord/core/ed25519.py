"""Ed25519 signatures as in RFC 8032 (section 5.1), with only the standard library.

A match is signed once, when someone first asks for its file, so milliseconds don't matter. Scalar multiplication takes
the same steps whatever the secret is.
"""

from __future__ import annotations

import hashlib

CurvePoint = tuple[int, int, int, int]  # extended coordinates: x = X/Z, y = Y/Z, x·y = T/Z

_P = 2**255 - 19
_ORDER = 2**252 + 27742317777372353535851937790883648493  # of the base point
_D = -121665 * pow(121666, -1, _P) % _P
_ROOT = pow(2, (_P - 1) // 4, _P)  # of -1
_NEUTRAL: CurvePoint = (0, 1, 1, 0)


def public_key(secret: bytes) -> bytes:
    """The public key (32 bytes) of a secret of 32 random bytes."""
    return _compress(_multiply(_scalar(secret), _BASE))


def sign(secret: bytes, message: bytes) -> bytes:
    """The signature (64 bytes) of a message."""
    scalar, public = _scalar(secret), public_key(secret)
    nonce = _hash(hashlib.sha512(secret).digest()[32:], message)
    commitment = _compress(_multiply(nonce, _BASE))
    answer = (nonce + _hash(commitment, public, message) * scalar) % _ORDER
    return commitment + answer.to_bytes(32, "little")


def holds(public: bytes, message: bytes, signature: bytes) -> bool:
    """Whether a signature of a message was made with the secret of this public key."""
    if len(public) != 32 or len(signature) != 64:
        return False
    signer, commitment = _decompress(public), _decompress(signature[:32])
    answer = int.from_bytes(signature[32:], "little")
    if signer is None or commitment is None or answer >= _ORDER:
        return False
    challenge = _hash(signature[:32], public, message)
    return _same(_multiply(answer, _BASE), _add(commitment, _multiply(challenge, signer)))


def _scalar(secret: bytes) -> int:
    bits = int.from_bytes(hashlib.sha512(secret).digest()[:32], "little")
    return bits & (2**254 - 8) | 2**254


def _hash(*parts: bytes) -> int:
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little") % _ORDER


def _add(one: CurvePoint, other: CurvePoint) -> CurvePoint:
    a = (one[1] - one[0]) * (other[1] - other[0]) % _P
    b = (one[1] + one[0]) * (other[1] + other[0]) % _P
    c = 2 * one[3] * other[3] * _D % _P
    d = 2 * one[2] * other[2] % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P


def _multiply(scalar: int, point: CurvePoint) -> CurvePoint:
    product = _NEUTRAL
    for bit in range(255, -1, -1):
        product = _add(product, product)
        product = (product, _add(product, point))[scalar >> bit & 1]
    return product


def _same(one: CurvePoint, other: CurvePoint) -> bool:
    return (one[0] * other[2] - other[0] * one[2]) % _P == 0 and (one[1] * other[2] - other[1] * one[2]) % _P == 0


def _compress(point: CurvePoint) -> bytes:
    inverse = pow(point[2], -1, _P)
    x, y = point[0] * inverse % _P, point[1] * inverse % _P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def _decompress(content: bytes) -> CurvePoint | None:
    packed = int.from_bytes(content, "little")
    sign, y = packed >> 255, packed & (2**255 - 1)
    if y >= _P:
        return None
    square = (y * y - 1) * pow(_D * y * y + 1, -1, _P) % _P
    x = pow(square, (_P + 3) // 8, _P)
    if x * x % _P != square:
        x = x * _ROOT % _P
    if x * x % _P != square or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = _P - x
    return x, y, 1, x * y % _P


def _base() -> CurvePoint:
    point = _decompress((4 * pow(5, -1, _P) % _P).to_bytes(32, "little"))
    assert point is not None
    return point


_BASE = _base()
