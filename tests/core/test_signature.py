"""Signed match files: change anything in a file, and it doesn't verify any more."""

from __future__ import annotations

import json

import pytest

from tribord import Match, load
from tribord.core.archive import OtherRules
from tribord.core.journal import to_dict, verify
from tribord.core.signature import Signer, carried, digest
from tribord.core.words import Words

SIGNER = Signer(bytes(range(32)))


@pytest.fixture
def content(at_random):
    match = at_random(load("faut-pas-pousser").match(players=2, seed=11, names=["Anne", "Zoé"]), 2)
    file = to_dict(match)
    for number, line in enumerate(file["journal"]):
        line["at"] = 1763193600.0 + number / 2
    return SIGNER.sign(file)


@pytest.fixture
def codes(tmp_path):
    def codes(content, *known):
        path = tmp_path / "match.json"
        path.write_text(json.dumps(content), encoding="utf-8")
        return [problem.code for problem in verify(path, *known)]

    return codes


def test_a_signed_file_verifies_and_so_does_the_same_without_signature(content, codes):
    assert codes(content) == []
    assert codes({name: value for name, value in content.items() if name != "signature"}) == []


def test_a_file_that_a_browser_wrote_again_says_the_same(content, codes):
    """JSON.stringify writes 1763193600 for 1763193600.0, and may order fields otherwise."""
    for line in content["journal"]:
        line["at"] = int(line["at"]) if line["at"].is_integer() else line["at"]
    assert codes(dict(reversed(content.items()))) == []


@pytest.mark.parametrize(
    "change",
    [
        lambda file: file["names"].__setitem__(0, "Mary"),
        lambda file: file["names"].reverse(),
        lambda file: file["journal"][0].__setitem__("at", 1.5),
        lambda file: file["journal"][0].pop("at"),
        lambda file: file.__setitem__("note", "Anne cheated"),
        lambda file: file["signature"].__setitem__("signer", Signer(bytes(32)).public),
        lambda file: file["signature"].__setitem__("value", "0" * 128),
    ],
)
def test_what_no_rule_checks_cannot_be_changed_in_a_signed_file(content, codes, change):
    change(content)
    assert codes(content) == ["bad-signature"]


def test_a_changed_archive_of_other_rules_is_not_read(content, codes, tmp_path):
    signed = SIGNER.sign(content | {"game_version": 0})
    assert codes(signed) == ["older-rules"]
    with pytest.raises(OtherRules) as refused:
        Match.load(tmp_path / "match.json")
    assert refused.value.archive.content == signed
    assert codes(signed | {"names": ["Mary", "Zoé"]}) == ["bad-signature"]


def test_a_server_can_be_pinned(content, codes):
    assert codes(content, None, SIGNER.public) == []
    assert codes(Signer(bytes(32)).sign(content), None, SIGNER.public) == ["other-signer"]
    unsigned = {name: value for name, value in content.items() if name != "signature"}
    assert codes(unsigned, None, SIGNER.public) == ["not-signed"]


def test_what_was_noted_before_or_after_the_match_is_found_again(content, codes):
    unsigned = {name: value for name, value in content.items() if name != "signature"}
    noted = digest(content)
    assert codes(unsigned, noted) == codes(content, noted) == codes(unsigned, content["commitment"]) == []
    assert codes(unsigned | {"names": ["Mary", "Zoé"]}, noted) == ["not-noted"]
    assert codes(unsigned, "0" * 64) == ["not-noted"]


@pytest.mark.parametrize(
    "signature",
    [
        None,
        3,
        [],
        {},
        "x",
        {"signer": 1, "value": 2},
        {"signer": "0" * 64, "value": "é" * 128},
        {"signer": int("1" * 64), "value": int("1" * 128)},
    ],
)
def test_a_signature_of_the_wrong_kind_is_never_a_traceback(content, codes, signature):
    assert codes(content | {"signature": signature}) == ["bad-field"]


def test_a_file_nested_without_end_or_with_endless_numbers_is_never_a_traceback(content, tmp_path):
    path = tmp_path / "match.json"
    for depth in (100, 300, 450, 900, 5_000, 100_000):
        for name in ("note", "options"):
            deep = json.dumps(content | {name: "deep"}).replace('"deep"', "[" * depth + "]" * depth)
            path.write_text(deep, encoding="utf-8")
            assert all(problem.say(Words("fr")) for problem in verify(path))
    path.write_text(json.dumps(content | {"note": "long"}).replace('"long"', "9" * 5_000), encoding="utf-8")
    assert [problem.code for problem in verify(path)] == ["damaged"]


def test_a_signature_goes_with_the_same_content_alone(content):
    unsigned = {name: value for name, value in content.items() if name != "signature"}
    assert carried(content, unsigned) == content
    assert carried(content, unsigned | {"names": ["Mary", "Zoé"]}) == unsigned | {"names": ["Mary", "Zoé"]}
    assert carried(unsigned, unsigned) == unsigned
