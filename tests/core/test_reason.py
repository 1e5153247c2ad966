"""Every event of our games has a reason, in words a child can read while the game goes on."""

import pytest

from tribord import game_ids, load
from tribord.core.event import Event
from tribord.core.reason import reason, reasons
from tribord.testing import reason as checked
from tribord.testing.reason import check_reasons

GAMES = [load(game) for game in game_ids()]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_every_kind_of_event_has_a_short_reason_in_both_languages(game):
    check_reasons(game)
    assert reasons(game)
    for said in reasons(game).values():
        assert said["fr"] != said["en"]
        assert all(len(text.split()) <= 26 for text in said.values()), said


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_kind_that_follows_from_several_rules_has_a_reason_for_each(game):
    for match in (game.match(players, f"{seed:08}") for players in range(*game.players) for seed in range(3)):
        while not match.over:
            seat = match.to_act[0]
            legal = match.legal(seat)
            match.play(seat, legal[match.version * 7 % len(legal)])
        for event in match.events:
            assert reason(game, event, "fr") and reason(game, event, "en"), event


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        ({"no-such-kind": {"fr": "…", "en": "…"}}, "isn’t a kind of event"),
        ({"drowns W99": {"fr": "…", "en": "…"}}, "no such rule"),
        ({"drowns": {"en": "…"}}, "missing in “fr”"),
        ({"drowns": {"fr": "…", "en": "…"}}, "no reason for"),
    ],
)
def test_reasons_that_do_not_fit_the_rules_are_found(said, wrong, monkeypatch):
    monkeypatch.setattr(checked, "reasons", lambda _game: said)
    with pytest.raises(AssertionError, match=wrong):
        check_reasons(load("walk-the-plank"))


def test_where_there_is_no_reason_nothing_is_said():
    assert reason(load("walk-the-plank"), Event("no-such-kind", "W1", {}), "en") == ""
