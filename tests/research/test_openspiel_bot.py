"""OpenSpiel's players as a bot: it reads views without loss, keeps to its clock, and plays whole matches."""

from __future__ import annotations

import importlib.util
import json
import random
import sys
import time
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tribord import game_ids, load
from tribord.lab.arena import arena

BOT = Path(__file__).parents[2] / "examples" / "openspiel_bot.py"
FOR_WORDS_ALONE = {"by_rule", "shown"}  # fields that no rule asks for: why one decides, which forces lie open


@pytest.fixture(scope="module")
def bot() -> ModuleType:
    spec = importlib.util.spec_from_file_location("openspiel_bot", BOT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def seated(bot: ModuleType, match: Any, sort: str, rollouts: str, clock: float) -> Any:
    hello = {"game": match.game.id, "players": match.players, "options": match.options, "clock": clock, "seed": 3}
    return bot.Player(hello, sort, rollouts, 1.0, 1.0)


@pytest.mark.parametrize("name", game_ids())
def test_a_description_becomes_the_view_again(bot: ModuleType, name: str) -> None:
    game, luck, read = load(name), random.Random(1), 0
    for players in range(game.players[0], game.players[1] + 1):
        for options in ({}, {"game": "strategic"}) if name == "ile-aux-pirates" and players < 5 else ({},):
            match = game.match(players, players, options)
            player = bot.Player.__new__(bot.Player)
            player.game, player.settings = bot.open_game(game, players, match.options), match.settings
            for _ in range(60):
                if match.over:
                    break
                seat = luck.choice(match.to_act)
                view = match.view_state(seat)
                found = player.view(json.loads(json.dumps(match.view(seat))))
                for field in set(view.dtype.names) - FOR_WORDS_ALONE:
                    assert found[field].tolist() == view[field].tolist(), (field, match.view(seat))
                match.play(seat, luck.choice(match.legal(seat)))
                read += 1
    assert read > 40


@pytest.mark.parametrize(
    ("name", "players", "sort", "rollouts"),
    [
        ("faut-pas-pousser", 4, "mcts", "compiled"),
        ("faut-pas-pousser", 4, "mcts", "openspiel"),
        ("walk-the-plank", 3, "ismcts", "compiled"),
        ("sauve-qui-peut", 4, "ismcts", "openspiel"),
    ],
)
def test_it_thinks_for_as_long_as_the_clock_says(
    bot: ModuleType, name: str, players: int, sort: str, rollouts: str
) -> None:
    clock = 0.15
    match = load(name).match(players, 1)
    player = seated(bot, match, sort, rollouts, clock)
    took: list[float] = []
    while len(took) < 5:
        seat = match.to_act[0]
        legal = match.legal(seat)
        question = {"seat": seat, "view": match.view(seat), "legal": [{"action": action} for action in legal]}
        begun = time.monotonic()
        action = player.act(question, begun)
        if len(legal) > 1:  # else there is nothing to think about
            took.append(time.monotonic() - begun)
        assert action in legal
        match.play(seat, action)
    assert min(took) > clock - 0.02
    assert min(took) < clock + 0.05  # the quickest: a machine may have other things to do


def test_it_plays_whole_matches_in_the_arena() -> None:
    command = f"cmd:{sys.executable} {BOT} mcts"
    result = arena(load("faut-pas-pousser"), ["mousse", command], players=2, matches=2, seed=1, clock=0.1, jobs=1)
    standing = result["standings"][1]
    assert standing["decisions"] >= 10
    assert standing["faults"]["crash"] == standing["faults"]["rubbish"] == 0, standing["fault"]
