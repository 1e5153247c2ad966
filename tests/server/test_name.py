"""First names: fitting, distinct, and the same again for the same table."""

from tribord.core.game import game_ids, load
from tribord.core.words import LANGUAGES
from tribord.server.name import FIRST_NAMES, LONGEST, alike, distinct, fresh


def test_no_first_name_is_another_or_a_boat_or_a_pawn():
    assert len({alike(name) for name in FIRST_NAMES}) == len(FIRST_NAMES) >= 60
    words = {
        alike(words.translate(word))
        for game in map(load, game_ids())
        for words in map(game.words, LANGUAGES)
        for known in game.names.values()
        for word in known.values()
    }
    assert "babette" in words and not words & {alike(name) for name in FIRST_NAMES}


def test_a_fresh_name_is_nobodys_and_follows_from_the_table_and_the_seat():
    assert fresh((), "a-table 2") == fresh((), "a-table 2")
    assert len({fresh((), f"{table} 1") for table in range(40)}) > 15
    taken: list[str] = []
    for seat in range(len(FIRST_NAMES) + 3):  # more than there are names
        taken.append(fresh(taken, f"a-table {seat}"))
    assert len({alike(name) for name in taken}) == len(taken)


def test_a_long_name_with_a_number_is_not_longer_than_names_may_be():
    long = "Anne-Sophie de la Marinière"[:LONGEST]
    assert distinct(long, [long]) == f"{long[: LONGEST - 2].rstrip()} 2"
    assert distinct("Anne", ["Mary"]) == "Anne"
