"""The conformance kit finds what it should find."""

from __future__ import annotations

from typing import Any

import pytest

from tribord import load
from tribord.core.chance import below
from tribord.core.event import Kinds
from tribord.core.record import Ints
from tribord.core.words import Sentence
from tribord.testing.conformance import Setup, check_events, check_game, check_sampling

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


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [("skewed", "isn't uniform"), ("forgetful", "never gives"), ("reckless", "an illegal action")],
)
def test_a_sample_that_is_wrong_where_there_are_many_choices_is_found(
    wrong: str, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def sample(state: Any, seat: int, rng: Ints, out: Ints) -> int:
        n = int(GAME.rules.legal(state, seat, out))
        if n < 9:
            return int(out[below(rng, n)])
        if wrong == "skewed":  # the first half twice as often as the others
            return int(out[below(rng, n) if below(rng, 3) else below(rng, n // 2)])
        if wrong == "forgetful":
            return int(out[below(rng, n - 1)])
        return int(out[below(rng, n)]) if below(rng, 2000) else GAME.actions - 1 - int(out[0])

    check_sampling(Setup(GAME, 4, {}))
    monkeypatch.setattr(GAME.rules, "sample", sample)
    with pytest.raises(AssertionError, match=sentence):
        check_sampling(Setup(GAME, 4, {}))
