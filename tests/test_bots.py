"""Bots decide from their view alone, legally, and the same way twice."""

import pytest

from tribord import BadOption, game_ids, load
from tribord.bots import ranks, seat_bot


def play(game, players, seed, crew):
    options = {o.name: o.research for o in game.options if o.research is not None}
    match = game.match(players, seed=seed, options=options)
    bots = [seat_bot(rank, game, seed * 100 + seat) for seat, rank in enumerate(crew)]
    while not match.over:
        for seat in match.to_act:
            match.play(seat, bots[seat].decide(match.view_state(seat), seat))
    return match


@pytest.mark.parametrize("game", game_ids())
def test_every_rank_plays_whole_matches_at_every_player_count(game):
    game = load(game)
    for players in range(game.players[0], game.players[1] + 1):
        crew = [ranks()[seat % 2] for seat in range(players)]
        assert play(game, players, 1, crew).state.tobytes() == play(game, players, 1, crew).state.tobytes()


@pytest.mark.parametrize("game", [g for g in game_ids() if not load(g).cooperative])
def test_a_matelot_beats_mousses(game):
    """40 matches, seats rotated: the matelot wins more than its fair share by a margin luck would need a year for."""
    game = load(game)
    players = game.players[0]
    won = 0.0
    for seed in range(40):
        seat = seed % players
        ended = play(game, players, seed, ["matelot" if s == seat else "mousse" for s in range(players)]).outcome
        won += (seat in ended.winners) / max(1, len(ended.winners))
    assert won / 40 > 1 / players + 0.15


def test_matelots_win_the_cooperative_game_more_often_than_mousses():
    game = load("ile-aux-pirates")
    won = {
        rank: sum(bool(play(game, 2, seed, [rank] * 2).outcome.winners) for seed in range(40)) for rank in ranks()[:2]
    }
    assert won["matelot"] > won["mousse"] + 5


def test_unknown_ranks_are_refused():
    with pytest.raises(BadOption):
        seat_bot("amiral", load("faut-pas-pousser"), 1)
