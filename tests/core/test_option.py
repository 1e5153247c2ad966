"""A sentence refuses games, player counts and options that don't exist."""

import pytest

from tribord import BadOption, UnknownGame, game_ids, load
from tribord.core.option import Choice, Flag, Limit, Order, SeatOrChance, Subset


@pytest.mark.parametrize("name", ["chess", "", None, 7, [], "faut_pas", "../core"])
def test_unknown_games_are_refused_with_the_known_ones(name):
    with pytest.raises(UnknownGame) as refused:
        load(name)
    assert all(game in str(refused.value) for game in game_ids())


@pytest.mark.parametrize("game", game_ids())
@pytest.mark.parametrize("players", [0, -1, 7, 99, "4", 3.0, True, None])
def test_wrong_player_counts_are_refused(game, players):
    with pytest.raises(BadOption) as refused:
        load(game).settings(players)
    assert refused.value.code == "bad-players"
    assert refused.value.say(load(game).words("fr"))


@pytest.mark.parametrize("game", game_ids())
def test_unknown_options_are_refused(game):
    with pytest.raises(BadOption) as refused:
        load(game).match(load(game).players[1], options={"colour": "pink"})
    assert refused.value.code == "unknown-option" and "colour" in str(refused.value)


@pytest.mark.parametrize("game", game_ids())
def test_rubbish_values_are_refused_with_the_rule(game):
    for option in load(game).options:
        for rubbish in (object(), "rubbish", -3, 10**9, [99], {"a": 1}, 2.5, [[]]):
            with pytest.raises(BadOption) as refused:
                load(game).match(load(game).players[0], options={option.name: rubbish})
            assert refused.value.rule == option.rule and option.name in str(refused.value)


@pytest.mark.parametrize("digits", ["9" * 5_000, ["9" * 5_000], "9" * 5_000 + ",0", 10**5_000], ids="abcd")
@pytest.mark.parametrize("game", game_ids())
def test_numbers_of_thousands_of_digits_are_refused_in_a_short_sentence(game, digits):
    for option in load(game).options:
        with pytest.raises(BadOption) as refused:
            load(game).match(load(game).players[0], options={option.name: digits})
        assert refused.value.code == "bad-option" and len(str(refused.value)) < 400


def test_an_order_of_seats_takes_numbers_and_no_text_in_a_list():
    order = Order("age", "X1", "")
    for wrong in (["0", "1"], [0, "1"], [0.0, 1], [False, True], [0, 0], [0, 1, 2], 0, None, {}, "0,0", ","):
        with pytest.raises(BadOption):
            order.encode(wrong, 2)


@pytest.mark.parametrize("game", game_ids())
def test_options_come_back_as_they_were_given(game):
    game = load(game)
    for option in game.options:
        for players in range(game.players[0], game.players[1] + 1):
            number = option.encode(option.default, players)
            assert option.encode(option.decode(number, players), players) == number


def test_each_kind_of_option_reads_text_and_values():
    assert [Flag("a", "X1", "").encode(v, 4) for v in (True, "on", "yes", False, "off")] == [1, 1, 1, 0, 0]
    assert Choice("a", "X1", "", "x", values=("x", "y")).encode("y", 4) == 1
    assert [Limit("a", "X1", "").encode(v, 4) for v in (0, "off", "60", 60)] == [0, 0, 60, 60]
    subset = Subset("a", "X1", "", (), values=("x", "y", "z"))
    assert [subset.encode(v, 4) for v in ("none", "x,z", ["z", "x"], [])] == [0, 5, 5, 0]
    order = Order("a", "X1", "")
    assert order.decode(order.encode("2,0,1", 3), 3) == [2, 0, 1] and order.decode(order.encode([], 3), 3) == [0, 1, 2]
    first = SeatOrChance("a", "X1", "")
    assert [first.decode(first.encode(v, 3), 3) for v in ("random", 2, "1")] == ["random", 2, 1]
