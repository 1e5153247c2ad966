"""Trails: whatever is done to forks, each is as a list of its own would be."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tribord.core.trail import Trail


@given(
    st.one_of(st.none(), st.integers(1, 4)),
    st.lists(st.tuples(st.sampled_from(["append", "fork"]), st.integers(0, 30)), max_size=60),
)
def test_forks_are_lists_of_their_own(most: int | None, doings: list[tuple[str, int]]) -> None:
    trails, lists = [Trail("ab", most)], [list("ab")]
    for number, (doing, which) in enumerate(doings):
        which %= len(trails)
        if doing == "fork":
            trails.append(trails[which].fork())
            lists.append(list(lists[which]))
        else:
            trails[which].append(str(number))
            lists[which].append(str(number))
    for trail, whole in zip(trails, lists):
        kept = whole[-(most or len(whole)) :]
        assert (trail[:], list(trail), len(trail)) == (kept, kept, len(kept))
        assert [trail[i] for i in range(-len(kept), len(kept))] == [kept[i] for i in range(-len(kept), len(kept))]
        assert trail[1:] == kept[1:] and trail[-2:] == kept[-2:]
        assert trail._end <= 2 * (most or len(whole)) + 2
