"""Replays: positions as they were seen, and the whole truth at the end."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tribord import game_ids, load
from tribord.core.match import Match
from tribord.core.secrecy import sealing
from tribord.server import replay


def played(game_id: str, seed: int = 5, players: int = 4) -> Match:
    """A whole match at random."""
    game = load(game_id)
    options = {"rounds": 6} if game_id == "walk-the-plank" else {"turns": 8} if game_id == "ile-aux-pirates" else {}
    match, chance = game.match(players, seed, options), random.Random(seed)
    while not match.over:
        seat = chance.choice(match.to_act)
        match.play(seat, chance.choice(match.legal(seat)))
    return match


def all_positions(match: Match, eyes: int | None) -> list[dict[str, Any]]:
    """Page after page."""
    found: list[dict[str, Any]] = []
    while True:
        page = replay.positions(match, eyes, len(found))
        assert 0 < len(page["positions"]) <= replay.MOST
        found += page["positions"]
        if len(found) == page["total"]:
            return found


@pytest.mark.parametrize("game_id", game_ids())
def test_every_position_is_what_the_seat_saw_then_and_the_last_is_the_truth(game_id: str) -> None:
    match = played(game_id)
    for eyes in (-1, 0, 2):
        past = Match(match.game, match.players, match.dice.seed, match.options)
        past.restart()
        positions = all_positions(match, eyes)
        assert len(positions) == len(match.journal) + 1
        for place, position in enumerate(positions):
            if place:
                entry = match.journal[place - 1]
                if "action" in position:
                    assert position["action"] == entry.action and position["seat"] == entry.seat >= 0
                else:  # the dice, or someone else's sealed choice
                    assert entry.seat < 0 or (entry.seat != eyes and sealing(past))
                past.follow(entry)
            if place < len(match.journal):
                assert position["view"] == past.view(eyes)
        assert positions[-1]["view"] == match.truth()


def test_the_truth_shows_what_was_sealed_and_what_the_dice_gave() -> None:
    match = played("faut-pas-pousser", players=2)
    public, truth = all_positions(match, -1), all_positions(match, None)
    assert "action" not in public[1] and truth[1]["action"] == match.journal[0].action
    thrown = [position for position in truth if position["seat"] == -2]
    assert thrown and all(position["chance"] for position in thrown)
    assert not any("chance" in position for position in public)


def test_each_board_comes_in_words_on_request() -> None:
    match = played("walk-the-plank", players=3)
    french = replay.positions(match, 0, 0, "fr")["positions"]
    text, words = match.game.text, match.game.words("fr")
    assert [p["words"] for p in french] == [text.board(p["view"], words, plain=True) for p in french]
    assert "words" not in replay.positions(match, 0, 0)["positions"][0]
