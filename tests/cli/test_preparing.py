"""Bots at the terminal: they don't wait for the compiler, unless a seed is given."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tribord import load
from tribord.cli import seating
from tribord.cli.seating import Seating, seat_people
from tribord.cli.terminal import BOTS_PREPARING, TerminalTable


class Prepared:
    """Stands in for the preparation."""

    def __init__(self, everything: bool):
        assert not everything
        self.did: list[Any] = []
        made.append(self)

    def want(self, tasks: Any) -> None:
        self.did.append(tasks)

    def start(self) -> None:
        self.did.append("start")

    def stop(self) -> None:
        self.did.append("stop")


made: list[Prepared] = []


@pytest.fixture(autouse=True)
def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    made.clear()
    monkeypatch.setattr(seating, "Preparation", Prepared)


def seated(rank: str = "capitaine", wait: bool = False) -> Seating:
    found = seat_people(load("walk-the-plank").match(3, seed=1), [0], rank)
    found.wait = wait
    return found


def test_what_the_bots_need_is_prepared_while_the_match_goes_on():
    with pytest.raises(KeyboardInterrupt), seated().preparing():
        assert made[0].did == [[("walk-the-plank", "search"), ("walk-the-plank", "rules")], "start"]
        raise KeyboardInterrupt
    assert made[0].did[-1] == "stop"


def test_bots_that_wait_and_programs_need_no_preparation():
    for waiting in (seated(wait=True), Seating(load("walk-the-plank").match(3, seed=1), {1: "cmd:mine"}, wait=False)):
        with waiting.preparing():
            assert made == []


def test_that_bots_play_lighter_is_said_once(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tribord.core.compiled.Driver.is_loaded", lambda driver, dtype: False)
    monkeypatch.setattr("tribord.bots.lookahead.LIGHT", 0.02)
    place = seated()
    place.ranks = dict.fromkeys(range(3), "capitaine")
    said: list[Any] = []
    table = SimpleNamespace(
        match=place.match, people=[], bots=place.bots(), preparing=False, say=said.append,
        narrate=lambda events: None, autosave=lambda: None, saved=True,
    )  # fmt: skip
    for _turn in range(2):
        TerminalTable.turn(table)  # type: ignore[arg-type]
    assert said == [BOTS_PREPARING]
