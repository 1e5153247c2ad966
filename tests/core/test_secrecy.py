"""Secrecy through the public interface: worlds that differ only in a seat's sealed choice look the same to the rest."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tribord import PUBLIC, IllegalAction, Match, game_ids, load
from tribord.core.words import LANGUAGES

WITH_SEALED_CHOICES = [g for g in game_ids() if "sealed" in {f.name for f in load(g).fields}]


def twin(match: Match) -> Match:
    """Another match with the same past."""
    other = match.game.match(match.players, match.dice.seed, match.options)
    other.replay(match.journal)
    return other


def told(match: Match, seat: int, since: int) -> list[str]:
    """Everything that reaches a seat: view, tensor, choices, events, sentences, boards, refusals."""
    game = match.game
    said = [json.dumps(match.view(seat)), match.view_state(seat).tobytes().hex(), str(match.to_act)]
    said.append(game.observe(match.view_state(seat), seat).tobytes().hex())
    happened = [event for step in match.steps[since:] for event in step.events]
    for language in LANGUAGES:
        words = game.words(language)
        said += [f"{event.rule} {game.say_event(event, words)}" for event in happened]
        said += [game.text.board(match.view(seat), words, plain) for plain in (False, True)]
    if seat != PUBLIC:
        said.append(str(match.legal(seat)))
        for action in range(0, game.actions, max(1, game.actions // 25)):
            try:
                match.check(seat, action)
            except IllegalAction as refused:
                said += [refused.code, refused.say(game.words("fr")), refused.say(game.words("en"))]
    return said


@pytest.mark.parametrize("game", WITH_SEALED_CHOICES)
@given(data=st.data())
@settings(max_examples=25)
def test_nobody_learns_what_a_seat_has_sealed_before_the_reveal(game, data, at_random):
    game = load(game)
    players = data.draw(st.integers(*game.players))
    match = game.match(players, seed=data.draw(st.integers(0, 99)))
    at_random(match, data.draw(st.integers(0, 99)), data.draw(st.integers(0, 40)))
    for _step in range(200):  # on to the next sealed choice of at least two
        if match.over or len(match.to_act) > 1:
            break
        at_random(match, match.version, 1)
    if match.over:
        return
    secretive = data.draw(st.sampled_from(match.to_act))
    choices = match.legal(secretive)
    worlds = [match, twin(match)]
    since = match.version
    for world, action in zip(worlds, (choices[0], data.draw(st.sampled_from(choices)))):
        world.play(secretive, action)
    while True:
        for seat in (PUBLIC, *range(players)):
            if seat != secretive:
                assert told(worlds[0], seat, since) == told(worlds[1], seat, since)
        if len(match.to_act) < 2:
            break
        seat = match.to_act[-1]
        action = data.draw(st.sampled_from(match.legal(seat)))
        for world in worlds:
            world.play(seat, action)
