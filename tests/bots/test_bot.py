"""Bots decide from their view alone, legally, and the same way twice."""

import pytest

from tribord import BadOption, game_ids, load
from tribord.bots import Mixture, ranks, seat_bot
from tribord.bots.bot import share_below


def play(game, players, seed, crew):
    options = {o.name: o.research for o in game.options if o.research is not None}
    match = game.match(players, seed=seed, options=options)
    bots = [seat_bot(rank, game, seed * 100 + seat) for seat, rank in enumerate(crew)]
    while not match.over:
        for seat in match.to_act:
            match.play(seat, bots[seat].decide(match.view_state(seat), match.legal(seat)))
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


class Always:
    """Decides the same every time."""

    light = False

    def __init__(self, action):
        self.action = action

    def decide(self, view, legal, clock=None):
        return self.action


def test_a_mixture_decides_as_the_rank_below_about_as_often_as_it_should():
    made = [Mixture(Always(1), Always(0), 0.3, seed).decide(None, []) for seed in range(1000)]
    assert 240 <= made.count(0) <= 360  # more than four standard deviations either way
    bot = Mixture(Always(1), Always(0), 0.3, 7)
    kept = [bot.decide(None, []) for _k in range(1000)]  # in one match as well, and another time
    assert 240 <= kept.count(0) <= 360 and kept != made
    assert {Mixture(Always(1), Always(0), 0.0, seed).decide(None, []) for seed in range(50)} == {1}
    assert {Mixture(Always(1), Always(0), 1.0, seed).decide(None, []) for seed in range(50)} == {0}


def test_only_a_bosco_of_faut_pas_pousser_is_a_mixture_with_the_rank_below():
    game = load("faut-pas-pousser")
    assert {(name, rank) for name in game_ids() for rank in ranks() if share_below(load(name), rank)} == {
        ("faut-pas-pousser", "bosco")
    }
    match = game.match(4, seed=3)
    for seat in range(4):
        match.play(seat, seat)
    for _turn in range(4):  # Non merci !, all round: both would begin with it
        match.play(match.to_act[0], 6)
    known, legal = match.view_state(3), match.legal(match.to_act[0])  # no secrets are left
    as_matelot = [seat_bot("matelot", game, seed).decide(known, legal) for seed in range(12)]
    as_thinker = [seat_bot("bosco", game, seed).bot.decide(known, legal) for seed in range(12)]
    decided = [seat_bot("bosco", game, seed).decide(known, legal) for seed in range(12)]
    assert all(now in pair for now, *pair in zip(decided, as_matelot, as_thinker, strict=True))
    assert decided != as_matelot and decided != as_thinker
