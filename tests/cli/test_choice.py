"""Choices narrowed by their parts, and what counts as a secret around one keyboard, for every game found."""

import pytest

import tribord
from tribord.cli.choice import StepwiseChoice
from tribord.core import secrecy
from tribord.core.chance import below, stream

LINES = 20  # a question never takes more


def decisions(name, players, seed, steps=80):
    """The decisions of a random match: (match, seat, legal actions), then one is played."""
    game, rng = tribord.load(name), stream(seed)
    match = game.match(players=players, seed=seed)
    for _step in range(steps):
        if match.over:
            return
        seat = match.to_act[below(rng, len(match.to_act))]
        legal = match.legal(seat)
        yield match, seat, legal
        match.play(seat, legal[below(rng, len(legal))])


def tables():
    """Every game at its fewest and its most players."""
    return [(name, players) for name in tribord.game_ids() for players in tribord.load(name).players]


@pytest.mark.parametrize(("name", "players"), tables())
def test_every_legal_action_can_be_chosen_part_by_part(name, players):
    game, rng = tribord.load(name), stream(4)
    words = game.words("fr")
    for _match, _seat, legal in decisions(name, players, seed=players):
        for action in {legal[0], legal[-1], legal[below(rng, len(legal))]}:
            choice, path = StepwiseChoice(game, legal), dict(game.steps(action))
            while choice.action is None:
                offers = choice.offers(words)
                assert 1 < len(offers) <= LINES
                assert len({token for token, _label in offers}) == len(offers)
                assert len({label or token for token, label in offers}) == len(offers)
                assert choice.question(words)
                fitting = [token for token, _label in offers if fits(choice, token, action)]
                assert len(fitting) == 1
                assert choice.take(fitting[0])
            assert choice.action == action
            assert path == dict(game.steps(choice.action))


def fits(choice, token, action):
    """Whether the action is still possible after this answer."""
    assert choice.take(token)
    left = action in choice._left()
    assert choice.back()
    return left


@pytest.mark.parametrize("name", tribord.game_ids())
def test_stepping_back_forgets_the_answer(name):
    game = tribord.load(name)
    words = game.words("en")
    asked = 0
    for _match, _seat, legal in decisions(name, game.players[0], seed=2):
        choice = StepwiseChoice(game, legal)
        assert not choice.back()
        if choice.action is None:
            first = choice.offers(words)
            choice.take(first[0][0])
            assert choice.back()
            assert choice.offers(words) == first
            asked += 1
    assert asked > 3


def test_what_is_not_offered_is_not_taken():
    game = tribord.load("faut-pas-pousser")
    choice = StepwiseChoice(game, list(range(6)))
    assert not any(choice.take(token) for token in ("0", "7", "", "x", "1 "))
    assert choice.action is None


def test_numbers_are_typed_as_they_are():
    game = tribord.load("faut-pas-pousser")
    choice = StepwiseChoice(game, [game.action("4 -2@2"), game.action("4 -2@4")])
    assert choice.offers(game.words("en")) == [("2", ""), ("4", "")]
    assert choice.take("4")
    assert choice.action == game.action("4 -2@4")


def test_one_action_may_be_the_beginning_of_another():
    game = tribord.load("faut-pas-pousser")
    choice = StepwiseChoice(game, [game.action("pick 1"), game.action("pick 2")])
    del choice._paths[0][1]  # only “pick”
    assert len(choice.offers(game.words("en"))) == 2
    assert choice.take("1")
    assert choice.action == 0


@pytest.mark.parametrize(("name", "players"), tables())
def test_where_nothing_is_hidden_no_decision_is_private(name, players):
    for match, seat, _legal in decisions(name, players, seed=7):
        sealed = secrecy.sealing(match)
        assert secrecy.private(match, seat) or not sealed
        if not secrecy.hiding(match) and not sealed:
            assert not secrecy.private(match, seat)


@pytest.mark.parametrize(("name", "players"), tables())
def test_only_what_hid_nothing_is_taken_back(name, players):
    """An undo is allowed exactly if nobody could have learned a secret since that decision."""
    everyone = range(players)
    open_so_far = None  # whether the last decision, and everything since, was in the open
    for match, _seat, _legal in decisions(name, players, seed=5):
        if open_so_far is None:
            with pytest.raises(tribord.IllegalAction) as refused:
                secrecy.last_decision(match, everyone)
            assert refused.value.code == "nothing-to-undo"
        elif open_so_far:
            place = secrecy.last_decision(match, everyone)
            assert match.journal[place].seat != tribord.CHANCE
            assert all(entry.seat == tribord.CHANCE for entry in match.journal[place + 1 :])
        else:
            with pytest.raises(tribord.IllegalAction) as refused:
                secrecy.last_decision(match, everyone)
            assert refused.value.code == "secret-since"
        open_so_far = not secrecy.sealing(match) and not secrecy.hiding(match)
