"""The conformance kit finds what it should find."""

from __future__ import annotations

import pytest

from tribord import load
from tribord.core.event import Kinds
from tribord.core.words import Sentence
from tribord.testing.conformance import check_events, check_game

GAME = load("faut-pas-pousser")


def test_a_kind_of_event_without_a_sentence_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(GAME.text.SENTENCES, "falls")
    with pytest.raises(AssertionError, match="falls"):
        check_game(GAME)


def test_a_sentence_that_no_kind_of_event_uses_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAME.text.SENTENCES, "flies", Sentence("A pirate {crew_of} flies."))
    with pytest.raises(AssertionError, match="flies"):
        check_game(GAME)


def test_two_kinds_of_event_with_one_name_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = Kinds()
    for name in ("falls", "falls"):
        kinds.add(name, "crew")
    monkeypatch.setattr(GAME.events, "KINDS", kinds)
    with pytest.raises(AssertionError, match="same name"):
        check_events(GAME)


def test_an_event_has_no_more_fields_than_a_row_has_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = Kinds()
    kinds.add("falls", "a b c d e f g")
    monkeypatch.setattr(GAME.events, "KINDS", kinds)
    monkeypatch.setattr(GAME.text, "SENTENCES", {"falls": Sentence("A pirate falls.")})
    with pytest.raises(AssertionError, match="more than 6 fields"):
        check_events(GAME)
