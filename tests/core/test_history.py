"""Histories: whatever happens to forks, each behaves like a separate list."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tribord.core.history import History


@given(
    st.one_of(st.none(), st.integers(1, 4)),
    st.lists(st.tuples(st.sampled_from(["append", "fork"]), st.integers(0, 30)), max_size=60),
)
def test_forks_are_lists_of_their_own(most: int | None, doings: list[tuple[str, int]]) -> None:
    histories, lists = [History("ab", most)], [list("ab")]
    for number, (doing, which) in enumerate(doings):
        which %= len(histories)
        if doing == "fork":
            histories.append(histories[which].fork())
            lists.append(list(lists[which]))
        else:
            histories[which].append(str(number))
            lists[which].append(str(number))
    for history, whole in zip(histories, lists):
        kept = whole[-(most or len(whole)) :]
        assert (history[:], list(history), len(history)) == (kept, kept, len(kept))
        assert [history[i] for i in range(-len(kept), len(kept))] == [kept[i] for i in range(-len(kept), len(kept))]
        assert history[1:] == kept[1:] and history[-2:] == kept[-2:]
        assert history._end <= 2 * (most or len(whole)) + 2
