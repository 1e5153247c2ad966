"""More matches than the memory holds are refused in words."""

import pytest

from tribord import BadOption, load
from tribord.core import memory


def test_more_matches_than_the_memory_holds_are_refused_with_figures(tmp_path, monkeypatch):
    told = tmp_path / "meminfo"
    told.write_text("MemTotal: 2097152 kB\nMemAvailable: 204800 kB\n")
    monkeypatch.setattr(memory, "MEMORY", told)
    sentence = r"^1000000 matches take about \d{3,4} MB of memory, and 200 MB are free\. Ask for fewer\.$"
    with pytest.raises(BadOption, match=sentence):
        load("walk-the-plank").batch(1_000_000, 4)
    assert len(load("walk-the-plank").batch(1000, 4).seats) == 1000


def test_this_machine_has_no_room_for_ten_thousand_million_matches():
    if memory.free_memory() is None:
        pytest.skip("this system doesn't tell what is free")
    with pytest.raises(BadOption, match="10000000000 matches take about"):
        load("faut-pas-pousser").batch(10**10, 4)


@pytest.mark.parametrize("told", [None, "", "MemAvailable: much\n"])
def test_a_system_that_does_not_tell_its_memory_is_trusted(told, tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "MEMORY", tmp_path / "meminfo")
    if told is not None:
        (tmp_path / "meminfo").write_text(told)
    assert memory.free_memory() is None
    assert len(load("faut-pas-pousser").batch(10, 4).seats) == 10
