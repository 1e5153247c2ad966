"""Solved games: kept on disk, made again when damaged, never waited for by a bot; what a move costs."""

import sys

import numpy as np
import pytest

from tribord import BadOption, IllegalAction, Refusal, load
from tribord.bots import seat_bot, solver
from tribord.bots.lookahead import Lookahead
from tribord.core.match import legal_actions

GAME = load("ile-aux-pirates")
SHAPE = (3, 2)


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """A separate file for the table, nothing in memory, and a stand-in for the process that solves.

    The stand-in waits, then stores the real table, or ends with a complaint.
    """
    real = solver.solution(GAME).table
    path = tmp_path / "folder" / "solution"
    monkeypatch.setattr(solver, "kept_at", lambda game: path)
    monkeypatch.setattr(solver, "_solutions", {})
    source = tmp_path / "table.npy"
    np.save(source, real)

    def stand_in(seconds=0.0, complaint=""):
        code = (
            "import sys, time, numpy; from pathlib import Path; from tribord.bots import solver;"
            f"time.sleep({seconds}); sys.exit({complaint!r}) if {complaint!r} else None;"
            f"solver.write(Path({str(path)!r}), numpy.load({str(source)!r}))"
        )
        monkeypatch.setattr(solver, "_command", lambda game: [sys.executable, "-c", code])
        return path

    return stand_in


def opening():
    match = GAME.match(1, seed=3)
    return match.view_state(match.to_act[0])


def test_a_table_is_kept_to_the_bit(tmp_path):
    path, table = tmp_path / "deep" / "solution", np.arange(6.0).reshape(SHAPE) / 7
    solver.write(path, table)
    assert solver.read(path, SHAPE).tobytes() == table.tobytes()
    assert [file.name for file in path.parent.iterdir()] == ["solution"]


@pytest.mark.parametrize(
    "damage",
    [
        lambda kept: b"",
        lambda kept: kept[:-8],
        lambda kept: kept + bytes(8),
        lambda kept: kept[:40] + bytes([kept[40] ^ 1]) + kept[41:],
        lambda kept: bytes([kept[0] ^ 1]) + kept[1:],
    ],
)
def test_a_damaged_table_is_noticed(tmp_path, damage):
    path = tmp_path / "solution"
    assert solver.read(path, SHAPE) is None
    solver.write(path, np.ones(SHAPE))
    path.write_bytes(damage(path.read_bytes()))
    assert solver.read(path, SHAPE) is None
    solver.write(path, np.ones((4, 4)))
    assert solver.read(path, SHAPE) is None


def test_a_table_that_cannot_be_kept_leaves_nothing_behind(tmp_path):
    path = tmp_path / "solution"
    path.mkdir()
    with pytest.raises(OSError):
        solver.write(path, np.ones(SHAPE))
    assert [file.name for file in tmp_path.iterdir()] == ["solution"]


def test_the_file_is_named_after_the_sources():
    path = solver.kept_at(GAME)
    solver.solution(GAME)
    assert path.parent.name.startswith("ile_aux_pirates-")
    assert path.stat().st_size < 4_000_000


def test_a_damaged_table_is_made_again(elsewhere):
    path = elsewhere()
    path.parent.mkdir()
    path.write_bytes(b"not a table")
    assert solver.at_hand(GAME) is None
    assert solver.solution(GAME).value(opening()) > 0.5
    assert solver.at_hand(GAME) is solver.solution(GAME)


def test_why_solving_failed_is_a_sentence(elsewhere):
    elsewhere(complaint="the disk is full")
    with pytest.raises(Refusal, match="the disk is full"):
        solver.solution(GAME)


def test_a_bot_does_not_wait_for_the_solution_and_has_it_later(elsewhere):
    elsewhere()
    view, legal = opening(), legal_actions(GAME, opening(), 0)
    bot = solver.SolvedBot(GAME, 5, otherwise=Lookahead(GAME, 5, candidates=0, samples=1), wait=False)
    assert bot.decide(view, legal) == Lookahead(GAME, 5, candidates=0, samples=1).decide(view, legal)
    assert bot.light
    values = solver.solution(GAME).action_values(view)
    best = bot.decide(view, legal)
    assert not bot.light
    assert solver.solution(GAME).action_values(view, [best]) == [max(values)]


def test_a_solved_bot_plays_whole_matches_the_same_way_twice():
    solver.solution(GAME)
    for temperature in (0.0, 0.05):
        ended = []
        for _twice in range(2):
            match, bot = GAME.match(2, seed=8), solver.SolvedBot(GAME, 4, temperature)
            while not match.over:
                seat = match.to_act[0]
                match.play(seat, bot.decide(match.view_state(seat), match.legal(seat)))
            ended.append(match.state.tobytes())
        assert ended[0] == ended[1]


def test_where_nothing_is_solved_another_decides():
    class Another:
        light = False

        def decide(self, view, legal, clock=None):
            return 77 if clock is None else int(10 * clock)

    match = GAME.match(2, seed=8, options={"game": "strategic"})
    seat = match.to_act[0]
    assert not solver.covers(GAME, match.view_state(seat))
    view, legal = match.view_state(seat), match.legal(seat)
    for clock, decision in ((None, 77), (0.5, 5)):
        assert solver.SolvedBot(GAME, 1, otherwise=Another()).decide(view, legal, clock) == decision
    assert not solver.is_solved(load("walk-the-plank"))


def test_values_are_in_the_order_asked_and_refuse_what_is_not_legal():
    found, match = solver.solution(GAME), GAME.match(1, seed=3)
    view, legal = match.view_state(0), match.legal(0)
    values = found.action_values(view)
    assert found.action_values(view, legal[::-1]) == values[::-1]
    assert found.value(view) == max(values)
    with pytest.raises(IllegalAction):
        found.action_values(view, [next(a for a in range(GAME.actions) if a not in legal)])
    strategic = GAME.match(1, seed=3, options={"game": "strategic"})
    with pytest.raises(BadOption):
        found.value(strategic.view_state(0))


def test_ranks_play_the_base_game_by_the_solution_and_the_strategic_game_by_themselves():
    match = GAME.match(2, seed=5)
    found = solver.solution(GAME)
    while not match.over:
        seat = match.to_act[0]
        view = match.view_state(seat)
        action = seat_bot("capitaine", GAME, 1).decide(view, match.legal(seat))
        values = dict(zip(match.legal(seat), found.action_values(view)))
        assert values[action] == max(values.values())
        match.play(seat, action)
    strategic = GAME.match(2, seed=5, options={"game": "strategic"})
    seat = strategic.to_act[0]
    matelot = seat_bot("matelot", GAME, 1)
    own = Lookahead(GAME, 1, candidates=0, samples=24)
    view, legal = strategic.view_state(seat), strategic.legal(seat)
    assert matelot.decide(view, legal) == own.decide(view, legal)
