"""Plain records: the bytes of NumPy's, read and written as Python's integers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tribord import game_ids, load
from tribord.core.record import Field, PlainStates, record, revive

WIDE = record(
    [
        Field("turn", "a byte", 0, 3),
        Field("age", "two bytes, at an odd place", -300, 300),
        Field("hand", "a list", 0, 63, shape=3),
        Field("codes", "a list of two bytes each", -2, 900, shape=2),
        Field("people", "a grid", 0, 9, shape=(2, 3)),
        Field("far", "eight bytes", 0, 2**40),
    ]
)


@pytest.mark.parametrize("dtype", [WIDE, *(load(game).dtype for game in game_ids())], ids=["wide", *game_ids()])
@given(data=st.data())
def test_every_field_is_read_as_numpy_reads_it(dtype, data):
    content = data.draw(st.binary(min_size=2 * dtype.itemsize, max_size=2 * dtype.itemsize))
    states = revive(content, dtype)
    for place in (0, 1, -1):
        plain = PlainStates(states)[place]
        assert plain.tobytes() == states[place].tobytes()
        for name in dtype.names:
            assert np.array_equal(getattr(plain, name), getattr(states[place], name))


def test_what_is_written_is_in_the_array_and_a_copy_is_apart():
    states = revive(bytes(3 * WIDE.itemsize), WIDE)
    plain = PlainStates(states)
    first = plain[0]
    first.turn, first.age, first.far = 3, -300, 2**40
    first.hand[1], first.codes[0], first.people[1, 2] = 63, 900, 9
    assert states[0].tolist()[:2] == (3, -300) and int(states[0].far) == 2**40
    assert (int(states[0].hand[1]), int(states[0].codes[0]), int(states[0].people[1, 2])) == (63, 900, 9)
    plain[2] = first
    assert states[2].tobytes() == states[0].tobytes() and not any(states[1].tobytes())
    first.turn = 1
    assert int(states[2].turn) == 3
    assert [len(plain), len(plain[1:]), plain[1:][1].turn] == [3, 2, 3]
    with pytest.raises(IndexError):
        plain[3]


def test_what_does_not_fit_is_refused_and_changes_nothing():
    states = revive(bytes(WIDE.itemsize), WIDE)
    plain = PlainStates(states)[0]
    for write in (
        lambda: setattr(plain, "turn", 128),
        lambda: setattr(plain, "age", 1 << 15),
        lambda: plain.hand.__setitem__(0, -129),
    ):
        with pytest.raises(ValueError):
            write()
    assert not any(states.tobytes())
